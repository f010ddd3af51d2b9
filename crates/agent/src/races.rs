//! Races on the way to their reports: where the two threads stand, and which test runs.
//!
//! JVMTI gives stacks only while no virtual thread is being mounted or unmounted, and a thread that does so may wait for the state. So a race is
//! kept when a detector shows it, the stacks are read without the lock, and then it is reported.

use std::collections::BTreeMap;

use selvedge_base::Id;
use selvedge_findings::{FieldRef, Finding};
use selvedge_instrument::{FieldName, Role};
use selvedge_jvm::{Frame, Jvm};
use selvedge_protocol::{Definition, Location, SiteEntry, SiteId, StackId};
use selvedge_runtime::log::CALLERS_OF_ANOTHER;
use selvedge_runtime::{Circumstances, Race};

use crate::events::{MAX_FRAMES, is_hidden};
use crate::objects::word_of;
use crate::running::running_test;
use crate::state::{Filled, State};
use crate::{Agent, results, stop};

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

/// Races that are kept and not told yet, by number.
#[derive(Default)]
pub(crate) struct Untold {
    next: u64,
    races: BTreeMap<u64, Race>,
}

/// What is to be asked of the JVM before a race is told.
#[derive(Clone, Copy)]
pub(crate) struct Question {
    race: u64,
    /// The tag of the thread that made the earlier access, if its stack is wanted.
    earlier: Option<i64>,
    test: bool,
}

/// What the JVM has answered.
#[derive(Default)]
pub(crate) struct Answer {
    own: Vec<Frame>,
    earlier: Vec<Frame>,
    test: Option<String>,
}

impl Question {
    /// Asks; whoever does holds no lock.
    fn ask(self, jvm: &Jvm, engines: &[String]) -> Answer {
        let earlier = self.earlier.and_then(|tag| {
            let thread = jvm.object_with_tag(tag).ok()??;
            let frames = jvm.stack_of(thread, MAX_FRAMES);
            jvm.forget(thread);
            frames.ok()
        });
        Answer {
            own: jvm.frames_below(0, MAX_FRAMES).unwrap_or_default(),
            earlier: earlier.unwrap_or_default(),
            test: if self.test { running_test(jvm, engines) } else { None },
        }
    }
}

impl Agent {
    /// Tells the races that this thread has just shown.
    pub(crate) fn tell(&self, jvm: &Jvm, questions: Vec<Question>) {
        for question in questions {
            let answer = question.ask(jvm, &self.settings.test_engines);
            let is_told = self.state().tell(Some(jvm), question.race, answer);
            if is_told && self.settings.stop {
                stop::stop(jvm, self.settings.directory.as_deref());
            }
        }
    }
}

impl State {
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

    /// Keeps a race until the state is not locked, unless it is told already.
    pub(crate) fn race(&mut self, race: Race) {
        if self.is_ambiguous(&race) || (!self.is_in_wrapper(race.current.site) && self.log.again(&race)) {
            return;
        }
        let is_early = self.log.len() < MAX_STACKS_OF_OTHERS;
        let engines = &self.settings.test_engines;
        let question = Question {
            race: self.untold.next,
            earlier: race.previous.thread.filter(|_| is_early).and_then(|thread| {
                let mut known = self.threads.iter();
                known.find(|(_, number)| **number == thread).map(|(object, _)| word_of(*object))
            }),
            test: !engines.is_empty() && self.classes.has_any(engines),
        };
        self.questions.push(question);
        self.untold.races.insert(self.untold.next, race);
        self.untold.next += 1;
    }

    /// Tells the races whose threads are not back with their stacks, without these.
    pub(crate) fn tell_rest(&mut self) {
        while let Some(&number) = self.untold.races.keys().next() {
            self.tell(None, number, Answer::default());
        }
    }

    /// Whether calls of the application pass through the code at a site, which is the library's.
    fn is_in_wrapper(&self, site: SiteId) -> bool {
        self.rules.is_library(&self.tables.sites[site].key.class)
    }

    /// Tells a race with what was asked for it. Whether it is a new one.
    fn tell(&mut self, jvm: Option<&Jvm>, number: u64, answer: Answer) -> bool {
        let Some(mut race) = self.untold.races.remove(&number) else { return false };
        race.current.stack = self.callers_in(jvm, answer.own);
        if self.is_in_wrapper(race.current.site) {
            let Some(place) = self.in_application(race.current.site, race.current.stack) else {
                return false;
            };
            (race.current.site, race.current.stack) = place;
            if self.log.again(&race) {
                return false;
            }
        }
        for thread in [None, race.current.thread] {
            self.callers.insert((race.current.site, thread), race.current.stack);
        }
        let mut known =
            Circumstances { test: answer.test, held_by: self.holders(&race), callers_taken: None };
        let earlier = self.sites_of(jvm, answer.earlier);
        if race.previous.stack == StackId::NONE
            && let Some((stack, how)) = self.earlier_callers(&race, &earlier)
        {
            race.previous.stack = stack;
            known.callers_taken = Some(how);
        }
        if self.is_in_wrapper(race.previous.site)
            && let Some(place) = self.in_application(race.previous.site, race.previous.stack)
        {
            (race.previous.site, race.previous.stack) = place;
        }
        self.find_allocation(&race, &known.held_by);
        let Some(finding) = self.log.add(&race, &self.tables, known).cloned() else { return false };
        self.say(&finding);
        if let Some(status) = self.settings.halt_status {
            results::halt(self, status);
        }
        results::save_at_times(self);
        true
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

    /// Finds where the array of a race was made if that was not kept: at the one allocation of arrays of its class that loaded code stores
    /// into the field that holds it, if everything else that is stored there is known, too.
    fn find_allocation(&mut self, race: &Race, holders: &[FieldRef]) {
        let (Location::Element { object, .. }, [holder]) = (race.location, holders) else { return };
        let Some(entry) = self.tables.objects.get(&object).filter(|it| it.allocated_at == SiteId::UNKNOWN)
        else {
            return;
        };
        let class = &self.tables.classes[entry.class];
        let declaring = holder.class.replace('.', "/");
        let mut made: Vec<&SiteEntry> = Vec::new();
        for ((owner, name), filled) in self.fills.iter().filter(|((_, name), _)| *name == holder.field) {
            let resolved = self.classes.resolve(FieldName { owner, name });
            if resolved.map_or(owner.as_str(), |(it, _)| it) != declaring {
                continue;
            }
            let fits = |filled: &Filled| filled.made.iter().any(|made| made.types.contains(class));
            // What is stored into the arrays matters only if the racy one may be among that.
            if filled[0].is_unknown || (filled[1].is_unknown && !fits(&filled[0])) {
                return;
            }
            let all = filled.iter().flat_map(|filled| &filled.made);
            made.extend(all.filter(|made| made.types.contains(class)).map(|made| &made.site));
        }
        let [site] = made[..] else { return };
        let site = site.clone();
        let known = self.tables.sites.iter_ids().find(|(_, known)| **known == site).map(|(id, _)| id);
        let id = known.unwrap_or_else(|| {
            self.define(Definition::Site(site));
            self.targets.push(None);
            SiteId::from_index(self.tables.sites.len() - 1)
        });
        if let Some(entry) = self.tables.objects.get_mut(&object) {
            entry.allocated_at = id;
        }
    }

    /// The callers of the earlier access, and where they are from. Nothing is kept of an access but its line and thread; but the
    /// thread is often still in the method or in a caller of it, and the same line has often raced before.
    fn earlier_callers(&mut self, race: &Race, now: &[SiteId]) -> Option<(StackId, &'static str)> {
        if race.previous.site == SiteId::UNKNOWN {
            return None;
        }
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

    /// The sites of frames, without those that no stack trace has.
    fn sites_of(&mut self, jvm: Option<&Jvm>, frames: Vec<Frame>) -> Vec<SiteId> {
        let Some(jvm) = jvm else { return Vec::new() };
        let sites = frames.into_iter().filter_map(|frame| self.frame_site(jvm, frame));
        let sites: Vec<SiteId> = sites.map(|(site, _)| site).collect();
        sites.into_iter().filter(|site| !is_hidden(&self.tables.sites[*site].key.class)).collect()
    }

    /// The stack of a thread that is in a hook, without the agent's own frames and the site itself.
    fn callers_in(&mut self, jvm: Option<&Jvm>, frames: Vec<Frame>) -> StackId {
        let Some(jvm) = jvm.filter(|_| !frames.is_empty()) else { return StackId::NONE };
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
}
