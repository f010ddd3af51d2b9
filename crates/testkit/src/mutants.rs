//! Mutants of Java programs: one synchronisation operation removed, moved or pointed at something else.
//!
//! A mutant keeps the lines of the program, so that what a line of it does can be compared with the original. Some do not compile, and many
//! are as safe as the original; whoever uses them runs them.

/// A program with one change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// The text.
    pub source: String,
    /// What was changed, with the line.
    pub change: String,
}

/// Calls that order threads: a line that is nothing but one of them can be removed, or change places with its neighbour.
const CALLS: [&str; 26] = [
    ".acquire()",
    ".acquireUninterruptibly()",
    ".arrive()",
    ".arriveAndAwaitAdvance()",
    ".arriveAndDeregister()",
    ".await()",
    ".awaitAdvance(",
    ".awaitTermination(",
    ".close()",
    ".countDown()",
    ".get()",
    ".invokeAll(",
    ".join()",
    ".lock()",
    ".lockInterruptibly()",
    ".put(",
    ".readLock().lock()",
    ".release()",
    ".set(",
    ".shutdown()",
    ".signal()",
    ".start()",
    ".take()",
    ".unlock()",
    ".wait()",
    ".writeLock().lock()",
];

/// What is written instead of something, wherever it stands.
const REPLACED: [(&str, &str); 22] = [
    ("volatile ", ""),
    ("synchronized (", "synchronized (new Object() { Object other(Object o) { return this; } }.other("),
    (" synchronized ", " "),
    ("new ConcurrentHashMap<", "new HashMap<"),
    ("new CopyOnWriteArrayList<", "new ArrayList<"),
    ("Collections.synchronizedList(", "("),
    ("Collections.synchronizedMap(", "("),
    ("newSingleThreadExecutor(", "newCachedThreadPool("),
    ("newSingleThreadScheduledExecutor(", "newScheduledThreadPool(2"),
    (".set(", ".setPlain("),
    (".get()", ".getPlain()"),
    (".getAcquire(", ".getOpaque("),
    (".setRelease(", ".setOpaque("),
    (".setVolatile(", ".set("),
    (".getVolatile(", ".get("),
    (".getAndSet(", ".getPlain("),
    (".join()", ".isDone()"),
    (".join()", ".join(1)"),
    (".await()", ".await(1, java.util.concurrent.TimeUnit.NANOSECONDS)"),
    (".acquire()", ".tryAcquire()"),
    (".lock()", ".tryLock()"),
    (".get()", ".complete(null)"),
];

/// Objects that count: they are made with another number.
const COUNTED: [&str; 5] =
    ["CountDownLatch(", "Semaphore(", "CyclicBarrier(", "Phaser(", "newFixedThreadPool("];

/// Every mutant of a program.
pub fn mutants(source: &str) -> Vec<Mutant> {
    let lines: Vec<&str> = source.lines().collect();
    let mut found: Vec<Mutant> = Vec::new();
    let mut add = |number: usize, change: &str, texts: &[(usize, String)]| {
        let mut changed: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        texts.iter().for_each(|(number, text)| changed[*number].clone_from(text));
        let source = changed.join("\n") + "\n";
        let change = format!("line {}: {change}", number + 1);
        if !found.iter().any(|known: &Mutant| known.source == source) {
            found.push(Mutant { source, change });
        }
    };
    for (number, &line) in lines.iter().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        if is_ordering_call(code) {
            add(number, "removed", &[(number, String::new())]);
            for other in [number.wrapping_sub(1), number + 1] {
                if lines.get(other).is_some_and(|other| is_statement(other) && indent(other) == indent(line))
                {
                    let texts = [(number, lines[other].to_owned()), (other, line.to_owned())];
                    add(number, &format!("exchanged with line {}", other + 1), &texts);
                }
            }
        }
        for (from, to) in REPLACED {
            for (at, _) in code.match_indices(from) {
                if let Some(text) = replaced(code, at, from, to) {
                    add(number, &format!("`{from}` becomes `{to}`"), &[(number, text)]);
                }
            }
        }
        for (at, _) in code.match_indices("synchronized (") {
            for other in locks(&lines) {
                let end = code[at..].find(") {").map(|end| at + end);
                if let Some(end) = end.filter(|&end| code[at + 14..end] != *other) {
                    let text = format!("{}{other}{}", &code[..at + 14], &code[end..]);
                    add(number, &format!("locks `{other}`"), &[(number, text)]);
                }
            }
        }
        for name in COUNTED {
            let Some(at) = code.find(name).map(|at| at + name.len()) else { continue };
            let digits: String = code[at..].chars().take_while(char::is_ascii_digit).collect();
            let count: i64 = digits.parse().unwrap_or(-1);
            for other in [0, 1, count - 1, count + 1].into_iter().filter(|&other| count >= 0 && other >= 0) {
                let text = format!("{}{other}{}", &code[..at], &code[at + digits.len()..]);
                add(number, &format!("`{name}` with {other}"), &[(number, text)]);
            }
        }
    }
    found.retain(|mutant| mutant.source != lines.join("\n") + "\n");
    found
}

/// A line with something in place of something else.
fn replaced(code: &str, at: usize, from: &str, to: &str) -> Option<String> {
    let rest = &code[at + from.len()..];
    if from == "synchronized (" {
        // The lock stays where it is, for what it evaluates, but another one is taken.
        let end = rest.find(") {")?;
        return Some(format!("{}{to}{}){}", &code[..at], &rest[..end], &rest[end..]));
    }
    Some(format!("{}{to}{rest}", &code[..at]))
}

/// What the program locks by blocks, each once.
fn locks<'s>(lines: &[&'s str]) -> Vec<&'s str> {
    let block = |line: &&'s str| Some(line.split_once("synchronized (")?.1.split_once(") {")?.0);
    let mut locks: Vec<&str> = lines.iter().filter_map(block).collect();
    locks.sort_unstable();
    locks.dedup();
    locks
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_statement(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default().trim();
    code.ends_with(';')
        && !["return", "break", "continue", "throw", "import", "package"]
            .iter()
            .any(|word| code.starts_with(word))
}

/// Whether a line is nothing but a call that orders.
fn is_ordering_call(code: &str) -> bool {
    let is_declaration = code.split('(').next().is_some_and(|before| before.contains(" = "));
    is_statement(code) && !is_declaration && CALLS.iter().any(|call| code.contains(call))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_is_changed_by_itself() {
        let source = "volatile int x;\nvoid f() {\n    synchronized (a) {\n        x = 1;\n    }\n    t.join();\n    x = 2;\n}\nLatch l = new CountDownLatch(2);\n";
        let changes: Vec<String> = mutants(source).into_iter().map(|mutant| mutant.change).collect();
        let expected = [
            "line 1: `volatile ` becomes ``",
            "line 6: removed",
            "line 6: exchanged with line 7",
            "line 9: `CountDownLatch(` with 0",
        ];
        for change in expected {
            assert!(changes.iter().any(|known| known == change), "{change} is not among {changes:#?}");
        }
        let kept =
            mutants(source).iter().all(|mutant| mutant.source.lines().count() == source.lines().count());
        assert!(kept, "a mutant has other lines");
    }
}
