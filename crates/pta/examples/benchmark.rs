//! Measures the points-to analysis: time, memory and sizes of the result for each input and policy, and, beside it in the
//! same run, the same of WALA.
//!
//! ```text
//! benchmark [--limit SECONDS] [--memory GB] [--policies NAME,...] [--wala DIR] NAME=JAR[:JAR...] ...
//! ```
//!
//! The first jar of an input is analysed as a library, with the most general client as its caller; the others are its class
//! path. Each run is a process of its own, which reads its processor time and peak memory when it is done, from where
//! it starts: reading the JDK and the jars is in it. `scripts/bench-points-to` prepares everything and runs this.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use selvedge_models::Models;
use selvedge_pta::{Entries, Limits, Objects, analyze, context::policy_named, unify};
use selvedge_world::{EntryRequest, Input, Options, Program};

/// What runs are compared by, as the processes print it: a name and a number on a line.
type Figures = BTreeMap<String, f64>;

/// The kinds of analysis that WALA is asked for.
const WALA: [&str; 2] = ["0-cfa", "0-1-cfa"];

struct Request {
    limit: Duration,
    /// Resident memory in bytes above which a run is stopped.
    memory: u64,
    policies: Vec<String>,
    wala: Option<PathBuf>,
    inputs: Vec<(String, Vec<PathBuf>)>,
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((first, [policy, paths @ ..])) if first == "--one" => run_one(policy, paths),
        _ => compare(&parse(arguments)?),
    }
}

fn parse(arguments: Vec<String>) -> Result<Request, String> {
    let mut request = Request {
        limit: Duration::from_secs(300),
        memory: 6 << 30,
        policies: ["insensitive", "1-object", "2-object", "adaptive"].map(str::to_owned).to_vec(),
        wala: None,
        inputs: Vec::new(),
    };
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--limit" => {
                let seconds = value()?.parse().map_err(|_| "--limit is a number of seconds")?;
                request.limit = Duration::from_secs(seconds);
            }
            "--memory" => {
                let gigabytes: u64 = value()?.parse().map_err(|_| "--memory is a number of gigabytes")?;
                request.memory = gigabytes << 30;
            }
            "--policies" => request.policies = value()?.split(',').map(str::to_owned).collect(),
            "--wala" => request.wala = Some(value()?.into()),
            _ => {
                let (name, paths) = argument.split_once('=').ok_or("an input is NAME=JAR[:JAR...]")?;
                request.inputs.push((name.to_owned(), std::env::split_paths(paths).collect()));
            }
        }
    }
    if let Some(unknown) = request.policies.iter().find(|name| *name != UNIFY && policy_named(name).is_none())
    {
        return Err(format!("there is no policy {unknown}"));
    }
    Ok(request)
}

/// Instead of a policy: the heap by unification.
const UNIFY: &str = "unify";

/// One analysis in this process.
fn run_one(policy: &str, paths: &[String]) -> Result<(), String> {
    let (application, classpath) = paths.split_first().ok_or("there is nothing to analyse")?;
    let options = Options {
        paths: vec![application.into()],
        classpath: classpath.iter().map(PathBuf::from).collect(),
        ..Options::default()
    };
    let program = Program::load(Input::read(&options).map_err(|error| error.to_string())?);
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let points =
        program.entry_points(&EntryRequest::Library(Vec::new())).map_err(|error| error.to_string())?;
    let entries = Entries::of_program(&program, &points);
    // The default policy is measured as users get it, the others without anything given up.
    let limits = if policy == "adaptive" { Limits::default() } else { Limits::NONE };
    let chosen = policy_named(policy);
    let analysis = match &chosen {
        _ if policy == UNIFY => unify(&program, &models, &entries, Objects::ByType),
        Some(chosen) => analyze(&program, &models, &entries, chosen.as_ref(), limits),
        None => return Err(format!("there is no policy {policy}")),
    };
    let starts = if analysis.degradations.is_empty() { 0 } else { 1 };
    let used = usage().ok_or("this system does not tell what a process used")?;
    let sizes = analysis.statistics();
    println!("processor-seconds {}\npeak-bytes {}", used.0, used.1);
    println!("methods {}\ninstances {}", sizes.methods, sizes.instances);
    println!("contexts {}\ncall-edges {}", sizes.contexts, sizes.call_edges);
    println!("variable-facts {}\ngiven-up {starts}", sizes.variable_facts);
    Ok(())
}

/// Processor time in seconds and peak memory in bytes of this process so far.
fn usage() -> Option<(f64, u64)> {
    /// Ticks of the clock in `/proc`, the same on every Linux.
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the command, in parentheses, may hold anything; user and system time are 12 and 13 fields after it.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let ticks: f64 = fields.get(11..13)?.iter().filter_map(|field| field.parse::<f64>().ok()).sum();
    Some((ticks / TICKS_PER_SECOND, status_bytes("self", "VmHWM:")?))
}

/// An entry of a process's status, which is in kilobytes.
fn status_bytes(process: &str, name: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

fn compare(request: &Request) -> Result<(), String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    println!(
        "| input | analysis | processor time | peak memory | methods | in context | contexts | call edges | \
         points-to facts |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut ratios = Vec::new();
    for (name, paths) in &request.inputs {
        let mut first: Option<Figures> = None;
        for policy in &request.policies {
            let mut command = Command::new(&this);
            command.args(["--one", policy]).args(paths);
            let result = run(&mut command, request);
            print_row(name, policy, &result);
            first = first.or(result.ok());
        }
        for kind in WALA {
            let Some(wala) = &request.wala else { break };
            let result =
                wala_command(wala, kind, name, paths).and_then(|mut command| run(&mut command, request));
            print_row(name, &format!("WALA {kind}"), &result);
            if let (Some(ours), Ok(theirs)) = (&first, &result) {
                ratios.push(ratio(name, &request.policies[0], kind, ours, theirs));
            }
        }
    }
    println!();
    ratios.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// WALA on an input whose jars were prepared for it.
fn wala_command(wala: &Path, kind: &str, name: &str, paths: &[PathBuf]) -> Result<Command, String> {
    let prepared = |path: &PathBuf| wala.join("inputs").join(path.file_name().unwrap_or_default());
    let mut libraries = vec![wala.join("inputs/jdk.jar")];
    libraries.extend(paths.iter().skip(1).map(prepared));
    let application = paths.first().map(prepared).ok_or(format!("{name} names no jar"))?;
    if !application.exists() || !libraries[0].exists() {
        return Err("not prepared for WALA".to_owned());
    }
    let libraries = std::env::join_paths(libraries).map_err(|error| error.to_string())?;
    let mut command = Command::new("java");
    command.arg("-Xmx5g").arg("-cp").arg(format!("{0}/lib/*:{0}/classes", wala.display()));
    command.arg("WalaCallGraph").arg(kind).arg(application).arg(libraries);
    Ok(command)
}

/// Runs a process to its end or to the limits, and reads the figures that it prints.
fn run(command: &mut Command, request: &Request) -> Result<Figures, String> {
    let started = Instant::now();
    let spawned = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut child = spawned.map_err(|error| format!("cannot start: {error}"))?;
    let process = child.id().to_string();
    // Read while it runs: who prints much must not wait for us.
    let mut output = child.stdout.take().ok_or("there is no output")?;
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        output.read_to_end(&mut text).map(|_| String::from_utf8_lossy(&text).into_owned())
    });
    let stop = |child: &mut std::process::Child, reason: String| {
        // It may just have ended by itself.
        let _ = child.kill();
        let _ = child.wait();
        Err(reason)
    };
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break status;
        }
        if started.elapsed() > request.limit {
            return stop(&mut child, format!("stopped after {} s", request.limit.as_secs()));
        }
        if status_bytes(&process, "VmRSS:").is_some_and(|used| used > request.memory) {
            return stop(&mut child, format!("stopped above {} GB", request.memory >> 30));
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    if !status.success() {
        return Err(format!("failed ({status})"));
    }
    let text = reader.join().map_err(|_| "reading failed")?.map_err(|error| error.to_string())?;
    let figure = |line: &str| {
        let (name, number) = line.split_once(' ')?;
        Some((name.to_owned(), number.parse().ok()?))
    };
    Ok(text.lines().filter_map(figure).collect())
}

fn print_row(input: &str, analysis: &str, result: &Result<Figures, String>) {
    match result {
        Err(reason) => println!("| {input} | {analysis} | {reason} | | | | | | |"),
        Ok(figures) => {
            let given_up = figures.get("given-up").is_some_and(|&count| count > 0.0);
            let analysis =
                if given_up { format!("{analysis}, contexts given up") } else { analysis.to_owned() };
            let count = |name: &str| figures.get(name).map_or(String::new(), |number| number.to_string());
            println!(
                "| {input} | {analysis} | {:.1} s | {:.0} MB | {} | {} | {} | {} | {} |",
                figures.get("processor-seconds").copied().unwrap_or(f64::NAN),
                figures.get("peak-bytes").copied().unwrap_or(f64::NAN) / f64::from(1 << 20),
                count("methods"),
                count("instances"),
                count("contexts"),
                count("call-edges"),
                count("variable-facts"),
            );
        }
    }
}

fn ratio(input: &str, policy: &str, kind: &str, ours: &Figures, theirs: &Figures) -> String {
    let times = |name: &str| theirs.get(name).zip(ours.get(name)).map_or(f64::NAN, |(a, b)| a / b);
    format!(
        "- {input}: WALA {kind} takes {:.1} times the processor time and {:.1} times the memory of {policy}, and reaches \
         {:.2} times as many methods.",
        times("processor-seconds"),
        times("peak-bytes"),
        times("methods"),
    )
}
