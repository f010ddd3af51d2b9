//! Steps of synchronisation: locks, volatile variables, threads, the initialisation of classes.

use selvedge_base::Id;
use selvedge_instrument::FieldKind;
use selvedge_jvm::sys::jni::jobject;
use selvedge_jvm::{Jvm, Problem};
use selvedge_protocol::{
    Action, Channel, Event, FieldId, HoldMode, Location, Lock, LockRole, ObjectId, SiteId, SyncKind, ThreadId,
};
use selvedge_runtime::Hold;

use crate::state::State;

/// Steps that the support class names by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Acquire,
    Release,
    Join,
    Parked,
    Unpark,
    Interrupt,
    Interrupted,
    Waiting,
    Waited,
    AllEnded,
}

impl Step {
    pub(crate) fn from_number(number: i32) -> Option<Step> {
        Some(match number {
            3 => Step::Acquire,
            4 => Step::Release,
            5 => Step::Join,
            6 => Step::Parked,
            7 => Step::Unpark,
            8 => Step::Interrupt,
            9 => Step::Interrupted,
            10 => Step::Waiting,
            11 => Step::Waited,
            12 => Step::AllEnded,
            _ => return None,
        })
    }
}

impl State {
    /// A static field is accessed: its class has been initialised, and the thread knows it.
    pub(crate) fn sees_class(&mut self, thread: ThreadId, site: SiteId) {
        if let Some((field, _)) = self.field_of(site) {
            self.sees_initialised(thread, field);
        }
    }

    /// The class of a static field has been initialised, and the thread knows it.
    fn sees_initialised(&mut self, thread: ThreadId, field: FieldId) {
        let class = self.tables.fields[field].class;
        if self.initialised.contains(&class) && self.seen_initialised.entry(thread).or_default().insert(class)
        {
            let channel = Channel::Class { class };
            self.event(Event::new(thread, Action::Subscribe { channel }));
        }
    }

    /// The initialiser of the site's class is at its end.
    pub(crate) fn initialised(&mut self, thread: ThreadId, site: SiteId) {
        let Some(name) = self.tables.sites.get(site).map(|entry| entry.key.class.clone()) else { return };
        let class = self.class_id(&name);
        self.initialised.insert(class);
        self.event(Event::new(thread, Action::Publish { channel: Channel::Class { class } }).at(site));
    }

    /// What a site of a volatile field is, for the support class: 1 a field of objects, -1 a field that is not volatile after all,
    /// 2 more than the number of a static field.
    pub(crate) fn volatile_site(&mut self, site: SiteId, is_static: bool) -> i32 {
        match self.field_of(site) {
            Some((_, FieldKind::Plain | FieldKind::Final)) => -1,
            _ if is_static => self.static_slot_of(site).map_or(1, |slot| slot as i32 + 2),
            _ => 1,
        }
    }

    /// A step on the variable at a place of an object, or on the static field that the site names.
    pub(crate) fn variable(
        &mut self,
        jvm: &Jvm,
        thread: ThreadId,
        (object, place): (jobject, i32),
        site: SiteId,
        kind: i32,
    ) -> Result<(), Problem> {
        let kind = if kind == 0 { SyncKind::Read } else { SyncKind::Write };
        let location = match (object.is_null(), self.field_of(site)) {
            (true, Some((field, _))) => Location::Static { field },
            (true, None) => return Ok(()),
            // Instructions, handles and updaters agree on the place.
            (false, _) => Location::Element { object: self.number(jvm, object)?, index: place as u32 },
        };
        self.event(Event::new(thread, Action::Sync { location, kind }).at(site));
        Ok(())
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
                self.event(Event::new(thread, Action::Join { child }));
            }
            return Ok(());
        }
        if step == Step::AllEnded {
            let ended: Vec<ThreadId> = self.ended.iter().copied().collect();
            for child in ended {
                self.event(Event::new(thread, Action::Join { child }));
            }
            self.engine.learn_ended(thread);
            return Ok(());
        }
        let object = self.number(jvm, object)?;
        let action = match step {
            Step::Parked => Action::Subscribe { channel: Channel::Permit { object } },
            Step::Unpark => Action::Publish { channel: Channel::Permit { object } },
            Step::Interrupt => Action::Publish { channel: Channel::Interrupt { object } },
            Step::Interrupted => Action::Subscribe { channel: Channel::Interrupt { object } },
            Step::Acquire | Step::Release | Step::Waiting | Step::Waited => {
                return self.lock_step(thread, step, object, detail);
            }
            Step::Join | Step::AllEnded => return Ok(()),
        };
        self.event(Event::new(thread, action));
        Ok(())
    }

    /// Something is handed over through an object, or was received. What that orders, the support class follows; locksets are told here.
    pub(crate) fn hands_over(
        &mut self,
        jvm: &Jvm,
        thread: ThreadId,
        publishes: bool,
        channel: jobject,
        item: jobject,
    ) -> Result<(), Problem> {
        if channel.is_null() {
            return Ok(());
        }
        let object = self.number(jvm, channel)?;
        let item = if item.is_null() { ObjectId::NONE } else { self.number(jvm, item)? };
        let channel = Channel::Object { object, item };
        let action = if publishes { Action::Publish { channel } } else { Action::Subscribe { channel } };
        let event = Event::new(thread, action);
        self.free_objects();
        self.record(&event);
        self.engine.hand_over(&event);
        Ok(())
    }

    fn lock_step(
        &mut self,
        thread: ThreadId,
        step: Step,
        object: ObjectId,
        detail: i32,
    ) -> Result<(), Problem> {
        let Hold { lock, mode } = self.hold_of(object, detail);
        let depths = self.holding.entry(thread).or_default();
        let depth = depths.get(&(lock, mode)).copied().unwrap_or(0);
        let action = match step {
            Step::Acquire => {
                depths.insert((lock, mode), depth + 1);
                Action::Acquire { lock, mode, depth: depth + 1 }
            }
            Step::Release if depth == 0 => return Ok(()),
            Step::Release => {
                if depth == 1 {
                    depths.remove(&(lock, mode));
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
        self.event(Event::new(thread, action));
        self.locks_changed(thread);
        Ok(())
    }

    /// The lock that an object is, held in this mode: 0 as a monitor, 1 exclusively, 2 shared.
    fn hold_of(&self, object: ObjectId, mode: i32) -> Hold {
        let role = if mode == 0 { LockRole::Monitor } else { LockRole::Explicit };
        let object = match role {
            LockRole::Monitor => object,
            LockRole::Explicit => self.views.get(&object).copied().unwrap_or(object),
        };
        Hold {
            lock: Lock { object, role },
            mode: if mode == 2 { HoldMode::Shared } else { HoldMode::Exclusive },
        }
    }

    /// The thread holds a lock, or does so no more. What that orders, the support class follows.
    pub(crate) fn held(
        &mut self,
        jvm: &Jvm,
        thread: ThreadId,
        object: jobject,
        mode: i32,
        is_held: bool,
    ) -> Result<(), Problem> {
        let object = self.number(jvm, object)?;
        let Hold { lock, mode } = self.hold_of(object, mode);
        let action = if is_held {
            Action::Acquire { lock, mode, depth: 1 }
        } else {
            Action::Release { lock, mode, depth: 0 }
        };
        self.engine.hold(&Event::new(thread, action));
        Ok(())
    }

    /// The locks in an array of objects, some of which may be null, each held as the other array says.
    pub(crate) fn holds_in(
        &mut self,
        jvm: &Jvm,
        objects: jobject,
        modes: jobject,
    ) -> Result<Vec<Hold>, Problem> {
        let mut holds = Vec::new();
        if objects.is_null() || modes.is_null() {
            return Ok(holds);
        }
        let mut kinds = vec![0; jvm.array_length(objects).max(0) as usize];
        jvm.ints(modes, &mut kinds);
        for (index, mode) in (0..).zip(kinds) {
            let object = jvm.element(objects, index);
            if !object.is_null() {
                let number = self.number(jvm, object)?;
                holds.push(self.hold_of(number, mode));
                jvm.forget(object);
            }
        }
        // As the detectors have them: sorted, one hold a lock, exclusive before shared.
        holds.sort_unstable();
        holds.dedup_by_key(|hold| hold.lock);
        Ok(holds)
    }

    /// An object is a view of a lock.
    pub(crate) fn view(&mut self, jvm: &Jvm, view: jobject, lock: jobject) -> Result<(), Problem> {
        let (view, lock) = (self.number(jvm, view)?, self.number(jvm, lock)?);
        self.views.insert(view, lock);
        Ok(())
    }
}
