//! From events to races, and the objects, threads and frames that they name.

use std::sync::atomic::Ordering;

use selvedge_base::Id;
use selvedge_jvm::sys::jni::{jmethodID, jobject};
use selvedge_jvm::{Frame, Jvm, Problem};
use selvedge_protocol::{
    Action, ClassId, Definition, Event, ObjectId, SiteEntry, SiteId, SiteKey, SiteKind, StackId, ThreadEntry,
    ThreadId,
};

use crate::objects::object_of;
use crate::state::State;

/// How many frames of a stack are shown.
pub(crate) const MAX_FRAMES: usize = 24;

/// The sites of so many frames are kept by method.
const MAX_FRAME_SITES: usize = 1 << 14;

/// The class of virtual threads.
const VIRTUAL_THREAD: &str = "java/lang/VirtualThread";

/// How the names of classes begin whose methods run virtual threads and are in no stack trace that a program prints.
const CONTINUATIONS: [&str; 2] =
    ["jdk/internal/vm/Continuation", "java/lang/VirtualThread$VThreadContinuation"];

/// Whether no stack trace that a program prints has a frame of the class.
pub(crate) fn is_hidden(class: &str) -> bool {
    // Classes with a dot in their internal name are made by the JVM, for lambdas.
    class.contains('.') || CONTINUATIONS.iter().any(|prefix| class.starts_with(prefix))
}

/// Whether a method is one of the agent's hooks.
pub(crate) fn is_hook(class: &str, method: &str) -> bool {
    class.starts_with("java/lang/Selvedge") || method.starts_with("$selvedge")
}

impl State {
    /// The object's number, given if it has none.
    pub(crate) fn number(&mut self, jvm: &Jvm, object: jobject) -> Result<ObjectId, Problem> {
        let (number, is_new) = self.numbers.number(jvm, object)?;
        if is_new {
            self.name_object(jvm, object, number);
        }
        Ok(number)
    }

    pub(crate) fn name_object(&mut self, jvm: &Jvm, object: jobject, number: ObjectId) {
        if let Ok(class) = self.class_of(jvm, object) {
            let made_at = self.made_at(jvm, object, class);
            self.define_object(number, class, made_at);
        }
    }

    /// Where an array or a library object was made, as far as the support class has kept it.
    fn made_at(&self, jvm: &Jvm, object: jobject, class: ClassId) -> SiteId {
        let name = &self.tables.classes[class];
        if !name.starts_with('[') && !self.rules.is_container(name) {
            return SiteId::UNKNOWN;
        }
        let Some(agent) = crate::AGENT.get() else { return SiteId::UNKNOWN };
        let support = agent.support.load(Ordering::Acquire).cast();
        let site = jvm.call_static_int(support, c"madeAt", object).unwrap_or_default();
        let site = SiteId::from_index(site.max(0) as usize);
        if site.index() < self.tables.sites.len() { site } else { SiteId::UNKNOWN }
    }

    /// Passes an event on.
    pub(crate) fn event(&mut self, event: Event) {
        self.free_objects();
        self.record(&event);
        self.judge(event);
    }

    pub(crate) fn record(&mut self, event: &Event) {
        if let Some(recorder) = &mut self.recorder {
            recorder.event(event);
        }
    }

    pub(crate) fn judge(&mut self, event: Event) {
        self.follow(&event);
        if let Some(race) = self.engine.event(&event) {
            self.race(race);
        }
    }

    /// Tells the detectors of objects that are gone.
    pub(crate) fn free_objects(&mut self) {
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
            self.views.remove(&object);
            self.class_objects.remove(&object);
            if let Some(thread) = self.threads.remove(&object) {
                self.retire(thread);
            }
        }
    }

    pub(crate) fn define_stack(&mut self, sites: Vec<SiteId>) -> StackId {
        if let Some(&known) = self.stacks.get(&sites) {
            return known;
        }
        self.define(Definition::Stack(sites.clone()));
        let id = StackId::from_index(self.tables.stacks.len() - 1);
        self.stacks.insert(sites, id);
        id
    }

    /// A site for a frame, and whether it is one of the agent's hooks. Indexes are those of the rewritten code; lines are right.
    pub(crate) fn frame_site(&mut self, jvm: &Jvm, frame: Frame) -> Option<(SiteId, bool)> {
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
                let known = self.frames.get(&entry.key).copied();
                let site = match known.filter(|known| self.tables.sites[*known] == entry) {
                    Some(known) => known,
                    None => {
                        let site = SiteId::from_index(self.tables.sites.len());
                        self.frames.insert(entry.key.clone(), site);
                        self.define(Definition::Site(entry));
                        self.targets.push(None);
                        site
                    }
                };
                if self.frame_sites.len() >= MAX_FRAME_SITES {
                    // Many of the methods are of classes that are gone.
                    self.frame_sites.clear();
                }
                self.frame_sites.insert(key, site);
                site
            }
        };
        let key = &self.tables.sites[site].key;
        Some((site, is_hook(&key.class, &key.method)))
    }

    /// A new number for a thread with its name; `parent` is who starts it now, with the stack.
    pub(crate) fn new_thread(
        &mut self,
        jvm: &Jvm,
        (thread, mut name): (jobject, String),
        parent: Option<(ThreadId, Vec<Frame>)>,
    ) -> Result<ThreadId, Problem> {
        let object = self.number(jvm, thread)?;
        let class = jvm.class_of(thread)?;
        let entry = jvm.class_name(class)?;
        jvm.forget(class);
        let (parent, spawned_at) = match parent {
            Some((parent, frames)) => (Some(parent), self.starting_site(jvm, frames)),
            None => (None, SiteId::UNKNOWN),
        };
        if name.is_empty() && entry == VIRTUAL_THREAD {
            // Most virtual threads have no name: they are known by the number that the JDK prints.
            let number = jvm.long_field(thread, c"tid").unwrap_or_default();
            name = format!("virtual thread #{number}");
        }
        self.define(Definition::Thread(ThreadEntry { name, spawned_at, entry }));
        let child = ThreadId::from_index(self.tables.threads.len() - 1);
        self.threads.insert(object, child);
        // A thread that nobody was seen to start is the JVM's: what the main thread has done is known to it.
        let first = ThreadId::from_index(0);
        let parent = parent.or((child != first).then_some(first));
        if let Some(parent) = parent {
            self.event(Event::new(parent, Action::Fork { child }).at(spawned_at));
        }
        Ok(child)
    }

    /// The first frame outside of the JDK.
    fn starting_site(&mut self, jvm: &Jvm, frames: Vec<Frame>) -> SiteId {
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
            self.event(Event::new(number, Action::End));
            self.holding.remove(&number);
            self.seen_initialised.remove(&number);
        }
        Ok(())
    }
}
