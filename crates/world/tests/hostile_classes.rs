//! Class files built to be expensive: each is legal in form and small, and would cost exponential or quadratic time or
//! memory, or endless recursion, if a stage believed it. Reading, lowering and linking must end, within a gigabyte.
#![allow(clippy::unwrap_used)]

mod common;

use common::TempDir;
use selvedge_classfile::ClassFile;
use selvedge_ir::{Lowerer, NoHierarchy, verify_method};
use selvedge_testkit::class_builder::{
    ClassBuilder, CodeSpec, PUBLIC_CLASS, PUBLIC_INTERFACE, PUBLIC_STATIC,
};
use selvedge_testkit::jar::{Entry, Method, zip};
use selvedge_testkit::{CountingAllocator, Input as Sample, Limits, survive};
use selvedge_world::{Input, Options, ProblemKind, Program};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The heap is counted for the whole process.
static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// Gives the bytes to the readers of classes under the limits of time and memory. Says whether all could be read.
fn exercise(description: &str, bytes: &[u8]) -> bool {
    let _alone = ONE_AT_A_TIME.lock();
    let sample = |_| Sample { description: description.to_owned(), bytes: bytes.to_vec() };
    let survived = survive(description, 1, Limits::default(), sample, |bytes| {
        let class = ClassFile::parse(bytes).unwrap();
        let mut whole = class.attributes.iter().all(|attribute| attribute.decode(&class.pool).is_ok());
        let mut lowerer = Lowerer::new(&class, &NoHierarchy);
        for method in &class.methods {
            match lowerer.lower(method) {
                Ok(Some(body)) => verify_method(&body, method.descriptor, true).unwrap(),
                Ok(None) => {}
                Err(error) => {
                    println!("{description}: {error}");
                    whole = false;
                }
            }
        }
        whole
    });
    let survived = survived.unwrap();
    println!("{description}: {:?}, {} MB", survived.slowest, survived.peak_memory >> 20);
    survived.accepted == 1
}

/// A class of version 49 (old enough for `jsr` and to need no stack maps) with one static method `m(I)V`.
fn class_with(code: CodeSpec) -> Vec<u8> {
    let mut class = ClassBuilder::new(49, PUBLIC_CLASS, "Hostile", "java/lang/Object");
    class.method(PUBLIC_STATIC, "m", "(I)V", &code);
    class.build()
}

/// A branch instruction at the end of `code` to an absolute index.
fn branch(code: &mut Vec<u8>, opcode: u8, target: usize) {
    let offset = (target as i64 - code.len() as i64) as i16;
    code.push(opcode);
    code.extend(offset.to_be_bytes());
}

const ICONST_0: u8 = 0x03;
const ILOAD_0: u8 = 0x1a;
const ISTORE_1: u8 = 0x3c;
const POP: u8 = 0x57;
const IFEQ: u8 = 0x99;
const GOTO: u8 = 0xa7;
const JSR: u8 = 0xa8;
const RET: u8 = 0xa9;
const RETURN: u8 = 0xb1;
const WIDE: u8 = 0xc4;
const INVOKESTATIC: u8 = 0xb8;

#[test]
fn subroutines_that_call_the_next_one_twice() {
    // Level n calls level n + 1 twice: inlined without a limit, 2^40 copies of the last.
    let levels = 40_u8;
    let mut code = Vec::new();
    let level_start = |level: u8| 4 + usize::from(level) * 10;
    branch(&mut code, JSR, level_start(0));
    code.push(RETURN);
    for level in 0..levels {
        assert_eq!(code.len(), level_start(level));
        code.extend([0x3a, level + 1]); // astore
        for _ in 0..2 {
            if level + 1 < levels {
                branch(&mut code, JSR, level_start(level + 1));
            } else {
                code.extend([0, 0, 0]); // nop
            }
        }
        code.extend([RET, level + 1]);
    }
    let bytes = class_with(CodeSpec { max_stack: 1, max_locals: 50, bytes: code, handlers: vec![] });
    assert!(!exercise("subroutines", &bytes));
}

#[test]
fn every_handler_covers_everything() {
    let mut class = ClassBuilder::new(49, PUBLIC_CLASS, "Hostile", "java/lang/Object");
    let [high, low] = class.method_ref("Other", "m", "()V").to_be_bytes();
    let caught = class.class("p/Exception");
    // 13,000 calls, each after an assignment and so in a block of its own, under 60,000 handlers.
    let mut code: Vec<u8> = [ICONST_0, ISTORE_1, INVOKESTATIC, high, low].repeat(13_000);
    code.push(RETURN);
    let end = code.len() as u16;
    code.extend([POP, RETURN]);
    let handlers = vec![(0, end, end, caught); 60_000];
    class.method(
        PUBLIC_STATIC,
        "m",
        "(I)V",
        &CodeSpec { max_stack: 1, max_locals: 2, bytes: code, handlers },
    );
    exercise("handlers", &class.build());
}

#[test]
fn handlers_of_different_places_cover_everything() {
    let mut class = ClassBuilder::new(49, PUBLIC_CLASS, "Hostile", "java/lang/Object");
    let [high, low] = class.method_ref("Other", "m", "()V").to_be_bytes();
    let caught = class.class("p/Exception");
    // 8,000 protected calls with 12,000 handlers of two bytes each.
    let mut code: Vec<u8> = [ICONST_0, ISTORE_1, INVOKESTATIC, high, low].repeat(8_000);
    code.push(RETURN);
    let end = code.len();
    code.extend([POP, RETURN].repeat(12_000));
    let handlers = (0..12_000).map(|n| (0, end as u16, (end + 2 * n) as u16, caught)).collect();
    class.method(
        PUBLIC_STATIC,
        "m",
        "(I)V",
        &CodeSpec { max_stack: 1, max_locals: 2, bytes: code, handlers },
    );
    exercise("distinct handlers", &class.build());
}

#[test]
fn loops_in_loops_over_many_variables() {
    // 3,300 loops in each other, and 2,500 variables that are assigned inside the innermost: 8 million merges.
    let (loops, variables) = (3_300_usize, 2_500_u16);
    let wide = |opcode: u8, variable: u16| {
        let [high, low] = variable.to_be_bytes();
        [WIDE, opcode, high, low]
    };
    let mut code = Vec::new();
    for variable in 1..=variables {
        code.push(ICONST_0);
        code.extend(wide(0x36, variable));
    }
    // Each nop is the head of a loop.
    let heads = code.len();
    code.extend(vec![0; loops]);
    for variable in 1..=variables {
        code.extend(wide(0x84, variable)); // iinc
        code.extend([0, 1]);
    }
    for head in (0..loops).rev() {
        code.push(ILOAD_0);
        branch(&mut code, IFEQ, heads + head);
    }
    code.push(RETURN);
    let code = CodeSpec { max_stack: 1, max_locals: variables + 1, bytes: code, handlers: vec![] };
    exercise("variables in loops", &class_with(code));
}

#[test]
fn a_chain_of_blocks_as_long_as_can_be() {
    let mut code = Vec::new();
    for _ in 0..16_000 {
        code.push(ILOAD_0);
        let next = code.len() + 3;
        branch(&mut code, IFEQ, next);
    }
    code.push(RETURN);
    assert!(exercise(
        "chain",
        &class_with(CodeSpec { max_stack: 1, max_locals: 1, bytes: code, handlers: vec![] })
    ));

    // The same backwards: each jump leads to the one before it, so that depth-first search nests as deep as it can.
    let mut code = Vec::new();
    let jumps = 10_000;
    branch(&mut code, GOTO, 4 + 3 * (jumps - 1));
    code.push(RETURN);
    for jump in 0..jumps {
        let target = if jump == 0 { 3 } else { code.len() - 3 };
        branch(&mut code, GOTO, target);
    }
    assert!(exercise(
        "backwards",
        &class_with(CodeSpec { max_stack: 0, max_locals: 1, bytes: code, handlers: vec![] })
    ));
}

#[test]
fn switches_into_everything() {
    // One switch with 8,000 targets, which each jump back to it.
    let mut code = vec![ILOAD_0, 0xaa, 0, 0];
    let cases = 8_000_i32;
    let base = 4 + 12 + 4 * cases;
    code.extend((base - 1).to_be_bytes());
    code.extend(0_i32.to_be_bytes());
    code.extend((cases - 1).to_be_bytes());
    for case in 0..cases {
        code.extend((base + 3 * case - 1).to_be_bytes());
    }
    for _ in 0..cases {
        let back = code.len().saturating_sub(32_000);
        branch(&mut code, GOTO, if back == 0 { 0 } else { base as usize });
    }
    let code = CodeSpec { max_stack: 1, max_locals: 1, bytes: code, handlers: vec![] };
    exercise("switch", &class_with(code));
}

/// A class with a method that loads the constant that `constants` makes, given the index of the bootstrap's handle.
fn class_loading(constants: impl FnOnce(&mut ClassBuilder, u16) -> (u16, Vec<u8>)) -> Vec<u8> {
    let mut class = ClassBuilder::new(61, PUBLIC_CLASS, "Hostile", "java/lang/Object");
    let handle = class.static_handle("Boot", "strap", "()Ljava/lang/Object;");
    let (loaded, table) = constants(&mut class, handle);
    class.attribute("BootstrapMethods", &table);
    let [high, low] = loaded.to_be_bytes();
    let code =
        CodeSpec { max_stack: 1, max_locals: 1, bytes: vec![0x13, high, low, POP, RETURN], handlers: vec![] };
    class.method(PUBLIC_STATIC, "m", "(I)V", &code);
    class.build()
}

fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

#[test]
fn a_dynamic_constant_made_from_itself() {
    let bytes = class_loading(|class, handle| {
        let constant = class.dynamic(0, "c", "Ljava/lang/Object;");
        (constant, words(&[1, handle, 1, constant]))
    });
    assert!(!exercise("constant of itself", &bytes));
}

#[test]
fn dynamic_constants_made_from_the_last_one_twice() {
    let bytes = class_loading(|class, handle| {
        let mut table = words(&[60]);
        let mut last = class.class("java/lang/Object");
        for level in 0..60 {
            table.extend(words(&[handle, 2, last, last]));
            last = class.dynamic(level, "c", "Ljava/lang/Object;");
        }
        (last, table)
    });
    exercise("doubled constants", &bytes);
}

#[test]
fn a_long_chain_of_dynamic_constants() {
    let bytes = class_loading(|class, handle| {
        let mut table = words(&[12_000]);
        let mut last = class.class("java/lang/Object");
        for level in 0..12_000 {
            table.extend(words(&[handle, 1, last]));
            last = class.dynamic(level, "c", "Ljava/lang/Object;");
        }
        (last, table)
    });
    exercise("chain of constants", &bytes);
}

#[test]
fn annotations_in_annotations() {
    let mut class = ClassBuilder::new(61, PUBLIC_CLASS, "Hostile", "java/lang/Object");
    let [high, low] = class.utf8("LA;").to_be_bytes();
    // An annotation with one element, whose value is an annotation with one element, ...
    let depth = 200_000;
    let mut info = vec![0, 1];
    info.extend([high, low, 0, 1, high, low, b'@'].repeat(depth));
    info.extend([high, low, 0, 0]);
    class.attribute("RuntimeVisibleAnnotations", &info);
    // Arrays of one element in arrays.
    let mut info = vec![0, 1, high, low, 0, 1, high, low];
    info.extend([b'[', 0, 1].repeat(depth));
    info.extend([b'[', 0, 0]);
    class.attribute("RuntimeInvisibleAnnotations", &info);
    exercise("nested annotations", &class.build());
}

/// Links classes to a program without a JDK's classes, under the limits, and gives the kinds of problems.
fn link(description: &str, classes: &[(String, Vec<u8>)]) -> Vec<ProblemKind> {
    let _alone = ONE_AT_A_TIME.lock();
    let dir = TempDir::new();
    dir.write("jdk/release", b"JAVA_VERSION=\"1.8.0_412\"\n");
    let object = ClassBuilder::new(52, PUBLIC_CLASS, "java/lang/Object", "").build();
    let rt = zip(&[Entry::new("java/lang/Object.class", &object, Method::Stored)]);
    dir.write("jdk/jre/lib/rt.jar", &rt);
    let entries: Vec<Entry> = classes
        .iter()
        .map(|(name, bytes)| Entry::new(&format!("{name}.class"), bytes, Method::Stored))
        .collect();
    let path = dir.write("a.jar", &zip(&entries));
    let kinds = std::sync::Mutex::new(Vec::new());
    let sample = |_| Sample { description: description.to_owned(), bytes: Vec::new() };
    let survived = survive(description, 1, Limits::default(), sample, |_| {
        let options =
            Options { paths: vec![path.clone()], jdk: Some(dir.path().join("jdk")), ..Options::default() };
        let program = Program::load(Input::read(&options).unwrap());
        for class in program.classes.ids() {
            program.lower_class(class, |_, _| {});
            let _ = program.superclasses(class).count() + program.all_interfaces(class).len();
            let _ = program.subtypes(class).len();
        }
        kinds.lock().unwrap().extend(program.problems().into_iter().map(|problem| problem.kind));
        true
    });
    let survived = survived.unwrap();
    println!("{description}: {:?}, {} MB", survived.slowest, survived.peak_memory >> 20);
    kinds.into_inner().unwrap()
}

fn plain(name: &str, superclass: &str) -> (String, Vec<u8>) {
    (name.to_owned(), ClassBuilder::new(52, PUBLIC_CLASS, name, superclass).build())
}

#[test]
fn classes_that_are_their_own_ancestors() {
    let mut mutual = ClassBuilder::new(52, PUBLIC_INTERFACE, "I", "java/lang/Object");
    mutual.interface("J");
    let mut other = ClassBuilder::new(52, PUBLIC_INTERFACE, "J", "java/lang/Object");
    other.interface("I").interface("J");
    let classes = [
        plain("Self", "Self"),
        plain("A", "B"),
        plain("B", "C"),
        plain("C", "A"),
        plain("Below", "A"),
        plain("OfInterface", "I"),
        ("I".to_owned(), mutual.build()),
        ("J".to_owned(), other.build()),
    ];
    let problems = link("cycles", &classes);
    assert!(problems.contains(&ProblemKind::BrokenHierarchy), "{problems:?}");
}

#[test]
fn a_very_long_line_of_ancestors() {
    let name = |n: usize| if n == 0 { "java/lang/Object".to_owned() } else { format!("C{n}") };
    // Reversed, so that each class is read before the one it extends.
    let classes: Vec<_> = (1..=20_000).rev().map(|n| plain(&name(n), &name(n - 1))).collect();
    assert_eq!(link("ancestors", &classes), []);
}

#[test]
fn interfaces_with_exponentially_many_paths() {
    let mut classes = Vec::new();
    for level in 0..500 {
        for side in ["L", "R"] {
            let name = format!("{side}{level}");
            let mut class = ClassBuilder::new(52, PUBLIC_INTERFACE, &name, "java/lang/Object");
            if level > 0 {
                class.interface(&format!("L{}", level - 1)).interface(&format!("R{}", level - 1));
            }
            classes.push((name, class.build()));
        }
    }
    assert_eq!(link("diamonds", &classes), []);
}
