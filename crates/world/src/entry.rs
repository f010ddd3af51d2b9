//! Where a program starts: main methods, or every public method of a library.

use selvedge_base::Symbol;
use selvedge_classfile::access;
use selvedge_ir::ClassName;

use crate::client::ClientView;
use crate::input::Tier;
use crate::problem::{InputError, Problem, ProblemKind};
use crate::program::{ClassId, MethodId, Program};

/// What the user says about where the program starts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum EntryRequest {
    /// Nothing: the manifests decide, or else what main methods there are.
    #[default]
    Find,
    /// At the main method of this class, in Java's form.
    Main(String),
    /// Anywhere: it is a library. These classes, in Java's form, are its interface; if none are named, all public ones.
    Library(Vec<String>),
}

/// Where a program starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EntryPoints {
    /// At these main methods, each a program of its own.
    Mains(Vec<MethodId>),
    /// Any thread may call any public method of these classes.
    Library(Vec<ClassId>),
}

/// The first release in which main methods need not be public, static or take arguments.
const FLEXIBLE_MAIN: u16 = 25;

impl Program {
    /// Finds where the program starts. Fails where the request names what is not there.
    pub fn entry_points(&self, request: &EntryRequest) -> Result<EntryPoints, InputError> {
        match request {
            EntryRequest::Main(name) => {
                let class = self.requested_class(name)?;
                let main = self.main_method(class).ok_or_else(|| {
                    InputError::new(format!(
                        "the class {name} has no method public static void main(String[])"
                    ))
                })?;
                Ok(EntryPoints::Mains(vec![main]))
            }
            EntryRequest::Library(names) if names.is_empty() => {
                Ok(EntryPoints::Library(self.public_classes()))
            }
            EntryRequest::Library(names) => {
                let classes: Result<Vec<ClassId>, InputError> =
                    names.iter().map(|name| self.requested_class(name)).collect();
                let mut classes = classes?;
                classes.sort_unstable();
                classes.dedup();
                Ok(EntryPoints::Library(classes))
            }
            EntryRequest::Find => {
                let mut mains = self.mains_of_manifests();
                if mains.is_empty() {
                    mains = self.mains_found();
                }
                if mains.is_empty() {
                    return Ok(EntryPoints::Library(self.public_classes()));
                }
                Ok(EntryPoints::Mains(mains))
            }
        }
    }

    fn requested_class(&self, name: &str) -> Result<ClassId, InputError> {
        let found = self.class_named(ClassName::new(name.replace('.', "/")));
        found.filter(|&class| !self.classes[class].is_phantom()).ok_or_else(|| {
            InputError::new(format!(
                "there is no class {name} in the given paths, their class path or the JDK"
            ))
        })
    }

    /// The main methods that the application's manifests name. A name that leads to none is a problem.
    fn mains_of_manifests(&self) -> Vec<MethodId> {
        let mut mains = Vec::new();
        for container in self.containers.iter().filter(|container| container.tier == Tier::Application) {
            let Some(name) = &container.main_class else { continue };
            let class = self.class_named(ClassName::new(name.replace('.', "/")));
            match class.and_then(|class| self.main_method(class)) {
                Some(main) => mains.push(main),
                None => {
                    let message = format!("names {name} as its main class, which has no main method");
                    self.report(Problem::new(ProblemKind::Linkage, container.location.clone(), message));
                }
            }
        }
        mains.sort_unstable();
        mains.dedup();
        mains
    }

    /// Every `public static void main(String[])` that a class of the application declares.
    fn mains_found(&self) -> Vec<MethodId> {
        let of_application = self.classes.iter().filter(|class| class.tier == Tier::Application);
        let methods = of_application.flat_map(|class| class.methods.iter());
        methods.filter(|&method| self.is_classic_main(method)).collect()
    }

    fn is_classic_main(&self, method: MethodId) -> bool {
        let method = &self.methods[method];
        let public_static = access::PUBLIC | access::STATIC;
        method.name.is("main")
            && method.descriptor.is("([Ljava/lang/String;)V")
            && method.flags & public_static == public_static
            && method.has_code()
    }

    /// The method with which a class is started: a public static one of its own or inherited, or, in newer releases, any
    /// that is not private.
    fn main_method(&self, class: ClassId) -> Option<MethodId> {
        let declared = |descriptor: &str| {
            let (name, descriptor) = (Symbol::new("main"), Symbol::new(descriptor));
            self.superclasses(class).find_map(|class| self.declared_method(class, name, descriptor))
        };
        let with_arguments = declared("([Ljava/lang/String;)V");
        if let Some(main) = with_arguments.filter(|&main| self.is_classic_main(main)) {
            return Some(main);
        }
        if self.jdk_version < FLEXIBLE_MAIN {
            return None;
        }
        let usable = |main: &MethodId| !self.methods[*main].is_private() && self.methods[*main].has_code();
        with_arguments.filter(usable).or_else(|| declared("()V").filter(usable))
    }

    /// The classes of the application that code outside can name. Annotations are not among them: they do nothing.
    fn public_classes(&self) -> Vec<ClassId> {
        let mut client = ClientView::new(self);
        let candidates = self.classes.iter_ids().filter(|(_, class)| class.tier == Tier::Application);
        let no_annotations = candidates.filter(|(_, class)| class.flags & access::ANNOTATION == 0);
        no_annotations.map(|(id, _)| id).filter(|&id| client.class(id).is_some()).collect()
    }
}
