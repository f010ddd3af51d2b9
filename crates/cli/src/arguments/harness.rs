//! `selvedge harness`.

use std::path::PathBuf;

use clap::Args;

use super::InputArguments;

pub const HELP: &str = "\
A library has no main method. Selvedge analyses it with a client that creates every class, calls every public
method, and passes results to every parameter that takes them. This command prints that client.

Examples:
  selvedge harness pool.jar
      Print the client of all public classes.
  selvedge harness pool.jar --library=org.acme.Pool,org.acme.Factory
      Print the client of these classes.
  selvedge harness pool.jar --output SelvedgeHarness.java && javac -cp pool.jar SelvedgeHarness.java
      Compile it; as a program it lets two threads take random steps.";

/// Arguments of `selvedge harness`.
#[derive(Args)]
pub struct HarnessArguments {
    /// The library.
    #[command(flatten)]
    pub input: InputArguments,
    /// Classes and interfaces whose public methods to call, separated by commas; by default all public
    /// ones
    #[arg(long, value_name = "CLASS,...", value_delimiter = ',', num_args = 0.., require_equals = true)]
    pub library: Vec<String>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
