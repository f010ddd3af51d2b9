//! Where execution starts: the summary of the synthetic procedure that calls the program.
//!
//! A closed program starts at its `main` methods. An open one is called by code that is not there; a harness stands for it: it
//! makes objects of every class that callers can make, and calls every method that callers can call, on all of them. In both
//! cases the VM itself calls some methods of the JDK, which the models list.

use selvedge_base::IdVec;
use selvedge_ir::ClassName;
use selvedge_models::{Models, VmRoot};
use selvedge_world::{EntryPoints, FlowKind, Harness, Made, MethodId, Program, VariableId};

use crate::heap::{Heap, Types};
use crate::plugin::RootBuilder;
use crate::procedure::{ProcedureId, Procedures};
use crate::summary::{Member, Slot, Statement, Summary, Target};

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
}

impl Entries {
    /// A program that starts at these `main` methods.
    pub fn of_mains(mains: Vec<MethodId>) -> Self {
        Self { mains, harness: None, vm: true }
    }

    /// An open program with its harness.
    pub fn of_harness(harness: Harness) -> Self {
        Self { mains: Vec::new(), harness: Some(harness), vm: true }
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
        call_harness(&mut builder, harness);
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
    let arguments = if takes_arguments { vec![arguments] } else { Vec::new() };
    builder.call(Target::Static(Procedures::of_method(main)), arguments, None);
}

/// The harness as constraints: its variables are slots, and so on, one to one. Its own implementations of interfaces are
/// objects that return whatever the harness has and keep whatever they are given: see [`crate::plugin::client_summary`].
fn call_harness(builder: &mut RootBuilder<'_, '_>, harness: &Harness) {
    let program = builder.program;
    let slots: IdVec<VariableId, Option<Slot>> = harness
        .variables
        .iter()
        .map(|variable| {
            ClassName::of_descriptor(variable.descriptor.as_bytes()).map(|_| builder.summary.slot())
        })
        .collect();
    let all = |variables: &[VariableId]| variables.iter().map(|&id| slots[id]).collect::<Vec<_>>();
    for creation in &harness.creations {
        let Some(into) = slots[creation.variable] else { continue };
        let class = ClassName::of_descriptor(harness.variables[creation.variable].descriptor.as_bytes());
        let made = match &creation.made {
            Made::Object { constructor, arguments } => {
                let class = program.methods[*constructor].class;
                let object = builder.fresh_site(program.classes[class].name);
                builder.summary.initializes.push(class);
                let mut values = vec![object];
                values.extend(all(arguments));
                if object.is_some() {
                    builder.call(Target::Exact(Procedures::of_method(*constructor)), values, None);
                }
                object
            }
            Made::StaticField(field) => {
                builder.summary.initializes.push(program.fields[*field].class);
                builder.summary.push(Statement::LoadStatic { into, field: *field });
                None
            }
            Made::Array { element } => {
                let array = class.and_then(|class| builder.fresh_site(class));
                if let (Some(base), Some(from)) = (array, slots[*element]) {
                    builder.summary.push(Statement::Store { base, member: Member::Element, from });
                }
                array
            }
            Made::String => builder.fresh_merged(ClassName::new("java/lang/String")),
            Made::Class => builder.fresh_merged(ClassName::new("java/lang/Class")),
            Made::Implementation(interface) => Some(builder.fresh_client(*interface)),
        };
        if let Some(from) = made {
            builder.summary.push(Statement::Copy { into, from, filter: Types::ANY });
        }
    }
    for flow in &harness.flows {
        let (Some(from), Some(into)) = (slots[flow.from], slots[flow.to]) else { continue };
        builder.summary.push(match flow.kind {
            FlowKind::Value => Statement::Copy { into, from, filter: Types::ANY },
            FlowKind::Element => Statement::Load { into, base: from, member: Member::Element },
        });
    }
    for call in &harness.calls {
        let mut arguments = Vec::new();
        let target = match call.receiver {
            None => {
                builder.summary.initializes.push(program.methods[call.method].class);
                Target::Static(Procedures::of_method(call.method))
            }
            Some(receiver) => {
                arguments.push(slots[receiver]);
                Target::Virtual(call.method)
            }
        };
        arguments.extend(all(&call.arguments));
        let result = call.result.and_then(|variable| slots[variable]);
        builder.call(target, arguments, result);
    }
    let cell = builder.client_cell();
    for (id, variable) in harness.variables.iter_ids() {
        let class = ClassName::of_descriptor(variable.descriptor.as_bytes());
        if let (Some(slot), Some(class)) = (slots[id], class) {
            builder.summary.push(Statement::Store { base: cell, member: Member::Captured(0), from: slot });
            let kept = builder.summary.slot();
            builder.summary.push(Statement::Load { into: kept, base: cell, member: Member::Captured(0) });
            let filter = builder.heap.types.filter_to(class);
            builder.summary.push(Statement::Copy { into: slot, from: kept, filter });
        }
    }
}
