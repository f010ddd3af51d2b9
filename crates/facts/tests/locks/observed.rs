//! Soundness: what the analysis proves about common locks is true of runs of the programs.
//!
//! The interpreter runs a program; an observer keeps the locks that each thread holds: monitors, and synchronizers of
//! `java.util.concurrent` that say who owns them. Whenever two threads access the same place, one of them writing, and the
//! analysis has a proof that accesses of those two lines hold a common lock, their locksets must meet.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_facts::{Locking, Strength};
use selvedge_interp::{Access, ObjRef, Observer, Options, Place, Site, ThreadId, Value, run};
use selvedge_testkit::Rng;
use selvedge_world::{FieldId, Program, Tier};

use crate::support::{Judged, analyzed, compiled_or_skip, program_or_skip, source};

/// An access of the application: who, at which line, whether it writes, what it held.
type Seen = (ThreadId, u32, bool, BTreeSet<ObjRef>);

struct Run<'p> {
    program: &'p Program,
    /// The field that says which thread owns a synchronizer.
    owner: Option<FieldId>,
    held: BTreeMap<ThreadId, BTreeMap<ObjRef, u32>>,
    seen: Vec<(Place, Seen)>,
}

impl Run<'_> {
    fn line(&self, site: Site) -> Option<u32> {
        let class = self.program.methods[site.method].class;
        let is_application = self.program.classes[class].tier == Tier::Application;
        self.program.body(site.method).filter(|_| is_application)?.line(site.bci)
    }
}

impl Observer for Run<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn access(&mut self, access: &Access) {
        let held = self.held.entry(access.thread).or_default();
        if let Place::Field(object, field) = access.place
            && Some(field) == self.owner
            && access.is_write
        {
            match access.value {
                Value::Ref(Some(_)) => held.insert(object, 1),
                _ => held.remove(&object),
            };
        }
        let held = held.keys().copied().collect();
        if let Some(line) = access.site.and_then(|site| self.line(site)) {
            self.seen.push((access.place, (access.thread, line, access.is_write, held)));
        }
    }

    fn monitor_enter(&mut self, thread: ThreadId, _: Option<Site>, object: ObjRef, depth: u32) {
        self.held.entry(thread).or_default().insert(object, depth);
    }

    fn monitor_exit(&mut self, thread: ThreadId, _: Option<Site>, object: ObjRef, depth: u32) {
        if depth == 0 {
            self.held.entry(thread).or_default().remove(&object);
        }
    }
}

/// Runs a program with some seeds and returns how many pairs of accesses a proof spoke about, and where it was wrong.
fn contradictions(program: &Program, main: &str, judged: &Judged, seeds: u64) -> (usize, BTreeSet<String>) {
    let owner = program.fields.iter_ids().find(|(_, field)| field.name.is("exclusiveOwnerThread"));
    let (mut spoken, mut wrong) = (0, BTreeSet::new());
    for seed in 0..seeds {
        let mut observed =
            Run { program, owner: owner.map(|(id, _)| id), held: BTreeMap::new(), seen: Vec::new() };
        run(program, main, &Options { seed, ..Options::default() }, &mut observed).unwrap();
        let main_thread = ThreadId::new(0);
        for (position, (place, a)) in observed.seen.iter().enumerate() {
            let later = observed.seen[position + 1..].iter().filter(|(other, _)| other == place);
            for (_, b) in later {
                let key = (a.1.min(b.1), a.1.max(b.1));
                let is_candidate = a.0 != b.0 && (a.2 || b.2) && a.0 != main_thread && b.0 != main_thread;
                if !is_candidate || judged.get(&key) != Some(&Some(Strength::Proof)) {
                    continue;
                }
                spoken += 1;
                if a.3.is_disjoint(&b.3) {
                    wrong.insert(format!("lines {key:?} hold nothing in common with seed {seed}"));
                }
            }
        }
    }
    (spoken, wrong)
}

/// Judges a program without the lines that have one of these labels.
fn judged_without(program: &Program, name: &str, text: &str, labels: &[&str]) -> Judged {
    let mut judged = analyzed(program, name, |facts| facts.judge(Locking::Sound));
    for (index, line) in text.lines().enumerate() {
        let label = line.split_once("//@ ").map_or("", |(_, label)| label.trim());
        if labels.iter().any(|prefix| label.starts_with(prefix)) {
            judged.retain(|&(a, b), _| a != index as u32 + 1 && b != index as u32 + 1);
        }
    }
    judged
}

#[test]
fn monitors_are_held_in_runs() {
    let Some(program) = program_or_skip() else { return };
    let judged = judged_without(program, "Monitors", &source("Monitors"), &[]);
    let (spoken, wrong) = contradictions(program, "Monitors", &judged, 4);
    assert!(spoken > 50, "proofs speak about {spoken} pairs only");
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn locks_of_owners_are_held_in_runs() {
    let Some(program) = program_or_skip() else { return };
    let judged = judged_without(program, "Layers", &source("Layers"), &[]);
    let (spoken, wrong) = contradictions(program, "Layers", &judged, 4);
    assert!(spoken > 20, "proofs speak about {spoken} pairs only");
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn random_owners_hold_what_is_proved() {
    let mut rng = Rng::new(7);
    let text = random_owners(&mut rng);
    let Some(program) = compiled_or_skip(&[("RandomOwners.java", &text)]) else { return };
    let judged = judged_without(&program, "RandomOwners", &text, &[]);
    let (spoken, wrong) = contradictions(&program, "RandomOwners", &judged, 3);
    assert!(spoken > 30, "proofs speak about {spoken} pairs only");
    assert!(wrong.is_empty(), "{wrong:?}\n{text}");
}

/// Classes of owners that keep items in fields, lists and maps, and pass them around at random: among themselves, to other owners, to
/// static fields and back.
fn random_owners(rng: &mut Rng) -> String {
    let mut text = String::from("import java.util.*;\npublic class RandomOwners {\n");
    for class in 0..8 {
        text += &format!("static class I{class} {{ int n; I{class} next; }}\n");
        text += &format!(
            "static class C{class} implements Cloneable {{\nstatic I{class} stash = new I{class}();\n"
        );
        text += &format!("I{class} item = new I{class}();\nList<I{class}> list = new ArrayList<>();\n");
        text += &format!("final Map<String, I{class}> map = new HashMap<>();\n");
        text += &format!("I{class} first() {{ return list.isEmpty() ? item : list.get(0); }}\n");
        text += &format!("void add(I{class} i) {{ list.add(i); }}\n");
        text += &format!(
            "C{class} copy() {{ try {{ return (C{class}) clone(); }} catch (CloneNotSupportedException e) {{ return this; }} }}\n"
        );
        // Few ways to move an item, so that some classes keep their items to themselves.
        let moves: Vec<String> = (0..3).map(|_| owner_move(rng, class)).collect();
        for method in 0..6 {
            let modifier = if rng.one_in(4) { "" } else { "synchronized " };
            text += &format!("{modifier}void m{method}(C{class} o) {{\nI{class} i = item;\n");
            for _ in 0..1 + rng.below(3) {
                match rng.pick(&moves) {
                    Some(step) if rng.one_in(2) => text += step,
                    _ => text += rng.pick(&["i = item;\n", "i = first();\n", "add(i);\n"]).unwrap_or(&""),
                }
            }
            let lock = rng.pick(&["this", "this", "o", "i"]).unwrap_or(&"this");
            text += &match rng.one_in(3) {
                true => format!("synchronized ({lock}) {{\ni.n++;\n}}\n}}\n"),
                false => "i.n++;\n}\n".to_string(),
            };
        }
        text += "}\n";
    }
    text += "public static void main(String[] args) {\nfor (int r = 0; r < 2; r++) {\n";
    for class in 0..8 {
        text += &format!("C{class} c{class} = new C{class}(), d{class} = new C{class}();\n");
        for _ in 0..3 {
            let method = rng.below(6);
            text += &format!("new Thread(() -> c{class}.m{method}(d{class})).start();\n");
            text += &format!("new Thread(() -> d{class}.m{method}(c{class})).start();\n");
        }
    }
    text + "}\n}\n}\n"
}

/// A statement that moves an item `i` in or out of an owner, or of another one `o`.
fn owner_move(rng: &mut Rng, class: usize) -> String {
    let made = format!("i = new I{class}();\nitem = i;\n");
    let put = "map.put(\"a\", i);\n".to_string();
    let got = "i = map.getOrDefault(\"a\", i);\n".to_string();
    let linked = "i.next = item;\nif (i.next != null) i = i.next;\n".to_string();
    let steps = [
        made.clone(),
        made,
        put.clone(),
        put,
        got.clone(),
        got,
        linked,
        "i = o.first();\n".to_string(),
        "o.add(i);\n".to_string(),
        "o.item = i;\n".to_string(),
        "stash = i;\n".to_string(),
        "i = stash;\n".to_string(),
        "o = o.copy();\n".to_string(),
        "list = o.list;\n".to_string(),
    ];
    rng.pick(&steps).cloned().unwrap_or_default()
}

#[test]
fn explicit_locks_are_held_in_runs() {
    let Some(program) = program_or_skip() else { return };
    // Readers, stamps and permits have no owner that can be seen.
    let hidden = ["rw.", "views.", "stamped.", "semaphore."];
    let judged = judged_without(program, "Explicit", &source("Explicit"), &hidden);
    let (spoken, wrong) = contradictions(program, "Explicit", &judged, 4);
    assert!(spoken > 10, "proofs speak about {spoken} pairs only");
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn random_programs_hold_what_is_proved() {
    let mut rng = Rng::new(20);
    let text = random_program(&mut rng);
    let Some(program) = compiled_or_skip(&[("RandomLocks.java", &text)]) else { return };
    let judged = judged_without(&program, "RandomLocks", &text, &[]);
    let (spoken, wrong) = contradictions(&program, "RandomLocks", &judged, 3);
    assert!(spoken > 100, "proofs speak about {spoken} pairs only");
    assert!(wrong.is_empty(), "{wrong:?}\n{text}");
}

const CLASSES: usize = 6;
const METHODS: usize = 8;
const FIELDS: usize = 5;

/// Classes with methods that lock, access and call each other at random; threads that run them.
fn random_program(rng: &mut Rng) -> String {
    let mut text = String::from("public class RandomLocks {\n");
    for class in 0..CLASSES {
        text += &format!("static class C{class} {{\n");
        text += "final Object p = new Object();\nObject q = new Object();\nstatic final Object S = new Object();\n";
        text += "final java.util.concurrent.locks.ReentrantLock l = new java.util.concurrent.locks.ReentrantLock();\n";
        text += "final int[] a = new int[2];\n";
        for field in 0..FIELDS {
            text += &format!("int f{field};\n");
        }
        for method in 0..METHODS {
            let modifier = if rng.one_in(3) { "synchronized " } else { "" };
            text += &format!("{modifier}void m{method}(C{class} o, int d) {{\nif (d > 3) return;\n");
            statements(rng, class, 3, &mut text);
            text += "}\n";
        }
        text += "}\n";
    }
    text += "public static void main(String[] args) {\nfor (int i = 0; i < 2; i++) {\n";
    for class in 0..CLASSES {
        text += &format!("C{class} c{class} = new C{class}(), d{class} = new C{class}();\n");
        for _ in 0..4 {
            let method = rng.below(METHODS);
            text += &format!("new Thread(() -> c{class}.m{method}(d{class}, 0)).start();\n");
        }
    }
    text + "}\n}\n}\n"
}

fn statements(rng: &mut Rng, class: usize, depth: usize, text: &mut String) {
    for _ in 0..1 + rng.below(3) {
        let target = if rng.one_in(3) { "o" } else { "this" };
        match rng.below(if depth == 0 { 3 } else { 9 }) {
            0 => *text += &format!("{target}.f{}++;\n", rng.below(FIELDS)),
            1 => *text += &format!("f{}++;\n", rng.below(FIELDS)),
            2 => *text += &format!("{target}.a[0]++;\n"),
            3 | 4 => {
                let locks = ["this", "o", "p", "o.p", "q", "S", "C.class"];
                let lock = rng.pick(&locks).unwrap().replace("C.", &format!("C{class}."));
                *text += &format!("synchronized ({lock}) {{\n");
                statements(rng, class, depth - 1, text);
                *text += "}\n";
            }
            5 => {
                *text += &format!("{target}.l.lock();\ntry {{\n");
                statements(rng, class, depth - 1, text);
                *text += &format!("}} finally {{\n{target}.l.unlock();\n}}\n");
            }
            6 => *text += &format!("{target}.m{}({target}, d + 1);\n", rng.below(METHODS)),
            7 => {
                *text += &format!("if (f{} > {}) {{\n", rng.below(FIELDS), rng.below(3));
                statements(rng, class, depth - 1, text);
                *text += "}\n";
            }
            _ => {
                *text += "try {\n";
                statements(rng, class, depth - 1, text);
                *text += "if (d == 1) throw new IllegalStateException();\n} catch (IllegalStateException e";
                *text += &format!("{depth}) {{\n");
                statements(rng, class, depth - 1, text);
                *text += "}\n";
            }
        }
    }
}
