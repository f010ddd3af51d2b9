//! Tokens of the text form.

use super::name::{continues_word, push_char, starts_word};
use super::parse::ParseError;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token<'t> {
    /// A keyword, an id or a bare name.
    Word(&'t str),
    /// Starts with a digit, or with a minus.
    Number(&'t str),
    /// Starts with a parenthesis.
    Descriptor(&'t str),
    /// What stood in quotes.
    Quoted(Vec<u8>),
    /// One of `. , : = { } @`.
    Mark(char),
    /// `->`
    To,
    /// `<-`
    From,
    /// The end of a line.
    Newline,
    /// The end of the text.
    End,
}

impl Token<'_> {
    /// How an error message mentions it.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Word(text) | Token::Number(text) | Token::Descriptor(text) => format!("`{text}`"),
            Token::Quoted(_) => "a quoted text".into(),
            Token::Mark(mark) => format!("`{mark}`"),
            Token::To => "`->`".into(),
            Token::From => "`<-`".into(),
            Token::Newline => "the end of the line".into(),
            Token::End => "the end of the text".into(),
        }
    }
}

/// A place in a text, both counted from 1; the column counts characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Position {
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Position {
    pub(super) fn error<T>(self, problem: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError { line: self.line, column: self.column, problem: problem.into() })
    }
}

/// The tokens of a text with where they start. The last one is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Token<'_>, Position)>, ParseError> {
    let mut lexer = Lexer { rest: text, position: Position { line: 1, column: 1 } };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let position = lexer.position;
        let token = lexer.token()?;
        let is_last = token == Token::End;
        tokens.push((token, position));
        if is_last {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    rest: &'t str,
    position: Position,
}

impl<'t> Lexer<'t> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn advance(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        if c == '\n' {
            self.position = Position { line: self.position.line + 1, column: 1 };
        } else {
            self.position.column += 1;
        }
        Some(c)
    }

    fn take_while(&mut self, accepts: impl Fn(char) -> bool) -> &'t str {
        let start = self.rest;
        while self.peek().is_some_and(&accepts) {
            self.advance();
        }
        &start[..start.len() - self.rest.len()]
    }

    fn skip_blanks(&mut self) {
        self.take_while(|c| c != '\n' && c.is_whitespace());
        if self.peek() == Some(';') {
            self.take_while(|c| c != '\n');
        }
    }

    fn token(&mut self) -> Result<Token<'t>, ParseError> {
        let Some(c) = self.peek() else { return Ok(Token::End) };
        for (text, token) in [("->", Token::To), ("<-", Token::From)] {
            if self.rest.starts_with(text) {
                self.advance();
                self.advance();
                return Ok(token);
            }
        }
        for name in ["<init>", "<clinit>"] {
            if self.rest.starts_with(name) {
                let start = self.rest;
                name.chars().for_each(|_| {
                    self.advance();
                });
                return Ok(Token::Word(&start[..name.len()]));
            }
        }
        Ok(match c {
            '\n' => {
                self.advance();
                Token::Newline
            }
            '.' | ',' | ':' | '=' | '{' | '}' | '@' => {
                self.advance();
                Token::Mark(c)
            }
            '"' => self.quoted()?,
            '(' => Token::Descriptor(self.take_while(|c| continues_word(c) || matches!(c, '(' | ')'))),
            '-' | '0'..='9' => {
                Token::Number(self.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+')))
            }
            _ if starts_word(c) => Token::Word(self.take_while(continues_word)),
            _ => return self.position.error(format!("nothing starts with {c:?} here")),
        })
    }

    fn quoted(&mut self) -> Result<Token<'t>, ParseError> {
        let start = self.position;
        self.advance();
        let mut bytes = Vec::new();
        loop {
            let position = self.position;
            match self.advance() {
                Some('"') => return Ok(Token::Quoted(bytes)),
                Some('\\') => match self.advance() {
                    Some('n') => bytes.push(b'\n'),
                    Some('r') => bytes.push(b'\r'),
                    Some('t') => bytes.push(b'\t'),
                    Some('0') => bytes.extend_from_slice(b"\xc0\x80"),
                    Some(c @ ('"' | '\\')) => bytes.push(c as u8),
                    Some('x') => {
                        let digits = [self.advance(), self.advance()].map(|c| c.and_then(|c| c.to_digit(16)));
                        let [Some(high), Some(low)] = digits else {
                            return position.error("`\\x` takes two hexadecimal digits");
                        };
                        bytes.push((high * 16 + low) as u8);
                    }
                    _ => return position.error("no such escape; there are \\n \\r \\t \\0 \\\" \\\\ \\xHH"),
                },
                Some(c) if c != '\n' => push_char(&mut bytes, c),
                _ => return start.error("the quote is not closed on its line"),
            }
        }
    }
}
