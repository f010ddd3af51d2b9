//! Attributes decoded from sources in which everything occurs.

use selvedge_classfile::attributes::{Annotation, Decoded, ElementValue, TypeTarget};
use selvedge_classfile::{ClassFile, Constant, Member, PrimitiveType, access};

use crate::support::{TemporaryDirectory, compile};

const SOURCE: &str = r#"
import java.lang.annotation.*;
import java.util.*;

@Retention(RetentionPolicy.CLASS) @interface GuardedBy { String value(); }
@Retention(RetentionPolicy.RUNTIME) @interface All {
    boolean z() default true; byte b() default -1; char c() default 'c'; short s() default 2; int i() default 3;
    long j() default 4; float f() default 5.5f; double d() default 6.5; String text() default "text";
    Class<?> type() default int[].class; Thread.State state() default Thread.State.NEW;
    GuardedBy nested() default @GuardedBy("inner"); String[] many() default {"a", "b"};
}
@Target(ElementType.TYPE_USE) @Retention(RetentionPolicy.RUNTIME) @interface Checked {}

sealed interface Shape permits Circle, Square {}
record Circle(@All double radius) implements Shape {}
record Square(List<String> side) implements Shape {}

@Deprecated
@All(i = 7, many = {})
class Subject<T extends Comparable<T>> extends ArrayList<T> {
    static final int ANSWER = 42;
    static final String TEXT = "x\0y";
    @GuardedBy("this") private int count;

    synchronized <E extends Exception> T run(@Deprecated final List<? super T> first, int second) throws E, java.io.IOException {
        @Checked Object local = new @Checked Object();
        class Local { }
        return (T) (@Checked Object) new Local().toString().transform(s -> local);
    }
}
"#;

fn class_bytes(directory: &TemporaryDirectory, name: &str) -> Vec<u8> {
    std::fs::read(directory.0.join(format!("{name}.class"))).unwrap()
}

fn member<'c, 'a>(members: &'c [Member<'a>], name: &[u8]) -> &'c Member<'a> {
    members.iter().find(|member| member.name == name).unwrap()
}

fn names<'a>(annotations: &[Annotation<'a>]) -> Vec<&'a [u8]> {
    annotations.iter().map(|annotation| annotation.type_descriptor).collect()
}

#[test]
fn everything_is_decoded() {
    let directory = TemporaryDirectory::new("features");
    if compile("Subject.java", SOURCE, &directory.0).is_none() {
        return;
    }
    check_subject(&class_bytes(&directory, "Subject"));
    check_defaults(&class_bytes(&directory, "All"));

    let bytes = class_bytes(&directory, "Shape");
    let shape = ClassFile::parse(&bytes).unwrap();
    assert_eq!(shape.permitted_subclasses().unwrap().unwrap(), [b"Circle", b"Square"]);

    let bytes = class_bytes(&directory, "Circle");
    let circle = ClassFile::parse(&bytes).unwrap();
    let components = circle.record().unwrap().unwrap();
    assert_eq!((components[0].name, components[0].descriptor), (&b"radius"[..], &b"D"[..]));
    assert_eq!(names(&components[0].annotations(&circle.pool).unwrap()), [b"LAll;"]);

    let bytes = class_bytes(&directory, "Square");
    let square = ClassFile::parse(&bytes).unwrap();
    let components = square.record().unwrap().unwrap();
    let signature = components[0].signature(&square.pool).unwrap();
    assert_eq!(signature, Some(&b"Ljava/util/List<Ljava/lang/String;>;"[..]));

    let bytes = class_bytes(&directory, "Subject$1Local");
    let local = ClassFile::parse(&bytes).unwrap();
    let enclosing = local.enclosing_method().unwrap().unwrap();
    assert_eq!((enclosing.class, enclosing.method.unwrap().name), (&b"Subject"[..], &b"run"[..]));
    assert_eq!(local.nest_host().unwrap(), Some(&b"Subject"[..]));
    let inner = local.inner_classes().unwrap().unwrap()[0];
    assert_eq!((inner.inner, inner.outer, inner.name), (&b"Subject$1Local"[..], None, Some(&b"Local"[..])));
}

fn check_subject(bytes: &[u8]) {
    let class = ClassFile::parse(bytes).unwrap();
    let pool = &class.pool;
    assert_eq!(class.source_file().unwrap(), Some(&b"Subject.java"[..]));
    assert!(class.signature().unwrap().unwrap().starts_with(b"<T::Ljava/lang/Comparable<TT;>;>"));
    assert_eq!(class.nest_members().unwrap().unwrap(), [b"Subject$1Local"]);
    let annotations = class.annotations().unwrap();
    assert_eq!(names(&annotations), [&b"Ljava/lang/Deprecated;"[..], b"LAll;"]);
    assert_eq!(annotations[1].element(b"i"), Some(&ElementValue::Int(PrimitiveType::Int, 7)));
    assert_eq!(annotations[1].element(b"many"), Some(&ElementValue::Array(Vec::new())));
    assert_eq!(annotations[1].element(b"j"), None);

    let answer = member(&class.fields, b"ANSWER");
    assert_eq!(answer.constant_value(pool), Ok(Some(Constant::Integer(42))));
    let text = member(&class.fields, b"TEXT");
    assert_eq!(text.constant_value(pool), Ok(Some(Constant::String(b"x\xc0\x80y"))));
    let count = member(&class.fields, b"count");
    let guards = count.annotations(pool).unwrap();
    assert_eq!(guards[0].type_descriptor, b"LGuardedBy;");
    assert_eq!(guards[0].element(b"value"), Some(&ElementValue::String(b"this")));

    let run = member(&class.methods, b"run");
    assert!(run.access & access::SYNCHRONIZED != 0);
    let exceptions = run.exceptions(pool).unwrap().unwrap();
    assert_eq!(exceptions, [&b"java/lang/Exception"[..], b"java/io/IOException"]);
    let parameters = run.method_parameters(pool).unwrap().unwrap();
    assert_eq!((parameters[0].name, parameters[0].access), (Some(&b"first"[..]), access::FINAL));
    assert_eq!((parameters[1].name, parameters[1].access), (Some(&b"second"[..]), 0));
    let visible = run.attributes.iter().find(|each| each.name == b"RuntimeVisibleParameterAnnotations");
    let Ok(Decoded::ParameterAnnotations(of_parameters)) = visible.unwrap().decode(pool) else {
        panic!("annotations of parameters")
    };
    assert_eq!(of_parameters.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0]);

    let code = run.code(pool).unwrap().unwrap();
    let variables = code.local_variables(pool).unwrap();
    let local_variables: Vec<(&[u8], u16)> = variables.iter().map(|each| (each.name, each.slot)).collect();
    assert_eq!(local_variables, [(&b"this"[..], 0), (b"first", 1), (b"second", 2), (b"local", 3)]);
    assert_eq!(code.local_variable_types(pool).unwrap().len(), 2);
    let lines: Vec<u16> = code.line_table().unwrap().into_iter().map(|(_, line)| line).collect();
    assert!(lines.len() == 2 && lines[0] + 2 == lines[1], "{lines:?}");
    let of_types = code.attributes.iter().find(|each| each.name == b"RuntimeVisibleTypeAnnotations");
    let Ok(Decoded::TypeAnnotations(of_types)) = of_types.unwrap().decode(pool) else {
        panic!("annotations of types")
    };
    assert!(of_types.iter().all(|each| each.annotation.type_descriptor == b"LChecked;"));
    let target =
        |target_type: u8| &of_types.iter().find(|each| each.target_type == target_type).unwrap().target;
    assert!(matches!(target(0x40), TypeTarget::LocalVariable(ranges) if ranges[0].slot == 3));
    // The `new` is the first instruction.
    assert_eq!(*target(0x44), TypeTarget::Instruction(0));
    assert!(matches!(target(0x47), TypeTarget::TypeArgument(..)));

    let bootstraps = class.bootstrap_methods().unwrap();
    let handle = pool.method_handle(bootstraps[0].handle).unwrap();
    assert_eq!(handle.member.owner, b"java/lang/invoke/LambdaMetafactory");
    assert_eq!(bootstraps[0].args.len(), 3);
}

fn check_defaults(bytes: &[u8]) {
    let class = ClassFile::parse(bytes).unwrap();
    let default =
        |name: &[u8]| member(&class.methods, name).annotation_default(&class.pool).unwrap().unwrap();
    assert_eq!(default(b"z"), ElementValue::Int(PrimitiveType::Boolean, 1));
    assert_eq!(default(b"b"), ElementValue::Int(PrimitiveType::Byte, -1));
    assert_eq!(default(b"c"), ElementValue::Int(PrimitiveType::Char, 'c' as i32));
    assert_eq!(default(b"s"), ElementValue::Int(PrimitiveType::Short, 2));
    assert_eq!(default(b"j"), ElementValue::Long(4));
    assert_eq!(default(b"f"), ElementValue::Float(5.5));
    assert_eq!(default(b"d"), ElementValue::Double(6.5));
    assert_eq!(default(b"type"), ElementValue::Class(b"[I"));
    let state = ElementValue::Enum { type_descriptor: b"Ljava/lang/Thread$State;", name: b"NEW" };
    assert_eq!(default(b"state"), state);
    let ElementValue::Annotation(nested) = default(b"nested") else { panic!("an annotation") };
    assert_eq!(nested.element(b"value"), Some(&ElementValue::String(b"inner")));
    let many = vec![ElementValue::String(b"a"), ElementValue::String(b"b")];
    assert_eq!(default(b"many"), ElementValue::Array(many));
}
