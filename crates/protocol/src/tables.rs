//! Tables: what the numbers in events stand for.
//!
//! Tables only grow. Whoever makes events defines what they name first; [`Definition`] is one such step, as it is in a
//! trace. Number 0 of the sites is the unknown one, number 0 of the stacks the empty one; both are there from the start.

use std::fmt;

use rustc_hash::FxHashMap;
use selvedge_base::{Id, IdVec};

use crate::event::{Action, Channel, Event, Location};
use crate::event::{ClassId, FieldId, ObjectId, SiteId, StackId, ThreadId};
use crate::site::{SiteKey, SiteKind};

/// A field of a loaded class.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FieldEntry {
    /// The declaring class.
    pub class: ClassId,
    /// Its name.
    pub name: String,
}

/// A program point.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct SiteEntry {
    /// Which instruction.
    pub key: SiteKey,
    /// What it does.
    pub kind: SiteKind,
    /// The source file's bare name, if the class file has it.
    pub file: Option<String>,
    /// The source line, if the class file has lines.
    pub line: Option<u32>,
}

/// A thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ThreadEntry {
    /// Its name when it was first seen.
    pub name: String,
    /// Where it was started; [`SiteId::UNKNOWN`] for the main thread and those of the JVM.
    pub spawned_at: SiteId,
    /// The class of the thread object or of its task, as an internal name; empty if not known.
    pub entry: String,
}

impl Default for SiteId {
    fn default() -> Self {
        Self::UNKNOWN
    }
}

/// The threads, by number. Numbers are given in order and never again; what is known of a thread can be forgotten.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ThreadTable {
    known: FxHashMap<ThreadId, ThreadEntry>,
    count: usize,
}

impl ThreadTable {
    /// Adds the next thread.
    pub fn push(&mut self, entry: ThreadEntry) -> ThreadId {
        let id = ThreadId::from_index(self.count);
        self.count += 1;
        self.known.insert(id, entry);
        id
    }

    /// How many there were.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// What is known of a thread.
    pub fn get(&self, thread: ThreadId) -> Option<&ThreadEntry> {
        self.known.get(&thread)
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, thread: ThreadId) -> Option<&mut ThreadEntry> {
        self.known.get_mut(&thread)
    }

    /// Forgets what is known of a thread.
    pub fn forget(&mut self, thread: ThreadId) {
        self.known.remove(&thread);
    }

    /// Those of which something is known, in order.
    pub fn iter_ids(&self) -> impl Iterator<Item = (ThreadId, &ThreadEntry)> {
        let all = (0..self.count).map(ThreadId::from_index);
        all.filter_map(|id| Some((id, self.known.get(&id)?)))
    }

    /// What is known of how many.
    pub fn known(&self) -> usize {
        self.known.len()
    }
}

/// What is known of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ObjectEntry {
    /// Its class.
    pub class: ClassId,
    /// Where it was made, or unknown.
    pub allocated_at: SiteId,
}

/// One entry of a table, on its way there. Numbers follow from the order, except for objects.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Definition {
    /// The next class: its internal name (`p/C`, `[I`).
    Class(String),
    /// The next field.
    Field(FieldEntry),
    /// The next site.
    Site(SiteEntry),
    /// The next stack: the call sites, the innermost first.
    Stack(Vec<SiteId>),
    /// The next thread.
    Thread(ThreadEntry),
    /// An object, before the first event that names it. Optional: without it the class of the object is not known.
    Object(ObjectId, ObjectEntry),
}

/// A number that no table has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndefinedId(pub String);

impl fmt::Display for UndefinedId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} is used and was not defined", self.0)
    }
}

impl std::error::Error for UndefinedId {}

/// What the numbers in events stand for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tables {
    /// Internal names.
    pub classes: IdVec<ClassId, String>,
    /// Fields.
    pub fields: IdVec<FieldId, FieldEntry>,
    /// Sites; the first is the unknown one.
    pub sites: IdVec<SiteId, SiteEntry>,
    /// Stacks, the innermost call site first; the first stack is empty.
    pub stacks: IdVec<StackId, Vec<SiteId>>,
    /// Threads.
    pub threads: ThreadTable,
    /// What is known of objects that live.
    pub objects: FxHashMap<ObjectId, ObjectEntry>,
}

impl Default for Tables {
    fn default() -> Self {
        let mut tables = Self {
            classes: IdVec::new(),
            fields: IdVec::new(),
            sites: IdVec::new(),
            stacks: IdVec::new(),
            threads: ThreadTable::default(),
            objects: FxHashMap::default(),
        };
        tables.sites.push(SiteEntry::default());
        tables.stacks.push(Vec::new());
        tables
    }
}

impl Tables {
    /// Tables with the unknown site and the empty stack.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what is defined, unless it names something that is not.
    pub fn define(&mut self, definition: Definition) -> Result<(), UndefinedId> {
        match definition {
            Definition::Class(name) => {
                self.classes.push(name);
            }
            Definition::Field(entry) => {
                known(&self.classes, entry.class)?;
                self.fields.push(entry);
            }
            Definition::Site(entry) => {
                self.sites.push(entry);
            }
            Definition::Stack(frames) => {
                frames.iter().try_for_each(|site| known(&self.sites, *site))?;
                self.stacks.push(frames);
            }
            Definition::Thread(entry) => {
                known(&self.sites, entry.spawned_at)?;
                self.threads.push(entry);
            }
            Definition::Object(object, entry) => {
                known(&self.classes, entry.class)?;
                known(&self.sites, entry.allocated_at)?;
                self.objects.insert(object, entry);
            }
        }
        Ok(())
    }

    /// Whether everything the event names is defined (objects need not be).
    pub fn check(&self, event: &Event) -> Result<(), UndefinedId> {
        self.known_thread(event.thread)?;
        known(&self.sites, event.site)?;
        known(&self.stacks, event.stack)?;
        match event.action {
            Action::Access { location, .. } | Action::Sync { location, .. } => match location {
                Location::Field { field, .. } | Location::Static { field } => known(&self.fields, field),
                Location::Element { .. } | Location::Content { .. } => Ok(()),
            },
            Action::Fork { child } | Action::Join { child } => self.known_thread(child),
            Action::Publish { channel: Channel::Class { class } }
            | Action::Subscribe { channel: Channel::Class { class } } => known(&self.classes, class),
            _ => Ok(()),
        }
    }

    fn known_thread(&self, thread: ThreadId) -> Result<(), UndefinedId> {
        if thread.index() < self.threads.len() { Ok(()) } else { Err(UndefinedId(thread.to_string())) }
    }
}

fn known<I: Id, T>(table: &IdVec<I, T>, id: I) -> Result<(), UndefinedId> {
    if id.index() < table.len() { Ok(()) } else { Err(UndefinedId(id.to_string())) }
}
