//! Rewritten classes pass the JVM's verifier.
//!
//! Classes of the JDK replace the originals in a JVM that starts with them, so they do not only verify, they run.

use std::path::{Path, PathBuf};
use std::process::Command;

use selvedge_classfile::edit::{ClassEditor, CodeEditor, Element, Jumps, Type};
use selvedge_classfile::{ClassFile, Code, Insn, PrimitiveType, Result, StackOp, access};

use crate::support::{Corpus, TemporaryDirectory, hash, run};

/// The class that inserted code uses: in a package of `java.base`, which all classes see.
const PROBE: &[u8] = b"java/lang/SelvedgeTestProbe";
const PROBE_SOURCE: &str = "package java.lang; public class SelvedgeTestProbe {
    public static boolean on;
    public static int hits;
    public static void hit() { hits++; }
}";

/// A way to change code.
pub type Rewrite = fn(&mut Inserter<'_, '_, '_, '_>) -> Result<()>;

/// The method being changed, with the class's editor for new constants.
pub struct Inserter<'i, 'e, 'a, 'c> {
    class: &'i mut ClassEditor<'c, 'a>,
    code: &'e Code<'a>,
    edit: CodeEditor<'e, 'a>,
}

fn accesses_field(insn: &Insn<'_>) -> bool {
    matches!(insn, Insn::GetField(_) | Insn::PutField(_) | Insn::GetStatic(_) | Insn::PutStatic(_))
}

/// `nop` before every instruction.
pub fn nops(inserter: &mut Inserter<'_, '_, '_, '_>) -> Result<()> {
    for item in inserter.code.instructions() {
        inserter.edit.before(item?.0, Jumps::Run).insn(Insn::Nop);
    }
    Ok(())
}

/// A call before every field access, one after it, and one in front that only falling through reaches.
fn calls(inserter: &mut Inserter<'_, '_, '_, '_>) -> Result<()> {
    let hit = Insn::InvokeStatic(inserter.class.pool().method(PROBE, b"hit", b"()V")?);
    for item in inserter.code.instructions() {
        let (bci, insn) = item?;
        if accesses_field(&insn) {
            inserter.edit.before(bci, Jumps::Run).insn(hit);
            inserter.edit.before(bci, Jumps::Skip).insn(hit);
            inserter.edit.after(bci).insn(hit);
        }
    }
    Ok(())
}

/// A branch around a call before every field access, and one that counts in locals that live throughout the method.
pub fn branches(inserter: &mut Inserter<'_, '_, '_, '_>) -> Result<()> {
    let pool = inserter.class.pool();
    let hit = Insn::InvokeStatic(pool.method(PROBE, b"hit", b"()V")?);
    let on = Insn::GetStatic(pool.field(PROBE, b"on", b"Z")?);
    let edit = &mut inserter.edit;
    // Two longs at most.
    edit.reserve_stack(4);
    let counter = edit.declare_local(Type::Int);
    let total = edit.declare_local(Type::Long);
    let array = edit.declare_local(Type::Array(1, Element::Primitive(PrimitiveType::Byte)));
    use selvedge_classfile::{BinaryOp::Add, Conversion::I2L, Kind};
    edit.at_entry().insns([
        Insn::IConst(0),
        Insn::Store(Kind::Int, counter),
        Insn::LConst(0),
        Insn::Store(Kind::Long, total),
        Insn::AConstNull,
        Insn::Store(Kind::Ref, array),
    ]);
    for item in inserter.code.instructions() {
        let (bci, insn) = item?;
        if accesses_field(&insn) {
            let end = edit.new_label();
            edit.before(bci, Jumps::Run)
                .insn(on)
                .branch(|to| Insn::IfZero(selvedge_classfile::Cond::Eq, to), end)
                .insn(hit)
                .insn(Insn::IInc(counter, 1))
                .label(end)
                .frame(&[]);
            let (odd, join) = (edit.new_label(), edit.new_label());
            edit.after(bci)
                .insn(Insn::Load(Kind::Ref, array))
                .branch(|to| Insn::IfNull(false, to), odd)
                .insns([Insn::Load(Kind::Int, counter), Insn::Convert(I2L)])
                .branch(Insn::Goto, join)
                .label(odd)
                .frame(&[])
                .insn(Insn::LConst(1))
                .label(join)
                .frame(&[Type::Long])
                .insns([Insn::Load(Kind::Long, total), Insn::Binary(Add, Kind::Long)])
                .insn(Insn::Store(Kind::Long, total));
        }
    }
    Ok(())
}

/// So many `nop`s that the method almost reaches the largest size and its branches do not reach their targets.
fn inflate(inserter: &mut Inserter<'_, '_, '_, '_>) -> Result<()> {
    let instructions = inserter.code.instructions().count();
    // Leaves room for wider branches and padding.
    let room = 65_000usize.saturating_sub(inserter.code.bytes.len() + 12 * instructions);
    for (at, item) in inserter.code.instructions().enumerate() {
        let (bci, _) = item?;
        let share = room * (at + 1) / instructions - room * at / instructions;
        inserter.edit.before(bci, Jumps::Run).insns((0..share).map(|_| Insn::Nop));
    }
    Ok(())
}

/// Code that takes something off an empty stack, which no verifier accepts.
fn underflow(inserter: &mut Inserter<'_, '_, '_, '_>) -> Result<()> {
    inserter.edit.at_entry().insn(Insn::Stack(StackOp::Pop));
    Ok(())
}

pub fn rewrite(bytes: &[u8], how: Rewrite) -> Result<Vec<u8>> {
    let class = ClassFile::parse(bytes)?;
    let mut editor = ClassEditor::new(&class);
    for (position, method) in class.methods.iter().enumerate() {
        let Some(code) = method.code(&class.pool)? else { continue };
        let edit = CodeEditor::new(&class, method, &code);
        let mut inserter = Inserter { class: &mut editor, code: &code, edit };
        how(&mut inserter)?;
        if inserter.edit.is_unchanged() {
            continue;
        }
        let edited = inserter.edit.finish(editor.pool())?;
        editor.replace_code(position, edited)?;
    }
    if class.access & access::INTERFACE == 0 {
        // Classes whose layout the JVM knows by heart are left alone.
        let known = [&b"java/lang/"[..], b"java/util/concurrent/", b"jdk/internal/"];
        if !known.iter().any(|package| class.this_class.starts_with(package)) {
            editor.add_field(access::PRIVATE | access::TRANSIENT, b"$selvedge", b"J", &[])?;
        }
    }
    editor.write()
}

/// What came of rewriting and linking.
#[derive(Debug)]
struct Outcome {
    linked: usize,
    failed: usize,
    incomplete: usize,
    /// Classes that could not be rewritten as some method would be too large, by the message.
    too_large: usize,
}

/// Rewrites the classes of the corpus that `choose` picks, and has a JVM link them.
fn check(corpus: &Corpus, name: &str, how: Rewrite, choose: impl Fn(&str) -> bool) -> Outcome {
    let directory = TemporaryDirectory::new(&format!("rewrite-{name}"));
    let directory = &directory.0;
    let (probe, classes) = (directory.join("probe"), directory.join("classes"));
    let mut modules = Vec::new();
    let mut names = String::new();
    let mut too_large = 0;
    for (path, bytes) in corpus.classes() {
        // The JVM knows `Object` by heart: a `finalize` that is not empty makes all objects finalisable.
        if path.ends_with("/java/lang/Object.class") {
            continue;
        }
        if !choose(path) || path.ends_with("module-info.class") || path.contains("/META-INF/") {
            continue;
        }
        let rewritten = match rewrite(bytes, how) {
            Ok(rewritten) => rewritten,
            Err(selvedge_classfile::Error::TooLarge { .. }) => {
                too_large += 1;
                bytes.to_vec()
            }
            Err(error) => panic!("{path}: {error}"),
        };
        assert!(ClassFile::parse(&rewritten).is_ok(), "{path}");
        let file = classes.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, rewritten).unwrap();
        let (part, class_path) = path.split_once('/').unwrap();
        let class_name = class_path.trim_end_matches(".class").replace('/', ".");
        if corpus.jars.is_empty() {
            names.push_str(&format!("{class_name}\n"));
            if modules.last() != Some(&part) {
                modules.push(part);
            }
        } else {
            names.push_str(&format!("{part} {class_name}\n"));
        }
    }
    assert!(!names.is_empty());
    std::fs::write(directory.join("names"), names).unwrap();

    std::fs::create_dir_all(&probe).unwrap();
    let probe_source = probe.join("SelvedgeTestProbe.java");
    std::fs::write(&probe_source, PROBE_SOURCE).unwrap();
    run(Command::new("javac")
        .arg("--patch-module")
        .arg(format!("java.base={}", probe.display()))
        .arg("-d")
        .arg(&probe)
        .arg(&probe_source));
    let link_all = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/LinkAll.java");
    run(Command::new("javac").arg("-d").arg(directory).arg(link_all));

    let mut java = Command::new("java");
    java.current_dir(directory).arg("-XX:+UnlockDiagnosticVMOptions");
    java.args(["-XX:+BytecodeVerificationLocal", "-XX:+BytecodeVerificationRemote", "-XX:-UsePerfData"]);
    java.args(["-XX:TieredStopAtLevel=1", "-Xshare:off", "--add-modules", "ALL-SYSTEM"]);
    let mut patches = vec![("java.base", vec![probe])];
    for module in modules {
        match module {
            "java.base" => patches[0].1.push(classes.join(module)),
            _ => patches.push((module, vec![classes.join(module)])),
        }
    }
    for (module, directories) in patches {
        java.arg("--patch-module").arg(format!("{module}={}", join_paths(&directories)));
    }
    java.arg("-cp").arg(directory).arg("LinkAll").arg(directory.join("names"));
    if !corpus.jars.is_empty() {
        java.arg(&classes).args(&corpus.jars);
    }
    let output = run(&mut java);
    print!("{}", &output[..output.len().min(20_000)]);
    let summary: Vec<usize> =
        output.lines().last().unwrap().split(' ').filter_map(|word| word.parse().ok()).collect();
    Outcome { linked: summary[0], failed: summary[1], incomplete: summary[2], too_large }
}

fn join_paths(directories: &[PathBuf]) -> String {
    std::env::join_paths(directories).unwrap().into_string().unwrap()
}

/// Rewrites `java.base`, or with `SELVEDGE_FULL` in the environment the whole JDK.
fn check_jdk(name: &str, how: Rewrite) {
    let Some(corpus) = Corpus::jdk() else { return };
    let full = std::env::var_os("SELVEDGE_FULL").is_some();
    let outcome = check(corpus, name, how, |path| full || path.starts_with("java.base/"));
    println!("{name}: {outcome:?}");
    assert_eq!(outcome.failed, 0);
    assert!(outcome.linked > 5_000 && outcome.incomplete < 100 && outcome.too_large < 20);
}

/// Counts instructions of a class: all of them, field accesses, and calls of the probe.
fn census(bytes: &[u8]) -> Result<[usize; 3]> {
    let class = ClassFile::parse(bytes)?;
    let mut census = [0; 3];
    for method in &class.methods {
        let Some(code) = method.code(&class.pool)? else { continue };
        for item in code.instructions() {
            let (_, insn) = item?;
            census[0] += 1;
            census[1] += usize::from(accesses_field(&insn));
            if let Insn::InvokeStatic(index) = insn {
                census[2] += usize::from(class.pool.method_ref(index)?.owner == PROBE);
            }
        }
    }
    Ok(census)
}

/// In the whole JDK every original instruction is still there, and so is every call inserted: one that jumps run
/// before every access, one after it, one more unless only jumps lead to the access. Prints the speed.
#[test]
fn nothing_is_lost() {
    let Some(corpus) = Corpus::jdk() else { return };
    let mut elapsed = std::time::Duration::ZERO;
    let (mut bytes_read, mut accesses) = (0, 0);
    for (path, bytes) in corpus.classes() {
        let start = std::time::Instant::now();
        let rewritten = rewrite(bytes, calls).unwrap_or_else(|error| panic!("{path}: {error}"));
        elapsed += start.elapsed();
        bytes_read += bytes.len();
        let (before, after) = (census(bytes).unwrap(), census(&rewritten).unwrap());
        assert_eq!((before[0] + after[2], before[1]), (after[0], after[1]), "{path}");
        assert!((2 * before[1]..=3 * before[1]).contains(&after[2]), "{path}");
        accesses += before[1];
    }
    let speed = bytes_read as f64 / 1e6 / elapsed.as_secs_f64();
    println!("{accesses} accesses instrumented in {elapsed:?}, {speed:.0} MB/s");
    assert!(accesses > 100_000);
}

/// The check itself can fail.
#[test]
fn wrong_code_is_noticed() {
    let Some(corpus) = Corpus::jdk() else { return };
    let outcome = check(corpus, "underflow", underflow, |path| {
        path == "java.base/java/util/IntSummaryStatistics.class"
    });
    assert_eq!((outcome.linked, outcome.failed), (0, 1));
}

#[test]
fn jdk_with_nops() {
    check_jdk("nops", nops);
}

#[test]
fn jdk_with_calls() {
    check_jdk("calls", calls);
}

#[test]
fn jdk_with_branches() {
    check_jdk("branches", branches);
}

#[test]
fn inflated_methods() {
    let Some(corpus) = Corpus::jdk() else { return };
    let outcome = check(corpus, "inflate", inflate, |path| {
        path.starts_with("java.base/sun/") && hash(path.as_bytes()).is_multiple_of(16)
    });
    println!("{outcome:?}");
    assert_eq!((outcome.failed, outcome.too_large), (0, 0));
    assert!(outcome.linked > 50);
}

#[test]
fn libraries_with_branches() {
    let Some(corpus) = Corpus::libraries() else { return };
    let outcome = check(corpus, "libraries", branches, |_| true);
    println!("{outcome:?}");
    assert_eq!(outcome.failed, 0);
    assert!(outcome.linked > 100);
}
