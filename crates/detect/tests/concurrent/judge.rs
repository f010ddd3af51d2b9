//! The definition of a data race, held against one run of the interpreter.
//!
//! Two accesses race if they touch the same place from two threads, one of them writes, and happens-before orders neither before the
//! other (JLS 17.4.5). Happens-before is that of the run: monitors, volatile accesses (those inside of the library included, which is
//! executed as it is), starts and joins of threads, and class initialisation. Every access is kept with its thread's clock, so nothing is
//! approximated.
//!
//! An access that the library makes counts where the application calls the library, if that call is an access to the analysis.

use std::collections::{BTreeSet, HashMap};

use selvedge_base::{FastMap, FastSet, Id};
use selvedge_interp::{Access, ObjRef, Observer, Place, Site, ThreadId};
use selvedge_ir::ClassName;
use selvedge_world::{ClassId, MethodId, Program, Tier};

/// A vector clock, by thread number.
#[derive(Clone, Default)]
struct Clock(Vec<u32>);

impl Clock {
    fn get(&self, thread: ThreadId) -> u32 {
        self.0.get(thread.index()).copied().unwrap_or(0)
    }

    fn tick(&mut self, thread: ThreadId) {
        let index = thread.index();
        if self.0.len() <= index {
            self.0.resize(index + 1, 0);
        }
        self.0[index] += 1;
    }

    fn learn(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own = (*own).max(*other);
        }
    }
}

/// What a thread did to a place.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Done {
    thread: ThreadId,
    /// The thread's own time. Later accesses of a thread at the same site and time say nothing new.
    time: u32,
    site: Site,
    is_write: bool,
}

/// What releases order and hands it on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    Monitor(ObjRef),
    Volatile(Place),
    Class(ClassId),
    Fence,
}

/// The judge of a run.
pub struct Judge<'p> {
    program: &'p Program,
    /// Instructions of the application that access memory, in the eyes of the analysis.
    sites: &'p FastSet<Site>,
    clocks: FastMap<ThreadId, Clock>,
    released: HashMap<Source, Clock>,
    done: HashMap<Place, Vec<Done>>,
    /// Where the methods that each thread is in were called.
    frames: FastMap<ThreadId, Vec<Option<Site>>>,
    /// The ended threads' last clocks.
    ended: FastMap<ThreadId, Clock>,
    /// Pairs of sites that raced, the smaller one first.
    pub races: BTreeSet<[Site; 2]>,
    /// How many accesses were judged.
    pub accesses: usize,
}

impl<'p> Judge<'p> {
    pub fn new(program: &'p Program, sites: &'p FastSet<Site>) -> Self {
        Self {
            program,
            sites,
            clocks: FastMap::default(),
            released: HashMap::new(),
            done: HashMap::new(),
            frames: FastMap::default(),
            ended: FastMap::default(),
            races: BTreeSet::new(),
            accesses: 0,
        }
    }

    fn clock(&mut self, thread: ThreadId) -> &mut Clock {
        self.clocks.entry(thread).or_insert_with(|| {
            let mut clock = Clock::default();
            clock.tick(thread);
            clock
        })
    }

    fn acquire(&mut self, thread: ThreadId, source: Source) {
        if let Some(released) = self.released.get(&source) {
            let released = released.clone();
            self.clock(thread).learn(&released);
        }
    }

    fn release(&mut self, thread: ThreadId, source: Source) {
        let clock = self.clock(thread).clone();
        self.released.entry(source).or_default().learn(&clock);
        self.clock(thread).tick(thread);
    }

    fn is_application(&self, method: MethodId) -> bool {
        self.program.classes[self.program.methods[method].class].tier == Tier::Application
    }

    fn is_concurrent_library(&self, access: &Access) -> bool {
        let Some(site) = access.site.filter(|site| !self.is_application(site.method)) else { return false };
        let class = self.program.methods[site.method].class;
        self.program.classes[class].name.to_string().starts_with("java/util/concurrent/")
    }

    /// The instruction of the application that an access is due to.
    fn cause(&self, access: &Access) -> Option<Site> {
        let frames = self.frames.get(&access.thread).into_iter().flatten().rev().copied();
        let mut sites = std::iter::once(access.site).chain(frames).flatten();
        sites.find(|site| self.is_application(site.method))
    }
}

impl Observer for Judge<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn call(&mut self, thread: ThreadId, site: Option<Site>, callee: MethodId) {
        self.frames.entry(thread).or_default().push(site);
        let method = &self.program.methods[callee];
        let class = method.class;
        if self.program.classes[class].tier == Tier::Application {
            self.acquire(thread, Source::Class(class));
        } else if method.name.is("loadFence") {
            self.acquire(thread, Source::Fence);
        } else if method.name.is("storeFence") {
            self.release(thread, Source::Fence);
        } else if method.name.is("fullFence") {
            self.acquire(thread, Source::Fence);
            self.release(thread, Source::Fence);
        }
    }

    fn leave(&mut self, thread: ThreadId, _: MethodId) {
        self.frames.entry(thread).or_default().pop();
    }

    fn access(&mut self, access: &Access) {
        let thread = access.thread;
        if access.is_volatile {
            let source = Source::Volatile(access.place);
            return match access.is_write {
                true => self.release(thread, source),
                false => self.acquire(thread, source),
            };
        }
        if let Place::Static(field) = access.place {
            self.acquire(thread, Source::Class(self.program.fields[field].class));
        }
        // Queues of tasks are arrays that the library writes plainly and reads by an acquiring load, with fences and other fields to make
        // that right; what it documents is that a submission comes before the task.
        if access.is_write && matches!(access.place, Place::Element(..)) && self.is_concurrent_library(access)
        {
            self.release(thread, Source::Volatile(access.place));
        }
        if let Place::Field(_, field) | Place::Static(field) = access.place
            && self.program.fields[field].is_final()
        {
            return;
        }
        let Some(site) = self.cause(access).filter(|site| self.sites.contains(site)) else { return };
        self.accesses += 1;
        let time = self.clock(thread).get(thread);
        let known = self.clock(thread).clone();
        let now = Done { thread, time, site, is_write: access.is_write };
        let done = self.done.entry(access.place).or_default();
        for before in done.iter() {
            let conflicts = before.thread != thread && (before.is_write || now.is_write);
            if conflicts && known.get(before.thread) < before.time {
                self.races.insert([before.site.min(site), before.site.max(site)]);
            }
        }
        if !done.contains(&now) {
            done.push(now);
        }
    }

    fn monitor_enter(&mut self, thread: ThreadId, _: Option<Site>, object: ObjRef, _: u32) {
        self.acquire(thread, Source::Monitor(object));
    }

    fn monitor_exit(&mut self, thread: ThreadId, _: Option<Site>, object: ObjRef, _: u32) {
        self.release(thread, Source::Monitor(object));
    }

    fn thread_start(&mut self, parent: ThreadId, _: Option<Site>, child: ThreadId, _: ObjRef) {
        let clock = self.clock(parent).clone();
        self.clock(child).learn(&clock);
        self.clock(parent).tick(parent);
    }

    fn thread_end(&mut self, thread: ThreadId) {
        let clock = self.clock(thread).clone();
        self.ended.insert(thread, clock);
    }

    fn thread_join(&mut self, thread: ThreadId, _: Option<Site>, other: ThreadId) {
        if let Some(clock) = self.ended.get(&other).cloned() {
            self.clock(thread).learn(&clock);
        }
    }

    fn class_initialized(&mut self, thread: ThreadId, class: ClassName) {
        if let Some(class) = self.program.class_named(class) {
            self.release(thread, Source::Class(class));
        }
    }
}
