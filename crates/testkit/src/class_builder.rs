//! Class files made by hand: for code that no compiler writes.
//!
//! Nothing is checked: the point is to write what a reader must refuse or survive.

/// A class file in the making.
#[derive(Clone, Debug)]
pub struct ClassBuilder {
    major: u16,
    pool: Vec<u8>,
    /// The index that the next constant gets.
    next: u32,
    access: u16,
    this: u16,
    superclass: u16,
    interfaces: Vec<u16>,
    methods: Vec<u8>,
    method_count: u16,
    attributes: Vec<u8>,
    attribute_count: u16,
}

/// A method's code.
#[derive(Clone, Debug, Default)]
pub struct CodeSpec {
    /// The operand stack's size.
    pub max_stack: u16,
    /// The number of local variables.
    pub max_locals: u16,
    /// The instructions.
    pub bytes: Vec<u8>,
    /// The exception table: start, end, handler, index of the caught class or 0.
    pub handlers: Vec<(u16, u16, u16, u16)>,
}

/// `ACC_PUBLIC | ACC_STATIC`.
pub const PUBLIC_STATIC: u16 = 0x0009;
/// `ACC_PUBLIC | ACC_SUPER`.
pub const PUBLIC_CLASS: u16 = 0x0021;
/// `ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT`.
pub const PUBLIC_INTERFACE: u16 = 0x0601;

impl ClassBuilder {
    /// A class of this version with this superclass; an empty one stands for none.
    pub fn new(major: u16, access: u16, name: &str, superclass: &str) -> Self {
        let mut builder = ClassBuilder {
            major,
            pool: Vec::new(),
            next: 1,
            access,
            this: 0,
            superclass: 0,
            interfaces: Vec::new(),
            methods: Vec::new(),
            method_count: 0,
            attributes: Vec::new(),
            attribute_count: 0,
        };
        builder.this = builder.class(name);
        builder.superclass = if superclass.is_empty() { 0 } else { builder.class(superclass) };
        builder
    }

    /// Adds a constant as it stands in the file, tag first, and gives its index. Equal constants are not shared.
    pub fn constant(&mut self, bytes: &[u8]) -> u16 {
        self.pool.extend(bytes);
        self.next += 1;
        (self.next - 1) as u16
    }

    /// The index that the next constant will get: for constants that refer to themselves.
    pub fn next_index(&self) -> u16 {
        self.next as u16
    }

    fn pair(&mut self, tag: u8, first: u16, second: u16) -> u16 {
        let bytes: Vec<u8> =
            [tag].into_iter().chain(first.to_be_bytes()).chain(second.to_be_bytes()).collect();
        self.constant(&bytes)
    }

    /// Adds a `CONSTANT_Utf8`.
    pub fn utf8(&mut self, text: &str) -> u16 {
        let length = (text.len() as u16).to_be_bytes();
        let bytes: Vec<u8> = [1].into_iter().chain(length).chain(text.bytes()).collect();
        self.constant(&bytes)
    }

    /// Adds a `CONSTANT_Class`.
    pub fn class(&mut self, name: &str) -> u16 {
        let [high, low] = self.utf8(name).to_be_bytes();
        self.constant(&[7, high, low])
    }

    /// Adds a `CONSTANT_NameAndType`.
    pub fn name_and_type(&mut self, name: &str, descriptor: &str) -> u16 {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        self.pair(12, name, descriptor)
    }

    /// Adds a `CONSTANT_Methodref`.
    pub fn method_ref(&mut self, owner: &str, name: &str, descriptor: &str) -> u16 {
        let (owner, member) = (self.class(owner), self.name_and_type(name, descriptor));
        self.pair(10, owner, member)
    }

    /// Adds a `CONSTANT_MethodHandle` of `REF_invokeStatic`.
    pub fn static_handle(&mut self, owner: &str, name: &str, descriptor: &str) -> u16 {
        let [high, low] = self.method_ref(owner, name, descriptor).to_be_bytes();
        self.constant(&[15, 6, high, low])
    }

    /// Adds a `CONSTANT_Dynamic` that uses this entry of the bootstrap methods.
    pub fn dynamic(&mut self, bootstrap: u16, name: &str, descriptor: &str) -> u16 {
        let member = self.name_and_type(name, descriptor);
        self.pair(17, bootstrap, member)
    }

    /// Adds an interface.
    pub fn interface(&mut self, name: &str) -> &mut Self {
        let index = self.class(name);
        self.interfaces.push(index);
        self
    }

    /// Adds a method.
    pub fn method(&mut self, access: u16, name: &str, descriptor: &str, code: &CodeSpec) -> &mut Self {
        let mut info = Vec::new();
        info.extend(code.max_stack.to_be_bytes());
        info.extend(code.max_locals.to_be_bytes());
        info.extend((code.bytes.len() as u32).to_be_bytes());
        info.extend(&code.bytes);
        info.extend((code.handlers.len() as u16).to_be_bytes());
        for &(start, end, handler, class) in &code.handlers {
            info.extend([start, end, handler, class].into_iter().flat_map(u16::to_be_bytes));
        }
        info.extend([0, 0]);
        let header = [access, self.utf8(name), self.utf8(descriptor), 1, self.utf8("Code")];
        self.methods.extend(header.into_iter().flat_map(u16::to_be_bytes));
        self.methods.extend((info.len() as u32).to_be_bytes());
        self.methods.extend(info);
        self.method_count += 1;
        self
    }

    /// Adds an attribute of the class.
    pub fn attribute(&mut self, name: &str, info: &[u8]) -> &mut Self {
        let name = self.utf8(name);
        self.attributes.extend(name.to_be_bytes());
        self.attributes.extend((info.len() as u32).to_be_bytes());
        self.attributes.extend(info);
        self.attribute_count += 1;
        self
    }

    /// The bytes of the class file.
    pub fn build(&self) -> Vec<u8> {
        let mut out = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0];
        let words =
            |out: &mut Vec<u8>, words: &[u16]| out.extend(words.iter().flat_map(|word| word.to_be_bytes()));
        words(&mut out, &[self.major, self.next as u16]);
        out.extend(&self.pool);
        words(&mut out, &[self.access, self.this, self.superclass, self.interfaces.len() as u16]);
        words(&mut out, &self.interfaces);
        words(&mut out, &[0, self.method_count]);
        out.extend(&self.methods);
        words(&mut out, &[self.attribute_count]);
        out.extend(&self.attributes);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RunOptions, jdk_or_skip, run_main};

    #[test]
    fn java_runs_what_is_built() {
        let Some(jdk) = jdk_or_skip() else { return };
        let mut class = ClassBuilder::new(49, PUBLIC_CLASS, "Built", "java/lang/Object");
        class.interface("java/lang/Runnable");
        let [high, low] = class.method_ref("java/lang/System", "exit", "(I)V").to_be_bytes();
        // bipush 42; invokestatic exit; return
        let bytes = vec![0x10, 42, 0xb8, high, low, 0xb1];
        let code = CodeSpec { max_stack: 1, max_locals: 1, bytes, handlers: vec![(0, 2, 5, 0)] };
        class.method(PUBLIC_STATIC, "main", "([Ljava/lang/String;)V", &code);
        class.attribute("Nothing", b"at all");
        let dir = crate::files::unique_work_dir().unwrap();
        std::fs::write(dir.join("Built.class"), class.build()).unwrap();
        let options =
            RunOptions { jvm_args: vec!["-Xverify:none".to_owned()], ..RunOptions::with_classpath(&[&dir]) };
        assert_eq!(run_main(&jdk, "Built", &options).unwrap().exit_code, Some(42));
        std::fs::remove_dir_all(dir).unwrap();
    }
}
