//! What a program must not notice of the hooks: names that look like theirs, references that they hold, locks that they leave behind, many threads.
#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

use selvedge_testkit::{JavacOptions, Launcher, compile, jvms_or_skip};

fn run(launcher: &Launcher, detector: &str, name: &str, source: &str) -> Output {
    let options = JavacOptions { release: Some(17), ..JavacOptions::default() };
    let classes = compile(&[(&format!("{name}.java"), source)], &options).unwrap();
    Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(["run", "--detector", detector, "--exit-status", "0", "--"])
        .arg(&launcher.java)
        .args(["-XX:+UseSerialGC", "-cp"])
        .arg(classes.path())
        .arg(name)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Fields and methods that are named like those that are added, of other types.
const CLASH: &str = "public class Clash {
    static class A {
        long $selvedgeL = 0x4141414141414141L;
        int $selvedgeV;
        long $selvedgeR$x, $selvedgeW$x, $selvedgeS$x;
        int x;
        static void $selvedgeRead$x(Object object, Object me, int site) { throw new Error(); }
        public void $selvedgeFresh() { throw new Error(); }
    }
    static class B extends A implements Cloneable {
        int y;
        public B clone() throws CloneNotSupportedException { return (B) super.clone(); }
    }
    static class C {
        int $selvedgeL = 5;
        volatile int v;
    }
    static class T extends Thread {
        int $selvedge = 7;
        public void run() { $selvedge++; }
    }
    public static void main(String[] arguments) throws Exception {
        B b = new B();
        C c = new C();
        T own = new T();
        own.start();
        Runnable work = () -> {
            for (int i = 0; i < 2000; i++) {
                synchronized (b) {
                    b.x++;
                    b.y++;
                    b.$selvedgeV++;
                    b.$selvedgeR$x += 2;
                }
                synchronized (c) {
                    c.$selvedgeL++;
                    c.v++;
                }
            }
        };
        Thread first = new Thread(work), second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        own.join();
        B d = b.clone();
        System.out.println(b.x + \" \" + d.y + \" \" + Long.toHexString(b.$selvedgeL) + \" \" + b.$selvedgeR$x + \" \" + c.$selvedgeL
            + \" \" + c.v + \" \" + own.$selvedge);
        Thread racy = new Thread(() -> b.x = 1);
        racy.start();
        b.x = 2;
        racy.join();
    }
}";

#[test]
fn members_may_be_named_like_those_that_are_added() {
    for launcher in jvms_or_skip() {
        let output = run(&launcher, "hb", "Clash", CLASH);
        let said = text(&output.stderr);
        let jdk = launcher.feature_version;
        assert_eq!(
            text(&output.stdout),
            "4000 4000 4141414141414141 8000 4005 4000 8\n",
            "JDK {jdk}: {said}"
        );
        assert_eq!(said.matches("race on").count(), 1, "JDK {jdk}: {said}");
        assert!(said.contains("Clash$A.x"), "JDK {jdk}: {said}");
    }
}

/// What nobody holds any more is gone after a collection, also if a thread that has used it waits or goes on.
const WEAK: &str = "import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;

public class Weak {
    static class P {
        int f;
        volatile int v;
        synchronized void use() {
            f++;
            v++;
        }
    }
    static void check(String name, WeakReference<Object> reference) {
        System.gc();
        if (reference.get() != null) System.out.println(name + \" is alive\");
    }
    static WeakReference<Object> array() {
        int[] array = new int[100];
        for (int i = 0; i < 100; i++) array[i] += i;
        return new WeakReference<>(array);
    }
    static WeakReference<Object> list() {
        List<Integer> list = new ArrayList<>();
        list.add(1);
        list.get(0);
        return new WeakReference<>(list);
    }
    static WeakReference<Object> lock() {
        Object lock = new Object();
        synchronized (lock) {
            lock.hashCode();
        }
        return new WeakReference<>(lock);
    }
    static WeakReference<Object> plain() {
        P p = new P();
        p.use();
        return new WeakReference<>(p);
    }
    static WeakReference<Object> atomic() {
        AtomicIntegerArray array = new AtomicIntegerArray(10);
        array.incrementAndGet(3);
        return new WeakReference<>(array);
    }
    static List<WeakReference<Object>> all() {
        return List.of(array(), list(), lock(), plain(), atomic());
    }
    public static void main(String[] arguments) throws Exception {
        CountDownLatch made = new CountDownLatch(1), end = new CountDownLatch(1);
        List<WeakReference<Object>> others = new ArrayList<>();
        Thread thread = new Thread(() -> {
            others.addAll(all());
            made.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new RuntimeException(e);
            }
        });
        thread.start();
        made.await();
        for (int i = 0; i < others.size(); i++) check(\"another thread's \" + i, others.get(i));
        List<WeakReference<Object>> own = all();
        for (int i = 0; i < own.size(); i++) check(\"own \" + i, own.get(i));
        int[] local = new int[10];
        local[3] = 4;
        local[4]++;
        WeakReference<Object> reference = new WeakReference<>(local);
        local = null;
        check(\"local\", reference);
        end.countDown();
        thread.join();
    }
}";

#[test]
fn no_object_is_kept_alive() {
    for launcher in jvms_or_skip() {
        for detector in ["hb", "both"] {
            let output = run(&launcher, detector, "Weak", WEAK);
            let said = text(&output.stderr);
            assert_eq!(text(&output.stdout), "", "JDK {}, {detector}: {said}", launcher.feature_version);
        }
    }
}

/// A wait for a condition gives the lock back and takes it again.
const AWAIT: &str = "import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class Await {
    static int inside, after, afterPool;
    public static void main(String[] arguments) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        lock.lock();
        condition.await(1, TimeUnit.MILLISECONDS);
        condition.awaitNanos(1000);
        Thread first = new Thread(() -> inside = 1);
        first.start();
        inside = 2;
        if (!lock.isHeldByCurrentThread()) throw new Error();
        lock.unlock();
        first.join();
        Thread second = new Thread(() -> after = 1);
        second.start();
        after = 2;
        if (lock.isHeldByCurrentThread()) throw new Error();
        second.join();
        ExecutorService pool = Executors.newFixedThreadPool(1);
        pool.submit(() -> { });
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.SECONDS);
        Thread third = new Thread(() -> afterPool = 1);
        third.start();
        afterPool = 2;
        third.join();
    }
}";

/// The locks that are reported are those that `isHeldByCurrentThread` says.
#[test]
fn no_lock_is_held_after_a_wait_for_a_condition() {
    for launcher in jvms_or_skip() {
        let said = text(&run(&launcher, "hb", "Await", AWAIT).stderr);
        let jdk = launcher.feature_version;
        let findings: Vec<&str> = said.split("race on static Await.").skip(1).collect();
        assert_eq!(findings.len(), 3, "JDK {jdk}: {said}");
        for finding in findings {
            let holding = finding.matches("holding java.util.concurrent.locks.ReentrantLock").count();
            assert_eq!(holding, usize::from(finding.starts_with("inside")), "JDK {jdk}: {said}");
        }
    }
}

/// More threads at a time than a machine word has bits: what is ordered is not reported, what is not is.
const MANY: &str = "import java.util.concurrent.CyclicBarrier;

public class Many {
    static int ordered, racy;
    public static void main(String[] arguments) throws Exception {
        int count = 150;
        Thread[] threads = new Thread[count];
        CyclicBarrier barrier = new CyclicBarrier(count);
        Object lock = new Object();
        for (int i = 0; i < count; i++) {
            int number = i;
            threads[i] = new Thread(() -> {
                try {
                    barrier.await();
                } catch (Exception e) {
                    throw new RuntimeException(e);
                }
                for (int j = 0; j < 100; j++) {
                    synchronized (lock) {
                        ordered++;
                    }
                }
                if (number == 100) racy = 1;
                if (number == 120) racy = 2;
            });
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        System.out.println(ordered);
    }
}";

#[test]
fn many_threads_are_ordered_as_few_are() {
    for launcher in jvms_or_skip() {
        let mut said = String::new();
        // The two writes may be ordered by chance, by the lock.
        for _ in 0..5 {
            let output = run(&launcher, "hb", "Many", MANY);
            said = text(&output.stderr);
            assert_eq!(text(&output.stdout), "15000\n", "JDK {}: {said}", launcher.feature_version);
            assert!(!said.contains("Many.ordered"), "JDK {}: {said}", launcher.feature_version);
            if said.contains("Many.racy") {
                break;
            }
        }
        assert!(said.contains("Many.racy"), "JDK {}: {said}", launcher.feature_version);
    }
}
