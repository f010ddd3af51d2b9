//! What the program does with a field of which the detectors have nothing to say: who accesses it, in which threads, and which of its code
//! is not reached, with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use selvedge_detect::Facts;
use selvedge_facts::{AccessKind, Origin, ThreadId};
use selvedge_findings::short_class;
use selvedge_ir::{Inst, Op};
use selvedge_world::{FieldId, MethodId, Program, Tier, java_name};

use super::names::{is_meant, nearest};

/// How many lines of a kind are listed.
const LISTED: usize = 8;

/// What the program says.
pub enum Answer {
    /// There are such fields.
    Fields(Vec<About>),
    /// The class is named, but missing.
    Absent(String),
    /// There is no such field; these names are near.
    Unknown {
        /// The names.
        near: Vec<String>,
    },
}

/// What is known of a field.
pub struct About {
    /// Its name: `p.C.f`.
    pub field: String,
    /// Racy, safe and so on, in a word.
    status: &'static str,
    /// The sentences about it.
    lines: Vec<String>,
}

impl About {
    /// The paragraph about the field.
    pub fn text(&self) -> String {
        let mut text = format!("[{}] {}\n", self.status, self.field);
        for line in &self.lines {
            let _ = writeln!(text, "  {line}");
        }
        text
    }
}

impl Answer {
    /// Looks for the fields that a name may mean.
    pub fn new(facts: &Facts<'_, '_>, what: &str) -> Answer {
        let program = facts.view.program;
        let named: Vec<FieldId> = program
            .fields
            .iter_ids()
            .map(|(field, _)| field)
            .filter(|&field| is_meant(&program.describe_field(field), what))
            .collect();
        let tier = |field: &FieldId| program.classes[program.fields[*field].class].tier;
        // Fields of the application are meant before those of libraries.
        let own: Vec<FieldId> =
            named.iter().copied().filter(|field| tier(field) == Tier::Application).collect();
        let meant = if own.is_empty() { named } else { own };
        if !meant.is_empty() {
            let code = Code::new(facts);
            return Answer::Fields(meant.into_iter().take(LISTED).map(|field| code.about(field)).collect());
        }
        let class = what.rsplit_once('.').map_or(what, |(class, _)| class);
        let is_absent = |name: &str| is_meant(name, what) || is_meant(name, class);
        let phantoms = program.classes.iter().filter(|class| class.is_phantom());
        if let Some(absent) = phantoms.map(|class| java_name(class.name)).find(|name| is_absent(name)) {
            return Answer::Absent(absent);
        }
        let fields = program.fields.iter_ids().filter(|(field, _)| tier(field) == Tier::Application);
        Answer::Unknown { near: nearest(what, fields.map(|(field, _)| program.describe_field(field))) }
    }
}

/// The field that a name means which asks a class for what it inherits, by the name that its own class gives it.
pub fn declared(program: &Program, what: &str) -> Option<String> {
    let (class, field) = what.rsplit_once('.')?;
    let is_known = |name: &str| program.fields.ids().any(|id| is_meant(&program.describe_field(id), name));
    if is_known(what) {
        return None;
    }
    let meant = program.classes.iter_ids().filter(|(_, data)| is_meant(&java_name(data.name), class));
    meant.flat_map(|(class, _)| program.superclasses(class)).find_map(|above| {
        let mut fields = program.classes[above].fields.iter();
        let found = fields.find(|&id| program.fields[id].name.is(field))?;
        Some(program.describe_field(found))
    })
}

/// An instruction that accesses a field.
#[derive(Clone, Copy)]
struct At {
    method: MethodId,
    inst: Inst,
    kind: AccessKind,
}

/// The code of the application.
struct Code<'c, 'f, 'a> {
    facts: &'c Facts<'f, 'a>,
    accesses: BTreeMap<FieldId, Vec<At>>,
    /// Who names each method in a call, or makes a lambda of it; by the method that is named.
    callers: BTreeMap<MethodId, BTreeSet<MethodId>>,
}

impl<'c, 'f, 'a> Code<'c, 'f, 'a> {
    fn new(facts: &'c Facts<'f, 'a>) -> Self {
        let program = facts.view.program;
        let mut accesses: BTreeMap<FieldId, Vec<At>> = BTreeMap::new();
        let mut callers: BTreeMap<MethodId, BTreeSet<MethodId>> = BTreeMap::new();
        for (method, data) in program.methods.iter_ids() {
            if program.classes[data.class].tier != Tier::Application {
                continue;
            }
            let Some(body) = program.body(method) else { continue };
            for (inst, code) in body.insts.iter_ids() {
                match &code.op {
                    Op::GetField(field)
                    | Op::GetStatic(field)
                    | Op::PutField(field)
                    | Op::PutStatic(field) => {
                        let is_write = matches!(code.op, Op::PutField(_) | Op::PutStatic(_));
                        let kind = if is_write { AccessKind::Write } else { AccessKind::Read };
                        if let Ok(field) = program.resolve_field(field) {
                            accesses.entry(field).or_default().push(At { method, inst, kind });
                        }
                    }
                    Op::Invoke(_, callee) => {
                        if let Ok(callee) = program.resolve_method(callee) {
                            callers.entry(callee).or_default().insert(method);
                        }
                    }
                    _ => {}
                }
            }
        }
        Self { facts, accesses, callers }
    }

    fn program(&self) -> &'a Program {
        self.facts.view.program
    }

    fn is_reached(&self, method: MethodId) -> bool {
        !self.facts.view.analysis.instances_of(method).is_empty()
    }

    /// `reads it at Account.java:12, in bank.Account.get()`
    fn describe(&self, at: &At) -> String {
        let deed = if at.kind == AccessKind::Write { "writes" } else { "reads" };
        let place = self.place(at.method, at.inst);
        format!("{} {deed} it ({place})", self.program().describe_method(at.method))
    }

    fn place(&self, method: MethodId, inst: Inst) -> String {
        let program = self.program();
        let class = program.methods[method].class;
        let file = program.source_file(class).map(|file| file.to_string());
        let name = java_name(program.classes[class].name);
        let file = file.unwrap_or_else(|| short_class(&name).to_owned());
        match self.facts.view.line(method, inst) {
            Some(line) => format!("{file}:{line}"),
            None => file,
        }
    }

    fn about(&self, field: FieldId) -> About {
        let program = self.program();
        let data = &program.fields[field];
        let mut about = About { field: program.describe_field(field), status: "safe", lines: Vec::new() };
        let all = self.accesses.get(&field).map_or(&[][..], Vec::as_slice);
        let (reached, unreached): (Vec<&At>, Vec<&At>) =
            all.iter().partition(|at| self.is_reached(at.method));
        let mut say = |line: &str| about.lines.push(line.to_owned());
        let is_setup = |at: &&At| {
            let method = &program.methods[at.method];
            method.is_constructor() || method.is_class_initializer()
        };
        let writes: Vec<&At> = reached.iter().copied().filter(|at| at.kind == AccessKind::Write).collect();
        let threads = self.threads(&reached);
        let is_many = |thread: &ThreadId| self.facts.threads.all[*thread].many;
        if program.classes[data.class].tier != Tier::Application && all.is_empty() {
            about.status = "not examined";
            say(
                "It belongs to a library, and no code of the application accesses it. To examine the library itself, pass it as a PATH.",
            );
        } else if all.is_empty() && data.is_static() && data.is_final() {
            say("No code reads or writes it: javac copies the values of constants to where they are used.");
        } else if all.is_empty() {
            about.status = "unreached";
            say("No code of the application reads or writes it.");
        } else if reached.is_empty() {
            about.status = "unreached";
            say(
                "The analysis reaches none of the code that accesses it, so no conclusion about races on it:",
            );
        } else if data.is_volatile() {
            say("It is volatile: accesses to it are ordered and are no data race.");
        } else if writes.is_empty() {
            say("No code that is reached writes it.");
        } else if data.is_final() {
            say("It is final: only initialisers write it.");
        } else if threads.len() <= 1 && !threads.iter().any(is_many) {
            say("Only one thread accesses it:");
        } else if writes.iter().all(is_setup) {
            say("It is written only by constructors and initialisers, before the object is published:");
        } else {
            say(
                "No two threads that may run at the same time access it in a common object, one of them writing:",
            );
        }
        let is_plain = !data.is_volatile() && !data.is_final();
        if is_plain && !writes.is_empty() {
            threads.iter().take(LISTED).for_each(|thread| {
                about.lines.push(format!("- thread: {}", self.describe_thread(*thread)));
            });
        }
        about.list(reached.iter().map(|at| self.describe(at)));
        if !unreached.is_empty() && !reached.is_empty() {
            about.lines.push("The analysis does not reach the rest of the code that accesses it:".to_owned());
        }
        about.list(
            unreached.iter().map(|at| format!("{}; {}", self.describe(at), self.why_unreached(at.method))),
        );
        about
    }

    fn threads(&self, accesses: &[&At]) -> BTreeSet<ThreadId> {
        let instances = accesses.iter().flat_map(|at| self.facts.view.analysis.instances_of(at.method));
        let threads = instances.flat_map(|&instance| self.facts.threads.may_execute(instance)).copied();
        threads.filter(|&thread| self.facts.threads.all[thread].origin != Origin::Initializers).collect()
    }

    fn describe_thread(&self, thread: ThreadId) -> String {
        let (program, thread) = (self.program(), &self.facts.threads.all[thread]);
        let many = if thread.many { ", many at once" } else { "" };
        let text = match thread.origin {
            Origin::Main(method) => format!("main, {}", program.describe_method(method)),
            Origin::Client => "callers of the library".to_owned(),
            Origin::ContainerStart | Origin::Container(None) => "the container".to_owned(),
            Origin::Container(Some(method)) => {
                format!("the container, which calls {}", program.describe_method(method))
            }
            Origin::Vm(method) => format!("a thread of the JVM, {}", program.describe_method(method)),
            Origin::Initializers => "initialisers of classes".to_owned(),
            Origin::Spawn { instance, inst, .. } => match (self.facts.view.method_of(instance), inst) {
                (Some(method), Some(inst)) => {
                    format!("started by {} ({})", program.describe_method(method), self.place(method, inst))
                }
                _ => "started by library code".to_owned(),
            },
        };
        text + many
    }

    /// Why the analysis does not reach a method: what would have to call it.
    fn why_unreached(&self, method: MethodId) -> String {
        let program = self.program();
        let data = &program.methods[method];
        if let Some(maker) = self.maker_of_lambda(method) {
            let name = program.describe_method(maker);
            return match self.is_reached(maker) {
                true => format!("no thread runs this lambda of {name}"),
                false => format!("it is a lambda of {name}: {}", self.why_unreached(maker)),
            };
        }
        // A call may name the method of a supertype.
        let named =
            program.superclasses(data.class).chain(program.all_interfaces(data.class).iter().copied());
        let declared = named.filter_map(|class| program.declared_method(class, data.name, data.descriptor));
        let mut declared: Vec<MethodId> = declared.collect();
        declared.push(method);
        let callers: BTreeSet<MethodId> = declared
            .iter()
            .filter_map(|it| self.callers.get(it))
            .flatten()
            .copied()
            .filter(|&it| it != method)
            .collect();
        let of_library =
            declared.iter().find(|it| program.classes[program.methods[**it].class].tier != Tier::Application);
        let class = java_name(program.classes[data.class].name);
        let reached = callers.iter().find(|&&caller| self.is_reached(caller));
        match (reached, callers.first(), of_library) {
            _ if data.name.is("main") && data.is_static() => {
                format!("it is not where the program starts: add --main {class}")
            }
            (Some(&caller), ..) if data.is_static() => {
                format!("{} calls it in code that is not reached", program.describe_method(caller))
            }
            (Some(&caller), ..) => {
                format!(
                    "{} calls it, but never on a {}",
                    program.describe_method(caller),
                    short_class(&class)
                )
            }
            (None, _, Some(&of_library)) => format!(
                "it implements {}, and no thread runs that on a {}",
                program.describe_method(of_library),
                short_class(&class)
            ),
            (None, Some(&caller), None) => {
                format!(
                    "only code that is not reached calls it: {}",
                    program.describe_method(self.topmost(caller))
                )
            }
            (None, None, None) => "nobody calls it".to_owned(),
        }
    }

    /// A method that nobody calls, from which calls lead to a method that is not reached.
    fn topmost(&self, method: MethodId) -> MethodId {
        let mut seen = BTreeSet::from([method]);
        let mut top = method;
        while let Some(&next) =
            self.callers.get(&top).into_iter().flatten().find(|&&caller| !seen.contains(&caller))
        {
            seen.insert(next);
            top = next;
        }
        top
    }

    /// The method that has the lambda whose body this is, by the name that compilers give it.
    fn maker_of_lambda(&self, method: MethodId) -> Option<MethodId> {
        let program = self.program();
        let data = &program.methods[method];
        let name = data.name.to_string();
        let (maker, _) = name.strip_prefix("lambda$")?.rsplit_once('$')?;
        let mut methods = program.classes[data.class].methods.iter();
        methods.find(|&other| program.methods[other].name.is(maker))
    }
}

impl About {
    fn list(&mut self, lines: impl Iterator<Item = String>) {
        let all: Vec<String> = lines.collect();
        let unique: BTreeSet<&String> = all.iter().collect();
        self.lines.extend(unique.iter().take(LISTED).map(|line| format!("- {line}")));
        if unique.len() > LISTED {
            self.lines.push(format!("- and {} more", unique.len() - LISTED));
        }
    }
}
