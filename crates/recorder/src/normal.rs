//! From what a run executed to what a static call graph can be asked.
//!
//! A recording holds frames that no class file contains. Here they are taken out: a chain `Main.main`, lambda proxy,
//! `Main.lambda$0` becomes the one edge `Main.main` to `Main.lambda$0`, which the agent has recorded as a collapsed
//! edge, and the two edges of the chain are set aside. What is set aside is counted, by reason; nothing vanishes.

use crate::plumbing;
use crate::recording::{Edge, Method, MethodIndex, Recording, Via};
use std::collections::{BTreeMap, BTreeSet};

/// Why an edge is not asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SetAside {
    /// It starts or ends in machinery of the run time; a collapsed edge stands for it.
    Machinery,
    /// The JVM called on its own behalf: class loading, linkage, an implicit exception's constructor.
    Upcall,
    /// Machinery adapted what passes through it: it boxed or cast a value, read a field, or wrapped an exception.
    Conversion,
}

impl SetAside {
    /// The reason in a few words.
    pub fn words(self) -> &'static str {
        match self {
            SetAside::Machinery => "inside run-time machinery",
            SetAside::Upcall => "upcalls of the JVM",
            SetAside::Conversion => "conversions by run-time machinery",
        }
    }
}

/// The edges of a recording between methods that class files hold.
///
/// Edges with [`Via::Clinit`], [`Via::Native`] and [`Via::Vm`] have no calling instruction: a static call graph is asked
/// about their callee only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Normalised {
    /// The edges to ask about, in the recording's order.
    pub edges: Vec<Edge>,
    /// How many edges were set aside, and why.
    pub set_aside: BTreeMap<SetAside, usize>,
}

impl Normalised {
    /// Reduces a recording.
    pub fn of(recording: &Recording) -> Normalised {
        let mut normalised = Normalised::default();
        for &edge in &recording.edges {
            match reason(recording, edge) {
                Some(reason) => *normalised.set_aside.entry(reason).or_default() += 1,
                None => normalised.edges.push(edge),
            }
        }
        normalised
    }
}

impl Normalised {
    /// The methods that ran on the program's behalf: application methods, and what is reached through the edges from them
    /// and from where threads begin, but not through the methods that `ends` names. The rest is the launcher, and what
    /// runs below upcalls: class loading, the linkage of call sites.
    pub fn methods_of_the_program(
        &self,
        recording: &Recording,
        ends: impl Fn(MethodIndex) -> bool,
    ) -> BTreeSet<MethodIndex> {
        let mut callees: BTreeMap<MethodIndex, Vec<MethodIndex>> = BTreeMap::new();
        let mut pending = Vec::new();
        for edge in &self.edges {
            pending.extend(Some(edge.callee).filter(|&callee| recording.is_application(callee)));
            match edge.caller {
                Some(site) => callees.entry(site.method).or_default().push(edge.callee),
                None if !recording.method(edge.callee).class.starts_with("sun/launcher/") => {
                    pending.push(edge.callee);
                }
                None => {}
            }
        }
        let mut reached: BTreeSet<MethodIndex> = pending.iter().copied().collect();
        while let Some(method) = pending.pop() {
            if ends(method) {
                continue;
            }
            let next = callees.get(&method).into_iter().flatten();
            pending.extend(next.copied().filter(|&callee| reached.insert(callee)));
        }
        reached
    }
}

fn reason(recording: &Recording, edge: Edge) -> Option<SetAside> {
    let callee = recording.method(edge.callee);
    let from_machinery = edge.caller.is_some_and(|site| is_machinery(recording.method(site.method)));
    match edge.via {
        Via::Upcall => Some(SetAside::Upcall),
        Via::Link => Some(SetAside::Machinery),
        via if via.is_collapsed() && is_conversion(callee) => Some(SetAside::Conversion),
        _ if from_machinery || is_machinery(callee) => Some(SetAside::Machinery),
        _ => None,
    }
}

/// Whether a method exists only at run time. Constructors of hidden classes included: an edge to one is the creation of
/// a lambda's object.
fn is_machinery(method: &Method) -> bool {
    plumbing::is_made_at_run_time(&method.class) || plumbing::begins(&method.class, &method.name).is_some()
}

/// Whether machinery calls a method to adapt what passes through it: boxing, casts, the forms' access to fields, the exception that
/// stands for one thrown behind it.
fn is_conversion(method: &Method) -> bool {
    let boxes = ["Boolean", "Byte", "Character", "Double", "Float", "Integer", "Long", "Short"];
    let name = method.class.strip_prefix("java/lang/").unwrap_or("");
    (boxes.contains(&name) && (method.name == "valueOf" || method.name.ends_with("Value")))
        || (name == "Class" && matches!(method.name.as_str(), "cast" | "isInstance"))
        || method.class == "jdk/internal/misc/Unsafe"
        || method.class == "java/lang/reflect/InvocationTargetException"
        || method.class == "java/lang/reflect/UndeclaredThrowableException"
        || method.class.starts_with("sun/invoke/util/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(lines: &[&str]) -> (Vec<String>, BTreeMap<SetAside, usize>) {
        let text = format!("selvedge-recording 1\n{}\n", lines.join("\n").replace(' ', "\t"));
        let recording = Recording::parse(&text).unwrap();
        let normalised = Normalised::of(&recording);
        let kept = normalised.edges.iter().map(|edge| {
            let caller = edge.caller.map_or("-".to_owned(), |site| recording.method(site.method).to_string());
            format!("{caller} > {}", recording.method(edge.callee))
        });
        (kept.collect(), normalised.set_aside)
    }

    #[test]
    fn a_lambda_becomes_one_edge() {
        let (kept, set_aside) = words(&[
            "edge p/Main main ()V 9 p/Main$$Lambda$1.0x8 run ()V call",
            "edge p/Main$$Lambda$1.0x8 run ()V 0 p/Main lambda$0 ()V call",
            "edge p/Main$$Lambda$1.0x8 <init> ()V 1 java/lang/Object <init> ()V call",
            "edge p/Main main ()V 9 p/Main lambda$0 ()V lambda",
            "edge p/Main main ()V 9 java/lang/Integer intValue ()I lambda",
        ]);
        assert_eq!(kept, ["p/Main.main()V > p/Main.lambda$0()V"]);
        assert_eq!(set_aside, BTreeMap::from([(SetAside::Machinery, 3), (SetAside::Conversion, 1)]));
    }

    #[test]
    fn linkage_and_launcher_are_not_the_programs() {
        let text = "selvedge-recording 1
            edge - - - -1 sun/launcher/LauncherHelper check ()V vm
            edge sun/launcher/LauncherHelper check ()V 3 p/Launched only ()V call
            edge - - - -1 p/Main main ()V vm
            edge p/Main main ()V 1 p/A a ()V call
            edge p/A a ()V 1 p/B b ()V call
            edge p/Main main ()V 4 p/Loader loadClass ()V upcall
            edge p/Loader loadClass ()V 4 p/Linked only ()V call";
        let lines: Vec<String> = text.lines().map(|line| line.trim().replace(' ', "\t")).collect();
        let text = lines.join("\n").replacen('\t', " ", 1);
        let recording = Recording::parse(&text).unwrap();
        let normalised = Normalised::of(&recording);
        let classes = |ends: &str| -> Vec<&str> {
            let ran =
                normalised.methods_of_the_program(&recording, |index| recording.method(index).class == ends);
            ran.iter().map(|&index| recording.method(index).class.as_str()).collect()
        };
        assert_eq!(classes("none"), ["p/A", "p/B", "p/Main"]);
        assert_eq!(classes("p/A"), ["p/A", "p/Main"]);
    }

    #[test]
    fn calls_into_the_method_handle_library_stay() {
        let (kept, set_aside) = words(&[
            "edge p/Main main ()V 1 java/lang/invoke/MethodHandles lookup ()Ljava/lang/Object; call",
            "edge p/Main main ()V 5 java/lang/invoke/Invokers$Holder linkToTargetMethod ()V link",
            "edge p/Main main ()V 5 java/lang/ClassLoader loadClass ()V upcall",
            "edge p/Main main ()V 7 java/lang/Integer valueOf (I)Ljava/lang/Integer; call",
        ]);
        assert_eq!(kept.len(), 2);
        assert_eq!(set_aside, BTreeMap::from([(SetAside::Machinery, 1), (SetAside::Upcall, 1)]));
    }
}
