//! Everything that the agent knows, behind its one lock: classes and sites as they were rewritten, threads, locks held, the
//! detectors and what they found.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_base::Symbol;
use selvedge_base::{FastSet, Id};
use selvedge_classfile::Error;
use selvedge_findings::method_name;
use selvedge_instrument::{Allocation, FieldKind, FieldName, Instrumenter, Stub, Tests, World};
use selvedge_jvm::sys::jni::jobject;
use selvedge_jvm::{Jvm, Problem};
use selvedge_models::{Effect, Place, Root, Step};
use selvedge_protocol::{
    ClassId, Definition, FieldEntry, FieldId, HoldMode, Lock, ObjectEntry, ObjectId, SiteEntry, SiteId,
    SiteKey, SiteKind, StackId, Tables, ThreadId,
};
use selvedge_runtime::happens_before::Order;
use selvedge_runtime::session::Settings;
use selvedge_runtime::{Engine, RaceLog};

use crate::classes::Classes;
use crate::fading::Faded;
use crate::loads::Loads;
use crate::objects::Numbers;
use crate::races::{Question, Untold};

/// What a site accesses or calls, as the instruction names it.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) owner: String,
    pub(crate) name: String,
    /// Whether it calls the method of the class that it names, not of the receiver's.
    special: bool,
    /// The field, once its class was loaded.
    pub(crate) resolved: Option<(FieldId, FieldKind)>,
}

/// How a method of a library class concerns the content of its receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    Reads,
    Writes,
    Nothing,
}

impl Content {
    /// The number by which the support class knows it.
    pub(crate) fn number(self) -> i32 {
        match self {
            Content::Nothing => 0,
            Content::Reads => 1,
            Content::Writes => 2,
        }
    }

    /// What two effects do together.
    fn with(self, other: Content) -> Content {
        if self == Content::Writes || other == Content::Nothing { self } else { other }
    }
}

/// How a call concerns the receiver, and the object that the receiver is a view of or walks over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Called {
    pub(crate) receiver: Content,
    pub(crate) behind: Content,
    /// The fields that lead there, as `class#field`, with commas between them.
    pub(crate) path: String,
}

/// The fields that lead from the receiver to a place, as the support class reads them; `None` if there is another way only.
fn path_of(place: &Place) -> Option<String> {
    if place.root != Root::This {
        return None;
    }
    let steps = place.steps.iter().map(|step| match step {
        Step::Field { class, field } => {
            Some(format!("{}#{field}", class.symbol().to_string().replace('/', ".")))
        }
        Step::Elements | Step::EveryField => None,
    });
    let steps: Option<Vec<String>> = steps.collect();
    Some(steps?.join(","))
}

/// What loaded code stores into a field, or into the arrays that it holds.
#[derive(Default)]
pub(crate) struct Filled {
    pub(crate) made: Vec<Allocation>,
    /// Whether there is anything else but `null`.
    pub(crate) is_unknown: bool,
}

/// What the agent knows.
pub(crate) struct State {
    pub(crate) classes: Classes,
    pub(crate) tables: Tables,
    /// By number of the site.
    pub(crate) targets: Vec<Option<Target>>,
    static_slots: FxHashMap<(String, String), u32>,
    class_ids: FxHashMap<String, ClassId>,
    field_ids: FxHashMap<(ClassId, String), FieldId>,
    pub(crate) numbers: Numbers,
    pub(crate) engine: Engine,
    pub(crate) log: RaceLog,
    /// Races that are not told yet, and what the thread that holds the state is to ask before it tells those that it has shown.
    pub(crate) untold: Untold,
    pub(crate) questions: Vec<Question>,
    pub(crate) threads: FxHashMap<ObjectId, ThreadId>,
    pub(crate) ended: FxHashSet<ThreadId>,
    /// How often each thread has taken its locks, as far as the agent follows that.
    pub(crate) holding: FxHashMap<ThreadId, FxHashMap<(Lock, HoldMode), u32>>,
    /// Classes whose initialisers have ended, and which thread has seen that.
    pub(crate) initialised: FxHashSet<ClassId>,
    pub(crate) seen_initialised: FxHashMap<ThreadId, FxHashSet<ClassId>>,
    /// Threads whose objects are gone and which are not forgotten yet, the oldest first.
    gone: VecDeque<ThreadId>,
    /// What to do to classes.
    pub(crate) rules: Arc<Instrumenter>,
    /// Tests of fields that other classes call, by class, and those that a class has got for fields without words.
    wanted_tests: FxHashMap<String, FxHashSet<String>>,
    given_stubs: FxHashMap<String, Vec<Stub>>,
    /// Whether the class that is rewritten was loaded before.
    pub(crate) redefining: bool,
    pub(crate) faded: Faded,
    pub(crate) loads: Loads,
    /// Fields with words, by number: class, name, position and count. Each description is kept once, with its first number.
    word_fields: Vec<Arc<str>>,
    word_field_numbers: FxHashMap<Arc<str>, u32>,
    /// Methods that a plan lists, by their names in findings: their numbers.
    pub(crate) listed_methods: FxHashMap<String, u32>,
    /// Those of them that were executed, once that is known.
    pub(crate) executed: Vec<String>,
    /// The order of events where no detector looks at it: for chains and epochs.
    pub(crate) order: Order,
    /// The locks behind views.
    pub(crate) views: FxHashMap<ObjectId, ObjectId>,
    /// By the receiver's class and the site of the call.
    contents: FxHashMap<(ClassId, SiteId), Called>,
    /// Classes by the numbers of their objects.
    pub(crate) class_objects: FxHashMap<ObjectId, ClassId>,
    /// Sites of stack frames, by method and index.
    pub(crate) frame_sites: FxHashMap<(usize, i32), SiteId>,
    /// The same by what they say, for methods of classes that are loaded again.
    pub(crate) frames: FxHashMap<SiteKey, SiteId>,
    /// Stacks by their frames.
    pub(crate) stacks: FxHashMap<Vec<SiteId>, StackId>,
    /// By the frame of the application that calls a wrapper of a collection, and what the wrapper does to that.
    pub(crate) calls_of_wrappers: FxHashMap<(SiteId, SiteKind), SiteId>,
    /// The fields that arrays and receivers at sites were likely read from: owner and name.
    pub(crate) held_by: FxHashMap<u32, (String, String)>,
    /// What code stores into fields of arrays, by owner and name as the instructions have them: see [`crate::races`].
    pub(crate) fills: FxHashMap<(String, String), [Filled; 2]>,
    /// The callers of an access at a site, by a thread or by any, from the last race of it.
    pub(crate) callers: FxHashMap<(SiteId, Option<ThreadId>), StackId>,
    /// What was left as it was, and other things that went wrong.
    pub(crate) skipped: Vec<String>,
    pub(crate) said: u64,
    /// How many classes of the program were loaded.
    pub(crate) program_classes: u64,
    /// How many of them are watched.
    pub(crate) watched_classes: u64,
    /// Whether hooks are at work, and whether the JVM has ended.
    pub(crate) observing: bool,
    pub(crate) finished: bool,
    pub(crate) settings: Settings,
    /// Further directories for the results.
    pub(crate) also: Vec<std::path::PathBuf>,
    pub(crate) recorder: Option<crate::recording::Recorder>,
    pub(crate) last_saved: Option<Instant>,
    pub(crate) started: Instant,
}

/// How many things that went wrong are kept.
const MAX_SKIPPED: usize = 1_000;

/// Of so many threads whose objects are gone it is kept who they were.
const KEPT_THREADS: usize = 1 << 10;

impl State {
    pub(crate) fn new(settings: &Settings, rules: Arc<Instrumenter>) -> State {
        let options = settings.plan.options.clone();
        State {
            classes: Classes::default(),
            tables: Tables::new(),
            targets: vec![None],
            static_slots: FxHashMap::default(),
            class_ids: FxHashMap::default(),
            field_ids: FxHashMap::default(),
            numbers: Numbers::default(),
            engine: Engine::new(&options),
            log: RaceLog::new(options.max_races),
            untold: Untold::default(),
            questions: Vec::new(),
            threads: FxHashMap::default(),
            ended: FxHashSet::default(),
            holding: FxHashMap::default(),
            initialised: FxHashSet::default(),
            seen_initialised: FxHashMap::default(),
            gone: VecDeque::new(),
            rules,
            wanted_tests: FxHashMap::default(),
            given_stubs: FxHashMap::default(),
            redefining: false,
            faded: Faded::default(),
            loads: Loads::default(),
            word_fields: Vec::new(),
            word_field_numbers: FxHashMap::default(),
            listed_methods: FxHashMap::default(),
            executed: Vec::new(),
            order: Order::new(),
            views: FxHashMap::default(),
            contents: FxHashMap::default(),
            class_objects: FxHashMap::default(),
            frame_sites: FxHashMap::default(),
            frames: FxHashMap::default(),
            stacks: FxHashMap::default(),
            calls_of_wrappers: FxHashMap::default(),
            held_by: FxHashMap::default(),
            fills: FxHashMap::default(),
            callers: FxHashMap::default(),
            skipped: Vec::new(),
            said: 0,
            program_classes: 0,
            watched_classes: 0,
            observing: false,
            finished: false,
            settings: settings.clone(),
            also: Vec::new(),
            recorder: settings.record.as_ref().and_then(|file| crate::recording::Recorder::create(file)),
            last_saved: None,
            started: Instant::now(),
        }
    }

    /// Notes something that was left undone.
    pub(crate) fn skip(&mut self, what: String) {
        if self.skipped.len() < MAX_SKIPPED && !self.skipped.contains(&what) {
            self.skipped.push(what);
        }
    }

    /// The object of a thread is gone: nobody can join it any more, and soon it is forgotten.
    pub(crate) fn retire(&mut self, thread: ThreadId) {
        self.ended.remove(&thread);
        self.gone.push_back(thread);
        if self.gone.len() > KEPT_THREADS
            && let Some(oldest) = self.gone.pop_front()
        {
            self.tables.threads.forget(oldest);
            self.engine.forget(oldest);
            self.order.forget(oldest);
            self.holding.remove(&oldest);
            self.seen_initialised.remove(&oldest);
            self.callers.retain(|(_, thread), _| *thread != Some(oldest));
        }
    }

    /// How many entries the agent keeps in all its tables that grow with what a program does.
    pub(crate) fn kept(&self) -> u64 {
        let tables = [
            self.tables.sites.len(),
            self.tables.stacks.len(),
            self.tables.classes.len(),
            self.tables.fields.len(),
            self.tables.threads.known(),
            self.tables.objects.len(),
            self.order.threads(),
            self.engine.threads(),
            self.threads.len(),
            self.ended.len(),
            self.holding.len(),
            self.seen_initialised.len(),
            self.callers.len(),
            self.views.len(),
            self.class_objects.len(),
            self.frame_sites.len(),
            self.word_field_numbers.len(),
            self.contents.len(),
            self.fills.values().flatten().map(|filled| filled.made.len()).sum(),
        ];
        tables.into_iter().sum::<usize>() as u64
    }

    /// The description of a field with words, and the first number of a field with the same one.
    pub(crate) fn word_field(&self, number: usize) -> Option<(&str, u32)> {
        let described = self.word_fields.get(number)?;
        Some((described, *self.word_field_numbers.get(described)?))
    }

    /// Adds an entry to the tables, and to the record.
    pub(crate) fn define(&mut self, definition: Definition) {
        if let Some(recorder) = &mut self.recorder {
            recorder.definition(&definition);
        }
        // Everything that an entry names was defined before it.
        let defined = self.tables.define(definition);
        debug_assert!(defined.is_ok());
    }

    pub(crate) fn class_id(&mut self, name: &str) -> ClassId {
        if let Some(&known) = self.class_ids.get(name) {
            return known;
        }
        self.define(Definition::Class(name.to_owned()));
        let id = ClassId::from_index(self.tables.classes.len() - 1);
        self.class_ids.insert(name.to_owned(), id);
        id
    }

    fn field_id(&mut self, class: &str, name: &str) -> FieldId {
        let class = self.class_id(class);
        if let Some(&known) = self.field_ids.get(&(class, name.to_owned())) {
            return known;
        }
        self.define(Definition::Field(FieldEntry { class, name: name.to_owned() }));
        let id = FieldId::from_index(self.tables.fields.len() - 1);
        self.field_ids.insert((class, name.to_owned()), id);
        id
    }

    /// The field that a site accesses; `None` while its class is not loaded, or if the site has no field.
    pub(crate) fn field_of(&mut self, site: SiteId) -> Option<(FieldId, FieldKind)> {
        let target = self.targets.get(site.index())?.as_ref()?;
        if let Some(resolved) = target.resolved {
            return Some(resolved);
        }
        let field = FieldName { owner: &target.owner, name: &target.name };
        let (class, kind) = self.classes.resolve(field)?;
        let (class, name) = (class.to_owned(), target.name.clone());
        let resolved = (self.field_id(&class, &name), kind);
        if let Some(Some(target)) = self.targets.get_mut(site.index()) {
            target.resolved = Some(resolved);
        }
        Some(resolved)
    }

    /// A handle at the site accesses this field: the number of the field's words, if it has any.
    pub(crate) fn accesses_field(&mut self, site: SiteId, class: &str, name: &str) -> Option<usize> {
        if let Some(target) = self.targets.get_mut(site.index()) {
            *target = Some(Target {
                owner: class.to_owned(),
                name: name.to_owned(),
                special: false,
                resolved: None,
            });
        }
        if self.classes.has_several_loaders(class) {
            // Of which of them the field is, the name does not say.
            return None;
        }
        let described = format!("{}:{name}:", class.replace('/', "."));
        self.word_fields.iter().position(|field| field.starts_with(&described))
    }

    /// A handle at the site accesses elements of arrays.
    pub(crate) fn accesses_elements(&mut self, site: SiteId, kind: i32) {
        if site.index() < self.tables.sites.len() {
            self.tables.sites[site].kind = if kind == 0 { SiteKind::ArrayLoad } else { SiteKind::ArrayStore };
        }
    }

    /// The class of an object. Asking the JVM for its name takes long, so the class's own object gets a number.
    pub(crate) fn class_of(&mut self, jvm: &Jvm, object: jobject) -> Result<ClassId, Problem> {
        let class = jvm.class_of(object)?;
        let (number, is_new) = self.numbers.number(jvm, class)?;
        let known = self.class_objects.get(&number).copied();
        let id = match known {
            Some(known) => Ok(known),
            None => jvm.class_name(class).map(|name| self.class_id(&name)),
        };
        jvm.forget(class);
        let id = id?;
        if known.is_none() {
            self.class_objects.insert(number, id);
        }
        if is_new {
            let class = self.class_id("java/lang/Class");
            self.define_object(number, class, SiteId::UNKNOWN);
        }
        Ok(id)
    }

    /// Tells of an object that has just got its number.
    pub(crate) fn define_object(&mut self, object: ObjectId, class: ClassId, allocated_at: SiteId) {
        self.define(Definition::Object(object, ObjectEntry { class, allocated_at }));
    }

    /// The number of the static field that a site accesses; `None` if the site names no field.
    pub(crate) fn static_slot_of(&mut self, site: SiteId) -> Option<u32> {
        let target = self.targets.get(site.index())?.as_ref()?;
        let (owner, name) = (target.owner.clone(), target.name.clone());
        Some(World::static_slot(self, FieldName { owner: &owner, name: &name }))
    }

    /// How the call at a site concerns the content of a receiver of this class.
    pub(crate) fn called(&mut self, id: ClassId, site: SiteId) -> Called {
        let key = (id, site);
        if let Some(known) = self.contents.get(&key) {
            return known.clone();
        }
        let mut called = Called { receiver: Content::Nothing, behind: Content::Nothing, path: String::new() };
        let Some(Some(target)) = self.targets.get(site.index()) else { return called };
        let class = if target.special { &target.owner } else { self.tables.classes[id].as_str() };
        let method = target.name.as_str();
        let (name, descriptor) = method.split_at(method.find('(').unwrap_or(method.len()));
        // What a method of the application does to the object, it does itself.
        let declaring = self.classes.declaring(class, method).filter(|class| self.rules.is_library(class));
        if let Some(declaring) = declaring {
            let [declaring, name, descriptor] = [declaring, name, descriptor].map(Symbol::new);
            let rows = self.rules.models().rows_for(declaring, name, descriptor, &self.classes);
            for effect in rows.iter().flat_map(|row| row.effects.iter()) {
                let (place, content) = match effect {
                    Effect::ContainerWrite { object } => (object, Content::Writes),
                    Effect::ContainerRead { object } => (object, Content::Reads),
                    _ => continue,
                };
                match path_of(place) {
                    Some(path) if path.is_empty() => called.receiver = called.receiver.with(content),
                    Some(path) if called.path.is_empty() || called.path == path => {
                        called.behind = called.behind.with(content);
                        called.path = path;
                    }
                    _ => {}
                }
            }
        }
        self.contents.insert(key, called.clone());
        called
    }
}

impl World for State {
    fn site(&mut self, site: SiteEntry, target: Option<FieldName<'_>>) -> u32 {
        if let Some(number) = self.faded.known(&site).filter(|_| self.redefining) {
            return number;
        }
        let same = |number: u32| {
            let SiteEntry { key, file, line, .. } = &self.tables.sites[SiteId::from_index(number as usize)];
            let own = self.targets[number as usize].as_ref();
            let is_target = |wanted: FieldName<'_>| {
                own.is_some_and(|own| own.owner == wanted.owner && own.name == wanted.name)
            };
            *key == site.key && *file == site.file && *line == site.line && target.is_none_or(is_target)
        };
        if let Some(number) = self.loads.again(site.kind, same) {
            return number;
        }
        let number = self.tables.sites.len() as u32;
        self.loads.defined(number, site.kind);
        self.define(Definition::Site(site));
        self.targets.push(target.map(|field| Target {
            owner: field.owner.to_owned(),
            name: field.name.to_owned(),
            special: false,
            resolved: None,
        }));
        number
    }

    fn field_kind(&self, field: FieldName<'_>) -> FieldKind {
        // Superclasses first: an interface that is not loaded yet says nothing of the fields of objects.
        let inherited = self.classes.inherited(field.owner, field.name);
        let kind = inherited.or_else(|| self.classes.resolve(field).map(|(_, kind)| kind));
        kind.or_else(|| self.classes.expected(field)).unwrap_or(FieldKind::Unknown)
    }

    fn has_test(&mut self, field: FieldName<'_>) -> bool {
        let mut class = field.owner.to_owned();
        loop {
            if !self.rules.has_words(&class) {
                return false;
            }
            if !self.classes.is_seen(&class) {
                self.wanted_tests.entry(class).or_default().insert(field.name.to_owned());
                return true;
            }
            if let Some(kind) = self.classes.declared(&class, field.name) {
                return kind == FieldKind::Plain && !self.rules.is_quiet(&class, field.name);
            }
            let stubs = self.given_stubs.get(&class);
            let fits = |stub: &Stub| stub.field == field.name && stub.tests != Tests::Words;
            if stubs.is_some_and(|stubs| stubs.iter().any(fits)) {
                return true;
            }
            match self.classes.superclass(&class) {
                Some(above) => class = above.to_owned(),
                None => return false,
            }
        }
    }

    fn stubs(&mut self, class: &str, above: Option<&str>) -> Vec<Stub> {
        // A class that is defined anew must have the members that it had.
        if let Some(given) = self.given_stubs.get(class).filter(|_| self.redefining) {
            return given.clone();
        }
        let mut wanted: Vec<String> = self.wanted_tests.get(class).into_iter().flatten().cloned().collect();
        wanted.sort();
        let mut stubs = Vec::new();
        for field in wanted {
            let own = self.classes.declared(class, &field);
            let has_test = match own {
                Some(kind) => kind == FieldKind::Plain && !self.rules.is_quiet(class, &field),
                None => {
                    let named = |owner| FieldName { owner, name: &field };
                    let has_test = above.is_some_and(|above| self.has_test(named(above)));
                    if has_test && self.classes.inherited(class, &field).is_none() {
                        // A class above will be loaded and have it all.
                        continue;
                    }
                    has_test
                }
            };
            let kind = self.classes.inherited(class, &field);
            let tests = match kind {
                _ if has_test => Tests::Words,
                Some(FieldKind::Volatile | FieldKind::Final) => Tests::Nothing,
                _ => Tests::Plain,
            };
            stubs.push(Stub { field, tests, orders: kind == Some(FieldKind::Volatile) });
        }
        self.given_stubs.insert(class.to_owned(), stubs.clone());
        stubs
    }

    fn field_number(&mut self, described: &str) -> u32 {
        let number = self.word_fields.len() as u32;
        let known = self.word_field_numbers.get_key_value(described).map(|(known, _)| Arc::clone(known));
        let described = known.unwrap_or_else(|| Arc::from(described));
        self.word_field_numbers.entry(Arc::clone(&described)).or_insert(number);
        self.word_fields.push(described);
        number
    }

    fn faded(&self, class: &str, method: &str) -> FastSet<u32> {
        self.faded.of(class, method)
    }

    fn loop_number(&mut self, class: &str, method: &str) -> Option<u32> {
        let fades = self.settings.plan.options.fade_after != 0;
        fades.then(|| self.faded.loop_number(class, method))
    }

    fn extends_library(&self, class: &str) -> bool {
        self.classes.extends_library(class)
    }

    fn held_by(&mut self, site: u32, field: FieldName<'_>) {
        self.held_by.insert(site, (field.owner.to_owned(), field.name.to_owned()));
    }

    fn fills(&mut self, field: FieldName<'_>, is_element: bool, made: Option<Allocation>) {
        let key = (field.owner.to_owned(), field.name.to_owned());
        let filled = &mut self.fills.entry(key).or_default()[usize::from(is_element)];
        match made {
            None => filled.is_unknown = true,
            Some(made) if !filled.made.contains(&made) => filled.made.push(made),
            Some(_) => {}
        }
    }

    fn special(&mut self, site: u32) {
        if let Some(Some(target)) = self.targets.get_mut(site as usize) {
            target.special = true;
        }
    }

    fn method_number(&mut self, class: &str, method: &str) -> u32 {
        let (name, descriptor) = method.split_at(method.find('(').unwrap_or(method.len()));
        let next = self.listed_methods.len() as u32;
        *self.listed_methods.entry(method_name(class, name, descriptor)).or_insert(next)
    }

    fn static_slot(&mut self, field: FieldName<'_>) -> u32 {
        let owner = self.classes.resolve(field).map_or(field.owner, |(owner, _)| owner);
        let key = (owner.to_owned(), field.name.to_owned());
        let next = self.static_slots.len() as u32 + 1;
        let slot = *self.static_slots.entry(key).or_insert(next);
        if slot > 0xffff { 0 } else { slot }
    }

    fn skipped(&mut self, class: &str, method: &str, why: &Error) {
        self.skip(format!("{class}.{method}: {why}"));
    }
}
