//! Broken class files: whatever is wrong with them, the answer is an error or a class, never a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use selvedge_classfile::attributes::Decoded;
use selvedge_classfile::descriptor::FieldType;
use selvedge_classfile::edit::ClassEditor;
use selvedge_classfile::{Attribute, ClassFile, MethodDescriptor, PoolEditor, Result, mutf8, walk};

use crate::rewrite::{branches, nops, rewrite};
use crate::support::{Corpus, hash};

const MUTATIONS: u64 = 12_000;

#[test]
fn mutated_classes_do_not_panic() {
    let Some(corpus) = Corpus::jdk() else { return };
    let victims: Vec<&[u8]> = corpus
        .classes()
        .filter(|(path, bytes)| bytes.len() < 40_000 && hash(path.as_bytes()).is_multiple_of(50))
        .map(|(_, bytes)| bytes)
        .collect();
    assert!(victims.len() > 100);
    let (mut readable, mut walkable) = (0, 0);
    for seed in 0..MUTATIONS {
        let mutated = mutate(seed, &victims);
        let outcome = catch_unwind(AssertUnwindSafe(|| exercise(&mutated)));
        assert!(outcome.is_ok(), "a panic with seed {seed}");
        readable += u64::from(ClassFile::parse(&mutated).is_ok());
        walkable += u64::from(walk::walk(&mutated).is_ok());
    }
    println!("{MUTATIONS} mutations, {readable} readable, {walkable} walkable");
    // The mutations reach both the outer structure and what is inside.
    assert!(readable > MUTATIONS / 10 && readable < MUTATIONS * 9 / 10 && walkable < readable);
}

/// Every prefix of a class file is refused.
#[test]
fn truncated_classes_are_refused() {
    let Some(corpus) = Corpus::jdk() else { return };
    let (_, bytes) = corpus.classes().find(|(path, _)| path.ends_with("java/util/Vector.class")).unwrap();
    assert!(ClassFile::parse(bytes).is_ok());
    for length in 0..bytes.len() {
        assert!(ClassFile::parse(&bytes[..length]).is_err(), "{length}");
    }
    assert!(ClassFile::parse(&[bytes, &[0]].concat()).is_err());
}

/// A sequence of numbers that depends on the seed only (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

/// A class with one to four things wrong.
fn mutate(seed: u64, victims: &[&[u8]]) -> Vec<u8> {
    let mut random = Random(seed);
    let mut bytes = victims[random.below(victims.len())].to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(8) {
            0 => bytes.truncate(at),
            1..=2 => bytes[at] ^= 1 << random.below(8),
            3 => bytes[at] = random.next() as u8,
            4 => overwrite(&mut bytes, at, &[0u16, 1, 0x7fff, 0x8000, 0xffff][random.below(5)].to_be_bytes()),
            5 => {
                let value = [0u32, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff][random.below(5)];
                overwrite(&mut bytes, at, &value.to_be_bytes());
            }
            6 => {
                let end = (at + 1 + random.below(8)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                let donor = victims[random.below(victims.len())];
                let from = random.below(donor.len());
                let part = &donor[from..(from + 1 + random.below(16)).min(donor.len())];
                overwrite(&mut bytes, at, part);
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

fn overwrite(bytes: &mut [u8], at: usize, with: &[u8]) {
    let end = (at + with.len()).min(bytes.len());
    bytes[at..end].copy_from_slice(&with[..end - at]);
}

/// Does everything with a class that can be done, ignoring errors of parts.
fn exercise(bytes: &[u8]) -> Result<()> {
    let class = ClassFile::parse(bytes)?;
    let mut editor = PoolEditor::new(&class.pool);
    for index in 0..=class.pool.count() {
        if let Ok(constant) = class.pool.get(index) {
            let _ = editor.constant(constant);
        }
        if let Ok(text) = class.pool.utf8(index) {
            let _ = (mutf8::decode_utf16(text), mutf8::to_string_lossy(text), FieldType::parse(text));
            if let Ok(descriptor) = MethodDescriptor::parse(text) {
                let _ = (descriptor.params().count(), descriptor.return_type());
            }
        }
    }
    let _ = (class.bootstrap_methods(), class.annotations(), class.record(), class.module());
    class.attributes.iter().for_each(|attribute| exercise_attribute(attribute, &class, &mut editor));
    for member in class.fields.iter().chain(&class.methods) {
        let _ = (member.annotations(&class.pool), member.constant_value(&class.pool));
        member.attributes.iter().for_each(|attribute| exercise_attribute(attribute, &class, &mut editor));
    }
    for method in &class.methods {
        let Ok(Some(code)) = method.code(&class.pool) else { continue };
        for bci in 0..=code.bytes.len() as u32 {
            if let Ok((insn, next)) = code.decode_at(bci) {
                let mut encoded = Vec::new();
                let _ = insn.write(bci, Some(next - bci), &editor, &mut encoded);
                insn.for_each_target(|target| assert!((target as usize) < code.bytes.len()));
            }
        }
        let _ = (code.instructions().count(), code.line_table(), code.stack_map());
        let _ = (code.local_variables(&class.pool), code.local_variable_types(&class.pool));
    }
    assert!(ClassEditor::new(&class).write()? == bytes, "what can be read is written back");
    for how in [branches as crate::rewrite::Rewrite, nops] {
        if let Ok(rewritten) = rewrite(bytes, how) {
            assert!(ClassFile::parse(&rewritten).is_ok(), "what can be rewritten can be read");
        }
    }
    Ok(())
}

fn exercise_attribute<'a>(attribute: &Attribute<'a>, class: &ClassFile<'a>, editor: &mut PoolEditor<'a>) {
    let Ok(decoded) = attribute.decode(&class.pool) else { return };
    let _ = decoded.write(editor);
    match &decoded {
        Decoded::Code(code) => {
            code.attributes.iter().for_each(|inner| exercise_attribute(inner, class, editor));
        }
        Decoded::Record(components) => {
            let inner = components.iter().flat_map(|component| &component.attributes);
            inner.for_each(|inner| exercise_attribute(inner, class, editor));
        }
        _ => {}
    }
}
