//! What is read, the same for all commands.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use selvedge_world::{Input, Options};

/// What is read.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Input")]
pub struct InputArguments {
    /// Class files, directories, or jar, war, ear and jmod archives (nested archives included), or the
    /// name of a JDK module (java.base). A directory of Java sources without classes is compiled with javac
    #[arg(value_name = "PATH", help_heading = None::<&str>)]
    pub paths: Vec<PathBuf>,
    /// Libraries of the program, in the syntax of java's class path: separated by colons (semicolons on
    /// Windows), dir/* for all jars of a directory. The Class-Path of a manifest is followed without this
    /// option
    #[arg(long, short = 'c', value_name = "PATHS")]
    pub classpath: Option<OsString>,
    /// Packages of the application, separated by commas, subpackages included; all other classes of the
    /// input count as library. By default decided from the metadata of the archive, the package of the
    /// main class and relocated package names
    #[arg(long, value_name = "PACKAGE,...", value_delimiter = ',')]
    pub app: Vec<String>,
    /// JDK of the program; by default that of JAVA_HOME, or of java on the PATH
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// List every problem with the input and every assumption, instead of counting them
    #[arg(long)]
    pub problems: bool,
}

impl InputArguments {
    /// Reads what is named.
    pub fn read(&self) -> Result<Input> {
        if self.paths.is_empty() {
            bail!(
                "nothing to look at: give a jar, a directory of classes or another PATH, or `inputs` in selvedge.toml"
            );
        }
        let compiled =
            |path: &PathBuf| crate::sources::compiled(path, self.classpath.as_deref(), self.jdk.as_deref());
        let paths: Vec<PathBuf> = self.paths.iter().map(compiled).collect::<Result<_>>()?;
        let classpath = self.classpath.iter().flat_map(std::env::split_paths);
        let input = Input::read(&Options {
            paths,
            classpath: classpath.filter(|path| !path.as_os_str().is_empty()).collect(),
            jdk: self.jdk.clone(),
            ..Options::default()
        })?;
        Ok(input)
    }
}
