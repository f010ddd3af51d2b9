//! Sampling (`--sample`): an access that was judged often enough is no longer watched, so that a long run costs little in the end.
//!
//! A judgement is the first access of a thread to a location in an epoch, at a time when there are several threads. The support class counts them by site, and asks the agent
//! from time to time to let those fade that have enough. Their classes are then rewritten once more, without these hooks; the JVM
//! exchanges the code of their methods while the program runs.
//!
//! **Code that runs.** A method that is active goes on with its old code, which the JIT compilers do not take any more. So a class stays as it is as long as a method of it with a loop
//! seems to last ([`Faded::busy`]).
//!
//! **What it can change.** Nothing is reported on a location on which nothing would be reported otherwise: synchronisation is followed as before, and with fewer accesses its first thread owns a location no shorter
//! (`fewer_accesses_report_no_other_locations` among the tests of `runtime`). A race of an access that has faded is missed. Accesses to static fields do not fade, since they also show that a class is initialised.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_jvm::sys::jni::{jclass, jmethodID};
use selvedge_jvm::{Frame, Jvm, Problem};
use selvedge_protocol::{SiteEntry, SiteKey, SiteKind};

use crate::Agent;
use crate::state::State;

/// No access fades later than this.
pub(crate) const LATEST: u32 = 1 << 30;

/// What has a class rewritten takes others of the same class along that have come so near.
const NEAR: u32 = 8;

/// So many frames of a stack are looked at.
const MOST_FRAMES: i32 = 2_000;

/// A loop that calls a method no more often than this between two looks at the stacks may as well be interpreted. The support class counts a little further.
const MOST_CALLS: i32 = 1_000;

/// A method with a loop.
#[derive(Debug)]
struct Loop {
    class: String,
    number: usize,
}

/// What the support class has counted.
pub(crate) struct Counted {
    /// Judgements, by site.
    pub(crate) judgements: Vec<i32>,
    /// How often methods with loops were entered since the last time, up to a bound, by their numbers.
    pub(crate) entries: Vec<i32>,
}

/// The accesses that have faded.
#[derive(Debug, Default)]
pub(crate) struct Faded {
    /// The numbers of methods with loops, by class, and by name and descriptor.
    loops: FxHashMap<String, FxHashMap<String, u32>>,
    loop_count: u32,
    /// Whether it is known since when entries are counted.
    counts_entries: bool,
    /// By class, and by name and descriptor of the method: the indexes of the instructions.
    by_class: FxHashMap<String, FxHashMap<String, FxHashSet<u32>>>,
    /// The sites of these classes, to be found again when they are rewritten.
    sites: FxHashMap<SiteKey, Vec<(SiteKind, u32)>>,
    count: usize,
}

impl Faded {
    /// Those of a method.
    pub(crate) fn of(&self, class: &str, signature: &str) -> FxHashSet<u32> {
        let methods = self.by_class.get(class);
        methods.and_then(|methods| methods.get(signature)).cloned().unwrap_or_default()
    }

    /// The number that a site had when its class was rewritten before.
    pub(crate) fn known(&self, site: &SiteEntry) -> Option<u32> {
        let same = self.sites.get(&site.key)?;
        same.iter().find(|(kind, _)| *kind == as_rewritten(site.kind)).map(|(_, number)| *number)
    }

    /// A sentence for the report, if there are any.
    pub(crate) fn told(&self, after: u32) -> Option<String> {
        let (count, near) = (self.count, (after / NEAR).max(1));
        (count > 0).then(|| {
            format!(
                "{count} accesses in the code were no longer watched after {after} judgements, or {near} where others of the \
                 class had so many (--sample): races that show only later are missed"
            )
        })
    }

    /// The number of a method with a loop.
    pub(crate) fn loop_number(&mut self, class: &str, method: &str) -> u32 {
        let next = self.loop_count;
        let methods = self.loops.entry(class.to_owned()).or_default();
        let number = *methods.entry(method.to_owned()).or_insert(next);
        self.loop_count += u32::from(number == next);
        number
    }

    /// The classes of methods with loops that seem to last: a thread that does not wait is in them, nobody has entered them since the last time, and the loop does not seem to spend its time in
    /// calls of a method that takes long itself.
    fn busy(
        &self,
        stacks: &[Vec<Frame>],
        loops: &FxHashMap<usize, Option<Loop>>,
        entries: &[i32],
    ) -> FxHashSet<String> {
        let of = |frame: &Frame| loops.get(&frame.method).and_then(Option::as_ref);
        let entered = |number: usize| entries.get(number).copied().unwrap_or(0);
        let mut busy = FxHashSet::default();
        for stack in stacks {
            for (at, lasting) in stack.iter().enumerate().filter_map(|(at, frame)| Some((at, of(frame)?))) {
                let called = at.checked_sub(1).and_then(|above| of(&stack[above]));
                let is_slow = called.is_some_and(|called| (1..=MOST_CALLS).contains(&entered(called.number)));
                if entered(lasting.number) == 0 && !is_slow {
                    busy.insert(lasting.class.clone());
                }
            }
        }
        busy
    }

    fn insert(&mut self, key: &SiteKey) -> bool {
        let methods = self.by_class.entry(key.class.clone()).or_default();
        let is_new = methods.entry(signature(key)).or_default().insert(key.index);
        self.count += usize::from(is_new);
        is_new
    }
}

fn signature(key: &SiteKey) -> String {
    format!("{}{}", key.method, key.descriptor)
}

/// The kind that a site has when it is rewritten: what a call does to its receiver is found out when it is made.
fn as_rewritten(kind: SiteKind) -> SiteKind {
    match kind {
        SiteKind::ContainerRead | SiteKind::ContainerWrite => SiteKind::Call,
        kind => kind,
    }
}

/// Whether accesses of this kind may fade.
fn may_fade(kind: SiteKind) -> bool {
    matches!(
        as_rewritten(kind),
        SiteKind::Call | SiteKind::FieldGet | SiteKind::FieldPut | SiteKind::ArrayLoad | SiteKind::ArrayStore
    )
}

impl State {
    /// Lets accesses fade that were judged so often, but for those of busy classes. The classes that are to be rewritten for it.
    fn fade(&mut self, judgements: &[i32], often: u32, busy: &FxHashSet<String>) -> FxHashSet<String> {
        let sites = self.tables.sites.iter().zip(judgements);
        let sites = sites.filter(|(site, _)| may_fade(site.kind) && !busy.contains(&site.key.class));
        let sites: Vec<(&SiteEntry, u32)> =
            sites.map(|(site, &count)| (site, count as u32)).filter(|(_, count)| *count > 0).collect();
        let mut classes: FxHashSet<String> = FxHashSet::default();
        for (site, _) in sites.iter().filter(|(_, count)| *count >= often) {
            if self.faded.insert(&site.key) {
                classes.insert(site.key.class.clone());
            }
        }
        for (site, _) in sites.iter().filter(|(_, count)| *count >= often / NEAR) {
            if classes.contains(&site.key.class) {
                self.faded.insert(&site.key);
            }
        }
        for (number, site) in self.tables.sites.iter().enumerate() {
            if classes.contains(&site.key.class) {
                let same = self.faded.sites.entry(site.key.clone()).or_default();
                let kind = as_rewritten(site.kind);
                if !same.iter().any(|(known, _)| *known == kind) {
                    same.push((kind, number as u32));
                }
            }
        }
        classes
    }
}

impl Agent {
    /// The method as one with a loop, if it is one.
    fn loop_of(&self, jvm: &Jvm, method: jmethodID) -> Result<Option<Loop>, Problem> {
        let (name, descriptor) = jvm.method_name(method)?;
        let declaring = jvm.declaring_class(method)?;
        let class = jvm.class_name(declaring);
        jvm.forget(declaring);
        let class = class?;
        let number =
            self.state().faded.loops.get(&class).and_then(|it| it.get(&(name + &descriptor))).copied();
        Ok(number.map(|number| Loop { class, number: number as usize }))
    }

    /// Lets accesses fade that were judged so often; whether there were any. The lock is not held while classes are rewritten, which takes it.
    pub(crate) fn fade(&self, jvm: &Jvm, counted: Counted, often: u32) -> Result<bool, Problem> {
        let Counted { judgements, entries } = counted;
        let stacks = jvm.stacks(MOST_FRAMES, false)?;
        let mut loops: FxHashMap<usize, Option<Loop>> = FxHashMap::default();
        for method in stacks.iter().flatten().map(|frame| frame.method) {
            if let Entry::Vacant(vacant) = loops.entry(method) {
                // Of a method whose class is gone nothing can be known, and need not be.
                vacant.insert(self.loop_of(jvm, method as jmethodID).unwrap_or_default());
            }
        }
        let busy = self.state().faded.busy(&stacks, &loops, &entries);
        if !std::mem::replace(&mut self.state().faded.counts_entries, true) {
            return Ok(false);
        }
        let names = self.state().fade(&judgements, often, &busy);
        if names.is_empty() {
            return Ok(false);
        }
        let mut wanted: Vec<jclass> = Vec::new();
        for class in jvm.loaded_classes()? {
            if jvm.class_name(class).is_ok_and(|name| names.contains(&name)) && jvm.is_modifiable(class)? {
                wanted.push(class);
            } else {
                jvm.forget(class);
            }
        }
        self.rewrite_again(jvm, &wanted, "classes with accesses that fade");
        wanted.into_iter().for_each(|class| jvm.forget(class));
        Ok(true)
    }
}
