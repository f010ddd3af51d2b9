//! Java's words: names, texts and signs with their lines; comments are passed over.

/// A word of a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// What it is.
    pub kind: WordKind,
    /// Its line, counted from 1.
    pub line: u32,
}

/// What a word is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WordKind {
    /// A name, a keyword or a number.
    Name(String),
    /// What stands between quotes.
    Text(String),
    /// Any other character.
    Sign(char),
}

/// The words of a source, given as lines.
pub fn words_of(lines: &[String]) -> Vec<Word> {
    let text = lines.join("\n");
    let mut reader = Reader { rest: &text, line: 1, words: Vec::new() };
    while !reader.rest.is_empty() {
        reader.step();
    }
    reader.words
}

struct Reader<'t> {
    rest: &'t str,
    line: u32,
    words: Vec<Word>,
}

impl Reader<'_> {
    /// Passes over so many bytes, which end between characters.
    fn pass(&mut self, bytes: usize) {
        let (passed, rest) = self.rest.split_at(bytes.min(self.rest.len()));
        self.line += u32::try_from(passed.matches('\n').count()).unwrap_or(0);
        self.rest = rest;
    }

    fn push(&mut self, kind: WordKind) {
        self.words.push(Word { kind, line: self.line });
    }

    fn step(&mut self) {
        let Some(first) = self.rest.chars().next() else { return };
        let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
        if self.rest.starts_with("//") {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.pass(end);
        } else if self.rest.starts_with("/*") {
            let end = self.rest[2..].find("*/").map_or(self.rest.len(), |end| end + 4);
            self.pass(end);
        } else if self.rest.starts_with("\"\"\"") {
            let end = self.rest[3..].find("\"\"\"").map_or(self.rest.len(), |end| end + 6);
            self.push(WordKind::Text(String::new()));
            self.pass(end);
        } else if matches!(first, '"' | '\'') {
            let end = self.end_of_text(first);
            let inner = self.rest.get(1..end.saturating_sub(1)).unwrap_or_default().to_owned();
            self.push(WordKind::Text(inner));
            self.pass(end);
        } else if is_part(first) {
            let end = self.rest.find(|character| !is_part(character)).unwrap_or(self.rest.len());
            self.push(WordKind::Name(self.rest[..end].to_owned()));
            self.pass(end);
        } else {
            if !first.is_whitespace() {
                self.push(WordKind::Sign(first));
            }
            self.pass(first.len_utf8());
        }
    }

    /// Where a text in quotes ends, the closing quote included; at the end of the line if it is not closed.
    fn end_of_text(&self, quote: char) -> usize {
        let mut escaped = false;
        for (index, character) in self.rest.char_indices().skip(1) {
            match character {
                '\n' => return index,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if character == quote => return index + 1,
                _ => {}
            }
        }
        self.rest.len()
    }
}
