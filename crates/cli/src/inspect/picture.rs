//! Graphs as pictures: for Graphviz, or as a page for a browser that needs nothing else.
//!
//! On a page a graph is laid out in layers: a node stands below those that lead to it, edges that close a cycle do not count, and
//! within a layer nodes stand near those they are linked to. Where nodes have lanes (one for each thread), a lane is a column.

use std::io::{self, Write};

use super::hierarchy::escape;

/// How an edge is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Line {
    Solid,
    Dashed,
    Dotted,
    Bold,
    /// From what is owned to its owner: it does not count for the layout.
    Owner,
}

/// A node.
pub struct Node {
    /// The first line stands out.
    pub lines: Vec<String>,
    /// The column, where there are lanes.
    pub lane: usize,
    pub is_round: bool,
    pub is_racy: bool,
}

/// A graph to be drawn.
#[derive(Default)]
pub struct Picture {
    pub title: String,
    /// What is known of it, in sentences.
    pub notes: Vec<String>,
    /// The titles of the columns; without any, nodes stand where there is room.
    pub lanes: Vec<String>,
    pub nodes: Vec<Node>,
    pub edges: Vec<(usize, usize, Line)>,
}

const WIDTH: usize = 250;
const LINE: usize = 16;
const GAP: (usize, usize) = (34, 44);
/// Where the first column begins: edges go past it on the left, too.
const LEFT: usize = 8 + GAP.0;

/// Writes graphs for Graphviz, each in a frame of its own.
pub fn dot(pictures: &[Picture], name: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph {name} {{\n  node [shape=box, fontname=\"sans-serif\"];")?;
    for (number, picture) in pictures.iter().enumerate() {
        writeln!(out, "  subgraph cluster_{number} {{\n    label=\"{}\";", escape(&picture.title))?;
        if picture.nodes.is_empty() {
            let notes: Vec<String> = picture.notes.iter().map(|note| escape(note)).collect();
            writeln!(out, "    n{number}_0 [label=\"{}\", shape=plaintext];", notes.join("\\n"))?;
        }
        for (index, node) in picture.nodes.iter().enumerate() {
            let lines: Vec<String> = node.lines.iter().map(|line| escape(line)).collect();
            let round = if node.is_round { ", style=rounded" } else { "" };
            let racy = if node.is_racy { ", color=red" } else { "" };
            writeln!(out, "    n{number}_{index} [label=\"{}\"{round}{racy}];", lines.join("\\n"))?;
        }
        for &(from, to, line) in &picture.edges {
            let style = match line {
                Line::Solid => "style=solid",
                Line::Dashed => "style=dashed",
                Line::Dotted => "style=dotted",
                Line::Bold => "style=bold",
                Line::Owner => "color=blue, constraint=false, arrowhead=empty",
            };
            writeln!(out, "    n{number}_{from} -> n{number}_{to} [{style}];")?;
        }
        writeln!(out, "  }}")?;
    }
    writeln!(out, "}}")
}

/// Writes graphs as a page, under a legend.
pub fn html(pictures: &[Picture], title: &str, legend: &[&str], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">")?;
    writeln!(out, "<title>{}</title>\n<style>{STYLE}</style>\n<h1>{}</h1>", plain(title), plain(title))?;
    writeln!(out, "<ul class=\"legend\">")?;
    for line in legend {
        writeln!(out, "<li>{}</li>", plain(line))?;
    }
    writeln!(out, "</ul>")?;
    for picture in pictures {
        writeln!(out, "<section>\n<h2>{}</h2>", plain(&picture.title))?;
        for note in &picture.notes {
            writeln!(out, "<p>{}</p>", plain(note))?;
        }
        if !picture.nodes.is_empty() {
            picture.svg(out)?;
        }
        writeln!(out, "</section>")?;
    }
    writeln!(out, "</html>")
}

const STYLE: &str = ":root{color-scheme:light dark;--ink:#1c2330;--faint:#667085;--box:#f4f6fa;--line:#8a94a6;--racy:#c62828;--owner:#2563eb}\
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ef;--faint:#9aa4b5;--box:#242b38;--line:#77839a;--racy:#ff7676;--owner:#7aa7ff}}\
body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);margin:2rem}h2{font-size:1.05rem;margin:2rem 0 .2rem}p{margin:.1rem 0;color:var(--faint)}\
.legend{color:var(--faint);padding-left:1.2rem}.frame{overflow-x:auto}svg{margin-top:.6rem}text{fill:var(--ink);font-size:12px}\
.faint{fill:var(--faint)}.lane{font-weight:600}rect{fill:var(--box);stroke:var(--line)}.racy rect{stroke:var(--racy);stroke-width:2}\
path{fill:none;stroke:var(--line);stroke-width:1.2}.dashed{stroke-dasharray:7 4}.dotted{stroke-dasharray:2 4}.bold{stroke-width:2.6}\
.owner{stroke:var(--owner);stroke-dasharray:1 3;stroke-width:1.6}marker path{fill:var(--line);stroke:none}";

/// Makes a text fit for a page.
fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A name without its packages, a method without its parameters.
fn brief(text: &str, parts: usize) -> String {
    let mut depth = 0;
    let bare: String = text
        .chars()
        .filter(|&letter| {
            depth += i32::from(letter == '(');
            let stays = depth == 0;
            depth -= i32::from(letter == ')');
            stays
        })
        .collect();
    let short = |word: &str| {
        let names: Vec<&str> = word.split('.').collect();
        names[names.len().saturating_sub(parts)..].join(".")
    };
    bare.split(' ').map(short).collect::<Vec<String>>().join(" ")
}

/// As much of a text as fits into a box; its middle gives way.
fn fitting(text: &str) -> String {
    const MOST: usize = 36;
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= MOST {
        return text.to_owned();
    }
    let (first, last) = (&letters[..12], &letters[letters.len() - (MOST - 13)..]);
    first.iter().chain(&['…']).chain(last).collect()
}

impl Picture {
    fn height(&self) -> usize {
        self.nodes.iter().map(|node| node.lines.len()).max().unwrap_or(1) * LINE + 14
    }

    fn svg(&self, out: &mut dyn Write) -> io::Result<()> {
        let (places, columns, rows) = self.places();
        let top = if self.lanes.is_empty() { 8 } else { 34 };
        let height = self.height();
        let corner = |node: usize| {
            let (column, row) = places[node];
            (LEFT + column * (WIDTH + GAP.0), top + row * (height + GAP.1))
        };
        let size = (LEFT + 8 + columns * (WIDTH + GAP.0), top + 8 + rows * (height + GAP.1));
        writeln!(
            out,
            "<div class=\"frame\"><svg width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\">",
            size.0,
            size.1,
            plain(&self.title)
        )?;
        writeln!(
            out,
            "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
             <path d=\"M0 0L8 4L0 8z\"/></marker></defs>"
        )?;
        for (lane, title) in self.lanes.iter().enumerate() {
            let x = LEFT + lane * (WIDTH + GAP.0);
            writeln!(
                out,
                "<text class=\"lane\" x=\"{x}\" y=\"18\">{}<title>{}</title></text>",
                plain(&fitting(&brief(title, 2))),
                plain(title)
            )?;
        }
        for &(from, to, line) in &self.edges {
            let class = match line {
                Line::Solid => "solid",
                Line::Dashed => "dashed",
                Line::Dotted => "dotted",
                Line::Bold => "bold",
                Line::Owner => "owner",
            };
            let path = curve(corner(from), corner(to), height, from == to);
            writeln!(out, "<path class=\"{class}\" marker-end=\"url(#head)\" d=\"{path}\"/>")?;
        }
        for (index, node) in self.nodes.iter().enumerate() {
            let (x, y) = corner(index);
            let class = if node.is_racy { "racy" } else { "node" };
            let radius = if node.is_round { 14 } else { 2 };
            writeln!(
                out,
                "<g class=\"{class}\"><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{height}\" rx=\"{radius}\"/>",
                plain(&node.lines.join("\n"))
            )?;
            for (number, line) in node.lines.iter().enumerate() {
                let class = if number == 0 { "" } else { " class=\"faint\"" };
                let y = y + 20 + number * LINE;
                writeln!(
                    out,
                    "<text{class} x=\"{}\" y=\"{y}\" text-anchor=\"middle\">{}</text>",
                    x + WIDTH / 2,
                    plain(&fitting(&brief(line, if number == 0 { 1 } else { 2 })))
                )?;
            }
            writeln!(out, "</g>")?;
        }
        writeln!(out, "</svg></div>")
    }

    /// The column and the row of each node, and how many there are.
    fn places(&self) -> (Vec<(usize, usize)>, usize, usize) {
        let layers = self.layers();
        let count = layers.iter().max().map_or(0, |last| last + 1);
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); count];
        layers.iter().enumerate().for_each(|(node, &layer)| rows[layer].push(node));
        let mut places = vec![(0, 0); self.nodes.len()];
        if !self.lanes.is_empty() {
            // One node of a lane in a row; each row of the picture holds as many nodes of different lanes as a layer has.
            let mut next = 0;
            for layer in rows {
                let first = next;
                let mut used = vec![first; self.lanes.len()];
                for node in layer {
                    let lane = self.nodes[node].lane;
                    places[node] = (lane, used[lane]);
                    used[lane] += 1;
                    next = next.max(used[lane]);
                }
            }
            return (places, self.lanes.len(), next);
        }
        for _ in 0..4 {
            self.order(&mut rows, &layers);
        }
        // Wide layers are broken, so that a picture stays readable.
        const MOST: usize = 6;
        let mut row = 0;
        for layer in &rows {
            for part in layer.chunks(MOST) {
                part.iter().enumerate().for_each(|(column, &node)| places[node] = (column, row));
                row += 1;
            }
        }
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0).min(MOST);
        (places, columns, row)
    }

    /// Puts each node near the middle of those it is linked to.
    fn order(&self, rows: &mut [Vec<usize>], layers: &[usize]) {
        let mut position = vec![0.0; self.nodes.len()];
        for row in rows.iter() {
            row.iter().enumerate().for_each(|(at, &node)| position[node] = at as f64);
        }
        for (layer, row) in rows.iter_mut().enumerate() {
            let middle = |node: usize| {
                let near = self.edges.iter().filter_map(|&(from, to, _)| match (from == node, to == node) {
                    (true, false) if layers[to] != layer => Some(to),
                    (false, true) if layers[from] != layer => Some(from),
                    _ => None,
                });
                let (sum, count) =
                    near.fold((0.0, 0.0), |(sum, count), other| (sum + position[other], count + 1.0));
                if count == 0.0 { position[node] } else { sum / count }
            };
            let mut keyed: Vec<(f64, usize)> = row.iter().map(|&node| (middle(node), node)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            *row = keyed.into_iter().map(|(_, node)| node).collect();
        }
    }

    /// The layer of each node: one below the lowest that leads to it, without the edges that close cycles.
    fn layers(&self) -> Vec<usize> {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for &(from, to, line) in self.edges.iter().filter(|edge| edge.0 != edge.1) {
            match line {
                Line::Owner => next[to].push(from),
                _ => next[from].push(to),
            }
        }
        // Depth first: nodes in the order in which they are left, and edges back to a node that is still open are dropped.
        let mut state = vec![0u8; self.nodes.len()];
        let mut left: Vec<usize> = Vec::new();
        let mut kept: Vec<(usize, usize)> = Vec::new();
        for root in 0..self.nodes.len() {
            let mut open: Vec<(usize, usize)> = Vec::new();
            if state[root] == 0 {
                state[root] = 1;
                open.push((root, 0));
            }
            while let Some((node, at)) = open.pop() {
                let Some(&to) = next[node].get(at) else {
                    state[node] = 2;
                    left.push(node);
                    continue;
                };
                open.push((node, at + 1));
                if state[to] != 1 {
                    kept.push((node, to));
                }
                if state[to] == 0 {
                    state[to] = 1;
                    open.push((to, 0));
                }
            }
        }
        let mut targets: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        kept.into_iter().for_each(|(from, to)| targets[from].push(to));
        let mut layers = vec![0; self.nodes.len()];
        for &node in left.iter().rev() {
            for &to in &targets[node] {
                layers[to] = layers[to].max(layers[node] + 1);
            }
        }
        layers
    }
}

/// The line between two boxes, by their upper left corners.
fn curve(from: (usize, usize), to: (usize, usize), height: usize, is_loop: bool) -> String {
    let signed = |(x, y): (usize, usize)| (x as i64, y as i64);
    let ((x1, y1), (x2, y2)) = (signed(from), signed(to));
    let (width, height) = (WIDTH as i64, height as i64);
    let (centre, target) = (x1 + width / 2, x2 + width / 2);
    if is_loop {
        let (x, y) = (x1 + width, y1 + height / 2);
        return format!("M{x} {} C{} {} {} {} {x} {}", y - 8, x + 28, y - 14, x + 28, y + 14, y + 8);
    }
    let gap = GAP.1 as i64;
    if y2 - y1 > height + gap {
        // Over other rows: past their boxes, on the left of the target's column; a little apart from edges of other rows.
        let (start, end) = (y1 + height, y2 + height / 2);
        let (across, down) = (start + gap / 2, x2 - 9 - (y1 / (height + gap)) % 4 * 6);
        let turn = if down < centre { -8 } else { 8 };
        return format!(
            "M{centre} {start} Q{centre} {across} {} {across} L{} {across} Q{down} {across} {down} {} L{down} {} Q{down} {end} {x2} {end}",
            centre + turn,
            down - turn,
            across + 8,
            end - 8
        );
    }
    if y1 < y2 {
        let (start, half) = (y1 + height, (y2 - y1 - height) / 2);
        return format!("M{centre} {start} C{centre} {} {target} {} {target} {y2}", start + half, y2 - half);
    }
    // Upwards, or to the side: past the boxes.
    let (start, end) = (y1 + height / 2, y2 + height / 2);
    let bow = 18 + (y1 - y2) / 12;
    match x1.cmp(&x2) {
        std::cmp::Ordering::Equal => {
            let x = x1 + width;
            format!("M{x} {start} C{} {start} {} {end} {x} {end}", x + bow, x + bow)
        }
        std::cmp::Ordering::Less => {
            let x = x1 + width;
            format!("M{x} {start} C{} {start} {} {end} {x2} {end}", x + 16, x2 - 16)
        }
        std::cmp::Ordering::Greater => {
            let x = x2 + width;
            format!("M{x1} {start} C{} {start} {} {end} {x} {end}", x1 - 16, x + 16)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(line: &str) -> Node {
        Node { lines: vec![line.to_owned()], lane: 0, is_round: false, is_racy: false }
    }

    #[test]
    fn a_node_stands_below_those_that_lead_to_it_though_a_cycle_leads_back() {
        let edges = vec![(0, 1, Line::Solid), (1, 2, Line::Solid), (0, 2, Line::Solid), (2, 0, Line::Dashed)];
        let nodes = ["a", "b", "c"].map(node).into();
        assert_eq!(Picture { nodes, edges, ..Picture::default() }.layers(), [0, 1, 2]);
    }

    #[test]
    fn an_edge_over_other_rows_goes_past_their_boxes() {
        let height = 46;
        let at = |column: usize, row: usize| (LEFT + column * (WIDTH + GAP.0), row * (height + GAP.1));
        let left_of = |path: &str, x: usize| {
            path.contains(&format!("L{} ", x - 9)) && path.ends_with(&format!(" {x} 203"))
        };
        let (same, other) =
            (curve(at(0, 0), at(0, 2), height, false), curve(at(0, 0), at(1, 2), height, false));
        assert!(left_of(&same, LEFT) && left_of(&other, LEFT + WIDTH + GAP.0), "{same}\n{other}");
        assert!(!curve(at(0, 0), at(0, 1), height, false).contains('L'));
    }

    #[test]
    fn an_owner_stands_above_what_it_owns() {
        let picture = Picture {
            nodes: ["owned", "owner"].map(node).into(),
            edges: vec![(0, 1, Line::Owner)],
            ..Picture::default()
        };
        assert_eq!(picture.layers(), [1, 0]);
    }

    #[test]
    fn pages_hold_names_that_mean_something_to_a_browser() {
        let mut page = Vec::new();
        let picture =
            Picture { title: "p.C.<init>()".to_owned(), nodes: vec![node("p.C<T>")], ..Picture::default() };
        html(&[picture], "Objects", &["solid"], &mut page).unwrap_or_else(|error| panic!("{error}"));
        let page = String::from_utf8_lossy(&page);
        assert!(page.contains("p.C.&lt;init&gt;()") && page.contains(">C&lt;T&gt;<"), "{page}");
    }

    #[test]
    fn names_lose_their_packages_and_parameters() {
        assert_eq!(brief("p.q.C.run(java.lang.String[]), line 8", 2), "C.run, line 8");
        assert_eq!(brief("p.q.C$D", 1), "C$D");
    }
}
