//! The collection of all rows, prepared for look-up.

use selvedge_base::{FastMap, FastSet, IdVec, Symbol};

use crate::builtin;
use crate::effect::{Effect, Per};
use crate::framework::Framework;
use crate::name::{Signature, class_of_descriptor, is_reference};
use crate::place::Place;
use crate::read::{self, ModelError};
use crate::row::{Row, RowId, VmRoot};

/// What is known about library methods: the built-in rows, and those of the user.
#[derive(Clone, Debug, Default)]
pub struct Models {
    rows: IdVec<RowId, Row>,
    roots: Vec<VmRoot>,
    frameworks: Vec<Framework>,
    /// The rows for each class and method name, in order.
    by_method: FastMap<(Symbol, Symbol), Vec<RowId>>,
    /// The method names for which some row holds for subtypes: most calls need not climb.
    inherited_names: FastSet<Symbol>,
}

/// The direct supertypes of classes, for rows that hold for subtypes.
pub trait Supertypes {
    /// The superclass and the interfaces that the class names itself, as internal names, in the order of the class
    /// file; empty for an unknown class.
    fn direct_supertypes(&self, class: Symbol) -> Vec<Symbol>;
}

impl Models {
    /// The built-in rows alone.
    ///
    /// # Panics
    /// Never: that the built-in files are right is tested.
    pub fn builtin() -> Models {
        let mut models = Models::default();
        for (file, text) in builtin::FILES {
            let wrong = models.add_file(file, text);
            assert!(wrong.is_empty(), "a built-in file of rows is wrong: {}", wrong[0]);
        }
        models
    }

    /// The built-in rows and those of the user's files, given as names (for messages) and texts. Fails with all that
    /// is wrong in any of them.
    pub fn with_user_files<'a>(
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Models, Vec<ModelError>> {
        let mut models = Models::builtin();
        let wrong: Vec<ModelError> =
            files.into_iter().flat_map(|(file, text)| models.add_file(file, text)).collect();
        if wrong.is_empty() { Ok(models) } else { Err(wrong) }
    }

    /// The rows and roots that are about this release of the JDK; their ids are other ones.
    pub fn for_release(&self, release: u32) -> Models {
        let mut models = Models::default();
        let rows = self.rows.iter().filter(|row| row.releases.contain(release));
        rows.cloned().for_each(|row| models.add_row(row));
        models.roots = self.roots.iter().filter(|root| root.releases.contain(release)).cloned().collect();
        models.frameworks = self.frameworks.clone();
        models
    }

    /// Adds the rows of a file that are right, and returns what is wrong with the others. Nothing is built in.
    pub fn add_file(&mut self, file: &str, text: &str) -> Vec<ModelError> {
        let contents = read::read(file, text);
        contents.rows.into_iter().for_each(|row| self.add_row(row));
        self.roots.extend(contents.roots);
        self.frameworks.extend(contents.frameworks);
        contents.errors
    }

    /// Adds a row under the next id.
    fn add_row(&mut self, mut row: Row) {
        row.id = self.rows.next_id();
        let key = (row.selector.class.symbol(), row.selector.name);
        if row.selector.subtypes {
            self.inherited_names.insert(row.selector.name);
        }
        self.by_method.entry(key).or_default().push(row.id);
        self.rows.push(row);
    }

    /// All rows, in the order of files and lines.
    pub fn rows(&self) -> &[Row] {
        self.rows.as_slice()
    }

    /// The row with this id.
    pub fn row(&self, id: RowId) -> &Row {
        &self.rows[id]
    }

    /// The methods that the JVM itself calls.
    pub fn roots(&self) -> &[VmRoot] {
        &self.roots
    }

    /// The kinds of classes that containers call, in the order of files and lines.
    pub fn frameworks(&self) -> &[Framework] {
        &self.frameworks
    }

    /// The rows for methods of this name that stand at this very class (an internal name), of whatever descriptor.
    pub fn rows_at(&self, class: Symbol, name: Symbol) -> impl Iterator<Item = &Row> {
        self.by_method.get(&(class, name)).into_iter().flatten().map(|&id| &self.rows[id])
    }

    /// The rows for a method that this class (an internal name) declares.
    ///
    /// Those at the class itself; if there are none, those with `subtypes` at its supertypes, where a row at one of
    /// them hides the rows at that one's own supertypes.
    pub fn rows_for(
        &self,
        class: Symbol,
        name: Symbol,
        descriptor: Symbol,
        supertypes: &dyn Supertypes,
    ) -> Vec<&Row> {
        let own: Vec<&Row> =
            self.rows_at(class, name).filter(|row| row.selector.admits(descriptor)).collect();
        if !own.is_empty() || !self.inherited_names.contains(&name) {
            return own;
        }
        let mut found: Vec<&Row> = Vec::new();
        let above = closure(supertypes.direct_supertypes(class), supertypes);
        for &class in &above {
            found.extend(self.rows_at(class, name).filter(|row| row.selector.admits_override(descriptor)));
        }
        let hidden: FastSet<Symbol> = if found.len() < 2 {
            FastSet::default()
        } else {
            let over = |row: &&Row| supertypes.direct_supertypes(row.selector.class.symbol());
            closure(found.iter().flat_map(over).collect(), supertypes).into_iter().collect()
        };
        found.retain(|row| !hidden.contains(&row.selector.class.symbol()));
        found.sort_by_key(|row| row.id);
        found
    }
}

/// The classes and all their supertypes, each once.
fn closure(mut pending: Vec<Symbol>, supertypes: &dyn Supertypes) -> Vec<Symbol> {
    let mut seen: FastSet<Symbol> = FastSet::default();
    let mut reached = Vec::new();
    while let Some(class) = pending.pop() {
        if seen.insert(class) {
            reached.push(class);
            pending.extend(supertypes.direct_supertypes(class));
        }
    }
    reached
}

/// What to assume of a native method that no row is about: if it returns a reference, a new object of the declared
/// class (with elements, for an array of classes). Who applies this must see to it that the class can have
/// instances, and say in the report that it was assumed.
pub fn assumed_of_native(descriptor: Symbol) -> Vec<Effect> {
    let Some(signature) = descriptor.as_str().and_then(Signature::parse) else { return Vec::new() };
    let Some(class) = class_of_descriptor(signature.result) else { return Vec::new() };
    let element = signature.result.strip_prefix('[').filter(|element| is_reference(element));
    vec![Effect::Fresh {
        class,
        into: Place::result(),
        per: Per::Site,
        elements: element.and_then(class_of_descriptor),
    }]
}
