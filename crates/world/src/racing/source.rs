//! A racing test as a Java file.

use std::fmt::Write as _;

use super::RacingTest;

/// What kind of file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A class with a main method, which needs nothing but the library.
    Main,
    /// A test of JUnit 5.
    Junit,
}

impl RacingTest {
    /// A name for the test after what it calls: `GetAndPut`.
    pub fn title(&self) -> String {
        let capital = |name: &String| {
            let mut letters = name.chars();
            letters
                .next()
                .map(|first| first.to_uppercase().chain(letters).collect::<String>())
                .unwrap_or_default()
        };
        let [one, two] = self.methods.each_ref().map(capital);
        if one == two { one } else { format!("{one}And{two}") }
    }

    /// The source of a class of this name; the comment says what races, line by line.
    pub fn source(&self, form: Form, name: &str, comment: &[String]) -> String {
        let body = self.body(form);
        let needs_any = body.contains("any(");
        let mut imports: Vec<String> = self.imports.clone();
        if needs_any {
            imports.extend(["java.lang.reflect.Proxy", "java.util.Map"].map(str::to_owned));
        }
        if form == Form::Junit {
            imports.push("java.util.concurrent.ConcurrentLinkedQueue".to_owned());
            imports.push("org.junit.jupiter.api.Test".to_owned());
        }
        imports.sort();
        imports.dedup();
        let mut out = String::new();
        if form == Form::Junit {
            out += "import static org.junit.jupiter.api.Assertions.assertTrue;\n\n";
        }
        for import in &imports {
            let _ = writeln!(out, "import {import};");
        }
        if !imports.is_empty() {
            out.push('\n');
        }
        out += "/**\n";
        for line in comment {
            // A name must not end the comment.
            let line = line.replace("*/", "* /");
            let _ = writeln!(out, "{}", format!(" * {line}").trim_end());
        }
        out += " */\n";
        let _ = writeln!(out, "{}class {name} {{", if form == Form::Main { "public " } else { "" });
        out += &body;
        out += if form == Form::Main { TRIED } else { CAUGHT };
        if needs_any {
            out += ANY;
        }
        out += "}\n";
        out
    }

    fn body(&self, form: Form) -> String {
        let mut out = String::new();
        match form {
            Form::Main => out += "    public static void main(String[] arguments) throws Exception {\n",
            Form::Junit => {
                let mut title = self.title();
                if let Some(first) = title.get_mut(..1) {
                    first.make_ascii_lowercase();
                }
                let _ = writeln!(out, "    @Test\n    void {title}() throws Exception {{");
                out += "        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();\n";
            }
        }
        for line in &self.declarations {
            let _ = writeln!(out, "        {line};");
        }
        let collects = if form == Form::Main { "" } else { "failures, " };
        for step in &self.steps {
            let _ = writeln!(out, "        attempt({collects}() -> {step});");
        }
        if form == Form::Junit && !self.steps.is_empty() {
            out += "        failures.clear();\n";
        }
        for (variable, call) in ["first", "second"].into_iter().zip(&self.calls) {
            let _ = writeln!(out, "        Thread {variable} = start({collects}() -> {call});");
        }
        out += "        first.join(5000);\n        second.join(5000);\n";
        if form == Form::Junit {
            out += "        assertTrue(failures.isEmpty(), () -> \"a thread failed: \" + failures);\n";
        }
        out += "    }\n";
        out
    }
}

const TRIED: &str = "
    interface Step {
        void run() throws Exception;
    }

    /** A thread that calls the library a few times. */
    static Thread start(Step step) {
        Thread thread = new Thread(() -> {
            for (int round = 0; round < 4; round++) {
                attempt(step);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void attempt(Step step) {
        try {
            step.run();
        } catch (Exception failed) {
            failed.printStackTrace();
        }
    }
";

const CAUGHT: &str = "
    interface Step {
        void run() throws Exception;
    }

    /** A thread that calls the library a few times. */
    static Thread start(ConcurrentLinkedQueue<Throwable> failures, Step step) {
        Thread thread = new Thread(() -> {
            for (int round = 0; round < 4; round++) {
                attempt(failures, step);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void attempt(ConcurrentLinkedQueue<Throwable> failures, Step step) {
        try {
            step.run();
        } catch (Exception failed) {
            failures.add(failed);
        }
    }
";

const ANY: &str = "
    static final Map<Class<?>, Object> NUMBERS = Map.of(boolean.class, true, char.class, 'a', byte.class, (byte) 0,
            short.class, (short) 0, int.class, 0, long.class, 0L, float.class, 0f, double.class, 0.0);

    /** An object of an interface whose methods agree to everything. */
    static <T> T any(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
            Class<?> result = method.getReturnType();
            if (method.getName().equals(\"equals\")) {
                return self == arguments[0];
            } else if (method.getName().equals(\"hashCode\")) {
                return System.identityHashCode(self);
            } else if (result.isInterface()) {
                return any(result);
            }
            return result == String.class ? \"a\" : result == Object.class ? new Object() : NUMBERS.get(result);
        }));
    }
";
