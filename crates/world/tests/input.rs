//! Every form of input gives the classes that are in it, and how they count.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use common::{TempDir, read};
use selvedge_testkit::jar::{Entry, Method, manifest, zip};
use selvedge_testkit::{JavacOptions, compile, find_jdk, jdk_or_skip, run_with_timeout};
use selvedge_world::{Input, Options, Tier};

fn class_a() -> Vec<u8> {
    let dir = compile(&[("p/A.java", "package p; public class A {}")], &JavacOptions::default()).unwrap();
    dir.class_bytes("p/A").unwrap()
}

fn deflated(name: &str, contents: &[u8]) -> Entry {
    Entry::new(name, contents, Method::Deflated)
}

fn stored(name: &str, contents: &[u8]) -> Entry {
    Entry::new(name, contents, Method::Stored)
}

/// What was found outside the JDK: tier, the end of the container's location, path, length.
fn found(input: &Input) -> Vec<(Tier, String, String)> {
    input
        .classes
        .iter()
        .map(|class| (&input.containers[class.container], class))
        .filter(|(container, _)| container.tier != Tier::Jdk)
        .map(|(container, class)| {
            let location = &container.location;
            let end = location.split_once(".jar").or(location.split_once("ar!")).map_or("", |(_, end)| end);
            (container.tier, end.to_owned(), class.path.to_string())
        })
        .collect()
}

fn check(archive: &[Entry], name: &str, expected: &[(Tier, &str, &str)]) {
    let dir = TempDir::new();
    let path = dir.write(name, &zip(archive));
    let input = read(&[&path]);
    let found = found(&input);
    let found: Vec<_> = found.iter().map(|(tier, end, path)| (*tier, end.as_str(), path.as_str())).collect();
    assert_eq!(found, expected);
    assert_eq!(input.problems, []);
}

#[test]
fn class_files_directories_and_jars() {
    let Some(_) = jdk_or_skip() else { return };
    let class = class_a();
    let dir = TempDir::new();
    let file = dir.write("one/A.class", &class);
    let input = read(&[&file]);
    assert_eq!(found(&input), [(Tier::Application, String::new(), String::new())]);
    assert!(input.classes.iter().any(|found| *found.bytes == class[..]));

    dir.write("classes/p/A.class", &class);
    dir.write("classes/q/B.class", b"\xca\xfe\xba\xbe");
    dir.write("classes/lib/x.jar", &zip(&[deflated("r/C.class", &class)]));
    let input = read(&[&dir.path().join("classes")]);
    assert_eq!(
        found(&input),
        [
            (Tier::Application, String::new(), "p/A.class".to_owned()),
            (Tier::Application, String::new(), "q/B.class".to_owned()),
            (Tier::Library, String::new(), "r/C.class".to_owned()),
        ]
    );
    check(
        &[deflated("p/A.class", &class), deflated("module-info.class", &class)],
        "a.jar",
        &[(Tier::Application, "", "p/A.class")],
    );
}

#[test]
fn archives_in_archives() {
    let Some(_) = jdk_or_skip() else { return };
    let class = class_a();
    let library = zip(&[deflated("l/L.class", &class)]);
    let war = [
        deflated("WEB-INF/classes/p/A.class", &class),
        deflated("WEB-INF/lib/x.jar", &library),
        deflated("applet/B.class", &class),
    ];
    check(
        &war,
        "a.war",
        &[
            (Tier::Application, "/WEB-INF/classes", "p/A.class"),
            (Tier::Library, "", "applet/B.class"),
            (Tier::Library, "", "l/L.class"),
        ],
    );
    // Spring Boot stores the libraries, so that they can be read in place.
    let boot = [
        deflated("org/boot/Launcher.class", &class),
        deflated("BOOT-INF/classes/p/A.class", &class),
        stored("BOOT-INF/lib/x.jar", &library),
    ];
    check(
        &boot,
        "a.jar",
        &[
            (Tier::Library, "", "org/boot/Launcher.class"),
            (Tier::Application, "!/BOOT-INF/classes", "p/A.class"),
            (Tier::Library, "!/BOOT-INF/lib/x.jar", "l/L.class"),
        ],
    );
    let ear =
        [deflated("web.war", &zip(&war)), deflated("ejb.jar", &library), deflated("lib/l.jar", &library)];
    check(
        &ear,
        "a.ear",
        &[
            (Tier::Application, "/web.war!/WEB-INF/classes", "p/A.class"),
            (Tier::Library, "/web.war", "applet/B.class"),
            (Tier::Library, "", "l/L.class"),
            (Tier::Application, "", "l/L.class"),
            (Tier::Library, "", "l/L.class"),
        ],
    );
}

#[test]
fn multi_release_jars_choose_by_the_jdk() {
    let Some(jdk) = jdk_or_skip() else { return };
    let class = class_a();
    let mut other = class.clone();
    other.push(0);
    let too_new = format!("META-INF/versions/{}/p/A.class", jdk.feature_version() + 1);
    let entries = |manifest: &str| {
        vec![
            deflated("META-INF/MANIFEST.MF", manifest.as_bytes()),
            deflated("META-INF/versions/9/p/A.class", &class),
            deflated("p/A.class", &class),
            deflated("META-INF/versions/11/p/A.class", &other),
            deflated("META-INF/versions/10/p/A.class", &class),
            deflated("META-INF/versions/9/p/New.class", &class),
            deflated(&too_new, &class),
        ]
    };
    let dir = TempDir::new();
    let path = dir.write("mr.jar", &zip(&entries(&manifest(&[("Multi-Release", "true")]))));
    let input = read(&[&path]);
    let classes: Vec<_> =
        input.classes.iter().take(2).map(|class| (&*class.path, class.bytes.len())).collect();
    assert_eq!(classes, [("p/A.class", other.len()), ("p/New.class", class.len())]);
    check(&entries(&manifest(&[])), "plain.jar", &[(Tier::Application, "", "p/A.class")]);
}

#[test]
fn manifests_name_the_main_class_and_further_jars() {
    let Some(_) = jdk_or_skip() else { return };
    let class = class_a();
    let dir = TempDir::new();
    let text = manifest(&[("Main-Class", "p.A"), ("Class-Path", "libs/b.jar gone.jar a.jar")]);
    let a = dir.write(
        "a.jar",
        &zip(&[deflated("META-INF/MANIFEST.MF", text.as_bytes()), deflated("p/A.class", &class)]),
    );
    dir.write("libs/b.jar", &zip(&[deflated("q/B.class", &class)]));
    let input = read(&[&a]);
    assert_eq!(
        found(&input),
        [
            (Tier::Application, String::new(), "p/A.class".to_owned()),
            (Tier::Library, String::new(), "q/B.class".to_owned())
        ]
    );
    assert_eq!(input.containers[input.classes[0].container].main_class.as_deref(), Some("p.A"));
}

#[test]
fn class_path_wildcards_stand_for_jars() {
    let Some(jdk) = jdk_or_skip() else { return };
    let dir = TempDir::new();
    dir.write("lib/b.jar", &zip(&[deflated("q/B.class", &class_a())]));
    dir.write("lib/a.jar", &zip(&[deflated("q/A.class", &class_a())]));
    dir.write("lib/readme", b"");
    let options =
        Options { classpath: vec![dir.path().join("lib/*")], jdk: Some(jdk.home), ..Options::default() };
    let input = Input::read(&options).unwrap();
    let paths: Vec<_> = found(&input).into_iter().map(|(tier, _, path)| (tier, path)).collect();
    assert_eq!(paths, [(Tier::Library, "q/A.class".to_owned()), (Tier::Library, "q/B.class".to_owned())]);
}

#[test]
fn modules_by_name_and_as_jmod() {
    let Some(jdk) = jdk_or_skip() else { return };
    let by_name = read(&[Path::new("java.logging")]);
    let application: Vec<_> = by_name
        .classes
        .iter()
        .filter(|class| by_name.containers[class.container].tier == Tier::Application)
        .map(|class| class.path.clone())
        .collect();
    assert!(application.iter().any(|path| &**path == "java/util/logging/Logger.class"));
    let jmod = jdk.home.join("jmods/java.logging.jmod");
    if jmod.is_file() {
        let input = read(&[&jmod]);
        let from_jmod: Vec<_> =
            input.classes.iter().take(application.len()).map(|class| class.path.clone()).collect();
        let sorted = |mut paths: Vec<Box<str>>| {
            paths.sort();
            paths
        };
        assert_eq!(sorted(from_jmod), sorted(application));
    }
}

#[test]
fn what_cannot_be_read_is_said_in_a_sentence() {
    let Some(jdk) = jdk_or_skip() else { return };
    let dir = TempDir::new();
    let text = dir.write("notes.jar", b"not a jar");
    let error = |paths: &[PathBuf], jdk: &Path| {
        let options = Options { paths: paths.to_vec(), jdk: Some(jdk.to_path_buf()), ..Options::default() };
        Input::read(&options).unwrap_err().to_string()
    };
    let here = dir.path().display();
    assert_eq!(
        error(&[text], &jdk.home),
        format!(
            "cannot read {here}/notes.jar: it is neither a class file nor a zip archive (jar, war, ear, jmod)"
        )
    );
    assert!(
        error(&[dir.path().join("gone.jar")], &jdk.home)
            .starts_with(&format!("cannot read {here}/gone.jar: "))
    );
    assert!(error(&["no.such.module".into()], &jdk.home).contains("has no such module"));
    assert!(error(&[], dir.path()).contains("is not a JDK"));
}

/// Every class of a JDK with its bytes.
fn jdk_classes(home: &Path) -> Vec<(String, Vec<u8>)> {
    let input = Input::read(&Options { jdk: Some(home.to_path_buf()), ..Options::default() }).unwrap();
    assert_eq!(input.problems, []);
    let mut classes: Vec<_> =
        input.classes.iter().map(|class| (class.path.to_string(), class.bytes.to_vec())).collect();
    classes.sort();
    classes
}

#[test]
fn every_layout_of_a_jdk_gives_the_same_classes() {
    let Some(jdk) = jdk_or_skip() else { return };
    let jlink = jdk.home.join("bin/jlink");
    if !jlink.is_file() || !jdk.home.join("jmods/java.base.jmod").is_file() {
        return selvedge_testkit::skip("the JDK has no jlink or no jmods");
    }
    let dir = TempDir::new();
    let link = |level: &str| {
        let home = dir.path().join(format!("linked{level}"));
        let mut command = Command::new(&jlink);
        command.args(["--add-modules", "java.logging", "--compress", level, "--output"]).arg(&home);
        let run = run_with_timeout(command, Duration::from_secs(120)).unwrap();
        assert_eq!(run.exit_code, Some(0), "{}{}", run.stdout, run.stderr);
        home
    };
    let plain = link("0");
    let classes = jdk_classes(&plain);
    assert!(classes.len() > 5000);
    for level in ["1", "2"] {
        assert!(jdk_classes(&link(level)) == classes, "compression {level} reads differently");
    }
    // The same classes as an exploded build, and as JDK 8 would have them.
    let (exploded, jars) = (dir.path().join("exploded"), dir.path().join("jre8"));
    let mut rt = Vec::new();
    for (path, bytes) in &classes {
        let module = if path.contains("java/util/logging/") { "java.logging" } else { "java.base" };
        dir.write(&format!("exploded/modules/{module}/{path}"), bytes);
        rt.push(stored(path, bytes));
    }
    dir.write("jre8/jre/lib/rt.jar", &zip(&rt[1..]));
    dir.write("jre8/jre/lib/jsse.jar", &zip(&rt[..1]));
    dir.write("jre8/release", b"JAVA_VERSION=\"1.8.0_442\"\n");
    assert!(jdk_classes(&exploded) == classes, "an exploded build reads differently");
    assert!(jdk_classes(&jars) == classes, "jars read differently");
    let version = |home: &Path| {
        let options = Options { jdk: Some(home.to_path_buf()), ..Options::default() };
        Input::read(&options).unwrap().jdk.version
    };
    assert_eq!(version(&jars), 8);
    assert_eq!(u32::from(version(&exploded)), find_jdk().unwrap().feature_version());
    assert_eq!(u32::from(version(&plain)), find_jdk().unwrap().feature_version());
}

#[test]
fn a_directory_of_jmods_is_a_jdk() {
    let Some(jdk) = jdk_or_skip() else { return };
    let jmods = jdk.home.join("jmods");
    if !jmods.join("java.base.jmod").is_file() {
        return selvedge_testkit::skip("the JDK has no jmods");
    }
    let options = Options { paths: vec!["java.base".into()], jdk: Some(jmods), ..Options::default() };
    let input = Input::read(&options).unwrap();
    assert_eq!(u32::from(input.jdk.version), jdk.feature_version());
    let object = input.classes.iter().find(|class| &*class.path == "java/lang/Object.class").unwrap();
    assert_eq!(input.containers[object.container].tier, Tier::Application);
    assert_eq!(input.problems, []);
}
