//! What is read, the same for all commands.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use selvedge_world::{Input, Options};

/// What is read.
#[derive(Args, Clone)]
pub struct InputArguments {
    /// What to look at: class files, directories, jar, war, ear and jmod archives (with the archives in them), or a module
    /// of the JDK by its name (java.base)
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The libraries it uses, as java's own class path: separated by colons (semicolons on Windows), dir/* for the jars
    /// of a directory. What an archive's manifest names is found without
    #[arg(long, short = 'c', value_name = "PATHS")]
    pub classpath: Option<OsString>,
    /// What of it is the application: these packages and those below, separated by commas; the rest counts as library. If not given, what is
    /// left when metadata in the archive and names of moved packages have told the libraries
    #[arg(long, value_name = "PACKAGE,...", value_delimiter = ',')]
    pub app: Vec<String>,
    /// The JDK it runs on; if not given, that of JAVA_HOME, or of the java on the PATH
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// List everything that was wrong with the input and all that was assumed, not only how much
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
        let classpath = self.classpath.iter().flat_map(std::env::split_paths);
        let input = Input::read(&Options {
            paths: self.paths.clone(),
            classpath: classpath.filter(|path| !path.as_os_str().is_empty()).collect(),
            jdk: self.jdk.clone(),
            ..Options::default()
        })?;
        Ok(input)
    }
}
