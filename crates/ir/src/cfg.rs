//! The control flow of a body as graphs that the algorithms of `base` walk, and where its values are available.
//!
//! [`Cfg`] has the blocks as nodes and both kinds of edges. It is the right graph for loops, orders and reachability.
//!
//! It is not quite the right one to ask whether a value is available: an exception may leave a block before a value of
//! it is computed, so a block that dominates a handler does not lend it all its values. [`Availability`] therefore looks
//! at a graph in which a block with an unwind list is two *points*: its entry, where its phis are defined and from where
//! its unwind edges leave, and its exit, where the rest is defined and from where its normal edges leave. A value is
//! available where the point that defines it dominates.

use selvedge_base::{Csr, Dominators, Graph, Id, IdVec, Loops, entity};

use crate::body::{Block, Body, Inst, Value, ValueDef};
use crate::op::Op;

/// The blocks of a body and the edges between them, normal and unwind edges alike.
#[derive(Clone, Debug)]
pub struct Cfg {
    graph: Csr<Block>,
}

impl Cfg {
    /// The control flow of a body whose targets exist, as the verifier makes sure.
    pub fn new(body: &Body) -> Self {
        let mut edges = Vec::new();
        let mut seen = Seen::new(body);
        for block in body.blocks.ids() {
            let mut add = |target| {
                if seen.first_time(block, target) {
                    edges.push((block, target));
                }
            };
            for_each_target(body, block, &mut add);
            body.blocks[block].unwind.iter().for_each(|unwind| add(unwind.handler));
        }
        Self { graph: Csr::from_edges(body.blocks.len(), &edges) }
    }

    /// The dominator tree of the blocks. About values ask [`Availability`].
    pub fn dominators(&self) -> Dominators<Block> {
        Dominators::compute(&self.graph, &[Body::ENTRY])
    }

    /// The loops of the body, given its [`dominators`](Self::dominators).
    pub fn loops(&self, dominators: &Dominators<Block>) -> Loops<Block> {
        Loops::compute(&self.graph, Body::ENTRY, dominators)
    }

    /// The post-dominator tree of the blocks: `a` dominates `b` in it if every way from `b` out of the body passes `a`.
    /// Blocks that cannot leave the body, as in an infinite loop, are unreached in it.
    pub fn post_dominators(&self) -> Dominators<Block> {
        Dominators::compute_post(&self.graph, &self.exits())
    }

    /// The blocks from which control does not go on inside the body: returns, and throws that nothing catches.
    pub fn exits(&self) -> Vec<Block> {
        let blocks = (0..self.graph.node_count()).map(Block::from_index);
        blocks.filter(|&block| self.graph.successors(block).is_empty()).collect()
    }
}

impl Graph for Cfg {
    type Node = Block;
    fn node_count(&self) -> usize {
        self.graph.node_count()
    }
    fn successors(&self, block: Block) -> &[Block] {
        self.graph.successors(block)
    }
}

/// Calls `target` with each target of the block's terminator, as often as it is mentioned.
pub(crate) fn for_each_target(body: &Body, block: Block, target: &mut impl FnMut(Block)) {
    let Some(terminator) = body.blocks[block].insts.last() else { return };
    match body.insts[terminator].op {
        Op::Goto(block) => target(block),
        Op::If { then, otherwise, .. } => {
            target(then);
            target(otherwise);
        }
        Op::Switch(id) => {
            let switch = &body.switches[id];
            switch.cases.iter().for_each(|&(_, block)| target(block));
            target(switch.default);
        }
        _ => {}
    }
}

/// Remembers which targets the current block was seen to have.
pub(crate) struct Seen {
    last_source: IdVec<Block, Option<Block>>,
}

impl Seen {
    pub(crate) fn new(body: &Body) -> Self {
        Self { last_source: IdVec::filled(None, body.blocks.len()) }
    }

    /// Whether `target` was not asked for with this `source` since the source last changed.
    pub(crate) fn first_time(&mut self, source: Block, target: Block) -> bool {
        self.last_source[target].replace(source) != Some(source)
    }
}

entity! {
    /// The entry or the exit of a block.
    Point "p";
}

/// Where the values of a body are available; see the [module documentation](self).
#[derive(Clone, Debug)]
pub struct Availability {
    dominators: Dominators<Point>,
    /// The exit of each block; the entry has the block's own number.
    exits: IdVec<Block, Point>,
    /// Block and point of each value's definition.
    definitions: IdVec<Value, (Block, Point)>,
}

impl Availability {
    /// Looks at a body whose ids all exist, as the verifier makes sure.
    pub fn new(body: &Body) -> Self {
        let mut points = body.blocks.len();
        let mut exits = IdVec::with_capacity(points);
        let mut edges = Vec::with_capacity(2 * points);
        for (block, data) in body.blocks.iter_ids() {
            let entry = Point::from_index(block.index());
            if data.unwind.is_empty() {
                exits.push(entry);
            } else {
                exits.push(Point::from_index(points));
                edges.push((entry, Point::from_index(points)));
                points += 1;
            }
        }
        let (mut normal, mut unwinding) = (Seen::new(body), Seen::new(body));
        for (block, data) in body.blocks.iter_ids() {
            let (entry, exit) = (Point::from_index(block.index()), exits[block]);
            for_each_target(body, block, &mut |target| {
                if normal.first_time(block, target) {
                    edges.push((exit, Point::from_index(target.index())));
                }
            });
            for unwind in &data.unwind {
                if unwinding.first_time(block, unwind.handler) {
                    edges.push((entry, Point::from_index(unwind.handler.index())));
                }
            }
        }
        let dominators = Dominators::compute(&Csr::from_edges(points, &edges), &[Point::new(0)]);

        let mut definitions = IdVec::filled((Body::ENTRY, Point::new(0)), body.values.len());
        for (block, data) in body.blocks.iter_ids() {
            for inst in data.insts.iter() {
                let data = &body.insts[inst];
                if let Some(result) = data.result {
                    let is_phi = matches!(data.op, Op::Phi);
                    let point = if is_phi { Point::from_index(block.index()) } else { exits[block] };
                    definitions[result] = (block, point);
                }
            }
        }
        Self { dominators, exits, definitions }
    }

    /// The block that defines a value; the entry for a parameter.
    pub fn defining_block(&self, value: Value) -> Block {
        self.definitions[value].0
    }

    /// Whether a value has been computed whenever the terminator of `block` runs.
    pub fn at_end(&self, value: Value, block: Block) -> bool {
        self.dominators.dominates(self.definitions[value].1, self.exits[block])
    }

    /// Whether a value has been computed whenever an exception leaves `block`: what phis may use for its unwind edges.
    pub fn at_unwind(&self, value: Value, block: Block) -> bool {
        let (definer, point) = self.definitions[value];
        let entry = Point::from_index(block.index());
        // A block without an unwind list is one point, yet its values are not there on its entry.
        (definer != block || self.exits[block] != entry) && self.dominators.dominates(point, entry)
    }

    /// Whether a value has been computed whenever `user`, an instruction of `block` other than a phi, runs.
    pub fn at_use(&self, body: &Body, value: Value, block: Block, user: Inst) -> bool {
        match body.values[value].def {
            ValueDef::Parameter(_) => true,
            ValueDef::Inst(definer) if self.definitions[value].0 == block => definer < user,
            ValueDef::Inst(_) => self.at_end(value, block),
        }
    }

    /// Whether the block can be reached from the entry.
    pub fn is_reached(&self, block: Block) -> bool {
        self.dominators.is_reached(Point::from_index(block.index()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    const NESTED: &str = "method static p/C.m(I)V {
        parameters v0: int
        b0:
          goto b1
        b1: <- b0, b3
          if lt v0 then b2 else b4
        b2: <- b1, b2
          unwind any -> b5
          v1: int = invoke static p/C.f()I
          if lt v1 then b2 else b3
        b3: <- b2
          goto b1
        b4: <- b1
          return
        b5: <- unwind b2
          v2: java/lang/Throwable = catch
          throw v2
        }";

    fn body() -> Body {
        text::parse(NESTED).map(|mut methods| methods.remove(0).body).expect("the text is right")
    }

    #[test]
    fn loops_nest_and_handlers_count_as_successors() {
        let body = body();
        crate::verify(&body).expect("the body is right");
        let cfg = Cfg::new(&body);
        let block = Block::new;
        assert_eq!(cfg.successors(block(2)), [block(2), block(3), block(5)]);
        assert_eq!(cfg.exits(), [block(4), block(5)]);
        let dominators = cfg.dominators();
        assert_eq!(dominators.immediate(block(5)), Some(block(2)));
        let loops = cfg.loops(&dominators);
        let depths: Vec<u32> = body.blocks.ids().map(|block| loops.depth(block)).collect();
        assert_eq!(depths, [0, 1, 2, 1, 0, 0]);
        let post = cfg.post_dominators();
        assert_eq!(post.immediate(block(0)), Some(block(1)));
        assert_eq!(post.immediate(block(1)), None);
        assert_eq!(post.immediate(block(3)), Some(block(1)));
    }

    #[test]
    fn what_a_throwing_block_computes_is_not_available_in_its_handler() {
        let body = body();
        let available = Availability::new(&body);
        let (parameter, result, caught) = (Value::new(0), Value::new(1), Value::new(2));
        let block = Block::new;
        assert!(available.at_end(result, block(3)) && available.at_end(result, block(2)));
        assert!(!available.at_end(result, block(5)) && !available.at_unwind(result, block(2)));
        assert!(available.at_unwind(parameter, block(2)) && available.at_end(parameter, block(5)));
        assert_eq!(available.defining_block(caught), block(5));
        let throw = body.terminator(block(5));
        assert!(available.at_use(&body, caught, block(5), throw));
        assert!(!available.at_use(&body, result, block(5), throw));
    }
}
