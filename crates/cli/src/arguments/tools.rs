//! What the tool says about itself: schemas, completions, manual pages.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

pub const LSP_HELP: &str = "\
Settings (initializationOptions):
  classes        Directories and archives with the compiled classes
  classpath      The libraries, in the syntax of java's class path
  sources        Directories with the sources
  arguments      More options of selvedge check, such as [\"--library\"]
  minConfidence  low, medium (the default) or high
  maxMemory      Memory limit of a check (2G)
  baseline       The baseline file (selvedge-baseline.json)
  command        The command that runs the program, to confirm findings, such as [\"mvn\", \"-q\", \"test\"]
  tests          Directory for tests that show a race (src/test/java if it is there, or racing-tests)
  rules          Address of a page with the rules; by default one that the server writes

Examples:
  vim.lsp.start_client({ name = 'selvedge', cmd = { 'selvedge', 'lsp' }, root_dir = vim.fn.getcwd() })
      Neovim, for the folder it was started in. The page \"In the editor\" has this for other editors.";

pub const SCHEMA_HELP: &str = "\
Examples:
  selvedge schema > selvedge-report.schema.json
      The schema of check --format json.
  selvedge schema config > selvedge-toml.schema.json
      The schema of selvedge.toml, for editors that validate and complete TOML.";

pub const COMPLETIONS_HELP: &str = "\
Examples:
  selvedge completions bash > ~/.local/share/bash-completion/completions/selvedge
  selvedge completions zsh > ~/.zfunc/_selvedge          # with fpath+=~/.zfunc before compinit
  selvedge completions fish > ~/.config/fish/completions/selvedge.fish";

pub const MAN_HELP: &str = "\
Examples:
  selvedge man | man -l -
      Read the page of the whole tool.
  selvedge man check | man -l -
      Read the page of a command.
  selvedge man --dir ~/.local/share/man/man1
      Write all pages: selvedge.1, selvedge-check.1, ...";

/// Arguments of `selvedge schema`.
#[derive(Args)]
pub struct SchemaArguments {
    /// What to describe
    #[arg(value_enum, value_name = "WHAT", default_value_t = SchemaOf::Report)]
    pub of: SchemaOf,
}

/// What has a schema.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// Reports in JSON
    Report,
    /// The file selvedge.toml
    Config,
    /// The reference of selvedge.toml, as Markdown
    Reference,
}

/// Arguments of `selvedge completions`.
#[derive(Args)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Arguments of `selvedge man`.
#[derive(Args)]
pub struct ManArguments {
    /// Command whose page to print; by default that of the whole tool
    #[arg(value_name = "COMMAND", conflicts_with = "dir")]
    pub command: Option<String>,
    /// Write the pages of all commands to this directory
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}
