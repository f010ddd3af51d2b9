//! Walks that were made before all starts of threads were known are those that are made with all of them known; threads that are put
//! together execute what each of them does.

#![allow(clippy::unwrap_used)]

use selvedge_base::BitSet;
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits, analyze};
use selvedge_testkit::{JavacOptions, Sources, compile_with, jdk_or_skip};
use selvedge_world::{EntryRequest, Input, Options, Program};

use super::walk::{Walk, WalkGraph};
use super::{Origin, ThreadId, Threads};
use crate::heap_graph::HeapGraph;
use crate::view::View;

/// Threads that start threads, tasks that a library runs and that are cut off only when they are found, initialisers that start
/// threads and lead to further initialisers, and lambdas that one thread passes on and another runs.
const PROGRAM: &str = "
import java.util.*;
import java.util.concurrent.*;

public class Starting {
    static class Late {
        static final Thread INNER = new Thread(() -> Later.touch());
        static { INNER.start(); }
        static void touch() { }
    }
    static class Later {
        static int touched = List.of(1, 2).stream().mapToInt(it -> it + 1).sum();
        static void touch() { touched++; }
    }
    static class Worker extends Thread {
        final Runnable task;
        Worker(Runnable task) { this.task = task; }
        public void run() { task.run(); new Worker(() -> Late.touch()).start(); }
    }
    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Runnable task = () -> pool.submit(() -> Later.touch());
        pool.submit(task);
        new Worker(task).start();
        CompletableFuture.supplyAsync(() -> 1).thenApplyAsync(it -> it + 1).join();
        Arrays.asList(3, 1, 2).parallelStream().forEach(it -> Later.touched += it);
        new Timer().schedule(new TimerTask() { public void run() { task.run(); } }, 1);
        pool.shutdown();
    }
}
";

#[test]
fn early_walks_are_the_final_ones() {
    let Some(jdk) = jdk_or_skip() else { return };
    let sources = Sources::Texts(&[("Starting.java", PROGRAM)]);
    let classes = compile_with(&jdk, sources, &JavacOptions::default()).unwrap();
    let paths = vec![classes.path().to_path_buf()];
    let options = Options { paths, jdk: Some(jdk.home), ..Options::default() };
    let program = Program::load(Input::read(&options).unwrap());
    let points = program.entry_points(&EntryRequest::Main("Starting".to_owned())).unwrap();
    let entries = Entries::of_program(&program, &points);
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let policy = policy_named("adaptive").unwrap();
    let analysis = analyze(&program, &models, &entries, policy.as_ref(), Limits::default());
    let view = View::new(&analysis, &models, &entries);
    let threads = Threads::new(&view);
    let (heap, ways) = (HeapGraph::new(&analysis), WalkGraph::new(&view));
    assert!(threads.all.len() > 5, "the program has many threads");
    for (thread, reached) in threads.reached.iter_ids() {
        let mut walk = Walk::new(analysis.instances.len());
        threads.walk(&view, (&heap, &ways), thread, &mut walk, &mut |_, _| {});
        assert_eq!(walk.reached(), *reached, "{:?}", threads.all[thread].origin);
    }
}

/// Threads of so many classes, all of which one call starts.
fn started_by_one_call(classes: usize) -> String {
    let class = |number: usize| {
        format!("static class W{number} extends Thread {{ public void run() {{ last = {number}; }} }}\n")
    };
    let made = |number: usize| format!("new W{number}(), ");
    let (classes, made) =
        ((0..classes).map(class).collect::<String>(), (0..classes).map(made).collect::<String>());
    format!(
        "public class Many {{
            static int last;
            {classes}
            public static void main(String[] arguments) {{
                for (Thread it : new Thread[] {{ {made} }}) it.start();
            }}
        }}"
    )
}

/// How many threads the one call of such a program starts, and how many `run` methods they execute together.
fn threads_of_one_call(classes: usize) -> Option<(usize, usize)> {
    let jdk = jdk_or_skip()?;
    let text = started_by_one_call(classes);
    let sources = Sources::Texts(&[("Many.java", &text)]);
    let compiled = compile_with(&jdk, sources, &JavacOptions::default()).unwrap();
    let paths = vec![compiled.path().to_path_buf()];
    let options = Options { paths, jdk: Some(jdk.home), ..Options::default() };
    let program = Program::load(Input::read(&options).unwrap());
    let points = program.entry_points(&EntryRequest::Main("Many".to_owned())).unwrap();
    let entries = Entries::of_program(&program, &points);
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let policy = policy_named("adaptive").unwrap();
    let analysis = analyze(&program, &models, &entries, policy.as_ref(), Limits::default());
    let view = View::new(&analysis, &models, &entries);
    let threads = Threads::new(&view);
    let is_spawned = |thread: &ThreadId| matches!(threads.all[*thread].origin, Origin::Spawn { instance, .. } if view.is_application_instance(instance));
    let spawned: Vec<ThreadId> = threads.all.ids().filter(is_spawned).collect();
    let mut executed = BitSet::new();
    spawned.iter().for_each(|&thread| {
        executed.union_with(&threads.reached[thread]);
    });
    assert!(spawned.iter().all(|&thread| threads.all[thread].many));
    let runs = executed.iter().filter(|&instance| {
        let method = view.method_of(instance);
        view.is_application_instance(instance) && method.is_some_and(|it| program.methods[it].name.is("run"))
    });
    Some((spawned.len(), runs.count()))
}

#[test]
fn a_call_that_starts_very_many_methods_starts_one_thread_that_may_run_all() {
    let Some(few) = threads_of_one_call(10) else { return };
    assert_eq!(few, (10, 10), "they are distinguished by their methods");
    assert_eq!(threads_of_one_call(70), Some((1, 70)));
}
