//! How references travel: the indexes that [`ownership`](super::domain) asks, made once for the program.

use selvedge_base::{BitSet, FastMap, FastSet, HybridSet, IdVec};
use selvedge_models::Special;
use selvedge_pta::context::Element;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_pta::summary::{Member, Slot, Statement, Summary};
use selvedge_pta::{InstanceId, Procedure, RULE_CALL};

use crate::view::View;

/// A call that reaches an instance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Incoming {
    pub(crate) caller: InstanceId,
    /// The number of the call, or [`RULE_CALL`].
    pub(crate) number: u32,
    /// Whether the callee runs in the thread of the caller.
    pub(crate) in_thread: bool,
}

/// A store of a reference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoreAt {
    pub(crate) instance: InstanceId,
    pub(crate) base: Slot,
    pub(crate) member: Member,
    pub(crate) from: Slot,
}

/// See the [module documentation](self).
pub(crate) struct Travel {
    /// The instances that make each object.
    makers: FastMap<ObjectId, Vec<InstanceId>>,
    /// The objects that each instance makes.
    made: FastMap<InstanceId, Vec<ObjectId>>,
    /// The instances that run on each object, but for those without a frame of their own.
    running_on: FastMap<ObjectId, Vec<InstanceId>>,
    callers: IdVec<InstanceId, Vec<Incoming>>,
    pub(crate) stores: Vec<StoreAt>,
    /// The instances with rules that move references.
    pub(crate) ruled: Vec<InstanceId>,
    /// The instances that belong to whoever calls them: static methods, and models that are copied to each call.
    frameless: BitSet<InstanceId>,
    /// What each object holds.
    held: FastMap<ObjectId, Vec<Member>>,
    /// The call edges whose callee runs in another thread.
    elsewhere: FastSet<(InstanceId, InstanceId)>,
}

impl Travel {
    /// Looks at all instances. `elsewhere` are the call edges whose callee runs in another thread.
    pub(crate) fn new(view: &View<'_>, elsewhere: FastSet<(InstanceId, InstanceId)>) -> Self {
        let analysis = view.analysis;
        let mut travel = Self {
            makers: FastMap::default(),
            made: FastMap::default(),
            running_on: FastMap::default(),
            callers: analysis.instances.ids().map(|_| Vec::new()).collect(),
            stores: Vec::new(),
            ruled: Vec::new(),
            frameless: BitSet::new(),
            held: FastMap::default(),
            elsewhere,
        };
        for (object, member, _) in analysis.members() {
            travel.held.entry(object).or_default().push(member);
        }
        for instance in analysis.instances.ids() {
            let Some(summary) = summary_of(view, instance) else { continue };
            if is_frameless(view, instance) {
                travel.frameless.insert(instance);
            } else {
                for object in analysis.parameter_points_to(instance, 0).iter() {
                    travel.running_on.entry(object).or_default().push(instance);
                }
            }
            travel.add_statements(view, instance, summary);
            for call in view.calls(instance) {
                for &callee in call.callees {
                    let incoming = travel.incoming(instance, call.number, callee);
                    travel.callers[callee].push(incoming);
                }
            }
        }
        travel
    }

    fn add_statements(&mut self, view: &View<'_>, instance: InstanceId, summary: &Summary) {
        let analysis = view.analysis;
        let mut makes = |object: ObjectId| {
            let known = self.makers.entry(object).or_default();
            if known.last() != Some(&instance) {
                known.push(instance);
                self.made.entry(instance).or_default().push(object);
            }
        };
        let mut is_ruled = false;
        for statement in &summary.statements {
            match *statement {
                Statement::Allocate { into, .. } => {
                    analysis.slot_points_to(instance, into).iter().for_each(&mut makes);
                }
                Statement::Store { base, member, from } => {
                    self.stores.push(StoreAt { instance, base, member, from });
                }
                Statement::RuleCall { .. } => is_ruled = true,
                Statement::Special { rule, .. } if !is_harmless(rule) => {
                    is_ruled = true;
                    let result = summary.result.into_iter();
                    let put = result.flat_map(|slot| analysis.slot_points_to(instance, slot).iter());
                    let heap = &analysis.heap;
                    put.filter(|&object| {
                        matches!(heap.site_of(heap.get(object).site), Site::Synthetic { .. })
                    })
                    .for_each(&mut makes);
                }
                _ => {}
            }
        }
        if is_ruled {
            self.ruled.push(instance);
        }
    }

    pub(crate) fn makers(&self, object: ObjectId) -> &[InstanceId] {
        self.makers.get(&object).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn made_by(&self, instance: InstanceId) -> &[ObjectId] {
        self.made.get(&instance).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn running_on(&self, object: ObjectId) -> &[InstanceId] {
        self.running_on.get(&object).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn callers(&self, instance: InstanceId) -> &[Incoming] {
        &self.callers[instance]
    }

    /// A call as one that reaches an instance.
    pub(crate) fn incoming(&self, caller: InstanceId, number: u32, callee: InstanceId) -> Incoming {
        let in_thread = number != RULE_CALL && !self.elsewhere.contains(&(caller, callee));
        Incoming { caller, number, in_thread }
    }

    pub(crate) fn is_frameless(&self, instance: InstanceId) -> bool {
        self.frameless.contains(instance)
    }

    /// The members of an object of which something is known.
    pub(crate) fn members(&self, object: ObjectId) -> &[Member] {
        self.held.get(&object).map_or(&[], Vec::as_slice)
    }

    /// Whether an object can belong to another at all: code of the program makes it, not its clients.
    pub(crate) fn can_be_owned(&self, view: &View<'_>, object: ObjectId) -> bool {
        let heap = &view.analysis.heap;
        let by_code = matches!(
            heap.site_of(heap.get(object).site),
            Site::Instruction { .. } | Site::Synthetic { .. } | Site::Part { .. }
        );
        let is_code = |&maker: &InstanceId| {
            matches!(view.procedure_of(maker), Procedure::Method(_) | Procedure::Lambda { .. })
        };
        by_code && !self.makers(object).is_empty() && self.makers(object).iter().all(is_code)
    }
}

/// The constraints of an instance's procedure.
pub(crate) fn summary_of<'a>(view: &View<'a>, instance: InstanceId) -> Option<&'a Summary> {
    view.analysis.summary(view.analysis.instances[instance].procedure)
}

/// What a parameter of an instance may point to.
pub(crate) fn parameter<'a>(
    view: &View<'a>,
    instance: InstanceId,
    position: usize,
) -> &'a HybridSet<ObjectId> {
    view.analysis.parameter_points_to(instance, position)
}

fn is_frameless(view: &View<'_>, instance: InstanceId) -> bool {
    let context = view.analysis.instances[instance].context;
    let is_copied =
        matches!(view.analysis.contexts.elements(context), [Element::Inlined(..) | Element::Call(..), ..]);
    let is_static = match view.procedure_of(instance) {
        Procedure::Method(method) => view.program.methods[method].is_static(),
        Procedure::Lambda { .. } | Procedure::Proxy(_) | Procedure::Client(_) | Procedure::Roots => false,
    };
    is_copied || is_static
}

/// Whether a rule gives only objects that nobody owns, and keeps nothing.
pub(crate) fn is_harmless(rule: Special) -> bool {
    matches!(
        rule,
        Special::GetClass
            | Special::ForName
            | Special::GetMethod
            | Special::GetConstructor
            | Special::GetField
            | Special::CallerClass
            | Special::UnsafeOffset
            | Special::UnsafeStaticBase
            | Special::StringConcat
            | Special::ArrayCopy
            | Special::RecordMethods
            | Special::SwitchBootstrap
            | Special::LambdaMetafactory
            | Special::VarHandleFind
            | Special::MethodHandleFind
            | Special::EnumConstants
    )
}
