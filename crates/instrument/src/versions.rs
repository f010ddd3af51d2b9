//! Methods with two versions, by the plan: a watched one, and a quiet one that reports less.
//!
//! Both are bodies of one method, so that nothing that a program can see changes: stack traces, reflection, overriding, access. The
//! code is there twice ([`Doubled`]), and the entry chooses. A call that the plan lists as quiet leaves a token in the agent's part of the
//! thread, the number of the name and descriptor that it calls; the method that is entered takes it if it is its own.
//!
//! **Theorem.** A method enters its quiet version only if the call that entered it is listed as quiet, as long as rewritten code
//! made that call. For all calls that may reach a method with versions write the token, as the last step before the call: those that are
//! listed as quiet the number, those listed as watched 0. In methods that the plan does not list, all calls of such a name and
//! descriptor write 0. What may run between that and the entry (class loaders, initialisers), and what a call leaves behind that
//! turns out to reach no method with versions, does not matter: whoever calls the method next writes the token first. (Methods that
//! are called otherwise have no versions in a plan that `prune` has made. In a method that would be too large to be rewritten, calls leave the
//! token as it is.)
//!
//! In the quiet version everything but accesses is as in the watched one: monitors, volatile variables, what is made, classes that are
//! initialised.

use selvedge_base::FastMap;
use selvedge_classfile::edit::{ClassEditor, Doubled, Jumps};
use selvedge_classfile::{ClassFile, Cond, Insn, MemberRef, Result};
use selvedge_protocol::Plan;

use crate::hooks::{self, push};
use crate::method::Work;
use crate::{Instrumenter, Role};

/// Where the quiet version is in doubled code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bodies {
    /// Where it is entered.
    entry: u32,
    /// Where its instructions begin.
    second: u32,
}

impl Bodies {
    /// The bytecode index in the original code.
    pub(crate) fn original(self, bci: u32) -> u32 {
        if self.is_quiet(bci) { bci - self.second } else { bci }
    }

    /// Whether an instruction is of the quiet version.
    pub(crate) fn is_quiet(self, bci: u32) -> bool {
        bci >= self.second
    }
}

/// A class whose methods with versions have their code twice.
pub(crate) struct DoubledClass {
    pub(crate) bytes: Vec<u8>,
    /// By the positions of the methods.
    pub(crate) bodies: FastMap<usize, Bodies>,
}

/// Tokens, by name and descriptor: numbers from 1 on.
#[derive(Debug, Default)]
pub(crate) struct Tokens(FastMap<Vec<u8>, u32>);

impl Tokens {
    pub(crate) fn new(plan: &Plan) -> Tokens {
        Tokens(plan.versions().into_iter().map(|name| name.as_bytes().to_vec()).zip(1..).collect())
    }

    fn of(&self, name: &[u8], descriptor: &[u8]) -> Option<u32> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&[name, descriptor].concat()).copied()
    }
}

impl Instrumenter {
    /// The class with doubled code, if the plan has versions of its methods.
    pub(crate) fn doubled(
        &self,
        class: &ClassFile<'_>,
        name: &str,
        role: Role,
    ) -> Result<Option<DoubledClass>> {
        if self.tokens.0.is_empty() || role != Role::Application || class.major < 50 {
            return Ok(None);
        }
        let mut editor = ClassEditor::new(class);
        let mut bodies = FastMap::default();
        for (position, method) in class.methods.iter().enumerate() {
            let signature = crate::signature(method);
            let listed = self.plan.listed(name, &signature);
            if listed.is_none_or(|plan| plan.quiet.is_none()) || method.name.starts_with(b"<") {
                continue;
            }
            let Some(code) = method.code(&class.pool)? else { continue };
            let doubled = Doubled::new(class, method, &code, editor.pool())?;
            editor.replace_code(position, doubled.content)?;
            bodies.insert(position, Bodies { entry: doubled.entry, second: doubled.second });
        }
        if bodies.is_empty() {
            return Ok(None);
        }
        Ok(Some(DoubledClass { bytes: editor.write()?, bodies }))
    }
}

impl Work<'_, '_, '_, '_, '_, '_> {
    /// What a call writes as the token: 0 for the watched version; nothing if it reaches no method with versions.
    pub(crate) fn token_at(&self, bci: u32, member: MemberRef<'_>) -> Option<u32> {
        let rules = self.context.rules;
        let token = rules.tokens.of(member.name, member.descriptor)?;
        if !matches!(self.context.role, Role::Application | Role::Quiet) {
            return None;
        }
        let Some(plan) = rules.plan.listed(self.context.class_name, self.context.signature) else {
            return Some(0);
        };
        let in_quiet = self.bodies.is_some_and(|bodies| bodies.is_quiet(bci));
        let (quiet, watched) = match plan.quiet.as_ref().filter(|_| in_quiet) {
            Some(version) => (&version.quiet_calls, &version.watched_calls),
            None => (&plan.quiet_calls, &plan.watched_calls),
        };
        let lists = |calls: &[u32]| calls.binary_search(&self.original(bci)).is_ok();
        if lists(quiet) { Some(token) } else { lists(watched).then_some(0) }
    }

    /// Says which version a call is to enter, right before it.
    pub(crate) fn say_version(&mut self, bci: u32, member: MemberRef<'_>) -> Result<()> {
        let Some(token) = self.token_at(bci, member) else { return Ok(()) };
        let (me, token, hook) = (self.me()?, push(token, self.pool)?, hooks::CALLING.call(self.pool)?);
        self.edit.reserve_stack(2);
        self.edit.before(bci, Jumps::Run).insns([me, token, hook]);
        Ok(())
    }

    /// Lets the entry choose the version. To be called last, as this is the last step of the entry.
    pub(crate) fn choose_version(&mut self) -> Result<()> {
        let Some(bodies) = self.bodies else { return Ok(()) };
        let method = self.context.method;
        let Some(token) = self.context.rules.tokens.of(method.name, method.descriptor) else { return Ok(()) };
        let (me, token) = (self.me()?, push(token, self.pool)?);
        let hook = hooks::ENTERS_QUIET.call(self.pool)?;
        let quiet = self.edit.label_at(bodies.entry);
        self.edit.reserve_stack(2);
        let is_true = |target| Insn::IfZero(Cond::Ne, target);
        self.edit.at_entry().insns([me, token, hook]).branch(is_true, quiet);
        Ok(())
    }
}
