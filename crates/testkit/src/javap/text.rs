//! Reading javap's text, line by line.
//!
//! The layout is fixed by indentation: a class's header and its closing brace in column 0, members in column 2, what
//! belongs to a member (`descriptor:`, `Code:`, tables) in column 4, rows deeper. A member is known to be one by the
//! `descriptor:` line after it; the directives of a module description look like members but have none.

use super::{Class, Code, Handler, Instruction, Method};
use crate::Failure;

/// Which rows the current line may be one of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    None,
    Code,
    Switch,
    Handlers,
    Lines,
}

/// Reads the output of `javap -c -p -l -s`.
pub fn parse(output: &str) -> Result<Vec<Class>, Failure> {
    let mut classes = Vec::new();
    let mut open: Option<Class> = None;
    let mut member = "";
    let mut section = Section::None;
    for (index, line) in output.lines().enumerate() {
        let bad = |what: &str| Failure::new(format!("javap's output, line {}: {what}: {line}", index + 1));
        let body = line.trim_start();
        let indent = line.len() - body.len();
        if indent == 0 {
            if line == "}" {
                classes.push(open.take().ok_or_else(|| bad("a closing brace without a class"))?);
            } else if line.ends_with('{') {
                open = Some(Class { header: line.to_owned(), ..Class::default() });
            } else if line.starts_with("Error") {
                return Err(bad("javap reports an error"));
            }
            section = Section::None;
            continue;
        }
        let Some(class) = &mut open else { return Err(bad("text outside a class")) };
        if indent == 2 {
            (member, section) = (body, Section::None);
            continue;
        }
        // Indexes are set flush right, so long ones reach into the columns of the headings.
        let is_instruction = section == Section::Code && body.starts_with(|c: char| c.is_ascii_digit());
        if indent == 4 && section != Section::Switch && !is_instruction {
            section = Section::None;
            if let Some(descriptor) = body.strip_prefix("descriptor: ") {
                if descriptor.starts_with('(') {
                    let method =
                        Method { header: member.to_owned(), descriptor: descriptor.to_owned(), code: None };
                    class.methods.push(method);
                } else {
                    class.field_descriptors.push(descriptor.to_owned());
                }
                continue;
            }
            section = match body {
                "Code:" => Section::Code,
                "Exception table:" => Section::Handlers,
                "LineNumberTable:" => Section::Lines,
                _ => Section::None,
            };
            if section != Section::None {
                class
                    .methods
                    .last_mut()
                    .ok_or_else(|| bad("code without a method"))?
                    .code
                    .get_or_insert_default();
            }
            continue;
        }
        let code = class.methods.last_mut().and_then(|method| method.code.as_mut());
        let (Some(code), true) = (code, section != Section::None) else { continue };
        section = row(code, section, body).ok_or_else(|| bad("not understood"))?;
    }
    match open {
        Some(class) => Err(Failure::new(format!("javap's output ends inside {}", class.header))),
        None => Ok(classes),
    }
}

/// Reads one row of a section and says which section goes on.
fn row(code: &mut Code, section: Section, body: &str) -> Option<Section> {
    match section {
        Section::None => {}
        Section::Code => {
            let instruction = instruction(body)?;
            let opens_switch = matches!(instruction.mnemonic.as_str(), "tableswitch" | "lookupswitch");
            code.instructions.push(instruction);
            return Some(if opens_switch { Section::Switch } else { Section::Code });
        }
        Section::Switch => {
            if body == "}" {
                return Some(Section::Code);
            }
            let (_, target) = body.split_once(": ")?;
            code.instructions.last_mut()?.switch_targets.push(target.trim().parse().ok()?);
        }
        Section::Handlers => {
            let mut words = body.split_whitespace();
            // The first row is the heading.
            if let Some(Ok(from)) = words.next().map(str::parse) {
                let (to, target) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
                let catches = match (words.next()?, words.next()) {
                    ("any", None) => None,
                    ("Class", Some(class)) => Some(class.trim_matches('"').to_owned()),
                    _ => return None,
                };
                code.handlers.push(Handler { from, to, target, catches });
            }
        }
        Section::Lines => {
            let (line, start) = body.strip_prefix("line ")?.split_once(": ")?;
            code.lines.push((start.parse().ok()?, line.parse().ok()?));
        }
    }
    Some(section)
}

/// Reads `9: invokevirtual #1                  // Method java/lang/Object.hashCode:()I`.
fn instruction(body: &str) -> Option<Instruction> {
    let (bci, rest) = body.split_once(": ")?;
    let (plain, comment) = rest.split_once("// ").unwrap_or((rest, ""));
    let (mnemonic, operand) = plain.trim().split_once(' ').unwrap_or((plain.trim(), ""));
    Some(Instruction {
        bci: bci.parse().ok()?,
        mnemonic: mnemonic.to_owned(),
        operand: operand.trim().to_owned(),
        comment: comment.trim().to_owned(),
        switch_targets: Vec::new(),
    })
}
