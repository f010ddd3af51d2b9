//! The language server: findings where the code is written.
//!
//! The server watches the compiled classes of a folder, checks them when they change, and publishes what was found at the lines of the
//! sources. It does not analyse anything itself: a check is a process of the same executable ([`checker`]), so that it can be stopped at
//! any moment, runs at low priority, and gives its memory back. The server keeps the last report, answers questions from it, and keeps it
//! while a build is broken.
//!
//! Invariants. Standard output belongs to the protocol. Messages are handled in order by one thread, which never waits longer than a
//! pause between two looks at the files. What is published is the report of the newest check that gave one.

pub mod actions;
pub mod changes;
mod checker;
mod diagnostics;
mod hover;
mod java;
mod project;
mod server;
mod uri;

use std::path::PathBuf;

use anyhow::{Context, Result};
use lsp_server::Connection;
use lsp_types::InitializeParams;

use server::Server;

/// Serves one editor over standard input and output until it says good-bye. Checks are processes of `executable`; `scratch` is a
/// directory of our own for files that live no longer than we do.
pub fn serve(executable: PathBuf, scratch: PathBuf) -> Result<()> {
    let (connection, threads) = Connection::stdio();
    serve_on(connection, executable, scratch)?;
    threads.join().context("the connection to the editor broke")
}

/// Serves one editor over a connection.
pub fn serve_on(connection: Connection, executable: PathBuf, scratch: PathBuf) -> Result<()> {
    let (id, parameters) = match connection.initialize_start() {
        Ok(started) => started,
        // The editor has gone before it said a word.
        Err(error) if error.channel_is_disconnected() => return Ok(()),
        Err(error) => return Err(error).context("the editor does not speak the language server protocol"),
    };
    let parameters: InitializeParams =
        serde_json::from_value(parameters).context("the editor's first message is malformed")?;
    let answer = serde_json::json!({
        "capabilities": server::capabilities(),
        "serverInfo": { "name": "selvedge", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, answer).context("the editor went away")?;
    Server::new(connection, parameters, executable, scratch).run()
}
