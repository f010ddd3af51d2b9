//! Accesses in loops that are reported when the loop is left: once for all iterations.
//!
//! Two kinds of accesses in still loops (see [`loops`](crate::loops) for those, and for why this changes no verdict):
//!
//! - *Ranges*: to the element of an array that a local variable or a final field holds all the time, at an index that is the loop's counter times
//!   a constant, plus what does not change; executed once in every iteration. Told is the array, the first index, the distance, and how
//!   far the loop has come. Neighbours (`a[i - 1]`, `a[i + 1]`) are reported together where their elements follow one another.
//! - *Single places*: to a field of an object that a local holds all the time, or to an element at an index that does not change.
//!   Told is the place, if the access was executed at all. This only in loops that a counter ends: what waits for a flag may wait for ever.
//!
//! What is reported when, for one range of a loop with `i++`:
//!
//! ```text
//!     moved = 0; mark = 0; array = a; first = i        before the loop
//!   start:
//!     ... a[i] ...; mark = 1
//!     i++; moved++; mark = 0
//!     goto start
//!   end:                                               and at other ways out: returns, handlers
//!     readRange(array, first, moved ...); readOne(reached(array, mark, 1), first + moved ...); array = null
//! ```
//!
//! All the variables are new ones, which keep their values whatever becomes of those of the method. If exceptions leave the method from the
//! loop, a handler tells and throws on.

use std::collections::BTreeMap;

use selvedge_base::FastSet;
use selvedge_classfile::edit::{Jumps, Type};
use selvedge_classfile::{BinaryOp, Code, Insn, Kind, Result, StackOp, access};
use selvedge_protocol::{Arrays, SiteKind};

use crate::hooks::{self, push};
use crate::linear::Linear;
use crate::loops::{Counter, Loop, still_loops};
use crate::method::Work;
use crate::sources::Source;

/// At most so many accesses of a method are told later.
const MAX_DELAYED: usize = 64;

const OBJECT: Type<'static> = Type::Class(b"java/lang/Object");

/// Where an array comes from that is the same one all the time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Base {
    Local(u16),
    /// A final field, by its index in the pool, of the object in a local; or a static one.
    Final {
        holder: Option<u16>,
        field: u16,
    },
}

/// Elements that are reported together.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    base: Base,
    writes: bool,
    counter: u16,
    /// The index without its constant.
    index: Linear,
}

struct Member {
    bci: u32,
    constant: i32,
}

/// One call of `readRange` or `writeRange`: how it begins, steps, and how many elements it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    constant: i32,
    delta: i32,
    each: i32,
    more: i32,
    /// The access that stands for it.
    bci: u32,
}

/// The spans of accesses to elements at these constants, when an iteration moves by `delta`.
fn spans(members: &[Member], delta: i32) -> Vec<Span> {
    let mut sorted: Vec<(i32, u32)> = members.iter().map(|member| (member.constant, member.bci)).collect();
    sorted.sort_unstable();
    sorted.dedup_by_key(|(constant, _)| *constant);
    if delta < 0 {
        sorted.reverse();
    }
    let alone = |&(constant, bci): &(i32, u32)| Span { constant, delta, each: 1, more: 0, bci };
    let Some(first) = sorted.first().map(alone) else { return Vec::new() };
    let gap = |pair: &[(i32, u32)]| pair[1].0.wrapping_sub(pair[0].0);
    let count = sorted.len() as i32;
    if sorted.windows(2).all(|pair| gap(pair) == delta) {
        vec![Span { more: count - 1, ..first }]
    } else if count == delta.abs() && sorted.windows(2).all(|pair| gap(pair) == delta.signum()) {
        vec![Span { delta: delta.signum(), each: count, ..first }]
    } else {
        sorted.iter().map(alone).collect()
    }
}

impl Work<'_, '_, '_, '_, '_, '_> {
    /// Finds the accesses among `reported` that can be told later, and lets them be told then. Their bcis.
    pub(crate) fn delay(&mut self, code: &Code<'_>, reported: &FastSet<u32>) -> Result<FastSet<u32>> {
        let class = self.context.class;
        let loops = still_loops(class, code, &mut |insn| {
            Ok(match *insn {
                Insn::GetField(index) | Insn::PutField(index) => {
                    self.is_still_field(class.pool.field_ref(index)?, false)
                }
                Insn::GetStatic(index) | Insn::PutStatic(index) => {
                    self.is_still_field(class.pool.field_ref(index)?, true)
                }
                _ => true,
            })
        })?;
        let mut delayed = FastSet::default();
        for found in &loops {
            let mut left: Vec<u32> = Vec::new();
            left.extend(reported.iter().filter(|bci| found.contains(**bci) && !delayed.contains(*bci)));
            left.sort_unstable();
            left.truncate(MAX_DELAYED.saturating_sub(delayed.len()));
            let mut tell: Vec<Insn<'static>> = Vec::new();
            let mut enter: Vec<Insn<'static>> = Vec::new();
            self.ranges(code, found, &left, &mut enter, &mut tell, &mut delayed)?;
            left.retain(|bci| !delayed.contains(bci));
            self.single_places(code, found, &left, &mut enter, &mut tell, &mut delayed)?;
            if !tell.is_empty() {
                self.edit.reserve_stack(10);
                self.edit.before(found.start, Jumps::Skip).insns(enter);
                self.tell_at_exits(found, code, tell);
            }
        }
        Ok(delayed)
    }

    fn tell_at_exits(&mut self, found: &Loop, code: &Code<'_>, tell: Vec<Insn<'static>>) {
        for &place in found.exits.iter().chain(&found.returns).chain(&found.handlers) {
            self.edit.before(place, Jumps::Run).insns(tell.iter().copied());
        }
        if self.context.method.access & access::SYNCHRONIZED != 0 {
            // The handler that gives the monitor back tells first.
            self.untold.extend(tell);
        } else if !found.catches_all {
            let handler = self.edit.new_label();
            self.edit.add_handler(found.start, found.end, handler);
            self.edit
                .before(code.bytes.len() as u32, Jumps::Run)
                .label(handler)
                .exact_frame(&[], &[Type::Class(b"java/lang/Throwable")])
                .insns(tell)
                .insn(Insn::AThrow);
        }
    }

    /// A local for a number, and its first value.
    fn number_local(&mut self) -> u16 {
        let local = self.edit.declare_local(Type::Int);
        self.edit.at_entry().insns([Insn::IConst(0), Insn::Store(Kind::Int, local)]);
        local
    }

    fn object_local(&mut self) -> u16 {
        let local = self.edit.declare_local(OBJECT);
        self.edit.at_entry().insns([Insn::AConstNull, Insn::Store(Kind::Ref, local)]);
        local
    }

    fn constant(&mut self, value: i32) -> Result<Insn<'static>> {
        push(value as u32, self.pool)
    }

    /// Pushes a sum.
    fn compute(&mut self, sum: &Linear) -> Result<Vec<Insn<'static>>> {
        let mut insns = vec![self.constant(sum.constant)?];
        for &(slot, factor) in sum.terms() {
            let factor = self.constant(factor)?;
            let times = Insn::Binary(BinaryOp::Mul, Kind::Int);
            insns.extend([
                Insn::Load(Kind::Int, slot),
                factor,
                times,
                Insn::Binary(BinaryOp::Add, Kind::Int),
            ]);
        }
        Ok(insns)
    }

    fn ranges(
        &mut self,
        code: &Code<'_>,
        found: &Loop,
        left: &[u32],
        enter: &mut Vec<Insn<'static>>,
        tell: &mut Vec<Insn<'static>>,
        delayed: &mut FastSet<u32>,
    ) -> Result<()> {
        if self.context.rules.plan.options.arrays != Arrays::Element {
            return Ok(());
        }
        for &counter in &found.counters {
            let mut groups: BTreeMap<Key, Vec<Member>> = BTreeMap::new();
            for &bci in left {
                let writes = matches!(code.decode_at(bci)?.0, Insn::ArrayStore(_));
                if let Some((key, constant)) = self.key(bci, found, counter, writes) {
                    groups.entry(key).or_default().push(Member { bci, constant });
                }
            }
            if groups.is_empty() {
                continue;
            }
            let (moved, mark) = (self.number_local(), self.number_local());
            let zero = |local| [Insn::IConst(0), Insn::Store(Kind::Int, local)];
            enter.extend(zero(moved).into_iter().chain(zero(mark)));
            self.edit.after(counter.bci).insn(Insn::IInc(moved, counter.step)).insns(zero(mark));
            // Marks are given in the order of the code.
            let mut places: Vec<u32> = groups.values().flatten().map(|member| member.bci).collect();
            places.sort_unstable();
            for (position, &bci) in places.iter().enumerate() {
                let place = Insn::IConst(position as i32 + 1);
                self.edit.after(bci).insns([place, Insn::Store(Kind::Int, mark)]);
                delayed.insert(bci);
            }
            for (key, members) in &groups {
                let (array, first) = (self.object_local(), self.number_local());
                let at_first = match key.base {
                    Base::Local(base) => Insn::Load(Kind::Ref, base),
                    // The object may be null, if nothing is accessed: the array is taken from where it is loaded.
                    Base::Final { .. } => Insn::AConstNull,
                };
                enter.extend([at_first, Insn::Store(Kind::Ref, array)]);
                let mut loads: Vec<u32> =
                    members.iter().filter_map(|member| self.taken_from(member.bci, key)).collect();
                loads.sort_unstable();
                loads.dedup();
                for load in loads {
                    let copy = [Insn::Stack(StackOp::Dup), Insn::Store(Kind::Ref, array)];
                    self.edit.after(load).insns(copy);
                }
                enter.extend(self.compute(&key.index)?);
                enter.push(Insn::Store(Kind::Int, first));
                let factor = key.index.factor_of(counter.slot);
                let hook = if key.writes { hooks::WRITE_RANGE } else { hooks::READ_RANGE }.call(self.pool)?;
                let one = if key.writes { hooks::WRITE_ONE } else { hooks::READ_ONE }.call(self.pool)?;
                let reached = hooks::REACHED.call(self.pool)?;
                let kind = if key.writes { SiteKind::ArrayStore } else { SiteKind::ArrayLoad };
                let sites: BTreeMap<u32, u32> =
                    members.iter().map(|member| (member.bci, self.site(member.bci, kind, None))).collect();
                let me = self.me()?;
                let add = Insn::Binary(BinaryOp::Add, Kind::Int);
                for span in spans(members, factor.wrapping_mul(counter.step.into())) {
                    let constant = self.constant(span.constant)?;
                    tell.extend([Insn::Load(Kind::Ref, array), Insn::Load(Kind::Int, first), constant, add]);
                    tell.extend([self.constant(span.delta)?, Insn::Load(Kind::Int, moved)]);
                    for number in [counter.step.into(), span.each, span.more] {
                        tell.push(self.constant(number)?);
                    }
                    tell.extend([me, push(sites[&span.bci], self.pool)?, hook]);
                }
                for member in members {
                    let place = places.binary_search(&member.bci).map_or(0, |position| position as i32 + 1);
                    let number = Insn::Load(Kind::Int, mark);
                    tell.extend([Insn::Load(Kind::Ref, array), number, self.constant(place)?, reached]);
                    let times = Insn::Binary(BinaryOp::Mul, Kind::Int);
                    tell.extend([Insn::Load(Kind::Int, moved), self.constant(factor)?, times]);
                    tell.extend([Insn::Load(Kind::Int, first), add, self.constant(member.constant)?, add]);
                    tell.extend([me, push(sites[&member.bci], self.pool)?, one]);
                }
                tell.extend([Insn::AConstNull, Insn::Store(Kind::Ref, array)]);
            }
        }
        Ok(())
    }

    /// The load that the array which is accessed at `bci` comes from, if it is one from a final field.
    fn taken_from(&self, bci: u32, key: &Key) -> Option<u32> {
        self.sources.load(bci).filter(|_| matches!(key.base, Base::Final { .. })).map(|loaded| loaded.bci)
    }

    /// Where the array comes from that is accessed at `bci`, if it is the same one in the whole loop.
    fn base(&self, bci: u32, found: &Loop) -> Option<Base> {
        if let Some(Source::Local(base)) = self.sources.of(bci) {
            return found.keeps(base).then_some(Base::Local(base));
        }
        let loaded = self.sources.load(bci)?;
        let member = self.context.class.pool.field_ref(loaded.field).ok()?;
        let is_kept = loaded.holder.is_none_or(|slot| found.keeps(slot));
        let is_made = matches!(self.context.method.name, b"<init>" | b"<clinit>");
        (is_kept && !is_made && found.contains(loaded.bci) && self.is_final(member))
            .then_some(Base::Final { holder: loaded.holder, field: loaded.field })
    }

    /// With which others the access can be told in this loop, and the constant of its index.
    fn key(&self, bci: u32, found: &Loop, counter: Counter, writes: bool) -> Option<(Key, i32)> {
        let base = self.base(bci, found)?;
        let index = self.sources.index(bci)?;
        let factor = index.factor_of(counter.slot);
        let stays = |slot: u16| slot == counter.slot || found.keeps(slot);
        let fits = factor != 0
            && factor.checked_mul(counter.step.into()).is_some_and(|delta| delta != i32::MIN)
            && index.slots().all(stays)
            && found.is_counted(bci, counter);
        let key = || Key { base, writes, counter: counter.slot, index: index.variable_part() };
        fits.then(|| (key(), index.constant))
    }

    fn single_places(
        &mut self,
        code: &Code<'_>,
        found: &Loop,
        left: &[u32],
        enter: &mut Vec<Insn<'static>>,
        tell: &mut Vec<Insn<'static>>,
        delayed: &mut FastSet<u32>,
    ) -> Result<()> {
        if !found.is_counted_out {
            return Ok(());
        }
        let class = self.context.class;
        for &bci in left {
            let insn = code.decode_at(bci)?.0;
            let (holder, told) = match insn {
                Insn::GetField(index) | Insn::PutField(index) => {
                    let Some(holder) = self.sources.holder(bci).filter(|slot| found.keeps(*slot)) else {
                        continue;
                    };
                    let (member, write) = (class.pool.field_ref(index)?, matches!(insn, Insn::PutField(_)));
                    let Some((site, hook)) = self.plain_field_test(bci, member, write)? else { continue };
                    (holder, vec![self.me()?, site, hook])
                }
                Insn::ArrayLoad(_) | Insn::ArrayStore(_) => {
                    let Some(Source::Local(base)) = self.sources.of(bci) else { continue };
                    let stays = |index: &&Linear| index.slots().all(|slot| found.keeps(slot));
                    let Some(index) = self.sources.index(bci).filter(stays).cloned() else { continue };
                    if !found.keeps(base) {
                        continue;
                    }
                    let write = matches!(insn, Insn::ArrayStore(_));
                    let (kind, hook) = if write {
                        (SiteKind::ArrayStore, hooks::WRITE_ONE)
                    } else {
                        (SiteKind::ArrayLoad, hooks::READ_ONE)
                    };
                    let local = self.number_local();
                    enter.extend(self.compute(&index)?);
                    enter.push(Insn::Store(Kind::Int, local));
                    let site = self.site(bci, kind, None);
                    let (me, site) = (self.me()?, push(site, self.pool)?);
                    (base, vec![Insn::Load(Kind::Int, local), me, site, hook.call(self.pool)?])
                }
                _ => continue,
            };
            let object = self.object_local();
            self.edit.after(bci).insns([Insn::Load(Kind::Ref, holder), Insn::Store(Kind::Ref, object)]);
            tell.push(Insn::Load(Kind::Ref, object));
            tell.extend(told);
            tell.extend([Insn::AConstNull, Insn::Store(Kind::Ref, object)]);
            delayed.insert(bci);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(constants: &[i32], delta: i32) -> Vec<(i32, i32, i32, i32)> {
        let members: Vec<Member> = constants.iter().map(|&constant| Member { bci: 0, constant }).collect();
        let tuple = |span: &Span| (span.constant, span.delta, span.each, span.more);
        spans(&members, delta).iter().map(tuple).collect()
    }

    #[test]
    fn neighbours_are_told_together() {
        // First, distance, elements in each iteration, and more.
        assert_eq!(of(&[0], 1), [(0, 1, 1, 0)]);
        assert_eq!(of(&[1, -1], 2), [(-1, 2, 1, 1)]);
        assert_eq!(of(&[1, -1], -2), [(1, -2, 1, 1)]);
        assert_eq!(of(&[0, 1, 2, 1], 3), [(0, 1, 3, 0)]);
        assert_eq!(of(&[0, 1, 2], -3), [(2, -1, 3, 0)]);
        assert_eq!(of(&[0, 5], 2), [(0, 2, 1, 0), (5, 2, 1, 0)]);
    }
}
