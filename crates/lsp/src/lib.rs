//! The language server: findings where the code is written.
//!
//! The server watches the compiled classes of folders, checks them when they change, and publishes what was found at the lines of the
//! sources. It does not analyse anything itself: a check is a process of the same executable ([`checker`]), so that it can be stopped at
//! any moment, runs at low priority, and gives its memory back. The server keeps what it needs of the last report ([`reading`]), answers
//! questions from it, and keeps it while a build is broken.
//!
//! Invariants. Standard output belongs to the protocol. Messages are handled in order by one thread, which waits for no process. Looking
//! at files takes a small share of the time, whatever their number. What is published is the report of the newest check that gave one.
//!
//! | file | what it holds |
//! |---|---|
//! | `wire`, `client`, `uri` | messages in and out |
//! | `server` | the loop: messages, looks at files, ends of processes |
//! | `workspace`, `project`, `changes` | a folder, what there is to check in it, whether that has changed |
//! | `checker`, `process`, `reading` | checks, and reading what they found |
//! | `diagnostics`, `hover`, `rules` | what is shown |
//! | `offers`, `actions`, `java` | code actions: changes of sources |
//! | `commands` | what can be ordered: accept, open, confirm, write a test |

pub mod actions;
pub mod changes;
mod checker;
mod client;
mod commands;
mod diagnostics;
mod hover;
mod java;
mod offers;
mod process;
mod project;
mod reading;
mod rules;
mod server;
mod uri;
mod wire;
mod workspace;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use lsp_server::{ErrorCode, Response};
use lsp_types::InitializeParams;

use server::Server;

/// Serves one editor over standard input and output until it says good-bye. Checks are processes of `executable`; `scratch` is a
/// directory of our own for files that live no longer than we do.
pub fn serve(executable: PathBuf, scratch: PathBuf) -> Result<()> {
    let (connection, threads) = wire::stdio();
    let (id, parameters) = match connection.initialize_start() {
        Ok(started) => started,
        // The editor has gone before it said a word.
        Err(error) if error.channel_is_disconnected() => {
            drop(connection);
            return threads.join().context("the editor does not speak the language server protocol");
        }
        Err(error) => return Err(error).context("the editor does not speak the language server protocol"),
    };
    let parameters: InitializeParams = match serde_json::from_value(parameters) {
        Ok(parameters) => parameters,
        Err(error) => {
            let sentence = format!("the editor's first message is malformed: {error}");
            let code = ErrorCode::InvalidParams as i32;
            let _ = connection.sender.send(Response::new_err(id, code, sentence.clone()).into());
            // It is for the editor to end what it has begun.
            while connection.receiver.recv().is_ok() {}
            bail!(sentence);
        }
    };
    let answer = serde_json::json!({
        "capabilities": server::capabilities(),
        "serverInfo": { "name": "selvedge", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, answer).context("the editor went away")?;
    let is_ended = Server::new(&connection, parameters, executable, scratch).run(&connection.receiver)?;
    drop(connection);
    threads.join().context("the connection to the editor broke")?;
    if !is_ended {
        bail!("the editor said exit without shutdown");
    }
    Ok(())
}
