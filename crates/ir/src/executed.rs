//! Which of some instructions have been executed on every path, since the last step that makes one forget.
//!
//! A must-analysis over the paths of a body: what is known in a block is what is known after each of its predecessors. An exception
//! leaves a block before or after any of its steps, so a handler knows what the block knew on its entry, or nothing if the block has a
//! step that makes one forget.
//!
//! **Theorem.** If `R` is among what [`executed_before`] shows for `S`, then on every path from the entry to `S` the instruction `R` is
//! executed, and no step that makes one forget lies between the last time and `S`; `S` itself is none either.
//!
//! So the values that `R` used are those that the same names have at `S`: where `R` is on every path to `S`, so are the definitions of
//! these values, and none can have been computed anew since, for else there were a path to `S` around `R`.

use std::borrow::Cow;

use selvedge_base::{BitSet, Dataflow, Id, IdVec, Lattice, entity, solve};

use crate::body::{Block, Body, Inst};
use crate::cfg::Cfg;

entity! {
    /// One of the instructions that are asked for, by its position among them.
    Marked "x";
}

/// Shows to `see` each of the `marked` instructions that can be reached, with those of them that have been executed on every path to
/// it since the last step of which `forgets` holds. An instruction that stands among them twice is shown as the last of these.
pub fn executed_before(
    body: &Body,
    marked: &[Inst],
    forgets: &dyn Fn(Inst) -> bool,
    mut see: impl FnMut(Marked, &BitSet<Marked>),
) {
    let mut numbers: IdVec<Inst, Option<Marked>> = IdVec::filled(None, body.insts.len());
    for (position, &inst) in marked.iter().enumerate() {
        numbers[inst] = Some(Marked::from_index(position));
    }
    let mut flow = Flow { body, numbers, forgets };
    let entry = Known(BitSet::with_room(marked.len()));
    let before = solve(&Cfg::new(body), [(Body::ENTRY, entry)], &mut flow);
    for (block, known) in before.iter_ids() {
        if let Some(Known(mut known)) = known.clone() {
            flow.walk(block, &mut known, &mut see);
        }
    }
}

/// What has been executed on every path.
#[derive(Clone)]
struct Known(BitSet<Marked>);

impl Lattice for Known {
    fn join_into(&self, target: &mut Self) -> bool {
        target.0.intersect_with(&self.0)
    }
}

struct Flow<'a> {
    body: &'a Body,
    numbers: IdVec<Inst, Option<Marked>>,
    forgets: &'a dyn Fn(Inst) -> bool,
}

impl Flow<'_> {
    /// Goes through a block, and shows what is known when each marked instruction is about to be executed.
    fn walk(&self, block: Block, known: &mut BitSet<Marked>, see: &mut impl FnMut(Marked, &BitSet<Marked>)) {
        for inst in self.body.blocks[block].insts.iter() {
            if (self.forgets)(inst) {
                known.clear();
            }
            if let Some(marked) = self.numbers[inst] {
                see(marked, known);
                known.insert(marked);
            }
        }
    }
}

impl Dataflow<Block> for Flow<'_> {
    type Fact = Known;

    fn transfer(&mut self, block: Block, fact: &mut Known) {
        self.walk(block, &mut fact.0, &mut |_, _| {});
    }

    fn along<'f>(
        &mut self,
        from: Block,
        to: Block,
        before: &'f Known,
        after: &'f Known,
    ) -> Option<Cow<'f, Known>> {
        let data = &self.body.blocks[from];
        // What an exception carries is less than what is known at the end, so this serves a block that is both.
        Some(match data.unwind.iter().any(|unwind| unwind.handler == to) {
            true if data.insts.iter().any(self.forgets) => Cow::Owned(Known(BitSet::default())),
            true => Cow::Borrowed(before),
            false => Cow::Borrowed(after),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::Op;
    use crate::text;

    /// For each read of a static field, by name, the names of the reads before it; calls make one forget.
    fn check(code: &str, expected: &[(&str, &[&str])]) {
        let methods = text::parse(&format!("method static p/C.m()V {{\n{code}\n}}\n"))
            .unwrap_or_else(|error| panic!("{error}"));
        let body = &methods[0].body;
        crate::verify(body).unwrap_or_else(|errors| panic!("{}", errors[0]));
        let name = |inst: Inst| match body.insts[inst].op {
            Op::GetStatic(field) => Some(field.name.to_string()),
            _ => None,
        };
        let reads: Vec<Inst> = body.insts.ids().filter(|&inst| name(inst).is_some()).collect();
        let forgets = |inst: Inst| matches!(body.insts[inst].op, Op::Invoke(..));
        let mut found: Vec<(String, Vec<String>)> = Vec::new();
        let named = |marked: Marked| name(reads[marked.index()]).unwrap_or_default();
        executed_before(body, &reads, &forgets, |marked, before| {
            found.push((named(marked), before.iter().map(named).collect()));
        });
        let expected: Vec<(String, Vec<String>)> = expected
            .iter()
            .map(|(read, before)| (read.to_string(), before.iter().map(|name| name.to_string()).collect()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_only_one_branch_executes_does_not_count() {
        check(
            "parameters v0: int
             b0:
             v1: int = getstatic p/C.a:I
             if lt v0 then b1 else b2
             b1: <- b0
             v2: int = getstatic p/C.b:I
             goto b3
             b2: <- b0
             goto b3
             b3: <- b1, b2
             v3: int = getstatic p/C.c:I
             return",
            &[("a", &[]), ("b", &["a"]), ("c", &["a"])],
        );
    }

    #[test]
    fn a_step_that_makes_one_forget_in_a_loop_is_heard_at_its_head() {
        check(
            "parameters v0: int
             b0:
             v1: int = getstatic p/C.a:I
             goto b1
             b1: <- b0, b2
             v2: int = getstatic p/C.b:I
             if lt v0 then b2 else b3
             b2: <- b1
             v3: int = getstatic p/C.c:I
             v4: int = invoke static p/C.f()I
             v5: int = getstatic p/C.d:I
             goto b1
             b3: <- b1
             v6: int = getstatic p/C.e:I
             return",
            &[("a", &[]), ("b", &[]), ("c", &["b"]), ("d", &[]), ("e", &["b"])],
        );
    }

    #[test]
    fn a_handler_knows_what_its_block_knew_on_entry_unless_that_forgets() {
        let body = |step: &str| {
            format!(
                "parameters v0: int
                 b0:
                 v1: int = getstatic p/C.a:I
                 goto b1
                 b1: <- b0
                 unwind any -> b3
                 v2: int = getstatic p/C.b:I
                 {step}
                 goto b2
                 b2: <- b1
                 v4: int = getstatic p/C.c:I
                 return
                 b3: <- unwind b1
                 v5: java/lang/Throwable = catch
                 v6: int = getstatic p/C.d:I
                 throw v5"
            )
        };
        let quiet = body("v3: int = div v0, v2");
        check(&quiet, &[("a", &[]), ("b", &["a"]), ("c", &["a", "b"]), ("d", &["a"])]);
        let forgetting = body("v3: int = invoke static p/C.f()I");
        check(&forgetting, &[("a", &[]), ("b", &["a"]), ("c", &[]), ("d", &[])]);
    }
}
