//! From what hooks tell to events, and from events to races.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use selvedge_base::Id;
use selvedge_findings::Finding;
use selvedge_instrument::FieldKind;
use selvedge_jvm::sys::jni::{jmethodID, jobject};
use selvedge_jvm::{Frame, Jvm, Problem};
use selvedge_protocol::trace::TraceWriter;
use selvedge_protocol::{
    AccessKind, Action, Channel, Definition, DetectorChoice, Event, FieldId, HoldMode, Location, Lock,
    LockRole, ObjectId, SiteEntry, SiteId, SiteKey, SiteKind, StackId, SyncKind, ThreadEntry, ThreadId,
};
use selvedge_runtime::{Access, Race, Shown};

use crate::objects::{Sharing, object_of};
use crate::results;
use crate::state::{Content, Holding, State};

/// How many frames of a stack are shown.
const MAX_FRAMES: usize = 24;

/// A global reference to the shadow of an array.
pub(crate) struct Shadow(pub(crate) jobject);

// SAFETY: global references may be used by every thread.
unsafe impl Send for Shadow {}

/// Steps that the support class names by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Sync(SyncKind),
    Acquire,
    Release,
    Join,
    Parked,
    Unpark,
    Interrupt,
    Interrupted,
    Waiting,
    Waited,
}

impl Step {
    pub(crate) fn from_number(number: i32) -> Option<Step> {
        Some(match number {
            0 => Step::Sync(SyncKind::Read),
            1 => Step::Sync(SyncKind::Write),
            2 => Step::Sync(SyncKind::Update),
            3 => Step::Acquire,
            4 => Step::Release,
            5 => Step::Join,
            6 => Step::Parked,
            7 => Step::Unpark,
            8 => Step::Interrupt,
            9 => Step::Interrupted,
            10 => Step::Waiting,
            11 => Step::Waited,
            _ => return None,
        })
    }
}

/// Writes events to a file. The first failure ends it, and the file stays as it is then.
pub(crate) struct Recorder {
    writer: Option<TraceWriter<BufWriter<File>>>,
}

impl Recorder {
    pub(crate) fn create(file: &Path) -> Option<Recorder> {
        match File::create(file) {
            Ok(created) => Some(Recorder { writer: Some(TraceWriter::new(BufWriter::new(created))) }),
            Err(error) => {
                eprintln!("selvedge: the trace {} cannot be written: {error}", file.display());
                None
            }
        }
    }

    pub(crate) fn definition(&mut self, definition: &Definition) {
        self.write(|writer| writer.define(definition));
    }

    pub(crate) fn event(&mut self, event: &Event) {
        self.write(|writer| writer.event(event));
    }

    fn write(&mut self, step: impl FnOnce(&mut TraceWriter<BufWriter<File>>) -> std::io::Result<()>) {
        if self.writer.as_mut().is_some_and(|writer| step(writer).is_err()) {
            eprintln!("selvedge: the trace cannot be written any further");
            self.writer = None;
        }
    }

    pub(crate) fn finish(self) {
        let Some(writer) = self.writer else { return };
        if let Err(error) = writer.finish().and_then(|mut file| file.flush()) {
            eprintln!("selvedge: the trace cannot be finished: {error}");
        }
    }
}

/// Who accesses something, where and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Accessor {
    pub(crate) thread: ThreadId,
    /// The thread's word now.
    pub(crate) word: i64,
    pub(crate) site: SiteId,
    /// 0 for a read.
    pub(crate) kind: i32,
}

/// An earlier access, as a word of the support class tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Earlier {
    chain: u32,
    time: u32,
    site: SiteId,
    kind: i32,
}

impl Earlier {
    pub(crate) fn new(word: i64, kind: i32) -> Earlier {
        let word = word as u64;
        Earlier {
            chain: (word >> 49) as u32,
            time: (word >> 21) as u32 & 0x0fff_ffff,
            site: SiteId::from_index((word >> 1) as usize & 0xf_ffff),
            kind,
        }
    }
}

/// What a lock adds to the hash of a thread's locks.
fn hash_of(lock: Lock, mode: HoldMode) -> i32 {
    let parts = lock.object.0 << 2
        | u64::from(lock.role == LockRole::Explicit) << 1
        | u64::from(mode == HoldMode::Shared);
    (parts.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as i32
}

fn kind_of(number: i32) -> AccessKind {
    if number == 0 { AccessKind::Read } else { AccessKind::Write }
}

impl State {
    /// The object's number, given if it has none.
    fn number(&mut self, jvm: &Jvm, object: jobject) -> Result<ObjectId, Problem> {
        let (number, is_new) = self.numbers.number(jvm, object)?;
        if is_new {
            self.name_object(jvm, object, number);
        }
        Ok(number)
    }

    fn name_object(&mut self, jvm: &Jvm, object: jobject, number: ObjectId) {
        if let Ok(class) = jvm.class_of(object) {
            let name = jvm.class_name(class).unwrap_or_default();
            jvm.forget(class);
            self.define_object(number, &name);
        }
    }

    /// Passes an event on. A race is told at once.
    fn event(&mut self, jvm: &Jvm, event: Event) {
        self.free_objects(jvm);
        self.record(&event);
        self.judge(jvm, event);
    }

    fn record(&mut self, event: &Event) {
        if let Some(recorder) = &mut self.recorder {
            recorder.event(event);
        }
    }

    fn judge(&mut self, jvm: &Jvm, event: Event) {
        self.follow(&event);
        if let Some(race) = self.engine.event(&event) {
            self.race(jvm, race);
        }
    }

    /// Tells the detectors of objects that are gone.
    fn free_objects(&mut self, jvm: &Jvm) {
        let Some(agent) = crate::AGENT.get() else { return };
        let freed = match agent.freed.try_lock() {
            Ok(mut freed) if !freed.is_empty() => std::mem::take(&mut *freed),
            _ => return,
        };
        for object in freed.into_iter().filter_map(object_of) {
            let event = Event::new(ThreadId::from_index(0), Action::Freed { object });
            self.record(&event);
            self.follow(&event);
            let _ = self.engine.event(&event);
            self.tables.objects.remove(&object);
            self.threads.remove(&object);
            self.views.remove(&object);
            if let Some(shadow) = self.shadows.remove(&object) {
                jvm.forget_global(shadow.0);
            }
        }
    }

    fn race(&mut self, jvm: &Jvm, mut race: Race) {
        if self.log.again(&race) {
            return;
        }
        race.current.stack = self.stack(jvm);
        let Some(finding) = self.log.add(&race, &self.tables).cloned() else { return };
        self.say(&finding);
        if let Some(status) = self.settings.halt_status {
            results::halt(self, status);
        }
        results::save_at_times(self);
    }

    fn say(&mut self, finding: &Finding) {
        self.said += 1;
        if self.settings.quiet || self.settings.max_reports.is_some_and(|max| self.said > max) {
            return;
        }
        results::say(finding);
    }

    /// The stack of the current thread without the agent's own frames and the site itself.
    fn stack(&mut self, jvm: &Jvm) -> StackId {
        let Ok(frames) = jvm.frames_below(0, MAX_FRAMES) else { return StackId::NONE };
        let mut sites = Vec::new();
        let mut in_hook = true;
        for frame in frames {
            let Some((site, is_hook)) = self.frame_site(jvm, frame) else { continue };
            // Classes with a dot in their internal name are made by the machine, for lambdas.
            if (in_hook && is_hook) || self.tables.sites[site].key.class.contains('.') {
                continue;
            }
            in_hook = false;
            sites.push(site);
        }
        // The innermost frame is the site of the event itself.
        if !sites.is_empty() {
            sites.remove(0);
        }
        self.define(Definition::Stack(sites));
        StackId::from_index(self.tables.stacks.len() - 1)
    }

    /// A site for a frame, and whether it is one of the agent's hooks. Indexes are those of the rewritten code; lines are right.
    fn frame_site(&mut self, jvm: &Jvm, frame: Frame) -> Option<(SiteId, bool)> {
        let key = (frame.method, frame.bci);
        let site = match self.frame_sites.get(&key) {
            Some(&known) => known,
            None => {
                let id = frame.method as jmethodID;
                let (name, descriptor) = jvm.method_name(id).ok()?;
                let class = jvm.declaring_class(id).ok()?;
                let class_name = jvm.class_name(class).ok()?;
                let file = jvm.source_file(class);
                jvm.forget(class);
                let line = jvm.line(id, frame.bci);
                let index = u32::try_from(frame.bci).unwrap_or(0);
                let key_of = SiteKey::new(class_name, name, descriptor, index);
                let entry = SiteEntry { key: key_of, kind: SiteKind::Call, file, line };
                let site = SiteId::from_index(self.tables.sites.len());
                self.define(Definition::Site(entry));
                self.targets.push(None);
                self.frame_sites.insert(key, site);
                site
            }
        };
        let key = &self.tables.sites[site].key;
        let is_hook = key.class == "java/lang/Selvedge" || key.method.starts_with("$selvedge");
        Some((site, is_hook))
    }

    /// A new number for a thread.
    pub(crate) fn new_thread(
        &mut self,
        jvm: &Jvm,
        thread: jobject,
        parent: Option<ThreadId>,
    ) -> Result<ThreadId, Problem> {
        let object = self.number(jvm, thread)?;
        let class = jvm.class_of(thread)?;
        let entry = jvm.class_name(class)?;
        jvm.forget(class);
        let spawned_at = match parent {
            Some(_) => self.starting_site(jvm),
            None => SiteId::UNKNOWN,
        };
        let name = jvm.thread_name(thread).unwrap_or_default();
        self.define(Definition::Thread(ThreadEntry { name, spawned_at, entry }));
        let child = ThreadId::from_index(self.tables.threads.len() - 1);
        self.threads.insert(object, child);
        // A thread that nobody was seen to start is the machine's: what the main thread has done is known to it.
        let first = ThreadId::from_index(0);
        let parent = parent.or((child != first).then_some(first));
        if let Some(parent) = parent {
            self.event(jvm, Event::new(parent, Action::Fork { child }).at(spawned_at));
        }
        Ok(child)
    }

    /// The first frame outside of the JDK.
    fn starting_site(&mut self, jvm: &Jvm) -> SiteId {
        let Ok(frames) = jvm.frames_below(0, MAX_FRAMES) else { return SiteId::UNKNOWN };
        let sites: Vec<SiteId> = frames
            .into_iter()
            .filter_map(|frame| self.frame_site(jvm, frame).map(|(site, _)| site))
            .collect();
        let is_own = |site: &&SiteId| !selvedge_instrument::is_jdk(&self.tables.sites[**site].key.class);
        sites.iter().find(is_own).copied().unwrap_or(SiteId::UNKNOWN)
    }

    pub(crate) fn thread_ended(&mut self, jvm: &Jvm, thread: jobject) -> Result<(), Problem> {
        let Some(object) = object_of(jvm.tag(thread)?) else { return Ok(()) };
        let Some(&number) = self.threads.get(&object) else { return Ok(()) };
        if self.ended.insert(number) {
            self.event(jvm, Event::new(number, Action::End));
            self.holding.remove(&number);
        }
        Ok(())
    }

    /// What an access at a site is to; `None` if that need not be looked at.
    fn location(
        &mut self,
        jvm: &Jvm,
        site: SiteId,
        object: jobject,
        index: i32,
    ) -> Result<Option<Location>, Problem> {
        let kind = self.tables.sites.get(site).map(|entry| entry.kind);
        if let Some(SiteKind::ArrayLoad | SiteKind::ArrayStore) = kind {
            let Ok(index) = u32::try_from(index) else { return Ok(None) };
            return Ok(Some(Location::Element { object: self.number(jvm, object)?, index }));
        }
        let Some((field, FieldKind::Plain)) = self.field_of(site) else { return Ok(None) };
        if object.is_null() {
            return Ok(Some(Location::Static { field }));
        }
        Ok(Some(Location::Field { object: self.number(jvm, object)?, field }))
    }

    /// An access that the support class cannot judge by itself: a second thread has touched the location.
    pub(crate) fn told(
        &mut self,
        jvm: &Jvm,
        accessor: Accessor,
        object: jobject,
        index: i32,
    ) -> Result<(), Problem> {
        self.free_objects(jvm);
        if let Some(location) = self.location(jvm, accessor.site, object, index)? {
            self.engine.share(location);
            let action = Action::Access { location, kind: kind_of(accessor.kind) };
            self.judge(jvm, Event::new(accessor.thread, action).at(accessor.site));
        }
        Ok(())
    }

    /// An access that is only to be recorded.
    pub(crate) fn recorded(
        &mut self,
        jvm: &Jvm,
        accessor: Accessor,
        object: jobject,
        index: i32,
    ) -> Result<(), Problem> {
        self.free_objects(jvm);
        if let Some(location) = self.location(jvm, accessor.site, object, index)? {
            let action = Action::Access { location, kind: kind_of(accessor.kind) };
            self.record(&Event::new(accessor.thread, action).at(accessor.site));
        }
        Ok(())
    }

    /// An access that nothing orders after an earlier one.
    pub(crate) fn unordered(
        &mut self,
        jvm: &Jvm,
        accessor: Accessor,
        object: jobject,
        index: i32,
        earlier: Earlier,
    ) -> Result<(), Problem> {
        // The clock that the support class has judged by may be an old one.
        if self.engine.knows(accessor.thread, earlier.chain, earlier.time) {
            return Ok(());
        }
        let Some(location) = self.location(jvm, accessor.site, object, index)? else { return Ok(()) };
        let Some(thread) = self.engine.member(earlier.chain, earlier.time) else { return Ok(()) };
        let access = |thread, site, kind, locks| Access {
            thread: Some(thread),
            site,
            stack: StackId::NONE,
            kind: kind_of(kind),
            locks,
        };
        let site =
            if earlier.site.index() < self.tables.sites.len() { earlier.site } else { SiteId::UNKNOWN };
        let held = self.engine.held().of(accessor.thread).locks().to_vec();
        let race = Race {
            location,
            current: access(accessor.thread, accessor.site, accessor.kind, held),
            previous: access(thread, site, earlier.kind, self.locks_at(thread, earlier.time)),
            shown: Shown::HappensBefore,
        };
        self.race(jvm, race);
        Ok(())
    }

    /// A static field is accessed: its class has been initialised, and the thread knows it.
    pub(crate) fn sees_class(&mut self, jvm: &Jvm, thread: ThreadId, site: SiteId) {
        if let Some((field, _)) = self.field_of(site) {
            self.sees_initialised(jvm, thread, field);
        }
    }

    /// The class of a static field has been initialised, and the thread knows it.
    fn sees_initialised(&mut self, jvm: &Jvm, thread: ThreadId, field: FieldId) {
        let class = self.tables.fields[field].class;
        if self.initialised.contains(&class) && self.seen_initialised.insert((thread, class)) {
            let channel = Channel::Class { class };
            self.event(jvm, Event::new(thread, Action::Subscribe { channel }));
        }
    }

    /// The initialiser of the site's class is at its end.
    pub(crate) fn initialised(&mut self, jvm: &Jvm, thread: ThreadId, site: SiteId) {
        let Some(name) = self.tables.sites.get(site).map(|entry| entry.key.class.clone()) else { return };
        let class = self.class_id(&name);
        self.initialised.insert(class);
        self.event(jvm, Event::new(thread, Action::Publish { channel: Channel::Class { class } }).at(site));
    }

    /// The number of an object without a word of its own, and whether it was given just now; otherwise its owner's word.
    fn touched(
        &mut self,
        jvm: &Jvm,
        accessor: Accessor,
        object: jobject,
    ) -> Result<Result<(ObjectId, bool), i64>, Problem> {
        let owned = self.settings.plan.options.detector == DetectorChoice::Lockset;
        Ok(match self.numbers.touch(jvm, object, accessor.word, owned)? {
            Sharing::Owned(word) => Err(word),
            Sharing::Numbered(number, is_new) => {
                if is_new {
                    self.name_object(jvm, object, number);
                }
                Ok((number, is_new))
            }
        })
    }

    /// An access to a field of an object without a word of its own.
    pub(crate) fn plain_access(
        &mut self,
        jvm: &Jvm,
        accessor: Accessor,
        object: jobject,
    ) -> Result<(), Problem> {
        let Ok((object, _)) = self.touched(jvm, accessor, object)? else { return Ok(()) };
        if let Some((field, FieldKind::Plain)) = self.field_of(accessor.site) {
            let location = Location::Field { object, field };
            self.access(jvm, accessor.thread, accessor.site, location, kind_of(accessor.kind));
        }
        Ok(())
    }

    fn access(&mut self, jvm: &Jvm, thread: ThreadId, site: SiteId, location: Location, kind: AccessKind) {
        self.event(jvm, Event::new(thread, Action::Access { location, kind }).at(site));
    }

    /// The words of an array; if it has none, those that are given, unless they are null.
    pub(crate) fn shadow(&mut self, jvm: &Jvm, array: jobject, made: jobject) -> Result<jobject, Problem> {
        let object = self.number(jvm, array)?;
        if let Some(shadow) = self.shadows.get(&object) {
            return Ok(jvm.local(shadow.0));
        }
        if !made.is_null() {
            self.shadows.insert(object, Shadow(jvm.global(made)));
        }
        Ok(made)
    }

    /// A step on a volatile field. Whether the site is none after all, and need not tell again.
    pub(crate) fn volatile_access(
        &mut self,
        jvm: &Jvm,
        thread: ThreadId,
        object: jobject,
        site: SiteId,
        kind: i32,
    ) -> Result<bool, Problem> {
        let field = self.field_of(site);
        if let Some((_, FieldKind::Plain | FieldKind::Final)) = field {
            return Ok(true);
        }
        let kind = if kind == 0 { SyncKind::Read } else { SyncKind::Write };
        let location = match (object.is_null(), field) {
            (true, Some((field, _))) => Location::Static { field },
            (true, None) => return Ok(false),
            // Handles and updaters name the object only, so all volatile fields of an object are one variable.
            (false, _) => Location::Content { object: self.number(jvm, object)? },
        };
        self.event(jvm, Event::new(thread, Action::Sync { location, kind }).at(site));
        Ok(false)
    }

    /// Another step.
    pub(crate) fn step(
        &mut self,
        jvm: &Jvm,
        thread: ThreadId,
        step: Step,
        object: jobject,
        detail: i32,
    ) -> Result<(), Problem> {
        if step == Step::Join {
            let child = ThreadId::from_index(detail.max(0) as usize);
            if self.ended.contains(&child) {
                self.event(jvm, Event::new(thread, Action::Join { child }));
            }
            return Ok(());
        }
        let object = self.number(jvm, object)?;
        let action = match step {
            Step::Sync(kind) => Action::Sync { location: Location::Content { object }, kind },
            Step::Parked => Action::Subscribe { channel: Channel::Permit { object } },
            Step::Unpark => Action::Publish { channel: Channel::Permit { object } },
            Step::Interrupt => Action::Publish { channel: Channel::Interrupt { object } },
            Step::Interrupted => Action::Subscribe { channel: Channel::Interrupt { object } },
            Step::Acquire | Step::Release | Step::Waiting | Step::Waited => {
                return self.lock_step(jvm, thread, step, object, detail);
            }
            Step::Join => return Ok(()),
        };
        self.event(jvm, Event::new(thread, action));
        Ok(())
    }

    fn lock_step(
        &mut self,
        jvm: &Jvm,
        thread: ThreadId,
        step: Step,
        object: ObjectId,
        detail: i32,
    ) -> Result<(), Problem> {
        let role = if detail == 0 { LockRole::Monitor } else { LockRole::Explicit };
        let object = match role {
            LockRole::Monitor => object,
            LockRole::Explicit => self.views.get(&object).copied().unwrap_or(object),
        };
        let lock = Lock { object, role };
        let mode = if detail == 2 { HoldMode::Shared } else { HoldMode::Exclusive };
        let Holding { depths, hash } = self.holding.entry(thread).or_default();
        let depth = depths.get(&(lock, mode)).copied().unwrap_or(0);
        let own_hash = hash_of(lock, mode);
        let action = match step {
            Step::Acquire => {
                depths.insert((lock, mode), depth + 1);
                *hash ^= if depth == 0 { own_hash } else { 0 };
                Action::Acquire { lock, mode, depth: depth + 1 }
            }
            Step::Release if depth == 0 => return Ok(()),
            Step::Release => {
                if depth == 1 {
                    depths.remove(&(lock, mode));
                    *hash ^= own_hash;
                } else {
                    depths.insert((lock, mode), depth - 1);
                }
                Action::Release { lock, mode, depth: depth - 1 }
            }
            // The monitor may have been taken by code that is not observed.
            Step::Waiting if depth == 0 => return Ok(()),
            Step::Waiting => Action::Release { lock, mode, depth: 0 },
            Step::Waited if depth == 0 => return Ok(()),
            _ => Action::Acquire { lock, mode, depth },
        };
        self.event(jvm, Event::new(thread, action));
        self.locks_changed(thread);
        Ok(())
    }

    /// An object is a view of a lock.
    pub(crate) fn view(&mut self, jvm: &Jvm, view: jobject, lock: jobject) -> Result<(), Problem> {
        let (view, lock) = (self.number(jvm, view)?, self.number(jvm, lock)?);
        self.views.insert(view, lock);
        Ok(())
    }

    /// A call on a library object that may be an access to its content.
    pub(crate) fn call(&mut self, jvm: &Jvm, accessor: Accessor, object: jobject) -> Result<(), Problem> {
        let site = accessor.site;
        let class = jvm.class_of(object)?;
        let name = jvm.class_name(class)?;
        jvm.forget(class);
        let Some(Some(target)) = self.targets.get(site.index()) else { return Ok(()) };
        let method = target.name.clone();
        let kind = match self.content(&name, &method) {
            Content::Reads => AccessKind::Read,
            Content::Writes => AccessKind::Write,
            Content::Nothing => return Ok(()),
        };
        if let Ok((object, _)) = self.touched(jvm, accessor, object)? {
            // Which of the two it is, the receiver's class has told.
            let site_kind =
                if kind == AccessKind::Read { SiteKind::ContainerRead } else { SiteKind::ContainerWrite };
            self.tables.sites[site].kind = site_kind;
            self.access(jvm, accessor.thread, site, Location::Content { object }, kind);
        }
        Ok(())
    }
}
