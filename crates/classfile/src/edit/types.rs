//! The verifier's types at points of a method, by simulation of straight-line code.
//!
//! Since version 50 every point that is reached by a jump has a frame, so between two frames control only falls
//! through, and one pass over the instructions gives the types everywhere. Frames that inserted code needs come from
//! here. Nothing is checked that the verifier checks; code that cannot be simulated is an error.

use crate::class::ClassFile;
use crate::code::Code;
use crate::descriptor::{FieldType, MethodDescriptor, PrimitiveType};
use crate::error::{Error, Result};
use crate::insn::{ArrayKind, CompareOp, Conversion, Insn, Kind, StackOp};
use crate::pool::{Constant, ConstantPool};
use crate::stack_map::VerificationType;

/// The type of a local variable or operand, classes by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type<'a> {
    /// Nothing known, or the second slot of a `Long` or `Double` local.
    Top,
    /// `int` or narrower.
    Int,
    /// `float`.
    Float,
    /// `long`.
    Long,
    /// `double`.
    Double,
    /// `null`.
    Null,
    /// `this` before the constructor called another one.
    UninitializedThis,
    /// What the `new` at this bci of the original code made, before its constructor ran.
    Uninitialized(u16),
    /// An object of a class.
    Class(&'a [u8]),
    /// An array: the number of dimensions, at least 1, and an element that is no array.
    Array(u8, Element<'a>),
}

/// What is at the bottom of an array type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element<'a> {
    /// A primitive type.
    Primitive(PrimitiveType),
    /// A class by internal name.
    Class(&'a [u8]),
}

impl<'a> Type<'a> {
    fn of_field(field_type: FieldType<'a>) -> Type<'a> {
        match field_type {
            FieldType::Primitive(PrimitiveType::Long) => Type::Long,
            FieldType::Primitive(PrimitiveType::Double) => Type::Double,
            FieldType::Primitive(PrimitiveType::Float) => Type::Float,
            FieldType::Primitive(_) => Type::Int,
            FieldType::Class(name) => Type::Class(name),
            FieldType::Array(array) => Type::Array(
                array.dims(),
                match array.element() {
                    FieldType::Primitive(primitive) => Element::Primitive(primitive),
                    FieldType::Class(name) => Element::Class(name),
                    FieldType::Array(_) => unreachable!("the element of an array type is no array"),
                },
            ),
        }
    }

    /// The type that a `Class` constant names.
    fn of_class(pool: &ConstantPool<'a>, index: u16) -> Result<Type<'a>> {
        FieldType::parse_class_name(pool.class_name(index)?).map(Type::of_field)
    }

    pub(crate) fn of_verification(
        verification_type: VerificationType,
        pool: &ConstantPool<'a>,
    ) -> Result<Type<'a>> {
        Ok(match verification_type {
            VerificationType::Top => Type::Top,
            VerificationType::Integer => Type::Int,
            VerificationType::Float => Type::Float,
            VerificationType::Double => Type::Double,
            VerificationType::Long => Type::Long,
            VerificationType::Null => Type::Null,
            VerificationType::UninitializedThis => Type::UninitializedThis,
            VerificationType::Object(index) => Type::of_class(pool, index)?,
            VerificationType::Uninitialized(bci) => Type::Uninitialized(bci),
        })
    }

    pub(crate) fn takes_two_slots(self) -> bool {
        matches!(self, Type::Long | Type::Double)
    }

    /// The name for a `Class` constant, if the type is an initialised object.
    pub(crate) fn class_name(self) -> Option<Vec<u8>> {
        match self {
            Type::Class(name) => Some(name.to_vec()),
            Type::Array(dims, element) => {
                let mut name = vec![b'['; dims.into()];
                match element {
                    Element::Primitive(primitive) => name.push(primitive.letter()),
                    Element::Class(class) => {
                        name.push(b'L');
                        name.extend_from_slice(class);
                        name.push(b';');
                    }
                }
                Some(name)
            }
            _ => None,
        }
    }

    /// The type of an array with components of this type.
    fn array_of(self) -> Result<Type<'a>> {
        match self {
            Type::Class(name) => Ok(Type::Array(1, Element::Class(name))),
            Type::Array(dims, element) => Ok(Type::Array(dims.checked_add(1).ok_or(IMPOSSIBLE)?, element)),
            _ => Err(IMPOSSIBLE),
        }
    }

    /// The type of the components of an array of references.
    fn component(self) -> Result<Type<'a>> {
        match self {
            Type::Null => Ok(Type::Null),
            Type::Array(1, Element::Class(name)) => Ok(Type::Class(name)),
            Type::Array(dims @ 2.., element) => Ok(Type::Array(dims - 1, element)),
            _ => Err(IMPOSSIBLE),
        }
    }

    fn of_kind(kind: Kind) -> Result<Type<'a>> {
        Ok(match kind {
            Kind::Int => Type::Int,
            Kind::Long => Type::Long,
            Kind::Float => Type::Float,
            Kind::Double => Type::Double,
            Kind::Ref => return Err(IMPOSSIBLE),
        })
    }
}

const IMPOSSIBLE: Error = Error::Malformed { what: "an instruction's operands have impossible types" };

/// The types of all locals and operands at a point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct State<'a> {
    /// By slot; the second slot of a `Long` or `Double` is `Top`.
    pub(crate) locals: Vec<Type<'a>>,
    /// One entry for each operand, deepest first.
    pub(crate) stack: Vec<Type<'a>>,
}

impl<'a> State<'a> {
    /// The state at a method's entry.
    pub(crate) fn at_entry(
        class: &ClassFile<'a>,
        is_static: bool,
        name: &[u8],
        descriptor: &'a [u8],
    ) -> Result<State<'a>> {
        let mut locals = Vec::new();
        if !is_static {
            let initialised = name != b"<init>" || class.this_class == b"java/lang/Object";
            locals.push(if initialised { Type::Class(class.this_class) } else { Type::UninitializedThis });
        }
        for param in MethodDescriptor::parse(descriptor)?.params() {
            push_local(&mut locals, Type::of_field(param));
        }
        Ok(State { locals, stack: Vec::new() })
    }

    /// How many locals and operands there are.
    pub(crate) fn size(&self) -> usize {
        self.locals.len() + self.stack.len()
    }

    fn pop(&mut self) -> Result<Type<'a>> {
        self.stack.pop().ok_or(IMPOSSIBLE)
    }

    fn pop_many(&mut self, count: usize) -> Result<()> {
        (0..count).try_for_each(|_| self.pop().map(drop))
    }

    fn push(&mut self, pushed: Type<'a>) {
        self.stack.push(pushed);
    }

    pub(crate) fn set_local(&mut self, slot: u16, stored: Type<'a>) {
        let slot = usize::from(slot);
        let end = slot + if stored.takes_two_slots() { 2 } else { 1 };
        if self.locals.len() < end {
            self.locals.resize(end, Type::Top);
        }
        // The first half of a long or double whose second half is overwritten is gone, too.
        if slot > 0 && self.locals[slot - 1].takes_two_slots() {
            self.locals[slot - 1] = Type::Top;
        }
        self.locals[slot] = stored;
        self.locals[slot + 1..end].fill(Type::Top);
    }

    fn replace(&mut self, from: Type<'a>, to: Type<'a>) {
        for each in self.locals.iter_mut().chain(&mut self.stack) {
            if *each == from {
                *each = to;
            }
        }
    }

    /// Takes one or two operands off that fill exactly `slots` slots, topmost last.
    fn pop_slots(&mut self, slots: usize) -> Result<Vec<Type<'a>>> {
        let mut taken = Vec::with_capacity(2);
        let mut filled = 0;
        while filled < slots {
            let top = self.pop()?;
            filled += if top.takes_two_slots() { 2 } else { 1 };
            taken.insert(0, top);
        }
        if filled == slots { Ok(taken) } else { Err(IMPOSSIBLE) }
    }

    /// Copies the top `copied` slots under the `under` slots below them.
    fn dup(&mut self, copied: usize, under: usize) -> Result<()> {
        let top = self.pop_slots(copied)?;
        let below = self.pop_slots(under)?;
        self.stack.extend(top.iter().chain(&below).chain(&top).copied());
        Ok(())
    }

    /// What the instruction at `bci` does to the types. `code` is needed to see what a `new` made.
    pub(crate) fn step(
        &mut self,
        bci: u32,
        insn: &Insn<'_>,
        code: &Code<'a>,
        class: &ClassFile<'a>,
    ) -> Result<()> {
        let pool = &class.pool;
        match *insn {
            Insn::Nop | Insn::IInc(..) | Insn::Goto(_) | Insn::Return(None) => {}
            Insn::AConstNull => self.push(Type::Null),
            Insn::IConst(_) => self.push(Type::Int),
            Insn::LConst(_) => self.push(Type::Long),
            Insn::FConst(_) => self.push(Type::Float),
            Insn::DConst(_) => self.push(Type::Double),
            Insn::Ldc(index) => self.push(loaded_type(pool, index)?),
            Insn::Load(Kind::Ref, slot) => {
                self.push(*self.locals.get(usize::from(slot)).ok_or(IMPOSSIBLE)?);
            }
            Insn::Load(kind, _) => self.push(Type::of_kind(kind)?),
            Insn::Store(_, slot) => {
                let stored = self.pop()?;
                self.set_local(slot, stored);
            }
            Insn::ArrayLoad(kind) => {
                self.pop()?;
                let array = self.pop()?;
                self.push(match kind {
                    ArrayKind::Ref => array.component()?,
                    ArrayKind::Long => Type::Long,
                    ArrayKind::Float => Type::Float,
                    ArrayKind::Double => Type::Double,
                    ArrayKind::Int | ArrayKind::Byte | ArrayKind::Char | ArrayKind::Short => Type::Int,
                });
            }
            Insn::ArrayStore(_) => self.pop_many(3)?,
            Insn::Stack(op) => match op {
                StackOp::Pop => drop(self.pop_slots(1)?),
                StackOp::Pop2 => drop(self.pop_slots(2)?),
                StackOp::Dup => self.dup(1, 0)?,
                StackOp::DupX1 => self.dup(1, 1)?,
                StackOp::DupX2 => self.dup(1, 2)?,
                StackOp::Dup2 => self.dup(2, 0)?,
                StackOp::Dup2X1 => self.dup(2, 1)?,
                StackOp::Dup2X2 => self.dup(2, 2)?,
                StackOp::Swap => {
                    let (top, below) = (self.pop()?, self.pop()?);
                    self.stack.extend([top, below]);
                }
            },
            Insn::Binary(_, kind) => {
                self.pop_many(2)?;
                self.push(Type::of_kind(kind)?);
            }
            Insn::Neg(_) => {}
            Insn::Convert(conversion) => {
                self.pop()?;
                self.push(match conversion {
                    Conversion::I2L | Conversion::F2L | Conversion::D2L => Type::Long,
                    Conversion::I2F | Conversion::L2F | Conversion::D2F => Type::Float,
                    Conversion::I2D | Conversion::L2D | Conversion::F2D => Type::Double,
                    Conversion::L2I | Conversion::F2I | Conversion::D2I => Type::Int,
                    Conversion::I2B | Conversion::I2C | Conversion::I2S => Type::Int,
                });
            }
            Insn::Compare(
                CompareOp::LCmp | CompareOp::FCmpL | CompareOp::FCmpG | CompareOp::DCmpL | CompareOp::DCmpG,
            ) => {
                self.pop_many(2)?;
                self.push(Type::Int);
            }
            Insn::IfICmp(..) | Insn::IfACmp(..) => self.pop_many(2)?,
            Insn::IfZero(..) | Insn::IfNull(..) => self.pop_many(1)?,
            Insn::TableSwitch(_) | Insn::LookupSwitch(_) => self.pop_many(1)?,
            Insn::Return(Some(_)) | Insn::AThrow => self.pop_many(1)?,
            Insn::MonitorEnter | Insn::MonitorExit => self.pop_many(1)?,
            Insn::GetStatic(index) => self.push(field_type(pool, index)?),
            Insn::PutStatic(_) => self.pop_many(1)?,
            Insn::GetField(index) => {
                self.pop()?;
                self.push(field_type(pool, index)?);
            }
            Insn::PutField(_) => self.pop_many(2)?,
            Insn::InvokeStatic(index) => self.call(pool.method_ref(index)?.descriptor)?,
            Insn::InvokeDynamic(index) => self.call(pool.dynamic(index)?.descriptor)?,
            Insn::InvokeVirtual(index) | Insn::InvokeInterface(index) => {
                self.call_on_receiver(pool.method_ref(index)?.descriptor)?;
            }
            Insn::InvokeSpecial(index) => {
                let method = pool.method_ref(index)?;
                let receiver = self.call_on_receiver(method.descriptor)?;
                if method.name == b"<init>" {
                    self.replace(receiver, initialised(receiver, code, class)?);
                }
            }
            Insn::New(_) => self.push(Type::Uninitialized(u16::try_from(bci).map_err(|_| IMPOSSIBLE)?)),
            Insn::NewArray(element) => {
                self.pop()?;
                self.push(Type::Array(1, Element::Primitive(element)));
            }
            Insn::ANewArray(index) => {
                self.pop()?;
                self.push(Type::of_class(pool, index)?.array_of()?);
            }
            Insn::ArrayLength | Insn::InstanceOf(_) => {
                self.pop()?;
                self.push(Type::Int);
            }
            Insn::CheckCast(index) => {
                self.pop()?;
                self.push(Type::of_class(pool, index)?);
            }
            Insn::MultiANewArray(index, lengths) => {
                self.pop_many(lengths.into())?;
                self.push(Type::of_class(pool, index)?);
            }
            Insn::Jsr(_) | Insn::Ret(_) => {
                return Err(Error::Malformed { what: "code with subroutines cannot have stack map frames" });
            }
        }
        Ok(())
    }

    fn call(&mut self, descriptor: &'a [u8]) -> Result<()> {
        let descriptor = MethodDescriptor::parse(descriptor)?;
        self.pop_many(descriptor.param_count())?;
        self.stack.extend(descriptor.return_type().map(Type::of_field));
        Ok(())
    }

    /// Like [`State::call`] with a receiver below the arguments, which is returned.
    fn call_on_receiver(&mut self, descriptor: &'a [u8]) -> Result<Type<'a>> {
        let descriptor = MethodDescriptor::parse(descriptor)?;
        self.pop_many(descriptor.param_count())?;
        let receiver = self.pop()?;
        self.stack.extend(descriptor.return_type().map(Type::of_field));
        Ok(receiver)
    }
}

/// Appends a local with the slots it takes.
pub(crate) fn push_local<'a>(locals: &mut Vec<Type<'a>>, local: Type<'a>) {
    locals.push(local);
    if local.takes_two_slots() {
        locals.push(Type::Top);
    }
}

fn field_type<'a>(pool: &ConstantPool<'a>, index: u16) -> Result<Type<'a>> {
    FieldType::parse(pool.field_ref(index)?.descriptor).map(Type::of_field)
}

/// The type of what `ldc` pushes.
fn loaded_type<'a>(pool: &ConstantPool<'a>, index: u16) -> Result<Type<'a>> {
    Ok(match pool.get(index)? {
        Constant::Integer(_) => Type::Int,
        Constant::Float(_) => Type::Float,
        Constant::Long(_) => Type::Long,
        Constant::Double(_) => Type::Double,
        Constant::String(_) => Type::Class(b"java/lang/String"),
        Constant::Class(_) => Type::Class(b"java/lang/Class"),
        Constant::MethodType(_) => Type::Class(b"java/lang/invoke/MethodType"),
        Constant::MethodHandle(_) => Type::Class(b"java/lang/invoke/MethodHandle"),
        Constant::Dynamic(dynamic) => Type::of_field(FieldType::parse(dynamic.descriptor)?),
        _ => return Err(IMPOSSIBLE),
    })
}

/// What an object becomes when its constructor returns.
fn initialised<'a>(receiver: Type<'a>, code: &Code<'a>, class: &ClassFile<'a>) -> Result<Type<'a>> {
    match receiver {
        Type::UninitializedThis => Ok(Type::Class(class.this_class)),
        Type::Uninitialized(bci) => match code.decode_at(bci.into())?.0 {
            Insn::New(index) => Type::of_class(&class.pool, index),
            _ => Err(IMPOSSIBLE),
        },
        _ => Err(IMPOSSIBLE),
    }
}
