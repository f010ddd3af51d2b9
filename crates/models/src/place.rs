//! Places: where the references that an effect speaks of are found.
//!
//! ```text
//! place      = root step*
//! root       = "this" | "arg" number | "result" | "static " class "#" field | "vm " name
//! step       = "[]"                  the elements of the arrays
//!            | "." class "#" field   the field of that class
//!            | "." field             only directly after `this`: the field of the row's own class
//!            | ".*"                  every instance field of reference type
//! ```
//!
//! Arguments count from zero, without the receiver. `static` names a static field, `vm` a cell of the JVM's own
//! memory that no Java code can name (the threads that run, the references that wait to be enqueued): rows that store
//! to it and rows that load from it meet there by its name. Two cells are filled by the analysis itself: `finalizable`
//! with every new object whose class overrides `finalize`, `uncaught-exceptions` with every exception that leaves the
//! first method of a thread. A qualified field extends to its `#` to the left, so it
//! can follow any step but an unqualified field.

use std::fmt;

use selvedge_base::Symbol;
use serde::Deserialize;

use crate::name::{Class, is_identifier};

/// Where a place starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    /// The receiver.
    This,
    /// The argument with this number, counted from zero without the receiver.
    Arg(u16),
    /// The value that the method returns.
    Result,
    /// A static field.
    Static {
        /// The class to look the field up in.
        class: Class,
        /// The field's name.
        field: Symbol,
    },
    /// A cell of the JVM's memory, known by its name only.
    Vm(Symbol),
}

/// A step from objects to what they hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The elements of an array; nothing for other objects.
    Elements,
    /// An instance field; nothing for objects of other classes.
    Field {
        /// The class to look the field up in.
        class: Class,
        /// The field's name.
        field: Symbol,
    },
    /// Every instance field of reference type, of the object's own class and its superclasses.
    EveryField,
}

/// A set of references, described by where they are found: a root, and steps from there.
#[derive(Clone, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Place {
    /// Where it starts.
    pub root: Root,
    /// How it goes on.
    pub steps: Vec<Step>,
}

impl Place {
    /// The receiver.
    pub fn this() -> Place {
        Root::This.into()
    }

    /// The argument with this number.
    pub fn arg(number: u16) -> Place {
        Root::Arg(number).into()
    }

    /// The returned value.
    pub fn result() -> Place {
        Root::Result.into()
    }

    /// Puts the row's class where a field directly after `this` named none.
    pub(crate) fn qualify(&mut self, class: Class) {
        if let (Root::This, Some(Step::Field { class: owner, .. })) = (self.root, self.steps.first_mut())
            && owner.is_unnamed()
        {
            *owner = class;
        }
    }

    /// Reads a place. A field that names no class has an unnamed class until `qualify`.
    pub(crate) fn parse(text: &str) -> Result<Place, String> {
        let complain = |what: &str| format!("the place `{text}` {what}");
        let (root, mut rest) = parse_root(text)?;
        let mut place = Place::from(root);
        while !rest.is_empty() {
            let step = if let Some(after) = rest.strip_prefix("[]") {
                rest = after;
                Step::Elements
            } else if let Some(after) = rest.strip_prefix(".*") {
                rest = after;
                Step::EveryField
            } else if let Some(after) = rest.strip_prefix('.') {
                let stretch = &after[..after.find('[').unwrap_or(after.len())];
                let (class, name_start) = match stretch.find('#') {
                    Some(hash) => (Some(Class::parse(&stretch[..hash])?), hash + 1),
                    None => (None, 0),
                };
                let name = stretch[name_start..].split('.').next().unwrap_or_default();
                if !is_identifier(name) {
                    return Err(complain("has a step without a field's name"));
                }
                rest = &after[name_start + name.len()..];
                let field = Symbol::new(name);
                match class {
                    Some(class) => Step::Field { class, field },
                    None if root == Root::This && place.steps.is_empty() => {
                        Step::Field { class: Class::unnamed(), field }
                    }
                    None => {
                        return Err(complain(
                            "has a field without its class, which is only known directly after `this` (write `.p.C#f`)",
                        ));
                    }
                }
            } else {
                return Err(complain("goes on with neither `[]` nor `.`"));
            };
            place.steps.push(step);
        }
        Ok(place)
    }
}

/// The root that a place starts with, and what follows it.
fn parse_root(text: &str) -> Result<(Root, &str), String> {
    let end = text.find(['.', '[', ' ']).unwrap_or(text.len());
    let (head, rest) = text.split_at(end);
    if let Some(digits) = head.strip_prefix("arg") {
        let canonical = digits == "0" || !digits.starts_with('0');
        if let (true, Ok(number)) = (canonical, digits.parse::<u8>()) {
            return Ok((Root::Arg(u16::from(number)), rest));
        }
    }
    match head {
        "this" => return Ok((Root::This, rest)),
        "result" => return Ok((Root::Result, rest)),
        "static" => {
            let written = rest.trim_start();
            if let Some((class, after)) = written.split_once('#') {
                let end = after.find(['.', '[']).unwrap_or(after.len());
                let (field, rest) = after.split_at(end);
                if is_identifier(field) {
                    return Ok((
                        Root::Static { class: Class::parse(class)?, field: Symbol::new(field) },
                        rest,
                    ));
                }
            }
            return Err(format!("the place `{text}` names no static field (write `static p.C#f`)"));
        }
        "vm" => {
            let written = rest.trim_start();
            let end = written.find(['.', '[']).unwrap_or(written.len());
            let (name, rest) = written.split_at(end);
            if is_identifier(name) {
                return Ok((Root::Vm(Symbol::new(name)), rest));
            }
        }
        _ => {}
    }
    let roots = "`this`, `arg0` to `arg254`, `result`, `static p.C#f` or `vm name`";
    Err(format!("the place `{text}` does not start with {roots}"))
}

impl From<Root> for Place {
    fn from(root: Root) -> Self {
        Place { root, steps: Vec::new() }
    }
}

impl TryFrom<String> for Place {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        Place::parse(&text)
    }
}

/// As rows write it, every field with its class.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.root {
            Root::This => write!(f, "this")?,
            Root::Arg(number) => write!(f, "arg{number}")?,
            Root::Result => write!(f, "result")?,
            Root::Static { class, field } => write!(f, "static {class}#{field}")?,
            Root::Vm(name) => write!(f, "vm {name}")?,
        }
        for step in &self.steps {
            match step {
                Step::Elements => write!(f, "[]")?,
                Step::Field { class, field } => write!(f, ".{class}#{field}")?,
                Step::EveryField => write!(f, ".*")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_prints_as_it_was_written() {
        for text in [
            "this",
            "arg0",
            "arg12[][]",
            "result.*",
            "static java.lang.System#out",
            "static p.C#f[].p.D$E#g",
            "vm threads[]",
            "arg1[].java.lang.reflect.Method#name",
            "this.p.C#f.p.D#g",
        ] {
            assert_eq!(Place::parse(text).map(|place| place.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn a_field_of_this_takes_the_rows_class() {
        let class = Class::parse("p.Row").unwrap();
        let place = |text: &str| {
            let mut place = Place::parse(text).unwrap();
            place.qualify(class);
            place.to_string()
        };
        assert_eq!(place("this.f"), "this.p.Row#f");
        assert_eq!(place("this.f[].p.D#g"), "this.p.Row#f[].p.D#g");
        assert_eq!(place("this.p.D#g"), "this.p.D#g");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("", "does not start with"),
            ("arg", "does not start with"),
            ("arg256", "does not start with"),
            ("arg01", "does not start with"),
            ("thisf", "does not start with"),
            ("arg0.f", "without its class"),
            ("this[].f", "without its class"),
            ("this.f.g", "without its class"),
            ("this.", "without a field's name"),
            ("this[", "neither"),
            ("static p.C.f", "names no static field"),
            ("static int#f", "primitive"),
            ("vm ", "does not start with"),
        ] {
            let error = Place::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
