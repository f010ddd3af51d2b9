//! Which declarations of a source carry the annotation: by braces and the words before them.

use super::words::{Word, WordKind, words_of};

/// The suppressions of one source file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// Classes, by their names from the outermost on (`Outer$Inner`).
    classes: Vec<(String, Span)>,
    /// Methods, constructors and statements.
    bodies: Vec<Span>,
    /// Fields: the class, the name, the line of the annotation.
    fields: Vec<(String, String, u32)>,
}

/// Lines from an annotation to the end of what it is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Span {
    annotation: u32,
    last: u32,
}

impl Span {
    fn has(&self, line: u32) -> bool {
        (self.annotation..=self.last).contains(&line)
    }
}

impl Marks {
    /// The line of an annotation that holds for what stands in this line.
    pub fn at_line(&self, line: u32) -> Option<u32> {
        let classes = self.classes.iter().map(|(_, span)| span);
        let mut spans = classes.chain(&self.bodies);
        spans.find(|span| span.has(line)).map(|span| span.annotation)
    }

    /// The line of an annotation that holds for a class, or a field of it.
    pub fn of_declaration(&self, class: &str, field: Option<&str>) -> Option<u32> {
        let around = |outer: &str| {
            class.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
        };
        let by_class = self.classes.iter().find(|(name, _)| around(name)).map(|(_, span)| span.annotation);
        by_class.or_else(|| {
            let is_it =
                |(owner, name, _): &&(String, String, u32)| owner == class && Some(name.as_str()) == field;
            self.fields.iter().find(is_it).map(|(_, _, line)| *line)
        })
    }
}

/// What stands before a brace or a semicolon: the beginning of a declaration or statement.
#[derive(Default)]
struct Header {
    words: Vec<WordKind>,
    /// The line of the annotation, if it is on this.
    marked: Option<u32>,
    /// Parentheses that are open.
    depth: usize,
}

enum Scope {
    /// A class by its own name, with the annotation on it.
    Class(String, Option<u32>),
    /// The body of a method, or any other block that ends what it belongs to.
    Body(Option<u32>),
    /// Braces in the middle of an expression: what was begun before them goes on after.
    Within(Header),
}

/// The suppressions of a source.
pub fn marks_of(lines: &[String]) -> Marks {
    let words = words_of(lines);
    let mut marks = Marks::default();
    let mut scopes: Vec<Scope> = Vec::new();
    let mut header = Header::default();
    let mut index = 0;
    while let Some(word) = words.get(index) {
        index += 1;
        match &word.kind {
            WordKind::Sign('@') if !is_name(words.get(index), "interface") => {
                let (after, is_mark) = annotation(&words, index);
                index = after;
                if is_mark {
                    header.marked.get_or_insert(word.line);
                }
            }
            WordKind::Sign('{') => {
                scopes.push(std::mem::take(&mut header).open());
            }
            WordKind::Sign('}') => {
                let class = class_name(&scopes);
                header = Header::default();
                match scopes.pop() {
                    Some(Scope::Class(_, Some(annotation))) => {
                        marks.classes.push((class, Span { annotation, last: word.line }));
                    }
                    Some(Scope::Body(Some(annotation))) => {
                        marks.bodies.push(Span { annotation, last: word.line });
                    }
                    Some(Scope::Within(before)) => header = before,
                    _ => {}
                }
            }
            WordKind::Sign(';') if header.depth == 0 => {
                let ended = std::mem::take(&mut header);
                if let Some(annotation) = ended.marked {
                    match scopes.last() {
                        Some(Scope::Class(..)) if !ended.has_parameters() => {
                            let class = class_name(&scopes);
                            marks.fields.extend(
                                ended.declared().into_iter().map(|name| (class.clone(), name, annotation)),
                            );
                            marks.bodies.push(Span { annotation, last: word.line });
                        }
                        _ => marks.bodies.push(Span { annotation, last: word.line }),
                    }
                }
            }
            kind => {
                match kind {
                    WordKind::Sign('(') => header.depth += 1,
                    WordKind::Sign(')') => header.depth = header.depth.saturating_sub(1),
                    _ => {}
                }
                header.words.push(kind.clone());
            }
        }
    }
    marks
}

fn is_name(word: Option<&Word>, name: &str) -> bool {
    matches!(word, Some(Word { kind: WordKind::Name(text), .. }) if text == name)
}

/// Reads an annotation after its `@`: where it ends, and whether it is the one.
fn annotation(words: &[Word], mut index: usize) -> (usize, bool) {
    let mut last = "";
    while let Some(Word { kind: WordKind::Name(name), .. }) = words.get(index) {
        last = name;
        index += 1;
        match words.get(index).map(|word| &word.kind) {
            Some(WordKind::Sign('.')) => index += 1,
            _ => break,
        }
    }
    let suppresses = matches!(last, "SuppressWarnings" | "Suppress");
    let mut names_us = false;
    if matches!(words.get(index).map(|word| &word.kind), Some(WordKind::Sign('('))) {
        let mut depth = 0_usize;
        while let Some(word) = words.get(index) {
            index += 1;
            match &word.kind {
                WordKind::Sign('(') => depth += 1,
                WordKind::Sign(')') => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                WordKind::Text(text) => names_us |= text == "selvedge",
                _ => {}
            }
        }
    }
    (index, suppresses && names_us)
}

/// The names of the classes around, from the outermost on.
fn class_name(scopes: &[Scope]) -> String {
    let names = scopes.iter().filter_map(|scope| match scope {
        Scope::Class(name, _) => Some(name.as_str()),
        _ => None,
    });
    names.collect::<Vec<_>>().join("$")
}

impl Header {
    /// What the brace after this opens.
    fn open(self) -> Scope {
        let is_part_of_expression = |word: &WordKind| match word {
            WordKind::Sign(sign) => *sign == '=',
            WordKind::Name(name) => matches!(name.as_str(), "new" | "return"),
            WordKind::Text(_) => false,
        };
        if self.depth > 0 || self.words.iter().any(is_part_of_expression) {
            return Scope::Within(self);
        }
        let class = self.words.windows(2).find_map(|pair| match pair {
            [WordKind::Name(keyword), WordKind::Name(name)]
                if matches!(keyword.as_str(), "class" | "interface" | "enum" | "record" | "object") =>
            {
                Some(name.clone())
            }
            _ => None,
        });
        match class {
            Some(name) => Scope::Class(name, self.marked),
            None => Scope::Body(self.marked),
        }
    }

    /// Whether it declares a method without a body.
    fn has_parameters(&self) -> bool {
        let before_value = self.words.iter().take_while(|word| **word != WordKind::Sign('='));
        before_value.into_iter().any(|word| *word == WordKind::Sign('('))
    }

    /// The names of the variables that it declares: those before `=`, before commas outside type arguments, and at the end.
    fn declared(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut last: Option<&str> = None;
        let (mut angles, mut in_value) = (0_i32, false);
        for word in &self.words {
            match word {
                WordKind::Sign('<') => angles += 1,
                WordKind::Sign('>') => angles -= 1,
                WordKind::Sign('=') if !in_value => {
                    names.extend(last.map(str::to_owned));
                    in_value = true;
                }
                WordKind::Sign(',') if angles == 0 && !in_value => names.extend(last.map(str::to_owned)),
                WordKind::Name(name) if !in_value => last = Some(name),
                _ => {}
            }
        }
        if !in_value {
            names.extend(last.map(str::to_owned));
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &str) -> Marks {
        marks_of(&text.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    const SOURCE: &str = r#"package p;
/** Not here: @SuppressWarnings("selvedge") class X { } */
class Outer {
    @SuppressWarnings("unchecked") int other;
    @Deprecated @SuppressWarnings({"rawtypes", "selvedge"}) // why
    private static final java.util.Map<String, int[]> a = make(x -> { return x; }), b;
    String text = "@SuppressWarnings(\"selvedge\") {";
    @SuppressWarnings("selvedge") int plain;
    @java.lang.SuppressWarnings(value = "selvedge")
    void m(@Deprecated int x) {
        for (int i = 0; i < 3; i++) { x++; }
        Runnable r = new Runnable() { public void run() { x(); } };
    }
    void n() {
        char c = '{';
        @SuppressWarnings("selvedge")
        int y =
            x;
        y++;
    }
    @SuppressWarnings("selvedge")
    static class Inner {
        int f;
        void g() { f++; }
    }
    int after;
}
"#;

    #[test]
    fn declarations_are_found_by_braces() {
        let marks = marks(SOURCE);
        let field = |class: &str, name: &str| marks.of_declaration(class, Some(name));
        assert_eq!(field("Outer", "a"), Some(5));
        assert_eq!(field("Outer", "plain"), Some(8));
        for name in ["other", "text", "after"] {
            assert_eq!(field("Outer", name), None, "{name}");
        }
        assert_eq!(field("Outer$Inner", "f"), Some(21));
        assert_eq!(field("Outer$Inner$Deeper", "f"), Some(21));
        assert_eq!(field("Outer$Other", "f"), None);
    }

    #[test]
    fn lines_belong_to_what_is_around_them() {
        let marks = marks(SOURCE);
        for line in [9, 11, 12, 13] {
            assert_eq!(marks.at_line(line), Some(9), "line {line}");
        }
        assert_eq!(marks.at_line(18), Some(16));
        assert_eq!(marks.at_line(19), None);
        assert_eq!(marks.at_line(24), Some(21));
        for line in [1, 2, 3, 4, 7, 14, 15, 26] {
            assert_eq!(marks.at_line(line), None, "line {line}");
        }
    }

    #[test]
    fn any_text_is_survived() {
        for text in [
            "}}}}",
            "@",
            "@SuppressWarnings(",
            "\"",
            "'",
            "/*",
            "{",
            "\"\"\" {",
            "@SuppressWarnings(\"selvedge\")",
            "é@ü{;",
        ] {
            marks(text);
        }
        for end in 0..SOURCE.len() {
            marks(&SOURCE[..end]);
        }
    }
}
