//! Generated code: what the platform's bootstrap methods would spin, as bodies in the intermediate form.
//!
//! Lambda objects, string concatenation and record methods all become bodies of static methods, so that calls, boxing
//! and exceptions in them take the same way as everywhere.

use selvedge_base::{IdRange, Symbol};
use selvedge_ir::{
    Block, BlockData, Body, ClassName, Condition, Conversion, Edge, EdgeKind, FieldRef, Inst, InstData,
    InvokeKind, MethodRef, Op, Type, Unwind, Value, ValueData, ValueDef,
};

/// A method that does nothing.
pub(crate) fn empty_body() -> Body {
    let mut builder = BodyBuilder::new();
    builder.emit(Op::Return, &[]);
    builder.finish()
}

/// Builds a body block by block; branches may name blocks that are started later.
pub(crate) struct BodyBuilder {
    body: Body,
    block_start: u32,
    /// Where exceptions of the block that is being built go.
    handler: Option<Block>,
}

impl BodyBuilder {
    pub fn new() -> Self {
        Self { body: Body::default(), block_start: 0, handler: None }
    }

    /// A parameter with this descriptor. All parameters come before the first instruction.
    pub fn parameter(&mut self, descriptor: &[u8]) -> Value {
        let ty = Type::of_descriptor(descriptor).unwrap_or(Type::Int);
        let position = self.body.parameters.len() as u32;
        let value = self.body.values.push(ValueData { ty, def: ValueDef::Parameter(position) });
        self.body.parameters.push(value);
        value
    }

    pub fn emit(&mut self, op: Op, args: &[Value]) {
        let args = self.body.push_list(args);
        self.body.insts.push(InstData { op, args, result: None, bci: 0 });
        if op.is_terminator() {
            self.end_block();
        }
    }

    pub fn emit_value(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        let args = self.body.push_list(args);
        let inst = self.body.insts.next_id();
        let result = self.body.values.push(ValueData { ty, def: ValueDef::Inst(inst) });
        self.body.insts.push(InstData { op, args, result: Some(result), bci: 0 });
        result
    }

    /// The block that the next instruction is in.
    pub fn block(&self) -> Block {
        self.body.blocks.next_id()
    }

    fn end_block(&mut self) {
        let end = self.body.insts.next_id();
        let insts = IdRange::new(Inst::new(self.block_start), end);
        let unwind = self.handler.take().map(|handler| Unwind { catches: None, handler });
        let unwind = Vec::from_iter(unwind);
        self.body.blocks.push(BlockData { insts, unwind, predecessors: Vec::new() });
        self.block_start = end.number();
    }

    /// Any exception of the current block goes to this one.
    pub fn unwind_to(&mut self, handler: Block) {
        self.handler = Some(handler);
    }

    /// Calls a method, and returns its result if it has one.
    pub fn call(
        &mut self,
        kind: InvokeKind,
        owner: &str,
        name: &str,
        descriptor: &str,
        args: &[Value],
    ) -> Option<Value> {
        let method = MethodRef {
            owner: ClassName::new(owner),
            name: Symbol::new(name),
            descriptor: Symbol::new(descriptor),
            interface: kind == InvokeKind::Interface,
        };
        self.call_ref(kind, method, args)
    }

    pub fn call_ref(&mut self, kind: InvokeKind, method: MethodRef, args: &[Value]) -> Option<Value> {
        let (_, result) = descriptor_parts(method.descriptor);
        match Type::of_descriptor(result) {
            Some(ty) => Some(self.emit_value(Op::Invoke(kind, method), args, ty)),
            None => {
                self.emit(Op::Invoke(kind, method), args);
                None
            }
        }
    }

    pub fn get_field(&mut self, field: FieldRef, object: Value) -> Value {
        let ty = Type::of_descriptor(field.descriptor.as_bytes()).unwrap_or(Type::Int);
        self.emit_value(Op::GetField(field), &[object], ty)
    }

    pub fn int(&mut self, value: i32) -> Value {
        self.emit_value(Op::Int(value), &[], Type::Int)
    }

    pub fn branch(&mut self, condition: Condition, args: &[Value], then: Block, otherwise: Block) {
        self.emit(Op::If { condition, then, otherwise }, args);
    }

    pub fn finish(mut self) -> Body {
        let ids: Vec<Block> = self.body.blocks.ids().collect();
        for from in ids {
            for to in self.body.normal_successors(from) {
                self.body.blocks[to].predecessors.push(Edge { from, kind: EdgeKind::Normal });
            }
            for unwind in self.body.blocks[from].unwind.clone() {
                self.body.blocks[unwind.handler].predecessors.push(Edge { from, kind: EdgeKind::Unwind });
            }
        }
        self.body
    }

    /// Converts a value from one descriptor's type to another's as a lambda does: casts, boxing, unboxing, widening.
    pub fn adapt(&mut self, value: Value, from: &[u8], to: &[u8]) -> Value {
        if from == to {
            return value;
        }
        match (wrapper_of(from), wrapper_of(to)) {
            (None, None) => match ClassName::of_descriptor(to) {
                Some(class) if !class.is("java/lang/Object") => {
                    self.emit_value(Op::CheckCast(class), &[value], Type::Ref(class))
                }
                _ => value,
            },
            (Some(wrapper), None) => self.boxed(value, from, wrapper),
            (None, Some(target)) => {
                // From a wrapper it is unboxed as what it is and then widened, from anything else as the target's own.
                let source = wrapper_named(from).unwrap_or((to[0], target));
                let unboxed = self.unboxed(value, source);
                self.widened(unboxed, &[source.0], to)
            }
            (Some(_), Some(_)) => self.widened(value, from, to),
        }
    }

    fn boxed(&mut self, value: Value, from: &[u8], wrapper: &str) -> Value {
        let descriptor = format!("({})L{wrapper};", from[0] as char);
        let boxed = self.call(InvokeKind::Static, wrapper, "valueOf", &descriptor, &[value]);
        boxed.unwrap_or(value)
    }

    fn unboxed(&mut self, value: Value, (letter, wrapper): (u8, &str)) -> Value {
        let class = ClassName::new(wrapper);
        let cast = self.emit_value(Op::CheckCast(class), &[value], Type::Ref(class));
        let keyword = crate::class::PRIMITIVES
            .iter()
            .find(|(_, known)| *known == letter)
            .map_or("int", |known| known.0);
        let (name, descriptor) = (format!("{keyword}Value"), format!("(){}", letter as char));
        self.call(InvokeKind::Virtual, wrapper, &name, &descriptor, &[cast]).unwrap_or(value)
    }

    fn widened(&mut self, value: Value, from: &[u8], to: &[u8]) -> Value {
        let kind = |descriptor: &[u8]| match descriptor {
            b"J" => b'J',
            b"F" => b'F',
            b"D" => b'D',
            _ => b'I',
        };
        let conversion = match (kind(from), kind(to)) {
            (b'I', b'J') => Conversion::I2L,
            (b'I', b'F') => Conversion::I2F,
            (b'I', b'D') => Conversion::I2D,
            (b'J', b'F') => Conversion::L2F,
            (b'J', b'D') => Conversion::L2D,
            (b'F', b'D') => Conversion::F2D,
            _ => return value,
        };
        let ty = Type::of_descriptor(to).unwrap_or(Type::Int);
        self.emit_value(Op::Convert(conversion), &[value], ty)
    }
}

const WRAPPERS: [(u8, &str); 8] = [
    (b'Z', "java/lang/Boolean"),
    (b'B', "java/lang/Byte"),
    (b'C', "java/lang/Character"),
    (b'S', "java/lang/Short"),
    (b'I', "java/lang/Integer"),
    (b'J', "java/lang/Long"),
    (b'F', "java/lang/Float"),
    (b'D', "java/lang/Double"),
];

/// The wrapper class of a primitive type's descriptor.
pub(crate) fn wrapper_of(descriptor: &[u8]) -> Option<&'static str> {
    WRAPPERS.iter().find(|(letter, _)| descriptor == [*letter]).map(|&(_, name)| name)
}

fn wrapper_named(descriptor: &[u8]) -> Option<(u8, &'static str)> {
    let class = ClassName::of_descriptor(descriptor)?;
    WRAPPERS.iter().find(|(_, name)| class.is(name)).copied()
}

/// Parameter descriptors and result descriptor of a method descriptor; malformed ones were refused when read.
pub(crate) fn descriptor_parts(descriptor: Symbol) -> (Vec<&'static [u8]>, &'static [u8]) {
    let bytes = descriptor.as_bytes();
    let mut parameters = Vec::new();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != b')' {
        let start = at;
        while bytes.get(at) == Some(&b'[') {
            at += 1;
        }
        if bytes.get(at) == Some(&b'L') {
            while at < bytes.len() && bytes[at] != b';' {
                at += 1;
            }
        }
        at += 1;
        parameters.push(&bytes[start..at.min(bytes.len())]);
    }
    (parameters, bytes.get(at + 1..).unwrap_or(b"V"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_split() {
        let (parameters, result) = descriptor_parts(Symbol::new("(I[[JLjava/lang/String;[LA;Z)[D"));
        let expected: [&[u8]; 5] = [b"I", b"[[J", b"Ljava/lang/String;", b"[LA;", b"Z"];
        assert_eq!((parameters.as_slice(), result), (&expected[..], &b"[D"[..]));
        assert_eq!(descriptor_parts(Symbol::new("()V")), (vec![], &b"V"[..]));
    }

    #[test]
    fn generated_bodies_verify() {
        let mut builder = BodyBuilder::new();
        let parameter = builder.parameter(b"Ljava/lang/Object;");
        let adapted = builder.adapt(parameter, b"Ljava/lang/Integer;", b"J");
        let boxed = builder.adapt(adapted, b"J", b"Ljava/lang/Object;");
        builder.emit(Op::Return, &[boxed]);
        let body = builder.finish();
        assert_eq!(selvedge_ir::verify(&body), Ok(()));
    }
}
