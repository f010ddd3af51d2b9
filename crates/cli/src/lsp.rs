//! `selvedge lsp`: starts the language server with this executable as the one that checks.

use anyhow::{Context, Result};

use crate::private::{create_private, random_name};

/// Serves an editor until it says good-bye.
pub fn run() -> Result<()> {
    let executable = std::env::current_exe().context("cannot find the selvedge executable")?;
    let scratch = std::env::temp_dir().join(format!("selvedge-lsp-{}", random_name()));
    create_private(&scratch).with_context(|| format!("cannot make the directory {}", scratch.display()))?;
    let served = selvedge_lsp::serve(executable, scratch.clone());
    let _ = std::fs::remove_dir_all(scratch);
    served
}
