//! What an instruction does to the world outside its method: calls, field accesses, allocations, monitors.

use super::Instruction;
use crate::Failure;

/// A field or method as a class file names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// The class, with slashes.
    pub owner: String,
    /// The member's name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
}

/// An instruction's effect, as far as an independent reader can tell it. Classes are named with slashes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Site {
    /// `invokevirtual`, `invokeinterface`, `invokespecial` or `invokestatic`.
    Call {
        /// The instruction's name without `invoke`.
        kind: String,
        /// What is called.
        method: Reference,
        /// Whether the reference says that the owner is an interface.
        interface: bool,
    },
    /// `invokedynamic`.
    Dynamic {
        /// The name given to the bootstrap method.
        name: String,
        /// Argument and result types of the call.
        descriptor: String,
    },
    /// `getfield`, `putfield`, `getstatic` or `putstatic`.
    Access {
        /// The instruction's name.
        kind: String,
        /// What is accessed.
        field: Reference,
    },
    /// `new`.
    New(String),
    /// `newarray` and `anewarray`: the descriptor of the array.
    NewArray(String),
    /// `multianewarray`: the array's descriptor and the number of given lengths.
    NewMultiArray(String, usize),
    /// `monitorenter`.
    MonitorEnter,
    /// `monitorexit`.
    MonitorExit,
}

impl Site {
    /// The site of an instruction of the class `this` (with slashes), if it is one.
    pub fn of(instruction: &Instruction, this: &str) -> Result<Option<Site>, Failure> {
        let understood = site(instruction, this);
        understood.ok_or_else(|| Failure::new(format!("cannot read javap's comment of {instruction:?}")))
    }
}

/// `Some(None)` is an instruction that is no site, `None` one that is but cannot be read.
fn site(instruction: &Instruction, this: &str) -> Option<Option<Site>> {
    let Instruction { mnemonic, operand, comment, .. } = instruction;
    let class = || name(comment.strip_prefix("class ")?).map(|(name, _)| name);
    Some(Some(match mnemonic.as_str() {
        "invokedynamic" => {
            // `InvokeDynamic #0:run:()Ljava/lang/Runnable;`
            let (_, rest) = comment.strip_prefix("InvokeDynamic #")?.split_once(':')?;
            let (name, descriptor) = name(rest)?;
            Site::Dynamic { name, descriptor: descriptor.strip_prefix(':')?.to_owned() }
        }
        "invokevirtual" | "invokeinterface" | "invokespecial" | "invokestatic" => {
            let interface = comment.starts_with("InterfaceMethod ");
            let (_, rest) = comment.split_once("Method ")?;
            let kind = mnemonic.strip_prefix("invoke")?.to_owned();
            Site::Call { kind, method: reference(rest, this)?, interface }
        }
        "getfield" | "putfield" | "getstatic" | "putstatic" => {
            let field = reference(comment.strip_prefix("Field ")?, this)?;
            Site::Access { kind: mnemonic.clone(), field }
        }
        "new" => Site::New(class()?),
        "newarray" => Site::NewArray(format!("[{}", primitive_descriptor(operand)?)),
        "anewarray" => {
            let element = class()?;
            let is_array = element.starts_with('[');
            Site::NewArray(if is_array { format!("[{element}") } else { format!("[L{element};") })
        }
        "multianewarray" => Site::NewMultiArray(class()?, operand.split_once(',')?.1.trim().parse().ok()?),
        "monitorenter" => Site::MonitorEnter,
        "monitorexit" => Site::MonitorExit,
        _ => return Some(None),
    }))
}

fn primitive_descriptor(name: &str) -> Option<char> {
    Some(match name {
        "boolean" => 'Z',
        "byte" => 'B',
        "char" => 'C',
        "short" => 'S',
        "int" => 'I',
        "long" => 'J',
        "float" => 'F',
        "double" => 'D',
        _ => return None,
    })
}

/// Reads `owner.name:descriptor`; javap leaves the owner out where it is the class itself.
fn reference(text: &str, this: &str) -> Option<Reference> {
    let (first, rest) = name(text)?;
    let (owner, name, rest) = match rest.strip_prefix('.') {
        Some(rest) => {
            let (name, rest) = name(rest)?;
            (first, name, rest)
        }
        None => (this.to_owned(), first, rest),
    };
    Some(Reference { owner, name, descriptor: rest.strip_prefix(':')?.to_owned() })
}

/// Splits a name off. Names that are no Java identifiers stand in quotes, with escapes.
fn name(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(['.', ':']).unwrap_or(text.len());
        return Some((text[..end].to_owned(), &text[end..]));
    };
    let mut unescaped = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((unescaped, &quoted[at + 1..])),
            '\\' => unescaped.push(match characters.next()?.1 {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'b' => '\u{8}',
                'f' => '\u{c}',
                other => other,
            }),
            other => unescaped.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mnemonic: &str, operand: &str, comment: &str, expected: Option<Site>) {
        let instruction = Instruction {
            mnemonic: mnemonic.to_owned(),
            operand: operand.to_owned(),
            comment: comment.to_owned(),
            ..Instruction::default()
        };
        assert_eq!(Site::of(&instruction, "p/This").unwrap(), expected, "{comment}");
    }

    fn member(owner: &str, name: &str, descriptor: &str) -> Reference {
        Reference { owner: owner.to_owned(), name: name.to_owned(), descriptor: descriptor.to_owned() }
    }

    #[test]
    fn references_with_and_without_owner_and_quotes() {
        let call =
            |kind: &str, method, interface| Some(Site::Call { kind: kind.to_owned(), method, interface });
        let object_init = member("java/lang/Object", "<init>", "()V");
        check(
            "invokespecial",
            "#1",
            "Method java/lang/Object.\"<init>\":()V",
            call("special", object_init, false),
        );
        check(
            "invokespecial",
            "#1",
            "Method \"<init>\":()V",
            call("special", member("p/This", "<init>", "()V"), false),
        );
        let clone = member("[Lp/E;", "clone", "()Ljava/lang/Object;");
        check(
            "invokevirtual",
            "#1",
            "Method \"[Lp/E;\".clone:()Ljava/lang/Object;",
            call("virtual", clone, false),
        );
        let size = member("java/util/List", "size", "()I");
        check(
            "invokeinterface",
            "#1,  1",
            "InterfaceMethod java/util/List.size:()I",
            call("interface", size, true),
        );
        let field = |kind: &str, field| Some(Site::Access { kind: kind.to_owned(), field });
        check("getfield", "#1", "Field x:I", field("getfield", member("p/This", "x", "I")));
        let odd = member("p/a-b", "c\"\\d", "J");
        check("putstatic", "#1", "Field \"p/a-b\".\"c\\\"\\\\d\":J", field("putstatic", odd));
    }

    #[test]
    fn allocations_and_the_rest() {
        let dynamic =
            Site::Dynamic { name: "run".to_owned(), descriptor: "()Ljava/lang/Runnable;".to_owned() };
        check("invokedynamic", "#4,  0", "InvokeDynamic #0:run:()Ljava/lang/Runnable;", Some(dynamic));
        check("new", "#1", "class java/lang/String", Some(Site::New("java/lang/String".to_owned())));
        check("newarray", "int", "", Some(Site::NewArray("[I".to_owned())));
        check("anewarray", "#1", "class p/E", Some(Site::NewArray("[Lp/E;".to_owned())));
        check("anewarray", "#1", "class \"[I\"", Some(Site::NewArray("[[I".to_owned())));
        check("multianewarray", "#1,  2", "class \"[[I\"", Some(Site::NewMultiArray("[[I".to_owned(), 2)));
        check("monitorenter", "", "", Some(Site::MonitorEnter));
        check("ldc", "#1", "class java/lang/String", None);
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        let instruction = Instruction { mnemonic: "getfield".to_owned(), ..Instruction::default() };
        assert!(Site::of(&instruction, "p/This").is_err());
    }
}
