//! Doubts about the threads of a pair: whether they come there, and whether they are there at the same time on one object.

use selvedge_base::{BitSet, FastSet};
use selvedge_classfile::Constant;
use selvedge_facts::order::event_thread;
use selvedge_facts::{AbstractThread, Candidate, Occurrence, Origin, Place, ThreadId};
use selvedge_findings::Side;
use selvedge_ir::{Block, Body, ClassName, Inst, Op};
use selvedge_models::{InThread, Kind};
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_pta::{InstanceId, Procedure};
use selvedge_world::{ClassId, MethodId, Program, Tier};

use crate::Facts;
use crate::intent::family;
use crate::names::Names;
use crate::paths::Through;

/// Where the JDK starts the threads that an application registers to be run at the end.
const HOOKS: &str = "java.lang.ApplicationShutdownHooks.";

/// The packages whose classes start threads for themselves: parallel sorting, common pools. What an application hands over to them starts at its
/// own call.
const OF_THE_LIBRARY: [&str; 2] = ["java.util.", "sun.awt."];

/// What a program refers to that has windows, and where the threads of windows are started.
const WINDOWS: [&str; 2] = ["java.awt.", "javax.swing."];

/// A call of a function that may be one of more of the application's methods than this tells little of any.
const MOST_FUNCTIONS: usize = 4;

/// Methods that callers of a library call first on an object, by the names that they have as a rule.
const BEGINNINGS: [&str; 10] = [
    "start",
    "init",
    "initialize",
    "initialise",
    "open",
    "configure",
    "setup",
    "setUp",
    "activate",
    "afterPropertiesSet",
];

/// Why callers of a library hardly do what a side does.
pub(super) fn callers(
    facts: &Facts<'_, '_>,
    sides: &[Side; 2],
    is_static: bool,
    is_client: impl Fn(usize) -> bool,
) -> Option<String> {
    let program = facts.view.program;
    sides.iter().enumerate().filter(|(position, _)| is_client(*position)).find_map(|(position, side)| {
        let class = class_of_entry(program, side)?;
        if side.thread.entry.ends_with(".run()") && is_a(program, class, Kind::Thread.class()) {
            return Some("only the thread itself executes its run method, callers do not".to_string());
        }
        if let Some(package) = facts.intent.internal.of_class(program, class, is_static) {
            return Some(format!("{package} is named internal: callers of the library do not use it"));
        }
        if is_private_function(facts, side, class) {
            return Some("callers can call the function only if the library publishes it".to_string());
        }
        let is_twice = position == 0 && is_client(1) && sides[0].thread.entry == sides[1].thread.entry;
        let is_one = || Kind::Task.classes().any(|task| is_a(program, class, task));
        let is_run = side.thread.entry.ends_with(".run()") && !is_static;
        let is_task = is_twice && (is_run || executes_task(side) && is_one());
        is_task
            .then(|| "one task is executed by one thread, unless callers submit it several times".to_string())
    })
}

/// Whether a side begins with a function that the library keeps to itself, by its declaration.
fn is_private_function(facts: &Facts<'_, '_>, side: &Side, class: ClassId) -> bool {
    let program = facts.view.program;
    let is_function = |class: ClassId| Kind::Function.has(program.classes[class].name.as_bytes());
    let implements = program.all_interfaces(class).iter().any(|&interface| is_function(interface));
    side.thread.entry.contains(".lambda$") || implements && !program.classes[class].is_public()
}

/// Why a thread of the JVM or of the JDK's upkeep hardly comes to what a side does: it has no way to the object. Finalisers and hooks
/// that run at the end are handed to it.
pub(super) fn no_way(facts: &Facts<'_, '_>, candidate: &Candidate, sides: &[Side; 2]) -> Option<String> {
    candidate.sides.iter().zip(sides).find_map(|(occurrence, side)| {
        let thread = occurrence.thread;
        let entry = &side.thread.entry;
        let is_handed = entry.ends_with(".finalize()") || executes_task(side) || entry.contains("lambda$");
        let of_jvm = matches!(facts.threads.all[thread].origin, Origin::Vm(_));
        let is_upkeep = facts.threads.is_upkeep(facts.view, thread);
        let is_hook = side.thread.spawned_at.as_ref().is_some_and(|at| at.method.contains(HOOKS));
        let of_library = side
            .thread
            .spawned_at
            .as_ref()
            .is_some_and(|at| OF_THE_LIBRARY.iter().any(|it| at.method.starts_with(it)));
        let of_windows = !facts.intent.has_windows
            && side
                .thread
                .spawned_at
                .as_ref()
                .is_some_and(|at| WINDOWS.iter().any(|it| at.method.starts_with(it)));
        // Toolkits call listeners in their event thread, whichever threads they start beside it.
        let of_toolkit = side.thread.spawned_at.as_ref().is_some_and(|at| {
            let starter = at.method.replace('.', "/");
            Kind::UserInterface.has(starter)
        }) && !event_thread::is_in_event_thread(facts, occurrence);
        let is_doubted = of_jvm && !is_handed
            || (is_upkeep || of_library || of_windows) && !(is_hook && is_handed)
            || of_toolkit && !executes_task(side);
        is_doubted.then(|| {
            let text = "one side is a thread of the JDK, which rarely executes application code";
            text.to_string()
        })
    })
}

/// Why a thread hardly executes what a side does: a library starts the thread for a task of the application, and neither the class of the task nor the one
/// that makes it mentions this library. Tasks of all callers meet in libraries, and the call graph does not tell them apart.
pub(super) fn started_by_stranger(facts: &Facts<'_, '_>, candidate: &Candidate) -> Option<String> {
    let (view, program) = (facts.view, facts.view.program);
    candidate.sides.iter().find_map(|side| {
        let data = &facts.threads.all[side.thread];
        let Origin::Spawn { instance, .. } = data.origin else { return None };
        let starter = program.methods[view.method_of(instance)?].class;
        let library = program.classes[starter].name.to_string();
        let is_known = |&object: &ObjectId| {
            let makers = families_of(facts, object);
            makers.is_empty() || makers.iter().any(|&class| mentions(program, class, library_of(&library)))
        };
        let is_strange = program.classes[starter].tier == Tier::Library
            && !data.objects.is_empty()
            && !data.objects.iter().any(is_known);
        is_strange.then(|| {
            let library = library.replace('/', ".");
            format!("{library} starts the thread, which the class of the task does not mention")
        })
    })
}

/// Why a thread hardly executes what a side does: library code calls a method of the application on an object that no code on the way there
/// makes or mentions. Handlers of all parsers and listeners of all windows meet in libraries, and the call graph does not tell them apart.
pub(super) fn called_by_stranger(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
) -> Option<String> {
    let (view, program) = (facts.view, facts.view.program);
    let is_on_object = |instance: InstanceId| {
        let is_static = view.method_of(instance).is_some_and(|method| program.methods[method].is_static());
        view.is_application_instance(instance) && !is_static
    };
    candidate.sides.iter().find_map(|side| {
        let steps = names.steps_to(side.thread, side.instance, None);
        let is_strange = |position: usize| {
            let (caller, callee) = (steps[position - 1].0, steps[position].0);
            if view.is_application_instance(caller) || !is_on_object(callee) {
                return false;
            }
            let before = steps[..position].iter().filter(|step| view.is_application_instance(step.0));
            let callers: Vec<ClassId> =
                before.filter_map(|step| Some(program.methods[code_of(facts, step.0)?].class)).collect();
            let receivers = view.analysis.parameter_points_to(callee, 0);
            let is_known = |object: ObjectId| {
                let makers = families_of(facts, object);
                let knows = |&caller: &ClassId| {
                    makers.iter().any(|&maker| {
                        family(program, maker) == family(program, caller)
                            || mentions(program, caller, &family(program, maker))
                    })
                };
                makers.is_empty() || callers.iter().any(knows)
            };
            !callers.is_empty() && !receivers.is_empty() && !receivers.iter().any(is_known)
        };
        (1..steps.len()).any(is_strange).then(|| {
            "a library calls an object that no method on the way passes to it: likely another one is called".to_string()
        })
    })
}

/// Why a thread hardly executes what a side does: on the way there it executes the `run` of another thread, or calls a function that may be one
/// of many. Such objects meet in lists of tasks and listeners, and the call graph does not tell them apart.
pub(super) fn among_many(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
) -> Option<String> {
    let (view, program) = (facts.view, facts.view.program);
    let doubt_of = |caller: InstanceId, call: Inst, callee: InstanceId| {
        let body = view.body(caller)?;
        let Op::Invoke(_, called) = &body.insts[call].op else { return None };
        if !Kind::Function.has(called.owner.as_bytes()) {
            return None;
        }
        let is_thread = view.method_of(callee).is_some_and(|method| {
            let method = &program.methods[method];
            method.name.is("run") && is_a(program, method.class, Kind::Thread.class())
        });
        if is_thread {
            let text =
                "a thread is called as a function on the way: only the thread itself executes its run method";
            return Some(text.to_string());
        }
        let calls = view.calls(caller).filter(|known| known.inst == Some(call));
        let of_application =
            |callee: &InstanceId| code_of(facts, *callee).is_some_and(|method| view.is_application(method));
        let callees = calls.flat_map(|known| known.callees).copied().filter(of_application);
        let functions: FastSet<Procedure> = callees.map(|callee| view.procedure_of(callee)).collect();
        (functions.len() > MOST_FUNCTIONS).then(|| {
            let number = functions.len();
            format!("a call on the way may reach any of {number} functions: likely it reaches another one")
        })
    };
    candidate.sides.iter().find_map(|side| {
        let steps = names.steps_to(side.thread, side.instance, None);
        steps.windows(2).find_map(|pair| doubt_of(pair[0].0, pair[0].1?, pair[1].0))
    })
}

/// The method whose code an instance is.
fn code_of(facts: &Facts<'_, '_>, instance: InstanceId) -> Option<MethodId> {
    match facts.view.procedure_of(instance) {
        Procedure::Method(method) | Procedure::Lambda { method, .. } => Some(method),
        _ => None,
    }
}

/// The classes of the application that know an object: its own, and the one that allocates it.
fn families_of(facts: &Facts<'_, '_>, object: ObjectId) -> Vec<ClassId> {
    let (view, heap) = (facts.view, &facts.view.analysis.heap);
    let own = heap.types.class(heap.get(object).ty);
    let maker = match heap.site_of(heap.get(object).site) {
        Site::Instruction { method, .. } => Some(view.program.methods[method].class),
        _ => None,
    };
    own.into_iter().chain(maker).filter(|&class| view.is_application_class(class)).collect()
}

/// The part of a class name with slashes that tells libraries apart.
fn library_of(name: &str) -> &str {
    let end = name.match_indices('/').map(|(at, _)| at).take(3).last();
    end.map_or(name, |end| &name[..end])
}

/// Whether the class file of a class names another one whose name begins like this.
fn mentions(program: &Program, class: ClassId, beginning: &str) -> bool {
    let Some(file) = program.class_file(class) else { return true };
    file.pool.indexes().any(|index| match file.pool.get(index) {
        Ok(Constant::Class(name)) => {
            let name = name.strip_prefix(b"[L").unwrap_or(name);
            let rest = name.strip_prefix(beginning.as_bytes());
            rest.is_some_and(|rest| rest.is_empty() || matches!(rest[0], b'/' | b'$' | b';'))
        }
        _ => false,
    })
}

/// Why `main` hardly executes what a side does: it is below the `run` of a task, which library code calls, and a thread executes the task.
pub(super) fn handed_over(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
) -> Option<String> {
    let program = facts.view.program;
    let is_run = |instance: InstanceId| {
        facts.view.method_of(instance).is_some_and(|method| {
            let is_run = program.methods[method].name.is("run");
            facts.view.is_application(method) && is_run && is_task_code(program, method)
        })
    };
    let is_main = |thread: ThreadId| matches!(facts.threads.all[thread].origin, Origin::Main(_));
    candidate.sides.iter().filter(|side| is_main(side.thread)).find_map(|side| {
        let steps = names.steps_to(side.thread, side.instance, None);
        let by_library = |pair: &[(InstanceId, Option<Inst>)]| {
            !facts.view.is_application_instance(pair[0].0) && is_run(pair[1].0)
        };
        steps
            .windows(2)
            .any(by_library)
            .then(|| "main submits the task, and a thread executes it, as far as the code shows".to_string())
    })
}

/// Why a finaliser hardly collides with others: it runs when nobody else has the object.
pub(super) fn finalizes(facts: &Facts<'_, '_>, candidate: &Candidate, sides: &[Side; 2]) -> Option<String> {
    candidate.object?;
    if sides.iter().any(|side| side.thread.entry.ends_with(".finalize()")) {
        return Some("one side is a finaliser, which runs when nobody else can reach the object".to_string());
    }
    let cleans = |side: &Occurrence| {
        let Origin::Spawn { instance, inst, .. } = facts.threads.all[side.thread].origin else {
            return false;
        };
        let called = facts.view.body(instance).zip(inst).map(|(body, inst)| &body.insts[inst].op);
        matches!(called, Some(Op::Invoke(_, called)) if Kind::Cleaner.has(called.owner.as_bytes()))
    };
    candidate.sides.iter().any(cleans).then(|| {
        "one side is the action of a Cleaner, which runs when nobody else can reach its object".to_string()
    })
}

/// Why a side likely comes after the other: it runs when the program ends.
pub(super) fn at_the_end(sides: &[Side; 2]) -> Option<String> {
    let is_hook = |side: &Side| side.thread.spawned_at.as_ref().is_some_and(|at| at.method.contains(HOOKS));
    sides
        .iter()
        .any(is_hook)
        .then(|| "one side is a shutdown hook, which usually runs after the other".to_string())
}

/// Why two executions of one thread's code are likely on two objects: the object is what the thread executes.
pub(super) fn own_thread(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
    object: ObjectId,
    sides: &[Side; 2],
) -> Option<String> {
    let [first, second] = candidate.sides;
    let data = &facts.threads.all[first.thread];
    let is_one_code = first.thread == second.thread && matches!(data.origin, Origin::Spawn { .. });
    if !is_one_code {
        return None;
    }
    if is_started_for_callers(facts, data) {
        let text = "both sides run in one thread: they collide only if callers start it twice for one object";
        return Some(text.to_string());
    }
    if facts.executions.is_single(object) {
        return None;
    }
    if let Some(starter) = makes_one_of_each(facts, names, data, object) {
        let starter = names.method(starter);
        return Some(format!("each call of {starter} makes one such object and starts one such thread"));
    }
    let (heap, program) = (&facts.view.analysis.heap, facts.view.program);
    let class = heap.types.class(heap.get(object).ty)?;
    if is_a(program, class, Kind::Thread.class()) {
        return Some("a thread object is started once, and both sides run in that thread".to_string());
    }
    let entry = class_of_entry(program, &sides[0])?;
    let is_task = Kind::Task.classes().any(|task| is_a(program, class, task)) && executes_task(&sides[0]);
    (is_task && program.is_subclass(class, entry))
        .then(|| "both sides are the task's own accesses: each thread likely has its own task".to_string())
}

/// The method that starts a thread, outside loops, if it also makes the object: as its constructor or that of what holds it, or by an
/// allocation of its own.
fn makes_one_of_each(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    thread: &AbstractThread,
    object: ObjectId,
) -> Option<MethodId> {
    let (view, program) = (facts.view, facts.view.program);
    let Origin::Spawn { instance, inst: Some(inst), .. } = thread.origin else { return None };
    let starter = view.method_of(instance)?;
    let (body, shape) = (program.body(starter)?, view.shape(starter)?);
    if may_follow(body, |inst| shape.block_of[inst], inst, inst) {
        return None;
    }
    let heap = &view.analysis.heap;
    let maker = match heap.site_of(heap.get(object).site) {
        Site::Instruction { method, .. } => Some(method),
        _ => None,
    };
    let constructed = program.methods[starter].name.is("<init>").then(|| program.methods[starter].class);
    let is_constructed = |class: ClassId| constructed.is_some_and(|made| program.is_subclass(class, made));
    let mut holders = names.holders(object).iter().map(|&field| program.fields[field].class).peekable();
    let is_part = holders.peek().is_some()
        && holders.all(is_constructed)
        && maker.is_some_and(|maker| is_constructed(program.methods[maker].class));
    let is_own = heap.types.class(heap.get(object).ty).is_some_and(is_constructed);
    (maker == Some(starter) || is_own || is_part).then_some(starter)
}

/// Whether callers of a library have a thread started, one each time they ask for it.
fn is_started_for_callers(facts: &Facts<'_, '_>, thread: &AbstractThread) -> bool {
    let Origin::Spawn { instance, kind: InThread::New, .. } = thread.origin else { return false };
    let is_client = |&starter: &ThreadId| facts.threads.all[starter].origin == Origin::Client;
    !thread.several && facts.threads.may_execute(instance).iter().any(is_client)
}

/// Why a thread has done what a side does before the thread of the other side runs: the same method starts such threads, and only afterwards.
pub(super) fn set_up_before_start(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
    sides: &[Side; 2],
) -> Option<String> {
    let at = set_up_at(facts, names, candidate, sides, Through::All)?;
    Some(format!("{at} precedes the start of the thread: the two collide only if it is started again"))
}

/// Why a thread has likely done so: the application's own calls start such threads only afterwards. That a library may call back and start one
/// earlier is what the call graph says of nearly every library, since its callers meet there.
pub(super) fn likely_set_up_before_start(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
    sides: &[Side; 2],
) -> Option<String> {
    let at = set_up_at(facts, names, candidate, sides, Through::OwnCalls)?;
    Some(format!("{at} precedes the start of the thread, unless a library calls back and starts it earlier"))
}

/// What a side does before its method starts the thread of the other side, as far as calls of a kind lead there.
fn set_up_at(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
    sides: &[Side; 2],
    through: Through,
) -> Option<String> {
    (0..2).find_map(|position| {
        let (side, other) = (candidate.sides[position], candidate.sides[1 - position]);
        let Origin::Spawn { instance: starter, inst, .. } = facts.threads.all[other.thread].origin else {
            return None;
        };
        if side.thread == other.thread {
            return None;
        }
        let (view, program) = (facts.view, facts.view.program);
        let starting = view.method_of(starter)?;
        // The application starts such threads in each context of its own method, the thread names one of them.
        let starters: Vec<InstanceId> = match view.is_application(starting) {
            true => view.analysis.instances_of(starting).to_vec(),
            false => vec![starter],
        };
        let [any, those] = [Through::All, through].map(|through| {
            let mut leading = BitSet::new();
            for &starter in &starters {
                leading.union_with(&names.leading_to(starter, through));
            }
            leading
        });
        let access = facts.accesses.all[side.access].inst;
        let is_before = |(instance, done): (InstanceId, Option<Inst>)| {
            let method = view.method_of(instance)?;
            let (body, shape) = (program.body(method)?, view.shape(method)?);
            let own = inst.filter(|_| starters.contains(&instance));
            let starts = |leading: &BitSet<InstanceId>| -> Vec<Inst> {
                let calls = view.calls(instance);
                let leads = calls.filter(|call| call.callees.iter().any(|&callee| leading.contains(callee)));
                leads.filter_map(|call| call.inst).chain(own).collect()
            };
            let (all, done) = (starts(&any), done);
            if all.is_empty() {
                return None;
            }
            let precedes = |&start: &Inst| {
                done.is_some_and(|done| may_follow(body, |inst| shape.block_of[inst], start, done))
            };
            Some(!starts(&those).iter().any(precedes) && !all.iter().all(precedes))
        };
        let steps = names.steps_to(side.thread, side.instance, Some(access));
        let is_set_up = steps.into_iter().rev().find_map(is_before)?;
        is_set_up.then(|| sides[position].at.place())
    })
}

/// Why a caller of a library has done what a side does before others come: it is how the use of an object begins.
pub(super) fn begins(
    sides: &[Side; 2],
    is_static: bool,
    is_client: impl Fn(usize) -> bool,
) -> Option<String> {
    let is_setter =
        |name: &str| name.strip_prefix("set").is_some_and(|rest| rest.starts_with(char::is_uppercase));
    sides.iter().enumerate().filter(|(position, _)| is_client(*position)).find_map(|(_, side)| {
        let methods = [side.thread.entry.as_str(), side.at.method.as_str()];
        let mut names = methods.into_iter().filter_map(simple_name);
        let is_free = side.locks.is_empty() && !is_static;
        let name = names.find(|name| BEGINNINGS.contains(name) || is_free && is_setter(name))?;
        let text = "is usually called before other methods: the two collide only if callers call it later";
        Some(format!("{name} {text}"))
    })
}

/// `m` of `p.C.m(int)`.
fn simple_name(method: &str) -> Option<&str> {
    let (method, _) = method.split_once('(')?;
    method.rsplit_once('.').map(|(_, name)| name)
}

/// Why callers of a library hardly come there from several threads: it is part of a user interface, which the event thread uses.
pub(super) fn of_interface(
    facts: &Facts<'_, '_>,
    candidate: &Candidate,
    is_client: impl Fn(usize) -> bool,
) -> Option<String> {
    if !is_client(0) || !is_client(1) {
        return None;
    }
    let program = facts.view.program;
    let is_window = |class: ClassId| {
        let name = program.classes[class].name;
        Kind::UserInterface.has(name.as_bytes())
    };
    let access = &facts.accesses.all[candidate.sides[0].access];
    let (class, is_component) = match access.place {
        Place::Field(field) | Place::Static(field) => {
            let descriptor = program.fields[field].descriptor;
            (program.fields[field].class, Kind::UserInterface.has(&descriptor.as_bytes()[1..]))
        }
        Place::Element | Place::Container => (program.methods[access.method].class, false),
    };
    let is_part =
        program.superclasses(class).chain(program.all_interfaces(class).iter().copied()).any(is_window);
    (is_part || is_component)
        .then(|| "part of a user interface, which usually runs in the event thread".to_string())
}

/// Why a caller of a library has the results of tasks when it comes to them: the class that starts the tasks waits for them.
pub(super) fn waited_for(facts: &Facts<'_, '_>, candidate: &Candidate) -> Option<String> {
    let program = facts.view.program;
    let task = (0..2).find_map(|position| {
        let [this, other] = [position, 1 - position].map(|at| &facts.threads.all[candidate.sides[at].thread]);
        match this.origin {
            Origin::Spawn { instance, kind, .. }
                if kind != InThread::New && other.origin == Origin::Client =>
            {
                facts.view.method_of(instance)
            }
            _ => None,
        }
    })?;
    let class = program.methods[task].class;
    let waits = |method: MethodId| {
        program.body(method).is_some_and(|body| {
            body.insts.iter().any(|data| match &data.op {
                Op::Invoke(_, called) => {
                    let is = |names: &[&str]| names.iter().any(|name| called.name.is(name));
                    Kind::Awaited.has(called.owner.as_bytes()) && is(&["get", "take", "await"])
                        || Kind::Concurrent.has(called.owner.as_bytes())
                            && is(&["awaitTermination", "invokeAll"])
                }
                _ => false,
            })
        })
    };
    program.classes[class].methods.iter().any(waits).then(|| {
        let name = program.classes[class].name.to_string().replace('/', ".");
        format!("{name} waits for its tasks: callers usually access the results afterwards")
    })
}

/// Whether control may go from after one instruction to another.
fn may_follow(body: &Body, block_of: impl Fn(Inst) -> Block, from: Inst, to: Inst) -> bool {
    if block_of(from) == block_of(to) && from < to {
        return true;
    }
    let mut pending = body.successors(block_of(from));
    let mut seen: Vec<Block> = Vec::new();
    while let Some(block) = pending.pop() {
        if block == block_of(to) {
            return true;
        }
        if !seen.contains(&block) {
            seen.push(block);
            pending.extend(body.successors(block));
        }
    }
    false
}

/// Whether a method is the one by which tasks of its class are executed.
pub(super) fn is_task_code(program: &Program, method: MethodId) -> bool {
    let data = &program.methods[method];
    let is_named = data.name.is("run") || data.name.is("call");
    is_named && Kind::Task.classes().any(|task| is_a(program, data.class, task))
}

/// Whether the entry of a side is the method by which tasks are executed.
fn executes_task(side: &Side) -> bool {
    side.thread.entry.ends_with(".run()") || side.thread.entry.ends_with(".call()")
}

/// The class whose method a thread enters first.
pub(crate) fn class_of_entry(program: &Program, side: &Side) -> Option<ClassId> {
    let (method, _) = side.thread.entry.split_once('(')?;
    let (class, _) = method.rsplit_once('.')?;
    program.class_named(ClassName::new(class.replace('.', "/")))
}

fn is_a(program: &Program, class: ClassId, name: &str) -> bool {
    program.class_named(ClassName::new(name)).is_some_and(|wanted| program.is_subclass(class, wanted))
}
