//! A body that is right, and every way to break it that the verifier names.

use selvedge_base::{Id, IdRange, Symbol};

use super::{verify, verify_method};
use crate::body::{
    Block, BlockData, Body, Edge, EdgeKind, Inst, InstData, Unwind, Value, ValueData, ValueDef,
};
use crate::op::{BinaryOp, Condition, InvokeKind, MethodRef, Op};
use crate::types::{ClassName, Type};

/// Appends instructions to the last block.
struct Builder {
    body: Body,
}

impl Builder {
    fn new(parameters: &[Type]) -> Self {
        let mut body = Body::default();
        for (position, &ty) in parameters.iter().enumerate() {
            let value = body.values.push(ValueData { ty, def: ValueDef::Parameter(position as u32) });
            body.parameters.push(value);
        }
        Self { body }
    }

    fn block(&mut self, predecessors: &[(u32, EdgeKind)], unwind: &[u32]) {
        let next = self.body.insts.next_id();
        self.body.blocks.push(BlockData {
            insts: IdRange::new(next, next),
            unwind: unwind.iter().map(|&b| Unwind { catches: None, handler: Block::new(b) }).collect(),
            predecessors: predecessors
                .iter()
                .map(|&(from, kind)| Edge { from: Block::new(from), kind })
                .collect(),
        });
    }

    fn inst(&mut self, op: Op, args: &[u32], result: Option<Type>) -> u32 {
        let args: Vec<Value> = args.iter().map(|&arg| Value::new(arg)).collect();
        let args = self.body.push_list(&args);
        let def = ValueDef::Inst(self.body.insts.next_id());
        let result = result.map(|ty| self.body.values.push(ValueData { ty, def }));
        self.body.insts.push(InstData { op, args, result, bci: 0 });
        let last = self.body.blocks.iter_mut().last().unwrap();
        let start = last.insts.first().unwrap_or(Inst::from_index(self.body.insts.len() - 1));
        last.insts = IdRange::new(start, self.body.insts.next_id());
        result.map_or(u32::MAX, Value::number)
    }
}

/// `while (true) { try { call(); n = n + 1; } catch (any) { if (n == 0) return n; } }`, shaped as lowering does.
fn sample() -> Body {
    let mut b = Builder::new(&[Type::Int]);
    let throwable = Type::Ref(ClassName::new("java/lang/Throwable"));
    let call = MethodRef {
        owner: ClassName::new("p/C"),
        name: Symbol::new("call"),
        descriptor: Symbol::new("(I)I"),
        interface: false,
    };
    b.block(&[], &[]);
    b.inst(Op::Goto(Block::new(1)), &[], None);
    b.block(&[(0, EdgeKind::Normal), (2, EdgeKind::Normal), (3, EdgeKind::Normal)], &[3]);
    b.inst(Op::Phi, &[0, 3, 4], Some(Type::Int)); // v1; the arguments are defined below
    b.inst(Op::Invoke(InvokeKind::Static, call), &[1], Some(Type::Int)); // v2
    b.inst(Op::Goto(Block::new(2)), &[], None);
    b.block(&[(1, EdgeKind::Normal)], &[]);
    b.inst(Op::Binary(BinaryOp::Add), &[1, 2], Some(Type::Int)); // v3
    b.inst(Op::Goto(Block::new(1)), &[], None);
    b.block(&[(1, EdgeKind::Unwind)], &[]);
    b.inst(Op::Phi, &[1], Some(Type::Int)); // v4
    b.inst(Op::Catch, &[], Some(throwable)); // v5
    let test = Op::If { condition: Condition::Eq, then: Block::new(4), otherwise: Block::new(1) };
    b.inst(test, &[4], None);
    b.block(&[(3, EdgeKind::Normal)], &[]);
    b.inst(Op::Return, &[4], None);
    b.body
}

fn problems(body: &Body) -> Vec<String> {
    let errors = verify_method(body, b"(I)I", true).err().unwrap_or_default();
    errors.iter().map(ToString::to_string).collect()
}

/// Breaks the sample and expects this as the first error.
fn check(expected: &str, break_it: impl FnOnce(&mut Body)) {
    let mut body = sample();
    break_it(&mut body);
    assert_eq!(problems(&body).first().map(String::as_str), Some(expected));
}

fn inst(body: &mut Body, number: u32) -> &mut InstData {
    body.insts.get_mut(Inst::new(number)).unwrap()
}

fn set_arg(body: &mut Body, number: u32, position: u32, value: u32) {
    let start = inst(body, number).args.start;
    body.lists[(start + position) as usize] = Value::new(value);
}

fn block(body: &mut Body, number: u32) -> &mut BlockData {
    body.blocks.get_mut(Block::new(number)).unwrap()
}

#[test]
fn the_sample_is_right() {
    assert_eq!(problems(&sample()), [""; 0]);
    assert_eq!(verify(&sample()), Ok(()));
}

#[test]
fn ids_must_exist_and_agree() {
    check("i4: the argument v77 does not exist", |body| set_arg(body, 4, 0, 77));
    check("i0: b9 does not exist", |body| inst(body, 0).op = Op::Goto(Block::new(9)));
    check("i4: the argument list lies outside of the body's lists", |body| inst(body, 4).args.len = u32::MAX);
    check("i2: v2 is not the result of i2 as it says", |body| inst(body, 2).result = None);
    check("b3: b8 does not exist", |body| {
        block(body, 3).unwind.push(Unwind { catches: None, handler: Block::new(8) });
    });
    check("a body has at least one block", |body| *body = Body::default());
    check("the bytecode indexes of the line table are not ascending", |body| {
        body.lines = vec![(4, 1), (4, 2)]
    });
}

#[test]
fn blocks_must_cover_the_instructions() {
    check("i10: no block has this instruction", |body| {
        body.insts.push(InstData { op: Op::Return, args: Default::default(), result: None, bci: 0 });
    });
    check("b2: the block starts at i5 instead of i4", |body| {
        block(body, 2).insts = IdRange::new(Inst::new(5), Inst::new(6));
    });
    check("b2: the block has no instructions", |body| block(body, 2).insts = IdRange::empty());
    check("b4: the block's last instruction i11 does not exist", |body| {
        block(body, 4).insts = IdRange::new(Inst::new(9), Inst::new(12));
    });
}

#[test]
fn blocks_must_have_their_shape() {
    check("b4, i9: a block ends with a terminator", |body| inst(body, 9).op = Op::MonitorExit);
    check("b2, i4: a terminator comes last in its block", |body| inst(body, 4).op = Op::Return);
    check("b3, i7: a phi comes first in its block", |body| {
        inst(body, 6).op = Op::Catch;
        inst(body, 7).op = Op::Phi;
    });
    check("b1, i2: a catch comes right after the phis of its block", |body| {
        inst(body, 1).op = Op::Null;
        inst(body, 2).op = Op::Catch;
    });
}

#[test]
fn edges_must_be_mirrored() {
    check("b2: the predecessors lack the edge from b1", |body| block(body, 2).predecessors.clear());
    check("b4: the predecessors have the edge from b0, which is not there", |body| {
        block(body, 4).predecessors.push(Edge { from: Block::new(0), kind: EdgeKind::Normal });
    });
    check("b4: the predecessors have the edge from b3 twice", |body| {
        block(body, 4).predecessors.push(Edge { from: Block::new(3), kind: EdgeKind::Normal });
    });
    check("b0: the entry has no predecessors", |body| {
        inst(body, 5).op = Op::Goto(Block::new(0));
        block(body, 0).predecessors.push(Edge { from: Block::new(2), kind: EdgeKind::Normal });
    });
}

#[test]
fn handlers_must_catch() {
    check("b3, i7: an unwind edge leads here, but there is no catch", |body| inst(body, 7).op = Op::Null);
    check("b2: nothing throws in this block, but it has an unwind list", |body| {
        let to_handler = block(body, 1).unwind.clone();
        block(body, 2).unwind = to_handler;
        block(body, 3).predecessors.push(Edge { from: Block::new(2), kind: EdgeKind::Unwind });
    });
}

#[test]
fn definitions_must_reach_their_uses() {
    check("b2, i4: v3 may not be defined yet here", |body| set_arg(body, 4, 0, 3));
    check("b1, i1: v2 may not be defined yet on the edge from b0", |body| set_arg(body, 1, 0, 2));
    // Block b1 dominates the handler, but its call may throw before it has a result.
    check("b3, i6: v2 may not be defined yet on the edge from b1", |body| set_arg(body, 6, 0, 2));
    check("b4, i9: v2 may not be defined yet here", |body| set_arg(body, 9, 0, 2));
    // What is available on entry to a throwing block is available in its handlers.
    let mut body = sample();
    set_arg(&mut body, 9, 0, 1);
    assert_eq!(problems(&body), [""; 0]);
}

#[test]
fn operands_must_fit() {
    check("b4, i9: operand 0 is of type java/lang/Throwable, it must be an int", |body| {
        set_arg(body, 9, 0, 5)
    });
    check("b2, i4: there are 1 operands instead of 2", |body| inst(body, 4).args.len = 1);
    check("b1, i1: there are 2 operands instead of 3", |body| inst(body, 1).args.len = 2);
    check("b1, i2: the call has fewer operands than its descriptor", |body| inst(body, 2).args.len = 0);
    check("b2, i4: operand 0 is of type int, it must be a reference", |body| {
        inst(body, 4).op = Op::InstanceOf(ClassName::object());
        inst(body, 4).args.len = 1;
    });
    let errors = verify_method(&sample(), b"(J)I", true).unwrap_err();
    assert_eq!(errors[0].to_string(), "parameter 0 is of type int, the descriptor says J");
}

#[test]
fn mutated_bodies_never_panic() {
    let mut state = 1u64;
    let mut random = move |bound: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % bound
    };
    let ops: Vec<Op> = sample().insts.iter().map(|inst| inst.op).collect();
    let mut broken = 0;
    for _ in 0..20_000 {
        let mut body = sample();
        for _ in 0..=random(3) {
            let number = random(10);
            match random(8) {
                0 => inst(&mut body, number).op = ops[random(10) as usize],
                1 => inst(&mut body, number).args.start = random(12),
                2 => inst(&mut body, number).args.len = random(4),
                3 => inst(&mut body, number).result = Some(Value::new(random(8))),
                4 => inst(&mut body, number).op = Op::Goto(Block::new(random(6))),
                5 => {
                    let start = Inst::new(random(11));
                    block(&mut body, random(5)).insts = IdRange::new(start, Inst::new(random(12)));
                }
                6 => {
                    let kind = if random(2) == 0 { EdgeKind::Normal } else { EdgeKind::Unwind };
                    block(&mut body, random(5)).predecessors.push(Edge { from: Block::new(random(6)), kind });
                }
                _ => {
                    let handler = Block::new(random(6));
                    block(&mut body, random(5)).unwind.push(Unwind { catches: None, handler });
                }
            }
        }
        broken += usize::from(verify(&body).is_err());
    }
    assert!(broken > 15_000, "{broken}");
}
