//! An assembler for tests: makes class files with code that no compiler of today writes.
//!
//! One instruction on each line, named as in the JVM specification, with `label:` in front where wanted:
//!
//! ```text
//!   loop: iinc 0 -1
//!         iload 0
//!         ifgt loop
//!         invokestatic T.use(I)V
//!         tableswitch 3 default first second
//!         lookupswitch default 10=first 20=second
//!         .catch java/lang/Exception from to handler
//! ```
//!
//! Slots beyond 255 and large increments are written with `wide`.

use std::collections::HashMap;

use selvedge_classfile::opcode::{self, *};

/// A static method `T.m` of this descriptor with this code, in a class file of version 49.
pub fn assemble(descriptor: &str, max_locals: u16, source: &str) -> Vec<u8> {
    let mut assembler = Assembler::default();
    // The first pass finds where labels are, the second knows them.
    for _ in 0..2 {
        assembler.code.clear();
        assembler.handlers.clear();
        for line in source.lines() {
            assembler.line(line);
        }
    }
    assembler.class_file(descriptor, max_locals)
}

#[derive(Default)]
struct Assembler {
    code: Vec<u8>,
    handlers: Vec<[u16; 4]>,
    labels: HashMap<String, usize>,
    /// Indexes of the constants, and all of them in order.
    constants: HashMap<Vec<u8>, u16>,
    pool: Vec<u8>,
}

impl Assembler {
    fn constant(&mut self, entry: Vec<u8>) -> u16 {
        let next = self.constants.len() as u16 + 1;
        *self.constants.entry(entry).or_insert_with_key(|entry| {
            self.pool.extend(entry);
            next
        })
    }

    fn utf8(&mut self, text: &str) -> u16 {
        let mut entry = vec![1];
        entry.extend((text.len() as u16).to_be_bytes());
        entry.extend(text.as_bytes());
        self.constant(entry)
    }

    fn pair(&mut self, tag: u8, first: u16, second: u16) -> u16 {
        let entry = [&[tag][..], &first.to_be_bytes(), &second.to_be_bytes()].concat();
        self.constant(entry)
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.constant([&[7][..], &name.to_be_bytes()].concat())
    }

    /// `p/Owner.name:I` or `p/Owner.name(I)V`.
    fn member(&mut self, text: &str) -> u16 {
        let (owner, member) = text.split_once('.').unwrap();
        let (tag, name, descriptor) = match member.split_once(':') {
            Some((name, descriptor)) => (9, name, descriptor),
            None => {
                let (name, _) = member.split_once('(').unwrap();
                (10, name, &member[name.len()..])
            }
        };
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let (owner, signature) = (self.class(owner), self.pair(12, name, descriptor));
        self.pair(tag, owner, signature)
    }

    fn label(&self, name: &str) -> usize {
        self.labels.get(name).copied().unwrap_or(0)
    }

    fn u16(&mut self, number: u16) {
        self.code.extend(number.to_be_bytes());
    }

    fn i32(&mut self, number: i32) {
        self.code.extend(number.to_be_bytes());
    }

    fn line(&mut self, line: &str) {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if let Some(label) = words.first().and_then(|word| word.strip_suffix(':')) {
            self.labels.insert(label.to_owned(), self.code.len());
            words.remove(0);
        }
        let Some((&name, operands)) = words.split_first() else { return };
        if name == ".catch" {
            let caught = if operands[0] == "any" { 0 } else { self.class(operands[0]) };
            let [from, to, handler] = [1, 2, 3].map(|operand| self.label(operands[operand]) as u16);
            self.handlers.push([from, to, handler, caught]);
            return;
        }
        let opcode = (0..=u8::MAX).find(|&opcode| opcode::mnemonic(opcode) == Some(name));
        self.instruction(opcode.unwrap_or_else(|| panic!("no instruction is called {name}")), operands);
    }

    fn instruction(&mut self, opcode: u8, operands: &[&str]) {
        let bci = self.code.len();
        let number = |operand: usize| operands[operand].parse::<i32>().unwrap();
        let wide = match opcode {
            ILOAD..=ALOAD | ISTORE..=ASTORE | RET => number(0) > 255,
            IINC => number(0) > 255 || i8::try_from(number(1)).is_err(),
            _ => false,
        };
        if wide {
            self.code.push(WIDE);
        }
        self.code.push(opcode);
        match opcode {
            ILOAD..=ALOAD | ISTORE..=ASTORE | RET | IINC => {
                for &operand in operands {
                    let number: i32 = operand.parse().unwrap();
                    if wide { self.u16(number as u16) } else { self.code.push(number as u8) }
                }
            }
            BIPUSH | NEWARRAY => self.code.push(number(0) as u8),
            SIPUSH => self.u16(number(0) as u16),
            IFEQ..=JSR | IFNULL | IFNONNULL => {
                let target = self.label(operands[0]);
                self.u16((target as i32 - bci as i32) as u16);
            }
            GOTO_W | JSR_W => {
                let target = self.label(operands[0]);
                self.i32(target as i32 - bci as i32);
            }
            GETSTATIC..=INVOKESTATIC => {
                let member = self.member(operands[0]);
                self.u16(member);
            }
            NEW | ANEWARRAY | CHECKCAST | INSTANCEOF => {
                let class = self.class(operands[0]);
                self.u16(class);
            }
            MULTIANEWARRAY => {
                let class = self.class(operands[0]);
                self.u16(class);
                self.code.push(number(1) as u8);
            }
            TABLESWITCH => {
                self.pad();
                let low = number(0);
                self.i32(self.label(operands[1]) as i32 - bci as i32);
                self.i32(low);
                self.i32(low + operands.len() as i32 - 3);
                for operand in &operands[2..] {
                    self.i32(self.label(operand) as i32 - bci as i32);
                }
            }
            LOOKUPSWITCH => {
                self.pad();
                self.i32(self.label(operands[0]) as i32 - bci as i32);
                self.i32(operands.len() as i32 - 1);
                for operand in &operands[1..] {
                    let (key, target) = operand.split_once('=').unwrap();
                    self.i32(key.parse().unwrap());
                    self.i32(self.label(target) as i32 - bci as i32);
                }
            }
            _ => assert!(operands.is_empty(), "operands {operands:?} are one too many"),
        }
    }

    fn pad(&mut self) {
        while !self.code.len().is_multiple_of(4) {
            self.code.push(0);
        }
    }

    fn class_file(mut self, descriptor: &str, max_locals: u16) -> Vec<u8> {
        let (this, object) = (self.class("T"), self.class("java/lang/Object"));
        let [name, descriptor, code] = ["m", descriptor, "Code"].map(|text| self.utf8(text));
        let mut out = 0xcafe_babe_u32.to_be_bytes().to_vec();
        let u16s = |out: &mut Vec<u8>, numbers: &[u16]| {
            out.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        };
        u16s(&mut out, &[0, 49, self.constants.len() as u16 + 1]);
        out.extend(&self.pool);
        u16s(&mut out, &[0x21, this, object, 0, 0, 1, 9, name, descriptor, 1, code]);
        let attribute_len = 12 + self.code.len() + 8 * self.handlers.len();
        out.extend((attribute_len as u32).to_be_bytes());
        u16s(&mut out, &[64, max_locals]);
        out.extend((self.code.len() as u32).to_be_bytes());
        out.extend(&self.code);
        u16s(&mut out, &[self.handlers.len() as u16]);
        for handler in &self.handlers {
            u16s(&mut out, handler);
        }
        u16s(&mut out, &[0, 0]);
        out
    }
}
