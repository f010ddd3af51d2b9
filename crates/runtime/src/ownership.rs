//! Ownership: the first thread that touches a location owns it, and nothing is recorded until a second one touches it
//! (section 7 of the paper).
//!
//! This stands for the order that thread starts enforce, which locksets cannot express: data that one thread prepares and
//! another uses is in order in nearly all programs. It is a deviation from the definition of a race, in one direction:
//! **an access of the first owner before the first access of another thread takes part in no race**, even if nothing
//! orders the two. The accesses after the hand-over are judged as always, those of the former owner too. There is one
//! hand-over: a location that has become shared stays so.
//!
//! The happens-before detector has no need of this and is not affected; with both detectors on, a race that ownership hides
//! is found if the run's order shows it.
//!
//! **With caches.** What a thread's cache says is recorded is only recorded if the location was shared at the time. While a
//! location is owned, only its owner's caches can know it; when it becomes shared it leaves them ([`Touched::HandedOver`]),
//! so that the former owner's next access is looked at.

use selvedge_protocol::ThreadId;

/// Who owns a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ownership {
    /// Nobody has touched it.
    #[default]
    Untouched,
    /// Only this thread has.
    Owned(ThreadId),
    /// More than one thread has.
    Shared,
}

/// What became of a location when a thread touched it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touched {
    /// It is the thread's own: the access does not count.
    Owned,
    /// It was this other thread's own and is shared from now on, beginning with this access.
    HandedOver(ThreadId),
    /// It was shared: the access counts.
    Shared,
}

impl Ownership {
    /// The thread touches the location.
    #[inline]
    pub fn touch(&mut self, thread: ThreadId) -> Touched {
        match *self {
            Self::Untouched => {
                *self = Self::Owned(thread);
                Touched::Owned
            }
            Self::Owned(owner) if owner == thread => Touched::Owned,
            Self::Owned(owner) => {
                *self = Self::Shared;
                Touched::HandedOver(owner)
            }
            Self::Shared => Touched::Shared,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_thread_makes_it_shared_for_all() {
        let [first, second] = [ThreadId::new(1), ThreadId::new(2)];
        let mut ownership = Ownership::default();
        let touched = [first, first, second, first, second].map(|thread| ownership.touch(thread));
        use Touched::*;
        assert_eq!(touched, [Owned, Owned, HandedOver(first), Shared, Shared]);
        assert_eq!(ownership, Ownership::Shared);
    }
}
