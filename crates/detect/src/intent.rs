//! Which classes are made for use by several threads at once, as far as their code shows it.
//!
//! A class *synchronises* if it, a superclass of it, or a class nested in the same class has a synchronized method or block, a
//! volatile field, or a field of a type of `java.util.concurrent`. The callers of a library may share any object with
//! other threads; that they share one of a class which does not synchronise at all (a builder, a statement, a plain bean) is their own
//! doing, and of little interest to whoever maintains the library. This is no proof of anything: it lowers the rank.

use selvedge_base::{BitSet, FastMap};
use selvedge_facts::{Candidate, Origin, Place};
use selvedge_ir::Op;
use selvedge_world::{ClassId, Program, Tier};

use crate::Facts;

/// See the [module documentation](self).
pub struct Intent {
    synchronising: BitSet<ClassId>,
}

impl Intent {
    /// Looks at all classes of the application.
    pub fn new(program: &Program) -> Self {
        let of_application = |class: ClassId| program.classes[class].tier == Tier::Application;
        let mut families: FastMap<String, bool> = FastMap::default();
        for class in program.classes.ids().filter(|&class| of_application(class)) {
            *families.entry(family(program, class)).or_default() |= synchronises(program, class);
        }
        let is_synchronising = |&class: &ClassId| families.get(&family(program, class)) == Some(&true);
        let synchronising =
            program.classes.ids().filter(|&class| of_application(class)).filter(is_synchronising).collect();
        Self { synchronising }
    }

    /// Whether objects of a class are made for several threads.
    fn is_shared_by_design(&self, program: &Program, class: ClassId) -> bool {
        program.superclasses(class).any(|class| self.synchronising.contains(class))
    }

    /// A sentence, if only callers of the library can share the object of a pair, and nothing shows that they may.
    pub fn only_callers_share(&self, facts: &Facts<'_, '_>, candidate: &Candidate) -> Option<String> {
        let (view, program) = (facts.view, facts.view.program);
        let object = candidate.object.filter(|&object| !facts.escape.may_be_global(object))?;
        let by_clients = candidate.sides.iter().all(|side| {
            facts.threads.all[side.thread].origin == Origin::Client
                && facts.locks.must_hold(view, side.access, side.instance).is_empty()
        });
        let accessed = candidate.sides.map(|side| &facts.accesses.all[side.access]);
        let heap = &view.analysis.heap;
        let own = heap.types.class(heap.get(object).ty).filter(|&class| view.is_application_class(class));
        let users = accessed.iter().map(|access| program.methods[access.method].class);
        let mut classes: Vec<ClassId> = own.into_iter().chain(users).collect();
        classes.dedup();
        let by_design = classes.iter().any(|&class| self.is_shared_by_design(program, class));
        let is_memory = !matches!(accessed[0].place, Place::Static(_));
        let name = program.classes[*classes.first()?].name.to_string().replace('/', ".");
        (by_clients && !by_design && is_memory).then(|| {
            format!("only callers can share the object, and nothing in {name} synchronises: it looks made for one thread at a time")
        })
    }
}

/// The name of the outermost class that a class is nested in, by the convention of compilers.
fn family(program: &Program, class: ClassId) -> String {
    let name = program.classes[class].name.to_string();
    name.split('$').next().map_or_else(|| name.clone(), str::to_string)
}

fn synchronises(program: &Program, class: ClassId) -> bool {
    let data = &program.classes[class];
    let concurrent = |field| {
        let field = &program.fields[field];
        field.is_volatile() || field.descriptor.as_bytes().starts_with(b"Ljava/util/concurrent/")
    };
    let locks = |method| {
        let mut insts = program.body(method).into_iter().flat_map(|body| body.insts.iter());
        program.methods[method].is_synchronized() || insts.any(|inst| matches!(inst.op, Op::MonitorEnter))
    };
    data.fields.iter().any(concurrent) || data.methods.iter().any(locks)
}
