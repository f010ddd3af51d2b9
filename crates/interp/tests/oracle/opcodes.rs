//! The programs use every instruction that javac can emit.

use std::collections::BTreeSet;

use selvedge_classfile::{ClassFile, opcode};

use crate::corpus::{Corpus, corpus_or_skip};

/// What is left out, and why. All other opcodes must occur. The first seven are in the hand-written code of
/// `subroutines`.
const NOT_EMITTED: &[(&str, &str)] = &[
    ("nop", "javac has no use for it"),
    ("swap", "javac orders operands as they are needed"),
    ("jsr", "not since class files of version 50"),
    ("ret", "not since class files of version 50"),
    ("jsr_w", "not since class files of version 50"),
    ("goto_w", "only for jumps beyond 32 KB"),
    ("breakpoint", "reserved for debuggers"),
    ("impdep1", "reserved for JVM implementations"),
    ("impdep2", "reserved for JVM implementations"),
];

fn opcodes_used(corpus: &Corpus) -> BTreeSet<u8> {
    let mut used = BTreeSet::new();
    for path in corpus.dirs.iter().flat_map(|dir| dir.class_files().unwrap()) {
        let bytes = std::fs::read(path).unwrap();
        let file = ClassFile::parse(&bytes).unwrap();
        for method in &file.methods {
            let Some(code) = method.code(&file.pool).unwrap() else { continue };
            for instruction in code.instructions() {
                let (bci, _) = instruction.unwrap();
                used.insert(code.bytes[bci as usize]);
            }
        }
    }
    used
}

#[test]
fn every_opcode_occurs() {
    let Some(corpus) = corpus_or_skip() else { return };
    let used = opcodes_used(corpus);
    let excused = |name: &str| NOT_EMITTED.iter().any(|&(excused, _)| excused == name);
    let known = (0..=u8::MAX).filter_map(|number| Some((number, opcode::mnemonic(number)?)));
    let (missing, needless): (Vec<_>, Vec<_>) = known
        .filter(|&(number, name)| used.contains(&number) == excused(name))
        .partition(|&(number, _)| !used.contains(&number));
    assert_eq!(missing, [], "opcodes that no program uses");
    assert_eq!(needless, [], "opcodes that are excused but used");
}
