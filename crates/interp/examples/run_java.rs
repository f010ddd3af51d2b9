//! Runs a main class found on a class path (directories and jars with `:` between them): `run_java PATH CLASS [SEED]`.

use std::io::Write;
use std::process::ExitCode;

use selvedge_interp::{NoObserver, Options, run};
use selvedge_world::{Input, Program};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [path, class, rest @ ..] = args.as_slice() else {
        eprintln!("usage: run_java PATH CLASS [SEED]");
        return ExitCode::from(2);
    };
    let paths = std::env::split_paths(path).collect();
    let input = match Input::read(&selvedge_world::Options { paths, ..Default::default() }) {
        Ok(input) => input,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let program = Program::load(input);
    let seed = rest.first().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let options = Options { seed, ..Options::default() };
    let started = std::time::Instant::now();
    match run(&program, class, &options, &mut NoObserver) {
        Ok(outcome) => {
            let _ = std::io::stdout().write_all(&outcome.stdout);
            let _ = std::io::stderr().write_all(&outcome.stderr);
            outcome.deadlock.iter().for_each(|thread| eprintln!("{thread}"));
            eprintln!(
                "[{} instructions, {} objects, {:.2?}, status {:?}]",
                outcome.instructions,
                outcome.objects,
                started.elapsed(),
                outcome.status
            );
            ExitCode::from(outcome.status.unwrap_or(99) as u8)
        }
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(100)
        }
    }
}
