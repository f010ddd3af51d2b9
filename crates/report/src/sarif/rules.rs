//! The rules: one for each kind of memory, with a page that says what it means and what to do.

use selvedge_findings::Kind;

use super::model::{Configuration, Help, Message, Rule, RuleProperties};

/// What a rule says: identifier, name, one line, the harm, the mend.
struct Text {
    id: &'static str,
    name: &'static str,
    short: &'static str,
    harm: &'static str,
    mend: &'static str,
}

fn text(kind: Kind) -> Text {
    match kind {
        Kind::Field => Text {
            id: "race/field",
            name: "FieldRace",
            short: "Two threads use a field at the same time, and one of them writes it",
            harm: "The reader may see a stale value forever, half of a long or double, or an object whose constructor has \
                   not finished; updates such as count++ are lost.",
            mend: "Hold one lock at every access; or make the field volatile if each write stands alone, use an atomic \
                   class if a write depends on the value before, make it final if it never changes.",
        },
        Kind::Static => Text {
            id: "race/static",
            name: "StaticFieldRace",
            short: "Two threads use a static field at the same time, and one of them writes it",
            harm: "The whole program shares the field. The reader may see a stale value forever or an object whose \
                   constructor has not finished; lazy initialisation may happen twice.",
            mend: "Initialise it in its declaration or in a holder class, or guard every access by one static lock; \
                   volatile is enough if each write stands alone.",
        },
        Kind::Array => Text {
            id: "race/array",
            name: "ArrayElementRace",
            short: "Two threads use the elements of an array at the same time, and one of them writes",
            harm: "Elements are like fields that are never volatile, even if the field that holds the array is.",
            mend: "Hold one lock at every access, give each thread its own range, or use an atomic array.",
        },
        Kind::Container => Text {
            id: "race/container",
            name: "ContainerRace",
            short: "Two threads use a collection or buffer that is not thread-safe, and one of them changes it",
            harm: "Its internal structure is corrupted: elements are lost or duplicated, iteration throws, a lookup \
                   may never return.",
            mend: "Use a concurrent collection, or hold one lock at every use, iteration included.",
        },
        Kind::Object => Text {
            id: "race/object",
            name: "ObjectRace",
            short: "Two threads are in methods of one object at the same time",
            harm: "A thread may see the object in an inconsistent state, even where each field by itself is consistent.",
            mend: "Synchronise the methods on the object, or the calls on a lock of its owner.",
        },
    }
}

/// The identifier of the rule for a kind.
pub fn id(kind: Kind) -> &'static str {
    text(kind).id
}

/// The place of the rule in the list.
pub fn index(kind: Kind) -> usize {
    Kind::ALL.iter().position(|it| *it == kind).unwrap_or(0)
}

/// All rules, in the order of [`Kind::ALL`].
pub fn all() -> Vec<Rule> {
    Kind::ALL.into_iter().map(rule).collect()
}

fn rule(kind: Kind) -> Rule {
    let Text { id, name, short, harm, mend } = text(kind);
    let message = |text: String| Message { text };
    Rule {
        id,
        name,
        short_description: message(short.to_owned()),
        full_description: message(format!("{short}. {harm}")),
        help: Help {
            text: format!("{short}.\n\nWhy it matters: {harm}\n\nWhat to do: {mend}"),
            markdown: format!("{short}.\n\n**Why it matters.** {harm}\n\n**What to do.** {mend}"),
        },
        default_configuration: Configuration { level: "warning" },
        properties: RuleProperties { tags: ["concurrency", "data-race"], precision: "medium" },
    }
}
