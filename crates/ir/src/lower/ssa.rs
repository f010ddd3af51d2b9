//! Blocks of SSA instructions, by running the bytecode on symbolic values.
//!
//! One pass over the nodes in reverse postorder. A *frame* maps local variables and stack positions to values; the
//! frame at a node's end is kept until all its successors have started. At a node that several edges enter,
//!
//! - if all predecessors are done, a variable on whose value they agree keeps it, and gets a phi otherwise;
//! - if some are still to come (the node heads a loop), every live variable and stack position gets a phi, whose
//!   missing arguments are filled in at the end. [`super::phis`] then removes those that merge nothing.
//!
//! Variables that are not live are forgotten at merges. Hence a variable that is live but undefined on some edge, or
//! of different kinds on two, means that the code reads what the JVM's verifier would not let it read: an error.
//!
//! Along an unwind edge travel the variables of the *entry* of the throwing node, see [`super::bytecode`].

use selvedge_base::{Id, IdRange};
use selvedge_classfile::{Kind, access, descriptor::MethodDescriptor};

use super::LowerError;
use super::bytecode::{Bytecode, slots_of};
use super::graph::{Graph, NodeKind};
use super::liveness::Liveness;
use super::pool::{Symbols, kind_of};
use crate::body::{
    Block, BlockData, Body, Edge, EdgeKind, Inst, InstData, Unwind, Value, ValueData, ValueDef, ValueList,
};
use crate::op::Op;
use crate::types::Type;
use crate::typing::Typing;

/// How many slots of frames are kept at most, and how many arguments a body may have: many times what any compiler's
/// output needs, and little enough to fit into memory.
const SIZE_LIMIT: usize = 16_000_000;

/// What a local variable or stack position holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot(u32);

impl Slot {
    /// Nothing usable: never assigned, or the second half of a `long` or `double`.
    pub const UNDEFINED: Slot = Slot(u32::MAX);
    /// The return address that a `jsr` pushed.
    pub const RETURN_ADDRESS: Slot = Slot(u32::MAX - 1);

    pub fn of(value: Value) -> Slot {
        Slot(value.number())
    }

    pub fn value(self) -> Option<Value> {
        (self.0 < Self::RETURN_ADDRESS.0).then(|| Value::new(self.0))
    }
}

/// Buffers for building bodies, reused from method to method.
#[derive(Default)]
pub(super) struct Buffers {
    /// The current frame.
    pub locals: Vec<Slot>,
    pub stack: Vec<Slot>,
    /// Storage of the kept frames.
    frames: Vec<Slot>,
    /// By node: what is kept of its frames.
    kept: Vec<Kept>,
    phis: Vec<PendingPhi>,
    pending: Vec<PendingNode>,
}

/// The kept frames of a node, as positions in [`Buffers::frames`].
#[derive(Clone, Copy, Default)]
struct Kept {
    /// The local variables on entry.
    entry: u32,
    /// The local variables at the end, followed by the stack.
    exit: u32,
    stack_len: u32,
}

/// A phi whose arguments from later predecessors are to be filled in.
struct PendingPhi {
    inst: Inst,
    /// A local variable, or the number of local variables plus a stack position.
    slot: u32,
}

/// A node that some predecessors had not reached yet.
struct PendingNode {
    node: u32,
    first_phi: u32,
    stack_len: u32,
}

/// Builds one body.
pub(super) struct Builder<'x, 'c, 'a, 'o> {
    pub body: Body,
    pub code: &'x Bytecode<'a>,
    pub graph: &'x Graph,
    pub symbols: &'x mut Symbols<'c, 'a>,
    pub typing: &'x mut Typing<'o>,
    liveness: &'x Liveness,
    pub buffers: &'x mut Buffers,
    /// Where the current instruction is.
    pub bci: u32,
    /// The current node.
    pub node: u32,
    /// The kind of the method's result.
    pub returns: Option<Kind>,
    /// Whether some phi merges references, so that types must be inferred.
    pub merges_references: bool,
}

/// Refuses code that would need too much memory.
pub(super) fn check_size(graph: &Graph, slots: usize) -> Result<(), LowerError> {
    if graph.nodes.len().saturating_mul(slots) > SIZE_LIMIT {
        return Err(LowerError::at(0, "the method has too many branches and local variables"));
    }
    Ok(())
}

/// What is needed of the method itself.
pub(super) struct Signature<'s> {
    pub access: u16,
    pub descriptor: MethodDescriptor<'s>,
}

impl Signature<'_> {
    /// The slots that receiver and parameters take on entry.
    pub fn slots(&self) -> usize {
        usize::from(self.descriptor.param_slots()) + usize::from(!self.is_static())
    }

    fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }
}

impl<'x, 'c, 'a, 'o> Builder<'x, 'c, 'a, 'o> {
    pub fn new(
        code: &'x Bytecode<'a>,
        graph: &'x Graph,
        liveness: &'x Liveness,
        symbols: &'x mut Symbols<'c, 'a>,
        typing: &'x mut Typing<'o>,
        buffers: &'x mut Buffers,
    ) -> Self {
        let body = Body::default();
        let (bci, node, returns, merges_references) = (0, 0, None, false);
        Builder {
            body,
            code,
            graph,
            symbols,
            typing,
            liveness,
            buffers,
            bci,
            node,
            returns,
            merges_references,
        }
    }

    /// Builds the body, but for removing needless phis and inferring types. `slots` is the number of local variables
    /// that matter.
    pub fn build(&mut self, signature: &Signature<'a>, slots: usize) -> Result<(), LowerError> {
        let nodes = self.graph.nodes.len();
        self.body.insts = Vec::with_capacity(self.code.insns.len()).into();
        self.body.blocks = Vec::with_capacity(nodes).into();
        self.buffers.frames.clear();
        self.buffers.kept.clear();
        self.buffers.kept.resize(nodes, Kept::default());
        self.buffers.phis.clear();
        self.buffers.pending.clear();
        self.declare_parameters(signature, slots)?;
        for node in 0..nodes as u32 {
            self.build_block(node)?;
        }
        self.fill_pending_phis()
    }

    fn declare_parameters(&mut self, signature: &Signature<'a>, slots: usize) -> Result<(), LowerError> {
        self.buffers.stack.clear();
        self.buffers.locals.clear();
        self.buffers.locals.resize(slots, Slot::UNDEFINED);
        let receiver = match signature.is_static() {
            true => None,
            false => Some(Type::Ref(self.symbols.class_named(self.symbols.class_file().this_class)?)),
        };
        let parameters = signature.descriptor.params().map(|param| self.symbols.value_type(param));
        let mut slot = 0;
        for ty in receiver.into_iter().chain(parameters) {
            let position = self.body.parameters.len() as u32;
            let value = self.body.values.push(ValueData { ty, def: ValueDef::Parameter(position) });
            self.body.parameters.push(value);
            self.buffers.locals[slot] = Slot::of(value);
            slot += slots_of(kind_of(ty));
        }
        self.returns =
            signature.descriptor.return_type().map(|result| kind_of(self.symbols.value_type(result)));
        Ok(())
    }

    fn build_block(&mut self, number: u32) -> Result<(), LowerError> {
        let node = self.graph.nodes[number as usize];
        self.node = number;
        let segment = self.code.segments[node.segment as usize];
        self.bci = self.code.bci(segment.first);
        let first = self.body.insts.next_id();
        self.enter(number)?;
        if !self.graph.unwinds(number).is_empty() {
            self.buffers.kept[number as usize].entry = self.buffers.frames.len() as u32;
            self.buffers.frames.extend_from_slice(&self.buffers.locals);
        }
        if node.kind.takes_exception() {
            let ty = self.caught_type(number);
            self.buffers.stack.clear();
            self.emit_value(Op::Catch, &[], ty);
        }
        if matches!(node.kind, NodeKind::Code | NodeKind::Handler) {
            for index in segment.first..segment.end {
                let (bci, insn) = self.code.insns[index as usize];
                self.bci = bci;
                self.translate(&insn)?;
            }
        }
        let last = self.body.insts.as_slice()[first.index()..].last();
        if !last.is_some_and(|last| last.op.is_terminator()) {
            let target = self.target(0)?;
            self.emit(Op::Goto(target), &[]);
        }
        self.leave(number)?;
        let insts = IdRange::new(first, self.body.insts.next_id());
        let block =
            BlockData { insts, unwind: self.unwind_list(number), predecessors: self.edges_into(number) };
        self.body.blocks.push(block);
        Ok(())
    }

    fn unwind_list(&self, node: u32) -> Vec<Unwind> {
        let entry = |unwind: &super::graph::Unwind| Unwind {
            catches: unwind.catches,
            handler: Block::new(unwind.node),
        };
        self.graph.unwinds(node).iter().map(entry).collect()
    }

    fn edges_into(&self, node: u32) -> Vec<Edge> {
        let unwinds = self.graph.nodes[node as usize].kind.takes_exception();
        let kind = if unwinds { EdgeKind::Unwind } else { EdgeKind::Normal };
        self.graph.predecessors(node).iter().map(|&from| Edge { from: Block::new(from), kind }).collect()
    }

    /// The least class above all that is caught by entering this node.
    fn caught_type(&mut self, node: u32) -> Type {
        let graph = self.graph;
        let unwinds = graph.predecessors(node).iter().flat_map(|&from| graph.unwinds(from));
        let classes = unwinds.filter(|unwind| unwind.node == node).map(|unwind| unwind.catches);
        Type::Ref(self.typing.join_caught(classes))
    }

    /// Sets up the frame on entry to a node.
    fn enter(&mut self, node: u32) -> Result<(), LowerError> {
        let predecessors = self.graph.predecessors(node);
        match *predecessors {
            [] => Ok(()),
            [only] => {
                self.load_frame(node, only);
                Ok(())
            }
            [first, ..] => self.merge(node, first),
        }
    }

    fn load_frame(&mut self, node: u32, from: u32) {
        let Buffers { locals, stack, frames, kept, .. } = &mut *self.buffers;
        let kept = kept[from as usize];
        let slots = locals.len();
        stack.clear();
        if self.graph.nodes[node as usize].kind.takes_exception() {
            locals.copy_from_slice(&frames[kept.entry as usize..][..slots]);
        } else {
            locals.copy_from_slice(&frames[kept.exit as usize..][..slots]);
            stack.extend_from_slice(&frames[kept.exit as usize + slots..][..kept.stack_len as usize]);
        }
    }

    /// Merges the frames of all predecessors that are done, of which `first` is one.
    fn merge(&mut self, node: u32, first: u32) -> Result<(), LowerError> {
        let predecessors = self.graph.predecessors(node);
        let done = predecessors.partition_point(|&from| from < node);
        self.load_frame(node, first);
        let stack_len = self.buffers.stack.len();
        for &from in &predecessors[1..done] {
            self.check_stack_len(node, from, stack_len)?;
        }
        if done < predecessors.len() {
            let first_phi = self.buffers.phis.len() as u32;
            self.buffers.pending.push(PendingNode { node, first_phi, stack_len: stack_len as u32 });
        }
        let slots = self.buffers.locals.len();
        let mut live = self.liveness.live(node);
        let mut next_live = live.next();
        for slot in 0..slots {
            if next_live == Some(slot) {
                self.buffers.locals[slot] = self.merge_slot(node, done, slot)?;
                next_live = live.next();
            } else {
                self.buffers.locals[slot] = Slot::UNDEFINED;
            }
        }
        for position in 0..stack_len {
            self.buffers.stack[position] = self.merge_slot(node, done, slots + position)?;
        }
        Ok(())
    }

    /// The value of a slot on entry to a node: one on which all predecessors agree, or a phi.
    fn merge_slot(&mut self, node: u32, done: usize, slot: usize) -> Result<Slot, LowerError> {
        let predecessors = self.graph.predecessors(node);
        let first = self.slot_from(node, predecessors[0], slot);
        let mut agreed = done == predecessors.len();
        for &from in &predecessors[1..done] {
            agreed &= self.slot_from(node, from, slot) == first;
        }
        // No value can come from a return address, so it does not matter whether the others agree.
        if first == Slot::RETURN_ADDRESS || agreed && first.value().is_some() {
            return Ok(first);
        }
        let Some(kind) = self.kind_of_slot(first) else { return Err(self.unmergeable(slot)) };
        let args = ValueList { start: self.body.lists.len() as u32, len: predecessors.len() as u32 };
        if self.body.lists.len() + predecessors.len() > SIZE_LIMIT {
            return Err(LowerError::at(self.bci, "the method merges too many values"));
        }
        for &from in &predecessors[..done] {
            let arg = self.slot_from(node, from, slot);
            if self.kind_of_slot(arg) != Some(kind) {
                return Err(self.unmergeable(slot));
            }
            self.body.lists.extend(arg.value());
        }
        let missing = Value::new(u32::MAX);
        self.body.lists.resize((args.start + args.len) as usize, missing);
        let ty = match first.value().map(|value| self.body.ty(value)) {
            Some(ty) if !ty.is_reference() => ty,
            _ => {
                self.merges_references = true;
                Type::Null
            }
        };
        let value = self.define(Op::Phi, args, ty);
        if done < predecessors.len() {
            let inst = Inst::from_index(self.body.insts.len() - 1);
            self.buffers.phis.push(PendingPhi { inst, slot: slot as u32 });
        }
        Ok(Slot::of(value))
    }

    /// What a slot holds along the edge from `from` to `node`.
    fn slot_from(&self, node: u32, from: u32, slot: usize) -> Slot {
        let kept = self.buffers.kept[from as usize];
        let unwinds = self.graph.nodes[node as usize].kind.takes_exception();
        let frame = if unwinds { kept.entry } else { kept.exit };
        self.buffers.frames[frame as usize + slot]
    }

    pub fn kind_of_slot(&self, slot: Slot) -> Option<Kind> {
        slot.value().map(|value| kind_of(self.body.ty(value)))
    }

    fn unmergeable(&self, slot: usize) -> LowerError {
        let slots = self.buffers.locals.len();
        let what = match slot.checked_sub(slots) {
            None => format!(
                "local variable {slot} is read, but does not have a value of one kind on every path here"
            ),
            Some(position) => format!("stack position {position} has values of different kinds here"),
        };
        LowerError::at(self.bci, what)
    }

    fn check_stack_len(&self, node: u32, from: u32, expected: usize) -> Result<(), LowerError> {
        let len = self.buffers.kept[from as usize].stack_len as usize;
        if len == expected || self.graph.nodes[node as usize].kind.takes_exception() {
            return Ok(());
        }
        let bci = self.code.bci(self.code.segments[self.graph.nodes[node as usize].segment as usize].first);
        Err(LowerError::at(
            bci,
            format!("the stack holds {expected} values on one path here and {len} on another"),
        ))
    }

    /// Keeps the frame at the end of a node for its successors.
    fn leave(&mut self, node: u32) -> Result<(), LowerError> {
        if !self.graph.targets(node).is_empty() {
            let Buffers { locals, stack, frames, kept, .. } = &mut *self.buffers;
            kept[node as usize].exit = frames.len() as u32;
            kept[node as usize].stack_len = stack.len() as u32;
            frames.extend_from_slice(locals);
            frames.extend_from_slice(stack);
        }
        if self.buffers.frames.len() > 2 * SIZE_LIMIT || self.body.lists.len() > SIZE_LIMIT {
            return Err(LowerError::at(self.bci, "the method keeps too many values on the stack"));
        }
        Ok(())
    }

    /// Fills in the arguments that were not known when a phi was made.
    fn fill_pending_phis(&mut self) -> Result<(), LowerError> {
        let pending = std::mem::take(&mut self.buffers.pending);
        let phis = std::mem::take(&mut self.buffers.phis);
        for (index, &PendingNode { node, first_phi, stack_len }) in pending.iter().enumerate() {
            let predecessors = self.graph.predecessors(node);
            let done = predecessors.partition_point(|&from| from < node);
            for &from in &predecessors[done..] {
                self.check_stack_len(node, from, stack_len as usize)?;
            }
            let end = pending.get(index + 1).map_or(phis.len(), |next| next.first_phi as usize);
            for phi in &phis[first_phi as usize..end] {
                let InstData { args, result, bci, .. } = self.body.insts[phi.inst];
                self.bci = bci;
                let kind = result.map(|value| kind_of(self.body.ty(value)));
                for (position, &from) in predecessors.iter().enumerate().skip(done) {
                    let arg = self.slot_from(node, from, phi.slot as usize);
                    match arg.value() {
                        Some(value) if self.kind_of_slot(arg) == kind => {
                            self.body.lists[args.start as usize + position] = value;
                        }
                        _ => return Err(self.unmergeable(phi.slot as usize)),
                    }
                }
            }
        }
        self.buffers.pending = pending;
        self.buffers.phis = phis;
        Ok(())
    }
}
