//! From bytecode to SSA.
//!
//! | step                     | what it does                                                          |
//! |--------------------------|-----------------------------------------------------------------------|
//! | `bytecode`               | decodes the instructions and cuts them into segments                  |
//! | `graph`                  | the reachable control flow over segments, in reverse postorder        |
//! | `subroutines`            | the same for code with `jsr`: one copy of a subroutine for each call  |
//! | `liveness`               | which local variables may still be read                               |
//! | `ssa`                    | makes blocks, and phis where values meet, by symbolic execution       |
//! | `translate`, `operands`  | what each instruction becomes; stack and variables                    |
//! | `pool`, `dynamic`        | the names and constants that instructions mention                     |
//! | `phis`                   | removes phis that merge nothing and renumbers                         |
//! | [`Typing`]               | infers the types of what is merged or loaded from arrays              |
//!
//! Lowering checks what it needs to be sure of what it makes: that operands are there and of the right kind, that no
//! undefined variable is read, that control stays inside the code. It does not check what only the JVM's verifier cares
//! for: assignability of references, initialisation of objects, access.
//!
//! Whatever the input, lowering ends with a body or an error, in bounded time and memory.

mod bytecode;
mod dynamic;
mod graph;
mod liveness;
mod operands;
mod phis;
mod pool;
mod ssa;
mod subroutines;
mod translate;

use std::fmt;

use selvedge_classfile::descriptor::MethodDescriptor;
use selvedge_classfile::{ClassFile, Code, Member, access};

use crate::body::Body;
use crate::op::Op;
use crate::types::{ArrayKind, Type, TypeOracle};
use crate::typing::Typing;

/// Why a method could not be lowered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LowerError {
    /// Where in the bytecode, as far as it can be said.
    pub bci: Option<u32>,
    /// What is wrong, as a sentence without its full stop.
    pub reason: String,
}

impl LowerError {
    fn at(bci: u32, reason: impl Into<String>) -> Self {
        LowerError { bci: Some(bci), reason: reason.into() }
    }
}

impl From<selvedge_classfile::Error> for LowerError {
    fn from(error: selvedge_classfile::Error) -> Self {
        LowerError { bci: None, reason: error.to_string() }
    }
}

impl fmt::Display for LowerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bci {
            Some(bci) => write!(f, "{} (at bytecode index {bci})", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for LowerError {}

/// Lowers one method; `None` if it is abstract or native.
///
/// To lower several methods of a class, a [`Lowerer`] is faster.
pub fn lower(
    class: &ClassFile<'_>,
    method: &Member<'_>,
    types: &dyn TypeOracle,
) -> Result<Option<Body>, LowerError> {
    Lowerer::new(class, types).lower(method)
}

/// Lowers the methods of a class, sharing names and buffers between them.
pub struct Lowerer<'c, 'a> {
    symbols: pool::Symbols<'c, 'a>,
    typing: Typing<'c>,
    code: bytecode::Bytecode<'a>,
    graph: graph::Graph,
    liveness: liveness::Liveness,
    frames: ssa::Buffers,
    phis: phis::Buffers,
}

impl<'c, 'a> Lowerer<'c, 'a> {
    /// A lowerer for the methods of `class`.
    pub fn new(class: &'c ClassFile<'a>, types: &'c dyn TypeOracle) -> Self {
        Lowerer {
            symbols: pool::Symbols::new(class),
            typing: Typing::new(types),
            code: Default::default(),
            graph: Default::default(),
            liveness: Default::default(),
            frames: Default::default(),
            phis: Default::default(),
        }
    }

    /// Lowers one of the class's methods; `None` if it is abstract or native.
    pub fn lower(&mut self, method: &Member<'a>) -> Result<Option<Body>, LowerError> {
        match method.code(&self.symbols.class_file().pool)? {
            Some(code) => self.lower_code(method, &code).map(Some),
            None if method.access & (access::ABSTRACT | access::NATIVE) != 0 => Ok(None),
            None => Err(LowerError {
                bci: None,
                reason: "the method has no code, but is not abstract or native".into(),
            }),
        }
    }

    fn lower_code(&mut self, method: &Member<'a>, code: &Code<'a>) -> Result<Body, LowerError> {
        let descriptor = MethodDescriptor::parse(method.descriptor)?;
        let signature = ssa::Signature { access: method.access, descriptor };
        if signature.slots() > usize::from(code.max_locals) {
            return Err(LowerError::at(0, "the parameters do not fit into the local variables"));
        }
        self.code.read(code, &mut self.symbols)?;
        self.graph.build(&self.code, &mut self.symbols)?;
        let slots = self.code.local_slots.max(signature.slots());
        ssa::check_size(&self.graph, slots)?;
        self.liveness.compute(&self.code, &self.graph, slots);
        let mut builder = ssa::Builder::new(
            &self.code,
            &self.graph,
            &self.liveness,
            &mut self.symbols,
            &mut self.typing,
            &mut self.frames,
        );
        builder.build(&signature, slots)?;
        let (mut body, merges_references) = (builder.body, builder.merges_references);
        phis::remove_redundant(&mut body, &mut self.phis);
        if merges_references {
            self.typing.infer(&mut body);
        }
        check_arrays(&body)?;
        body.lines = lines(code)?;
        body.insts.shrink_to_fit();
        body.values.shrink_to_fit();
        body.lists.shrink_to_fit();
        Ok(body)
    }
}

/// Array instructions work on arrays of the right elements. (This needs the types of merged values, so it comes last.)
fn check_arrays(body: &Body) -> Result<(), LowerError> {
    for (inst, data) in body.insts.iter_ids() {
        let (Op::ArrayLoad(_) | Op::ArrayStore(_) | Op::ArrayLength) = data.op else { continue };
        let Type::Ref(class) = body.ty(body.args(inst)[0]) else { continue };
        let element = class.element_descriptor().and_then(|descriptor| descriptor.first());
        let fits = match data.op {
            Op::ArrayLoad(kind) | Op::ArrayStore(kind) => match kind {
                ArrayKind::Int => matches!(element, Some(b'I')),
                ArrayKind::Long => matches!(element, Some(b'J')),
                ArrayKind::Float => matches!(element, Some(b'F')),
                ArrayKind::Double => matches!(element, Some(b'D')),
                ArrayKind::Ref => matches!(element, Some(b'L' | b'[')),
                ArrayKind::ByteOrBoolean => matches!(element, Some(b'B' | b'Z')),
                ArrayKind::Char => matches!(element, Some(b'C')),
                ArrayKind::Short => matches!(element, Some(b'S')),
            },
            _ => element.is_some(),
        };
        if !fits {
            let reason = format!("the instruction does not work on a value of type {class}");
            return Err(LowerError::at(data.bci, reason));
        }
    }
    Ok(())
}

/// Source lines by strictly ascending bytecode index: of several lines for one index, the last of the file counts.
fn lines(code: &Code<'_>) -> Result<Vec<(u32, u32)>, LowerError> {
    let mut lines: Vec<_> =
        code.line_table()?.into_iter().map(|(bci, line)| (bci, u32::from(line))).collect();
    if !lines.is_sorted_by(|(earlier, _), (later, _)| earlier < later) {
        lines.sort_by_key(|&(bci, _)| bci);
        lines.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 = later.1;
            }
            same
        });
    }
    Ok(lines)
}
