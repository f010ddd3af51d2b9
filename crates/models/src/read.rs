//! Reading rows from TOML.
//!
//! ```toml
//! provenance = "..."            # of all rows of the file that give none of their own; required in one of both places
//! source = "..."                # likewise; optional
//! optional = true               # the classes of this file may be missing
//!
//! [[method]]
//! class = "p.C"                 # or a list: the row then stands once for each class and name
//! name = "m"                    # or a list
//! descriptor = "(I)V"           # or a list; all overloads where absent
//! subtypes = true               # default false
//! replace = true                # default false
//! since = 21                    # JDK releases that have the method; also `until`
//! effects = [{ flow = { from = "arg0", to = "result" } }]
//!
//! [[root]]                      # a method that the JVM calls
//! class = "p.C"
//! name = "m"
//! descriptor = "(Lp/D;)V"
//! receiver = "new p.C"          # absent for a static method
//! args = ["vm things"]
//! thread = "vm"
//! ```
//!
//! Tables `[[framework]]` are described in [`framework`](crate::framework).
//!
//! A file is read as far as possible: all wrong rows are reported, not just the first, unless the file is no TOML.

use std::fmt;
use std::sync::Arc;

use selvedge_base::Symbol;
use serde::Deserialize;
use toml::Spanned;

use crate::effect::{Argument, Effect, When};
use crate::framework::{Framework, FrameworkTable, framework};
use crate::name::{Class, Signature, is_method_name, is_reference};
use crate::place::{Place, Root, Step};
use crate::row::{Origin, Releases, RootThread, Row, RowId, Selector, VmRoot};

/// Something wrong in a file of rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelError {
    /// The file and line.
    pub origin: Origin,
    /// What is wrong, a sentence without its full stop.
    pub message: String,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.origin, self.message)
    }
}

impl std::error::Error for ModelError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    provenance: Option<String>,
    source: Option<String>,
    #[serde(default)]
    optional: bool,
    #[serde(default)]
    method: Vec<Spanned<toml::Table>>,
    #[serde(default)]
    root: Vec<Spanned<toml::Table>>,
    #[serde(default)]
    framework: Vec<Spanned<toml::Table>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MethodTable {
    class: OneOrMany<Class>,
    name: OneOrMany<String>,
    descriptor: Option<OneOrMany<String>>,
    #[serde(default)]
    subtypes: bool,
    #[serde(default)]
    replace: bool,
    since: Option<u32>,
    until: Option<u32>,
    effects: Vec<Effect>,
    provenance: Option<String>,
    source: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RootTable {
    class: Class,
    name: String,
    descriptor: String,
    receiver: Option<Argument>,
    #[serde(default)]
    args: Vec<Argument>,
    thread: RootThread,
    since: Option<u32>,
    until: Option<u32>,
    provenance: Option<String>,
}

/// A value or a list of values.
pub(crate) struct OneOrMany<T>(pub(crate) Vec<T>);

/// By hand and not `untagged`, which would replace the message of the inner error by one that says nothing.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> serde::de::Visitor<'de> for Visitor<T> {
            type Value = OneOrMany<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a list of strings")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
                let one = serde::de::value::StrDeserializer::new(text);
                T::deserialize(one).map(|value| OneOrMany(vec![value]))
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = list.next_element()? {
                    values.push(value);
                }
                Ok(OneOrMany(values))
            }
        }
        deserializer.deserialize_any(Visitor(std::marker::PhantomData))
    }
}

/// What a file holds.
#[derive(Default)]
pub(crate) struct Contents {
    pub rows: Vec<Row>,
    pub roots: Vec<VmRoot>,
    pub frameworks: Vec<Framework>,
    pub errors: Vec<ModelError>,
}

/// Reads one file. Rows get their ids from the collection they are put in; here all have the first.
pub(crate) fn read(file: &str, text: &str) -> Contents {
    let file: Arc<str> = file.into();
    let origin_at = |offset: usize| {
        let line = text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1;
        Origin { file: file.clone(), line }
    };
    let mut contents = Contents::default();
    let parsed: File = match toml::from_str(text) {
        Ok(parsed) => parsed,
        Err(error) => {
            let origin = origin_at(error.span().map_or(0, |span| span.start));
            contents.errors.push(ModelError { origin, message: error.message().to_owned() });
            return contents;
        }
    };
    let shared = |own: Option<String>, of_file: &Option<String>| -> Arc<str> {
        own.or_else(|| of_file.clone()).unwrap_or_default().into()
    };
    for table in parsed.method {
        let origin = origin_at(table.span().start);
        let outcome =
            table.into_inner().try_into::<MethodTable>().map_err(|error| error.message().to_owned());
        let outcome = outcome.and_then(|mut table| {
            let provenance = shared(table.provenance.take(), &parsed.provenance);
            let source = shared(table.source.take(), &parsed.source);
            expand(table, &origin, provenance, source, parsed.optional)
        });
        match outcome {
            Ok(rows) => contents.rows.extend(rows),
            Err(message) => contents.errors.push(ModelError { origin, message }),
        }
    }
    for table in parsed.root {
        let origin = origin_at(table.span().start);
        let outcome = table.into_inner().try_into::<RootTable>().map_err(|error| error.message().to_owned());
        let outcome = outcome.and_then(|mut table| {
            let provenance = shared(table.provenance.take(), &parsed.provenance);
            root(table, &origin, provenance)
        });
        match outcome {
            Ok(root) => contents.roots.push(root),
            Err(message) => contents.errors.push(ModelError { origin, message }),
        }
    }
    for table in parsed.framework {
        let origin = origin_at(table.span().start);
        let outcome =
            table.into_inner().try_into::<FrameworkTable>().map_err(|error| error.message().to_owned());
        let outcome = outcome.and_then(|mut table| {
            let provenance = shared(table.provenance.take(), &parsed.provenance);
            demand_provenance(&provenance)?;
            framework(table, &origin, provenance)
        });
        match outcome {
            Ok(framework) => contents.frameworks.push(framework),
            Err(message) => contents.errors.push(ModelError { origin, message }),
        }
    }
    contents
}

/// The rows that one table stands for: one for each of its classes, names and descriptors.
fn expand(
    table: MethodTable,
    origin: &Origin,
    provenance: Arc<str>,
    source: Arc<str>,
    optional: bool,
) -> Result<Vec<Row>, String> {
    demand_provenance(&provenance)?;
    let descriptors: Vec<Option<String>> = match table.descriptor {
        Some(OneOrMany(descriptors)) => descriptors.into_iter().map(Some).collect(),
        None => vec![None],
    };
    if table.class.0.is_empty() || table.name.0.is_empty() || descriptors.is_empty() {
        return Err(
            "the list of classes, names or descriptors is empty, so the row is about nothing".to_owned()
        );
    }
    for name in &table.name.0 {
        if !is_method_name(name) {
            return Err(format!("`{name}` is not a method name"));
        }
    }
    for effect in &table.effects {
        check_effect(effect)?;
    }
    for descriptor in descriptors.iter().flatten() {
        let signature = Signature::parse(descriptor)
            .ok_or_else(|| format!("`{descriptor}` is not a method descriptor"))?;
        for effect in &table.effects {
            check_against_signature(effect, &signature)
                .map_err(|what| format!("{what}, by the descriptor `{descriptor}`"))?;
        }
    }
    let mut rows = Vec::new();
    for &class in &table.class.0 {
        let mut effects = table.effects.clone();
        for place in effects.iter_mut().flat_map(Effect::places_mut) {
            place.qualify(class);
        }
        let effects: Arc<[Effect]> = effects.into();
        for name in &table.name.0 {
            for descriptor in &descriptors {
                rows.push(Row {
                    id: RowId::new(0),
                    selector: Selector {
                        class,
                        name: Symbol::new(name),
                        descriptor: descriptor.as_ref().map(Symbol::new),
                        subtypes: table.subtypes,
                    },
                    effects: effects.clone(),
                    replace: table.replace,
                    provenance: provenance.clone(),
                    source: source.clone(),
                    releases: Releases { since: table.since, until: table.until },
                    optional,
                    origin: origin.clone(),
                });
            }
        }
    }
    Ok(rows)
}

fn demand_provenance(provenance: &str) -> Result<(), String> {
    if provenance.trim().is_empty() {
        return Err("the row has no provenance, and the file gives none for all its rows".to_owned());
    }
    Ok(())
}

/// What is wrong with an effect by itself.
fn check_effect(effect: &Effect) -> Result<(), String> {
    let written_to = match effect {
        Effect::Flow { to, .. } => Some(to),
        Effect::Fresh { into, .. } => Some(into),
        Effect::Callback { result, .. } => result.as_ref(),
        _ => None,
    };
    if let Some(place) = written_to
        && place.steps.is_empty()
        && matches!(place.root, Root::This | Root::Arg(_))
    {
        return Err(format!("`{place}` cannot be stored to; only what it holds can, or `result`"));
    }
    match effect {
        Effect::Fresh { class, elements: Some(_), .. } if !class.is_array() => {
            Err(format!("`{class}` is not an array type, so it has no elements"))
        }
        Effect::Callback { on, method, args, .. } => {
            if args.len() != method.parameter_count() {
                let (given, wanted) = (args.len(), method.parameter_count());
                return Err(format!("`{method}` has {wanted} parameters, but `args` has {given} entries"));
            }
            if on.is_none() && method.class.is_none() {
                return Err(format!(
                    "the callback of `{method}` names neither a receiver (`on`) nor a class (`p.C#m()V`)"
                ));
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// What an effect says that a method with this signature cannot do.
fn check_against_signature(effect: &Effect, signature: &Signature<'_>) -> Result<(), String> {
    for place in effect.places() {
        let descriptor = match place.root {
            Root::Arg(number) => match signature.parameters.get(usize::from(number)) {
                Some(parameter) => parameter,
                None => return Err(format!("there is no argument for `{place}`")),
            },
            Root::Result => signature.result,
            Root::This | Root::Static { .. } | Root::Vm(_) => continue,
        };
        if !is_reference(descriptor) {
            return Err(format!("`{place}` holds no references"));
        }
        if place.steps.first() == Some(&Step::Elements)
            && !descriptor.starts_with('[')
            && descriptor != "Ljava/lang/Object;"
        {
            return Err(format!("`{place}` does not start at an array"));
        }
    }
    let wanted = match effect.when() {
        When::Always => return Ok(()),
        When::ResultTrue | When::ResultFalse => signature.result == "Z",
        When::ResultNonzero => matches!(signature.result, "I" | "J" | "S" | "B" | "C"),
        When::ResultNonNull => is_reference(signature.result),
    };
    if wanted { Ok(()) } else { Err("the condition on the result does not fit its type".to_owned()) }
}

fn root(table: RootTable, origin: &Origin, provenance: Arc<str>) -> Result<VmRoot, String> {
    demand_provenance(&provenance)?;
    let RootTable { class, name, descriptor, receiver, args, thread, since, until, .. } = table;
    let signature =
        Signature::parse(&descriptor).ok_or_else(|| format!("`{descriptor}` is not a method descriptor"))?;
    if !is_method_name(&name) {
        return Err(format!("`{name}` is not a method name"));
    }
    if signature.parameters.len() != args.len() {
        let (given, wanted) = (args.len(), signature.parameters.len());
        return Err(format!("the method has {wanted} parameters, but `args` has {given} entries"));
    }
    for argument in receiver.iter().chain(&args) {
        if let Argument::Place(Place { root: Root::This | Root::Arg(_) | Root::Result, .. }) = argument {
            return Err(
                "what the JVM passes has no caller: only `new`, `static`, `vm` and `_` mean something".into(),
            );
        }
    }
    Ok(VmRoot {
        class,
        name: Symbol::new(name),
        descriptor: Symbol::new(descriptor),
        receiver,
        args,
        thread,
        provenance,
        releases: Releases { since, until },
        origin: origin.clone(),
    })
}
