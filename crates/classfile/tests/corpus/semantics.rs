//! What edited code does when it runs.

use std::path::Path;
use std::process::Command;

use selvedge_classfile::edit::{ClassEditor, CodeEditor, Jumps, NewAttribute};
use selvedge_classfile::{BinaryOp, ClassFile, Code, Cond, Insn, Kind, access};

use crate::support::{TemporaryDirectory, compile, run};

/// Each method is edited in its own way; `main` says how often the inserted call ran for each.
const SUBJECT: &str = "
public class Subject {
    static int hits;
    static void hit() { hits++; }
    static void fail() { hits++; throw new IllegalStateException(); }

    static void loopRun() { int i = 0; while (true) { if (++i == 5) return; } }
    static void loopSkip() { int i = 0; while (true) { if (++i == 5) return; } }
    static void loopAfter() { int i = 0; while (true) { if (++i == 5) return; } }
    static void loopEntry() { int i = 0; while (true) { if (++i == 5) return; } }
    static int handlerRun() { try { return Integer.parseInt(\"x\"); } catch (RuntimeException e) { return 7; } }
    static int handlerSkip() { try { return Integer.parseInt(\"x\"); } catch (RuntimeException e) { return 7; } }
    static int throwing() { try { return Integer.parseInt(\"1\"); } catch (RuntimeException e) { return 7; } }
    static int addedLater(long a, int b) { return 0; }
    static int added() { return addedLater(2, 3); }
    static int jumpOver() { return Integer.parseInt(\"x\"); }

    static void report(Object result) { System.out.print(hits + (result == null ? \" \" : \"=\" + result + \" \")); hits = 0; }

    public static void main(String[] args) {
        loopRun(); report(null);
        loopSkip(); report(null);
        loopAfter(); report(null);
        loopEntry(); report(null);
        report(handlerRun());
        report(handlerSkip());
        report(throwing());
        report(jumpOver());
        report(added());
    }
}";

fn bci_of(code: &Code<'_>, mut is_wanted: impl FnMut(u32, Insn<'_>) -> Option<u32>) -> u32 {
    code.instructions().find_map(|item| item.ok().and_then(|(bci, insn)| is_wanted(bci, insn))).unwrap()
}

fn loop_head(code: &Code<'_>) -> u32 {
    bci_of(code, |bci, insn| {
        let mut head = None;
        insn.for_each_target(|target| head = head.or((target < bci).then_some(target)));
        head
    })
}

fn call(code: &Code<'_>) -> u32 {
    bci_of(code, |bci, insn| matches!(insn, Insn::InvokeStatic(_)).then_some(bci))
}

#[test]
fn inserted_code_runs_when_it_should() {
    let directory = TemporaryDirectory::new("semantics");
    if compile("Subject.java", SUBJECT, &directory.0).is_none() {
        return;
    }
    let file = directory.0.join("Subject.class");
    let bytes = std::fs::read(&file).unwrap();
    let class = ClassFile::parse(&bytes).unwrap();
    let mut editor = ClassEditor::new(&class);
    let hit = Insn::InvokeStatic(editor.pool().method(b"Subject", b"hit", b"()V").unwrap());
    let fail = Insn::InvokeStatic(editor.pool().method(b"Subject", b"fail", b"()V").unwrap());
    for (position, method) in class.methods.iter().enumerate() {
        let code = method.code(&class.pool).unwrap().unwrap();
        let mut edit = CodeEditor::new(&class, method, &code);
        match method.name {
            b"loopRun" => {
                edit.before(loop_head(&code), Jumps::Run).insn(hit);
            }
            b"loopSkip" => {
                edit.before(loop_head(&code), Jumps::Skip).insn(hit);
            }
            b"loopAfter" => {
                let increment = bci_of(&code, |bci, insn| matches!(insn, Insn::IInc(..)).then_some(bci));
                edit.after(increment).insn(hit);
            }
            b"loopEntry" => {
                edit.at_entry().insn(hit);
            }
            b"handlerRun" => {
                edit.before(code.handlers[0].handler, Jumps::Run).insn(hit);
            }
            b"handlerSkip" => {
                edit.before(code.handlers[0].handler, Jumps::Skip).insn(hit);
            }
            // What is inserted before an instruction is protected as the instruction is.
            b"throwing" => {
                edit.before(call(&code), Jumps::Run).insn(fail);
            }
            // The call that would throw is jumped over, its argument popped and a result pushed instead.
            b"jumpOver" => {
                let call = call(&code);
                let over = edit.label_at(call + 3);
                let pop = Insn::Stack(selvedge_classfile::StackOp::Pop);
                edit.before(call, Jumps::Run).insns([pop, Insn::IConst(9)]).branch(Insn::Goto, over);
                // Both what is jumped over and where the jump leads needs a frame.
                edit.before(call, Jumps::Run).frame(&[]);
                edit.before(call + 3, Jumps::Run).frame(&[]).insn(hit);
            }
            // Calls a method that the source does not have.
            b"added" => {
                let call = call(&code);
                let twice = editor.pool().method(b"Subject", b"twice", b"(I)I").unwrap();
                edit.after(call).insns([hit, Insn::IConst(-5), Insn::Binary(BinaryOp::Add, Kind::Int)]);
                edit.after(call).insn(Insn::InvokeStatic(twice));
            }
            _ => continue,
        }
        let edited = edit.finish(editor.pool()).unwrap();
        editor.replace_code(position, edited).unwrap();
    }
    add_twice(&class, &mut editor);
    std::fs::write(&file, editor.write().unwrap()).unwrap();
    assert_eq!(run_subject(&directory.0), "5 1 5 1 1=7 0=7 1=7 1=9 1=10 ");
}

/// Adds `static int twice(int number)`, which doubles the absolute value.
fn add_twice<'a>(class: &ClassFile<'a>, editor: &mut ClassEditor<'_, 'a>) {
    let (name, descriptor) = (b"twice", b"(I)I");
    let flags = access::STATIC | access::PRIVATE;
    let number = Insn::Load(Kind::Int, 0);
    let code = CodeEditor::assemble(class, flags, name, descriptor, editor.pool(), |edit| {
        edit.reserve_stack(2);
        let positive = edit.new_label();
        edit.at_entry()
            .insn(number)
            .branch(|to| Insn::IfZero(Cond::Ge, to), positive)
            .insns([number, Insn::Neg(Kind::Int), Insn::Store(Kind::Int, 0)])
            .label(positive)
            .frame(&[])
            .insns([number, Insn::IConst(2), Insn::Binary(BinaryOp::Mul, Kind::Int)])
            .insn(Insn::Return(Some(Kind::Int)));
    });
    let code = NewAttribute { name: b"Code", info: &code.unwrap() };
    editor.add_method(flags, name, descriptor, &[code]).unwrap();
}

fn run_subject(directory: &Path) -> String {
    run(Command::new("java").arg("-cp").arg(directory).arg("Subject"))
}
