//! Accesses of a method that others of it make redundant.
//!
//! **Definition.** Access `S` is *covered* by access `R` of the same body if, on every path to `S`, `R` has been executed and
//! nothing has happened since by which other threads could tell the two apart: no call, no release of a monitor, no
//! write of a volatile variable, no initialisation of a class; and both are to the same place of equal objects (by
//! value numbering), and `R` writes or `S` reads.
//!
//! **Theorem.** If `S` is covered and makes the event `s`, then `R` has made an event `r` of the same thread and location,
//! with a subset of `s`'s locks and a kind as strong: `r` is weaker than `s`, so without `s` locksets find the same
//! locations racy, without ownership. And no release lies between them, so whatever is ordered after `r` by synchronisation is ordered
//! after `s`, and whatever came before `s` unordered with `s` is unordered with `r`: happens-before loses nothing either.
//!
//! **With ownership** locksets may miss a location that changes hands between `r` and `s`: `r` is an access of the owner and does not count, and
//! the race with `s` is not seen. Then the other thread's access `t` comes between them. Since this thread releases nothing between `r` and
//! `s`, and `t` comes before `s`, nothing orders `r` before `t`: unless both read, the two are a race by happens-before, on the same location. So
//! what is missed either races by order, and `--detector both` reports it, or was taken over by a read. `--no-ownership` reports it in any case,
//! and so does, without a plan, `--without dominators,peeling`. (The paper has the same restriction, section 7.2.)
//!
//! The paper asks that `R` dominates `S` with no call between; here that is a must-analysis over the paths
//! ([`executed_before`]), which says the same of each `R`. By its theorem numbers that are equal mean the object of the last `R`.
//!
//! Calls of methods that do none of these things, nor call anything that may, do not count ([`QuietMethods`]).

use selvedge_base::{FastMap, FastSet, Id};
use selvedge_facts::{AccessKind, Place, View};
use selvedge_ir::{Body, Inst, Op, Value, ValueNumbering, executed_before};
use selvedge_world::{ClassId, MethodId, Program};

/// An access whose report is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Watched {
    /// The instruction.
    pub inst: Inst,
    /// The kind of place.
    pub place: Place,
    /// The value that holds the object; `None` for static fields.
    pub base: Option<Value>,
    /// The index of the element, where elements are distinguished.
    pub index: Option<Value>,
    /// What it does.
    pub kind: AccessKind,
}

/// Bodies for which the sets would take more bits than this are left as they are.
const MAX_BITS: usize = 1 << 28;

/// What need not report.
#[derive(Clone, Debug, Default)]
pub struct Redundancy {
    redundant: FastSet<Inst>,
}

impl Redundancy {
    /// Looks at the watched accesses of a body.
    pub fn new(
        view: &View<'_>,
        method: MethodId,
        body: &Body,
        watched: &[Watched],
        quiet: &QuietMethods,
    ) -> Self {
        if watched.is_empty() || watched.len().saturating_mul(body.blocks.len()) > MAX_BITS {
            return Self::default();
        }
        let numbering = number(view.program, method, body);
        let telling = telling_steps(view, method, body, quiet);
        let insts: Vec<Inst> = watched.iter().map(|access| access.inst).collect();
        let mut redundancy = Self::default();
        executed_before(body, &insts, &|inst| telling.contains(&inst), |marked, before| {
            let access = &watched[marked.index()];
            if before.iter().any(|other| covers(&numbering, &watched[other.index()], access)) {
                redundancy.redundant.insert(access.inst);
            }
        });
        redundancy
    }

    /// Whether the access has always been reported by another.
    pub fn is_redundant(&self, inst: Inst) -> bool {
        self.redundant.contains(&inst)
    }
}

/// Whether the one access, executed before, has said all that the other says.
fn covers(numbering: &ValueNumbering, one: &Watched, other: &Watched) -> bool {
    let same = |a: Option<Value>, b: Option<Value>| match (a, b) {
        (Some(a), Some(b)) => numbering.same(a, b),
        (None, None) => true,
        _ => false,
    };
    one.place == other.place
        && (one.kind == AccessKind::Write || other.kind == AccessKind::Read)
        && same(one.base, other.base)
        && same(one.index, other.index)
}

/// Loads of final fields are stable, except where they are assigned.
fn number(program: &Program, method: MethodId, body: &Body) -> ValueNumbering {
    let data = &program.methods[method];
    if data.is_constructor() || data.is_class_initializer() {
        return ValueNumbering::new(body);
    }
    ValueNumbering::with_stable_loads(body, |reference| {
        program.resolve_field(reference).is_ok_and(|field| program.fields[field].is_final())
    })
}

/// The steps of a body by which other threads could tell two accesses apart.
fn telling_steps(view: &View<'_>, method: MethodId, body: &Body, quiet: &QuietMethods) -> FastSet<Inst> {
    let loud_calls = quiet.loud_calls(view, method, body);
    let own_class = view.program.methods[method].class;
    let steps = body.insts.iter_ids().filter(|(inst, data)| match &data.op {
        Op::Invoke(..) | Op::InvokeDynamic(_) => loud_calls.contains(inst),
        op => tells(view.program, own_class, op),
    });
    steps.map(|(inst, _)| inst).collect()
}

/// Whether an operation, other than a call, in a method of the class tells threads apart.
fn tells(program: &Program, own_class: ClassId, op: &Op) -> bool {
    match op {
        Op::MonitorExit | Op::Constant(_) => true,
        Op::PutField(reference) => {
            program.resolve_field(reference).is_ok_and(|field| program.fields[field].is_volatile())
        }
        Op::GetStatic(reference) | Op::PutStatic(reference) => match program.resolve_field(reference) {
            Ok(field) => {
                let data = &program.fields[field];
                let writes = matches!(op, Op::PutStatic(_));
                (writes && data.is_volatile()) || may_initialise(program, own_class, data.class)
            }
            Err(_) => true,
        },
        Op::New(class) => {
            program.class_named(*class).is_none_or(|class| may_initialise(program, own_class, class))
        }
        _ => false,
    }
}

/// Whether the use of a class in a method of `own_class` may run an initialiser.
fn may_initialise(program: &Program, own_class: ClassId, class: ClassId) -> bool {
    let has_initialiser = |class: ClassId| {
        let data = &program.classes[class];
        data.is_phantom() || data.methods.iter().any(|method| program.methods[method].is_class_initializer())
    };
    !program.is_subclass(own_class, class)
        && program
            .superclasses(class)
            .chain(program.all_interfaces(class).iter().copied())
            .any(has_initialiser)
}

/// Methods that, with all that they call, do nothing by which other threads could tell two accesses of the caller apart.
///
/// Loud, and so not among them, are methods without a body, synchronized ones, ones with a telling step or with rows of library
/// models, ones with calls of which it is not known whom they reach, and whatever may call a loud one.
pub struct QuietMethods {
    loud: FastSet<MethodId>,
}

impl QuietMethods {
    /// Looks at all reached methods.
    pub fn new(view: &View<'_>) -> Self {
        let program = view.program;
        let nothing_loud = Self { loud: FastSet::default() };
        let mut loud: FastSet<MethodId> = FastSet::default();
        let mut callers: FastMap<MethodId, Vec<MethodId>> = FastMap::default();
        let mut pending = Vec::new();
        for (method, data) in program.methods.iter_ids() {
            if !view.analysis.is_reached(method) {
                continue;
            }
            let is_loud = |body: &Body| {
                body.insts.iter().any(|inst| tells(program, data.class, &inst.op))
                    || !nothing_loud.loud_calls(view, method, body).is_empty()
            };
            let loud_itself = data.is_synchronized()
                || !view.rows(method).is_empty()
                || program.body(method).is_none_or(is_loud);
            if loud_itself {
                loud.insert(method);
                pending.push(method);
            }
            for &instance in view.analysis.instances_of(method) {
                for callee in view.calls(instance).flat_map(|call| call.callees) {
                    if let Some(callee) = view.method_of(*callee) {
                        callers.entry(callee).or_default().push(method);
                    }
                }
            }
        }
        while let Some(method) = pending.pop() {
            for caller in callers.remove(&method).unwrap_or_default() {
                if loud.insert(caller) {
                    pending.push(caller);
                }
            }
        }
        Self { loud }
    }

    /// The calls of a body that may be loud: those that reach a loud method, or one that is not known.
    fn loud_calls(&self, view: &View<'_>, method: MethodId, body: &Body) -> FastSet<Inst> {
        let own_class = view.program.methods[method].class;
        let is_quiet_method = |callee: MethodId| {
            let data = &view.program.methods[callee];
            let initialises = data.is_static() && may_initialise(view.program, own_class, data.class);
            !initialises && !self.loud.contains(&callee)
        };
        let mut quiet: FastMap<Inst, bool> = FastMap::default();
        for &instance in view.analysis.instances_of(method) {
            for call in view.calls(instance) {
                let Some(inst) = call.inst else { continue };
                let is_quiet = !call.callees.is_empty()
                    && call.callees.iter().all(|&callee| view.method_of(callee).is_some_and(is_quiet_method));
                *quiet.entry(inst).or_insert(true) &= is_quiet;
            }
        }
        let calls = body
            .insts
            .iter_ids()
            .filter(|(_, data)| matches!(data.op, Op::Invoke(..) | Op::InvokeDynamic(_)));
        let is_quiet = |inst: &Inst| quiet.get(inst) == Some(&true) && !is_dynamic(body, *inst);
        calls.map(|(inst, _)| inst).filter(|inst| !is_quiet(inst)).collect()
    }
}

/// Whether linking the call may run code.
fn is_dynamic(body: &Body, inst: Inst) -> bool {
    matches!(body.insts[inst].op, Op::InvokeDynamic(_))
}
