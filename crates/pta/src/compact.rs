//! Fewer slots for the same sets: what must hold the same is one slot.
//!
//! Code reads the same field or element many times (`row[0]`, `row[1]`, `this.lock`), and casts the same variable in many
//! branches. Control flow is forgotten, so such values have the same constraints, and in every context the same solution.
//! They are found by value numbering: a slot that one statement alone fills, from the same source in the same way as another, is
//! that other slot; a slot that is only a copy of another is that one. Merging them makes their readers' sources the same, so it goes on
//! until nothing is found.
//!
//! Theorem: the smallest solution of the remaining constraints, with each slot that was merged read at its representative, is that of
//! the original ones. Two slots that are merged have, up to merges that came before, the same right-hand side and no other
//! constraint, so the smallest solution gives them the same set.
//!
//! Results of calls are not merged: policies may choose different callees for each.
//!
//! The reference solver works without it, so that tests hold this against the theorem.

use selvedge_base::FastMap;

use crate::heap::Types;
use crate::summary::{Slot, Statement, Summary};

/// What fills a slot: a statement whose own slot is left out, so that equal ones are equal.
type Source = Statement;

const NO_SLOT: Slot = Slot::new(0);

/// Merges slots of a summary that must hold the same.
pub(crate) fn compact(mut summary: Summary) -> Summary {
    let single = filled_once(&summary);
    let mut stands_for: Vec<Slot> = (0..summary.slots).map(Slot::new).collect();
    loop {
        let mut known: FastMap<Source, Slot> = FastMap::default();
        let mut found = false;
        for statement in &summary.statements {
            let Some((into, source)) = split(*statement, &stands_for) else { continue };
            if !single[into.number() as usize] || find(&stands_for, into) != into {
                continue;
            }
            let same = match source {
                Statement::Copy { from, filter: Types::ANY, .. } => from,
                _ => *known.entry(source).or_insert(into),
            };
            if same != into {
                stands_for[into.number() as usize] = same;
                found = true;
            }
        }
        if !found {
            break;
        }
    }
    renumber(&mut summary, &stands_for);
    summary
}

/// For each slot whether exactly one constraint fills it, and no caller.
fn filled_once(summary: &Summary) -> Vec<bool> {
    let mut counts = vec![0u32; summary.slots as usize];
    let mut count = |slot: Slot, times: u32| counts[slot.number() as usize] += times;
    summary.parameters.iter().flatten().for_each(|&slot| count(slot, 2));
    summary.spare.into_iter().for_each(|slot| count(slot, 2));
    for statement in &summary.statements {
        match *statement {
            Statement::Allocate { into, .. }
            | Statement::Copy { into, .. }
            | Statement::Load { into, .. }
            | Statement::LoadAll { into, .. }
            | Statement::LoadStatic { into, .. } => count(into, 1),
            Statement::Catch { into, .. } => count(into, 2),
            _ => {}
        }
    }
    summary.calls.iter().filter_map(|call| call.result).for_each(|slot| count(slot, 2));
    counts.into_iter().map(|count| count == 1).collect()
}

fn find(stands_for: &[Slot], mut slot: Slot) -> Slot {
    while stands_for[slot.number() as usize] != slot {
        slot = stands_for[slot.number() as usize];
    }
    slot
}

/// The slot that a statement fills, and from what.
fn split(statement: Statement, stands_for: &[Slot]) -> Option<(Slot, Source)> {
    let find = |slot| find(stands_for, slot);
    Some(match statement {
        Statement::Allocate { into, site } => (into, Statement::Allocate { into: NO_SLOT, site }),
        Statement::Copy { into, from, filter } => {
            (into, Statement::Copy { into: NO_SLOT, from: find(from), filter })
        }
        Statement::Load { into, base, member } => {
            (into, Statement::Load { into: NO_SLOT, base: find(base), member })
        }
        Statement::LoadStatic { into, field } => (into, Statement::LoadStatic { into: NO_SLOT, field }),
        _ => return None,
    })
}

/// Puts representatives in the place of slots, and gives these numbers without gaps.
fn renumber(summary: &mut Summary, stands_for: &[Slot]) {
    let mut numbers: Vec<Option<Slot>> = vec![None; stands_for.len()];
    let mut slots = 0;
    for slot in (0..summary.slots).map(Slot::new).filter(|&slot| find(stands_for, slot) == slot) {
        numbers[slot.number() as usize] = Some(Slot::new(slots));
        slots += 1;
    }
    let new = |slot: &mut Slot| {
        let representative = find(stands_for, *slot).number() as usize;
        *slot = numbers[representative].unwrap_or(*slot);
    };
    summary
        .statements
        .iter_mut()
        .for_each(|statement| statement.slots_mut().into_iter().flatten().for_each(new));
    // A statement that became a copy of another, or of a slot to itself, says nothing.
    let mut seen: selvedge_base::FastSet<Statement> = selvedge_base::FastSet::default();
    summary.statements.retain(|&statement| {
        let is_idle = matches!(statement, Statement::Copy { into, from, .. } if into == from);
        !is_idle && seen.insert(statement)
    });
    for call in &mut summary.calls {
        call.arguments.iter_mut().flatten().chain(&mut call.result).for_each(new);
    }
    let others = summary.parameters.iter_mut().flatten().chain(summary.slot_of_value.iter_mut().flatten());
    others.chain(&mut summary.result).chain(&mut summary.spare).for_each(new);
    summary.slots = slots;
}
