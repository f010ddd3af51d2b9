//! Rows: which method has which effects, and which methods the JVM itself calls.

use std::fmt;
use std::sync::Arc;

use selvedge_base::{Symbol, entity};
use serde::Deserialize;

use crate::effect::{Argument, Effect};
use crate::name::Class;

entity! {
    /// A row of a [`Models`](crate::Models); rows are numbered in the order of files and lines.
    RowId "row";
}

/// Which methods a row is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Selector {
    /// The class that declares the method.
    pub class: Class,
    /// The method's name.
    pub name: Symbol,
    /// The method's descriptor; without one, all overloads are meant.
    pub descriptor: Option<Symbol>,
    /// Whether methods of subtypes that override it are meant too. A row at a subtype hides this one there
    /// and, if it holds for subtypes itself, below.
    pub subtypes: bool,
}

impl Selector {
    /// Whether a method of the row's own class with this descriptor is meant.
    pub fn admits(&self, descriptor: Symbol) -> bool {
        self.descriptor.is_none_or(|wanted| wanted == descriptor)
    }

    /// Whether a method of a subtype with this descriptor, which may return something more precise, is meant.
    pub fn admits_override(&self, descriptor: Symbol) -> bool {
        let parameters = |descriptor: Symbol| descriptor.as_bytes().split(|byte| *byte == b')').next();
        self.subtypes && self.descriptor.is_none_or(|wanted| parameters(wanted) == parameters(descriptor))
    }
}

/// As `p.C.name(descriptor)`, with `(*)` for all overloads and `p.C+` where subtypes are meant too.
impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plus = if self.subtypes { "+" } else { "" };
        write!(f, "{}{plus}.{}", self.class, self.name)?;
        match self.descriptor {
            Some(descriptor) => write!(f, "{descriptor}"),
            None => write!(f, "(*)"),
        }
    }
}

/// Where a row stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The file: the name of a built-in one, or the path that the user gave.
    pub file: Arc<str>,
    /// The line of its head, from 1.
    pub line: usize,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The releases of the JDK in which a method exists; `None` on a side is no bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Releases {
    /// The first release that has it.
    pub since: Option<u32>,
    /// The last release that has it.
    pub until: Option<u32>,
}

impl Releases {
    /// Whether the method exists in this release.
    pub fn contain(&self, release: u32) -> bool {
        self.since.is_none_or(|since| since <= release) && self.until.is_none_or(|until| release <= until)
    }
}

/// What one method does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The number of the row.
    pub id: RowId,
    /// The methods it is about.
    pub selector: Selector,
    /// What they do.
    pub effects: Arc<[Effect]>,
    /// Whether the effects stand for the body, which is then not analysed. Natives have none anyway.
    pub replace: bool,
    /// What the effects rest on: a section of a specification, the documentation or code of the method.
    pub provenance: Arc<str>,
    /// Who says so: where the row was taken from.
    pub source: Arc<str>,
    /// The releases that have the method as the row describes it.
    pub releases: Releases,
    /// Whether the class may be missing: rows about libraries that not every program has.
    pub optional: bool,
    /// Where the row stands.
    pub origin: Origin,
}

/// In which thread the JVM calls a root.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootThread {
    /// The main thread, before the program's `main`.
    Startup,
    /// A thread of the JVM, at any time.
    Vm,
    /// Every thread of the program, when it ends.
    Ending,
}

/// A method that the JVM itself calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VmRoot {
    /// The class that declares it.
    pub class: Class,
    /// Its name.
    pub name: Symbol,
    /// Its descriptor.
    pub descriptor: Symbol,
    /// Its receiver; `None` for a static method.
    pub receiver: Option<Argument>,
    /// Its arguments, one for each parameter; their places start at `static` or `vm`.
    pub args: Vec<Argument>,
    /// In which thread it runs.
    pub thread: RootThread,
    /// What this rests on.
    pub provenance: Arc<str>,
    /// Where the method exists.
    pub releases: Releases,
    /// Where the root is written.
    pub origin: Origin,
}

impl fmt::Display for VmRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}{}", self.class, self.name, self.descriptor)
    }
}
