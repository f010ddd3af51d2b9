//! Reads, lowers and verifies every class of the given paths, or of the whole JDK, and prints counts, times and problems.
//!
//!     cargo run --release -p selvedge-cli --example sweep                 the JDK
//!     cargo run --release -p selvedge-cli --example sweep -- a.jar b.jar  these and what they bring along
//!     ... --link                                                          resolve every reference as well
//!
//! Times are processor time of all threads together. "parse" is the bare walk over every instruction, keeping nothing: what
//! the rest is to be measured against. Exit status 1 if there are problems other than missing classes and duplicates.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use rayon::prelude::*;
use selvedge_classfile::walk::{Counts, walk};
use selvedge_ir::verify_method;
use selvedge_world::{ClassId, Input, Options, Problem, ProblemKind, Program, Tier};

/// Prints a line; that nobody reads it any more is no reason to stop.
macro_rules! say {
    ($($text:tt)*) => {{
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}

/// Reads, lowers and verifies every class of the given paths, or of the whole JDK.
#[derive(Parser)]
struct Arguments {
    /// What to read; nothing stands for the JDK.
    paths: Vec<PathBuf>,
    /// Libraries, separated as on a class path; they are swept as well.
    #[arg(long, value_delimiter = ':')]
    classpath: Vec<PathBuf>,
    /// The JDK.
    #[arg(long)]
    jdk: Option<PathBuf>,
    /// Also resolve every class, field and method that code names, and check access.
    #[arg(long)]
    link: bool,
    /// How many problems of each kind to print.
    #[arg(long, default_value_t = 5)]
    show: usize,
}

/// What was counted while sweeping; sums of classes' counts.
#[derive(Default)]
struct Swept {
    bodies: u64,
    instructions: u64,
    blocks: u64,
    problems: Vec<Problem>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let options = Options {
        paths: arguments.paths.clone(),
        classpath: arguments.classpath.clone(),
        jdk: arguments.jdk.clone(),
        ..Options::default()
    };
    let mut clock = Clock::start();
    let input = match Input::read(&options) {
        Ok(input) => input,
        Err(error) => {
            eprintln!("sweep: {error}");
            return ExitCode::from(2);
        }
    };
    let wanted = |tier: Tier| arguments.paths.is_empty() || tier != Tier::Jdk;
    clock.lap("read", None);
    let counts = input
        .classes
        .par_iter()
        .filter(|class| wanted(input.containers[class.container].tier))
        .map(|class| walk(&class.bytes).unwrap_or_default())
        .reduce(Counts::default, |mut sum, counts| {
            sum += counts;
            sum
        });
    say!(
        "{} classes, {} methods, {} instructions, {:.1} MB of class files",
        counts.classes,
        counts.methods,
        counts.instructions,
        counts.bytes as f64 / 1e6
    );
    clock.lap("parse", Some(&counts));
    let program = Program::load(input);
    clock.lap("load", None);
    say!(
        "  the program: {} classes, {} methods, {} fields, {} phantoms",
        program.classes.len(),
        program.methods.len(),
        program.fields.len(),
        program.classes.iter().filter(|class| class.is_phantom()).count()
    );
    let classes: Vec<ClassId> =
        program.classes.ids().filter(|&id| wanted(program.classes[id].tier)).collect();
    let swept = classes.par_iter().map(|&class| sweep(&program, class, arguments.link)).reduce(
        Swept::default,
        |mut sum, mut part| {
            sum.bodies += part.bodies;
            sum.instructions += part.instructions;
            sum.blocks += part.blocks;
            sum.problems.append(&mut part.problems);
            sum
        },
    );
    clock.lap(if arguments.link { "lower, verify, link" } else { "lower, verify" }, Some(&counts));
    say!(
        "  {} bodies, {} blocks, {} instructions of the intermediate form",
        swept.bodies,
        swept.blocks,
        swept.instructions
    );
    clock.total();
    report(program.problems().into_iter().chain(swept.problems), arguments.show)
}

/// Lowers and verifies the methods of one class.
fn sweep(program: &Program, class: ClassId, link: bool) -> Swept {
    let mut swept = Swept::default();
    program.lower_class(class, |method, body| match body {
        Err(problem) => swept.problems.push(problem),
        Ok(None) => {}
        Ok(Some(body)) => {
            swept.bodies += 1;
            swept.instructions += body.insts.len() as u64;
            swept.blocks += body.blocks.len() as u64;
            let declared = &program.methods[method];
            let descriptor = declared.descriptor.as_bytes();
            if let Err(errors) = verify_method(&body, descriptor, declared.is_static()) {
                let message = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
                let place = program.describe_method(method);
                swept.problems.push(Problem::new(ProblemKind::MalformedCode, place, message));
            }
            if link {
                program.check_links(method, &body);
            }
        }
    });
    swept
}

fn report(problems: impl Iterator<Item = Problem>, show: usize) -> ExitCode {
    let mut by_kind: BTreeMap<ProblemKind, Vec<Problem>> = BTreeMap::new();
    for problem in problems {
        by_kind.entry(problem.kind).or_default().push(problem);
    }
    for (kind, problems) in &mut by_kind {
        problems.sort();
        say!("{}", kind.counted(problems.len()));
        problems.iter().take(show).for_each(|problem| say!("    {problem}"));
    }
    if by_kind.is_empty() {
        say!("no problems");
    }
    let expected =
        |kind: &ProblemKind| matches!(kind, ProblemKind::MissingClass | ProblemKind::DuplicateClass);
    if by_kind.keys().all(expected) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Times of the phases.
struct Clock {
    wall: Instant,
    cpu: f64,
    begin: Instant,
}

impl Clock {
    fn start() -> Self {
        let now = Instant::now();
        Self { wall: now, cpu: cpu_seconds(), begin: now }
    }

    fn lap(&mut self, phase: &str, counts: Option<&Counts>) {
        let (wall, cpu) = (self.wall.elapsed().as_secs_f64(), cpu_seconds() - self.cpu);
        let speed = counts.map_or_else(String::new, |counts| {
            let cpu = cpu.max(0.01);
            let (classes, megabytes) = (counts.classes as f64 / cpu, counts.bytes as f64 / 1e6 / cpu);
            format!(", {classes:8.0} classes/s, {megabytes:7.1} MB/s")
        });
        say!("{phase:20} {cpu:7.2} s processor, {wall:6.2} s wall{speed}");
        (self.wall, self.cpu) = (Instant::now(), cpu_seconds());
    }

    fn total(&self) {
        let peak = status_field("VmHWM:").map_or(0.0, |kilobytes| kilobytes / 1e3);
        let wall = self.begin.elapsed().as_secs_f64();
        say!("{:20} {:7.2} s processor, {wall:6.2} s wall, peak memory {peak:.0} MB", "all", cpu_seconds());
    }
}

/// Processor time of this process so far, where the system tells.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the command's name in parentheses: state and 10 numbers, then user and system time in hundredths.
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    after_name.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>()
        / 100.0
}

fn status_field(name: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
