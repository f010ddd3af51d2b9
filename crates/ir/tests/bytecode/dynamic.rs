//! Dynamic constants and call sites that javac does not write: made with the class editor.

use selvedge_base::Symbol;
use selvedge_classfile::edit::{ClassEditor, NewAttribute};
use selvedge_classfile::pool::{
    DynamicRef, HandleKind as JvmHandleKind, MemberKind, MemberRef, MethodHandle as JvmHandle,
};
use selvedge_classfile::{ClassFile, opcode};
use selvedge_ir::{
    Body, CallSiteKind, Constant, HandleKind, LowerError, MethodHandle, NoHierarchy, Op, Type, lower,
    verify_method,
};

use crate::assembler::assemble;

/// A static method of this name that could be a bootstrap method.
fn bootstrap_handle(owner: &'static str, name: &'static str) -> JvmHandle<'static> {
    let member = MemberRef {
        kind: MemberKind::Method,
        owner: owner.as_bytes(),
        name: name.as_bytes(),
        descriptor: b"()Ljava/lang/Object;",
        interface: false,
    };
    JvmHandle { kind: JvmHandleKind::InvokeStatic, member }
}

/// Lowers `T.m` of this descriptor, with one bootstrap method. `make` adds constants to the pool and returns the arguments
/// of the bootstrap method and the code.
fn lower_with(
    descriptor: &str,
    bootstrap: JvmHandle<'static>,
    make: impl FnOnce(&mut ClassEditor<'_, '_>) -> (Vec<u16>, Vec<u8>),
) -> Result<Body, LowerError> {
    let bytes = assemble(descriptor, 2, "return");
    let class = ClassFile::parse(&bytes).unwrap();
    let mut editor = ClassEditor::new(&class);
    let handle = editor.pool().method_handle(bootstrap).unwrap();
    let (arguments, code) = make(&mut editor);
    let u16s = |numbers: &[u16]| numbers.iter().flat_map(|number| number.to_be_bytes()).collect::<Vec<u8>>();
    let table = [u16s(&[1, handle, arguments.len() as u16]), u16s(&arguments)].concat();
    editor.add_attribute(NewAttribute { name: b"BootstrapMethods", info: &table }).unwrap();
    let code = [u16s(&[4, 2, 0, code.len() as u16]), code, u16s(&[0, 0])].concat();
    editor.replace_code(0, code).unwrap();
    let bytes = editor.write().unwrap();
    let class = ClassFile::parse(&bytes).unwrap();
    let body = lower(&class, &class.methods[0], &NoHierarchy)?.unwrap();
    verify_method(&body, descriptor.as_bytes(), true).unwrap();
    Ok(body)
}

/// Loads a constant and returns it.
fn load(constant: u16) -> Vec<u8> {
    let [high, low] = constant.to_be_bytes();
    vec![opcode::LDC_W, high, low, opcode::ARETURN]
}

const OBJECT: &[u8] = b"Ljava/lang/Object;";

#[test]
fn a_dynamic_constant_with_arguments() {
    let body = lower_with("()Ljava/lang/Object;", bootstrap_handle("T", "make"), |editor| {
        let pool = editor.pool();
        let arguments = vec![
            pool.integer(7).unwrap(),
            pool.double(0.5).unwrap(),
            pool.class(b"[I").unwrap(),
            pool.method_type(b"(I)V").unwrap(),
        ];
        let constant = DynamicRef { bootstrap: 0, name: b"lazy", descriptor: b"Ljava/lang/Runnable;" };
        (arguments, load(pool.dynamic(constant).unwrap()))
    });
    let body = body.unwrap();
    let [Constant::Dynamic { name, descriptor, bootstrap }] = body.constants.as_slice() else {
        panic!("{body:?}")
    };
    assert!(name.is("lazy") && descriptor.is("Ljava/lang/Runnable;"));
    assert!(
        matches!(bootstrap.method, MethodHandle::Method(HandleKind::InvokeStatic, method) if method.name.is("make"))
    );
    let [Constant::Int(7), Constant::Double(0.5), Constant::Class(class), Constant::MethodType(ty)] =
        bootstrap.arguments[..]
    else {
        panic!("{bootstrap:?}");
    };
    assert!(class.is("[I") && ty.is("(I)V"));
    let loaded = body.insts.iter().find(|data| matches!(data.op, Op::Constant(_))).unwrap();
    assert!(matches!(body.ty(loaded.result.unwrap()), Type::Ref(class) if class.is("java/lang/Runnable")));
}

#[test]
fn a_dynamic_constant_that_needs_itself() {
    let lowered = lower_with("()Ljava/lang/Object;", bootstrap_handle("T", "make"), |editor| {
        let constant = DynamicRef { bootstrap: 0, name: b"ouroboros", descriptor: OBJECT };
        let constant = editor.pool().dynamic(constant).unwrap();
        (vec![constant, constant], load(constant))
    });
    let reason = "dynamic constants are nested too deeply, or contain themselves";
    assert_eq!(lowered.unwrap_err().reason, reason);
}

#[test]
fn method_handles_and_method_types() {
    let loaded = |make: fn(&mut ClassEditor<'_, '_>) -> u16| {
        let body = lower_with("()Ljava/lang/Object;", bootstrap_handle("T", "unused"), |editor| {
            (Vec::new(), load(make(editor)))
        });
        let body = body.unwrap();
        let result = body.insts.iter().find_map(|data| data.result).unwrap();
        (body.constants.as_slice()[0].clone(), body.ty(result).to_string())
    };
    let (constant, ty) = loaded(|editor| editor.pool().method_type(b"(J)V").unwrap());
    assert_eq!(
        (constant, ty.as_str()),
        (Constant::MethodType(Symbol::new("(J)V")), "java/lang/invoke/MethodType")
    );
    let (constant, ty) = loaded(|editor| {
        let member = MemberRef {
            kind: MemberKind::Field,
            owner: b"T",
            name: b"f",
            descriptor: b"I",
            interface: false,
        };
        editor.pool().method_handle(JvmHandle { kind: JvmHandleKind::PutField, member }).unwrap()
    });
    assert!(
        matches!(constant, Constant::MethodHandle(MethodHandle::Field(HandleKind::PutField, field)) if field.name.is("f"))
    );
    assert_eq!(ty, "java/lang/invoke/MethodHandle");
}

/// The kind of a call site of this bootstrap method, whose static arguments are all strings.
fn site_kind(
    owner: &'static str,
    name: &'static str,
    site: &'static [u8],
    arguments: &[&str],
) -> CallSiteKind {
    let body = lower_with("(Ljava/lang/Object;I)V", bootstrap_handle(owner, name), |editor| {
        let pool = editor.pool();
        let arguments = arguments.iter().map(|text| pool.string(text.as_bytes()).unwrap()).collect();
        let site = DynamicRef { bootstrap: 0, name: b"site", descriptor: site };
        let [high, low] = pool.invoke_dynamic(site).unwrap().to_be_bytes();
        let code = [
            opcode::ALOAD_0,
            opcode::ILOAD_1,
            opcode::INVOKEDYNAMIC,
            high,
            low,
            0,
            0,
            opcode::POP,
            opcode::RETURN,
        ];
        (arguments, code.to_vec())
    });
    body.unwrap().call_sites.as_slice()[0].kind.clone()
}

#[test]
fn call_sites_by_bootstrap_method() {
    let to_int = b"(Ljava/lang/Object;I)I";
    let switch = |labels: &[&str], of_enum| CallSiteKind::PatternSwitch {
        labels: labels.iter().map(|label| Constant::String(Symbol::new(label))).collect(),
        of_enum,
    };
    let found = site_kind("java/lang/runtime/SwitchBootstraps", "typeSwitch", to_int, &["a"]);
    assert_eq!(found, switch(&["a"], false));
    let found = site_kind("java/lang/runtime/SwitchBootstraps", "enumSwitch", to_int, &["RED", "GREEN"]);
    assert_eq!(found, switch(&["RED", "GREEN"], true));

    let to_string = b"(Ljava/lang/Object;I)Ljava/lang/String;";
    let found = site_kind("java/lang/invoke/StringConcatFactory", "makeConcat", to_string, &[]);
    assert_eq!(found, CallSiteKind::Concat { recipe: Symbol::new("\u{1}\u{1}"), constants: Vec::new() });

    assert_eq!(site_kind("org/example/Linker", "link", to_int, &["x"]), CallSiteKind::Other);
    // The platform's method, but not its arguments.
    let found = site_kind("java/lang/invoke/LambdaMetafactory", "metafactory", to_string, &["x"]);
    assert_eq!(found, CallSiteKind::Other);
}
