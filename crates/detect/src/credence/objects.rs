//! Doubts about the object of a pair: whether it is one object, and whether others have it.

use selvedge_facts::{Access, AccessKind, Candidate, Occurrence, Origin, Place};
use selvedge_findings::Side;
use selvedge_ir::{Body, ClassName, Op, Value};
use selvedge_models::Kind;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_pta::{InstanceId, RULE_CALL};
use selvedge_world::{ClassId, FieldId, Program};

use crate::Facts;
use crate::intent::{family, family_of_name};
use crate::names::Names;
use crate::pairs::constructs;
use crate::paths::Through;
use crate::ranking::is_update;

/// An object that so many fields hold is not one object.
const CROWD_OF_FIELDS: usize = 23;

/// Nor is one that the fields of so many unrelated classes hold.
const CROWD_OF_CLASSES: usize = 8;

/// Nor is a container that the fields of so many unrelated classes hold: these are made in passing everywhere.
const CROWD_AROUND_CONTAINER: usize = 3;

/// Nor is an array.
const CROWD_AROUND_ARRAY: usize = 2;

/// A handle that may be one of more fields than this tells nothing of any.
const MOST_FIELDS: usize = 4;

/// Nor does a call by reflection that may be one of more methods than this.
const MOST_METHODS: usize = 8;

/// The methods that make an object: constructors, and what reads a serialised one.
const MAKING: [&str; 3] = ["<init>", "readObject", "readExternal"];

/// How the names of those begin that read a serialised object.
const READING: [&str; 2] = [".readObject(", ".readExternal("];

/// Why an abstract object with these holders is likely several objects.
pub(super) fn crowd(program: &Program, holders: &[FieldId], place: Place) -> Option<String> {
    let mut classes: Vec<String> =
        holders.iter().map(|&field| family(program, program.fields[field].class)).collect();
    classes.sort_unstable();
    classes.dedup();
    let most_classes = match place {
        Place::Element => CROWD_AROUND_ARRAY,
        Place::Container => CROWD_AROUND_CONTAINER,
        Place::Field(_) | Place::Static(_) => CROWD_OF_CLASSES,
    };
    let is_crowd = holders.len() >= CROWD_OF_FIELDS || classes.len() >= most_classes;
    is_crowd.then(|| {
        let (fields, classes) = (holders.len(), classes.len());
        format!(
            "{fields} fields of {classes} classes may hold the object: it likely stands for several objects"
        )
    })
}

/// Why a side is not met by others: it runs in or below a constructor of an object, or of the object that holds it. Where the constructor itself starts the thread of
/// the other side, that one has the object before it is made.
pub(super) fn in_the_making(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
    object: ObjectId,
    sides: &[Side; 2],
) -> Option<String> {
    let (heap, program) = (&facts.view.analysis.heap, facts.view.program);
    let own = heap.types.class(heap.get(object).ty);
    let place = facts.accesses.all[candidate.sides[0].access].place;
    let is_part = matches!(place, Place::Element | Place::Container);
    let holders: Vec<ClassId> =
        names.holders(object).iter().map(|&field| program.fields[field].class).collect();
    let is_static = names.holders(object).iter().any(|&field| program.fields[field].is_static());
    let are_related = || holders.iter().all(|&class| family(program, class) == family(program, holders[0]));
    let owners = if !is_static && are_related() { holders.as_slice() } else { &[] };
    let constructors_of = |class: ClassId| {
        let named = |class: ClassId| {
            let class = program.classes[class].name.to_string().replace('/', ".");
            MAKING.map(|method| format!("{class}.{method}("))
        };
        program.superclasses(class).flat_map(named).collect::<Vec<String>>()
    };
    let constructors: Vec<String> =
        own.into_iter().chain(owners.iter().copied()).flat_map(constructors_of).collect();
    let is_one = |method: &str| constructors.iter().any(|constructor| method.starts_with(constructor));
    let is_in = |position: usize| {
        let side = &sides[position];
        let is_read = READING.iter().any(|reading| side.at.method.contains(reading));
        let is_own = constructs(facts, candidate.sides[position].access)
            || (is_part || is_read) && is_one(&side.at.method);
        let mut callers = side.path.iter().filter(|frame| frame.method != side.at.method);
        is_own || callers.any(|frame| is_one(&frame.method))
    };
    let starts = |position: usize| {
        let other = &sides[1 - position].thread.spawned_at;
        other.as_ref().is_some_and(|at| is_one(&at.method))
    };
    let text = "runs in a constructor of the object: others collide with it only if the constructor publishes the object first";
    let made = (0..2).find(|&position| is_in(position) && !starts(position))?;
    Some(format!("{} {text}", sides[made].at.place()))
}

/// Why two sides likely have two objects: each has one that its own method has just got from a factory of a library, and that the analysis
/// takes for one because the factory makes them all at one place.
pub(super) fn own_product(facts: &Facts<'_, '_>, candidate: &Candidate, object: ObjectId) -> Option<String> {
    let heap = &facts.view.analysis.heap;
    let by_library = match heap.site_of(heap.get(object).site) {
        Site::Instruction { method, .. } => !facts.view.is_application(method),
        _ => false,
    };
    let is_product = |side: &Occurrence| matches!(base_of(facts, side), Some(Op::Invoke(..)));
    if by_library && candidate.sides.iter().any(is_product) {
        let text = "one side has just got the object from a factory method, which likely returns a new one";
        return Some(text.to_string());
    }
    let makes = |side: &Occurrence| {
        matches!(base_of(facts, side), Some(Op::New(_) | Op::NewArray(_) | Op::NewPrimitiveArray(_)))
    };
    candidate.sides.iter().all(makes).then(|| "each side allocates the object that it accesses".to_string())
}

/// What makes the object of a side, if its own method does.
fn base_of<'f>(facts: &'f Facts<'_, '_>, side: &Occurrence) -> Option<&'f Op> {
    let access = &facts.accesses.all[side.access];
    made_by(facts.view.program.body(access.method)?, access.base?)
}

/// Why an array or a container is likely another one for each side: no field holds it, and unrelated classes touch it.
pub(super) fn in_passing(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
    object: ObjectId,
) -> Option<String> {
    let accesses = candidate.sides.map(|side| &facts.accesses.all[side.access]);
    let is_part = matches!(accesses[0].place, Place::Element | Place::Container);
    let program = facts.view.program;
    let [first, second] = accesses.map(|access| family(program, program.methods[access.method].class));
    (is_part && names.holders(object).is_empty() && first != second).then(|| {
        "no field holds the object, and two unrelated classes access it: it likely stands for several objects".to_string()
    })
}

/// Why an array or a container is likely another one for each side: other classes make it and hold it than one that touches it, and that does not
/// have it from them.
pub(super) fn of_strangers(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
    object: ObjectId,
) -> Option<String> {
    let (view, program, heap) = (facts.view, facts.view.program, &facts.view.analysis.heap);
    let Site::Instruction { method, .. } = heap.site_of(heap.get(object).site) else { return None };
    let accesses = candidate.sides.map(|side| &facts.accesses.all[side.access]);
    let is_part = matches!(accesses[0].place, Place::Element | Place::Container);
    if !is_part || !view.is_application(method) {
        return None;
    }
    let holders = names.holders(object).iter().map(|&field| program.fields[field].class);
    let mut known: Vec<String> =
        holders.chain([program.methods[method].class]).map(|class| family(program, class)).collect();
    known.dedup();
    let is_known = |class: &ClassName| known.contains(&family_of_name(&class.to_string()));
    let is_stranger = |side: &Occurrence| {
        let class = program.methods[facts.accesses.all[side.access].method].class;
        // Who has the object from a method or a field of these classes knows it.
        let is_given = match base_of(facts, side) {
            Some(Op::Invoke(_, called)) => is_known(&called.owner),
            Some(Op::GetField(field) | Op::GetStatic(field)) => is_known(&field.owner),
            _ => false,
        };
        !known.contains(&family(program, class)) && !is_given
    };
    candidate.sides.iter().any(is_stranger).then(|| {
        "one side belongs to no class that allocates or holds the object: it likely stands for several objects"
            .to_string()
    })
}

/// Why a side likely touches another object: it only calls a function, which the analysis takes for several.
pub(super) fn by_function(facts: &Facts<'_, '_>, candidate: &Candidate) -> Option<String> {
    let calls_function = |side: &Occurrence| {
        let access = &facts.accesses.all[side.access];
        let called = match facts.view.program.body(access.method).map(|body| &body.insts[access.inst].op) {
            Some(Op::Invoke(_, called)) => called.owner,
            _ => return false,
        };
        matches!(access.place, Place::Element | Place::Container) && Kind::Function.has(called.as_bytes())
    };
    candidate
        .sides
        .iter()
        .any(calls_function)
        .then(|| "one side calls a functional interface, likely with another implementation".to_string())
}

/// Why two callers of a library likely have two objects: each calls a constructor, below which such objects are made, and no static field holds
/// one.
pub(super) fn below_constructors(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
    object: ObjectId,
) -> Option<String> {
    let (view, heap) = (facts.view, &facts.view.analysis.heap);
    let Site::Instruction { method: maker, .. } = heap.site_of(heap.get(object).site) else { return None };
    let is_below = |side: &Occurrence| {
        let steps = names.steps_to(side.thread, side.instance, None);
        let Some(&(first, _)) = steps.first() else { return false };
        let is_constructor =
            view.method_of(first).is_some_and(|method| view.program.methods[method].name.is("<init>"));
        facts.threads.all[side.thread].origin == Origin::Client
            && is_constructor
            && view
                .analysis
                .instances_of(maker)
                .iter()
                .any(|&maker| names.leading_to(maker, Through::All).contains(first))
    };
    let is_static = |&field: &FieldId| view.program.fields[field].is_static();
    (!names.holders(object).iter().any(is_static) && candidate.sides.iter().all(is_below)).then(|| {
        "both sides run in a constructor that makes such objects: each likely has its own".to_string()
    })
}

/// Why a side likely accesses another field: it does so by a handle that may be one of many.
pub(super) fn by_reflection(facts: &Facts<'_, '_>, candidate: &Candidate) -> Option<String> {
    let analysis = facts.view.analysis;
    let is_handle = |object: ObjectId| {
        matches!(analysis.heap.site_of(analysis.heap.get(object).site), Site::FieldHandle(..))
    };
    let is_vague = |side: &Occurrence| {
        let access = &facts.accesses.all[side.access];
        let Some(body) = facts.view.program.body(access.method) else { return false };
        let handle = body.args(access.inst).first().copied();
        let handle = handle.filter(|_| matches!(body.insts[access.inst].op, Op::Invoke(..)));
        handle.is_some_and(|handle| {
            let handles = analysis.points_to(side.instance, handle).iter();
            handles.filter(|&object| is_handle(object)).count() > MOST_FIELDS
        })
    };
    candidate.sides.iter().any(is_vague).then(|| {
        "one side accesses a field by reflection, and nothing shows which: it is likely another one"
            .to_string()
    })
}

/// Why a side is likely not reached: on the way there a method is called by reflection, and it may be one of many.
pub(super) fn below_reflection(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
) -> Option<String> {
    let view = facts.view;
    let is_vague = |caller: InstanceId, callee: InstanceId| {
        let by_rule = || view.calls(caller).filter(|call| call.number == RULE_CALL);
        let is_called = by_rule().any(|call| call.callees.contains(&callee));
        is_called && by_rule().map(|call| call.callees.len()).sum::<usize>() > MOST_METHODS
    };
    let is_reflected = |side: &Occurrence| {
        let steps = names.steps_to(side.thread, side.instance, None);
        steps.windows(2).any(|pair| is_vague(pair[0].0, pair[1].0))
    };
    candidate.sides.iter().any(is_reflected).then(|| {
        "one side is below a call by reflection, and nothing shows of which method: it is likely another one"
            .to_string()
    })
}

/// Why an array is not touched at all: it has no elements.
pub(super) fn empty(facts: &Facts<'_, '_>, object: ObjectId) -> Option<String> {
    let heap = &facts.view.analysis.heap;
    let Site::Instruction { method, inst, .. } = heap.site_of(heap.get(object).site) else { return None };
    let body = facts.view.program.body(method)?;
    let is_array = matches!(body.insts[inst].op, Op::NewArray(_) | Op::NewPrimitiveArray(_));
    let length = *body.args(inst).first()?;
    let is_empty = matches!(made_by(body, length), Some(Op::Int(0)));
    (is_array && is_empty).then(|| "the array has no elements".to_string())
}

/// Why two executions of one code likely touch two elements: the place in the array or list is given to each.
pub(super) fn own_slot(facts: &Facts<'_, '_>, candidate: &Candidate) -> Option<String> {
    let accesses = candidate.sides.map(|side| &facts.accesses.all[side.access]);
    let is_spawned =
        |side: &Occurrence| matches!(facts.threads.all[side.thread].origin, Origin::Spawn { .. });
    let has_place = |access: &Access| {
        let Some(body) = facts.view.program.body(access.method) else { return false };
        let Some(index) = index_of(body, access) else { return false };
        let is_fixed = matches!(made_by(body, index), Some(Op::Int(_)));
        !is_fixed && !is_update(facts, access)
    };
    let [first, second] = candidate.sides;
    let is_one_code = first.thread == second.thread && is_spawned(&first);
    (is_one_code && accesses.iter().all(|access| has_place(access)))
        .then(|| "both sides compute the index: each thread likely has its own elements".to_string())
}

/// The index of an access to an array or, by a method that changes no other place, to a list.
pub(super) fn index_of(body: &Body, access: &Access) -> Option<Value> {
    match &body.insts[access.inst].op {
        Op::ArrayLoad(_) | Op::ArrayStore(_) => body.args(access.inst).get(1).copied(),
        Op::Invoke(_, called) if access.place == Place::Container => {
            let is_of_list = Kind::List.has(called.owner.as_bytes());
            let name = if access.kind == AccessKind::Write { "set" } else { "get" };
            (is_of_list && called.name.is(name)).then(|| body.args(access.inst).get(1).copied())?
        }
        _ => None,
    }
}

/// What makes a value, casts left aside.
fn made_by(body: &Body, mut value: Value) -> Option<&Op> {
    loop {
        let inst = body.defining_inst(value)?;
        match &body.insts[inst].op {
            Op::CheckCast(_) => value = *body.args(inst).first()?,
            op => return Some(op),
        }
    }
}
