//! Members added to classes.
//!
//! Every field that is neither static, volatile nor final (but see [`finals`](crate::finals)) gets three words beside it, for the last read, the last read of a second
//! thread and the last write, and two static methods that test them (see the support class for what a word is):
//!
//! ```java
//! private transient synthetic long $selvedgeR$f, $selvedgeS$f, $selvedgeW$f;
//! private transient synthetic Object $selvedgeV;             // once a class: reads of several threads
//! public static synthetic void $selvedgeRead$f(Object object, Selvedge me, int site) {
//!     if (object == null) return;                      // the access itself will throw
//!     if (((C) object).$selvedgeR$f >>> 23 == me.epoch) return;
//!     $selvedgeAgain$f(object, me, site);
//! }
//! private static synthetic void $selvedgeReadAgain$f(Object object, Selvedge me, int site) {
//!     C c = (C) object;
//!     if (c.$selvedgeS$f >>> 23 == me.epoch) return;
//!     long word = me.ownWord(c.$selvedgeR$f, c.$selvedgeS$f, c.$selvedgeW$f, site);
//!     if (word != 0) { c.$selvedgeR$f = word; return; }
//!     if (c.$selvedgeR$f == -1 && me.sees(c.$selvedgeV, position)) return;
//!     me.fieldRead(object, site, number);
//! }
//! ```
//!
//! What is called at each access has at most 35 bytes: so much the JIT compilers take into the caller without asking how often it is
//! executed, and what is rare stays one method for all callers.
//!
//! Calls name the class that the access names, so that access rules and loaders are the same as for the access, and the JVM
//! finds the methods where it finds the field. A class that uses a field may be rewritten before the one that declares it is
//! known. Then the world keeps in mind that the methods are wanted; if the field turns out to be one without words,
//! the class gets methods that do what there is to be done ([`Stub`]); so it does for what is done around accesses to
//! volatile fields.
//!
//! A field that the plan calls quiet has no words: code that the plan lists does not test them, and other code asks the agent.
//!
//! Names of added members never clash. Descriptors of added methods name the support class, which no program can. Words have another prefix if the class declares a field
//! that begins like them; and a class with a field that is named like that of the record gets none: its objects' records are found by identity.
//!
//! A clone has the words of the original: whoever clones an object calls `$selvedgeFresh`, which clears them. The number by which a
//! class is recognised in serialised form is that of the original ([`serial`](crate::serial)). `java.lang.Thread` gets the field
//! that holds the agent's part of the thread.

use selvedge_base::FastSet;
use selvedge_classfile::edit::{ClassEditor, CodeEditor, NewAttribute, Type};
use selvedge_classfile::{
    BinaryOp, ClassFile, CompareOp, Cond, Conversion, Insn, Kind, Member, PoolEditor, Result, StackOp, access,
};
use selvedge_protocol::Granularity;

use crate::hooks::{self, push};
use crate::method::Work;
use crate::{Instrumenter, SUPPORT_NAME, World, serial};

/// The field that holds the agent's part of a thread.
pub const THREAD_FIELD: &[u8] = b"$selvedge";

/// The field that holds the record of an object, in the topmost class that is rewritten. A clone has that of its original, and
/// whoever looks there sees that it is not its own.
const RECORD_FIELD: &[u8] = b"$selvedgeL";
const FRESH_METHOD: &[u8] = b"$selvedgeFresh";
const FRESH_DESCRIPTOR: &[u8] = b"(Ljava/lang/Selvedge;)V";
const SYNC_DESCRIPTOR: &[u8] = b"(Ljava/lang/Object;ILjava/lang/Selvedge;)V";

/// What the names of words begin with: no field that the class declares begins like that.
fn word_prefix(class: &ClassFile<'_>) -> Vec<u8> {
    let is_free = |prefix: &Vec<u8>| !class.fields.iter().any(|field| field.name.starts_with(prefix));
    let plain = b"$selvedge".to_vec();
    let others = (1_u32..).map(|number| format!("$selvedge{number}$").into_bytes());
    std::iter::once(plain.clone()).chain(others).find(is_free).unwrap_or(plain)
}

/// The name of the words of a kind, `R`, `S` or `W`, of a field.
fn word_name(prefix: &[u8], kind: u8, field: &[u8]) -> Vec<u8> {
    [prefix, &[kind, b'$'], field].concat()
}

/// The name of the field for reads of several threads.
fn rows_name(prefix: &[u8]) -> Vec<u8> {
    [prefix, b"V"].concat()
}

/// Whether the class declares a field that is named like that of the record.
pub(crate) fn clashes_with_record(class: &ClassFile<'_>) -> bool {
    class.fields.iter().any(|field| field.name == RECORD_FIELD)
}
const TEST_DESCRIPTOR: &[u8] = b"(Ljava/lang/Object;Ljava/lang/Selvedge;I)V";

/// Where the epoch begins in a word.
const EPOCH: i32 = 23;

/// What a class must have for a field that another class uses that was rewritten earlier, when nothing was known of the field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stub {
    /// The field.
    pub field: String,
    /// What its tests do.
    pub tests: Tests,
    /// Whether accesses to it order: it is volatile.
    pub orders: bool,
}

/// What the tests of a field do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tests {
    /// They test words: the class or one above it has them.
    Words,
    /// Nothing: the field is final or volatile.
    Nothing,
    /// They ask the agent: the field is the library's.
    Plain,
}

fn joined(prefix: &[u8], name: &[u8]) -> Vec<u8> {
    [prefix, name].concat()
}

/// The method that tests the words of a field; `None` if there can be no such method.
pub(crate) fn test_of(field: &[u8], write: bool) -> Option<Vec<u8>> {
    let prefix: &[u8] = if write { b"$selvedgeWrite$" } else { b"$selvedgeRead$" };
    (!field.iter().any(|byte| matches!(byte, b'<' | b'>'))).then(|| joined(prefix, field))
}

/// The method that is called around accesses to a field of which it is not known whether it is volatile.
pub(crate) fn sync_of(field: &[u8], write: bool) -> Option<Vec<u8>> {
    let prefix: &[u8] = if write { b"$selvedgeSet$" } else { b"$selvedgeGot$" };
    test_of(field, write).map(|_| joined(prefix, field))
}

/// Whether the field has words of its own.
fn has_words(field: &Member<'_>, late: &FastSet<Vec<u8>>) -> bool {
    field.access & (access::STATIC | access::VOLATILE) == 0
        && (field.access & access::FINAL == 0 || late.contains(field.name))
        && test_of(field.name, false).is_some()
}

impl Instrumenter {
    /// Adds what an application class needs.
    pub(crate) fn add_members<'a>(
        &self,
        class: &ClassFile<'a>,
        editor: &mut ClassEditor<'_, 'a>,
        world: &mut dyn World,
    ) -> Result<bool> {
        if class.access & access::INTERFACE != 0 {
            return Ok(false);
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let name = text(class.this_class);
        let above = class.super_class.map(text).filter(|name| self.has_words(name));
        serial::keep(class, editor)?;
        let late = crate::finals::late(class);
        let mut fields: Vec<&[u8]> = class
            .fields
            .iter()
            .filter(|field| has_words(field, &late) && !self.is_quiet(&name, &text(field.name)))
            .map(|field| field.name)
            .collect();
        fields.sort_unstable();
        fields.dedup();
        let by_object = self.plan.options.granularity == Granularity::Object;
        let flags = access::TRANSIENT | access::SYNTHETIC;
        let mut words: Vec<Vec<u8>> = Vec::new();
        let prefix = if by_object { b"$selvedge".to_vec() } else { word_prefix(class) };
        if !by_object {
            // What is tested together lies together.
            for field in &fields {
                words.extend([word_name(&prefix, b'R', field), word_name(&prefix, b'S', field)]);
            }
            words.extend(fields.iter().map(|field| word_name(&prefix, b'W', field)));
        } else if above.is_none() {
            words.extend([b'R', b'S', b'W'].map(|kind| word_name(&prefix, kind, b"")));
        }
        // With one location an object, subclasses name the words of the topmost class.
        let visible = if by_object { access::PUBLIC } else { access::PRIVATE };
        for word in &words {
            editor.add_field(visible | flags, word, b"J", &[])?;
        }
        if !words.is_empty() {
            editor.add_field(visible | flags, &rows_name(&prefix), b"Ljava/lang/Object;", &[])?;
        }
        for (position, field) in fields.iter().enumerate() {
            let (position, count) = if by_object { (0, 1) } else { (position as u32, fields.len() as u32) };
            let shown = if by_object { String::new() } else { text(field) };
            let owner = name.replace('/', ".");
            let number = world.field_number(&format!(
                "{owner}:{shown}:{position}:{count}:{}",
                String::from_utf8_lossy(&prefix)
            ));
            for write in [false, true] {
                let test = Test { field, write, number, position, by_object, prefix: &prefix };
                test.add(class, editor)?;
            }
        }
        for stub in world.stubs(&name, above.as_deref()) {
            add_sync(class, editor, &stub)?;
            if stub.tests != Tests::Words && !fields.contains(&stub.field.as_bytes()) {
                add_tests(class, editor, &stub)?;
            }
        }
        add_fresh(class, editor, &words, &prefix, above.as_deref())?;
        Ok(true)
    }
}

/// A method that tests the words of a field.
struct Test<'t> {
    field: &'t [u8],
    write: bool,
    number: u32,
    position: u32,
    by_object: bool,
    prefix: &'t [u8],
}

const TEST_FLAGS: u16 = access::PUBLIC | access::STATIC | access::SYNTHETIC;

/// The parameters of a test.
const OBJECT: Insn<'static> = Insn::Load(Kind::Ref, 0);
const ME: Insn<'static> = Insn::Load(Kind::Ref, 1);
const SITE: Insn<'static> = Insn::Load(Kind::Int, 2);
const PARAMETERS: [Type<'static>; 3] =
    [Type::Class(b"java/lang/Object"), Type::Class(SUPPORT_NAME.as_bytes()), Type::Int];

impl Test<'_> {
    fn add<'a>(&self, class: &ClassFile<'a>, editor: &mut ClassEditor<'_, 'a>) -> Result<()> {
        let Some(name) = test_of(self.field, self.write) else { return Ok(()) };
        let is_recent = self.is_recent(class, editor.pool(), if self.write { b'W' } else { b'R' })?;
        let again: &[u8] = if self.write { b"$selvedgeWriteAgain$" } else { b"$selvedgeReadAgain$" };
        let again = joined(again, self.field);
        let pool = editor.pool();
        let further =
            [OBJECT, ME, SITE, Insn::InvokeStatic(pool.method(class.this_class, &again, TEST_DESCRIPTOR)?)];
        let code = assemble(class, pool, |edit| {
            let end = edit.new_label();
            edit.at_entry()
                .insn(OBJECT)
                .branch(|to| Insn::IfNull(true, to), end)
                .insns(is_recent)
                .branch(|to| Insn::IfZero(Cond::Eq, to), end)
                .insns(further)
                .label(end)
                .exact_frame(&PARAMETERS, &[])
                .insn(Insn::Return(None));
        })?;
        let code = [NewAttribute { name: b"Code", info: &code }];
        editor.add_method(TEST_FLAGS, &name, TEST_DESCRIPTOR, &code)?;
        self.add_again(&again, class, editor)
    }

    /// The method that looks at who else has touched the field.
    fn add_again<'a>(
        &self,
        name: &[u8],
        class: &ClassFile<'a>,
        editor: &mut ClassEditor<'_, 'a>,
    ) -> Result<()> {
        let is_recent = self.is_recent(class, editor.pool(), b'S')?;
        let pool = editor.pool();
        let further = self.ask_agent(pool)?;
        let this_class = Insn::CheckCast(pool.class(class.this_class)?);
        let mut field = |kind: u8| pool.field(class.this_class, &self.word(kind), b"J");
        let [read, second, write] = [field(b'R')?, field(b'S')?, field(b'W')?];
        let rows = rows_name(self.prefix);
        let rows = Insn::GetField(pool.field(class.this_class, &rows, b"Ljava/lang/Object;")?);
        let sees = pool.method(SUPPORT_NAME.as_bytes(), b"sees", b"(Ljava/lang/Object;I)Z")?;
        let own = pool.method(SUPPORT_NAME.as_bytes(), b"ownWord", b"(JJJI)J")?;
        let position = push(self.position, pool)?;
        let code = assemble(class, pool, |edit| {
            let [others, slow, end] = [edit.new_label(), edit.new_label(), edit.new_label()];
            let long = edit.new_local(2);
            edit.reserve_stack(8);
            let mut block = edit.at_entry();
            if !self.write {
                block.insns(is_recent).branch(|to| Insn::IfZero(Cond::Eq, to), end);
            }
            block.insn(ME);
            for word in [read, second, write] {
                block.insns([OBJECT, this_class, Insn::GetField(word)]);
            }
            block
                .insns([SITE, Insn::InvokeVirtual(own), Insn::Store(Kind::Long, long)])
                .insns([Insn::Load(Kind::Long, long), Insn::LConst(0), Insn::Compare(CompareOp::LCmp)])
                .branch(|to| Insn::IfZero(Cond::Eq, to), others)
                .insns([OBJECT, this_class, Insn::Load(Kind::Long, long)])
                .insns([Insn::PutField(if self.write { write } else { read }), Insn::Return(None)])
                .label(others)
                .exact_frame(&PARAMETERS, &[]);
            if !self.write {
                block
                    .insns([OBJECT, this_class, Insn::GetField(read)])
                    .insns([Insn::IConst(-1), Insn::Convert(Conversion::I2L), Insn::Compare(CompareOp::LCmp)])
                    .branch(|to| Insn::IfZero(Cond::Ne, to), slow)
                    .insns([ME, OBJECT, this_class, rows, position, Insn::InvokeVirtual(sees)])
                    .branch(|to| Insn::IfZero(Cond::Ne, to), end)
                    .label(slow)
                    .exact_frame(&PARAMETERS, &[]);
            }
            block.insns(further);
            if !self.write {
                block.label(end).exact_frame(&PARAMETERS, &[]);
            }
            block.insn(Insn::Return(None));
        })?;
        let code = [NewAttribute { name: b"Code", info: &code }];
        let flags = access::PRIVATE | access::STATIC | access::SYNTHETIC;
        editor.add_method(flags, name, TEST_DESCRIPTOR, &code)
    }

    /// The name of a word of the field.
    fn word(&self, kind: u8) -> Vec<u8> {
        word_name(self.prefix, kind, if self.by_object { b"" } else { self.field })
    }

    /// Compares the epoch in a word of the object with the thread's.
    fn is_recent(
        &self,
        class: &ClassFile<'_>,
        pool: &mut PoolEditor<'_>,
        kind: u8,
    ) -> Result<[Insn<'static>; 8]> {
        let this_class = Insn::CheckCast(pool.class(class.this_class)?);
        let word = Insn::GetField(pool.field(class.this_class, &self.word(kind), b"J")?);
        let epoch = Insn::GetField(pool.field(SUPPORT_NAME.as_bytes(), b"epoch", b"J")?);
        let shift = Insn::Binary(BinaryOp::UShr, Kind::Long);
        Ok([OBJECT, this_class, word, Insn::IConst(EPOCH), shift, ME, epoch, Insn::Compare(CompareOp::LCmp)])
    }

    /// What is left when no word says that there is nothing new.
    fn ask_agent(&self, pool: &mut PoolEditor<'_>) -> Result<[Insn<'static>; 5]> {
        let name: &[u8] = if self.write { b"fieldWrite" } else { b"fieldRead" };
        let further = pool.method(SUPPORT_NAME.as_bytes(), name, b"(Ljava/lang/Object;II)V")?;
        Ok([ME, OBJECT, SITE, push(self.number, pool)?, Insn::InvokeVirtual(further)])
    }
}

fn assemble<'a>(
    class: &ClassFile<'a>,
    pool: &mut PoolEditor<'_>,
    build: impl FnOnce(&mut CodeEditor<'_, 'a>),
) -> Result<Vec<u8>> {
    CodeEditor::assemble(class, TEST_FLAGS, b"$selvedge", TEST_DESCRIPTOR, pool, |edit| {
        // As little as is needed: C1 takes no callee with a large frame.
        edit.reserve_stack(4);
        build(edit);
    })
}

fn add_tests<'a>(class: &ClassFile<'a>, editor: &mut ClassEditor<'_, 'a>, stub: &Stub) -> Result<()> {
    for write in [false, true] {
        let Some(name) = test_of(stub.field.as_bytes(), write) else { continue };
        let hook = if write { hooks::PLAIN_WRITE } else { hooks::PLAIN_READ }.call(editor.pool())?;
        let code = assemble(class, editor.pool(), |edit| {
            let mut block = edit.at_entry();
            if stub.tests == Tests::Plain {
                block.insns([OBJECT, ME, SITE, hook]);
            }
            block.insn(Insn::Return(None));
        })?;
        let code = [NewAttribute { name: b"Code", info: &code }];
        editor.add_method(TEST_FLAGS, &name, TEST_DESCRIPTOR, &code)?;
    }
    Ok(())
}

/// What is called around accesses to a field of which it was not known whether it is volatile.
fn add_sync<'a>(class: &ClassFile<'a>, editor: &mut ClassEditor<'_, 'a>, stub: &Stub) -> Result<()> {
    for write in [false, true] {
        let pool = editor.pool();
        let Some(name) = sync_of(stub.field.as_bytes(), write) else { return Ok(()) };
        let hook = if write { hooks::VOLATILE_WRITE } else { hooks::VOLATILE_READ }.call(pool)?;
        let code = CodeEditor::assemble(class, TEST_FLAGS, b"$selvedge", SYNC_DESCRIPTOR, pool, |edit| {
            edit.reserve_stack(2);
            let mut block = edit.at_entry();
            if stub.orders {
                block.insns([OBJECT, Insn::Load(Kind::Int, 1), hook]);
            }
            block.insn(Insn::Return(None));
        })?;
        let code = [NewAttribute { name: b"Code", info: &code }];
        editor.add_method(TEST_FLAGS, &name, SYNC_DESCRIPTOR, &code)?;
    }
    Ok(())
}

/// The method that clears the words of a new clone.
fn add_fresh<'a>(
    class: &ClassFile<'a>,
    editor: &mut ClassEditor<'_, 'a>,
    words: &[Vec<u8>],
    prefix: &[u8],
    above: Option<&str>,
) -> Result<()> {
    let flags = access::PUBLIC | access::SYNTHETIC;
    let pool = editor.pool();
    let mut insns = Vec::new();
    if let Some(above) = above {
        let fresh = pool.method(above.as_bytes(), FRESH_METHOD, FRESH_DESCRIPTOR)?;
        insns.extend([OBJECT, Insn::AConstNull, Insn::InvokeSpecial(fresh)]);
    }
    for word in words {
        let field = Insn::PutField(pool.field(class.this_class, word, b"J")?);
        insns.extend([OBJECT, Insn::LConst(0), field]);
    }
    if !words.is_empty() {
        let field =
            Insn::PutField(pool.field(class.this_class, &rows_name(prefix), b"Ljava/lang/Object;")?);
        insns.extend([OBJECT, Insn::AConstNull, field]);
    }
    insns.push(Insn::Return(None));
    let code = CodeEditor::assemble(class, flags, FRESH_METHOD, FRESH_DESCRIPTOR, pool, |edit| {
        edit.reserve_stack(3);
        edit.at_entry().insns(insns);
    })?;
    editor.add_method(flags, FRESH_METHOD, FRESH_DESCRIPTOR, &[NewAttribute { name: b"Code", info: &code }])
}

/// After a call of the library's `clone` for `this` at `bci`: the clone has nobody's words.
pub(crate) fn clear_clone(work: &mut Work<'_, '_, '_, '_, '_, '_>, bci: u32) -> Result<()> {
    let this_class = work.context.class.this_class;
    let cast = Insn::CheckCast(work.pool.class(this_class)?);
    let fresh = Insn::InvokeVirtual(work.pool.method(this_class, FRESH_METHOD, FRESH_DESCRIPTOR)?);
    work.edit.reserve_stack(2);
    work.edit.after(bci).insns([Insn::Stack(StackOp::Dup), cast, Insn::AConstNull, fresh]);
    Ok(())
}

/// Adds the field that holds the record of an object.
pub(crate) fn add_record(editor: &mut ClassEditor<'_, '_>) -> Result<()> {
    let flags = access::PRIVATE | access::TRANSIENT | access::SYNTHETIC;
    editor.add_field(flags, RECORD_FIELD, b"Ljava/lang/Object;", &[])
}

/// Adds the agent's part to `java.lang.Thread`.
pub(crate) fn add_to_thread(editor: &mut ClassEditor<'_, '_>) -> Result<()> {
    let descriptor = format!("L{SUPPORT_NAME};");
    editor.add_field(access::TRANSIENT | access::SYNTHETIC, THREAD_FIELD, descriptor.as_bytes(), &[])
}

/// A call around an access to a field of the class that it names.
pub(crate) fn sync_call(pool: &mut PoolEditor<'_>, owner: &[u8], name: &[u8]) -> Result<Insn<'static>> {
    Ok(Insn::InvokeStatic(pool.method(owner, name, SYNC_DESCRIPTOR)?))
}

/// A call that tests a field of the class that the access names.
pub(crate) fn test_call(pool: &mut PoolEditor<'_>, owner: &[u8], name: &[u8]) -> Result<Insn<'static>> {
    Ok(Insn::InvokeStatic(pool.method(owner, name, TEST_DESCRIPTOR)?))
}
