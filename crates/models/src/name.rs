//! Names as rows write them and as the rest of the project has them.
//!
//! Rows write classes as in Java sources with `$` for nested ones (`java.util.Map$Entry`, `byte[]`,
//! `java.lang.String[][]`) and descriptors as in class files. Inside, a class is its internal name
//! (`java/util/Map$Entry`) or, for an array, its descriptor (`[B`, `[[Ljava/lang/String;`): the same texts that class
//! files hold in `CONSTANT_Class`.

use std::fmt;

use selvedge_base::Symbol;
use serde::Deserialize;

/// The internal name of a class or the descriptor of an array type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Class(Symbol);

impl Class {
    /// Reads a class as rows write it: `java.util.Map$Entry`, `byte[]`.
    pub fn parse(text: &str) -> Result<Class, String> {
        let element = text.trim_end_matches("[]");
        let dimensions = (text.len() - element.len()) / 2;
        let descriptor = match primitive_descriptor(element) {
            Some(_) if dimensions == 0 => {
                return Err(format!(
                    "`{text}` is a primitive type, where a class or an array type is needed"
                ));
            }
            Some(letter) => letter.to_owned(),
            None => {
                if !element.split('.').all(is_identifier) {
                    return Err(format!("`{text}` is not a class name (write `p.Outer$Nested` or `p.C[]`)"));
                }
                let internal = element.replace('.', "/");
                if dimensions == 0 {
                    return Ok(Class(Symbol::new(internal)));
                }
                format!("L{internal};")
            }
        };
        Ok(Class(Symbol::new("[".repeat(dimensions) + &descriptor)))
    }

    /// The class with this internal name (or array descriptor).
    pub fn from_symbol(name: Symbol) -> Class {
        Class(name)
    }

    /// The internal name (or array descriptor).
    pub fn symbol(self) -> Symbol {
        self.0
    }

    /// Stands in a place that was just read for the row's own class.
    pub(crate) fn unnamed() -> Class {
        Class(Symbol::new(""))
    }

    /// Whether this is [`unnamed`](Self::unnamed).
    pub(crate) fn is_unnamed(self) -> bool {
        self.0.as_bytes().is_empty()
    }

    /// Whether this is an array type.
    pub fn is_array(self) -> bool {
        self.0.as_bytes().first() == Some(&b'[')
    }
}

impl TryFrom<String> for Class {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        Class::parse(&text)
    }
}

/// As rows write it.
impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        let element = text.trim_start_matches('[');
        let dimensions = text.len() - element.len();
        let name = match element {
            _ if dimensions == 0 => element.replace('/', "."),
            _ => match element.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) {
                Some(internal) => internal.replace('/', "."),
                None => primitive_name(element).unwrap_or(element).to_owned(),
            },
        };
        write!(f, "{name}{}", "[]".repeat(dimensions))
    }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

const PRIMITIVES: [(&str, &str); 8] = [
    ("boolean", "Z"),
    ("byte", "B"),
    ("char", "C"),
    ("double", "D"),
    ("float", "F"),
    ("int", "I"),
    ("long", "J"),
    ("short", "S"),
];

fn primitive_descriptor(name: &str) -> Option<&'static str> {
    PRIMITIVES.iter().find(|(java, _)| *java == name).map(|(_, letter)| *letter)
}

fn primitive_name(descriptor: &str) -> Option<&'static str> {
    PRIMITIVES.iter().find(|(_, letter)| *letter == descriptor).map(|(java, _)| *java)
}

/// Whether a text can be one part of a class name, or the name of a field, in what Java compilers emit.
pub(crate) fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '-'))
}

/// Whether a text can be the name of a method.
pub(crate) fn is_method_name(text: &str) -> bool {
    matches!(text, "<init>" | "<clinit>") || is_identifier(text)
}

/// A method descriptor, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Signature<'a> {
    /// The parameters' descriptors.
    pub parameters: Vec<&'a str>,
    /// The result's descriptor, or `V`.
    pub result: &'a str,
}

impl<'a> Signature<'a> {
    /// Takes a method descriptor apart; `None` where it is malformed.
    pub fn parse(descriptor: &'a str) -> Option<Signature<'a>> {
        let (parameters, result) = descriptor.strip_prefix('(')?.split_once(')')?;
        let mut rest = parameters;
        let mut parsed = Vec::new();
        while !rest.is_empty() {
            let length = type_length(rest)?;
            parsed.push(&rest[..length]);
            rest = &rest[length..];
        }
        let well_formed = result == "V" || type_length(result) == Some(result.len());
        well_formed.then_some(Signature { parameters: parsed, result })
    }
}

/// Whether the type descriptor is one of a reference.
pub(crate) fn is_reference(descriptor: &str) -> bool {
    descriptor.starts_with(['L', '['])
}

/// The class of a reference type's descriptor.
pub(crate) fn class_of_descriptor(descriptor: &str) -> Option<Class> {
    let internal = descriptor.strip_prefix('L').and_then(|rest| rest.strip_suffix(';'));
    match internal {
        Some(name) => Some(Class(Symbol::new(name))),
        None => descriptor.starts_with('[').then(|| Class(Symbol::new(descriptor))),
    }
}

/// The length of the type descriptor that the text starts with.
fn type_length(text: &str) -> Option<usize> {
    let dimensions = text.len() - text.trim_start_matches('[').len();
    let element = &text[dimensions..];
    let length = match element.chars().next()? {
        'L' => {
            let end = element.find(';')?;
            (end > 1).then_some(end + 1)?
        }
        letter => PRIMITIVES.iter().any(|(_, p)| p.starts_with(letter)).then_some(1)?,
    };
    Some(dimensions + length)
}

/// A method named by an effect: `run()V`, or with its class `java.lang.Thread#exit()V`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct MethodRef {
    /// The class, where the method is not looked up in the class of a receiver.
    pub class: Option<Class>,
    /// The name; `<init>` for a constructor.
    pub name: Symbol,
    /// The descriptor, as in class files.
    pub descriptor: Symbol,
}

impl MethodRef {
    /// Reads `name(descriptor)` or `p.C#name(descriptor)`.
    pub fn parse(text: &str) -> Result<MethodRef, String> {
        let complain = || format!("`{text}` is not a method (write `run()V` or `p.C#run()V`)");
        let (class, member) = match text.split_once('#') {
            Some((class, member)) => (Some(Class::parse(class)?), member),
            None => (None, text),
        };
        let open = member.find('(').ok_or_else(complain)?;
        let (name, descriptor) = member.split_at(open);
        if !is_method_name(name) || Signature::parse(descriptor).is_none() {
            return Err(complain());
        }
        Ok(MethodRef { class, name: Symbol::new(name), descriptor: Symbol::new(descriptor) })
    }

    /// How many parameters the method has, without the receiver.
    pub fn parameter_count(&self) -> usize {
        let descriptor = self.descriptor.as_str().unwrap_or_default();
        Signature::parse(descriptor).map_or(0, |signature| signature.parameters.len())
    }
}

impl TryFrom<String> for MethodRef {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        MethodRef::parse(&text)
    }
}

/// As rows write it.
impl fmt::Display for MethodRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(class) = self.class {
            write!(f, "{class}#")?;
        }
        write!(f, "{}{}", self.name, self.descriptor)
    }
}

impl fmt::Debug for MethodRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_in_and_out() {
        let internal = |text: &str| Class::parse(text).map(|class| class.symbol().to_string());
        assert_eq!(internal("java.util.Map$Entry").as_deref(), Ok("java/util/Map$Entry"));
        assert_eq!(internal("byte[][]").as_deref(), Ok("[[B"));
        assert_eq!(internal("java.lang.String[]").as_deref(), Ok("[Ljava/lang/String;"));
        for text in ["java.util.Map$Entry", "byte[][]", "java.lang.String[]", "Main"] {
            assert_eq!(Class::parse(text).unwrap().to_string(), text);
        }
        for wrong in ["", "int", "java/util/Map", "a..b", "a.b;", "[]"] {
            assert!(Class::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn signatures() {
        let parsed = Signature::parse("(I[[JLjava/lang/String;)[B").unwrap();
        assert_eq!(parsed, Signature { parameters: vec!["I", "[[J", "Ljava/lang/String;"], result: "[B" });
        for wrong in ["", "()", "(V)V", "(L;)V", "(Lx)V", "()VV", "([)V", "I"] {
            assert_eq!(Signature::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn methods() {
        let method = MethodRef::parse("java.lang.Thread#<init>(Ljava/lang/String;)V").unwrap();
        assert_eq!(method.to_string(), "java.lang.Thread#<init>(Ljava/lang/String;)V");
        assert_eq!(method.parameter_count(), 1);
        assert!(MethodRef::parse("run").is_err() && MethodRef::parse("run()").is_err());
    }
}
