//! The sites of classes as they were rewritten, so that a class that several loaders load has them once: programs that load the same classes again and again
//! do not run out of numbers, and a race is one race whichever loader's class shows it.
//!
//! Two loads are alike if the class file is the same to the byte. What else a site depends on, the fields of other classes, is looked at again when the
//! site is used; so one that names another field than before is a new one.

use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::{FxHashMap, FxHasher};
use selvedge_protocol::SiteKind;

/// A site: its number, and the kind that it had when it was asked for.
type Site = (u32, SiteKind);

/// The sites of the classes loaded so far.
#[derive(Debug, Default)]
pub(crate) struct Loads {
    /// By a hash of the class file, in the order in which they were asked for.
    sites: FxHashMap<u64, Vec<Site>>,
    /// The class that is rewritten.
    current: Option<Load>,
}

#[derive(Debug)]
struct Load {
    hash: u64,
    /// The sites of an earlier load, those used this time no more.
    known: Vec<Option<Site>>,
    /// Where the next one is to be expected.
    position: usize,
    sites: Vec<Site>,
}

impl Loads {
    /// A class is rewritten from now on.
    pub(crate) fn begin(&mut self, bytes: &[u8]) {
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(bytes);
        let known = self.sites.remove(&hash).unwrap_or_default().into_iter().map(Some).collect();
        self.current = Some(Load { hash, known, position: 0, sites: Vec::new() });
    }

    /// The class has been rewritten.
    pub(crate) fn end(&mut self) {
        if let Some(Load { hash, known, mut sites, .. }) = self.current.take() {
            // What was not asked for this time may be asked for the next time.
            sites.extend(known.into_iter().flatten());
            if !sites.is_empty() {
                self.sites.insert(hash, sites);
            }
        }
    }

    /// The next site of this kind that an earlier load of the class had, if it is the same.
    pub(crate) fn again(&mut self, kind: SiteKind, same: impl Fn(u32) -> bool) -> Option<u32> {
        let load = self.current.as_mut()?;
        let order = (load.position..load.known.len()).chain(0..load.position);
        let is_same =
            |at: &usize| load.known[*at].is_some_and(|(number, known)| known == kind && same(number));
        let position = order.into_iter().find(is_same)?;
        let site = load.known[position].take()?;
        load.position = position + 1;
        load.sites.push(site);
        Some(site.0)
    }

    /// A new site of the class.
    pub(crate) fn defined(&mut self, number: u32, kind: SiteKind) {
        if let Some(load) = &mut self.current {
            load.sites.push((number, kind));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks for sites of these indexes, all of one kind; `next` is the number of the next new one, and `indexes` says which index each number has.
    fn load(loads: &mut Loads, bytes: &[u8], asked: &[u32], indexes: &mut Vec<u32>) -> Vec<u32> {
        loads.begin(bytes);
        let numbers = asked.iter().map(|index| {
            let known = loads.again(SiteKind::FieldGet, |number| indexes[number as usize] == *index);
            known.unwrap_or_else(|| {
                indexes.push(*index);
                let number = indexes.len() as u32 - 1;
                loads.defined(number, SiteKind::FieldGet);
                number
            })
        });
        let numbers = numbers.collect();
        loads.end();
        numbers
    }

    #[test]
    fn a_class_that_is_loaded_again_has_the_same_sites() {
        let (mut loads, mut indexes) = (Loads::default(), Vec::new());
        assert_eq!(load(&mut loads, b"A", &[3, 5, 5, 9], &mut indexes), [0, 1, 2, 3]);
        assert_eq!(load(&mut loads, b"A", &[3, 5, 5, 9], &mut indexes), [0, 1, 2, 3]);
        assert_eq!(load(&mut loads, b"B", &[3], &mut indexes), [4]);
        // Fewer, in another order, and one more.
        assert_eq!(load(&mut loads, b"A", &[9, 3, 7], &mut indexes), [3, 0, 5]);
        assert_eq!(load(&mut loads, b"A", &[3, 5, 5, 7, 9], &mut indexes), [0, 1, 2, 5, 3]);
        assert_eq!(loads.again(SiteKind::FieldGet, |_| true), None, "no class is rewritten");
    }
}
