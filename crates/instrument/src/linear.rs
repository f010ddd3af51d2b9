//! Sums of local variables with constant factors: what indexes of array elements usually are.

/// A constant and local variables times constants, modulo 2^32 as the JVM computes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Linear {
    /// Slots in increasing order with factors other than 0.
    terms: Vec<(u16, i32)>,
    pub(crate) constant: i32,
}

/// Sums of more variables than this are not followed.
const MAX_TERMS: usize = 4;

impl Linear {
    pub(crate) fn constant(constant: i32) -> Linear {
        Linear { terms: Vec::new(), constant }
    }

    pub(crate) fn local(slot: u16) -> Linear {
        Linear { terms: vec![(slot, 1)], constant: 0 }
    }

    pub(crate) fn times(mut self, factor: i32) -> Linear {
        self.terms.iter_mut().for_each(|(_, of)| *of = of.wrapping_mul(factor));
        self.terms.retain(|(_, of)| *of != 0);
        self.constant = self.constant.wrapping_mul(factor);
        self
    }

    pub(crate) fn plus(mut self, other: &Linear) -> Option<Linear> {
        for &(slot, factor) in &other.terms {
            match self.terms.binary_search_by_key(&slot, |(slot, _)| *slot) {
                Ok(found) => self.terms[found].1 = self.terms[found].1.wrapping_add(factor),
                Err(place) => self.terms.insert(place, (slot, factor)),
            }
        }
        self.terms.retain(|(_, of)| *of != 0);
        self.constant = self.constant.wrapping_add(other.constant);
        (self.terms.len() <= MAX_TERMS).then_some(self)
    }

    /// The product, if one of the two is constant.
    pub(crate) fn by(self, other: &Linear) -> Option<Linear> {
        match (self.terms.is_empty(), other.terms.is_empty()) {
            (_, true) => Some(self.times(other.constant)),
            (true, _) => Some(other.clone().times(self.constant)),
            _ => None,
        }
    }

    pub(crate) fn factor_of(&self, slot: u16) -> i32 {
        self.terms.iter().find(|(of, _)| *of == slot).map_or(0, |(_, factor)| *factor)
    }

    pub(crate) fn slots(&self) -> impl Iterator<Item = u16> + '_ {
        self.terms.iter().map(|(slot, _)| *slot)
    }

    /// Slots and their factors.
    pub(crate) fn terms(&self) -> &[(u16, i32)] {
        &self.terms
    }

    /// Without the constant.
    pub(crate) fn variable_part(&self) -> Linear {
        Linear { terms: self.terms.clone(), constant: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products() {
        let three_i = Linear::local(1).times(3);
        let sum = three_i.clone().plus(&Linear::constant(2)).unwrap().plus(&Linear::local(4)).unwrap();
        assert_eq!((sum.factor_of(1), sum.factor_of(4), sum.constant), (3, 1, 2));
        assert_eq!(sum.clone().plus(&three_i.clone().times(-1)).unwrap().factor_of(1), 0);
        assert_eq!(Linear::constant(5).by(&three_i).unwrap().factor_of(1), 15);
        assert_eq!(Linear::local(0).by(&three_i), None);
        assert_eq!(sum.variable_part().constant, 0);
    }
}
