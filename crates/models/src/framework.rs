//! Frameworks: which classes a container makes and calls, and how.
//!
//! A servlet, a controller or a message listener has no caller in the program: a container makes its instances and calls its
//! methods, from many threads. A `[[framework]]` table says how such classes are recognised (by a supertype, by an
//! annotation of the class, or by annotations of its methods), which of their methods are called, whether all calls share
//! one instance, and which calls may overlap.
//!
//! ```toml
//! [[framework]]
//! name = "servlets"
//! supertypes = ["javax.servlet.Servlet"]      # any of these, or
//! supertype-suffixes = ["MXBean"]             # an interface whose name ends so, or
//! class-annotations = ["p.Resource"]          # any of these on the class or an annotation of it, or
//! method-annotations = ["p.Scheduled"]        # any of these on a method
//! with = ["p.Singleton"]                      # and, where given, one of these on the class
//! without = ["p.Prototype"]                   # and none of these
//! instances = "one"                           # or "per-call", or "registered" with `from`
//! from = "vm mbeans"
//! calls = ["doGet"]                           # names, "public", "interface", or absent: those with an annotation
//! call-annotations = ["p.GET"]                # as if listed in `calls`
//! starts = ["init"]                           # called once, before all others
//! start-annotations = ["p.PostConstruct"]     # as if listed in `starts`
//! overlap = "always"                          # or "other-methods", or "never"
//! provenance = "..."
//! ```
//!
//! A class may match several tables. The first that matches says how many instances there are; each says by itself which
//! methods are called.

use std::sync::Arc;

use selvedge_base::Symbol;
use serde::Deserialize;

use crate::name::{Class, is_method_name};
use crate::place::{Place, Root};
use crate::read::OneOrMany;
use crate::row::Origin;

/// A kind of class that a container calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Framework {
    /// What the classes are called, in the plural.
    pub name: Arc<str>,
    /// Having one of these above it makes a class one of them.
    pub supertypes: Vec<Class>,
    /// Implementing an interface whose name ends so makes a class one of them.
    pub supertype_suffixes: Vec<String>,
    /// Having one of these annotations makes a class one of them.
    pub class_annotations: Vec<Class>,
    /// Having a method with one of these annotations makes a class one of them.
    pub method_annotations: Vec<Class>,
    /// Unless empty, the class must have one of these annotations.
    pub with: Vec<Class>,
    /// The class must not have any of these annotations.
    pub without: Vec<Class>,
    /// How many instances there are.
    pub instances: Instances,
    /// Which methods are called, besides those with an annotation.
    pub calls: Calls,
    /// Methods with one of these annotations are called.
    pub call_annotations: Vec<Class>,
    /// The names of methods that are called once, before all others.
    pub starts: Vec<Symbol>,
    /// Methods with one of these annotations are called once, before all others.
    pub start_annotations: Vec<Class>,
    /// Which calls may run at the same time.
    pub overlap: Overlap,
    /// What this rests on.
    pub provenance: Arc<str>,
    /// Where the table stands.
    pub origin: Origin,
}

/// How many instances of a class a container makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Instances {
    /// One, which all calls share.
    One,
    /// One for each call, or for each thread that calls.
    PerCall,
    /// None: the program makes them and hands them over; they are found at this place.
    Registered(Place),
}

/// Which methods a container calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Calls {
    /// Those with these names; they may be protected.
    Named(Vec<Symbol>),
    /// All public ones of the class, but for setters, with which the container prepares the instance.
    Public,
    /// All of the interfaces by which the class was recognised.
    Interface,
}

/// Which calls on classes of a kind may run at the same time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Overlap {
    /// None on one instance.
    Never,
    /// Calls of different methods; a method does not run twice at the same time.
    OtherMethods,
    /// All.
    #[default]
    Always,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct FrameworkTable {
    name: String,
    #[serde(default)]
    supertypes: Vec<Class>,
    #[serde(default)]
    supertype_suffixes: Vec<String>,
    #[serde(default)]
    class_annotations: Vec<Class>,
    #[serde(default)]
    method_annotations: Vec<Class>,
    #[serde(default)]
    with: Vec<Class>,
    #[serde(default)]
    without: Vec<Class>,
    instances: InstancesWord,
    from: Option<Place>,
    calls: Option<OneOrMany<String>>,
    #[serde(default)]
    call_annotations: Vec<Class>,
    #[serde(default)]
    starts: Vec<String>,
    #[serde(default)]
    start_annotations: Vec<Class>,
    #[serde(default)]
    overlap: Overlap,
    pub(crate) provenance: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum InstancesWord {
    One,
    PerCall,
    Registered,
}

/// The framework that a table describes.
pub(crate) fn framework(
    table: FrameworkTable,
    origin: &Origin,
    provenance: Arc<str>,
) -> Result<Framework, String> {
    let recognised_by = [
        table.supertypes.is_empty(),
        table.supertype_suffixes.is_empty(),
        table.class_annotations.is_empty(),
        table.method_annotations.is_empty(),
    ];
    if recognised_by.iter().all(|empty| *empty) {
        return Err("nothing says by what the classes are recognised".to_owned());
    }
    let instances = match (table.instances, table.from) {
        (InstancesWord::One, None) => Instances::One,
        (InstancesWord::PerCall, None) => Instances::PerCall,
        (InstancesWord::Registered, Some(place)) => match place.root {
            Root::Static { .. } | Root::Vm(_) => Instances::Registered(place),
            _ => return Err(format!("`{place}` is not a place of a container")),
        },
        (InstancesWord::Registered, None) => {
            return Err("`from` must say where the registered instances are found".to_owned());
        }
        (_, Some(_)) => return Err("`from` is for registered instances only".to_owned()),
    };
    let calls = match table.calls.map(|OneOrMany(names)| names) {
        None => Calls::Named(Vec::new()),
        Some(words) => match words.as_slice() {
            [word] if word == "public" => Calls::Public,
            [word] if word == "interface" => Calls::Interface,
            _ => Calls::Named(method_names(&words)?),
        },
    };
    Ok(Framework {
        name: table.name.into(),
        supertypes: table.supertypes,
        supertype_suffixes: table.supertype_suffixes,
        class_annotations: table.class_annotations,
        method_annotations: table.method_annotations,
        with: table.with,
        without: table.without,
        instances,
        calls,
        call_annotations: table.call_annotations,
        starts: method_names(&table.starts)?,
        start_annotations: table.start_annotations,
        overlap: table.overlap,
        provenance,
        origin: origin.clone(),
    })
}

fn method_names(names: &[String]) -> Result<Vec<Symbol>, String> {
    match names.iter().find(|name| !is_method_name(name)) {
        Some(wrong) => Err(format!("`{wrong}` is not a method name")),
        None => Ok(names.iter().map(Symbol::new).collect()),
    }
}
