//! What bounds reflection on classes that are not known: the casts of its result.
//!
//! `(Policy) Class.forName(name).newInstance()` makes an object of some class that is a `Policy`, or fails. In the
//! application that is assumed to be any of the application's classes that can be made; in the JDK any of the JDK's, as long
//! as there are few: its plug-ins usually have one or two implementations. More would make the code for all calendars and languages, and with it
//! sorting in parallel, a part of every program.

use selvedge_ir::{ClassName, Op};
use selvedge_world::{ClassId, Tier};

use super::RuleRun;
use crate::entry::casts_of_value;
use crate::summary::Slot;

/// How many classes of the JDK a cast may stand for, in the JDK.
const MOST_IN_JDK: usize = 2;

impl RuleRun<'_, '_, '_> {
    /// The types that the calling method casts the result of this call to, or tests it for.
    pub(super) fn casts_of_result(&self) -> Vec<ClassName> {
        let body = self.input.caller.and_then(|caller| self.input.program.body(caller));
        let result =
            body.zip(self.input.inst).and_then(|(body, inst)| Some((body, body.insts[inst].result?)));
        result.map_or_else(Vec::new, |(body, value)| casts_of_value(body, value))
    }

    /// The classes that an object made by this call may have, going by its casts; sorted.
    fn classes_by_casts(&self) -> Vec<ClassId> {
        let program = self.input.program;
        let tier = if self.input.from_application { Tier::Application } else { Tier::Jdk };
        let mut found: Vec<ClassId> = Vec::new();
        for class in self.casts_of_result().into_iter().filter_map(|class| program.class_named(class)) {
            let fits = |class: &ClassId| {
                let data = &program.classes[*class];
                data.tier == tier && !data.is_abstract() && !data.is_phantom() && !data.is_enum()
            };
            let classes: Vec<ClassId> = program.subtypes(class).iter().copied().filter(fits).collect();
            if tier == Tier::Application || classes.len() <= MOST_IN_JDK {
                found.extend(classes);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Makes an object of each class that the casts of the result allow.
    pub(super) fn construct_by_casts(&mut self, only_default: bool, arguments: Option<Slot>) {
        let classes = self.classes_by_casts();
        if self.input.from_application {
            let place = self.describe_caller();
            self.library.assume(match classes.is_empty() {
                true => format!("new instances of a class that is not known, by {place}, reach no code of the program"),
                false => format!(
                    "new instances of a class that is not known, by {place}, are of the application's classes that \
                     they are cast to"
                ),
            });
        }
        for class in classes {
            self.construct(self.input.program.classes[class].name, only_default, arguments);
        }
    }

    /// The length of the array that the call passes at a position, where it is made for it: how many arguments a reflective
    /// call has.
    pub(super) fn argument_array_length(&self, position: usize) -> Option<usize> {
        let body = self.input.program.body(self.input.caller?)?;
        let value = *body.args(self.input.inst?).get(position)?;
        let array = body.insts.get(body.defining_inst(value)?)?;
        match array.op {
            Op::Null => Some(0),
            Op::NewArray(_) => {
                let length = *body.args(body.defining_inst(value)?).first()?;
                match body.insts[body.defining_inst(length)?].op {
                    Op::Int(length) => usize::try_from(length).ok(),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
