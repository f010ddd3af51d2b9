//! Where execution starts: the summary of the synthetic procedure that calls the program.
//!
//! A closed program starts at its `main` methods. An open one is called by code that is not there; a harness stands for it: it
//! makes objects of every class that callers can make, and calls every method that callers can call, on all of them. In both
//! cases the VM itself calls some methods of the JDK, which the models list, and containers call the [services](Service) that
//! they host.

mod containers;
mod general;
mod harness;
mod hosting;
mod services;

use selvedge_ir::ClassName;
use selvedge_models::{Models, VmRoot};
use selvedge_world::{EntryPoints, Harness, MethodId, Program};

pub(crate) use containers::is_container;
pub(crate) use general::{casts_of_value, is_general, representatives_assumptions};
pub use services::{Service, services};

use crate::heap::Heap;
use crate::plugin::RootBuilder;
use crate::procedure::{ProcedureId, Procedures};
use crate::summary::{Member, Statement, Summary, Target};

/// The start-up of the module system and the launcher. It runs before the first line of the program and leaves nothing
/// behind but what the models of modules and class loaders say; analysing it doubles the cost of everything.
const BOOT: [&str; 3] = ["initPhase2", "initPhase3", "checkAndLoadMain"];

/// Who calls the program.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    /// Methods that are called with an array of strings: `main`.
    pub mains: Vec<MethodId>,
    /// The missing callers of an open program.
    pub harness: Option<Harness>,
    /// Whether the VM makes its own calls too: system initialisation, finalisers, shutdown, uncaught exceptions. Without
    /// them a small program stays small, but `System.out` is null.
    pub vm: bool,
    /// The classes that containers make and call.
    pub services: Vec<Service>,
    /// What the client behind the harness passes where a parameter may be nearly any object.
    pub general_values: GeneralValues,
    /// The classes that the program makes while it runs, where they are known and given beside its own: one of these is what
    /// `defineClass` returns.
    pub made: Vec<ClassName>,
}

/// What the client of an open program passes, and its implementations of interfaces return, where the declared type is so
/// general that nearly every class fits: `Object`, `Comparable`, `Serializable` and their like, arrays of them, and
/// collections, whose erased types say nothing about their elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GeneralValues {
    /// Objects of its own that stand for all others: a plain object, a string, a number, an implementation of the interface;
    /// and, to a method that casts the parameter to a class or tests it for one, every object of that class. Arrays and
    /// collections are made anew for each call. What the method does with other objects is not seen.
    /// Methods that the JDK declares are called on objects of the library only.
    #[default]
    Representatives,
    /// Everything that the client ever gets hold of, as the most general client does. Sound, and the reason why large
    /// libraries are too large: each such parameter holds every object of the library.
    Everything,
}

impl Entries {
    /// A program that starts at these `main` methods.
    pub fn of_mains(mains: Vec<MethodId>) -> Self {
        Self { mains, vm: true, ..Self::default() }
    }

    /// An open program with its harness.
    pub fn of_harness(harness: Harness) -> Self {
        Self { harness: Some(harness), vm: true, ..Self::default() }
    }

    /// The same, with these services called besides.
    pub fn with_services(self, services: Vec<Service>) -> Self {
        Self { services, vm: true, ..self }
    }

    /// What the world found to be the program's entry points.
    pub fn of_program(program: &Program, points: &EntryPoints) -> Self {
        match points {
            EntryPoints::Mains(mains) => Self::of_mains(mains.clone()),
            EntryPoints::Library(classes) => Self::of_harness(Harness::new(program, classes)),
        }
    }
}

/// The summary of the code that calls the entries and what the VM calls.
pub(crate) fn roots(
    program: &Program,
    heap: &mut Heap<'_>,
    models: &Models,
    procedure: ProcedureId,
    entries: &Entries,
) -> Summary {
    let mut builder = RootBuilder::new(program, heap, procedure);
    if entries.vm {
        let is_boot = |root: &&VmRoot| BOOT.iter().any(|name| root.name.is(name));
        models.roots().iter().filter(|root| !is_boot(root)).for_each(|root| builder.vm_root(root));
    }
    for &main in &entries.mains {
        call_main(&mut builder, main);
    }
    if let Some(harness) = &entries.harness {
        harness::call_harness(&mut builder, harness, entries.general_values);
    }
    hosting::call_services(&mut builder, &entries.services);
    builder.summary.finish()
}

fn call_main(builder: &mut RootBuilder<'_, '_>, main: MethodId) {
    let arguments = builder.fresh_site(ClassName::new("[Ljava/lang/String;"));
    let text = builder.fresh_merged(ClassName::new("java/lang/String"));
    if let (Some(base), Some(from)) = (arguments, text) {
        builder.summary.push(Statement::Store { base, member: Member::Element, from });
    }
    builder.summary.initializes.push(builder.program.methods[main].class);
    let takes_arguments = !builder.program.methods[main].descriptor.as_bytes().starts_with(b"()");
    let arguments = if takes_arguments { vec![arguments] } else { Vec::new() };
    builder.call(Target::Static(Procedures::of_method(main)), arguments, None);
}
