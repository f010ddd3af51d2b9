//! Methods in the intermediate form, as text that reads back, or as control-flow graphs.

use std::fmt::Write as _;
use std::io::{self, Write};

use rayon::prelude::*;
use selvedge_ir::{Body, EdgeKind, text};
use selvedge_world::{Class, ClassId, Method, Program, java_name};

use super::hierarchy::escape;
use crate::arguments::Format;
use crate::selection::matches_method;

/// So many classes are made text in parallel before they are written: enough to keep all processors busy.
const BATCH: usize = 256;

/// Writes the methods of the classes. Returns how many.
pub fn show(
    program: &Program,
    classes: &[ClassId],
    method: Option<&str>,
    format: Format,
    out: &mut dyn Write,
) -> io::Result<usize> {
    let mut count = 0;
    if format == Format::Dot {
        writeln!(out, "digraph methods {{\n  node [shape=box, fontname=\"monospace\"];")?;
    }
    for batch in classes.chunks(BATCH) {
        let texts: Vec<(String, usize)> =
            batch.par_iter().map(|&class| class_text(program, class, method, format)).collect();
        for (text, methods) in texts {
            out.write_all(text.as_bytes())?;
            count += methods;
        }
    }
    if format == Format::Dot {
        writeln!(out, "}}")?;
    }
    Ok(count)
}

/// The chosen methods of one class as text, and how many they are.
fn class_text(program: &Program, class: ClassId, chosen: Option<&str>, format: Format) -> (String, usize) {
    let mut methods = String::new();
    let mut count = 0;
    program.lower_class(class, |id, body| {
        let method = &program.methods[id];
        if !chosen.is_none_or(|pattern| matches_method(pattern, method)) {
            return;
        }
        count += 1;
        match (body, format) {
            (Ok(Some(body)), Format::Text) => {
                methods.push('\n');
                methods += &text::print(&header(program, method), &body);
            }
            (Ok(Some(body)), _) => graph(&mut methods, &program.describe_method(id), id.number(), &body),
            (Ok(None), Format::Text) => {
                let kind = if method.is_native() { "native" } else { "abstract" };
                let _ = writeln!(methods, "\n; {kind} {}{}", method.name, method.descriptor);
            }
            (Ok(None), _) => {}
            (Err(problem), Format::Text) => {
                let _ = writeln!(methods, "\n; {}{} {}", method.name, method.descriptor, problem.message);
                program.report(problem);
            }
            (Err(problem), _) => program.report(problem),
        }
    });
    let is_empty = methods.is_empty() && chosen.is_some();
    if format == Format::Text && !is_empty {
        methods.insert_str(0, &class_line(program, class));
        methods.push('\n');
    }
    (methods, count)
}

fn header(program: &Program, method: &Method) -> text::MethodHeader {
    text::MethodHeader {
        owner: program.classes[method.class].name,
        name: method.name,
        descriptor: method.descriptor,
        access: method.flags,
    }
}

/// A remark that says what class the methods after it are of.
fn class_line(program: &Program, id: ClassId) -> String {
    let class: &Class = &program.classes[id];
    let kind = if class.is_interface() { "interface" } else { "class" };
    let source = program.source_file(id).map_or_else(String::new, |file| format!(", from {file}"));
    format!("; {kind} {}{source}\n", java_name(class.name))
}

/// A method's blocks as a cluster: dashed edges are taken by exceptions.
fn graph(out: &mut String, name: &str, number: u32, body: &Body) {
    let _ = writeln!(out, "  subgraph cluster_m{number} {{\n    label=\"{}\";", escape(name));
    for block in body.blocks.ids() {
        let lines = text::print_block(body, block);
        let lines: Vec<String> = lines.lines().map(|line| escape(line.trim_end()) + "\\l").collect();
        let _ = writeln!(out, "    m{number}{block} [label=\"{}\"];", lines.concat());
    }
    for (block, data) in body.blocks.iter_ids() {
        for edge in &data.predecessors {
            let style = if edge.kind == EdgeKind::Unwind { " [style=dashed]" } else { "" };
            let _ = writeln!(out, "    m{number}{} -> m{number}{block}{style};", edge.from);
        }
    }
    out.push_str("  }\n");
}
