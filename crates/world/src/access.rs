//! Access control and the other checks that the JVM makes when it links a use (JVM specification 5.4.3, 5.4.4).
//!
//! Analyses follow a use whether or not the JVM would allow it; a use that it would refuse is listed as a problem.

use std::fmt;

use selvedge_classfile::access;
use selvedge_ir::{InvokeKind, MethodRef};

use crate::names::package;
use crate::program::{ClassId, FieldId, MethodId, Program};

/// Why the JVM would refuse a use of a class or member that is there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LinkageError {
    /// The class is not public and in another package.
    ClassNotAccessible,
    /// The member is private, package-private or protected, and the user is not entitled to it.
    MemberNotAccessible,
    /// An interface is used as a class, or a class as an interface.
    WrongOwnerKind,
    /// A static member is used on an object, or an instance member without one.
    WrongStaticness,
}

impl fmt::Display for LinkageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LinkageError::ClassNotAccessible => "the class is not accessible from here",
            LinkageError::MemberNotAccessible => "the member is not accessible from here",
            LinkageError::WrongOwnerKind => "a class is used as an interface, or an interface as a class",
            LinkageError::WrongStaticness => "a static member is used on an object, or the other way round",
        })
    }
}

impl std::error::Error for LinkageError {}

impl Program {
    /// Whether a class may be used in code of another: it is public, or of the same package.
    pub fn can_access_class(&self, user: ClassId, class: ClassId) -> bool {
        self.classes[class].is_public() || self.same_package(user, class)
    }

    /// Whether code of class `user` may use a member with these flags, declared in `declaring` and named through `named`.
    fn can_access_member(&self, user: ClassId, named: ClassId, declaring: ClassId, flags: u16) -> bool {
        if flags & access::PUBLIC != 0 {
            return true;
        }
        if flags & access::PRIVATE != 0 {
            return self.classes[user].nest_host == self.classes[declaring].nest_host;
        }
        if self.same_package(user, declaring) {
            return true;
        }
        // A protected instance member must be named through the user's own line of descent.
        flags & access::PROTECTED != 0
            && self.is_subclass(user, declaring)
            && (flags & access::STATIC != 0 || self.is_subclass(named, user) || self.is_subclass(user, named))
    }

    /// Whether the JVM would link this use of a method.
    pub fn check_method_use(
        &self,
        user: ClassId,
        kind: InvokeKind,
        method: &MethodRef,
        resolved: MethodId,
    ) -> Result<(), LinkageError> {
        let target = &self.methods[resolved];
        let owner = self.class_named(method.owner).unwrap_or(self.object());
        if !method.owner.is_array() && !self.can_access_class(user, owner) {
            return Err(LinkageError::ClassNotAccessible);
        }
        if method.interface != self.classes[owner].is_interface() && !self.classes[owner].is_phantom() {
            return Err(LinkageError::WrongOwnerKind);
        }
        // Arrays have a public clone().
        let flags = if method.owner.is_array() { access::PUBLIC } else { target.flags };
        if !self.can_access_member(user, owner, target.class, flags) {
            return Err(LinkageError::MemberNotAccessible);
        }
        if target.is_static() != (kind == InvokeKind::Static) {
            return Err(LinkageError::WrongStaticness);
        }
        Ok(())
    }

    /// Whether the JVM would link this use of a field, named through `named`.
    pub fn check_field_use(
        &self,
        user: ClassId,
        named: ClassId,
        resolved: FieldId,
        as_static: bool,
    ) -> Result<(), LinkageError> {
        let target = &self.fields[resolved];
        if !self.can_access_class(user, named) {
            return Err(LinkageError::ClassNotAccessible);
        }
        if !self.can_access_member(user, named, target.class, target.flags) {
            return Err(LinkageError::MemberNotAccessible);
        }
        if target.is_static() != as_static {
            return Err(LinkageError::WrongStaticness);
        }
        Ok(())
    }

    fn same_package(&self, a: ClassId, b: ClassId) -> bool {
        package(self.classes[a].name) == package(self.classes[b].name)
    }
}
