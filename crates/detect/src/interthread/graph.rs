//! The interthread call graph: a node for each method and for each synchronized block, in each context.
//!
//! Call edges lead from where the call stands, a block or the method, to the callee, within a thread; start edges lead from where a thread is started
//! to what it runs first, its *root*. Of a method there is what some thread may execute, library code included, since
//! calls pass through it. Calls that library code makes on behalf of other threads are cut as [`Threads`](selvedge_facts::Threads)
//! cuts them.
//!
//! Each node has the lock that entering it takes: the monitor of a synchronized method or block, if the only object that it may be of
//! *must* be one object, made at most once in a run (the paper's must points-to relation).

use selvedge_base::{Csr, FastMap, IdVec, entity};
use selvedge_facts::{Monitor, Origin, ThreadId};
use selvedge_ir::Inst;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use crate::Facts;

entity! {
    /// A node of the interthread call graph.
    NodeId "n";
}

/// A method or a synchronized block of it, in one context.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The method in its context.
    pub instance: InstanceId,
    /// The instruction that enters the block; `None` for the method itself.
    pub block: Option<Inst>,
    /// Whether entering the node takes a lock.
    pub is_synchronized: bool,
    /// The one object that the lock must be, if that is known.
    pub must_lock: Option<ObjectId>,
}

/// What an edge stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Edge {
    /// Control gets from a method or a block into a block of it.
    Enter,
    /// A call in the same thread.
    Call,
    /// The start of a thread.
    Start,
}

/// See the [module documentation](self).
pub struct CallGraph {
    /// The nodes.
    pub nodes: IdVec<NodeId, Node>,
    /// The edges, sorted, each once.
    pub edges: Vec<(NodeId, NodeId, Edge)>,
    /// The nodes that threads begin with.
    pub roots: Vec<(NodeId, ThreadId)>,
    methods: FastMap<InstanceId, NodeId>,
    /// The blocks, by the instructions that enter them and those around them, outermost first.
    blocks: FastMap<(InstanceId, Vec<Inst>), NodeId>,
}

impl CallGraph {
    /// Builds the graph.
    pub fn new(facts: &Facts<'_, '_>) -> Self {
        let mut graph = Self {
            nodes: IdVec::new(),
            edges: Vec::new(),
            roots: Vec::new(),
            methods: FastMap::default(),
            blocks: FastMap::default(),
        };
        let view = facts.view;
        let executed = view.analysis.instances.ids().filter(|&it| !facts.threads.may_execute(it).is_empty());
        let executed: Vec<InstanceId> = executed.collect();
        for &instance in &executed {
            graph.add_method(facts, instance);
        }
        for &instance in &executed {
            graph.add_calls(facts, instance);
            let method = view.method_of(instance);
            for &access in method.map_or(&[][..], |method| facts.accesses.of_method(method)) {
                graph.add_node_at(facts, instance, facts.accesses.all[access].inst);
            }
        }
        graph.add_starts(facts);
        graph.edges.sort_unstable();
        graph.edges.dedup();
        graph
    }

    /// The node of a method.
    pub fn method(&self, instance: InstanceId) -> Option<NodeId> {
        self.methods.get(&instance).copied()
    }

    /// The innermost node around a call or an access.
    pub fn node_at(&self, facts: &Facts<'_, '_>, instance: InstanceId, inst: Inst) -> Option<NodeId> {
        let entered = blocks_around(&facts.locks.monitors(facts.view, instance, inst));
        match entered.is_empty() {
            true => self.method(instance),
            false => self.blocks.get(&(instance, entered)).copied(),
        }
    }

    /// The edges within threads.
    pub fn within_threads(&self) -> Csr<NodeId> {
        let within = self.edges.iter().filter(|(_, _, edge)| *edge != Edge::Start);
        let within: Vec<(NodeId, NodeId)> = within.map(|&(from, to, _)| (from, to)).collect();
        Csr::from_edges(self.nodes.len(), &within)
    }

    fn add_method(&mut self, facts: &Facts<'_, '_>, instance: InstanceId) {
        let method = facts.view.method_of(instance);
        let is_synchronized =
            method.is_some_and(|method| facts.view.program.methods[method].is_synchronized());
        let lock = is_synchronized.then(|| facts.locks.monitor_on_entry(facts.view, instance)).flatten();
        let must_lock = must_point_to(facts, lock.as_deref());
        let node = self.nodes.push(Node { instance, block: None, is_synchronized, must_lock });
        self.methods.insert(instance, node);
    }

    /// The innermost node around an instruction, made if it is new.
    fn add_node_at(&mut self, facts: &Facts<'_, '_>, instance: InstanceId, inst: Inst) -> NodeId {
        let mut outer = self.methods[&instance];
        let mut around = Vec::new();
        for monitor in facts.locks.monitors(facts.view, instance, inst) {
            let Some(block) = monitor.entered else { continue };
            around.push(block);
            let key = (instance, around.clone());
            outer = match self.blocks.get(&key) {
                Some(&known) => known,
                None => {
                    let must_lock = must_point_to(facts, monitor.may_be.as_deref());
                    let node = Node { instance, block: Some(block), is_synchronized: true, must_lock };
                    let node = self.nodes.push(node);
                    self.edges.push((outer, node, Edge::Enter));
                    self.blocks.insert(key, node);
                    node
                }
            };
        }
        outer
    }

    fn add_calls(&mut self, facts: &Facts<'_, '_>, instance: InstanceId) {
        let (view, threads) = (facts.view, facts.threads);
        let callers = threads.may_execute(instance);
        for call in view.calls(instance) {
            let mut from = None;
            for &callee in call.callees {
                let is_in_a_thread = || {
                    let callees = threads.may_execute(callee);
                    callers.iter().any(|thread| callees.binary_search(thread).is_ok())
                };
                if !threads.is_call(view, instance, callee) || !is_in_a_thread() {
                    continue;
                }
                let from = *from.get_or_insert_with(|| match call.inst {
                    Some(inst) => self.add_node_at(facts, instance, inst),
                    None => self.methods[&instance],
                });
                self.edges.push((from, self.methods[&callee], Edge::Call));
            }
        }
    }

    fn add_starts(&mut self, facts: &Facts<'_, '_>) {
        for (id, thread) in facts.threads.all.iter_ids() {
            for &entry in &thread.entries {
                let Some(root) = self.method(entry) else { continue };
                self.roots.push((root, id));
                let Origin::Spawn { instance, inst, .. } = thread.origin else { continue };
                if !self.methods.contains_key(&instance) {
                    continue;
                }
                let from = match inst {
                    Some(inst) => self.add_node_at(facts, instance, inst),
                    None => self.methods[&instance],
                };
                self.edges.push((from, root, Edge::Start));
            }
        }
    }
}

/// The blocks that monitors belong to, outermost first.
fn blocks_around(monitors: &[Monitor]) -> Vec<Inst> {
    monitors.iter().filter_map(|monitor| monitor.entered).collect()
}

/// The must points-to relation: there is one object, and it is made at most once.
fn must_point_to(facts: &Facts<'_, '_>, may: Option<&[ObjectId]>) -> Option<ObjectId> {
    match may {
        Some(&[object]) if facts.executions.is_single(object) => Some(object),
        _ => None,
    }
}
