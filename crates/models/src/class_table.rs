//! What class files declare, as far as rows can speak of it: the classes that [`Models::check`](crate::Models::check)
//! holds rows against.

use selvedge_base::{FastMap, Symbol};
use selvedge_classfile::{ClassFile, access};

use crate::check::{ClassLookup, DeclaredMethod};
use crate::models::Supertypes;

/// The declarations of a set of classes.
#[derive(Clone, Debug, Default)]
pub struct ClassTable {
    classes: FastMap<Symbol, Declarations>,
    release: Option<u32>,
}

#[derive(Clone, Debug, Default)]
struct Declarations {
    supertypes: Vec<Symbol>,
    methods: Vec<DeclaredMethod>,
    /// Name, and whether it is static.
    fields: Vec<(Symbol, bool)>,
}

impl ClassTable {
    /// An empty table for classes of this feature release of the JDK.
    pub fn new(release: Option<u32>) -> ClassTable {
        ClassTable { classes: FastMap::default(), release }
    }

    /// Adds a class. Of several with the same name the first counts, as on a class path.
    pub fn add(&mut self, class: &ClassFile<'_>) {
        let name = Symbol::new(class.this_class);
        let method = |member: &selvedge_classfile::Member<'_>| DeclaredMethod {
            class: name,
            name: Symbol::new(member.name),
            descriptor: Symbol::new(member.descriptor),
            is_static: member.access & access::STATIC != 0,
            is_native: member.access & access::NATIVE != 0,
        };
        self.classes.entry(name).or_insert_with(|| Declarations {
            supertypes: class.super_class.iter().chain(&class.interfaces).map(Symbol::new).collect(),
            methods: class.methods.iter().map(method).collect(),
            fields: class
                .fields
                .iter()
                .map(|field| (Symbol::new(field.name), field.access & access::STATIC != 0))
                .collect(),
        });
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }
}

impl Supertypes for ClassTable {
    fn direct_supertypes(&self, class: Symbol) -> Vec<Symbol> {
        self.classes.get(&class).map_or_else(Vec::new, |class| class.supertypes.clone())
    }
}

impl ClassLookup for ClassTable {
    fn has_class(&self, class: Symbol) -> bool {
        self.classes.contains_key(&class)
    }

    fn methods_named(&self, class: Symbol, name: Symbol) -> Vec<DeclaredMethod> {
        let methods = self.classes.get(&class).into_iter().flat_map(|class| &class.methods);
        methods.filter(|method| method.name == name).copied().collect()
    }

    fn has_field(&self, class: Symbol, field: Symbol, is_static: bool) -> bool {
        self.classes.get(&class).is_some_and(|class| class.fields.contains(&(field, is_static)))
    }

    fn natives(&self) -> Vec<DeclaredMethod> {
        let methods = self.classes.values().flat_map(|class| &class.methods);
        let mut natives: Vec<DeclaredMethod> = methods.filter(|method| method.is_native).copied().collect();
        natives.sort();
        natives
    }

    fn release(&self) -> Option<u32> {
        self.release
    }
}
