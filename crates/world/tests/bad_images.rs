//! Damaged module images of a JDK: 3,000 mutants of a small image, raw and compressed, made with a fixed seed. Reading one
//! may find less, or no JDK, but never panics, hangs or takes more than a gigabyte.
#![allow(clippy::unwrap_used)]

mod common;

use common::TempDir;
use selvedge_testkit::class_builder::{ClassBuilder, PUBLIC_CLASS};
use selvedge_testkit::{CountingAllocator, Input as Sample, Limits, mutants_of, survive};
use selvedge_world::{Input, Options, Program};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const DAMAGED_IMAGES: usize = 3_000;

/// A module image of these resources of `java.base` (package, class, contents). Its table is as long as there are
/// resources and found by walking it: the hash that would find one by name is left out.
fn image(resources: &[(&str, &str, Vec<u8>)], compressed: bool) -> Vec<u8> {
    let mut strings = vec![0];
    let mut string = |text: &str| {
        let at = strings.len() as u32;
        strings.extend(text.bytes());
        strings.push(0);
        at
    };
    let (module, extension, zip, none) = (string("java.base"), string("class"), string("zip"), string(""));
    let (mut offsets, mut locations, mut contents) = (Vec::new(), vec![0], Vec::new());
    for (package, class, bytes) in resources {
        offsets.push(locations.len() as u32);
        let stored = if compressed { compress(bytes, zip, none) } else { bytes.clone() };
        let kept = if compressed { stored.len() as u32 } else { 0 };
        let attributes = [
            module,
            string(package),
            string(class),
            extension,
            contents.len() as u32,
            kept,
            bytes.len() as u32,
        ];
        for (kind, value) in (1_u8..).zip(attributes) {
            // The low bits hold the value's length less one.
            locations.push(kind << 3 | 3);
            locations.extend(value.to_be_bytes());
        }
        locations.push(0);
        contents.extend(stored);
    }
    let count = offsets.len() as u32;
    let header = [0xcafe_dada, 1 << 16, 0, count, count, locations.len() as u32, strings.len() as u32];
    let redirect = vec![0; offsets.len()];
    let words = header.into_iter().chain(redirect).chain(offsets).flat_map(u32::to_le_bytes);
    words.chain(locations).chain(strings).chain(contents).collect()
}

/// A resource deflated by the image's own scheme: a header that names the method, then the data.
fn compress(bytes: &[u8], method: u32, configuration: u32) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    let data = encoder.finish().unwrap();
    let mut out = 0xcafe_fafa_u32.to_le_bytes().to_vec();
    out.extend((data.len() as u64).to_le_bytes());
    out.extend((bytes.len() as u64).to_le_bytes());
    out.extend(method.to_le_bytes());
    out.extend(configuration.to_le_bytes());
    out.push(1);
    out.extend(data);
    out
}

fn images() -> Vec<Sample> {
    let class = |name: &str, superclass: &str| ClassBuilder::new(61, PUBLIC_CLASS, name, superclass).build();
    let mut resources = vec![("java/lang", "Object", class("java/lang/Object", ""))];
    let names: Vec<String> = (0..30).map(|n| format!("Class{n}")).collect();
    for name in &names {
        resources.push(("java/util", name, class(&format!("java/util/{name}"), "java/lang/Object")));
    }
    let sample = |(description, compressed): (&str, bool)| Sample {
        description: description.to_owned(),
        bytes: image(&resources, compressed),
    };
    [("raw image", false), ("compressed image", true)].map(sample).into()
}

/// How many classes a program has whose JDK is this image; `None` if it is refused.
fn classes_of(dir: &TempDir, image: &[u8]) -> Option<usize> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("jdk-{}", NEXT.fetch_add(1, Ordering::Relaxed));
    dir.write(&format!("{name}/release"), b"JAVA_VERSION=\"17.0.1\"\n");
    dir.write(&format!("{name}/lib/modules"), image);
    let home = dir.path().join(&name);
    let found = load(&home);
    drop(std::fs::remove_dir_all(home));
    found
}

fn load(home: &Path) -> Option<usize> {
    let options = Options { jdk: Some(home.to_owned()), ..Options::default() };
    let program = Program::load(Input::read(&options).ok()?);
    let real = program.classes.iter().filter(|class| !class.is_phantom());
    Some(real.count())
}

#[test]
fn damaged_images() {
    let dir = TempDir::new();
    let originals = images();
    for original in &originals {
        assert_eq!(classes_of(&dir, &original.bytes), Some(31), "{}", original.description);
    }
    let read = |bytes: &[u8]| classes_of(&dir, bytes).is_some_and(|classes| classes > 0);
    let mutants = mutants_of(&originals, 22);
    let survived = survive("module image", DAMAGED_IMAGES, Limits::default(), mutants, read).unwrap();
    println!("{survived:?}");
    assert!(survived.accepted > DAMAGED_IMAGES / 10, "{survived:?}");
    assert!(survived.rejected > DAMAGED_IMAGES / 50, "{survived:?}");
}
