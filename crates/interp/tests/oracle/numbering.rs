//! Value numbering against real runs: references with the same number are the same wherever both are available.
//!
//! Loads of final instance fields count as stable outside of constructors, as an analysis would have it.

use std::collections::BTreeMap;

use rayon::prelude::*;
use selvedge_base::FastMap;
use selvedge_classfile::access;
use selvedge_interp::{ObjRef, Observer, Options, Site, ThreadId, run};
use selvedge_ir::{Availability, Body, FieldRef, Op, Value, ValueDef, ValueNumbering};
use selvedge_world::{MethodId, Program};

use crate::corpus::corpus_or_skip;

/// For each variable, the others that must be the same reference when it gets its value.
type Claims = FastMap<Value, Vec<Value>>;

fn claims(program: &Program, method: MethodId, body: &Body) -> Claims {
    let in_constructor = program.methods[method].name.is("<init>");
    let is_final = |field: &FieldRef| {
        let resolved = program.resolve_field(field);
        resolved.is_ok_and(|field| {
            let flags = program.fields[field].flags;
            flags & access::FINAL != 0 && flags & access::STATIC == 0
        })
    };
    let numbering = ValueNumbering::with_stable_loads(body, |field| !in_constructor && is_final(field));
    let available = Availability::new(body);
    let mut classes: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for value in body.values.ids().filter(|&value| body.ty(value).is_reference()) {
        classes.entry(numbering.number(value)).or_default().push(value);
    }
    let mut claims = Claims::default();
    for &value in classes.values().filter(|class| class.len() > 1).flatten() {
        let ValueDef::Inst(inst) = body.values[value].def else { continue };
        let block = available.defining_block(value);
        let is_there = |other: Value| match body.insts[inst].op {
            // Before the phis of the block there is what its dominators define.
            Op::Phi => available.defining_block(other) != block && available.at_end(other, block),
            _ => available.at_use(body, other, block, inst),
        };
        let others = classes[&numbering.number(value)].iter().copied();
        claims.insert(value, others.filter(|&other| other != value && is_there(other)).collect());
    }
    claims
}

/// A running method and what its variables hold.
type Frame = (MethodId, FastMap<Value, Option<ObjRef>>);

struct Checker<'p> {
    program: &'p Program,
    claims: FastMap<MethodId, Claims>,
    /// Of each thread, the innermost last.
    frames: FastMap<ThreadId, Vec<Frame>>,
    checked: usize,
}

impl Observer for Checker<'_> {
    fn call(&mut self, thread: ThreadId, _: Option<Site>, callee: MethodId) {
        self.frames.entry(thread).or_default().push((callee, FastMap::default()));
    }

    fn leave(&mut self, thread: ThreadId, _: MethodId) {
        self.frames.entry(thread).or_default().pop();
    }

    fn wants_values(&self) -> bool {
        true
    }

    fn define(&mut self, thread: ThreadId, method: MethodId, variable: Value, object: Option<ObjRef>) {
        let (running, variables) = self.frames.get_mut(&thread).and_then(|frames| frames.last_mut()).unwrap();
        assert_eq!(*running, method);
        variables.insert(variable, object);
        let program = self.program;
        let claims = self
            .claims
            .entry(method)
            .or_insert_with(|| claims(program, method, program.body(method).expect("what runs has a body")));
        for other in claims.get(&variable).into_iter().flatten() {
            let method = program.describe_method(method);
            assert_eq!(variables.get(other), Some(&object), "{variable} and {other} of {method}");
            self.checked += 1;
        }
    }
}

#[test]
fn references_with_the_same_number_are_the_same() {
    let Some(corpus) = corpus_or_skip() else { return };
    let names: Vec<&String> = corpus.all().collect();
    let checked: usize = names
        .par_iter()
        .map(|name| {
            let mut checker = Checker {
                program: &corpus.program,
                claims: FastMap::default(),
                frames: FastMap::default(),
                checked: 0,
            };
            let options = Options { seed: 11, ..Options::default() };
            run(&corpus.program, name, &options, &mut checker).unwrap();
            checker.checked
        })
        .sum();
    assert!(checked > 50_000, "only {checked} comparisons");
}
