//! Small random programs as Java sources, many in one: objects that make, keep, hand over and lock each other, and threads.
//!
//! A program is a class `R7` with a static method `go` that starts the program's threads and waits for them. Its nodes have fields (one
//! of them volatile), an array, a list of the library's, a lock, and (except the last class) a node of their own that the constructor makes
//! and that most code leaves inside, beside objects that no one but their maker sees; some hand themselves to it, so that control comes back. Threads are started one by one and in
//! loops, and some are waited for.

use std::fmt::Write;

use selvedge_testkit::Rng;

const CLASSES: usize = 3;
const METHODS: usize = 3;
const VARIABLES: usize = 4;
/// Uses of a node's list. What two threads at once make of it may throw.
const LISTS: [&str; 2] = ["c.add(\"x\");\n", "c.size();\n"];

/// The seeds to test: so many, or what `SELVEDGE_RANDOM_PROGRAMS` says, a number, or a range as `400..440`.
pub fn seeds(usual: u64) -> std::ops::Range<u64> {
    let asked = std::env::var("SELVEDGE_RANDOM_PROGRAMS").unwrap_or_default();
    let number = |text: &str| text.parse::<u64>().ok();
    let range = asked.split_once("..").and_then(|(first, end)| Some(number(first)?..number(end)?));
    range.unwrap_or(0..number(&asked).unwrap_or(usual))
}

/// The programs of some seeds, and a class `Batch` that runs one after the other.
pub fn batch(seeds: std::ops::Range<u64>) -> Vec<(String, String)> {
    let mut sources = Vec::new();
    let mut main =
        String::from("public class Batch {\n    public static void main(String[] a) throws Exception {\n");
    for seed in seeds {
        let _ = writeln!(main, "        R{seed}.go();");
        sources.push((format!("R{seed}.java"), Generator { rng: Rng::new(seed) }.program(seed)));
    }
    main += "    }\n}\n";
    sources.push(("Batch.java".to_string(), main));
    sources
}

struct Generator {
    rng: Rng,
}

impl Generator {
    fn program(&mut self, seed: u64) -> String {
        let mut out = format!(
            "public class R{seed} {{\n    static N s0, s1;\n    static int n0, n1;\n    static final Object LOCK = new Object();\n"
        );
        out += "    static class L {\n        int k;\n        void hit() { k++; }\n    }\n";
        out += "    static int forks;\n    static synchronized boolean mayFork() { return forks++ < 6; }\n";
        let _ = writeln!(out, "    static N help(N v0, N v1, int d) {{\n{}    }}", self.body(false, 2));
        let _ = writeln!(
            out,
            "    static synchronized N guarded(N v0, N v1, int d) {{\n{}    }}",
            self.body(false, 2)
        );
        out += "    static abstract class N {\n        N f0, f1;\n        volatile N w;\n        final N[] a = new N[2];\n        \
                final java.util.ArrayList<String> c = new java.util.ArrayList<>();\n        final Object l = new Object();\n";
        for method in 0..METHODS {
            let _ = writeln!(out, "        abstract N m{method}(N v0, N v1, int d);");
        }
        out += "    }\n";
        for class in 0..CLASSES {
            self.class(class, &mut out);
        }
        for thread in 0..2 {
            let _ = write!(
                out,
                "    static class T{thread} extends Thread {{\n        final N g0, g1;\n        T{thread}(N x, N y) {{ g0 = x; g1 = y; }}\n        \
                 public void run() {{ work(g0, g1, 0); }}\n        N work(N v0, N v1, int d) {{\n{}        }}\n    }}\n",
                self.body(false, 3)
            );
        }
        out += "    static void go() throws Exception {\n        N v0 = new N0(), v1 = new N1(), v2 = new N0(), v3 = v0;\n        int d = 1;\n";
        for _ in 0..3 {
            out += &self.statement(false, 2);
        }
        out += "        Thread[] t = new Thread[3];\n        for (int i = 0; i < 3; i++) {\n";
        let (a, b, c) = (self.variable(), self.variable(), self.rng.below(2));
        let _ = writeln!(out, "            t[i] = new T{c}({a}, {b});\n            t[i].start();");
        if self.rng.one_in(2) {
            out += &self.statement(false, 1);
        }
        out += "        }\n";
        out += &self.statement(false, 1);
        out += "        for (Thread each : t) each.join();\n";
        out += &self.statement(false, 1);
        out + "    }\n}\n"
    }

    fn class(&mut self, class: usize, out: &mut String) {
        let last = class + 1 == CLASSES;
        let _ = writeln!(out, "    static class N{class} extends N {{");
        if !last {
            let own = class + 1 + self.rng.below(CLASSES - class - 1);
            let _ = writeln!(out, "        final N{own} own = new N{own}();");
        }
        for method in 0..METHODS {
            let modifier = if self.rng.one_in(3) { "synchronized " } else { "" };
            let body = self.body(!last, 2);
            let _ = writeln!(out, "        {modifier}N m{method}(N v0, N v1, int d) {{\n{body}        }}");
        }
        out.push_str("    }\n");
    }

    /// A body of a method with parameters `v0`, `v1` and `d`. In nodes `this` may be used, and `own` where there is one.
    fn body(&mut self, has_own: bool, depth: usize) -> String {
        let in_node = has_own || depth == 2;
        let mut out = String::new();
        for variable in 2..VARIABLES {
            let _ = writeln!(out, "N v{variable} = v{};", self.rng.below(2));
        }
        for _ in 0..2 + self.rng.below(3) {
            out += &match (in_node && has_own, self.rng.below(2)) {
                (true, 0) => self.own_statement(),
                _ => self.statement(has_own, depth),
            };
        }
        let _ = writeln!(out, "return {};", self.variable());
        out
    }

    fn variable(&mut self) -> String {
        format!("v{}", self.rng.below(VARIABLES))
    }

    /// A statement about what an object keeps for itself.
    fn own_statement(&mut self) -> String {
        let method = self.rng.below(METHODS);
        let field = self.rng.below(2);
        let (a, b) = (self.variable(), self.variable());
        let inner = match self.rng.below(9) {
            0 | 1 => format!("if (d < 3) own.m{method}(null, null, d + 1);\n"),
            2 => format!("if (d < 3) own.m{method}({a}, null, d + 1);\n"),
            3 => format!("own.f{field} = new N2();\n"),
            4 => format!("if (d < 3) own.m{method}(this, {a}, d + 1);\n"),
            5 => "try { own.c.add(\"x\"); } catch (RuntimeException e) { }\n".to_string(),
            6 => format!("own.a[{field}] = new N2();\n"),
            7 => format!("if (own.f{field} != null && d < 3) own.f{field}.m{method}(null, null, d + 1);\n"),
            _ => format!("if (d < 3) {a} = own.m{method}({b}, {a}, d + 1);\n"),
        };
        match self.rng.below(5) {
            0 => format!("synchronized (this) {{\n{inner}}}\n"),
            1 => format!("synchronized (l) {{\n{inner}}}\n"),
            2 => format!("synchronized (own) {{\n{inner}}}\n"),
            _ => inner,
        }
    }

    fn statement(&mut self, in_node: bool, depth: usize) -> String {
        let (a, b, c) = (self.variable(), self.variable(), self.variable());
        let (method, field, class) = (self.rng.below(METHODS), self.rng.below(2), self.rng.below(CLASSES));
        match self.rng.below(if depth == 0 { 23 } else { 27 }) {
            0 | 1 => format!("{a} = new N{class}();\n"),
            2 if in_node => format!("f{field} = {a};\n"),
            3 if in_node => format!("{a} = f{field};\n"),
            4 if in_node => format!("a[{field}] = {a};\n"),
            5 if in_node => format!("{a} = a[{field}];\n"),
            6 if in_node => format!("if (d < 3) {a} = m{method}({b}, {c}, d + 1);\n"),
            2 | 3 => format!("s{field} = {a};\n"),
            4..=6 => format!("{a} = s{field};\n"),
            7 => format!("if ({a} != null) {a}.f{field} = {b};\n"),
            8 => format!("if ({a} != null) {b} = {a}.f{field};\n"),
            9 => format!("if ({a} != null) {a}.a[{field}] = {b};\n"),
            10 => format!("if (d < 3) {a} = help({b}, {c}, d + 1);\n"),
            11 => format!("if (d < 2 && mayFork()) new T{}({a}, {b}).start();\n", self.rng.below(2)),
            12 | 13 => format!("if (d < 3 && {a} != null) {b} = {a}.m{method}({c}, {b}, d + 1);\n"),
            14 => format!("if (d < 3) {a} = guarded({b}, {c}, d + 1);\n"),
            15 if in_node => {
                format!("try {{ {} }} catch (RuntimeException e) {{ }}\n", LISTS[field].trim_end())
            }
            16 if in_node => format!("{a} = this;\n"),
            15 | 16 => format!(
                "if ({a} != null) try {{ {a}.{} }} catch (RuntimeException e) {{ }}\n",
                LISTS[field].trim_end()
            ),
            17 => format!("if ({a} != null) {a}.w = {b};\n"),
            18 => format!("if ({a} != null) {b} = {a}.w;\n"),
            19 => {
                let inner = self.statement(in_node, depth.saturating_sub(1));
                // Another such statement may be inside.
                let x = format!("x{}", inner.matches(".join();").count());
                format!(
                    "if (d < 1 && mayFork()) {{ T{class} {x} = new T{class}({a}, {b}); {x}.start(); {inner} \
                     try {{ {x}.join(); }} catch (InterruptedException e) {{ }} }}\n",
                    class = class % 2,
                )
            }
            20 => format!("n{field}++;\n"),
            21 => format!("if ({a} != null) {b} = {a}.a[{field}];\n"),
            22 => "new L().hit();\n".to_string(),
            23 => {
                format!("if ({a} != null) synchronized ({a}) {{\n{}}}\n", self.statement(in_node, depth - 1))
            }
            24 => format!("synchronized (LOCK) {{\n{}}}\n", self.statement(in_node, depth - 1)),
            25 if in_node => format!("synchronized (this) {{\n{}}}\n", self.statement(in_node, depth - 1)),
            _ => {
                let variable = format!("i{depth}");
                format!(
                    "for (int {variable} = 0; {variable} < 2; {variable}++) {{\n{}}}\n",
                    self.statement(in_node, depth - 1)
                )
            }
        }
    }
}
