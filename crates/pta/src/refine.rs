//! What tests say of a variable: `instanceof`, and the labels of pattern switches.
//!
//! Where the branch on a test goes when it holds, and in all blocks that this block dominates, the tested value is an
//! instance of the class. For each such *region* the value gets a slot of its own, which takes from the value's slot, or from
//! that of the region around it, what the class lets through; uses inside the region read that slot.
//!
//! Theorem: at a use inside the region the value passed the test. The region's first block has one predecessor, the test, so
//! whoever is in the region came by the edge that is taken when the test holds. It held for the same value: on the way from
//! there to the use the value was not computed anew, for else, since the value's definition dominates the test, a path
//! from the entry over the definition to the use would not go through the region's first block, which dominates the use.

use selvedge_base::{Dominators, FastMap};
use selvedge_ir::{Block, Body, CallSiteKind, Cfg, ClassName, Condition, Constant, Op, Value};

use crate::summary::Slot;

/// A value that is known to be an instance of a class from a block on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Region {
    /// The value.
    pub value: Value,
    /// The class.
    pub class: ClassName,
    /// The first block.
    pub entry: Block,
}

/// The regions of a body, outer ones before inner ones, with the slots of those that have one.
#[derive(Default)]
pub(crate) struct Refinements {
    dominators: Option<Dominators<Block>>,
    slots: FastMap<Value, Vec<(Block, Slot)>>,
}

impl Refinements {
    /// No refinements, and the regions for which to make some.
    pub fn of(body: &Body) -> (Self, Vec<Region>) {
        let mut regions: Vec<Region> = Vec::new();
        for block in body.blocks.ids() {
            add_regions(body, block, &mut regions);
        }
        // Most methods test nothing; dominators are worked out for the others only.
        if regions.is_empty() {
            return (Self::default(), regions);
        }
        let dominators = Cfg::new(body).dominators();
        regions.retain(|region| dominators.is_reached(region.entry));
        let position: FastMap<Block, usize> =
            dominators.preorder().iter().enumerate().map(|(position, &block)| (block, position)).collect();
        regions.sort_by_key(|region| position.get(&region.entry).copied());
        (Self { dominators: Some(dominators), slots: FastMap::default() }, regions)
    }

    /// Gives a region its slot. Regions come in the order of [`of`](Self::of).
    pub fn add(&mut self, region: Region, slot: Slot) {
        self.slots.entry(region.value).or_default().push((region.entry, slot));
    }

    /// The slot of a value in a block: that of the innermost region around it.
    pub fn slot(&self, value: Value, block: Block) -> Option<Slot> {
        let regions = self.slots.get(&value)?;
        let dominators = self.dominators.as_ref()?;
        let around = |&&(entry, _): &&(Block, Slot)| {
            dominators.is_reached(block) && dominators.dominates(entry, block)
        };
        regions.iter().rev().find(around).map(|&(_, slot)| slot)
    }
}

/// The regions that begin where the test at the end of a block holds.
fn add_regions(body: &Body, block: Block, regions: &mut Vec<Region>) {
    let terminator = body.terminator(block);
    let &[tested] = body.args(terminator) else { return };
    let Some(test) = body.defining_inst(tested) else { return };
    let mut add = |value: Value, class: ClassName, entry: Block| {
        if body.blocks[entry].predecessors.len() == 1 && !class.is("java/lang/Object") {
            regions.push(Region { value, class, entry });
        }
    };
    match (&body.insts[terminator].op, &body.insts[test].op) {
        (&Op::If { condition, then, otherwise }, &Op::InstanceOf(class)) if then != otherwise => {
            match condition {
                Condition::Ne => add(body.args(test)[0], class, then),
                Condition::Eq => add(body.args(test)[0], class, otherwise),
                _ => {}
            }
        }
        (&Op::Switch(switch), &Op::InvokeDynamic(site)) => {
            let CallSiteKind::PatternSwitch { labels, .. } = &body.call_sites[site].kind else { return };
            let switch = &body.switches[switch];
            for &(key, target) in &switch.cases {
                let goes_only_here = target != switch.default
                    && switch.cases.iter().filter(|(_, other)| *other == target).count() == 1;
                let label = usize::try_from(key).ok().and_then(|key| labels.get(key));
                if let (true, Some(Constant::Class(class))) = (goes_only_here, label) {
                    add(body.args(test)[0], *class, target);
                }
            }
        }
        _ => {}
    }
}
