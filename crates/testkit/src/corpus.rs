//! The race corpus: small Java programs under `corpus/<topic>/` whose comments tell the truth about their races.
//!
//! A file is one program. It opens with an optional directive, then a header that says what the program shows, then the
//! package, which is the topic:
//!
//! ```java
//! // selvedge: library=open.Cache
//! // A cache with an unguarded counter: any two clients race on it.
//! package open;
//! ```
//!
//! All programs compile together into one directory; [`Analysed`] says which of its classes one program starts from.

use crate::{
    CompiledDir, Expectation, Expected, Failure, JavacOptions, Jdk, Sources, compile_with, files_below,
    parse_expectations, repository_root,
};
use std::fs;
use std::path::PathBuf;

/// What an analysis of a corpus program starts from. Classes are named with dots, nested ones with `$`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Analysed {
    /// A closed program: the `main` method of this class. The default: the class that the file is named after.
    Main(String),
    /// `library=`: an open program; any thread may call the public methods of these classes.
    Library(Vec<String>),
    /// `container=`: an open program; a framework's container calls these classes, which it knows by supertype or
    /// annotation. Nothing but the classes is to be given to the analysis.
    Container(Vec<String>),
}

/// One program of the corpus.
#[derive(Clone, Debug)]
pub struct CorpusProgram {
    /// The path below `corpus/`: `locks/WrongLock.java`.
    pub file: String,
    /// The folder and package: `locks`.
    pub topic: String,
    /// The class that the file is named after: `WrongLock`. Unique in the corpus.
    pub name: String,
    /// What to analyse.
    pub analysed: Analysed,
    /// The comment at the top, without the directive, in one line.
    pub header: String,
    /// The whole text.
    pub source: String,
    /// The marks, with `file` as the name of the file.
    pub marks: Vec<Expectation>,
}

impl CorpusProgram {
    /// Whether some line has a race.
    pub fn is_racy(&self) -> bool {
        self.marks.iter().any(|mark| matches!(mark.kind, Expected::Race | Expected::Missed))
    }

    /// The package-qualified class that the file is named after.
    pub fn class(&self) -> String {
        format!("{}.{}", self.topic, self.name)
    }

    fn parse(file: &str, source: String) -> Result<Self, Failure> {
        let fail = |message: &str| Failure::new(format!("{file}: {message}"));
        let (topic, name) = file
            .strip_suffix(".java")
            .and_then(|path| path.split_once('/'))
            .filter(|(_, name)| !name.contains('/'))
            .ok_or_else(|| fail("a corpus program is called <topic>/<Name>.java"))?;
        let comment: Vec<&str> = source
            .lines()
            .map_while(|line| line.strip_prefix("//"))
            .map(|line| line.trim_start_matches(' '))
            .collect();
        let (directives, words): (Vec<&str>, Vec<&str>) =
            comment.iter().partition(|line| line.starts_with("selvedge:"));
        let analysed = match directives[..] {
            [] => Analysed::Main(format!("{topic}.{name}")),
            [directive] if comment.first() == Some(&directive) => parse_directive(directive)
                .ok_or_else(|| fail(&format!("`{directive}` is not a directive")))?,
            _ => return Err(fail("there is one directive at most, and it is the first line")),
        };
        let package = source.lines().nth(comment.len()).unwrap_or_default();
        if package != format!("package {topic};") {
            return Err(fail("the line after the header is not the package with the topic's name"));
        }
        let marks = parse_expectations(file, &source)?;
        let (topic, name, header) = (topic.to_owned(), name.to_owned(), words.join(" "));
        Ok(CorpusProgram { file: file.to_owned(), topic, name, analysed, header, source, marks })
    }
}

/// `selvedge: main=C`, `selvedge: library=C,D` or `selvedge: container=C,D`.
fn parse_directive(text: &str) -> Option<Analysed> {
    let (key, value) = text.strip_prefix("selvedge:")?.trim().split_once('=')?;
    let classes: Vec<String> = value.split(',').map(|class| class.trim().to_owned()).collect();
    if classes.iter().any(|class| !class.contains('.') || class.contains(' ')) {
        return None;
    }
    match (key, classes) {
        ("main", classes) => match <[String; 1]>::try_from(classes) {
            Ok([class]) => Some(Analysed::Main(class)),
            Err(_) => None,
        },
        ("library", classes) => Some(Analysed::Library(classes)),
        ("container", classes) => Some(Analysed::Container(classes)),
        _ => None,
    }
}

/// The directory of the corpus.
pub fn corpus_dir() -> PathBuf {
    repository_root().join("corpus")
}

/// Types of frameworks that corpus programs extend or carry, in their own packages and reduced to what is used.
const STAND_INS: &str = "stand-ins";

/// Every program of the corpus, sorted by file.
pub fn corpus() -> Result<Vec<CorpusProgram>, Failure> {
    let dir = corpus_dir();
    let mut programs = Vec::new();
    for path in files_below(&dir, ".java")? {
        let file = path.strip_prefix(&dir).unwrap_or(&path);
        if file.starts_with(STAND_INS) {
            continue;
        }
        let source = fs::read_to_string(&path).map_err(Failure::io(format!("read {}", path.display())))?;
        programs.push(CorpusProgram::parse(&file.to_string_lossy().replace('\\', "/"), source)?);
    }
    programs.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(programs)
}

/// Compiles the whole corpus, with the stand-ins, in one call of the compiler.
pub fn compile_corpus(jdk: &Jdk) -> Result<CompiledDir, Failure> {
    compile_with(jdk, Sources::Dir(&corpus_dir()), &JavacOptions::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(source: &str) -> Result<CorpusProgram, Failure> {
        CorpusProgram::parse("open/Cache.java", source.to_owned())
    }

    #[test]
    fn a_program_is_read_with_directive_header_and_marks() {
        let program =
            parse("// selvedge: library=open.Cache,open.Cache$Entry\n// Two\n// lines.\npackage open;\nx; //~ RACE\n")
                .unwrap();
        let classes = vec!["open.Cache".to_owned(), "open.Cache$Entry".to_owned()];
        assert_eq!(program.analysed, Analysed::Library(classes));
        assert_eq!((program.header.as_str(), program.class().as_str()), ("Two lines.", "open.Cache"));
        assert!(program.is_racy());
        let closed = parse("// Header.\npackage open;\nx; //~ NORACE\n").unwrap();
        assert_eq!(closed.analysed, Analysed::Main("open.Cache".to_owned()));
        assert!(!closed.is_racy());
    }

    #[test]
    fn mistakes_are_errors() {
        let check = |source: &str, expected: &str| {
            let message = parse(source).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        };
        check("// selvedge: librray=open.Cache\npackage open;", "is not a directive");
        check("// selvedge: library=Cache\npackage open;", "is not a directive");
        check("// Header.\n// selvedge: library=open.Cache\npackage open;", "it is the first line");
        check("// Header.\npackage shut;", "not the package");
        assert!(CorpusProgram::parse("Cache.java", String::new()).is_err());
    }
}
