//! The intermediate form against `javap`, an independent reader: for a sample of classes chosen by hash from the JDK and
//! from real jars, every call, field access, allocation and monitor instruction must be there with the same
//! operands at the same bytecode index, and every instruction on the line that the line table gives it.
//!
//! Code that cannot be reached is not in the intermediate form, so what javap shows there is left out of the comparison;
//! reachability is computed from javap's own output.
#![allow(clippy::unwrap_used)]

mod common;

use common::TempDir;
use selvedge_classfile::ClassFile;
use selvedge_ir::{Body, InvokeKind, Lowerer, NoHierarchy, Op, PrimitiveType};
use selvedge_testkit::javap::{self, Reference, Site, disassemble};
use selvedge_testkit::{Jdk, jdk_or_skip, library_jars_or_skip};
use selvedge_world::{Bytes, Input, Options, Tier};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// How many classes each test compares; `SELVEDGE_JAVAP_CLASSES=100000` compares all there are, in some minutes.
fn sample_size() -> usize {
    let given = std::env::var("SELVEDGE_JAVAP_CLASSES").ok();
    given.map_or(600, |count| count.parse().expect("SELVEDGE_JAVAP_CLASSES is a number"))
}

/// How many classes one javap process shows: its start costs as much as a hundred classes.
const BATCH: usize = 150;

/// A class of the sample.
struct Chosen {
    path: String,
    bytes: Bytes,
}

/// What was compared, so that a test that compares nothing cannot pass.
#[derive(Default, Debug)]
struct Compared {
    classes: usize,
    methods: usize,
    instructions: usize,
    lines: usize,
    /// By kind of site.
    sites: BTreeMap<&'static str, usize>,
}

/// `count` classes of the input in the order of a hash of their paths: the same on every machine with the same files.
fn choose(input: &Input, count: usize, wanted: impl Fn(Tier) -> bool) -> Vec<Chosen> {
    let hash = |path: &str| {
        path.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    };
    let mut classes: Vec<_> = input
        .classes
        .iter()
        .filter(|class| wanted(input.containers[class.container].tier))
        .filter(|class| !class.path.ends_with("module-info.class"))
        .collect();
    classes.sort_by_key(|class| (hash(&class.path), class.path.clone()));
    classes.dedup_by_key(|class| class.path.clone());
    let chosen = classes.into_iter().take(count);
    chosen.map(|class| Chosen { path: class.path.to_string(), bytes: class.bytes.clone() }).collect()
}

/// The sites of a body with their bytecode indexes. Inlined subroutines repeat theirs.
fn sites(body: &Body) -> BTreeSet<(u32, Site)> {
    let mut found = BTreeSet::new();
    for (inst, data) in body.insts.iter_ids() {
        let access = |kind: &str, field: selvedge_ir::FieldRef| Site::Access {
            kind: kind.to_owned(),
            field: Reference {
                owner: field.owner.to_string(),
                name: field.name.to_string(),
                descriptor: field.descriptor.to_string(),
            },
        };
        let site = match data.op {
            Op::Invoke(kind, method) => Site::Call {
                kind: match kind {
                    InvokeKind::Virtual => "virtual",
                    InvokeKind::Interface => "interface",
                    InvokeKind::Special => "special",
                    InvokeKind::Static => "static",
                }
                .to_owned(),
                method: Reference {
                    owner: method.owner.to_string(),
                    name: method.name.to_string(),
                    descriptor: method.descriptor.to_string(),
                },
                interface: method.interface,
            },
            Op::InvokeDynamic(id) => {
                let site = &body.call_sites[id];
                Site::Dynamic { name: site.name.to_string(), descriptor: site.descriptor.to_string() }
            }
            Op::GetField(field) => access("getfield", field),
            Op::PutField(field) => access("putfield", field),
            Op::GetStatic(field) => access("getstatic", field),
            Op::PutStatic(field) => access("putstatic", field),
            Op::New(class) => Site::New(class.to_string()),
            Op::NewPrimitiveArray(element) => Site::NewArray(primitive_array(element).to_owned()),
            Op::NewArray(array) => Site::NewArray(array.to_string()),
            Op::NewMultiArray(array) => Site::NewMultiArray(array.to_string(), body.args(inst).len()),
            Op::MonitorEnter => Site::MonitorEnter,
            Op::MonitorExit => Site::MonitorExit,
            _ => continue,
        };
        found.insert((data.bci, site));
    }
    found
}

fn primitive_array(element: PrimitiveType) -> &'static str {
    match element {
        PrimitiveType::Boolean => "[Z",
        PrimitiveType::Char => "[C",
        PrimitiveType::Float => "[F",
        PrimitiveType::Double => "[D",
        PrimitiveType::Byte => "[B",
        PrimitiveType::Short => "[S",
        PrimitiveType::Int => "[I",
        PrimitiveType::Long => "[J",
    }
}

fn kind_name(site: &Site) -> &'static str {
    match site {
        Site::Call { .. } => "calls",
        Site::Dynamic { .. } => "dynamic calls",
        Site::Access { .. } => "field accesses",
        Site::New(_) | Site::NewArray(_) | Site::NewMultiArray(..) => "allocations",
        Site::MonitorEnter | Site::MonitorExit => "monitors",
    }
}

/// Compares one class; what differs goes to `differences`, a sentence each.
fn compare(chosen: &Chosen, shown: &javap::Class, compared: &mut Compared, differences: &mut Vec<String>) {
    let class = ClassFile::parse(&chosen.bytes).unwrap();
    let this = String::from_utf8(class.this_class.to_vec()).unwrap();
    let mut lowerer = Lowerer::new(&class, &NoHierarchy);
    let fields: Vec<_> = class.fields.iter().map(|field| String::from_utf8_lossy(field.descriptor)).collect();
    if fields != shown.field_descriptors || class.methods.len() != shown.methods.len() {
        differences.push(format!("{}: not the same members", chosen.path));
        return;
    }
    compared.classes += 1;
    for (member, shown) in class.methods.iter().zip(&shown.methods) {
        let place = format!("{} {}", chosen.path, shown.header);
        let body = match lowerer.lower(member) {
            Ok(body) => body,
            Err(error) => {
                differences.push(format!("{place}: {error}"));
                continue;
            }
        };
        if String::from_utf8_lossy(member.descriptor) != shown.descriptor
            || body.is_some() != shown.code.is_some()
        {
            differences.push(format!("{place}: not the same method"));
            continue;
        }
        compared.methods += 1;
        if let (Some(body), Some(code)) = (body, &shown.code) {
            let found = compare_code(&this, &body, code, compared);
            differences.extend(found.into_iter().map(|difference| format!("{place}: {difference}")));
        }
    }
}

fn compare_code(this: &str, body: &Body, code: &javap::Code, compared: &mut Compared) -> Vec<String> {
    let ours = sites(body);
    let theirs: BTreeSet<(u32, Site)> = code
        .instructions
        .iter()
        .filter_map(|insn| Some((insn.bci, Site::of(insn, this).unwrap()?)))
        .collect();
    let reachable = code.certainly_reachable();
    let missing = theirs.difference(&ours).filter(|(bci, _)| reachable.contains(bci));
    let mut differences: Vec<String> = missing.map(|(bci, site)| format!("{bci}: lacks {site:?}")).collect();
    differences.extend(ours.difference(&theirs).map(|(bci, site)| format!("{bci}: invents {site:?}")));
    for (_, site) in ours.intersection(&theirs) {
        *compared.sites.entry(kind_name(site)).or_default() += 1;
    }

    let indexes: BTreeSet<u32> = body.insts.iter().map(|data| data.bci).collect();
    let known: BTreeSet<u32> = code.instructions.iter().map(|insn| insn.bci).collect();
    differences.extend(indexes.difference(&known).map(|bci| format!("{bci}: no instruction begins here")));
    compared.instructions += known.len();
    for &bci in &indexes {
        let allowed = code.lines_at(bci);
        let agrees = body.line(bci).map_or(allowed.is_empty(), |line| allowed.contains(&line));
        if !agrees {
            differences.push(format!("{bci}: line {:?}, not {allowed:?}", body.line(bci)));
        }
        compared.lines += usize::from(!allowed.is_empty());
    }
    differences
}

/// Holds all chosen classes against javap.
fn check(jdk: &Jdk, chosen: &[Chosen]) -> Compared {
    let dir = TempDir::new();
    let (mut compared, mut differences) = (Compared::default(), Vec::new());
    for (number, batch) in chosen.chunks(BATCH).enumerate() {
        let write =
            |(index, class): (usize, &Chosen)| dir.write(&format!("{number}-{index}.class"), &class.bytes);
        let files: Vec<PathBuf> = batch.iter().enumerate().map(write).collect();
        let shown = disassemble(jdk, &files).unwrap();
        for (class, shown) in batch.iter().zip(&shown) {
            compare(class, shown, &mut compared, &mut differences);
        }
    }
    let first: Vec<&String> = differences.iter().take(20).collect();
    assert!(differences.is_empty(), "{} differences, the first being\n{first:#?}", differences.len());
    println!("{compared:?}");
    compared
}

#[test]
fn classes_of_the_jdk() {
    let Some(jdk) = jdk_or_skip() else { return };
    let input = Input::read(&Options { jdk: Some(jdk.home.clone()), ..Options::default() }).unwrap();
    let compared = check(&jdk, &choose(&input, sample_size(), |_| true));
    assert!(compared.classes >= 500, "{compared:?}");
    assert!(compared.instructions > 50_000 && compared.lines > 20_000, "{compared:?}");
    assert!(compared.sites.len() == 5 && compared.sites.values().all(|&count| count > 20), "{compared:?}");
}

#[test]
fn classes_of_real_programs() {
    let (Some(jdk), Some(jars)) = (jdk_or_skip(), library_jars_or_skip()) else { return };
    let options = Options { paths: jars, jdk: Some(jdk.home.clone()), ..Options::default() };
    let input = Input::read(&options).unwrap();
    let compared = check(&jdk, &choose(&input, sample_size(), |tier| tier == Tier::Application));
    assert!(compared.classes >= 500, "{compared:?}");
    assert!(compared.instructions > 50_000 && compared.lines > 20_000, "{compared:?}");
}
