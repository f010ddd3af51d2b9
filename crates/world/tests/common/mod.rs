//! What the tests of this crate share.
#![allow(dead_code, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use selvedge_world::{Input, Options};

/// A directory that is removed with the value.
pub struct TempDir(PathBuf);

impl TempDir {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("selvedge-world-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        TempDir(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file, with the directories it needs.
    pub fn write(&self, name: &str, contents: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, contents).unwrap();
        path
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Reads these paths with the JDK that the tests use.
pub fn read(paths: &[&Path]) -> Input {
    let jdk = selvedge_testkit::find_jdk().unwrap().home;
    let paths = paths.iter().map(|path| path.to_path_buf()).collect();
    Input::read(&Options { paths, jdk: Some(jdk), ..Options::default() }).unwrap()
}

/// A public class file without members.
pub fn class_file(name: &str, superclass: &str, interfaces: &[&str]) -> Vec<u8> {
    let names: Vec<&str> = [name, superclass].into_iter().chain(interfaces.iter().copied()).collect();
    let mut class = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52];
    let u16 = |class: &mut Vec<u8>, value: usize| class.extend((value as u16).to_be_bytes());
    u16(&mut class, 2 * names.len() + 1);
    for (index, name) in names.iter().enumerate() {
        // The n-th name is constant 2n + 1, its class 2n + 2.
        class.push(1);
        u16(&mut class, name.len());
        class.extend(name.as_bytes());
        class.push(7);
        u16(&mut class, 2 * index + 1);
    }
    u16(&mut class, 0x21);
    u16(&mut class, 2);
    u16(&mut class, 4);
    u16(&mut class, interfaces.len());
    for index in 0..interfaces.len() {
        u16(&mut class, 2 * (index + 2) + 2);
    }
    // No fields, methods, attributes.
    class.extend([0; 6]);
    class
}
