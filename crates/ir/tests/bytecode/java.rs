//! Bodies of compiled Java: what javac makes of lambdas, strings, records, locks and `finally`.

use selvedge_base::Symbol;
use selvedge_classfile::ClassFile;
use selvedge_ir::{
    Body, CallSiteKind, ClassName, Constant, HandleKind, InvokeKind, Lowerer, MethodHandle, NoHierarchy, Op,
    verify_method,
};
use selvedge_testkit::{JavacOptions, compile, jdk_or_skip};

use crate::text_of;

/// Lowers every method of `C` in this source and returns those of one name; none where there is no JDK.
fn methods(source: &str, name: &str) -> Option<Vec<Body>> {
    jdk_or_skip()?;
    let compiled = compile(&[("C.java", source)], &JavacOptions::default()).unwrap();
    let bytes = compiled.class_bytes("C").unwrap();
    let class = ClassFile::parse(&bytes).unwrap();
    let mut lowerer = Lowerer::new(&class, &NoHierarchy);
    let mut found = Vec::new();
    for method in &class.methods {
        let Some(body) = lowerer.lower(method).unwrap() else { continue };
        let is_static = method.access & selvedge_classfile::access::STATIC != 0;
        if let Err(errors) = verify_method(&body, method.descriptor, is_static) {
            panic!("{}\n{}", errors[0], text_of(&body));
        }
        if method.name == name.as_bytes() {
            found.push(body);
        }
    }
    assert!(!found.is_empty());
    Some(found)
}

fn method(source: &str, name: &str) -> Option<Body> {
    methods(source, name)?.pop()
}

fn kinds(body: &Body) -> Vec<&CallSiteKind> {
    body.call_sites.iter().map(|site| &site.kind).collect()
}

#[test]
fn lambdas_and_method_references() {
    let source = "
        import java.util.function.*;
        class C {
            int base;
            Object m(int captured) {
                IntUnaryOperator add = x -> x + captured + base;
                Supplier<StringBuilder> make = StringBuilder::new;
                return (Runnable & java.io.Serializable & Cloneable) () -> System.gc();
            }
        }";
    let Some(body) = method(source, "m") else { return };
    let [CallSiteKind::Lambda(add), CallSiteKind::Lambda(make), CallSiteKind::Lambda(run)] = kinds(&body)[..]
    else {
        panic!("{}", text_of(&body));
    };
    assert!(add.interface.is("java/util/function/IntUnaryOperator") && add.method.is("applyAsInt"));
    assert!(add.erased.is("(I)I") && add.instantiated.is("(I)I") && add.markers.is_empty());
    assert!(
        matches!(add.implementation, MethodHandle::Method(HandleKind::InvokeVirtual | HandleKind::InvokeSpecial, method)
        if method.owner.is("C") && method.descriptor.is("(II)I"))
    );

    assert!(make.erased.is("()Ljava/lang/Object;") && make.instantiated.is("()Ljava/lang/StringBuilder;"));
    assert!(matches!(make.implementation, MethodHandle::Method(HandleKind::NewInvokeSpecial, method)
        if method.owner.is("java/lang/StringBuilder") && method.name.is("<init>")));

    let markers: Vec<String> = run.markers.iter().map(ClassName::to_string).collect();
    assert_eq!(markers, ["java/lang/Cloneable", "java/io/Serializable"]);
    assert!(matches!(run.implementation, MethodHandle::Method(HandleKind::InvokeStatic, _)));
}

#[test]
fn bridges_of_lambdas() {
    let source = "
        interface Takes<T> { void take(T x); }
        interface TakesString { void take(String x); }
        interface Both extends Takes<String>, TakesString { }
        class C { Both m() { return x -> { }; } }";
    let Some(body) = method(source, "m") else { return };
    let [CallSiteKind::Lambda(lambda)] = kinds(&body)[..] else { panic!("{}", text_of(&body)) };
    assert!(lambda.instantiated.is("(Ljava/lang/String;)V"));
    let mut callable = [&[lambda.erased], &lambda.bridges[..]].concat();
    callable.sort();
    assert_eq!(callable, ["(Ljava/lang/Object;)V", "(Ljava/lang/String;)V"].map(Symbol::new));
}

#[test]
fn string_concatenation() {
    let source = "class C { static String m(int i, Object o) { return \"i=\" + i + \", \u{1}o=\" + o; } }";
    let Some(body) = method(source, "m") else { return };
    let [CallSiteKind::Concat { recipe, constants }] = kinds(&body)[..] else { panic!("{}", text_of(&body)) };
    assert_eq!(recipe.as_str(), Some("i=\u{1}\u{2}\u{1}"));
    assert_eq!(constants[..], [Constant::String(Symbol::new(", \u{1}o="))]);
}

#[test]
fn methods_of_records() {
    let source = "class C { record P(int x, String y) { } } ";
    let Some(_) = jdk_or_skip() else { return };
    let compiled = compile(&[("C.java", source)], &JavacOptions::default()).unwrap();
    let bytes = compiled.class_bytes("C$P").unwrap();
    let class = ClassFile::parse(&bytes).unwrap();
    for name in ["equals", "hashCode", "toString"] {
        let method = class.methods.iter().find(|method| method.name == name.as_bytes()).unwrap();
        let body = selvedge_ir::lower(&class, method, &NoHierarchy).unwrap().unwrap();
        let [CallSiteKind::RecordMethod { class, getters }] = kinds(&body)[..] else {
            panic!("{}", text_of(&body))
        };
        assert!(class.is("C$P"));
        let fields = getters.iter().map(|getter| match getter {
            MethodHandle::Field(HandleKind::GetField, field) => field.name.as_str().unwrap(),
            other => panic!("{other:?}"),
        });
        assert_eq!(fields.collect::<Vec<_>>(), ["x", "y"]);
    }
}

#[test]
fn synchronized_blocks_release_their_monitor_on_every_way_out() {
    let source = "class C { static int m(Object lock, int[] a) { synchronized (lock) { return a[0]; } } }";
    let Some(body) = method(source, "m") else { return };
    let expected = "b0:
monitorenter v0
goto b1
b1: <- b0
unwind any -> b3
v2: int = int 0
v3: int = arrayload int v1, v2
monitorexit v0
goto b2
b2: <- b1
return v3
b3: <- unwind b1, unwind b4
v4: java/lang/Throwable = catch
goto b4
b4: <- b3
unwind any -> b3
monitorexit v0
goto b5
b5: <- b4
throw v4";
    assert_eq!(text_of(&body), expected);
}

#[test]
fn finally_sees_the_last_value_assigned() {
    let source = "
        class C {
            static int m(int[] a) {
                int x = 1;
                try { x = a[0]; x = a[1]; } finally { use(x); }
                return x;
            }
            static void use(int x) { }
        }";
    let Some(body) = method(source, "m") else { return };
    let expected = "b0:
v1: int = int 1
goto b1
b1: <- b0
unwind any -> b5
v2: int = int 0
v3: int = arrayload int v0, v2
v4: int = int 1
goto b2
b2: <- b1
unwind any -> b5
v5: int = arrayload int v0, v4
goto b3
b3: <- b2
invoke static C.use(I)V v5
goto b4
b4: <- b3
return v5
b5: <- unwind b1, unwind b2
v6: int = phi b1 v1, b2 v3
v7: java/lang/Throwable = catch
invoke static C.use(I)V v6
throw v7";
    assert_eq!(text_of(&body), expected);
}

#[test]
fn calls_say_how_they_select() {
    let source = "
        class C extends java.util.ArrayList<String> {
            private void own() { }
            static native int hash(int x);
            boolean m(Runnable r) {
                r.run();
                own();
                hash(1);
                return super.add(null) && new int[0].clone() != null;
            }
        }";
    let Some(body) = method(source, "m") else { return };
    let calls = body.insts.iter().filter_map(|data| match data.op {
        Op::Invoke(kind, method) => {
            Some((kind, format!("{}.{}", method.owner, method.name), method.interface))
        }
        _ => None,
    });
    let expected = [
        (InvokeKind::Interface, "java/lang/Runnable.run", true),
        (InvokeKind::Virtual, "C.own", false),
        (InvokeKind::Static, "C.hash", false),
        (InvokeKind::Special, "java/util/ArrayList.add", false),
        (InvokeKind::Virtual, "[I.clone", false),
    ];
    let expected = expected.map(|(kind, name, interface)| (kind, name.to_owned(), interface));
    assert_eq!(calls.collect::<Vec<_>>(), expected);
}

#[test]
fn lines_and_absent_bodies() {
    let source = "abstract class C {\n abstract int a();\n static int m(int x) {\n  x++;\n  return x;\n }\n}";
    let Some(body) = method(source, "m") else { return };
    let lines: Vec<Option<u32>> = body.insts.iter().map(|data| body.line(data.bci)).collect();
    assert_eq!(lines, [Some(4), Some(4), Some(5)]);
}
