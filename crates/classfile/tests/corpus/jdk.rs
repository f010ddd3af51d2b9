//! Reads every class of the installed JDK.

use crate::support::Corpus;
use selvedge_classfile::walk::{Counts, walk};
use selvedge_classfile::{ClassFile, Constant, Insn, MethodDescriptor};

/// Everything in the JDK can be read, and the sums are plausible for any JDK since 9.
#[test]
fn every_class_is_walked() {
    let Some(corpus) = Corpus::jdk() else { return };
    let mut total = Counts::default();
    let start = std::time::Instant::now();
    for (path, bytes) in corpus.classes() {
        match walk(bytes) {
            Ok(counts) => total += counts,
            Err(error) => panic!("{path}: {error}"),
        }
    }
    let elapsed = start.elapsed();
    println!("{total:?} in {elapsed:?}, {:.0} MB/s", total.bytes as f64 / 1e6 / elapsed.as_secs_f64());
    assert!(total.classes > 5_000 && total.instructions > 20 * total.classes);
}

/// Operands refer to constants of the right type, branches go to instructions, tables decode.
#[test]
fn everything_in_the_code_is_consistent() {
    let Some(corpus) = Corpus::jdk() else { return };
    for (path, bytes) in corpus.classes() {
        check(bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
}

fn check(bytes: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
    let class = ClassFile::parse(bytes)?;
    let pool = &class.pool;
    for index in pool.indexes() {
        pool.get(index)?;
    }
    let bootstraps = class.bootstrap_methods()?;
    for method in &class.methods {
        MethodDescriptor::parse(method.descriptor)?;
        let Some(code) = method.code(pool)? else { continue };
        let mut starts = vec![false; code.bytes.len()];
        for item in code.instructions() {
            starts[item?.0 as usize] = true;
        }
        let assert_start = |bci: u32| assert!(starts[bci as usize], "{bci} is inside an instruction");
        for item in code.instructions() {
            let (_, insn) = item?;
            insn.for_each_target(assert_start);
            match insn {
                Insn::GetField(index) | Insn::PutField(index) => drop(pool.field_ref(index)?),
                Insn::GetStatic(index) | Insn::PutStatic(index) => drop(pool.field_ref(index)?),
                Insn::InvokeVirtual(index) => assert!(!pool.method_ref(index)?.interface),
                Insn::InvokeInterface(index) => assert!(pool.method_ref(index)?.interface),
                Insn::InvokeStatic(index) | Insn::InvokeSpecial(index) => drop(pool.method_ref(index)?),
                Insn::InvokeDynamic(index) => {
                    let bootstrap = &bootstraps[usize::from(pool.dynamic(index)?.bootstrap)];
                    pool.method_handle(bootstrap.handle)?;
                }
                Insn::New(index) | Insn::CheckCast(index) | Insn::InstanceOf(index) => {
                    pool.class_name(index)?;
                }
                Insn::Ldc(index) => {
                    let constant = pool.get(index)?;
                    assert!(!matches!(constant, Constant::Utf8(_) | Constant::NameAndType(_)));
                }
                _ => {}
            }
        }
        code.handlers.iter().for_each(|handler| assert_start(handler.handler));
        code.line_table()?.into_iter().for_each(|(bci, _)| assert_start(bci));
        code.stack_map()?.iter().for_each(|frame| assert_start(frame.bci));
        code.local_variables(pool)?;
        code.local_variable_types(pool)?;
    }
    Ok(())
}
