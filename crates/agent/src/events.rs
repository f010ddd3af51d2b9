//! From events to races, and what a report shows of them: objects, threads, stacks.

use std::sync::atomic::Ordering;

use selvedge_base::Id;
use selvedge_findings::{FieldRef, Finding, method_name};
use selvedge_instrument::{FieldName, Role};
use selvedge_jvm::sys::jni::{jmethodID, jobject};
use selvedge_jvm::{Frame, Jvm, Problem};
use selvedge_protocol::{
    Action, ClassId, Definition, Event, Location, ObjectId, SiteEntry, SiteId, SiteKey, SiteKind, StackId,
    ThreadEntry, ThreadId, glob,
};
use selvedge_runtime::log::CALLERS_OF_ANOTHER;
use selvedge_runtime::{Circumstances, Race};

use crate::objects::{object_of, word_of};
use crate::results;
use crate::state::State;

/// How many frames of a stack are shown.
pub(crate) const MAX_FRAMES: usize = 24;

/// So many frames are looked through for a test method: engines and build tools put hundreds below it.
const MAX_TEST_FRAMES: usize = 1_000;

/// The sites of so many frames are kept by method.
const MAX_FRAME_SITES: usize = 1 << 14;

/// For so many races the stacks of other threads are looked at, which stops them for a moment.
const MAX_STACKS_OF_OTHERS: usize = 256;

/// Where callers are from that were taken when the race was seen.
const CALLERS_NOW: &str =
    "the callers of the earlier access are those of its method when the later access was made";

/// Where callers are from if the thread was no longer in the method, but in one that calls it.
const CALLERS_JOINED: &str = "the callers of the earlier access are those of another access at the same line, and below them those that its \
     thread had when the later access was made";

/// Where callers are from that the same thread had at the same line.
const CALLERS_OF_THREAD: &str =
    "the callers of the earlier access are those of another access of its thread at the same line";

/// Where callers are from if the thread is in no method that is known to lead to the access.
const CALLERS_OUTERMOST: &str = "of the callers of the earlier access only the outermost are known, as its thread had them when the later \
     access was made";

/// The class of virtual threads.
const VIRTUAL_THREAD: &str = "java/lang/VirtualThread";

/// How the names of classes begin whose methods run virtual threads and are in no stack trace that a program prints.
const CONTINUATIONS: [&str; 2] =
    ["jdk/internal/vm/Continuation", "java/lang/VirtualThread$VThreadContinuation"];

/// Whether no stack trace that a program prints has a frame of the class.
fn is_hidden(class: &str) -> bool {
    // Classes with a dot in their internal name are made by the JVM, for lambdas.
    class.contains('.') || CONTINUATIONS.iter().any(|prefix| class.starts_with(prefix))
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

    /// Passes an event on. A race is told at once.
    pub(crate) fn event(&mut self, jvm: &Jvm, event: Event) {
        self.free_objects();
        self.record(&event);
        self.judge(jvm, event);
    }

    pub(crate) fn record(&mut self, event: &Event) {
        if let Some(recorder) = &mut self.recorder {
            recorder.event(event);
        }
    }

    pub(crate) fn judge(&mut self, jvm: &Jvm, event: Event) {
        self.follow(&event);
        if let Some(race) = self.engine.event(&event) {
            self.race(jvm, race);
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

    /// A race on a static field of a class that several loaders have may be one of two fields.
    fn is_ambiguous(&mut self, race: &Race) -> bool {
        let Location::Static { field } = race.location else { return false };
        let class = &self.tables.classes[self.tables.fields[field].class];
        let is_ambiguous = self.classes.has_several_loaders(class);
        if is_ambiguous {
            let what = "several class loaders have it, so what its static fields show is not reported";
            self.skip(format!("{class}: {what}"));
        }
        is_ambiguous
    }

    pub(crate) fn race(&mut self, jvm: &Jvm, mut race: Race) {
        if self.is_ambiguous(&race) {
            return;
        }
        let is_wrapper = self.rules.is_library(&self.tables.sites[race.current.site].key.class);
        if is_wrapper {
            race.current.stack = self.stack(jvm);
            let Some(place) = self.in_application(race.current.site, race.current.stack) else { return };
            (race.current.site, race.current.stack) = place;
        }
        if self.log.again(&race) {
            return;
        }
        if !is_wrapper {
            race.current.stack = self.stack(jvm);
        }
        for thread in [None, race.current.thread] {
            self.callers.insert((race.current.site, thread), race.current.stack);
        }
        let mut known =
            Circumstances { test: self.running_test(jvm), held_by: self.holders(&race), callers_taken: None };
        if race.previous.stack == StackId::NONE
            && let Some((stack, how)) = self.earlier_callers(jvm, &race)
        {
            race.previous.stack = stack;
            known.callers_taken = Some(how);
        }
        if self.rules.is_library(&self.tables.sites[race.previous.site].key.class)
            && let Some(place) = self.in_application(race.previous.site, race.previous.stack)
        {
            (race.previous.site, race.previous.stack) = place;
        }
        let Some(finding) = self.log.add(&race, &self.tables, known).cloned() else { return };
        self.say(&finding);
        if let Some(status) = self.settings.halt_status {
            results::halt(self, status);
        }
        results::save_at_times(self);
    }

    /// Where the application made a call that a wrapper of the library passes on at this site, and its callers; `None` if its accesses are not watched.
    fn in_application(&mut self, site: SiteId, stack: StackId) -> Option<(SiteId, StackId)> {
        let callers = self.tables.stacks.get(stack)?;
        let is_own = |site: &SiteId| !self.rules.is_library(&self.tables.sites[*site].key.class);
        let position = callers.iter().position(is_own)?;
        let (caller, callers) = (callers[position], callers[position + 1..].to_vec());
        if self.rules.role(&self.tables.sites[caller].key.class) != Role::Application {
            return None;
        }
        let kind = self.tables.sites[site].kind;
        let made = match self.calls_of_wrappers.get(&(caller, kind)) {
            Some(&known) => known,
            None => {
                let entry = SiteEntry { kind, ..self.tables.sites[caller].clone() };
                let made = SiteId::from_index(self.tables.sites.len());
                self.define(Definition::Site(entry));
                self.targets.push(None);
                self.calls_of_wrappers.insert((caller, kind), made);
                made
            }
        };
        Some((made, self.define_stack(callers)))
    }

    fn say(&mut self, finding: &Finding) {
        self.said += 1;
        if self.settings.quiet || self.settings.max_reports.is_some_and(|max| self.said > max) {
            return;
        }
        results::print_race(finding);
    }

    /// The fields that the array or container of a race was likely read from.
    fn holders(&self, race: &Race) -> Vec<FieldRef> {
        if !matches!(race.location, Location::Element { .. } | Location::Content { .. }) {
            return Vec::new();
        }
        let sites = [race.current.site, race.previous.site];
        let mut holders: Vec<FieldRef> = sites
            .iter()
            .filter_map(|site| self.held_by.get(&(site.index() as u32)))
            .map(|(owner, name)| {
                let declaring =
                    self.classes.resolve(FieldName { owner, name }).map_or(owner.as_str(), |(it, _)| it);
                FieldRef { class: declaring.replace('/', "."), field: name.clone() }
            })
            .collect();
        holders.sort();
        holders.dedup();
        holders
    }

    /// The callers of the earlier access, and where they are from. Nothing is kept of an access but its line and thread; but the
    /// thread is often still in the method or in a caller of it, and the same line has often raced before.
    fn earlier_callers(&mut self, jvm: &Jvm, race: &Race) -> Option<(StackId, &'static str)> {
        if race.previous.site == SiteId::UNKNOWN {
            return None;
        }
        let now = if self.log.len() < MAX_STACKS_OF_OTHERS { self.stack_now(jvm, race) } else { None };
        let now = now.unwrap_or_default();
        let method = |site: SiteId| {
            let key = &self.tables.sites[site].key;
            (&key.class, &key.method, &key.descriptor)
        };
        let in_stack = |wanted: SiteId| now.iter().position(|site| method(*site) == method(wanted));
        if let Some(position) = in_stack(race.previous.site) {
            let callers = now[position + 1..].to_vec();
            return Some((self.define_stack(callers), CALLERS_NOW));
        }
        let site = race.previous.site;
        if let Some(&known) = self.callers.get(&(site, race.previous.thread)) {
            return Some((known, CALLERS_OF_THREAD));
        }
        let is_own = |site: &SiteId| !selvedge_instrument::is_jdk(&self.tables.sites[*site].key.class);
        let known = self.callers.get(&(site, None)).copied();
        // The first of another thread's callers that this one is in now, and what called that.
        let others = known.map_or(&[][..], |known| &self.tables.stacks[known]);
        let own = (0..).zip(others).filter(|(_, site)| is_own(site));
        let common = own.into_iter().find_map(|(count, site)| Some((count, in_stack(*site)?)));
        if let Some((count, position)) = common {
            let callers = others[..count].iter().chain(&now[position..]).copied().collect();
            return Some((self.define_stack(callers), CALLERS_JOINED));
        }
        if let Some(outermost) = now.iter().rposition(is_own) {
            let callers = now[outermost..].to_vec();
            return Some((self.define_stack(callers), CALLERS_OUTERMOST));
        }
        Some((known?, CALLERS_OF_ANOTHER))
    }

    /// The stack of the thread that made the earlier access, as it is now, the newest frame first.
    fn stack_now(&mut self, jvm: &Jvm, race: &Race) -> Option<Vec<SiteId>> {
        let thread = race.previous.thread?;
        let object = self.threads.iter().find(|(_, number)| **number == thread).map(|(object, _)| *object)?;
        let reference = jvm.object_with_tag(word_of(object)).ok()??;
        let frames = jvm.stack_of(reference, MAX_FRAMES);
        jvm.forget(reference);
        let sites = frames.ok()?.into_iter().filter_map(|frame| self.frame_site(jvm, frame));
        let sites: Vec<SiteId> = sites.map(|(site, _)| site).collect();
        Some(sites.into_iter().filter(|site| !is_hidden(&self.tables.sites[*site].key.class)).collect())
    }

    fn define_stack(&mut self, sites: Vec<SiteId>) -> StackId {
        if let Some(&known) = self.stacks.get(&sites) {
            return known;
        }
        self.define(Definition::Stack(sites.clone()));
        let id = StackId::from_index(self.tables.stacks.len() - 1);
        self.stacks.insert(sites, id);
        id
    }

    /// The test method that runs now, as findings name methods: that of the current thread, or the only one of all threads.
    fn running_test(&mut self, jvm: &Jvm) -> Option<String> {
        if self.settings.test_engines.is_empty() || !self.classes.has_any(&self.settings.test_engines) {
            return None;
        }
        let own = jvm.frames_below(0, MAX_TEST_FRAMES).ok()?;
        if let Some(test) = self.test_in(jvm, own) {
            return Some(test);
        }
        let stacks = jvm.stacks(MAX_TEST_FRAMES as i32, true).ok()?;
        let mut tests: Vec<String> =
            stacks.into_iter().filter_map(|stack| self.test_in(jvm, stack)).collect();
        tests.sort();
        tests.dedup();
        if tests.len() == 1 { tests.pop() } else { None }
    }

    /// The test method in a stack, the newest frame first: the oldest method that a test engine calls, by reflection or not.
    fn test_in(&mut self, jvm: &Jvm, frames: Vec<Frame>) -> Option<String> {
        let mut in_engine = false;
        for frame in frames.into_iter().rev() {
            let Some((site, _)) = self.frame_site(jvm, frame) else { continue };
            let key = &self.tables.sites[site].key;
            let is_engine =
                self.settings.test_engines.iter().any(|pattern| glob::matches(pattern, &key.class));
            if is_engine {
                in_engine = true;
            } else if in_engine && !selvedge_instrument::is_jdk(&key.class) && !is_hidden(&key.class) {
                return Some(method_name(&key.class, &key.method, &key.descriptor));
            }
        }
        None
    }

    /// The stack of the current thread without the agent's own frames and the site itself.
    fn stack(&mut self, jvm: &Jvm) -> StackId {
        let Ok(frames) = jvm.frames_below(0, MAX_FRAMES) else { return StackId::NONE };
        let mut sites = Vec::new();
        let mut in_hook = true;
        for frame in frames {
            let Some((site, is_hook)) = self.frame_site(jvm, frame) else { continue };
            if (in_hook && is_hook) || is_hidden(&self.tables.sites[site].key.class) {
                continue;
            }
            in_hook = false;
            sites.push(site);
        }
        // The innermost frame is the site of the event itself.
        if !sites.is_empty() {
            sites.remove(0);
        }
        self.define_stack(sites)
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
        let is_hook = key.class.starts_with("java/lang/Selvedge") || key.method.starts_with("$selvedge");
        Some((site, is_hook))
    }

    /// A new number for a thread; `parent` is who starts it now, with the stack.
    pub(crate) fn new_thread(
        &mut self,
        jvm: &Jvm,
        thread: jobject,
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
        let mut name = jvm.thread_name(thread).unwrap_or_default();
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
            self.event(jvm, Event::new(parent, Action::Fork { child }).at(spawned_at));
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
            self.event(jvm, Event::new(number, Action::End));
            self.holding.remove(&number);
            self.seen_initialised.remove(&number);
        }
        Ok(())
    }
}
