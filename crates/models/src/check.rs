//! Rows against real classes: which rows match nothing, which say what cannot be, which natives have none.

use std::fmt;

use selvedge_base::{FastSet, Symbol};

use crate::effect::{Argument, Effect};
use crate::models::{Models, Supertypes};
use crate::name::{Class, MethodRef, Signature, is_reference};
use crate::place::{Place, Root, Step};
use crate::row::{Origin, Releases, Row, Selector};

/// A method as a class declares it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct DeclaredMethod {
    /// The declaring class, by internal name.
    pub class: Symbol,
    /// The method's name.
    pub name: Symbol,
    /// The method's descriptor.
    pub descriptor: Symbol,
    /// Whether it is static.
    pub is_static: bool,
    /// Whether it is native.
    pub is_native: bool,
}

/// As `p.C.name(descriptor)`.
impl fmt::Display for DeclaredMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}{}", Class::from_symbol(self.class), self.name, self.descriptor)
    }
}

/// The classes to check rows against. All names are internal ones.
pub trait ClassLookup: Supertypes {
    /// Whether there is such a class.
    fn has_class(&self, class: Symbol) -> bool;
    /// The methods of this name that the class itself declares.
    fn methods_named(&self, class: Symbol, name: Symbol) -> Vec<DeclaredMethod>;
    /// Whether the class itself declares a field of this name that is static or not as given.
    fn has_field(&self, class: Symbol, field: Symbol, is_static: bool) -> bool;
    /// All native methods of all classes, sorted.
    fn natives(&self) -> Vec<DeclaredMethod>;
    /// The feature release of the JDK that the classes are of, if it is known.
    fn release(&self) -> Option<u32>;
}

/// Something that a row says and the classes do not bear out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowProblem {
    /// Where the row stands.
    pub origin: Origin,
    /// What it is about.
    pub subject: String,
    /// What does not hold, a sentence without its full stop.
    pub message: String,
}

impl fmt::Display for RowProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.origin, self.subject, self.message)
    }
}

/// What [`Models::check`] found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CheckReport {
    /// Rows and roots that match nothing or say what cannot be, in their order.
    pub problems: Vec<RowProblem>,
    /// Natives that return a reference and that no row is about, sorted.
    pub natives_without_row: Vec<DeclaredMethod>,
    /// Natives that only take references and that no row is about, sorted: believed to keep none of them.
    pub natives_believed_harmless: Vec<DeclaredMethod>,
    /// How many rows and roots match at least one method.
    pub matched: usize,
    /// How many rows and roots are about other releases, optional and about classes that are not there, or for methods
    /// that only other classes of the same table have.
    pub not_applicable: usize,
}

impl Models {
    /// Holds every row against real classes.
    pub fn check(&self, classes: &dyn ClassLookup) -> CheckReport {
        let mut report = CheckReport::default();
        for table in self.rows().chunk_by(|a, b| a.origin == b.origin) {
            check_table(table, classes, &mut report);
        }
        self.check_roots(classes, &mut report);
        self.check_natives(classes, &mut report);
        report
    }

    fn check_roots(&self, classes: &dyn ClassLookup, report: &mut CheckReport) {
        for root in self.roots() {
            let declared = classes.methods_named(root.class.symbol(), root.name);
            let method = declared.iter().find(|method| method.descriptor == root.descriptor);
            if is_of_other_release(root.releases, classes) {
                report.not_applicable += 1;
                continue;
            }
            let mut check = EffectCheck { classes, messages: Vec::new() };
            match method {
                None => {
                    let missing = !classes.has_class(root.class.symbol());
                    check.messages.push(missing_message(missing, "declares no such method"));
                }
                Some(method) => {
                    report.matched += 1;
                    if method.is_static != root.receiver.is_none() {
                        check
                            .messages
                            .push("a receiver is for instance methods, and only for them".to_owned());
                    }
                }
            }
            root.receiver.iter().chain(&root.args).for_each(|argument| check.argument(argument));
            let problem =
                |message| RowProblem { origin: root.origin.clone(), subject: root.to_string(), message };
            report.problems.extend(check.messages.into_iter().map(problem));
        }
    }

    fn check_natives(&self, classes: &dyn ClassLookup, report: &mut CheckReport) {
        for native in classes.natives() {
            if !self.rows_for(native.class, native.name, native.descriptor, classes).is_empty() {
                continue;
            }
            let Some(signature) = native.descriptor.as_str().and_then(Signature::parse) else { continue };
            if is_reference(signature.result) {
                report.natives_without_row.push(native);
            } else if signature.parameters.iter().any(|parameter| is_reference(parameter)) {
                report.natives_believed_harmless.push(native);
            }
        }
    }
}

/// The rows that stand together in one table, for its classes, names and descriptors. Not every class needs to have
/// every method, but each class, each name and each descriptor must be good for something.
fn check_table(table: &[Row], classes: &dyn ClassLookup, report: &mut CheckReport) {
    let methods_of = |row: &Row| -> Vec<DeclaredMethod> {
        let declared = classes.methods_named(row.selector.class.symbol(), row.selector.name);
        declared.into_iter().filter(|method| row.selector.admits(method.descriptor)).collect()
    };
    let matching: Vec<Vec<DeclaredMethod>> = table.iter().map(methods_of).collect();
    let some_match = |accept: &dyn Fn(&Selector) -> bool| {
        table.iter().zip(&matching).any(|(row, methods)| !methods.is_empty() && accept(&row.selector))
    };
    for (row, methods) in table.iter().zip(&matching) {
        let selector = &row.selector;
        if is_of_other_release(row.releases, classes) {
            report.not_applicable += 1;
            continue;
        }
        let mut check = EffectCheck { classes, messages: Vec::new() };
        if methods.is_empty() {
            let missing = !classes.has_class(selector.class.symbol());
            let others_match = some_match(&|other| other.class == selector.class)
                && some_match(&|other| other.name == selector.name)
                && some_match(&|other| other.descriptor == selector.descriptor);
            if others_match || (row.optional && missing) {
                report.not_applicable += 1;
                continue;
            }
            check.messages.push(missing_message(missing, "declares no such method"));
        } else {
            report.matched += 1;
        }
        for effect in row.effects.iter() {
            check.effect(effect);
            methods.iter().for_each(|method| check.effect_on(effect, method));
        }
        let problem =
            |message| RowProblem { origin: row.origin.clone(), subject: selector.to_string(), message };
        report.problems.extend(check.messages.into_iter().map(problem));
    }
}

fn is_of_other_release(releases: Releases, classes: &dyn ClassLookup) -> bool {
    classes.release().is_some_and(|release| !releases.contain(release))
}

fn missing_message(class_is_missing: bool, otherwise: &str) -> String {
    if class_is_missing { "there is no such class".to_owned() } else { format!("the class {otherwise}") }
}

/// Collects what is wrong with the effects of one row.
struct EffectCheck<'a> {
    classes: &'a dyn ClassLookup,
    messages: Vec<String>,
}

impl EffectCheck<'_> {
    /// What is wrong whichever method has the effect.
    fn effect(&mut self, effect: &Effect) {
        effect.places().into_iter().for_each(|place| self.place(place));
        match effect {
            Effect::Fresh { class, elements, .. } => {
                self.class(*class);
                elements.iter().for_each(|class| self.class(*class));
            }
            Effect::Callback { method, args, .. } => {
                self.method(method);
                args.iter().for_each(|argument| self.argument(argument));
            }
            _ => {}
        }
    }

    /// What this method cannot do.
    fn effect_on(&mut self, effect: &Effect, method: &DeclaredMethod) {
        let signature = method.descriptor.as_str().and_then(Signature::parse);
        let Some(signature) = signature else { return };
        for place in effect.places() {
            let descriptor = match place.root {
                Root::This if method.is_static => {
                    self.messages.push(format!("`{place}` in a static method ({method})"));
                    continue;
                }
                Root::Arg(number) => signature.parameters.get(usize::from(number)).copied(),
                Root::Result => Some(signature.result),
                Root::This | Root::Static { .. } | Root::Vm(_) => continue,
            };
            if !descriptor.is_some_and(is_reference) {
                self.messages.push(format!("`{place}` holds no references in {method}"));
            }
        }
    }

    fn argument(&mut self, argument: &Argument) {
        match argument {
            Argument::Place(place) => self.place(place),
            Argument::New(class) => self.class(*class),
            Argument::Nothing => {}
        }
    }

    fn place(&mut self, place: &Place) {
        if let Root::Static { class, field } = place.root {
            self.field(class, field, true);
        }
        for step in &place.steps {
            if let Step::Field { class, field } = *step {
                self.field(class, field, false);
            }
        }
    }

    fn field(&mut self, class: Class, field: Symbol, is_static: bool) {
        let mut pending = vec![class.symbol()];
        let mut seen: FastSet<Symbol> = FastSet::default();
        while let Some(candidate) = pending.pop() {
            if self.classes.has_field(candidate, field, is_static) {
                return;
            }
            if seen.insert(candidate) {
                pending.extend(self.classes.direct_supertypes(candidate));
            }
        }
        let kind = if is_static { "static" } else { "instance" };
        self.messages.push(format!("there is no {kind} field {class}#{field}"));
    }

    fn method(&mut self, method: &MethodRef) {
        let Some(class) = method.class else { return };
        let declared = self.classes.methods_named(class.symbol(), method.name);
        if !declared.iter().any(|candidate| candidate.descriptor == method.descriptor) {
            self.messages.push(format!("there is no method {method} to call back"));
        }
    }

    fn class(&mut self, class: Class) {
        let name = class.symbol().to_string();
        let element = name.trim_start_matches('[');
        let known = match element.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) {
            Some(internal) if class.is_array() => self.classes.has_class(Symbol::new(internal)),
            _ => class.is_array() || self.classes.has_class(class.symbol()),
        };
        if !known {
            self.messages.push(format!("there is no class {class}"));
        }
    }
}
