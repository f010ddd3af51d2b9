//! How facts name things in the sentences they give to the reader: objects by class and line, instructions by method and line.

use selvedge_ir::Inst;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::MethodId;

use crate::view::View;

/// A method with the line of an instruction of it: `Worker.run (line 12)`.
pub(crate) fn place(view: &View<'_>, method: MethodId, inst: Inst) -> String {
    match view.line(method, inst) {
        Some(line) => format!("{} (line {line})", self::method(view, method)),
        None => self::method(view, method),
    }
}

/// A method by class and name, without its types.
pub(crate) fn method(view: &View<'_>, method: MethodId) -> String {
    let data = &view.program.methods[method];
    format!("{}.{}", java_class(&view.program.classes[data.class].name.to_string()), data.name)
}

/// An abstract object by class and the place that makes it.
pub(crate) fn object(view: &View<'_>, object: ObjectId) -> String {
    let heap = &view.analysis.heap;
    let data = heap.get(object);
    let class = java_class(&heap.types.name(data.ty));
    match heap.site_of(data.site) {
        Site::Instruction { method, inst, .. } => {
            format!("the {class} made in {}", place(view, method, inst))
        }
        _ => format!("the {class}"),
    }
}

/// The last part of an internal class name: `Map$Entry` of `java/util/Map$Entry`.
fn java_class(name: &str) -> String {
    let dimensions = name.bytes().take_while(|&byte| byte == b'[').count();
    let element = &name[dimensions..];
    let element = match element.as_bytes() {
        _ if dimensions == 0 => element,
        [b'L', .., b';'] => &element[1..element.len() - 1],
        b"I" => "int",
        b"J" => "long",
        b"Z" => "boolean",
        b"B" => "byte",
        b"C" => "char",
        b"S" => "short",
        b"F" => "float",
        b"D" => "double",
        _ => element,
    };
    let short = element.rsplit('/').next().unwrap_or(element);
    format!("{short}{}", "[]".repeat(dimensions))
}
