//! Types so general that nearly every class fits, and what methods expect of parameters that are declared with them.
//!
//! A most general client passes every object it has to every parameter it fits. For a parameter of type `Object` that is
//! every object of the library; from there they go into containers, hash tables and strings of the JDK, and most
//! variables of the analysis end up holding nearly everything. What a library does with an object of which it knows nothing is
//! call the methods of `Object` on it, store it, and hand it back; a few representatives show that as well. Where it
//! wants more of the object it casts it, and what it casts it to can be read off the method.

use selvedge_base::Id;
use selvedge_ir::{Body, ClassName, Op, Value};
use selvedge_world::{MethodId, Program};

/// The general types. All are the JDK's; an application's own marker interface says something about its objects.
const GENERAL: [&str; 7] = [
    "java/lang/Object",
    "java/lang/Comparable",
    "java/lang/Cloneable",
    "java/lang/AutoCloseable",
    "java/io/Serializable",
    "java/io/Closeable",
    "java/io/Externalizable",
];

/// Whether a type is general: one of the listed ones, or an array of them.
pub(crate) fn is_general(class: ClassName) -> bool {
    let bytes = class.as_bytes();
    let dimensions = bytes.iter().take_while(|&&byte| byte == b'[').count();
    let element = match bytes[dimensions..] {
        [b'L', ref name @ .., b';'] if dimensions > 0 => name,
        ref name => name,
    };
    GENERAL.iter().any(|general| general.as_bytes() == element)
}

/// What is assumed when a client only gives representatives.
pub(crate) fn representatives_assumptions() -> [String; 2] {
    let names = GENERAL.map(|name| name.rsplit('/').next().unwrap_or(name)).join(", ");
    [
        format!(
            "where a parameter has one of the types {names} or is an array of them, callers of the library pass objects \
             of their own, and those of the library that the called method casts or tests the parameter for; where it \
             is a collection or map of the JDK, they pass one of their own with elements of the declared types"
        ),
        "callers of the library call methods that the JDK declares on objects of the library's classes only, not on \
         collections and other objects of the JDK that the library returns"
            .to_owned(),
    ]
}

/// The classes that a method casts a parameter to, or tests it for, without general ones; sorted. The receiver counts as
/// a parameter.
pub(super) fn casts_of_parameter(program: &Program, method: MethodId, position: usize) -> Vec<ClassName> {
    let Some(body) = program.body(method) else { return Vec::new() };
    let Some(&parameter) = body.parameters.get(position) else { return Vec::new() };
    casts_of_value(body, parameter)
}

/// The classes that a body casts a value to, or tests it for, without general ones; sorted.
pub(crate) fn casts_of_value(body: &Body, value: Value) -> Vec<ClassName> {
    let same = copies(body, value);
    let mut found: Vec<ClassName> = body
        .insts
        .ids()
        .filter_map(|inst| {
            let (Op::CheckCast(class) | Op::InstanceOf(class)) = body.insts[inst].op else { return None };
            body.args(inst).first().is_some_and(|value| same[value.index()]).then_some(class)
        })
        .filter(|&class| !is_general(class))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The values that are the given one or a choice among values that include it.
fn copies(body: &Body, value: Value) -> Vec<bool> {
    let mut same = vec![false; body.values.len()];
    same[value.index()] = true;
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for inst in body.insts.ids() {
            if let (Op::Phi, Some(result)) = (body.insts[inst].op, body.insts[inst].result)
                && !same[result.index()]
                && body.args(inst).iter().any(|value| same[value.index()])
            {
                same[result.index()] = true;
                changed = true;
            }
        }
    }
    same
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn general_types_and_arrays_of_them() {
        for general in ["java/lang/Object", "[Ljava/lang/Object;", "[[Ljava/lang/Comparable;"] {
            assert!(is_general(ClassName::new(general)), "{general}");
        }
        for special in ["java/lang/String", "[I", "[Ljava/lang/String;", "java/lang/Objects", "p/Object"] {
            assert!(!is_general(ClassName::new(special)), "{special}");
        }
    }
}
