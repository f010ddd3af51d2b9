//! The third phase of the verifier: operand counts, operand types and result types of each operation.
//!
//! Without a class hierarchy, references are told from the primitive kinds but not from each other, except where the
//! operation itself names the class of its result. Arrays are checked by their element type.

use super::Verifier;
use crate::body::{Block, InstData};
use crate::dynamic::Constant;
use crate::op::{BinaryOp, Comparison, Condition, Conversion, InvokeKind, Op};
use crate::types::{ArrayKind, ClassName, PrimitiveType, Type};

/// The computational kinds of values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl Kind {
    fn of(ty: Type) -> Self {
        match ty {
            Type::Int => Kind::Int,
            Type::Long => Kind::Long,
            Type::Float => Kind::Float,
            Type::Double => Kind::Double,
            Type::Null | Type::Ref(_) => Kind::Reference,
        }
    }

    /// The kind of values of a field type's descriptor that is known to be well-formed.
    fn of_descriptor(descriptor: &[u8]) -> Self {
        match descriptor {
            b"J" => Kind::Long,
            b"F" => Kind::Float,
            b"D" => Kind::Double,
            [b'L' | b'[', ..] => Kind::Reference,
            _ => Kind::Int,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Int => "an int",
            Kind::Long => "a long",
            Kind::Float => "a float",
            Kind::Double => "a double",
            Kind::Reference => "a reference",
        }
    }
}

/// Splits the first field type off a descriptor; `None` if it does not start with a well-formed one.
fn split_type(descriptor: &[u8]) -> Option<(&[u8], &[u8])> {
    let dimensions = descriptor.iter().take_while(|&&byte| byte == b'[').count();
    let len = match descriptor.get(dimensions)? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => dimensions + 1,
        b'L' => {
            let end = descriptor.iter().position(|&byte| byte == b';')?;
            if end == dimensions + 1 {
                return None;
            }
            end + 1
        }
        _ => return None,
    };
    Some(descriptor.split_at(len))
}

/// The whole descriptor as one field type.
fn field_type(descriptor: &[u8]) -> Option<&[u8]> {
    split_type(descriptor).filter(|(_, rest)| rest.is_empty()).map(|(ty, _)| ty)
}

/// Splits a method descriptor into the descriptors of its parameters, run together, and of its result.
fn split_method(descriptor: &[u8]) -> Option<(&[u8], &[u8])> {
    let open = descriptor.strip_prefix(b"(")?;
    let mut rest = open;
    while rest.first() != Some(&b')') {
        rest = split_type(rest)?.1;
    }
    let result = &rest[1..];
    if result != b"V" {
        field_type(result)?;
    }
    Some((&open[..open.len() - rest.len()], result))
}

/// Whether a type is the one that a well-formed field descriptor says.
fn is_of_descriptor(ty: Type, descriptor: &[u8]) -> bool {
    match (ty, descriptor) {
        (Type::Ref(class), [b'L', name @ .., b';']) => class.as_bytes() == name,
        (Type::Ref(class), [b'[', ..]) => class.as_bytes() == descriptor,
        (Type::Ref(_) | Type::Null, _) => false,
        _ => Kind::of(ty) == Kind::of_descriptor(descriptor),
    }
}

type Checked = Result<(), String>;

fn malformed(descriptor: impl std::fmt::Display) -> String {
    format!("the descriptor {descriptor} is malformed")
}

impl Verifier<'_> {
    pub(super) fn types(&mut self, method: Option<(&[u8], bool)>) {
        let body = self.body;
        let mut returns = None;
        if let Some((descriptor, is_static)) = method {
            match split_method(descriptor) {
                None => self.error(None, None, malformed(descriptor.escape_ascii())),
                Some((parameters, result)) => {
                    returns = Some(result);
                    if let Err(problem) = self.method_parameters(parameters, is_static) {
                        self.error(None, None, problem);
                    }
                }
            }
        }
        for (block, data) in body.blocks.iter_ids() {
            for inst in data.insts.iter() {
                let checked = Operation { verifier: self, data: &body.insts[inst], block }.check(returns);
                if let Err(problem) = checked {
                    self.error(Some(block), Some(inst), problem);
                }
            }
        }
    }

    fn method_parameters(&self, mut descriptors: &[u8], is_static: bool) -> Checked {
        let body = self.body;
        let mut parameters = body.parameters.iter().enumerate();
        if !is_static {
            match parameters.next() {
                Some((_, &receiver)) if matches!(body.ty(receiver), Type::Ref(_)) => {}
                _ => return Err("the first parameter of an instance method is its receiver".into()),
            }
        }
        for (position, &value) in parameters {
            let Some((descriptor, rest)) = split_type(descriptors) else {
                return Err("there are more parameters than the method's descriptor has".into());
            };
            let ty = body.ty(value);
            if !is_of_descriptor(ty, descriptor) {
                let descriptor = descriptor.escape_ascii();
                return Err(format!(
                    "parameter {position} is of type {ty}, the descriptor says {descriptor}"
                ));
            }
            descriptors = rest;
        }
        if descriptors.is_empty() {
            return Ok(());
        }
        Err("there are fewer parameters than the method's descriptor has".into())
    }
}

/// One instruction under scrutiny.
struct Operation<'v, 'b> {
    verifier: &'v Verifier<'b>,
    data: &'b InstData,
    block: Block,
}

impl Operation<'_, '_> {
    fn arg_types(&self) -> impl ExactSizeIterator<Item = Type> {
        let body = self.verifier.body;
        body.list(self.data.args).iter().map(|&arg| body.ty(arg))
    }

    fn result_type(&self) -> Option<Type> {
        self.data.result.map(|result| self.verifier.body.ty(result))
    }

    fn args(&self, kinds: &[Kind]) -> Checked {
        self.args_iter(kinds.len(), kinds.iter().copied())
    }

    fn args_iter(&self, count: usize, kinds: impl Iterator<Item = Kind>) -> Checked {
        let args = self.arg_types();
        if args.len() != count {
            return Err(format!("there are {} operands instead of {count}", args.len()));
        }
        for (position, (ty, kind)) in args.zip(kinds).enumerate() {
            if Kind::of(ty) != kind {
                return Err(format!("operand {position} is of type {ty}, it must be {}", kind.name()));
            }
        }
        Ok(())
    }

    fn no_result(&self) -> Checked {
        match self.data.result {
            None => Ok(()),
            Some(_) => Err("the operation defines no value, but there is a result".into()),
        }
    }

    fn some_result(&self) -> Result<Type, String> {
        self.result_type().ok_or_else(|| "the operation defines a value, but there is no result".into())
    }

    fn result(&self, kind: Kind) -> Checked {
        let ty = self.some_result()?;
        if Kind::of(ty) == kind {
            return Ok(());
        }
        Err(format!("the result is of type {ty}, it must be {}", kind.name()))
    }

    fn result_class(&self, class: &[u8]) -> Checked {
        let ty = self.some_result()?;
        if matches!(ty, Type::Ref(is) if is.as_bytes() == class) {
            return Ok(());
        }
        Err(format!("the result is of type {ty}, it must be {}", class.escape_ascii()))
    }

    /// The result is there and of the descriptor's type, or the descriptor is void's and there is none.
    fn result_descriptor(&self, descriptor: &[u8]) -> Checked {
        if descriptor == b"V" {
            return self.no_result();
        }
        let ty = self.some_result()?;
        if is_of_descriptor(ty, descriptor) {
            return Ok(());
        }
        Err(format!("the result is of type {ty}, the descriptor says {}", descriptor.escape_ascii()))
    }

    fn check(&self, returns: Option<&[u8]>) -> Checked {
        use Kind::{Int, Reference};
        let body = self.verifier.body;
        match self.data.op {
            Op::Phi => self.phi(),
            Op::Catch => {
                self.args(&[])?;
                match self.some_result()? {
                    Type::Ref(_) => Ok(()),
                    ty => Err(format!("the result is of type {ty}, it must be a throwable")),
                }
            }
            Op::Int(_) => self.args(&[]).and_then(|()| self.result(Int)),
            Op::Long(_) => self.args(&[]).and_then(|()| self.result(Kind::Long)),
            Op::Float(_) => self.args(&[]).and_then(|()| self.result(Kind::Float)),
            Op::Double(_) => self.args(&[]).and_then(|()| self.result(Kind::Double)),
            Op::Null => {
                self.args(&[])?;
                match self.some_result()? {
                    Type::Null => Ok(()),
                    ty => Err(format!("the result is of type {ty}, it must be null")),
                }
            }
            Op::String(_) => self.args(&[]).and_then(|()| self.result_class(b"java/lang/String")),
            Op::Class(_) => self.args(&[]).and_then(|()| self.result_class(b"java/lang/Class")),
            Op::Constant(id) => self.args(&[]).and_then(|()| self.constant(&body.constants[id])),
            Op::Binary(op) => self.binary(op),
            Op::Neg => {
                let kind = Kind::of(self.some_result()?);
                self.numeric(kind)?;
                self.args(&[kind])
            }
            Op::Convert(conversion) => {
                let (from, to) = conversion_kinds(conversion);
                self.args(&[from]).and_then(|()| self.result(to))
            }
            Op::Compare(comparison) => {
                let kind = match comparison {
                    Comparison::Long => Kind::Long,
                    Comparison::FloatL | Comparison::FloatG => Kind::Float,
                    Comparison::DoubleL | Comparison::DoubleG => Kind::Double,
                };
                self.args(&[kind, kind]).and_then(|()| self.result(Int))
            }
            Op::New(class) => self.args(&[]).and_then(|()| self.result_class(class.as_bytes())),
            Op::NewPrimitiveArray(element) => {
                self.args(&[Int]).and_then(|()| self.result_class(primitive_array(element)))
            }
            Op::NewArray(array) => {
                if !matches!(array.element_descriptor(), Some([b'L' | b'[', ..])) {
                    return Err(format!("{array} is not an array of references"));
                }
                self.args(&[Int]).and_then(|()| self.result_class(array.as_bytes()))
            }
            Op::NewMultiArray(array) => self.new_multi_array(array),
            Op::ArrayLength => {
                self.args(&[Reference])?;
                self.array(|_| true)?;
                self.result(Int)
            }
            Op::ArrayLoad(kind) => {
                self.args(&[Reference, Int])?;
                self.array(|element| is_element(kind, element))?;
                self.result(kind.value_type().map_or(Reference, Kind::of))
            }
            Op::ArrayStore(kind) => {
                self.args(&[Reference, Int, kind.value_type().map_or(Reference, Kind::of)])?;
                self.array(|element| is_element(kind, element))?;
                self.no_result()
            }
            Op::GetField(field) | Op::GetStatic(field) => {
                let descriptor = field.descriptor.as_bytes();
                field_type(descriptor).ok_or_else(|| malformed(field.descriptor))?;
                let object = if matches!(self.data.op, Op::GetField(_)) { &[Reference][..] } else { &[] };
                self.args(object).and_then(|()| self.result_descriptor(descriptor))
            }
            Op::PutField(field) | Op::PutStatic(field) => {
                let descriptor = field.descriptor.as_bytes();
                field_type(descriptor).ok_or_else(|| malformed(field.descriptor))?;
                let value = Kind::of_descriptor(descriptor);
                let both = [Reference, value];
                self.args(if matches!(self.data.op, Op::PutField(_)) { &both } else { &both[1..] })?;
                self.no_result()
            }
            Op::Invoke(kind, method) => self.call(method.descriptor.as_bytes(), kind != InvokeKind::Static),
            Op::InvokeDynamic(id) => self.call(body.call_sites[id].descriptor.as_bytes(), false),
            Op::CheckCast(class) => {
                self.args(&[Reference]).and_then(|()| self.result_class(class.as_bytes()))
            }
            Op::InstanceOf(_) => self.args(&[Reference]).and_then(|()| self.result(Int)),
            Op::MonitorEnter | Op::MonitorExit | Op::Throw => {
                self.args(&[Reference]).and_then(|()| self.no_result())
            }
            Op::Goto(_) => self.args(&[]).and_then(|()| self.no_result()),
            Op::If { condition, .. } => {
                let kind = match condition {
                    Condition::RefEq | Condition::RefNe => Reference,
                    _ => Int,
                };
                let both = [kind, kind];
                self.args(if self.data.args.len == 1 { &both[1..] } else { &both })?;
                self.no_result()
            }
            Op::Switch(_) => self.args(&[Int]).and_then(|()| self.no_result()),
            Op::Return => {
                match returns {
                    None if self.data.args.len <= 1 => {}
                    None => return Err("a return has at most one operand".into()),
                    Some(b"V") => self.args(&[])?,
                    Some(descriptor) => self.args(&[Kind::of_descriptor(descriptor)])?,
                }
                self.no_result()
            }
        }
    }

    fn phi(&self) -> Checked {
        let result = self.some_result()?;
        let predecessors = self.verifier.body.blocks[self.block].predecessors.len();
        if predecessors == 0 {
            return Err("there is a phi, but no edge leads here".into());
        }
        self.args_iter(predecessors, std::iter::repeat(Kind::of(result)))?;
        if result == Type::Null && self.arg_types().any(|ty| ty != Type::Null) {
            return Err("the result is of type null, but an operand is not".into());
        }
        Ok(())
    }

    fn numeric(&self, kind: Kind) -> Checked {
        match kind {
            Kind::Reference => Err("arithmetic has no references as results".into()),
            _ => Ok(()),
        }
    }

    fn binary(&self, op: BinaryOp) -> Checked {
        let kind = Kind::of(self.some_result()?);
        self.numeric(kind)?;
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                self.args(&[kind, kind])
            }
            _ if !matches!(kind, Kind::Int | Kind::Long) => {
                Err("shifts and logic are on ints and longs".into())
            }
            BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Ushr => self.args(&[kind, Kind::Int]),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => self.args(&[kind, kind]),
        }
    }

    fn constant(&self, constant: &Constant) -> Checked {
        match constant {
            Constant::Int(_) => self.result(Kind::Int),
            Constant::Long(_) => self.result(Kind::Long),
            Constant::Float(_) => self.result(Kind::Float),
            Constant::Double(_) => self.result(Kind::Double),
            Constant::String(_) => self.result_class(b"java/lang/String"),
            Constant::Class(_) => self.result_class(b"java/lang/Class"),
            Constant::MethodType(_) => self.result_class(b"java/lang/invoke/MethodType"),
            Constant::MethodHandle(_) => self.result_class(b"java/lang/invoke/MethodHandle"),
            Constant::Dynamic { descriptor, .. } => {
                field_type(descriptor.as_bytes()).ok_or_else(|| malformed(descriptor))?;
                self.result_descriptor(descriptor.as_bytes())
            }
        }
    }

    fn new_multi_array(&self, array: ClassName) -> Checked {
        let dimensions = array.as_bytes().iter().take_while(|&&byte| byte == b'[').count();
        let lengths = self.data.args.len as usize;
        if lengths == 0 || lengths > dimensions {
            return Err(format!("{array} cannot be made from {lengths} lengths"));
        }
        self.args_iter(lengths, std::iter::repeat(Kind::Int))?;
        self.result_class(array.as_bytes())
    }

    /// The first operand is null or an array whose element descriptor is accepted.
    fn array(&self, accepts: impl FnOnce(&[u8]) -> bool) -> Checked {
        match self.arg_types().next() {
            Some(Type::Null) => Ok(()),
            Some(Type::Ref(class)) if class.element_descriptor().is_some_and(accepts) => Ok(()),
            Some(ty) => Err(format!("operand 0 is of type {ty}, which is not the array accessed here")),
            None => Err("there is no array operand".into()),
        }
    }

    fn call(&self, descriptor: &[u8], has_receiver: bool) -> Checked {
        let Some((parameters, result)) = split_method(descriptor) else {
            return Err(malformed(descriptor.escape_ascii()));
        };
        let mut args = self.arg_types().enumerate();
        if has_receiver && !args.next().is_some_and(|(_, ty)| ty.is_reference()) {
            return Err("the first operand of the call must be its receiver".into());
        }
        let mut rest = parameters;
        for (position, ty) in args {
            let Some((descriptor, after)) = split_type(rest) else {
                return Err("the call has more operands than its descriptor".into());
            };
            let kind = Kind::of_descriptor(descriptor);
            if Kind::of(ty) != kind {
                return Err(format!("operand {position} is of type {ty}, it must be {}", kind.name()));
            }
            rest = after;
        }
        if !rest.is_empty() {
            return Err("the call has fewer operands than its descriptor".into());
        }
        self.result_descriptor(result)
    }
}

fn conversion_kinds(conversion: Conversion) -> (Kind, Kind) {
    use Kind::{Double, Float, Int, Long};
    match conversion {
        Conversion::I2L => (Int, Long),
        Conversion::I2F => (Int, Float),
        Conversion::I2D => (Int, Double),
        Conversion::L2I => (Long, Int),
        Conversion::L2F => (Long, Float),
        Conversion::L2D => (Long, Double),
        Conversion::F2I => (Float, Int),
        Conversion::F2L => (Float, Long),
        Conversion::F2D => (Float, Double),
        Conversion::D2I => (Double, Int),
        Conversion::D2L => (Double, Long),
        Conversion::D2F => (Double, Float),
        Conversion::I2B | Conversion::I2C | Conversion::I2S => (Int, Int),
    }
}

fn primitive_array(element: PrimitiveType) -> &'static [u8] {
    match element {
        PrimitiveType::Boolean => b"[Z",
        PrimitiveType::Char => b"[C",
        PrimitiveType::Float => b"[F",
        PrimitiveType::Double => b"[D",
        PrimitiveType::Byte => b"[B",
        PrimitiveType::Short => b"[S",
        PrimitiveType::Int => b"[I",
        PrimitiveType::Long => b"[J",
    }
}

fn is_element(kind: ArrayKind, descriptor: &[u8]) -> bool {
    match kind {
        ArrayKind::Int => descriptor == b"I",
        ArrayKind::Long => descriptor == b"J",
        ArrayKind::Float => descriptor == b"F",
        ArrayKind::Double => descriptor == b"D",
        ArrayKind::Ref => matches!(descriptor, [b'L' | b'[', ..]),
        ArrayKind::ByteOrBoolean => matches!(descriptor, b"B" | b"Z"),
        ArrayKind::Char => descriptor == b"C",
        ArrayKind::Short => descriptor == b"S",
    }
}
