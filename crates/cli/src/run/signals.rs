//! Signals while the program runs: they are the program's, not the command's.

use std::process::{Child, ExitStatus};

use anyhow::Result;

/// The signals that would end this process while the program should decide for itself.
#[cfg(unix)]
pub struct Signals(signal_hook::iterator::Signals);

#[cfg(unix)]
impl Signals {
    /// From now on signals do not end this process.
    pub fn taken() -> Result<Signals> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
        let signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM]);
        Ok(Signals(anyhow::Context::context(signals, "signal handlers cannot be installed")?))
    }

    /// Waits for the program. Signals go on to it, except those from the terminal, which it has got already.
    pub fn wait(mut self, child: &mut Child) -> std::io::Result<ExitStatus> {
        use rustix::process::{Pid, Signal, kill_process};
        let pid = Pid::from_child(child);
        let handle = self.0.handle();
        let forwarder = std::thread::spawn(move || {
            for signal in self.0.forever() {
                let signal = match signal {
                    signal_hook::consts::SIGTERM => Signal::TERM,
                    signal_hook::consts::SIGHUP => Signal::HUP,
                    _ => continue,
                };
                // The program may have ended meanwhile.
                let _ = kill_process(pid, signal);
            }
        });
        let status = child.wait();
        handle.close();
        let _ = forwarder.join();
        status
    }
}

/// Nothing: where there are no signals, the program gets what there is by itself.
#[cfg(not(unix))]
pub struct Signals;

#[cfg(not(unix))]
impl Signals {
    pub fn taken() -> Result<Signals> {
        Ok(Signals)
    }

    pub fn wait(self, child: &mut Child) -> std::io::Result<ExitStatus> {
        child.wait()
    }
}
