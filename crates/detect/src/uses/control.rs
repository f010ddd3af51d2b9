//! Control flow through methods and calls of one thread, and what comes after given moments in it.
//!
//! The relation `after`: a moment comes after another if control may get from the one to the other without leaving the thread, on
//! a way through calls and returns. Calls and returns are not matched, a method in one context is one place whoever calls it, and any
//! instruction may throw: each only adds to what comes after. A call that no instruction makes (reflection and the like) happens
//! at any time while its caller runs. A thread that runs its entries again and again (clients of a library, periodic tasks) comes
//! from the end of one to the beginning of any.
//!
//! This is the one question that judging an object asks of its use graph, and it is asked for each object of a program: so it is
//! answered without building the [graph](super::graph), on control flow that is laid out once. Tests hold the one against the other.

use selvedge_base::{BitSet, Component, Components, Csr, FastMap, Graph, Id, IdVec};
use selvedge_facts::{Origin, ThreadId};
use selvedge_ir::{Block, Body, Inst};
use selvedge_pta::InstanceId;

use crate::Facts;
use crate::objects::calls::leads_to_application;

/// A moment in the execution of a body: an instruction, and within it what it does itself, what it calls, what that has brought.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Moment(u32);

impl Moment {
    const FIRST: Self = Self(0);
    const NEVER: Self = Self(u32::MAX);

    /// What an instruction does itself.
    pub fn at(inst: Inst) -> Self {
        Self(3 * inst.index() as u32)
    }

    /// While what an instruction calls is executed.
    pub fn during(inst: Inst) -> Self {
        Self(3 * inst.index() as u32 + 1)
    }

    /// When what an instruction calls has returned.
    pub fn after(inst: Inst) -> Self {
        Self(3 * inst.index() as u32 + 2)
    }

    fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// The shape of a body.
struct Shape {
    /// The blocks to which control may go from each.
    targets: IdVec<Block, Vec<Block>>,
    /// The block of each instruction.
    block_of: IdVec<Inst, Block>,
    /// The blocks to which control may come from the beginning.
    entered: BitSet<Block>,
}

/// A call of an instance.
struct Site {
    block: Block,
    moment: Moment,
    callees: Vec<InstanceId>,
}

/// An instance that calls, and where; `None` where no instruction does.
type Caller = (InstanceId, Option<(Block, Moment)>);

/// The control flow of the instances that belong to the application or lead to it.
pub struct Control {
    shapes: Vec<Shape>,
    /// The shape of each instance; `None` for those without code.
    shape_of: IdVec<InstanceId, Option<u32>>,
    /// The calls of each instance by block.
    sites: IdVec<InstanceId, Vec<Site>>,
    /// What each instance calls at any time.
    anytime: IdVec<InstanceId, Vec<InstanceId>>,
    /// Whatever each instance may call when it runs from its beginning, each once.
    entering: IdVec<InstanceId, Vec<InstanceId>>,
    callers: IdVec<InstanceId, Vec<Caller>>,
    /// The same instances, those that call each other in a circle as one, and who calls which.
    circles: Components<InstanceId>,
    calling: Csr<Component>,
    /// The first thread that reaches the same instances as each.
    alike: IdVec<ThreadId, ThreadId>,
    /// The entries that each thread comes to again when one of them has returned; none if it runs each once.
    pub again: IdVec<ThreadId, BitSet<InstanceId>>,
    /// The number of the first block of each instance, if all blocks are numbered.
    first_block: IdVec<InstanceId, u32>,
    blocks: usize,
}

impl Control {
    /// Lays out the control flow.
    pub fn new(facts: &Facts<'_, '_>) -> Self {
        let view = facts.view;
        let leading = leads_to_application(facts);
        let count = view.analysis.instances.len();
        let mut shapes: Vec<Shape> = Vec::new();
        let mut known = FastMap::default();
        let nobody_calls: Csr<InstanceId> = Csr::from_edges(0, &[]);
        let circles = Components::compute(&nobody_calls);
        let mut control = Self {
            shapes: Vec::new(),
            shape_of: IdVec::filled(None, count),
            sites: (0..count).map(|_| Vec::new()).collect(),
            anytime: (0..count).map(|_| Vec::new()).collect(),
            entering: (0..count).map(|_| Vec::new()).collect(),
            callers: (0..count).map(|_| Vec::new()).collect(),
            calling: circles.condensation(&nobody_calls),
            circles,
            alike: alike(facts),
            again: facts.threads.all.ids().map(|thread| entered_again(facts, thread)).collect(),
            first_block: IdVec::filled(0, count),
            blocks: 0,
        };
        for instance in leading.iter() {
            let body = view.body(instance);
            control.first_block[instance] = control.blocks as u32;
            control.blocks += body.map_or(1, |body| body.blocks.len());
            if let (Some(method), Some(body)) = (view.method_of(instance), body) {
                let shape = *known.entry(method).or_insert_with(|| {
                    shapes.push(Shape::new(body));
                    shapes.len() as u32 - 1
                });
                control.shape_of[instance] = Some(shape);
            }
            for call in view.calls(instance) {
                let callees = call.callees.iter().copied().filter(|&callee| {
                    leading.contains(callee) && facts.threads.is_call(view, instance, callee)
                });
                let callees: Vec<InstanceId> = callees.collect();
                let shape = control.shape_of[instance].map(|shape| &shapes[shape as usize]);
                let at = shape.zip(call.inst);
                let at = at.map(|(shape, inst)| (shape.block_of[inst], Moment::during(inst)));
                for &callee in &callees {
                    control.callers[callee].push((instance, at));
                }
                match at {
                    Some((block, moment)) if !callees.is_empty() => {
                        control.sites[instance].push(Site { block, moment, callees });
                    }
                    Some(_) => {}
                    None => control.anytime[instance].extend(callees),
                }
            }
            control.sites[instance].sort_unstable_by_key(|site| (site.block, site.moment));
            let shape = control.shape_of[instance].map(|shape| &shapes[shape as usize]);
            let is_entered = |site: &&Site| shape.is_none_or(|shape| shape.entered.contains(site.block));
            let called = control.sites[instance].iter().filter(is_entered).flat_map(|site| &site.callees);
            let mut entering: Vec<InstanceId> = called.chain(&control.anytime[instance]).copied().collect();
            entering.sort_unstable();
            entering.dedup();
            control.entering[instance] = entering;
        }
        control.shapes = shapes;
        let callers = control.callers.iter_ids();
        let calls: Vec<(InstanceId, InstanceId)> = callers
            .flat_map(|(callee, callers)| callers.iter().map(move |&(caller, _)| (callee, caller)))
            .collect();
        let calls = Csr::from_edges(count, &calls);
        control.circles = Components::compute(&calls);
        control.calling = control.circles.condensation(&calls);
        control
    }

    /// The first thread that reaches the same instances as one.
    pub fn alike(&self, thread: ThreadId) -> ThreadId {
        self.alike[thread]
    }

    /// Some instances, and all that lead to them.
    pub fn leading_to(&self, instances: impl Iterator<Item = InstanceId>) -> BitSet<InstanceId> {
        let mut leading: BitSet<Component> = instances.map(|instance| self.circles.of(instance)).collect();
        let mut found: BitSet<InstanceId> = BitSet::with_room(self.callers.len());
        // Callers have lower numbers than what they call.
        for circle in self.circles.ids().rev() {
            if leading.contains(circle) {
                self.calling.successors(circle).iter().for_each(|&caller| {
                    leading.insert(caller);
                });
                found.extend(self.circles.members(circle).iter().copied());
            }
        }
        found
    }

    /// The block of an instruction.
    fn block_of(&self, instance: InstanceId, inst: Inst) -> Block {
        self.shape_of[instance].map_or(Body::ENTRY, |shape| self.shapes[shape as usize].block_of[inst])
    }

    /// Whether control may come to a block of an instance from its beginning.
    fn is_entered(&self, instance: InstanceId, block: Block) -> bool {
        self.shape_of[instance].is_none_or(|shape| self.shapes[shape as usize].entered.contains(block))
    }

    fn number(&self, instance: InstanceId, block: Block) -> usize {
        self.first_block[instance] as usize + block.index()
    }
}

impl Shape {
    fn new(body: &Body) -> Self {
        let mut targets: IdVec<Block, Vec<Block>> = IdVec::filled(Vec::new(), body.blocks.len());
        let mut block_of: IdVec<Inst, Block> = IdVec::filled(Body::ENTRY, body.insts.len());
        for (block, data) in body.blocks.iter_ids() {
            data.predecessors.iter().for_each(|edge| targets[edge.from].push(block));
            data.insts.iter().for_each(|inst| block_of[inst] = block);
        }
        let mut entered: BitSet<Block> = [Body::ENTRY].into_iter().collect();
        let mut pending = vec![Body::ENTRY];
        while let Some(block) = pending.pop() {
            pending.extend(targets[block].iter().copied().filter(|&target| entered.insert(target)));
        }
        Self { targets, block_of, entered }
    }
}

/// The first thread that reaches the same instances as each.
fn alike(facts: &Facts<'_, '_>) -> IdVec<ThreadId, ThreadId> {
    let mut first: FastMap<&BitSet<InstanceId>, ThreadId> = FastMap::default();
    let reached = facts.threads.reached.iter_ids();
    reached.map(|(thread, reached)| *first.entry(reached).or_insert(thread)).collect()
}

/// The entries that a thread comes to again when one of them has returned; none if it runs each once.
fn entered_again(facts: &Facts<'_, '_>, thread: ThreadId) -> BitSet<InstanceId> {
    let data = &facts.threads.all[thread];
    let repeats = data.repeats || matches!(data.origin, Origin::Client | Origin::Container(_));
    if repeats { data.entries.iter().copied().collect() } else { BitSet::new() }
}

/// So many steps are made to find what comes after moments; then everything counts as coming after. What has events all over a large
/// program is never known to come before anything. The steps are those from and to the instances that control comes to, however it comes there:
/// so a search in more of the program makes no fewer.
const MOST_STEPS: usize = 50_000;

/// What became of an exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Explored {
    /// All goals come after.
    All,
    /// Those come after of which [`Explorer::is_after`] says so.
    Some,
    /// It took too many steps: all may come after.
    Nothing,
}

/// How much was walked through.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Instances that were followed, each once a round.
    pub followed: u64,
    /// Times an instance was not followed because it does not lead to what is asked for.
    pub without_effect: u64,
}

/// Finds what comes after moments, again and again, with the memory of the time before.
///
/// Of an instance to whose beginning control comes, all comes after that its beginning leads to: that is not walked through block by block.
/// So beginnings are followed first, and then what is left of where calls return to.
pub struct Explorer {
    /// From which moment on what a block does comes after, and in which round that was found.
    from: Vec<(u32, Moment)>,
    /// The last round in which something in an instance came after.
    touched: IdVec<InstanceId, u32>,
    /// The last round in which the beginning of an instance came after.
    entered: IdVec<InstanceId, u32>,
    /// The last round in which an instance was asked for.
    asked: IdVec<InstanceId, u32>,
    round: u32,
    /// How many steps were made in this round.
    steps: usize,
    /// What was done in all rounds since somebody took the counts.
    counts: Counts,
    /// Moments from which control goes on.
    pending: Vec<(InstanceId, Block, Moment)>,
    /// Instances at whose beginning it does.
    beginning: Vec<InstanceId>,
}

impl Explorer {
    /// An explorer of this control flow that has seen nothing.
    pub fn new(control: &Control) -> Self {
        Self {
            from: vec![(0, Moment::NEVER); control.blocks],
            touched: IdVec::filled(0, control.shape_of.len()),
            entered: IdVec::filled(0, control.shape_of.len()),
            asked: IdVec::filled(0, control.shape_of.len()),
            round: 0,
            steps: 0,
            counts: Counts::default(),
            pending: Vec::new(),
            beginning: Vec::new(),
        }
    }

    /// Finds what comes after any of the moments, as far as `is_wanted`, in a thread that runs its entries once. It will be asked for
    /// `goals` only: when control comes to the beginning of all their instances, the answer is known.
    pub fn explore(
        &mut self,
        control: &Control,
        starts: impl Iterator<Item = (InstanceId, Inst, Moment)>,
        goals: impl Iterator<Item = (InstanceId, Inst)>,
        is_wanted: impl Fn(InstanceId) -> bool,
    ) -> Explored {
        self.round += 1;
        self.steps = 0;
        self.pending.extend(
            starts
                .map(|(instance, inst, moment)| (instance, control.block_of(instance, inst), moment.next())),
        );
        let mut missing = 0;
        for (instance, inst) in goals {
            let is_new = std::mem::replace(&mut self.asked[instance], self.round) != self.round;
            // What the beginning does not lead to is never found that way.
            let is_elsewhere = !control.is_entered(instance, control.block_of(instance, inst));
            missing += usize::from(is_new) + usize::from(is_elsewhere);
        }
        while missing > 0 && self.steps <= MOST_STEPS {
            if let Some(instance) = self.beginning.pop() {
                if self.entered[instance] == self.round {
                    continue;
                }
                if is_wanted(instance) {
                    self.entered[instance] = self.round;
                    missing -= usize::from(self.asked[instance] == self.round);
                    self.touch(control, instance);
                    self.begin(&control.entering[instance]);
                } else {
                    self.counts.without_effect += 1;
                }
            } else if let Some((instance, block, moment)) = self.pending.pop() {
                if is_wanted(instance) {
                    self.go_on(control, instance, block, moment);
                }
            } else {
                break;
            }
        }
        self.beginning.clear();
        self.pending.clear();
        match missing {
            0 => Explored::All,
            _ if self.steps > MOST_STEPS => Explored::Nothing,
            _ => Explored::Some,
        }
    }

    /// Goes on from a moment of a block.
    fn go_on(&mut self, control: &Control, instance: InstanceId, block: Block, moment: Moment) {
        let before = self.since(control, instance, block);
        if before <= moment {
            return;
        }
        self.from[control.number(instance, block)] = (self.round, moment);
        self.touch(control, instance);
        let sites = &control.sites[instance];
        let first = sites.partition_point(|site| (site.block, site.moment) < (block, moment));
        let reached = sites[first..].iter();
        for site in reached.take_while(|site| site.block == block && site.moment < before) {
            self.begin(&site.callees);
        }
        if let (Moment::NEVER, Some(shape)) = (before, control.shape_of[instance]) {
            let targets = &control.shapes[shape as usize].targets[block];
            self.pending.extend(targets.iter().map(|&target| (instance, target, Moment::FIRST)));
        }
    }

    /// Comes to the beginning of instances.
    fn begin(&mut self, instances: &[InstanceId]) {
        let (entered, round) = (&self.entered, self.round);
        self.beginning.extend(instances.iter().copied().filter(|&next| entered[next] != round));
    }

    /// Where control may go from anywhere in an instance, when it first comes there.
    fn touch(&mut self, control: &Control, instance: InstanceId) {
        if self.touched[instance] == self.round {
            return;
        }
        self.touched[instance] = self.round;
        self.counts.followed += 1;
        self.steps += 1 + control.callers[instance].len() + control.entering[instance].len();
        for &(caller, at) in &control.callers[instance] {
            match at {
                Some((block, moment)) => self.pending.push((caller, block, moment.next())),
                None => self.beginning.push(caller),
            }
        }
        self.begin(&control.anytime[instance]);
    }

    fn since(&self, control: &Control, instance: InstanceId, block: Block) -> Moment {
        if self.entered[instance] == self.round && control.is_entered(instance, block) {
            return Moment::FIRST;
        }
        let (round, moment) = self.from[control.number(instance, block)];
        if round == self.round { moment } else { Moment::NEVER }
    }

    /// What was done since this was last asked.
    pub fn take_counts(&mut self) -> Counts {
        std::mem::take(&mut self.counts)
    }

    /// Whether a moment comes after those that were explored last.
    pub fn is_after(&self, control: &Control, instance: InstanceId, inst: Inst, moment: Moment) -> bool {
        self.since(control, instance, control.block_of(instance, inst)) <= moment
    }
}
