//! Where execution starts: the summary of the synthetic procedure that calls the program.
//!
//! A closed program starts at its `main` methods. An open one is called by code that is not there; a harness stands for it: it
//! makes objects of every class that callers can make, and calls every method that callers can call, on all of them. In both
//! cases the VM itself calls some methods of the JDK, which the models list.

use selvedge_ir::ClassName;
use selvedge_models::{Models, VmRoot};
use selvedge_world::{MethodId, Program};

use crate::heap::Heap;
use crate::plugin::RootBuilder;
use crate::procedure::{ProcedureId, Procedures};
use crate::summary::{Call, Member, Statement, Summary, Target};

/// The start-up of the module system and the launcher. It runs before the first line of the program and leaves nothing
/// behind but what the models of modules and class loaders say; analysing it doubles the cost of everything.
const BOOT: [&str; 3] = ["initPhase2", "initPhase3", "checkAndLoadMain"];

/// Who calls the program.
#[derive(Clone, Debug)]
pub struct Entries {
    /// Methods that are called with an array of strings: `main`.
    pub mains: Vec<MethodId>,
    /// Whether the VM makes its own calls too: system initialisation, finalisers, shutdown, uncaught exceptions. Without
    /// them a small program stays small, but `System.out` is null.
    pub vm: bool,
}

impl Entries {
    /// A program that starts at these `main` methods.
    pub fn of_mains(mains: Vec<MethodId>) -> Self {
        Self { mains, vm: true }
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
    builder.summary.push_call(Call {
        inst: None,
        target: Target::Static(Procedures::of_method(main)),
        arguments: if takes_arguments { vec![arguments] } else { Vec::new() },
        result: None,
        scope: 0,
        constants: Vec::new(),
    });
}
