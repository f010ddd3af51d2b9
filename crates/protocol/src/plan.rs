//! Plans: which sites report at run time, and how the detector works. A JSON file.
//!
//! Accesses and synchronisation have scopes of their own: order is only right if synchronisation is seen everywhere, while
//! races are only wanted in the user's classes. A plan that lists sites has been thinned by the static analysis: a site
//! in scope that is not listed need not report. Classes and methods that the plan does not list, though in scope, were not
//! seen by the analysis (loaded from elsewhere, generated): all their sites report, as if there were no plan.
//!
//! A field is *quiet* if no access to it that the analysis saw may race: then its class need not be made ready for accesses to it, and
//! those of code that the analysis did not see are judged without that, which takes longer.
//!
//! A method may have two *versions*: the watched one, which everybody enters unless the plan says otherwise, and a quiet
//! one, which reports less. A call that the plan lists as quiet enters the quiet version of the method that it turns out to call, if that
//! has one. The two are matched by name and descriptor, as whom a call reaches is known only when it is made. In methods that
//! are listed, calls that are neither quiet nor watched reach no method with versions; in others, any call may.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::glob;
use crate::options::Options;

/// What to instrument and how to detect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Plan {
    /// [`Plan::VERSION`].
    pub version: u32,
    /// Classes whose accesses report.
    pub accesses: Scope,
    /// Classes whose synchronisation reports.
    pub synchronisation: Scope,
    /// Which of the accesses in scope report.
    pub sites: Sites,
    /// How the detector works.
    #[serde(default)]
    pub options: Options,
    /// What the plan leaves out because it is proved to be safe, for a run that audits the plan; agents need it not.
    #[serde(default, skip_serializing_if = "LeftOut::is_empty")]
    pub left_out: LeftOut,
    /// With which accesses each access may race, by the analysis, for the reports of a run; agents need it not.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub partners: Partners,
}

/// For each method, as `p.C.m(int)`, and each of its accesses, under the name that [`LeftOut::accesses`] gives it: the accesses that may race
/// with it, in words.
pub type Partners = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The accesses that a plan leaves out because no pair with them may race, by the names that reports use.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LeftOut {
    /// For each method, as `p.C.m(int)`: its accesses, as line (or `@` and bytecode index) and what is accessed, `12 p.C.f`. Elements of
    /// arrays are `[]`, contents of containers `()`.
    pub accesses: BTreeMap<String, BTreeSet<String>>,
    /// The refuters that made a field safe, by the field's name, where every pair of accesses to it is refuted.
    pub refuters: BTreeMap<String, BTreeSet<String>>,
}

impl LeftOut {
    /// Whether it lists nothing.
    pub fn is_empty(&self) -> bool {
        self.accesses.is_empty()
    }
}

/// Classes by patterns; see [`glob`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Scope {
    /// Classes that fit one of these are in; empty for all.
    pub include: Vec<String>,
    /// Classes that fit one of these are out, whatever `include` says.
    pub exclude: Vec<String>,
}

impl Scope {
    /// Every class.
    pub fn everything() -> Self {
        Self::default()
    }

    /// No class.
    pub fn nothing() -> Self {
        Self { include: Vec::new(), exclude: vec!["**".to_owned()] }
    }

    /// Whether the class (internal or Java name) is in.
    pub fn contains(&self, class: &str) -> bool {
        let fits = |patterns: &[String]| patterns.iter().any(|pattern| glob::matches(pattern, class));
        (self.include.is_empty() || fits(&self.include)) && !fits(&self.exclude)
    }
}

/// Which accesses in scope report.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sites {
    /// All.
    #[default]
    All,
    /// In the classes listed here, by internal name, only what is listed.
    Listed(BTreeMap<String, ClassPlan>),
}

/// What reports in one class.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ClassPlan {
    /// By name and descriptor, `m(I)V`. A method that is not listed was not seen: everything in it reports.
    pub methods: BTreeMap<String, MethodPlan>,
    /// The quiet ones among the fields that it declares, by name.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub quiet_fields: BTreeSet<String>,
}

/// What reports in one method.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct MethodPlan {
    /// The accesses that report: indexes into the original bytecode, sorted.
    pub report: Vec<u32>,
    /// The calls that enter quiet versions, when they are made by the watched version or by a method without versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quiet_calls: Vec<u32>,
    /// The calls of these bodies that may reach a method with versions and must enter the watched one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub watched_calls: Vec<u32>,
    /// The quiet version, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet: Option<QuietPlan>,
}

/// What reports in the quiet version of a method: less than in the watched one. Bytecode indexes as there.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct QuietPlan {
    /// The accesses that report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub report: Vec<u32>,
    /// The calls that enter quiet versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quiet_calls: Vec<u32>,
    /// The calls that may reach a method with versions and must enter the watched one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub watched_calls: Vec<u32>,
}

/// Why a plan cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanError(String);

impl fmt::Display for PlanError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for PlanError {}

impl Default for Plan {
    fn default() -> Self {
        Self::everything()
    }
}

impl Plan {
    /// The version of the file format that this crate writes. It also reads those before: 1 had no versions of methods, 2 no quiet fields,
    /// 3 no list of what is left out, 4 no partners.
    pub const VERSION: u32 = 5;

    /// Everything everywhere.
    pub fn everything() -> Self {
        Self {
            version: Self::VERSION,
            accesses: Scope::everything(),
            synchronisation: Scope::everything(),
            sites: Sites::All,
            options: Options::default(),
            left_out: LeftOut::default(),
            partners: Partners::new(),
        }
    }

    /// Nothing: the instrumenter returns every class as it was.
    pub fn nothing() -> Self {
        Self { accesses: Scope::nothing(), synchronisation: Scope::nothing(), ..Self::everything() }
    }

    /// Whether the access at `index` of the method (`m(I)V`: name and descriptor) of the class (internal name) reports.
    /// To be asked for every access of a method, look the method up once with [`Plan::method`].
    pub fn reports(&self, class: &str, method: &str, index: u32) -> bool {
        match self.method(class, method) {
            Reporting::All => true,
            Reporting::None => false,
            Reporting::Listed(plan) => plan.report.binary_search(&index).is_ok(),
        }
    }

    /// What reports in the method (`m(I)V`) of the class (internal name).
    pub fn method(&self, class: &str, method: &str) -> Reporting<'_> {
        if !self.accesses.contains(class) {
            return Reporting::None;
        }
        let Sites::Listed(classes) = &self.sites else { return Reporting::All };
        match classes.get(class).and_then(|class| class.methods.get(method)) {
            Some(plan) if plan.report.is_empty() => Reporting::None,
            Some(plan) => Reporting::Listed(plan),
            None => Reporting::All,
        }
    }

    /// Whether anything reports in the class (internal name) that has these methods (`m(I)V`).
    pub fn watches(&self, class: &str, mut methods: impl Iterator<Item = String>) -> bool {
        methods.any(|method| !matches!(self.method(class, &method), Reporting::None))
    }

    /// The plan as a file.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a plan has only strings as keys");
        text.push('\n');
        text
    }

    /// The plan in a file.
    pub fn from_json(text: &str) -> Result<Self, PlanError> {
        let mut value: serde_json::Value = serde_json::from_str(text)
            .map_err(|error| PlanError(format!("the plan is not JSON: {error}")))?;
        match value.get("version").and_then(serde_json::Value::as_u64) {
            Some(version) if (1..=u64::from(Self::VERSION)).contains(&version) => {}
            Some(version) => {
                return Err(PlanError(format!(
                    "the plan has version {version}; this program reads versions up to {}",
                    Self::VERSION
                )));
            }
            None => return Err(PlanError("the plan has no version".to_owned())),
        }
        forget_first_iterations(&mut value);
        let mut plan: Self = serde_json::from_value(value)
            .map_err(|error| PlanError(format!("the plan is not understood: {error}")))?;
        plan.version = Self::VERSION;
        if let Sites::Listed(classes) = &mut plan.sites {
            for method in classes.values_mut().flat_map(|class| class.methods.values_mut()) {
                method.report.sort_unstable();
                method.quiet_calls.sort_unstable();
                method.watched_calls.sort_unstable();
                if let Some(quiet) = &mut method.quiet {
                    quiet.report.sort_unstable();
                    quiet.quiet_calls.sort_unstable();
                    quiet.watched_calls.sort_unstable();
                }
            }
        }
        Ok(plan)
    }

    /// Whether the plan calls a field (of a class by internal name) quiet.
    pub fn is_quiet_field(&self, class: &str, field: &str) -> bool {
        let Sites::Listed(classes) = &self.sites else { return false };
        classes.get(class).is_some_and(|class| class.quiet_fields.contains(field))
    }

    /// What the plan lists for a method, whatever its scopes say.
    pub fn listed(&self, class: &str, method: &str) -> Option<&MethodPlan> {
        let Sites::Listed(classes) = &self.sites else { return None };
        classes.get(class)?.methods.get(method)
    }

    /// Names with descriptors of all methods with a quiet version, in order. None where versions are switched off, or where not
    /// all classes are rewritten: every caller of such a method has to say which version it wants.
    pub fn versions(&self) -> BTreeSet<&str> {
        let Sites::Listed(classes) = &self.sites else { return BTreeSet::new() };
        if !self.options.versions || self.synchronisation != Scope::everything() {
            return BTreeSet::new();
        }
        let methods = classes.values().flat_map(|class| &class.methods);
        methods.filter(|(_, plan)| plan.quiet.is_some()).map(|(name, _)| name.as_str()).collect()
    }
}

/// Takes the marks of first iterations out of a plan of version 4 or older: nobody needs them.
fn forget_first_iterations(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(entries) => {
            entries.remove("first-iteration");
            entries.values_mut().for_each(forget_first_iterations);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(forget_first_iterations),
        _ => {}
    }
}

/// What reports in one method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reporting<'a> {
    /// Every access.
    All,
    /// None.
    None,
    /// Those that are listed; there is at least one.
    Listed(&'a MethodPlan),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed() -> Plan {
        let quiet = QuietPlan { report: vec![3], quiet_calls: vec![5], ..QuietPlan::default() };
        let method = MethodPlan {
            report: vec![3, 9],
            quiet_calls: Vec::new(),
            watched_calls: vec![5],
            quiet: Some(quiet),
        };
        let silent = MethodPlan::default();
        let quiet_fields = BTreeSet::from(["f".to_owned()]);
        let methods = BTreeMap::from([("m()V".to_owned(), method), ("n()V".to_owned(), silent)]);
        let sites = Sites::Listed(BTreeMap::from([("p/C".to_owned(), ClassPlan { methods, quiet_fields })]));
        let accesses = Scope { include: vec!["p.**".into(), "q.C".into()], exclude: vec!["p.gen.*".into()] };
        Plan { accesses, sites, ..Plan::everything() }
    }

    #[test]
    fn a_plan_survives_its_file() {
        let plan = listed();
        assert_eq!(Plan::from_json(&plan.to_json()), Ok(plan));
        assert_eq!(Plan::from_json(&Plan::nothing().to_json()), Ok(Plan::nothing()));
    }

    #[test]
    fn plans_without_versions_are_still_read() {
        let old = r#"{"version": 1, "accesses": {}, "synchronisation": {},
            "sites": {"listed": {"p/C": {"methods": {"m()V": {"report": [9, 3], "first-iteration": [9]}}}}}}"#;
        let plan = Plan::from_json(old).unwrap();
        assert_eq!(plan.version, Plan::VERSION);
        let wanted = MethodPlan { report: vec![3, 9], ..MethodPlan::default() };
        assert_eq!(plan.listed("p/C", "m()V"), Some(&wanted));
        assert!(plan.versions().is_empty());
        assert_eq!(Plan::from_json(&plan.to_json()), Ok(plan));
    }

    #[test]
    fn versions_need_every_caller_to_be_rewritten() {
        let plan = listed();
        assert_eq!(plan.versions().into_iter().collect::<Vec<_>>(), ["m()V"]);
        let narrow = Scope { exclude: vec!["r.**".into()], ..Scope::default() };
        assert!(Plan { synchronisation: narrow, ..plan.clone() }.versions().is_empty());
        let options = Options { versions: false, ..Options::default() };
        assert!(Plan { options, ..plan }.versions().is_empty());
    }

    #[test]
    fn listed_methods_report_what_is_listed_and_unseen_ones_everything() {
        let plan = listed();
        assert!(plan.reports("p/C", "m()V", 3));
        assert!(!plan.reports("p/C", "m()V", 4));
        assert!(!plan.reports("p/C", "n()V", 0));
        assert!(plan.reports("p/C", "unseen()V", 4));
        assert!(plan.reports("q/C", "m()V", 4));
        assert!(!plan.reports("p/gen/X", "m()V", 4));
        assert!(!plan.reports("r/X", "m()V", 4));
        assert_eq!(Plan::nothing().method("p/C", "m()V"), Reporting::None);
        assert!(
            plan.is_quiet_field("p/C", "f")
                && !plan.is_quiet_field("p/C", "g")
                && !plan.is_quiet_field("q/C", "f")
        );
    }

    #[test]
    fn unreadable_plans_are_told_in_sentences() {
        let error = |text: &str| Plan::from_json(text).unwrap_err().to_string();
        assert!(error("{").starts_with("the plan is not JSON"));
        assert_eq!(error("{}"), "the plan has no version");
        assert_eq!(error(r#"{"version": 9}"#), "the plan has version 9; this program reads versions up to 5");
        assert!(error(r#"{"version": 1, "sites": 3}"#).starts_with("the plan is not understood"));
    }
}
