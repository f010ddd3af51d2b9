//! Parsing: a recursive descent over the tokens. It checks the syntax and that values are defined once and blocks are
//! in order; everything else is the verifier's business.

use std::fmt;

use selvedge_base::{IdRange, Symbol};

use super::lex::{Position, Token, tokens};
use super::words::{self, Words, thing};
use super::{Method, MethodHeader};
use crate::body::{
    Block, BlockData, Body, Edge, EdgeKind, InstData, Unwind, Value, ValueData, ValueDef, ValueList,
};
use crate::dynamic::{
    Bootstrap, CallSite, CallSiteId, CallSiteKind, Constant, ConstantId, HandleKind, Lambda, MethodHandle,
};
use crate::op::{FieldRef, InvokeKind, MethodRef, Op, Switch};
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

/// How deep constants may be nested in each other.
const MAX_DEPTH: u32 = 32;

struct Parser<'p, 't> {
    tokens: &'p [(Token<'t>, Position)],
    next: usize,
}

/// A method's body in the making.
struct Code {
    body: Body,
    /// Every value where it is defined: number, data and place.
    values: Vec<(u32, ValueData, Position)>,
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

    // Methods

    fn method(&mut self) -> Parsed<Method> {
        self.keyword("method")?;
        let mut access = 0;
        while *self.peek_second() != Token::Mark('.') {
            if let Some(bits) = self.bits() {
                let Ok(bits) = u16::try_from(bits) else {
                    return self.position().error("access flags have 16 bits");
                };
                access |= bits;
            } else {
                access |= self.one_of(words::FLAGS, "an access flag or a method")?;
            }
        }
        let MethodRef { owner, name, descriptor, .. } = self.method_ref(false)?;
        let header = MethodHeader { owner, name, descriptor, access };
        self.mark('{')?;
        self.line_end()?;
        let mut code = Code { body: Body::default(), values: Vec::new() };
        loop {
            match self.peek() {
                Token::Newline => self.advance(),
                Token::Mark('}') => break,
                _ => self.statement(&mut code)?,
            }
        }
        let end = self.position();
        self.advance();
        Ok(Method { header, body: code.finish(end)? })
    }

    fn statement(&mut self, code: &mut Code) -> Parsed<()> {
        match *self.peek() {
            Token::Word("parameters") => self.parameters(code)?,
            Token::Word("lines") => {
                self.advance();
                loop {
                    self.mark('@')?;
                    let entry = (self.number("a bytecode index")?, self.number("a line")?);
                    code.body.lines.push(entry);
                    if !self.eat(&Token::Mark(',')) {
                        break;
                    }
                }
            }
            Token::Word("callsite") => return self.call_site(code),
            Token::Word("constant") => {
                self.advance();
                let position = self.position();
                let id = ConstantId::new(self.id("k", "a constant's id")?);
                if id != code.body.constants.next_id() {
                    return position.error(format!("the next constant is {}", code.body.constants.next_id()));
                }
                self.mark('=')?;
                let constant = self.constant(0)?;
                code.body.constants.push(constant);
            }
            Token::Word("unwind") => self.unwind(code)?,
            _ if self.at_id("b") && *self.peek_second() == Token::Mark(':') => self.block_head(code)?,
            _ => self.inst(code)?,
        }
        self.line_end()
    }

    fn parameters(&mut self, code: &mut Code) -> Parsed<()> {
        self.advance();
        loop {
            let position = self.position();
            let value = self.value_id()?;
            self.mark(':')?;
            let def = ValueDef::Parameter(code.body.parameters.len() as u32);
            code.values.push((value.number(), ValueData { ty: self.ty()?, def }, position));
            code.body.parameters.push(value);
            if !self.eat(&Token::Mark(',')) {
                return Ok(());
            }
        }
    }

    fn block_head(&mut self, code: &mut Code) -> Parsed<()> {
        let position = self.position();
        let (block, next) = (self.block_id()?, code.body.blocks.next_id());
        if block != next {
            return position.error(format!("blocks come in order, the next one is {next}"));
        }
        self.mark(':')?;
        let mut predecessors = Vec::new();
        if self.eat(&Token::From) {
            loop {
                let kind = if self.eat_word("unwind") { EdgeKind::Unwind } else { EdgeKind::Normal };
                predecessors.push(Edge { from: self.block_id()?, kind });
                if !self.eat(&Token::Mark(',')) {
                    break;
                }
            }
        }
        let start = code.body.insts.next_id();
        let insts = IdRange::new(start, start);
        code.body.blocks.push(BlockData { insts, unwind: Vec::new(), predecessors });
        Ok(())
    }

    fn unwind(&mut self, code: &mut Code) -> Parsed<()> {
        let Some(block) = code.body.blocks.iter_mut().last() else {
            return self.position().error("an unwind list belongs to a block, and there is none yet");
        };
        self.advance();
        loop {
            let catches = if self.eat_word("any") { None } else { Some(self.class()?) };
            self.arrow()?;
            block.unwind.push(Unwind { catches, handler: self.block_id()? });
            if !self.eat(&Token::Mark(',')) {
                return Ok(());
            }
        }
    }

    // Instructions

    fn inst(&mut self, code: &mut Code) -> Parsed<()> {
        let start = self.position();
        let inst = code.body.insts.next_id();
        let mut result = None;
        if self.at_id("v") {
            let value = self.value_id()?;
            self.mark(':')?;
            let data = ValueData { ty: self.ty()?, def: ValueDef::Inst(inst) };
            self.mark('=')?;
            code.values.push((value.number(), data, start));
            result = Some(value);
        }
        let Some(block) = code.body.blocks.ids().last() else {
            return start.error("an instruction belongs to a block, and there is none yet");
        };
        let (op, args) = self.op(&mut code.body, block)?;
        let bci = if self.eat(&Token::Mark('@')) { self.number("a bytecode index")? } else { 0 };
        code.body.insts.push(InstData { op, args, result, bci });
        let (first, end) = (code.body.blocks[block].insts.first().unwrap_or(inst), code.body.insts.next_id());
        code.body.blocks[block].insts = IdRange::new(first, end);
        Ok(())
    }

    fn args(&mut self, body: &mut Body) -> Parsed<ValueList> {
        let mut values = Vec::new();
        if self.at_id("v") {
            values.push(self.value_id()?);
            while self.eat(&Token::Mark(',')) {
                values.push(self.value_id()?);
            }
        }
        Ok(body.push_list(&values))
    }

    fn op(&mut self, body: &mut Body, block: Block) -> Parsed<(Op, ValueList)> {
        let position = self.position();
        let word = self.word("an instruction")?;
        let op = match word {
            "phi" => return Ok((Op::Phi, self.phi_args(body, block)?)),
            "if" => {
                let condition = self.one_of(words::CONDITIONS, "a condition")?;
                let args = self.args(body)?;
                self.keyword("then")?;
                let then = self.block_id()?;
                self.keyword("else")?;
                return Ok((Op::If { condition, then, otherwise: self.block_id()? }, args));
            }
            "switch" => {
                let args = self.args(body)?;
                let switch = self.switch()?;
                return Ok((Op::Switch(body.switches.push(switch)), args));
            }
            "catch" => Op::Catch,
            "int" => Op::Int(self.number("an int")?),
            "long" => Op::Long(self.number("a long")?),
            "float" => Op::Float(self.float()?),
            "double" => Op::Double(self.double()?),
            "null" => Op::Null,
            "string" => Op::String(self.text()?),
            "class" => Op::Class(self.class()?),
            "constant" => Op::Constant(ConstantId::new(self.id("k", "a constant's id")?)),
            "neg" => Op::Neg,
            "new" => Op::New(self.class()?),
            "newarray" => Op::NewPrimitiveArray(self.one_of(words::PRIMITIVES, "a primitive type")?),
            "anewarray" => Op::NewArray(self.class()?),
            "multianewarray" => Op::NewMultiArray(self.class()?),
            "arraylength" => Op::ArrayLength,
            "arrayload" => Op::ArrayLoad(self.one_of(words::ARRAYS, "a kind of element")?),
            "arraystore" => Op::ArrayStore(self.one_of(words::ARRAYS, "a kind of element")?),
            "getfield" => Op::GetField(self.field()?),
            "putfield" => Op::PutField(self.field()?),
            "getstatic" => Op::GetStatic(self.field()?),
            "putstatic" => Op::PutStatic(self.field()?),
            "invoke" => {
                let kind = self.one_of(words::INVOKES, "a kind of call")?;
                Op::Invoke(kind, self.method_ref(kind == InvokeKind::Interface)?)
            }
            "invokedynamic" => Op::InvokeDynamic(CallSiteId::new(self.id("cs", "a call site's id")?)),
            "checkcast" => Op::CheckCast(self.class()?),
            "instanceof" => Op::InstanceOf(self.class()?),
            "monitorenter" => Op::MonitorEnter,
            "monitorexit" => Op::MonitorExit,
            "goto" => Op::Goto(self.block_id()?),
            "return" => Op::Return,
            "throw" => Op::Throw,
            _ => {
                let binary = thing(words::BINARY, word).map(Op::Binary);
                let conversion = || thing(words::CONVERSIONS, word).map(Op::Convert);
                let comparison = || thing(words::COMPARISONS, word).map(Op::Compare);
                match binary.or_else(conversion).or_else(comparison) {
                    Some(op) => op,
                    None => return position.error(format!("there is no instruction `{word}`")),
                }
            }
        };
        Ok((op, self.args(body)?))
    }

    fn phi_args(&mut self, body: &mut Body, block: Block) -> Parsed<ValueList> {
        let mut values = Vec::new();
        while self.at_id("b") || self.at_id("v") {
            if self.at_id("b") {
                let position = self.position();
                let from = self.block_id()?;
                let expected = body.blocks[block].predecessors.get(values.len()).map(|edge| edge.from);
                if expected != Some(from) {
                    let place = values.len() + 1;
                    let problem = match expected {
                        Some(expected) => format!("predecessor {place} of {block} is {expected}, not {from}"),
                        None => format!("{block} has no predecessor {place}"),
                    };
                    return position.error(problem);
                }
            }
            values.push(self.value_id()?);
            if !self.eat(&Token::Mark(',')) {
                break;
            }
        }
        Ok(body.push_list(&values))
    }

    fn switch(&mut self) -> Parsed<Switch> {
        self.mark('{')?;
        let mut cases = Vec::new();
        loop {
            self.newlines();
            if self.eat_word("default") {
                break;
            }
            let key = self.number("a case's key")?;
            self.arrow()?;
            cases.push((key, self.block_id()?));
            self.mark(',')?;
        }
        self.arrow()?;
        let default = self.block_id()?;
        self.newlines();
        self.mark('}')?;
        Ok(Switch { cases, default })
    }

    // Constants and call sites

    fn handle(&mut self) -> Parsed<MethodHandle> {
        if let Token::Word(word) = *self.peek()
            && let Some(kind) = thing(words::FIELD_HANDLES, word)
        {
            self.advance();
            return Ok(MethodHandle::Field(kind, self.field()?));
        }
        let kind = self.one_of(words::METHOD_HANDLES, "a kind of method handle")?;
        Ok(MethodHandle::Method(kind, self.method_ref(kind == HandleKind::InvokeInterface)?))
    }

    fn constant(&mut self, depth: u32) -> Parsed<Constant> {
        let position = self.position();
        if depth > MAX_DEPTH {
            return position.error("constants are nested too deeply");
        }
        Ok(match self.word("a constant")? {
            "int" => Constant::Int(self.number("an int")?),
            "long" => Constant::Long(self.number("a long")?),
            "float" => Constant::Float(self.float()?),
            "double" => Constant::Double(self.double()?),
            "string" => Constant::String(self.text()?),
            "class" => Constant::Class(self.class()?),
            "method_type" => Constant::MethodType(self.descriptor()?),
            "handle" => Constant::MethodHandle(self.handle()?),
            "dynamic" => {
                let name = self.name("a name")?;
                self.mark(':')?;
                let descriptor = self.name("a field's descriptor")?;
                let method = self.handle()?;
                self.mark('{')?;
                let mut arguments = Vec::new();
                if *self.peek() != Token::Mark('}') {
                    arguments.push(self.constant(depth + 1)?);
                    while self.eat(&Token::Mark(',')) {
                        arguments.push(self.constant(depth + 1)?);
                    }
                }
                self.mark('}')?;
                Constant::Dynamic { name, descriptor, bootstrap: Box::new(Bootstrap { method, arguments }) }
            }
            word => return position.error(format!("there is no constant `{word}`")),
        })
    }

    /// `keyword item` lines, as many as there are.
    fn items<T>(&mut self, keyword: &str, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        self.newlines();
        while self.eat_word(keyword) {
            items.push(item(self)?);
            self.line_end()?;
            self.newlines();
        }
        Ok(items)
    }

    /// A `keyword item` line.
    fn item<T>(&mut self, keyword: &str, item: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.newlines();
        self.keyword(keyword)?;
        let parsed = item(self)?;
        self.line_end()?;
        Ok(parsed)
    }

    fn call_site(&mut self, code: &mut Code) -> Parsed<()> {
        self.advance();
        let position = self.position();
        let (id, next) =
            (CallSiteId::new(self.id("cs", "a call site's id")?), code.body.call_sites.next_id());
        if id != next {
            return position.error(format!("the next call site is {next}"));
        }
        self.mark('=')?;
        let name = self.name("a name")?;
        let descriptor = self.descriptor()?;
        self.mark('{')?;
        self.line_end()?;
        let method = self.item("bootstrap", Self::handle)?;
        let arguments = self.items("argument", |parser| parser.constant(0))?;
        let position = self.position();
        let kind = match self.word("what the call site does")? {
            "lambda" => CallSiteKind::Lambda(self.lambda()?),
            "concat" => {
                let recipe = self.text()?;
                self.line_end()?;
                let constants = self.items("with", |parser| parser.constant(0))?;
                CallSiteKind::Concat { recipe, constants }
            }
            "record" => {
                let class = self.class()?;
                self.line_end()?;
                CallSiteKind::RecordMethod { class, getters: self.items("getter", Self::handle)? }
            }
            word @ ("type_switch" | "enum_switch") => {
                self.line_end()?;
                let labels = self.items("label", |parser| parser.constant(0))?;
                CallSiteKind::PatternSwitch { labels, of_enum: word == "enum_switch" }
            }
            "other" => {
                self.line_end()?;
                CallSiteKind::Other
            }
            word => return position.error(format!("there is no call site that does `{word}`")),
        };
        self.newlines();
        self.mark('}')?;
        let bootstrap = Bootstrap { method, arguments };
        code.body.call_sites.push(CallSite { name, descriptor, bootstrap, kind });
        self.line_end()
    }

    fn lambda(&mut self) -> Parsed<Lambda> {
        let MethodRef { owner: interface, name: method, descriptor: erased, .. } = self.method_ref(true)?;
        self.line_end()?;
        let instantiated = self.item("instantiated", Self::descriptor)?;
        let implementation = self.item("implementation", Self::handle)?;
        let markers = self.items("marker", Self::class)?;
        let bridges = self.items("bridge", Self::descriptor)?;
        Ok(Lambda { interface, markers, method, erased, bridges, instantiated, implementation })
    }
}

fn id_number(digits: &str) -> Option<u32> {
    digits.parse().ok().filter(|number: &u32| number.to_string() == digits)
}

impl Code {
    /// Puts the values in order of their numbers.
    fn finish(mut self, end: Position) -> Parsed<Body> {
        self.values.sort_by_key(|&(number, ..)| number);
        for (number, data, position) in self.values {
            let next = self.body.values.next_id();
            if number < next.number() {
                return position.error(format!("{} is defined before", Value::new(number)));
            }
            if number > next.number() {
                return end.error(format!("{next} is not defined, but {} is", Value::new(number)));
            }
            self.body.values.push(data);
        }
        Ok(self.body)
    }
}
