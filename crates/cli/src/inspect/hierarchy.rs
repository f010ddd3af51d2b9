//! The class hierarchy as a tree of superclasses, or as a graph with interfaces as well.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use selvedge_world::{ClassId, Program, java_name};

/// Writes the chosen classes and their superclasses as an indented tree, each with the interfaces it names.
pub fn text(program: &Program, classes: &[ClassId], out: &mut dyn Write) -> io::Result<()> {
    let shown: BTreeSet<ClassId> = classes.iter().flat_map(|&class| program.superclasses(class)).collect();
    let mut children: BTreeMap<ClassId, Vec<ClassId>> = BTreeMap::new();
    for &class in &shown {
        if let Some(superclass) = program.classes[class].superclass {
            children.entry(superclass).or_default().push(class);
        }
    }
    for list in children.values_mut() {
        list.sort_by_key(|&class| std::cmp::Reverse(program.classes[class].name));
    }
    let mut stack = vec![(program.object(), 0)];
    while let Some((class, depth)) = stack.pop() {
        writeln!(out, "{:indent$}{}", "", describe(program, class), indent = 2 * depth)?;
        stack.extend(children.get(&class).into_iter().flatten().map(|&child| (child, depth + 1)));
    }
    Ok(())
}

fn describe(program: &Program, id: ClassId) -> String {
    let class = &program.classes[id];
    let mut line = String::new();
    if class.is_interface() {
        line += "interface ";
    } else if class.is_abstract() {
        line += "abstract ";
    }
    line += &java_name(class.name);
    if !class.interfaces.is_empty() {
        let names: Vec<String> =
            class.interfaces.iter().map(|&interface| java_name(program.classes[interface].name)).collect();
        line += if class.is_interface() { " extends " } else { " implements " };
        line += &names.join(", ");
    }
    if class.is_phantom() {
        line += " (missing)";
    }
    line
}

/// Writes the chosen classes and all their ancestors as a graph: solid edges to superclasses, dashed to interfaces.
pub fn dot(program: &Program, classes: &[ClassId], out: &mut dyn Write) -> io::Result<()> {
    let mut shown: BTreeSet<ClassId> = BTreeSet::new();
    for &class in classes {
        shown.extend(program.superclasses(class));
        shown.extend(program.all_interfaces(class));
    }
    writeln!(out, "digraph hierarchy {{\n  rankdir=BT;\n  node [shape=box, fontname=\"sans-serif\"];")?;
    for &id in &shown {
        let class = &program.classes[id];
        let style = match (class.is_phantom(), class.is_interface()) {
            (true, _) => ", style=dotted",
            (false, true) => ", style=dashed",
            (false, false) => "",
        };
        writeln!(out, "  {id} [label=\"{}\"{style}];", escape(&java_name(class.name)))?;
    }
    for &id in &shown {
        let class = &program.classes[id];
        // That an interface extends java.lang.Object is no news.
        if let Some(superclass) = class.superclass.filter(|_| !class.is_interface()) {
            writeln!(out, "  {id} -> {superclass};")?;
        }
        for interface in &class.interfaces {
            writeln!(out, "  {id} -> {interface} [style=dashed];")?;
        }
    }
    writeln!(out, "}}")
}

/// Makes a text fit for a quoted string of the dot language.
pub fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
