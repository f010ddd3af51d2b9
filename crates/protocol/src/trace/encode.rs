//! Writing traces.

use std::io::{self, Write};

use super::{MAGIC, Previous, VERSION, op};
use crate::event::{AccessKind, Action, Channel, Event, HoldMode, Location, Lock, LockRole, ObjectId};
use crate::event::{StackId, SyncKind};
use crate::tables::Definition;

/// Turns definitions and events into bytes, in order.
#[derive(Default)]
pub struct Encoder {
    previous: Previous,
}

impl Encoder {
    /// An encoder for a new trace.
    pub fn new() -> Self {
        Self::default()
    }

    /// What a trace begins with.
    pub fn header(out: &mut Vec<u8>) {
        out.extend(MAGIC);
        number(out, VERSION);
    }

    /// What a complete trace ends with.
    pub fn end_mark(out: &mut Vec<u8>) {
        out.push(op::END_MARK);
    }

    /// Appends a definition.
    pub fn define(&mut self, definition: &Definition, out: &mut Vec<u8>) {
        match definition {
            Definition::Class(name) => {
                out.push(op::CLASS);
                text(out, name);
            }
            Definition::Field(entry) => {
                out.push(op::FIELD);
                number(out, entry.class.number());
                text(out, &entry.name);
            }
            Definition::Site(entry) => {
                out.push(op::SITE);
                out.push(entry.kind as u8);
                text(out, &entry.key.class);
                text(out, &entry.key.method);
                text(out, &entry.key.descriptor);
                number(out, entry.key.index);
                optional(out, entry.file.as_deref(), text);
                optional(out, entry.line, number);
            }
            Definition::Stack(frames) => {
                out.push(op::STACK);
                number(out, frames.len() as u64);
                for frame in frames {
                    number(out, frame.number());
                }
            }
            Definition::Thread(entry) => {
                out.push(op::THREAD);
                text(out, &entry.name);
                number(out, entry.spawned_at.number());
                text(out, &entry.entry);
            }
            Definition::Object(object, entry) => {
                out.push(op::OBJECT);
                self.object(out, *object);
                number(out, entry.class.number());
                number(out, entry.allocated_at.number());
            }
        }
    }

    /// Appends an event.
    pub fn event(&mut self, event: &Event, out: &mut Vec<u8>) {
        let mut tag = operation(&event.action);
        if event.thread.number() != self.previous.thread {
            tag |= op::OTHER_THREAD;
        }
        if event.stack != StackId::NONE {
            tag |= op::WITH_STACK;
        }
        out.push(tag);
        if tag & op::OTHER_THREAD != 0 {
            number(out, event.thread.number());
        }
        if tag & op::WITH_STACK != 0 {
            number(out, event.stack.number());
        }
        let site = event.site.number();
        difference(out, i64::from(site) - i64::from(self.previous.site));
        self.previous.thread = event.thread.number();
        self.previous.site = site;
        match event.action {
            Action::Access { location, .. } | Action::Sync { location, .. } => self.location(out, location),
            Action::Acquire { lock, depth, .. } | Action::Release { lock, depth, .. } => {
                self.object(out, lock.object);
                number(out, depth);
            }
            Action::Fork { child } | Action::Join { child } => number(out, child.number()),
            Action::End => {}
            Action::Publish { channel } | Action::Subscribe { channel } => self.channel(out, channel),
            Action::Freed { object } => self.object(out, object),
        }
    }

    fn location(&mut self, out: &mut Vec<u8>, location: Location) {
        match location {
            Location::Field { object, field } => {
                self.object(out, object);
                number(out, field.number());
            }
            Location::Static { field } => number(out, field.number()),
            Location::Element { object, index } => {
                self.object(out, object);
                number(out, index);
            }
            Location::Content { object } => self.object(out, object),
        }
    }

    fn channel(&mut self, out: &mut Vec<u8>, channel: Channel) {
        match channel {
            Channel::Object { object, item } => {
                self.object(out, object);
                number(out, item.0);
            }
            Channel::Interrupt { object } | Channel::Permit { object } => self.object(out, object),
            Channel::Class { class } => number(out, class.number()),
        }
    }

    fn object(&mut self, out: &mut Vec<u8>, object: ObjectId) {
        difference(out, object.0.wrapping_sub(self.previous.object) as i64);
        self.previous.object = object.0;
    }
}

fn operation(action: &Action) -> u8 {
    match action {
        Action::Access { location, kind } => {
            op::ACCESS + 2 * location_number(*location) + u8::from(*kind == AccessKind::Write)
        }
        Action::Sync { location, kind } => {
            let kind = match kind {
                SyncKind::Read => 0,
                SyncKind::Write => 1,
                SyncKind::Update => 2,
            };
            op::SYNC + 3 * location_number(*location) + kind
        }
        Action::Acquire { lock, mode, .. } => op::ACQUIRE + hold_number(*lock, *mode),
        Action::Release { lock, mode, .. } => op::RELEASE + hold_number(*lock, *mode),
        Action::Fork { .. } => op::FORK,
        Action::Join { .. } => op::JOIN,
        Action::End => op::END,
        Action::Freed { .. } => op::FREED,
        Action::Publish { channel } => op::PUBLISH + channel_number(*channel),
        Action::Subscribe { channel } => op::SUBSCRIBE + channel_number(*channel),
    }
}

fn location_number(location: Location) -> u8 {
    match location {
        Location::Field { .. } => 0,
        Location::Static { .. } => 1,
        Location::Element { .. } => 2,
        Location::Content { .. } => 3,
    }
}

fn hold_number(lock: Lock, mode: HoldMode) -> u8 {
    2 * u8::from(lock.role == LockRole::Explicit) + u8::from(mode == HoldMode::Shared)
}

fn channel_number(channel: Channel) -> u8 {
    match channel {
        Channel::Object { .. } => 0,
        Channel::Interrupt { .. } => 1,
        Channel::Permit { .. } => 2,
        Channel::Class { .. } => 3,
    }
}

fn number(out: &mut Vec<u8>, value: impl Into<u64>) {
    let mut value: u64 = value.into();
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn difference(out: &mut Vec<u8>, value: i64) {
    number(out, ((value << 1) ^ (value >> 63)) as u64);
}

fn text(out: &mut Vec<u8>, value: &str) {
    let mut end = value.len().min(super::MAX_TEXT as usize);
    while !value.is_char_boundary(end) {
        end -= 1;
    }
    number(out, end as u64);
    out.extend(&value.as_bytes()[..end]);
}

fn optional<T>(out: &mut Vec<u8>, value: Option<T>, write: impl FnOnce(&mut Vec<u8>, T)) {
    out.push(u8::from(value.is_some()));
    if let Some(value) = value {
        write(out, value);
    }
}

/// Writes a trace to a file, in large pieces.
pub struct TraceWriter<W: Write> {
    encoder: Encoder,
    pending: Vec<u8>,
    out: W,
}

/// Bytes are passed on when there are this many.
const PIECE: usize = 64 << 10;

impl<W: Write> TraceWriter<W> {
    /// A trace with nothing in it yet.
    pub fn new(out: W) -> Self {
        let mut pending = Vec::with_capacity(PIECE + 1024);
        Encoder::header(&mut pending);
        Self { encoder: Encoder::new(), pending, out }
    }

    /// Writes a definition: before the first event that names it.
    pub fn define(&mut self, definition: &Definition) -> io::Result<()> {
        self.encoder.define(definition, &mut self.pending);
        self.pass_on()
    }

    /// Writes an event.
    pub fn event(&mut self, event: &Event) -> io::Result<()> {
        self.encoder.event(event, &mut self.pending);
        self.pass_on()
    }

    /// Passes everything on: what was written so far can be read even if the process ends here.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.pending)?;
        self.pending.clear();
        self.out.flush()
    }

    /// Ends the trace.
    pub fn finish(mut self) -> io::Result<W> {
        Encoder::end_mark(&mut self.pending);
        self.flush()?;
        Ok(self.out)
    }

    fn pass_on(&mut self) -> io::Result<()> {
        if self.pending.len() >= PIECE {
            self.out.write_all(&self.pending)?;
            self.pending.clear();
        }
        Ok(())
    }
}
