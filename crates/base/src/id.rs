//! Typed 32-bit ids and the vectors they index.
//!
//! An id is a `u32` that belongs to one arena: the id of a method cannot index the fields by
//! mistake. [`entity!`](crate::entity) declares id types that print with a short prefix, as in the text forms.

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A typed index. Implemented by [`entity!`](crate::entity).
pub trait Id: Copy + Eq + Ord + Hash + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// The id of the `index`-th element of an arena.
    ///
    /// # Panics
    /// If `index` does not fit into 32 bits: arenas of that size are refused where input is read.
    fn from_index(index: usize) -> Self;
    /// The position in the arena.
    fn index(self) -> usize;
}

/// Declares id types: `entity! { /// doc \n Block "b"; ... }`. Each prints as its prefix and number, `b3`.
#[macro_export]
macro_rules! entity {
    ($($(#[$meta:meta])* $name:ident $prefix:literal;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        #[allow(dead_code)]
        impl $name {
            /// The id with this number.
            pub const fn new(number: u32) -> Self { Self(number) }
            /// The number of this id.
            pub const fn number(self) -> u32 { self.0 }
        }

        impl $crate::Id for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("an arena holds at most 2^32 elements"))
            }
            #[inline]
            fn index(self) -> usize { self.0 as usize }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::write!(f, ::std::concat!($prefix, "{}"), self.0)
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self, f)
            }
        }
    )*};
}

/// A vector indexed by a typed id.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    ids: PhantomData<fn(I)>,
}

impl<I: Id, T> IdVec<I, T> {
    /// An empty vector.
    pub const fn new() -> Self {
        Self { items: Vec::new(), ids: PhantomData }
    }

    /// An empty vector with room for `capacity` elements.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { items: Vec::with_capacity(capacity), ids: PhantomData }
    }

    /// `len` copies of `item`.
    pub fn filled(item: T, len: usize) -> Self
    where
        T: Clone,
    {
        Self { items: vec![item; len], ids: PhantomData }
    }

    /// Appends `item` and returns its id.
    pub fn push(&mut self, item: T) -> I {
        let id = self.next_id();
        self.items.push(item);
        id
    }

    /// The id the next [`push`](Self::push) will return.
    pub fn next_id(&self) -> I {
        I::from_index(self.items.len())
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The element with this id, if there is one.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// The element with this id, if there is one, to change.
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.items.get_mut(id.index())
    }

    /// All ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    /// All elements in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// All elements in order, to change.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// All elements with their ids, in order.
    pub fn iter_ids(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(index, item)| (I::from_index(index), item))
    }

    /// The elements from the given index on, with their ids, in order; those before it cost nothing.
    pub fn iter_ids_from(
        &self,
        first: usize,
    ) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        let rest = self.items.get(first..).unwrap_or_default();
        rest.iter().enumerate().map(move |(index, item)| (I::from_index(first + index), item))
    }

    /// The elements as a slice.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }

    /// The items as a slice whose items can be changed.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// The elements of a range of ids.
    pub fn slice(&self, range: IdRange<I>) -> &[T] {
        &self.items[range.start as usize..range.end as usize]
    }

    /// Makes the vector `len` long, filling up with what `make` returns.
    pub fn resize_with(&mut self, len: usize, make: impl FnMut() -> T) {
        self.items.resize_with(len, make);
    }

    /// Keeps the first `len` elements.
    pub fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }

    /// Gives back unused memory.
    pub fn shrink_to_fit(&mut self) {
        self.items.shrink_to_fit();
    }

    /// The elements as a plain vector.
    pub fn into_vec(self) -> Vec<T> {
        self.items
    }
}

impl<I: Id, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> From<Vec<T>> for IdVec<I, T> {
    fn from(items: Vec<T>) -> Self {
        Self { items, ids: PhantomData }
    }
}

impl<I: Id, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<S: IntoIterator<Item = T>>(items: S) -> Self {
        Self::from(Vec::from_iter(items))
    }
}

impl<I: Id, T> Extend<T> for IdVec<I, T> {
    fn extend<S: IntoIterator<Item = T>>(&mut self, items: S) {
        self.items.extend(items);
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter_ids()).finish()
    }
}

/// A half-open range of ids: the members of one class, the instructions of one block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IdRange<I> {
    start: u32,
    end: u32,
    ids: PhantomData<fn(I)>,
}

impl<I: Id> IdRange<I> {
    /// The ids from `start` up to but not including `end`.
    pub fn new(start: I, end: I) -> Self {
        let (start, end) = (start.index() as u32, end.index() as u32);
        Self { start, end: end.max(start), ids: PhantomData }
    }

    /// No ids at all.
    pub const fn empty() -> Self {
        Self { start: 0, end: 0, ids: PhantomData }
    }

    /// How many ids there are.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `id` is among them.
    pub fn contains(self, id: I) -> bool {
        (self.start..self.end).contains(&(id.index() as u32))
    }

    /// The first id, if there is one.
    pub fn first(self) -> Option<I> {
        (!self.is_empty()).then(|| I::from_index(self.start as usize))
    }

    /// The last id, if there is one.
    pub fn last(self) -> Option<I> {
        (!self.is_empty()).then(|| I::from_index(self.end as usize - 1))
    }

    /// The ids in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator {
        (self.start as usize..self.end as usize).map(I::from_index)
    }
}

impl<I: Id> Default for IdRange<I> {
    fn default() -> Self {
        Self::empty()
    }
}

impl<I: Id> fmt::Debug for IdRange<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    entity! {
        /// An id for the tests.
        Thing "th";
    }

    #[test]
    fn ids_print_with_their_prefix_and_index_their_vector() {
        let mut things: IdVec<Thing, &str> = IdVec::new();
        let a = things.push("a");
        let b = things.push("b");
        assert_eq!((a.to_string().as_str(), things[b]), ("th0", "b"));
        let range = IdRange::new(a, things.next_id());
        assert_eq!(range.iter().collect::<Vec<_>>(), [a, b]);
        assert_eq!(things.slice(range), ["a", "b"]);
        assert!(range.contains(b) && !range.contains(things.next_id()));
        assert_eq!(
            (range.first(), range.last(), IdRange::<Thing>::empty().first()),
            (Some(a), Some(b), None)
        );
    }
}
