//! What variables and fields may point to, and why.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use selvedge_ir::{Body, Op, Type, Value, ValueDef};
use selvedge_pta::heap::ObjectId;
use selvedge_pta::summary::Member;
use selvedge_pta::{Analysis, Origins, Place};
use selvedge_world::{FieldId, MethodId};

use super::hierarchy::escape;
use super::labels::Labels;

/// Something to show: variables of one method in one context, or one field.
struct Group {
    title: String,
    /// Each variable or field of an object by its name, with the places that it stands for.
    places: Vec<(String, Vec<Place>)>,
}

/// Shows points-to sets.
pub struct PointsTo<'a, 'p> {
    analysis: &'a Analysis<'p>,
    labels: Labels<'a, 'p>,
    contexts: bool,
}

impl<'a, 'p> PointsTo<'a, 'p> {
    /// Shows with contexts distinguished, or merged.
    pub fn new(analysis: &'a Analysis<'p>, contexts: bool) -> Self {
        Self { analysis, labels: Labels::new(analysis, contexts), contexts }
    }

    fn groups(&self, methods: &[MethodId], fields: &[FieldId]) -> Vec<Group> {
        let of_methods = methods.iter().flat_map(|&method| self.method(method));
        let of_fields = fields.iter().map(|&field| self.field(field));
        of_methods.chain(of_fields).collect()
    }

    /// The variables of a method: in each context, or in all of them.
    fn method(&self, method: MethodId) -> Vec<Group> {
        let instances = self.analysis.instances_of(method);
        let title = self.analysis.program.describe_method(method);
        if instances.is_empty() {
            return vec![Group { title: title + ": is not reached", places: Vec::new() }];
        }
        let Some(body) = self.analysis.program.body(method) else {
            return vec![Group { title: title + ": has no code", places: Vec::new() }];
        };
        let chunks = if self.contexts { 1 } else { instances.len() };
        let group = |instances: &[selvedge_pta::InstanceId]| {
            let place = |value: Value| {
                let places = instances.iter().filter_map(|&id| self.analysis.place_of(id, value)).collect();
                (self.labels.value(method, value), places)
            };
            let title = if self.contexts { self.labels.instance(instances[0]) } else { title.clone() };
            let shown = body.values.ids().filter(|&value| is_shown(body, value));
            Group { title, places: shown.map(place).collect() }
        };
        instances.chunks(chunks).map(group).collect()
    }

    /// A field: the static one, or that of each object.
    fn field(&self, field: FieldId) -> Group {
        let program = self.analysis.program;
        let title = program.describe_field(field);
        if program.fields[field].is_static() {
            return Group { title, places: vec![("static".to_owned(), vec![Place::Static(field)])] };
        }
        let mut places: BTreeMap<String, Vec<Place>> = BTreeMap::new();
        for &object in self.analysis.objects_with(field) {
            let place = Place::Member(object, Member::Field(field));
            places.entry(format!("of {}", self.labels.object(object))).or_default().push(place);
        }
        Group { title, places: places.into_iter().collect() }
    }

    fn held(&self, place: Place) -> Vec<ObjectId> {
        self.analysis.held(place).collect()
    }

    /// The objects that some of the places may hold, by name.
    fn objects(&self, places: &[Place]) -> BTreeMap<String, (ObjectId, Place)> {
        let mut found = BTreeMap::new();
        for &place in places {
            for object in self.held(place) {
                found.entry(self.labels.object(object)).or_insert((object, place));
            }
        }
        found
    }

    /// Writes what is asked for. Returns whether something matched `why`, or is there at all without it.
    pub fn text(
        &self,
        methods: &[MethodId],
        fields: &[FieldId],
        why: Option<&str>,
        out: &mut dyn Write,
    ) -> io::Result<bool> {
        let mut any = false;
        let mut origins: BTreeMap<ObjectId, Origins<'_, '_>> = BTreeMap::new();
        for group in self.groups(methods, fields) {
            let mut text = Vec::new();
            for (name, places) in &group.places {
                let objects = self.objects(places);
                let wanted = |object: &&String| why.is_none_or(|why| object.contains(why));
                if why.is_some() && !objects.keys().any(|object| wanted(&object)) {
                    continue;
                }
                any = true;
                writeln!(text, "  {name}")?;
                if objects.is_empty() {
                    writeln!(text, "    nothing")?;
                }
                for (object, &(id, place)) in objects.iter().filter(|(object, _)| wanted(object)) {
                    writeln!(text, "    {object}")?;
                    if why.is_some() {
                        let origins = origins.entry(id).or_insert_with(|| self.analysis.origins(id));
                        self.way(origins, place, &mut text)?;
                    }
                }
            }
            if why.is_none() || !text.is_empty() {
                writeln!(out, "{}", group.title)?;
                out.write_all(&text)?;
            }
        }
        Ok(any || why.is_none())
    }

    fn way(&self, origins: &Origins<'_, '_>, place: Place, out: &mut dyn Write) -> io::Result<()> {
        let mut last = String::new();
        for step in origins.way_to(place).unwrap_or_default() {
            let same = match step.same {
                0 => String::new(),
                1 => " (and 1 place that always holds the same)".to_owned(),
                count => format!(" (and {count} places that always hold the same)"),
            };
            let line = self.labels.place(step.place) + &same;
            // Steps inside synthetic code have no names that distinguish them.
            if line != last {
                writeln!(out, "      -> {line}")?;
            }
            last = line;
        }
        Ok(())
    }

    /// Writes variables and fields as boxes, with arrows to the objects, which are round.
    pub fn dot(&self, methods: &[MethodId], fields: &[FieldId], out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "digraph points_to {{\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];")?;
        let mut objects: BTreeSet<String> = BTreeSet::new();
        let mut edges = Vec::new();
        for (number, group) in self.groups(methods, fields).iter().enumerate() {
            writeln!(out, "  subgraph cluster_{number} {{\n    label=\"{}\";", escape(&group.title))?;
            for (position, (name, places)) in group.places.iter().enumerate() {
                let node = format!("p{number}_{position}");
                writeln!(out, "    {node} [shape=box, label=\"{}\"];", escape(name))?;
                for object in self.objects(places).into_keys() {
                    edges.push((node.clone(), object.clone()));
                    objects.insert(object);
                }
            }
            writeln!(out, "  }}")?;
        }
        let numbers: BTreeMap<&String, usize> = objects.iter().zip(0..).collect();
        for (object, number) in &numbers {
            writeln!(out, "  o{number} [label=\"{}\"];", escape(object))?;
        }
        for (place, object) in &edges {
            writeln!(out, "  {place} -> o{};", numbers[object])?;
        }
        writeln!(out, "}}")
    }
}

/// Whether a value is worth showing: a reference, and no literal.
fn is_shown(body: &Body, value: Value) -> bool {
    let is_literal = |def: ValueDef| match def {
        ValueDef::Inst(inst) => {
            matches!(body.insts[inst].op, Op::Null | Op::String(_) | Op::Class(_) | Op::Constant(_))
        }
        ValueDef::Parameter(_) => false,
    };
    matches!(body.ty(value), Type::Ref(_)) && !is_literal(body.values[value].def)
}
