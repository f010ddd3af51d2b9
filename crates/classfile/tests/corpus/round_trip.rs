//! Everything that can be decoded is encoded again, and gives the same bytes.

use std::collections::BTreeMap;

use crate::support::Corpus;
use selvedge_classfile::attributes::Decoded;
use selvedge_classfile::edit::{ClassEditor, CodeEditor, Jumps};
use selvedge_classfile::{Attribute, ClassFile, PoolEditor};

/// Attributes that did not come out as they went in, by name.
type Differences = BTreeMap<String, usize>;

#[test]
fn jdk_classes() {
    let Some(corpus) = Corpus::jdk() else { return };
    check(corpus);
}

#[test]
fn library_classes() {
    let Some(corpus) = Corpus::libraries() else { return };
    check(corpus);
}

fn check(corpus: &Corpus) {
    let mut differences = Differences::new();
    let (mut classes, mut attributes) = (0, 0);
    for (path, bytes) in corpus.classes() {
        let class = ClassFile::parse(bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut pool = PoolEditor::new(&class.pool);
        let members = class.fields.iter().chain(&class.methods).flat_map(|member| &member.attributes);
        for attribute in members.chain(&class.attributes) {
            attributes += check_attribute(attribute, &class, &mut pool, &mut differences)
                .unwrap_or_else(|error| panic!("{path}: {error}"));
        }
        assert!(ClassEditor::new(&class).write().unwrap() == bytes, "{path}: the class changed");
        check_code(&class).unwrap_or_else(|error| panic!("{path}: {error}"));
        classes += 1;
    }
    println!("{classes} classes, {attributes} attributes, differences: {differences:?}");
    assert!(classes > 0);
    // Some libraries hold a constant twice, or encode a frame longer than necessary.
    let different: usize = differences.values().sum();
    assert!(different * 10_000 <= attributes, "{differences:?}");
}

/// Decodes and encodes an attribute and those inside it. Returns how many there were.
fn check_attribute<'a>(
    attribute: &Attribute<'a>,
    class: &ClassFile<'a>,
    pool: &mut PoolEditor<'a>,
    differences: &mut Differences,
) -> selvedge_classfile::Result<usize> {
    let decoded = attribute.decode(&class.pool)?;
    if decoded.write(pool)? != attribute.info {
        *differences.entry(String::from_utf8_lossy(attribute.name).into_owned()).or_default() += 1;
    }
    let inner: Vec<Attribute<'a>> = match &decoded {
        Decoded::Code(code) => code.attributes.clone(),
        Decoded::Record(components) => {
            components.iter().flat_map(|component| component.attributes.clone()).collect()
        }
        _ => Vec::new(),
    };
    let mut count = 1;
    for attribute in &inner {
        count += check_attribute(attribute, class, pool, differences)?;
    }
    Ok(count)
}

/// Encodes every instruction at its size, and sends every method through the code editor, with an insertion of nothing
/// so that it is taken apart and put together.
fn check_code(class: &ClassFile<'_>) -> selvedge_classfile::Result<()> {
    let mut pool = PoolEditor::new(&class.pool);
    let mut bytes = Vec::new();
    for method in &class.methods {
        let Some(code) = method.code(&class.pool)? else { continue };
        bytes.clear();
        for item in code.instructions() {
            let (bci, insn) = item?;
            let next = code.decode_at(bci)?.1;
            insn.write(bci, Some(next - bci), &pool, &mut bytes)?;
        }
        assert!(bytes == code.bytes, "{}: the code changed", String::from_utf8_lossy(method.name));
        let mut editor = CodeEditor::new(class, method, &code);
        let label = editor.new_label();
        editor.before(0, Jumps::Run).label(label);
        let edited = editor.finish(&mut pool)?;
        assert!(
            Some(&edited[..]) == method.attribute(b"Code"),
            "{}: an edit of nothing changed the code",
            String::from_utf8_lossy(method.name)
        );
    }
    Ok(())
}
