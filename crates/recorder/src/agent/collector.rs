//! What all threads of a run have shown so far. Behind one lock; threads come here only with something new to them.

use super::site::ConstantPool;
use crate::plumbing::{self, Plumbing};
use crate::recording::{ClassFacts, Edge, Loader, Method, MethodIndex, Recording, Site, Via};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_jvm::sys::jni::{jclass, jint, jmethodID, jobject};
use selvedge_jvm::{Frame, Jvm, Problem};
use std::collections::BTreeSet;

/// A class by its name and its loader's identity hash (0 for the boot loader): several loaders may use one name.
type ClassKey = (String, jint);

/// A method that has been looked up.
#[derive(Clone, Copy)]
struct Known {
    index: MethodIndex,
    class: usize,
    /// The machinery it is if it calls something, and if something above it is machinery.
    begins: Option<Plumbing>,
    continues: Option<Plumbing>,
}

/// A class that has been looked up.
struct KnownClass {
    name: String,
    loader: Loader,
    /// Read when the first site in it is; `None` inside if it cannot be read.
    pool: Option<Option<ConstantPool>>,
}

/// Everything seen, methods by the JVM's ids.
#[derive(Default)]
pub struct Collector {
    known: FxHashMap<usize, Known>,
    methods: Vec<Method>,
    class_numbers: FxHashMap<ClassKey, usize>,
    classes: Vec<KnownClass>,
    edges: FxHashSet<Edge>,
    allocated: BTreeSet<String>,
    problems: BTreeSet<String>,
}

/// How many frames are read at once in search of an ordinary one. Chains of machinery are mostly shorter than ten.
const FRAMES_AT_ONCE: usize = 16;

impl Collector {
    /// Records an edge between neighbouring frames, called while the callee is the current frame. Answers whether the
    /// caller is machinery and the callee is not, so that the edge should be collapsed.
    pub fn neighbours(&mut self, jvm: &Jvm, caller: Option<Frame>, callee: usize) -> Result<bool, Problem> {
        let known_callee = self.look_up(jvm, callee)?;
        if self.methods[known_callee.index.0 as usize].name == "<init>" {
            let class = jvm.class_of(jvm.receiver()?)?;
            self.allocated(jvm, class)?;
        }
        let Some(frame) = caller else {
            self.edges.insert(Edge { caller: None, callee: known_callee.index, via: Via::Vm });
            return Ok(false);
        };
        let known_caller = self.look_up(jvm, frame.method)?;
        let via = self.kind(jvm, frame, known_caller, known_callee)?;
        self.edges.insert(Edge { caller: Some(site(known_caller, frame)), callee: known_callee.index, via });
        Ok(known_caller.begins.is_some()
            && !plumbing::is_internal(&self.classes[known_callee.class].name)
            && via != Via::Upcall
            && via != Via::Clinit)
    }

    /// Records an edge from an ordinary frame through machinery to the current frame.
    pub fn collapsed(
        &mut self,
        jvm: &Jvm,
        caller: Option<Frame>,
        callee: usize,
        through: Plumbing,
    ) -> Result<(), Problem> {
        let callee = self.look_up(jvm, callee)?.index;
        let caller = match caller {
            Some(frame) => Some(site(self.look_up(jvm, frame.method)?, frame)),
            None => None,
        };
        let via = match through {
            Plumbing::Lambda => Via::Lambda,
            Plumbing::MethodHandle => Via::MethodHandle,
            Plumbing::Reflection => Via::Reflection,
            Plumbing::Proxy => Via::Proxy,
        };
        self.edges.insert(Edge { caller, callee, via });
        Ok(())
    }

    /// The first frame below the current one that is not machinery, if the stack has one, and the machinery right above
    /// it: what that frame called.
    pub fn ordinary_frame(&mut self, jvm: &Jvm) -> Result<(Plumbing, Option<Frame>), Problem> {
        let mut through = Plumbing::MethodHandle;
        let mut depth = 1;
        loop {
            let frames = jvm.frames_below(depth, FRAMES_AT_ONCE)?;
            for &frame in &frames {
                match self.look_up(jvm, frame.method)?.continues {
                    Some(plumbing) => through = plumbing,
                    None => return Ok((through, Some(frame))),
                }
            }
            if frames.len() < FRAMES_AT_ONCE {
                return Ok((through, None));
            }
            depth += FRAMES_AT_ONCE as jint;
        }
    }

    /// Records that an object of a class exists.
    pub fn allocated(&mut self, jvm: &Jvm, class: jclass) -> Result<(), Problem> {
        let name = jvm.class_name(class)?;
        if !name.starts_with('[') {
            self.allocated.insert(name);
        }
        Ok(())
    }

    /// Notes that something was missed. The same problem is noted once.
    pub fn problem(&mut self, problem: Problem) {
        self.problems.insert(problem.to_string());
    }

    /// The recording so far.
    pub fn recording(&self) -> Recording {
        let mut recording = Recording {
            edges: self.edges.iter().copied().collect(),
            allocated: self.allocated.clone(),
            problems: self.problems.iter().cloned().collect(),
            ..Recording::default()
        };
        for class in &self.classes {
            let facts =
                recording.classes.entry(class.name.clone()).or_insert(ClassFacts { loader: class.loader });
            facts.loader = facts.loader.max(class.loader);
        }
        recording.replace_methods(self.methods.clone());
        recording
    }

    fn kind(&mut self, jvm: &Jvm, frame: Frame, caller: Known, callee: Known) -> Result<Via, Problem> {
        if self.methods[callee.index.0 as usize].name == "<clinit>" {
            return Ok(Via::Clinit);
        }
        let Ok(bci) = usize::try_from(frame.bci) else { return Ok(Via::Native) };
        let id = frame.method as jmethodID;
        let code = jvm.bytecodes(id)?;
        let class = &mut self.classes[caller.class];
        if class.pool.is_none() {
            let (slots, bytes) = jvm.constant_pool(jvm.declaring_class(id)?)?;
            class.pool = Some(ConstantPool::parse(slots, bytes));
        }
        let class = &self.classes[caller.class];
        let named = class.pool.iter().flatten().find_map(|pool| pool.called_at(&code, bci));
        let Some(named) = named else { return Ok(Via::Upcall) };
        let callee_class = &self.classes[callee.class].name;
        let callee = &self.methods[callee.index.0 as usize];
        if named.name == callee.name && named.descriptor == callee.descriptor {
            // A constructor is never inherited: one of another class is that of an exception about to be thrown.
            let fits = callee.name != "<init>" || names_class(named.class, callee_class);
            return Ok(if fits { Via::Call } else { Via::Upcall });
        }
        let is_form = plumbing::begins(callee_class, &callee.name) == Some(Plumbing::MethodHandle);
        let is_link = named.leaves_handle() || (named.enters_handle() && is_form);
        Ok(if is_link { Via::Link } else { Via::Upcall })
    }

    fn look_up(&mut self, jvm: &Jvm, method: usize) -> Result<Known, Problem> {
        if let Some(&known) = self.known.get(&method) {
            return Ok(known);
        }
        let id = method as jmethodID;
        let (name, descriptor) = jvm.method_name(id)?;
        let class = self.look_up_class(jvm, jvm.declaring_class(id)?)?;
        let class_name = self.classes[class].name.clone();
        let known = Known {
            index: MethodIndex(self.methods.len() as u32),
            class,
            begins: plumbing::begins(&class_name, &name),
            continues: plumbing::continues(&class_name, &name),
        };
        self.methods.push(Method { class: class_name, name, descriptor });
        self.known.insert(method, known);
        Ok(known)
    }

    fn look_up_class(&mut self, jvm: &Jvm, class: jclass) -> Result<usize, Problem> {
        let name = jvm.class_name(class)?;
        let loader = jvm.class_loader(class)?;
        let loader_hash = if loader.is_null() { 0 } else { jvm.identity_hash(loader)? };
        let key = (name, loader_hash);
        if let Some(&number) = self.class_numbers.get(&key) {
            return Ok(number);
        }
        let kind = kind_of_loader(jvm, loader)?;
        self.classes.push(KnownClass { name: key.0.clone(), loader: kind, pool: None });
        self.class_numbers.insert(key, self.classes.len() - 1);
        Ok(self.classes.len() - 1)
    }
}

/// Whose a class loader is.
pub fn kind_of_loader(jvm: &Jvm, loader: jobject) -> Result<Loader, Problem> {
    if loader.is_null() {
        return Ok(Loader::Boot);
    }
    Ok(match jvm.class_name(jvm.class_of(loader)?)?.as_str() {
        "jdk/internal/loader/ClassLoaders$PlatformClassLoader" | "sun/misc/Launcher$ExtClassLoader" => {
            Loader::Platform
        }
        "jdk/internal/loader/ClassLoaders$AppClassLoader" | "sun/misc/Launcher$AppClassLoader" => Loader::App,
        _ => Loader::Custom,
    })
}

/// Whether a class named in a constant pool is `class`; there a plus sign comes before a hidden class's address.
fn names_class(named: &str, class: &str) -> bool {
    class == named || class.replace('.', "+") == named
}

fn site(method: Known, frame: Frame) -> Site {
    Site { method: method.index, bci: u32::try_from(frame.bci).ok() }
}
