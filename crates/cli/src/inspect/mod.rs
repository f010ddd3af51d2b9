//! `selvedge inspect`: looks inside a program.

mod callgraph;
mod hierarchy;
mod interthread;
mod ir;
mod labels;
mod locks;
mod objects;
mod picture;
mod points_to;
mod threads;
mod uses;

use std::io::Write;

use anyhow::{Result, bail};
use selvedge_world::{ClassId, MethodId, Program};

use crate::arguments::{Format, InspectArguments, What};
use crate::{analysis, output, selection};
use callgraph::CallGraph;
use locks::ShownLocks;
use points_to::PointsTo;
use selvedge_detect::Ground;
use selvedge_facts::View;
use threads::ShownThreads;

/// Runs the command.
pub fn run(arguments: &InspectArguments) -> Result<()> {
    if arguments.what == What::Hierarchy && arguments.method.is_some() {
        bail!("--method chooses methods to show, and the hierarchy has none");
    }
    if arguments.what != What::PointsTo && (arguments.field.is_some() || arguments.why.is_some()) {
        bail!("--field and --why need --what points-to");
    }
    let has_page = matches!(arguments.what, What::Objects | What::Uses | What::Interthread);
    if arguments.format == Format::Html && !has_page {
        bail!(
            "there are pages for --what objects, --what uses and --what interthread; for the others, --format dot makes pictures"
        );
    }
    let program = Program::load(arguments.input.read()?);
    let classes = selection::classes(&program, arguments.class.as_deref());
    if classes.as_ref().map_or(true, Vec::is_empty) {
        // Why there is nothing to see is likely among the problems.
        output::tell_problems(&program.problems(), arguments.input.problems);
    }
    let classes = classes?;
    if classes.is_empty() {
        bail!(crate::hints::no_classes(&arguments.input.paths, &program.problems()));
    }
    let mut out = output::open(arguments.output.as_deref())?;
    match (arguments.what, arguments.format) {
        (What::Ir, format) => {
            let shown = ir::show(&program, &classes, arguments.method.as_deref(), format, &mut out)?;
            if let (0, Some(method)) = (shown, &arguments.method) {
                bail!("no class that was chosen has a method {method}");
            }
        }
        (What::Hierarchy, Format::Text) => hierarchy::text(&program, &classes, &mut out)?,
        (What::Hierarchy, _) => hierarchy::dot(&program, &classes, &mut out)?,
        _ => analyzed(&program, &classes, arguments, &mut out)?,
    }
    out.flush()?;
    output::tell_problems(&program.problems(), arguments.input.problems);
    Ok(())
}

/// Shows what only an analysis of the whole program tells.
fn analyzed(
    program: &Program,
    classes: &[ClassId],
    arguments: &InspectArguments,
    out: &mut dyn Write,
) -> Result<()> {
    let fields = match &arguments.field {
        Some(field) => selection::fields(program, field)?,
        None => Vec::new(),
    };
    let is_about_fields =
        arguments.field.is_some() && arguments.class.is_none() && arguments.method.is_none();
    let mut methods = match is_about_fields {
        true => Vec::new(),
        false => selection::methods(program, classes, arguments.method.as_deref())?,
    };
    let setup = analysis::Setup::new(program, &arguments.analysis, None)?;
    let analysis = setup.run(program);
    if arguments.method.is_none() {
        // Who does not ask for a method by name wants to see what runs.
        methods.retain(|&method: &MethodId| analysis.is_reached(method));
    }
    let ground = || Ground::new(View::new(&analysis, &setup.models, &setup.entries));
    match (arguments.what, arguments.format) {
        (What::Threads, Format::Text) => ShownThreads::new(&ground()).text(&methods, out)?,
        (What::Threads, _) => ShownThreads::new(&ground()).dot(&methods, out)?,
        (What::Locks, Format::Text) => ShownLocks::new(&ground(), classes).text(out)?,
        (What::Locks, _) => ShownLocks::new(&ground(), classes).dot(out)?,
        (What::Callgraph, Format::Text) => CallGraph::new(&analysis).text(&methods, out)?,
        (What::Callgraph, _) => CallGraph::new(&analysis).dot(&methods, arguments.all, out)?,
        (What::Objects, format) => {
            let view = View::new(&analysis, &setup.models, &setup.entries);
            objects::with_objects(view, classes, arguments.class.is_some(), |objects| match format {
                Format::Text => objects.text(out),
                Format::Dot => picture::dot(&[objects.picture()], "objects", out),
                Format::Html => picture::html(&[objects.picture()], "Objects", &objects::LEGEND, out),
            })?;
        }
        (What::Uses, format) => {
            let view = View::new(&analysis, &setup.models, &setup.entries);
            uses::show(view, classes, arguments.class.is_some(), format, out)?;
        }
        (What::Interthread, format) => {
            let view = View::new(&analysis, &setup.models, &setup.entries);
            interthread::show(view, &methods, format, out)?;
        }
        (_, Format::Text) => {
            let why = arguments.why.as_deref();
            let shown = PointsTo::new(&analysis, arguments.contexts).text(&methods, &fields, why, out)?;
            if let (false, Some(why)) = (shown, why) {
                bail!("nothing that was chosen may point to an object whose description contains {why}");
            }
        }
        (_, _) => PointsTo::new(&analysis, arguments.contexts).dot(&methods, &fields, out)?,
    }
    analysis::tell(&analysis, arguments.input.problems);
    Ok(())
}
