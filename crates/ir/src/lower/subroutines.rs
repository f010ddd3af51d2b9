//! Control flow of code with `jsr` and `ret`, which compilers used for `finally` until Java 6.
//!
//! A subroutine's code is duplicated for each call, so that afterwards `jsr` and `ret` are plain jumps. A node is a
//! segment together with a *context*: the calls that led into it and from which it may still return. Since a `ret`
//! jumps to an address in a local variable, contexts are found together with the return addresses that variables and stack
//! hold, by running the code on frames in which a word is either a return address (named by its context) or anything
//! else. A return address never becomes a value of the body.
//!
//! # Keeping contexts few
//! Code often leaves a subroutine without `ret`: by an exception, a `break` out of a `finally`. The call is then
//! finished, and were it to stay in the context, everything that follows would be duplicated too, exponentially so
//! in nested cases. Hence a context is cut back, on entry to every node, to the last call whose return address lies
//! on the stack or in a variable that some `ret` of this or of a called subroutine may still read. The same holds for a
//! `jsr` to a subroutine that is being executed: JVM code cannot be recursive, so the earlier call is over.
//!
//! What still grows without bounds is refused.

use selvedge_base::FastMap;
use selvedge_classfile::{BinaryOp, Conversion, Insn, Kind, StackOp, pool::tag};

use super::LowerError;
use super::bytecode::{Bytecode, Segment, slots_of};
use super::graph::{Graph, NodeKind, for_each_successor};
use super::pool::{Symbols, kind_of};

/// How many instructions the nodes may have together.
const SIZE_LIMIT: usize = 1_000_000;

/// How many instructions and words of frames may be looked at before a method is refused: hundreds of times what any
/// compiler's output needs.
const WORK_LIMIT: usize = 200_000_000;

/// How many words all frames may have together.
const FRAME_LIMIT: usize = 16_000_000;

const TOO_LARGE: &str = "inlining the method's subroutines makes it too large";

/// A word of a frame: the number of the context whose return address it is, or 0 for anything else.
type Word = u32;

/// The context of code outside all subroutines.
const ROOT: u32 = 0;

/// A call of a subroutine that has not returned.
#[derive(Clone, Copy)]
struct Context {
    /// The context of the call.
    parent: u32,
    /// How many contexts are above this one.
    depth: u32,
    /// The subroutine's first segment.
    subroutine: u32,
    /// The segment behind the `jsr`.
    return_to: u32,
}

#[derive(Clone, Default)]
struct Frame {
    locals: Vec<Word>,
    stack: Vec<Word>,
}

struct Search<'x, 'c, 'a> {
    code: &'x Bytecode<'a>,
    symbols: &'x mut Symbols<'c, 'a>,
    contexts: Vec<Context>,
    context_numbers: FastMap<(u32, u32, u32), u32>,
    nodes: FastMap<(u32, u32), u32>,
    /// By node: its context, its frame on entry, whether it waits to be run.
    states: Vec<(u32, Frame, bool)>,
    waiting: Vec<u32>,
    /// By segment and slot: whether a `ret` may still read the slot.
    returns_through: Vec<bool>,
    work: usize,
    size: usize,
    frame_words: usize,
}

/// Finds the nodes of code with subroutines.
pub(super) fn discover<'a>(
    graph: &mut Graph,
    code: &Bytecode<'a>,
    symbols: &mut Symbols<'_, 'a>,
) -> Result<(), LowerError> {
    let root = Context { parent: ROOT, depth: 0, subroutine: u32::MAX, return_to: u32::MAX };
    let mut search = Search {
        returns_through: returns_through(code)?,
        code,
        symbols,
        contexts: vec![root],
        context_numbers: FastMap::default(),
        nodes: FastMap::default(),
        states: Vec::new(),
        waiting: Vec::new(),
        work: 0,
        size: 0,
        frame_words: 0,
    };
    let entry = Frame { locals: vec![0; code.local_slots], stack: Vec::new() };
    search.flow(graph, 0, ROOT, entry)?;
    while let Some(node) = search.waiting.pop() {
        search.states[node as usize].2 = false;
        search.run(graph, node)?;
    }
    Ok(())
}

/// By segment and slot: whether a `ret` may read the slot before it is assigned, in this subroutine or in one it calls,
/// but not in its callers.
fn returns_through(code: &Bytecode<'_>) -> Result<Vec<bool>, LowerError> {
    let slots = code.local_slots;
    if code.segments.len().saturating_mul(slots) > FRAME_LIMIT {
        return Err(LowerError::at(0, "the method has too many branches and local variables"));
    }
    let mut live = vec![false; code.segments.len() * slots];
    let mut set = vec![false; slots];
    let mut work = 0;
    let mut changed = true;
    while changed {
        changed = false;
        work += code.segments.len() * (slots + code.handlers.len());
        if work > WORK_LIMIT {
            return Err(LowerError::at(0, TOO_LARGE));
        }
        for number in (0..code.segments.len()).rev() {
            let segment = &code.segments[number];
            let insns = &code.insns[segment.first as usize..segment.end as usize];
            let row = |segment: u32| segment as usize * slots..(segment as usize + 1) * slots;
            set.fill(false);
            let mut join = |segment: u32| {
                set.iter_mut().zip(&live[row(segment)]).for_each(|(set, live)| *set |= live);
            };
            for_each_successor(code, number as u32, &mut join)?;
            if let Some((_, Insn::Jsr(_))) = insns.last()
                && number + 1 < code.segments.len()
            {
                join(number as u32 + 1);
            }
            for (_, insn) in insns.iter().rev() {
                match *insn {
                    Insn::Ret(slot) => set[usize::from(slot)] = true,
                    Insn::Store(kind, slot) => set[usize::from(slot)..][..slots_of(kind)].fill(false),
                    _ => {}
                }
            }
            if segment.unwinds {
                for handler in code.handlers.iter().filter(|handler| covers(handler, segment)) {
                    let live = &live[row(handler.segment)];
                    set.iter_mut().zip(live).for_each(|(set, live)| *set |= live);
                }
            }
            if live[row(number as u32)] != set[..] {
                live[row(number as u32)].copy_from_slice(&set);
                changed = true;
            }
        }
    }
    Ok(live)
}

fn covers(handler: &super::bytecode::Handler, segment: &Segment) -> bool {
    (handler.first..handler.end).contains(&segment.first)
}

impl Search<'_, '_, '_> {
    /// Runs a node on its frame and sets its edges.
    fn run(&mut self, graph: &mut Graph, node: u32) -> Result<(), LowerError> {
        let number = graph.nodes[node as usize].segment;
        let segment = self.code.segments[number as usize];
        let (context, entry, _) = &self.states[node as usize];
        let (context, entry) = (*context, entry.clone());
        let mut frame = entry.clone();
        self.work += (segment.end - segment.first) as usize;
        for index in segment.first..segment.end {
            self.execute(&mut frame, index)?;
        }
        let last = segment.end - 1;
        match self.code.insns[last as usize].1 {
            Insn::Jsr(target) => {
                let subroutine = self.code.segment_at(target);
                let called = self.call(context, subroutine, number + 1);
                frame.stack.push(called);
                let target = self.flow(graph, subroutine, called, frame)?;
                graph.set_targets(node, [target]);
            }
            Insn::Ret(slot) => {
                let context = match frame.locals[usize::from(slot)] {
                    0 => {
                        let reason = format!("local variable {slot} does not hold one known return address");
                        return Err(self.error(last, reason));
                    }
                    called => self.contexts[called as usize],
                };
                if context.return_to as usize >= self.code.segments.len() {
                    return Err(self.error(last, "control returns to the end of the code"));
                }
                let target = self.flow(graph, context.return_to, context.parent, frame)?;
                graph.set_targets(node, [target]);
            }
            _ => {
                let mut successors = Vec::new();
                for_each_successor(self.code, number, |successor| successors.push(successor))?;
                for successor in &mut successors {
                    *successor = self.flow(graph, *successor, context, frame.clone())?;
                }
                graph.set_targets(node, successors);
            }
        }
        graph.set_unwinds(node, self.code, &segment, |graph, handler| {
            let frame = Frame { locals: entry.locals.clone(), stack: vec![0] };
            self.flow(graph, handler, context, frame)
        })
    }

    fn error(&self, insn: u32, reason: impl Into<String>) -> LowerError {
        LowerError::at(self.code.bci(insn), reason)
    }

    /// The context of a subroutine called from `context`.
    fn call(&mut self, context: u32, subroutine: u32, return_to: u32) -> u32 {
        let mut parent = context;
        let mut ancestor = context;
        while ancestor != ROOT {
            let Context { parent: above, subroutine: running, .. } = self.contexts[ancestor as usize];
            if running == subroutine {
                parent = above;
            }
            ancestor = above;
        }
        let depth = self.contexts[parent as usize].depth + 1;
        *self.context_numbers.entry((parent, subroutine, return_to)).or_insert_with(|| {
            self.contexts.push(Context { parent, depth, subroutine, return_to });
            self.contexts.len() as u32 - 1
        })
    }

    /// Whether a return address belongs to `context` or to a context above it.
    fn is_returnable(&self, address: Word, context: u32) -> bool {
        let depth = self.contexts[address as usize].depth;
        address != 0
            && depth <= self.contexts[context as usize].depth
            && self.ancestor(context, depth) == address
    }

    fn ancestor(&self, mut context: u32, depth: u32) -> u32 {
        while self.contexts[context as usize].depth > depth {
            context = self.contexts[context as usize].parent;
        }
        context
    }

    /// Lets control flow into a segment. Returns the node it enters, which is run (again) if that changes its frame.
    fn flow(
        &mut self,
        graph: &mut Graph,
        segment: u32,
        context: u32,
        mut frame: Frame,
    ) -> Result<u32, LowerError> {
        let slots = frame.locals.len();
        self.work += slots + frame.stack.len();
        if self.work > WORK_LIMIT {
            return Err(self.error(self.code.segments[segment as usize].first, TOO_LARGE));
        }
        let returns_through = &self.returns_through[segment as usize * slots..][..slots];
        let in_locals =
            frame.locals.iter().zip(returns_through).filter(|&(_, &read)| read).map(|(word, _)| word);
        let needed = in_locals.chain(&frame.stack).filter(|&&word| self.is_returnable(word, context));
        let depth = needed.map(|&address| self.contexts[address as usize].depth).max().unwrap_or(0);
        let context = self.ancestor(context, depth);
        for word in frame.locals.iter_mut().chain(&mut frame.stack) {
            if !self.is_returnable(*word, context) {
                *word = 0;
            }
        }
        let Some(&node) = self.nodes.get(&(segment, context)) else {
            let Segment { first, end, .. } = self.code.segments[segment as usize];
            self.size += (end - first) as usize;
            self.frame_words += slots + frame.stack.len();
            if self.size > SIZE_LIMIT || self.frame_words > FRAME_LIMIT {
                return Err(self.error(first, TOO_LARGE));
            }
            let node = graph.add_node(NodeKind::Code, segment);
            self.nodes.insert((segment, context), node);
            self.states.push((context, frame, true));
            self.waiting.push(node);
            return Ok(node);
        };
        let (_, known, waits) = &mut self.states[node as usize];
        if known.stack.len() != frame.stack.len() {
            let first = self.code.segments[segment as usize].first;
            return Err(self.error(first, "the stack is of different heights on two paths here"));
        }
        let mut changed = false;
        let words = frame.locals.iter().chain(&frame.stack);
        for (known, word) in known.locals.iter_mut().chain(&mut known.stack).zip(words) {
            if known != word && *known != 0 {
                *known = 0;
                changed = true;
            }
        }
        if changed && !std::mem::replace(waits, true) {
            self.waiting.push(node);
        }
        Ok(node)
    }

    /// The effect of an instruction on a frame, but for pushing a `jsr`'s return address.
    fn execute(&mut self, frame: &mut Frame, index: u32) -> Result<(), LowerError> {
        let underflow = || LowerError::at(self.code.bci(index), "the stack is empty");
        let insn = self.code.insns[index as usize].1;
        match insn {
            Insn::Store(kind, slot) => {
                for slot in usize::from(slot)..usize::from(slot) + slots_of(kind) {
                    frame.locals[slot] = frame.stack.pop().ok_or_else(underflow)?;
                }
            }
            Insn::IInc(slot, _) => frame.locals[usize::from(slot)] = 0,
            Insn::Stack(op) => move_words(&mut frame.stack, op).ok_or_else(underflow)?,
            _ => {
                let (pops, pushes) =
                    self.effect(&insn).map_err(|error| self.error(index, error.to_string()))?;
                let below = frame.stack.len().checked_sub(pops).ok_or_else(underflow)?;
                frame.stack.truncate(below);
                frame.stack.resize(below + pushes, 0);
            }
        }
        Ok(())
    }

    /// How many words an instruction pops and pushes.
    fn effect(&mut self, insn: &Insn<'_>) -> Result<(usize, usize), selvedge_classfile::Error> {
        let symbols = &mut *self.symbols;
        Ok(match *insn {
            Insn::Nop | Insn::Goto(_) | Insn::Jsr(_) | Insn::Ret(_) => (0, 0),
            Insn::AConstNull | Insn::IConst(_) | Insn::FConst(_) | Insn::New(_) => (0, 1),
            Insn::LConst(_) | Insn::DConst(_) => (0, 2),
            Insn::Ldc(index) => match symbols.class_file().pool.tag(index)? {
                tag::LONG | tag::DOUBLE => (0, 2),
                tag::DYNAMIC => (0, words(super::dynamic::constant(symbols, index)?.1)),
                _ => (0, 1),
            },
            Insn::Load(kind, _) => (0, slots_of(kind)),
            Insn::ArrayLoad(kind) => (2, words_of_element(kind)),
            Insn::ArrayStore(kind) => (2 + words_of_element(kind), 0),
            Insn::Binary(BinaryOp::Shl | BinaryOp::Shr | BinaryOp::UShr, kind) => {
                (slots_of(kind) + 1, slots_of(kind))
            }
            Insn::Binary(_, kind) => (2 * slots_of(kind), slots_of(kind)),
            Insn::Neg(kind) => (slots_of(kind), slots_of(kind)),
            Insn::Convert(conversion) => words_of_conversion(conversion),
            Insn::Compare(comparison) => (2 * slots_of(super::translate::compare(comparison).1), 1),
            Insn::IfZero(..) | Insn::IfNull(..) | Insn::AThrow | Insn::MonitorEnter | Insn::MonitorExit => {
                (1, 0)
            }
            Insn::TableSwitch(_) | Insn::LookupSwitch(_) => (1, 0),
            Insn::IfICmp(..) | Insn::IfACmp(..) => (2, 0),
            Insn::Return(kind) => (kind.map_or(0, slots_of), 0),
            Insn::GetStatic(index) => (0, words(symbols.field(index)?.ty)),
            Insn::PutStatic(index) => (words(symbols.field(index)?.ty), 0),
            Insn::GetField(index) => (1, words(symbols.field(index)?.ty)),
            Insn::PutField(index) => (1 + words(symbols.field(index)?.ty), 0),
            Insn::InvokeStatic(index) => {
                let shape = symbols.method(index)?.shape;
                call_words(symbols, shape, 0)
            }
            Insn::InvokeVirtual(index) | Insn::InvokeSpecial(index) | Insn::InvokeInterface(index) => {
                let shape = symbols.method(index)?.shape;
                call_words(symbols, shape, 1)
            }
            Insn::InvokeDynamic(index) => {
                let shape = symbols.shape(symbols.class_file().pool.dynamic(index)?.descriptor)?;
                call_words(symbols, shape, 0)
            }
            Insn::NewArray(_) | Insn::ANewArray(_) | Insn::ArrayLength => (1, 1),
            Insn::CheckCast(_) | Insn::InstanceOf(_) => (1, 1),
            Insn::MultiANewArray(_, dimensions) => (usize::from(dimensions), 1),
            Insn::Store(..) | Insn::IInc(..) | Insn::Stack(_) => (0, 0),
        })
    }
}

fn words(ty: crate::types::Type) -> usize {
    slots_of(kind_of(ty))
}

fn words_of_element(kind: selvedge_classfile::ArrayKind) -> usize {
    use selvedge_classfile::ArrayKind::{Double, Long};
    if matches!(kind, Long | Double) { 2 } else { 1 }
}

fn words_of_conversion(conversion: Conversion) -> (usize, usize) {
    let (_, from, to) = super::translate::convert(conversion);
    (slots_of(from), words(to))
}

fn call_words(symbols: &Symbols<'_, '_>, shape: super::pool::Shape, receiver: usize) -> (usize, usize) {
    let params: usize = symbols.params(shape).iter().map(|&kind: &Kind| slots_of(kind)).sum();
    (receiver + params, shape.result.map_or(0, words))
}

/// Moves words as the instruction says; `None` if the stack is too low.
fn move_words(stack: &mut Vec<Word>, op: StackOp) -> Option<()> {
    // How many words are copied, and under how many others the copy goes.
    let (copied, under) = match op {
        StackOp::Pop => return stack.pop().map(|_| ()),
        StackOp::Pop2 => return stack.pop().and(stack.pop()).map(|_| ()),
        StackOp::Swap => {
            let (top, below) = (stack.pop()?, stack.pop()?);
            stack.extend([top, below]);
            return Some(());
        }
        StackOp::Dup => (1, 0),
        StackOp::DupX1 => (1, 1),
        StackOp::DupX2 => (1, 2),
        StackOp::Dup2 => (2, 0),
        StackOp::Dup2X1 => (2, 1),
        StackOp::Dup2X2 => (2, 2),
    };
    let place = stack.len().checked_sub(copied + under)?;
    let top = stack.len() - copied;
    for offset in 0..copied {
        // Everything above moves up by one with each insertion, so the next word to copy is at the old distance.
        let word = stack[top + 2 * offset];
        stack.insert(place + offset, word);
    }
    Some(())
}
