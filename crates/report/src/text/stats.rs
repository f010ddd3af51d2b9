//! Counts and times on a terminal: the funnel of stages, the further refuters, the phases, what the result rests on.

use selvedge_findings::{ApplicationTable, InterthreadTable, Problem, Report, UseTable};

use super::paper::{Ink, Paper, Span};
use crate::words;

/// Columns of the longest bar.
const BAR: u64 = 40;

/// Everything that was counted.
pub fn show(paper: &mut Paper<'_>, report: &Report) {
    let stats = &report.stats;
    title(paper, "stages");
    let stages = stats.stages.named();
    let original = stats.stages.original.max(1);
    let digits = column(stages.iter().map(|(_, count)| *count));
    for (name, count) in stages {
        let share = count as f64 * 100.0 / original as f64;
        let bar = (count * BAR).div_ceil(original).min(BAR);
        let line = format!("{name:<12}{:>digits$}  {share:>6.2} %  ", words::thousands(count));
        let bar = "#".repeat(usize::try_from(bar).unwrap_or(0));
        paper.line(2, &[Span::plain(line), Span::new(Ink::Place, bar)]);
    }
    if !stats.refuters.is_empty() {
        title(paper, "further refuters");
        let digits = column(stats.refuters.iter().map(|refuter| refuter.removed));
        let width =
            stats.refuters.iter().map(|refuter| refuter.name.chars().count()).max().unwrap_or(0).max(10);
        for refuter in &stats.refuters {
            let removed = words::thousands(refuter.removed);
            paper.line(2, &[Span::plain(format!("{:<width$}  {removed:>digits$} removed", refuter.name))]);
        }
    }
    if let Some(table) = &stats.ownership {
        title(paper, "shared objects");
        let rows = [
            ("distributed", table.distributed_race_free, table.distributed_racy),
            ("owned", table.owned_race_free, table.owned_racy),
        ];
        let digits = column(rows.iter().flat_map(|&(_, free, racy)| [free, racy]));
        for (name, free, racy) in rows {
            let [free, racy] = [free, racy].map(words::thousands);
            paper.line(
                2,
                &[Span::plain(format!("{name:<12}{free:>digits$} race-free  {racy:>digits$} racy"))],
            );
        }
    }
    if let Some(table) = &stats.uses {
        title(paper, "uses of shared objects");
        let rows = [
            ("local", table.local),
            ("ordered", table.ordered),
            ("read-only", table.read_only),
            ("locked", table.lock_protected),
            ("mixed", table.mix_protected),
            ("conflicting", table.conflicting),
        ];
        let digits = column(rows.iter().map(|&(_, count)| count));
        for (name, count) in rows {
            paper.line(2, &[Span::plain(format!("{name:<12}{:>digits$}", words::thousands(count)))]);
        }
        uses(paper, table);
    }
    if let Some(table) = &stats.interthread {
        interthread(paper, table);
    }
    if !stats.phases.is_empty() {
        title(paper, "time");
        let width = stats.phases.iter().map(|phase| phase.name.chars().count()).max().unwrap_or(0).max(10);
        for phase in &stats.phases {
            let time = words::duration(phase.ms);
            paper.line(2, &[Span::plain(format!("{:<width$}  {time:>10}", phase.name))]);
        }
    }
    title(paper, "program");
    let mut counts = vec![
        ("classes", words::thousands(stats.classes)),
        ("methods", words::thousands(stats.methods)),
        ("contexts", words::thousands(stats.contexts)),
        ("objects", words::thousands(stats.objects)),
    ];
    if stats.peak_rss_bytes > 0 {
        counts.push(("memory", words::size(stats.peak_rss_bytes)));
    }
    let digits = counts.iter().map(|(_, count)| count.len()).max().unwrap_or(0);
    for (name, count) in counts {
        paper.line(2, &[Span::plain(format!("{name:<12}{count:>digits$}"))]);
    }
    if let Some(table) = &stats.application {
        application(paper, table);
    }
    if !report.assumptions.is_empty() {
        title(paper, "assumptions");
        for assumption in &report.assumptions {
            paper.flow(2, 4, &[Span::plain(assumption)]);
        }
    }
    if !report.problems.is_empty() {
        title(paper, "problems with the input");
        for Problem { kind, place, message } in &report.problems {
            let spans = [Span::new(Ink::Place, place), Span::plain(format!(" {message} [{kind}]"))];
            paper.flow(2, 4, &spans);
        }
    }
}

/// The size of the application, and the share of it that was reached.
fn application(paper: &mut Paper<'_>, table: &ApplicationTable) {
    title(paper, "application");
    let share = |reached: u64, all: u64| match all {
        0 => String::new(),
        _ => {
            format!(", {} reached ({:.0} %)", words::thousands(reached), reached as f64 * 100.0 / all as f64)
        }
    };
    let rows = [
        ("classes", table.classes, String::new()),
        ("methods", table.methods, share(table.reached_methods, table.methods)),
        ("statements", table.statements, share(table.reached_statements, table.statements)),
        ("reads", table.reads, String::new()),
        ("writes", table.writes, String::new()),
        ("unknown", table.unknown, " accesses to an object of which nothing is known".to_string()),
    ];
    let digits = column(rows.iter().map(|(_, count, _)| *count));
    for (name, count, rest) in rows {
        paper.line(2, &[Span::plain(format!("{name:<12}{:>digits$}{rest}", words::thousands(count)))]);
    }
}

fn title(paper: &mut Paper<'_>, text: &str) {
    paper.line(0, &[Span::new(Ink::Strong, text)]);
}

fn column(numbers: impl Iterator<Item = u64>) -> usize {
    numbers.map(|number| words::thousands(number).len()).max().unwrap_or(0)
}

/// How many pairs each condition of the static datarace set leaves out.
fn interthread(paper: &mut Paper<'_>, table: &InterthreadTable) {
    title(paper, "static datarace set");
    let rows = [
        ("may conflict", table.conflicting),
        ("one thread", table.same_thread),
        ("one lock", table.common_sync),
        ("thread-local", table.thread_local),
        ("thread-specific", table.thread_specific),
        ("may race", table.racy),
    ];
    let digits = column(rows.iter().map(|&(_, count)| count));
    for (name, count) in rows {
        paper.line(2, &[Span::plain(format!("{name:<16}{:>digits$}", words::thousands(count)))]);
    }
    let [racy, sites, told] = [table.racy_sites, table.sites, table.told].map(words::thousands);
    paper.line(2, &[Span::plain(format!("{racy} of {sites} access sites in some pair; {told} pairs told"))]);
    let [methods, blocks, locks, roots] =
        [table.methods, table.blocks, table.must_locks, table.roots].map(words::thousands);
    let line =
        format!("{methods} methods and {blocks} synchronized blocks in contexts, {roots} thread roots");
    paper.line(2, &[Span::plain(line)]);
    paper.line(2, &[Span::plain(format!("{locks} of the locks that these take must be one object"))]);
}

/// What use graphs have to do with plain sharing, and how conflicts look.
fn uses(paper: &mut Paper<'_>, table: &UseTable) {
    let types = [
        ("all writes locked", table.writes_locked),
        ("local to a thread, likely", table.thread_local),
        ("one lock, likely", table.likely_lock),
        ("no common lock", table.unlocked),
    ];
    let digits = column(types.iter().map(|&(_, count)| count));
    paper.line(2, &[Span::plain("of those in conflict")]);
    for (name, count) in types {
        paper.line(4, &[Span::plain(format!("{name:<26}{:>digits$}", words::thousands(count)))]);
    }
    paper.line(
        2,
        &[Span::plain("objects, their allocation sites, their access sites; fewer than by plain sharing")],
    );
    let rows = [
        ("may be shared", table.global, table.global_allocations, table.global_sites),
        ("shared, written", table.shared, table.shared_allocations, table.shared_sites),
        ("by locks alone", table.without_order, table.without_order_allocations, table.without_order_sites),
        ("in conflict", table.conflicting, table.conflicting_allocations, table.conflicting_sites),
        ("told", table.told, table.told_allocations, table.told_sites),
    ];
    let digits =
        column(rows.iter().flat_map(|&(_, objects, allocations, sites)| [objects, allocations, sites]));
    for (name, objects, allocations, sites) in rows {
        let mut line = format!("{name:<16}");
        for count in [objects, allocations, sites] {
            line += &format!("{:>width$}", words::thousands(count), width = digits + 2);
        }
        if objects < table.shared {
            line += &format!(
                "  ({}, {} of the sites)",
                fewer(objects, table.shared),
                fewer(sites, table.shared_sites)
            );
        }
        paper.line(4, &[Span::plain(line)]);
    }
    let [fields, events, median, most, classes] =
        [table.conflicting_fields, table.events, table.median_events, table.most_events, table.classes]
            .map(words::thousands);
    let average = table.sites_of_fields as f64 / table.conflicting_fields.max(1) as f64;
    let most_sites = words::thousands(table.most_sites_of_field);
    let line = format!(
        "{fields} fields of objects in conflict, of {average:.1} access sites each, {most_sites} at most"
    );
    paper.line(2, &[Span::plain(line)]);
    paper.line(2, &[Span::plain(format!("{classes} of all are classes (static fields)"))]);
    let line =
        format!("{events} events in all use graphs, {median} in the median one, {most} in the largest");
    paper.line(2, &[Span::plain(line)]);
    let [followed, without_effect, reused] =
        [table.followed, table.without_effect, table.reused].map(words::thousands);
    let line = format!(
        "{followed} methods followed, {without_effect} calls without effect, {reused} threads with the result of another"
    );
    paper.line(2, &[Span::plain(line)]);
}

/// By how much less one count is than another.
fn fewer(count: u64, than: u64) -> String {
    match than {
        0 => "none fewer".to_string(),
        _ => format!("{} % fewer", than.saturating_sub(count) * 100 / than),
    }
}
