//! Reading traces, whatever the bytes are.

use std::fmt;
use std::io::{self, Read};

use super::{MAGIC, MAX_FRAMES, MAX_TEXT, Previous, VERSION, op};
use crate::event::{
    AccessKind, Action, Channel, ClassId, Event, FieldId, HoldMode, Location, Lock, LockRole,
};
use crate::event::{ObjectId, SiteId, StackId, SyncKind, ThreadId};
use crate::site::{SiteKey, SiteKind};
use crate::tables::{Definition, FieldEntry, ObjectEntry, SiteEntry, Tables, ThreadEntry, UndefinedId};

/// Why a trace cannot be read, or not further.
#[derive(Debug)]
pub enum TraceError {
    /// It does not begin as a trace does.
    NoTrace,
    /// It is of another version.
    Version(u64),
    /// The bytes mean nothing.
    Damaged {
        /// Where the record begins.
        offset: u64,
        /// What is wrong, as a clause.
        what: String,
    },
    /// The file cannot be read.
    Unreadable(io::Error),
}

impl fmt::Display for TraceError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTrace => out.write_str("this is not a valid trace"),
            Self::Version(version) => {
                write!(out, "the trace has version {version}; this program reads version {VERSION}")
            }
            Self::Damaged { offset, what } => write!(out, "the trace is damaged at byte {offset}: {what}"),
            Self::Unreadable(error) => write!(out, "the trace cannot be read: {error}"),
        }
    }
}

impl std::error::Error for TraceError {}

/// Why a record could not be read.
enum Stop {
    /// The bytes end within it.
    Cut,
    Wrong(String),
    Unreadable(io::Error),
}

impl From<UndefinedId> for Stop {
    fn from(error: UndefinedId) -> Self {
        Self::Wrong(error.to_string())
    }
}

/// Reads a trace event by event.
pub struct TraceReader<R> {
    input: Input<R>,
    previous: Previous,
    tables: Tables,
    /// The object that the last event freed: known until the next event is asked for.
    freed: Option<ObjectId>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Reading,
    Complete,
    Truncated,
    Failed,
}

impl<R: Read> TraceReader<R> {
    /// Opens a trace: reads its header.
    pub fn new(reader: R) -> Result<Self, TraceError> {
        let mut input = Input { reader, bytes: vec![0; 64 << 10], start: 0, end: 0, consumed: 0 };
        for expected in MAGIC {
            match input.byte() {
                Ok(byte) if byte == expected => {}
                Err(Stop::Unreadable(error)) => return Err(TraceError::Unreadable(error)),
                _ => return Err(TraceError::NoTrace),
            }
        }
        match input.number() {
            Ok(VERSION) => {}
            Ok(version) => return Err(TraceError::Version(version)),
            Err(Stop::Unreadable(error)) => return Err(TraceError::Unreadable(error)),
            Err(_) => return Err(TraceError::NoTrace),
        }
        let previous = Previous::default();
        Ok(Self { input, previous, tables: Tables::new(), freed: None, state: State::Reading })
    }

    /// What the numbers in the events so far stand for.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The tables, when all is read.
    pub fn into_tables(self) -> Tables {
        self.tables
    }

    /// Whether the trace has ended without its end mark: the process was killed, or the file cut off.
    pub fn truncated(&self) -> bool {
        self.state == State::Truncated
    }

    /// The next event; `None` at the end, or where the file is cut off. After an error there are no more events.
    pub fn next_event(&mut self) -> Result<Option<Event>, TraceError> {
        if let Some(object) = self.freed.take() {
            self.tables.objects.remove(&object);
        }
        while self.state == State::Reading {
            let offset = self.input.consumed;
            match self.record() {
                Ok(Some(event)) => {
                    if let Action::Freed { object } = event.action {
                        self.freed = Some(object);
                    }
                    return Ok(Some(event));
                }
                Ok(None) => {}
                Err(Stop::Cut) => self.state = State::Truncated,
                Err(Stop::Wrong(what)) => {
                    self.state = State::Failed;
                    return Err(TraceError::Damaged { offset, what });
                }
                Err(Stop::Unreadable(error)) => {
                    self.state = State::Failed;
                    return Err(TraceError::Unreadable(error));
                }
            }
        }
        Ok(None)
    }

    /// Reads one record: an event, or a definition that goes into the tables, or the end mark.
    fn record(&mut self) -> Result<Option<Event>, Stop> {
        let tag = self.input.byte()?;
        let definition = match tag {
            op::END_MARK => {
                self.state = State::Complete;
                return Ok(None);
            }
            op::CLASS => Definition::Class(self.input.text()?),
            op::FIELD => Definition::Field(FieldEntry {
                class: ClassId::new(self.input.small()?),
                name: self.input.text()?,
            }),
            op::SITE => Definition::Site(self.site()?),
            op::STACK => {
                let frames = self.input.number()?;
                if frames > MAX_FRAMES {
                    return Err(Stop::Wrong(format!("a stack of {frames} frames")));
                }
                let mut stack = Vec::new();
                for _ in 0..frames {
                    stack.push(SiteId::new(self.input.small()?));
                }
                Definition::Stack(stack)
            }
            op::THREAD => Definition::Thread(ThreadEntry {
                name: self.input.text()?,
                spawned_at: SiteId::new(self.input.small()?),
                entry: self.input.text()?,
            }),
            op::OBJECT => {
                let object = self.object()?;
                let class = ClassId::new(self.input.small()?);
                let allocated_at = SiteId::new(self.input.small()?);
                Definition::Object(object, ObjectEntry { class, allocated_at })
            }
            _ => return self.event(tag).map(Some),
        };
        self.tables.define(definition)?;
        Ok(None)
    }

    fn site(&mut self) -> Result<SiteEntry, Stop> {
        let code = self.input.byte()?;
        let kind = SiteKind::from_code(code)
            .ok_or_else(|| Stop::Wrong(format!("there is no kind of site {code}")))?;
        let key = SiteKey {
            class: self.input.text()?,
            method: self.input.text()?,
            descriptor: self.input.text()?,
            index: self.input.small()?,
        };
        let file = if self.input.flag()? { Some(self.input.text()?) } else { None };
        let line = if self.input.flag()? { Some(self.input.small()?) } else { None };
        Ok(SiteEntry { key, kind, file, line })
    }

    fn event(&mut self, tag: u8) -> Result<Event, Stop> {
        let operation = tag & op::MASK;
        if !(op::ACCESS..op::SUBSCRIBE + 4).contains(&operation) {
            return Err(Stop::Wrong(format!("there is no record {tag:#04x}")));
        }
        if tag & op::OTHER_THREAD != 0 {
            self.previous.thread = self.input.small()?;
        }
        let stack = if tag & op::WITH_STACK != 0 { StackId::new(self.input.small()?) } else { StackId::NONE };
        let site = i64::from(self.previous.site).wrapping_add(self.input.difference()?);
        self.previous.site =
            u32::try_from(site).map_err(|_| Stop::Wrong("the number of a site is out of range".into()))?;
        let action = self.action(operation)?;
        let event = Event {
            thread: ThreadId::new(self.previous.thread),
            site: SiteId::new(self.previous.site),
            stack,
            action,
        };
        self.tables.check(&event)?;
        Ok(event)
    }

    fn action(&mut self, operation: u8) -> Result<Action, Stop> {
        Ok(match operation {
            op::ACCESS..op::SYNC => {
                let number = operation - op::ACCESS;
                let kind = if number.is_multiple_of(2) { AccessKind::Read } else { AccessKind::Write };
                Action::Access { location: self.location(number / 2)?, kind }
            }
            op::SYNC..op::ACQUIRE => {
                let number = operation - op::SYNC;
                let kind = [SyncKind::Read, SyncKind::Write, SyncKind::Update][usize::from(number % 3)];
                Action::Sync { location: self.location(number / 3)?, kind }
            }
            op::ACQUIRE..op::RELEASE => {
                let (lock, mode) = self.hold(operation - op::ACQUIRE)?;
                Action::Acquire { lock, mode, depth: self.input.small()? }
            }
            op::RELEASE..op::FORK => {
                let (lock, mode) = self.hold(operation - op::RELEASE)?;
                Action::Release { lock, mode, depth: self.input.small()? }
            }
            op::FORK => Action::Fork { child: ThreadId::new(self.input.small()?) },
            op::JOIN => Action::Join { child: ThreadId::new(self.input.small()?) },
            op::END => Action::End,
            op::FREED => Action::Freed { object: self.object()? },
            op::PUBLISH..op::SUBSCRIBE => Action::Publish { channel: self.channel(operation - op::PUBLISH)? },
            _ => Action::Subscribe { channel: self.channel(operation - op::SUBSCRIBE)? },
        })
    }

    fn location(&mut self, number: u8) -> Result<Location, Stop> {
        Ok(match number {
            0 => Location::Field { object: self.object()?, field: FieldId::new(self.input.small()?) },
            1 => Location::Static { field: FieldId::new(self.input.small()?) },
            2 => Location::Element { object: self.object()?, index: self.input.small()? },
            _ => Location::Content { object: self.object()? },
        })
    }

    fn hold(&mut self, number: u8) -> Result<(Lock, HoldMode), Stop> {
        let role = if number < 2 { LockRole::Monitor } else { LockRole::Explicit };
        let mode = if number.is_multiple_of(2) { HoldMode::Exclusive } else { HoldMode::Shared };
        Ok((Lock { object: self.object()?, role }, mode))
    }

    fn channel(&mut self, number: u8) -> Result<Channel, Stop> {
        Ok(match number {
            0 => Channel::Object { object: self.object()?, item: ObjectId(self.input.number()?) },
            1 => Channel::Interrupt { object: self.object()? },
            2 => Channel::Permit { object: self.object()? },
            _ => Channel::Class { class: ClassId::new(self.input.small()?) },
        })
    }

    fn object(&mut self) -> Result<ObjectId, Stop> {
        let difference = self.input.difference()?;
        self.previous.object = self.previous.object.wrapping_add(difference as u64);
        Ok(ObjectId(self.previous.object))
    }
}

/// Bytes of the file, a piece at a time.
struct Input<R> {
    reader: R,
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// Bytes given out so far.
    consumed: u64,
}

impl<R: Read> Input<R> {
    #[inline]
    fn byte(&mut self) -> Result<u8, Stop> {
        if self.start == self.end {
            self.refill()?;
        }
        let byte = self.bytes[self.start];
        self.start += 1;
        self.consumed += 1;
        Ok(byte)
    }

    #[cold]
    fn refill(&mut self) -> Result<(), Stop> {
        loop {
            match self.reader.read(&mut self.bytes) {
                Ok(0) => return Err(Stop::Cut),
                Ok(length) => {
                    (self.start, self.end) = (0, length);
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Stop::Unreadable(error)),
            }
        }
    }

    fn number(&mut self) -> Result<u64, Stop> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            if shift == 63 && byte > 1 {
                break;
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Stop::Wrong("a number has more than 64 bits".into()))
    }

    fn small(&mut self) -> Result<u32, Stop> {
        let value = self.number()?;
        u32::try_from(value).map_err(|_| Stop::Wrong(format!("the number {value} has more than 32 bits")))
    }

    fn difference(&mut self) -> Result<i64, Stop> {
        let value = self.number()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    fn flag(&mut self) -> Result<bool, Stop> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(Stop::Wrong(format!("{other} stands where only 0 or 1 may"))),
        }
    }

    fn text(&mut self) -> Result<String, Stop> {
        let length = self.number()?;
        if length > MAX_TEXT {
            return Err(Stop::Wrong(format!("a text of {length} bytes")));
        }
        let mut bytes = Vec::new();
        for _ in 0..length {
            bytes.push(self.byte()?);
        }
        String::from_utf8(bytes).map_err(|_| Stop::Wrong("a text is not UTF-8".into()))
    }
}
