//! From text to a trace.

use std::fmt;

use rustc_hash::FxHashMap;
use selvedge_base::IdVec;

use super::Trace;
use crate::event::{
    AccessKind, Action, Channel, ClassId, Event, FieldId, HoldMode, Location, Lock, LockRole,
};
use crate::event::{ObjectId, SiteId, StackId, SyncKind, ThreadId};
use crate::site::{SiteKey, SiteKind};
use crate::tables::{FieldEntry, ObjectEntry, SiteEntry, Tables, ThreadEntry};

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TextError {}

/// Reads a trace; see the [module documentation](super).
pub fn parse(text: &str) -> Result<Trace, TextError> {
    let mut parser = Parser::default();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        for step in line.split(';').map(str::trim).filter(|step| !step.is_empty()) {
            parser.step(step).map_err(|message| TextError { line: index + 1, message })?;
        }
    }
    Ok(parser.trace)
}

/// Objects with names of the writer's own choice get numbers from here on.
const FIRST_NAMED: u64 = 1 << 32;

#[derive(Default)]
struct Parser {
    trace: Trace,
    objects: FxHashMap<String, ObjectId>,
    threads: FxHashMap<String, ThreadId>,
    classes: FxHashMap<String, ClassId>,
    fields: FxHashMap<(ClassId, String), FieldId>,
    sites: FxHashMap<(String, SiteKind), SiteId>,
    stacks: FxHashMap<Vec<SiteId>, StackId>,
    held: FxHashMap<(ThreadId, Lock, HoldMode), u32>,
}

impl Parser {
    fn step(&mut self, step: &str) -> Result<(), String> {
        let (step, mut frames) = split_frames(step);
        if let Some(rest) = step.strip_prefix("object ") {
            return self.define_object(rest, frames.next());
        }
        if let Some(rest) = step.strip_prefix("thread ") {
            return self.define_thread(rest, frames.next());
        }
        let Some((thread, what)) = step.split_once(": ") else {
            return Err(format!("`{step}` does not begin with a thread and a colon"));
        };
        let thread = self.thread(name(thread)?);
        let words: Vec<&str> = what.split_whitespace().collect();
        let (action, kind) = self.action(thread, &words)?;
        let site = match frames.next() {
            Some(place) => self.site(place, kind)?,
            None => SiteId::UNKNOWN,
        };
        let callers: Vec<SiteId> =
            frames.map(|place| self.site(place, SiteKind::Call)).collect::<Result<_, _>>()?;
        let stack = self.stack(callers);
        self.trace.events.push(Event { thread, site, stack, action });
        Ok(())
    }

    fn action(&mut self, thread: ThreadId, words: &[&str]) -> Result<(Action, SiteKind), String> {
        use SiteKind as Kind;
        Ok(match words {
            ["read", place] => {
                let location = self.location(place)?;
                (Action::Access { location, kind: AccessKind::Read }, access_kind(location, false))
            }
            ["write", place] => {
                let location = self.location(place)?;
                (Action::Access { location, kind: AccessKind::Write }, access_kind(location, true))
            }
            ["volatile-read", place] => {
                (Action::Sync { location: self.location(place)?, kind: SyncKind::Read }, Kind::VolatileGet)
            }
            ["volatile-write", place] => {
                (Action::Sync { location: self.location(place)?, kind: SyncKind::Write }, Kind::VolatilePut)
            }
            ["volatile-update", place] => {
                (Action::Sync { location: self.location(place)?, kind: SyncKind::Update }, Kind::AtomicUpdate)
            }
            ["acquire", rest @ ..] => (self.acquire(thread, LockRole::Monitor, rest)?, Kind::MonitorEnter),
            ["lock", rest @ ..] => (self.acquire(thread, LockRole::Explicit, rest)?, Kind::Acquire),
            ["release", rest @ ..] => (self.release(thread, LockRole::Monitor, rest)?, Kind::MonitorExit),
            ["unlock", rest @ ..] => (self.release(thread, LockRole::Explicit, rest)?, Kind::Release),
            ["fork", child] => (Action::Fork { child: self.thread(name(child)?) }, Kind::Fork),
            ["join", child] => (Action::Join { child: self.thread(name(child)?) }, Kind::Join),
            ["end"] => (Action::End, Kind::Other),
            ["publish", rest @ ..] => (Action::Publish { channel: self.channel(rest)? }, Kind::Publish),
            ["subscribe", rest @ ..] => (Action::Subscribe { channel: self.channel(rest)? }, Kind::Subscribe),
            ["freed", object] => (Action::Freed { object: self.object(object)? }, Kind::Other),
            _ => return Err(format!("`{}` is not a step", words.join(" "))),
        })
    }

    fn location(&mut self, place: &str) -> Result<Location, String> {
        if let Some((class, field)) = place.split_once("::") {
            let class = self.class(class);
            return Ok(Location::Static { field: self.field(class, name(field)?) });
        }
        if let Some((array, index)) = place.strip_suffix(']').and_then(|place| place.split_once('[')) {
            let index = index.parse().map_err(|_| format!("`{index}` is not an index"))?;
            return Ok(Location::Element { object: self.object(array)?, index });
        }
        let Some((object, field)) = place.split_once('.') else {
            return Err(format!("`{place}` is not a location: o.f, p.C::f, a[3] or o.*"));
        };
        let object = self.object(object)?;
        if field == "*" {
            return Ok(Location::Content { object });
        }
        let class = match self.trace.tables.objects.get(&object) {
            Some(entry) => entry.class,
            None => self.class("Object"),
        };
        Ok(Location::Field { object, field: self.field(class, name(field)?) })
    }

    fn hold(&mut self, role: LockRole, words: &[&str]) -> Result<(Lock, HoldMode), String> {
        let (object, mode) = match words {
            [object] => (object, HoldMode::Exclusive),
            [object, "shared"] => (object, HoldMode::Shared),
            _ => return Err(format!("`{}` is not a lock: L or L shared", words.join(" "))),
        };
        Ok((Lock { object: self.object(object)?, role }, mode))
    }

    fn acquire(&mut self, thread: ThreadId, role: LockRole, words: &[&str]) -> Result<Action, String> {
        let (lock, mode) = self.hold(role, words)?;
        let depth = self.held.entry((thread, lock, mode)).or_default();
        *depth += 1;
        Ok(Action::Acquire { lock, mode, depth: *depth })
    }

    fn release(&mut self, thread: ThreadId, role: LockRole, words: &[&str]) -> Result<Action, String> {
        let (lock, mode) = self.hold(role, words)?;
        match self.held.get_mut(&(thread, lock, mode)) {
            Some(depth) if *depth > 0 => {
                *depth -= 1;
                Ok(Action::Release { lock, mode, depth: *depth })
            }
            _ => Err(format!("`{}` is released and not held", words.join(" "))),
        }
    }

    fn channel(&mut self, words: &[&str]) -> Result<Channel, String> {
        Ok(match words {
            ["interrupt", object] => Channel::Interrupt { object: self.object(object)? },
            ["permit", object] => Channel::Permit { object: self.object(object)? },
            ["class", class] => Channel::Class { class: self.class(class) },
            [object] => Channel::Object { object: self.object(object)?, item: ObjectId::NONE },
            [object, "item", item] => {
                Channel::Object { object: self.object(object)?, item: self.object(item)? }
            }
            _ => return Err(format!("`{}` is not a channel", words.join(" "))),
        })
    }

    fn define_object(&mut self, text: &str, place: Option<&str>) -> Result<(), String> {
        let Some((object, class)) = text.split_once(':') else {
            return Err(format!("`object {text}` does not say a class"));
        };
        let object = self.object(object.trim())?;
        let class = self.class(class.trim());
        let allocated_at = self.optional_site(place, SiteKind::Allocation)?;
        self.trace.tables.objects.insert(object, ObjectEntry { class, allocated_at });
        Ok(())
    }

    fn define_thread(&mut self, text: &str, place: Option<&str>) -> Result<(), String> {
        let (own, quoted) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let thread = self.thread(name(own)?);
        let spawned_at = self.optional_site(place, SiteKind::Fork)?;
        let Some(entry) = self.trace.tables.threads.get_mut(thread) else { return Ok(()) };
        entry.spawned_at = spawned_at;
        if let Some(quoted) = quoted.trim().strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            entry.name = quoted.to_owned();
        }
        Ok(())
    }

    fn object(&mut self, text: &str) -> Result<ObjectId, String> {
        let text = name(text)?;
        if let Some(number) = text.strip_prefix('o').and_then(|digits| digits.parse::<u64>().ok()) {
            return Ok(ObjectId(number));
        }
        let next = ObjectId(FIRST_NAMED + self.objects.len() as u64);
        Ok(*self.objects.entry(text.to_owned()).or_insert(next))
    }

    fn thread(&mut self, text: &str) -> ThreadId {
        let threads = &mut self.trace.tables.threads;
        *self
            .threads
            .entry(text.to_owned())
            .or_insert_with(|| threads.push(ThreadEntry { name: text.to_owned(), ..ThreadEntry::default() }))
    }

    fn class(&mut self, text: &str) -> ClassId {
        let internal = text.replace('.', "/");
        intern(&mut self.classes, &mut self.trace.tables.classes, internal.clone(), internal)
    }

    fn field(&mut self, class: ClassId, field: &str) -> FieldId {
        let entry = FieldEntry { class, name: field.to_owned() };
        intern(&mut self.fields, &mut self.trace.tables.fields, (class, field.to_owned()), entry)
    }

    fn stack(&mut self, frames: Vec<SiteId>) -> StackId {
        if frames.is_empty() {
            return StackId::NONE;
        }
        intern(&mut self.stacks, &mut self.trace.tables.stacks, frames.clone(), frames)
    }

    fn optional_site(&mut self, place: Option<&str>, kind: SiteKind) -> Result<SiteId, String> {
        place.map_or(Ok(SiteId::UNKNOWN), |place| self.site(place, kind))
    }

    fn site(&mut self, place: &str, kind: SiteKind) -> Result<SiteId, String> {
        let wrong = || format!("`{place}` is not a place: p.C.m:12");
        let (method, line) = place.rsplit_once(':').ok_or_else(wrong)?;
        let (class, method) = method.rsplit_once('.').ok_or_else(wrong)?;
        let (index, line) = match line.strip_prefix('@') {
            Some(index) => (index.parse().map_err(|_| wrong())?, None),
            None => {
                let line = line.parse().map_err(|_| wrong())?;
                (line, Some(line))
            }
        };
        let simple = class.rsplit('.').next().unwrap_or(class);
        let outer = simple.split('$').next().unwrap_or(simple);
        let entry = SiteEntry {
            key: SiteKey::new(class.replace('.', "/"), method, "()V", index),
            kind,
            file: line.map(|_| format!("{outer}.java")),
            line,
        };
        Ok(intern(&mut self.sites, &mut self.trace.tables.sites, (place.to_owned(), kind), entry))
    }
}

/// The number of what has this key, with this entry if it is new.
fn intern<K: Eq + std::hash::Hash, I: selvedge_base::Id, T>(
    known: &mut FxHashMap<K, I>,
    table: &mut IdVec<I, T>,
    key: K,
    entry: T,
) -> I {
    *known.entry(key).or_insert_with(|| table.push(entry))
}

/// A step and the places after its `@`.
fn split_frames(step: &str) -> (&str, impl Iterator<Item = &str>) {
    let (step, frames) = match step.split_once(" @") {
        Some((step, frames)) => (step, Some(frames)),
        None => (step, None),
    };
    (step.trim(), frames.into_iter().flat_map(|frames| frames.split(" < ").map(str::trim)))
}

fn name(text: &str) -> Result<&str, String> {
    let fits = |character: char| character.is_alphanumeric() || "_$-".contains(character);
    if !text.is_empty() && text.chars().all(fits) { Ok(text) } else { Err(format!("`{text}` is not a name")) }
}

fn access_kind(location: Location, write: bool) -> SiteKind {
    match (location, write) {
        (Location::Field { .. }, false) => SiteKind::FieldGet,
        (Location::Field { .. }, true) => SiteKind::FieldPut,
        (Location::Static { .. }, false) => SiteKind::StaticGet,
        (Location::Static { .. }, true) => SiteKind::StaticPut,
        (Location::Element { .. }, false) => SiteKind::ArrayLoad,
        (Location::Element { .. }, true) => SiteKind::ArrayStore,
        (Location::Content { .. }, false) => SiteKind::ContainerRead,
        (Location::Content { .. }, true) => SiteKind::ContainerWrite,
    }
}

impl Trace {
    /// An empty trace.
    pub fn new() -> Self {
        Self { tables: Tables::new(), events: Vec::new() }
    }
}
