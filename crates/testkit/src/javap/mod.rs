//! What `javap` says about classes: the independent reader that ours is held against.
//!
//! [`disassemble`] runs `javap -c -p -l -s` over many class files at once and [`parse`] reads its text. The result keeps
//! every instruction with its index, mnemonic, operand and comment; [`Site`] is what the comments say about calls, field
//! accesses and allocations, and [`Code::certainly_reachable`] tells dead code from code that a reader forgot.

mod reach;
mod site;
mod text;

pub use site::{Reference, Site};
pub use text::parse;

use crate::{Failure, Jdk, run_with_timeout};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// A class as javap shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Class {
    /// The line that declares it, as in `public class p.C<T> extends p.B {`.
    pub header: String,
    /// The types of its fields, in the order of the class file.
    pub field_descriptors: Vec<String>,
    /// Its methods, in the order of the class file.
    pub methods: Vec<Method>,
}

/// A method as javap shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Method {
    /// The line that declares it, without indentation. Constructors have their class's name there.
    pub header: String,
    /// Argument and result types.
    pub descriptor: String,
    /// Its code, unless it is abstract or native.
    pub code: Option<Code>,
}

/// The code of a method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// The instructions by ascending index.
    pub instructions: Vec<Instruction>,
    /// The exception table in its order.
    pub handlers: Vec<Handler>,
    /// The line table in its order, as (bytecode index, line).
    pub lines: Vec<(u32, u32)>,
}

/// One instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instruction {
    /// Its bytecode index.
    pub bci: u32,
    /// Its name.
    pub mnemonic: String,
    /// What follows the name up to the comment, as in `#7` or `16` or `int`.
    pub operand: String,
    /// The comment that javap adds, as in `Method java/lang/Object.hashCode:()I`.
    pub comment: String,
    /// The targets of a switch, its default last.
    pub switch_targets: Vec<u32>,
}

/// One row of the exception table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// The first index that is covered.
    pub from: u32,
    /// The first index after it that is not.
    pub to: u32,
    /// Where the handler is.
    pub target: u32,
    /// The class that is caught, with slashes; `None` catches everything.
    pub catches: Option<String>,
}

impl Code {
    /// The lines that the table allows for an index: those of the entries nearest before it.
    pub fn lines_at(&self, bci: u32) -> Vec<u32> {
        let nearest = self.lines.iter().map(|&(start, _)| start).filter(|&start| start <= bci).max();
        let there = self.lines.iter().filter(|&&(start, _)| Some(start) == nearest);
        there.map(|&(_, line)| line).collect()
    }
}

/// Runs javap over class files. The classes come in the order of the files.
pub fn disassemble(jdk: &Jdk, class_files: &[PathBuf]) -> Result<Vec<Class>, Failure> {
    let mut command = Command::new(&jdk.javap);
    command.args(["-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1"]);
    command.args(["-J-Dfile.encoding=UTF-8", "-J-Dstdout.encoding=UTF-8"]);
    command.args(["-c", "-p", "-l", "-s"]);
    command.args(class_files);
    let run = run_with_timeout(command, Duration::from_secs(300))?;
    if run.exit_code != Some(0) {
        return Err(Failure::new(format!("javap failed\n{}{}", run.stdout, run.stderr)));
    }
    let classes = parse(&run.stdout)?;
    if classes.len() != class_files.len() {
        let (shown, asked) = (classes.len(), class_files.len());
        return Err(Failure::new(format!("javap showed {shown} classes of {asked}\n{}", run.stderr)));
    }
    Ok(classes)
}
