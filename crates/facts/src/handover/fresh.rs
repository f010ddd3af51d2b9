//! Which values are handed over at most once: fresh objects that go to exactly one owner.
//!
//! A thread that prepares tasks for others may put an object into a task. If each such object is new and goes to one task
//! only, the tasks do not share it. A hand-over is a store into an object of a *tree* (what tasks own), a captured value of a
//! lambda object of the tree, or a call that starts a task.
//!
//! **Theorem.** If [`Handover::is_exclusive`] holds for a value at an instruction of an instance, no two executions of hand-overs
//! by that value hand over the same object. [`Handover::is_exclusive_for`] says the same of one abstract object: other objects may be handed
//! over more often. A value is exclusive if it is an allocation of the same method that
//! dominates the instruction inside the same innermost loop, so that each execution of the instruction has an object
//! of its own, and no other direct use of the value hands it over; or if it is a parameter with one such use, outside of loops,
//! and every caller passes an exclusive value. Copies of the reference that go other ways (through the heap, results of calls,
//! phis) are not followed: where such a copy is handed over, that value is not fresh, and the object is given up.

use selvedge_base::{BitSet, FastMap, Id, IdVec};
use selvedge_ir::{Body, Inst, InvokeKind, Op, Value, ValueDef};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use crate::limits;
use crate::threads::{Origin, Threads};
use crate::view::View;

/// See the [module documentation](self).
pub(crate) struct Handover<'a, 'v> {
    view: &'a View<'v>,
    /// The instances whose hand-overs count.
    givers: &'a BitSet<InstanceId>,
    /// What is handed over into.
    tree: &'a BitSet<ObjectId>,
    callers: IdVec<InstanceId, Vec<(InstanceId, Option<Inst>)>>,
    /// The calls that start tasks which may run more than once.
    starts: FastMap<(InstanceId, Inst), ()>,
    /// Whether a parameter is handed over; `None` while it is being found out.
    hands: FastMap<(InstanceId, usize), Option<bool>>,
}

impl<'a, 'v> Handover<'a, 'v> {
    pub(crate) fn new(
        view: &'a View<'v>,
        threads: &Threads,
        givers: &'a BitSet<InstanceId>,
        tree: &'a BitSet<ObjectId>,
    ) -> Self {
        let mut callers: IdVec<InstanceId, Vec<(InstanceId, Option<Inst>)>> =
            view.analysis.instances.ids().map(|_| Vec::new()).collect();
        for caller in givers.iter() {
            for call in view.calls(caller) {
                call.callees.iter().for_each(|&callee| callers[callee].push((caller, call.inst)));
            }
        }
        let mut starts = FastMap::default();
        for thread in threads.all.iter() {
            if let Origin::Spawn { instance, inst: Some(inst), .. } = thread.origin {
                starts.insert((instance, inst), ());
            }
        }
        Self { view, givers, tree, callers, starts, hands: FastMap::default() }
    }

    /// See the [module documentation](self).
    pub(crate) fn is_exclusive(&mut self, instance: InstanceId, inst: Inst, value: Value) -> bool {
        self.exclusive(instance, inst, value, None, limits::FRESH_CALLS)
    }

    /// The same for one of the objects that the value may be: callers that cannot pass it do not matter.
    pub(crate) fn is_exclusive_for(
        &mut self,
        instance: InstanceId,
        inst: Inst,
        value: Value,
        object: ObjectId,
    ) -> bool {
        self.exclusive(instance, inst, value, Some(object), limits::FRESH_CALLS)
    }

    fn exclusive(
        &mut self,
        instance: InstanceId,
        inst: Inst,
        value: Value,
        object: Option<ObjectId>,
        depth: usize,
    ) -> bool {
        let view = self.view;
        let Some(method) = view.method_of(instance) else { return false };
        let (Some(body), Some(shape)) = (view.program.body(method), view.shape(method)) else { return false };
        if depth == 0
            || !shape.loops.irreducible_edges().is_empty()
            || !self.is_sole_hand(instance, body, inst, value)
        {
            return false;
        }
        let innermost = shape.loops.innermost(shape.block_of[inst]);
        match body.values[value].def {
            ValueDef::Inst(made) => {
                is_allocation(&body.insts[made].op)
                    && innermost == shape.loops.innermost(shape.block_of[made])
                    && shape.dominates(made, inst)
            }
            ValueDef::Parameter(position) => {
                let callers = self.callers[instance].clone();
                innermost.is_none()
                    && !callers.is_empty()
                    && callers.into_iter().all(|(caller, call)| {
                        let argument =
                            call.and_then(|call| Some((call, argument(view, caller, call, position)?)));
                        argument.is_some_and(|(call, value)| {
                            let passes = |object| view.analysis.points_to(caller, value).contains(object);
                            !object.is_none_or(passes)
                                || self.exclusive(caller, call, value, object, depth - 1)
                        })
                    })
            }
        }
    }

    /// Whether no direct use of a value but `inst` hands it over, and `inst` has it as an operand once.
    fn is_sole_hand(&mut self, instance: InstanceId, body: &Body, inst: Inst, value: Value) -> bool {
        body.args(inst).iter().filter(|&&argument| argument == value).count() == 1
            && body.insts.ids().all(|other| {
                other == inst
                    || !body.args(other).contains(&value)
                    || !self.hands_over(instance, body, other, value)
            })
    }

    /// Whether an instruction may hand over one of its operands.
    fn hands_over(&mut self, instance: InstanceId, body: &Body, inst: Inst, value: Value) -> bool {
        let arguments = body.args(inst);
        let in_tree = |holder: Value| {
            let holders = self.view.analysis.points_to(instance, holder);
            holders.iter().any(|object| self.tree.contains(object))
        };
        match &body.insts[inst].op {
            Op::PutField(_) => arguments[1] == value && in_tree(arguments[0]),
            Op::ArrayStore(_) => arguments[2] == value && in_tree(arguments[0]),
            Op::InvokeDynamic(_) => body.insts[inst].result.is_some_and(in_tree),
            Op::Invoke(kind, _) => {
                let is_receiver = *kind != InvokeKind::Static && arguments[0] == value;
                let also_argument = arguments.iter().skip(1).any(|&argument| argument == value);
                if self.starts.contains_key(&(instance, inst)) && (!is_receiver || also_argument) {
                    return true;
                }
                let positions: Vec<usize> =
                    (0..arguments.len()).filter(|&position| arguments[position] == value).collect();
                let callees = self.view.callees(instance, inst).to_vec();
                callees
                    .into_iter()
                    .any(|callee| positions.iter().any(|&position| self.hands_parameter(callee, position)))
            }
            _ => false,
        }
    }

    /// Whether an instance may hand over a parameter. In a recursion it may.
    fn hands_parameter(&mut self, instance: InstanceId, position: usize) -> bool {
        if !self.givers.contains(instance) {
            return false;
        }
        if let Some(known) = self.hands.get(&(instance, position)) {
            return known.unwrap_or(true);
        }
        self.hands.insert((instance, position), None);
        let view = self.view;
        let hands = match view.body(instance) {
            None => true,
            Some(body) => body.parameters.get(position).is_none_or(|&value| {
                body.insts.ids().any(|inst| {
                    body.args(inst).contains(&value) && self.hands_over(instance, body, inst, value)
                })
            }),
        };
        self.hands.insert((instance, position), Some(hands));
        hands
    }
}

fn argument(view: &View<'_>, caller: InstanceId, call: Inst, position: u32) -> Option<Value> {
    let body = view.body(caller)?;
    let takes_arguments = matches!(body.insts[call].op, Op::Invoke(..));
    takes_arguments.then(|| body.args(call).get(position as usize).copied()).flatten()
}

/// Whether an instruction makes a new object each time it executes.
pub(crate) fn is_allocation(op: &Op) -> bool {
    matches!(
        op,
        Op::New(_) | Op::NewPrimitiveArray(_) | Op::NewArray(_) | Op::NewMultiArray(_) | Op::InvokeDynamic(_)
    )
}

/// The instances that allocate an object, by the instruction of its site.
pub(crate) fn makers<'a>(
    view: &'a View<'_>,
    object: ObjectId,
) -> Option<(Inst, impl Iterator<Item = InstanceId> + 'a)> {
    let heap = &view.analysis.heap;
    let selvedge_pta::heap::Site::Instruction { method, inst, depth: 0 } =
        heap.site_of(heap.get(object).site)
    else {
        return None;
    };
    let result = view.program.body(method)?.insts.get(inst)?.result?;
    let instances = view.analysis.instances_of(method).iter().copied();
    Some((inst, instances.filter(move |&maker| view.analysis.points_to(maker, result).contains(object))))
}

/// A bit set of everything.
pub(crate) fn all_of<I: Id>(sets: impl Iterator<Item = impl std::borrow::Borrow<BitSet<I>>>) -> BitSet<I> {
    let mut all = BitSet::new();
    sets.for_each(|set| {
        all.union_with(set.borrow());
    });
    all
}
