//! Abstract objects: an allocation site with a heap context.
//!
//! Most sites are instructions. Some kinds of objects are merged, because no analysis needs them apart and telling them
//! apart is what makes points-to analysis slow: all exceptions of one class, and strings, boxes, buffers and everything that is
//! not of the usual library (`java.*` without windows) that the JDK's own code makes. String literals are one object, except those outside the JDK that spell the name of a
//! class, which reflection may need.

mod types;

use selvedge_base::{BitSet, FastMap, FastSet, HybridSet, Id, IdVec, Symbol, entity};
use selvedge_ir::{ClassName, Inst, Type};
use selvedge_world::{FieldId, MethodId, Program, Tier};

pub use types::{Filter, FilterId, ProxyInterfaces, RuntimeType, TypeId, Types};

use crate::coarsen::Coarsening;
use crate::context::library::{is_container, is_inside};
use crate::context::{ContextId, Contexts};
use crate::procedure::ProcedureId;
use crate::summary::Member;

entity! {
    /// An allocation site.
    SiteId "s";
    /// An abstract object.
    ObjectId "o";
}

/// What containers make for others: each call gets its own, so that places distinguish them.
const HANDED_OUT: [&str; 7] = [
    "java/util/Iterator",
    "java/util/Enumeration",
    "java/util/Spliterator",
    "java/util/Collection",
    "java/util/Map",
    "java/util/concurrent/locks/Condition",
    "java/lang/Runnable",
];

/// From so many objects on, all objects that pass a filter are looked up instead of asking it for the type of each.
const MANY: usize = 64;

/// The name of the outermost class around a class.
fn outermost(class: ClassName) -> Symbol {
    let name = class.to_string();
    name.split('$').next().unwrap_or(&name).into()
}

/// Where objects come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Site {
    /// An allocation in a method; `depth` tells the arrays inside a multi-dimensional array apart.
    Instruction {
        /// The method.
        method: MethodId,
        /// The instruction.
        inst: Inst,
        /// 0 for the outermost array.
        depth: u8,
    },
    /// An allocation in synthetic code or by a model: its number there.
    Synthetic {
        /// The synthetic procedure or modelled method.
        procedure: ProcedureId,
        /// The number of the allocation.
        number: u32,
        /// What is allocated.
        ty: TypeId,
    },
    /// What a container of the JDK makes for itself of one type, wherever in its code: its entries, tables and iterators.
    Part {
        /// The outermost class whose code makes it.
        whole: Symbol,
        /// What is made.
        ty: TypeId,
    },
    /// All merged objects of a type.
    Merged(TypeId),
    /// A string literal that names a class.
    Literal(Symbol),
    /// The class object of a class.
    ClassObject(ClassName),
    /// The class object of the elements of an array, for making others like it. Nothing else is done with it, so that not all classes of
    /// which there are arrays are taken for reflected upon.
    ElementClass(ClassName),
    /// A cell of the VM's own memory, by its name.
    VmCell(Symbol),
    /// A reflective handle on a field: `Field`, `VarHandle`, field updater.
    FieldHandle(FieldId, TypeId),
    /// A reflective handle on a method or constructor.
    MethodHandle(MethodId, TypeId),
    /// A method handle as a combinator changed it: what it stands for, and the cell of the values that were bound.
    Adapted {
        /// The site of the handle that went in first.
        handle: SiteId,
        /// The site of the cell.
        cell: SiteId,
    },
    /// A reflective handle on some method of this name, of a class that is not known.
    MethodNamed(Symbol, TypeId),
}

/// An abstract object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ObjectData {
    /// Where it is allocated.
    pub site: SiteId,
    /// Under which heap context.
    pub context: ContextId,
    /// Its run-time type.
    pub ty: TypeId,
}

/// All types, sites and objects of an analysis.
pub struct Heap<'p> {
    /// The types.
    pub types: Types<'p>,
    program: &'p Program,
    sites: IdVec<SiteId, (Site, TypeId)>,
    site_ids: FastMap<Site, SiteId>,
    objects: IdVec<ObjectId, ObjectData>,
    object_ids: FastMap<(SiteId, ContextId), ObjectId>,
    merged: MergedClasses,
    /// Whether everything that the JDK makes is merged by type.
    pub(crate) merges_library: bool,
    /// What else is merged.
    pub(crate) coarsening: Coarsening,
    /// Sites of arrays of length 0. Nothing is ever in them; the library shares them between containers, which
    /// would otherwise share their elements.
    empty_arrays: FastSet<SiteId>,
    /// The objects that pass each filter, as far as it was asked for them.
    passing: IdVec<FilterId, Passing>,
    /// The filter to the class that declares each field that was asked for.
    owners: FastMap<FieldId, FilterId>,
}

/// The objects among the first `seen` that pass a filter.
#[derive(Default)]
struct Passing {
    seen: usize,
    objects: BitSet<ObjectId>,
}

/// Classes whose objects are merged.
struct MergedClasses {
    throwable: ClassName,
    in_jdk: Vec<ClassName>,
    everywhere: Vec<ClassName>,
}

impl<'p> Heap<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let names = |names: &[&str]| names.iter().map(ClassName::new).collect();
        Self {
            types: Types::new(program),
            program,
            sites: IdVec::new(),
            site_ids: FastMap::default(),
            objects: IdVec::new(),
            object_ids: FastMap::default(),
            empty_arrays: FastSet::default(),
            passing: IdVec::new(),
            owners: FastMap::default(),
            merges_library: false,
            coarsening: Coarsening::default(),
            merged: MergedClasses {
                throwable: ClassName::new("java/lang/Throwable"),
                everywhere: names(&[
                    "java/lang/String",
                    "java/lang/Integer",
                    "java/lang/Long",
                    "java/lang/Short",
                    "java/lang/Byte",
                    "java/lang/Character",
                    "java/lang/Boolean",
                    "java/lang/Float",
                    "java/lang/Double",
                    "java/lang/Class",
                    "java/lang/StackTraceElement",
                ]),
                in_jdk: names(&[
                    "java/lang/StringBuilder",
                    "java/lang/StringBuffer",
                    "java/util/StringJoiner",
                    "java/util/Formatter",
                    "java/util/Locale",
                    "java/math/BigInteger",
                    "java/math/BigDecimal",
                    "java/net/URL",
                    "java/net/URI",
                ]),
            },
        }
    }

    /// The id of a site whose objects have type `ty`.
    pub(crate) fn site(&mut self, site: Site, ty: TypeId) -> SiteId {
        let site = if self.coarsening.merges(site) { Site::Merged(ty) } else { site };
        if let Some(&id) = self.site_ids.get(&site) {
            return id;
        }
        let id = self.sites.push((site, ty));
        self.site_ids.insert(site, id);
        id
    }

    /// The site of an allocation of `ty` in a method: its own, or the merged one of its type.
    pub(crate) fn site_of_allocation(
        &mut self,
        method: MethodId,
        inst: Inst,
        depth: u8,
        ty: TypeId,
    ) -> SiteId {
        let site = match (self.is_merged(method, ty), self.part_of(method, ty)) {
            (true, _) => Site::Merged(ty),
            (false, Some(whole)) => Site::Part { whole, ty },
            (false, None) => Site::Instruction { method, inst, depth },
        };
        self.site(site, ty)
    }

    /// The container of the JDK for which a method of it allocates an object of a class nested in it, where that is not told
    /// apart by place: in programs that are too large for it.
    fn part_of(&self, method: MethodId, ty: TypeId) -> Option<Symbol> {
        let class = &self.program.classes[self.program.methods[method].class];
        let is_static = self.program.methods[method].is_static();
        if !self.coarsening.has_started() || class.tier != Tier::Jdk || is_static || !is_container(class.name)
        {
            return None;
        }
        let whole = outermost(class.name);
        match self.types.get(ty) {
            RuntimeType::Class(part) => {
                let part = self.program.classes[*part].name;
                let is_nested = part != class.name && outermost(part) == whole;
                let is_handed_out =
                    || HANDED_OUT.iter().any(|kind| self.types.is_instance(ty, ClassName::new(kind)));
                (is_nested && !is_handed_out()).then_some(whole)
            }
            _ => None,
        }
    }

    /// Notes that the arrays of a site have no elements.
    pub(crate) fn set_empty_array(&mut self, site: SiteId) {
        // A merged site stands for other arrays as well.
        if !matches!(self.sites[site].0, Site::Merged(_)) {
            self.empty_arrays.insert(site);
        }
    }

    /// The site of an object that a model or rule makes: its own, or the merged one of its type.
    pub(crate) fn site_of_model(&mut self, procedure: ProcedureId, number: u32, ty: TypeId) -> SiteId {
        let merged = self.is_merged_in(Tier::Application, ty) || self.is_merged_by_rule(procedure, ty);
        self.site(if merged { Site::Merged(ty) } else { Site::Synthetic { procedure, number, ty } }, ty)
    }

    /// Whether what a rule makes for a procedure is merged with other objects of its type.
    fn is_merged_by_rule(&self, procedure: ProcedureId, ty: TypeId) -> bool {
        let method = MethodId::new(procedure.number());
        let Some(method) = self.program.methods.get(method) else { return false };
        let tier = self.program.classes[method.class].tier;
        self.coarsening.merges_by_rule(tier, self.types.get(ty))
    }

    /// Whether objects of this type allocated by this method are merged; see the [module documentation](self).
    fn is_merged(&self, method: MethodId, ty: TypeId) -> bool {
        let tier = self.program.classes[self.program.methods[method].class].tier;
        (self.merges_library && tier == Tier::Jdk) || self.is_merged_in(tier, ty)
    }

    fn is_merged_in(&self, tier: Tier, ty: TypeId) -> bool {
        match self.types.get(ty) {
            RuntimeType::Class(class) => {
                let name = self.program.classes[*class].name;
                self.merged.everywhere.contains(&name)
                    || (tier == Tier::Jdk && self.merged.in_jdk.contains(&name))
                    || self.types.is_instance(ty, self.merged.throwable)
                    || (tier == Tier::Jdk
                        && self.program.classes[*class].tier == Tier::Jdk
                        && is_inside(name))
            }
            // Arrays of primitives point nowhere; only the application's own can race.
            RuntimeType::Array(name) => {
                tier == Tier::Jdk && name.element_type().is_some_and(|element| !element.is_reference())
            }
            RuntimeType::Lambda { .. } | RuntimeType::Proxy(_) | RuntimeType::Client(_) => false,
        }
    }

    /// The object of a site under a heap context. Merged sites have no contexts.
    pub(crate) fn object(&mut self, site: SiteId, context: ContextId) -> ObjectId {
        let (kind, ty) = self.sites[site];
        let context = match kind {
            Site::Instruction { .. } | Site::Synthetic { .. } | Site::Part { .. } => context,
            _ => Contexts::EMPTY,
        };
        if let Some(&id) = self.object_ids.get(&(site, context)) {
            return id;
        }
        let id = self.objects.push(ObjectData { site, context, ty });
        self.object_ids.insert((site, context), id);
        id
    }

    /// Whether objects like this one have the member.
    pub fn has_member(&self, object: ObjectId, member: Member) -> bool {
        let ty = self.objects[object].ty;
        match member {
            Member::Field(field) => {
                let owner = self.program.classes[self.program.fields[field].class].name;
                self.types.is_instance(ty, owner)
            }
            Member::Element => {
                self.types.holds_references(ty) && !self.empty_arrays.contains(&self.objects[object].site)
            }
            Member::Captured(_) => true,
        }
    }

    /// The members of an object that hold references: its elements, or the instance fields of its class.
    pub(crate) fn reference_members(&self, object: ObjectId) -> Vec<Member> {
        let program = self.program;
        match self.types.get(self.objects[object].ty) {
            RuntimeType::Array(_) => vec![Member::Element],
            RuntimeType::Class(class) => {
                let fields =
                    program.superclasses(*class).flat_map(|class| program.classes[class].fields.iter());
                let holds = |field| matches!(program.fields[field].ty(), Some(Type::Ref(_)));
                fields
                    .filter(|&field| !program.fields[field].is_static() && holds(field))
                    .map(Member::Field)
                    .collect()
            }
            RuntimeType::Lambda { .. } | RuntimeType::Proxy(_) | RuntimeType::Client(_) => Vec::new(),
        }
    }

    /// The objects that pass a filter, all that there are now among them.
    pub(crate) fn passing(&mut self, filter: FilterId) -> &BitSet<ObjectId> {
        if self.passing.len() <= filter.index() {
            self.passing.resize_with(filter.index() + 1, Passing::default);
        }
        let passing = &mut self.passing[filter];
        for (id, data) in self.objects.iter_ids_from(passing.seen) {
            if self.types.passes(filter, data.ty) {
                passing.objects.insert(id);
            }
        }
        passing.seen = self.objects.len();
        &passing.objects
    }

    /// Those of a set's objects that can have the member: all of them that [`has_member`](Self::has_member), perhaps
    /// more.
    pub(crate) fn candidates(&mut self, set: &HybridSet<ObjectId>, member: Member) -> Vec<ObjectId> {
        let filter = match member {
            Member::Field(field) => match self.owners.get(&field) {
                Some(&filter) => filter,
                None => {
                    let owner = self.program.classes[self.program.fields[field].class].name;
                    let filter = self.types.filter_to(owner);
                    self.owners.insert(field, filter);
                    filter
                }
            },
            Member::Element => Types::REFERENCE_ARRAYS,
            Member::Captured(_) => return set.iter().collect(),
        };
        if set.len() > MANY {
            let passing = self.passing(filter);
            return set.iter().filter(|&object| passing.contains(object)).collect();
        }
        let (types, objects) = (&mut self.types, &self.objects);
        set.iter().filter(|&object| types.passes(filter, objects[object].ty)).collect()
    }

    /// What a store into a member of an object lets through: an array of strings can only hold strings.
    pub(crate) fn store_filter(&mut self, object: ObjectId, member: Member) -> FilterId {
        match member {
            Member::Element => self.types.element_filter(self.objects[object].ty),
            _ => Types::ANY,
        }
    }

    /// The same for a store that no instruction makes, but reflection or `Unsafe`: these check, or their users do, what
    /// is a matter of the verifier else.
    pub(crate) fn rule_store_filter(&mut self, object: ObjectId, member: Member) -> FilterId {
        match member {
            Member::Field(field) => match self.program.fields[field].ty() {
                Some(Type::Ref(class)) => self.types.filter_to(class),
                _ => Types::ANY,
            },
            _ => self.store_filter(object, member),
        }
    }

    /// What is known of an object.
    pub fn get(&self, object: ObjectId) -> &ObjectData {
        &self.objects[object]
    }

    /// The site behind an id.
    pub fn site_of(&self, site: SiteId) -> Site {
        self.sites[site].0
    }

    /// The type of a site's objects.
    pub fn site_type(&self, site: SiteId) -> TypeId {
        self.sites[site].1
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// All objects in the order in which they were found.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &ObjectData)> {
        self.objects.iter_ids()
    }

    /// The type whose code allocates an object; its own where no instruction does.
    pub fn allocating_type(&self, object: &ObjectData) -> TypeId {
        match self.sites[object.site].0 {
            Site::Instruction { method, .. } => {
                let class = self.program.methods[method].class;
                self.types.known(RuntimeType::Class(class)).unwrap_or(object.ty)
            }
            _ => object.ty,
        }
    }
}
