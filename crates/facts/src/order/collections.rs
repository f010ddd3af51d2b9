//! Arrays and lists of threads: what puts a thread in, what goes through all of them.
//!
//! Waiting for the element in every round of a loop waits for all threads of a collection, under these hypotheses, each with the
//! program of the corpus in which only this one fails:
//!
//! 1. What puts the thread in is a method of the library (JoinListForgetful), which keeps it whatever the application says: no two elements are
//!    equal by a method of the application (JoinSetOfEquals), however deep in the library it is asked (JoinSetOfEqualsWrapped).
//! 2. Nothing that the collection holds is taken out or overwritten: elements of an array are stored at the counter of a loop or once
//!    at constant indexes (ThreadListedTwice); nothing that removes is called on the list (JoinListAliasShrinks), on an iterator
//!    of it (JoinListIteratorRemoves, JoinSetIteratorRemoves) or on a view (JoinListViewCleared), nor by library code (JoinListFilledOver).
//! 3. The loop counts from zero by one up to the length (JoinArrayAllButOne), or asks an iterator for more that is the library's
//!    own (JoinListSkippingIterator) and that nobody else asks (JoinListUsedIterator).
//! 4. The loop is left only at its head (JoinListBreaksOff).
//! 5. A wait with a limit of time does not go on with the next round when the time is over (JoinListTimeLimit).

use selvedge_base::{BitSet, FastMap, FastSet, HybridSet, LoopId};
use selvedge_ir::{BinaryOp, Block, Body, ClassName, Inst, InvokeKind, Op, Value, ValueNumbering};
use selvedge_models::Kind;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectData, ObjectId, TypeId};
use selvedge_pta::summary::Member;
use selvedge_world::ClassId;

use super::asked::Asked;
use crate::shape::Shape;
use crate::view::View;

/// The code of a method, to look for collections in.
#[derive(Clone, Copy)]
pub(crate) struct Code<'c, 'a> {
    pub view: &'c View<'a>,
    pub instance: InstanceId,
    pub body: &'c Body,
    pub shape: &'c Shape,
    pub numbering: &'c ValueNumbering,
}

impl Code<'_, '_> {
    fn op_of(&self, value: Value) -> Option<(Inst, &Op)> {
        let inst = self.body.defining_inst(value)?;
        Some((inst, &self.body.insts[inst].op))
    }

    /// The value behind casts.
    fn uncast(&self, value: Value) -> Value {
        let mut value = value;
        while let Some((inst, Op::CheckCast(_))) = self.op_of(value) {
            value = self.body.args(inst)[0];
        }
        value
    }

    /// Whether an instruction calls a method of this name, of the library.
    fn is_call(&self, inst: Inst, name: &str) -> bool {
        matches!(&self.body.insts[inst].op, Op::Invoke(_, reference) if reference.name.is(name))
            && self.is_of_library(inst)
    }

    /// Whether a call reaches methods of the library only.
    fn is_of_library(&self, inst: Inst) -> bool {
        let callees = self.view.callees(self.instance, inst);
        let is_library = |&callee: &InstanceId| {
            self.view.method_of(callee).is_some_and(|method| !self.view.is_application(method))
        };
        !callees.is_empty() && callees.iter().all(is_library)
    }

    /// The call of a method with this name that a value is the result of.
    fn call_behind(&self, value: Value, name: &str) -> Option<Inst> {
        let (inst, _) = self.op_of(value)?;
        self.is_call(inst, name).then_some(inst)
    }

    /// The collection that a value was taken from, wherever in it.
    pub(crate) fn taken_from(&self, value: Value) -> Option<Value> {
        let value = self.uncast(value);
        let (inst, op) = self.op_of(value)?;
        let first = *self.body.args(inst).first()?;
        match op {
            Op::ArrayLoad(_) => Some(first),
            Op::Invoke(InvokeKind::Interface | InvokeKind::Virtual, reference)
                if self.is_of_library(inst) =>
            {
                if reference.name.is("next") {
                    let iterator = self.call_behind(self.uncast(first), "iterator")?;
                    self.body.args(iterator).first().copied()
                } else {
                    let is_get = reference.name.is("get") && reference.descriptor.is("(I)Ljava/lang/Object;");
                    is_get.then_some(first)
                }
            }
            _ => None,
        }
    }

    /// Whether a call may ask the application about what a value holds.
    fn may_ask(&self, inst: Inst, value: Value, asked: &Asked) -> bool {
        let callees = self.view.callees(self.instance, inst);
        asked.may_ask(callees, self.view.analysis.points_to(self.instance, value).iter())
    }

    /// The instructions that put a value into a collection for good, with the collection.
    pub(crate) fn put_into<'s>(&self, value: Value, asked: impl Fn() -> &'s Asked) -> Vec<(Inst, Value)> {
        let number = self.numbering.number(value);
        let is_it = |other: Value| self.numbering.number(self.uncast(other)) == number;
        let mut found = Vec::new();
        for (inst, data) in self.body.insts.iter_ids() {
            match (&data.op, self.body.args(inst)) {
                (Op::ArrayStore(_), &[array, _, stored]) if is_it(stored) && self.keeps(array) => {
                    found.push((inst, array));
                }
                (Op::Invoke(_, reference), &[list, stored])
                    if reference.name.is("add")
                        && reference.descriptor.is("(Ljava/lang/Object;)Z")
                        && is_it(stored)
                        && self.is_of_library(inst)
                        && !self.may_ask(inst, value, asked()) =>
                {
                    found.push((inst, list));
                }
                _ => {}
            }
        }
        found
    }

    /// Whether an array that this method makes keeps whatever is stored in it: no element is stored twice.
    pub(crate) fn keeps(&self, array: Value) -> bool {
        let array = self.numbering.number(array);
        let Some((made, Op::NewArray(_))) = self.op_of(array) else { return false };
        let made_in = self.shape.loops.innermost(self.shape.block_of[made]);
        let mut constants = FastSet::default();
        let mut is_counted = false;
        for (inst, data) in self.body.insts.iter_ids() {
            let arguments = self.body.args(inst);
            let is_it = |value: &Value| self.numbering.number(*value) == array;
            match &data.op {
                Op::ArrayStore(_) if is_it(&arguments[0]) => match self.op_of(arguments[1]) {
                    Some((_, Op::Int(index))) => {
                        let once = self.shape.loops.innermost(self.shape.block_of[inst]) == made_in;
                        if !once || !constants.insert(*index) {
                            return false;
                        }
                    }
                    _ => {
                        let innermost = self.shape.loops.innermost(self.shape.block_of[inst]);
                        let counts = innermost.is_some_and(|id| {
                            self.counter(id, arguments[1])
                                && self.shape.loops.get(id).parent == made_in
                                && Some(id) != made_in
                        });
                        if !counts || is_counted {
                            return false;
                        }
                        is_counted = true;
                    }
                },
                Op::ArrayStore(_) | Op::PutField(_) | Op::PutStatic(_) | Op::Return
                    if arguments
                        .iter()
                        .skip(usize::from(!matches!(data.op, Op::Return | Op::PutStatic(_))))
                        .any(is_it) =>
                {
                    return false;
                }
                Op::Invoke(_, reference) if arguments.iter().any(is_it) => {
                    let only_reads =
                        ["allOf", "of", "toString", "stream"].iter().any(|name| reference.name.is(name));
                    if !Kind::Utility.has(reference.owner.as_bytes()) || !only_reads {
                        return false;
                    }
                }
                Op::InvokeDynamic(_) if arguments.iter().any(is_it) => return false,
                _ => {}
            }
        }
        constants.is_empty() || !is_counted
    }

    /// Whether a value counts the rounds of a loop: it starts anywhere and grows by one.
    fn counter(&self, id: LoopId, value: Value) -> bool {
        let Some((phi, Op::Phi)) = self.op_of(value) else { return false };
        let data = self.shape.loops.get(id);
        if self.shape.block_of[phi] != data.header {
            return false;
        }
        let predecessors = &self.body.blocks[data.header].predecessors;
        predecessors.iter().zip(self.body.args(phi)).all(|(edge, &argument)| {
            if !self.shape.loops.contains(id, edge.from) {
                return true;
            }
            let Some((inst, Op::Binary(BinaryOp::Add))) = self.op_of(argument) else { return false };
            let is_one = |other: Value| matches!(self.op_of(other), Some((_, Op::Int(1))));
            matches!(self.body.args(inst), &[a, b] if a == value && is_one(b) || b == value && is_one(a))
        })
    }

    /// Whether the counter of a loop starts at zero.
    fn starts_at_zero(&self, id: LoopId, counter: Value) -> bool {
        let Some((phi, Op::Phi)) = self.op_of(counter) else { return false };
        let header = self.shape.loops.get(id).header;
        self.body.blocks[header].predecessors.iter().zip(self.body.args(phi)).all(|(edge, &argument)| {
            self.shape.loops.contains(id, edge.from) || matches!(self.op_of(argument), Some((_, Op::Int(0))))
        })
    }

    /// If an instruction does something to an element of a collection in every round of a loop that goes through all
    /// elements: the collection, and the edge by which the loop is left.
    pub(crate) fn for_all(&self, inst: Inst, element: Value) -> Option<(Value, (Block, Block))> {
        let block = self.shape.block_of[inst];
        let id = self.shape.loops.innermost(block)?;
        let data = self.shape.loops.get(id);
        if !data.latches.iter().all(|&latch| self.shape.dominators.dominates(block, latch)) {
            return None;
        }
        // What is thrown when the time is over is caught inside of the loop.
        let handlers = self.body.successors(block).into_iter();
        let normal = self.body.normal_successors(block);
        let mut handlers = handlers.filter(|next| !normal.contains(next));
        let has_limit = self.body.args(inst).len() > 1;
        if has_limit && handlers.any(|handler| self.shape.loops.contains(id, handler)) {
            return None;
        }
        let mut exits = Vec::new();
        for from in self.body.blocks.ids().filter(|&from| self.shape.loops.contains(id, from)) {
            let leaves = self.body.normal_successors(from).into_iter();
            exits.extend(leaves.filter(|&to| !self.shape.loops.contains(id, to)).map(|to| (from, to)));
        }
        let [exit] = exits.as_slice() else { return None };
        if exit.0 != data.header {
            return None;
        }
        let test = self.body.terminator(data.header);
        let tested = self.body.args(test);
        let element = self.uncast(element);
        let collection = self.taken_from(element)?;
        let (taken, op) = self.op_of(element)?;
        let goes_through = match (op, self.body.args(taken)) {
            (Op::ArrayLoad(_) | Op::Invoke(..), &[_, index]) => {
                self.counter(id, index)
                    && self.starts_at_zero(id, index)
                    && matches!(tested, &[counter, limit]
                        if counter == index && self.is_length(limit, collection))
            }
            (Op::Invoke(..), &[iterator]) => {
                let more = tested.first().and_then(|&value| self.call_behind(value, "hasNext"));
                let made = self.body.defining_inst(self.uncast(iterator));
                more.is_some_and(|more| self.numbering.same(self.body.args(more)[0], iterator))
                    && self.asks_only(iterator, taken)
                    && made.is_some_and(|made| !self.shape.loops.contains(id, self.shape.block_of[made]))
            }
            _ => false,
        };
        goes_through.then_some((collection, *exit))
    }

    /// Whether nothing else is done with an iterator than to ask whether it has more, and to take the next element at one place.
    fn asks_only(&self, iterator: Value, next: Inst) -> bool {
        let iterator = self.uncast(iterator);
        self.body.insts.iter_ids().all(|(inst, data)| {
            let mut arguments = self.body.args(inst).iter();
            !arguments.any(|&value| self.uncast(value) == iterator)
                || inst == next
                || matches!(data.op, Op::CheckCast(_))
                || self.is_call(inst, "hasNext")
        })
    }

    /// Whether a value is the length of an array, or the size of a list.
    fn is_length(&self, value: Value, collection: Value) -> bool {
        let of_same = |inst: Inst| self.numbering.same(self.body.args(inst)[0], collection);
        match self.op_of(value) {
            Some((inst, Op::ArrayLength)) => of_same(inst),
            Some((inst, Op::Invoke(..))) if self.is_call(inst, "size") => of_same(inst),
            _ => match self.op_of(self.numbering.number(collection)) {
                Some((made, Op::NewArray(_))) => self.numbering.same(self.body.args(made)[0], value),
                _ => false,
            },
        }
    }

    /// The array of futures that a value, made by `allOf`, combines.
    pub(crate) fn combined(&self, value: Value) -> Option<Value> {
        let call = self.call_behind(self.uncast(value), "allOf")?;
        self.body.args(call).first().copied()
    }
}

/// The names of methods that take elements away or replace them.
const REMOVERS: [&str; 18] = [
    "clear",
    "copyInto",
    "drainTo",
    "poll",
    "pollFirst",
    "pollLast",
    "pop",
    "remove",
    "removeAll",
    "removeElementAt",
    "removeFirst",
    "removeIf",
    "removeLast",
    "removeRange",
    "replaceAll",
    "retainAll",
    "set",
    "take",
];

/// The objects from which somebody may take elements away: the application, or library code that is no collection itself. An
/// iterator or a view stands for the collection behind it.
pub(crate) fn shrinking(view: &View<'_>) -> BitSet<ObjectId> {
    let above = Kind::Collection.classes().chain(Kind::Iterator.classes());
    let above: Vec<ClassId> =
        above.filter_map(|name| view.program.class_named(ClassName::new(name))).collect();
    // What collections and iterators call on themselves somebody else has asked for.
    let is_of_collection = |class| above.iter().any(|&above| view.program.is_subclass(class, above));
    let mut found = BitSet::new();
    for (method, data) in view.program.methods.iter_ids() {
        let of_collection = !view.is_application(method) && is_of_collection(data.class);
        if !view.analysis.is_reached(method) || of_collection {
            continue;
        }
        let Some(body) = view.program.body(method) else { continue };
        for (inst, data) in body.insts.iter_ids() {
            let Op::Invoke(kind, reference) = &data.op else { continue };
            if *kind == InvokeKind::Static || !REMOVERS.iter().any(|name| reference.name.is(name)) {
                continue;
            }
            let Some(&receiver) = body.args(inst).first() else { continue };
            for &instance in view.analysis.instances_of(method) {
                view.analysis.points_to(instance, receiver).add_to(&mut found, |_| {});
            }
        }
    }
    add_behind(view, &mut found);
    found
}

/// Adds the collections that some objects hold in fields: those behind iterators and views. And what is a front
/// of one of these: a set that keeps its elements in a map.
fn add_behind(view: &View<'_>, found: &mut BitSet<ObjectId>) {
    let heap = &view.analysis.heap;
    let classes: Vec<ClassName> = Kind::Collection.classes().map(ClassName::new).collect();
    let mut is_collection: FastMap<TypeId, bool> = FastMap::default();
    let is_collection = |&(_, data): &(ObjectId, &ObjectData)| {
        let examine = || classes.iter().any(|&class| heap.types.is_instance(data.ty, class));
        *is_collection.entry(data.ty).or_insert_with(examine)
    };
    let collections: BitSet<ObjectId> =
        heap.objects().filter(is_collection).map(|(object, _)| object).collect();
    let mut behind: FastMap<ObjectId, Vec<&HybridSet<ObjectId>>> = FastMap::default();
    let mut before: FastMap<ObjectId, Vec<ObjectId>> = FastMap::default();
    for (holder, member, held) in view.analysis.members() {
        if matches!(member, Member::Field(_)) && held.meets(&collections) {
            behind.entry(holder).or_default().push(held);
            if collections.contains(holder) {
                held.iter_within(&collections).for_each(|held| before.entry(held).or_default().push(holder));
            }
        }
    }
    let mut pending: Vec<ObjectId> = found.iter().collect();
    while let Some(object) = pending.pop() {
        let fronts = before.get(&object).into_iter().flatten().copied();
        pending.extend(fronts.filter(|&front| found.insert(front)));
        for held in behind.get(&object).into_iter().flatten() {
            pending.extend(held.iter_within(&collections).filter(|&held| found.insert(held)));
        }
    }
}
