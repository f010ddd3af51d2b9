//! Where something is: lines of code, memory locations, objects, threads, locks. All by name, as a Java programmer
//! writes them.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::name::{class_of, package_of, short_method};

/// A place in the code.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Frame {
    /// The method, as [`method_name`](crate::method_name) writes it: `p.C.m(int,java.lang.String)`.
    pub method: String,
    /// The source file's bare name as the class file gives it (`C.java`), if it does.
    pub file: Option<String>,
    /// The source line, if the class file has lines.
    pub line: Option<u32>,
    /// The index of the bytecode. In the JSON only where there is no line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytecode_index: Option<u32>,
}

impl Frame {
    /// The method as such, at no line.
    pub fn new(method: impl Into<String>) -> Self {
        Self { method: method.into(), ..Self::default() }
    }

    /// The same method at a line of its source file.
    pub fn at(self, file: impl Into<String>, line: u32) -> Self {
        Self { file: Some(file.into()), line: Some(line), bytecode_index: None, ..self }
    }

    /// The same method at a bytecode, for classes without lines.
    pub fn at_bytecode(self, index: u32) -> Self {
        Self { line: None, bytecode_index: Some(index), ..self }
    }

    /// `C.java:12`; without a line the file and the bytecode, without a file the class's simple name: `C.java@7`, `C@7`.
    pub fn place(&self) -> String {
        let file = match &self.file {
            Some(file) => file.as_str(),
            None => crate::short_class(class_of(&self.method)),
        };
        match (self.line, self.bytecode_index) {
            (Some(line), _) => format!("{file}:{line}"),
            (None, Some(index)) => format!("{file}@{index}"),
            (None, None) => file.to_owned(),
        }
    }

    /// Whether the method is one that javac made before Java 11 so that nested classes get at each other's private members; no source
    /// has it.
    pub fn is_accessor(&self) -> bool {
        short_method(&self.method).contains(".access$")
    }

    /// The source file below a source root, `p/C.java`, if the class file names it.
    pub fn source_path(&self) -> Option<String> {
        let file = self.file.as_deref()?;
        let package = package_of(class_of(&self.method));
        Some(if package.is_empty() {
            file.to_owned()
        } else {
            format!("{}/{file}", package.replace('.', "/"))
        })
    }
}

/// A field by its declaring class.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct FieldRef {
    /// The declaring class, `p.C`.
    pub class: String,
    /// The field's name.
    pub field: String,
}

/// The memory that two threads touch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Deserialize)]
pub struct Location {
    /// The class that declares the field; for arrays, containers and objects their own class (`int[]`,
    /// `java.util.HashMap`).
    pub class: String,
    /// The field's name, for fields and statics.
    #[serde(default)]
    pub field: Option<String>,
    /// For arrays, containers and objects: the fields that may hold them, sorted.
    #[serde(default)]
    pub held_by: Vec<FieldRef>,
}

impl Location {
    /// A field, static or not.
    pub fn field(class: impl Into<String>, field: impl Into<String>) -> Self {
        Self { class: class.into(), field: Some(field.into()), held_by: Vec::new() }
    }

    /// An array, a container, an object of this class, with the fields that may hold it.
    pub fn object(class: impl Into<String>, mut held_by: Vec<FieldRef>) -> Self {
        held_by.sort();
        held_by.dedup();
        Self { class: class.into(), field: None, held_by }
    }

    /// The outermost class that has the memory: of a field its own, of an object that of the first field that may hold it.
    pub fn owner(&self) -> &str {
        let holder = self.held_by.first().map(|holder| holder.class.as_str());
        let class = holder.unwrap_or(&self.class);
        class.split('$').next().filter(|outermost| !outermost.is_empty()).unwrap_or(class)
    }
}

impl std::fmt::Display for Location {
    /// `p.C.f`; for what is no field its class, and the first holder if one is known: `int[] in p.C.f`.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.field, self.held_by.first()) {
            (Some(field), _) => write!(out, "{}.{field}", self.class),
            (None, Some(holder)) => write!(out, "{} in {}.{}", self.class, holder.class, holder.field),
            (None, None) => out.write_str(&self.class),
        }
    }
}

/// By hand because exactly one of `field` and `held_by` is written: `held_by` belongs to what is no field, even if empty.
impl Serialize for Location {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut location = serializer.serialize_struct("Location", 2)?;
        location.serialize_field("class", &self.class)?;
        match &self.field {
            Some(field) => location.serialize_field("field", field)?,
            None => location.serialize_field("held_by", &self.held_by)?,
        }
        location.end()
    }
}

/// The object whose field, element or content is raced for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct ObjectInfo {
    /// Its class.
    pub class: String,
    /// Where it is created, if that is known.
    pub allocated_at: Option<Frame>,
}

impl ObjectInfo {
    /// An object of `class` that is created at `allocated_at`.
    pub fn new(class: impl Into<String>, allocated_at: Option<Frame>) -> Self {
        Self { class: class.into(), allocated_at }
    }
}

/// Which thread an access is by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct ThreadInfo {
    /// Where the thread is started or the task handed over. `None`: by nobody in the program (the main thread, a client
    /// of the library, a framework).
    pub spawned_at: Option<Frame>,
    /// The first method that it runs.
    pub entry: String,
    /// Whether there can be several such threads at the same time.
    pub many: bool,
    /// How a person calls it, where the entry does not say it: `main`, `pool-1-thread-2`; [`JVM`](Self::JVM) and
    /// [`INITIALIZER`](Self::INITIALIZER) are kinds rather than names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl ThreadInfo {
    /// The name of threads that the JVM has for itself.
    pub const JVM: &str = "JVM";
    /// The name of whichever thread initialises a class.
    pub const INITIALIZER: &str = "initializer";

    /// A thread of the JVM, for finalisers, shutdown or signals, which calls `entry`.
    pub fn of_the_jvm(entry: impl Into<String>) -> Self {
        Self::main(entry).named(Self::JVM)
    }

    /// The thread that happens to initialise a class, and so comes to `entry`.
    pub fn initializer(entry: impl Into<String>) -> Self {
        Self::main(entry).named(Self::INITIALIZER)
    }

    /// The main thread, which begins in `entry`.
    pub fn main(entry: impl Into<String>) -> Self {
        Self { spawned_at: None, entry: entry.into(), many: false, name: Some("main".to_owned()) }
    }

    /// A thread that is started at `spawned_at` and begins in `entry`.
    pub fn spawned(spawned_at: Frame, entry: impl Into<String>, many: bool) -> Self {
        Self { spawned_at: Some(spawned_at), entry: entry.into(), many, name: None }
    }

    /// Any thread from outside the program that calls `entry`: a client of the library, a framework.
    pub fn caller_of(entry: impl Into<String>) -> Self {
        Self { spawned_at: None, entry: entry.into(), many: true, name: None }
    }

    /// The same thread with a name for people.
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }
}

/// How a lock is held.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LockMode {
    /// Against everyone.
    #[default]
    Exclusive,
    /// Together with other readers.
    Shared,
}

/// A lock that is held on every way to an access.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Lock {
    /// What a programmer would write: `this`, `bank.Account.class`, `bank.Bank.lock`.
    pub name: String,
    /// How it is held.
    pub mode: LockMode,
    /// Where it is taken, if at one place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_at: Option<Frame>,
}

impl Lock {
    /// A lock held exclusively.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), mode: LockMode::Exclusive, taken_at: None }
    }

    /// The same lock, held together with other readers.
    pub fn shared(self) -> Self {
        Self { mode: LockMode::Shared, ..self }
    }

    /// The same lock, taken at this place.
    pub fn taken_at(self, frame: Frame) -> Self {
        Self { taken_at: Some(frame), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_fall_back_to_what_is_known() {
        let frame = Frame::new("p.Outer$In.m(int)");
        assert_eq!(frame.place(), "Outer$In");
        assert_eq!(frame.clone().at_bytecode(7).place(), "Outer$In@7");
        assert_eq!(frame.clone().at("Outer.java", 3).place(), "Outer.java:3");
        assert_eq!(frame.at("Outer.java", 3).source_path().unwrap(), "p/Outer.java");
        assert_eq!(Frame::new("Main.main()").at("Main.java", 1).source_path().unwrap(), "Main.java");
    }

    #[test]
    fn locations_write_one_of_field_and_holders() {
        let json = |location: &Location| serde_json::to_string(location).unwrap();
        assert_eq!(json(&Location::field("p.C", "f")), r#"{"class":"p.C","field":"f"}"#);
        assert_eq!(json(&Location::object("int[]", vec![])), r#"{"class":"int[]","held_by":[]}"#);
        let holder = |field: &str| FieldRef { class: "p.C".into(), field: field.into() };
        let array = Location::object("int[]", vec![holder("b"), holder("a"), holder("b")]);
        assert_eq!(array.to_string(), "int[] in p.C.a");
        assert_eq!(serde_json::from_str::<Location>(&json(&array)).unwrap(), array);
    }
}
