//! Rows as text: what `selvedge models list` prints, in the words of the files.

use std::fmt;

use crate::effect::{After, Argument, AtomicKind, Effect, InThread, LockMode, Order, Per, When};
use crate::row::{RootThread, Row, VmRoot};

/// On one line: the methods, `replaces` if the body is not analysed, the effects.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}:", self.selector, if self.replace { " replaces" } else { "" })?;
        if self.effects.is_empty() {
            return write!(f, " nothing");
        }
        for (index, effect) in self.effects.iter().enumerate() {
            write!(f, "{} {effect}", if index == 0 { "" } else { ";" })?;
        }
        Ok(())
    }
}

impl VmRoot {
    /// The root on one line, with what it gets.
    pub fn describe(&self) -> String {
        let receiver = self.receiver.as_ref().map(|receiver| format!(" on {receiver}")).unwrap_or_default();
        let thread = match self.thread {
            RootThread::Startup => "startup",
            RootThread::Vm => "vm",
            RootThread::Ending => "ending",
        };
        format!("{self}{receiver} with ({}) in thread {thread}", commas(&self.args))
    }
}

fn commas(arguments: &[Argument]) -> String {
    arguments.iter().map(Argument::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Place(place) => write!(f, "{place}"),
            Argument::New(class) => write!(f, "new {class}"),
            Argument::Nothing => write!(f, "_"),
        }
    }
}

/// The effect's name and what it speaks of, without what is default.
impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effect::Flow { from, to } => write!(f, "flow {from} -> {to}"),
            Effect::Fresh { class, into, per, elements } => {
                write!(f, "fresh {class} -> {into}")?;
                if *per == Per::Class {
                    write!(f, " per class")?;
                }
                elements.iter().try_for_each(|class| write!(f, " of {class}"))
            }
            Effect::Callback { on, method, args, result, thread, after, before } => {
                write!(f, "callback {method}")?;
                on.iter().try_for_each(|place| write!(f, " on {place}"))?;
                if !args.is_empty() {
                    write!(f, " with ({})", commas(args))?;
                }
                result.iter().try_for_each(|place| write!(f, " -> {place}"))?;
                f.write_str(match thread {
                    InThread::Same => "",
                    InThread::New => " in thread new",
                    InThread::Pool => " in thread pool",
                    InThread::Vm => " in thread vm",
                })?;
                after.iter().try_for_each(|channel| write!(f, " after {channel}"))?;
                before.iter().try_for_each(|channel| write!(f, " before {channel}"))
            }
            Effect::Throw { from } => write!(f, "throw {from}"),
            Effect::Acquire { lock, mode, when, monitor } => {
                write!(f, "acquire {}{lock}{mode}{when}", monitor_prefix(*monitor))
            }
            Effect::Release { lock, mode, when, monitor } => {
                write!(f, "release {}{lock}{mode}{when}", monitor_prefix(*monitor))
            }
            Effect::Validate { lock, when } => write!(f, "validate {lock}{when}"),
            Effect::LockView { view, of } => write!(f, "lock-view {view} of {of}"),
            Effect::Fork { thread } => write!(f, "fork {thread}"),
            Effect::Join { thread, when } => write!(f, "join {thread}{when}"),
            Effect::Publish { channel, item, when } => {
                write!(f, "publish {channel}")?;
                item.iter().try_for_each(|item| write!(f, " item {item}"))?;
                write!(f, "{when}")
            }
            Effect::Subscribe { channel, item, when, after } => {
                write!(f, "subscribe {channel}")?;
                item.iter().try_for_each(|item| write!(f, " item {item}"))?;
                if *after == After::All {
                    write!(f, " after all")?;
                }
                write!(f, "{when}")
            }
            Effect::Relay { from, to } => write!(f, "relay {from} -> {to}"),
            Effect::Complete { future } => write!(f, "complete {future}"),
            Effect::Disturb {} => f.write_str("disturb"),
            Effect::InEventThread { when } => write!(f, "in-event-thread{when}"),
            Effect::PutAll { into } => write!(f, "put-all {into}"),
            Effect::ContainerRead { object } => write!(f, "container-read {object}"),
            Effect::ContainerWrite { object } => write!(f, "container-write {object}"),
            Effect::Atomic { place, kind, order } => {
                let kind = match kind {
                    AtomicKind::Read => "read",
                    AtomicKind::Write => "write",
                    AtomicKind::Update => "update",
                };
                write!(f, "atomic {kind} {place}{order}")
            }
            Effect::Special { name } => write!(f, "special {name}"),
        }
    }
}

fn monitor_prefix(monitor: bool) -> &'static str {
    if monitor { "monitor " } else { "" }
}

/// With a space before it; nothing for the default.
impl fmt::Display for LockMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LockMode::Exclusive => "",
            LockMode::Shared => " shared",
            LockMode::Counted => " counted",
            LockMode::Optimistic => " optimistic",
        })
    }
}

/// With a space before it; nothing for the default.
impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            When::Always => "",
            When::ResultTrue => " when result-true",
            When::ResultFalse => " when result-false",
            When::ResultNonzero => " when result-nonzero",
            When::ResultNonNull => " when result-non-null",
        })
    }
}

/// With a space before it; nothing for the default.
impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Volatile => "",
            Order::Acquire => " acquire",
            Order::Release => " release",
            Order::Opaque => " opaque",
            Order::Plain => " plain",
        })
    }
}
