//! The control-flow graph over segments, in the order of the blocks to be.
//!
//! Building goes in three steps, after which node numbers are block numbers:
//!
//! 1. *Discovery* makes a node for every segment that control can reach and notes where its last instruction and its
//!    exceptions lead. Code with `jsr` needs more care: see [`super::subroutines`].
//! 2. *Landings*: a segment that both exceptions and ordinary control lead to gets a second node in front of it that
//!    only exceptions enter. A branch back to the method's start gets an empty entry node in front of that.
//!    Afterwards a node is entered either by exceptions only ([`NodeKind::takes_exception`]) or by none.
//! 3. *Ordering* in reverse postorder of a depth-first search. Of a node's successors the one that comes first in the code
//!    is put first, which keeps loops together and follows the source.

use super::LowerError;
use super::bytecode::{Bytecode, Segment};
use super::pool::Symbols;
use super::subroutines;
use crate::types::ClassName;

/// No node.
const NONE: u32 = u32::MAX;

/// How many pairs of a segment and an exception-table entry may be looked at: far more than in any compiler's output,
/// little enough to be quick.
const HANDLER_BUDGET: usize = 100_000_000;

/// How many unwind entries all nodes may have together.
const UNWIND_LIMIT: usize = 4_000_000;

/// The graph. One value serves many methods: buffers are reused.
#[derive(Default)]
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    /// Storage of [`Graph::targets`].
    all_targets: Vec<u32>,
    /// Storage of [`Graph::unwinds`].
    all_unwinds: Vec<Unwind>,
    successors: Lists,
    predecessors: Lists,
    handler_work: usize,
    /// By segment: its node, in code without subroutines.
    node_of: Vec<u32>,
    landings: Landings,
    order: Order,
}

/// A block to be.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub kind: NodeKind,
    /// The segment it executes, or the one it leads to.
    pub segment: u32,
    targets: (u32, u32),
    unwinds: (u32, u32),
}

/// What a node does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// Executes its segment.
    Code,
    /// Takes an exception, then executes its segment.
    Handler,
    /// Takes an exception and goes to its segment's node.
    Landing,
    /// Goes to the segment at the method's start.
    Entry,
}

impl NodeKind {
    /// Whether all edges into the node are unwind edges (otherwise none is).
    pub fn takes_exception(self) -> bool {
        matches!(self, NodeKind::Handler | NodeKind::Landing)
    }
}

/// Where exceptions of a class go.
#[derive(Clone, Copy)]
pub(super) struct Unwind {
    pub catches: Option<ClassName>,
    pub node: u32,
}

/// Lists of numbers, one for each node.
#[derive(Default)]
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.items.clear();
    }

    fn end_list(&mut self) {
        self.starts.push(self.items.len() as u32);
    }

    fn get(&self, node: u32) -> &[u32] {
        &self.items[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

/// Buffers for making landings.
#[derive(Default)]
struct Landings {
    /// By node: whether the method's start or some terminator leads to it.
    entered_by_jump: Vec<bool>,
    /// By node that exceptions lead to: the node that takes them, itself or its landing.
    taking_exception: Vec<u32>,
}

/// Buffers of the ordering.
#[derive(Default)]
struct Order {
    /// Nodes with how many of their successors are still to be visited.
    path: Vec<(u32, u32)>,
    postorder: Vec<u32>,
    /// By node: its block number. While searching: `NONE` for the nodes not yet seen.
    number: Vec<u32>,
    nodes: Vec<Node>,
    neighbours: Lists,
}

impl Graph {
    /// Builds the graph of a method's code.
    pub fn build<'a>(
        &mut self,
        code: &Bytecode<'a>,
        symbols: &mut Symbols<'_, 'a>,
    ) -> Result<(), LowerError> {
        self.nodes.clear();
        self.all_targets.clear();
        self.all_unwinds.clear();
        self.handler_work = 0;
        if code.has_subroutines {
            subroutines::discover(self, code, symbols)?;
        } else {
            self.discover(code)?;
        }
        let entry = self.add_landings();
        self.order(entry);
        Ok(())
    }

    /// Where a node's terminator goes, in the terminator's own order: one for a jump, the taken and the other branch of
    /// a condition, the default and the cases of a switch.
    pub fn targets(&self, node: u32) -> &[u32] {
        let (start, end) = self.nodes[node as usize].targets;
        &self.all_targets[start as usize..end as usize]
    }

    /// Where a node's exceptions go, first match first.
    pub fn unwinds(&self, node: u32) -> &[Unwind] {
        let (start, end) = self.nodes[node as usize].unwinds;
        &self.all_unwinds[start as usize..end as usize]
    }

    /// All nodes that may come next, each once.
    pub fn successors(&self, node: u32) -> &[u32] {
        self.successors.get(node)
    }

    /// The nodes from which control may come, each once, ascending.
    pub fn predecessors(&self, node: u32) -> &[u32] {
        self.predecessors.get(node)
    }

    /// Adds a node without edges.
    pub fn add_node(&mut self, kind: NodeKind, segment: u32) -> u32 {
        self.nodes.push(Node { kind, segment, targets: (0, 0), unwinds: (0, 0) });
        self.nodes.len() as u32 - 1
    }

    /// Sets where a node's terminator goes.
    pub fn set_targets(&mut self, node: u32, targets: impl IntoIterator<Item = u32>) {
        let start = self.all_targets.len() as u32;
        self.all_targets.extend(targets);
        self.nodes[node as usize].targets = (start, self.all_targets.len() as u32);
    }

    /// Sets where a node's exceptions go: for each handler that `segment` unwinds to, to the node that `node_for` gives
    /// for the handler's segment.
    pub fn set_unwinds(
        &mut self,
        node: u32,
        code: &Bytecode<'_>,
        segment: &Segment,
        mut node_for: impl FnMut(&mut Self, u32) -> Result<u32, LowerError>,
    ) -> Result<(), LowerError> {
        let too_many =
            || LowerError::at(code.bci(segment.first), "the method has too many exception handlers");
        let start = self.all_unwinds.len();
        if segment.unwinds {
            self.handler_work += code.handlers.len();
            for handler in &code.handlers {
                if segment.first < handler.first || handler.end <= segment.first {
                    continue;
                }
                self.handler_work += self.all_unwinds.len() - start;
                if self.all_unwinds[start..].iter().any(|earlier| earlier.catches == handler.catches) {
                    continue;
                }
                let node = node_for(self, handler.segment)?;
                self.all_unwinds.push(Unwind { catches: handler.catches, node });
                if handler.catches_everything {
                    break;
                }
                if self.handler_work > HANDLER_BUDGET || self.all_unwinds.len() > UNWIND_LIMIT {
                    return Err(too_many());
                }
            }
        }
        self.nodes[node as usize].unwinds = (start as u32, self.all_unwinds.len() as u32);
        Ok(())
    }

    fn discover(&mut self, code: &Bytecode<'_>) -> Result<(), LowerError> {
        self.node_of.clear();
        self.node_of.resize(code.segments.len(), NONE);
        self.node_for(0);
        let mut node = 0;
        while node < self.nodes.len() {
            let number = self.nodes[node].segment;
            let segment = code.segments[number as usize];
            let start = self.all_targets.len() as u32;
            for_each_successor(code, number, |successor| {
                let target = self.node_for(successor);
                self.all_targets.push(target);
            })?;
            self.nodes[node].targets = (start, self.all_targets.len() as u32);
            self.set_unwinds(node as u32, code, &segment, |graph, segment| Ok(graph.node_for(segment)))?;
            node += 1;
        }
        Ok(())
    }

    fn node_for(&mut self, segment: u32) -> u32 {
        if self.node_of[segment as usize] == NONE {
            self.node_of[segment as usize] = self.add_node(NodeKind::Code, segment);
        }
        self.node_of[segment as usize]
    }

    /// Gives every node one way of being entered, see the [module documentation](self). Returns the entry node.
    fn add_landings(&mut self) -> u32 {
        let mut landings = std::mem::take(&mut self.landings);
        landings.entered_by_jump.clear();
        landings.entered_by_jump.resize(self.nodes.len(), false);
        landings.taking_exception.clear();
        landings.taking_exception.resize(self.nodes.len(), NONE);
        for &target in &self.all_targets {
            landings.entered_by_jump[target as usize] = true;
        }
        let entry_is_target = landings.entered_by_jump[0];
        landings.entered_by_jump[0] = true;
        for index in 0..self.all_unwinds.len() {
            let node = self.all_unwinds[index].node;
            let taking = &mut landings.taking_exception[node as usize];
            if *taking == NONE && landings.entered_by_jump[node as usize] {
                *taking = self.add_node(NodeKind::Landing, self.nodes[node as usize].segment);
                self.set_targets(*taking, [node]);
            } else if *taking == NONE {
                *taking = node;
                self.nodes[node as usize].kind = NodeKind::Handler;
            }
            self.all_unwinds[index].node = *taking;
        }
        let entry_has_landing = landings.taking_exception[0] != NONE;
        self.landings = landings;
        if !entry_is_target && !entry_has_landing {
            return 0;
        }
        let entry = self.add_node(NodeKind::Entry, 0);
        self.set_targets(entry, [0]);
        entry
    }

    /// Drops what the entry does not reach and renumbers the rest in reverse postorder.
    fn order(&mut self, entry: u32) {
        let mut order = std::mem::take(&mut self.order);
        self.list_neighbours(&mut order.neighbours);
        order.number.clear();
        order.number.resize(self.nodes.len(), NONE);
        order.postorder.clear();
        let neighbours = &order.neighbours;
        order.number[entry as usize] = 0;
        order.path.push((entry, neighbours.get(entry).len() as u32));
        while let Some((node, left)) = order.path.last_mut() {
            if *left == 0 {
                order.postorder.push(*node);
                order.path.pop();
                continue;
            }
            *left -= 1;
            let next = neighbours.get(*node)[*left as usize];
            if order.number[next as usize] == NONE {
                order.number[next as usize] = 0;
                order.path.push((next, neighbours.get(next).len() as u32));
            }
        }
        for (number, &node) in order.postorder.iter().rev().enumerate() {
            order.number[node as usize] = number as u32;
        }
        self.renumber(&mut order);
        self.order = order;
    }

    /// All successors of each node, each once, sorted by their place in the code.
    fn list_neighbours(&self, neighbours: &mut Lists) {
        neighbours.clear();
        for node in 0..self.nodes.len() as u32 {
            let start = neighbours.items.len();
            neighbours.items.extend_from_slice(self.targets(node));
            neighbours.items.extend(self.unwinds(node).iter().map(|unwind| unwind.node));
            let list = &mut neighbours.items[start..];
            if list.len() > 1 {
                list.sort_unstable_by_key(|&next| (self.nodes[next as usize].segment, next));
                let mut kept = start + 1;
                for index in start + 1..neighbours.items.len() {
                    if neighbours.items[index] != neighbours.items[kept - 1] {
                        neighbours.items[kept] = neighbours.items[index];
                        kept += 1;
                    }
                }
                neighbours.items.truncate(kept);
            }
            neighbours.end_list();
        }
    }

    fn renumber(&mut self, order: &mut Order) {
        let Order { postorder, number, nodes, neighbours, .. } = order;
        nodes.clear();
        nodes.extend(postorder.iter().rev().map(|&node| self.nodes[node as usize]));
        std::mem::swap(nodes, &mut self.nodes);
        // Edges of nodes that were dropped may map to nonsense; nothing looks at them any more.
        self.all_targets.iter_mut().for_each(|target| *target = number[*target as usize]);
        self.all_unwinds.iter_mut().for_each(|unwind| unwind.node = number[unwind.node as usize]);
        self.successors.clear();
        for &node in postorder.iter().rev() {
            let next = neighbours.get(node).iter().map(|&next| number[next as usize]);
            self.successors.items.extend(next);
            self.successors.end_list();
        }
        // Predecessors by counting: `starts[n + 1]` first counts those of n, then tells where its next one goes.
        let Lists { starts, items } = &mut self.predecessors;
        starts.clear();
        starts.resize(self.nodes.len() + 2, 0);
        for &next in &self.successors.items {
            starts[next as usize + 2] += 1;
        }
        for index in 2..starts.len() {
            starts[index] += starts[index - 1];
        }
        items.clear();
        items.resize(self.successors.items.len(), 0);
        for node in 0..self.nodes.len() as u32 {
            for &next in self.successors.get(node) {
                let place = &mut starts[next as usize + 1];
                items[*place as usize] = node;
                *place += 1;
            }
        }
    }
}

/// Calls `each` with the segments to which a segment's last instruction leads, in that instruction's order, repetitions
/// included; for `jsr` with the subroutine.
pub(super) fn for_each_successor(
    code: &Bytecode<'_>,
    number: u32,
    mut each: impl FnMut(u32),
) -> Result<(), LowerError> {
    let segment = &code.segments[number as usize];
    let (bci, insn) = &code.insns[segment.end as usize - 1];
    insn.for_each_target(|target| each(code.segment_at(target)));
    if insn.falls_through() {
        if segment.end as usize == code.insns.len() {
            return Err(LowerError::at(*bci, "control runs off the end of the code"));
        }
        each(number + 1);
    }
    Ok(())
}
