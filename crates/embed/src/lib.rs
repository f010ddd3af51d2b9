//! A macro whose value is the agent's library, so that `selvedge` is one file that can be copied and installed.
//!
//! The agent is both a shared library, which the JVM loads, and a Rust library, which Cargo builds with it because the executable
//! depends on it. Cargo tells the compiler where the Rust library is (`--extern selvedge_agent=PATH`); the shared library is built by the
//! same step and lies beside it. So the executable can include it as it is compiled, with no second build, no build script, and no
//! assumption about the layout of the target directory.
//!
//! Where nothing is built, as under `cargo check`, Cargo passes a file of metadata instead, and the value is empty: nothing that has it can be run.

use std::path::{Path, PathBuf};

use proc_macro::TokenStream;

/// The name of the crate that is the agent, as Rust code would name it.
const AGENT: &str = "selvedge_agent";

/// The names of the shared library, on the systems that there are.
const FILES: [&str; 3] = ["libselvedge_agent.so", "libselvedge_agent.dylib", "selvedge_agent.dll"];

/// The bytes of the agent's library, as a `&[u8]`.
///
/// The crate that uses it has `selvedge-agent` among its dependencies.
#[proc_macro]
pub fn agent_library(_: TokenStream) -> TokenStream {
    let code = match directory_of_agent(std::env::args()) {
        None => "(&[] as &[u8])".to_owned(),
        Some(directory) => match FILES.iter().map(|name| directory.join(name)).find(|path| path.is_file()) {
            Some(path) => format!("(include_bytes!({path:?}) as &[u8])"),
            None => format!("compile_error!({:?})", format!("there is no agent in {}", directory.display())),
        },
    };
    code.parse().unwrap_or_default()
}

/// The directory of the Rust library that the compiler's arguments name; `None` if the agent is only checked, not built.
fn directory_of_agent(arguments: impl Iterator<Item = String>) -> Option<PathBuf> {
    let prefix = format!("{AGENT}=");
    let named = arguments.filter_map(|argument| {
        let argument = argument.strip_prefix("--extern=").unwrap_or(&argument);
        // Options such as `priv,noprelude:` may come before the name.
        let argument = match argument.split_once(':') {
            Some((options, rest)) if !options.contains('=') => rest,
            _ => argument,
        };
        argument.strip_prefix(&prefix).map(PathBuf::from)
    });
    let built = named.filter(|path| path.extension().is_some_and(|extension| extension == "rlib")).last();
    built.as_deref().and_then(Path::parent).map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(arguments: &[&str]) -> Option<PathBuf> {
        directory_of_agent(arguments.iter().map(|argument| (*argument).to_owned()))
    }

    #[test]
    fn the_library_is_beside_the_one_for_rust() {
        let expected = Some(PathBuf::from("/t/deps"));
        let other = "selvedge_base=/t/other/libselvedge_base-1.rlib";
        let own = "selvedge_agent=/t/deps/libselvedge_agent-12.rlib";
        assert_eq!(of(&["rustc", "--extern", other, "--extern", own]), expected);
        assert_eq!(of(&["rustc", &format!("--extern={own}")]), expected);
        assert_eq!(of(&["rustc", "--extern", &format!("priv:{own}")]), expected);
    }

    #[test]
    fn what_is_only_checked_has_none() {
        assert_eq!(of(&["rustc", "--extern", "selvedge_agent=/t/libselvedge_agent-1.rmeta"]), None);
        assert_eq!(of(&["rustc"]), None);
    }
}
