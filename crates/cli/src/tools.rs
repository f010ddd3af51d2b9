//! What the tool says about itself: schemas, completions, manual pages.

use std::fs;
use std::io::{self, Write};

use anyhow::{Context, Result, anyhow};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use selvedge_report::JSON_SCHEMA;

use crate::arguments::{Arguments, CompletionsArguments, ManArguments, SchemaArguments, SchemaOf};
use crate::config::reference;
use crate::output;

/// Runs `selvedge schema`.
pub fn schema(arguments: &SchemaArguments) -> Result<()> {
    let text = match arguments.of {
        SchemaOf::Report => JSON_SCHEMA.to_owned(),
        SchemaOf::Config => serde_json::to_string_pretty(&reference::schema())? + "\n",
        SchemaOf::Reference => reference::markdown(),
    };
    let mut out = output::open(None)?;
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Runs `selvedge completions`.
pub fn completions(arguments: &CompletionsArguments) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "selvedge", &mut script);
    let mut out = output::open(None)?;
    out.write_all(&script)?;
    out.flush()?;
    Ok(())
}

/// Runs `selvedge man`.
pub fn man(arguments: &ManArguments) -> Result<()> {
    let mut definition = Arguments::command();
    definition.build();
    if let Some(dir) = &arguments.dir {
        fs::create_dir_all(dir).with_context(|| format!("cannot make the directory {}", dir.display()))?;
        let commands: Vec<Command> = definition.get_subcommands().cloned().collect();
        for (name, command) in std::iter::once(("selvedge".to_owned(), definition))
            .chain(commands.into_iter().map(|command| (format!("selvedge-{}", command.get_name()), command)))
        {
            let path = dir.join(format!("{name}.1"));
            let page = page(&name, command)?;
            fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))?;
        }
        return Ok(());
    }
    let (name, command) = match &arguments.command {
        None => ("selvedge".to_owned(), definition),
        Some(wanted) => {
            let command = definition.find_subcommand(wanted);
            let command = command.ok_or_else(|| anyhow!("there is no command {wanted}"))?;
            (format!("selvedge-{wanted}"), command.clone())
        }
    };
    let mut out = output::open(None)?;
    out.write_all(&page(&name, command)?)?;
    out.flush()?;
    Ok(())
}

/// A manual page.
fn page(name: &str, command: Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let command = command.display_name(name.to_owned());
    Man::new(command).render(&mut page)?;
    Ok(page)
}
