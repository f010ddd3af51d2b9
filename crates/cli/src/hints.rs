//! Sentences for input that gives nothing, with the way out: sources instead of classes, a command without `--`, places without
//! lines, a folder of sources that holds none of the program's.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use selvedge_findings::{Finding, Report};
use selvedge_report::Sources;
use selvedge_world::{Problem, ProblemKind};

/// Files that are looked at in search of sources: a folder may be a whole disk.
const MOST_FILES: usize = 20_000;

/// That there are no classes that can be read, and what to pass instead.
pub fn no_classes(paths: &[PathBuf], problems: &[Problem]) -> String {
    if let Some(problem) = problems.iter().find(|problem| problem.kind == ProblemKind::MalformedClass) {
        return format!("no class in the given paths can be read: {problem}; compile again");
    }
    let sources = |extension: &str| -> usize { paths.iter().map(|path| count(path, extension)).sum() };
    let found = [".java", ".kt", ".scala", ".groovy"].map(|extension| (extension, sources(extension)));
    match found.into_iter().find(|(_, count)| *count > 0) {
        None => "there are no classes in the given paths: pass a jar, or the directory that the compiler writes to".to_owned(),
        Some((extension, number)) => {
            let (files, them) = if number == 1 { ("file", "it") } else { ("files", "them") };
            format!(
                "there are no classes in the given paths, but {number} {extension} {files}: compile {them} first, and pass \
                 the output directory, such as target/classes or build/classes/java/main"
            )
        }
    }
}

/// How many files below a path end so.
fn count(path: &Path, extension: &str) -> usize {
    let (mut open, mut seen, mut found) = (vec![path.to_owned()], 0, 0);
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            seen += 1;
            if seen > MOST_FILES {
                return found;
            }
            // Links are not followed: they may lead in circles.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(_) if entry.file_name().to_string_lossy().ends_with(extension) => found += 1,
                _ => {}
            }
        }
    }
    found
}

/// Where `--` is missing in a command line that clap refuses because of a word: the line as it should be.
pub fn missing_dashes(line: &[OsString], refused: Option<&str>) -> Option<String> {
    if line.iter().any(|word| word == "--") {
        return None;
    }
    let runs = |word: &OsString| ["run", "--run", "confirm", "--confirm"].iter().any(|run| word == run);
    let start = line.iter().position(runs)? + 1;
    let commands = ["java", "mvn", "mvnw", "gradle", "gradlew", "sh", "bash", "ant", "sbt"];
    let is_command = |word: &OsString| {
        let name = Path::new(word).file_name().map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| commands.contains(&name.as_str()))
    };
    let is_run = |word: &&OsString| *word == "run" || *word == "confirm";
    let refused =
        refused.filter(|word| !word.starts_with('-') && line.get(1).is_some_and(|word| is_run(&word)));
    let is_refused = |word: &OsString| refused.is_some_and(|refused| word == refused);
    let command = line[start..].iter().position(is_command);
    let command = start + command.or_else(|| line[start..].iter().position(is_refused))?;
    let words = |part: &[OsString]| -> Vec<String> {
        part.iter().map(|word| word.to_string_lossy().into_owned()).collect()
    };
    let mut all = vec!["selvedge".to_owned()];
    all.extend(words(&line[1..command]));
    all.push("--".to_owned());
    all.extend(words(&line[command..]));
    Some(all.join(" "))
}

/// What keeps readers of a report from the code, as sentences: no lines in the class files, no sources where they were looked for.
pub fn of_places(report: &Report, sources: &Sources, paths: &[PathBuf]) -> Vec<String> {
    let mut hints = Vec::new();
    let sides = || report.findings.iter().flat_map(|finding: &Finding| &finding.sides);
    if sides().next().is_none() {
        return hints;
    }
    if sides().all(|side| side.at.line.is_none()) {
        let class = selvedge_findings::class_of(&report.findings[0].sides[0].at.method);
        hints.push(format!(
            "class files such as that of {class} have no line numbers, so places are bytecode indexes: compile with \
             `javac -g` to see lines"
        ));
    } else if paths.iter().any(|path| path.exists()) && sides().all(|side| sources.find(&side.at).is_none()) {
        let shown: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        hints.push(format!(
            "--sources {} has no source file of a finding: pass the directory of the packages, such as src/main/java",
            shown.join(", ")
        ));
    }
    hints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_missing_dashes_are_put_in() {
        let mended = |text: &str| missing_dashes(&line(text), None);
        assert_eq!(mended("selvedge run java -jar a.jar").unwrap(), "selvedge run -- java -jar a.jar");
        assert_eq!(
            mended("selvedge check classes --run --brief /usr/bin/java -cp c M").unwrap(),
            "selvedge check classes --run --brief -- /usr/bin/java -cp c M"
        );
        assert_eq!(
            mended("selvedge confirm r.json mvn test").unwrap(),
            "selvedge confirm r.json -- mvn test"
        );
        assert_eq!(missing_dashes(&line("selvedge run ls"), Some("ls")).unwrap(), "selvedge run -- ls");
        assert_eq!(mended("selvedge run -- java"), None);
        assert_eq!(mended("selvedge check java"), None);
    }
}
