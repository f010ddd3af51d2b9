//! Changes to a program whose effect on the findings is known, made to the text of corpus programs of a seeded choice.
//!
//! | change | findings |
//! |---|---|
//! | other names for classes and fields | the same, at the same lines |
//! | members in another order | the same, where the members went |
//! | a method that nobody calls | the same |
//! | one common lock around all racy statements | none at these lines |
//! | a `join` replaced by a call that orders nothing | at least the same lines |
//! | a lock left out | at least the same lines |
//!
//! The programs are written in one style (see `corpus/README.md`), so that plain text tells members, statements and names apart.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use selvedge_testkit::{Analysed, CorpusProgram, Expected, Rng, corpus, jdk_or_skip};
use selvedge_testkit::{JavacOptions, Sources, compile_with};

/// How many programs each change is made to.
const PROGRAMS: usize = 8;

/// How many programs are analysed at a time.
const TOGETHER: usize = 12;

/// Topics whose programs need nothing but the JDK.
const TOPICS: [&str; 9] =
    ["accesses", "arrays", "atomics", "benign", "containers", "escape", "locks", "order", "threads"];

/// What a change does to the findings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    /// Nothing.
    Same,
    /// The marked lines are silent.
    Silent,
    /// No line becomes silent.
    AtLeast,
}

/// A changed program.
struct Variant {
    change: &'static str,
    effect: Effect,
    /// The original, by file.
    of: String,
    lines: Vec<String>,
    /// Where the lines of the original are now, counted from 0.
    moved: BTreeMap<usize, usize>,
    /// The name of the main class.
    class: String,
}

impl Variant {
    fn new(change: &'static str, effect: Effect, of: &CorpusProgram, lines: Vec<String>) -> Self {
        let moved = (0..lines.len()).map(|line| (line, line)).collect();
        Self { change, effect, of: of.file.clone(), lines, moved, class: of.name.clone() }
    }

    fn package(&self) -> String {
        format!("changed.{}.{}", self.change, self.class.to_lowercase())
    }

    fn name(&self) -> String {
        format!("{}__{}", self.of.replace(['/', '.'], "_"), self.change)
    }

    /// The text in a package of its own, in a file of its own: the main class must not be public then.
    fn source(&self, original: &CorpusProgram) -> String {
        let package = format!("package {};", original.topic);
        let public = format!("public class {}", self.class);
        let line = |line: &String| match line {
            line if *line == package => format!("package {};", self.package()),
            line => line.replacen(&public, &public["public ".len()..], 1),
        };
        self.lines.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

fn lines_of(program: &CorpusProgram) -> Vec<String> {
    program.source.lines().map(str::to_owned).collect()
}

/// The code of a line, without its comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or("").trim_end()
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// A text with whole words replaced.
fn replace_words(text: &str, names: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\n']) {
        if is_name(c) {
            word.push(c);
            continue;
        }
        out.push_str(names.get(&word).unwrap_or(&word));
        word.clear();
        out.push(c);
    }
    out.pop();
    out
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(|c| !is_name(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The word that follows another one in a line of code.
fn word_after<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let mut words = code(line).split(|c| !is_name(c)).filter(|word| !word.is_empty());
    words.find(|word| *word == keyword)?;
    words.next()
}

/// Other names for the classes of a program and for its private fields.
fn renamed(program: &CorpusProgram) -> Option<Variant> {
    let lines = lines_of(program);
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for line in &lines {
        for keyword in ["class", "interface", "enum", "record"] {
            if let Some(name) = word_after(line, keyword).filter(|name| name.starts_with(char::is_uppercase))
            {
                names.insert(name.to_owned(), format!("Other{name}"));
            }
        }
        let declared = code(line).trim_start();
        let is_field =
            declared.starts_with("private ") && !declared.ends_with('{') && declared.ends_with(';');
        let name =
            declared.trim_end_matches(';').split('=').next().and_then(|left| left.split_whitespace().last());
        // A word that is a method somewhere, or a string's part, keeps its name.
        if let Some(name) =
            name.filter(|name| is_field && !declared.contains('"') && name.chars().all(is_name))
        {
            let is_called = lines.iter().any(|line| line.contains(&format!("{name}(")));
            let is_quoted = lines.iter().any(|line| line.contains('"') && words(line).contains(name));
            if !is_called && !is_quoted && name != "length" {
                names.insert(name.to_owned(), format!("other_{name}"));
            }
        }
    }
    // Names in strings are looked up by reflection.
    let is_quoted = |name: &String| lines.iter().any(|line| line.contains(&format!("\"{name}\"")));
    names.retain(|name, _| !is_quoted(name) && *name != program.topic);
    let class = names.get(&program.name)?.clone();
    let text = replace_words(&lines.join("\n"), &names);
    let lines = text.split('\n').map(str::to_owned).collect();
    Some(Variant { class, ..Variant::new("renamed", Effect::Same, program, lines) })
}

/// The methods and nested classes of the outermost class, in the opposite order. Fields stay where they are.
fn reordered(program: &CorpusProgram) -> Option<Variant> {
    let lines = lines_of(program);
    let start = lines.iter().position(|line| line.starts_with("public class ") && line.ends_with('{'))? + 1;
    let end = lines.iter().rposition(|line| line == "}")?;
    // Members with an end of their own: from a line at the first depth, with what stands right above, to the brace that closes it.
    let mut members: Vec<(usize, usize)> = Vec::new();
    let mut at = start;
    while at < end {
        let first = at;
        while at < end && !lines[at].is_empty() {
            at += 1;
        }
        let chunk = &lines[first..at];
        let outer = |line: &&String| line.starts_with("    ") && !line.starts_with("     ");
        let closes = |line: &String| line == "    }";
        let has_field = chunk.iter().filter(outer).any(|line| code(line).ends_with(';'));
        let is_initializer = chunk.iter().any(|line| line == "    static {" || line == "    {");
        let mut whole = at;
        // A member may have blank lines inside.
        while whole < end && !lines[..whole].last().is_some_and(closes) && !has_field {
            whole += 1;
        }
        at = whole;
        if !has_field && !is_initializer && lines[at - 1] == "    }" {
            members.push((first, at));
        } else if is_initializer {
            return None;
        }
        while at < end && lines[at].is_empty() {
            at += 1;
        }
    }
    if members.len() < 2 {
        return None;
    }
    let mut changed: Vec<String> = Vec::new();
    let mut moved = BTreeMap::new();
    let mut line = 0;
    let mut reversed = members.iter().rev();
    while line < lines.len() {
        let (first, after, next) = match members.iter().find(|(first, _)| *first == line) {
            Some(&(_, after)) => {
                let &(first, last) = reversed.next()?;
                (first, last, after)
            }
            None => (line, line + 1, line + 1),
        };
        for (from, text) in lines.iter().enumerate().take(after).skip(first) {
            moved.insert(from, changed.len());
            changed.push(text.clone());
        }
        line = next;
    }
    Some(Variant { moved, ..Variant::new("reordered", Effect::Same, program, changed) })
}

/// A method that nobody calls: it starts a thread, locks, and makes objects.
fn with_unreachable_code(program: &CorpusProgram) -> Option<Variant> {
    let mut lines = lines_of(program);
    let end = lines.iter().rposition(|line| line == "}")?;
    let method = "    private static void nobodyCallsThis() { Object o = new Object(); synchronized (o) { \
                  new Thread(() -> System.out.println(o)).start(); } new java.util.ArrayList<Object>().add(o); }";
    lines.insert(end, method.to_owned());
    let mut variant = Variant::new("unreachable", Effect::Same, program, lines);
    variant.moved = (0..end).map(|line| (line, line)).collect();
    Some(variant)
}

/// All racy statements under one lock; `None` where one of them is no statement of its own, or where lines are reported wrongly, which no
/// lock silences.
fn locked(program: &CorpusProgram) -> Option<Variant> {
    if program.marks.iter().any(|mark| mark.kind == Expected::Spurious) {
        return None;
    }
    let mut lines = lines_of(program);
    let racy = program.marks.iter().filter(|mark| matches!(mark.kind, Expected::Race | Expected::Missed));
    let mut count = 0;
    for mark in racy {
        let line = &mut lines[mark.line as usize - 1];
        let statement = code(line).trim_start().to_owned();
        let first: Vec<&str> = statement.split_whitespace().take(2).collect();
        let declares = first.len() == 2
            && first[0] != "return"
            && first.iter().all(|word| word.chars().all(|c| is_name(c) || "<>[].".contains(c)));
        let is_simple = statement.ends_with(';')
            && !statement.starts_with("private")
            && !statement.contains("->")
            && statement.matches('(').count() == statement.matches(')').count();
        if !is_simple || declares {
            return None;
        }
        *line = format!("synchronized (java.lang.Math.class) {{ {statement} }}");
        count += 1;
    }
    (count > 0).then(|| Variant::new("locked", Effect::Silent, program, lines))
}

/// Without the joins of threads: each is replaced by a call that throws the same, and orders nothing. Those of futures and tasks throw nothing.
fn unjoined(program: &CorpusProgram) -> Option<Variant> {
    if ["CompletableFuture", "ForkJoin", "Recursive"].iter().any(|other| program.source.contains(other)) {
        return None;
    }
    let mut lines = lines_of(program);
    let mut count = 0;
    for line in &mut lines {
        if code(line).ends_with(".join();") && code(line).trim_start().matches('(').count() == 1 {
            *line = "Thread.sleep(0);".to_owned();
            count += 1;
        }
    }
    (count > 0).then(|| Variant::new("unjoined", Effect::AtLeast, program, lines))
}

/// Without the monitors. Who waits or notifies needs them.
fn unlocked(program: &CorpusProgram) -> Option<Variant> {
    let mut lines = lines_of(program);
    let mut count = 0;
    let mut gone = Vec::new();
    for (number, line) in lines.iter_mut().enumerate() {
        let is_block = code(line).trim_start().starts_with("synchronized (") && code(line).ends_with(") {");
        if is_block {
            *line = "{".to_owned();
            gone.push(number);
            count += 1;
        } else if code(line).contains(" synchronized ") && code(line).ends_with('{') {
            *line = line.replacen("synchronized ", "", 1);
            count += 1;
        }
    }
    // What a line read to find the lock is not read any more: if that raced, the other side of the race is gone with it.
    let is_gone = |line: u32| gone.contains(&(line as usize - 1));
    let has_lost = program.marks.iter().any(|mark| mark.kind == Expected::Race && is_gone(mark.line));
    (count > 0 && !has_lost).then(|| Variant::new("unlocked", Effect::AtLeast, program, lines))
}

/// Makes one change to programs of a seeded choice.
fn choose(
    programs: &[CorpusProgram],
    rng: &mut Rng,
    change: fn(&CorpusProgram) -> Option<Variant>,
    found: &mut Vec<Variant>,
) {
    let mut order: Vec<&CorpusProgram> = programs.iter().collect();
    rng.shuffle(&mut order);
    let made: Vec<Variant> = order.into_iter().filter_map(change).take(PROGRAMS).collect();
    assert_eq!(made.len(), PROGRAMS, "the change can be made to {} programs only", made.len());
    found.extend(made);
}

#[test]
fn findings_follow_the_changes() {
    let Some(jdk) = jdk_or_skip() else { return };
    let mut programs = corpus().unwrap();
    programs.retain(|program| {
        let is_closed = matches!(&program.analysed, Analysed::Main(class) if *class == program.class());
        is_closed && TOPICS.contains(&program.topic.as_str()) && !program.source.contains("tream")
    });
    let mut rng = Rng::new(0x5e1ed6e);
    let mut variants: Vec<Variant> = Vec::new();
    for change in [renamed, reordered, with_unreachable_code, locked, unjoined, unlocked] {
        choose(&programs, &mut rng, change, &mut variants);
    }
    let by_file: BTreeMap<&str, &CorpusProgram> =
        programs.iter().map(|program| (program.file.as_str(), program)).collect();
    let originals: BTreeSet<&str> = variants.iter().map(|variant| variant.of.as_str()).collect();
    let mut sources: Vec<(String, String)> = Vec::new();
    let mut checked: Vec<CorpusProgram> = Vec::new();
    for file in originals {
        let original = by_file[file];
        sources.push((file.to_owned(), original.source.clone()));
        checked.push(original.clone());
    }
    for variant in &variants {
        let original = by_file[variant.of.as_str()];
        let file = format!("{}.java", variant.name());
        sources.push((file.clone(), variant.source(original)));
        checked.push(CorpusProgram {
            file,
            name: variant.name(),
            analysed: Analysed::Main(format!("{}.{}", variant.package(), variant.class)),
            marks: Vec::new(),
            ..original.clone()
        });
    }
    let sources: Vec<(&str, &str)> =
        sources.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    let compiled = compile_with(&jdk, Sources::Texts(&sources), &JavacOptions::default()).unwrap();
    let checked = support::check_programs(compiled.path(), TOGETHER, checked).unwrap();
    let reported: BTreeMap<&str, BTreeSet<u32>> = checked
        .iter()
        .map(|one| (one.program.file.as_str(), one.reported().into_iter().map(|(_, line)| line).collect()))
        .collect();
    let mut wrong: Vec<String> = Vec::new();
    for variant in &variants {
        let before = &reported[variant.of.as_str()];
        let after = &reported[format!("{}.java", variant.name()).as_str()];
        let to = |line: &u32| variant.moved.get(&(*line as usize - 1)).map(|line| *line as u32 + 1);
        let expected: BTreeSet<u32> = before.iter().filter_map(to).collect();
        let holds = match variant.effect {
            Effect::Same => *after == expected,
            Effect::Silent => after.is_disjoint(&expected),
            Effect::AtLeast => after.is_superset(&expected),
        };
        if !holds {
            wrong.push(format!("{} {}: {expected:?} became {after:?}", variant.of, variant.change));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
