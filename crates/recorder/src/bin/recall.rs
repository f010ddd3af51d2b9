//! `recall [--against POLICY|hierarchy] [--misses N] [--table] [NAME...]`: holds the recordings of the named workloads (all that
//! are recorded, if none is named) against a static call graph and prints what part of them it knows.
//!
//! The graph is that of the points-to analysis with a context policy (the default one, `adaptive`, unless told) and the budget
//! that `selvedge check` has, or what the class hierarchy allows. First come the misses that hide the most methods behind them.
//! Every miss out of application code is counted under its cause; the first N of each cause are named (10 unless told, `all` for
//! every one). Misses that the analysis' own assumptions explain are distinguished; where classes that the program makes take part, what is
//! still open is asked of a second analysis that has these as they were recorded. `--table` prints one line of a Markdown table
//! for each workload instead, and below it every miss that is open. The exit status is 1 if there is one.

use selvedge_base::Symbol;
use selvedge_ir::ClassName;
use selvedge_models::Models;
use selvedge_pta::context::{Policy, policy_named};
use selvedge_pta::{Entries, Limits, analyze};
use selvedge_recorder::{
    Cause, ClassHierarchy, Explained, Graph, Miss, PointsTo, Recall, Recording, Workload, compare, explain,
    frontier, recordings_dir, workloads,
};
use selvedge_testkit::{Failure, Jdk, find_jdk};
use selvedge_world::{Input, Options, Program};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

struct Arguments {
    names: Vec<String>,
    /// The policy of the points-to analysis; `None` for the class hierarchy.
    policy: Option<Box<dyn Policy>>,
    misses: usize,
    /// Whether only the lines of a table are printed.
    table: bool,
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
    let mut arguments =
        Arguments { names: Vec::new(), policy: policy_named("adaptive"), misses: 10, table: false };
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
            "--table" => arguments.table = true,
            "--misses" => {
                let number = words.next().unwrap_or_default();
                arguments.misses = match number.as_str() {
                    "all" => usize::MAX,
                    _ => number
                        .parse()
                        .map_err(|_| Failure::new(format!("\"{number}\" is no number of misses")))?,
                };
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
    let (mut all_explained, mut all_open) = (0, Vec::new());
    let mut names_of_open = Vec::new();
    if arguments.table {
        println!(
            "| workload | application edges | found | explained | open | with the JDK's |\n|---|---|---|---|---|---|"
        );
    }
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
        let program = load(&jdk, class_path.clone())?;
        let graph: Box<dyn Graph + '_> = match &arguments.policy {
            Some(policy) => {
                Box::new(points_to(&program, workload, policy.as_ref(), Vec::new(), !arguments.table)?)
            }
            None => Box::new(ClassHierarchy::new(&program)),
        };
        let recall = compare(&recording, &program, graph.as_ref());
        let mut explained = explain(&recording, &program, &recall, graph.as_ref());
        if !explained.open.is_empty()
            && let (Some(policy), Some(made)) = (&arguments.policy, workload.made_classes())
            && let Some(assumption) = graph.assumption_on_made_classes()
        {
            let names = classes_in(&made)?;
            let program = load(&jdk, class_path.into_iter().chain([made]).collect())?;
            let graph = points_to(&program, workload, policy.as_ref(), names, !arguments.table)?;
            explained.settle(&compare(&recording, &program, &graph), &assumption);
        }
        if arguments.table {
            print_row(&workload.name, &recall, &explained);
            let open = explained.open.iter().map(|miss| describe_open(&recording, miss));
            names_of_open.extend(open.map(|miss| format!("{}: {miss}", workload.name)));
        } else {
            println!("{} [{:.1} s]\n{recall}", workload.name, started.elapsed().as_secs_f64());
            print_misses(&recording, &recall, arguments.misses);
            print_explained(&recording, &explained, arguments.misses);
        }
        complete &= explained.open.is_empty();
        total.add_tallies(&recall);
        all_explained += explained.edges();
        all_open.extend(explained.open);
    }
    if arguments.table {
        print_row("all", &total, &Explained { by: [(String::new(), all_explained)].into(), open: all_open });
        println!();
        names_of_open.iter().for_each(|miss| println!("{miss}"));
    } else {
        println!("all {} recordings\n{total}", chosen.len());
        println!("  explained by assumptions   {all_explained}, open {}", all_open.len());
    }
    Ok(complete)
}

fn load(jdk: &Jdk, class_path: Vec<PathBuf>) -> Result<Program, Failure> {
    let options = Options { paths: class_path, jdk: Some(jdk.home.clone()), ..Options::default() };
    let input = Input::read(&options).map_err(|error| Failure::new(error.to_string()))?;
    Ok(Program::load(input))
}

/// The names of the classes whose files are in a directory, sorted.
fn classes_in(dir: &Path) -> Result<Vec<ClassName>, Failure> {
    let mut names = Vec::new();
    let mut pending = vec![dir.to_path_buf()];
    while let Some(place) = pending.pop() {
        let failed = || Failure::io(format!("list {}", place.display()));
        for entry in std::fs::read_dir(&place).map_err(failed())? {
            let path = entry.map_err(failed())?.path();
            if path.is_dir() {
                pending.push(path);
            } else if let Ok(relative) = path.strip_prefix(dir)
                && path.extension().is_some_and(|extension| extension == "class")
            {
                names.push(relative.with_extension("").to_string_lossy().into_owned());
            }
        }
    }
    names.sort();
    Ok(names.into_iter().map(|name| ClassName::new(&name)).collect())
}

fn points_to(
    program: &Program,
    workload: &Workload,
    policy: &dyn Policy,
    made: Vec<ClassName>,
    tells_sizes: bool,
) -> Result<PointsTo, Failure> {
    let class = program.class_named(ClassName::new(&workload.main_class));
    let main = class.and_then(|class| {
        program.declared_method(class, Symbol::new("main"), Symbol::new("([Ljava/lang/String;)V"))
    });
    let main = main.ok_or_else(|| Failure::new(format!("{} has no main method", workload.main_class)))?;
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let started = Instant::now();
    let entries = Entries { made, ..Entries::of_mains(vec![main]) };
    let analysis = analyze(program, &models, &entries, policy, Limits::default());
    if tells_sizes {
        let sizes = analysis.statistics();
        println!(
            "{}: {} methods, {} edges between them, {:.1} s",
            analysis.policy,
            sizes.methods,
            sizes.method_edges,
            started.elapsed().as_secs_f64()
        );
        analysis.degradations.iter().for_each(|given_up| println!("  {given_up}"));
    }
    Ok(PointsTo::new(&analysis))
}

/// One workload in a table: `application_edges` are observed, found, and of the others explained and open.
fn print_row(name: &str, recall: &Recall, explained: &Explained) {
    println!(
        "| {name} | {} | {} | {} | {} | {} |",
        recall.application_edges.observed,
        recall.application_edges,
        explained.edges(),
        explained.open.len(),
        recall.edges,
    );
}

fn print_explained(recording: &Recording, explained: &Explained, limit: usize) {
    for (reason, count) in &explained.by {
        println!("  explained {count}: {reason}");
    }
    for miss in explained.open.iter().take(limit) {
        println!("  open {}", describe_open(recording, miss));
    }
}

fn describe_open(recording: &Recording, miss: &Miss) -> String {
    format!("({}): {}", miss.cause.words(), describe(recording, miss))
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
        None => "the JVM".to_owned(),
    };
    let how = if miss.cause == Cause::UnreachedCaller { "" } else { miss.edge.via.word() };
    format!("{caller} -> {} {how}", recording.method(miss.edge.callee))
}
