//! The number by which serialisation recognises a class stays that of the original.
//!
//! A class that does not say it has one computed from its name, flags, interfaces, fields and methods (Java Object Serialization
//! Specification, 4.6), which added members would change. So a class that does not say it says what would have been computed.

use selvedge_classfile::edit::{ClassEditor, NewAttribute};
use selvedge_classfile::{ClassFile, Member, Result, access};

use crate::sha1;

const FIELD: &[u8] = b"serialVersionUID";

/// Adds the number to a class that does not have it.
pub(crate) fn keep<'a>(class: &ClassFile<'a>, editor: &mut ClassEditor<'_, 'a>) -> Result<()> {
    let has = class.fields.iter().any(|field| field.name == FIELD);
    // Enums and records have none.
    let is_enum = class.access & access::ENUM != 0;
    if has || is_enum || class.super_class == Some(b"java/lang/Record") {
        return Ok(());
    }
    let value = editor.pool().long(number(class))?;
    let flags = access::PRIVATE | access::STATIC | access::FINAL | access::SYNTHETIC;
    let info = value.to_be_bytes();
    editor.add_field(flags, FIELD, b"J", &[NewAttribute { name: b"ConstantValue", info: &info }])
}

/// What a stream of Java data gets.
#[derive(Default)]
struct Stream(Vec<u8>);

impl Stream {
    fn text(&mut self, bytes: &[u8]) {
        self.0.extend((bytes.len() as u16).to_be_bytes());
        self.0.extend(bytes);
    }

    fn int(&mut self, value: u16) {
        self.0.extend(u32::from(value).to_be_bytes());
    }
}

/// Names of classes with dots.
fn dotted(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|byte| if *byte == b'/' { b'.' } else { *byte }).collect()
}

/// The flags that the source gave the class; for a nested one they are in its table of nested classes.
fn class_flags(class: &ClassFile<'_>) -> u16 {
    let nested = class.attribute(b"InnerClasses").and_then(|info| {
        let entries = info.get(2..)?;
        entries.chunks_exact(8).find_map(|entry| {
            let index = u16::from_be_bytes([entry[0], entry[1]]);
            let is_this = class.pool.class_name(index).is_ok_and(|name| name == class.this_class);
            is_this.then(|| u16::from_be_bytes([entry[6], entry[7]]))
        })
    });
    let wanted = access::PUBLIC | access::FINAL | access::INTERFACE | access::ABSTRACT;
    nested.unwrap_or(class.access) & wanted
}

/// The number as the specification computes it.
fn number(class: &ClassFile<'_>) -> i64 {
    let mut stream = Stream::default();
    stream.text(&dotted(class.this_class));
    stream.int(class_flags(class));
    let mut interfaces: Vec<Vec<u8>> = class.interfaces.iter().map(|name| dotted(name)).collect();
    interfaces.sort();
    interfaces.iter().for_each(|name| stream.text(name));
    let mut fields: Vec<&Member<'_>> = class.fields.iter().collect();
    fields.sort_by_key(|field| field.name);
    for field in fields {
        let flags = field.access & 0xdf;
        let hidden = access::STATIC | access::TRANSIENT;
        if flags & access::PRIVATE == 0 || flags & hidden == 0 {
            stream.text(field.name);
            stream.int(flags);
            stream.text(field.descriptor);
        }
    }
    let mut method = |name: &[u8], flags: u16, descriptor: &[u8]| {
        stream.text(name);
        stream.int(flags);
        stream.text(&dotted(descriptor));
    };
    if class.methods.iter().any(|method| method.name == b"<clinit>") {
        method(b"<clinit>", access::STATIC, b"()V");
    }
    let visible = |flags: u16| flags & access::PRIVATE == 0;
    let mut methods: Vec<(&[u8], &[u8], u16)> = class
        .methods
        .iter()
        .filter(|method| method.name != b"<clinit>" && visible(method.access))
        .map(|method| (method.name, method.descriptor, method.access & 0xd3f))
        .collect();
    methods.sort_unstable();
    let (constructors, others): (Vec<_>, Vec<_>) =
        methods.into_iter().partition(|(name, ..)| *name == b"<init>");
    for (name, descriptor, flags) in constructors.into_iter().chain(others) {
        method(name, flags, descriptor);
    }
    let digest = sha1::digest(&stream.0);
    (0..8).rev().fold(0, |number, position| number << 8 | i64::from(digest[position]))
}
