//! Doubts about the locks of a pair: one that a side likely holds although it is not known to.

use selvedge_facts::{Candidate, Occurrence, Place};
use selvedge_findings::Side;
use selvedge_ir::{ClassName, Inst, Op};
use selvedge_models::Kind;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_world::FieldId;

use crate::Facts;
use crate::intent::family;
use crate::names::Names;
use crate::pairs::telling;

/// Why a side likely holds a lock: its method gives one back later that a helper has taken (`lockBoth`), or that is in a field which is set again.
/// The other side holds a lock or does likewise.
pub(super) fn given_back(facts: &Facts<'_, '_>, candidate: &Candidate) -> Option<String> {
    let holds = |side: &Occurrence| !facts.locks.must_hold(facts.view, side.access, side.instance).is_empty();
    let [first, second] = &candidate.sides;
    let known = [holds(first), holds(second)];
    let gives = [!known[0] && gives_back(facts, first), !known[1] && gives_back(facts, second)];
    let is_likely = (gives[0] && (known[1] || gives[1])) || (gives[1] && known[0]);
    is_likely.then(|| {
        "a method releases a lock after the access: both sides likely hold one that a helper acquired"
            .to_string()
    })
}

/// Why both sides likely hold a lock: on the way to each a method calls a helper that takes one, and afterwards one that gives it back. Where both
/// take it for reading, it excludes nothing.
pub(super) fn around(facts: &Facts<'_, '_>, names: &Names<'_, '_>, candidate: &Candidate) -> Option<String> {
    let [first, second] = candidate.sides.map(|side| {
        let access = facts.accesses.all[side.access].inst;
        let steps = names.steps_to(side.thread, side.instance, Some(access));
        steps.into_iter().find_map(|(instance, inst)| taken_around(facts, instance, inst?))
    });
    (!first?.is_shared || !second?.is_shared).then(|| {
        "a method on the way has a helper acquire a lock, and release it afterwards: both sides likely hold it"
            .to_string()
    })
}

/// A lock that helpers take and give back.
#[derive(Clone, Copy)]
struct Taken {
    is_shared: bool,
}

/// The lock that is taken before an instruction and given back after it, each by a method of the application.
fn taken_around(facts: &Facts<'_, '_>, instance: InstanceId, inst: Inst) -> Option<Taken> {
    let (view, program) = (facts.view, facts.view.program);
    let body = view.body(instance)?;
    let helpers = |is_meant: &dyn Fn(Inst) -> bool, name: &str, other: &str| {
        body.insts.iter_ids().filter(|(at, _)| is_meant(*at)).find_map(|(_, data)| {
            let Op::Invoke(_, called) = &data.op else { return None };
            let method = program.resolve_method(called).ok().filter(|&method| view.is_application(method))?;
            let helper = program.body(method)?;
            let calls = |name: &str| {
                helper.insts.iter().any(|data| match &data.op {
                    Op::Invoke(_, called) => called.name.is(name) && Kind::Lock.has(called.owner.as_bytes()),
                    _ => false,
                })
            };
            (calls(name) && !calls(other)).then(|| Taken { is_shared: calls("readLock") })
        })
    };
    helpers(&|at| at > inst, "unlock", "lock")?;
    helpers(&|at| at < inst, "lock", "unlock")
}

/// Why a side likely holds a lock: a method on the way asserts it (`assert Thread.holdsLock(lock)`), and the other side holds one or does likewise.
pub(super) fn asserted(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
) -> Option<String> {
    let asserts = |side: &Occurrence| {
        let steps = names.steps_to(side.thread, side.instance, None);
        steps.iter().filter_map(|step| facts.view.body(step.0)).any(|body| {
            body.insts.iter().any(|data| match &data.op {
                Op::Invoke(_, called) => {
                    Kind::Thread.has(called.owner.as_bytes()) && called.name.is("holdsLock")
                }
                _ => false,
            })
        })
    };
    let holds = |side: &Occurrence| !facts.locks.must_hold(facts.view, side.access, side.instance).is_empty();
    let [first, second] = &candidate.sides;
    let is_likely = asserts(first) && (holds(second) || asserts(second)) || asserts(second) && holds(first);
    is_likely.then(|| "a method on the way asserts that its caller holds a lock".to_string())
}

/// Why a side likely holds a lock: callers of the library enter a helper of the class that has the memory, and the library itself calls this method of the helper
/// only with a lock held. A method of the class itself is for callers, whatever the class does around it.
pub(super) fn by_helper(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
    is_client: impl Fn(usize) -> bool,
) -> Option<String> {
    let (view, program) = (facts.view, facts.view.program);
    (0..2).filter(|&position| is_client(position)).find_map(|position| {
        let side = &candidate.sides[position];
        if !facts.locks.must_hold(view, side.access, side.instance).is_empty() {
            return None;
        }
        let steps = names.steps_to(side.thread, side.instance, None);
        let entry =
            steps.iter().find_map(|step| view.method_of(step.0).filter(|&it| view.is_application(it)))?;
        let accessing = program.methods[facts.accesses.all[side.access].method].class;
        if family(program, program.methods[entry].class) == family(program, accessing) {
            return None;
        }
        let instances = view.analysis.instances_of(entry).iter();
        let calls = instances.flat_map(|&instance| facts.publication.callers_of(instance));
        let mut calls = calls.filter(|(caller, _)| view.is_application_instance(*caller)).peekable();
        let is_locked = |&(caller, inst): &(InstanceId, Option<Inst>)| {
            inst.is_some_and(|inst| !facts.locks.held_at(view, caller, inst).is_empty())
        };
        (calls.peek().is_some() && calls.all(is_locked)).then(|| {
            let name = names.method(entry);
            format!("the library itself calls {name} only with a lock held")
        })
    })
}

/// Why both sides likely hold one lock: it has one name, and the memory is not static, so that each object may have its own lock.
pub(super) fn of_one_name(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
    object: ObjectId,
    sides: &[Side; 2],
) -> Option<String> {
    let place = facts.accesses.all[candidate.sides[0].access].place;
    let program = facts.view.program;
    let is_static = |&field: &FieldId| program.fields[field].is_static();
    let is_part = matches!(place, Place::Element | Place::Container);
    let is_one = is_part && names.holders(object).iter().any(is_static);
    // Of a static field there is one, whichever object has the memory.
    let is_static_lock = |name: &str| {
        let (class, field) = name.rsplit_once('.')?;
        let class = program.class_named(ClassName::new(class.replace('.', "/")))?;
        let mut fields = program.classes[class].fields.iter();
        fields.find(|&id| program.fields[id].name.is(field)).map(|id| program.fields[id].is_static())
    };
    let is_likely =
        |name: &&str| !name.starts_with("class ") && (!is_one || is_static_lock(name) == Some(true));
    let name = telling::common_names(sides).find(is_likely)?;
    Some(format!("both sides hold {name}, which is likely but not certain to be one lock"))
}

/// Whether the method of a side gives a lock back after its access, and does not take it in between.
fn gives_back(facts: &Facts<'_, '_>, side: &Occurrence) -> bool {
    let access = &facts.accesses.all[side.access];
    let Some(body) = facts.view.program.body(access.method) else { return false };
    let calls = |name: &'static str| {
        body.insts.iter_ids().filter(move |(_, data)| match &data.op {
            Op::Invoke(_, called) => called.name.is(name) && Kind::Lock.has(called.owner.as_bytes()),
            _ => false,
        })
    };
    let later = |inst| inst > access.inst;
    calls("unlock").any(|(inst, _)| later(inst)) && !calls("lock").any(|(inst, _)| later(inst))
}
