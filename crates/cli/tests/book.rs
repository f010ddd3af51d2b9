//! The pages of the book that are made from something else, held against it: the documentation of the detectors, the refuters, the
//! commands, the idioms of the corpus. `SELVEDGE_BLESS=1` writes them.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use selvedge_facts::refuters::{REFUTERS, Stage};
use selvedge_testkit::{check_golden, corpus, files_below, repository_root};

fn docs(page: &str) -> PathBuf {
    repository_root().join("docs").join(page)
}

/// The comment at the top of a source file, as Markdown: links to items of the code become their names.
fn documentation(source: &str) -> Option<String> {
    let lines = source.lines().take_while(|line| line.starts_with("//!"));
    let text: Vec<&str> =
        lines.map(|line| line.strip_prefix("//!").unwrap().strip_prefix(' ').unwrap_or("")).collect();
    let text = text.join("\n").replace("(seed: ", "(after ");
    Some(without_links(&text))
}

/// Links to items of the code become their text: `[`Options`]`, `[uses](graph)`. Those to pages stay.
fn without_links(text: &str) -> String {
    let mut page = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, link) = rest.split_at(open);
        page += before;
        let Some((shown, after)) = link[1..].split_once(']') else {
            rest = link;
            break;
        };
        let target = after.strip_prefix('(').and_then(|after| after.split_once(')'));
        match target {
            Some((target, after)) if !target.contains(".md") && !target.contains("//") => {
                page += shown;
                rest = after;
            }
            None if shown.starts_with('`') && shown.ends_with('`') => {
                page += shown;
                rest = after;
            }
            _ => {
                page.push('[');
                rest = &link[1..];
            }
        }
    }
    page + rest
}

/// The detectors: those files whose documentation is a page for users.
fn detectors() -> Vec<(String, String)> {
    let folder = repository_root().join("crates/detect/src");
    let mut found = Vec::new();
    for file in files_below(&folder, ".rs").unwrap() {
        let source = std::fs::read_to_string(&file).unwrap();
        let Some(page) = documentation(&source).filter(|page| page.contains("## What it does")) else {
            continue;
        };
        let below = file.strip_prefix(&folder).unwrap();
        let name = match below.file_stem().unwrap().to_str().unwrap() {
            "mod" => below.parent().unwrap().to_str().unwrap().to_owned(),
            name => name.to_owned(),
        };
        let name = name.replace('/', "-");
        found.push((name, page));
    }
    found.sort();
    found
}

#[test]
fn each_detector_has_its_page() {
    let detectors = detectors();
    assert!(detectors.iter().any(|(name, _)| name == "pairs"), "{detectors:?}");
    let overview = std::fs::read_to_string(docs("analyses/README.md")).unwrap();
    let summary = std::fs::read_to_string(docs("SUMMARY.md")).unwrap();
    for (name, page) in detectors {
        let (title, rest) = page.split_once('\n').unwrap_or((&page, ""));
        let title = title.trim_end_matches('.');
        check_golden(docs(&format!("analyses/{name}.md")), &format!("# {title}\n{rest}\n"));
        assert!(
            overview.contains(&format!("({name}.md)")),
            "docs/analyses/README.md does not name {name}.md"
        );
        assert!(
            summary.contains(&format!("(analyses/{name}.md)")),
            "docs/SUMMARY.md does not name analyses/{name}.md"
        );
    }
}

#[test]
fn the_refuters_are_listed() {
    let mut page = "\
# Refuters

Each is a reason why two accesses cannot race. They are tried in this order, and the first that applies removes the pair.
`--without NAME` switches off one, or a family; `--stats` counts what each removes; `selvedge explain Class.field` says which made a
field safe.

| name | family | why a pair is safe |
|---|---|---|
"
    .to_owned();
    for refuter in REFUTERS {
        let stage = match refuter.stage {
            Stage::Escaping => " (the stage *escaping*)",
            Stage::Unlocked => " (the stage *unlocked*)",
            Stage::After => "",
        };
        let family = refuter.family.name();
        let _ = writeln!(page, "| `{}` | {family} | {}{stage} |", refuter.name, refuter.summary);
    }
    check_golden(docs("analyses/refuters.md"), &page);
}

#[test]
fn the_commands_are_listed() {
    let help = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
        let run = command.env("COLUMNS", "110").env("NO_COLOR", "1").args(arguments).output().unwrap();
        assert!(run.status.success(), "{arguments:?}");
        String::from_utf8(run.stdout).unwrap()
    };
    let whole = help(&["--help"]);
    let (_, commands) = whole.split_once("Commands:\n").unwrap();
    let names: Vec<&str> = commands
        .lines()
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    let mut page =
        "# Commands\n\nWhat `selvedge help` prints, and `selvedge help COMMAND` for each command.\n"
            .to_owned();
    let mut section = |title: &str, text: &str| {
        let text: Vec<&str> = text.lines().map(str::trim_end).collect();
        let _ = write!(page, "\n## {title}\n\n```text\n{}\n```\n", text.join("\n").trim_end());
    };
    section("selvedge", &whole);
    for name in names {
        let text = help(&[name, "--help"]);
        assert!(text.contains("Examples:"), "the help of {name} has no examples");
        section(&format!("selvedge {name}"), &text);
    }
    check_golden(docs("commands.md"), &page);
}

/// What is shown of the corpus: a section, what to say about it, and programs.
const IDIOMS: &[(&str, &str, &[&str])] = &[
    (
        "Locks",
        "Monitors and the locks of `java.util.concurrent.locks`, in all their modes. Two locks count as one only if they must be the same object.",
        &[
            "GetterWithoutLock",
            "PrivateHelperUnderLock",
            "TryLockBranch",
            "ReadWriteModes",
            "StampedValidated",
            "LockStriping",
            "OwnerGuardsNodes",
        ],
    ),
    (
        "Start, join and what stands for them",
        "What a thread does comes after its start and before its join, also for arrays and lists of threads, tasks of an executor, futures and stages.",
        &["JoinArray", "InvokeAllTasks", "CompletableJoined", "ShutdownAwait", "JoinOnOnePath"],
    ),
    (
        "Latches, barriers, queues, flags",
        "What hands over from one thread to another: latches, barriers, phasers, exchangers, blocking queues, volatile flags, wait and notify.",
        &[
            "LatchDone",
            "BarrierPhases",
            "QueueHandOver",
            "VolatileFlag",
            "VolatileFlagWrongOrder",
            "WaitNotify",
        ],
    ),
    (
        "Volatile, atomics and concurrent collections",
        "They do not race. What hangs below them may.",
        &["AtomicCounter", "VarHandleReleaseAcquire", "ConcurrentMapMutableValues"],
    ),
    (
        "Confinement and publication",
        "Objects that one thread keeps, that are handed over, or that are complete before others see them.",
        &["StackConfined", "ThreadLocalContext", "FinalFieldPublication", "UnsafePublication", "LeakedThis"],
    ),
    (
        "Library objects that are not thread-safe",
        "A call on a `HashMap`, an `ArrayList`, a `SimpleDateFormat`, an iterator or a view is an access to it, at the caller's line.",
        &["SharedHashMap", "SynchronizedListIterate", "SharedDateFormat"],
    ),
    (
        "Arrays",
        "Elements that each thread has for itself, by block, stride or slot, are distinguished from those they share.",
        &["BlockPartition", "SlotPerThread", "NeighbourRead"],
    ),
    (
        "Harmless and less harmless patterns",
        "Reported with low confidence and the reason, or with high: it depends on what exactly is done.",
        &["LazyHash", "DoubleCheckedBroken", "DoubleCheckedVolatile", "StatisticsCounter"],
    ),
    (
        "Threads of all kinds",
        "Classes, lambdas, pools, fork/join, parallel streams, timers, hooks, handlers, cleaners.",
        &["FixedPool", "ForkJoinSum", "ParallelStreamSideEffect", "ShutdownHook"],
    ),
    (
        "Annotations",
        "`@GuardedBy`, `@ThreadSafe`, `@NotThreadSafe`, `@Immutable` and `@VisibleForTesting`, of whatever package.",
        &["GuardedByBroken", "ImmutableLie"],
    ),
    (
        "Frameworks",
        "Classes that a container calls from many threads, known by their supertypes and annotations.",
        &["CounterServlet", "GreetingController"],
    ),
    (
        "Libraries",
        "Without a `main`, any thread may call any public method.",
        &["ObjectPool", "ObjectPoolLocked"],
    ),
];

#[test]
fn the_idioms_are_those_of_the_corpus() {
    let programs = corpus().unwrap();
    let mut page = "\
# Idioms that are understood

Each example is a program of [the corpus](../corpus/README.md), which has many more, most of them in a right and a wrong
version. `RACE` marks a line that takes part in a race and is reported; `NORACE` one that might look so and is not.
"
    .to_owned();
    for (title, about, names) in IDIOMS {
        let _ = write!(page, "\n## {title}\n\n{about}\n");
        for name in *names {
            let program = programs.iter().find(|program| program.name == *name);
            let program = program.unwrap_or_else(|| panic!("{name} is not in the corpus"));
            let (_, code) = program.source.split_once("\npackage ").expect("a package");
            let (_, code) = code.split_once('\n').expect("code after the package");
            let _ = write!(
                page,
                "\n### {}\n\n{}\n\n```java\n{}\n```\n",
                program.name,
                program.header,
                code.trim()
            );
        }
    }
    check_golden(docs("idioms.md"), &page);
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = std::fs::read_to_string(docs("SUMMARY.md")).unwrap();
    for file in files_below(&repository_root().join("docs"), ".md").unwrap() {
        let page = file.strip_prefix(repository_root().join("docs")).unwrap().to_str().unwrap().to_owned();
        assert!(
            page == "SUMMARY.md" || summary.contains(&format!("({page})")),
            "docs/SUMMARY.md lacks {page}"
        );
    }
}

/// The page on the papers names files and tests that exist: `path`, or `path::test`.
#[test]
fn the_papers_lead_to_code_and_tests() {
    let page = std::fs::read_to_string(docs("how-it-works-papers.md")).unwrap();
    let named = page
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| ["crates/", "corpus/"].iter().any(|folder| name.starts_with(folder)));
    let mut count = 0;
    for name in named {
        count += 1;
        let (path, test) = name.split_once("::").unwrap_or((name, ""));
        let path = repository_root().join(path);
        assert!(path.exists(), "{name}");
        if !test.is_empty() {
            let source = std::fs::read_to_string(&path).unwrap();
            assert!(source.contains(&format!("fn {test}(")), "{name}");
        }
    }
    assert!(count > 60, "{count} names");
}

/// The addresses that a page links to or shows.
fn targets(page: &str) -> Vec<String> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        // What stands in backquotes is code, not a link.
        let prose: String = line.split('`').step_by(2).collect();
        if is_code || line.starts_with("    ") {
            continue;
        }
        let links = prose.split("](").skip(1);
        found.extend(links.filter_map(|rest| rest.split_once(')')).map(|(target, _)| target.to_owned()));
    }
    found
}

/// The address of a heading, as mdBook and code hosts make it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|character| character.is_alphanumeric() || " -_".contains(*character));
    kept.map(|character| if character == ' ' { '-' } else { character }).collect()
}

#[test]
fn links_lead_somewhere() {
    let root = repository_root();
    let mut pages = files_below(&root.join("docs"), ".md").unwrap();
    pages.extend(
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "corpus/README.md"]
            .map(|page| root.join(page)),
    );
    let mut followed = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for target in targets(&text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((&target, ""));
            let led_to = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            assert!(led_to.exists(), "{}: {target} leads nowhere", page.display());
            if !heading.is_empty() {
                let text = std::fs::read_to_string(&led_to).unwrap();
                let mut headings = text.lines().filter(|line| line.starts_with('#'));
                assert!(
                    headings.any(|line| anchor(line.trim_start_matches('#')) == heading),
                    "{}: there is no heading {heading} in {file}",
                    page.display()
                );
            }
            followed += 1;
        }
    }
    assert!(followed > 50, "only {followed} links were found");
}
