//! Copies of objects and arrays, and their class objects.

use selvedge_ir::{ClassName, Type};

use super::super::Effect;
use super::RuleRun;
use crate::heap::{RuntimeType, Site};
use crate::summary::{Member, Statement};

/// How many dimensions the elements of an array that is made reflectively may have and still be distinguished.
const MOST_DIMENSIONS: usize = 2;

impl RuleRun<'_, '_, '_> {
    /// `Object.clone`: a shallow copy.
    pub(super) fn clone_object(&mut self) {
        let original = self.input.object;
        let ty = self.heap.get(original).ty;
        let copy = self.allocate(ty);
        self.put(copy);
        for member in self.heap.reference_members(original) {
            self.effects.push(Effect::CopyMember { from: (original, member), into: (copy, member) });
        }
    }

    /// `Arrays.copyOf`: an array of the same class, or of the one that the class argument is, with the same elements.
    pub(super) fn copy_array(&mut self) {
        let (arrived, from) = (self.input.object, self.first_argument());
        if matches!(self.heap.types.get(self.heap.get(arrived).ty), RuntimeType::Array(_)) {
            let copy = self.allocate(self.heap.get(arrived).ty);
            self.put(copy);
            self.effects
                .push(Effect::CopyMember { from: (arrived, Member::Element), into: (copy, Member::Element) });
            return;
        }
        let Some(original) = self.parameter(from) else { return };
        let named = self.class_of_object(arrived).or_else(|| self.constant_class(from + 2));
        match (named.and_then(|class| self.heap.types.named(class)), self.input.summary.spare) {
            (Some(ty), Some(element)) => {
                let copy = self.allocate(ty);
                self.put(copy);
                let load = Statement::Load { into: element, base: original, member: Member::Element };
                self.effects.push(Effect::Add(load));
                self.effects.push(Effect::StoreMember {
                    object: copy,
                    member: Member::Element,
                    from: element,
                });
            }
            // A class that is not known is assumed to be that of the original.
            _ => {
                let rule = selvedge_models::Special::ArrayCopyOf;
                self.effects.push(Effect::Add(Statement::Special { watch: original, rule }));
            }
        }
    }

    /// `Array.newInstance`: an array whose elements are of the class that the argument names; of the class that the result
    /// is cast to; or of some class.
    pub(super) fn new_array(&mut self) {
        let element = match self.site(self.input.object) {
            // What is made like an array has its elements' class; that of the array itself is hardly ever meant.
            Site::ClassObject(class) if class.is_array() => None,
            Site::ClassObject(class) | Site::ElementClass(class) => Some(class),
            _ => self.constant_class(0),
        };
        let dimensions =
            |class: &ClassName| class.as_bytes().iter().take_while(|&&byte| byte == b'[').count();
        let arrays = match element {
            // Arrays of the classes of arrays that such calls made before would never end.
            Some(element) if dimensions(&element) >= MOST_DIMENSIONS => vec![ClassName::object().array_of()],
            Some(element) => vec![element.array_of()],
            None => {
                let casts = self.casts_of_result().into_iter().filter(|class| class.is_array());
                casts.chain([ClassName::object().array_of()]).collect()
            }
        };
        for array in arrays {
            if let Some(ty) = self.heap.types.named(array) {
                let object = self.allocate(ty);
                self.put(object);
            }
        }
    }

    /// `Object.getClass`: that of an array, whose elements it bounds; else some class object. Which one is not followed: reflection
    /// on the classes of arbitrary objects would make all of the program reachable wherever the JDK reflects.
    pub(super) fn get_class(&mut self) {
        let object = match self.heap.types.get(self.heap.get(self.input.object).ty) {
            RuntimeType::Array(class) => self.class_object(*class),
            _ => self.merged("java/lang/Class"),
        };
        if let Some(object) = object {
            self.put(object);
        }
    }

    /// `Class.getComponentType`.
    pub(super) fn component_type(&mut self) {
        let element = self.class_of_object(self.input.object).and_then(|class| class.element_type());
        let object = match element {
            Some(Type::Ref(class)) => self.class_object_at(Site::ElementClass(class)),
            _ => self.merged("java/lang/Class"),
        };
        if let Some(object) = object {
            self.put(object);
        }
    }
}
