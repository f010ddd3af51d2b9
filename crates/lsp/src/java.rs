//! Java sources as far as changes of single declarations and statements need them: no parser, but braces, words and declarations,
//! with comments and literals out of the way. Whatever does not look as expected is not found, and nothing is offered there.

use std::ops::Range;

/// A source text with what is known of its shape. All positions are bytes of the text.
pub struct Source<'t> {
    text: &'t str,
    /// The text with comments and literals blanked; as long as the text.
    code: String,
    /// Where each line begins.
    lines: Vec<usize>,
    blocks: Vec<Block>,
}

/// A pair of braces.
#[derive(Clone, Debug)]
struct Block {
    /// From the opening brace to the closing one.
    range: Range<usize>,
    /// What stands before the opening brace, back to the last statement or brace.
    header: Range<usize>,
    is_class: bool,
}

/// The declaration of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Where its type begins, behind annotations and modifiers.
    pub type_start: usize,
    /// Its type as written.
    pub type_text: String,
    /// Its name.
    pub name: Range<usize>,
    /// The modifiers.
    pub modifiers: Vec<String>,
    /// What it is initialised with, without the equals sign.
    pub initializer: Option<Range<usize>>,
}

impl Field {
    /// Whether it has a modifier.
    pub fn has(&self, modifier: &str) -> bool {
        self.modifiers.iter().any(|it| it == modifier)
    }
}

/// The header of a method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// Where its type begins, behind annotations and modifiers: the place of a further modifier.
    pub type_start: usize,
    /// The modifiers.
    pub modifiers: Vec<String>,
    /// Whether it is a constructor.
    pub is_constructor: bool,
    /// From its opening brace to its closing one.
    pub body: Range<usize>,
}

/// One use of a name in the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// Where the name stands.
    pub name: Range<usize>,
    /// The line, counted from 1.
    pub line: u32,
}

const MODIFIERS: &[&str] = &[
    "public",
    "protected",
    "private",
    "static",
    "final",
    "abstract",
    "native",
    "default",
    "strictfp",
    "synchronized",
    "transient",
    "volatile",
    "sealed",
];

impl<'t> Source<'t> {
    /// Looks at a text.
    pub fn new(text: &'t str) -> Self {
        let code = blank(text);
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let blocks = blocks(&code);
        Self { text, code, lines, blocks }
    }

    /// The text with comments and literals blanked.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The line of a position, counted from 1.
    pub fn line_of(&self, position: usize) -> u32 {
        self.lines.partition_point(|start| *start <= position) as u32
    }

    /// The range of a line, counted from 1, without its end.
    pub fn line(&self, number: u32) -> Option<Range<usize>> {
        let start = *self.lines.get(number.checked_sub(1)? as usize)?;
        let end = self.lines.get(number as usize).map_or(self.text.len(), |next| next - 1);
        let end = if self.text[start..end].ends_with('\r') { end - 1 } else { end };
        Some(start..end)
    }

    /// How its lines end.
    pub fn line_end(&self) -> &'static str {
        let first = self.text.find('\n').map_or("", |end| &self.text[..end]);
        if first.ends_with('\r') { "\r\n" } else { "\n" }
    }

    /// Whether a class is declared here, given as `p.Outer$Inner`.
    pub fn declares(&self, class: &str) -> bool {
        let (package, names) = class.rsplit_once('.').unwrap_or(("", class));
        let declared: Vec<&str> =
            self.blocks.iter().filter_map(|block| class_name(&self.code[block.header.clone()])).collect();
        // Anonymous and local classes have numbers for names, or before them.
        let mut named = names.split('$').map(|name| name.trim_start_matches(|it: char| it.is_ascii_digit()));
        self.package() == package && named.all(|name| name.is_empty() || declared.contains(&name))
    }

    fn package(&self) -> &str {
        let found = self.code.lines().find_map(|line| line.trim().strip_prefix("package "));
        found.map_or("", |rest| rest.trim_end_matches(';').trim())
    }

    /// The line (from 0) and the column in UTF-16 units that the protocol has for a position.
    pub fn position(&self, at: usize) -> lsp_types::Position {
        let line = self.line_of(at) - 1;
        let start = self.lines[line as usize];
        lsp_types::Position::new(line, utf16(&self.text[start..at]))
    }

    /// The position in bytes of what the protocol names.
    pub fn offset(&self, position: lsp_types::Position) -> Option<usize> {
        let line = self.line(position.line.checked_add(1)?)?;
        let mut units = 0;
        for (at, character) in self.text[line.clone()].char_indices() {
            if units >= position.character {
                return Some(line.start + at);
            }
            units += character.len_utf16() as u32;
        }
        Some(line.end)
    }

    /// The name at a position.
    pub fn word_at(&self, at: usize) -> Option<&str> {
        let bytes = self.code.as_bytes();
        let start = (0..at.min(bytes.len())).rev().take_while(|at| is_part(bytes[*at])).last().unwrap_or(at);
        let end = (start..bytes.len()).take_while(|at| is_part(bytes[*at])).last()? + 1;
        self.code.get(start..end).filter(|word| !word.is_empty())
    }

    /// All places of a name.
    pub fn uses(&self, name: &str) -> Vec<Use> {
        words(&self.code)
            .filter(|range| &self.code[range.clone()] == name)
            .map(|range| Use { line: self.line_of(range.start), name: range })
            .collect()
    }

    /// The class body around a position, innermost first, by its opening brace.
    fn class_around(&self, at: usize) -> Option<&Block> {
        self.innermost(at).filter(|block| block.is_class)
    }

    fn innermost(&self, at: usize) -> Option<&Block> {
        self.blocks
            .iter()
            .filter(|block| block.range.start < at && at < block.range.end)
            .min_by_key(|block| block.range.len())
    }

    /// The declaration of a field of a class, given by its simple name. A class that is declared twice has none.
    pub fn field(&self, class: &str, name: &str) -> Option<Field> {
        let declared: Vec<Field> = self
            .uses(name)
            .into_iter()
            .filter(|it| {
                let around = self.class_around(it.name.start);
                around.is_some_and(|block| class_name(&self.code[block.header.clone()]) == Some(class))
            })
            .filter_map(|it| self.field_at(it.name))
            .collect();
        match &declared[..] {
            [only] => Some(only.clone()),
            _ => None,
        }
    }

    fn field_at(&self, name: Range<usize>) -> Option<Field> {
        let start = self.statement_start(name.start);
        let (modifiers, type_start) = modifiers(&self.code, start..name.start);
        let type_text = self.code[type_start..name.start].trim().to_owned();
        let is_type = type_text.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && !type_text.contains(['=', '(', ')', ';'])
            // A second declarator: its type stands further left.
            && type_text.matches('<').count() == type_text.matches('>').count()
            && !without_arguments(&type_text).contains(',');
        let rest = &self.code[name.end..];
        let first = rest.trim_start().chars().next()?;
        if !is_type || !matches!(first, '=' | ';') {
            return None;
        }
        let end = name.end + self.end_of_statement(name.end)?;
        let initializer = (first == '=').then(|| {
            let equals = name.end + rest.find('=').unwrap_or(0) + 1;
            let skipped = self.code[equals..end].len() - self.code[equals..end].trim_start().len();
            equals + skipped..end
        });
        // Several declarators in one statement are left alone.
        let declared = &self.code[name.end..end];
        if depth_zero(declared).contains(&b',') {
            return None;
        }
        Some(Field { type_start, type_text, name, modifiers, initializer })
    }

    /// How far the semicolon is that ends the statement, past brackets.
    fn end_of_statement(&self, from: usize) -> Option<usize> {
        let mut depth = 0i32;
        for (at, byte) in self.code.as_bytes()[from..].iter().enumerate() {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth -= 1,
                b';' if depth == 0 => return Some(at),
                _ => {}
            }
            if depth < 0 {
                return None;
            }
        }
        None
    }

    /// Where the statement begins that a position is in; braces in brackets, as annotations have them, belong to it.
    fn statement_start(&self, before: usize) -> usize {
        let mut depth = 0i32;
        let boundary = self.code.as_bytes()[..before].iter().rposition(|byte| {
            depth += i32::from(*byte == b')') - i32::from(*byte == b'(');
            depth == 0 && matches!(byte, b';' | b'{' | b'}')
        });
        let start = boundary.map_or(0, |at| at + 1);
        start + (self.code[start..before].len() - self.code[start..before].trim_start().len())
    }

    /// The method around a line, if a class has it directly.
    pub fn method_around(&self, line: u32) -> Option<Method> {
        let line = self.line(line)?;
        let at = line.start + (self.code[line.clone()].len() - self.code[line.clone()].trim_start().len());
        self.method_at(at)
    }

    /// The method around a position.
    pub fn method_at(&self, at: usize) -> Option<Method> {
        // A header of one line is around itself, too.
        let around = |block: &&Block| block.header.start <= at && at < block.range.end && !block.is_class;
        let mut found: Vec<&Block> = self.blocks.iter().filter(around).collect();
        found.sort_by_key(|block| block.range.len());
        found.into_iter().find_map(|block| {
            self.class_around(block.header.start)?;
            self.method_of(block)
        })
    }

    fn method_of(&self, block: &Block) -> Option<Method> {
        let (modifiers, type_start) = modifiers(&self.code, block.header.clone());
        let header = &self.code[type_start..block.header.end];
        let open = header.find('(')?;
        let before = header[..open].trim_end();
        let name = before.rsplit(|it: char| !(it.is_alphanumeric() || it == '_' || it == '$')).next()?;
        if name.is_empty() || header[..open].contains(['=', '{', '}']) {
            return None;
        }
        let is_constructor = before.len() == name.len();
        Some(Method {
            name: name.to_owned(),
            type_start,
            modifiers,
            is_constructor,
            body: block.range.clone(),
        })
    }

    /// Where a further import belongs, and what has to stand before it.
    pub fn import_place(&self) -> usize {
        let mut place = 0;
        for number in 1..=self.lines.len() as u32 {
            let Some(line) = self.line(number) else { break };
            let code = self.code[line].trim_start();
            if code.starts_with("package ") || code.starts_with("import ") {
                place = *self.lines.get(number as usize).unwrap_or(&self.text.len());
            }
            if code.contains('{') {
                break;
            }
        }
        place
    }

    /// Whether a line is one whole statement that may stand in a block of its own.
    pub fn is_whole_statement(&self, line: u32) -> bool {
        let Some(range) = self.line(line) else { return false };
        let statement = self.code[range.clone()].trim();
        let start = range.start + (self.code[range.clone()].len() - self.code[range].trim_start().len());
        let before = self.code[..start].trim_end();
        let balanced = |open: u8, close: u8| {
            let mut depth = 0i32;
            statement.bytes().all(|byte| {
                depth += i32::from(byte == open) - i32::from(byte == close);
                depth >= 0
            }) && depth == 0
        };
        let mut first_words = words(statement);
        let second_follows = match (first_words.next(), first_words.next()) {
            // Two names in a row, or a type with arguments or brackets: the declaration of a variable.
            (Some(first), Some(second)) => {
                let between = statement[first.end..second.start].trim();
                let is_word =
                    matches!(&statement[first.clone()], "return" | "throw" | "if" | "else" | "for" | "while");
                !is_word
                    && (between.is_empty() || between.starts_with('<') || between.starts_with('['))
                    && !between.contains('=')
                    && !between.starts_with("[i")
                    && first.start == 0
            }
            _ => false,
        };
        let is_branch =
            ["else", "case", "default", "break", "continue"].iter().any(|word| statement.starts_with(word));
        statement.ends_with(';')
            && balanced(b'(', b')')
            && balanced(b'{', b'}')
            && !second_follows
            && !is_branch
            && before.ends_with(['{', '}', ';'])
    }
}

/// The length of a text in UTF-16 units, in which the protocol counts columns.
pub fn utf16(text: &str) -> u32 {
    text.encode_utf16().count() as u32
}

/// The modifiers at the beginning of a declaration, and where its type begins.
fn modifiers(code: &str, declaration: Range<usize>) -> (Vec<String>, usize) {
    let mut found = Vec::new();
    let mut at = declaration.start;
    loop {
        at += code[at..declaration.end].len() - code[at..declaration.end].trim_start().len();
        let rest = &code[at..declaration.end];
        if let Some(annotation) = rest.strip_prefix('@') {
            let name: usize = annotation
                .chars()
                .take_while(|it| it.is_alphanumeric() || "_.$".contains(*it))
                .map(char::len_utf8)
                .sum();
            at += 1 + name;
            let behind = &code[at..declaration.end];
            let spaces = behind.len() - behind.trim_start().len();
            if behind.trim_start().starts_with('(') {
                let mut depth = 0;
                let close = behind.bytes().position(|byte| {
                    depth += i32::from(byte == b'(') - i32::from(byte == b')');
                    byte == b')' && depth == 0
                });
                at += close.map_or(spaces, |close| close + 1);
            }
            continue;
        }
        let word = words(rest).next().filter(|word| word.start == 0).map(|word| &rest[word]);
        match word.filter(|word| MODIFIERS.contains(word)) {
            Some(word) => {
                found.push(word.to_owned());
                at += word.len();
            }
            None => return (found, at),
        }
    }
}

/// A type without its type arguments.
fn without_arguments(text: &str) -> String {
    let mut depth = 0;
    text.chars()
        .filter(|it| {
            depth += i32::from(*it == '<') - i32::from(*it == '>');
            depth == 0
        })
        .collect()
}

/// The bytes outside all brackets.
fn depth_zero(text: &str) -> Vec<u8> {
    let mut depth = 0i32;
    text.bytes()
        .filter(|byte| {
            match byte {
                b'(' | b'[' | b'{' | b'<' => depth += 1,
                b')' | b']' | b'}' | b'>' => depth -= 1,
                _ => {}
            }
            depth == 0
        })
        .collect()
}

/// The name of the class that a header declares.
fn class_name(header: &str) -> Option<&str> {
    let mut all = words(header).map(|range| &header[range]);
    all.find(|word| ["class", "interface", "enum", "record"].contains(word))?;
    all.next()
}

fn blocks(code: &str) -> Vec<Block> {
    let mut found = Vec::new();
    // What is open; nothing for the braces of an array or annotation, which are no block.
    let mut open: Vec<Option<(usize, Range<usize>, bool)>> = Vec::new();
    let mut header = 0;
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'{' => {
                let text = &code[header..at];
                let before = code[..at].trim_end();
                let is_values = before.ends_with(['(', '=', ',', ']'])
                    || before.ends_with('{') && open.last().is_some_and(Option::is_none);
                if is_values {
                    open.push(None);
                    continue;
                }
                let skipped = text.len() - text.trim_start().len();
                let is_anonymous = text.trim_end().ends_with(')')
                    && words(text).any(|word| &text[word] == "new")
                    && !words(text).any(|word| ["if", "for", "while", "switch"].contains(&&text[word]));
                let is_class = class_name(text).is_some() || is_anonymous;
                open.push(Some((at, header + skipped..at, is_class)));
                header = at + 1;
            }
            b'}' => {
                if let Some(Some((start, before, is_class))) = open.pop() {
                    found.push(Block { range: start..at + 1, header: before, is_class });
                    header = at + 1;
                }
            }
            b';' => header = at + 1,
            _ => {}
        }
    }
    found
}

/// The names in a code, with keywords and numbers.
pub fn words(code: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = code.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() && !is_part(bytes[at]) {
            at += 1;
        }
        let start = at;
        while at < bytes.len() && is_part(bytes[at]) {
            at += 1;
        }
        (start < at).then_some(start..at)
    })
}

/// Whether a byte may be part of a name.
fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The text with every byte of comments and literals replaced by a space; lines stay.
fn blank(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    let mut clear = |range: Range<usize>| {
        code[range].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    };
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = if rest.starts_with(b"//") {
            rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4)
        } else if rest.starts_with(b"\"\"\"") {
            literal_end(&rest[3..], b"\"\"\"").map_or(rest.len(), |end| end + 3)
        } else if rest[0] == b'"' || rest[0] == b'\'' {
            literal_end(&rest[1..], &rest[..1]).map_or(rest.len(), |end| end + 1)
        } else {
            at += 1;
            continue;
        };
        clear(at..at + end);
        at += end;
    }
    String::from_utf8(code).unwrap_or_default()
}

fn find(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    bytes.windows(pattern.len()).position(|window| window == pattern)
}

/// Where a literal ends, behind its closing quote; a backslash escapes.
fn literal_end(bytes: &[u8], close: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            at += 2;
        } else if bytes[at..].starts_with(close) {
            return Some(at + close.len());
        } else if bytes[at] == b'\n' && close.len() == 1 {
            // A literal that is not closed ends with its line.
            return Some(at);
        } else {
            at += 1;
        }
    }
    None
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const TEXT: &str = r#"package p;

import java.util.Map;

/** A { brace. */
public class Pool<T extends Comparable<T>> {
    @Deprecated @SuppressWarnings({"a", "b"})
    private static final Map<String, int[]> map = new java.util.HashMap<>(); // map = 1;
    int count = 0, other;
    protected long total;

    Pool(int count) { this.count = count; }

    @Override @SuppressWarnings({"c"})
    public synchronized <V> V get(String key) throws Exception {
        String quoted = "{ \" total";
        total += 1;
        if (total > 3) { return null; }
        Runnable task = () -> { total--; };
        return null;
    }

    static class Inner { long total; void set() { total = 1; } }
}
"#;

    #[test]
    fn fields_are_found_by_class_and_name() {
        let source = Source::new(TEXT);
        let map = source.field("Pool", "map").unwrap();
        assert_eq!(map.type_text, "Map<String, int[]>");
        assert_eq!(map.modifiers, ["private", "static", "final"]);
        assert_eq!(&TEXT[map.initializer.unwrap()], "new java.util.HashMap<>()");
        assert_eq!(source.field("Pool", "total").unwrap().modifiers, ["protected"]);
        assert_eq!(source.line_of(source.field("Inner", "total").unwrap().type_start), 23);
        for (class, name) in [("Pool", "count"), ("Pool", "other"), ("Pool", "absent"), ("Nobody", "total")] {
            assert_eq!(source.field(class, name), None, "{class}.{name}");
        }
    }

    #[test]
    fn methods_are_found_by_lines() {
        let source = Source::new(TEXT);
        let get = source.method_around(17).unwrap();
        assert_eq!((get.name.as_str(), get.is_constructor), ("get", false));
        assert_eq!(get.modifiers, ["public", "synchronized"]);
        assert!(TEXT[get.type_start..].starts_with("<V> V get"));
        assert_eq!(source.method_around(18).unwrap().name, "get");
        assert!(source.method_around(12).unwrap().is_constructor);
        assert_eq!(source.method_around(10), None);
    }

    #[test]
    fn statements_that_stand_alone() {
        let source = Source::new(TEXT);
        for (line, is_whole) in [(16, false), (17, true), (18, false), (19, false), (20, true), (14, false)] {
            assert_eq!(source.is_whole_statement(line), is_whole, "line {line}");
        }
    }

    #[test]
    fn literals_and_comments_are_no_code() {
        let source = Source::new(TEXT);
        assert_eq!(source.uses("map").len(), 1);
        assert_eq!(Source::new("class A { String s = \"\"\"\n int x;\n\"\"\"; }").field("A", "x"), None);
        assert_eq!(blank("a /* b */ 'c' \"d\\\"e\" f"), format!("a{}f", " ".repeat(20)));
    }

    #[test]
    fn positions_count_utf16_units() {
        let source = Source::new("a\n\u{1F600} x y\r\n");
        let at = source.offset(lsp_types::Position::new(1, 3)).unwrap();
        assert_eq!(source.word_at(at), Some("x"));
        assert_eq!(source.position(at), lsp_types::Position::new(1, 3));
        assert_eq!(source.import_place(), 0);
        assert_eq!(Source::new(TEXT).import_place(), TEXT.find("\n/**").unwrap());
    }

    #[test]
    fn classes_are_known_by_package_and_nesting() {
        let source = Source::new(TEXT);
        for class in ["p.Pool", "p.Pool$Inner", "p.Pool$1", "p.Inner"] {
            assert!(source.declares(class), "{class}");
        }
        for class in ["Pool", "q.Pool", "p.Other", "p.Pool$Other"] {
            assert!(!source.declares(class), "{class}");
        }
        assert!(Source::new("class A {}").declares("A"));
    }

    #[test]
    fn lines_end_as_the_first_does() {
        for (text, end) in [("", "\n"), ("a", "\n"), ("a\nb\r\n", "\n"), ("a\r\nb\n", "\r\n")] {
            assert_eq!(Source::new(text).line_end(), end, "{text:?}");
        }
    }
}
