//! Method references to methods that the application does not write: `list::add`, `executor::execute`, `ArrayList::new`.
//!
//! No code of the application makes such a call: the object behind the reference does. So that it is found where all others are, each
//! reference gets a method of its own in the class that contains it, as if it had been written as a lambda expression:
//! static, with the receiver as its first parameter, at the line of the reference, and named like a lambda's. What the
//! platform converts between the interface's method and the referenced one (casts, boxes) it still converts on the way to this method.

use selvedge_base::{FastMap, FastSet, IdRange, Symbol};
use selvedge_classfile::{self as jvm, ClassFile, Constant, FieldType, Insn, MethodDescriptor, access};
use selvedge_ir::{
    BlockData, Body, CallSiteKind, ClassName, HandleKind, InstData, InvokeKind, MethodHandle, MethodRef, Op,
    Type, Value, ValueData, ValueDef, ValueList,
};

use crate::program::{MethodId, Program, type_of};

/// A method reference in a class file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reference {
    /// The position of the method that contains it.
    pub(crate) host: usize,
    /// Where it is there.
    bci: u32,
    line: Option<u32>,
    /// What it refers to, and how that is called.
    target: MethodRef,
    kind: InvokeKind,
}

/// The methods that stand for references.
#[derive(Debug, Default)]
pub(crate) struct References {
    methods: FastMap<MethodId, Reference>,
    /// By the method that contains the reference, and where.
    places: FastMap<(MethodId, u32), MethodId>,
}

impl Reference {
    /// The method references of a class, in the order of the file.
    pub(crate) fn all_in(file: &ClassFile<'_>) -> Vec<Reference> {
        let Ok(bootstrap) = file.bootstrap_methods() else { return Vec::new() };
        let implementations: Vec<_> = bootstrap.iter().map(|method| implementation(file, method)).collect();
        let mut found = Vec::new();
        if implementations.iter().all(Option::is_none) {
            return found;
        }
        for (host, member) in file.methods.iter().enumerate() {
            let Ok(Some(code)) = member.code(&file.pool) else { continue };
            for (bci, insn) in code.instructions().map_while(Result::ok) {
                let Insn::InvokeDynamic(index) = insn else { continue };
                let Ok(Constant::InvokeDynamic(site)) = file.pool.get(index) else { continue };
                let implementation = implementations.get(usize::from(site.bootstrap));
                if let Some(&(target, kind)) = implementation.and_then(Option::as_ref) {
                    let lines = code.line_table().unwrap_or_default();
                    let before = lines.iter().filter(|(start, _)| *start <= bci);
                    let line = before.max_by_key(|(start, _)| *start).map(|(_, line)| u32::from(*line));
                    found.push(Reference { host, bci, line, target, kind });
                }
            }
        }
        found
    }

    /// The class and the method that it refers to, by name and descriptor.
    pub(crate) fn target(&self) -> (ClassName, Symbol, Symbol) {
        (self.target.owner, self.target.name, self.target.descriptor)
    }

    /// Name, descriptor and flags of the method that stands for it. `names` are those of the class's other methods.
    pub(crate) fn declare(&self, host: Symbol, names: &mut FastSet<Symbol>) -> (Symbol, Symbol, u16) {
        let host = host.to_string().replace(['<', '>'], "");
        let name = (0..).map(|number| Symbol::new(format!("lambda${host}${number}")));
        let name = name.into_iter().find(|&name| names.insert(name)).unwrap_or(self.target.name);
        (name, self.descriptor(), access::PRIVATE | access::STATIC | access::SYNTHETIC)
    }

    fn makes_object(&self) -> bool {
        self.target.name.is("<init>")
    }

    /// The receiver becomes the first parameter, and a new object the result.
    fn descriptor(&self) -> Symbol {
        let owner = [b"L", self.target.owner.as_bytes(), b";"].concat();
        let old = self.target.descriptor.as_bytes();
        Symbol::new(match self.kind {
            _ if self.makes_object() => [old.strip_suffix(b"V").unwrap_or(old), &owner].concat(),
            InvokeKind::Static => old.to_vec(),
            _ => [b"(", owner.as_slice(), old.strip_prefix(b"(").unwrap_or(old)].concat(),
        })
    }

    /// The code of the method that stands for it: one call.
    fn body(&self) -> Body {
        let mut body =
            Body { lines: self.line.map(|line| (0, line)).into_iter().collect(), ..Body::default() };
        let Ok(called) = MethodDescriptor::parse(self.target.descriptor.as_bytes()) else { return body };
        let owner = Type::Ref(self.target.owner);
        let has_receiver = self.kind != InvokeKind::Static && !self.makes_object();
        for ty in has_receiver.then_some(owner).into_iter().chain(called.params().map(type_of)) {
            let def = ValueDef::Parameter(body.parameters.len() as u32);
            let value = body.values.push(ValueData { ty, def });
            body.parameters.push(value);
        }
        let parameters = body.parameters.clone();
        let returned = if self.makes_object() {
            let object = push(&mut body, Op::New(self.target.owner), &[], Some(owner));
            let arguments: Vec<Value> = object.into_iter().chain(parameters).collect();
            push(&mut body, Op::Invoke(self.kind, self.target), &arguments, None);
            object
        } else {
            let result = called.return_type().map(type_of);
            push(&mut body, Op::Invoke(self.kind, self.target), &parameters, result)
        };
        push(&mut body, Op::Return, returned.as_slice(), None);
        let insts = IdRange::new(selvedge_ir::Inst::new(0), body.insts.next_id());
        body.blocks.push(BlockData { insts, ..BlockData::default() });
        body
    }
}

fn push(body: &mut Body, op: Op, arguments: &[Value], ty: Option<Type>) -> Option<Value> {
    let args: ValueList = body.push_list(arguments);
    let inst = body.insts.next_id();
    let result = ty.map(|ty| body.values.push(ValueData { ty, def: ValueDef::Inst(inst) }));
    body.insts.push(InstData { op, args, result, bci: inst.number() });
    result
}

/// What the object that a bootstrap method of the platform makes runs, if that is a method which may be called from anywhere.
fn implementation(file: &ClassFile<'_>, method: &jvm::BootstrapMethod) -> Option<(MethodRef, InvokeKind)> {
    let maker = file.pool.method_handle(method.handle).ok()?.member;
    if maker.owner != b"java/lang/invoke/LambdaMetafactory" {
        return None;
    }
    let handle = file.pool.method_handle(*method.args.get(1)?).ok()?;
    let kind = match handle.kind {
        jvm::HandleKind::InvokeVirtual => InvokeKind::Virtual,
        jvm::HandleKind::InvokeInterface => InvokeKind::Interface,
        jvm::HandleKind::InvokeStatic => InvokeKind::Static,
        jvm::HandleKind::NewInvokeSpecial => InvokeKind::Special,
        _ => return None,
    };
    let member = handle.member;
    MethodDescriptor::parse(member.descriptor).ok()?;
    let is_class = matches!(FieldType::parse_class_name(member.owner), Ok(FieldType::Class(_)));
    let declares = |own: &jvm::Member<'_>| (own.name, own.descriptor) == (member.name, member.descriptor);
    let is_own = member.owner == file.this_class && file.methods.iter().any(declares);
    let target = MethodRef {
        owner: ClassName::new(member.owner),
        name: Symbol::new(member.name),
        descriptor: Symbol::new(member.descriptor),
        interface: member.interface,
    };
    (is_class && !is_own).then_some((target, kind))
}

impl References {
    /// Adds the methods that stand for the references of a class, which are its last.
    pub(crate) fn add(&mut self, methods: IdRange<MethodId>, references: &[Reference]) {
        let own = methods.len() - references.len();
        for (method, reference) in methods.iter().skip(own).zip(references) {
            self.methods.insert(method, *reference);
            let host = methods.iter().nth(reference.host);
            self.places.extend(host.map(|host| ((host, reference.bci), method)));
        }
    }
}

impl Program {
    /// Whether a method stands for a method reference, and is in no class file.
    pub fn is_reference(&self, method: MethodId) -> bool {
        self.references.methods.contains_key(&method)
    }

    /// The body of a method that stands for a method reference.
    pub(crate) fn body_of_reference(&self, method: MethodId) -> Option<Body> {
        self.references.methods.get(&method).map(Reference::body)
    }

    /// Makes the references of a method run the methods that stand for them.
    pub(crate) fn redirect_references(&self, host: MethodId, body: &mut Body) {
        for inst in body.insts.ids() {
            let Op::InvokeDynamic(site) = body.insts[inst].op else { continue };
            let Some(&method) = self.references.places.get(&(host, body.insts[inst].bci)) else { continue };
            let data = &self.methods[method];
            let class = &self.classes[data.class];
            let target = MethodRef {
                owner: class.name,
                name: data.name,
                descriptor: data.descriptor,
                interface: class.is_interface(),
            };
            if let CallSiteKind::Lambda(lambda) = &mut body.call_sites[site].kind {
                lambda.implementation = MethodHandle::Method(HandleKind::InvokeStatic, target);
            }
        }
    }
}
