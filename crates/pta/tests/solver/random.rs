//! Small random programs as Java sources.
//!
//! A program has a few classes in a hierarchy, all implementing one interface, with methods whose bodies are random
//! statements over variables of type `Object`: every cast is allowed, and what it lets through is for the analysis to say.
//! Programs need not end when run; they are never run.

use std::fmt::Write;

use selvedge_testkit::{Jdk, Rng, Sources};

use crate::mini::Corpus;

/// Programs of the seeds below `count`, each in a package of its own.
pub fn corpus(jdk: &Jdk, count: u64) -> Corpus {
    let texts: Vec<(String, String)> = (0..count)
        .map(|seed| (format!("r{seed}/Main.java"), Generator::new(seed).program(&format!("r{seed}"))))
        .collect();
    let sources: Vec<(&str, &str)> =
        texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    Corpus::load(jdk, Sources::Texts(&sources), (0..count).map(|seed| format!("r{seed}.Main")).collect())
}

/// Variables of each method.
const VARIABLES: usize = 5;

struct Generator {
    rng: Rng,
    classes: usize,
    /// Methods of every class, and the same number of static ones of `Main`.
    methods: usize,
    /// A number for each name that must be new.
    fresh: usize,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let (classes, methods) = (2 + rng.below(4), 1 + rng.below(3));
        Self { rng, classes, methods, fresh: 0 }
    }

    fn program(mut self, package: &str) -> String {
        let mut out = format!("package {package};\n\nimport java.util.*;\nimport java.util.function.*;\n\n");
        out += "@SuppressWarnings(\"unchecked\")\npublic class Main {\n";
        out += "    static Object s0, s1;\n    static boolean flip;\n";
        for method in 0..self.methods {
            let body = self.body();
            let _ = write!(out, "    static Object t{method}(Object v0, Object v1) {{\n{body}    }}\n");
        }
        let body = self.body();
        let _ = write!(
            out,
            "    public static void main(String[] a) {{\n        start(new C0(), new C1());\n    }}\n    \
             static Object start(Object v0, Object v1) {{\n{body}    }}\n}}\n"
        );
        out += "interface I {\n";
        for method in 0..self.methods {
            let _ = writeln!(out, "    Object m{method}(Object v0, Object v1);");
        }
        out += "}\n";
        for class in 0..self.classes {
            self.class(class, &mut out);
        }
        out
    }

    fn class(&mut self, class: usize, out: &mut String) {
        // Exceptions are classes too, so that some objects can be thrown.
        let superclass = match class {
            0 => "Object".to_owned(),
            1 => "RuntimeException".to_owned(),
            _ => format!("C{}", self.rng.below(class)),
        };
        let _ = write!(out, "class C{class} extends {superclass} implements I {{\n    Object f0, f1;\n");
        if self.rng.one_in(3) {
            let _ = writeln!(out, "    static Object made = new C{}();", self.rng.below(self.classes));
        }
        for method in 0..self.methods {
            // Root classes have every method, the others override some.
            if class < 2 || self.rng.one_in(2) {
                let body = self.body();
                let _ = write!(out, "    public Object m{method}(Object v0, Object v1) {{\n{body}    }}\n");
            }
        }
        out.push_str("}\n");
    }

    fn body(&mut self) -> String {
        let mut out = String::new();
        for variable in 2..VARIABLES {
            let initial = self.expression();
            // Expressions only use variables that are assigned already.
            let initial =
                (variable..VARIABLES).fold(initial, |text, later| text.replace(&format!("v{later}"), "v0"));
            let _ = writeln!(out, "        Object v{variable} = {initial};");
        }
        for _ in 0..2 + self.rng.below(6) {
            self.statement(2, &mut out);
        }
        let _ = writeln!(out, "        return {};", self.variable());
        out
    }

    fn variable(&mut self) -> String {
        format!("v{}", self.rng.below(VARIABLES))
    }

    fn class_name(&mut self) -> String {
        format!("C{}", self.rng.below(self.classes))
    }

    fn expression(&mut self) -> String {
        let (a, b, c) = (self.variable(), self.variable(), self.variable());
        let class = self.class_name();
        let (method, field) = (self.rng.below(self.methods), self.rng.below(2));
        match self.rng.below(16) {
            0..3 => format!("new {class}()"),
            3 => a,
            4 => format!("({class}) {a}"),
            5 | 6 => format!("(({class}) {a}).f{field}"),
            7 => format!("Main.s{field}"),
            8 => format!("(({class}) {a}).m{method}({b}, {c})"),
            9 => format!("((I) {a}).m{method}({b}, {c})"),
            10 => format!("Main.t{method}({a}, {b})"),
            11 => format!("new Object[] {{ {a}, {b} }}"),
            12 => format!("((Object[]) {a})[0]"),
            13 => "new ArrayList<Object>()".to_owned(),
            14 => format!("((List<Object>) {a}).get(0)"),
            _ => format!("((Supplier<Object>) {a}).get()"),
        }
    }

    /// Writes a statement; `depth` is how deep statements in it may be nested.
    fn statement(&mut self, depth: usize, out: &mut String) {
        let (a, b, c) = (self.variable(), self.variable(), self.variable());
        let class = self.class_name();
        let (method, field) = (self.rng.below(self.methods), self.rng.below(2));
        self.fresh += 1;
        let fresh = self.fresh;
        match self.rng.below(18) {
            0..5 => {
                let value = self.expression();
                let _ = writeln!(out, "        {a} = {value};");
            }
            5 | 6 => {
                let _ = writeln!(out, "        (({class}) {a}).f{field} = {b};");
            }
            7 => {
                let _ = writeln!(out, "        Main.s{field} = {a};");
            }
            8 => {
                let _ = writeln!(out, "        ((Object[]) {a})[1] = {b};");
            }
            9 => {
                let _ = writeln!(out, "        System.arraycopy({a}, 0, {b}, 0, 1);");
            }
            10 => {
                let _ = writeln!(out, "        ((List<Object>) {a}).add({b});");
            }
            11 => {
                let _ = writeln!(
                    out,
                    "        {{ Object x{fresh} = {a}; Object y{fresh} = {b};\n          \
                     {c} = (Supplier<Object>) () -> ((I) x{fresh}).m{method}(x{fresh}, y{fresh}); }}"
                );
            }
            12 => {
                let reference = match self.rng.below(3) {
                    0 => format!("(Supplier<Object>) {class}::new"),
                    1 => format!("(Supplier<Object>) ((List<Object>) {b}).iterator()::next"),
                    _ => format!("(BiFunction<Object, Object, Object>) Main::t{method}"),
                };
                let _ = writeln!(out, "        {a} = {reference};");
            }
            13 => {
                let _ = writeln!(
                    out,
                    "        {a} = ((BiFunction<Object, Object, Object>) {a}).apply({b}, {c});"
                );
            }
            14 => {
                let _ = writeln!(out, "        if (Main.flip) throw (C1) {a};");
            }
            15 if depth > 0 => {
                out.push_str("        try {\n");
                self.statement(depth - 1, out);
                let _ = writeln!(out, "        }} catch (C1 caught{fresh}) {{\n        {a} = caught{fresh};");
                self.statement(depth - 1, out);
                out.push_str("        }\n");
            }
            16 if depth > 0 => {
                out.push_str("        while (Main.flip) {\n");
                self.statement(depth - 1, out);
                self.statement(depth - 1, out);
                out.push_str("        }\n");
            }
            _ => {
                let _ = writeln!(out, "        if (Main.flip) {a} = {b};");
            }
        }
    }
}
