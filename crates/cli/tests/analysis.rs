//! `selvedge inspect --what callgraph` and `--what points-to` from the outside.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::{Command, Output};

use selvedge_testkit::{JavacOptions, check_golden, compile, jdk_or_skip};

const SHOP: [(&str, &str); 1] = [(
    "shop/Main.java",
    "package shop;

interface Greeter { Object greet(Object guest); }

class Polite implements Greeter {
    Object last;
    public Object greet(Object guest) {
        last = guest;
        return last;
    }
}

class Rude implements Greeter {
    public Object greet(Object guest) { return new Rude(); }
}

class Cake { }

class Oven {
    static final Oven SHARED = new Oven();
    Cake bake() { return new Cake(); }
}

public class Main {
    static Object kept;

    static Greeter pick(int number) {
        if (number > 0) return new Polite();
        return new Rude();
    }

    public static void main(String[] arguments) {
        Greeter greeter = pick(arguments.length);
        kept = greeter.greet(Oven.SHARED.bake());
        Runnable later = () -> forget(kept);
        later.run();
    }

    static void forget(Object thing) { }

    static void never() { forget(null); }
}
",
)];

fn inspect(arguments: &[&str]) -> Output {
    let classes = compile(&SHOP, &JavacOptions::default()).unwrap().path().to_path_buf();
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.arg("inspect").arg(classes).args(arguments).output().unwrap()
}

/// What a successful run prints.
fn printed(arguments: &[&str]) -> String {
    let output = inspect(arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    // Beside the result only what it rests on is told.
    assert!(said.lines().all(|line| line.starts_with("selvedge: the result rests on ")), "{said}");
    String::from_utf8(output.stdout).unwrap()
}

/// The one sentence of a run that fails.
fn complaint(arguments: &[&str]) -> String {
    let output = inspect(arguments);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stdout, b"");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text.trim_end().to_owned()
}

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

#[test]
fn the_call_graph_of_the_application() {
    let Some(_) = jdk_or_skip() else { return };
    check_golden(golden("callgraph.txt"), &printed(&["--what", "callgraph"]));
}

#[test]
fn a_picture_shows_callers_and_callees() {
    let Some(_) = jdk_or_skip() else { return };
    let graph = printed(&["--what", "callgraph", "--method", "greet", "--format", "dot"]);
    assert!(graph.starts_with("digraph calls {") && graph.ends_with("}\n"), "{graph}");
    for label in ["Main.main(java.lang.String[])", "Polite.greet(java.lang.Object)", "Rude.<init>()"] {
        assert!(graph.contains(&format!("[label=\"shop.{label}\"")), "{graph}");
    }
    assert_eq!(graph.matches(" -> ").count(), 3, "{graph}");
    assert_eq!(graph.matches("style=bold").count(), 2, "{graph}");
}

#[test]
fn what_variables_point_to() {
    let Some(_) = jdk_or_skip() else { return };
    check_golden(golden("points-to.txt"), &printed(&["--what", "points-to"]));
}

#[test]
fn why_a_field_holds_an_object() {
    let Some(_) = jdk_or_skip() else { return };
    assert_eq!(
        printed(&["--what", "points-to", "--field", "Main.kept", "--why", "Cake"]),
        "shop.Main.kept
  static
    shop.Cake of shop.Oven.bake(), line 21
      -> v1, line 21, new shop.Cake in shop.Oven.bake(), returned
      -> v4, line 34, result of shop.Oven.bake in shop.Main.main(java.lang.String[])
      -> parameter 1 in shop.Polite.greet(java.lang.Object)
      -> shop.Polite.last of shop.Polite of shop.Main.pick(int), line 28
      -> v2, line 9, field shop.Polite.last in shop.Polite.greet(java.lang.Object), returned
      -> v5, line 34, result of shop.Greeter.greet in shop.Main.main(java.lang.String[])
      -> shop.Main.kept
"
    );
    let arguments = ["--what", "points-to", "--contexts", "--class", "Polite", "--method", "greet"];
    let contexts = printed(&arguments);
    assert!(
        contexts.contains("greet(java.lang.Object) [shop/Polite from shop.Main.pick(int)@"),
        "{contexts}"
    );
}

#[test]
fn a_library_is_called_by_anyone() {
    let Some(_) = jdk_or_skip() else { return };
    let arguments = ["--what", "callgraph", "--library=shop.Main", "--class", "Main", "--method", "main"];
    assert_eq!(
        printed(&arguments).lines().take(6).collect::<Vec<_>>(),
        [
            "shop.Main.main(java.lang.String[])",
            "  reached by",
            "    <entry>",
            "    shop.Main.main(java.lang.String[])",
            "  called by",
            "    <entry>, implicit"
        ]
    );
}

#[test]
fn what_is_not_reached_is_said() {
    let Some(_) = jdk_or_skip() else { return };
    assert_eq!(
        printed(&["--what", "callgraph", "--method", "never", "--max-time", "600", "--max-memory", "64G"]),
        "shop.Main.never()\n  is not reached\n"
    );
}

#[test]
fn what_cannot_be_done_is_one_sentence() {
    let Some(_) = jdk_or_skip() else { return };
    assert_eq!(
        complaint(&["--what", "callgraph", "--method", "sing"]),
        "selvedge: no class that was chosen has a method sing"
    );
    assert_eq!(
        complaint(&["--what", "callgraph", "--class", "Bakery"]),
        "selvedge: there is no class Bakery in the given paths, their class path or the JDK"
    );
    assert_eq!(
        complaint(&["--what", "points-to", "--field", "Oven.heat"]),
        "selvedge: the class Oven has no field heat"
    );
    assert_eq!(
        complaint(&["--what", "points-to", "--why", "Bread"]),
        "selvedge: nothing that was chosen may point to an object whose description contains Bread"
    );
    assert_eq!(
        complaint(&["--what", "callgraph", "--main", "shop.Oven"]),
        "selvedge: the class shop.Oven has no method public static void main(String[])"
    );
    assert!(
        complaint(&["--what", "callgraph", "--policy", "x"]).starts_with("selvedge: there is no policy x;")
    );
    assert_eq!(complaint(&["--why", "Bread"]), "selvedge: --field and --why need --what points-to");
}
