//! Running programs with a time limit, their output captured.

use crate::javac::class_path;
use crate::{Failure, Jdk};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How to run a main class.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Directories and jars.
    pub classpath: Vec<PathBuf>,
    /// Arguments for the JVM, such as `-Xmx256m`.
    pub jvm_args: Vec<String>,
    /// Arguments for the program.
    pub args: Vec<String>,
    /// What the program reads from its standard input.
    pub stdin: String,
    /// After this time the program is stopped. 60 s by default.
    pub timeout: Duration,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            classpath: Vec::new(),
            jvm_args: Vec::new(),
            args: Vec::new(),
            stdin: String::new(),
            timeout: Duration::from_secs(60),
        }
    }
}

/// What a run left behind. Bytes that are not UTF-8 are replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JavaRun {
    /// The standard output.
    pub stdout: String,
    /// The standard error output.
    pub stderr: String,
    /// The exit status; `None` if the process was ended by a signal.
    pub exit_code: Option<i32>,
    /// Whether the time limit ended it.
    pub timed_out: bool,
}

/// Runs `main_class` (named with dots) and waits for it.
pub fn run_main(jdk: &Jdk, main_class: &str, options: &RunOptions) -> Result<JavaRun, Failure> {
    let mut command = Command::new(&jdk.java);
    command.args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]);
    command.args(&options.jvm_args);
    command.arg("-cp").arg(class_path(&options.classpath)?);
    command.arg(main_class).args(&options.args);
    run(command, &options.stdin, options.timeout)
}

/// Runs any command with an empty standard input.
pub fn run_with_timeout(command: Command, timeout: Duration) -> Result<JavaRun, Failure> {
    run(command, "", timeout)
}

fn run(mut command: Command, input: &str, timeout: Duration) -> Result<JavaRun, Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(Failure::io(format!("start {program}")))?;
    let stdin = child.stdin.take();
    // Both pipes are drained while the program runs: a full pipe would stop it.
    let (stdout, stderr) = (drain(child.stdout.take()), drain(child.stderr.take()));
    let input = input.to_owned();
    // A program that does not read its input ends with this thread's write failing, which is no fault.
    thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(input.as_bytes())));

    let deadline = Instant::now() + timeout;
    let mut pause = Duration::from_millis(1);
    let (status, timed_out) = loop {
        let waiting = || Failure::io(format!("wait for {program}"));
        if let Some(status) = child.try_wait().map_err(waiting())? {
            break (status, false);
        }
        if Instant::now() >= deadline {
            child.kill().map_err(waiting())?;
            break (child.wait().map_err(waiting())?, true);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    let text = |reader: thread::JoinHandle<Vec<u8>>| {
        let bytes = reader.join().map_err(|_| Failure::new(format!("cannot read what {program} wrote")))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    Ok(JavaRun { stdout: text(stdout)?, stderr: text(stderr)?, exit_code: status.code(), timed_out })
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is still worth showing.
        let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
        bytes
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JavacOptions, compile};

    fn run_source(body: &str, options: RunOptions) -> Option<JavaRun> {
        let jdk = crate::jdk_or_skip()?;
        let text =
            format!("class Main {{ public static void main(String[] args) throws Exception {{ {body} }} }}");
        let classes = compile(&[("Main.java", &text)], &JavacOptions::default()).unwrap();
        let options = RunOptions { classpath: vec![classes.path().to_path_buf()], ..options };
        Some(run_main(&jdk, "Main", &options).unwrap())
    }

    #[test]
    fn output_and_exit_status_are_captured() {
        let body = "int c; while ((c = System.in.read()) >= 0) System.out.write(c);
            System.out.print(args[0]); System.err.print(\"e\"); System.exit(7);";
        let options =
            RunOptions { stdin: "in ".to_owned(), args: vec!["arg".to_owned()], ..RunOptions::default() };
        let Some(run) = run_source(body, options) else { return };
        let expected = JavaRun {
            stdout: "in arg".to_owned(),
            stderr: "e".to_owned(),
            exit_code: Some(7),
            timed_out: false,
        };
        assert_eq!(run, expected);
    }

    #[test]
    fn a_program_that_does_not_end_is_stopped() {
        let options = RunOptions { timeout: Duration::from_millis(1500), ..RunOptions::default() };
        let Some(run) = run_source("while (true) Thread.sleep(1000);", options) else { return };
        assert!(run.timed_out);
    }

    #[test]
    fn more_output_than_a_pipe_holds() {
        let body = "for (int i = 0; i < 30000; i++) System.out.println(\"0123456789\");";
        let Some(run) = run_source(body, RunOptions::default()) else { return };
        assert_eq!((run.stdout.len(), run.exit_code), (330_000, Some(0)));
    }
}
