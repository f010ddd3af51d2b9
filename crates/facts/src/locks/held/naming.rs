//! What the code that takes a lock calls it, for the reader.

use selvedge_ir::{ClassName, Inst, Op};
use selvedge_world::{ClassId, FieldId, MethodId};

use super::state::Role;
use crate::locks::names::terms::{Code, Root, Step};
use crate::view::View;

/// A lock as the code that takes it has it.
pub(in crate::locks) enum LockName {
    /// `this (p.C)`.
    This(ClassId),
    /// `class p.C`.
    Class(ClassName),
    /// `p.C.lock`.
    Field(FieldId),
    /// `a p.C`.
    Some(ClassName),
    /// Nothing is known of it.
    Unknown,
}

impl LockName {
    /// The name of the lock that a method takes at an instruction, or when it is entered.
    pub(in crate::locks) fn where_taken(
        view: &View<'_>,
        code: &Code,
        method: MethodId,
        inst: Option<Inst>,
    ) -> Self {
        let program = view.program;
        let data = &program.methods[method];
        let Some(inst) = inst else {
            return match data.is_static() {
                true => Self::Class(program.classes[data.class].name),
                false => Self::This(data.class),
            };
        };
        let Some(body) = program.body(method) else { return Self::Unknown };
        let Some(&value) = body.args(inst).first() else { return Self::Unknown };
        let term = code.lock_term(view, method, value, Role::Lock);
        let last = term.path.iter().rev().find_map(|step| match step {
            Step::Field(field) => Some(*field),
            Step::Captured(_) | Step::Element => None,
        });
        if let Some(field) = last {
            return Self::Field(field);
        }
        match term.root {
            Root::Static(field) => Self::Field(field),
            Root::Class(class) => Self::Class(class),
            Root::Parameter(0) if !data.is_static() => Self::This(data.class),
            _ => {
                let loaded = body.defining_inst(value).and_then(|inst| match &body.insts[inst].op {
                    Op::GetField(field) | Op::GetStatic(field) => program.resolve_field(field).ok(),
                    _ => None,
                });
                let field = loaded.map(Self::Field);
                field.or_else(|| body.ty(value).class().map(Self::Some)).unwrap_or(Self::Unknown)
            }
        }
    }

    /// The class that has the lock: whose objects, whose field or which itself it is. `None` if that is not known.
    pub(in crate::locks) fn class(&self, view: &View<'_>) -> Option<ClassId> {
        match *self {
            Self::This(class) => Some(class),
            Self::Class(name) => view.program.class_named(name),
            Self::Field(field) => Some(view.program.fields[field].class),
            Self::Some(_) | Self::Unknown => None,
        }
    }

    pub(in crate::locks) fn describe(&self, view: &View<'_>) -> String {
        let name_of = |class: ClassId| java_name(view.program.classes[class].name);
        match *self {
            Self::This(class) => format!("this ({})", name_of(class)),
            Self::Class(name) => format!("class {}", java_name(name)),
            Self::Field(field) => {
                let data = &view.program.fields[field];
                format!("{}.{}", name_of(data.class), data.name)
            }
            Self::Some(name) => format!("a {}", java_name(name)),
            Self::Unknown => "a lock".to_string(),
        }
    }
}

/// A class as Java has it.
pub(in crate::locks) fn java_name(class: ClassName) -> String {
    class.to_string().replace('/', ".")
}
