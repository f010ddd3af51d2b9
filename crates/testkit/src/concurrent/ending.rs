//! What `go` does: starts the actors, goes on, waits for them, goes on.

use super::{Data, Generator, Means, STARTS, Start, Statement};

/// Collections of the program's own: they keep not everything, do not show everything, or are as good as the library's.
const BAGS: [&str; 3] = [
    "static class Bag<T> extends ArrayList<T> {\n        public boolean add(T item) { return size() == 0 && super.add(item); }\n    }",
    "static class Bag<T> extends ArrayList<T> {\n        public Iterator<T> iterator() { return subList(1, size()).iterator(); }\n    }",
    "static class Bag<T> extends ArrayList<T> {\n        public boolean add(T item) { return super.add(item); }\n    }",
];

impl Generator {
    pub(super) fn go(&mut self, declarations: &mut Vec<Statement>) -> Vec<Statement> {
        let mut go = Vec::new();
        if self.rng.one_in(2) {
            go.push(self.access());
        }
        let start = self.choose(&STARTS);
        self.start(start, &mut go, declarations);
        let length = self.rng.below(2);
        let meanwhile = self.sequence(None, length);
        go.extend(meanwhile);
        self.wait(start, &mut go);
        for _ in 0..1 + self.rng.below(2) {
            go.push(self.access());
        }
        if matches!(start, Start::Pool | Start::PoolLoop | Start::InvokeAll) {
            go.push(Statement::line("pool.shutdown();"));
        }
        go
    }

    /// A task that runs an actor.
    fn task(&mut self, actor: usize) -> String {
        let receiver = if self.in_object { "this" } else { "NAME" };
        match self.rng.below(3) {
            0 => format!("{receiver}::act{actor}"),
            _ => format!("() -> act{actor}()"),
        }
    }

    fn start(&mut self, start: Start, go: &mut Vec<Statement>, declarations: &mut Vec<Statement>) {
        let mut add = |text: String| go.push(Statement::line(text));
        let pool = self.choose(&[
            "Executors.newFixedThreadPool(2)",
            "Executors.newCachedThreadPool()",
            "Executors.newSingleThreadExecutor()",
            "Executors.newScheduledThreadPool(2)",
            "new ThreadPoolExecutor(1, 2, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>())",
        ]);
        match start {
            Start::Pool | Start::PoolLoop | Start::InvokeAll => {
                let ty =
                    if pool.contains("Scheduled") { "ScheduledExecutorService" } else { "ExecutorService" };
                add(format!("{ty} pool = {pool};"));
            }
            Start::Subclasses => {
                let own = if self.in_object { "" } else { "static " };
                for actor in 0..self.actors {
                    declarations.push(Statement::line(format!(
                        "{own}class T{actor} extends Thread {{\n        public void run() {{ act{actor}(); }}\n    }}"
                    )));
                }
            }
            _ => {}
        }
        let is_looped = matches!(start, Start::ThreadLoop | Start::PoolLoop);
        if is_looped {
            return self.start_loop(start, go, declarations);
        }
        let mut later = Vec::new();
        for actor in 0..self.actors {
            let task = self.task(actor);
            match start {
                Start::Threads => {
                    add(format!("Thread t{actor} = new Thread({task});"));
                    later.push(format!("t{actor}.start();"));
                }
                Start::Subclasses => {
                    add(format!("Thread t{actor} = new T{actor}();"));
                    later.push(format!("t{actor}.start();"));
                }
                Start::Pool => match self.rng.below(5) {
                    0 => later.push(format!("pool.execute({task}); Future<?> f{actor} = CompletableFuture.completedFuture(1);")),
                    1 if pool.contains("Scheduled") => {
                        later.push(format!("Future<?> f{actor} = pool.schedule(() -> act{actor}(), 1, TimeUnit.MILLISECONDS);"));
                    }
                    2 => later.push(format!("Future<?> f{actor} = pool.submit(() -> {{ act{actor}(); return 1; }});")),
                    _ => later.push(format!("Future<?> f{actor} = pool.submit(() -> act{actor}());")),
                },
                Start::Futures => match self.rng.below(4) {
                    0 if actor > 0 => later.push(format!("CompletableFuture<?> f{actor} = f{}.thenRun({task});", actor - 1)),
                    1 if actor > 0 => later.push(format!("CompletableFuture<?> f{actor} = f{}.thenRunAsync({task});", actor - 1)),
                    2 => later.push(format!("CompletableFuture<?> f{actor} = CompletableFuture.supplyAsync(() -> {{ act{actor}(); return 1; }});")),
                    _ => later.push(format!("CompletableFuture<?> f{actor} = CompletableFuture.runAsync({task});")),
                },
                Start::FutureTasks => {
                    add(format!("FutureTask<Integer> f{actor} = new FutureTask<>(() -> {{ act{actor}(); return 1; }});"));
                    later.push(format!("new Thread(f{actor}).start();"));
                }
                Start::ForkJoin => {
                    later.push(format!("ForkJoinTask<?> f{actor} = ForkJoinPool.commonPool().submit(() -> act{actor}());"));
                }
                Start::InvokeAll => {
                    if actor == 0 {
                        later.push("List<Callable<Integer>> tasks = new ArrayList<>();".into());
                    }
                    later.push(format!("tasks.add(() -> {{ act{actor}(); return 1; }});"));
                }
                Start::Parallel => {}
                Start::ThreadLoop | Start::PoolLoop => {}
            }
        }
        let between = self.rng.below(later.len() + 3);
        for (number, text) in later.into_iter().enumerate() {
            if number == between {
                let access = self.access();
                go.push(access);
            }
            go.push(Statement::line(text));
        }
    }

    /// Tasks in a collection: each is the same actor, or they take turns.
    fn start_loop(&mut self, start: Start, go: &mut Vec<Statement>, declarations: &mut Vec<Statement>) {
        let count = 2 + self.rng.below(2);
        let mut acts = vec!["act0();", "act0();", "if (number % 2 == 0) act0(); else act1();"];
        if self.data.contains(&Data::Elements) {
            acts.extend([
                "a[number]++;",
                "a[number & 1]++;",
                "a[(number + 1) % 3] = number;",
                "for (int k = number; k < 4; k += 2) a[k]++;",
            ]);
        }
        let act = self.choose(&acts);
        let kind = self.choose(&[
            "ArrayList<>()",
            "ArrayList<>()",
            "LinkedList<>()",
            "HashSet<>()",
            "ArrayDeque<>()",
            "CopyOnWriteArrayList<>()",
            "Bag<>()",
        ]);
        if kind.starts_with("Bag") {
            declarations.push(Statement::line(self.choose(&BAGS)));
        }
        let element = if start == Start::ThreadLoop { "Thread" } else { "Future<?>" };
        let is_array = start == Start::ThreadLoop && self.rng.one_in(3);
        go.push(Statement::line(match is_array {
            true => format!("Thread[] all = new Thread[{count}];"),
            false => format!("Collection<{element}> all = new {kind};"),
        }));
        let make = match (start, is_array) {
            (Start::ThreadLoop, true) => format!("all[i] = new Thread(() -> {{ {act} }}); all[i].start();"),
            (Start::ThreadLoop, false) => {
                format!("Thread t = new Thread(() -> {{ {act} }}); all.add(t); t.start();")
            }
            _ => format!("all.add(pool.submit(() -> {{ {act} }}));"),
        };
        let mut body = vec![Statement::line("int number = i;"), Statement::line(make)];
        if self.rng.one_in(5) {
            body.push(self.access());
        }
        go.push(Statement::block(format!("for (int i = 0; i < {count}; i++) {{"), body, "}"));
        if !is_array && self.rng.one_in(3) {
            let shrink = self.choose(&[
                "all.remove(all.iterator().next());",
                "all.clear();",
                "all.removeIf(each -> each.hashCode() % 2 == 0);",
                "all = new ArrayList<>(all).subList(1, 2);",
                "Iterator<?> it = all.iterator(); it.next(); it.remove();",
            ]);
            go.push(Statement::line(shrink));
        }
    }

    /// Waits for actors, mostly for all.
    fn wait(&mut self, start: Start, go: &mut Vec<Statement>) {
        if self.rng.one_in(8) {
            return;
        }
        let guard = |inner: String| format!("try {{ {inner} }} catch (Exception x) {{ }}");
        if self.means.contains(&Means::Interrupt) && self.rng.one_in(2) {
            go.push(Statement::line("Thread.currentThread().interrupt();"));
        }
        match start {
            Start::Threads | Start::Subclasses => {
                for actor in 0..self.actors {
                    match self.rng.below(10) {
                        0 => {}
                        1 => go.push(Statement::line(format!("t{actor}.join(1);"))),
                        2 => go.push(Statement::line(format!("while (t{actor}.isAlive()) Thread.yield();"))),
                        3 => go.push(Statement::line(guard(format!("t{actor}.join();")))),
                        _ => go.push(Statement::line(format!("t{actor}.join();"))),
                    }
                }
            }
            Start::ThreadLoop => {
                let join = self.choose(&[
                    "t.join();",
                    "t.join();",
                    "t.join();",
                    "t.join(1);",
                    "if (t.isAlive()) t.join();",
                    "while (t.isAlive()) t.join();",
                ]);
                let each =
                    self.choose(&["for (Thread t : all)", "for (Thread t : all)", "for (Thread t : all)"]);
                go.push(Statement::line(format!("{each} {join}")));
            }
            Start::PoolLoop if self.rng.below(4) < 3 => {
                let get = self.choose(&[
                    "f.get();",
                    "f.get();",
                    "f.get();",
                    "f.get(1, TimeUnit.MILLISECONDS);",
                    "f.cancel(false);",
                    "while (!f.isDone()) Thread.yield();",
                ]);
                go.push(Statement::line(format!("for (Future<?> f : all) {}", guard(get.to_owned()))));
            }
            Start::PoolLoop => self.end_pool(go),
            Start::Pool if self.rng.one_in(3) => self.end_pool(go),
            Start::InvokeAll => {
                let call = self.choose(&[
                    "pool.invokeAll(tasks);",
                    "pool.invokeAll(tasks);",
                    "for (Future<Integer> f : pool.invokeAll(tasks)) f.get();",
                    "pool.invokeAny(tasks);",
                    "pool.invokeAll(tasks, 1, TimeUnit.MILLISECONDS);",
                ]);
                go.push(Statement::line(call));
            }
            Start::Parallel => {
                let act = "number -> { if (number == 0) act0(); else act1(); }";
                go.push(Statement::line(format!("IntStream.range(0, 2).parallel().forEach({act});")));
            }
            Start::Futures | Start::Pool | Start::FutureTasks | Start::ForkJoin => {
                self.get_futures(start, go)
            }
        }
    }

    fn end_pool(&mut self, go: &mut Vec<Statement>) {
        let wait = self.choose(&[
            "pool.shutdown(); pool.awaitTermination(1, TimeUnit.SECONDS);",
            "pool.shutdown(); while (!pool.awaitTermination(1, TimeUnit.SECONDS)) { }",
            "pool.shutdown(); while (!pool.isTerminated()) Thread.yield();",
            "pool.shutdownNow(); pool.awaitTermination(1, TimeUnit.SECONDS);",
            "pool.shutdown();",
        ]);
        go.push(Statement::line(wait));
    }

    fn get_futures(&mut self, start: Start, go: &mut Vec<Statement>) {
        let guard = |inner: String| format!("try {{ {inner} }} catch (Exception x) {{ }}");
        let names: Vec<String> = (0..self.actors).map(|actor| format!("f{actor}")).collect();
        if start == Start::Futures && self.rng.one_in(4) {
            let how = self.choose(&["allOf", "allOf", "anyOf"]);
            return go.push(Statement::line(guard(format!(
                "CompletableFuture.{how}({}).join();",
                names.join(", ")
            ))));
        }
        for name in names {
            let text = match (self.rng.below(12), start) {
                (0, _) => continue,
                (1, _) => guard(format!("{name}.get(1, TimeUnit.MILLISECONDS);")),
                (2, _) => format!("while (!{name}.isDone()) Thread.yield();"),
                (3, _) => format!("{name}.cancel(true); {}", guard(format!("{name}.get();"))),
                (4, Start::Futures) => format!("{name}.complete(null); {name}.join();"),
                (5, Start::Futures) => {
                    format!("{name}.completeOnTimeout(null, 1, TimeUnit.MILLISECONDS).join();")
                }
                (6, Start::Futures) => guard(format!("{name}.orTimeout(1, TimeUnit.MILLISECONDS).join();")),
                (7, Start::Futures) => format!("{name}.thenRun(() -> {{ {} }});", self.access_text()),
                (8, Start::Futures) => format!("{name}.handle((v, x) -> 1).join();"),
                (4, Start::ForkJoin) => format!("{name}.complete(null); {name}.join();"),
                (5 | 6, Start::ForkJoin) => guard(format!("{name}.join();")),
                (4, Start::FutureTasks) => format!("{name}.run();"),
                (7, _) => guard(format!("{name}.get();")),
                _ => format!("{name}.get();"),
            };
            go.push(Statement::line(text));
        }
    }
}
