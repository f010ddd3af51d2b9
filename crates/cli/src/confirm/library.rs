//! `check --library --confirm`: a library has no program to run, so tests are written that call it from two threads.
//!
//! For each finding the tests that may show it are listed (`selvedge_world::racing_tests`) and compiled, all at once. Then each is run as a directed run
//! until one makes the two threads meet. What is left of it is that test: as a program and as a test of JUnit 5.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use selvedge_findings::{Confidence, Finding, Outcome, Report, Side, short_class};
use selvedge_report::words;
use selvedge_world::{Form, Program, RacingTest, racing_tests};

use super::campaign::{Campaign, Tried};
use super::stop::{interrupted, signals};
use super::targets::Targets;
use super::{Tries, not_tried};
use crate::arguments::{InputArguments, TryArguments};
use crate::run::SessionDirectory;
use crate::sources;

/// So often the compiler is asked again without the tests that it has refused.
const COMPILATIONS: usize = 4;

/// The findings of a library, and how they are tried.
pub struct Library<'a> {
    /// Where its classes are.
    pub input: &'a InputArguments,
    /// How long, and with which seed.
    pub options: &'a TryArguments,
    /// Where tests that show a race are kept.
    pub tests: Option<&'a Path>,
    /// The report that is being written, if it is a file.
    pub report: Option<&'a Path>,
}

/// A test that is tried for a finding.
struct Candidate {
    finding: usize,
    test: RacingTest,
    /// The class that it is compiled as.
    class: String,
}

impl Library<'_> {
    /// Tries the findings of a report, and writes down what came of it.
    pub fn confirm(&self, report: &mut Report) -> Result<()> {
        signals()?;
        let end = Instant::now() + Duration::from_secs(self.options.confirm_time);
        let program = Program::load(self.input.read()?);
        let session = SessionDirectory::new()?;
        let (mut candidates, reasons) = candidates(&program, report);
        drop(program);
        let class_path = self.class_path(session.path())?;
        self.compile(session.path(), &class_path, &mut candidates)?;
        let mut by_finding: BTreeMap<usize, Vec<Candidate>> = BTreeMap::new();
        for candidate in candidates {
            by_finding.entry(candidate.finding).or_default().push(candidate);
        }
        let mut names = BTreeSet::new();
        for position in 0..report.findings.len() {
            if let Some(reason) = reasons.get(&position) {
                not_tried(&mut report.findings[position], reason);
                continue;
            }
            let Some(own) = by_finding.get(&position) else {
                not_tried(&mut report.findings[position], "no test of it could be compiled");
                continue;
            };
            if end <= Instant::now() || interrupted() {
                not_tried(&mut report.findings[position], "no time was left; --confirm-time gives more");
                continue;
            }
            self.try_one(report, own, &class_path, end, &mut names)?;
        }
        report.finish();
        Ok(())
    }

    /// Tries the tests of a finding one by one.
    fn try_one(
        &self,
        report: &mut Report,
        candidates: &[Candidate],
        class_path: &OsStr,
        end: Instant,
        names: &mut BTreeSet<String>,
    ) -> Result<()> {
        let mut best: Option<(Tried, &Candidate)> = None;
        for candidate in candidates {
            let position = candidate.finding;
            let command = self.command(class_path, &candidate.class);
            let tries = self.tries(&command);
            let mut campaign = Campaign::new(&tries, &report.findings, &[position], end);
            campaign.go_quickly(position)?;
            campaign.progress.clear();
            let Some(tried) = campaign.tried.remove(&position) else { continue };
            if best.as_ref().is_none_or(|(known, _)| worth(&tried) > worth(known)) {
                best = Some((tried, candidate));
            }
            if best.as_ref().is_some_and(|(known, _)| known.met.is_some())
                || end <= Instant::now()
                || interrupted()
            {
                break;
            }
        }
        let Some((tried, candidate)) = best else { return Ok(()) };
        let finding = &mut report.findings[candidate.finding];
        let command = self.command(class_path, &candidate.class);
        self.tries(&command).judge(finding, &tried);
        let confirmation = finding.confirmation.get_or_insert_default();
        confirmation.command = None;
        match (confirmation.outcome, self.tests) {
            (Outcome::Confirmed, Some(directory)) => self.keep(finding, candidate, directory, names)?,
            (Outcome::Confirmed, None) => {
                let because = confirmation.because.get_or_insert_default();
                because.push_str("; --tests DIR keeps the test that shows it");
            }
            (Outcome::NotExecuted, _) => {
                let because = confirmation.because.get_or_insert_default();
                because.push_str(", whichever test was tried");
            }
            _ => {}
        }
        Ok(())
    }

    fn tries<'t>(&'t self, command: &'t [OsString]) -> Tries<'t> {
        Tries { command, options: self.options, chosen: None, report: self.report }
    }

    fn command(&self, class_path: &OsStr, class: &str) -> Vec<OsString> {
        let java = sources::tool(self.input.jdk.as_deref(), "java").into_os_string();
        vec![java, "-cp".into(), class_path.to_owned(), class.into()]
    }

    /// Where the classes of tests, of the library and of what it needs are.
    fn class_path(&self, scratch: &Path) -> Result<OsString> {
        let compiled = |path: &PathBuf| {
            sources::compiled(path, self.input.classpath.as_deref(), self.input.jdk.as_deref())
        };
        let mut paths = vec![scratch.join("classes")];
        for path in &self.input.paths {
            paths.push(compiled(path)?);
        }
        paths.extend(self.input.classpath.iter().flat_map(std::env::split_paths));
        std::env::join_paths(paths).context("a path with a colon cannot be in a class path")
    }

    /// Compiles the tests; those that cannot be are left out.
    fn compile(&self, scratch: &Path, class_path: &OsStr, candidates: &mut Vec<Candidate>) -> Result<()> {
        let folder = scratch.join("tests");
        for directory in [&folder, &scratch.join("classes")] {
            std::fs::create_dir_all(directory)
                .with_context(|| format!("cannot write {}", directory.display()))?;
        }
        for Candidate { test, class, .. } in candidates.iter() {
            let file = folder.join(format!("{class}.java"));
            std::fs::write(&file, test.source(Form::Main, class, &[]))
                .with_context(|| format!("cannot write {}", file.display()))?;
        }
        for _ in 0..COMPILATIONS {
            if candidates.is_empty() {
                break;
            }
            let mut javac = Command::new(sources::tool(self.input.jdk.as_deref(), "javac"));
            javac.args([
                "-nowarn",
                "-proc:none",
                "-Xmaxerrs",
                "10000",
                "-encoding",
                "UTF-8",
                "-implicit:none",
            ]);
            javac.arg("-d").arg(scratch.join("classes")).arg("-cp").arg(class_path);
            javac.args(candidates.iter().map(|candidate| folder.join(format!("{}.java", candidate.class))));
            let Ok(output) = javac.output() else {
                bail!("there is no javac to compile tests with: install a JDK, or name it with --jdk");
            };
            if output.status.success() {
                break;
            }
            let said = String::from_utf8_lossy(&output.stderr);
            let refused: BTreeSet<&str> = said
                .lines()
                .filter(|line| line.contains(": error:"))
                .filter_map(|line| line.split(".java:").next()?.rsplit(['/', '\\']).next())
                .collect();
            let before = candidates.len();
            candidates.retain(|candidate| !refused.contains(candidate.class.as_str()));
            if candidates.len() == before {
                // It complains about something else, and of no use.
                candidates.clear();
            }
        }
        Ok(())
    }

    /// Writes the test that showed a finding down for its reader.
    fn keep(
        &self,
        finding: &mut Finding,
        candidate: &Candidate,
        directory: &Path,
        names: &mut BTreeSet<String>,
    ) -> Result<()> {
        let write = |name: &str, text: String| {
            let file = directory.join(format!("{name}.java"));
            std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
            Ok::<PathBuf, anyhow::Error>(file)
        };
        std::fs::create_dir_all(directory)
            .with_context(|| format!("cannot write {}", directory.display()))?;
        let name = name_of(finding, names);
        let library: Vec<String> = self.input.paths.iter().map(|path| path.display().to_string()).collect();
        let library = library.join(":");
        let harm = finding.confirmation.as_ref().and_then(|confirmation| confirmation.harm.clone());
        let comment = |how: Vec<String>| {
            let mut lines = wrapped(&format!("Shows a race. {}.", words::headline(finding)));
            lines.extend(harm.iter().flat_map(|harm| wrapped(&format!("When it happened, {harm}."))));
            lines.push(String::new());
            lines.extend(how);
            lines
        };
        let main = comment(vec![
            "The two threads may well miss one another in a single run; this reports the race nevertheless:"
                .to_owned(),
            format!("  javac -cp {library} -d classes {name}.java"),
            format!("  selvedge run --detector hb -- java -cp classes:{library} {name}"),
        ]);
        let junit = comment(vec![
            "The two threads may well miss one another in a single run; this reports the race nevertheless:"
                .to_owned(),
            format!("  selvedge run --detector hb -- mvn test -Dtest={name}Test"),
        ]);
        let file = write(&name, candidate.test.source(Form::Main, &name, &main))?;
        let test = format!("{name}Test");
        write(&test, candidate.test.source(Form::Junit, &test, &junit))?;
        if let Some(confirmation) = &mut finding.confirmation {
            for frame in confirmation.stacks.iter_mut().flat_map(|stack| &mut stack.frames) {
                frame.method = frame.method.replacen(&candidate.class, &name, 1);
                // The file that is kept has a comment, and so other lines.
                if frame.file.as_ref().is_some_and(|file| file.starts_with(&candidate.class)) {
                    (frame.file, frame.line) = (Some(format!("{name}.java")), None);
                }
            }
            confirmation.test = Some(file.display().to_string());
            confirmation.command = Some(format!(
                "javac -cp {library} -d classes {} && selvedge run --detector hb -- java -cp classes:{library} {name}",
                file.display()
            ));
        }
        Ok(())
    }
}

/// How much a try has shown.
fn worth(tried: &Tried) -> u32 {
    let sides = tried.executed.values().map(|sides| u32::from(sides[0]) + u32::from(sides[1])).max();
    match (&tried.met, &tried.lock) {
        (Some(_), _) => 10,
        (None, Some(_)) => 9,
        (None, None) => sides.unwrap_or(0),
    }
}

/// The tests for all findings of medium and high confidence; of the others, why there is none.
fn candidates(program: &Program, report: &Report) -> (Vec<Candidate>, BTreeMap<usize, String>) {
    let (mut all, mut reasons) = (Vec::new(), BTreeMap::new());
    for (position, finding) in report.findings.iter().enumerate() {
        let tests = if finding.confidence < Confidence::Medium {
            Err("its confidence is low".to_owned())
        } else if Targets::new([(0, finding)]).of.is_empty() {
            Err("a race on an object as a whole has no two accesses".to_owned())
        } else {
            tests_of(program, finding)
        };
        match tests {
            Ok(tests) => all.extend(tests.into_iter().enumerate().map(|(number, test)| Candidate {
                finding: position,
                test,
                class: format!("Race{position}x{number}"),
            })),
            Err(reason) => {
                reasons.insert(position, reason);
            }
        }
    }
    (all, reasons)
}

fn tests_of(program: &Program, finding: &Finding) -> Result<Vec<RacingTest>, String> {
    // What a thread of the library does, it does without being called: it is enough to call the other side.
    let entry = |side: &'_ Side| side.thread.spawned_at.is_none().then(|| side.thread.entry.clone());
    let (one, two) = match finding.sides.each_ref().map(entry) {
        [Some(one), Some(two)] => (one, two),
        [Some(only), None] | [None, Some(only)] => (only.clone(), only),
        [None, None] => return Err("both sides run in threads that the library starts by itself".to_owned()),
    };
    if one.is_empty() || two.is_empty() {
        return Err("no method of the library is known to lead to one side".to_owned());
    }
    let location = &finding.location;
    let holder = location.held_by.first().map(|holder| holder.class.as_str());
    let about = if location.field.is_some() { Some(location.class.as_str()) } else { holder };
    racing_tests(program, [&one, &two], about)
}

/// A name for the test of a finding that no other one has: `AccountBalanceRace`.
fn name_of(finding: &Finding, names: &mut BTreeSet<String>) -> String {
    let location = &finding.location;
    let (class, field) = match (&location.field, location.held_by.first()) {
        (Some(field), _) => (&location.class, field.as_str()),
        (None, Some(holder)) => (&holder.class, holder.field.as_str()),
        (None, None) => (&location.class, ""),
    };
    let class: String = short_class(class).chars().filter(|c| c.is_alphanumeric()).collect();
    let mut letters = field.chars().filter(|c| c.is_alphanumeric());
    let field: String =
        letters.next().map(|it| it.to_uppercase().chain(letters).collect()).unwrap_or_default();
    let name = format!("{class}{field}Race");
    let free = (1..).map(|number| if number == 1 { name.clone() } else { format!("{name}{number}") });
    let free = free.into_iter().find(|name| !names.contains(name)).unwrap_or(name);
    names.insert(free.clone());
    free
}

/// A sentence in lines of a comment.
fn wrapped(text: &str) -> Vec<String> {
    const WIDTH: usize = 96;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
