//! Which version of a method each activation of a run in the interpreter executes, as rewritten code would choose it: calls write
//! the thread's token, entries take it.

use selvedge_base::{FastMap, FastSet};
use selvedge_interp as interp;
use selvedge_ir::Op;
use selvedge_protocol::Plan;
use selvedge_protocol::jdk::is_jdk;
use selvedge_world::{MethodId, Program, Tier};

/// The name and descriptor of which a method has versions, by number.
type Token = usize;

/// What a call writes.
#[derive(Clone, Copy)]
enum Written {
    Nothing,
    Nobody,
    Token(Token),
}

/// What rewritten code would do at calls and entries.
#[derive(Default)]
pub struct Tokens {
    /// By the call: what it writes, in the watched version and in the quiet one.
    calls: FastMap<interp::Site, [Written; 2]>,
    /// The methods with versions.
    entries: FastMap<MethodId, Token>,
}

impl Tokens {
    /// By a plan.
    pub fn new(program: &Program, plan: &Plan) -> Tokens {
        let numbers: FastMap<&str, Token> = plan.versions().into_iter().zip(0..).collect();
        let mut tokens = Tokens::default();
        for (method, data) in program.methods.iter_ids() {
            let class = &program.classes[data.class];
            let name = class.name.to_string();
            if class.tier != Tier::Application || is_jdk(&name) {
                continue;
            }
            let signature = format!("{}{}", data.name, data.descriptor);
            let listed = plan.listed(&name, &signature);
            if listed.is_some_and(|plan| plan.quiet.is_some()) {
                tokens.entries.insert(method, numbers[signature.as_str()]);
            }
            let Some(body) = program.body(method) else { continue };
            for data in body.insts.iter() {
                let Op::Invoke(_, called) = &data.op else { continue };
                let called = format!("{}{}", called.name, called.descriptor);
                let Some(&token) = numbers.get(called.as_str()) else { continue };
                let written = |quiet: &[u32], watched: &[u32]| {
                    if quiet.contains(&data.bci) {
                        Written::Token(token)
                    } else if watched.contains(&data.bci) {
                        Written::Nobody
                    } else {
                        Written::Nothing
                    }
                };
                let watched =
                    listed.map_or(Written::Nobody, |it| written(&it.quiet_calls, &it.watched_calls));
                let quiet = listed
                    .and_then(|it| it.quiet.as_ref())
                    .map_or(Written::Nobody, |it| written(&it.quiet_calls, &it.watched_calls));
                tokens.calls.insert(interp::Site { method, bci: data.bci }, [watched, quiet]);
            }
        }
        tokens
    }
}

/// What a thread executes.
#[derive(Default)]
struct Thread {
    token: Option<Token>,
    /// The activations, and whether each is of a quiet version.
    stack: Vec<(MethodId, bool)>,
}

impl Thread {
    fn is_quiet(&self, method: MethodId) -> bool {
        self.stack.iter().rev().find(|(of, _)| *of == method).is_some_and(|(_, quiet)| *quiet)
    }
}

/// What all threads execute.
pub struct Activations<'t> {
    tokens: &'t Tokens,
    threads: FastMap<interp::ThreadId, Thread>,
    /// The methods whose quiet version was entered.
    pub entered: FastSet<MethodId>,
}

impl<'t> Activations<'t> {
    pub fn new(tokens: &'t Tokens) -> Self {
        Self { tokens, threads: FastMap::default(), entered: FastSet::default() }
    }

    pub fn call(&mut self, thread: interp::ThreadId, site: Option<interp::Site>, callee: MethodId) {
        let thread = self.threads.entry(thread).or_default();
        if let Some(site) = site
            && let Some(written) = self.tokens.calls.get(&site)
        {
            match written[usize::from(thread.is_quiet(site.method))] {
                Written::Nothing => {}
                Written::Nobody => thread.token = None,
                Written::Token(token) => thread.token = Some(token),
            }
        }
        let quiet = self.tokens.entries.get(&callee).is_some_and(|own| thread.token == Some(*own));
        if quiet {
            thread.token = None;
            self.entered.insert(callee);
        }
        thread.stack.push((callee, quiet));
    }

    pub fn leave(&mut self, thread: interp::ThreadId) {
        self.threads.entry(thread).or_default().stack.pop();
    }

    /// Whether the thread executes the quiet version of a method.
    pub fn is_quiet(&self, thread: interp::ThreadId, method: MethodId) -> bool {
        self.threads.get(&thread).is_some_and(|thread| thread.is_quiet(method))
    }
}
