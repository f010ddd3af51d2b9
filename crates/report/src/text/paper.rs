//! Text on a terminal: words with ink, broken into lines of the terminal's width, with labels in a column of their own.

use anstyle::{AnsiColor, Style as Ansi};

use crate::Style;
use crate::words::clean;

/// What a piece of text means, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    /// Ordinary text.
    Plain,
    /// What is to be read first.
    Strong,
    /// What may be passed over.
    Faint,
    /// A place in the code.
    Place,
    /// A finding of high confidence, or something new.
    Alarm,
    /// A finding of medium confidence.
    Warning,
    /// A finding of low confidence.
    Note,
    /// Advice, or something mended.
    Good,
}

impl Ink {
    fn ansi(self) -> Ansi {
        let color = |color: AnsiColor| Ansi::new().fg_color(Some(color.into()));
        match self {
            Self::Plain => Ansi::new(),
            Self::Strong => Ansi::new().bold(),
            Self::Faint => Ansi::new().dimmed(),
            Self::Place => color(AnsiColor::Cyan),
            Self::Alarm => color(AnsiColor::Red).bold(),
            Self::Warning => color(AnsiColor::Yellow).bold(),
            Self::Note => color(AnsiColor::Blue).bold(),
            Self::Good => color(AnsiColor::Green),
        }
    }
}

/// A run of text in one ink.
#[derive(Clone, Debug)]
pub struct Span {
    ink: Ink,
    text: String,
    link: Option<String>,
}

impl Span {
    /// Text in an ink. Control characters in it are replaced.
    pub fn new(ink: Ink, text: impl AsRef<str>) -> Self {
        Self { ink, text: clean(text.as_ref()), link: None }
    }

    /// Ordinary text.
    pub fn plain(text: impl AsRef<str>) -> Self {
        Self::new(Ink::Plain, text)
    }

    /// The same text, leading to an address.
    pub fn linked(self, link: Option<String>) -> Self {
        Self { link, ..self }
    }

    /// Columns it takes.
    pub fn width(&self) -> usize {
        self.text.chars().count()
    }
}

/// A part of a word: text without spaces in one ink.
struct Fragment<'a> {
    span: &'a Span,
    text: &'a str,
}

/// Where the labels stand.
const LABEL_INDENT: usize = 2;
/// Where what they label begins.
pub const BODY: usize = 10;
/// Below this many columns lines are not broken any narrower.
const NARROWEST: usize = 40;

/// The text as it grows.
pub struct Paper<'a> {
    out: String,
    /// How it is to look.
    pub style: &'a Style,
}

impl<'a> Paper<'a> {
    /// An empty sheet.
    pub fn new(style: &'a Style) -> Self {
        Self { out: String::new(), style }
    }

    /// Everything written.
    pub fn finish(self) -> String {
        self.out
    }

    /// An empty line.
    pub fn gap(&mut self) {
        self.out.push('\n');
    }

    /// Columns for text that starts at `indent`.
    pub fn room(&self, indent: usize) -> usize {
        self.style.width.max(NARROWEST).saturating_sub(indent)
    }

    /// A label in its column and text beside it, broken below itself.
    pub fn label(&mut self, label: Span, body: &[Span]) {
        let used = LABEL_INDENT + label.width();
        self.spaces(LABEL_INDENT);
        self.fragment(&Fragment { span: &label, text: &label.text });
        self.spaces(BODY.saturating_sub(used).max(1));
        self.words(body, BODY.max(used + 1), BODY);
    }

    /// Text from column `indent` on, broken at `hang`.
    pub fn flow(&mut self, indent: usize, hang: usize, spans: &[Span]) {
        self.spaces(indent);
        self.words(spans, indent, hang);
    }

    /// A line that is not broken; what does not fit is cut off.
    pub fn line(&mut self, indent: usize, spans: &[Span]) {
        self.spaces(indent);
        let mut room = self.room(indent);
        for span in spans {
            let fits = span.text.char_indices().nth(room).map_or(span.text.len(), |(at, _)| at);
            self.fragment(&Fragment { span, text: &span.text[..fits] });
            room -= span.text[..fits].chars().count();
        }
        self.end_line();
    }

    /// A line that is neither broken nor cut, whatever the width: for editors and for grep.
    pub fn unbroken(&mut self, spans: &[Span]) {
        for span in spans {
            self.fragment(&Fragment { span, text: &span.text });
        }
        self.end_line();
    }

    fn words(&mut self, spans: &[Span], start: usize, hang: usize) {
        let width = self.style.width.max(NARROWEST);
        let mut column = start;
        let mut at_start = true;
        for word in words_of(spans) {
            let length: usize = word.iter().map(|fragment| fragment.text.chars().count()).sum();
            if !at_start && column + 1 + length > width {
                self.end_line();
                self.spaces(hang);
                column = hang;
                at_start = true;
            }
            if !at_start {
                self.out.push(' ');
                column += 1;
            }
            for fragment in &word {
                self.fragment(fragment);
            }
            column += length;
            at_start = false;
        }
        self.end_line();
    }

    fn end_line(&mut self) {
        let end = self.out.trim_end_matches(' ').len();
        self.out.truncate(end);
        self.out.push('\n');
    }

    fn spaces(&mut self, count: usize) {
        self.out.extend(std::iter::repeat_n(' ', count));
    }

    fn fragment(&mut self, fragment: &Fragment<'_>) {
        if fragment.text.is_empty() {
            return;
        }
        let link = fragment.span.link.as_deref().filter(|_| self.style.hyperlinks);
        let ansi = if self.style.color { fragment.span.ink.ansi() } else { Ansi::new() };
        if let Some(link) = link {
            self.out += &format!("\u{1b}]8;;{link}\u{1b}\\");
        }
        self.out += &format!("{ansi}{}{ansi:#}", fragment.text);
        if link.is_some() {
            self.out += "\u{1b}]8;;\u{1b}\\";
        }
    }
}

/// The words of a text; a word may run over several spans.
fn words_of(spans: &[Span]) -> Vec<Vec<Fragment<'_>>> {
    let mut words: Vec<Vec<Fragment<'_>>> = Vec::new();
    let mut open = false;
    for span in spans {
        for (index, piece) in span.text.split(' ').enumerate() {
            if index > 0 {
                open = false;
            }
            if piece.is_empty() {
                continue;
            }
            let fragment = Fragment { span, text: piece };
            match words.last_mut().filter(|_| open) {
                Some(word) => word.push(fragment),
                None => words.push(vec![fragment]),
            }
            open = true;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(width: usize, color: bool, write: impl FnOnce(&mut Paper<'_>)) -> String {
        let style = Style { width, color, ..Style::default() };
        let mut paper = Paper::new(&style);
        write(&mut paper);
        paper.finish()
    }

    #[test]
    fn lines_break_between_words_and_hang() {
        let text = "one two three four five six seven eight nine ten";
        let expected = "  fix     one two three four five six\n          seven eight nine ten\n";
        let label = || Span::plain("fix");
        assert_eq!(written(40, false, |paper| paper.label(label(), &[Span::plain(text)])), expected);
    }

    #[test]
    fn words_over_several_spans_stay_together() {
        let spans = [Span::plain("at "), Span::new(Ink::Place, "A.java:1"), Span::plain(", then")];
        assert_eq!(written(40, false, |paper| paper.flow(0, 0, &spans)), "at A.java:1, then\n");
        assert_eq!(
            written(40, true, |paper| paper.flow(0, 0, &spans)),
            "at \u{1b}[36mA.java:1\u{1b}[0m, then\n"
        );
    }

    #[test]
    fn lines_that_are_not_broken_are_cut() {
        let long = "x".repeat(100);
        assert_eq!(written(40, false, |paper| paper.line(4, &[Span::plain(&long)])).trim_end().len(), 40);
    }
}
