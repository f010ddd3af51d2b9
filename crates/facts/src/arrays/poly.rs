//! Polynomials over what is constant while a loop starts threads: the form in which array indexes are compared.

use std::collections::BTreeMap;

use selvedge_ir::Value;

/// What a polynomial is over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Atom {
    /// The variable that counts the turns of the loop that makes the tasks.
    Turn,
    /// A value of the method that makes the tasks, the same in all turns of the loop.
    Invariant(Value),
    /// The length of an array, the same in all turns of the loop.
    Length(Value),
}

/// A sum of products of atoms. Terms with coefficient 0 are left out, so equal polynomials have equal forms.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Poly(BTreeMap<Vec<Atom>, i64>);

impl Poly {
    pub(super) fn constant(value: i64) -> Self {
        let mut poly = Self::default();
        poly.add_term(Vec::new(), value);
        poly
    }

    pub(super) fn atom(atom: Atom) -> Self {
        let mut poly = Self::default();
        poly.add_term(vec![atom], 1);
        poly
    }

    fn add_term(&mut self, atoms: Vec<Atom>, by: i64) {
        let coefficient = self.0.entry(atoms.clone()).or_default();
        *coefficient = coefficient.wrapping_add(by);
        if *coefficient == 0 {
            self.0.remove(&atoms);
        }
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        other.0.iter().for_each(|(atoms, &by)| sum.add_term(atoms.clone(), by));
        sum
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (left, &a) in &self.0 {
            for (right, &b) in &other.0 {
                let mut atoms: Vec<Atom> = left.iter().chain(right).copied().collect();
                atoms.sort_unstable();
                product.add_term(atoms, a.wrapping_mul(b));
            }
        }
        product
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        self.plus(&other.times(&Self::constant(-1)))
    }

    /// The number, if it is one.
    pub(super) fn as_constant(&self) -> Option<i64> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// What it grows by when the turn grows by one; `None` if that depends on the turn.
    pub(super) fn slope(&self) -> Option<Self> {
        let mut slope = Self::default();
        for (atoms, &by) in &self.0 {
            match atoms.iter().filter(|&&atom| atom == Atom::Turn).count() {
                0 => {}
                1 => slope.add_term(atoms.iter().copied().filter(|&atom| atom != Atom::Turn).collect(), by),
                _ => return None,
            }
        }
        Some(slope)
    }
}
