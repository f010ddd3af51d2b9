//! `recall [--against POLICY|hierarchy] [--misses N] [NAME...]`: holds the recordings of the named workloads (all that
//! are recorded, if none is named) against a static call graph and prints what part of them it knows.
//!
//! The graph is that of the points-to analysis with a context policy (insensitive unless told), or what the class
//! hierarchy allows. First come the misses that hide the most methods behind them. Every miss out of application code is counted under its cause; the first N of each cause are named (10
//! unless told). The exit status is 1 if an edge is missing for which no cause lies outside the class files.

use selvedge_base::Symbol;
use selvedge_ir::ClassName;
use selvedge_models::Models;
use selvedge_pta::context::{Policy, policy_named};
use selvedge_pta::{Entries, Limits, analyze};
use selvedge_recorder::{
    Cause, ClassHierarchy, Miss, PointsTo, Recall, Recording, Workload, compare, frontier, recordings_dir,
    workloads,
};
use selvedge_testkit::{Failure, Jdk, find_jdk};
use selvedge_world::{Input, Options, Program};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

struct Arguments {
    names: Vec<String>,
    /// The policy of the points-to analysis; `None` for the class hierarchy.
    policy: Option<Box<dyn Policy>>,
    misses: usize,
}

fn main() -> ExitCode {
    match parse(std::env::args().skip(1)).and_then(|arguments| recall_all(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(2)
        }
    }
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, Failure> {
    let mut arguments = Arguments { names: Vec::new(), policy: policy_named("insensitive"), misses: 10 };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--against" => {
                let name = words.next().unwrap_or_default();
                arguments.policy = policy_named(&name);
                if arguments.policy.is_none() && name != "hierarchy" {
                    return Err(Failure::new(format!(
                        "\"{name}\" is neither a context policy nor hierarchy"
                    )));
                }
            }
            "--misses" => {
                let number = words.next().unwrap_or_default();
                arguments.misses = number
                    .parse()
                    .map_err(|_| Failure::new(format!("\"{number}\" is no number of misses")))?;
            }
            option if option.starts_with('-') => {
                return Err(Failure::new(format!("unknown option {option}")));
            }
            _ => arguments.names.push(word),
        }
    }
    Ok(arguments)
}

fn recall_all(arguments: &Arguments) -> Result<bool, Failure> {
    let jdk =
        find_jdk().ok_or_else(|| Failure::new("no JDK found: set JAVA_HOME or put java on the PATH"))?;
    let mut chosen = workloads()?;
    if let Some(unknown) = arguments.names.iter().find(|name| chosen.iter().all(|one| one.name != **name)) {
        return Err(Failure::new(format!("no workload is called {unknown}")));
    }
    chosen.retain(|workload| match arguments.names.as_slice() {
        [] => workload.recording_path().is_file(),
        names => names.contains(&workload.name),
    });
    if chosen.is_empty() {
        return Err(Failure::new(format!("no recordings in {}; run record", recordings_dir().display())));
    }
    let mut total = Recall::default();
    let mut complete = true;
    for workload in &chosen {
        let started = Instant::now();
        let recording =
            Recording::read(&workload.recording_path()).map_err(|error| Failure::new(error.to_string()))?;
        let class_path = workload.class_path(&jdk)?;
        let recorded = std::fs::read_to_string(workload.class_path_file()).unwrap_or_default();
        if recorded != format!("{class_path:?}\n") {
            return Err(Failure::new(format!(
                "{0} has changed since it was recorded; run record {0}",
                workload.name
            )));
        }
        let program = load(&jdk, class_path)?;
        let recall = match &arguments.policy {
            Some(policy) => compare(&recording, &program, &points_to(&program, workload, policy.as_ref())?),
            None => compare(&recording, &program, &ClassHierarchy::new(&program)),
        };
        println!("{} [{:.1} s]\n{recall}", workload.name, started.elapsed().as_secs_f64());
        print_misses(&recording, &recall, arguments.misses);
        complete &= recall.misses.iter().all(|miss| miss.cause.is_outside_class_files());
        total.add_tallies(&recall);
    }
    println!("all {} recordings\n{total}", chosen.len());
    Ok(complete)
}

fn load(jdk: &Jdk, class_path: Vec<PathBuf>) -> Result<Program, Failure> {
    let options = Options { paths: class_path, jdk: Some(jdk.home.clone()), ..Options::default() };
    let input = Input::read(&options).map_err(|error| Failure::new(error.to_string()))?;
    Ok(Program::load(input))
}

fn points_to(program: &Program, workload: &Workload, policy: &dyn Policy) -> Result<PointsTo, Failure> {
    let class = program.class_named(ClassName::new(&workload.main_class));
    let main = class.and_then(|class| {
        program.declared_method(class, Symbol::new("main"), Symbol::new("([Ljava/lang/String;)V"))
    });
    let main = main.ok_or_else(|| Failure::new(format!("{} has no main method", workload.main_class)))?;
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let started = Instant::now();
    let analysis = analyze(program, &models, &Entries::of_mains(vec![main]), policy, Limits::default());
    let sizes = analysis.statistics();
    println!(
        "{}: {} methods, {} edges between them, {:.1} s",
        analysis.policy,
        sizes.methods,
        sizes.method_edges,
        started.elapsed().as_secs_f64()
    );
    Ok(PointsTo::new(&analysis))
}

fn print_misses(recording: &Recording, recall: &Recall, limit: usize) {
    for hidden in frontier(recording, recall).iter().take(limit) {
        let cause = hidden.miss.cause.words();
        println!("  hides {} methods ({cause}): {}", hidden.methods, describe(recording, &hidden.miss));
    }
    for ((from_jdk, cause), count) in recall.causes() {
        println!(
            "  {}: {} {count}",
            if from_jdk { "from the JDK" } else { "from the application" },
            cause.words()
        );
        let misses =
            recall.misses.iter().filter(|miss| (!miss.from_application, miss.cause) == (from_jdk, cause));
        // What the JDK misses inside itself is counted only, unless its callee is the application's.
        let named = misses.filter(|miss| !from_jdk || recording.is_application(miss.edge.callee));
        for miss in named.take(limit) {
            println!("    {}", describe(recording, miss));
        }
    }
    let missing = &recall.missing_classes;
    if !missing.is_empty() {
        let shown: Vec<&str> = missing.iter().take(limit).map(String::as_str).collect();
        println!("  not allocated: {}{}", shown.join(" "), if missing.len() > limit { " ..." } else { "" });
    }
}

fn describe(recording: &Recording, miss: &Miss) -> String {
    let caller = match miss.edge.caller {
        Some(site) => {
            let bci = site.bci.map_or("native".to_owned(), |bci| bci.to_string());
            format!("{}@{bci}", recording.method(site.method))
        }
        None => "the virtual machine".to_owned(),
    };
    let how = if miss.cause == Cause::UnreachedCaller { "" } else { miss.edge.via.word() };
    format!("{caller} -> {} {how}", recording.method(miss.edge.callee))
}
