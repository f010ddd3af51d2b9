//! Signals: whoever ends the command gets what was found until then.

use anyhow::Result;

/// Whether somebody wants this command to end.
pub fn interrupted() -> bool {
    #[cfg(unix)]
    {
        STOP.get().is_some_and(|stop| stop.load(std::sync::atomic::Ordering::Relaxed))
    }
    #[cfg(not(unix))]
    {
        false
    }
}

#[cfg(unix)]
static STOP: std::sync::OnceLock<std::sync::Arc<std::sync::atomic::AtomicBool>> = std::sync::OnceLock::new();

/// From now on a signal stops the runs, and what was found until then is reported.
pub fn signals() -> Result<()> {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let stop = STOP.get_or_init(Default::default);
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, std::sync::Arc::clone(stop))?;
        }
    }
    Ok(())
}
