//! `selvedge inspect`: looks inside a program.

mod hierarchy;
mod ir;

use anyhow::{Result, bail};
use selvedge_world::Program;

use crate::arguments::{Format, InspectArguments, What};
use crate::{output, selection};

/// Runs the command.
pub fn run(arguments: &InspectArguments) -> Result<()> {
    if arguments.what == What::Hierarchy && arguments.method.is_some() {
        bail!("--method chooses methods to show, and the hierarchy has none");
    }
    let program = Program::load(arguments.input.read()?);
    let classes = selection::classes(&program, arguments.class.as_deref());
    if classes.as_ref().map_or(true, Vec::is_empty) {
        // Why there is nothing to see is likely among the problems.
        output::tell_problems(&program.problems(), arguments.input.problems);
    }
    let classes = classes?;
    if classes.is_empty() {
        bail!("there are no classes in the given paths");
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
        (What::Hierarchy, Format::Dot) => hierarchy::dot(&program, &classes, &mut out)?,
    }
    out.flush()?;
    output::tell_problems(&program.problems(), arguments.input.problems);
    Ok(())
}
