//! Constants and call sites.

use super::super::lex::Token;
use super::super::words::{self, thing};
use super::{Parsed, Parser};
use crate::body::Body;
use crate::dynamic::{
    Bootstrap, CallSite, CallSiteId, CallSiteKind, Constant, ConstantId, HandleKind, Lambda, MethodHandle,
};
use crate::op::MethodRef;

/// How deep constants may be nested in each other.
const MAX_DEPTH: u32 = 32;

impl Parser<'_, '_> {
    /// An entry of the table of constants.
    pub(super) fn table_constant(&mut self, body: &mut Body) -> Parsed<()> {
        self.advance();
        let position = self.position();
        let (id, next) = (ConstantId::new(self.id("k", "a constant's id")?), body.constants.next_id());
        if id != next {
            return position.error(format!("the next constant is {next}"));
        }
        self.mark('=')?;
        let constant = self.constant(0)?;
        body.constants.push(constant);
        Ok(())
    }

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

    /// An entry of the table of call sites.
    pub(super) fn call_site(&mut self, body: &mut Body) -> Parsed<()> {
        self.advance();
        let position = self.position();
        let (id, next) = (CallSiteId::new(self.id("cs", "a call site's id")?), body.call_sites.next_id());
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
        body.call_sites.push(CallSite { name, descriptor, bootstrap, kind });
        Ok(())
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
