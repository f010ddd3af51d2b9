//! Methods that hand back what they are given, `Objects.requireNonNull`, `Class.cast` and their like, or what a privileged
//! action returns.
//!
//! Analysed once, such a method would mix what all its callers pass. It is analysed anew at each call instead, as modelled
//! methods are, whatever the policy.

use selvedge_base::Id;
use selvedge_ir::{Body, ClassName, Op, Value};
use selvedge_world::{MethodId, Program, Tier};

/// Longer methods do more than hand back a parameter.
const MOST_INSTRUCTIONS: usize = 40;

/// Whether a method runs an action with privileges and returns its result.
pub(crate) fn runs_privileged_action(program: &Program, method: MethodId) -> bool {
    let data = &program.methods[method];
    program.classes[data.class].name.is("java/security/AccessController")
        && (data.name.is("doPrivileged")
            || data.name.is("doPrivilegedWithCombiner")
            || data.name.is("executePrivileged"))
}

/// Whether a method of the JDK returns a parameter of type `Object`, allocates nothing but exceptions, and cannot be
/// overridden.
pub(crate) fn hands_back_a_parameter(program: &Program, method: MethodId) -> bool {
    let data = &program.methods[method];
    let class = &program.classes[data.class];
    let is_final = (data.flags | class.flags) & selvedge_classfile::access::FINAL != 0;
    if class.tier != Tier::Jdk
        || !(data.is_static() || is_final)
        || data.return_type().and_then(|ty| ty.class()) != Some(ClassName::object())
    {
        return false;
    }
    let Some(body) = program.body(method).filter(|body| body.insts.len() <= MOST_INSTRUCTIONS) else {
        return false;
    };
    let allocates = |op: &Op| match *op {
        Op::New(class) => !is_throwable(program, class),
        Op::NewArray(_) | Op::NewPrimitiveArray(_) | Op::NewMultiArray(_) => true,
        _ => false,
    };
    let is_parameter = |value: Value| {
        body.parameters.contains(&value) && body.ty(value).class() == Some(ClassName::object())
    };
    !body.insts.iter().any(|inst| allocates(&inst.op)) && returned(body).into_iter().any(is_parameter)
}

fn is_throwable(program: &Program, class: ClassName) -> bool {
    let (class, throwable) =
        (program.class_named(class), program.class_named(ClassName::new("java/lang/Throwable")));
    class.zip(throwable).is_some_and(|(class, throwable)| program.is_subclass(class, throwable))
}

/// The values that a body may return, choices among values followed.
fn returned(body: &Body) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    let mut seen = vec![false; body.values.len()];
    for inst in body.insts.ids().filter(|&inst| matches!(body.insts[inst].op, Op::Return)) {
        found.extend(body.args(inst));
    }
    let mut next = 0;
    while let Some(&value) = found.get(next) {
        next += 1;
        if let Some(inst) = body.defining_inst(value)
            && matches!(body.insts[inst].op, Op::Phi)
            && !std::mem::replace(&mut seen[value.index()], true)
        {
            found.extend(body.args(inst));
        }
    }
    found
}
