//! Reasons to doubt a pair that no refuter removes: named heuristics, which lower the confidence and prove nothing.
//!
//! | doubt | what it looks at |
//! |---|---|
//! | a crowd | an abstract object that many unrelated fields hold stands for many objects |
//! | in the making | a side runs below a constructor of the object it touches |
//! | its own thread | two executions of one `run`, each on its own thread or task object, or of a thread that callers start for an object |
//! | who calls `run` | a caller of the library that executes the `run` of a thread |
//! | nobody keeps it | a container or an array that no field holds is what callers pass and get |
//! | before the window is shown | `main` against the event thread of a user interface |
//! | not the interface | a caller of the library that enters a package named `internal` |
//!
//! A finding of several pairs is led by one without doubts where there is one.

use selvedge_facts::{AbstractThread, Candidate, Origin, Place, ThreadId};
use selvedge_findings::{Confidence, Reason, ReasonKind, Side};
use selvedge_ir::ClassName;
use selvedge_models::InThread;
use selvedge_pta::heap::ObjectId;
use selvedge_world::{ClassId, FieldId, Program};

use crate::intent::family;
use crate::names::Names;
use crate::ranking::{Judgement, LeftToCallers};
use crate::{Facts, event_thread};

/// An object that so many fields hold is not one object.
const CROWD_OF_FIELDS: usize = 23;

/// Nor is one that the fields of so many unrelated classes hold.
const CROWD_OF_CLASSES: usize = 8;

/// Nor is an array or a container that the fields of so many unrelated classes hold: these are made in passing everywhere.
const CROWD_AROUND_CONTAINER: usize = 4;

/// Types whose `run` or `call` is executed by whoever they are handed to, once at a time as a rule.
const TASKS: [&str; 2] = ["java/lang/Runnable", "java/util/concurrent/Callable"];

/// Lets every doubt speak that applies to a pair.
pub(crate) fn weigh(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
    sides: &[Side; 2],
    judgement: &mut Judgement,
) {
    let program = facts.view.program;
    let place = facts.accesses.all[candidate.sides[0].access].place;
    let is_client =
        |position: usize| facts.threads.all[candidate.sides[position].thread].origin == Origin::Client;
    let mut doubt = |text: String| {
        judgement.confidence = Confidence::Low;
        judgement.reasons.push(Reason::doubt(text));
    };
    if let Some(text) = event_thread::doubt(facts, candidate) {
        doubt(text);
    }
    if let Some(object) = candidate.object {
        if let Some(text) = crowd(program, names.holders(object), place) {
            doubt(text);
        }
        if let Some(side) = sides.iter().find(|side| is_in_the_making(facts, object, side)) {
            let text = "called by a constructor of the object: others collide with it only if the constructor publishes the object first";
            doubt(format!("{}: {text}", side.at.place()));
        }
        if let Some(text) = own_thread(facts, candidate, object, sides) {
            doubt(text);
        }
    }
    for (position, side) in sides.iter().enumerate().filter(|(position, _)| is_client(*position)) {
        let Some(class) = class_of_entry(program, side) else { continue };
        let is_run = side.thread.entry.ends_with(".run()");
        if is_run && is_a(program, class, "java/lang/Thread") {
            doubt("only the thread itself executes its run method, callers do not".to_string());
            break;
        }
        if let Some(package) = internal_package(program, class) {
            doubt(format!("{package} is named internal: callers of the library do not use it"));
            break;
        }
        let is_twice = position == 0 && is_client(1) && sides[0].thread.entry == sides[1].thread.entry;
        if is_twice && TASKS.iter().any(|task| is_a(program, class, task)) && executes_task(side) {
            doubt("one task is executed by one thread, unless callers submit it several times".to_string());
            break;
        }
    }
    let is_passed =
        |object| matches!(place, Place::Element | Place::Container) && names.holders(object).is_empty();
    if is_client(0)
        && is_client(1)
        && candidate.object.is_some_and(is_passed)
        && judgement.left_to_callers.is_none()
    {
        doubt("no field holds the object: callers pass or receive it, and decide who shares it".to_string());
        judgement.left_to_callers = Some(LeftToCallers::MadeForOneThread);
    }
}

/// The last word: what is doubted is not high, and the rank lies in the band of the confidence, so that the two agree.
pub(crate) fn settle(judgement: &mut Judgement) {
    if judgement.reasons.iter().any(|reason| reason.kind == ReasonKind::Doubt) {
        judgement.confidence = judgement.confidence.min(Confidence::Medium);
    }
    let (from, width) = match judgement.confidence {
        Confidence::Low => (0, 39),
        Confidence::Medium => (40, 29),
        Confidence::High => (70, 30),
    };
    let rank = u32::from(judgement.rank.min(100));
    judgement.rank = from + u8::try_from(rank * width / 100).unwrap_or(0);
}

/// Why an abstract object with these holders is likely several objects.
fn crowd(program: &Program, holders: &[FieldId], place: Place) -> Option<String> {
    let mut classes: Vec<String> =
        holders.iter().map(|&field| family(program, program.fields[field].class)).collect();
    classes.sort_unstable();
    classes.dedup();
    let most_classes = match place {
        Place::Element | Place::Container => CROWD_AROUND_CONTAINER,
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

/// Whether a side runs below a constructor of the class of an object, or of a class above it.
fn is_in_the_making(facts: &Facts<'_, '_>, object: ObjectId, side: &Side) -> bool {
    let (heap, program) = (&facts.view.analysis.heap, facts.view.program);
    let Some(class) = heap.types.class(heap.get(object).ty) else { return false };
    let constructors: Vec<String> = program
        .superclasses(class)
        .map(|class| format!("{}.<init>(", program.classes[class].name.to_string().replace('/', ".")))
        .collect();
    let mut callers = side.path.iter().filter(|frame| frame.method != side.at.method);
    callers.any(|frame| constructors.iter().any(|constructor| frame.method.starts_with(constructor)))
}

/// Why two executions of one thread's code are likely on two objects: the object is what the thread executes.
fn own_thread(
    facts: &Facts<'_, '_>,
    candidate: &Candidate,
    object: ObjectId,
    sides: &[Side; 2],
) -> Option<String> {
    let [first, second] = candidate.sides;
    let data = &facts.threads.all[first.thread];
    let is_one_code = first.thread == second.thread && matches!(data.origin, Origin::Spawn { .. });
    if !is_one_code || facts.executions.is_single(object) {
        return None;
    }
    let (heap, program) = (&facts.view.analysis.heap, facts.view.program);
    let class = heap.types.class(heap.get(object).ty)?;
    if is_a(program, class, "java/lang/Thread") {
        return Some("a thread object is started once, and both sides run in that thread".to_string());
    }
    if is_started_for_callers(facts, data) {
        let text = "both sides run in one thread: they collide only if callers start it twice for one object";
        return Some(text.to_string());
    }
    let entry = class_of_entry(program, &sides[0])?;
    let is_task = TASKS.iter().any(|task| is_a(program, class, task)) && executes_task(&sides[0]);
    (is_task && program.is_subclass(class, entry))
        .then(|| "both sides are the task's own accesses: each thread likely has its own task".to_string())
}

/// Whether callers of a library have a thread started, one each time they ask for it.
fn is_started_for_callers(facts: &Facts<'_, '_>, thread: &AbstractThread) -> bool {
    let Origin::Spawn { instance, kind: InThread::New, .. } = thread.origin else { return false };
    let is_client = |&starter: &ThreadId| facts.threads.all[starter].origin == Origin::Client;
    !thread.several && facts.threads.may_execute(instance).iter().any(is_client)
}

/// Whether the entry of a side is the method by which tasks are executed.
fn executes_task(side: &Side) -> bool {
    side.thread.entry.ends_with(".run()") || side.thread.entry.ends_with(".call()")
}

/// The class whose method a thread enters first.
fn class_of_entry(program: &Program, side: &Side) -> Option<ClassId> {
    let (method, _) = side.thread.entry.split_once('(')?;
    let (class, _) = method.rsplit_once('.')?;
    program.class_named(ClassName::new(class.replace('.', "/")))
}

fn is_a(program: &Program, class: ClassId, name: &str) -> bool {
    program.class_named(ClassName::new(name)).is_some_and(|wanted| program.is_subclass(class, wanted))
}

/// The package of a class, if its name says that it is not for others.
fn internal_package(program: &Program, class: ClassId) -> Option<String> {
    let name = program.classes[class].name.to_string();
    let (package, _) = name.rsplit_once('/')?;
    package.split('/').any(|part| part == "internal").then(|| package.replace('/', "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(rank: u8, confidence: Confidence, reasons: Vec<Reason>) -> (u8, Confidence) {
        let advice = String::new();
        let mut judgement = Judgement { rank, confidence, reasons, advice, left_to_callers: None };
        settle(&mut judgement);
        (judgement.rank, judgement.confidence)
    }

    #[test]
    fn rank_and_confidence_agree() {
        let bands = [Confidence::Low, Confidence::Medium, Confidence::High]
            .map(|confidence| [0, 50, 100].map(|rank| judged(rank, confidence, Vec::new()).0));
        assert!(bands.concat().is_sorted());
        assert_eq!(bands, [[0, 19, 39], [40, 54, 69], [70, 85, 100]]);
    }

    #[test]
    fn what_is_doubted_is_not_high() {
        let doubt = vec![Reason::doubt("one side is made up")];
        assert_eq!(judged(100, Confidence::High, doubt), (69, Confidence::Medium));
        let evidence = vec![Reason::evidence("both are sure")];
        assert_eq!(judged(100, Confidence::High, evidence), (100, Confidence::High));
    }
}
