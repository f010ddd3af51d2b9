//! Events and definitions as lines of text.

use std::fmt::Write;

use super::Trace;
use crate::event::{AccessKind, Action, Channel, Event, HoldMode, Location, LockRole, ObjectId, SiteId};
use crate::event::{StackId, SyncKind};
use crate::tables::Tables;

/// The whole trace: what is known of threads and objects first.
pub fn print(trace: &Trace) -> String {
    let mut text = definition(&trace.tables);
    for event in &trace.events {
        text.push_str(&self::event(&trace.tables, event));
        text.push('\n');
    }
    text
}

/// The lines for the threads and objects of the tables.
pub fn definition(tables: &Tables) -> String {
    let mut text = String::new();
    for (id, thread) in tables.threads.iter_ids() {
        let name = thread.name.replace(['"', '\n'], "'");
        _ = writeln!(text, "thread {id} \"{name}\"{}", at(tables, thread.spawned_at));
    }
    let mut objects: Vec<_> = tables.objects.iter().collect();
    objects.sort_by_key(|(object, _)| **object);
    for (object, entry) in objects {
        let class = tables.classes[entry.class].replace('/', ".");
        _ = writeln!(text, "object {object}: {class}{}", at(tables, entry.allocated_at));
    }
    text
}

/// One event as a line, without its end.
pub fn event(tables: &Tables, event: &Event) -> String {
    let hold = |name: [&str; 2], role, object: ObjectId, mode| {
        let shared = if mode == HoldMode::Shared { " shared" } else { "" };
        format!("{} {object}{shared}", name[usize::from(role == LockRole::Explicit)])
    };
    let what = match event.action {
        Action::Access { location, kind } => {
            let verb = if kind == AccessKind::Read { "read" } else { "write" };
            format!("{verb} {}", self::location(tables, location))
        }
        Action::Sync { location, kind } => {
            let verb = match kind {
                SyncKind::Read => "read",
                SyncKind::Write => "write",
                SyncKind::Update => "update",
            };
            format!("volatile-{verb} {}", self::location(tables, location))
        }
        Action::Acquire { lock, mode, .. } => hold(["acquire", "lock"], lock.role, lock.object, mode),
        Action::Release { lock, mode, .. } => hold(["release", "unlock"], lock.role, lock.object, mode),
        Action::Fork { child } => format!("fork {child}"),
        Action::Join { child } => format!("join {child}"),
        Action::End => "end".to_owned(),
        Action::Publish { channel } => format!("publish {}", self::channel(tables, channel)),
        Action::Subscribe { channel } => format!("subscribe {}", self::channel(tables, channel)),
        Action::Freed { object } => format!("freed {object}"),
    };
    format!("{}: {what}{}{}", event.thread, at(tables, event.site), callers(tables, event.stack))
}

/// A site as it is written after `@`: `p.C.m:12`, or with the bytecode's index where there is no line, `p.C.m:@7`.
pub fn site(tables: &Tables, site: SiteId) -> String {
    let entry = &tables.sites[site];
    let class = entry.key.class.replace('/', ".");
    match entry.line {
        Some(line) => format!("{class}.{}:{line}", entry.key.method),
        None => format!("{class}.{}:@{}", entry.key.method, entry.key.index),
    }
}

fn at(tables: &Tables, site: SiteId) -> String {
    if site == SiteId::UNKNOWN { String::new() } else { format!(" @{}", self::site(tables, site)) }
}

fn callers(tables: &Tables, stack: StackId) -> String {
    tables.stacks[stack].iter().map(|frame| format!(" < {}", site(tables, *frame))).collect()
}

fn location(tables: &Tables, location: Location) -> String {
    match location {
        Location::Field { object, field } => format!("{object}.{}", tables.fields[field].name),
        Location::Static { field } => {
            let entry = &tables.fields[field];
            format!("{}::{}", tables.classes[entry.class].replace('/', "."), entry.name)
        }
        Location::Element { object, index } => format!("{object}[{index}]"),
        Location::Content { object } => format!("{object}.*"),
    }
}

fn channel(tables: &Tables, channel: Channel) -> String {
    match channel {
        Channel::Object { object, item: ObjectId::NONE } => object.to_string(),
        Channel::Object { object, item } => format!("{object} item {item}"),
        Channel::Interrupt { object } => format!("interrupt {object}"),
        Channel::Permit { object } => format!("permit {object}"),
        Channel::Class { class } => format!("class {}", tables.classes[class].replace('/', ".")),
    }
}
