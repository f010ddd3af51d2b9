//! The file that a recorded run leaves: what it holds, how it is written and read.
//!
//! Plain text, one fact per line, fields separated by tabs, lines sorted, so that two recordings can be compared with
//! ordinary tools:
//!
//! ```text
//! selvedge-recording 1
//! alloc   CLASS
//! class   CLASS  LOADER
//! edge    CLASS  METHOD  DESCRIPTOR  BCI  CLASS  METHOD  DESCRIPTOR  VIA
//! problem TEXT
//! ```
//!
//! An edge without a caller frame has `-` for the three names of its caller and -1 as index; a native caller's index is
//! -1 too. A backslash, tab or line break inside a name is written `\\`, `\t`, `\n`.

use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

const HEADER: &str = "selvedge-recording 1";

/// Where the class files are kept that reached loaders of the program's own, for the recording in a file.
pub fn made_classes_dir(recording: &Path) -> PathBuf {
    recording.with_extension("made")
}

/// A method of a recording: an index into [`Recording::methods`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodIndex(pub u32);

/// A method's symbolic name, with the class that declares it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Method {
    /// The internal name of the class; see [`plumbing`](crate::plumbing) for hidden ones.
    pub class: String,
    /// The name.
    pub name: String,
    /// The descriptor.
    pub descriptor: String,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}{}", self.class, self.name, self.descriptor)
    }
}

/// How a callee came to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Via {
    /// The instruction at the site calls a method of the callee's name and descriptor.
    Call,
    /// The site is an `invokedynamic` or calls a signature-polymorphic method, and the callee is the method-handle form
    /// behind it; or the site is in such a form and the callee is what the handle is of.
    Link,
    /// The callee is a class initialiser that the site triggered.
    Clinit,
    /// The JVM called while it executed the instruction: class loading, linkage, implicit exceptions.
    Upcall,
    /// The caller is a native method.
    Native,
    /// No frame was below: a thread's first method, or a call by the JVM itself.
    Vm,
    /// Collapsed: through the class behind a lambda or method reference.
    Lambda,
    /// Collapsed: through the forms of a method handle.
    MethodHandle,
    /// Collapsed: through reflective accessors, down to who called `invoke` or `newInstance`.
    Reflection,
    /// Collapsed: through a dynamic proxy, to its invocation handler.
    Proxy,
}

impl Via {
    /// Every value, in the order of the declaration.
    pub const ALL: [Via; 10] = [
        Via::Call,
        Via::Link,
        Via::Clinit,
        Via::Upcall,
        Via::Native,
        Via::Vm,
        Via::Lambda,
        Via::MethodHandle,
        Via::Reflection,
        Via::Proxy,
    ];

    /// The word in the file.
    pub fn word(self) -> &'static str {
        match self {
            Via::Call => "call",
            Via::Link => "link",
            Via::Clinit => "clinit",
            Via::Upcall => "upcall",
            Via::Native => "native",
            Via::Vm => "vm",
            Via::Lambda => "lambda",
            Via::MethodHandle => "methodhandle",
            Via::Reflection => "reflection",
            Via::Proxy => "proxy",
        }
    }

    /// Whether the caller is not the frame right below the callee.
    pub fn is_collapsed(self) -> bool {
        matches!(self, Via::Lambda | Via::MethodHandle | Via::Reflection | Via::Proxy)
    }
}

/// Where a call was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The calling method.
    pub method: MethodIndex,
    /// The index of the calling instruction; `None` in a native method.
    pub bci: Option<u32>,
}

/// One thing that was seen at least once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The caller; `None` exactly for [`Via::Vm`] and for collapsed edges with no ordinary frame below.
    pub caller: Option<Site>,
    /// The method that ran.
    pub callee: MethodIndex,
    /// How it came to run.
    pub via: Via,
}

/// Who defined a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Loader {
    /// The boot loader.
    Boot,
    /// The platform loader: the JDK's other modules.
    Platform,
    /// The loader of the class path.
    App,
    /// A loader of the program's own.
    Custom,
}

impl Loader {
    /// The word in the file.
    pub fn word(self) -> &'static str {
        match self {
            Loader::Boot => "boot",
            Loader::Platform => "platform",
            Loader::App => "app",
            Loader::Custom => "custom",
        }
    }

    /// Whether the class is part of the JDK.
    pub fn is_jdk(self) -> bool {
        matches!(self, Loader::Boot | Loader::Platform)
    }
}

/// What is known of a class whose methods ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassFacts {
    /// Its defining loader; where several define a class of this name, the last in [`Loader`]'s order.
    pub loader: Loader,
}

/// Everything that one run showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// Every method that occurs in an edge, sorted.
    pub methods: Vec<Method>,
    /// Every edge, sorted, each once.
    pub edges: Vec<Edge>,
    /// Every class of which an object was allocated, arrays excepted.
    pub allocated: BTreeSet<String>,
    /// The classes of [`Self::methods`].
    pub classes: BTreeMap<String, ClassFacts>,
    /// What the agent could not find out, in its own words; empty in a complete recording.
    pub problems: Vec<String>,
}

/// Why a file is no recording.
#[derive(Debug)]
pub struct Error {
    path: PathBuf,
    line: Option<usize>,
    message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path.display(), self.message),
            None => write!(f, "{}: {}", self.path.display(), self.message),
        }
    }
}

impl std::error::Error for Error {}

impl Recording {
    /// Reads a file that the agent wrote.
    pub fn read(path: &Path) -> Result<Recording, Error> {
        let error = |line, message| Error { path: path.to_path_buf(), line, message };
        let text = std::fs::read_to_string(path)
            .map_err(|cause| error(None, format!("cannot read the recording: {cause}")))?;
        Recording::parse(&text).map_err(|(line, message)| error(Some(line), message))
    }

    /// Parses a recording; an error comes with the number of its line.
    pub fn parse(text: &str) -> Result<Recording, (usize, String)> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        match lines.next() {
            Some((_, HEADER)) => {}
            _ => return Err((1, format!("the first line is not \"{HEADER}\""))),
        }
        let mut builder = Builder::default();
        for (number, line) in lines {
            builder.line(line).map_err(|message| (number, message))?;
        }
        Ok(builder.finish())
    }

    /// The method at an index.
    pub fn method(&self, index: MethodIndex) -> &Method {
        &self.methods[index.0 as usize]
    }

    /// Whether a method's class is defined by the class path's loader or one of the program's own.
    pub fn is_application(&self, index: MethodIndex) -> bool {
        let class = &self.method(index).class;
        self.classes.get(class).is_some_and(|facts| !facts.loader.is_jdk())
    }

    /// The lines of the file.
    pub fn to_text(&self) -> String {
        let mut lines = Vec::new();
        lines.extend(self.allocated.iter().map(|class| format!("alloc\t{}", escaped(class))));
        for (class, facts) in &self.classes {
            lines.push(format!("class\t{}\t{}", escaped(class), facts.loader.word()));
        }
        for edge in &self.edges {
            let (caller, bci) = match edge.caller {
                Some(site) => (self.fields(site.method), site.bci.map_or(-1, i64::from)),
                None => ("-\t-\t-".to_owned(), -1),
            };
            lines.push(format!("edge\t{caller}\t{bci}\t{}\t{}", self.fields(edge.callee), edge.via.word()));
        }
        lines.extend(self.problems.iter().map(|problem| format!("problem\t{}", escaped(problem))));
        lines.sort();
        let mut text = String::from(HEADER);
        for line in lines {
            text.push('\n');
            text.push_str(&line);
        }
        text.push('\n');
        text
    }

    fn fields(&self, index: MethodIndex) -> String {
        let method = self.method(index);
        format!("{}\t{}\t{}", escaped(&method.class), escaped(&method.name), escaped(&method.descriptor))
    }
}

/// Collects lines in any order and numbers methods at the end, so that equal contents make equal recordings.
#[derive(Default)]
struct Builder {
    numbers: FxHashMap<Method, MethodIndex>,
    methods: Vec<Method>,
    recording: Recording,
}

impl Builder {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["alloc", class] => {
                self.recording.allocated.insert(unescaped(class)?);
            }
            ["class", class, loader] => {
                let loaders = [Loader::Boot, Loader::Platform, Loader::App, Loader::Custom];
                let loader = loaders
                    .into_iter()
                    .find(|candidate| candidate.word() == loader)
                    .ok_or_else(|| format!("unknown loader \"{loader}\""))?;
                let facts = self.recording.classes.entry(unescaped(class)?).or_insert(ClassFacts { loader });
                facts.loader = facts.loader.max(loader);
            }
            ["problem", text] => self.recording.problems.push(unescaped(text)?),
            ["edge", class, name, descriptor, bci, callee_class, callee_name, callee_descriptor, via] => {
                let via = Via::ALL
                    .into_iter()
                    .find(|candidate| candidate.word() == via)
                    .ok_or_else(|| format!("unknown kind of edge \"{via}\""))?;
                let bci: i64 = bci.parse().map_err(|_| format!("\"{bci}\" is no bytecode index"))?;
                let caller = if class == "-" {
                    None
                } else {
                    Some(Site { method: self.method(class, name, descriptor)?, bci: u32::try_from(bci).ok() })
                };
                let callee = self.method(callee_class, callee_name, callee_descriptor)?;
                self.recording.edges.push(Edge { caller, callee, via });
            }
            _ => return Err(format!("\"{}\" with {} fields is no known line", fields[0], fields.len())),
        }
        Ok(())
    }

    fn method(&mut self, class: &str, name: &str, descriptor: &str) -> Result<MethodIndex, String> {
        let method =
            Method { class: unescaped(class)?, name: unescaped(name)?, descriptor: unescaped(descriptor)? };
        let next = MethodIndex(u32::try_from(self.methods.len()).map_err(|_| "too many methods")?);
        let index = *self.numbers.entry(method.clone()).or_insert(next);
        if index == next {
            self.methods.push(method);
        }
        Ok(index)
    }

    fn finish(self) -> Recording {
        let Builder { methods, mut recording, .. } = self;
        recording.replace_methods(methods);
        recording
    }
}

impl Recording {
    /// Takes a method table in any order, to which the edges refer, and puts methods and edges into their final order.
    pub(crate) fn replace_methods(&mut self, methods: Vec<Method>) {
        let mut order: Vec<u32> = (0..methods.len() as u32).collect();
        order.sort_by(|&left, &right| methods[left as usize].cmp(&methods[right as usize]));
        let mut renumbered = vec![MethodIndex(0); methods.len()];
        let mut table: Vec<Method> = Vec::with_capacity(methods.len());
        for &old in &order {
            if table.last() != Some(&methods[old as usize]) {
                table.push(methods[old as usize].clone());
            }
            renumbered[old as usize] = MethodIndex(table.len() as u32 - 1);
        }
        for edge in &mut self.edges {
            edge.callee = renumbered[edge.callee.0 as usize];
            if let Some(site) = &mut edge.caller {
                site.method = renumbered[site.method.0 as usize];
            }
        }
        self.methods = table;
        self.edges.sort_unstable();
        self.edges.dedup();
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescaped(text: &str) -> Result<String, String> {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        plain.push(match char {
            '\\' => match chars.next() {
                Some('\\') => '\\',
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                _ => return Err(format!("\"{text}\" ends an escape wrongly")),
            },
            other => other,
        });
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "selvedge-recording 1\n\
        alloc\tp/Main\n\
        class\tjava/lang/Object\tboot\n\
        class\tp/Main\tapp\n\
        edge\t-\t-\t-\t-1\tp/Main\tmain\t([Ljava/lang/String;)V\tvm\n\
        edge\tp/Main\tmain\t([Ljava/lang/String;)V\t4\tp/Main\t<init>\t()V\tcall\n";

    #[test]
    fn what_is_written_reads_back() {
        let recording = Recording::parse(TEXT).unwrap();
        assert_eq!(recording.to_text(), TEXT);
        assert_eq!(recording.methods.len(), 2);
        let call = recording.edges.iter().find(|edge| edge.via == Via::Call).unwrap();
        assert_eq!(recording.method(call.callee).to_string(), "p/Main.<init>()V");
        assert_eq!(call.caller.unwrap().bci, Some(4));
        assert!(recording.is_application(call.callee));
    }

    #[test]
    fn the_order_of_lines_does_not_matter() {
        let mut lines: Vec<&str> = TEXT.lines().skip(1).collect();
        lines.reverse();
        let reversed = format!("{HEADER}\n{}\n", lines.join("\n"));
        assert_eq!(Recording::parse(&reversed).unwrap(), Recording::parse(TEXT).unwrap());
    }

    #[test]
    fn odd_names_survive() {
        let mut recording = Recording::parse(TEXT).unwrap();
        recording.methods[0].name = "a\tb\\c\nd".to_owned();
        let again = Recording::parse(&recording.to_text()).unwrap();
        assert!(again.methods.iter().any(|method| method.name == "a\tb\\c\nd"));
    }

    #[test]
    fn errors_name_the_line() {
        let complaint = |line: &str| Recording::parse(&format!("{HEADER}\n{line}\n")).unwrap_err();
        assert_eq!(Recording::parse("").unwrap_err().0, 1);
        assert_eq!(complaint("edge\tx").0, 2);
        assert!(complaint("class\tp/A\tmoon").1.contains("moon"));
        assert!(complaint("edge\ta\tb\tc\tx\ta\tb\tc\tcall").1.contains("bytecode index"));
        assert!(complaint("edge\ta\tb\tc\t1\ta\tb\tc\tmagic").1.contains("magic"));
        assert!(complaint("alloc\ta\\q").1.contains("escape"));
        let missing = Recording::read(Path::new("no-such-file")).unwrap_err();
        assert!(missing.to_string().starts_with("no-such-file: cannot read the recording"));
    }
}
