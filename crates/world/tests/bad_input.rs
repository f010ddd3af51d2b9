//! 20,000 damaged class files and archives, made from real ones with a fixed seed: reading them may fail, but never by a
//! panic, without end, or with more than a gigabyte.
//!
//! Everything goes through the one driver [`survive`]: first damaged classes through every reader of class files, then
//! damaged archives through the whole input stage and what it finds through the class readers.
#![allow(clippy::unwrap_used)]

mod common;

use common::TempDir;
use selvedge_base::Symbol;
use selvedge_classfile::edit::{ClassEditor, CodeEditor, Jumps};
use selvedge_classfile::{ClassFile, Insn};
use selvedge_ir::text::{self, MethodHeader};
use selvedge_ir::{ClassName, Lowerer, NoHierarchy, verify_method};
use selvedge_testkit::jar::{Entry, Method, manifest, zip};
use selvedge_testkit::{CountingAllocator, Input as Sample, Limits, Rng, jdk_or_skip, mutants_of, survive};
use selvedge_world::{ClassSource, Input, Options, Program, Tier};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The heap is counted for the whole process, and each part uses every core.
static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());

const DAMAGED_CLASSES: usize = 16_000;
const DAMAGED_ARCHIVES: usize = 4_000;

/// Small classes of the JDK, picked by the seed; small ones because damage then hits something that matters.
fn real_classes(jdk: &Path, count: usize) -> Vec<Sample> {
    let options =
        Options { paths: vec!["java.base".into()], jdk: Some(jdk.to_owned()), ..Options::default() };
    let input = Input::read(&options).unwrap();
    let mut small: Vec<&ClassSource> =
        input.classes.iter().filter(|class| class.bytes.len() < 6_000).collect();
    Rng::new(2).shuffle(&mut small);
    let sample =
        |class: &&ClassSource| Sample { description: class.path.to_string(), bytes: class.bytes.to_vec() };
    small.iter().take(count).map(sample).collect()
}

/// Does with a class whatever can be done with it. Says whether all of it could be read. What cannot fail for an honest
/// class must not fail for a damaged one that is accepted: a lowered body survives its text form, and a class written
/// without a change is the same.
fn exercise_class(bytes: &[u8]) -> bool {
    let Ok(class) = ClassFile::parse(bytes) else { return false };
    let mut whole = true;
    let members = class.fields.iter().chain(&class.methods);
    for attribute in class.attributes.iter().chain(members.flat_map(|member| &member.attributes)) {
        whole &= attribute.decode(&class.pool).is_ok();
    }
    for member in &class.methods {
        let code = member.code(&class.pool);
        if let Ok(Some(code)) = &code {
            whole &= code.instructions().all(|insn| insn.is_ok());
            whole &= code.attributes.iter().all(|attribute| attribute.decode(&class.pool).is_ok());
        }
        whole &= code.is_ok();
    }
    if let Ok(written) = ClassEditor::new(&class).write() {
        assert!(written == bytes, "an unchanged class is written as it was");
    }
    let _ = with_probes(&class);
    whole & lower(&class)
}

/// Puts a call before every instruction of every method.
fn with_probes(class: &ClassFile<'_>) -> selvedge_classfile::Result<Vec<u8>> {
    let mut editor = ClassEditor::new(class);
    let probe = editor.pool().method(b"Probe", b"hit", b"()V")?;
    for (index, method) in class.methods.iter().enumerate() {
        let Some(code) = method.code(&class.pool)? else { continue };
        let mut edit = CodeEditor::new(class, method, &code);
        for item in code.instructions() {
            edit.before(item?.0, Jumps::Run).insn(Insn::InvokeStatic(probe));
        }
        let edited = edit.finish(editor.pool())?;
        editor.replace_code(index, edited)?;
    }
    editor.write()
}

/// Lowers every method. Says whether that succeeded for all.
fn lower(class: &ClassFile<'_>) -> bool {
    let mut lowerer = Lowerer::new(class, &NoHierarchy);
    let mut whole = true;
    for member in &class.methods {
        let Ok(body) = lowerer.lower(member) else {
            whole = false;
            continue;
        };
        let Some(body) = body else { continue };
        let header = MethodHeader {
            owner: ClassName::new(class.this_class),
            name: Symbol::new(member.name),
            descriptor: Symbol::new(member.descriptor),
            access: member.access,
        };
        // Lowering leaves some typing rules to the verifier, so a damaged method may be refused here, too.
        whole &= verify_method(&body, member.descriptor, header.is_static()).is_ok();
        let printed = text::print(&header, &body);
        let parsed = text::parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
        assert!(parsed.len() == 1 && parsed[0].body == body, "the text form loses something:\n{printed}");
    }
    whole
}

#[test]
fn damaged_class_files() {
    let Some(jdk) = jdk_or_skip() else { return };
    let _alone = ONE_AT_A_TIME.lock();
    let originals = real_classes(&jdk.home, 400);
    assert!(originals.iter().all(|original| exercise_class(&original.bytes)));
    let mutants = mutants_of(&originals, 20);
    let survived =
        survive("class file", DAMAGED_CLASSES, Limits::default(), mutants, exercise_class).unwrap();
    println!("{survived:?}");
    // Damage that is always noticed at once, or never, would not have tested much.
    assert!(survived.accepted > DAMAGED_CLASSES / 20, "{survived:?}");
    assert!(survived.rejected > DAMAGED_CLASSES / 4, "{survived:?}");
}

/// Archives of a dozen classes: plain, stored, nested, multi-release, a war.
fn real_archives(classes: &[Sample]) -> Vec<Sample> {
    let group = |number: usize, prefix: &str, method: Method| -> Vec<Entry> {
        let chosen = classes.chunks(12).nth(number).unwrap().iter();
        chosen
            .map(|class| Entry::new(&format!("{prefix}{}", class.description), &class.bytes, method))
            .collect()
    };
    let plain = zip(&group(0, "", Method::Deflated));
    let stored = zip(&group(1, "", Method::Stored));
    let multi_release = Entry::new(
        "META-INF/MANIFEST.MF",
        manifest(&[("Multi-Release", "true"), ("Main-Class", "p.Main"), ("Class-Path", "b.jar a.jar")])
            .as_bytes(),
        Method::Deflated,
    );
    let mut versions = vec![multi_release];
    versions.extend(group(2, "", Method::Deflated));
    versions.extend(group(3, "META-INF/versions/8/", Method::Deflated));
    let versions = zip(&versions);
    let mut war = group(4, "WEB-INF/classes/", Method::Deflated);
    war.push(Entry::new("WEB-INF/lib/a.jar", &plain, Method::Stored));
    war.push(Entry::new("WEB-INF/lib/b.jar", &versions, Method::Deflated));
    let war = zip(&war);
    let ear = zip(&[
        Entry::new("web.war", &war, Method::Stored),
        Entry::new("lib/s.jar", &stored, Method::Deflated),
    ]);
    let all = [
        ("plain jar", plain),
        ("stored jar", stored),
        ("multi-release jar", versions),
        ("war", war),
        ("ear", ear),
    ];
    all.map(|(name, bytes)| Sample { description: name.to_owned(), bytes }).into()
}

/// Reads an archive as an application, with a JDK that holds nothing, and every class found in it.
fn read_archive(dir: &TempDir, empty_jdk: &Path, bytes: &[u8]) -> bool {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    // In a directory, so that an archive that no longer looks like one is a problem and not an error.
    let name = format!("in-{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let file = dir.write(&format!("{name}/a.jar"), bytes);
    let options = Options {
        paths: vec![file.parent().unwrap().to_owned()],
        jdk: Some(empty_jdk.to_owned()),
        ..Options::default()
    };
    let input = Input::read(&options).unwrap();
    let found: Vec<ClassSource> = input
        .classes
        .iter()
        .filter(|class| input.containers[class.container].tier != Tier::Jdk)
        .cloned()
        .collect();
    let program = Program::load(input);
    for class in program.classes.ids() {
        program.lower_class(class, |_, _| {});
        let _ = (program.superclasses(class).count(), program.all_interfaces(class).len());
    }
    let read = found.iter().filter(|class| exercise_class(&class.bytes)).count();
    drop(std::fs::remove_dir_all(dir.path().join(name)));
    read > 0
}

/// A JDK in the layout of version 8 whose only archive is empty.
fn empty_jdk(dir: &TempDir) -> std::path::PathBuf {
    dir.write("jdk/release", b"JAVA_VERSION=\"1.8.0_412\"\n");
    dir.write("jdk/jre/lib/rt.jar", &zip(&[]));
    dir.path().join("jdk")
}

#[test]
fn damaged_archives() {
    let Some(jdk) = jdk_or_skip() else { return };
    let _alone = ONE_AT_A_TIME.lock();
    let originals = real_archives(&real_classes(&jdk.home, 60));
    let dir = TempDir::new();
    let empty_jdk = empty_jdk(&dir);
    assert!(originals.iter().all(|original| read_archive(&dir, &empty_jdk, &original.bytes)));
    let read = |bytes: &[u8]| read_archive(&dir, &empty_jdk, bytes);
    let survived =
        survive("archive", DAMAGED_ARCHIVES, Limits::default(), mutants_of(&originals, 21), read).unwrap();
    println!("{survived:?}");
    assert!(survived.accepted > DAMAGED_ARCHIVES / 20, "{survived:?}");
    assert!(survived.rejected > DAMAGED_ARCHIVES / 50, "{survived:?}");
}
