//! Parsing: a recursive descent over the tokens. It checks the syntax and that values are defined once and blocks are
//! in order; everything else is the verifier's business.

mod code;
mod dynamic;

use std::fmt;

use selvedge_base::Symbol;

use super::Method;
use super::lex::{Position, Token, tokens};
use super::words::{self, Words, thing};
use crate::body::{Block, Value};
use crate::op::{FieldRef, MethodRef};
use crate::types::{ClassName, Type};

/// Why a text is not the text form of anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from 1 on.
    pub line: u32,
    /// The column in characters, from 1 on.
    pub column: u32,
    /// What is wrong: a sentence without its full stop.
    pub problem: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.problem)
    }
}

impl std::error::Error for ParseError {}

type Parsed<T> = Result<T, ParseError>;

/// Reads all methods of a text.
pub fn parse(text: &str) -> Result<Vec<Method>, ParseError> {
    let mut parser = Parser { tokens: &tokens(text)?, next: 0 };
    let mut methods = Vec::new();
    parser.newlines();
    while *parser.peek() != Token::End {
        methods.push(parser.method()?);
        parser.newlines();
    }
    Ok(methods)
}

struct Parser<'p, 't> {
    tokens: &'p [(Token<'t>, Position)],
    next: usize,
}

impl<'t> Parser<'_, 't> {
    // Tokens

    fn peek(&self) -> &Token<'t> {
        &self.tokens[self.next].0
    }

    fn peek_second(&self) -> &Token<'t> {
        &self.tokens[(self.next + 1).min(self.tokens.len() - 1)].0
    }

    fn position(&self) -> Position {
        self.tokens[self.next].1
    }

    fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    fn eat(&mut self, token: &Token<'_>) -> bool {
        let found = self.peek() == token;
        if found {
            self.advance();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        self.eat(&Token::Word(word))
    }

    fn newlines(&mut self) {
        while self.eat(&Token::Newline) {}
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        self.position().error(format!("expected {what}, found {}", self.peek().describe()))
    }

    fn mark(&mut self, mark: char) -> Parsed<()> {
        if self.eat(&Token::Mark(mark)) { Ok(()) } else { self.expected(&format!("`{mark}`")) }
    }

    fn keyword(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn arrow(&mut self) -> Parsed<()> {
        if self.eat(&Token::To) { Ok(()) } else { self.expected("`->`") }
    }

    fn line_end(&mut self) -> Parsed<()> {
        if self.eat(&Token::Newline) { Ok(()) } else { self.expected("the end of the line") }
    }

    fn word(&mut self, what: &str) -> Parsed<&'t str> {
        match *self.peek() {
            Token::Word(word) => {
                self.advance();
                Ok(word)
            }
            _ => self.expected(what),
        }
    }

    fn one_of<T: Copy>(&mut self, words: &Words<T>, what: &str) -> Parsed<T> {
        match *self.peek() {
            Token::Word(word) if thing(words, word).is_some() => {
                self.advance();
                thing(words, word).map_or_else(|| self.expected(what), Ok)
            }
            _ => self.expected(what),
        }
    }

    // Names

    fn name(&mut self, what: &str) -> Parsed<Symbol> {
        let symbol = match self.peek() {
            Token::Word(word) => Symbol::new(word),
            Token::Quoted(bytes) => Symbol::new(bytes),
            _ => return self.expected(what),
        };
        self.advance();
        Ok(symbol)
    }

    fn class(&mut self) -> Parsed<ClassName> {
        self.name("a class").map(ClassName::from_symbol)
    }

    fn descriptor(&mut self) -> Parsed<Symbol> {
        let symbol = match self.peek() {
            Token::Descriptor(text) => Symbol::new(text),
            Token::Quoted(bytes) => Symbol::new(bytes),
            _ => return self.expected("a method descriptor"),
        };
        self.advance();
        Ok(symbol)
    }

    fn text(&mut self) -> Parsed<Symbol> {
        let Token::Quoted(bytes) = self.peek() else { return self.expected("a quoted text") };
        let symbol = Symbol::new(bytes);
        self.advance();
        Ok(symbol)
    }

    fn ty(&mut self) -> Parsed<Type> {
        let primitive = match self.peek() {
            Token::Word("int") => Type::Int,
            Token::Word("long") => Type::Long,
            Token::Word("float") => Type::Float,
            Token::Word("double") => Type::Double,
            Token::Word("null") => Type::Null,
            Token::Word(_) | Token::Quoted(_) => return self.class().map(Type::Ref),
            _ => return self.expected("a type"),
        };
        self.advance();
        Ok(primitive)
    }

    fn field(&mut self) -> Parsed<FieldRef> {
        let owner = self.class()?;
        self.mark('.')?;
        let name = self.name("a field's name")?;
        self.mark(':')?;
        Ok(FieldRef { owner, name, descriptor: self.name("a field's descriptor")? })
    }

    /// A method; `interface` is what its kind of call says about the owner, unless a mark says otherwise.
    fn method_ref(&mut self, mut interface: bool) -> Parsed<MethodRef> {
        if *self.peek_second() != Token::Mark('.') {
            interface |= self.eat_word(words::OF_INTERFACE);
            interface &= !self.eat_word(words::OF_CLASS);
        }
        let owner = self.class()?;
        self.mark('.')?;
        let name = self.name("a method's name")?;
        Ok(MethodRef { owner, name, descriptor: self.descriptor()?, interface })
    }

    // Numbers and ids

    fn number<T: std::str::FromStr>(&mut self, what: &str) -> Parsed<T> {
        match self.peek() {
            Token::Number(text) => match text.parse() {
                Ok(number) => {
                    self.advance();
                    Ok(number)
                }
                Err(_) => self.position().error(format!("`{text}` is not {what}")),
            },
            _ => self.expected(what),
        }
    }

    /// The bits of a floating-point number in hexadecimal, if that is what comes next.
    fn bits(&mut self) -> Option<u64> {
        let Token::Number(text) = self.peek() else { return None };
        let bits = u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()?;
        self.advance();
        Some(bits)
    }

    fn float(&mut self) -> Parsed<f32> {
        let position = self.position();
        if self.eat_word("inf") {
            return Ok(f32::INFINITY);
        }
        match self.bits().map(u32::try_from) {
            Some(Ok(bits)) => Ok(f32::from_bits(bits)),
            Some(Err(_)) => position.error("a float has 32 bits"),
            None => self.number("a float"),
        }
    }

    fn double(&mut self) -> Parsed<f64> {
        if self.eat_word("inf") {
            return Ok(f64::INFINITY);
        }
        match self.bits() {
            Some(bits) => Ok(f64::from_bits(bits)),
            None => self.number("a double"),
        }
    }

    /// The number of an id with this prefix.
    fn id(&mut self, prefix: &str, what: &str) -> Parsed<u32> {
        match self.peek() {
            Token::Word(word) => match word.strip_prefix(prefix).and_then(id_number) {
                Some(number) => {
                    self.advance();
                    Ok(number)
                }
                None => self.expected(what),
            },
            _ => self.expected(what),
        }
    }

    fn block_id(&mut self) -> Parsed<Block> {
        self.id("b", "a block").map(Block::new)
    }

    fn value_id(&mut self) -> Parsed<Value> {
        self.id("v", "a value").map(Value::new)
    }

    fn at_id(&self, prefix: &str) -> bool {
        matches!(self.peek(), Token::Word(word) if word.strip_prefix(prefix).and_then(id_number).is_some())
    }
}

fn id_number(digits: &str) -> Option<u32> {
    digits.parse().ok().filter(|number: &u32| number.to_string() == digits)
}
