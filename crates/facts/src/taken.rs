//! Objects that are taken out of a queue by one thread: hand-over through queues, exchangers and the like.
//!
//! A producer makes a message, fills it and puts it into a queue; several consumers take messages out and change them. All consumers
//! run the same code on the same abstract object, and yet each message has one of them.
//!
//! **Theorem.** Let every object of an abstract object be put into a channel (a queue, an exchanger, a concurrent map) at most once in a run. Then
//! two threads that got hold of it as the *result of taking it out* hold different objects. So a candidate whose two sides both access
//! what their threads took out is refuted. An object is put in at most once if a single instruction may put it in, and what that puts in is new each
//! time: an allocation of the same method, in the same loop, or a parameter for which the same holds at the one call that may pass it. Library
//! code that puts the object into a channel, other than the collections themselves, spoils it.
//!
//! What a producer does to the object after it was put in is not refuted by this: it did not take it out.

use std::sync::OnceLock;

use selvedge_base::{BitSet, FastMap};
use selvedge_ir::{Inst, Op, Value, ValueDef};
use selvedge_models::{Effect, Place};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_world::MethodId;

use crate::accesses::Accesses;
use crate::handover::is_allocation;
use crate::refutation::{Candidate, Occurrence, Refutation, Strength};
use crate::threads::{ThreadId, Threads};
use crate::view::View;
use crate::words;

/// How many calls a value is followed through.
const DEPTH: usize = 6;

/// The names of methods that take an object out of a channel, or begin so.
const TAKING: [&str; 5] = ["take", "poll", "remove", "pop", "exchange"];

/// The names of methods by which collections put objects into themselves, or begin so.
const PUTTING: [&str; 7] = ["add", "offer", "put", "push", "transfer", "enqueue", "link"];

/// See the [module documentation](self).
#[derive(Default)]
pub struct Taken {
    known: OnceLock<Known>,
}

/// What is found out when it is first asked for.
#[derive(Default)]
struct Known {
    /// The calls of the application that put something into a channel.
    puts: Vec<(InstanceId, Inst, Value)>,
    /// What library code puts into channels on its own account.
    by_library: BitSet<ObjectId>,
    /// Who calls each instance of the application.
    callers: FastMap<InstanceId, Vec<(InstanceId, Option<Inst>)>>,
}

impl Taken {
    /// The name of the refuter.
    pub const BY: &'static str = "taken-once";

    /// Whether both sides access what their threads have taken out of a channel into which it was put once.
    pub fn refute(
        &self,
        view: &View<'_>,
        threads: &Threads,
        accesses: &Accesses,
        candidate: &Candidate,
    ) -> Option<Refutation> {
        let object = candidate.object?;
        let known = self.known.get_or_init(|| find(view, threads));
        if known.puts.is_empty() {
            return None;
        }
        let took = |side: &Occurrence| {
            let question = Question { view, threads, known, object, thread: side.thread };
            let access = &accesses.all[side.access];
            access.base.is_some_and(|base| question.is_taken(side.instance, base, DEPTH))
        };
        if !candidate.sides.iter().all(took) || known.by_library.contains(object) {
            return None;
        }
        let puts =
            known.puts.iter().filter(|(at, _, value)| view.analysis.points_to(*at, *value).contains(object));
        let puts: Vec<_> = puts.copied().collect();
        let &(first, put, value) = puts.first()?;
        let is_same = |&(at, inst, _): &(InstanceId, Inst, Value)| {
            view.method_of(at) == view.method_of(first) && inst == put
        };
        let question = Question { view, threads, known, object, thread: candidate.sides[0].thread };
        if !puts.iter().all(is_same)
            || !puts.iter().all(|&(at, put, _)| question.is_new(at, put, value, DEPTH))
        {
            return None;
        }
        let method = view.method_of(first)?;
        let because = format!(
            "{} is put in once, at {}, and both threads have taken out what they access",
            words::object(view, object),
            words::place(view, method, put)
        );
        Some(Refutation { by: Self::BY, strength: Strength::Proof, because })
    }
}

struct Question<'a, 'v> {
    view: &'a View<'v>,
    threads: &'a Threads,
    known: &'a Known,
    object: ObjectId,
    thread: ThreadId,
}

impl Question<'_, '_> {
    /// Whether a value is what a call has taken out of a channel, wherever it may be the object.
    fn is_taken(&self, instance: InstanceId, value: Value, depth: usize) -> bool {
        let view = self.view;
        if !view.analysis.points_to(instance, value).contains(self.object) {
            return true;
        }
        let Some(body) = view.body(instance).filter(|_| depth > 0) else { return false };
        match body.values[value].def {
            ValueDef::Parameter(position) => {
                let callers = self.known.callers.get(&instance).map_or(&[][..], Vec::as_slice);
                let is_entry = self.threads.all[self.thread].entries.contains(&instance);
                let mut callers = callers
                    .iter()
                    .filter(|(at, _)| self.threads.may_execute(*at).contains(&self.thread))
                    .peekable();
                !is_entry
                    && callers.peek().is_some()
                    && callers.all(|&(caller, call)| {
                        argument(view, caller, call, position as usize)
                            .is_some_and(|(_, value)| self.is_taken(caller, value, depth - 1))
                    })
            }
            ValueDef::Inst(inst) => match &body.insts[inst].op {
                Op::CheckCast(_) => self.is_taken(instance, body.args(inst)[0], depth),
                Op::Phi => body
                    .args(inst)
                    .iter()
                    .all(|&from| from == value || self.is_taken(instance, from, depth - 1)),
                Op::Invoke(..) if takes(view, instance, inst) => true,
                Op::Invoke(..) => {
                    let callees = view.callees(instance, inst);
                    !callees.is_empty() && callees.iter().all(|&callee| self.returns_taken(callee, depth - 1))
                }
                _ => false,
            },
        }
    }

    fn returns_taken(&self, callee: InstanceId, depth: usize) -> bool {
        let Some(body) = self.view.body(callee).filter(|_| self.view.is_application_instance(callee)) else {
            return false;
        };
        let mut returns = body.insts.iter_ids().filter(|(_, data)| matches!(data.op, Op::Return));
        returns
            .all(|(inst, _)| body.args(inst).first().is_none_or(|&value| self.is_taken(callee, value, depth)))
    }

    /// Whether an instruction handles a new object each time that it executes.
    fn is_new(&self, instance: InstanceId, inst: Inst, value: Value, depth: usize) -> bool {
        let view = self.view;
        let Some(method) = view.method_of(instance).filter(|_| depth > 0) else { return false };
        let (Some(body), Some(shape)) = (view.program.body(method), view.shape(method)) else { return false };
        if !shape.loops.irreducible_edges().is_empty() {
            return false;
        }
        let innermost = shape.loops.innermost(shape.block_of[inst]);
        match body.values[value].def {
            ValueDef::Inst(made) => {
                is_allocation(&body.insts[made].op)
                    && innermost == shape.loops.innermost(shape.block_of[made])
                    && shape.dominates(made, inst)
            }
            ValueDef::Parameter(position) => {
                let callers = self.known.callers.get(&instance).map_or(&[][..], Vec::as_slice);
                let mut passing = callers.iter().filter_map(|&(caller, call)| {
                    match argument(view, caller, call, position as usize) {
                        Some((_, value)) if !view.analysis.points_to(caller, value).contains(self.object) => {
                            None
                        }
                        passed => Some(passed.map(|(call, value)| (caller, call, value))),
                    }
                });
                let one = passing.next().flatten().filter(|_| passing.next().is_none());
                innermost.is_none()
                    && one.is_some_and(|(caller, call, value)| self.is_new(caller, call, value, depth - 1))
            }
        }
    }
}

fn argument(
    view: &View<'_>,
    caller: InstanceId,
    call: Option<Inst>,
    position: usize,
) -> Option<(Inst, Value)> {
    let (call, body) = (call?, view.body(caller)?);
    let takes_arguments = matches!(body.insts[call].op, Op::Invoke(..));
    let value = body.args(call).get(position).copied().filter(|_| takes_arguments)?;
    Some((call, value))
}

fn begins_with(view: &View<'_>, method: MethodId, names: &[&str]) -> bool {
    let name = view.program.methods[method].name;
    names.iter().any(|start| name.as_bytes().starts_with(start.as_bytes()))
}

/// Whether the result of a call is an object that it has taken out of a channel.
fn takes(view: &View<'_>, instance: InstanceId, inst: Inst) -> bool {
    let callees = view.callees(instance, inst);
    let mut methods = callees.iter().map(|&callee| view.method_of(callee));
    let all_take = methods.all(|method| method.is_some_and(|method| begins_with(view, method, &TAKING)));
    let gives_result = |effect: &&Effect| matches!(effect, Effect::Subscribe { item: Some(item), .. } if *item == Place::result());
    all_take && view.must_effects(instance, inst).iter().any(gives_result)
}

/// What a library method puts into channels.
fn items<'a>(view: &View<'a>, method: MethodId) -> impl Iterator<Item = &'a Place> {
    let effects = view.rows(method).to_vec().into_iter().flat_map(|row| row.effects.iter());
    effects.filter_map(|effect| match effect {
        Effect::Publish { item: Some(item), .. } => Some(item),
        _ => None,
    })
}

fn find(view: &View<'_>, threads: &Threads) -> Known {
    let mut known = Known::default();
    for instance in view.analysis.instances.ids() {
        if threads.may_execute(instance).is_empty() {
            continue;
        }
        let own = view.is_application_instance(instance);
        let method = view.method_of(instance);
        // A collection that is told to put something in does so by other methods of its own.
        let is_told = method.is_some_and(|method| {
            items(view, method).next().is_some() || !own && begins_with(view, method, &PUTTING)
        });
        for call in view.calls(instance) {
            for &callee in call.callees {
                if view.is_application_instance(callee) && threads.is_call(view, instance, callee) {
                    known.callers.entry(callee).or_default().push((instance, call.inst));
                    continue;
                }
                let Some(called) = view.method_of(callee).filter(|_| !is_told) else { continue };
                for item in items(view, called) {
                    let value = view.body(instance).zip(call.inst).filter(|_| own);
                    let value = value.and_then(|(body, inst)| Some((inst, view.operand(body, inst, item)?)));
                    match value {
                        Some((inst, value)) => known.puts.push((instance, inst, value)),
                        None => view.objects_at(instance, call.number, called, item).into_iter().for_each(
                            |object| {
                                known.by_library.insert(object);
                            },
                        ),
                    }
                }
            }
        }
    }
    known.puts.sort_unstable();
    known.puts.dedup();
    known
}
