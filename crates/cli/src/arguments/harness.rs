//! `selvedge harness`.

use std::path::PathBuf;

use clap::Args;

use super::InputArguments;

pub const HELP: &str = "\
A library has no main method. To analyse it, Selvedge makes a client that does all a client can do: it creates every class,
calls every public method, and hands results on to whoever takes them. This command shows that client.

Examples:
  selvedge harness pool.jar
      The client of all public classes of pool.jar.
  selvedge harness pool.jar --library=org.acme.Pool,org.acme.Factory
      Only of these.
  selvedge harness pool.jar --output SelvedgeHarness.java && javac -cp pool.jar SelvedgeHarness.java
      It compiles, and runs: two threads take random steps.";

/// Arguments of `selvedge harness`.
#[derive(Args)]
pub struct HarnessArguments {
    /// The library.
    #[command(flatten)]
    pub input: InputArguments,
    /// The classes and interfaces whose public methods are called, separated by commas; if not given, all public ones
    #[arg(long, value_name = "CLASS,...", value_delimiter = ',', num_args = 0.., require_equals = true)]
    pub library: Vec<String>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
