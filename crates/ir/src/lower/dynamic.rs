//! `invokedynamic` sites and dynamic constants: decoding them, and recognising the platform's own bootstrap methods.
//!
//! A site whose static arguments do not fit its bootstrap method's documentation is no error here, as linking would
//! fail only when it is reached; it becomes [`CallSiteKind::Other`].

use selvedge_base::Symbol;
use selvedge_classfile as jvm;
use selvedge_classfile::Error;
use selvedge_classfile::descriptor::{FieldType, MethodDescriptor};

use super::pool::Symbols;
use crate::dynamic::{Bootstrap, CallSite, CallSiteKind, Constant, HandleKind, Lambda, MethodHandle};
use crate::types::{ClassName, Type};

/// Dynamic constants may be arguments of dynamic constants, but not deeper than this.
const DEEPEST_NESTING: usize = 16;

/// How many constants one site may have in all, nested ones counted as often as they occur.
const MOST_CONSTANTS: usize = 10_000;

// Flags of `LambdaMetafactory.altMetafactory`.
const SERIALIZABLE: i32 = 1;
const MARKERS: i32 = 2;
const BRIDGES: i32 = 4;

/// The call site at an `InvokeDynamic` entry.
pub(super) fn call_site(symbols: &mut Symbols<'_, '_>, index: u16) -> Result<CallSite, Error> {
    let pool = &symbols.class_file().pool;
    let jvm::Constant::InvokeDynamic(site) = pool.get(index)? else {
        return Err(Error::WrongConstant { index, expected: "a call site" });
    };
    MethodDescriptor::parse(site.descriptor)?;
    let bootstrap = Decoder { symbols, left: MOST_CONSTANTS }.bootstrap(site.bootstrap, 0)?;
    let (name, descriptor) = (Symbol::new(site.name), Symbol::new(site.descriptor));
    let kind = recognise(name, site.descriptor, &bootstrap).unwrap_or(CallSiteKind::Other);
    Ok(CallSite { name, descriptor, bootstrap, kind })
}

/// The constant at a loadable entry, with the type it has when loaded.
pub(super) fn constant(symbols: &mut Symbols<'_, '_>, index: u16) -> Result<(Constant, Type), Error> {
    let ty = match symbols.class_file().pool.get(index)? {
        jvm::Constant::Dynamic(dynamic) => symbols.value_type(FieldType::parse(dynamic.descriptor)?),
        jvm::Constant::MethodType(_) => Type::Ref(ClassName::new("java/lang/invoke/MethodType")),
        _ => Type::Ref(ClassName::new("java/lang/invoke/MethodHandle")),
    };
    let constant = Decoder { symbols, left: MOST_CONSTANTS }.constant(index, 0)?;
    Ok((constant, ty))
}

struct Decoder<'x, 'c, 'a> {
    symbols: &'x mut Symbols<'c, 'a>,
    /// How many more constants may be made.
    left: usize,
}

impl Decoder<'_, '_, '_> {
    fn bootstrap(&mut self, index: u16, depth: usize) -> Result<Bootstrap, Error> {
        if depth > DEEPEST_NESTING {
            return Err(Error::Malformed {
                what: "dynamic constants are nested too deeply, or contain themselves",
            });
        }
        let method = self.symbols.bootstrap_method(index)?.clone();
        let arguments =
            method.args.iter().map(|&arg| self.constant(arg, depth + 1)).collect::<Result<_, _>>()?;
        let handle = self.symbols.class_file().pool.method_handle(method.handle)?;
        let handle = method_handle(self.symbols, handle)?;
        Ok(Bootstrap { method: handle, arguments })
    }

    fn constant(&mut self, index: u16, depth: usize) -> Result<Constant, Error> {
        self.left =
            self.left.checked_sub(1).ok_or(Error::TooLarge { what: "the argument list of a call site" })?;
        Ok(match self.symbols.class_file().pool.get(index)? {
            jvm::Constant::Integer(value) => Constant::Int(value),
            jvm::Constant::Long(value) => Constant::Long(value),
            jvm::Constant::Float(value) => Constant::Float(value),
            jvm::Constant::Double(value) => Constant::Double(value),
            jvm::Constant::String(_) => Constant::String(self.symbols.string(index)?),
            jvm::Constant::Class(_) => Constant::Class(self.symbols.class(index)?),
            jvm::Constant::MethodType(descriptor) => {
                MethodDescriptor::parse(descriptor)?;
                Constant::MethodType(Symbol::new(descriptor))
            }
            jvm::Constant::MethodHandle(handle) => {
                Constant::MethodHandle(method_handle(self.symbols, handle)?)
            }
            jvm::Constant::Dynamic(dynamic) => {
                FieldType::parse(dynamic.descriptor)?;
                Constant::Dynamic {
                    name: Symbol::new(dynamic.name),
                    descriptor: Symbol::new(dynamic.descriptor),
                    bootstrap: Box::new(self.bootstrap(dynamic.bootstrap, depth)?),
                }
            }
            _ => return Err(Error::WrongConstant { index, expected: "a loadable constant" }),
        })
    }
}

fn method_handle<'a>(
    symbols: &mut Symbols<'_, 'a>,
    handle: jvm::MethodHandle<'a>,
) -> Result<MethodHandle, Error> {
    let kind = match handle.kind {
        jvm::HandleKind::GetField => HandleKind::GetField,
        jvm::HandleKind::GetStatic => HandleKind::GetStatic,
        jvm::HandleKind::PutField => HandleKind::PutField,
        jvm::HandleKind::PutStatic => HandleKind::PutStatic,
        jvm::HandleKind::InvokeVirtual => HandleKind::InvokeVirtual,
        jvm::HandleKind::InvokeStatic => HandleKind::InvokeStatic,
        jvm::HandleKind::InvokeSpecial => HandleKind::InvokeSpecial,
        jvm::HandleKind::NewInvokeSpecial => HandleKind::NewInvokeSpecial,
        jvm::HandleKind::InvokeInterface => HandleKind::InvokeInterface,
    };
    let accesses_field = matches!(
        kind,
        HandleKind::GetField | HandleKind::GetStatic | HandleKind::PutField | HandleKind::PutStatic
    );
    match (accesses_field, handle.member.kind) {
        (true, jvm::MemberKind::Field) => Ok(MethodHandle::Field(kind, symbols.field_ref(handle.member)?)),
        (false, jvm::MemberKind::Method) => {
            Ok(MethodHandle::Method(kind, symbols.method_ref(handle.member)?))
        }
        _ => Err(Error::Malformed { what: "a method handle's kind does not fit the member it names" }),
    }
}

/// What a call site means; `None` if its bootstrap method is not known or its arguments do not fit.
fn recognise(name: Symbol, descriptor: &[u8], bootstrap: &Bootstrap) -> Option<CallSiteKind> {
    let MethodHandle::Method(HandleKind::InvokeStatic, method) = bootstrap.method else { return None };
    let arguments = bootstrap.arguments.as_slice();
    match (method.owner.symbol().as_str()?, method.name.as_str()?) {
        ("java/lang/invoke/LambdaMetafactory", "metafactory") => {
            lambda(name, descriptor, arguments, false).map(CallSiteKind::Lambda)
        }
        ("java/lang/invoke/LambdaMetafactory", "altMetafactory") => {
            lambda(name, descriptor, arguments, true).map(CallSiteKind::Lambda)
        }
        ("java/lang/invoke/StringConcatFactory", "makeConcat") => {
            let count = MethodDescriptor::parse(descriptor).ok()?.param_count();
            Some(CallSiteKind::Concat { recipe: Symbol::new(vec![1; count]), constants: Vec::new() })
        }
        ("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants") => match arguments {
            [Constant::String(recipe), constants @ ..] => {
                Some(CallSiteKind::Concat { recipe: *recipe, constants: constants.to_vec() })
            }
            _ => None,
        },
        ("java/lang/runtime/ObjectMethods", "bootstrap") => match arguments {
            [Constant::Class(class), Constant::String(_), getters @ ..] => {
                let getters = getters.iter().map(handle_argument).collect::<Option<_>>()?;
                Some(CallSiteKind::RecordMethod { class: *class, getters })
            }
            _ => None,
        },
        ("java/lang/runtime/SwitchBootstraps", switch @ ("typeSwitch" | "enumSwitch")) => {
            Some(CallSiteKind::PatternSwitch { labels: arguments.to_vec(), of_enum: switch == "enumSwitch" })
        }
        _ => None,
    }
}

fn handle_argument(argument: &Constant) -> Option<MethodHandle> {
    match argument {
        Constant::MethodHandle(handle) => Some(*handle),
        _ => None,
    }
}

fn lambda(method: Symbol, descriptor: &[u8], arguments: &[Constant], alternative: bool) -> Option<Lambda> {
    let [
        Constant::MethodType(erased),
        Constant::MethodHandle(implementation),
        Constant::MethodType(instantiated),
        further @ ..,
    ] = arguments
    else {
        return None;
    };
    let Some(FieldType::Class(interface)) = MethodDescriptor::parse(descriptor).ok()?.return_type() else {
        return None;
    };
    let mut lambda = Lambda {
        interface: ClassName::new(interface),
        markers: Vec::new(),
        method,
        erased: *erased,
        bridges: Vec::new(),
        instantiated: *instantiated,
        implementation: *implementation,
    };
    if alternative {
        read_options(&mut lambda, further)?;
    }
    Some(lambda)
}

/// The further arguments of `altMetafactory`: flags, then counted lists of interfaces and of method types.
fn read_options(lambda: &mut Lambda, arguments: &[Constant]) -> Option<()> {
    let (&Constant::Int(flags), mut rest) = arguments.split_first()? else { return None };
    if flags & MARKERS != 0 {
        for argument in counted(&mut rest)? {
            let Constant::Class(class) = argument else { return None };
            lambda.markers.push(*class);
        }
    }
    if flags & BRIDGES != 0 {
        for argument in counted(&mut rest)? {
            let Constant::MethodType(descriptor) = argument else { return None };
            lambda.bridges.push(*descriptor);
        }
    }
    let serializable = ClassName::new("java/io/Serializable");
    if flags & SERIALIZABLE != 0 && !lambda.markers.contains(&serializable) {
        lambda.markers.push(serializable);
    }
    Some(())
}

/// Splits a count and so many arguments off the front.
fn counted<'x>(rest: &mut &'x [Constant]) -> Option<&'x [Constant]> {
    let (&Constant::Int(count), after) = rest.split_first()? else { return None };
    let (list, after) = after.split_at_checked(usize::try_from(count).ok()?)?;
    *rest = after;
    Some(list)
}
