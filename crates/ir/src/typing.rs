//! Types of references, by the rules of the JVM's type-inferring verifier.
//!
//! # The lattice
//! Reference types form a tree with [`Type::Null`] put below everything:
//!
//! - the parent of a class is its superclass, as the [`TypeOracle`] knows it, and `java/lang/Object` where it does not;
//! - the parent of an interface is `java/lang/Object`: the verifier treats interfaces so, and checks at run time;
//! - the parent of an array of references is the array of its component's parent, that of `[Ljava/lang/Object;` and of
//!   an array of primitives is `java/lang/Object`.
//!
//! The join of two reference types is their nearest common ancestor; `null ⊔ t = t`. Since every join climbs a tree of
//! finite height, it is associative, commutative and idempotent, and the inference below has one least solution.
//! Primitive types join only with themselves. A class whose superclass chain is cyclic (hostile input) or
//! absurdly long counts as a child of `java/lang/Object`, which keeps the order a tree.
//!
//! # Inference
//! The type of almost every value follows from its instruction alone. Only two kinds depend on other values: a phi of
//! references is the join of its arguments, and an element loaded from an array of references has the component type
//! of the array's type (`null` for the null array, which cannot be loaded from). [`Typing::infer`] solves these
//! equations from below.

use selvedge_base::FastMap;

use crate::body::{Body, Inst};
use crate::op::Op;
use crate::types::{ArrayKind, ClassName, Type, TypeOracle};

/// A longer chain of superclasses counts as unknown.
const LONGEST_SUPERCLASS_CHAIN: usize = 512;

/// How many arguments of phis [`Typing::infer`] looks at for one body before it settles for `java/lang/Object`.
const INFERENCE_BUDGET: usize = 50_000_000;

/// Joins types over a class hierarchy, and remembers what it found.
pub struct Typing<'o> {
    oracle: &'o dyn TypeOracle,
    object: ClassName,
    throwable: ClassName,
    joins: FastMap<(ClassName, ClassName), ClassName>,
    elements: FastMap<ClassName, Type>,
    chain: Vec<ClassName>,
    open: Vec<Inst>,
}

impl<'o> Typing<'o> {
    /// Typing over this hierarchy.
    pub fn new(oracle: &'o dyn TypeOracle) -> Self {
        Self {
            oracle,
            object: ClassName::object(),
            throwable: ClassName::new("java/lang/Throwable"),
            joins: FastMap::default(),
            elements: FastMap::default(),
            chain: Vec::new(),
            open: Vec::new(),
        }
    }

    /// The least type above both; `None` where a primitive type meets any other type.
    pub fn join(&mut self, a: Type, b: Type) -> Option<Type> {
        match (a, b) {
            _ if a == b => Some(a),
            (Type::Null, Type::Ref(_)) => Some(b),
            (Type::Ref(_), Type::Null) => Some(a),
            (Type::Ref(a), Type::Ref(b)) => Some(Type::Ref(self.join_classes(a, b))),
            _ => None,
        }
    }

    /// The least class above both: their nearest common ancestor.
    pub fn join_classes(&mut self, a: ClassName, b: ClassName) -> ClassName {
        if a == b {
            return a;
        }
        if a == self.object || b == self.object {
            return self.object;
        }
        if let Some(&known) = self.joins.get(&(a, b)) {
            return known;
        }
        let joined = match (a.element_descriptor(), b.element_descriptor()) {
            (Some(a), Some(b)) => match (ClassName::of_descriptor(a), ClassName::of_descriptor(b)) {
                (Some(a), Some(b)) => self.join_classes(a, b).array_of(),
                _ => self.object,
            },
            (None, None) => self.common_superclass(a, b),
            _ => self.object,
        };
        self.joins.insert((a, b), joined);
        self.joins.insert((b, a), joined);
        joined
    }

    /// The class of exceptions that a handler for any of `classes` gets; `None` among them stands for everything.
    pub fn join_caught(&mut self, classes: impl IntoIterator<Item = Option<ClassName>>) -> ClassName {
        let throwable = self.throwable;
        let mut caught = classes.into_iter().map(|class| class.unwrap_or(throwable));
        let Some(mut joined) = caught.next() else { return throwable };
        for class in caught {
            joined = self.join_classes(joined, class);
        }
        // Everything that is caught is a Throwable, also where the hierarchy is not known.
        if joined == self.object { throwable } else { joined }
    }

    fn common_superclass(&mut self, a: ClassName, b: ClassName) -> ClassName {
        if self.oracle.is_interface(a) || self.oracle.is_interface(b) {
            return self.object;
        }
        let mut chain = std::mem::take(&mut self.chain);
        self.superclasses(a, &mut chain);
        let ancestors_of_a = chain.len();
        self.superclasses(b, &mut chain);
        let (above_a, above_b) = chain.split_at(ancestors_of_a);
        let common = above_b.iter().copied().find(|class| above_a.contains(class));
        chain.clear();
        self.chain = chain;
        common.unwrap_or(self.object)
    }

    /// Appends `class` and its superclasses up to but without `java/lang/Object`; `class` alone if they do not end.
    fn superclasses(&self, class: ClassName, chain: &mut Vec<ClassName>) {
        let start = chain.len();
        let mut next = Some(class);
        while let Some(class) = next.filter(|&class| class != self.object) {
            if chain.len() - start == LONGEST_SUPERCLASS_CHAIN {
                chain.truncate(start + 1);
                return;
            }
            chain.push(class);
            next = self.oracle.superclass(class);
        }
    }

    /// What `aaload` gives for an array of this type: `java/lang/Object` where it is not known to be an array.
    pub fn element(&mut self, array: Type) -> Type {
        let Type::Ref(class) = array else { return Type::Null };
        let object = self.object;
        *self.elements.entry(class).or_insert_with(|| {
            class.element_type().filter(|ty| ty.is_reference()).unwrap_or(Type::Ref(object))
        })
    }

    /// Gives every phi of references and every element loaded from an array of references its type.
    ///
    /// Expects phis of references to carry [`Type::Null`] and all other values their types. Least solution, found by
    /// passes in block order; a body so tangled that this takes too long gets `java/lang/Object` for them all, which
    /// solves the equations too.
    pub fn infer(&mut self, body: &mut Body) {
        let mut open = std::mem::take(&mut self.open);
        open.extend(body.insts.iter_ids().filter_map(|(inst, data)| {
            let open = match data.op {
                Op::Phi => data.result.is_some_and(|value| body.ty(value).is_reference()),
                Op::ArrayLoad(ArrayKind::Ref) => true,
                _ => false,
            };
            open.then_some(inst)
        }));
        let mut budget = INFERENCE_BUDGET;
        let mut changed = true;
        while changed {
            changed = false;
            for &inst in &open {
                let data = body.insts[inst];
                let Some(result) = data.result else { continue };
                let args = body.list(data.args);
                let ty = match data.op {
                    Op::Phi => {
                        budget = budget.saturating_sub(args.len());
                        let join = |ty, &arg: &_| self.join(ty, body.ty(arg)).unwrap_or(ty);
                        args.iter().fold(Type::Null, join)
                    }
                    _ => self.element(body.ty(args[0])),
                };
                changed |= ty != body.ty(result);
                body.values[result].ty = ty;
            }
            if budget == 0 {
                for result in open.iter().filter_map(|&inst| body.insts[inst].result) {
                    body.values[result].ty = Type::Ref(self.object);
                }
                break;
            }
        }
        open.clear();
        self.open = open;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::NoHierarchy;

    /// `Sub2 -> Sub1 -> Base -> Object`, `Other -> Base`, interface `Face`, and the cycle `Ouro <-> Boros`.
    struct Zoo;

    impl TypeOracle for Zoo {
        fn is_interface(&self, class: ClassName) -> bool {
            class.is("Face")
        }
        fn superclass(&self, class: ClassName) -> Option<ClassName> {
            let name = match class.symbol().as_str()? {
                "Sub2" => "Sub1",
                "Sub1" | "Other" => "Base",
                "Ouro" => "Boros",
                "Boros" => "Ouro",
                "java/lang/Object" => return None,
                _ => "java/lang/Object",
            };
            Some(ClassName::new(name))
        }
    }

    fn class(name: &str) -> Type {
        Type::Ref(ClassName::new(name))
    }

    fn joins(oracle: &dyn TypeOracle, cases: &[(&str, &str, &str)]) {
        let mut typing = Typing::new(oracle);
        for &(a, b, joined) in cases {
            assert_eq!(typing.join(class(a), class(b)), Some(class(joined)), "{a} ⊔ {b}");
            assert_eq!(typing.join(class(b), class(a)), Some(class(joined)), "{b} ⊔ {a}");
        }
    }

    #[test]
    fn classes_meet_at_their_nearest_common_superclass() {
        joins(
            &Zoo,
            &[
                ("Sub2", "Other", "Base"),
                ("Sub2", "Sub1", "Sub1"),
                ("Sub2", "Face", "java/lang/Object"),
                ("Face", "Face", "Face"),
                ("Base", "Unrelated", "java/lang/Object"),
                ("Ouro", "Boros", "java/lang/Object"),
                ("Ouro", "Ouro", "Ouro"),
            ],
        );
        joins(&NoHierarchy, &[("Sub2", "Sub1", "java/lang/Object"), ("Sub1", "Sub1", "Sub1")]);
    }

    #[test]
    fn arrays_meet_by_component_and_at_object() {
        joins(
            &Zoo,
            &[
                ("[LSub2;", "[LOther;", "[LBase;"),
                ("[[LSub2;", "[[LOther;", "[[LBase;"),
                ("[LSub1;", "[[LSub1;", "[Ljava/lang/Object;"),
                ("[[I", "[[[Ljava/lang/String;", "[Ljava/lang/Object;"),
                ("[I", "[J", "java/lang/Object"),
                ("[[I", "[[J", "[Ljava/lang/Object;"),
                ("[I", "[LBase;", "java/lang/Object"),
                ("[I", "[[I", "java/lang/Object"),
                ("[I", "Base", "java/lang/Object"),
                ("[[I", "[Ljava/lang/Object;", "[Ljava/lang/Object;"),
            ],
        );
    }

    #[test]
    fn null_is_below_references_and_primitives_join_only_themselves() {
        let mut typing = Typing::new(&Zoo);
        assert_eq!(typing.join(Type::Null, class("[I")), Some(class("[I")));
        assert_eq!(typing.join(Type::Null, Type::Null), Some(Type::Null));
        assert_eq!(typing.join(Type::Int, Type::Int), Some(Type::Int));
        assert_eq!(typing.join(Type::Int, Type::Long), None);
        assert_eq!(typing.join(Type::Int, Type::Null), None);
    }

    #[test]
    fn join_is_associative() {
        let types =
            ["Sub2", "Sub1", "Base", "Other", "Face", "Ouro", "[LSub2;", "[LOther;", "[[I", "[I", "[[LFace;"];
        let mut typing = Typing::new(&Zoo);
        let mut join = |a, b| typing.join(a, b).unwrap();
        for a in types.map(class) {
            for b in types.map(class) {
                for c in types.map(class) {
                    let (left, right) = (join(a, b), join(b, c));
                    assert_eq!(join(left, c), join(a, right), "{a} {b} {c}");
                }
            }
        }
    }

    #[test]
    fn elements_of_arrays() {
        let mut typing = Typing::new(&Zoo);
        assert_eq!(typing.element(class("[[I")), class("[I"));
        assert_eq!(typing.element(class("[LBase;")), class("Base"));
        assert_eq!(typing.element(Type::Null), Type::Null);
        assert_eq!(typing.element(Type::object()), Type::object());
    }

    #[test]
    fn caught_classes_are_throwables() {
        let name = |name: &str| Some(ClassName::new(name));
        let mut typing = Typing::new(&Zoo);
        assert!(typing.join_caught([name("Sub2"), name("Other")]).is("Base"));
        assert!(typing.join_caught([name("Sub2"), None]).is("java/lang/Throwable"));
        assert!(typing.join_caught([name("X"), name("Y")]).is("java/lang/Throwable"));
    }
}
