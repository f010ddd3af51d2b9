//! What the application keeps in collections that are made for several threads: whoever puts an object into a synchronized map or a
//! concurrent queue expects several threads to get it out. Collections that synchronise because they are old (vectors, stacks) are not meant.

use selvedge_base::{BitSet, FastMap};
use selvedge_facts::View;
use selvedge_ir::ClassName;
use selvedge_models::Kind;
use selvedge_pta::context::is_collection;
use selvedge_pta::heap::ObjectId;
use selvedge_pta::summary::Member;
use selvedge_world::{ClassId, FieldId, Tier};

use super::synchronises;

/// A field that holds more objects than this tells nothing about them.
const MOST_HELD: usize = 64;

/// The objects of the application that collections for several threads hold, which are in fields of the application.
pub(super) fn find(view: &View<'_>) -> BitSet<ObjectId> {
    let (program, analysis) = (view.program, view.analysis);
    let class_of = |object: ObjectId| analysis.heap.types.class(analysis.heap.get(object).ty);
    let is_of_jdk = |class: ClassId| {
        let data = &program.classes[class];
        data.tier == Tier::Jdk && is_collection(data.name)
    };
    let legacy: Vec<ClassId> = Kind::LegacyCollection
        .classes()
        .filter_map(|name| program.class_named(ClassName::new(name)))
        .collect();
    let mut known: FastMap<ClassId, bool> = FastMap::default();
    let mut is_for_threads = |class: ClassId| {
        *known.entry(class).or_insert_with(|| {
            is_of_jdk(class)
                && !legacy.contains(&class)
                && program.superclasses(class).any(|class| synchronises(program, class))
        })
    };
    let of_application = |field: FieldId| view.is_application_class(program.fields[field].class);
    let members = analysis.members().filter_map(|(_, member, held)| match member {
        Member::Field(field) => Some((field, held)),
        _ => None,
    });
    let fields = members.chain(analysis.static_fields()).filter(|(field, _)| of_application(*field));
    let mut pending: Vec<ObjectId> = Vec::new();
    for (_, held) in fields.filter(|(_, held)| held.len() <= MOST_HELD) {
        pending.extend(held.iter().filter(|&object| class_of(object).is_some_and(&mut is_for_threads)));
    }
    let mut seen: BitSet<ObjectId> = BitSet::new();
    let mut kept: BitSet<ObjectId> = BitSet::new();
    while let Some(object) = pending.pop() {
        if !seen.insert(object) {
            continue;
        }
        for held in analysis.members_of(object) {
            match class_of(held) {
                Some(class) if view.is_application_class(class) => {
                    kept.insert(held);
                }
                Some(class) if !is_of_jdk(class) => {}
                _ => pending.push(held),
            }
        }
    }
    kept
}
