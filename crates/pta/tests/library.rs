//! What the JDK does for a program behind its back, with the whole JDK: factories by name, bundles of texts,
//! lambdas that are read; and that classes made at run time are told.

#![allow(clippy::unwrap_used)]

use selvedge_base::Symbol;
use selvedge_ir::ClassName;
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::{Analysis, Entries, Limits, Procedure, analyze};
use selvedge_testkit::{JavacOptions, compile, jdk_or_skip};
use selvedge_world::{Input, MethodId, Options, Program};

const PROGRAM: &str = r#"
    import java.io.*;
    import java.util.*;
    import java.util.function.IntSupplier;
    import javax.xml.parsers.*;

    public class Main extends ClassLoader {
        interface Number extends IntSupplier, Serializable {}
        static class Words extends ListResourceBundle {
            protected Object[][] getContents() { return new Object[][] {{"key", "word"}}; }
        }
        static class Words_de extends ListResourceBundle {
            protected Object[][] getContents() { return german(); }
            static Object[][] german() { return new Object[][] {{"key", "Wort"}}; }
        }

        public static void main(String[] args) throws Exception {
            parse();
            ResourceBundle.getBundle("Main$Words").getString("key");
            new Main().make(new byte[0]).getConstructor().newInstance();
            transport(args.length);
        }
        public static class Made {
            public Made() { run(); }
            static void run() {}
        }
        static void parse() throws Exception {
            DocumentBuilderFactory.newInstance().newDocumentBuilder();
        }
        Class<?> make(byte[] code) { return defineClass(null, code, 0, code.length); }
        static void transport(int number) throws Exception {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            new ObjectOutputStream(out).writeObject((Number) () -> number);
            Object read = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray())).readObject();
            ((Number) read).getAsInt();
        }
    }"#;

/// Whether an instruction of a method of `Main` may call a method.
fn calls(analysis: &Analysis<'_>, caller: &str, callee: &str) -> bool {
    let describe = |method: MethodId| {
        let data = &analysis.program.methods[method];
        format!("{}.{}", analysis.program.classes[data.class].name, data.name)
    };
    let method = |instance| match analysis.procedures.get(analysis.instances[instance].procedure) {
        Procedure::Method(method) => Some(describe(method)),
        _ => None,
    };
    analysis.call_edges.iter().any(|edge| {
        method(edge.callee).is_some_and(|name| name == callee)
            && method(edge.caller).is_some_and(|name| name == format!("Main.{caller}"))
    })
}

#[test]
fn what_the_library_finds_by_name_is_followed() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = compile(&[("Main.java", PROGRAM)], &JavacOptions::default()).unwrap();
    let paths = vec![classes.path().to_path_buf()];
    let options = Options { paths, jdk: Some(jdk.home), ..Options::default() };
    let program = Program::load(Input::read(&options).unwrap());
    let class = |name: &str| program.class_named(ClassName::new(name)).unwrap();
    let method = |class, name, descriptor| {
        program.declared_method(class, Symbol::new(name), Symbol::new(descriptor)).unwrap()
    };
    let main = method(class("Main"), "main", "([Ljava/lang/String;)V");
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let policy = policy_named("insensitive").unwrap();
    let made = vec![ClassName::new("Main$Made")];
    let entries = Entries { made, ..Entries::of_mains(vec![main]) };
    let analysis = analyze(&program, &models, &entries, policy.as_ref(), Limits::default());

    let wanted = [
        ("parse", "com/sun/org/apache/xerces/internal/jaxp/DocumentBuilderFactoryImpl.newDocumentBuilder"),
        ("$deserializeLambda$", "java/lang/Integer.intValue"),
    ];
    for (caller, callee) in wanted {
        assert!(calls(&analysis, caller, callee), "{caller} does not call {callee}");
    }
    let german = method(class("Main$Words_de"), "german", "()[[Ljava/lang/Object;");
    assert!(analysis.is_reached(german), "the variant of a bundle is not found");
    let run = method(class("Main$Made"), "run", "()V");
    assert!(analysis.is_reached(run), "a class that is known to be made is not followed");
    let made = |sentence: &&String| sentence.starts_with(Analysis::ON_MADE_CLASSES);
    let told: Vec<&String> = analysis.assumptions.iter().filter(made).collect();
    assert!(matches!(told.as_slice(), [one] if one.contains(", in Main.make(byte[]), ")), "{told:?}");
}
