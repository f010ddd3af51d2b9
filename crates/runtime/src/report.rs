//! From a race in numbers to a finding in names.

use selvedge_base::Id;
use selvedge_findings as findings;
use selvedge_findings::{Confidence, Finding, Frame, Kind, ObjectInfo, Reason, Side, ThreadInfo, Verdict};
use selvedge_findings::{method_name, type_name};
use selvedge_protocol::{
    AccessKind, HoldMode, Location, ObjectId, SiteId, SiteKind, StackId, Tables, ThreadId,
};

use crate::held::Hold;
use crate::race::{Access, Race, Shown};

/// The finding for a race: the access that was just made first, the earlier one second.
pub fn finding(race: &Race, tables: &Tables) -> Finding {
    let (kind, location) = location(race, tables);
    let finding = Finding::new("run", kind, location)
        .sides(side(&race.current, tables), side(&race.previous, tables))
        .because(Reason::evidence(match shared_locks(race) {
            true => "the only lock on both sides is held in shared mode by both",
            false => "no lock is held on both sides",
        }));
    let finding = match race.location.object() {
        Some(object) => finding.on(object_info(object, tables)),
        None => finding,
    };
    match race.shown {
        Shown::HappensBefore => finding
            .known_by(Verdict::HappensBefore)
            .because(Reason::evidence("happens-before does not order the two accesses in this run"))
            .ranked(rank(race, 85), Confidence::High),
        Shown::Lockset => finding
            .known_by(Verdict::Lockset)
            .because(Reason::evidence("another schedule may make the two accesses collide"))
            .ranked(rank(race, 60), Confidence::Medium),
    }
}

fn rank(race: &Race, base: u8) -> u8 {
    let both_write = race.current.kind == AccessKind::Write && race.previous.kind == AccessKind::Write;
    if both_write { base + 5 } else { base }
}

fn shared_locks(race: &Race) -> bool {
    race.current.locks.iter().any(|own| race.previous.locks.iter().any(|other| own.lock == other.lock))
}

fn location(race: &Race, tables: &Tables) -> (Kind, findings::Location) {
    let field = |field| {
        let entry = &tables.fields[field];
        findings::Location::field(java_name(&tables.classes[entry.class]), &entry.name)
    };
    let object = |object| findings::Location::object(class_of(object, tables), Vec::new());
    let container = |access: &Access| {
        matches!(tables.sites[access.site].kind, SiteKind::ContainerRead | SiteKind::ContainerWrite)
    };
    match race.location {
        Location::Field { field: own, .. } => (Kind::Field, field(own)),
        Location::Static { field: own } => (Kind::Static, field(own)),
        Location::Element { object: own, .. } => (Kind::Array, object(own)),
        Location::Content { object: own } if container(&race.current) => (Kind::Container, object(own)),
        Location::Content { object: own } => (Kind::Object, object(own)),
    }
}

fn side(access: &Access, tables: &Tables) -> Side {
    let action = match access.kind {
        AccessKind::Read => findings::Action::Read,
        AccessKind::Write => findings::Action::Write,
    };
    let path = path(access.stack, tables);
    Side::new(action, frame(access.site, tables))
        .by(thread(access.thread, tables))
        .under(access.locks.iter().map(|hold| lock(*hold, tables)).collect())
        .through(path)
}

/// The callers in a stack, oldest first.
pub fn path(stack: StackId, tables: &Tables) -> Vec<Frame> {
    tables.stacks[stack].iter().rev().map(|site| frame(*site, tables)).collect()
}

/// The place of a site.
pub fn frame(site: SiteId, tables: &Tables) -> Frame {
    if site == SiteId::UNKNOWN {
        return Frame::new("unknown code");
    }
    let entry = &tables.sites[site];
    let key = &entry.key;
    let method = Frame::new(method_name(&key.class, &key.method, &key.descriptor));
    match (&entry.file, entry.line) {
        (Some(file), Some(line)) => method.at(file, line),
        (file, line) => {
            let mut frame = method.at_bytecode(key.index);
            frame.file.clone_from(file);
            if line.is_some() {
                (frame.line, frame.bytecode_index) = (line, None);
            }
            frame
        }
    }
}

fn thread(thread: Option<ThreadId>, tables: &Tables) -> ThreadInfo {
    let Some(entry) = thread.and_then(|thread| tables.threads.get(thread)) else {
        return ThreadInfo { many: true, ..ThreadInfo::default() }.named("one of many threads");
    };
    let spawned_at = (entry.spawned_at != SiteId::UNKNOWN).then(|| frame(entry.spawned_at, tables));
    let number = thread.map_or(0, |thread| thread.index());
    let name = if entry.name.is_empty() { format!("thread {number}") } else { entry.name.clone() };
    ThreadInfo { spawned_at, entry: java_name(&entry.entry), many: false, name: Some(name) }
}

fn lock(hold: Hold, tables: &Tables) -> findings::Lock {
    let lock = findings::Lock::new(format!("{}#{}", class_of(hold.lock.object, tables), hold.lock.object.0));
    if hold.mode == HoldMode::Shared { lock.shared() } else { lock }
}

fn object_info(object: ObjectId, tables: &Tables) -> ObjectInfo {
    let allocated_at = tables.objects.get(&object).map(|entry| entry.allocated_at);
    let known = allocated_at.filter(|site| *site != SiteId::UNKNOWN);
    ObjectInfo::new(class_of(object, tables), known.map(|site| frame(site, tables)))
}

fn class_of(object: ObjectId, tables: &Tables) -> String {
    match tables.objects.get(&object) {
        Some(entry) => java_name(&tables.classes[entry.class]),
        None => "unknown class".to_owned(),
    }
}

/// `p.C` of `p/C`, `int[]` of `[I`.
fn java_name(internal: &str) -> String {
    if internal.starts_with('[') { type_name(internal) } else { internal.replace('/', ".") }
}
