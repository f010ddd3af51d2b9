//! Steps of synchronisation: locks, volatile variables, threads, the initialisation of classes.

use selvedge_base::Id;
use selvedge_instrument::FieldKind;
use selvedge_jvm::sys::jni::jobject;
use selvedge_jvm::{Jvm, Problem};
use selvedge_protocol::{
    Action, Channel, Event, FieldId, HoldMode, Location, Lock, LockRole, ObjectId, SiteId, SyncKind, ThreadId,
};

use crate::state::{Holding, State};

/// Steps that the support class names by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Sync(SyncKind),
    Acquire,
    Release,
    Join,
    Parked,
    Unpark,
    Interrupt,
    Interrupted,
    Waiting,
    Waited,
}

impl Step {
    pub(crate) fn from_number(number: i32) -> Option<Step> {
        Some(match number {
            0 => Step::Sync(SyncKind::Read),
            1 => Step::Sync(SyncKind::Write),
            2 => Step::Sync(SyncKind::Update),
            3 => Step::Acquire,
            4 => Step::Release,
            5 => Step::Join,
            6 => Step::Parked,
            7 => Step::Unpark,
            8 => Step::Interrupt,
            9 => Step::Interrupted,
            10 => Step::Waiting,
            11 => Step::Waited,
            _ => return None,
        })
    }
}

/// What a lock adds to the hash of a thread's locks.
fn hash_of(lock: Lock, mode: HoldMode) -> i32 {
    let parts = lock.object.0 << 2
        | u64::from(lock.role == LockRole::Explicit) << 1
        | u64::from(mode == HoldMode::Shared);
    (parts.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as i32
}

impl State {
    /// A static field is accessed: its class has been initialised, and the thread knows it.
    pub(crate) fn sees_class(&mut self, jvm: &Jvm, thread: ThreadId, site: SiteId) {
        if let Some((field, _)) = self.field_of(site) {
            self.sees_initialised(jvm, thread, field);
        }
    }

    /// The class of a static field has been initialised, and the thread knows it.
    fn sees_initialised(&mut self, jvm: &Jvm, thread: ThreadId, field: FieldId) {
        let class = self.tables.fields[field].class;
        if self.initialised.contains(&class) && self.seen_initialised.insert((thread, class)) {
            let channel = Channel::Class { class };
            self.event(jvm, Event::new(thread, Action::Subscribe { channel }));
        }
    }

    /// The initialiser of the site's class is at its end.
    pub(crate) fn initialised(&mut self, jvm: &Jvm, thread: ThreadId, site: SiteId) {
        let Some(name) = self.tables.sites.get(site).map(|entry| entry.key.class.clone()) else { return };
        let class = self.class_id(&name);
        self.initialised.insert(class);
        self.event(jvm, Event::new(thread, Action::Publish { channel: Channel::Class { class } }).at(site));
    }

    /// A step on a volatile field. Whether the site is none after all, and need not tell again.
    pub(crate) fn volatile_access(
        &mut self,
        jvm: &Jvm,
        thread: ThreadId,
        object: jobject,
        site: SiteId,
        kind: i32,
    ) -> Result<bool, Problem> {
        let field = self.field_of(site);
        if let Some((_, FieldKind::Plain | FieldKind::Final)) = field {
            return Ok(true);
        }
        let kind = if kind == 0 { SyncKind::Read } else { SyncKind::Write };
        let location = match (object.is_null(), field) {
            (true, Some((field, _))) => Location::Static { field },
            (true, None) => return Ok(false),
            // Handles and updaters name the object only, so all volatile fields of an object are one variable.
            (false, _) => Location::Content { object: self.number(jvm, object)? },
        };
        self.event(jvm, Event::new(thread, Action::Sync { location, kind }).at(site));
        Ok(false)
    }

    /// Another step.
    pub(crate) fn step(
        &mut self,
        jvm: &Jvm,
        thread: ThreadId,
        step: Step,
        object: jobject,
        detail: i32,
    ) -> Result<(), Problem> {
        if step == Step::Join {
            let child = ThreadId::from_index(detail.max(0) as usize);
            if self.ended.contains(&child) {
                self.event(jvm, Event::new(thread, Action::Join { child }));
            }
            return Ok(());
        }
        let object = self.number(jvm, object)?;
        let action = match step {
            Step::Sync(kind) => Action::Sync { location: Location::Content { object }, kind },
            Step::Parked => Action::Subscribe { channel: Channel::Permit { object } },
            Step::Unpark => Action::Publish { channel: Channel::Permit { object } },
            Step::Interrupt => Action::Publish { channel: Channel::Interrupt { object } },
            Step::Interrupted => Action::Subscribe { channel: Channel::Interrupt { object } },
            Step::Acquire | Step::Release | Step::Waiting | Step::Waited => {
                return self.lock_step(jvm, thread, step, object, detail);
            }
            Step::Join => return Ok(()),
        };
        self.event(jvm, Event::new(thread, action));
        Ok(())
    }

    fn lock_step(
        &mut self,
        jvm: &Jvm,
        thread: ThreadId,
        step: Step,
        object: ObjectId,
        detail: i32,
    ) -> Result<(), Problem> {
        let role = if detail == 0 { LockRole::Monitor } else { LockRole::Explicit };
        let object = match role {
            LockRole::Monitor => object,
            LockRole::Explicit => self.views.get(&object).copied().unwrap_or(object),
        };
        let lock = Lock { object, role };
        let mode = if detail == 2 { HoldMode::Shared } else { HoldMode::Exclusive };
        let Holding { depths, hash } = self.holding.entry(thread).or_default();
        let depth = depths.get(&(lock, mode)).copied().unwrap_or(0);
        let own_hash = hash_of(lock, mode);
        let action = match step {
            Step::Acquire => {
                depths.insert((lock, mode), depth + 1);
                *hash ^= if depth == 0 { own_hash } else { 0 };
                Action::Acquire { lock, mode, depth: depth + 1 }
            }
            Step::Release if depth == 0 => return Ok(()),
            Step::Release => {
                if depth == 1 {
                    depths.remove(&(lock, mode));
                    *hash ^= own_hash;
                } else {
                    depths.insert((lock, mode), depth - 1);
                }
                Action::Release { lock, mode, depth: depth - 1 }
            }
            // The monitor may have been taken by code that is not observed.
            Step::Waiting if depth == 0 => return Ok(()),
            Step::Waiting => Action::Release { lock, mode, depth: 0 },
            Step::Waited if depth == 0 => return Ok(()),
            _ => Action::Acquire { lock, mode, depth },
        };
        self.event(jvm, Event::new(thread, action));
        self.locks_changed(thread);
        Ok(())
    }

    /// An object is a view of a lock.
    pub(crate) fn view(&mut self, jvm: &Jvm, view: jobject, lock: jobject) -> Result<(), Problem> {
        let (view, lock) = (self.number(jvm, view)?, self.number(jvm, lock)?);
        self.views.insert(view, lock);
        Ok(())
    }
}
