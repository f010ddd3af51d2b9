//! Changes that mend a finding where that is mechanical, as edits of the sources.
//!
//! Each change is offered only if the sources are what the check has seen, and if every access of the finding is covered by it: then the
//! finding is gone after the next build. `tests/lsp` of the command proves that, change by change, on programs of the corpus. A change says
//! nothing of what else the code may need, such as two steps that belong together.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use selvedge_findings::{Action, Finding, Kind, Location, Lock, Side, class_of, short_method};
use selvedge_report::Sources;

use crate::java::{Field, Method, Source, Use, words};

/// One change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// What it does, as the editor shows it.
    pub title: String,
    /// Which kind of change it is: for tests, and for those who want only some.
    pub name: &'static str,
    /// The file.
    pub path: PathBuf,
    /// The class whose field is raced for, which the file declares.
    pub class: String,
    /// What is replaced: ranges of bytes that do not overlap, in order, and the new text.
    pub edits: Vec<Edit>,
}

/// A piece of text that is replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The bytes.
    pub range: std::ops::Range<usize>,
    /// What stands there afterwards.
    pub text: String,
}

impl Edit {
    fn insert(at: usize, text: impl Into<String>) -> Self {
        Self { range: at..at, text: text.into() }
    }
}

/// All kinds of changes, in the order in which they are offered.
pub const NAMES: &[&str] =
    &["atomic", "concurrent-collection", "synchronized", "same-lock", "volatile", "final"];

/// The texts of source files as they are now; nothing for a file that differs from what the check has seen.
pub trait Texts {
    /// The text of a file that declares a class.
    fn text(&self, path: &Path, class: &str) -> Option<String>;
}

/// The changes that mend a finding.
pub fn changes(finding: &Finding, sources: &Sources, texts: &dyn Texts) -> Vec<Change> {
    let Some(place) = Place::of(finding, sources, texts) else { return Vec::new() };
    [atomic, concurrent_collection, synchronized, same_lock, volatile, make_final]
        .into_iter()
        .filter_map(|change| change(&place))
        .collect()
}

/// A finding whose accesses are all in one Java file, beside the declaration of the field.
struct Place<'f> {
    finding: &'f Finding,
    /// The accesses of the finding and of its further pairs.
    sides: Vec<&'f Side>,
    path: PathBuf,
    text: String,
    /// The class that declares the field, and the field's name.
    class: String,
    name: String,
}

impl<'f> Place<'f> {
    fn of(finding: &'f Finding, sources: &Sources, texts: &dyn Texts) -> Option<Self> {
        // Accesses that are not listed cannot be changed.
        if finding.unlisted > 0 {
            return None;
        }
        let (class, name) = field_of(&finding.location)?;
        let pairs = finding.pairs.iter();
        if pairs.clone().any(|pair| field_of(&pair.location) != Some((class.clone(), name.clone()))) {
            return None;
        }
        let sides: Vec<&Side> = finding.sides.iter().chain(pairs.flat_map(|pair| &pair.sides)).collect();
        let paths: BTreeSet<PathBuf> =
            sides.iter().map(|side| sources.find(&side.at)?.on_disk).collect::<Option<_>>()?;
        let path = paths
            .first()
            .filter(|path| paths.len() == 1 && path.extension().is_some_and(|it| it == "java"))?;
        let text = texts.text(path, &class)?;
        Some(Self { finding, sides, path: path.clone(), text, class, name })
    }

    fn field(&self, source: &Source<'_>) -> Option<Field> {
        source.field(simple(&self.class), &self.name)
    }

    fn change(&self, name: &'static str, title: String, mut edits: Vec<Edit>) -> Option<Change> {
        edits.sort_by_key(|edit| edit.range.start);
        edits.dedup();
        let is_empty = edits.is_empty();
        (!is_empty).then(|| Change { title, name, path: self.path.clone(), class: self.class.clone(), edits })
    }

    /// The method of an access, where the source shows it as the class file does: no lambda expression, no initialiser.
    fn method(&self, source: &Source<'_>, side: &Side) -> Option<Method> {
        let method = source.method_around(side.at.line?)?;
        let name = short_method(&side.at.method);
        let name = name.split('(').next()?.rsplit('.').next()?;
        (method.name == name && !method.is_constructor).then_some(method)
    }

    /// Whether every use of the field on the line of an access is that of `this` object, or of the class.
    fn is_own(&self, source: &Source<'_>, side: &Side) -> bool {
        let on_line = source.uses(&self.name).into_iter().filter(|it| Some(it.line) == side.at.line);
        let mut uses = on_line.peekable();
        uses.peek().is_some()
            && uses.all(|it| {
                let before = source.code()[..it.name.start].trim_end();
                match before.strip_suffix('.') {
                    Some(receiver) => {
                        receiver.trim_end().ends_with("this") || ends_with_name(receiver, simple(&self.class))
                    }
                    None => true,
                }
            })
    }
}

/// The field that is raced for, or that holds what is.
fn field_of(location: &Location) -> Option<(String, String)> {
    match (&location.field, &location.held_by[..]) {
        (Some(field), _) => Some((location.class.clone(), field.clone())),
        (None, [holder]) => Some((holder.class.clone(), holder.field.clone())),
        _ => None,
    }
}

/// `p.Outer$Inner` is declared as `Inner`.
fn simple(class: &str) -> &str {
    class.rsplit(['.', '$']).next().unwrap_or(class)
}

fn ends_with_name(code: &str, name: &str) -> bool {
    code.strip_suffix(name).is_some_and(|rest| !rest.ends_with(|it: char| it.is_alphanumeric() || it == '_'))
}

/// The lock that a synchronized method of a class holds, as reports name it.
fn own_lock(class: &str, is_static: bool) -> String {
    if is_static { format!("class {class}") } else { format!("this ({class})") }
}

/// All methods that access the field without the lock of their object take it.
fn synchronized(place: &Place<'_>) -> Option<Change> {
    let source = Source::new(&place.text);
    let field = place.field(&source)?;
    let is_static = field.has("static");
    let wanted = own_lock(&place.class, is_static);
    let mut names = BTreeSet::new();
    let mut edits = Vec::new();
    for side in &place.sides {
        if side.locks.iter().any(|lock| lock.name == wanted) {
            continue;
        }
        let method = place.method(&source, side)?;
        // Another lock is what the author had in mind.
        let is_plain = side.locks.is_empty() && !method.modifiers.iter().any(|it| it == "synchronized");
        let fits = method.modifiers.iter().any(|it| it == "static") == is_static;
        // A loop that a thread begins with lasts as long as the thread does: nobody else would get the lock before.
        let is_loop = |word: std::ops::Range<usize>| matches!(&source.code()[word], "for" | "while" | "do");
        let body = method.body.clone();
        let has_loop = words(&source.code()[body.clone()])
            .any(|word| is_loop(body.start + word.start..body.start + word.end));
        let is_whole_thread = side.thread.entry == side.at.method && has_loop;
        if !is_plain || is_whole_thread || !fits {
            return None;
        }
        if class_of(&side.at.method) != place.class || !place.is_own(&source, side) {
            return None;
        }
        edits.push(Edit::insert(method.type_start, "synchronized "));
        names.insert(format!("`{}`", method.name));
    }
    let names: Vec<String> = names.into_iter().collect();
    place.change("synchronized", format!("Make {} synchronized", and(&names)), edits)
}

/// Accesses without a lock take the monitor that all others hold.
fn same_lock(place: &Place<'_>) -> Option<Change> {
    let source = Source::new(&place.text);
    let (with, without): (Vec<&Side>, Vec<&Side>) =
        place.sides.iter().partition(|side| !side.locks.is_empty());
    let lock = with.first()?.locks.iter().find(|lock| with.iter().all(|side| side.locks.contains(lock)))?;
    let expression = &lock_expression(place, &source, lock)?;
    let lines: BTreeSet<u32> = without.iter().map(|side| side.at.line).collect::<Option<_>>()?;
    let mut edits = Vec::new();
    for side in &without {
        let is_inside = class_of(&side.at.method) == place.class && place.is_own(&source, side);
        if !is_inside || !source.is_whole_statement(side.at.line?) {
            return None;
        }
    }
    for number in &lines {
        let range = source.line(*number)?;
        let line = &place.text[range.clone()];
        let indent = &line[..line.len() - line.trim_start().len()];
        let end = source.line_end();
        let statement = line.trim_start();
        let text =
            format!("{indent}synchronized ({expression}) {{{end}{indent}    {statement}{end}{indent}}}");
        edits.push(Edit { range, text });
    }
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    let title =
        format!("Hold `{expression}` in line{} {}", if lines.len() == 1 { "" } else { "s" }, and(&lines));
    place.change("same-lock", title, edits)
}

/// A lock as the class of the field may write it, everywhere with the same meaning: its own class, or a field of it.
fn lock_expression(place: &Place<'_>, source: &Source<'_>, lock: &Lock) -> Option<String> {
    if lock.name == own_lock(&place.class, true) {
        return Some(format!("{}.class", simple(&place.class)));
    }
    let taken = lock.taken_at.as_ref().filter(|frame| class_of(&frame.method) == place.class)?;
    let line = source.line(taken.line?)?;
    let (_, rest) = source.code()[line].split_once("synchronized")?;
    let expression = rest.trim_start().strip_prefix('(')?.split(')').next()?.trim();
    let is_name = expression.chars().all(|it| it.is_alphanumeric() || "_.".contains(it));
    let first = expression.trim_start_matches("this.");
    (is_name && first != "this" && source.field(simple(&place.class), first).is_some())
        .then(|| expression.to_owned())
}

/// A field that is only ever read, or written with a value that does not depend on it, becomes volatile.
fn volatile(place: &Place<'_>) -> Option<Change> {
    if !matches!(place.finding.kind, Kind::Field | Kind::Static) {
        return None;
    }
    let source = Source::new(&place.text);
    let field = place.field(&source)?;
    // A method that reads and writes may do two steps that belong together.
    let in_methods = |action: Action| -> BTreeSet<&str> {
        place.sides.iter().filter(|side| side.action == action).map(|side| side.at.method.as_str()).collect()
    };
    let (reading, writing) = (in_methods(Action::Read), in_methods(Action::Write));
    let is_compound = source
        .uses(&place.name)
        .iter()
        .any(|it| matches!(shape(&source, it), Shape::Step(..) | Shape::Add(_)));
    if field.has("volatile")
        || field.has("final")
        || is_compound
        || reading.intersection(&writing).next().is_some()
    {
        return None;
    }
    let edit = Edit::insert(field.type_start, "volatile ");
    place.change("volatile", format!("Make `{}` volatile", place.name), vec![edit])
}

/// A field that only constructors assign becomes final.
fn make_final(place: &Place<'_>) -> Option<Change> {
    if place.finding.kind != Kind::Field {
        return None;
    }
    // A write from elsewhere, as by reflection, would fail.
    let is_from_elsewhere =
        |side: &&&Side| side.action == Action::Write && !side.at.method.contains("<init>");
    if place.sides.iter().any(|side| is_from_elsewhere(&side)) {
        return None;
    }
    let source = Source::new(&place.text);
    let field = place.field(&source)?;
    let mut assigned = usize::from(field.initializer.is_some());
    for it in source.uses(&place.name).into_iter().filter(|it| it.name != field.name) {
        match shape(&source, &it) {
            Shape::Read => {}
            Shape::Set(_) => {
                let method = source.method_at(it.name.start)?;
                let is_own = source.code()[..it.name.start].trim_end().ends_with("this.");
                let is_first = method.is_constructor && method.name == simple(&place.class);
                if !is_first || !is_own || passes_this_on(&source.code()[method.body]) {
                    return None;
                }
                assigned += 1;
            }
            _ => return None,
        }
    }
    // Several constructors, or branches, may assign twice: the compiler would have to decide.
    if !field.has("private") || field.has("final") || field.has("volatile") || assigned != 1 {
        return None;
    }
    let edit = Edit::insert(field.type_start, "final ");
    place.change("final", format!("Make `{}` final", place.name), vec![edit])
}

/// Whether a constructor lets others see its object before it is done: final fields promise nothing then.
fn passes_this_on(body: &str) -> bool {
    let is_bare = |(at, _): (usize, &str)| !body[at + 4..].trim_start().starts_with('.');
    body.match_indices("this").any(is_bare) || ["->", "::", "start()"].iter().any(|it| body.contains(it))
}

/// A private counter becomes an `AtomicInteger` or `AtomicLong`, with all its uses.
fn atomic(place: &Place<'_>) -> Option<Change> {
    let source = Source::new(&place.text);
    let field = place.field(&source)?;
    let kind = match field.type_text.as_str() {
        "int" => "AtomicInteger",
        "long" => "AtomicLong",
        _ => return None,
    };
    if !field.has("private") || field.has("final") || field.has("volatile") || field.has("transient") {
        return None;
    }
    let uses: Vec<Use> = source.uses(&place.name).into_iter().filter(|it| it.name != field.name).collect();
    let reads = |value: &std::ops::Range<usize>| uses.iter().any(|it| value.contains(&it.name.start));
    let mut edits = Vec::new();
    let mut is_counted = false;
    for it in &uses {
        let before = source.code()[..it.name.start].trim_end();
        // A variable or method of the same name, or a name inside of something else: all bets are off.
        let is_other = before.ends_with(|last: char| last.is_alphanumeric() || "_>]".contains(last))
            && !["return", "else", "case", "throw", "yield"].iter().any(|word| ends_with_name(before, word));
        let is_call = source.code()[it.name.end..].trim_start().starts_with('(');
        let is_reference = before.ends_with("::");
        if is_other || is_call || is_reference {
            return None;
        }
        is_counted |= matches!(shape(&source, it), Shape::Step(..) | Shape::Add(_));
        edits.extend(match shape(&source, it) {
            Shape::Read => vec![Edit::insert(it.name.end, ".get()")],
            Shape::Step(range, method) => {
                let (before, after) = (range.start..it.name.start, it.name.end..range.end);
                let removed = Edit { range: before, text: String::new() };
                vec![removed, Edit { range: after, text: format!(".{method}()") }]
            }
            // A value that depends on the counter is two steps, which an atomic would not join.
            Shape::Set(value) | Shape::Add(value) if reads(&value) => return None,
            Shape::Set(value) => replaced(it, value, "set"),
            Shape::Add(value) => replaced(it, value, "addAndGet"),
            Shape::Other => return None,
        });
    }
    edits.retain(|edit| !(edit.range.is_empty() && edit.text.is_empty()));
    if !is_counted {
        return None;
    }
    let start = match &field.initializer {
        Some(range) => place.text[range.clone()].trim().to_owned(),
        None => "0".to_owned(),
    };
    let end = field.initializer.as_ref().map_or(field.name.end, |range| range.end);
    let is_literal = start.chars().all(|it| it.is_ascii_digit() || "-_lL".contains(it));
    if !is_literal {
        return None;
    }
    let new = if start == "0" { format!("new {kind}()") } else { format!("new {kind}({start})") };
    let text = format!("final {kind} {} = {new}", place.name);
    edits.push(Edit { range: field.type_start..end, text });
    edits.extend(import(&source, &format!("java.util.concurrent.atomic.{kind}")));
    place.change("atomic", format!("Replace the counter `{}` by an {kind}", place.name), edits)
}

/// Collections, the interfaces under which a field may hold them, and the concurrent ones in their place: the class, its package being
/// `java.util.concurrent`, and how one is made.
const CONCURRENT: &[(&str, &[&str], &str, &str)] = &[
    ("HashMap", &["Map"], "ConcurrentHashMap", "new ConcurrentHashMap"),
    ("TreeMap", &["Map", "SortedMap", "NavigableMap"], "ConcurrentSkipListMap", "new ConcurrentSkipListMap"),
    ("HashSet", &["Set"], "ConcurrentHashMap", "ConcurrentHashMap.newKeySet"),
    ("TreeSet", &["Set", "SortedSet", "NavigableSet"], "ConcurrentSkipListSet", "new ConcurrentSkipListSet"),
    ("ArrayDeque", &["Queue", "Deque"], "ConcurrentLinkedDeque", "new ConcurrentLinkedDeque"),
    ("LinkedList", &["Queue", "Deque"], "ConcurrentLinkedDeque", "new ConcurrentLinkedDeque"),
];

/// A collection that is made where its field is declared becomes a concurrent one.
fn concurrent_collection(place: &Place<'_>) -> Option<Change> {
    if place.finding.kind != Kind::Container {
        return None;
    }
    let class = place.finding.location.class.strip_prefix("java.util.")?;
    let (_, interfaces, concurrent, made) = CONCURRENT.iter().find(|(from, ..)| *from == class)?;
    let source = Source::new(&place.text);
    let field = place.field(&source)?;
    let initializer = field.initializer.clone()?;
    // The one place where a collection comes into the field.
    let uses = source.uses(&place.name);
    let mut others = uses.iter().filter(|it| it.name != field.name);
    if others.any(|it| !matches!(shape(&source, it), Shape::Read)) {
        return None;
    }
    // `new HashMap<>()`, with a size or not: what it is filled with, or ordered by, is not looked at.
    let text = place.text[initializer.clone()].trim().strip_prefix("new ")?;
    let (name, rest) = text.split_once('<')?;
    let (arguments, size) = rest.rsplit_once("(").filter(|(arguments, _)| arguments.ends_with('>'))?;
    let size = size.strip_suffix(')')?.trim();
    let is_plain = size.is_empty() || (class == "HashMap" && size.bytes().all(|it| it.is_ascii_digit()));
    if !is_plain || name.trim().trim_start_matches("java.util.") != class {
        return None;
    }
    let (declared, parameters) = field.type_text.split_once('<')?;
    let declared = declared.trim().trim_start_matches("java.util.");
    let mut edits =
        import(&source, &format!("java.util.concurrent.{concurrent}")).into_iter().collect::<Vec<_>>();
    if declared == class {
        // The field's own type changes: nothing but calls may notice.
        let is_called = |it: &Use| source.code()[it.name.end..].trim_start().starts_with('.');
        let is_set = made.ends_with("newKeySet");
        if is_set || !field.has("private") || uses.iter().any(|it| it.name != field.name && !is_called(it)) {
            return None;
        }
        let range = field.type_start..field.type_start + field.type_text.len();
        edits.push(Edit { range, text: format!("{concurrent}<{parameters}") });
    } else if !interfaces.contains(&declared) {
        return None;
    }
    let new =
        if made.ends_with("newKeySet") { format!("{made}()") } else { format!("{made}<{arguments}({size})") };
    edits.push(Edit { range: initializer, text: new });
    let title =
        format!("Replace `{}` by a {} (which takes no null)", place.name, made.trim_start_matches("new "));
    place.change("concurrent-collection", title, edits)
}

/// An import, unless it is there.
fn import(source: &Source<'_>, class: &str) -> Option<Edit> {
    let package = class.rsplit_once('.').map_or("", |(package, _)| package);
    let is_there = [format!("import {class};"), format!("import {package}.*;")]
        .iter()
        .any(|line| source.code().contains(line.as_str()));
    let place = source.import_place();
    let is_first = place > 0 && source.code()[..place].trim_end().lines().last()?.starts_with("package");
    let end = source.line_end();
    let gap = if is_first { end } else { "" };
    (!is_there).then(|| Edit::insert(place, format!("{gap}import {class};{end}")))
}

/// How a field is used at one place.
enum Shape {
    /// Its value is read.
    Read,
    /// `x++` and its like: what the whole spans, and the method of an atomic that does the same.
    Step(std::ops::Range<usize>, &'static str),
    /// `x = value;` as a statement; where the value is.
    Set(std::ops::Range<usize>),
    /// `x += value;` as a statement; where the value is.
    Add(std::ops::Range<usize>),
    /// Something else.
    Other,
}

fn shape(source: &Source<'_>, it: &Use) -> Shape {
    let code = source.code();
    let after = &code[it.name.end..];
    // The receiver belongs to the use: `this.x`, `pool.x`.
    let receiver =
        code[..it.name.start].trim_end_matches(|it: char| it.is_alphanumeric() || "_.".contains(it)).len();
    let before = code[..receiver].trim_end();
    let spaces = after.len() - after.trim_start().len();
    let next = after.trim_start();
    let is_statement = before.ends_with(['{', '}', ';']);
    let end = || Some(it.name.end + after.find(';')?);
    let is_one_line =
        |value: &std::ops::Range<usize>| source.line_of(value.start) == source.line_of(value.end);
    let value = |skipped: usize| {
        let start = it.name.end + spaces + skipped;
        let value = start + (code[start..].len() - code[start..].trim_start().len())..end()?;
        // Chains of assignments and lambda expressions are more than a value.
        let text = &code[value.clone()];
        let is_plain = !text.contains(['=', '{']) || text.contains("==");
        (is_statement && is_plain && is_one_line(&value)).then_some(value)
    };
    let step = |range, method| Shape::Step(range, method);
    if let Some(sign) = ["++", "--"].into_iter().find(|sign| next.starts_with(*sign)) {
        let whole = it.name.start..it.name.end + spaces + 2;
        // The value of a statement of its own is nobody's.
        let alone = is_statement && next[2..].trim_start().starts_with(';');
        return match (sign, alone) {
            ("++", true) => step(whole, "incrementAndGet"),
            ("++", false) => step(whole, "getAndIncrement"),
            (_, true) => step(whole, "decrementAndGet"),
            _ => step(whole, "getAndDecrement"),
        };
    }
    for (sign, method) in [("++", "incrementAndGet"), ("--", "decrementAndGet")] {
        if before.ends_with(sign) {
            // A receiver between the sign and the name stays where it is.
            let start = before.len() - 2;
            let is_bare = code[start + 2..it.name.start].trim().is_empty();
            return if is_bare { step(start..it.name.end, method) } else { Shape::Other };
        }
    }
    if next.starts_with("+=") {
        return value(2).map_or(Shape::Other, Shape::Add);
    }
    if next.starts_with('=') && !next.starts_with("==") {
        return value(1).map_or(Shape::Other, Shape::Set);
    }
    let is_operator =
        ["-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="].iter().any(|sign| next.starts_with(sign));
    if is_operator { Shape::Other } else { Shape::Read }
}

/// `x = value` as a call with the value.
fn replaced(it: &Use, value: std::ops::Range<usize>, method: &str) -> Vec<Edit> {
    vec![Edit { range: it.name.end..value.start, text: format!(".{method}(") }, Edit::insert(value.end, ")")]
}

/// `a`, `a and b`, `a, b and c`.
fn and(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
