//! Methods, blocks and instructions.

use selvedge_base::IdRange;

use super::super::lex::{Position, Token};
use super::super::words::{self, thing};
use super::super::{Method, MethodHeader};
use super::{Parsed, Parser};
use crate::body::{
    Block, BlockData, Body, Edge, EdgeKind, InstData, Unwind, Value, ValueData, ValueDef, ValueList,
};
use crate::dynamic::{CallSiteId, ConstantId};
use crate::op::{InvokeKind, MethodRef, Op, Switch};

/// A method's body in the making.
struct Code {
    body: Body,
    /// Every value where it is defined: number, data and place.
    values: Vec<(u32, ValueData, Position)>,
}

impl Parser<'_, '_> {
    pub(super) fn method(&mut self) -> Parsed<Method> {
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
            Token::Word("callsite") => self.call_site(&mut code.body)?,
            Token::Word("constant") => self.table_constant(&mut code.body)?,
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
