//! One method: what of it reports, and the walk over its instructions.

use selvedge_base::{FastMap, FastSet};
use selvedge_classfile::Member;
use selvedge_classfile::edit::{CodeEditor, Jumps, Type};
use selvedge_classfile::{
    ArrayKind, ClassFile, Code, Insn, Kind, MemberRef, PoolEditor, Result, StackOp, access,
};
use selvedge_ir::FieldRef;
use selvedge_protocol::plan::Reporting;
use selvedge_protocol::{DetectorChoice, SiteEntry, SiteKey, SiteKind};

use crate::hooks::{self, push};
use crate::sources::{Source, Sources};
use crate::versions::Bodies;
use crate::{
    FieldKind, FieldName, Instrumenter, Role, SUPPORT_NAME, VIEW_NAME, World, calls, library, members,
    monitors, redundant, role, signature, synchronized, variables,
};

/// At most so many arrays of a method have locals for their views.
const MAX_VIEWS: usize = 24;

/// A method to be rewritten, and what that depends on.
pub(crate) struct Context<'c, 'e, 'a> {
    pub(crate) class: &'e ClassFile<'a>,
    pub(crate) class_name: &'c str,
    pub(crate) method: &'e Member<'a>,
    /// Name and descriptor.
    pub(crate) signature: &'c str,
    pub(crate) role: Role,
    pub(crate) rules: &'c Instrumenter,
    /// Where the quiet version is, if the code is there twice.
    pub(crate) bodies: Option<Bodies>,
    /// Final fields of the class that are watched.
    pub(crate) late: &'c FastSet<Vec<u8>>,
    pub(crate) world: &'c mut dyn World,
}

/// The work on one method's code.
pub(crate) struct Work<'w, 'c, 'e, 'a, 'p, 'q> {
    pub(crate) context: &'w mut Context<'c, 'e, 'a>,
    pub(crate) edit: CodeEditor<'w, 'a>,
    pub(crate) pool: &'p mut PoolEditor<'q>,
    /// Source lines by original bci.
    pub(crate) lines: Vec<(u32, u16)>,
    pub(crate) file: Option<String>,
    /// Where the quiet version is, if the code is there twice.
    pub(crate) bodies: Option<Bodies>,
    /// The local that holds the thread's part, if there is one.
    me: Option<u16>,
    /// Accesses that need not tell, since another one does: by their original index.
    covered: FastSet<u32>,
    /// Accesses that are no longer watched: by their original index.
    faded: FastSet<u32>,
    /// Accesses that are told when the loop around them is left.
    delayed: FastSet<u32>,
    /// What has to be told before an exception leaves the method, of what is told later.
    pub(crate) untold: Vec<Insn<'static>>,
    /// Where arrays come from, by the access, and the locals that hold their views.
    pub(crate) sources: Sources,
    /// Where a constructor writes fields of the object that it makes.
    pub(crate) makes: FastSet<u32>,
    /// Where monitors are given back of which that was told before.
    told_exits: FastSet<u32>,
    views: FastMap<Source, u16>,
}

impl<'a> Context<'_, '_, 'a> {
    /// The new code; `None` if it stays as it is.
    pub(crate) fn rewritten(&mut self, pool: &mut PoolEditor<'_>) -> Result<Option<Vec<u8>>> {
        let (class, method) = (self.class, self.method);
        if role::is_mounting(self.class_name, method.name) {
            return Ok(None);
        }
        let Some(code) = method.code(&class.pool)? else { return Ok(None) };
        let code = &code;
        let reporting = match self.role {
            Role::Application => self.rules.plan.method(self.class_name, self.signature),
            _ => Reporting::None,
        };
        let lines = code.line_table().unwrap_or_default();
        let file = crate::source_file(class);
        let edit = CodeEditor::new(class, method, code);
        let faded = self.world.faded(self.class_name, self.signature);
        let bodies = self.bodies;
        let mut work = Work {
            context: self,
            edit,
            pool,
            lines,
            file,
            bodies,
            me: None,
            covered: FastSet::default(),
            faded,
            delayed: FastSet::default(),
            untold: Vec::new(),
            sources: Sources::default(),
            makes: FastSet::default(),
            told_exits: FastSet::default(),
            views: FastMap::default(),
        };
        let unready = unready_until(class, method, code)?;
        if work.context.role == Role::Application && !matches!(reporting, Reporting::None) {
            work.prepare(code, unready, reporting)?;
        }
        work.makes = made_fields(class, method, code)?;
        work.prepare_calls(code)?;
        work.told_exits = monitors::told_before(&mut work, code)?;
        if let (Reporting::Listed(_), true) = (reporting, work.context.rules.notes) {
            let number = work.context.world.method_number(work.context.class_name, work.context.signature);
            let (number, hook) = (hooks::push(number, work.pool)?, hooks::RAN.call(work.pool)?);
            work.edit.reserve_stack(1);
            work.edit.at_entry().insns([number, hook]);
        }
        let mut is_null = false;
        for item in code.instructions() {
            let (bci, insn) = item?;
            work.instruction(bci, &insn, unready, reporting)?;
            if let (true, Insn::Store(Kind::Ref, slot)) = (is_null, insn) {
                work.forget_view(bci, slot)?;
            }
            is_null = matches!(insn, Insn::AConstNull);
        }
        if work.context.role == Role::Application {
            work.claims(code)?;
            if method.name == b"<clinit>" {
                work.initialised(code)?;
            }
        }
        if work.context.role == Role::Application {
            work.finalised(code)?;
        }
        if method.access & access::SYNCHRONIZED != 0 {
            synchronized::wrap(&mut work, code)?;
        }
        if work.context.role == Role::Library {
            library::at_entry_and_exits(&mut work, code)?;
        }
        work.choose_version()?;
        if work.edit.is_unchanged() {
            return Ok(None);
        }
        work.edit.finish(work.pool).map(Some)
    }
}

/// In a constructor, the index of the call of another constructor: before it, `this` must not be passed on.
pub(crate) fn unready_until(class: &ClassFile<'_>, method: &Member<'_>, code: &Code<'_>) -> Result<u32> {
    if method.name != b"<init>" {
        return Ok(0);
    }
    let mut pending = 0;
    let mut last = 0;
    for item in code.instructions() {
        match item? {
            (_, Insn::New(_)) => pending += 1,
            (bci, Insn::InvokeSpecial(index)) => {
                let is_constructor =
                    class.pool.method_ref(index).is_ok_and(|member| member.name == b"<init>");
                if is_constructor && pending == 0 {
                    last = bci;
                } else if is_constructor {
                    pending -= 1;
                }
            }
            _ => {}
        }
    }
    Ok(last)
}

/// In a constructor, the instructions that write fields of the object that is being made.
fn made_fields(class: &ClassFile<'_>, method: &Member<'_>, code: &Code<'_>) -> Result<FastSet<u32>> {
    let mut made = FastSet::default();
    if method.name != b"<init>" || class.major < 50 {
        return Ok(made);
    }
    for item in code.instructions() {
        match item? {
            (bci, Insn::PutField(_)) => made.insert(bci),
            // Another object than the one that is made may be meant.
            (_, Insn::Store(Kind::Ref, 0)) => return Ok(FastSet::default()),
            _ => false,
        };
    }
    if !made.is_empty() {
        let sources = Sources::new(class, code)?;
        made.retain(|bci| sources.holder(*bci) == Some(0));
    }
    Ok(made)
}

impl Work<'_, '_, '_, '_, '_, '_> {
    fn instruction(
        &mut self,
        bci: u32,
        insn: &Insn<'_>,
        unready: u32,
        reporting: Reporting<'_>,
    ) -> Result<()> {
        let reports = self.is_reported(bci, reporting) && !self.delayed.contains(&bci);
        match *insn {
            Insn::GetField(index) | Insn::PutField(index) => {
                let write = matches!(insn, Insn::PutField(_));
                let field = self.context.class.pool.field_ref(index)?;
                if write && bci < unready && field.owner == self.context.class.this_class {
                    return Ok(());
                }
                self.field(bci, field, write, reports)
            }
            Insn::GetStatic(index) | Insn::PutStatic(index) => {
                let field = self.context.class.pool.field_ref(index)?;
                self.static_field(bci, field, matches!(insn, Insn::PutStatic(_)), reports)
            }
            Insn::ArrayLoad(_) if reports => self.array(bci, false, false),
            Insn::ArrayStore(_) if self.leaves_out_makers() && self.sources.is_own_store(bci) => Ok(()),
            Insn::ArrayStore(ArrayKind::Ref) if self.puts_elements() => self.element_put(bci),
            Insn::ArrayStore(kind) if reports => self.array(bci, true, takes_two_slots(kind)),
            Insn::NewArray(_) | Insn::ANewArray(_) | Insn::MultiANewArray(..) if self.watches_arrays() => {
                self.made(bci)
            }
            Insn::MonitorEnter => {
                let entered = hooks::ENTERED.call(self.pool)?;
                self.edit.reserve_stack(1);
                self.edit.before(bci, Jumps::Run).insn(Insn::Stack(StackOp::Dup));
                // The monitor is held by now: the hook belongs to what the handler that gives it back protects, or the JIT
                // compilers do not take the method.
                self.edit.before(bci + 1, Jumps::Skip).insn(entered);
                Ok(())
            }
            Insn::MonitorExit if self.told_exits.contains(&bci) => Ok(()),
            Insn::MonitorExit => {
                let exiting = hooks::EXITING.call(self.pool)?;
                self.edit.reserve_stack(1);
                self.edit.before(bci, Jumps::Run).insns([Insn::Stack(StackOp::Dup), exiting]);
                Ok(())
            }
            Insn::InvokeVirtual(index) | Insn::InvokeInterface(index) => {
                let member = self.context.class.pool.method_ref(index)?;
                if self.wait(bci, insn, member)? {
                    return Ok(());
                }
                if variables::at_call(self, bci, member, reports)? {
                    return Ok(());
                }
                if self.context.role != Role::Library {
                    calls::of_thread(self, bci, member)?;
                }
                if reports
                    && member.name == b"clone"
                    && member.owner.starts_with(b"[")
                    && self.watches_arrays()
                {
                    return calls::cloning(self, bci);
                }
                if reports || self.wraps() {
                    calls::container(self, bci, member, false)?;
                }
                self.say_version(bci, member)
            }
            Insn::InvokeStatic(index) | Insn::InvokeSpecial(index) => {
                let member = self.context.class.pool.method_ref(index)?;
                if matches!(insn, Insn::InvokeStatic(_)) && variables::at_fence(self, bci, member)? {
                    return Ok(());
                }
                if reports && self.watches_arrays() && calls::is_arraycopy(member) {
                    return calls::copying(self, bci);
                }
                if reports && self.watches_arrays() && calls::of_arrays(self, bci, member)? {
                    return Ok(());
                }
                if reports && matches!(insn, Insn::InvokeSpecial(_)) && member.name != b"<init>" {
                    calls::container(self, bci, member, true)?;
                }
                self.say_version(bci, member)
            }
            _ => Ok(()),
        }
    }

    /// Whether the class passes calls on to a collection that the program may also call directly.
    fn wraps(&self) -> bool {
        self.context.role == Role::Library && role::wraps(self.context.class_name)
    }

    /// Whether plain stores into arrays of objects hand over: code of the library reaches their elements by handles or offsets, too.
    fn puts_elements(&self) -> bool {
        let class = self.context.class;
        let reaches = |member: MemberRef<'_>| match member.owner {
            b"java/lang/invoke/VarHandle" => member.descriptor.starts_with(b"(["),
            b"jdk/internal/misc/Unsafe" => member.name.windows(9).any(|part| part == b"Reference"),
            _ => false,
        };
        self.context.rules.combines(self.context.class_name)
            && class.pool.indexes().any(|index| class.pool.method_ref(index).is_ok_and(reaches))
    }

    /// Before library code stores an object into such an array.
    fn element_put(&mut self, bci: u32) -> Result<()> {
        use StackOp::*;
        let hook = hooks::ELEMENT_PUT.call(self.pool)?;
        self.edit.reserve_stack(3);
        self.edit.before(bci, Jumps::Run).insns([DupX2, Pop, Dup2X1].map(Insn::Stack)).insn(hook);
        Ok(())
    }

    /// Looks at what there is to be reported: keeps the thread's part in a local if it is needed more than once, and
    /// finds out where arrays come from.
    fn prepare(&mut self, code: &Code<'_>, unready: u32, reporting: Reporting<'_>) -> Result<()> {
        let (mut accesses, mut on_arrays) = (0, 0);
        // From where to where control flow goes back.
        let mut back: Vec<(u32, u32)> = Vec::new();
        let mut single = 0;
        for item in code.instructions() {
            let (bci, insn) = item?;
            insn.for_each_target(|target| back.extend((target <= bci).then_some((target, bci))));
            match insn {
                _ if !self.is_planned(bci, reporting) => {}
                Insn::GetField(_) | Insn::PutField(_) | Insn::GetStatic(_) | Insn::PutStatic(_) => {
                    (accesses, single) = (accesses + 1, bci);
                }
                Insn::ArrayLoad(_) | Insn::ArrayStore(_) => (on_arrays, single) = (on_arrays + 1, bci),
                _ => {}
            }
        }
        let is_old = self.is_old();
        let is_repeated = || back.iter().any(|(from, to)| (*from..=*to).contains(&single));
        let several = accesses + on_arrays > 1 || accesses + on_arrays == 1 && is_repeated();
        if several {
            self.keep_me()?;
        }
        let options = &self.context.rules.plan.options;
        let (dominators, peeling) = (options.dominators, options.peeling);
        if accesses + on_arrays > 1 && self.context.rules.thin && dominators {
            let context = &*self.context;
            let may_order = |field: &FieldRef| {
                let (owner, name) = (field.owner.to_string(), field.name.to_string());
                let own =
                    context.class.fields.iter().find(|own| {
                        owner.as_bytes() == context.class.this_class && own.name == name.as_bytes()
                    });
                match own {
                    Some(own) => own.access & access::VOLATILE != 0,
                    None => {
                        let kind = context.world.field_kind(FieldName { owner: &owner, name: &name });
                        !matches!(kind, FieldKind::Plain | FieldKind::Final)
                    }
                }
            };
            self.covered = redundant::covered(context.class, context.method, &may_order);
        }
        if accesses + on_arrays > 0 && !is_old {
            self.sources = Sources::new(self.context.class, code)?;
        }
        if !back.is_empty() && self.me.is_some() && self.context.rules.thin && peeling {
            let mut reported = FastSet::default();
            for item in code.instructions() {
                let (bci, insn) = item?;
                let is_array = matches!(insn, Insn::ArrayLoad(_) | Insn::ArrayStore(_));
                let is_field = matches!(insn, Insn::GetField(_) | Insn::PutField(_));
                let watched = is_field || is_array && self.watches_arrays();
                if watched && bci >= unready && self.is_reported(bci, reporting) {
                    reported.insert(bci);
                }
            }
            self.delayed = self.delay(code, &reported)?;
        }
        Ok(())
    }

    /// Keeps the thread's part in a local if it is needed for calls more than once, or for the choice of a version.
    fn prepare_calls(&mut self, code: &Code<'_>) -> Result<()> {
        let (mut calls, mut goes_back) = (0, false);
        for item in code.instructions() {
            let (bci, insn) = item?;
            insn.for_each_target(|target| goes_back |= target <= bci);
            if let Insn::InvokeVirtual(index)
            | Insn::InvokeInterface(index)
            | Insn::InvokeSpecial(index)
            | Insn::InvokeStatic(index) = insn
            {
                let member = self.context.class.pool.method_ref(index)?;
                calls += usize::from(self.token_at(bci, member).is_some());
            }
        }
        let context = &mut *self.context;
        let has_code = |method: &&Member<'_>| method.access & (access::ABSTRACT | access::NATIVE) == 0;
        let signatures = context.class.methods.iter().filter(has_code).map(signature);
        if goes_back
            && context.role == Role::Application
            && context.rules.plan.options.fade_after != 0
            && context.rules.plan.watches(context.class_name, signatures)
            && let Some(number) = context.world.loop_number(context.class_name, context.signature)
        {
            let (number, hook) = (hooks::push(number, self.pool)?, hooks::LOOPS.call(self.pool)?);
            self.edit.reserve_stack(1);
            self.edit.at_entry().insns([number, hook]);
        }
        if self.bodies.is_some() || calls > 1 || calls == 1 && goes_back { self.keep_me() } else { Ok(()) }
    }

    /// Keeps the thread's part in a local, where that can be.
    fn keep_me(&mut self) -> Result<()> {
        if self.me.is_none() && !self.is_old() {
            let me = self.edit.declare_local(Type::Class(SUPPORT_NAME.as_bytes()));
            let hook = hooks::ME.call(self.pool)?;
            self.edit.reserve_stack(1);
            self.edit.at_entry().insns([hook, Insn::Store(Kind::Ref, me)]);
            self.me = Some(me);
        }
        Ok(())
    }

    /// Whether what a thread does to an array that is not published yet is left out. By order it is in no race; but by locksets with
    /// ownership it makes the thread the owner.
    fn leaves_out_makers(&self) -> bool {
        let options = &self.context.rules.plan.options;
        let owners_count = options.ownership && options.detector != DetectorChoice::HappensBefore;
        self.context.rules.thin && !owners_count
    }

    /// Code with subroutines has no frames to declare a local in.
    fn is_old(&self) -> bool {
        self.context.class.major < 50
    }

    /// The bytecode index in the original code.
    pub(crate) fn original(&self, bci: u32) -> u32 {
        self.bodies.map_or(bci, |bodies| bodies.original(bci))
    }

    /// Whether the plan wants to know of the instruction, and it has not faded.
    fn is_planned(&self, bci: u32, reporting: Reporting<'_>) -> bool {
        match reporting {
            _ if self.faded.contains(&self.original(bci)) => false,
            Reporting::All => true,
            Reporting::None => false,
            Reporting::Listed(plan) => {
                let in_quiet = self.bodies.is_some_and(|bodies| bodies.is_quiet(bci));
                let quiet = plan.quiet.as_ref().filter(|_| in_quiet);
                let report = quiet.map_or(&plan.report, |quiet| &quiet.report);
                report.binary_search(&self.original(bci)).is_ok()
            }
        }
    }

    /// Whether the plan wants to know of the instruction, and no other one tells the same.
    fn is_reported(&self, bci: u32, reporting: Reporting<'_>) -> bool {
        self.is_planned(bci, reporting) && !self.covered.contains(&self.original(bci))
    }

    /// Pushes the thread's part.
    pub(crate) fn me(&mut self) -> Result<Insn<'static>> {
        match self.me {
            Some(local) => Ok(Insn::Load(Kind::Ref, local)),
            None => hooks::ME.call(self.pool),
        }
    }

    /// Pushes the view of the array that is accessed at `bci`, as far as it is known, and keeps the one that comes back.
    pub(crate) fn view_for(&mut self, bci: u32) -> Result<(Insn<'static>, Insn<'static>)> {
        let none = self.pool.field(SUPPORT_NAME.as_bytes(), b"NONE", b"Ljava/lang/SelvedgeView;")?;
        let source = self.sources.of(bci);
        let local = match source.and_then(|source| self.views.get(&source)) {
            Some(&local) => Some(local),
            None => match source.filter(|_| self.views.len() < MAX_VIEWS) {
                Some(source) => {
                    let local = self.edit.declare_local(Type::Class(VIEW_NAME.as_bytes()));
                    self.edit.at_entry().insns([Insn::GetStatic(none), Insn::Store(Kind::Ref, local)]);
                    self.views.insert(source, local);
                    Some(local)
                }
                None => None,
            },
        };
        Ok(match local {
            Some(local) => (Insn::Load(Kind::Ref, local), Insn::Store(Kind::Ref, local)),
            None => (Insn::GetStatic(none), Insn::Stack(StackOp::Pop)),
        })
    }

    /// After a variable has become null: the view of its array does not keep the array alive.
    fn forget_view(&mut self, bci: u32, slot: u16) -> Result<()> {
        if let Some(&local) = self.views.get(&Source::Local(slot)) {
            let none = self.pool.field(SUPPORT_NAME.as_bytes(), b"NONE", b"Ljava/lang/SelvedgeView;")?;
            self.edit.reserve_stack(1);
            self.edit.after(bci).insns([Insn::GetStatic(none), Insn::Store(Kind::Ref, local)]);
        }
        Ok(())
    }

    /// After an instruction that leaves a new array or library object on the stack.
    pub(crate) fn made(&mut self, bci: u32) -> Result<()> {
        let site = self.site(bci, SiteKind::Allocation, None);
        let (site, hook) = (push(site, self.pool)?, hooks::MADE.call(self.pool)?);
        self.edit.reserve_stack(2);
        self.edit.after(bci).insns([Insn::Stack(StackOp::Dup), site, hook]);
        Ok(())
    }

    /// Takes notice of new library objects, and of clones. Of new objects only those count of which a second reference is on the
    /// stack when the constructor returns, as compilers have it.
    fn claims(&mut self, code: &Code<'_>) -> Result<()> {
        let class = self.context.class;
        // For each `new` whose constructor has not been called yet: whether the next instruction is `dup`.
        let mut pending: Vec<bool> = Vec::new();
        for item in code.instructions() {
            match item? {
                (bci, Insn::New(_)) => {
                    let next = code.decode_at(bci + 3);
                    pending.push(matches!(next, Ok((Insn::Stack(StackOp::Dup), _))));
                }
                (bci, Insn::InvokeSpecial(index)) => {
                    let member = class.pool.method_ref(index)?;
                    if member.name == b"<init>"
                        && pending.pop() == Some(true)
                        && self.context.rules.container_classes.contains(member.owner)
                    {
                        self.made(bci)?;
                    }
                    let of_library = self.context.rules.is_library(&String::from_utf8_lossy(member.owner));
                    let is_clone = member.name == b"clone" && member.descriptor == b"()Ljava/lang/Object;";
                    if is_clone && of_library && class.access & access::INTERFACE == 0 {
                        members::clear_clone(self, bci)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The end of a constructor comes before the finaliser: it is handed over by a variable of the object at a place where no field is.
    fn finalised(&mut self, code: &Code<'_>) -> Result<()> {
        let (class, method) = (self.context.class, self.context.method);
        let is_finaliser = |method: &Member<'_>| {
            method.name == b"finalize" && method.descriptor == b"()V" && method.access & access::STATIC == 0
        };
        if !class.methods.iter().any(is_finaliser) {
            return Ok(());
        }
        let place = [Insn::Load(Kind::Ref, 0), Insn::LConst(1)];
        if is_finaliser(method) {
            let hook = hooks::UNSAFE_READ.call(self.pool)?;
            self.edit.reserve_stack(3);
            self.edit.at_entry().insns(place).insn(hook);
        } else if method.name == b"<init>" {
            let hook = hooks::UNSAFE_WRITE.call(self.pool)?;
            self.edit.reserve_stack(3);
            for item in code.instructions() {
                if let (bci, Insn::Return(_)) = item? {
                    self.edit.before(bci, Jumps::Run).insns(place).insn(hook);
                }
            }
        }
        Ok(())
    }

    /// Tells of the end of the class's initialisation.
    fn initialised(&mut self, code: &Code<'_>) -> Result<()> {
        let hook = hooks::INITIALISED.call(self.pool)?;
        for item in code.instructions() {
            if let (bci, Insn::Return(_)) = item? {
                let site = self.site(bci, SiteKind::Publish, None);
                let site = hooks::push(site, self.pool)?;
                self.edit.reserve_stack(1);
                self.edit.before(bci, Jumps::Run).insns([site, hook]);
            }
        }
        Ok(())
    }

    /// Replaces a call of `Object.wait` by one of the support class, which takes the same operands: a wait that ends with an
    /// exception has taken the monitor again, too. Was it one?
    fn wait(&mut self, bci: u32, insn: &Insn<'_>, member: MemberRef<'_>) -> Result<bool> {
        let hook = match (insn, member.name, member.descriptor) {
            (Insn::InvokeVirtual(_), b"wait", b"()V") => hooks::AWAIT,
            (Insn::InvokeVirtual(_), b"wait", b"(J)V") => hooks::AWAIT_MILLIS,
            (Insn::InvokeVirtual(_), b"wait", b"(JI)V") => hooks::AWAIT_NANOS,
            _ => return Ok(false),
        };
        if let Insn::InvokeStatic(method) = hook.call(self.pool)? {
            self.edit.replace_call(bci, method);
        }
        Ok(true)
    }

    /// A number for the instruction at `bci`.
    pub(crate) fn site(&mut self, bci: u32, kind: SiteKind, target: Option<FieldName<'_>>) -> u32 {
        let origin = match kind {
            SiteKind::ArrayLoad | SiteKind::ArrayStore | SiteKind::Call => self.sources.origin(bci),
            _ => None,
        };
        let bci = self.original(bci);
        let line = self.lines.iter().filter(|(start, _)| *start <= bci).max_by_key(|(start, _)| *start);
        let method = self.context.method;
        let key = SiteKey::new(
            self.context.class_name,
            String::from_utf8_lossy(method.name),
            String::from_utf8_lossy(method.descriptor),
            bci,
        );
        let entry =
            SiteEntry { key, kind, file: self.file.clone(), line: line.map(|(_, line)| u32::from(*line)) };
        let number = self.context.world.site(entry, target);
        if let Some(Ok(field)) = origin.map(|index| self.context.class.pool.field_ref(index)) {
            let [owner, name] = [field.owner, field.name].map(String::from_utf8_lossy);
            self.context.world.held_by(number, FieldName { owner: &owner, name: &name });
        }
        number
    }
}

pub(crate) fn takes_two_slots(kind: selvedge_classfile::ArrayKind) -> bool {
    matches!(kind, selvedge_classfile::ArrayKind::Long | selvedge_classfile::ArrayKind::Double)
}
