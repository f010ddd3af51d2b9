//! The sentence that opens a finding: who does what where, and which locks are held.
//!
//! `bank.Account.balance: a Teller thread writes at Account.java:12 while the main thread reads at line 20; no lock held`

use selvedge_findings::{Action, Finding, Frame, Kind, Lock, LockMode, Side, ThreadInfo, short_lock};

use super::{code, deed, role, subject, thread};

/// The whole sentence, without a full stop.
pub fn headline(finding: &Finding) -> String {
    format!("{}: {}", subject(&finding.location), predicate(finding.kind, &finding.sides))
}

/// What happens to the location: the headline without its subject.
pub fn predicate(kind: Kind, sides: &[Side; 2]) -> String {
    format!("{}; {}", collision(kind, sides), locks(sides))
}

/// Who does what where, and who does what at the same time.
fn collision(kind: Kind, [first, second]: &[Side; 2]) -> String {
    let (here, there) = (first.in_source().place(), second_place(first.in_source(), second.in_source()));
    let does = verb(kind, second, false);
    let (one, other) = (thread(&first.thread), thread(&second.thread));
    let is_one_access = first.in_source() == second.in_source() && first.action == second.action;
    let starts = (&first.thread.spawned_at, &second.thread.spawned_at);
    match starts {
        _ if one != other => {
            let (one, other) = (actor(&first.thread), second_actor(&first.thread, &second.thread));
            format!("{one} {} at {here} while {other} {does} at {there}", verb(kind, first, false))
        }
        (Some(start), Some(other)) if start != other => {
            let (from, and) = (start.place(), second_place(start, other));
            match is_one_access {
                true => format!(
                    "{}, started at {from} and {and}, {} at {here} at the same time",
                    several(&first.thread, "two"),
                    verb(kind, first, true)
                ),
                false => format!(
                    "{one} started at {from} {} at {here} while the one started at {and} {does} at {there}",
                    verb(kind, first, false)
                ),
            }
        }
        _ if is_one_access => {
            let several = several(&first.thread, "several");
            format!("{several} {} at {here} at the same time", verb(kind, first, true))
        }
        _ => {
            let (one, other) = (actor(&first.thread), another(&second.thread));
            format!("{one} {} at {here} while {other} {does} at {there}", verb(kind, first, false))
        }
    }
}

/// The second place, short where it is in the same file: `line 20`.
fn second_place(first: &Frame, second: &Frame) -> String {
    match second.line {
        Some(line) if first.file.is_some() && first.file == second.file => format!("line {line}"),
        _ => second.place(),
    }
}

/// Who acts: a thread, or the method through which callers of a library come.
fn actor(thread_info: &ThreadInfo) -> String {
    match is_caller(thread_info) {
        true => code(&thread_info.entry),
        false => thread(thread_info),
    }
}

/// The second actor, without its class where that is the first one's.
fn second_actor(first: &ThreadInfo, second: &ThreadInfo) -> String {
    let name = actor(second);
    let class_of = |name: &str| name.rsplit_once('.').map(|(class, _)| class.to_owned());
    let is_plain = |name: &str| !name.contains(' ');
    if is_caller(first) && is_caller(second) && is_plain(&name) && class_of(&name) == class_of(&actor(first))
    {
        let method = name.rsplit_once('.').map_or(name.as_str(), |(_, method)| method);
        return method.to_owned();
    }
    name
}

/// Whether a thread is any caller of a library.
fn is_caller(thread: &ThreadInfo) -> bool {
    thread.name.is_none() && thread.spawned_at.is_none() && !thread.entry.is_empty()
}

fn several(thread: &ThreadInfo, number: &str) -> String {
    if is_caller(thread) {
        return format!("{number} callers of {}", code(&thread.entry));
    }
    match (&thread.name, &thread.spawned_at) {
        (None, Some(_)) if !thread.entry.is_empty() => match role(&thread.entry).strip_suffix(" thread") {
            Some(role) => format!("{number} {role} threads"),
            None => format!("{number} threads of the {}", code(&thread.entry)),
        },
        _ => format!("{number} threads"),
    }
}

fn another(thread: &ThreadInfo) -> &'static str {
    match is_caller(thread) {
        true => "another call of it",
        false => "another such thread",
    }
}

/// What a side does, for one actor or for several: `writes`, `write`.
fn verb(kind: Kind, side: &Side, plural: bool) -> String {
    let (stem, object) = match (kind, side.action) {
        (_, Action::Call) if side.called.is_some() => ("call", called_name(side)),
        (Kind::Array, Action::Read) => ("read", "an element"),
        (Kind::Array, _) => ("write", "an element"),
        (Kind::Container, Action::Write) => ("change", "it"),
        (_, Action::Read) => ("read", ""),
        (_, Action::Write) => ("write", ""),
        (_, Action::Call) => ("use", "it"),
    };
    let ending = if plural { "" } else { "s" };
    let space = if object.is_empty() { "" } else { " " };
    format!("{stem}{ending}{space}{object}")
}

/// The method that a side calls, without its class: `put`.
fn called_name(side: &Side) -> &str {
    let called = side.called.as_deref().unwrap_or_default();
    called.rsplit_once('.').map_or(called, |(_, name)| name)
}

/// Why the locks do not help: `no lock held`, `only the write holds a lock (this)`.
pub fn locks(sides: &[Side; 2]) -> String {
    let [first, second] = sides;
    let names =
        |side: &Side| side.locks.iter().map(|lock| short_lock(&lock.name)).collect::<Vec<_>>().join(", ");
    match (first.locks.is_empty(), second.locks.is_empty()) {
        (true, true) => "no lock held".to_owned(),
        (false, true) => format!("only {} holds a lock: {}", the_side(first, second, true), names(first)),
        (true, false) => format!("only {} holds a lock: {}", the_side(second, first, false), names(second)),
        (false, false) => {
            let find = |lock: &&Lock| second.locks.iter().any(|other| other.name == lock.name);
            let is_shared = |side: &Side, name: &str| {
                side.locks.iter().any(|lock| lock.name == name && lock.mode == LockMode::Shared)
            };
            match first.locks.iter().find(find) {
                None => format!("different locks held: {} and {}", names(first), names(second)),
                Some(lock) if is_shared(first, &lock.name) && is_shared(second, &lock.name) => {
                    format!("both hold {} only for reading", short_lock(&lock.name))
                }
                Some(lock) => format!("{} may be two different objects", short_lock(&lock.name)),
            }
        }
    }
}

/// `the write`, where the other side does something else; `the first` or `the second`, where it does not.
fn the_side(side: &Side, other: &Side, is_first: bool) -> String {
    match (side.action == other.action, is_first) {
        (false, _) => format!("the {}", deed(side.action)),
        (true, true) => "the first".to_owned(),
        (true, false) => "the second".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{side, teller};
    use super::*;

    #[track_caller]
    fn check(kind: Kind, first: Side, second: Side, expected: &str) {
        assert_eq!(predicate(kind, &[first, second]), expected);
    }

    #[test]
    fn sentences_name_what_each_side_does() {
        use Action::{Call, Read, Write};
        let main = || ThreadInfo::main("bank.Main.main(java.lang.String[])");
        check(
            Kind::Field,
            side(Write, 12, teller(true)),
            side(Read, 20, main()),
            "a Teller thread writes at Account.java:12 while the main thread reads at line 20; no lock held",
        );
        check(
            Kind::Container,
            side(Write, 12, teller(false)).under(vec![Lock::new("this")]),
            side(Read, 20, ThreadInfo::caller_of("bank.Bank.find(int)")),
            "the Teller thread changes it at Account.java:12 while Bank.find reads at line 20; \
             only the write holds a lock: this",
        );
        check(
            Kind::Array,
            side(Write, 12, teller(true)),
            side(Write, 12, teller(true)),
            "several Teller threads write an element at Account.java:12 at the same time; no lock held",
        );
        check(
            Kind::Object,
            side(Call, 12, ThreadInfo::caller_of("bank.Bank.add()")).under(vec![Lock::new("a")]),
            side(Call, 13, ThreadInfo::caller_of("bank.Bank.add()")).under(vec![Lock::new("b")]),
            "Bank.add uses it at Account.java:12 while another call of it uses it at line 13; \
             different locks held: a and b",
        );
        check(
            Kind::Field,
            side(Write, 12, ThreadInfo::caller_of("bank.Bank.add()")),
            side(Read, 20, ThreadInfo::caller_of("bank.Bank.find(int)")),
            "Bank.add writes at Account.java:12 while find reads at line 20; no lock held",
        );
    }

    #[test]
    fn calls_are_named() {
        let call = |name: &str, line| {
            side(Action::Call, line, teller(true)).calling(Some(format!("java.util.HashMap.{name}")))
        };
        check(
            Kind::Container,
            call("put", 12),
            side(Action::Call, 20, ThreadInfo::of_the_jvm("bank.Bank.finalize()"))
                .calling(Some("java.util.HashMap.get".into())),
            "a Teller thread calls put at Account.java:12 while a thread of the JVM calls get at line 20; \
             no lock held",
        );
    }

    #[test]
    fn threads_of_one_kind_are_distinguished_by_their_starts() {
        let started = |line| ThreadInfo {
            spawned_at: Some(Frame::new("bank.Main.main()").at("Main.java", line)),
            ..teller(false)
        };
        check(
            Kind::Field,
            side(Action::Write, 12, started(16)),
            side(Action::Write, 12, started(17)),
            "two Teller threads, started at Main.java:16 and line 17, write at Account.java:12 at the same time; \
             no lock held",
        );
        check(
            Kind::Field,
            side(Action::Write, 12, started(16)),
            side(Action::Read, 14, started(17)),
            "the Teller thread started at Main.java:16 writes at Account.java:12 while the one started at \
             line 17 reads at line 14; no lock held",
        );
    }

    #[test]
    fn locks_of_the_same_name_are_explained() {
        let read = |locks| side(Action::Read, 1, teller(true)).under(locks);
        let lock = || Lock::new("p.C.lock");
        assert_eq!(
            locks(&[read(vec![lock().shared()]), read(vec![lock().shared()])]),
            "both hold C.lock only for reading"
        );
        assert_eq!(locks(&[read(vec![lock()]), read(vec![lock()])]), "C.lock may be two different objects");
        assert_eq!(locks(&[read(vec![]), read(vec![lock()])]), "only the second holds a lock: C.lock");
    }
}
