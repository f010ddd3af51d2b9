//! The vocabulary of effects: all that a row can say about a method.
//!
//! The set is closed. Every analysis and the instrumenter match on [`Effect`] and leave out what does not concern
//! them; what no effect can express is either a [`Special`] that named code handles, or Java code.
//!
//! **When an effect takes place.** `release`, `publish` and `fork`, and the start of a callback, lie at the entry of the
//! call; everything else at its normal return. A call that throws has no effect but those at its entry. `when` narrows
//! an effect further to certain results.
//!
//! **Beside a body.** The effects of a row with `replace = true`, or of a native method, are all that the method does.
//! With `replace = false` the body is analysed too: then `flow`, `fresh` and `special` add to what the body does, and
//! `callback` and everything about threads, locks and order describe in one word what the body does in many, for
//! those who do not look into it or cannot see it there.

use serde::Deserialize;

use crate::name::{Class, MethodRef};
use crate::place::Place;
use crate::special::Special;

/// One thing that a call does. See the [module documentation](self) for when it takes place.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Effect {
    /// References found at `from` are stored to (or become) `to`.
    Flow {
        /// Where the references are.
        from: Place,
        /// Where they go.
        to: Place,
    },

    /// A new object of exactly `class` is stored to `into`. No constructor runs: a `callback` of `<init>` says where
    /// one does.
    Fresh {
        /// The class of the object; an array type makes an array.
        class: Class,
        /// Where it is stored.
        #[serde(default = "Place::result")]
        into: Place,
        /// How objects are distinguished.
        #[serde(default)]
        per: Per,
        /// For an array: what its elements are. One object of this class per array object; for an array of arrays
        /// again an array, whose own elements are not filled.
        #[serde(default)]
        elements: Option<Class>,
    },

    /// The method calls `method` with the objects at `on` as receivers.
    ///
    /// Without a class in `method` it is looked up in the class of each receiver, as `invokevirtual` does; with one,
    /// it is that method and no other, and without `on` it is static. `<init>` means the constructor of the
    /// receiver's own class. Where a receiver has no such method, nothing is called.
    ///
    /// With `thread` other than `same`, it may run before or after this call returns, once, never or many times; what
    /// happens before this call happens before it starts. `after` and `before` say more about its start and end.
    Callback {
        /// The receivers; absent for a static method.
        #[serde(default)]
        on: Option<Place>,
        /// What is called.
        method: MethodRef,
        /// The arguments, as many as the method has parameters; see [`Argument`].
        #[serde(default)]
        args: Vec<Argument>,
        /// Where the returned references go; absent where they are dropped.
        #[serde(default)]
        result: Option<Place>,
        /// The thread it runs in.
        #[serde(default)]
        thread: InThread,
        /// Channels to which its start subscribes, with `after = "all"`: a stage runs after the one that it depends on.
        #[serde(default)]
        after: Vec<Place>,
        /// Channels on which its end publishes: a future, for what the task did.
        #[serde(default)]
        before: Vec<Place>,
    },

    /// The call may throw the exceptions found at `from`, beside those that anything may throw.
    Throw {
        /// Where the exceptions are.
        from: Place,
    },

    /// The calling thread holds `lock` from here on, once more than before (locks are reentrant unless the class's
    /// own code says otherwise).
    ///
    /// The lock is the *object* at the place, in its role as a lock of java.util.concurrent; with `monitor` it is the
    /// object's monitor instead, which is a different lock. An object that is a view of a lock (see
    /// [`LockView`](Effect::LockView)) stands for what it is a view of.
    Acquire {
        /// The lock.
        lock: Place,
        /// What else can hold the lock at the same time.
        #[serde(default)]
        mode: LockMode,
        /// The results for which the lock is held afterwards.
        #[serde(default)]
        when: When,
        /// Whether it is the object's monitor.
        #[serde(default)]
        monitor: bool,
    },

    /// The calling thread holds `lock` once less than before, if it held it in this mode at all. As
    /// [`Acquire`](Effect::Acquire) otherwise.
    Release {
        /// The lock.
        lock: Place,
        /// The mode in which it was held.
        #[serde(default)]
        mode: LockMode,
        /// The results for which it was released.
        #[serde(default)]
        when: When,
        /// Whether it is the object's monitor.
        #[serde(default)]
        monitor: bool,
    },

    /// What was read since the optimistic acquisition of `lock` was read as if a shared lock had been held, if the
    /// result is as `when` says. Reads that are never validated, or after a failed validation, were not protected.
    Validate {
        /// The lock.
        lock: Place,
        /// The results for which the reads were consistent.
        #[serde(default)]
        when: When,
    },

    /// The objects at `view` are views of the lock `of`: acquiring a view (in the mode that its own rows say) acquires
    /// that lock. The two halves of a read-write lock, and conditions, are views.
    LockView {
        /// The view.
        view: Place,
        /// The lock behind it.
        of: Place,
    },

    /// The thread object at `thread` starts to run. What happens before this call happens before everything that
    /// thread does. Which code it runs is said by a `callback` of the same row.
    Fork {
        /// The thread object, or a task that stands for one execution.
        thread: Place,
    },

    /// Everything that the thread (or task) at `thread` does happens before the return of this call.
    Join {
        /// The thread object, or the task.
        thread: Place,
        /// The results for which it has ended.
        #[serde(default)]
        when: When,
    },

    /// What happens before this call happens before the return of every [`Subscribe`](Effect::Subscribe) that
    /// observes it.
    Publish {
        /// The object through which the hand-over happens.
        channel: Place,
        /// The object handed over, if the hand-over is one of an object.
        #[serde(default)]
        item: Option<Place>,
        /// The results for which something was published.
        #[serde(default)]
        when: When,
    },

    /// The return of this call happens after one or all of the publications on the channel.
    ///
    /// With `item`, it happens after a publication of the very object that it received; without, after any earlier
    /// one (`after = "some"`) or after every one of the round that is being waited for (`after = "all"`: latches,
    /// barriers, results of futures).
    Subscribe {
        /// The object through which the hand-over happens.
        channel: Place,
        /// The object received.
        #[serde(default)]
        item: Option<Place>,
        /// The results for which something was received.
        #[serde(default)]
        when: When,
        /// Which publications it comes after.
        #[serde(default)]
        after: After,
    },

    /// Whatever is published on the channels at `from` is from now on published on those at `to` as well.
    Relay {
        /// The channels to listen to.
        from: Place,
        /// The channels to pass it on to.
        to: Place,
    },

    /// The future at `future` may be completed, whether or not the task that is to complete it has ended: by a value, by a time limit, by
    /// being cancelled. Who has waited for such a future has not waited for its task.
    Complete {
        /// The future.
        future: Place,
    },

    /// A thread that waits may be woken by an exception before what it waits for has happened: it is interrupted, its task is
    /// cancelled, its barrier is reset.
    Disturb {},

    /// Who makes the call is the event thread of a user interface.
    InEventThread {
        /// For which results.
        #[serde(default)]
        when: When,
    },

    /// The elements of another collection are put into `into`: who holds them goes on to do so.
    PutAll {
        /// The collection that is filled.
        into: Place,
    },

    /// The call reads the state of an unsynchronised library object: it races with a `container-write` of the same
    /// object, at the place of the call.
    ///
    /// Library code calls library containers too: a call inside a call that has a container effect itself is part of
    /// it, so that a set and the map inside it are one access; a call by other library code counts as made by the
    /// application's call that led there.
    ContainerRead {
        /// The object whose state is read.
        object: Place,
    },

    /// The call changes the state of an unsynchronised library object: it races with every other call that reads or
    /// changes it.
    ContainerWrite {
        /// The object whose state changes.
        object: Place,
    },

    /// An access to a variable that is atomic, and never races unless its `order` is `plain`.
    ///
    /// The variable is the state of the object at `place` (`java.util.concurrent.atomic`), or the one that the handle
    /// there names (`VarHandle`), or, for field updaters and `Unsafe`, the field of the object at `place` that updater
    /// or offset name. As with volatile variables a write publishes, a read subscribes, an update does both, as far as
    /// `order` admits; the channel is the variable.
    Atomic {
        /// Where the variable is found.
        place: Place,
        /// What is done to it.
        kind: AtomicKind,
        /// How it orders.
        #[serde(default)]
        order: Order,
    },

    /// What no effect of this vocabulary can say: code of that name in the analysis does it.
    Special {
        /// The name of that code.
        name: Special,
    },
}

/// How the objects of a [`Fresh`](Effect::Fresh) are distinguished.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Per {
    /// As an allocation site in the body of the method: one object per row and context of the method.
    #[default]
    Site,
    /// One object of the class for the whole program, the same for all rows: for what no analysis needs apart.
    Class,
}

/// The thread that a callback runs in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InThread {
    /// The thread of the call, before it returns.
    #[default]
    Same,
    /// A thread that starts for this callback alone.
    New,
    /// Some thread of a pool, possibly the calling one.
    Pool,
    /// A thread of the JVM: finalizer, signal dispatcher, shutdown.
    Vm,
}

/// What else can hold a lock at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LockMode {
    /// Nobody.
    #[default]
    Exclusive,
    /// Others in shared mode.
    Shared,
    /// As many as there are permits: nobody else, if there is only one.
    Counted,
    /// Anybody: the lock is not held at all, only later validation tells whether it was free.
    Optimistic,
}

/// The results for which an effect takes place. A call that throws has no result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// Whatever it returns.
    #[default]
    Always,
    /// It returned `true`.
    ResultTrue,
    /// It returned `false`.
    ResultFalse,
    /// It returned a number other than zero.
    ResultNonzero,
    /// It returned an object.
    ResultNonNull,
}

/// Which publications a subscription comes after.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum After {
    /// At least one, unknown which.
    #[default]
    Some,
    /// All of the round that is waited for.
    All,
}

/// What an atomic access does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AtomicKind {
    /// Reads the variable.
    Read,
    /// Writes it.
    Write,
    /// Reads and writes it in one step; whether it wrote may depend on what it read.
    Update,
}

/// The memory order of an atomic access, strongest first; JDK javadoc of `VarHandle`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As a volatile access.
    #[default]
    Volatile,
    /// A read that acquires, a write that releases. An update named after one of them only does that one.
    Acquire,
    /// See [`Acquire`](Order::Acquire).
    Release,
    /// Atomic and coherent, but it orders nothing else.
    Opaque,
    /// As a plain access: it may race.
    Plain,
}

/// An argument of a callback.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "String")]
pub enum Argument {
    /// The references at a place.
    Place(Place),
    /// An object made for this call, as by [`Fresh`](Effect::Fresh) with `per = "class"`; written `new p.C`.
    New(Class),
    /// A primitive, or null; written `_`.
    Nothing,
}

impl TryFrom<String> for Argument {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        match text.strip_prefix("new ") {
            _ if text == "_" => Ok(Argument::Nothing),
            Some(class) => Class::parse(class.trim_start()).map(Argument::New),
            None => Place::try_from(text).map(Argument::Place),
        }
    }
}

impl Argument {
    fn place(&self) -> Option<&Place> {
        if let Argument::Place(place) = self { Some(place) } else { None }
    }

    fn place_mut(&mut self) -> Option<&mut Place> {
        if let Argument::Place(place) = self { Some(place) } else { None }
    }
}

impl Effect {
    /// Every place that the effect names.
    pub fn places(&self) -> Vec<&Place> {
        let mut places = Vec::new();
        match self {
            Effect::Flow { from, to } => places.extend([from, to]),
            Effect::Fresh { into, .. } => places.push(into),
            Effect::Throw { from } => places.push(from),
            Effect::Callback { on, args, result, after, before, .. } => {
                places.extend(on);
                places.extend(args.iter().filter_map(Argument::place));
                places.extend(result);
                places.extend(after);
                places.extend(before);
            }
            Effect::Acquire { lock, .. } | Effect::Release { lock, .. } | Effect::Validate { lock, .. } => {
                places.push(lock);
            }
            Effect::LockView { view, of } => places.extend([view, of]),
            Effect::Relay { from, to } => places.extend([from, to]),
            Effect::Complete { future } => places.push(future),
            Effect::PutAll { into } => places.push(into),
            Effect::Fork { thread } | Effect::Join { thread, .. } => places.push(thread),
            Effect::Publish { channel, item, .. } | Effect::Subscribe { channel, item, .. } => {
                places.push(channel);
                places.extend(item);
            }
            Effect::ContainerRead { object } | Effect::ContainerWrite { object } => places.push(object),
            Effect::Atomic { place, .. } => places.push(place),
            Effect::Disturb {} | Effect::InEventThread { .. } | Effect::Special { .. } => {}
        }
        places
    }

    /// Every place that the effect names, to change.
    pub(crate) fn places_mut(&mut self) -> Vec<&mut Place> {
        let mut places = Vec::new();
        match self {
            Effect::Flow { from, to } => places.extend([from, to]),
            Effect::Fresh { into, .. } => places.push(into),
            Effect::Throw { from } => places.push(from),
            Effect::Callback { on, args, result, after, before, .. } => {
                places.extend(on);
                places.extend(args.iter_mut().filter_map(Argument::place_mut));
                places.extend(result);
                places.extend(after);
                places.extend(before);
            }
            Effect::Acquire { lock, .. } | Effect::Release { lock, .. } | Effect::Validate { lock, .. } => {
                places.push(lock);
            }
            Effect::LockView { view, of } => places.extend([view, of]),
            Effect::Relay { from, to } => places.extend([from, to]),
            Effect::Complete { future } => places.push(future),
            Effect::PutAll { into } => places.push(into),
            Effect::Fork { thread } | Effect::Join { thread, .. } => places.push(thread),
            Effect::Publish { channel, item, .. } | Effect::Subscribe { channel, item, .. } => {
                places.push(channel);
                places.extend(item);
            }
            Effect::ContainerRead { object } | Effect::ContainerWrite { object } => places.push(object),
            Effect::Atomic { place, .. } => places.push(place),
            Effect::Disturb {} | Effect::InEventThread { .. } | Effect::Special { .. } => {}
        }
        places
    }

    /// The name of the effect, as rows write it.
    pub fn kind(&self) -> &'static str {
        match self {
            Effect::Flow { .. } => "flow",
            Effect::Fresh { .. } => "fresh",
            Effect::Callback { .. } => "callback",
            Effect::Throw { .. } => "throw",
            Effect::Acquire { .. } => "acquire",
            Effect::Release { .. } => "release",
            Effect::Validate { .. } => "validate",
            Effect::LockView { .. } => "lock-view",
            Effect::Fork { .. } => "fork",
            Effect::Join { .. } => "join",
            Effect::Publish { .. } => "publish",
            Effect::Subscribe { .. } => "subscribe",
            Effect::Relay { .. } => "relay",
            Effect::Complete { .. } => "complete",
            Effect::Disturb {} => "disturb",
            Effect::InEventThread { .. } => "in-event-thread",
            Effect::PutAll { .. } => "put-all",
            Effect::ContainerRead { .. } => "container-read",
            Effect::ContainerWrite { .. } => "container-write",
            Effect::Atomic { .. } => "atomic",
            Effect::Special { .. } => "special",
        }
    }

    /// The condition on the result.
    pub fn when(&self) -> When {
        match self {
            Effect::Acquire { when, .. }
            | Effect::Release { when, .. }
            | Effect::Validate { when, .. }
            | Effect::Join { when, .. }
            | Effect::InEventThread { when }
            | Effect::Publish { when, .. }
            | Effect::Subscribe { when, .. } => *when,
            _ => When::Always,
        }
    }
}
