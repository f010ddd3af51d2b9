//! The executable by itself: copied to an empty folder, with an empty cache, it can do everything.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use selvedge_testkit::{JavacOptions, compile, jdk_or_skip};

/// An empty folder, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const RACY: &str = "public class Racy {
    static int hits;
    public static void main(String[] arguments) throws Exception {
        Thread other = new Thread(() -> hits++, \"other\");
        other.start();
        hits++;
        other.join();
    }
}";

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What the build made, copied to an empty folder: a check, a run, and a run where the cache cannot be used.
#[test]
fn the_executable_needs_nothing_beside_it() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = compile(&[("Racy.java", RACY)], &JavacOptions::default()).unwrap();
    let folder = Folder::new("install");
    let selvedge = folder.0.join("selvedge");
    std::fs::copy(env!("CARGO_BIN_EXE_selvedge"), &selvedge).unwrap();
    let cache = folder.0.join("cache");
    let run = |cache: &Path| {
        let mut command = Command::new(&selvedge);
        command.env("XDG_CACHE_HOME", cache).current_dir(&folder.0);
        command.args(["run", "--"]).arg(&jdk.java).arg("-cp").arg(classes.path()).arg("Racy");
        command.output().unwrap()
    };
    for _ in 0..2 {
        let output = run(&cache);
        assert!(text(&output).contains("race on static Racy.hits"), "{}", text(&output));
    }
    let kept: Vec<_> = std::fs::read_dir(cache.join("selvedge")).unwrap().flatten().collect();
    assert_eq!(kept.len(), 1, "one library, written once: {kept:?}");
    let mode = |path: PathBuf| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(cache.join("selvedge")), mode(kept[0].path())), (0o700, 0o700));
    // A library that somebody has tampered with is not used.
    std::fs::write(kept[0].path(), "something else").unwrap();
    assert!(text(&run(&cache)).contains("race on static Racy.hits"));
    // Without a cache, the session's directory has it.
    let output = run(Path::new("/proc/no-such-directory"));
    assert!(text(&output).contains("race on static Racy.hits"), "{}", text(&output));
    let check = Command::new(&selvedge)
        .env("XDG_CACHE_HOME", &cache)
        .arg("check")
        .arg(classes.path())
        .args(["--main", "Racy", "--jdk"])
        .arg(&jdk.home)
        .arg("--run")
        .arg("--")
        .arg(&jdk.java)
        .arg("-cp")
        .arg(classes.path())
        .arg("Racy")
        .output()
        .unwrap();
    assert_eq!(check.status.code(), Some(1), "{}", text(&check));
    assert!(String::from_utf8_lossy(&check.stdout).contains("Racy.hits"));
}
