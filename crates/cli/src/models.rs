//! `selvedge models`: what is known about library methods, and whether it holds for the classes at hand.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use selvedge_classfile::ClassFile;
use selvedge_models::{ClassTable, Models};
use selvedge_world::{Input, Options};

use crate::arguments::{ModelsArguments, ModelsCheckArguments, ModelsCommand, ModelsListArguments};
use crate::{output, selection};

/// Runs the command. The status is 1 if rows do not hold.
pub fn run(arguments: &ModelsArguments) -> Result<ExitCode> {
    match &arguments.command {
        ModelsCommand::List(arguments) => list(arguments).map(|()| ExitCode::SUCCESS),
        ModelsCommand::Check(arguments) => check(arguments),
    }
}

/// The built-in rows and those of the given files.
pub fn load(files: &[PathBuf]) -> Result<Models> {
    let mut texts = Vec::new();
    for file in files {
        let text =
            std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        texts.push((file.display().to_string(), text));
    }
    let files = texts.iter().map(|(file, text)| (file.as_str(), text.as_str()));
    Models::with_user_files(files).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        anyhow::Error::msg(lines.join("\nselvedge: "))
    })
}

fn list(arguments: &ModelsListArguments) -> Result<()> {
    let models = load(&arguments.models)?;
    let wanted = |class: String| {
        arguments.class.as_deref().is_none_or(|pattern| selection::matches_class(pattern, &class))
    };
    let mut out = output::open(arguments.output.as_deref())?;
    let mut shown = 0_usize;
    for row in models.rows() {
        let with_effect = arguments
            .effect
            .as_deref()
            .is_none_or(|kind| row.effects.iter().any(|effect| effect.kind() == kind));
        if !with_effect || !wanted(row.selector.class.to_string()) {
            continue;
        }
        shown += 1;
        writeln!(out, "{}: {row}", row.origin)?;
        if arguments.provenance {
            writeln!(out, "    {}", row.provenance)?;
        }
    }
    for root in models.roots() {
        if arguments.effect.as_deref().is_some_and(|kind| kind != "root") || !wanted(root.class.to_string()) {
            continue;
        }
        shown += 1;
        writeln!(out, "{}: root {}", root.origin, root.describe())?;
        if arguments.provenance {
            writeln!(out, "    {}", root.provenance)?;
        }
    }
    out.flush()?;
    if shown == 0 {
        bail!("no model row is for such a class or has such an effect");
    }
    Ok(())
}

fn check(arguments: &ModelsCheckArguments) -> Result<ExitCode> {
    let models = load(&arguments.models)?;
    let classpath = arguments.classpath.iter().flat_map(std::env::split_paths);
    let input = Input::read(&Options {
        paths: arguments.paths.clone(),
        classpath: classpath.filter(|path| !path.as_os_str().is_empty()).collect(),
        jdk: arguments.jdk.clone(),
        ..Options::default()
    })?;
    let mut classes = ClassTable::new(Some(u32::from(input.jdk.version)));
    for source in &input.classes {
        // What is wrong with a class file is for `inspect` to tell; here the class counts as missing.
        if let Ok(class) = ClassFile::parse(&source.bytes) {
            classes.add(&class);
        }
    }
    let report = models.check(&classes);
    let mut out = output::open(None)?;
    for problem in &report.problems {
        writeln!(out, "{problem}")?;
    }
    if arguments.natives {
        for native in &report.natives_without_row {
            writeln!(out, "no row for native {native}, which returns a reference")?;
        }
        for native in &report.natives_believed_harmless {
            writeln!(out, "no row for native {native}, which is believed to keep none of its arguments")?;
        }
    }
    writeln!(
        out,
        "{} rows match methods of {} classes (JDK {}), {} do not apply, {} problems; \
         {} natives that return references have no row, {} that only take some",
        report.matched,
        classes.len(),
        input.jdk.version,
        report.not_applicable,
        report.problems.len(),
        report.natives_without_row.len(),
        report.natives_believed_harmless.len(),
    )?;
    out.flush()?;
    Ok(if report.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
