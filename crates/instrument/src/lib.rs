//! Rewrites class files so that they tell a run-time detector what they do.
//!
//! An [`Instrumenter`] takes the bytes of a class and, by a [`Plan`] and what the caller knows of fields ([`World`]), puts calls
//! of hooks between the instructions: before plain accesses, around volatile ones, after a monitor is entered and before
//! it is left. The hooks are static methods of a small Java class ([`selvedge_hooks`]), which the agent defines in the boot
//! loader. What a class is decides what is done to it ([`Role`]):
//!
//! - *Application*: accesses, monitors, waits, volatile variables, handles, calls on containers of the library. Every plain
//!   field gets words that say who has accessed it last, and methods that test them ([`members`]).
//! - *Library*: monitors and what java.util.concurrent is made of: volatile fields, variable handles, `Unsafe`; and the locks,
//!   starts and joins that the rows of `models` name, at the entry and the exits of the bodies ([`library`]).
//! - *Other*: nothing.
//!
//! Inserted code keeps to the rules of the verifier: hooks take `Object`, never an object whose constructor has not yet called
//! another one. A method that cannot be rewritten (it would be too large, say) stays as it was and is reported to the caller; so does
//! a class. Without anything to report a class stays the same to the byte. Methods of which the plan has two versions get two bodies
//! ([`versions`]).

mod accesses;
mod calls;
mod delayed;
mod fills;
mod finals;
pub mod hold;
mod hooks;
pub mod library;
mod linear;
mod loops;
pub mod members;
mod method;
mod monitors;
mod redundant;
mod role;
mod serial;
mod sha1;
mod sources;
mod synchronized;
mod variables;
mod versions;

use selvedge_base::{FastMap, FastSet};
use selvedge_classfile::edit::ClassEditor;
use selvedge_classfile::{ClassFile, Error, Member, access};
use selvedge_hooks::{NAME as SUPPORT_NAME, VIEW_NAME};
use selvedge_models::{Effect, Models, Row};
use selvedge_protocol::{Granularity, Plan, SiteEntry};

pub use fills::Allocation;
pub use members::{Stub, Tests};
pub use role::{Role, is_jdk};
use versions::{Bodies, Tokens};

/// What is known of a field when a class that uses it is rewritten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldKind {
    /// Neither volatile nor final.
    Plain,
    /// Volatile.
    Volatile,
    /// Final: never reports.
    Final,
    /// The class that declares it has not been seen yet.
    Unknown,
}

/// What a class says of the fields that it declares: name and kind. A final field that may be written after another thread has the object is plain.
pub fn field_kinds(class: &ClassFile<'_>) -> Vec<(String, FieldKind)> {
    let late = finals::late(class);
    let kind = |field: &Member<'_>| {
        if field.access & access::VOLATILE != 0 {
            FieldKind::Volatile
        } else if field.access & access::FINAL != 0 && !late.contains(field.name) {
            FieldKind::Final
        } else {
            FieldKind::Plain
        }
    };
    class.fields.iter().map(|field| (String::from_utf8_lossy(field.name).into_owned(), kind(field))).collect()
}

/// A field as an instruction names it; the class may inherit it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldName<'n> {
    /// The class's internal name.
    pub owner: &'n str,
    /// The field's name.
    pub name: &'n str,
}

/// What the rewriting of classes shares with the rest of a run.
pub trait World {
    /// A number for a site; `target` is the field that it accesses, or the method that it calls (owner and name with
    /// descriptor).
    fn site(&mut self, site: SiteEntry, target: Option<FieldName<'_>>) -> u32;
    /// What is known of a field of another class.
    fn field_kind(&self, field: FieldName<'_>) -> FieldKind;
    /// Whether the class that an access names, or one above it, has methods that test the field's words, or will have them when it
    /// is loaded: then [`World::stubs`] says so.
    fn has_test(&mut self, field: FieldName<'_>) -> bool;
    /// What a class that is rewritten must have because others rely on it. `above` is the superclass, if it is one that can have
    /// tests itself.
    fn stubs(&mut self, class: &str, above: Option<&str>) -> Vec<Stub>;
    /// A number for a field with words, of the class that is rewritten: class, name, position in rows, their length, and what the names of words begin
    /// with, with colons between them.
    fn field_number(&mut self, described: &str) -> u32;
    /// Whether a class of the application (internal name) is known to inherit from a class of the library other than `Object`.
    fn extends_library(&self, class: &str) -> bool;

    /// The instructions of a method (internal class name; name and descriptor) that are no longer watched.
    fn faded(&self, _class: &str, _method: &str) -> FastSet<u32> {
        FastSet::default()
    }

    /// A number for a method (internal class name; name and descriptor) with a loop, by which it says that it is entered, if anybody wants to know.
    fn loop_number(&mut self, _class: &str, _method: &str) -> Option<u32> {
        None
    }

    /// The array that is accessed at a site, or the object that is called, was likely read from this field.
    fn held_by(&mut self, _site: u32, _field: FieldName<'_>) {}

    /// A method stores something other than `null` into a field of arrays, or (`is_element`) into an array that was likely read from it: what this
    /// allocation has made, or something unknown.
    fn fills(&mut self, _field: FieldName<'_>, _is_element: bool, _made: Option<Allocation>) {}

    /// The call at a site, which has just got its number, runs the method that it names, whatever class the receiver has.
    fn special(&mut self, site: u32);

    /// A number for a method (internal class name; name and descriptor) that a plan lists.
    fn method_number(&mut self, class: &str, method: &str) -> u32;
    /// The number of a static field; 0 if there are no more.
    fn static_slot(&mut self, field: FieldName<'_>) -> u32;
    /// A method was left as it was.
    fn skipped(&mut self, class: &str, method: &str, why: &Error);
}

/// What to do, for all classes of a run.
#[derive(Debug)]
pub struct Instrumenter {
    plan: Plan,
    models: Models,
    /// What calls leave for methods with versions.
    tokens: Tokens,
    /// The names of methods that some row says to read or change the content of their receiver.
    container_methods: FastSet<Vec<u8>>,
    /// The classes that such rows are about, by internal name.
    container_classes: FastSet<Vec<u8>>,
    /// Whether classes of the JDK are treated as the program's, for tests.
    jdk_is_program: bool,
    /// Whether accesses are left out that others of the method make redundant.
    thin: bool,
    /// Whether methods that the plan lists note that they are executed.
    notes: bool,
}

/// Whether a class was rewritten before: the JVM may take what an agent has made for the original, as it does with events of Flight Recorder.
pub(crate) fn is_rewritten(class: &ClassFile<'_>) -> bool {
    let ours = SUPPORT_NAME.as_bytes();
    let uses = |index| class.pool.class_name(index).is_ok_and(|name| name == ours);
    let mentions = |descriptor: &[u8]| descriptor.windows(ours.len()).any(|part| part == ours);
    class.pool.indexes().any(uses)
        || class.fields.iter().any(|field| mentions(field.descriptor))
        || class.methods.iter().any(|method| mentions(method.descriptor))
}

impl Instrumenter {
    /// Works by this plan, and these rows about the library.
    pub fn new(plan: Plan, models: Models) -> Instrumenter {
        let touches_content = |row: &&Row| {
            let is_access = |effect: &Effect| {
                matches!(effect, Effect::ContainerRead { .. } | Effect::ContainerWrite { .. })
            };
            row.effects.iter().any(is_access)
        };
        let rows = || models.rows().iter().filter(touches_content);
        let container_methods = rows().map(|row| row.selector.name.as_bytes().to_vec()).collect();
        let container_classes = rows().map(|row| row.selector.class.symbol().as_bytes().to_vec()).collect();
        let tokens = Tokens::new(&plan);
        Instrumenter {
            plan,
            models,
            tokens,
            container_methods,
            container_classes,
            jdk_is_program: false,
            thin: true,
            notes: false,
        }
    }

    /// Lets methods that the plan lists note that they are executed, for those who want to know what a run can say of them.
    pub fn with_notes(self) -> Instrumenter {
        Instrumenter { notes: true, ..self }
    }

    /// Treats the JDK as part of the program, as far as it can be: a larger sample of code to try the rewriting on.
    pub fn with_jdk_as_program(self) -> Instrumenter {
        Instrumenter { jdk_is_program: true, ..self }
    }

    /// Lets every access tell, also those that can tell nothing new: for records of runs, and to measure what that is worth.
    pub fn with_every_access(self) -> Instrumenter {
        Instrumenter { thin: false, ..self }
    }

    /// Whether the class declares a field that is named like the one that would hold the record of its objects: then they have none.
    pub fn has_no_record(class: &ClassFile<'_>) -> bool {
        members::clashes_with_record(class)
    }

    /// Whether the field of a class (internal name) is one that nobody makes ready for accesses: quiet, and a location of its own.
    pub fn is_quiet(&self, class: &str, field: &str) -> bool {
        self.plan.options.granularity == Granularity::Field && self.plan.is_quiet_field(class, field)
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The rows about the library.
    pub fn models(&self) -> &Models {
        &self.models
    }

    /// Rewrites a class. `None` if there is nothing to do.
    pub fn instrument(&self, bytes: &[u8], world: &mut dyn World) -> Result<Option<Vec<u8>>, Error> {
        let class = ClassFile::parse(bytes)?;
        if class.access & access::MODULE != 0 || is_rewritten(&class) {
            return Ok(None);
        }
        let name = String::from_utf8_lossy(class.this_class).into_owned();
        let role = self.role(&name);
        if role == Role::Other {
            return Ok(None);
        }
        if role == Role::Application {
            fills::note(&class, &name, source_file(&class).as_deref(), world);
        }
        if let Ok(Some(doubled)) = self.doubled(&class, &name, role) {
            let class = ClassFile::parse(&doubled.bytes)?;
            // Where two versions of a method are too much, there is one.
            if let Ok(rewritten) = self.rewrite(&class, &name, role, &doubled.bodies, world) {
                return Ok(rewritten);
            }
        }
        match self.rewrite(&class, &name, role, &FastMap::default(), world) {
            // The pool is full: only what other classes rely on.
            Err(error) if role == Role::Application => {
                world.skipped(&name, "", &error);
                let mut editor = ClassEditor::new(&class);
                let mut changed = self.add_members(&class, &mut editor, world)?;
                changed |= self.add_fields(&class, &mut editor)?;
                if changed { editor.write().map(Some) } else { Ok(None) }
            }
            other => other,
        }
    }

    /// A class as it is, but for the fields that its objects must have from its first moment on, when nothing that code could
    /// call is there yet: that of the record, and in `java.lang.Thread` that of the agent's part of a thread. `None` if it needs
    /// none.
    pub fn with_fields(&self, bytes: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let class = ClassFile::parse(bytes)?;
        let mut editor = ClassEditor::new(&class);
        if self.add_fields(&class, &mut editor)? { editor.write().map(Some) } else { Ok(None) }
    }

    /// Adds what [`Instrumenter::with_fields`] says. Whether it was anything.
    fn add_fields<'a>(&self, class: &ClassFile<'a>, editor: &mut ClassEditor<'_, 'a>) -> Result<bool, Error> {
        let has_record = self.has_record(class);
        if has_record {
            members::add_record(editor)?;
        }
        let is_thread = class.this_class == b"java/lang/Thread";
        if is_thread {
            members::add_to_thread(editor)?;
        }
        Ok(has_record || is_thread)
    }

    fn rewrite(
        &self,
        class: &ClassFile<'_>,
        name: &str,
        role: Role,
        bodies: &FastMap<usize, Bodies>,
        world: &mut dyn World,
    ) -> Result<Option<Vec<u8>>, Error> {
        let mut editor = ClassEditor::new(class);
        let mut changed = false;
        let late = finals::late(class);
        for position in 0..class.methods.len() {
            let method = &class.methods[position];
            let signature = signature(method);
            let mut context = method::Context {
                class,
                class_name: name,
                method,
                signature: &signature,
                role,
                rules: self,
                bodies: bodies.get(&position).copied(),
                late: &late,
                world: &mut *world,
            };
            match context.rewritten(editor.pool()) {
                Ok(Some(code)) => {
                    editor.replace_code(position, code)?;
                    changed = true;
                }
                Ok(None) => {}
                // A full pool stops everything; what is wrong with one method concerns that one.
                Err(error @ Error::TooLarge { what: "the constant pool" }) => return Err(error),
                Err(error) if bodies.contains_key(&position) => return Err(error),
                Err(error) => world.skipped(name, &signature, &error),
            }
        }
        if role == Role::Application {
            changed |= self.add_members(class, &mut editor, world)?;
        }
        changed |= self.add_fields(class, &mut editor)?;
        if changed { editor.write().map(Some) } else { Ok(None) }
    }
}

/// The bare name of the class's source file, if the class file has it.
fn source_file(class: &ClassFile<'_>) -> Option<String> {
    let name = class.attribute(b"SourceFile").and_then(|info| match info {
        &[high, low] => class.pool.utf8(u16::from_be_bytes([high, low])).ok(),
        _ => None,
    });
    name.map(|name| String::from_utf8_lossy(name).into_owned())
}

/// Name and descriptor of a method, as plans have them.
fn signature(method: &Member<'_>) -> String {
    let text = String::from_utf8_lossy;
    format!("{}{}", text(method.name), text(method.descriptor))
}
