//! Which findings matter most, how sure they are, and what to do about them.
//!
//! The rank goes from 0 to 100, in a band for each confidence (`credence`), so that the two agree. It starts in the middle and moves by what is known of the pair: what it may do to the program
//! (torn values and broken containers are worse than a stale flag; what is likely benign comes last), how sure it is that both
//! sides meet on one object, and whether others take a lock. The confidence says how sure it is that there is a race, however
//! much or little harm it does.

use selvedge_facts::{AccessKind, Candidate, Locking, Occurrence, Origin, PatternKind, Place, Refutation};
use selvedge_findings::{Confidence, Reason};
use selvedge_ir::Op;

use crate::Facts;
use crate::intent::Sharing;
use crate::names::Names;
use crate::pairs::constructs;

/// What is thought of a pair.
pub struct Judgement {
    /// From 0 to 100.
    pub rank: u8,
    /// How sure it is.
    pub confidence: Confidence,
    /// Why.
    pub reasons: Vec<Reason>,
    /// What to do.
    pub advice: String,
    /// Why it is left to callers, if only they can share the object.
    pub left_to_callers: Option<LeftToCallers>,
    /// Whether a reason says that it may not be real. That it does little harm is no such reason.
    pub is_doubted: bool,
}

/// Why whoever calls a library is taken to keep threads apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LeftToCallers {
    /// The object looks made for one thread at a time.
    MadeForOneThread,
    /// The class synchronises, but nobody ever takes a lock for this memory.
    NeverGuarded,
    /// A constructor wrote it, and the reference is published by a race that is a finding of its own.
    Published,
}

/// What is taken off the rank of a pair of which a side is what a program does that is started by itself.
const PROGRAM_OF_ITS_OWN: u8 = 30;

impl Judgement {
    /// Something says that it may not be real.
    pub fn doubt(&mut self, text: impl Into<String>) {
        self.confidence = Confidence::Low;
        self.reserve(text);
    }

    /// Something says that it seldom happens.
    pub fn reserve(&mut self, text: impl Into<String>) {
        self.is_doubted = true;
        self.reasons.push(Reason::doubt(text));
    }

    /// A caller of a library comes to a side through a main method.
    pub fn by_a_program_of_its_own(&mut self) {
        self.rank = self.rank.saturating_sub(PROGRAM_OF_ITS_OWN);
        self.doubt("a main method starts a program and is rarely called concurrently");
    }
}

/// Judges a pair that survived; `is_guarded` says whether somebody takes a lock for the same memory.
pub fn judge(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
    is_guarded: bool,
) -> Judgement {
    let accesses = candidate.sides.map(|side| &facts.accesses.all[side.access]);
    let mut reasons = Vec::new();
    let mut rank: i32 = 50;
    let mut confidence = Confidence::Medium;
    let mut is_doubted = false;
    if accesses.iter().all(|access| access.kind == AccessKind::Write) {
        rank += 5;
    }
    let touches_nothing_else =
        |side: &Occurrence| facts.accesses.may_touch(facts.view, side.access, side.instance).len() <= 1;
    let surely_one_object = candidate.object.is_none_or(|object| {
        facts.executions.is_single(object) && candidate.sides.iter().all(touches_nothing_else)
    });
    let known_threads = candidate
        .sides
        .iter()
        .all(|side| !matches!(facts.threads.all[side.thread].origin, Origin::Client | Origin::Vm(_)));
    if surely_one_object && known_threads {
        confidence = Confidence::High;
        rank += 15;
        reasons.push(Reason::evidence("both sides access the same object"));
    }
    let is_setting =
        accesses.iter().all(|access| access.kind == AccessKind::Read || is_setter(facts, access));
    if is_setting {
        rank -= 10;
    }
    if matches!(accesses[0].place, Place::Static(_)) && !known_threads {
        rank += 10;
        reasons.push(Reason::evidence("the field is static, so all callers share it"));
    }
    if is_wide(facts, accesses[0].place) {
        rank += if is_setting { 0 } else { 5 };
    }
    let updates = accesses.iter().any(|access| is_update(facts, access));
    if updates {
        rank += 15;
        reasons.push(Reason::evidence("the value is read, changed and written back: an update can be lost"));
    }
    if accesses[0].place == Place::Container {
        rank += 15;
        reasons.push(Reason::evidence("the class is not thread-safe"));
    }
    let patterns = facts.benign.classify(facts.view, facts.accesses, &facts.publication, candidate);
    for pattern in patterns.iter() {
        if pattern.kind.is_likely_benign() {
            rank -= 20;
            // A lost update makes the number wrong, whoever reads it.
            let is_counted = pattern.kind == PatternKind::StatisticsCounter;
            if !(is_counted && surely_one_object && known_threads) {
                confidence = Confidence::Low;
                is_doubted = true;
            }
            reasons.push(Reason::doubt(pattern.because.clone()));
        } else {
            rank += if pattern.kind == PatternKind::Tearing { 0 } else { 8 };
            reasons.push(Reason::evidence(pattern.because.clone()));
        }
    }
    let mut is_published = false;
    if candidate.sides.iter().any(|side| is_construction(facts, candidate, side)) {
        rank -= 25;
        (confidence, is_doubted) = (Confidence::Low, true);
        is_published = true;
        reasons.push(Reason::doubt(
            "one side constructs the object: the two collide only if it is published without synchronisation",
        ));
    }
    if let Some(lock) = likely_lock(facts, candidate) {
        rank -= 20;
        (confidence, is_doubted) = (Confidence::Low, true);
        reasons.push(Reason::doubt(format!(
            "{}, which is likely but not certain to be one lock",
            lock.because()
        )));
    }
    let sharing = facts.intent.who_shares(facts, names, candidate, is_guarded);
    let left_to_callers = match sharing {
        Sharing::OnlyCallers(_) => Some(LeftToCallers::MadeForOneThread),
        Sharing::Unguarded(_) => Some(LeftToCallers::NeverGuarded),
        Sharing::Meant | Sharing::MeantSince(_) | Sharing::Possible(_) => {
            is_published.then_some(LeftToCallers::Published)
        }
    };
    match sharing {
        Sharing::Meant => {}
        Sharing::MeantSince(because) => {
            rank += 10;
            reasons.push(Reason::evidence(because));
        }
        Sharing::Possible(because) => {
            rank -= 15;
            reasons.push(Reason::evidence(because));
        }
        Sharing::Unguarded(because) => {
            rank -= 30;
            (confidence, is_doubted) = (Confidence::Low, true);
            reasons.push(Reason::doubt(because));
        }
        Sharing::OnlyCallers(because) => {
            rank -= 35;
            (confidence, is_doubted) = (Confidence::Low, true);
            reasons.push(Reason::doubt(because));
        }
    }
    let advice = advice(facts, accesses[0].place, updates);
    Judgement { rank: rank.clamp(0, 100) as u8, confidence, reasons, advice, left_to_callers, is_doubted }
}

/// The lock that both sides hold if things are as they look.
fn likely_lock<'a>(facts: &'a Facts<'_, '_>, candidate: &Candidate) -> Option<Refutation<'a>> {
    facts.locks.common(facts.view, candidate, Locking::Likely)
}

/// Whether a side belongs to a constructor, on the object that it constructs and does not let anybody know, or not before the access.
fn is_construction(facts: &Facts<'_, '_>, candidate: &Candidate, side: &Occurrence) -> bool {
    let (view, publication) = (facts.view, &facts.publication);
    let is_early =
        |object| publication.must_be_unpublished(view, facts.threads, facts.accesses, side, object);
    constructs(facts, side.access)
        && (!publication.may_leak(view, side.instance, 0) || candidate.object.is_some_and(is_early))
}

fn is_wide(facts: &Facts<'_, '_>, place: Place) -> bool {
    let (Place::Field(field) | Place::Static(field)) = place else { return false };
    matches!(facts.view.program.fields[field].descriptor.as_bytes(), b"J" | b"D")
}

/// Whether a write stores a parameter of its method as it is: what setters do.
fn is_setter(facts: &Facts<'_, '_>, access: &selvedge_facts::Access) -> bool {
    let Some(body) = facts.view.program.body(access.method) else { return false };
    let stored = match body.insts[access.inst].op {
        Op::PutField(_) | Op::PutStatic(_) => body.args(access.inst).last(),
        _ => None,
    };
    stored.is_some_and(|value| body.parameters.contains(value))
}

/// Whether a write stores what was computed from a read of the same place: `x++`.
pub(crate) fn is_update(facts: &Facts<'_, '_>, access: &selvedge_facts::Access) -> bool {
    if access.kind != AccessKind::Write {
        return false;
    }
    let Some(body) = facts.view.program.body(access.method) else { return false };
    let stored = match body.insts[access.inst].op {
        Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore(_) => body.args(access.inst).last().copied(),
        _ => None,
    };
    let Some(Op::Binary(_)) = stored.and_then(|v| body.defining_inst(v)).map(|inst| body.insts[inst].op)
    else {
        return false;
    };
    let computed = stored.and_then(|value| body.defining_inst(value));
    computed.into_iter().flat_map(|inst| body.args(inst)).any(|&operand| {
        body.defining_inst(operand).is_some_and(|inst| {
            match (&body.insts[inst].op, &body.insts[access.inst].op) {
                (Op::GetField(read), Op::PutField(written)) => read == written,
                (Op::GetStatic(read), Op::PutStatic(written)) => read == written,
                (Op::ArrayLoad(_), Op::ArrayStore(_)) => {
                    body.args(inst).first() == body.args(access.inst).first()
                }
                _ => false,
            }
        })
    })
}

fn advice(facts: &Facts<'_, '_>, place: Place, updates: bool) -> String {
    let field_type = |field| facts.view.program.fields[field].descriptor;
    match place {
        Place::Field(field) | Place::Static(field) if updates => {
            let atomic = if field_type(field).is("J") { "AtomicLong" } else { "AtomicInteger" };
            format!("guard all accesses with one lock, or make the field an {atomic}")
        }
        Place::Field(_) | Place::Static(_) => {
            "guard all accesses with one lock; if only visibility matters, declare the field volatile"
                .to_string()
        }
        Place::Element => "guard all accesses to the array with one lock, or use an atomic array".to_string(),
        Place::Container => {
            "guard all uses with one lock, or use a class from java.util.concurrent instead".to_string()
        }
    }
}
