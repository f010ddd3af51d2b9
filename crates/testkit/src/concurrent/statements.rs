//! What actors and `main` do: accesses to the data, and operations that synchronise.

use super::{Data, Generator, Means, Program, Statement};

const FRESH: &str = "D p = new D();";

impl Generator {
    pub(super) fn program(mut self) -> Program {
        let mut declarations = self.data_declarations();
        for means in self.means.clone() {
            declarations.extend(self.declare(means).into_iter().map(Statement::line));
        }
        let actors = (0..self.actors)
            .map(|actor| {
                let length = 2 + self.rng.below(3);
                self.sequence(Some(actor), length)
            })
            .collect();
        let go = self.go(&mut declarations);
        let rounds = 1 + usize::from(self.rng.one_in(6));
        Program { in_object: self.in_object, declarations, actors, go, rounds }
    }

    pub(super) fn local(&mut self, prefix: &str) -> String {
        self.locals += 1;
        format!("{prefix}{}", self.locals)
    }

    pub(super) fn choose<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.rng.below(from.len())].clone()
    }

    fn data_declarations(&mut self) -> Vec<Statement> {
        let declare = |data: &Data| match data {
            Data::Number => "OWN int n;",
            Data::Inner => "OWN final D d = new D();",
            Data::Reference => "OWN D e;",
            Data::Elements => "OWN final int[] a = new int[4];",
            Data::List => "OWN final List<Integer> list = new ArrayList<>();",
            Data::Map => "OWN final Map<Integer, Integer> map = new HashMap<>();",
        };
        self.data.iter().map(|data| Statement::line(declare(data))).collect()
    }

    /// The fields that a means of synchronisation needs.
    fn declare(&mut self, means: Means) -> Vec<String> {
        let parties = self.actors + self.rng.below(2);
        let count = [self.actors, self.actors, 1, self.actors - 1, 0][self.rng.below(5)];
        let fair = self.choose(&["", "", "true"]);
        let own = |text: String| vec![format!("OWN final {text}")];
        let volatile = |text: &str| vec![format!("OWN {text}")];
        match means {
            Means::Monitor => own("Object monitor = new Object();".into()),
            Means::WaitNotify => {
                vec!["OWN final Object waiting = new Object();".into(), "OWN boolean ready;".into()]
            }
            Means::Lock => vec![
                format!("OWN final ReentrantLock lock = new ReentrantLock({fair});"),
                "OWN void relock() { lock.unlock(); lock.lock(); }".into(),
            ],
            Means::ReadWriteLock => own("ReadWriteLock rw = new ReentrantReadWriteLock();".into()),
            Means::Stamped => own("StampedLock stamped = new StampedLock();".into()),
            Means::Condition => vec![
                "OWN final Lock guard = new ReentrantLock();".into(),
                "OWN final Condition changed = guard.newCondition();".into(),
                "OWN boolean open;".into(),
            ],
            Means::Latch => own(format!("CountDownLatch latch = new CountDownLatch({count});")),
            Means::Barrier => {
                let action = match self.rng.below(4) {
                    0 => format!(", () -> {{ {} }}", self.access_text()),
                    _ => String::new(),
                };
                own(format!("CyclicBarrier barrier = new CyclicBarrier({parties}{action});"))
            }
            Means::Phaser => own(format!("Phaser phaser = new Phaser({parties});")),
            Means::Semaphore => {
                let permits = self.choose(&[0, 0, 1, 1, 1, 2]);
                own(format!("Semaphore semaphore = new Semaphore({permits});"))
            }
            Means::Exchanger => own("Exchanger<D> exchanger = new Exchanger<>();".into()),
            Means::Queue => {
                let kind = self.choose(&[
                    "LinkedBlockingQueue<>()",
                    "ArrayBlockingQueue<>(2)",
                    "LinkedBlockingDeque<>()",
                    "LinkedTransferQueue<>()",
                ]);
                own(format!("BlockingQueue<D> queue = new {kind};"))
            }
            Means::Synchronous => own("SynchronousQueue<D> meeting = new SynchronousQueue<>();".into()),
            Means::Concurrent => {
                let kind = self.choose(&[
                    "Queue<D> box = new ConcurrentLinkedQueue<>();",
                    "Deque<D> box = new ConcurrentLinkedDeque<>();",
                    "Queue<D> box = new ArrayDeque<>();",
                ]);
                let mut all = own(kind.to_string());
                all.push("OWN final ConcurrentMap<Integer, D> table = new ConcurrentHashMap<>();".into());
                all
            }
            Means::Volatile => volatile("volatile boolean flag;"),
            Means::AtomicFlag => own("AtomicBoolean taken = new AtomicBoolean();".into()),
            Means::AtomicCounter => own("AtomicInteger counter = new AtomicInteger();".into()),
            Means::AtomicReference => own("AtomicReference<D> holder = new AtomicReference<>();".into()),
            Means::Handle => vec![
                "OWN int h;".into(),
                "OWN D g;".into(),
                "static final VarHandle H = handle(\"h\", int.class), G = handle(\"g\", D.class);".into(),
                self.handle_finder(),
            ],
            Means::Updater => vec![
                "static class U {\n        volatile int u;\n        int w;\n    }".into(),
                "OWN final U target = new U();".into(),
                "static final AtomicIntegerFieldUpdater<U> UPDATER = AtomicIntegerFieldUpdater.newUpdater(U.class, \"u\");"
                    .into(),
            ],
            Means::Local => own("ThreadLocal<D> mine = ThreadLocal.withInitial(D::new);".into()),
            Means::Promise => own("CompletableFuture<D> promise = new CompletableFuture<>();".into()),
            Means::Interrupt => volatile("volatile Thread worker;"),
            Means::Initializer => {
                let access = if self.in_object { "SEEN.x++;".to_owned() } else { self.access_text() };
                vec![
                    "static final D SEEN = new D();".into(),
                    format!("static class Init {{\n        static int z;\n        static {{ {access} }}\n    }}"),
                ]
            }
            Means::Handler => Vec::new(),
        }
    }

    fn handle_finder(&self) -> String {
        let find = if self.in_object { "findVarHandle" } else { "findStaticVarHandle" };
        format!(
            "static VarHandle handle(String name, Class<?> type) {{\n        try {{\n            \
             return MethodHandles.lookup().{find}(NAME.class, name, type);\n        \
             }} catch (ReflectiveOperationException e) {{\n            throw new Error(e);\n        }}\n    }}"
        )
    }

    /// So many statements of an actor, or of `main`.
    pub(super) fn sequence(&mut self, actor: Option<usize>, length: usize) -> Vec<Statement> {
        (0..length).map(|_| self.statement(actor, 2)).collect()
    }

    fn statement(&mut self, actor: Option<usize>, depth: usize) -> Statement {
        if self.means.is_empty() || depth == 0 || self.rng.below(5) < 2 {
            return self.access();
        }
        let means = self.choose(&self.means.clone());
        self.synchronise(means, actor, depth)
    }

    pub(super) fn access(&mut self) -> Statement {
        let text = self.access_text();
        match self.rng.below(8) {
            0 => Statement::block("for (int j = 0; j < 2; j++) {", vec![Statement::line(text)], "}"),
            _ => Statement::line(text),
        }
    }

    pub(super) fn access_text(&mut self) -> String {
        let data = self.choose(&self.data.clone());
        let index = self.rng.below(2);
        let texts: [String; 3] = match data {
            Data::Number => ["n++;".into(), "use(n);".into(), format!("n = {index};")],
            Data::Inner => ["d.x++;".into(), "use(d.x);".into(), format!("d.a[{index}]++;")],
            Data::Reference => {
                ["e = new D();".into(), "use(e == null ? 0 : e.x);".into(), "if (e != null) e.x++;".into()]
            }
            Data::Elements => [
                format!("a[{index}]++;"),
                format!("use(a[{index}]);"),
                "for (int k = 0; k < 4; k++) a[k]++;".into(),
            ],
            Data::List => ["list.add(1);".into(), "use(list.size());".into(), "list.clear();".into()],
            Data::Map => ["map.put(1, 2);".into(), "use(map.size());".into(), "map.remove(1);".into()],
        };
        self.choose(&texts)
    }

    /// One or two statements, for the inside of a block.
    pub(super) fn inside(&mut self, actor: Option<usize>, depth: usize) -> Vec<Statement> {
        (0..1 + self.rng.below(2)).map(|_| self.statement(actor, depth - 1)).collect()
    }

    /// What is done with an object that another thread may have, or have had.
    fn with_object(&mut self) -> String {
        self.choose(&["p.x++;", "use(p.x);", "p.a[0] = 1;"]).to_string()
    }

    /// An operation that synchronises, with what is done under its protection.
    fn synchronise(&mut self, means: Means, actor: Option<usize>, depth: usize) -> Statement {
        let line = |text: String| Statement::line(text);
        let block = |open: String, body: Vec<Statement>, close: String| Statement::block(open, body, close);
        let choice = self.rng.below(6);
        let is_main = actor.is_none();
        let held = |open: &str, body: Vec<Statement>, close: &str| {
            block(format!("{open} try {{"), body, format!("}} finally {{ {close} }}"))
        };
        match means {
            Means::Monitor => {
                let on = self.choose(&["monitor", "monitor", "monitor", "NAME.class"]);
                let inside = self.inside(actor, depth);
                block(format!("synchronized ({on}) {{"), inside, "}".into())
            }
            Means::WaitNotify if choice < 3 => {
                let mut body = self.inside(actor, depth);
                body.push(line("ready = true; waiting.notifyAll();".into()));
                block("synchronized (waiting) {".into(), body, "}".into())
            }
            Means::WaitNotify => {
                let wait = self.choose(&["while (!ready) waiting.wait();", "while (!ready) waiting.wait();", "if (!ready) waiting.wait(5);"]);
                let mut body = vec![line(wait.into())];
                body.extend(self.inside(actor, depth));
                block("synchronized (waiting) {".into(), body, "}".into())
            }
            Means::Lock => {
                let inside = self.inside(actor, depth);
                match choice {
                    0 => block("if (lock.tryLock()) try {".into(), inside, "} finally { lock.unlock(); }".into()),
                    1 => held("lock.lockInterruptibly();", inside, "lock.unlock();"),
                    2 if self.rng.one_in(2) => {
                        let mut inside = inside;
                        let again = self.choose(&["lock.unlock(); lock.lock();", "relock();"]);
                        inside.push(line(again.into()));
                        inside.push(self.access());
                        held("lock.lock();", inside, "lock.unlock();")
                    }
                    _ => held("lock.lock();", inside, "lock.unlock();"),
                }
            }
            Means::ReadWriteLock => {
                let inside = self.inside(actor, depth);
                let side = self.choose(&["readLock", "writeLock", "writeLock"]);
                held(&format!("rw.{side}().lock();"), inside, &format!("rw.{side}().unlock();"))
            }
            Means::Stamped => {
                let stamp = self.local("stamp");
                let inside = self.inside(actor, depth);
                match choice {
                    0 | 1 => held(&format!("long {stamp} = stamped.readLock();"), inside, &format!("stamped.unlockRead({stamp});")),
                    2 => block(
                        format!("long {stamp} = stamped.tryWriteLock(); if ({stamp} != 0) try {{"),
                        inside,
                        format!("}} finally {{ stamped.unlock({stamp}); }}"),
                    ),
                    _ => held(&format!("long {stamp} = stamped.writeLock();"), inside, &format!("stamped.unlockWrite({stamp});")),
                }
            }
            Means::Condition => {
                let mut body = match choice {
                    0 | 1 => vec![line("while (!open) changed.await();".into())],
                    2 => vec![line("if (!open) changed.awaitNanos(1000);".into())],
                    _ => Vec::new(),
                };
                body.extend(self.inside(actor, depth));
                if choice >= 3 {
                    body.push(line("open = true; changed.signalAll();".into()));
                }
                held("guard.lock();", body, "guard.unlock();")
            }
            Means::Latch => match (is_main, choice) {
                (true, 0..=3) | (false, 0) => line("latch.await();".into()),
                (_, 4) if is_main => {
                    block("if (latch.await(1, TimeUnit.MILLISECONDS)) {".into(), self.inside(actor, depth), "}".into())
                }
                (true, _) => block("if (latch.getCount() == 0) {".into(), self.inside(actor, depth), "}".into()),
                _ => line("latch.countDown();".into()),
            },
            Means::Barrier => match choice {
                0 => line("try { barrier.await(1, TimeUnit.MILLISECONDS); } catch (TimeoutException | BrokenBarrierException x) { }".into()),
                _ => line("barrier.await();".into()),
            },
            Means::Phaser => match (is_main, choice) {
                (_, 0) => line("phaser.arrive();".into()),
                (_, 1) => line("phaser.arriveAndDeregister();".into()),
                (_, 2) => line("phaser.awaitAdvance(0);".into()),
                (true, 3) => line("phaser.awaitAdvance(phaser.getPhase());".into()),
                _ => line("phaser.arriveAndAwaitAdvance();".into()),
            },
            Means::Semaphore => match choice {
                0 => line("semaphore.release();".into()),
                1 => line("semaphore.acquire();".into()),
                2 => block("if (semaphore.tryAcquire()) try {".into(), self.inside(actor, depth), "} finally { semaphore.release(); }".into()),
                3 => line(format!("semaphore.acquire({}); ", 1 + self.rng.below(2))),
                _ => held("semaphore.acquire();", self.inside(actor, depth), "semaphore.release();"),
            },
            Means::Exchanger => {
                let (before, after) = (self.with_object(), self.with_object());
                let exchange = match choice {
                    0 => "exchanger.exchange(p, 1, TimeUnit.MILLISECONDS)",
                    _ => "exchanger.exchange(p)",
                };
                let keep = self.choose(&["p = ", "p = ", "p = ", ""]);
                let body = [FRESH.into(), before, format!("{keep}{exchange};"), after];
                block("{".into(), body.into_iter().map(line).collect(), "}".into())
            }
            Means::Queue => self.queue(actor),
            Means::Synchronous => {
                let (before, after) = (self.with_object(), self.with_object());
                let body = match choice {
                    0..=2 => vec![FRESH.into(), before, "meeting.put(p);".into()],
                    3 => vec![FRESH.into(), before, "meeting.put(p);".into(), after],
                    _ => vec!["D p = meeting.take();".into(), after],
                };
                block("{".into(), body.into_iter().map(line).collect(), "}".into())
            }
            Means::Concurrent => {
                let (before, after) = (self.with_object(), self.with_object());
                let take = self.choose(&["box.poll()", "box.poll()", "box.peek()", "table.get(1)", "table.remove(1)"]);
                let give = self.choose(&["box.add(p);", "box.offer(p);", "table.put(1, p);", "table.putIfAbsent(1, p);"]);
                let body = match choice {
                    0..=2 => vec![FRESH.into(), before, give.into()],
                    3 => vec![FRESH.into(), before, give.into(), after],
                    4 => vec!["D p = table.computeIfAbsent(1, k -> new D());".into(), after],
                    _ => vec![format!("D p = {take};"), format!("if (p != null) {{ {after} }}")],
                };
                block("{".into(), body.into_iter().map(line).collect(), "}".into())
            }
            Means::Volatile => match choice {
                0 | 1 => line("flag = true;".into()),
                2 => line("while (!flag) Thread.yield();".into()),
                3 => block("if (!flag) {".into(), self.inside(actor, depth), "}".into()),
                _ => block("if (flag) {".into(), self.inside(actor, depth), "}".into()),
            },
            Means::AtomicFlag => match choice {
                0 => line("taken.set(true);".into()),
                1 => line("taken.set(false);".into()),
                2 => block("if (taken.get()) {".into(), self.inside(actor, depth), "}".into()),
                3 => block("if (taken.compareAndSet(false, true)) try {".into(), self.inside(actor, depth), "} finally { taken.set(false); }".into()),
                _ => block("if (taken.compareAndSet(false, true)) {".into(), self.inside(actor, depth), "}".into()),
            },
            Means::AtomicCounter => {
                let test = self.choose(&["counter.incrementAndGet() == 2", "counter.getAndIncrement() == 0", "counter.get() > 0", "counter.decrementAndGet() < 0"]);
                match choice {
                    0 | 1 => line("counter.incrementAndGet();".into()),
                    2 => line("for (int i = 0; i < 50 && counter.get() < 2; i++) Thread.yield();".into()),
                    _ => block(format!("if ({test}) {{"), self.inside(actor, depth), "}".into()),
                }
            }
            Means::AtomicReference => {
                let (before, after) = (self.with_object(), self.with_object());
                let set = self.choose(&["holder.set(p);", "holder.lazySet(p);", "holder.setRelease(p);", "holder.compareAndSet(null, p);", "holder.setPlain(p);"]);
                let get = self.choose(&["holder.get()", "holder.getAcquire()", "holder.getAndSet(null)", "holder.getPlain()"]);
                let body = match choice {
                    0..=1 => vec![FRESH.into(), before, set.into()],
                    2 => vec![FRESH.into(), before, set.into(), after],
                    _ => vec![format!("D p = {get};"), format!("if (p != null) {{ {after} }}")],
                };
                block("{".into(), body.into_iter().map(line).collect(), "}".into())
            }
            Means::Handle => self.handle(actor, depth),
            Means::Updater => match choice {
                0 => line("UPDATER.incrementAndGet(target);".into()),
                1 => line("target.w++; UPDATER.set(target, 1);".into()),
                2 => block("if (UPDATER.compareAndSet(target, 0, 1)) {".into(), self.inside(actor, depth), "}".into()),
                3 => line("if (target.u > 0) use(target.w);".into()),
                _ => block("if (UPDATER.get(target) > 0) {".into(), self.inside(actor, depth), "}".into()),
            },
            Means::Local => {
                let after = self.with_object();
                let body = match choice {
                    0 => vec!["D p = mine.get();".into(), "mine.remove();".into(), after],
                    1 => vec!["D p = new D(); mine.set(p);".into(), after],
                    _ => vec!["D p = mine.get();".into(), after],
                };
                block("{".into(), body.into_iter().map(line).collect(), "}".into())
            }
            Means::Promise => self.promise(),
            Means::Initializer => line(self.choose(&["use(Init.z);", "use(SEEN.x);", "SEEN.x++;", "use(Init.z); SEEN.x++;"]).into()),
            Means::Handler if is_main || choice == 0 => {
                let access = self.access_text();
                line(format!("Thread.setDefaultUncaughtExceptionHandler((t, x) -> {{ {access} }});"))
            }
            Means::Handler => line("if (Thread.currentThread().isDaemon() || System.nanoTime() != 0) throw new Error();".into()),
            Means::Interrupt => match choice {
                0 => line("worker = Thread.currentThread();".into()),
                1 => line("Thread w = worker; if (w != null) w.interrupt();".into()).into_block(),
                2 => block("if (Thread.interrupted()) {".into(), self.inside(actor, depth), "}".into()),
                3 => line("Thread.currentThread().interrupt();".into()),
                _ => line("try { Thread.sleep(1); } catch (InterruptedException x) { }".into()),
            },
        }
    }

    fn queue(&mut self, actor: Option<usize>) -> Statement {
        let (before, after) = (self.with_object(), self.with_object());
        let give = self.choose(&[
            "queue.put(p);",
            "queue.put(p);",
            "queue.offer(p);",
            "queue.addAll(List.of(p, p));",
            "queue.add(p);",
        ]);
        let take = self.choose(&[
            "queue.take()",
            "queue.take()",
            "queue.poll()",
            "queue.peek()",
            "queue.poll(1, TimeUnit.MILLISECONDS)",
        ]);
        let body: Vec<String> = match self.rng.below(7) {
            0..=2 => vec![FRESH.into(), before, give.into()],
            3 => vec![FRESH.into(), before, give.into(), after],
            4 if actor.is_none() => {
                vec![
                    "List<D> drained = new ArrayList<>();".into(),
                    "queue.drainTo(drained);".into(),
                    format!("for (D p : drained) {{ {after} }}"),
                ]
            }
            5 => vec![format!("for (D p : queue) {{ {after} }}")],
            _ => vec![format!("D p = {take};"), format!("if (p != null) {{ {after} }}")],
        };
        Statement::block("{", body.into_iter().map(Statement::line).collect(), "}")
    }

    fn handle(&mut self, actor: Option<usize>, depth: usize) -> Statement {
        let on = if self.in_object { "this, " } else { "" };
        let only = on.trim_end_matches(", ");
        let (before, after) = (self.with_object(), self.with_object());
        let set = self.choose(&["setVolatile", "setRelease", "setRelease", "setOpaque", "set"]);
        let get = self.choose(&["getVolatile", "getAcquire", "getAcquire", "getOpaque", "get"]);
        let lines =
            |body: Vec<String>| Statement::block("{", body.into_iter().map(Statement::line).collect(), "}");
        match self.rng.below(8) {
            0 => Statement::line(format!("H.{set}({on}1);")),
            1 => Statement::line(format!("H.getAndAdd({on}1);")),
            2 => {
                Statement::block(format!("if (H.compareAndSet({on}0, 1)) {{"), self.inside(actor, depth), "}")
            }
            3 => Statement::block(
                format!("if ((int) H.{get}({only}) == 1) {{"),
                self.inside(actor, depth),
                "}",
            ),
            4 => lines(vec![FRESH.into(), before, format!("G.{set}({on}p);")]),
            5 => lines(vec![FRESH.into(), before, format!("G.{set}({on}p);"), after]),
            6 => Statement::line(self.choose(&["use(h);", "h = 2;"])),
            _ => lines(vec![format!("D p = (D) G.{get}({only});"), format!("if (p != null) {{ {after} }}")]),
        }
    }

    fn promise(&mut self) -> Statement {
        let (before, after) = (self.with_object(), self.with_object());
        let access = self.access_text();
        let body: Vec<String> = match self.rng.below(10) {
            0..=2 => vec![FRESH.into(), before, "promise.complete(p);".into()],
            3 => vec![FRESH.into(), before, "promise.complete(p);".into(), after],
            4 => vec!["promise.cancel(true);".into()],
            5 => vec!["promise.completeOnTimeout(new D(), 1, TimeUnit.MILLISECONDS);".into()],
            6 => vec![format!("promise.thenAccept(p -> {{ {after} }});")],
            7 => vec![format!("promise.whenComplete((p, x) -> {{ {access} }});")],
            8 => vec!["D p = promise.getNow(null);".into(), format!("if (p != null) {{ {after} }}")],
            _ => vec!["D p = promise.get();".into(), after],
        };
        Statement::block("{", body.into_iter().map(Statement::line).collect(), "}")
    }
}

impl Statement {
    /// The statement with a scope of its own.
    fn into_block(self) -> Statement {
        Statement::block("{", vec![self], "}")
    }
}
