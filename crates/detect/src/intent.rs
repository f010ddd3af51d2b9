//! Which classes are made for use by several threads at once, as far as their code shows it.
//!
//! A class *synchronises* if it, a superclass of it, or a class nested in the same class has a synchronized method or block, a
//! volatile field, or a field of a type of `java.util.concurrent`. The callers of a library may share any object with
//! other threads; that they share one of a class which does not synchronise at all (a builder, a plain bean) is their own
//! doing, and of little interest to whoever maintains the library. Where a class synchronises, but no access to the memory holds a lock in
//! question (the buffers of a statement), that is likely so, too. Types that are made for sharing by their documentation (data sources)
//! are taken at their word, and so are objects that a static field holds, or a collection in one if the class synchronises, and those that the
//! library keeps in a collection for several threads (a synchronized map, a concurrent queue) and uses itself. This is no proof of anything: it moves the rank.

mod kept;

use std::sync::OnceLock;

use selvedge_base::{BitSet, FastMap};
use selvedge_facts::{Candidate, Occurrence, Origin, Place};
use selvedge_ir::{ClassName, InstData, Op};
use selvedge_models::Kind;
use selvedge_pta::Procedure;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::{ClassId, FieldId, Program, Tier};

use crate::Facts;
use crate::credence::class_of_entry;
use crate::internal::InternalPackages;
use crate::names::Names;

/// See the [module documentation](self).
pub struct Intent {
    synchronising: BitSet<ClassId>,
    /// What the application keeps in collections for several threads.
    kept: OnceLock<BitSet<ObjectId>>,
    /// The packages that are not for callers of the library.
    pub(crate) internal: InternalPackages,
    /// Whether the application uses windows.
    pub(crate) has_windows: bool,
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
        let has_windows = program.classes.ids().filter(|&class| of_application(class)).any(|class| {
            let calls =
                |method| program.body(method).is_some_and(|body| body.insts.iter().any(calls_windows));
            program.classes[class].methods.iter().any(calls)
        });
        let internal = InternalPackages::new(program);
        Self { synchronising, kept: OnceLock::new(), internal, has_windows }
    }

    /// Whether objects of a class are made for several threads.
    fn is_shared_by_design(&self, program: &Program, class: ClassId) -> bool {
        program.superclasses(class).any(|class| self.synchronising.contains(class))
    }

    /// Whether the object of a pair is meant to be shared; `is_guarded` says whether somebody takes a lock for the same memory.
    pub fn who_shares(
        &self,
        facts: &Facts<'_, '_>,
        names: &Names<'_, '_>,
        candidate: &Candidate,
        is_guarded: bool,
    ) -> Sharing {
        let (view, program) = (facts.view, facts.view.program);
        let Some(object) = candidate.object else { return Sharing::Meant };
        // A static field among unrelated ones holds another object that the analysis takes for this one.
        let holders = names.holders(object);
        let is_static = |&field: &FieldId| program.fields[field].is_static();
        let family_of = |field: FieldId| family(program, program.fields[field].class);
        let are_related = || holders.iter().all(|&field| family_of(field) == family_of(holders[0]));
        if holders.iter().any(is_static) && (holders.iter().all(is_static) || are_related()) {
            return Sharing::Meant;
        }
        let accessed = candidate.sides.map(|side| &facts.accesses.all[side.access]);
        let is_client = |thread| facts.threads.all[thread].origin == Origin::Client;
        if matches!(accessed[0].place, Place::Static(_))
            || !candidate.sides.iter().all(|side| is_client(side.thread))
        {
            return Sharing::Meant;
        }
        let heap = &view.analysis.heap;
        let own = heap.types.class(heap.get(object).ty).filter(|&class| view.is_application_class(class));
        let users = accessed.iter().map(|access| program.methods[access.method].class);
        let mut classes: Vec<ClassId> = own.into_iter().chain(users).collect();
        classes.dedup();
        let Some(&class) = classes.first() else { return Sharing::Meant };
        let name = program.classes[class].name.to_string().replace('/', ".");
        if let Some(declared) = facts.declarations.declared_for_threads(program, own, accessed[0].place) {
            return Sharing::MeantSince(declared);
        }
        if own.is_none() && is_made_by_callers(facts, object) {
            return Sharing::OnlyCallers("callers create the object and pass it in".to_string());
        }
        if let Some(api) = first_of(program, &classes, Kind::SharedBySpecification) {
            return Sharing::MeantSince(format!("{name} is a {api}, which many threads use at once"));
        }
        let left = |types: Kind| {
            let api = first_of(program, &classes, types)?;
            let because = format!("only callers can share a {api}, which one thread uses at a time");
            Some(Sharing::OnlyCallers(because))
        };
        if let Some(sharing) = left(Kind::LeftBySpecification) {
            return sharing;
        }
        match (is_guarded, accessed[0].place) {
            // Arrays of bytes and characters are passed around and mixed up too much for this to tell anything.
            (true, Place::Element) => return Sharing::Meant,
            (true, _) => return Sharing::MeantSince("other accesses hold a lock".to_string()),
            (false, _) => {}
        }
        if let Some(sharing) = left(Kind::LeftByCustom) {
            return sharing;
        }
        let is_by_design = classes.iter().any(|&class| self.is_shared_by_design(program, class));
        if is_by_design && facts.escape.may_be_global(object) {
            return Sharing::Possible("a static field leads to such objects".to_string());
        }
        let is_kept = || self.kept.get_or_init(|| kept::find(view)).contains(object);
        if !is_by_design && own.is_some() && is_kept() {
            if own.is_some_and(|own| is_called_directly(facts, names, candidate, own)) {
                return Sharing::OnlyCallers(format!(
                    "callers call {name} directly, and it does not synchronise: it looks made for one thread at a time"
                ));
            }
            let because = "the library keeps the object in a collection for several threads";
            return Sharing::MeantSince(because.to_string());
        }
        if !is_by_design {
            return Sharing::OnlyCallers(format!(
                "only callers can share the object, and {name} does not synchronise: it looks made for one thread at a time"
            ));
        }
        Sharing::Unguarded("only callers can share the object, and no access holds a lock".to_string())
    }
}

/// Who is meant to share an object.
pub enum Sharing {
    /// Several threads, as far as anything shows it.
    Meant,
    /// Several threads, for this reason.
    MeantSince(String),
    /// Several threads may, for this reason, and nobody guards this memory.
    Possible(String),
    /// Nobody but callers can, and nobody guards this memory.
    Unguarded(String),
    /// Nobody but callers can, and nothing in the class is made for it.
    OnlyCallers(String),
}

/// Whether both sides begin in the object's own class, or one that it extends: that the library also keeps such objects says nothing of
/// those that callers have.
fn is_called_directly(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
    own: ClassId,
) -> bool {
    let program = facts.view.program;
    let is_entered = |&side: &Occurrence| {
        class_of_entry(program, &names.side(side)).is_some_and(|entered| program.is_subclass(own, entered))
    };
    candidate.sides.iter().all(is_entered)
}

/// Whether nobody but the callers of the library makes such objects.
fn is_made_by_callers(facts: &Facts<'_, '_>, object: ObjectId) -> bool {
    let analysis = facts.view.analysis;
    let site = analysis.heap.site_of(analysis.heap.get(object).site);
    let is_synthetic = |procedure| !matches!(analysis.procedures.get(procedure), Procedure::Method(_));
    matches!(site, Site::Synthetic { procedure, .. } if is_synthetic(procedure))
}

/// The first type of a kind that one of some classes is a subtype of, as Java names it.
fn first_of(program: &Program, classes: &[ClassId], types: Kind) -> Option<String> {
    types.classes().find_map(|name| {
        let wanted = program.class_named(ClassName::new(name))?;
        let is_one = |&class: &ClassId| program.is_subclass(class, wanted);
        classes.iter().any(is_one).then(|| name.replace('/', "."))
    })
}

/// The name of the outermost class that a class is nested in, by the convention of compilers.
pub(crate) fn family(program: &Program, class: ClassId) -> String {
    family_of_name(&program.classes[class].name.to_string())
}

/// The same of a class by its name.
pub(crate) fn family_of_name(name: &str) -> String {
    name.split('$').next().unwrap_or(name).to_string()
}

fn calls_windows(inst: &InstData) -> bool {
    let Op::Invoke(_, called) = &inst.op else { return false };
    Kind::UserInterface.has(called.owner.as_bytes())
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
