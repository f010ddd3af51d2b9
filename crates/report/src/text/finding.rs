//! One finding on a terminal.

use rustc_hash::FxHashSet;
use selvedge_findings::{
    CallPaths, Confirmation, Finding, Frame, LockMode, Outcome, Pair, Reason, ReasonKind, Side, class_of,
    short_class,
};

use super::paper::{BODY, Ink, Paper, Span};
use super::{badge, place_span};
use crate::words;

/// How much of long paths and lists is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathLength {
    /// The beginning and the end; the first few further pairs, one line each.
    Short,
    /// Everything; further pairs with both sides.
    Whole,
}

/// Calls shown at the beginning and at the end of a path that is too long.
const PATH_ENDS: (usize, usize) = (3, 9);
/// Further pairs shown.
const FURTHER: usize = 4;
/// Fields shown that may hold the object.
const HOLDERS: usize = 3;

/// The finding with all its sections.
pub fn show(paper: &mut Paper<'_>, finding: &Finding, length: PathLength) {
    let mut title = vec![Span::new(badge(finding.confidence), format!("[{}]", finding.confidence.name()))];
    title.push(Span::new(Ink::Strong, format!(" {}", words::headline(finding))));
    if let Some(verdict) = words::verdict(finding.verdict) {
        title.push(Span::new(Ink::Alarm, format!(" ({verdict})")));
    }
    paper.flow(0, 2, &title);
    if let Some(confirmation) = &finding.confirmation {
        show_confirmation(paper, confirmation, length);
    }
    show_sides(paper, &finding.sides, length);
    paper.gap();
    if let Some(object) = &finding.object {
        let mut spans = vec![Span::plain(&object.class)];
        if let Some(frame) = &object.allocated_at {
            spans.push(Span::plain(" created at "));
            spans.extend(place_in_method(paper, frame, false));
        }
        paper.label(faint("object"), &spans);
    }
    if finding.location.held_by.len() > 1 {
        let shown = if length == PathLength::Short { HOLDERS } else { usize::MAX };
        let names = finding.location.held_by.iter().take(shown);
        let mut holders: Vec<String> =
            names.map(|holder| format!("{}.{}", holder.class, holder.field)).collect();
        let left_out = finding.location.held_by.len() - holders.len();
        if left_out > 0 {
            holders.push(format!("and {left_out} more"));
        }
        paper.label(faint("held by"), &[Span::plain(holders.join(", "))]);
    }
    let mut before = None;
    for reason in &finding.reasons {
        show_reason(paper, reason, before == Some(reason.kind));
        before = Some(reason.kind);
    }
    if !finding.advice.is_empty() {
        paper.label(Span::new(Ink::Good, "fix"), &[Span::new(Ink::Good, &finding.advice)]);
    }
    further(paper, &finding.pairs, length);
    if let Some(paths) = finding.call_paths.as_ref().filter(|paths| paths.are_several()) {
        show_paths(paper, paths, length);
    }
    paper.label(faint("key"), &[Span::new(Ink::Faint, &finding.key)]);
}

/// How many call paths there are beside those shown; at length all calls.
fn show_paths(paper: &mut Paper<'_>, paths: &CallPaths, length: PathLength) {
    // What the graph leaves out may be on further paths.
    let at_least = if paths.left_out > 0 { "at least " } else { "" };
    let count = |count: u64| match count {
        CallPaths::MOST => "over a million call paths lead".to_owned(),
        0 | 1 => format!("{at_least}1 call path leads"),
        count => format!("{at_least}{} call paths lead", words::thousands(count)),
    };
    let [first, second] = paths.leading.map(count);
    let second = second.replace(" call paths lead", "").replace(" call path leads", "");
    let where_to = match length {
        PathLength::Short => "; `explain` and the HTML page show them",
        PathLength::Whole => ":",
    };
    paper.label(
        faint("paths"),
        &[Span::plain(format!("{first} to the first access, {second} to the second{where_to}"))],
    );
    if length == PathLength::Short {
        return;
    }
    for call in &paths.calls {
        let [from, to] = [call.from, call.to].map(|index| paths.methods.get(index as usize));
        let (Some(from), Some(to)) = (from, to) else { continue };
        let caller = Frame { line: call.line, ..from.at.clone() };
        let start = if from.is_start { ", where a thread starts," } else { "" };
        let access = if to.is_access { ", which makes an access" } else { "" };
        let mut spans = vec![place_span(paper, &caller, &caller.place())];
        let [from, to] = [&from.at.method, &to.at.method].map(|method| words::code(method));
        spans.push(Span::plain(format!(" in {from}{start} calls {to}{access}")));
        paper.flow(BODY, BODY + 2, &spans);
    }
    if paths.left_out > 0 {
        let count = words::count(paths.left_out as usize, "method is", "methods are");
        paper.line(BODY, &[faint(&format!("{count} left out"))]);
    }
}

/// What came of trying to make it happen: the two threads when they met, and what followed.
fn show_confirmation(paper: &mut Paper<'_>, confirmation: &Confirmation, length: PathLength) {
    paper.gap();
    let ink = if confirmation.outcome == Outcome::Confirmed { Ink::Alarm } else { Ink::Plain };
    paper.label(faint("tried"), &[Span::new(ink, words::confirmation::sentence(confirmation))]);
    let mut fact = |label: &str, text: Option<&str>| {
        if let Some(text) = text {
            paper.label(faint(label), &[Span::plain(text)]);
        }
    };
    fact("harm", confirmation.harm.as_deref());
    fact("value", words::confirmation::values(confirmation).as_deref());
    fact("test", confirmation.test.as_deref());
    fact("repeat", confirmation.command.as_deref());
    for stack in &confirmation.stacks {
        let locks = if stack.locks.is_empty() { "none".to_owned() } else { stack.locks.join(", ") };
        let thread = format!("{}, locks: {locks}", stack.thread);
        paper.label(faint("thread"), &[Span::plain(thread)]);
        let shown = if length == PathLength::Short { PATH_ENDS.1 } else { usize::MAX };
        for frame in stack.frames.iter().take(shown) {
            let method = Span::plain(format!("{} ", words::code(&frame.method)));
            paper.line(BODY, &[method, place_span(paper, frame, &frame.place())]);
        }
        if stack.frames.len() > shown {
            let left_out = words::count(stack.frames.len() - shown, "more call", "more calls");
            paper.line(BODY, &[faint(&format!("... {left_out}"))]);
        }
    }
}

fn faint(text: &str) -> Span {
    Span::new(Ink::Faint, text)
}

/// `Account.java:12 in bank.Account.deposit(int)`; in short the method without package and parameters.
fn place_in_method(paper: &Paper<'_>, frame: &Frame, in_full: bool) -> [Span; 2] {
    let method = if in_full { words::method(&frame.method) } else { words::code(&frame.method) };
    [place_span(paper, frame, &frame.place()), Span::plain(format!(" in {method}"))]
}

/// Both sides; once, if they are the same access by two threads of a kind.
fn show_sides(paper: &mut Paper<'_>, sides: &[Side; 2], length: PathLength) {
    let [first, second] = sides;
    paper.gap();
    show_side(paper, first, length);
    if first == second {
        paper.label(faint("against"), &[Span::plain("the same access by another such thread")]);
    } else {
        paper.gap();
        show_side(paper, second, length);
    }
}

fn show_side(paper: &mut Paper<'_>, side: &Side, length: PathLength) {
    let mut what = Vec::new();
    if let Some(called) = &side.called {
        what.push(Span::plain(format!("{} at ", words::code(called))));
    }
    what.extend(place_in_method(paper, side.in_source(), true));
    paper.label(Span::new(Ink::Strong, words::deed(side.action)), &what);
    snippet(paper, side.in_source());
    paper.label(faint("thread"), &[Span::plain(words::thread_in_full(&side.thread))]);
    let mut locks = Vec::new();
    for lock in &side.locks {
        if !locks.is_empty() {
            locks.push(Span::plain(", "));
        }
        locks.push(Span::plain(&lock.name));
        if lock.mode == LockMode::Shared {
            locks.push(Span::plain(" for reading"));
        }
        if let Some(frame) = &lock.taken_at {
            locks.push(Span::plain(" (taken at "));
            locks.push(place_span(paper, frame, &frame.place()));
            locks.push(Span::plain(")"));
        }
    }
    if locks.is_empty() {
        locks.push(Span::plain("none"));
    }
    paper.label(faint("locks"), &locks);
    path(paper, &side.path, length);
}

/// The line of the access and its neighbours, if the source is there.
fn snippet(paper: &mut Paper<'_>, frame: &Frame) {
    let Some(line) = frame.line else { return };
    let Some(found) = paper.style.sources.find(frame) else { return };
    let lines = found.around(line, 1, 1);
    let digits = lines.last().map_or(0, |(number, _)| number.to_string().len());
    for (number, text) in lines {
        let is_it = number == line;
        let mark = if is_it { ">" } else { " " };
        let spans = [
            Span::new(if is_it { Ink::Alarm } else { Ink::Faint }, mark),
            Span::new(Ink::Faint, format!(" {number:>digits$} | ")),
            Span::new(if is_it { Ink::Plain } else { Ink::Faint }, text),
        ];
        paper.line(BODY, &spans);
    }
}

/// The calls from the thread's entry to the access, places in a column; on a narrow terminal each with its line only, where the file
/// is that of the class. A path of one method says nothing new.
fn path(paper: &mut Paper<'_>, path: &[Frame], length: PathLength) {
    if path.len() < 2 {
        return;
    }
    let (head, tail) = PATH_ENDS;
    let cut = length == PathLength::Short && path.len() > head + tail + 1;
    let (first, last) = if cut { (&path[..head], &path[path.len() - tail..]) } else { (path, &path[..0]) };
    let shown = || first.iter().chain(last);
    let width_of = |text: &str| text.chars().count();
    let column = shown().map(|frame| width_of(&words::code(&frame.method))).max().unwrap_or(0);
    let place = shown().map(|frame| width_of(&frame.place())).max().unwrap_or(0);
    let is_narrow = column + 2 + place > paper.room(BODY);
    for (index, frame) in shown().enumerate() {
        if cut && index == head {
            let left_out = format!("... {} ...", words::count(path.len() - head - tail, "call", "calls"));
            paper.line(BODY, &[faint(&left_out)]);
        }
        if is_narrow {
            let method = Span::plain(format!("{} ", words::code(&frame.method)));
            let place = place_span(paper, frame, &line_of(frame));
            paper.label(faint(if index == 0 { "path" } else { "" }), &[method, place]);
            continue;
        }
        let spans = [
            Span::plain(format!("{:column$}  ", words::code(&frame.method))),
            place_span(paper, frame, &frame.place()),
        ];
        if index == 0 {
            let mut line = vec![faint(&format!("{:width$}", "path", width = BODY - 2))];
            line.extend(spans);
            paper.line(2, &line);
        } else {
            paper.line(BODY, &spans);
        }
    }
}

/// `line 12`, if the file is named after the class, as it nearly always is; else the whole place.
fn line_of(frame: &Frame) -> String {
    let class = short_class(class_of(&frame.method));
    let outer = class.split_once('$').map_or(class, |(outer, _)| outer);
    let stem = frame.file.as_deref().and_then(|file| file.split_once('.')).map(|(stem, _)| stem);
    match frame.line {
        Some(line) if stem == Some(outer) => format!("line {line}"),
        _ => frame.place(),
    }
}

/// A reason; its label is left out if the one before it had the same.
fn show_reason(paper: &mut Paper<'_>, reason: &Reason, again: bool) {
    let label = match reason.kind {
        _ if again => "",
        ReasonKind::Evidence => "why",
        ReasonKind::Tried => "tried",
        ReasonKind::Doubt => "but",
    };
    let text = match &reason.refuter {
        Some(refuter) => format!("{refuter}: {}", reason.text),
        None => reason.text.clone(),
    };
    paper.label(faint(label), &[Span::plain(text)]);
}

fn further(paper: &mut Paper<'_>, pairs: &[Pair], length: PathLength) {
    if pairs.is_empty() {
        return;
    }
    let count = words::count(pairs.len(), "more pair of accesses has", "more pairs of accesses have");
    paper.label(faint("also"), &[Span::plain(format!("{count} the same cause:"))]);
    if length == PathLength::Whole {
        for pair in pairs {
            paper.flow(BODY, BODY + 2, &[Span::plain(words::subject(&pair.location))]);
            show_sides(paper, &pair.sides, length);
            paper.gap();
        }
        return;
    }
    // Pairs that differ only in their paths are one line.
    let mut lines: Vec<[(String, &Frame); 2]> = Vec::new();
    let mut seen = FxHashSet::default();
    for pair in pairs {
        let line = [&pair.sides[0], &pair.sides[1]].map(|side| (words::deed_in_full(side), side.in_source()));
        if seen.insert(line.clone()) {
            lines.push(line);
        }
    }
    for line in lines.iter().take(FURTHER) {
        let [(first_deed, first), (second_deed, second)] = line;
        let mut spans =
            vec![Span::plain(format!("{first_deed} at ")), place_span(paper, first, &first.place())];
        // The file is named once.
        let place = match second.line.filter(|_| first.file.is_some() && first.file == second.file) {
            Some(line) => format!("line {line}"),
            None => second.place(),
        };
        if line[0] == line[1] {
            spans.push(Span::plain(" by two threads"));
        } else {
            spans.push(Span::plain(format!(" against {second_deed} at ")));
            spans.push(place_span(paper, second, &place));
        }
        paper.flow(BODY, BODY + 2, &spans);
    }
    if lines.len() > FURTHER {
        let more = words::thousands((lines.len() - FURTHER) as u64);
        paper.line(BODY, &[faint(&format!("... and {more} more"))]);
    }
}
