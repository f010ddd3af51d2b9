//! Which called methods have no code here, by name: native ones, and ones that are missing from the input.
//!
//! The paper of staged pairs lists both for the user, who knows what they do. Rows of `models` say it of the JDK's.

use std::collections::BTreeSet;

use selvedge_facts::View;
use selvedge_ir::Op;
use selvedge_world::{Method, MethodId, Tier, java_name, java_parameters};

/// How many methods are named.
const MOST_NAMED: usize = 20;

/// What is taken for granted of called methods without code, as sentences.
pub(crate) fn assumptions(view: &View<'_>) -> Vec<String> {
    let native = listed(&natives(view)).map(|list| {
        format!("native methods read and write no memory that others see, and return new objects: {list}")
    });
    let missing = listed(&missing(view))
        .map(|list| format!("missing methods read and write no memory, and return null: {list}"));
    native.into_iter().chain(missing).collect()
}

/// The native methods of the program and its libraries that code calls.
fn natives(view: &View<'_>) -> BTreeSet<String> {
    let program = view.program;
    let is_called = |method: MethodId| !view.analysis.instances_of(method).is_empty();
    let is_own = |method: &Method| program.classes[method.class].tier != Tier::Jdk;
    let natives = program.methods.iter_ids().filter(|(_, method)| method.is_native() && is_own(method));
    natives
        .filter(|(id, _)| is_called(*id))
        .map(|(_, method)| format!("{}.{}", java_name(program.classes[method.class].name), method.name))
        .collect()
}

/// The methods that reached code of the program calls and that no class declares, or whose class is missing.
fn missing(view: &View<'_>) -> BTreeSet<String> {
    let mut missing = BTreeSet::new();
    for (_, body) in view.application_code() {
        let calls = body.insts.iter().filter_map(|data| match &data.op {
            Op::Invoke(_, called) => Some(called),
            _ => None,
        });
        missing.extend(calls.filter(|called| view.program.resolve_method(called).is_err()).map(|called| {
            let parameters = java_parameters(called.descriptor.as_bytes());
            format!("{}.{}{parameters}", java_name(called.owner), called.name)
        }));
    }
    missing
}

/// The first names, and how many more there are; `None` if there is none.
fn listed(names: &BTreeSet<String>) -> Option<String> {
    let first: Vec<&str> = names.iter().take(MOST_NAMED).map(String::as_str).collect();
    let more = match names.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    (!first.is_empty()).then(|| format!("{}{more}", first.join(", ")))
}
