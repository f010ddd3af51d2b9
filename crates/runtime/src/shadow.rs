//! What is known of memory locations: found by location, freed with the object, bounded in number.
//!
//! Two levels: objects, and within an object its fields or elements. Most objects have few watched locations, which lie in a
//! short vector; arrays with many watched elements get a hash map.

use rustc_hash::FxHashMap;
use selvedge_protocol::{Arrays, FieldId, Granularity, Location, ObjectId, Options};

/// Which locations are one, as the options have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coarseness {
    granularity: Granularity,
    arrays: Arrays,
}

impl Coarseness {
    /// As the options say.
    pub fn new(options: &Options) -> Self {
        Self { granularity: options.granularity, arrays: options.arrays }
    }

    /// The location that stands for this one; `None` if it is not looked at.
    pub fn of(self, location: Location) -> Option<Location> {
        match (location, self.granularity, self.arrays) {
            (Location::Element { .. }, _, Arrays::Off) => None,
            (Location::Element { object, .. }, Granularity::Object, _)
            | (Location::Element { object, .. }, _, Arrays::Whole)
            | (Location::Field { object, .. }, Granularity::Object, _) => Some(Location::Content { object }),
            _ => Some(location),
        }
    }
}

/// A value per location.
#[derive(Clone, Debug)]
pub struct ShadowMap<T> {
    objects: FxHashMap<ObjectId, Parts<T>>,
    statics: FxHashMap<FieldId, T>,
    len: u64,
    max: u64,
    refused: u64,
}

/// The values of one object's parts.
#[derive(Clone, Debug)]
enum Parts<T> {
    Few(Vec<(Part, T)>),
    Many(FxHashMap<Part, T>),
}

/// A field, an element or the content of an object.
type Part = u64;

/// More parts than this go into a hash map.
const FEW: usize = 12;

fn split(location: Location) -> Result<(ObjectId, Part), FieldId> {
    match location {
        Location::Field { object, field } => Ok((object, u64::from(field.number()))),
        Location::Element { object, index } => Ok((object, 1 << 32 | u64::from(index))),
        Location::Content { object } => Ok((object, 2 << 32)),
        Location::Static { field } => Err(field),
    }
}

impl<T: Default> ShadowMap<T> {
    /// An empty map that takes at most `max` locations.
    pub fn new(max: u64) -> Self {
        Self { objects: FxHashMap::default(), statics: FxHashMap::default(), len: 0, max, refused: 0 }
    }

    /// How many locations have a value.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether no location has a value.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How often a location was refused because the map was full.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// The value of the location; the default one if it has none yet; `None` if the map is full.
    pub fn entry(&mut self, location: Location) -> Option<&mut T> {
        let full = self.len >= self.max;
        if full && self.get(location).is_none() {
            self.refused += 1;
            return None;
        }
        let len = &mut self.len;
        let value = || {
            *len += 1;
            T::default()
        };
        Some(match split(location) {
            Err(field) => self.statics.entry(field).or_insert_with(value),
            Ok((object, part)) => {
                self.objects.entry(object).or_insert_with(|| Parts::Few(Vec::new())).entry(part, value)
            }
        })
    }

    /// The value of the location, if it has one.
    pub fn get(&self, location: Location) -> Option<&T> {
        match split(location) {
            Err(field) => self.statics.get(&field),
            Ok((object, part)) => match self.objects.get(&object)? {
                Parts::Few(list) => list.iter().find(|(own, _)| *own == part).map(|(_, value)| value),
                Parts::Many(map) => map.get(&part),
            },
        }
    }

    /// Whether something is known of a part of the object.
    pub fn knows(&self, object: ObjectId) -> bool {
        self.objects.contains_key(&object)
    }

    /// The object is gone, and what was known of it: each value is given to `each`.
    pub fn free(&mut self, object: ObjectId, mut each: impl FnMut(T)) {
        let mut take = |value| {
            self.len -= 1;
            each(value);
        };
        match self.objects.remove(&object) {
            Some(Parts::Few(list)) => list.into_iter().for_each(|(_, value)| take(value)),
            Some(Parts::Many(map)) => map.into_values().for_each(take),
            None => {}
        }
    }
}

impl<T> Parts<T> {
    fn entry(&mut self, part: Part, value: impl FnOnce() -> T) -> &mut T {
        if let Self::Few(list) = self
            && list.len() >= FEW
            && list.iter().all(|(own, _)| *own != part)
        {
            *self = Self::Many(list.drain(..).collect());
        }
        match self {
            Self::Few(list) => {
                let position = list.iter().position(|(own, _)| *own == part).unwrap_or_else(|| {
                    list.push((part, value()));
                    list.len() - 1
                });
                &mut list[position].1
            }
            Self::Many(map) => map.entry(part).or_insert_with(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_again_until_the_object_is_freed() {
        let mut map: ShadowMap<u32> = ShadowMap::new(1000);
        let object = ObjectId(1);
        let field = FieldId::new(7);
        let all: Vec<Location> = (0..30)
            .map(|index| Location::Element { object, index })
            .chain([
                Location::Field { object, field },
                Location::Content { object },
                Location::Static { field },
                Location::Field { object: ObjectId(2), field },
            ])
            .collect();
        for (number, location) in all.iter().enumerate() {
            *map.entry(*location).unwrap() = number as u32;
        }
        for (number, location) in all.iter().enumerate() {
            assert_eq!(map.get(*location), Some(&(number as u32)));
        }
        assert_eq!(map.len(), 34);
        let mut freed = 0;
        map.free(object, |_| freed += 1);
        assert_eq!(freed, 32);
        assert_eq!(map.len(), 2);
        assert_eq!(map.get(all[0]), None);
        assert_eq!(map.get(all[33]), Some(&33));
    }

    #[test]
    fn a_full_map_refuses_what_is_new_and_counts_it() {
        let mut map: ShadowMap<u32> = ShadowMap::new(2);
        let location = |object| Location::Content { object: ObjectId(object) };
        assert!(map.entry(location(1)).is_some());
        assert!(map.entry(location(2)).is_some());
        assert!(map.entry(location(3)).is_none());
        assert!(map.entry(location(1)).is_some());
        assert_eq!(map.refused(), 1);
        map.free(ObjectId(1), drop);
        assert!(map.entry(location(3)).is_some());
    }
}
