//! What kind of race a pair is: patterns that are likely harmless, and those that are worse than they look.
//!
//! Patterns rank findings and explain them; they refute nothing. A race on a lazily computed hash code does no harm on any
//! machine, a lost update of a statistics counter makes a number wrong that nobody relies on, a flag that is only ever
//! raised is seen late. On the other hand half a `long`, a lazily made object that is not complete yet, and a test whose answer is
//! outdated when it is acted upon are what races are feared for.
//!
//! A pattern is about a *field*: all accesses of the application to it are looked at, not only the two of the pair, except what
//! constructors and class initialisers write. Array elements and containers have no patterns.

use std::sync::Arc;

use selvedge_base::FastMap;
use selvedge_ir::{BinaryOp, Block, Body, Condition, Inst, Op, Value};
use selvedge_world::{FieldId, MethodId};

use crate::accesses::{Access, AccessId, AccessKind, Accesses, Place};
use crate::describe;
use crate::memo::Table;
use crate::publication::Publication;
use crate::refutation::Candidate;
use crate::shape::Shape;
use crate::view::View;
use crate::ways::may_reach_from;

/// What a pattern is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PatternKind {
    /// A value of 32 bits, or a string, that every thread computes alike when it finds none.
    LazyValue,
    /// An object made by whoever finds none: two threads may make two, and see one that is not complete.
    LazyObject,
    /// A lazily computed value that is read again after the test: the second read may find none.
    LazyReread,
    /// A lazily made object, tested again under a lock, in a field that is not volatile.
    DoubleChecked,
    /// A number that is only counted up or down, and otherwise only shown. What is counted is not used where it is counted: that would be
    /// an identifier, which must not repeat.
    StatisticsCounter,
    /// A flag that is only ever set to one constant.
    MonotoneFlag,
    /// Such a flag that a loop waits for: the loop may never see it.
    AwaitedFlag,
    /// A `long` or `double`, of which a reader may see two halves of different writes.
    Tearing,
    /// A write that depends on a test of the same field.
    CheckThenAct,
}

impl PatternKind {
    /// Whether the race is likely harmless.
    pub fn is_likely_benign(self) -> bool {
        matches!(self, PatternKind::LazyValue | PatternKind::StatisticsCounter | PatternKind::MonotoneFlag)
    }
}

/// A pattern that a pair follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// Which.
    pub kind: PatternKind,
    /// A sentence for the reader, without the final stop.
    pub because: String,
}

/// See the [module documentation](self).
pub struct Benign {
    by_field: FastMap<FieldId, Vec<AccessId>>,
    /// The patterns of the fields that were asked about.
    known: Table<FieldId, Arc<[Pattern]>>,
}

impl Benign {
    /// Prepares the patterns.
    pub fn new(accesses: &Accesses) -> Self {
        let mut by_field: FastMap<FieldId, Vec<AccessId>> = FastMap::default();
        for (id, access) in accesses.all.iter_ids() {
            if let Place::Field(field) | Place::Static(field) = access.place {
                by_field.entry(field).or_default().push(id);
            }
        }
        Self { by_field, known: Table::default() }
    }

    /// The patterns that a pair follows, in the order of their kinds: those of its field.
    pub fn classify(
        &self,
        view: &View<'_>,
        accesses: &Accesses,
        publication: &Publication,
        candidate: &Candidate,
    ) -> Arc<[Pattern]> {
        match accesses.all[candidate.sides[0].access].place {
            Place::Field(field) | Place::Static(field) => {
                self.known.get_or_insert(field, || self.find(view, accesses, publication, field).into())
            }
            Place::Element | Place::Container => Arc::default(),
        }
    }

    fn find(
        &self,
        view: &View<'_>,
        accesses: &Accesses,
        publication: &Publication,
        field: FieldId,
    ) -> Vec<Pattern> {
        let all: Vec<Site<'_>> = self
            .by_field
            .get(&field)
            .into_iter()
            .flatten()
            .filter_map(|&id| Site::new(view, &accesses.all[id]))
            .collect();
        let writes: Vec<&Site<'_>> =
            all.iter().filter(|site| site.is_write() && !site.initializes(view)).collect();
        let reads: Vec<&Site<'_>> = all.iter().filter(|site| !site.is_write()).collect();
        let descriptor = view.program.fields[field].descriptor;
        let (is_wide, is_reference) = (
            matches!(descriptor.as_bytes(), b"J" | b"D"),
            matches!(descriptor.as_bytes().first(), Some(b'L' | b'[')),
        );
        let mut found: Vec<Pattern> = Vec::new();
        let mut add = |kind, because: String| found.push(Pattern { kind, because });
        let name = "the field";
        let guards: Vec<Vec<&Site<'_>>> = writes.iter().map(|write| write.guards(&reads)).collect();
        let is_lazy = !writes.is_empty() && guards.iter().all(|guards| !guards.is_empty());
        if is_lazy {
            let at = describe::place(view, writes[0].access.method, writes[0].access.inst);
            let rechecked = writes.iter().zip(&guards).any(|(write, guards)| write.is_rechecked(guards));
            let is_value = !is_wide && (!is_reference || descriptor.is("Ljava/lang/String;"));
            match (rechecked, is_value) {
                (true, _) if is_reference => add(
                    PatternKind::DoubleChecked,
                    format!(
                        "{at} makes the object under a lock, but the check before the lock reads {name} without one"
                    ),
                ),
                (_, true) => add(
                    PatternKind::LazyValue,
                    format!(
                        "{at} only writes {name} where it is not set yet, and every thread writes the same"
                    ),
                ),
                _ => add(
                    PatternKind::LazyObject,
                    format!("{at} creates an object if {name} is unset: two threads may create one each"),
                ),
            }
            if let Some(again) =
                writes.iter().zip(&guards).find_map(|(write, guards)| write.reread(guards, &reads))
            {
                let again = describe::place(view, again.access.method, again.access.inst);
                add(
                    PatternKind::LazyReread,
                    format!("{again} reads {name} again after the test, and may find it unset"),
                );
            }
        }
        let is_counter = |write: &&&Site<'_>| write.is_count(&reads);
        if !is_lazy && !writes.is_empty() && writes.iter().filter(is_counter).count() == writes.len() {
            let shown = reads.iter().all(|read| read.is_only_shown(&writes))
                && !writes.iter().any(|write| write.uses_count(&reads));
            if shown && !is_reference {
                add(
                    PatternKind::StatisticsCounter,
                    format!("{name} is only counted and printed, no decision depends on it"),
                );
            }
        }
        let constants: Vec<Option<i32>> = writes.iter().map(|write| write.constant()).collect();
        if let Some(Some(constant)) = constants.first()
            && constants.iter().all(|other| *other == Some(*constant))
            && !is_wide
        {
            match reads.iter().find_map(|read| read.awaited(view, publication)) {
                Some((method, inst)) => {
                    let at = describe::place(view, method, inst);
                    let text = format!("{at} reads {name} again and again, and may never see it change");
                    add(PatternKind::AwaitedFlag, text);
                }
                None => add(PatternKind::MonotoneFlag, format!("{name} is only ever set to {constant}")),
            }
        }
        if is_wide {
            add(PatternKind::Tearing, format!("{name} has 64 bits: a reader may see halves of two writes"));
        }
        if !is_lazy && let Some(write) = writes.iter().find(|write| write.depends_on_test(&reads)) {
            let at = describe::place(view, write.access.method, write.access.inst);
            add(
                PatternKind::CheckThenAct,
                format!("{at} writes {name} depending on a value it has read before (check-then-act)"),
            );
        }
        found.sort_by_key(|pattern| pattern.kind);
        found
    }
}

/// An access with its surroundings.
struct Site<'a> {
    access: &'a Access,
    body: &'a Body,
    shape: &'a Shape,
}

impl<'a> Site<'a> {
    fn new(view: &'a View<'_>, access: &'a Access) -> Option<Self> {
        Some(Self { access, body: view.program.body(access.method)?, shape: view.shape(access.method)? })
    }

    fn is_write(&self) -> bool {
        self.access.kind == AccessKind::Write
    }

    /// Whether it is the constructor's or class initialiser's first setting.
    fn initializes(&self, view: &View<'_>) -> bool {
        let method = &view.program.methods[self.access.method];
        match self.access.place {
            Place::Static(_) => method.is_class_initializer(),
            _ => method.is_constructor() && self.access.base == self.body.parameters.first().copied(),
        }
    }

    fn result(&self) -> Option<Value> {
        self.body.insts[self.access.inst].result
    }

    fn stored(&self) -> Option<Value> {
        self.body.args(self.access.inst).last().copied()
    }

    fn constant(&self) -> Option<i32> {
        match self.body.insts[self.body.defining_inst(self.stored()?)?].op {
            Op::Int(number) => Some(number),
            _ => None,
        }
    }

    /// Whether another access is to the same object in the same method.
    fn is_beside(&self, other: &Site<'_>) -> bool {
        self.access.method == other.access.method && self.access.base == other.access.base
    }

    /// The block in which a read value is known to be zero or null, or to differ from it, by a test of just this value.
    fn tested(&self, unset: bool) -> Vec<Block> {
        let Some(value) = self.result() else { return Vec::new() };
        let mut found = Vec::new();
        for (inst, data) in self.body.insts.iter_ids() {
            let Op::If { condition, then, otherwise } = data.op else { continue };
            let zero = match self.body.args(inst) {
                [tested] => *tested == value,
                [tested, other] => *tested == value && self.is_default(*other),
                _ => false,
            };
            if zero && then != otherwise {
                found.extend(match condition {
                    Condition::Eq | Condition::RefEq => Some(if unset { then } else { otherwise }),
                    Condition::Ne | Condition::RefNe => Some(if unset { otherwise } else { then }),
                    _ => None,
                });
            }
        }
        found
    }

    fn is_default(&self, value: Value) -> bool {
        let made = self.body.defining_inst(value).map(|inst| &self.body.insts[inst].op);
        matches!(made, Some(Op::Null | Op::Int(0)))
    }

    /// The reads whose test for an unset field decides that this write executes, outer ones first.
    fn guards<'s>(&self, reads: &[&'s Site<'s>]) -> Vec<&'s Site<'s>> {
        let here = self.shape.block_of[self.access.inst];
        let decides = |read: &&&Site<'_>| {
            self.is_beside(read)
                && read.tested(true).iter().any(|&block| {
                    self.body.blocks[block].predecessors.len() == 1
                        && self.shape.dominators.dominates(block, here)
                })
        };
        reads.iter().filter(decides).copied().collect()
    }

    /// Whether a lock is taken between two of the tests.
    fn is_rechecked(&self, guards: &[&Site<'_>]) -> bool {
        let (Some(first), Some(last)) = (guards.first(), guards.last()) else { return false };
        self.body.insts.iter_ids().any(|(inst, data)| {
            matches!(data.op, Op::MonitorEnter)
                && self.shape.dominates(first.access.inst, inst)
                && self.shape.dominates(inst, last.access.inst)
        })
    }

    /// A read of the field whose value leaves the method, other than the tests.
    fn reread<'s>(&self, guards: &[&Site<'_>], reads: &[&'s Site<'s>]) -> Option<&'s Site<'s>> {
        let is_guard = |read: &Site<'_>| guards.iter().any(|guard| guard.access.inst == read.access.inst);
        let leaves = |read: &Site<'_>| {
            let value = read.result();
            self.body.insts.iter_ids().any(|(inst, data)| {
                matches!(data.op, Op::Return)
                    && value.is_some_and(|value| self.body.args(inst).contains(&value))
            })
        };
        reads.iter().copied().find(|read| self.is_beside(read) && !is_guard(read) && leaves(read))
    }

    /// Whether it stores what it read plus or minus a constant.
    fn is_count(&self, reads: &[&Site<'_>]) -> bool {
        let Some(sum) = self.stored().and_then(|value| self.body.defining_inst(value)) else { return false };
        let (Op::Binary(BinaryOp::Add | BinaryOp::Sub), &[a, b]) =
            (&self.body.insts[sum].op, self.body.args(sum))
        else {
            return false;
        };
        let is_read = reads.iter().any(|read| self.is_beside(read) && read.result() == Some(a));
        let by = self.body.defining_inst(b).map(|inst| &self.body.insts[inst].op);
        is_read && matches!(by, Some(Op::Int(_) | Op::Long(_)))
    }

    /// Whether a count is used where it is made: returned or passed on, before or after it is changed.
    fn uses_count(&self, reads: &[&Site<'_>]) -> bool {
        let Some(sum) = self.stored() else { return false };
        let counted = self.body.defining_inst(sum).map_or(&[][..], |inst| self.body.args(inst));
        let is_read =
            |value: &Value| reads.iter().any(|read| self.is_beside(read) && read.result() == Some(*value));
        let counts = |value: &Value| *value == sum || counted.contains(value) && is_read(value);
        self.body.insts.iter_ids().any(|(inst, data)| {
            inst != self.access.inst && data.result != Some(sum) && self.body.args(inst).iter().any(counts)
        })
    }

    /// Where it is read in a loop that goes on until it has another value: in its own method, or where that is called for the value.
    fn awaited(&self, view: &View<'_>, publication: &Publication) -> Option<(MethodId, Inst)> {
        let (method, inst) = (self.access.method, self.access.inst);
        if is_awaited(self.body, self.shape, inst) {
            return Some((method, inst));
        }
        if !self.is_in_accessor() {
            return None;
        }
        let instances = view.analysis.instances_of(method).iter();
        instances.flat_map(|&instance| publication.callers_of(instance)).find_map(|&(caller, call)| {
            let (method, call) = (view.method_of(caller)?, call?);
            let (body, shape) = (view.program.body(method)?, view.shape(method)?);
            is_awaited(body, shape, call).then_some((method, call))
        })
    }

    /// Whether its method does nothing but read the field, and returns what it tells.
    fn is_in_accessor(&self) -> bool {
        self.body.insts.iter_ids().all(|(inst, data)| match data.op {
            Op::GetField(_) | Op::GetStatic(_) => inst == self.access.inst,
            Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore(_) => false,
            Op::Invoke(..) | Op::InvokeDynamic(_) | Op::Throw => false,
            _ => true,
        })
    }

    /// Whether what it reads is only counted on, returned, or passed on to be printed: never tested, never an index.
    fn is_only_shown(&self, writes: &[&Site<'_>]) -> bool {
        let Some(value) = self.result() else { return true };
        self.body.insts.iter_ids().all(|(inst, data)| {
            if !self.body.args(inst).contains(&value) {
                return true;
            }
            match data.op {
                Op::Return | Op::Invoke(..) | Op::InvokeDynamic(_) => true,
                Op::Binary(_) => writes
                    .iter()
                    .any(|write| write.access.method == self.access.method && write.stored() == data.result),
                _ => false,
            }
        })
    }

    /// Whether a test of what was read before decides that it executes.
    fn depends_on_test(&self, reads: &[&Site<'_>]) -> bool {
        let here = self.shape.block_of[self.access.inst];
        reads.iter().any(|read| {
            let Some(value) = read.result().filter(|_| self.is_beside(read)) else { return false };
            self.body.insts.iter_ids().any(|(inst, data)| {
                let Op::If { then, otherwise, .. } = data.op else { return false };
                self.body.args(inst).contains(&value)
                    && [then, otherwise].iter().any(|&block| {
                        self.body.blocks[block].predecessors.len() == 1
                            && self.shape.dominators.dominates(block, here)
                    })
            })
        })
    }
}

/// Whether a loop goes on until what an instruction reads, or gets from a call, has another value.
fn is_awaited(body: &Body, shape: &Shape, read: Inst) -> bool {
    let Some(value) = body.insts[read].result else { return false };
    let again = |block: Block| may_reach_from(body, shape, vec![block], read, None);
    body.insts.iter_ids().any(|(inst, data)| match data.op {
        Op::If { then, otherwise, .. } => body.args(inst).contains(&value) && again(then) != again(otherwise),
        _ => false,
    })
}
