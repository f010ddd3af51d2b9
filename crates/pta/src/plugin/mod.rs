//! Library code that says nothing by itself: natives, reflection, handles, lambdas, proxies, services.
//!
//! Three mechanisms, from plain to special:
//! - **Rows** of the `models` crate become summaries ([`model_summary`]): flows, fresh objects, callbacks.
//! - **Rules** ([`rules`]) are for what no row can say. A rule watches a slot of a modelled method and, for each object that
//!   arrives there, returns [`Effect`]s; it never touches the solver, so that every solver can use it.
//! - **Synthetic procedures** stand for code that exists only at run time: [`lambda_summary`], [`proxy_summary`],
//!   [`client_summary`].
//!
//! A modelled method is analysed anew at each call, as if it were copied there (`System.arraycopy` must not mix the arrays
//! of all its callers), and what it allocates counts as allocated by the caller.
//!
//! What the application's own reflection leaves unknown is an *assumption*, listed for the user. Not listed yet: reflection
//! inside the JDK, and fields that the JDK reads or writes through `Unsafe` at offsets that it computes.

mod client;
mod lambda;
mod model_summary;
mod pass_through;
mod proxy;
mod rules;
pub use rules::handle_fits;

use std::collections::BTreeSet;

use selvedge_base::{FastMap, FastSet, Symbol};
use selvedge_ir::ClassName;
use selvedge_models::{Models, Row, Special, Supertypes};
use selvedge_world::{ClassId, FieldId, MethodId, Program};

pub(crate) use client::client_summary;
pub(crate) use lambda::lambda_summary;
pub(crate) use model_summary::Builder as RootBuilder;
pub(crate) use pass_through::{hands_back_a_parameter, runs_privileged_action};
pub(crate) use proxy::proxy_summary;

use crate::entry::GeneralValues;
use crate::heap::{Heap, ObjectId};
use crate::procedure::ProcedureId;
use crate::summary::{ArgumentConstant, Member, Slot, Statement, Summary};

/// What a rule wants done. Slots are those of the instance in which it fired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// An object arrives at a slot.
    Put { object: ObjectId, into: Slot },
    /// What a member of one object holds, a member of another gets.
    CopyMember { from: (ObjectId, Member), into: (ObjectId, Member) },
    /// A member of an object gets another object.
    PutMember { object: ObjectId, into: (ObjectId, Member) },
    /// A slot gets what a member of an object holds.
    LoadMember { object: ObjectId, member: Member, into: Slot },
    /// A member of an object gets what a slot holds.
    StoreMember { object: ObjectId, member: Member, from: Slot },
    /// The statement holds in the instance from now on.
    Add(Statement),
    /// A procedure is called.
    Call {
        procedure: ProcedureId,
        receiver: Option<ObjectId>,
        arguments: Vec<Option<Slot>>,
        result: Option<Slot>,
    },
    /// Something is called on all objects that are or come to a slot.
    CallOnSlot { callee: SlotCallee, receivers: Slot, arguments: Vec<Option<Slot>>, result: Option<Slot> },
    /// A class is initialised.
    Initialize(ClassId),
}

/// What a rule calls on the objects of a slot, as far as it knows. Objects that have no such method are passed over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum SlotCallee {
    /// This method, selected by the class of each object.
    Virtual(MethodId),
    /// This method and no override of it.
    Exact(MethodId),
    /// Every public method of this name.
    Named(Symbol),
    /// Every public method of the application, with this many parameters if that is known.
    Any(Option<usize>),
}

/// What a rule may look at.
pub(crate) struct RuleInput<'a> {
    pub program: &'a Program,
    /// The modelled method's summary.
    pub summary: &'a Summary,
    /// The modelled method.
    pub method: Option<MethodId>,
    /// The method that contains the call, where it is no synthetic one.
    pub caller: Option<MethodId>,
    /// The instruction of the call there.
    pub inst: Option<selvedge_ir::Inst>,
    /// Whether that method belongs to the application.
    pub from_application: bool,
    /// What is known of the call's arguments, the receiver first; may be shorter than the arguments.
    pub constants: &'a [Option<ArgumentConstant>],
    /// How many arguments the call has, the receiver included.
    pub argument_count: usize,
    /// Where objects that the rule makes are allocated: the calling procedure, and the call's number in it.
    pub site: (ProcedureId, u32),
    /// The heap context of objects that the calling instance allocates.
    pub heap_context: crate::context::ContextId,
    /// The object that arrived.
    pub object: ObjectId,
}

/// The library models as the solver uses them.
pub(crate) struct Library<'p> {
    /// The rows of each method that has some. Filled once, from the program.
    rows: FastMap<MethodId, Vec<&'p Row>>,
    replaced: FastSet<MethodId>,
    roots: Option<Summary>,
    /// What the client of an open program gives where nearly everything fits.
    pub general_values: GeneralValues,
    /// The classes that the program makes while it runs, as far as they are known.
    pub made: Vec<ClassName>,
    /// Which field an `Unsafe` offset kept in a static field stands for.
    offsets: FastMap<FieldId, Option<FieldId>>,
    /// The classes of the JDK that provide a service which is asked for, and are not made for it.
    pub left_out: BTreeSet<ClassId>,
    /// Sentences about what was assumed, sorted.
    assumptions: BTreeSet<String>,
}

impl<'p> Library<'p> {
    pub fn new(program: &'p Program, models: &'p Models) -> Self {
        let mut library = Self {
            rows: FastMap::default(),
            replaced: FastSet::default(),
            roots: None,
            general_values: GeneralValues::default(),
            made: Vec::new(),
            offsets: FastMap::default(),
            left_out: BTreeSet::new(),
            assumptions: BTreeSet::new(),
        };
        library.match_rows(program, models);
        library
    }

    /// Finds the rows of each method. Native methods are always replaced, by nothing if they have no row.
    fn match_rows(&mut self, program: &'p Program, models: &'p Models) {
        let hierarchy = Hierarchy(program);
        for (id, method) in program.methods.iter_ids() {
            let class = program.classes[method.class].name.symbol();
            let rows = models.rows_for(class, method.name, method.descriptor, &hierarchy);
            if method.is_native() || rows.iter().any(|row| row.replace) {
                self.replaced.insert(id);
            }
            if !rows.is_empty() {
                self.rows.insert(id, rows);
            }
        }
    }

    /// Whether calls of the method are analysed as if its model were copied to each of them.
    pub fn is_inlined(&self, method: MethodId) -> bool {
        self.replaced.contains(&method)
    }

    /// Whether a rule beside a method's code must know the call: the class literal that a service is loaded by, the name of a
    /// factory, the casts of an object that is read, who makes a class.
    pub fn needs_its_call(&self, method: MethodId) -> bool {
        let loads = |effect: &selvedge_models::Effect| {
            let selvedge_models::Effect::Special { name } = effect else { return false };
            matches!(
                name,
                Special::ServiceLoader | Special::NamedFactory | Special::DefineClass | Special::Deserialize
            )
        };
        self.rows(method).iter().any(|row| row.effects.iter().any(loads))
    }

    /// The rows of a method.
    pub fn rows(&self, method: MethodId) -> &[&'p Row] {
        self.rows.get(&method).map_or(&[], Vec::as_slice)
    }

    /// The summary of a method whose model replaces its code.
    pub fn summary(&mut self, program: &Program, heap: &mut Heap<'_>, method: MethodId) -> Option<Summary> {
        self.replaced.contains(&method).then(|| {
            let rows = self.rows.get(&method).map_or(&[][..], Vec::as_slice);
            model_summary::of_rows(program, heap, method, rows)
        })
    }

    /// Adds to the summary of a method with code what rows say beside it.
    pub fn extend(
        &self,
        program: &Program,
        heap: &mut Heap<'_>,
        method: MethodId,
        summary: Summary,
    ) -> Summary {
        match self.rows(method) {
            [] => summary,
            rows => model_summary::beside_code(program, heap, method, rows, summary),
        }
    }

    /// Sets the code that calls the entry points.
    pub fn set_roots(&mut self, roots: Summary) {
        self.roots = Some(roots);
    }

    pub fn take_roots(&mut self) -> Summary {
        self.roots.take().unwrap_or_default()
    }

    /// Notes that a call site of an unknown bootstrap method was reached.
    pub fn note_unknown_bootstrap(&mut self, program: &Program, method: Option<MethodId>) {
        let place = method.map_or(String::new(), |method| format!(" in {}", program.describe_method(method)));
        self.assume(format!(
            "an invokedynamic site{place} with a bootstrap method that is not known does nothing"
        ));
    }

    pub fn assume(&mut self, sentence: String) {
        self.assumptions.insert(sentence);
    }

    pub fn assumptions(&self) -> impl Iterator<Item = &str> {
        self.assumptions.iter().map(String::as_str)
    }

    /// What a rule says to an object that arrived; see [`rules`].
    pub fn fire(&mut self, input: &RuleInput<'_>, heap: &mut Heap<'_>, rule: Special) -> Vec<Effect> {
        rules::fire(self, input, heap, rule)
    }
}

/// The hierarchy of a program as the models crate asks for it.
pub struct Hierarchy<'p>(pub &'p Program);

impl Supertypes for Hierarchy<'_> {
    fn direct_supertypes(&self, class: Symbol) -> Vec<Symbol> {
        let program = self.0;
        let Some(class) = program.class_named(ClassName::from_symbol(class)) else { return Vec::new() };
        let data = &program.classes[class];
        data.superclass
            .iter()
            .chain(data.interfaces.iter())
            .map(|&id| program.classes[id].name.symbol())
            .collect()
    }
}
