//! Small bodies with known numbers, and random ones that are run to see that equal numbers mean equal values.

use selvedge_base::{Graph, Id, IdRange, Symbol};

use super::*;
use crate::body::{BlockData, Edge, EdgeKind, Inst, ValueData, ValueDef};
use crate::cfg::{Availability, Cfg};
use crate::op::Condition;
use crate::{text, verify};

/// The classes of equal values with at least two members.
fn classes(code: &str, stable: impl Fn(&FieldRef) -> bool) -> Vec<Vec<String>> {
    let methods = text::parse(code).unwrap_or_else(|error| panic!("{error}"));
    let body = &methods[0].body;
    verify(body).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let numbering = ValueNumbering::with_stable_loads(body, stable);
    let class = |leader: Value| -> Vec<String> {
        let equal = body.values.ids().filter(|&value| numbering.number(value) == leader);
        equal.map(|value| value.to_string()).collect()
    };
    body.values.ids().map(class).filter(|class| class.len() > 1).collect()
}

#[track_caller]
fn check(code: &str, expected: &[&[&str]]) {
    let stable = |field: &FieldRef| field.name == Symbol::new("stable");
    assert_eq!(classes(&format!("method static p/C.m()V {{\n{code}\n}}\n"), stable), expected);
}

#[test]
fn straight_line() {
    check(
        "parameters v0: int, v1: int, v2: p/C
         b0:
         v3: int = add v0, v1
         v4: int = add v1, v0
         v5: int = sub v0, v1
         v6: int = sub v1, v0
         v7: int = int 7
         v8: int = int 7
         v9: long = long 7
         v10: int = mul v3, v7
         v11: int = mul v8, v4
         v12: p/D = checkcast p/D v2
         v13: int = instanceof p/E v12
         v14: int = instanceof p/E v2
         v15: float = float 0.0
         v16: float = float -0.0
         v17: java/lang/String = string \"a\"
         v18: java/lang/String = string \"a\"
         v19: float = add v15, v16
         v20: float = add v16, v15
         v21: float = float 0x7fc00000
         v22: float = float 0x7fc00000
         return",
        &[
            &["v2", "v12"],
            &["v3", "v4"],
            &["v7", "v8"],
            &["v10", "v11"],
            &["v13", "v14"],
            &["v17", "v18"],
            &["v21", "v22"],
        ],
    );
}

#[test]
fn loads_are_equal_only_where_they_are_stable() {
    check(
        "parameters v0: p/C
         b0:
         v1: p/C = getfield p/C.stable:Lp/C; v0
         v2: p/C = getfield p/C.stable:Lp/C; v0
         v3: p/C = getfield p/C.other:Lp/C; v1
         v4: p/C = getfield p/C.other:Lp/C; v2
         v5: p/C = getstatic p/C.stable:Lp/C;
         v6: p/C = getstatic p/C.stable:Lp/C;
         v7: p/C = new p/C
         v8: p/C = new p/C
         v9: int = invoke static p/C.f()I
         v10: int = invoke static p/C.f()I
         return",
        &[&["v1", "v2"], &["v5", "v6"]],
    );
}

#[test]
fn phis_of_equal_values_and_congruent_loops() {
    check(
        "parameters v0: int
         b0:
         v1: int = int 0
         v2: int = int 1
         goto b1
         b1: <- b0, b2
         v3: int = phi b0 v1, b2 v7
         v4: int = phi b0 v1, b2 v8
         v5: int = phi b0 v0, b2 v9
         v6: int = phi b0 v1, b2 v3
         if lt v3, v0 then b2 else b3
         b2: <- b1
         v7: int = add v3, v2
         v8: int = add v2, v4
         v9: int = add v5, v1
         v10: int = sub v9, v1
         goto b1
         b3: <- b1
         return",
        // v5 is not always v0, v6 is v3 of the round before.
        &[&["v3", "v4"], &["v7", "v8"]],
    );
    check(
        "parameters v0: java/lang/Object, v1: int
         b0:
         if lt v1 then b1 else b2
         b1: <- b0
         v2: int = add v1, v1
         goto b3
         b2: <- b0
         v3: int = add v1, v1
         goto b3
         b3: <- b1, b2, b3
         v4: int = phi b1 v2, b2 v3, b3 v4
         v5: java/lang/Object = phi b1 v0, b2 v0, b3 v6
         v6: java/lang/String = checkcast java/lang/String v5
         if lt v4 then b3 else b4
         b4: <- b3
         return",
        &[&["v0", "v5", "v6"], &["v2", "v3", "v4"]],
    );
}

/// A deterministic generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn pick(&mut self, values: &[Value]) -> Value {
        values[self.below(values.len())]
    }
}

/// A random body over ints: a control flow without rhyme or reason, and few different operations, so that many are equal.
fn random_body(random: &mut Random) -> Body {
    let count = 2 + random.below(8);
    // An edge to every block from an earlier one, and some more, none to the entry.
    let mut targets: Vec<Vec<usize>> = vec![Vec::new(); count];
    for to in 1..count {
        let from = random.below(to);
        targets[from].push(to);
    }
    for _ in 0..random.below(count) {
        let (from, to) = (random.below(count), 1 + random.below(count - 1));
        targets[from].push(to);
    }
    for list in &mut targets {
        list.sort_unstable();
        list.dedup();
    }
    let mut body = Body::default();
    for position in 0..2 {
        let def = ValueDef::Parameter(position);
        body.parameters.push(body.values.push(ValueData { ty: Type::Int, def }));
    }
    let mut skeleton = Body::default();
    for list in &targets {
        let start = skeleton.insts.next_id();
        let op = terminator(list, &mut skeleton);
        skeleton.insts.push(InstData { op, args: Default::default(), result: None, bci: 0 });
        let insts = IdRange::new(start, skeleton.insts.next_id());
        skeleton.blocks.push(BlockData { insts, ..BlockData::default() });
    }
    let dominators = Cfg::new(&skeleton).dominators();
    body.switches = skeleton.switches.clone();
    // Values at the end of each block, filled in an order in which dominators come first.
    let mut at_end: Vec<Vec<Value>> = vec![Vec::new(); count];
    let mut code: Vec<Vec<InstData>> = vec![Vec::new(); count];
    let mut phis: Vec<(usize, usize)> = Vec::new();
    for &block in dominators.preorder() {
        let index = block.index();
        let mut available = match dominators.immediate(block) {
            Some(above) => at_end[above.index()].clone(),
            None => body.parameters.clone(),
        };
        let phi_count = if index == 0 { 0 } else { random.below(4) };
        for number in 0..phi_count + 1 + random.below(5) {
            let op = match random.below(5) {
                _ if number < phi_count => Op::Phi,
                0 => Op::Int(random.below(2) as i32),
                1 => Op::Binary(BinaryOp::Sub),
                _ => Op::Binary(BinaryOp::Add),
            };
            let args = match op {
                Op::Binary(_) => body.push_list(&[random.pick(&available), random.pick(&available)]),
                _ => Default::default(),
            };
            if op == Op::Phi {
                phis.push((index, number));
            }
            let def = ValueDef::Inst(Inst::new(0));
            let result = body.values.push(ValueData { ty: Type::Int, def });
            code[index].push(InstData { op, args, result: Some(result), bci: 0 });
            available.push(result);
        }
        let op = skeleton.insts[skeleton.terminator(block)].op;
        let operands = if matches!(op, Op::Goto(_)) { vec![] } else { vec![random.pick(&available)] };
        let args = body.push_list(&operands);
        code[index].push(InstData { op, args, result: None, bci: 0 });
        at_end[index] = available;
    }
    let cfg = Cfg::new(&skeleton);
    let mut predecessors: Vec<Vec<Edge>> = vec![Vec::new(); count];
    for from in skeleton.blocks.ids() {
        for to in cfg.successors(from) {
            predecessors[to.index()].push(Edge { from, kind: EdgeKind::Normal });
        }
    }
    for (index, number) in phis {
        let args: Vec<Value> =
            predecessors[index].iter().map(|edge| random.pick(&at_end[edge.from.index()])).collect();
        code[index][number].args = body.push_list(&args);
    }
    for (insts, predecessors) in code.into_iter().zip(predecessors) {
        let start = body.insts.next_id();
        for inst in insts {
            if let Some(result) = inst.result {
                body.values[result].def = ValueDef::Inst(body.insts.next_id());
            }
            body.insts.push(inst);
        }
        let insts = IdRange::new(start, body.insts.next_id());
        body.blocks.push(BlockData { insts, unwind: Vec::new(), predecessors });
    }
    body
}

fn terminator(targets: &[usize], body: &mut Body) -> Op {
    let block = |index: usize| Block::from_index(targets[index]);
    match targets.len() {
        0 => Op::Return,
        1 => Op::Goto(block(0)),
        2 => Op::If { condition: Condition::Gt, then: block(0), otherwise: block(1) },
        more => {
            let cases = (1..more).map(|index| (index as i32 - 1, block(index))).collect();
            Op::Switch(body.switches.push(crate::op::Switch { cases, default: block(0) }))
        }
    }
}

/// Runs the body and compares, after each instruction, all values with the same number that are available.
fn run(body: &Body, arguments: [i32; 2], numbering: &ValueNumbering, comparisons: &mut usize) {
    let available = Availability::new(body);
    let mut values: IdVec<Value, i32> = IdVec::filled(0, body.values.len());
    values[Value::new(0)] = arguments[0];
    values[Value::new(1)] = arguments[1];
    let (mut block, mut from) = (Body::ENTRY, None);
    for _ in 0..40 {
        let data = &body.blocks[block];
        let edge = data.predecessors.iter().position(|edge| Some(edge.from) == from);
        let merged: Vec<(Value, i32)> = body
            .phis(block)
            .map(|phi| {
                let arg = body.args(phi)[edge.expect("phis are in blocks with predecessors")];
                (body.insts[phi].result.expect("a phi has a result"), values[arg])
            })
            .collect();
        merged.iter().for_each(|&(result, value)| values[result] = value);
        let mut next = None;
        for inst in data.insts.iter() {
            let (data, args) = (&body.insts[inst], body.args(inst));
            let value = match data.op {
                Op::Phi => continue,
                Op::Int(value) => value,
                Op::Binary(BinaryOp::Add) => values[args[0]].wrapping_add(values[args[1]]),
                Op::Binary(_) => values[args[0]].wrapping_sub(values[args[1]]),
                Op::Goto(target) => return_next(&mut next, target),
                Op::If { then, otherwise, .. } => {
                    return_next(&mut next, if values[args[0]] > 0 { then } else { otherwise })
                }
                Op::Switch(id) => {
                    let case = body.switches[id].cases.iter().find(|(key, _)| *key == values[args[0]]);
                    return_next(&mut next, case.map_or(body.switches[id].default, |(_, target)| *target))
                }
                _ => 0,
            };
            if let Some(result) = data.result {
                values[result] = value;
            }
        }
        for value in body.values.ids() {
            let number = numbering.number(value);
            if number != value && available.at_end(value, block) && available.at_end(number, block) {
                assert_eq!(
                    values[value], values[number],
                    "{value} and {number} at the end of {block}: {body:?}"
                );
                *comparisons += 1;
            }
        }
        let Some(target) = next else { return };
        (block, from) = (target, Some(block));
    }
}

fn return_next(next: &mut Option<Block>, target: Block) -> i32 {
    *next = Some(target);
    0
}

#[test]
fn equal_numbers_are_equal_values_when_run() {
    let mut random = Random(3);
    let (mut sound, mut comparisons) = (0, 0);
    for _ in 0..6_000 {
        let body = random_body(&mut random);
        // Blocks come in any order here; where that is not reverse postorder enough the verifier says so.
        if verify(&body).is_err() {
            continue;
        }
        sound += 1;
        let numbering = ValueNumbering::new(&body);
        for arguments in [[0, 0], [1, 2], [-3, 7], [5, -1], [i32::MAX, 1]] {
            run(&body, arguments, &numbering, &mut comparisons);
        }
    }
    assert!(sound > 3_000 && comparisons > 100_000, "{sound} {comparisons}");
}
