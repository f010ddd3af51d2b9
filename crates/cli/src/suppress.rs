//! Findings that people decided to leave out: by a rule of `selvedge.toml`, or by an annotation in the class files.
//!
//! Java's own `@SuppressWarnings` is not kept in class files; it is found in the sources (`SourceMarks` of `selvedge-report`).
//! An annotation that is kept counts by its simple name, whatever its package: `@SuppressRaces`, `@SuppressSelvedge`, with or without a
//! reason; and any whose name begins with `Suppress` and that is given the text `selvedge`.

use std::collections::BTreeMap;

use selvedge_findings::{Finding, PairRef, Report, Rule, class_of, method_name, suppressed_by_rules};
use selvedge_ir::ClassName;
use selvedge_world::{AnnotationUse, Program};

use crate::config::Config;

/// Leaves out what the rules of the configuration are about. A rule that is about nothing is told on standard error.
pub fn by_rules(report: &mut Report, config: &Config) {
    if config.suppress.is_empty() {
        return;
    }
    let rules: Vec<Rule> = config.suppress.iter().map(|(rule, _)| rule.clone()).collect();
    let mut used = vec![false; rules.len()];
    report.suppress("configuration", |finding| suppressed_by_rules(&rules, finding, &mut used));
    for ((_, line), used) in config.suppress.iter().zip(used) {
        if !used {
            eprintln!("selvedge: {}: this [[suppress]] leaves out no finding", config.place(*line));
        }
    }
}

/// Leaves out what annotations in the class files suppress.
pub fn by_annotations(report: &mut Report, program: &Program) {
    let mut known = Annotated { program, classes: BTreeMap::new() };
    report.suppress("annotation", |finding| known.suppress(finding));
}

/// What is annotated, class by class, as far as it was asked for.
struct Annotated<'p> {
    program: &'p Program,
    classes: BTreeMap<String, Marks>,
}

/// The suppressions of one class, each with what it says.
#[derive(Default)]
struct Marks {
    class: Option<String>,
    fields: BTreeMap<String, String>,
    /// By the method's name as reports have it.
    methods: BTreeMap<String, String>,
}

impl Annotated<'_> {
    /// The reason if all pairs are suppressed: that of the first.
    fn suppress(&mut self, finding: &Finding) -> Option<String> {
        let mut first = None;
        for pair in finding.all_pairs() {
            let reason = self.suppress_pair(&pair)?;
            first.get_or_insert(reason);
        }
        first
    }

    fn suppress_pair(&mut self, pair: &PairRef<'_>) -> Option<String> {
        for side in pair.sides {
            let class = class_of(&side.at.method);
            let method = self.marks(class).method(&side.at.method);
            if let Some(reason) = method.or_else(|| self.of_class(class)) {
                return Some(reason);
            }
        }
        for member in pair.fields() {
            let Some((class, field)) = member.rsplit_once('.') else { continue };
            let reason = self.marks(class).fields.get(field).cloned();
            if let Some(reason) = reason.or_else(|| self.of_class(class)) {
                return Some(reason);
            }
        }
        None
    }

    /// What is said of a class or one around it.
    fn of_class(&mut self, class: &str) -> Option<String> {
        let mut name = class;
        loop {
            if let Some(reason) = &self.marks(name).class {
                return Some(reason.clone());
            }
            name = name.rsplit_once('$')?.0;
        }
    }

    fn marks(&mut self, class: &str) -> &Marks {
        let program = self.program;
        self.classes.entry(class.to_owned()).or_insert_with(|| {
            let id = program.class_named(ClassName::new(class.replace('.', "/")));
            id.map(|id| Marks::of(program, class, &program.annotations(id))).unwrap_or_default()
        })
    }
}

impl Marks {
    fn of(program: &Program, class: &str, annotations: &selvedge_world::Annotations) -> Self {
        let mut marks = Self { class: suppression(&annotations.class), ..Self::default() };
        for (field, uses) in &annotations.fields {
            if let Some(reason) = suppression(uses) {
                marks.fields.insert(program.fields[*field].name.to_string(), reason);
            }
        }
        for (method, uses) in &annotations.methods {
            if let Some(reason) = suppression(uses) {
                let data = program.methods[*method];
                let name = method_name(class, &data.name.to_string(), &data.descriptor.to_string());
                marks.methods.insert(name, reason);
            }
        }
        marks
    }

    /// What is said of a method; of a lambda, what is said of the method that it stands in.
    fn method(&self, method: &str) -> Option<String> {
        if let Some(reason) = self.methods.get(method) {
            return Some(reason.clone());
        }
        let (class, rest) = method.split_once(".lambda$")?;
        let (around, _) = rest.split_once('$')?;
        let begins = format!("{class}.{around}(");
        self.methods.iter().find(|(name, _)| name.starts_with(&begins)).map(|(_, reason)| reason.clone())
    }
}

/// What a suppression among these annotations says: its text, or its name where it has none.
fn suppression(annotations: &[AnnotationUse]) -> Option<String> {
    annotations.iter().find_map(|annotation| {
        let name = annotation.simple_name();
        let is_own = matches!(name, "SuppressRaces" | "SuppressSelvedge");
        let names_us = name.starts_with("Suppress") && annotation.texts.iter().any(|text| text == "selvedge");
        if !is_own && !names_us {
            return None;
        }
        let said = annotation.texts.iter().find(|text| *text != "selvedge" && !text.is_empty());
        Some(said.cloned().unwrap_or_else(|| format!("@{name}")))
    })
}
