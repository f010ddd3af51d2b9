//! What others install: the packages of a release, made from the tested executable, each installed into an empty place and used; and
//! the integrations into build tools. Formats whose installer is not on this machine are named and left out.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use selvedge_testkit::{jdk_or_skip, repository_root};

/// Runs a script of the repository, and shows what it printed if it fails.
fn script(name: &str, arguments: &[&Path]) {
    let path = repository_root().join("scripts").join(name);
    let output = Command::new(path).args(arguments).env("FAST", "1").output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (printed, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{name}: {}\n{printed}\n{errors}", output.status);
    println!("{printed}");
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn each_package_is_installed_and_used() {
    let Some(_) = jdk_or_skip() else { return };
    if !["python3", "strip", "objdump"].iter().all(|tool| has(tool)) {
        println!("not tried: there is no python3 or no binutils");
        return;
    }
    let folder = std::env::temp_dir().join(format!("selvedge-packages-{}", std::process::id()));
    script("package", &[Path::new(env!("CARGO_BIN_EXE_selvedge")), &folder]);
    script("try-packages", &[&folder]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn maven_and_the_github_action_use_the_executable() {
    let Some(_) = jdk_or_skip() else { return };
    if !has("mvn")
        || !Path::new("/usr/share/maven-repo/org/apache/maven/plugins/maven-plugin-plugin").exists()
    {
        println!("not tried: there is no Maven with its plugins from the distribution");
        return;
    }
    script("try-integrations", &[Path::new(env!("CARGO_BIN_EXE_selvedge"))]);
}
