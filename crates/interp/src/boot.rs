//! Starting up: the first part of what a JVM does, then `main`.

use selvedge_ir::ClassName;
use selvedge_world::Program;

use crate::machine::{Exec, Failure, Machine, Options, Raise};
use crate::observer::Observer;
use crate::scheduler::Ending;
use crate::thread::Phase;
use crate::value::{ObjRef, Value};

/// What a program did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Everything it wrote to standard output.
    pub stdout: Vec<u8>,
    /// Everything it wrote to standard error.
    pub stderr: Vec<u8>,
    /// Its exit status; `None` if all its threads waited for each other.
    pub status: Option<i32>,
    /// Where the threads waited for each other, one entry a thread, if they did.
    pub deadlock: Vec<String>,
    /// How many instructions were run.
    pub instructions: u64,
    /// How many objects were allocated.
    pub objects: usize,
}

/// Runs the `main` method of a class with no arguments, under the schedule of the options' seed.
///
/// # Errors
/// If the program does something that is not modelled, or exceeds a limit.
pub fn run(
    program: &Program,
    main_class: &str,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Outcome, Failure> {
    let mut machine = Machine::new(program, options.clone(), observer);
    let ending = machine.boot().and_then(|()| machine.start_main(main_class)).and_then(|()| machine.run());
    let ending = ending.map_err(|mut failure| {
        if !machine.stderr.is_empty() {
            failure.message += &format!("\nstandard error: {}", String::from_utf8_lossy(&machine.stderr));
        }
        failure
    })?;
    let (status, deadlock) = match ending {
        Ending::Status(status) => (Some(status), Vec::new()),
        Ending::Deadlock => (None, machine.describe_threads()),
    };
    Ok(Outcome {
        stdout: machine.stdout,
        stderr: machine.stderr,
        status,
        deadlock,
        instructions: machine.scheduler.executed,
        objects: machine.heap.len(),
    })
}

impl Machine<'_> {
    fn lift<T>(&self, result: Exec<T>) -> Result<T, Failure> {
        result.map_err(|raise| match raise {
            Raise::Fatal(message) => self.failure(message),
            other => self.failure(format!("starting up failed: {other:?}")),
        })
    }

    /// Makes the main thread and initialises the core of the library.
    fn boot(&mut self) -> Result<(), Failure> {
        let object = self.load_str("java/lang/Object");
        self.known.object = self.lift(object)?;
        let string = self.load_str("java/lang/String");
        let string = self.lift(string)?;
        self.known.string_value = self.lift(self.slot_named(string, "value"))?.1;
        self.known.string_coder = self.lift(self.slot_named(string, "coder"))?.1;
        for name in [
            "java/lang/String",
            "java/lang/System",
            "java/lang/Class",
            "java/lang/ThreadGroup",
            "java/lang/Thread",
        ] {
            self.initialize_now(name)?;
        }
        let thread = self.make_main_thread();
        let thread = self.lift(thread)?;
        let system_group = self.construct("java/lang/ThreadGroup", "()V", &[])?;
        let name = self.new_string("main");
        let name: Value = self.lift(name)?.into();
        let group_args = [system_group.into(), name];
        let group = self.construct(
            "java/lang/ThreadGroup",
            "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
            &group_args,
        )?;
        self.call(
            "java/lang/Thread",
            "<init>",
            "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
            &[thread.into(), group.into(), name],
        )?;
        self.initialize_now("java/lang/reflect/Method")?;
        self.call("java/lang/System", "initPhase1", "()V", &[])?;
        for level in [2, 3, 4] {
            self.call("jdk/internal/misc/VM", "initLevel", "(I)V", &[Value::Int(level)])?;
        }
        Ok(())
    }

    fn initialize_now(&mut self, name: &str) -> Result<(), Failure> {
        let class = self.load_str(name);
        let class = self.lift(class)?;
        match self.initialize(class) {
            Ok(()) => Ok(()),
            Err(Raise::Again) => {
                while !self.thread().frames.is_empty() {
                    self.run_slice(10_000)?;
                }
                Ok(())
            }
            Err(raise) => self.lift(Err(raise)),
        }
    }

    fn make_main_thread(&mut self) -> Exec<ObjRef> {
        let class = self.load_str("java/lang/Thread")?;
        let thread = self.new_instance(class)?;
        self.set_field_named(thread, "eetop", Value::Long(1))?;
        self.set_field_named(thread, "priority", Value::Int(5))?;
        self.set_field_named(thread, "threadStatus", Value::Int(crate::natives::STATUS_ALIVE))?;
        self.thread().object = Some(thread);
        Ok(thread)
    }

    fn construct(&mut self, class: &str, descriptor: &str, args: &[Value]) -> Result<ObjRef, Failure> {
        self.initialize_now(class)?;
        let loaded = self.load_str(class);
        let loaded = self.lift(loaded)?;
        let object = self.new_instance(loaded);
        let object = self.lift(object)?;
        let all: Vec<Value> = std::iter::once(object.into()).chain(args.iter().copied()).collect();
        self.call(class, "<init>", descriptor, &all)?;
        Ok(object)
    }

    fn call(&mut self, class: &str, name: &str, descriptor: &str, args: &[Value]) -> Result<(), Failure> {
        self.initialize_now(class)?;
        let method = self.method_named(class, name, descriptor);
        let method = self.lift(method)?;
        self.call_to_completion(method, args).map(|_| ())
    }

    /// Pushes `main`; the class is initialised first.
    fn start_main(&mut self, main_class: &str) -> Result<(), Failure> {
        let name = main_class.replace('.', "/");
        let class = self.load(ClassName::new(&name));
        let class = self.lift(class)?;
        let method = self.method_named(&name, "main", "([Ljava/lang/String;)V");
        let method = self.lift(method)?;
        let strings = self.load_str("[Ljava/lang/String;");
        let strings = self.lift(strings)?;
        let args = self.new_array(strings, 0);
        let args = self.lift(args)?;
        self.thread().phase = Phase::Main;
        self.start_root(method, vec![args.into()])?;
        match self.initialize(class) {
            Ok(()) | Err(Raise::Again) => Ok(()),
            Err(raise) => self.lift(Err(raise)),
        }
    }
}
