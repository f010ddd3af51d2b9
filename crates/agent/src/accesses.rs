//! Accesses that the support class cannot judge by itself: to what a second thread has touched, races, library objects, and what
//! loops did to arrays.

use selvedge_base::Id;
use selvedge_instrument::FieldKind;
use selvedge_jvm::sys::jni::jobject;
use selvedge_jvm::{Jvm, Problem};
use selvedge_protocol::{
    AccessKind, Action, DetectorChoice, Event, Location, ObjectId, SiteId, SiteKind, StackId, ThreadId,
};
use selvedge_runtime::ranges::{Span, Walk, Walked};
use selvedge_runtime::trie::Stands;
use selvedge_runtime::{Access, Hold, Race, Shown};

use crate::objects::Sharing;
use crate::state::{Content, State};

/// Where site, time and chain begin in a word of the support class.
const SITE: u32 = 1;
const TIME: u32 = 21;
const CHAIN: u32 = 51;

/// So many of the last bits of a time are the stage of the epoch.
pub(crate) const STAGES: u32 = 2;

/// The last time that a word can name.
pub(crate) const MAX_TIME: u32 = (1 << (CHAIN - TIME)) - 1;

/// Who accesses something, where and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Accessor {
    pub(crate) thread: ThreadId,
    /// The thread's word now.
    pub(crate) word: i64,
    pub(crate) site: SiteId,
    /// 0 for a read.
    pub(crate) kind: i32,
}

/// An earlier access, as a word of the support class tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Earlier {
    chain: u32,
    time: u32,
    site: SiteId,
    kind: i32,
}

impl Earlier {
    pub(crate) fn new(word: i64, kind: i32) -> Earlier {
        let word = word as u64;
        Earlier {
            chain: (word >> CHAIN) as u32,
            time: (word >> TIME) as u32 & MAX_TIME,
            site: SiteId::from_index((word >> SITE) as usize & ((1 << (TIME - SITE)) - 1)),
            kind,
        }
    }
}

fn kind_of(number: i32) -> AccessKind {
    if number == 0 { AccessKind::Read } else { AccessKind::Write }
}

impl State {
    /// What an access at a site is to; `None` if that need not be looked at.
    fn location(
        &mut self,
        jvm: &Jvm,
        site: SiteId,
        object: jobject,
        index: i32,
    ) -> Result<Option<Location>, Problem> {
        let kind = self.tables.sites.get(site).map(|entry| entry.kind);
        if let Some(SiteKind::ArrayLoad | SiteKind::ArrayStore) = kind {
            let Ok(index) = u32::try_from(index) else { return Ok(None) };
            return Ok(Some(Location::Element { object: self.number(jvm, object)?, index }));
        }
        if let Some(SiteKind::Call | SiteKind::ContainerRead | SiteKind::ContainerWrite) = kind {
            return Ok(Some(Location::Content { object: self.number(jvm, object)? }));
        }
        let Some((field, FieldKind::Plain)) = self.field_of(site) else { return Ok(None) };
        if object.is_null() {
            return Ok(Some(Location::Static { field }));
        }
        Ok(Some(Location::Field { object: self.number(jvm, object)?, field }))
    }

    /// An access that the support class cannot judge by itself: a second thread has touched the location. With `locks_only`, the support class has judged it by order.
    /// Which of the locks that the thread holds are enough that such accesses need not be told any more (see `Lockset::enough_locks`), and how many it holds; `None` if
    /// all of them are not.
    pub(crate) fn told(
        &mut self,
        jvm: &Jvm,
        accessor: Accessor,
        object: jobject,
        index: i32,
        locks_only: bool,
    ) -> Result<Option<(usize, usize)>, Problem> {
        self.free_objects();
        let Some(location) = self.location(jvm, accessor.site, object, index)? else { return Ok(None) };
        self.engine.share(location);
        let kind = kind_of(accessor.kind);
        let event = Event::new(accessor.thread, Action::Access { location, kind }).at(accessor.site);
        if locks_only {
            if let Some(race) = self.engine.event_by_locks(&event) {
                self.race(race);
            }
        } else {
            self.judge(event);
        }
        let enough = self.engine.enough_locks(accessor.thread, location, kind);
        Ok(enough.map(|enough| (enough, self.engine.held().of(accessor.thread).acquired().len())))
    }

    /// An access that is only to be recorded.
    pub(crate) fn recorded(
        &mut self,
        jvm: &Jvm,
        accessor: Accessor,
        object: jobject,
        index: i32,
    ) -> Result<(), Problem> {
        self.free_objects();
        if let Some(location) = self.location(jvm, accessor.site, object, index)? {
            let action = Action::Access { location, kind: kind_of(accessor.kind) };
            self.record(&Event::new(accessor.thread, action).at(accessor.site));
        }
        Ok(())
    }

    /// An access that nothing orders after an earlier one.
    pub(crate) fn unordered(
        &mut self,
        jvm: &Jvm,
        accessor: Accessor,
        object: jobject,
        index: i32,
        earlier: Earlier,
        locks: Vec<Hold>,
    ) -> Result<(), Problem> {
        // The clock that the support class has judged by may be an old one.
        if self.engine.knows(accessor.thread, earlier.chain, earlier.time) {
            return Ok(());
        }
        let Some(location) = self.location(jvm, accessor.site, object, index)? else { return Ok(()) };
        let Some(thread) = self.engine.member(earlier.chain, earlier.time) else { return Ok(()) };
        let access = |thread, site, kind, locks| Access {
            thread,
            site,
            stack: StackId::NONE,
            kind: kind_of(kind),
            locks,
        };
        let site =
            if earlier.site.index() < self.tables.sites.len() { earlier.site } else { SiteId::UNKNOWN };
        let held = self.engine.held().of(accessor.thread).locks().to_vec();
        let race = Race {
            location,
            current: access(Some(accessor.thread), accessor.site, accessor.kind, held),
            previous: access(thread, site, earlier.kind, locks),
            shown: Shown::HappensBefore,
        };
        self.race(race);
        Ok(())
    }

    /// The number of an object without a word of its own, and whether it was given just now; otherwise its owner's word.
    fn touched(
        &mut self,
        jvm: &Jvm,
        accessor: Accessor,
        object: jobject,
    ) -> Result<Result<(ObjectId, bool), i64>, Problem> {
        let owned = self.settings.plan.options.detector == DetectorChoice::Lockset;
        Ok(match self.numbers.touch(jvm, object, accessor.word, owned)? {
            Sharing::Owned(word) => Err(word),
            Sharing::Numbered(number, is_new) => {
                if is_new {
                    self.name_object(jvm, object, number);
                }
                Ok((number, is_new))
            }
        })
    }

    /// An access to a field of an object without a word of its own.
    pub(crate) fn plain_access(
        &mut self,
        jvm: &Jvm,
        accessor: Accessor,
        object: jobject,
    ) -> Result<(), Problem> {
        let Ok((object, _)) = self.touched(jvm, accessor, object)? else { return Ok(()) };
        if let Some((field, FieldKind::Plain)) = self.field_of(accessor.site) {
            let location = Location::Field { object, field };
            self.access(accessor.thread, accessor.site, location, kind_of(accessor.kind));
        }
        Ok(())
    }

    fn access(&mut self, thread: ThreadId, site: SiteId, location: Location, kind: AccessKind) {
        self.event(Event::new(thread, Action::Access { location, kind }).at(site));
    }

    /// What the call at a site does to the content of a receiver: 0 nothing, 1 read, 2 write; and two bits above, to that of the object behind it.
    pub(crate) fn kind_of_call(&mut self, jvm: &Jvm, object: jobject, site: SiteId) -> Result<i32, Problem> {
        let class = self.class_of(jvm, object)?;
        let called = self.called(class, site);
        let kind = match called.receiver {
            Content::Nothing => called.behind,
            receiver => receiver,
        };
        // Which of the two it is, the receiver's class has told.
        match kind {
            Content::Reads => self.tables.sites[site].kind = SiteKind::ContainerRead,
            Content::Writes => self.tables.sites[site].kind = SiteKind::ContainerWrite,
            Content::Nothing => {}
        }
        Ok(called.receiver.number() | called.behind.number() << 2)
    }

    /// The fields that lead from a receiver to the object whose content the call at a site concerns.
    pub(crate) fn path_behind(
        &mut self,
        jvm: &Jvm,
        object: jobject,
        site: SiteId,
    ) -> Result<String, Problem> {
        let class = self.class_of(jvm, object)?;
        Ok(self.called(class, site).path)
    }

    /// What a loop did to elements of an array: by the thread now, or, told late, in the word of an earlier access. The answer is
    /// 0 if that says nothing new, 1 if it is kept, 2 if elements are to be told one by one from now on.
    pub(crate) fn walked(
        &mut self,
        jvm: &Jvm,
        accessor: Accessor,
        array: jobject,
        span: Span,
        earlier_locks: Vec<Hold>,
    ) -> Result<i32, Problem> {
        self.free_objects();
        let object = self.number(jvm, array)?;
        let kind = kind_of(accessor.kind);
        let walk = if accessor.word == 0 {
            let locks = self.engine.held().of(accessor.thread).shared_locks();
            Walk { thread: accessor.thread, site: accessor.site, kind, span, locks, stands: None }
        } else {
            let Earlier { chain, time, site, .. } = Earlier::new(accessor.word, accessor.kind);
            // A thread that is forgotten has ended long ago, and what it walked through with it.
            let Some(Some(thread)) = self.member(chain, time) else { return Ok(0) };
            let locks = Some(earlier_locks).filter(|locks| !locks.is_empty());
            // What came before the second thread takes part in no race by locksets.
            let stands = Some(Stands::FIRST);
            Walk { thread, site, kind, span, locks: locks.map(std::sync::Arc::new), stands }
        };
        let (walked, race) = self.engine.walk(object, walk);
        if let Some(race) = race {
            self.race(race);
        }
        Ok(match walked {
            Walked::Known => 0,
            Walked::Kept => 1,
            Walked::Apart(_) => 2,
        })
    }
}
