//! The allocations that code stores into fields of arrays, for reports: where an array that was read from a field was made.
//!
//! Costs a run nothing but a look at the class when it is loaded. What a method stores is followed as in [`crate::sources`]; a store of
//! anything else than `null` and arrays that the method has made itself makes the field's content unknown.

use selvedge_classfile::{ArrayKind, ClassFile, Code, Insn, Member, MethodDescriptor, Result, access};
use selvedge_protocol::{SiteEntry, SiteKey, SiteKind};

use crate::sources::{Sources, Stored};
use crate::{FieldName, World};

/// An allocation: where, and the descriptors of the arrays that it makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allocation {
    /// The instruction.
    pub site: SiteEntry,
    /// The array's own descriptor first, then those of its parts, if they are made with it.
    pub types: Vec<String>,
}

/// Tells the world what the methods of a class store into fields of arrays, and into arrays that were read from fields.
pub(crate) fn note(class: &ClassFile<'_>, name: &str, file: Option<&str>, world: &mut dyn World) {
    for method in &class.methods {
        // What is wrong with a method is said when it is rewritten.
        let _ = of_method(class, name, file, method, world);
    }
}

fn of_method(
    class: &ClassFile<'_>,
    name: &str,
    file: Option<&str>,
    method: &Member<'_>,
    world: &mut dyn World,
) -> Result<()> {
    let Some(code) = method.code(&class.pool)? else { return Ok(()) };
    if !stores_arrays(class, &code)? {
        return Ok(());
    }
    let this = usize::from(method.access & access::STATIC == 0);
    let parameters = usize::from(MethodDescriptor::parse(method.descriptor)?.param_slots()) + this;
    let lines = code.line_table().unwrap_or_default();
    for Stored { field, is_element, made } in Sources::new(class, &code)?.stored(parameters as u16) {
        let field = class.pool.field_ref(field)?;
        if !field.descriptor.starts_with(b"[") {
            continue;
        }
        let made = match made {
            None => None,
            Some(bci) => {
                let line = lines.iter().filter(|(start, _)| *start <= bci).max_by_key(|(start, _)| *start);
                let text = String::from_utf8_lossy;
                let key = SiteKey::new(name, text(method.name), text(method.descriptor), bci);
                let site = SiteEntry {
                    key,
                    kind: SiteKind::Allocation,
                    file: file.map(str::to_owned),
                    line: line.map(|(_, line)| u32::from(*line)),
                };
                Some(Allocation { site, types: types(class, &code, bci)? })
            }
        };
        let [owner, name] = [field.owner, field.name].map(String::from_utf8_lossy);
        world.fills(FieldName { owner: &owner, name: &name }, is_element, made);
    }
    Ok(())
}

/// Whether a method stores references into fields of arrays, or into arrays.
fn stores_arrays(class: &ClassFile<'_>, code: &Code<'_>) -> Result<bool> {
    for item in code.instructions() {
        let stores = match item?.1 {
            Insn::PutField(index) | Insn::PutStatic(index) => {
                class.pool.field_ref(index)?.descriptor.starts_with(b"[")
            }
            Insn::ArrayStore(ArrayKind::Ref) => true,
            _ => false,
        };
        if stores {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The descriptors of the arrays that an instruction makes, the outermost first.
fn types(class: &ClassFile<'_>, code: &Code<'_>, bci: u32) -> Result<Vec<String>> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(match code.decode_at(bci)?.0 {
        Insn::NewArray(element) => vec![format!("[{}", char::from(element.letter()))],
        Insn::ANewArray(index) => {
            let element = text(class.pool.class_name(index)?);
            vec![if element.starts_with('[') { format!("[{element}") } else { format!("[L{element};") }]
        }
        Insn::MultiANewArray(index, lengths) => {
            let whole = text(class.pool.class_name(index)?);
            (0..usize::from(lengths)).filter_map(|depth| whole.get(depth..).map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    })
}
