//! Where the arrays that a method accesses come from: so that accesses to what is likely the same array share the local variable
//! that holds its view.
//!
//! A guess that costs nothing if it is wrong, as a view is compared with the array before it is used. The operand stack is
//! followed slot by slot through the code in the order in which it is written, as compilers lay it out; where jumps forward
//! come together, what all of them bring is known, and where code is jumped back to, nothing is.
//!
//! Of an array that was made since the last place that is jumped back to it is known, and this is no guess, whether it was anywhere but on the
//! operand stack: whoever fills it there is alone with it, and nothing has to be told. (A race by which it is handed over later is one on what holds it.)
//!
//! Of indexes it is also known, and this is no guess, which sum of local variables they are at the access, as far as they were
//! computed since the last place that is jumped back to. A variable that was computed since is replaced by what it was computed from.

use selvedge_base::{FastMap, FastSet};
use selvedge_classfile::{
    ArrayKind, BinaryOp, ClassFile, Code, Constant, Conversion, FieldType, Insn, Kind, MethodDescriptor,
    Result, StackOp,
};

use crate::linear::Linear;

/// Where an array comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    /// A local variable.
    Local(u16),
    /// A field or static field, by its index in the pool.
    Field(u16),
    /// The instruction that made it; nothing but the operand stack has held it since.
    Made(u32),
    /// Something else, known only by the access.
    Access(u32),
}

/// What an instruction has loaded from a field: of the object in a local variable, or a static one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Loaded {
    pub(crate) bci: u32,
    /// The index in the pool.
    pub(crate) field: u16,
    pub(crate) holder: Option<u16>,
}

/// Of more int variables than these the values are not followed.
const MAX_VALUES: usize = 32;

/// What is on the stack, as far as that matters.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Held {
    Reference(Source),
    Loaded(Loaded),
    /// An element of an array, or an element of one.
    Element(Source),
    Number(Linear),
}

/// For each access to an array its source and index, and for accesses to fields the variables that hold their objects.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    by_access: FastMap<u32, Source>,
    indexes: FastMap<u32, Linear>,
    loads: FastMap<u32, Loaded>,
    holders: FastMap<u32, u16>,
    /// Stores into arrays that are not published.
    own_stores: FastSet<u32>,
    /// Where arrays that are accessed and receivers of calls come from, for reports: for elements of arrays, where the array does.
    origins: FastMap<u32, Source>,
    /// Variables that hold what was read from one field, by its index in the pool; `None` for those that hold something else, too.
    from_fields: FastMap<u16, Option<u16>>,
    /// Variables that hold what one instruction has made; `None` for those that hold something else, too.
    made_in: FastMap<u16, Option<u32>>,
    /// What is stored where, other than `null`: the field or the array, whether it is an array, and where the value comes from.
    stores: Vec<(Source, bool, Option<Source>)>,
}

/// Something that is stored into a field, or into an array that was likely read from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stored {
    /// The field, by its index in the pool.
    pub(crate) field: u16,
    /// Whether it is stored into the array.
    pub(crate) is_element: bool,
    /// The instruction that made it; `None` if that is not known.
    pub(crate) made: Option<u32>,
}

impl Sources {
    pub(crate) fn new(class: &ClassFile<'_>, code: &Code<'_>) -> Result<Sources> {
        // Where control flow may come from code further down, or from a handler.
        let mut unknown: FastSet<u32> = code.handlers.iter().map(|handler| handler.handler).collect();
        for item in code.instructions() {
            let (bci, insn) = item?;
            insn.for_each_target(|target| {
                if target <= bci || matches!(insn, Insn::Jsr(_)) {
                    unknown.insert(target);
                }
            });
        }
        let mut sources = Sources::default();
        let mut stack = Stack::default();
        // What is known where jumps go to that were seen.
        let mut entries: FastMap<u32, Stack> = FastMap::default();
        let mut falls = true;
        let mut is_null = false;
        for item in code.instructions() {
            let (bci, insn) = item?;
            let entry = entries.remove(&bci);
            is_null &= entry.is_none() && !unknown.contains(&bci);
            match entry {
                _ if unknown.contains(&bci) => stack.forget_all(),
                Some(entry) if falls => stack.meet(&entry),
                Some(entry) => stack = entry,
                None => {}
            }
            if !is_null {
                sources.note_stores(&insn, &stack);
            }
            is_null = matches!(insn, Insn::AConstNull);
            let depth = match insn {
                Insn::ArrayLoad(_) => Some(2),
                Insn::ArrayStore(ArrayKind::Long | ArrayKind::Double) => Some(4),
                Insn::ArrayStore(_) => Some(3),
                _ => None,
            };
            if let Some(depth) = depth {
                let source = stack.reference_at(depth).unwrap_or(Source::Access(bci));
                if matches!(source, Source::Made(_)) && depth > 2 {
                    sources.own_stores.insert(bci);
                }
                sources.by_access.insert(bci, source);
                sources.origins.extend(stack.origin_at(depth).map(|origin| (bci, origin)));
                if let Some(Held::Loaded(loaded)) = stack.at(depth) {
                    sources.loads.insert(bci, *loaded);
                }
                if let Some(Held::Number(index)) = stack.at(depth - 1) {
                    sources.indexes.insert(bci, index.clone());
                }
            }
            let depth = match insn {
                Insn::GetField(_) => Some(1),
                Insn::PutField(index) => {
                    let value = FieldType::parse(class.pool.field_ref(index)?.descriptor)?;
                    Some(1 + usize::from(value.slots()))
                }
                _ => None,
            };
            if let Some(Source::Local(slot)) = depth.and_then(|depth| stack.reference_at(depth)) {
                sources.holders.insert(bci, slot);
            }
            sources.note_origins(bci, &insn, &stack, class)?;
            stack.publish(&insn);
            stack.step(bci, &insn, class)?;
            insn.for_each_target(|target| {
                if target > bci && !unknown.contains(&target) {
                    entries
                        .entry(target)
                        .and_modify(|entry| entry.meet(&stack))
                        .or_insert_with(|| stack.clone());
                }
            });
            falls = insn.falls_through();
            if !falls {
                stack = Stack::default();
            }
        }
        Ok(sources)
    }

    /// Notes what is stored, for reports.
    fn note_stores(&mut self, insn: &Insn<'_>, stack: &Stack) {
        let value = stack.reference_at(1);
        match *insn {
            Insn::PutField(index) | Insn::PutStatic(index) => {
                self.stores.push((Source::Field(index), false, value));
            }
            Insn::ArrayStore(ArrayKind::Ref) => {
                self.stores.extend(stack.origin_at(3).map(|array| (array, true, value)));
            }
            Insn::Store(Kind::Ref, slot) => {
                let made = match value {
                    Some(Source::Made(bci)) => Some(bci),
                    _ => None,
                };
                let known = self.made_in.entry(slot).or_insert(made);
                if *known != made {
                    *known = None;
                }
            }
            _ => {}
        }
    }

    /// What is stored into fields and into arrays that were read from them, but for `null`. The first variables are parameters.
    pub(crate) fn stored(&self, parameters: u16) -> impl Iterator<Item = Stored> {
        self.stores.iter().filter_map(move |(place, is_element, value)| {
            let field = match place {
                Source::Field(index) => *index,
                Source::Local(slot) => self.from_fields.get(slot).copied().flatten()?,
                Source::Made(_) | Source::Access(_) => return None,
            };
            let made = match value {
                Some(Source::Made(bci)) => Some(*bci),
                Some(Source::Local(slot)) if *slot >= parameters => self.made_in.get(slot).copied().flatten(),
                _ => None,
            };
            Some(Stored { field, is_element: *is_element, made })
        })
    }

    /// Notes where receivers and variables come from, for reports.
    fn note_origins(
        &mut self,
        bci: u32,
        insn: &Insn<'_>,
        stack: &Stack,
        class: &ClassFile<'_>,
    ) -> Result<()> {
        match *insn {
            Insn::InvokeVirtual(index) | Insn::InvokeInterface(index) => {
                let descriptor = MethodDescriptor::parse(class.pool.method_ref(index)?.descriptor)?;
                let depth = usize::from(descriptor.param_slots()) + 1;
                self.origins.extend(stack.origin_at(depth).map(|origin| (bci, origin)));
            }
            Insn::Store(Kind::Ref, slot) => {
                let field = match stack.origin_at(1) {
                    Some(Source::Field(index)) => Some(index),
                    Some(Source::Local(from)) => self.from_fields.get(&from).copied().flatten(),
                    _ => None,
                };
                let known = self.from_fields.entry(slot).or_insert(field);
                if *known != field {
                    *known = None;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The field, by its index in the pool, that the array which is accessed or the receiver that is called at `bci` was likely read
    /// from.
    pub(crate) fn origin(&self, bci: u32) -> Option<u16> {
        match self.origins.get(&bci)? {
            Source::Field(index) => Some(*index),
            Source::Local(slot) => *self.from_fields.get(slot)?,
            Source::Made(_) | Source::Access(_) => None,
        }
    }

    /// The source of the array that is accessed at `bci`, if it was looked for.
    pub(crate) fn of(&self, bci: u32) -> Option<Source> {
        self.by_access.get(&bci).copied()
    }

    /// Whether the store at `bci` is into an array that is not published.
    pub(crate) fn is_own_store(&self, bci: u32) -> bool {
        self.own_stores.contains(&bci)
    }

    /// The index of the element that is accessed at `bci`, in terms of the locals as they are at the access.
    pub(crate) fn index(&self, bci: u32) -> Option<&Linear> {
        self.indexes.get(&bci)
    }

    /// The load from a field that gave the array which is accessed at `bci`.
    pub(crate) fn load(&self, bci: u32) -> Option<Loaded> {
        self.loads.get(&bci).copied()
    }

    /// The variable that was read for the object whose field is accessed at `bci`.
    pub(crate) fn holder(&self, bci: u32) -> Option<u16> {
        self.holders.get(&bci).copied()
    }
}

/// The operand stack, slot by slot, and the local variables. Below what is listed of the stack nothing is known.
#[derive(Clone, Debug, Default)]
struct Stack {
    slots: Vec<Option<Held>>,
    /// Int variables whose values are sums of other variables as they are now.
    values: FastMap<u16, Linear>,
}

fn slots(kind: Kind) -> usize {
    if matches!(kind, Kind::Long | Kind::Double) { 2 } else { 1 }
}

impl Stack {
    /// The slot at a depth, 1 for the topmost.
    fn at(&self, depth: usize) -> Option<&Held> {
        self.slots.len().checked_sub(depth).and_then(|position| self.slots[position].as_ref())
    }

    fn reference_at(&self, depth: usize) -> Option<Source> {
        match self.at(depth)? {
            Held::Reference(source) => Some(*source),
            Held::Loaded(loaded) => Some(Source::Field(loaded.field)),
            Held::Element(_) | Held::Number(_) => None,
        }
    }

    /// Where a reference comes from, or the array that it was an element of.
    fn origin_at(&self, depth: usize) -> Option<Source> {
        match self.at(depth)? {
            Held::Reference(source) | Held::Element(source) => Some(*source),
            Held::Loaded(loaded) => Some(Source::Field(loaded.field)),
            Held::Number(_) => None,
        }
    }

    fn number_at(&self, depth: usize) -> Option<&Linear> {
        match self.at(depth)? {
            Held::Number(number) => Some(number),
            Held::Reference(_) | Held::Loaded(_) | Held::Element(_) => None,
        }
    }

    /// A variable changes: numbers that were computed from its old value are no longer sums of variables.
    fn forget(&mut self, slot: u16) {
        let uses = |number: &Linear| number.slots().any(|used| used == slot);
        let is_lost = |held: &Held| matches!(held, Held::Number(number) if uses(number));
        self.slots.iter_mut().filter(|held| held.as_ref().is_some_and(is_lost)).for_each(|held| *held = None);
        self.values.remove(&slot);
        self.values.retain(|_, value| !uses(value));
    }

    /// Nothing is known but how much is on the stack.
    fn forget_all(&mut self) {
        self.slots.iter_mut().for_each(|slot| *slot = None);
        self.values.clear();
    }

    /// Keeps what both know: control flow comes together.
    fn meet(&mut self, other: &Stack) {
        let known = self.slots.len().min(other.slots.len());
        self.slots.drain(..self.slots.len() - known);
        for (own, other) in self.slots.iter_mut().rev().zip(other.slots.iter().rev()) {
            if own != other {
                *own = None;
            }
        }
        self.values.retain(|slot, value| other.values.get(slot) == Some(value));
    }

    /// The result of an operation on the two topmost ints.
    fn combined(&self, op: BinaryOp) -> Option<Linear> {
        let (left, right) = (self.number_at(2)?.clone(), self.number_at(1)?);
        match op {
            BinaryOp::Add => left.plus(right),
            BinaryOp::Sub => left.plus(&right.clone().times(-1)),
            BinaryOp::Mul => left.by(right),
            BinaryOp::Shl if right.slots().next().is_none() => {
                Some(left.times(1_i32.wrapping_shl(right.constant as u32)))
            }
            _ => None,
        }
    }

    fn pop(&mut self, count: usize) {
        self.slots.truncate(self.slots.len().saturating_sub(count));
    }

    fn push(&mut self, count: usize) {
        self.slots.extend(std::iter::repeat_n(None, count));
    }

    /// Pushes what the instruction loads from a field; `holder` is the object's, if it has one.
    fn push_field(
        &mut self,
        bci: u32,
        class: &ClassFile<'_>,
        index: u16,
        holder: Option<Option<Source>>,
    ) -> Result<()> {
        match FieldType::parse(class.pool.field_ref(index)?.descriptor)? {
            FieldType::Array(_) | FieldType::Class(_) => {
                let loaded = |holder| Held::Loaded(Loaded { bci, field: index, holder });
                self.slots.push(Some(match holder {
                    None => loaded(None),
                    Some(Some(Source::Local(slot))) => loaded(Some(slot)),
                    Some(_) => Held::Reference(Source::Field(index)),
                }));
            }
            other => self.push(other.slots().into()),
        }
        Ok(())
    }

    /// Copies the top `copied` slots under the `under` slots below them.
    fn duplicate(&mut self, copied: usize, under: usize) {
        let missing = (copied + under).saturating_sub(self.slots.len());
        self.slots.splice(0..0, std::iter::repeat_n(None, missing));
        let top = self.slots[self.slots.len() - copied..].to_vec();
        let place = self.slots.len() - copied - under;
        self.slots.splice(place..place, top);
    }

    fn call(&mut self, descriptor: &[u8], receiver: usize) -> Result<()> {
        let descriptor = MethodDescriptor::parse(descriptor)?;
        self.pop(usize::from(descriptor.param_slots()) + receiver);
        self.push(descriptor.return_type().map_or(0, |of| of.slots().into()));
        Ok(())
    }

    /// Before an instruction that may let others know new arrays, or hand something over: they are like all others then.
    fn publish(&mut self, insn: &Insn<'_>) {
        let is_lost = |source: Source| match (insn, self.reference_at(1)) {
            (Insn::ArrayStore(ArrayKind::Ref), Some(stored)) => source == stored,
            (Insn::ArrayStore(_) | Insn::ArrayLoad(_), _) => false,
            (Insn::Store(Kind::Ref, _) | Insn::PutField(_) | Insn::PutStatic(_), _)
            | (Insn::InvokeStatic(_) | Insn::InvokeDynamic(_) | Insn::InvokeVirtual(_), _)
            | (Insn::InvokeInterface(_) | Insn::InvokeSpecial(_), _)
            | (Insn::MonitorEnter | Insn::MonitorExit, _) => true,
            _ => false,
        };
        let lost: Vec<usize> = (0..self.slots.len())
            .filter(|&position| match self.slots[position] {
                Some(Held::Reference(source @ Source::Made(_))) => is_lost(source),
                _ => false,
            })
            .collect();
        lost.into_iter().for_each(|position| self.slots[position] = None);
    }

    fn step(&mut self, bci: u32, insn: &Insn<'_>, class: &ClassFile<'_>) -> Result<()> {
        let pool = &class.pool;
        match *insn {
            Insn::IInc(slot, _) => self.forget(slot),
            Insn::IConst(value) => self.slots.push(Some(Held::Number(Linear::constant(value)))),
            Insn::Nop | Insn::Goto(_) | Insn::Ret(_) | Insn::Return(_) => {}
            Insn::AConstNull | Insn::FConst(_) | Insn::New(_) | Insn::Jsr(_) => self.push(1),
            Insn::LConst(_) | Insn::DConst(_) => self.push(2),
            Insn::Ldc(index) => {
                let wide = match pool.get(index)? {
                    Constant::Long(_) | Constant::Double(_) => true,
                    Constant::Dynamic(_) => matches!(pool.dynamic(index)?.descriptor, b"J" | b"D"),
                    _ => false,
                };
                self.push(if wide { 2 } else { 1 });
            }
            Insn::Load(Kind::Ref, slot) => self.slots.push(Some(Held::Reference(Source::Local(slot)))),
            Insn::Load(Kind::Int, slot) => {
                let value = self.values.get(&slot).cloned();
                self.slots.push(Some(Held::Number(value.unwrap_or_else(|| Linear::local(slot)))));
            }
            Insn::Load(kind, _) => self.push(slots(kind)),
            Insn::Store(kind, slot) => {
                let value = self.number_at(1).filter(|_| kind == Kind::Int).cloned();
                self.pop(slots(kind));
                self.forget(slot);
                if slots(kind) == 2 {
                    self.forget(slot + 1);
                }
                let stays = |value: &Linear| value.slots().all(|used| used != slot);
                if let Some(value) = value.filter(stays).filter(|_| self.values.len() < MAX_VALUES) {
                    self.values.insert(slot, value);
                }
            }
            Insn::ArrayLoad(ArrayKind::Ref) => {
                let origin = self.origin_at(2);
                self.pop(2);
                self.slots.push(origin.map(Held::Element));
            }
            Insn::ArrayLoad(kind) => {
                self.pop(2);
                self.push(if matches!(kind, ArrayKind::Long | ArrayKind::Double) { 2 } else { 1 });
            }
            Insn::ArrayStore(kind) => {
                self.pop(if matches!(kind, ArrayKind::Long | ArrayKind::Double) { 4 } else { 3 });
            }
            Insn::Stack(op) => match op {
                StackOp::Pop => self.pop(1),
                StackOp::Pop2 => self.pop(2),
                StackOp::Dup => self.duplicate(1, 0),
                StackOp::DupX1 => self.duplicate(1, 1),
                StackOp::DupX2 => self.duplicate(1, 2),
                StackOp::Dup2 => self.duplicate(2, 0),
                StackOp::Dup2X1 => self.duplicate(2, 1),
                StackOp::Dup2X2 => self.duplicate(2, 2),
                StackOp::Swap => {
                    self.duplicate(1, 1);
                    self.pop(1);
                }
            },
            Insn::Binary(op, Kind::Int) => {
                let result = self.combined(op);
                self.pop(2);
                self.slots.push(result.map(Held::Number));
            }
            Insn::Binary(op, kind) => {
                use selvedge_classfile::BinaryOp::{Shl, Shr, UShr};
                let right = if matches!(op, Shl | Shr | UShr) { 1 } else { slots(kind) };
                self.pop(right + slots(kind));
                self.push(slots(kind));
            }
            Insn::Neg(kind) => {
                self.pop(slots(kind));
                self.push(slots(kind));
            }
            Insn::Convert(conversion) => {
                use Conversion::*;
                let (from, to) = match conversion {
                    I2L | I2D | F2L | F2D => (1, 2),
                    L2I | L2F | D2I | D2F => (2, 1),
                    L2D | D2L => (2, 2),
                    I2F | F2I | I2B | I2C | I2S => (1, 1),
                };
                self.pop(from);
                self.push(to);
            }
            Insn::Compare(op) => {
                use selvedge_classfile::CompareOp::{FCmpG, FCmpL};
                self.pop(if matches!(op, FCmpL | FCmpG) { 2 } else { 4 });
                self.push(1);
            }
            Insn::IfICmp(..) | Insn::IfACmp(..) => self.pop(2),
            Insn::IfZero(..) | Insn::IfNull(..) | Insn::TableSwitch(_) | Insn::LookupSwitch(_) => self.pop(1),
            Insn::AThrow | Insn::MonitorEnter | Insn::MonitorExit => self.pop(1),
            Insn::GetStatic(index) => self.push_field(bci, class, index, None)?,
            Insn::GetField(index) => {
                let holder = self.reference_at(1);
                self.pop(1);
                self.push_field(bci, class, index, Some(holder))?;
            }
            Insn::PutStatic(index) | Insn::PutField(index) => {
                let value = FieldType::parse(pool.field_ref(index)?.descriptor)?.slots();
                self.pop(usize::from(value) + usize::from(matches!(insn, Insn::PutField(_))));
            }
            Insn::InvokeStatic(index) => self.call(pool.method_ref(index)?.descriptor, 0)?,
            Insn::InvokeDynamic(index) => self.call(pool.dynamic(index)?.descriptor, 0)?,
            Insn::InvokeVirtual(index) | Insn::InvokeInterface(index) | Insn::InvokeSpecial(index) => {
                self.call(pool.method_ref(index)?.descriptor, 1)?;
            }
            Insn::NewArray(_) | Insn::ANewArray(_) => {
                self.pop(1);
                self.slots.push(Some(Held::Reference(Source::Made(bci))));
            }
            Insn::ArrayLength | Insn::InstanceOf(_) => {
                self.pop(1);
                self.push(1);
            }
            Insn::CheckCast(_) => {}
            Insn::MultiANewArray(_, lengths) => {
                self.pop(lengths.into());
                self.slots.push(Some(Held::Reference(Source::Made(bci))));
            }
        }
        Ok(())
    }
}
