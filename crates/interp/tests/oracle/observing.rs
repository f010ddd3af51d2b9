//! What an observer sees agrees with what the program does.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_interp::{Access, ObjRef, Observer, Options, Place, Site, ThreadId, run};
use selvedge_ir::{ClassName, Op, Type};
use selvedge_world::{MethodId, Program};

use crate::corpus::corpus_or_skip;

/// Checks, while the program runs, what must hold of any run.
struct Checker<'p> {
    program: &'p Program,
    depth: BTreeMap<ObjRef, (ThreadId, u32)>,
    stacks: BTreeMap<ThreadId, Vec<MethodId>>,
    allocated: BTreeSet<ObjRef>,
    started: BTreeSet<ThreadId>,
    ended: BTreeSet<ThreadId>,
    joined: BTreeSet<(ThreadId, ThreadId)>,
    /// Accesses of the watched field: thread, whether it writes, whether the thread held a lock.
    accesses: Vec<(ThreadId, bool, bool)>,
    watched: &'static str,
    calls: BTreeSet<(Site, MethodId)>,
    /// The class of each object, to check that a variable's value is of the variable's type.
    classes: BTreeMap<ObjRef, ClassName>,
}

impl<'p> Checker<'p> {
    fn new(program: &'p Program, watched: &'static str) -> Self {
        Self {
            program,
            depth: BTreeMap::new(),
            stacks: BTreeMap::new(),
            allocated: BTreeSet::new(),
            started: BTreeSet::from([ThreadId::new(0)]),
            ended: BTreeSet::new(),
            joined: BTreeSet::new(),
            accesses: Vec::new(),
            watched,
            calls: BTreeSet::new(),
            classes: BTreeMap::new(),
        }
    }
}

impl Observer for Checker<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn call(&mut self, thread: ThreadId, site: Option<Site>, callee: MethodId) {
        assert!(self.started.contains(&thread) && !self.ended.contains(&thread));
        if let Some(site) = site {
            let body = self.program.body(site.method).expect("a caller has a body");
            let at_site = body.insts.iter().filter(|inst| inst.bci == site.bci);
            let is_call = |op: &Op| !matches!(op, Op::Phi | Op::Goto(_) | Op::Binary(_));
            assert!(at_site.into_iter().any(|inst| is_call(&inst.op)), "{site:?} calls {callee}");
            self.calls.insert((site, callee));
        }
        self.stacks.entry(thread).or_default().push(callee);
    }

    fn leave(&mut self, thread: ThreadId, callee: MethodId) {
        assert_eq!(self.stacks.entry(thread).or_default().pop(), Some(callee));
    }

    fn wants_values(&self) -> bool {
        true
    }

    fn define(
        &mut self,
        thread: ThreadId,
        method: MethodId,
        variable: selvedge_ir::Value,
        object: Option<ObjRef>,
    ) {
        assert_eq!(self.stacks[&thread].last(), Some(&method));
        let Some(object) = object else { return };
        let ty = self.program.body(method).expect("it runs").ty(variable);
        let Type::Ref(name) = ty else { panic!("{variable} of {method} holds an object, but is {ty}") };
        let class = self.classes[&object];
        // Interfaces count as Object for the verifier; classes of lambdas are not in the program.
        let (Some(wanted), Some(found)) = (self.program.class_named(name), self.program.class_named(class))
        else {
            return;
        };
        if !self.program.classes[wanted].is_interface() {
            assert!(
                self.program.is_subclass(found, wanted),
                "{variable} of {} holds a {class}, but is {name}",
                self.program.describe_method(method)
            );
        }
    }

    fn allocation(&mut self, _: ThreadId, _: Option<Site>, object: ObjRef, class: ClassName) {
        self.classes.insert(object, class);
        assert!(self.allocated.insert(object), "{object:?} is allocated once");
    }

    fn access(&mut self, access: &Access) {
        let field = match access.place {
            Place::Field(object, field) => {
                assert!(self.allocated.contains(&object));
                field
            }
            Place::Static(field) => field,
            Place::Element(array, _) => return assert!(self.allocated.contains(&array)),
        };
        if self.program.describe_field(field) == self.watched {
            let locked = self.depth.values().any(|&(owner, depth)| owner == access.thread && depth > 0);
            self.accesses.push((access.thread, access.is_write, locked));
        }
    }

    fn monitor_enter(&mut self, thread: ThreadId, _: Option<Site>, object: ObjRef, depth: u32) {
        let (owner, held) = self.depth.entry(object).or_insert((thread, 0));
        assert!(*held == 0 || *owner == thread, "a monitor has one owner");
        (*owner, *held) = (thread, depth);
    }

    fn monitor_exit(&mut self, thread: ThreadId, _: Option<Site>, object: ObjRef, depth: u32) {
        let (owner, held) = self.depth.get_mut(&object).expect("only what was taken is given up");
        assert!(*owner == thread && depth < *held);
        *held = depth;
    }

    fn thread_start(&mut self, parent: ThreadId, _: Option<Site>, child: ThreadId, _: ObjRef) {
        assert!(self.started.contains(&parent) && self.started.insert(child));
    }

    fn thread_end(&mut self, thread: ThreadId) {
        assert!(self.ended.insert(thread));
    }

    fn thread_join(&mut self, thread: ThreadId, _: Option<Site>, other: ThreadId) {
        assert!(self.ended.contains(&other), "only an ended thread is joined");
        self.joined.insert((thread, other));
    }
}

#[test]
fn locks_threads_and_accesses_are_seen() {
    let Some(corpus) = corpus_or_skip() else { return };
    let main = ThreadId::new(0);
    for (name, field, guarded) in [
        ("SyncCounter", "SyncCounter.count", true),
        ("SyncCounter", "SyncCounter.statics", true),
        ("RacyCounter", "RacyCounter.racy", false),
    ] {
        let mut checker = Checker::new(&corpus.program, field);
        let options = Options { seed: 3, ..Options::default() };
        let outcome = run(&corpus.program, name, &options, &mut checker).unwrap();
        assert_eq!(outcome.status, Some(0));
        let workers: Vec<_> = checker.accesses.iter().filter(|access| access.0 != main).collect();
        let threads: BTreeSet<ThreadId> = workers.iter().map(|access| access.0).collect();
        assert!(threads.len() >= 3, "{field} is used by {threads:?}");
        assert_eq!(workers.iter().all(|access| access.2), guarded, "{field} guarded");
        assert!(workers.iter().filter(|access| access.1).count() >= 60, "{field} is written in every step");
        assert!(threads.iter().all(|&thread| checker.joined.contains(&(main, thread))));
    }
}

#[test]
fn every_program_keeps_the_rules_of_a_run() {
    use rayon::prelude::*;
    let Some(corpus) = corpus_or_skip() else { return };
    let names: Vec<&String> = corpus.all().collect();
    names.par_iter().for_each(|name| {
        let mut checker = Checker::new(&corpus.program, "");
        let options = Options { seed: 5, ..Options::default() };
        run(&corpus.program, name, &options, &mut checker).unwrap();
        assert!(!checker.calls.is_empty());
    });
}
