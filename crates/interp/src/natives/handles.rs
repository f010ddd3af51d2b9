//! Variable handles. A `VarHandle` is an object without fields of its own here; the machine keeps what it means.

use selvedge_ir::MethodRef;

use super::{NativeReturn, Row, value};
use crate::arith;
use crate::call::Called;
use crate::class::RtClassId;
use crate::exec::{not_null, out_of_bounds};
use crate::machine::{Exec, Machine, Raise};
use crate::place::Location;
use crate::value::{ObjRef, Value};
use selvedge_ir::BinaryOp;

/// What a variable handle gives access to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum VarHandle {
    /// A field in this slot; the first argument is the object.
    Field { slot: usize, letter: u8 },
    /// A static field.
    Static { class: RtClassId, slot: usize, letter: u8 },
    /// An element; the first two arguments are array and index.
    Element { letter: u8 },
}

const METHOD_HANDLES: &str = "java/lang/invoke/MethodHandles";
const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";

pub(crate) const ROWS: &[Row] = &[
    (METHOD_HANDLES, "lookup", "", |machine, _| {
        let class = machine.load_str(LOOKUP)?;
        value(machine.new_instance(class)?)
    }),
    (METHOD_HANDLES, "privateLookupIn", "", |_, args| value(args[1])),
    (METHOD_HANDLES, "arrayElementVarHandle", "", |machine, args| {
        let class = machine.mirrored(not_null(args[0])?)?;
        if !super::memory::is_array(machine, class) {
            return Err(Raise::New("java/lang/IllegalArgumentException", None));
        }
        let element = crate::class::element_of(machine.class(class).name);
        make(machine, VarHandle::Element { letter: letter_of(element) })
    }),
    (LOOKUP, "findVarHandle", "", |machine, args| find(machine, args, false)),
    (LOOKUP, "findStaticVarHandle", "", |machine, args| find(machine, args, true)),
];

fn letter_of(descriptor: &[u8]) -> u8 {
    match descriptor.first() {
        Some(b'[' | b'L') | None => b'L',
        Some(&letter) => letter,
    }
}

fn make(machine: &mut Machine<'_>, handle: VarHandle) -> Exec<NativeReturn> {
    let class = machine.load_str("java/lang/invoke/VarHandle")?;
    let object: ObjRef = machine.new_instance(class)?;
    machine.var_handles.insert(object, handle);
    value(object)
}

fn find(machine: &mut Machine<'_>, args: &[Value], is_static: bool) -> Exec<NativeReturn> {
    let class = machine.mirrored(not_null(args[1])?)?;
    let name = machine.string_text(not_null(args[2])?);
    let declared = machine.declared(class);
    let program = machine.program;
    let mut fields = program.superclasses(declared).flat_map(|class| program.classes[class].fields.iter());
    let field = fields.find(|&field| {
        let data = &program.fields[field];
        data.name.is(&name) && data.is_static() == is_static
    });
    let Some(field) = field else {
        return Err(Raise::new("java/lang/NoSuchFieldException", format!("no such field: {name}")));
    };
    let declaring = machine.load_declared(program.fields[field].class)?;
    let slot = machine.field_slots[field] as usize;
    let letter = letter_of(program.fields[field].descriptor.as_bytes());
    if is_static {
        machine.initialize(declaring)?;
        return make(machine, VarHandle::Static { class: declaring, slot, letter });
    }
    make(machine, VarHandle::Field { slot, letter })
}

impl Machine<'_> {
    /// Calls a method of a variable handle or method handle that takes any arguments.
    pub fn invoke_polymorphic(&mut self, method: &MethodRef, args: &[Value]) -> Exec<Called> {
        let receiver = not_null(args[0])?;
        if let Some(&handle) = self.method_handles.get(&receiver) {
            return self.invoke_handle(handle, method, args);
        }
        let Some(&handle) = self.var_handles.get(&receiver) else {
            return Err(Raise::fatal(format!("{}.{} is not modelled", method.owner, method.name)));
        };
        let (location, letter, rest) = match handle {
            VarHandle::Field { slot, letter } => {
                (Location::Field { object: not_null(args[1])?, slot }, letter, &args[2..])
            }
            VarHandle::Static { class, slot, letter } => {
                (Location::Static { class, slot }, letter, &args[1..])
            }
            VarHandle::Element { letter } => {
                let (array, index) = (not_null(args[1])?, args[2].int());
                let length = self.heap.get(array).payload.length();
                if index < 0 || length.is_none_or(|length| index as usize >= length) {
                    return Err(out_of_bounds(index, length));
                }
                (Location::Element { array, index: index as usize }, letter, &args[3..])
            }
        };
        let result = self.access_mode(&method.name.to_string(), location, letter, rest)?;
        Ok(Called::Returned(result))
    }

    fn access_mode(
        &mut self,
        mode: &str,
        location: Location,
        letter: u8,
        args: &[Value],
    ) -> Exec<Option<Value>> {
        // An argument may be narrower than the variable: an int where it is a long.
        let argument = |index: usize| match (letter, args[index]) {
            (b'J', Value::Int(value)) => Value::Long(value.into()),
            (b'F', Value::Int(value)) => Value::Float(value as f32),
            (b'D', Value::Int(value)) => Value::Double(value.into()),
            (_, value) => value,
        };
        let is_volatile = !matches!(mode, "get" | "set");
        if mode.starts_with("set") {
            self.write_location(location, argument(0), letter, is_volatile)?;
            return Ok(None);
        }
        let old = self.read_location(location, letter, is_volatile)?;
        let new = match mode {
            "get" | "getVolatile" | "getOpaque" | "getAcquire" => return Ok(Some(old)),
            _ if mode.contains("ompareAnd") => {
                let equal = old == argument(0);
                if equal {
                    self.write_location(location, argument(1), letter, true)?;
                }
                let exchanges = mode.starts_with("compareAndExchange");
                return Ok(Some(if exchanges { old } else { Value::bool(equal) }));
            }
            _ if mode.starts_with("getAndSet") => argument(0),
            _ => {
                let op = if mode.starts_with("getAndAdd") {
                    BinaryOp::Add
                } else if mode.starts_with("getAndBitwiseOr") {
                    BinaryOp::Or
                } else if mode.starts_with("getAndBitwiseAnd") {
                    BinaryOp::And
                } else if mode.starts_with("getAndBitwiseXor") {
                    BinaryOp::Xor
                } else {
                    return Err(Raise::fatal(format!("VarHandle.{mode} is not modelled")));
                };
                arith::binary(op, old, argument(0))
                    .map_err(|arith::DivisionByZero| Raise::fatal("a variable handle divides"))?
            }
        };
        self.write_location(location, new, letter, true)?;
        Ok(Some(old))
    }
}
