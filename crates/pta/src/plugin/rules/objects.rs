//! Copies of objects and arrays, and their class objects.

use selvedge_ir::Type;

use super::super::Effect;
use super::RuleRun;
use crate::heap::RuntimeType;
use crate::summary::Member;

impl RuleRun<'_, '_, '_> {
    /// `Object.clone`: a shallow copy.
    pub(super) fn clone_object(&mut self) {
        let original = self.input.object;
        let ty = self.heap.get(original).ty;
        let copy = self.allocate(ty);
        self.put(copy);
        for member in self.members(original) {
            self.effects.push(Effect::CopyMember { from: (original, member), into: (copy, member) });
        }
    }

    /// The members of an object that hold references.
    pub(super) fn members(&self, object: crate::heap::ObjectId) -> Vec<Member> {
        let program = self.input.program;
        match self.heap.types.get(self.heap.get(object).ty) {
            RuntimeType::Array(_) => vec![Member::Element],
            RuntimeType::Class(class) => {
                let fields =
                    program.superclasses(*class).flat_map(|class| program.classes[class].fields.iter());
                let holds = |field| matches!(program.fields[field].ty(), Some(Type::Ref(_)));
                fields
                    .filter(|&field| !program.fields[field].is_static() && holds(field))
                    .map(Member::Field)
                    .collect()
            }
            RuntimeType::Lambda { .. } | RuntimeType::Proxy(_) | RuntimeType::Client(_) => Vec::new(),
        }
    }

    /// `Arrays.copyOf`: an array of the same class (or of the one that a class argument names) with the same elements.
    pub(super) fn copy_array(&mut self) {
        let original = self.input.object;
        let named = (0..self.input.argument_count).find_map(|position| self.constant_class(position));
        let ty = match named.and_then(|class| self.heap.types.named(class)) {
            Some(ty) => ty,
            None => self.heap.get(original).ty,
        };
        let copy = self.allocate(ty);
        self.put(copy);
        self.effects
            .push(Effect::CopyMember { from: (original, Member::Element), into: (copy, Member::Element) });
    }

    /// `Array.newInstance`: an array whose elements are of the class that the argument names, or of some class.
    pub(super) fn new_array(&mut self) {
        let element = self.class_of_object(self.input.object).or_else(|| self.constant_class(0));
        let array = element.unwrap_or_else(selvedge_ir::ClassName::object).array_of();
        if let Some(ty) = self.heap.types.named(array) {
            let object = self.allocate(ty);
            self.put(object);
        }
    }

    /// `Object.getClass`: some class object. Which one is not followed: reflection on the classes of arbitrary objects would
    /// make all of the program reachable wherever the JDK reflects.
    pub(super) fn get_class(&mut self) {
        if let Some(object) = self.merged("java/lang/Class") {
            self.put(object);
        }
    }
}
