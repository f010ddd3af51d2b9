//! `selvedge harness`: the most general client of a library, as Java.

use anyhow::{Result, bail};
use selvedge_world::{EntryPoints, EntryRequest, Harness, Program, Tier};

use crate::arguments::HarnessArguments;
use crate::{hints, output};

/// Runs the command.
pub fn run(arguments: &HarnessArguments) -> Result<()> {
    let program = Program::load(arguments.input.read()?);
    let classes = match program.entry_points(&EntryRequest::Library(arguments.library.clone()))? {
        EntryPoints::Library(classes) => classes,
        EntryPoints::Mains(_) => Vec::new(),
    };
    let harness = Harness::new(&program, &classes);
    if harness.calls.is_empty() && harness.creations.is_empty() {
        output::tell_problems(&program.problems(), arguments.input.problems);
        if !program.classes.iter().any(|class| class.tier == Tier::Application) {
            bail!(hints::no_classes(&arguments.input.paths, &program.problems()));
        }
        bail!("there is nothing public in the given paths that a client could call");
    }
    let mut out = output::open(arguments.output.as_deref())?;
    out.write_all(harness.to_java(&program).as_bytes())?;
    out.flush()?;
    output::tell_problems(&program.problems(), arguments.input.problems);
    Ok(())
}
