//! Findings in plain words: the sentences that every format shares.

pub mod confirmation;
mod headline;

use selvedge_findings::{
    Action, Confidence, Coverage, Location, Outcome, Partial, Report, Side, ThreadInfo, Verdict, short_class,
    short_method,
};

pub use headline::{headline, predicate};

use crate::Style;

/// The location as the subject of a sentence: `bank.Account.balance`, `java.util.HashMap in bank.Bank.accounts`.
pub fn subject(location: &Location) -> String {
    location.to_string()
}

/// What a side does, as a noun: `write`, `read`, `call`.
pub fn deed(action: Action) -> &'static str {
    action.name()
}

/// The same with the method that is called, where it is known: `call of HashMap.put`.
pub fn deed_in_full(side: &Side) -> String {
    match &side.called {
        Some(called) => format!("{} of {}", deed(side.action), code(called)),
        None => deed(side.action).to_owned(),
    }
}

/// A thread as it is called inside a sentence: `the main thread`, `a Teller thread`, `a caller of Account.get`.
pub fn thread(thread: &ThreadInfo) -> String {
    match (&thread.name, &thread.spawned_at) {
        (Some(name), _) if name == "main" => "the main thread".to_owned(),
        (Some(name), _) if name == ThreadInfo::JVM => "a thread of the JVM".to_owned(),
        (Some(name), _) if name == ThreadInfo::INITIALIZER => "the initialiser of a class".to_owned(),
        (Some(name), _) => format!("thread \"{name}\""),
        _ if thread.entry.is_empty() => "a thread".to_owned(),
        (None, None) => format!("a caller of {}", code(&thread.entry)),
        (None, Some(_)) => {
            let role = role(&thread.entry);
            let article = match role.chars().next() {
                _ if !thread.many => "the",
                Some('A' | 'E' | 'I' | 'O' | 'U' | 'a' | 'e' | 'i' | 'o' | 'u') => "an",
                _ => "a",
            };
            format!("{article} {role}")
        }
    }
}

/// What a spawned thread is called by its entry: `Teller thread` for `bank.Teller.run()`.
fn role(entry: &str) -> String {
    let name = short_method(entry);
    let body = name.strip_suffix(".run").or_else(|| name.strip_suffix(".call"));
    match body {
        Some(body) => format!("{body} thread"),
        None if name.contains(LAMBDA) => format!("thread of the {}", code(entry)),
        None => format!("{name} thread"),
    }
}

/// What the names of methods that hold lambdas begin with.
const LAMBDA: &str = ".lambda$";

/// A method as people call it: `Account.get`; a lambda by the method around it: `lambda in Main.main`.
pub fn code(method: &str) -> String {
    let name = short_method(method);
    let Some((class, rest)) = name.split_once(LAMBDA) else { return name.to_owned() };
    match rest.rsplit_once('$') {
        Some((around, _)) => format!("lambda in {class}.{around}"),
        None => format!("lambda in {class}"),
    }
}

/// A method with the simple names of its parameters' types: `p.C.m(int,String)`.
pub fn method(method: &str) -> String {
    let Some((name, rest)) = method.split_once('(') else { return method.to_owned() };
    let Some((parameters, after)) = rest.split_once(')') else { return method.to_owned() };
    let short: Vec<&str> = parameters.split(',').map(short_class).collect();
    format!("{name}({}){after}", short.join(", "))
}

/// A thread with all that is known of it: `Teller.run, many at once, started at Main.java:9 in Main.main`.
pub fn thread_in_full(thread: &ThreadInfo) -> String {
    let mut parts = Vec::new();
    if let Some(name) = &thread.name {
        parts.push(match name.as_str() {
            "main" => "main thread".to_owned(),
            ThreadInfo::JVM => "a thread of the JVM (finalisers, shutdown)".to_owned(),
            ThreadInfo::INITIALIZER => "whichever initialises the class".to_owned(),
            name => format!("\"{name}\""),
        });
    }
    match &thread.spawned_at {
        None if thread.name.is_none() && !thread.entry.is_empty() => {
            parts.push(format!("any caller of {}", code(&thread.entry)));
        }
        _ if thread.entry.is_empty() || thread.entry == "java.lang.Thread" => {}
        // A run may know the class of the thread only.
        _ if !thread.entry.contains('(') => parts.push(format!("of class {}", short_class(&thread.entry))),
        _ => parts.push(format!("runs {}", code(&thread.entry))),
    }
    if let Some(frame) = &thread.spawned_at {
        parts.push(format!("started at {} in {}", frame.place(), code(&frame.method)));
    }
    // That there can be many callers goes without saying.
    let is_caller = thread.name.is_none() && thread.spawned_at.is_none() && !thread.entry.is_empty();
    if thread.many && !is_caller {
        parts.push("many at once".to_owned());
    }
    if parts.is_empty() { "unknown".to_owned() } else { parts.join(", ") }
}

/// How a race is known, for people; nothing for what is only predicted.
pub fn verdict(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Predicted => None,
        Verdict::Lockset => Some("a run made both accesses"),
        Verdict::HappensBefore => Some("seen in a run"),
        Verdict::Confirmed => Some("confirmed: it happened"),
    }
}

/// `1 race`, `2 races`, `1,234 races`.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number as u64), if number == 1 { one } else { many })
}

/// A number with commas between its thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A time as people read it: `41 ms`, `2.3 s`, `3 min 12 s`.
pub fn duration(ms: u64) -> String {
    match ms {
        0..1000 => format!("{ms} ms"),
        1000..60_000 => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
        _ => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1000),
    }
}

/// A size as people read it: `512 kB`, `1.4 GB`.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes / 1000),
        1_000_000..1_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{}.{} GB", bytes / 1_000_000_000, bytes % 1_000_000_000 / 100_000_000),
    }
}

/// The whole report in one line: `3 races in 2 fields (1 high, 2 medium)`, and what else must be known.
pub fn summary(report: &Report) -> String {
    let by_confidence = report.count_by_confidence();
    let mut text = match report.findings.len() {
        0 if report.partial.as_ref().is_some_and(|partial| partial.of == 0) => {
            "no conclusion about races".to_owned()
        }
        0 if report.partial.is_some() => "no races found so far".to_owned(),
        0 => "no races found".to_owned(),
        races if by_confidence == [(Confidence::Low, races)] => {
            format!("no likely races, {} of low confidence {}", thousands(races as u64), places(report))
        }
        races => {
            let confidences: Vec<String> = by_confidence
                .into_iter()
                .map(|(confidence, count)| format!("{} {}", thousands(count as u64), confidence.name()))
                .collect();
            let together = match report.views.by_field.len() > races {
                true => "; fields of a class with one cause are one race",
                false => "",
            };
            let races = count(races, "race", "races");
            format!("{races} {} ({}){together}", places(report), confidences.join(", "))
        }
    };
    if let Some(partial) = &report.partial {
        text = format!("{}: {text}", self::partial(partial));
    }
    let outcomes = outcomes(report);
    if !outcomes.is_empty() {
        text += &format!("; {outcomes}");
    }
    let suppressed: u64 = report.stats.suppressed.values().sum();
    if suppressed > 0 {
        let reasons: Vec<&str> = report.stats.suppressed.keys().map(String::as_str).collect();
        text += &format!("; {} suppressed ({})", thousands(suppressed), reasons.join(", "));
    }
    if !report.problems.is_empty() {
        text += &format!("; {} with the input", count(report.problems.len(), "problem", "problems"));
    }
    text
}

/// How many findings are not listed because their confidence is too low, and how to see them.
pub fn unlisted(report: &Report, style: &Style) -> Option<String> {
    unlisted_of(report.findings.iter().filter(|finding| !style.lists(finding)).count(), style.least)
}

/// The same for so many findings below a confidence.
pub fn unlisted_of(findings: usize, least: Confidence) -> Option<String> {
    let below = match least {
        Confidence::High => "medium or low",
        Confidence::Medium | Confidence::Low => "low",
    };
    let (verb, them) = if findings == 1 { ("is", "it") } else { ("are", "them") };
    let count = count(findings, "finding", "findings");
    let text = format!("{count} of {below} confidence {verb} not listed: --min-confidence low lists {them}");
    (findings > 0).then_some(text)
}

/// That a command was stopped: `partial result, stopped by a signal in the phase pairs (12 of 400 locations judged)`.
pub fn partial(partial: &Partial) -> String {
    let Partial { because, phase, judged, of } = partial;
    let judged = match of {
        0 => "nothing judged".to_owned(),
        of => format!("{} of {} locations judged", thousands(*judged), thousands(*of)),
    };
    format!("partial result, stopped by {because} in the phase {phase} ({judged})")
}

/// How many findings have each outcome, where a run tried them: `5 confirmed, 1 not executed`.
pub fn outcomes(report: &Report) -> String {
    let of = |outcome: Outcome| {
        let tried = report.findings.iter().filter_map(|finding| finding.confirmation.as_ref());
        tried.filter(|confirmation| confirmation.outcome == outcome).count() as u64
    };
    let counts = Outcome::ALL.map(|outcome| (of(outcome), confirmation::outcome(outcome)));
    let shown = counts.iter().filter(|(count, _)| *count > 0);
    shown.map(|(count, word)| format!("{} {word}", thousands(*count))).collect::<Vec<_>>().join(", ")
}

/// What was analysed: `analysed 12 of 14 methods and 5 fields of the application, 3 threads`.
pub fn analysed(coverage: &Coverage) -> String {
    let Coverage { application_methods, reached, fields, threads, .. } = coverage;
    let number = |value: &u64| usize::try_from(*value).unwrap_or(usize::MAX);
    format!(
        "analysed {} of {} and {} of the application, {}",
        thousands(*reached),
        count(number(application_methods), "method", "methods"),
        count(number(fields), "field", "fields"),
        count(number(threads), "thread", "threads"),
    )
}

/// That a small part of the application was analysed, and what to do about it: otherwise few findings look like a good result.
pub fn little_analysed(report: &Report) -> Option<String> {
    const FEW: u64 = 50;
    let Coverage { application_methods, reached, mains, .. } = report.coverage.as_ref()?;
    if *application_methods < FEW || reached * 4 > *application_methods {
        return None;
    }
    let missing = report.problems.iter().filter(|problem| problem.kind == "missing-class").count();
    let why = match (missing, mains.as_slice()) {
        (1.., _) => format!(
            "{} that the code builds on {} missing; give the libraries with --classpath",
            count(missing, "class", "classes"),
            if missing == 1 { "is" } else { "are" },
        ),
        (0, []) => {
            "public methods reach no more; name the classes that callers use with --library=CLASS,..., or the \
             start with --main CLASS"
                .to_owned()
        }
        (0, mains) => {
            let reach = if mains.len() == 1 { "reaches" } else { "reach" };
            format!("{} {reach} no more; --main CLASS names another start, --library takes every public method", first_of(mains))
        }
    };
    let (reached, all) = (thousands(*reached), thousands(*application_methods));
    Some(format!("Only {reached} of {all} methods were analysed: {why}."))
}

/// That threads may be missing, since nothing is known of the objects that would start them.
pub fn unknown_starts(coverage: &Coverage) -> Option<String> {
    let places = &coverage.unknown_starts;
    let what = match places.as_slice() {
        [] => return None,
        [_] => "the object that would start it is",
        _ => "the objects that would start them are",
    };
    let missing = if places.len() == 1 { "A thread may be missing" } else { "Threads may be missing" };
    let places = first_of(places);
    Some(format!("{missing}: {what} not known at {places}. What runs there was not analysed."))
}

/// Which programs were taken, and which part of the input is the application, where that is not plain.
pub fn who_runs(coverage: &Coverage) -> Vec<String> {
    let mut lines = Vec::new();
    if coverage.mains.len() > 1 {
        lines.push(format!(
            "{} main methods, each a process of its own: {}; --main CLASS chooses",
            coverage.mains.len(),
            first_of(&coverage.mains)
        ));
    }
    if !coverage.border.is_empty() {
        lines.push(format!(
            "the application is {}; the rest of the input counts as library; --app PACKAGE,... chooses",
            first_of(&coverage.border)
        ));
    }
    lines
}

/// The first names of a list.
fn first_of(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// `in 2 fields`, `in 1 field and 2 objects`: on how many locations the findings are.
fn places(report: &Report) -> String {
    let (fields, objects): (Vec<_>, Vec<_>) =
        report.views.by_field.iter().partition(|view| view.location.field.is_some());
    match (fields.len(), objects.len()) {
        (fields, 0) => format!("in {}", count(fields, "field", "fields")),
        (0, objects) => format!("in {}", count(objects, "object", "objects")),
        (fields, objects) => {
            format!("in {} and {}", count(fields, "field", "fields"), count(objects, "object", "objects"))
        }
    }
}

/// What a confidence means, for legends.
pub fn meaning(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::High => {
            "strong evidence: a run showed it, or both sides must access one object and no doubt remains"
        }
        Confidence::Medium => "no evidence against it",
        Confidence::Low => "likely benign, or likely a limit of the analysis",
    }
}

/// Untrusted text made safe for a terminal: control characters and marks that turn the direction of text are replaced.
pub fn clean(text: &str) -> String {
    let is_harmful = |character: char| {
        character.is_control()
            || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|character| if is_harmful(character) { '\u{fffd}' } else { character }).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use selvedge_findings::{Frame, Problem};

    pub(super) fn side(action: Action, line: u32, thread: ThreadInfo) -> Side {
        Side::new(action, Frame::new("bank.Account.set(int)").at("Account.java", line)).by(thread)
    }

    pub(super) fn teller(many: bool) -> ThreadInfo {
        ThreadInfo::spawned(Frame::new("bank.Main.main()").at("Main.java", 9), "bank.Teller.run()", many)
    }

    #[test]
    fn a_small_part_is_called_small() {
        let of = |reached, problems: usize, mains: &[&str]| {
            let problem =
                Problem { kind: "missing-class".to_owned(), place: "p.A".to_owned(), message: String::new() };
            let coverage = Coverage {
                application_methods: 1_000,
                reached,
                mains: mains.iter().map(|main| (*main).to_owned()).collect(),
                ..Coverage::default()
            };
            let report =
                Report { coverage: Some(coverage), problems: vec![problem; problems], ..Report::default() };
            little_analysed(&report)
        };
        assert_eq!(of(900, 3, &[]), None);
        assert_eq!(
            of(20, 2, &["p.Main"]).unwrap(),
            "Only 20 of 1,000 methods were analysed: 2 classes that the code builds on are missing; give the libraries with --classpath."
        );
        assert!(of(20, 0, &["p.Main"]).unwrap().contains("p.Main reaches no more; --main CLASS"));
        assert!(of(20, 0, &[]).unwrap().contains("--library=CLASS"));
        let unknown = |places: &[&str]| {
            let unknown_starts = places.iter().map(|place| (*place).to_owned()).collect();
            super::unknown_starts(&Coverage { unknown_starts, ..Coverage::default() })
        };
        assert_eq!(unknown(&[]), None);
        assert_eq!(
            unknown(&["A.java:7"]).unwrap(),
            "A thread may be missing: the object that would start it is not known at A.java:7. What runs there was not analysed."
        );
        assert!(unknown(&["A.java:7", "B.java:8"]).unwrap().contains("known at A.java:7, B.java:8."));
    }

    #[test]
    fn calls_are_named() {
        let call = side(Action::Call, 12, teller(true)).calling(Some("java.util.HashMap.put".to_owned()));
        assert_eq!(deed_in_full(&call), "call of HashMap.put");
        assert_eq!(deed_in_full(&side(Action::Read, 1, teller(true))), "read");
    }

    #[test]
    fn threads_have_names_that_fit() {
        assert_eq!(thread(&teller(true).named("pool-1-thread-2")), "thread \"pool-1-thread-2\"");
        let spawned = |entry: &str, many| ThreadInfo { entry: entry.into(), ..teller(many) };
        assert_eq!(
            thread(&spawned("p.Main.lambda$main$3(int)", false)),
            "the thread of the lambda in Main.main"
        );
        assert_eq!(thread(&spawned("p.Evictor.run()", true)), "an Evictor thread");
        assert_eq!(thread(&ThreadInfo::default()), "a thread");
        assert_eq!(thread_in_full(&ThreadInfo::default()), "unknown");
        assert_eq!(
            thread_in_full(&spawned("java.lang.Thread", false)),
            "started at Main.java:9 in Main.main"
        );
        assert_eq!(
            thread_in_full(&spawned("p.Worker", false)),
            "of class Worker, started at Main.java:9 in Main.main"
        );
        assert_eq!(
            thread_in_full(&teller(true)),
            "runs Teller.run, started at Main.java:9 in Main.main, many at once"
        );
    }

    #[test]
    fn methods_are_shortened_where_they_say_little() {
        assert_eq!(method("p.C$D.m(int,java.util.Map$Entry[],q.E)"), "p.C$D.m(int, Map$Entry[], E)");
        assert_eq!(method("p.C.m()"), "p.C.m()");
        assert_eq!(method("p.C.m"), "p.C.m");
        assert_eq!(code("p.C.m(int)"), "C.m");
        assert_eq!(code("p.C$1.lambda$run$12(p.D)"), "lambda in C$1.run");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(duration(999), "999 ms");
        assert_eq!(duration(2_345), "2.3 s");
        assert_eq!(duration(192_000), "3 min 12 s");
        assert_eq!(size(1_460_000_000), "1.4 GB");
    }

    #[test]
    fn terminals_get_no_control_characters() {
        assert_eq!(clean("a\u{1b}[31mb\u{202e}c\n"), "a\u{fffd}[31mb\u{fffd}c\u{fffd}");
    }
}
