//! Factories: static methods of the application that stand for `new`.
//!
//! `Ledger.create()` and `new Ledger()` mean the same to whoever calls them: an object of one's own. Two callers of a factory that keep
//! what they got to themselves, or each under a lock of its own, share nothing; so the objects are distinguished by the call that made
//! them, as they would be if the call were an allocation.
//!
//! A factory returns nothing but null and what it allocates itself. A *launcher* makes a thread: `launch(task)` and `new Thread(task).start()`
//! mean the same, too, and threads that share nothing are distinguished only if what runs in them is. A method of either kind that is
//! called from many places would cost more than it tells.

use selvedge_base::{FastMap, FastSet};
use selvedge_ir::{Body, ClassName, InvokeKind, Op, Value};
use selvedge_world::{MethodId, Program, Tier};

/// From more calls than this the objects of a factory are not distinguished.
const MOST_CALLS: usize = 12;

/// The factories and launchers of a program, with the number of calls in the code of the application.
pub(super) struct Factories(FastMap<MethodId, usize>);

impl Factories {
    pub(super) fn find(program: &Program) -> Self {
        let of_application =
            |method: MethodId| program.classes[program.methods[method].class].tier == Tier::Application;
        let mut makers: FastMap<MethodId, usize> = program
            .methods
            .ids()
            .filter(|&id| of_application(id) && program.methods[id].is_static())
            .filter(|&id| {
                program.body(id).is_some_and(|body| returns_only_new(body) || makes_thread(program, body))
            })
            .map(|id| (id, 0))
            .collect();
        if makers.is_empty() {
            return Self(makers);
        }
        for caller in program.methods.ids().filter(|&id| of_application(id)) {
            for inst in program.body(caller).into_iter().flat_map(|body| body.insts.iter()) {
                if let Op::Invoke(InvokeKind::Static, reference) = &inst.op
                    && let Ok(callee) = program.resolve_method(reference)
                    && let Some(calls) = makers.get_mut(&callee)
                {
                    *calls += 1;
                }
            }
        }
        makers.retain(|_, calls| (1..=MOST_CALLS).contains(calls));
        Self(makers)
    }

    /// How many calls of a method there are, if it is a factory or a launcher.
    pub(super) fn calls(&self, method: MethodId) -> Option<usize> {
        self.0.get(&method).copied()
    }
}

fn makes_thread(program: &Program, body: &Body) -> bool {
    let Some(thread) = program.class_named(ClassName::new("java/lang/Thread")) else { return false };
    body.insts.iter().any(|inst| match inst.op {
        Op::New(name) => program.class_named(name).is_some_and(|class| program.is_subclass(class, thread)),
        _ => false,
    })
}

/// Whether all that a method returns is new, or null, and something is new.
fn returns_only_new(body: &Body) -> bool {
    let mut pending: Vec<Value> = Vec::new();
    for (inst, data) in body.insts.iter_ids() {
        if matches!(data.op, Op::Return) {
            pending.extend(body.args(inst));
        }
    }
    let mut seen: FastSet<Value> = FastSet::default();
    let mut makes = false;
    while let Some(value) = pending.pop() {
        if !seen.insert(value) {
            continue;
        }
        let Some(inst) = body.defining_inst(value) else { return false };
        match body.insts[inst].op {
            Op::New(_) | Op::NewArray(_) => makes = true,
            Op::Null => {}
            Op::Phi | Op::CheckCast(_) => pending.extend(body.args(inst)),
            _ => return false,
        }
    }
    makes
}
