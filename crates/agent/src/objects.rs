//! Numbers of objects, kept as tags by the JVM: an object's number is never an address, and is not used again.
//!
//! A tag is a word as in the support class: 0 for an object that no thread has accessed, even for one that a thread owns, odd
//! (twice the number, plus one) for one with a number. Objects whose class the agent has rewritten hold their word
//! themselves while they are owned; arrays and library objects have only the tag.

use selvedge_jvm::sys::jni::jobject;
use selvedge_jvm::{Jvm, Problem};
use selvedge_protocol::ObjectId;

/// The next number to be given.
#[derive(Debug)]
pub(crate) struct Numbers {
    next: u64,
}

impl Default for Numbers {
    fn default() -> Self {
        // Number 0 is no object; those of static fields, of which there are at most 65,536, are not numbers of objects.
        Numbers { next: 1 }
    }
}

/// What is known of an object at an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sharing {
    /// One thread's own: the word is that of the thread.
    Owned(i64),
    /// It has a number; `true` if it was given just now.
    Numbered(ObjectId, bool),
}

/// The word of an object with a number.
pub(crate) fn word_of(object: ObjectId) -> i64 {
    (object.0 << 1 | 1) as i64
}

/// The object whose word this is, if it is one with a number.
pub(crate) fn object_of(word: i64) -> Option<ObjectId> {
    (word & 1 != 0).then_some(ObjectId(word as u64 >> 1))
}

impl Numbers {
    /// The object's number, and whether it was given just now.
    pub(crate) fn number(&mut self, jvm: &Jvm, object: jobject) -> Result<(ObjectId, bool), Problem> {
        match object_of(jvm.tag(object)?) {
            Some(known) => Ok((known, false)),
            None => {
                let new = ObjectId(self.next);
                self.next += 1;
                jvm.set_tag(object, word_of(new))?;
                Ok((new, true))
            }
        }
    }

    /// What an access by the thread of this word makes of an object that has no word of its own. Where order is looked at, nobody
    /// owns it: what a thread has made itself in this epoch does not come here.
    pub(crate) fn touch(
        &mut self,
        jvm: &Jvm,
        object: jobject,
        thread_word: i64,
        owned: bool,
    ) -> Result<Sharing, Problem> {
        let tag = jvm.tag(object)?;
        if let Some(known) = object_of(tag) {
            return Ok(Sharing::Numbered(known, false));
        }
        if !owned {
            let (number, _) = self.number(jvm, object)?;
            return Ok(Sharing::Numbered(number, true));
        }
        if tag == 0 {
            jvm.set_tag(object, thread_word)?;
        }
        if tag == 0 || tag == thread_word {
            return Ok(Sharing::Owned(thread_word));
        }
        let (number, _) = self.number(jvm, object)?;
        Ok(Sharing::Numbered(number, true))
    }
}
