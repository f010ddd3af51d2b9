//! Program points, threads and objects in the words of a report: names and lines, no ids.

use std::collections::BTreeMap;
use std::sync::Arc;

use selvedge_base::{BitSet, FastSet};
use selvedge_facts::{Access, AccessKind, HeldLock, Mode, Occurrence, Origin, Place, ThreadId};
use selvedge_findings::{
    Action, FieldRef, Frame, Kind, Location, Lock, ObjectInfo, Side, ThreadInfo, method_name, type_name,
};
use selvedge_ir::{ClassName, Inst, Op};
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_pta::{InstanceId, Procedure};
use selvedge_world::{FieldId, MethodId};

use crate::Facts;
use crate::paths::{Paths, Step, Through};

/// How many of the fields that may hold an object are named: more of them say only that the analysis takes several objects for one.
const MOST_HOLDERS: usize = 12;

/// Names things of a program for reports.
pub struct Names<'f, 'a> {
    facts: &'f Facts<'f, 'a>,
    paths: Paths,
    /// The fields of the application that may hold an object, for the objects that were asked for.
    holders: BTreeMap<ObjectId, Vec<FieldId>>,
}

impl<'f, 'a> Names<'f, 'a> {
    /// Names things; `objects` are those whose holders will be asked for.
    pub fn new(facts: &'f Facts<'f, 'a>, objects: &FastSet<ObjectId>) -> Self {
        let holders = facts.view.analysis.holders_of(objects);
        Self { facts, paths: Paths::default(), holders }
    }

    /// The fields of the application that may hold an object, if it was asked for.
    pub fn holders(&self, object: ObjectId) -> &[FieldId] {
        self.holders.get(&object).map_or(&[][..], Vec::as_slice)
    }

    /// A class as Java names it.
    pub fn class(&self, name: ClassName) -> String {
        let text = name.to_string();
        if text.starts_with('[') { type_name(&text) } else { text.replace('/', ".") }
    }

    /// A method with its class and parameters.
    pub fn method(&self, method: MethodId) -> String {
        let data = self.facts.view.program.methods[method];
        let class = self.class(self.facts.view.program.classes[data.class].name);
        method_name(&class, &data.name.to_string(), &data.descriptor.to_string())
    }

    /// A program point.
    pub fn frame(&self, method: MethodId, inst: Option<Inst>) -> Frame {
        let program = self.facts.view.program;
        let mut frame = Frame::new(self.method(method));
        frame.file = program.source_file(program.methods[method].class).map(|file| file.to_string());
        if let (Some(inst), Some(body)) = (inst, program.body(method)) {
            let bci = body.insts[inst].bci;
            frame.line = body.line(bci);
            frame.bytecode_index = frame.line.is_none().then_some(bci);
        }
        frame
    }

    /// What an access does.
    pub fn action(&self, access: &Access) -> Action {
        match (access.place, access.kind) {
            (Place::Container, _) => Action::Call,
            (_, AccessKind::Read) => Action::Read,
            (_, AccessKind::Write) => Action::Write,
        }
    }

    /// One side of a pair.
    pub fn side(&self, occurrence: Occurrence) -> Side {
        let access = &self.facts.accesses.all[occurrence.access];
        let action = self.action(access);
        // What library code calls is not what stands at the application's line.
        let is_own = access.place == Place::Container && self.facts.view.is_application(access.method);
        let called = is_own.then(|| self.called(access.method, access.inst));
        let side = self.side_at(action, occurrence.thread, occurrence.instance, Some(access.inst));
        side.calling(called.flatten())
    }

    /// What a thread does at an instruction of an instance. Where that is library code, it is told at the call of the application that
    /// leads there; without an instruction, at the method as a whole.
    pub fn side_at(
        &self,
        action: Action,
        thread: ThreadId,
        instance: InstanceId,
        inst: Option<Inst>,
    ) -> Side {
        let steps = self.paths.to(self.facts, thread, instance);
        let mut path = self.path(&steps);
        let view = self.facts.view;
        let own = view.method_of(instance).filter(|&method| view.is_application(method));
        let at = match own {
            Some(method) => self.frame(method, inst),
            None => path.pop().unwrap_or_else(|| self.spawn_frame(instance, inst)),
        };
        let entry = path.first().map_or_else(|| at.method.clone(), |frame| frame.method.clone());
        let mut locks = inst.map_or_else(Vec::new, |inst| self.locks(instance, inst));
        if locks.is_empty() {
            locks = self.locks_on_the_way(&steps);
        }
        Side::new(action, at).by(self.thread(thread, entry)).under(locks).through(path)
    }

    /// The instances that lead a thread to an instance and that itself, each with the instruction that goes on.
    pub fn steps_to(
        &self,
        thread: ThreadId,
        instance: InstanceId,
        inst: Option<Inst>,
    ) -> Vec<(InstanceId, Option<Inst>)> {
        let steps = self.paths.to(self.facts, thread, instance).into_iter();
        steps.map(|step| (step.instance, step.call)).chain([(instance, inst)]).collect()
    }

    /// The instances from which calls of a kind may lead to an instance, and that itself.
    pub fn leading_to(&self, instance: InstanceId, through: Through) -> Arc<BitSet<InstanceId>> {
        self.paths.leading_to(self.facts, instance, through)
    }

    /// The instances that call an instance, in their thread.
    pub fn callers(&self, instance: InstanceId) -> &[InstanceId] {
        self.paths.callers(self.facts, instance)
    }

    /// Whether an instance, or one on the way of a thread to it, is code of the application.
    pub fn is_told(&self, thread: ThreadId, instance: InstanceId) -> bool {
        let steps = self.paths.to(self.facts, thread, instance);
        let on_the_way = steps.iter().map(|step| step.instance);
        on_the_way.chain([instance]).any(|instance| self.facts.view.is_application_instance(instance))
    }

    /// The locks that are held at an instruction.
    fn locks(&self, instance: InstanceId, inst: Inst) -> Vec<Lock> {
        let held = self.facts.locks.held_at(self.facts.view, instance, inst);
        let named = |lock: &HeldLock| {
            let mut taken = self.frame(lock.taken_in, lock.taken_at);
            taken.line = taken.line.or(lock.line);
            let named = Lock::new(lock.name.clone()).taken_at(taken);
            if lock.mode == Mode::Exclusive { named } else { named.shared() }
        };
        held.iter().map(named).collect()
    }

    /// The locks that a path takes and that have no name where it ends: a local variable of a caller, say. Whoever sees no lock at an access would
    /// look for one in vain. A path without any lock is shown where there is one (see [`Paths`]), so there is none. Class objects have a name
    /// everywhere: if one of them is not known to be held, there are ways on which it is not.
    fn locks_on_the_way(&self, steps: &[Step]) -> Vec<Lock> {
        let mut locks: Vec<Lock> = Vec::new();
        for step in steps {
            let held = step.call.map_or_else(Vec::new, |call| self.locks(step.instance, call));
            let is_new = |lock: &Lock| !lock.name.starts_with("class ") && !locks.contains(lock);
            locks.extend(held.into_iter().filter(is_new).collect::<Vec<_>>());
        }
        locks
    }

    /// The calls that lead to an access, the start of the thread first. Library code in between is left out.
    fn path(&self, steps: &[Step]) -> Vec<Frame> {
        let mut frames = Vec::new();
        for step in steps {
            match self.facts.view.procedure_of(step.instance) {
                Procedure::Method(method) if self.facts.view.is_application(method) => {
                    frames.push(self.frame(method, step.call));
                }
                _ => {}
            }
        }
        frames
    }

    fn thread(&self, thread: ThreadId, entry: String) -> ThreadInfo {
        let data = &self.facts.threads.all[thread];
        match data.origin {
            Origin::Main(_) | Origin::ContainerStart => ThreadInfo::main(entry),
            Origin::Initializers => ThreadInfo::initializer(entry),
            Origin::Client => ThreadInfo::caller_of(entry),
            Origin::Container(_) => ThreadInfo { many: data.many, ..ThreadInfo::caller_of(entry) },
            Origin::Vm(_) => ThreadInfo { many: data.many, ..ThreadInfo::of_the_jvm(entry) },
            Origin::Spawn { instance, inst, .. } => {
                let at = self.spawn_frame(instance, inst);
                ThreadInfo::spawned(at, entry, data.many)
            }
        }
    }

    fn spawn_frame(&self, instance: InstanceId, inst: Option<Inst>) -> Frame {
        match self.facts.view.procedure_of(instance) {
            Procedure::Method(method) => self.frame(method, inst),
            Procedure::Lambda { method, inst } => self.frame(method, Some(inst)),
            Procedure::Proxy(method) | Procedure::Client(method) => self.frame(method, None),
            Procedure::Roots => Frame::new("<entry>"),
        }
    }

    /// The memory that a place means, on an object if it has one.
    pub fn location(&self, place: Place, object: Option<ObjectId>) -> (Kind, Location) {
        match place {
            Place::Field(field) => (Kind::Field, self.field_location(field)),
            Place::Static(field) => (Kind::Static, self.field_location(field)),
            Place::Element => (Kind::Array, self.object_location(object)),
            Place::Container => (Kind::Container, self.object_location(object)),
        }
    }

    fn field_location(&self, field: FieldId) -> Location {
        let reference = self.field(field);
        Location::field(reference.class, reference.field)
    }

    /// A field by its declaring class.
    pub fn field(&self, field: FieldId) -> FieldRef {
        let program = self.facts.view.program;
        let data = &program.fields[field];
        let class = &program.classes[data.class];
        // The JVM allows fields of one name with different types, as obfuscators make them.
        let alike = class.fields.iter().filter(|&other| program.fields[other].name == data.name).count();
        let name = match alike {
            0 | 1 => data.name.to_string(),
            _ => format!("{}:{}", data.name, type_name(&data.descriptor.to_string())),
        };
        FieldRef { class: self.class(class.name), field: name }
    }

    /// An object with the fields that may hold it.
    pub fn object_location(&self, object: Option<ObjectId>) -> Location {
        let Some(object) = object else { return Location::object("?", Vec::new()) };
        let heap = &self.facts.view.analysis.heap;
        let class = heap.types.name(heap.get(object).ty);
        let held_by =
            self.holders(object).iter().take(MOST_HOLDERS).map(|&field| self.field(field)).collect();
        Location::object(self.class(ClassName::new(class.as_bytes())), held_by)
    }

    /// An object: its class, and where it is made.
    pub fn object(&self, object: ObjectId) -> ObjectInfo {
        let heap = &self.facts.view.analysis.heap;
        let data = heap.get(object);
        let class = self.class(ClassName::new(heap.types.name(data.ty).as_bytes()));
        let at = match heap.site_of(data.site) {
            Site::Instruction { method, inst, .. } => Some(self.frame(method, Some(inst))),
            _ => None,
        };
        ObjectInfo::new(class, at)
    }

    /// What a call names: `java.util.HashMap.put`; `None` for other instructions.
    pub fn called(&self, method: MethodId, inst: Inst) -> Option<String> {
        let body = self.facts.view.program.body(method)?;
        match &body.insts[inst].op {
            Op::Invoke(_, reference) => Some(format!("{}.{}", self.class(reference.owner), reference.name)),
            _ => None,
        }
    }
}
