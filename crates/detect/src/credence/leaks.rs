//! Whether the uses of a value likely let another thread know it: the view of a reader, not a proof.
//!
//! A value is let go of if it is stored in a static field, given to a call that starts a thread, or kept by an object that others may have. What
//! keeps it is followed: the new object of an inner class, a lambda or an array is its holder, and the value is known to others only if they get the holder. A method of the
//! application is followed; one of a library keeps what it is given if its name says so ([`KEEPING`]) or if it is a constructor.
//!
//! Not followed: elements that are read again from a holder, and what methods return.

use selvedge_base::{FastMap, FastSet};
use selvedge_ir::{Body, Inst, InvokeKind, Op, Type, Value};
use selvedge_models::Kind;
use selvedge_pta::InstanceId;

use crate::Facts;

/// How many uses are looked at for one value.
const USES: usize = 500;

/// How the names of library methods begin that keep what they are given.
const KEEPING: [&str; 16] = [
    "add",
    "put",
    "offer",
    "push",
    "set",
    "register",
    "submit",
    "execute",
    "schedule",
    "insert",
    "subscribe",
    "attach",
    "post",
    "send",
    "invoke",
    "accept",
];

/// Who may know a value.
#[derive(Clone, Default)]
pub(super) struct Known {
    /// Anybody.
    pub everywhere: bool,
    /// Whoever has the object that is given as a parameter.
    pub through: Vec<usize>,
}

impl Known {
    const BY_ALL: Self = Self { everywhere: true, through: Vec::new() };
}

/// See the [module documentation](self).
pub(super) struct Leaks<'l, 'f, 'a> {
    facts: &'l Facts<'f, 'a>,
    left: usize,
    known: FastMap<(InstanceId, usize), Known>,
}

impl<'l, 'f, 'a> Leaks<'l, 'f, 'a> {
    pub(super) fn new(facts: &'l Facts<'f, 'a>) -> Self {
        Self { facts, left: USES, known: FastMap::default() }
    }

    /// Who may know a value after the uses of it that count.
    pub(super) fn of_value(
        &mut self,
        instance: InstanceId,
        body: &Body,
        value: Value,
        counts: &dyn Fn(Inst) -> bool,
    ) -> Known {
        let mut holders = vec![value];
        let mut seen: FastSet<Value> = holders.iter().copied().collect();
        let mut known = Known::default();
        while let Some(holder) = holders.pop() {
            for (inst, data) in body.insts.iter_ids() {
                let arguments = body.args(inst);
                if !arguments.contains(&holder) || !counts(inst) {
                    continue;
                }
                if self.left == 0 {
                    return Known::BY_ALL;
                }
                self.left -= 1;
                let mut keepers: Vec<Value> = Vec::new();
                match &data.op {
                    Op::PutStatic(_) => return Known::BY_ALL,
                    Op::PutField(_) | Op::ArrayStore(_) if arguments.last() == Some(&holder) => {
                        keepers.push(arguments[0]);
                    }
                    Op::CheckCast(_) | Op::Phi | Op::InvokeDynamic(_) => keepers.extend(data.result),
                    Op::Invoke(kind, _) => {
                        let positions =
                            (0..arguments.len()).filter(|&position| arguments[position] == holder);
                        for position in positions.collect::<Vec<_>>() {
                            match self.kept_by_call(instance, body, inst, *kind, position) {
                                Some(found) => keepers.extend(found),
                                None => return Known::BY_ALL,
                            }
                        }
                    }
                    _ => {}
                }
                for keeper in keepers {
                    match root_of(body, keeper) {
                        Root::Own(holder) => {
                            if seen.insert(holder) {
                                holders.push(holder);
                            }
                        }
                        Root::Parameter(position) => known.through.push(position),
                        Root::Other => return Known::BY_ALL,
                    }
                }
            }
        }
        known.through.sort_unstable();
        known.through.dedup();
        known
    }

    /// The arguments of a call that keep another one of them; `None` if somebody else does.
    fn kept_by_call(
        &mut self,
        instance: InstanceId,
        body: &Body,
        inst: Inst,
        kind: InvokeKind,
        position: usize,
    ) -> Option<Vec<Value>> {
        let view = self.facts.view;
        let arguments = body.args(inst);
        let mut keepers = Vec::new();
        for &callee in view.callees(instance, inst) {
            if view.is_application_instance(callee) {
                let known = self.of_parameter(callee, position);
                if known.everywhere {
                    return None;
                }
                keepers.extend(known.through.iter().filter_map(|&keeper| arguments.get(keeper).copied()));
                continue;
            }
            if view.is_spawning(callee) {
                return None;
            }
            let is_kept =
                kind != InvokeKind::Static && position > 0 && keeps(body, inst, arguments[position]);
            if is_kept {
                keepers.push(arguments[0]);
            }
        }
        Some(keepers)
    }

    /// Who may know a parameter of an instance. Around a recursion nobody else.
    fn of_parameter(&mut self, instance: InstanceId, position: usize) -> Known {
        if let Some(known) = self.known.get(&(instance, position)) {
            return known.clone();
        }
        self.known.insert((instance, position), Known::default());
        let Some(body) = self.facts.view.body(instance) else { return Known::default() };
        let Some(&parameter) = body.parameters.get(position) else { return Known::default() };
        let known = self.of_value(instance, body, parameter, &|_| true);
        self.known.insert((instance, position), known.clone());
        known
    }
}

/// Where an object comes from that keeps another.
enum Root {
    /// The method itself.
    Own(Value),
    /// Whoever calls the method gives it, or what it holds.
    Parameter(usize),
    Other,
}

fn root_of(body: &Body, mut value: Value) -> Root {
    loop {
        if let Some(position) = body.parameters.iter().position(|&parameter| parameter == value) {
            return Root::Parameter(position);
        }
        let Some(inst) = body.defining_inst(value) else { return Root::Other };
        match &body.insts[inst].op {
            Op::GetField(_) | Op::CheckCast(_) => value = body.args(inst)[0],
            Op::New(_)
            | Op::NewArray(_)
            | Op::NewPrimitiveArray(_)
            | Op::NewMultiArray(_)
            | Op::Phi
            | Op::InvokeDynamic(_) => return Root::Own(value),
            _ => return Root::Other,
        }
    }
}

/// Whether a library method keeps an argument, by its name. Arrays of numbers are filled and copied, and kept by containers only.
fn keeps(body: &Body, inst: Inst, value: Value) -> bool {
    let Op::Invoke(_, called) = &body.insts[inst].op else { return false };
    let is_keeping = KEEPING.iter().any(|prefix| called.name.as_bytes().starts_with(prefix.as_bytes()));
    if is_numbers(body.ty(value)) {
        return is_keeping && Kind::Utility.has(called.owner.as_bytes());
    }
    is_keeping || called.name.is("<init>")
}

/// Whether a type is an array of primitive values.
fn is_numbers(ty: Type) -> bool {
    matches!(ty, Type::Ref(name) if name.as_bytes().len() == 2 && name.as_bytes()[0] == b'[')
}
