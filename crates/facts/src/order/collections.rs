//! Arrays and lists of threads: what puts a thread in, what goes through all of them.
//!
//! A thread that was put into an array or a list stays there if nothing is ever taken out or overwritten: elements of an array are
//! stored at the counter of a loop or once at constant indexes, nothing that removes is called on the list. A loop
//! goes through all elements if it counts from zero by one up to the length, or asks an iterator for more, and is left
//! only at its head. Waiting for the element in every round then waits for all.

use selvedge_base::{FastSet, LoopId};
use selvedge_ir::{BinaryOp, Block, Body, Inst, InvokeKind, Op, Value, ValueNumbering};
use selvedge_pta::heap::ObjectId;

use crate::shape::Shape;
use crate::view::View;

/// The code of a method, to look for collections in.
#[derive(Clone, Copy)]
pub(crate) struct Code<'c> {
    pub body: &'c Body,
    pub shape: &'c Shape,
    pub numbering: &'c ValueNumbering,
}

impl Code<'_> {
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

    fn is_call(&self, inst: Inst, name: &str) -> bool {
        matches!(&self.body.insts[inst].op, Op::Invoke(_, reference) if reference.name.is(name))
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
            Op::Invoke(InvokeKind::Interface | InvokeKind::Virtual, reference) => {
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

    /// The instructions that put a value into a collection for good, with the collection.
    pub(crate) fn put_into(&self, value: Value) -> Vec<(Inst, Value)> {
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
                        && is_it(stored) =>
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
                    let owner = reference.owner.to_string();
                    let only_reads = ["allOf", "asList", "of", "toString", "stream"]
                        .iter()
                        .any(|name| reference.name.is(name));
                    if !owner.starts_with("java/") || !only_reads {
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
                    && made.is_some_and(|made| !self.shape.loops.contains(id, self.shape.block_of[made]))
            }
            _ => false,
        };
        goes_through.then_some((collection, *exit))
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

/// The objects from which code of the application may take elements away.
pub(crate) fn shrinking(view: &View<'_>) -> FastSet<ObjectId> {
    const REMOVERS: [&str; 16] = [
        "clear",
        "remove",
        "removeAll",
        "removeFirst",
        "removeIf",
        "removeLast",
        "removeRange",
        "replaceAll",
        "retainAll",
        "set",
        "poll",
        "pollFirst",
        "pollLast",
        "pop",
        "take",
        "drainTo",
    ];
    let mut found = FastSet::default();
    for (method, body) in view.application_code() {
        for (inst, data) in body.insts.iter_ids() {
            let Op::Invoke(kind, reference) = &data.op else { continue };
            if *kind == InvokeKind::Static || !REMOVERS.iter().any(|name| reference.name.is(name)) {
                continue;
            }
            let Some(&receiver) = body.args(inst).first() else { continue };
            for &instance in view.analysis.instances_of(method) {
                found.extend(view.analysis.points_to(instance, receiver).iter());
            }
        }
    }
    found
}
