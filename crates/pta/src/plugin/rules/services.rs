//! `ServiceLoader` and factories by name: which classes provide a service.
//!
//! Any class outside the JDK that implements the service and can be made without arguments may be a provider, whether or not a
//! `META-INF/services` file that we can see names it. So may the JDK's own, as long as there are
//! few. The providers meet in a
//! cell of the VM from which the rows for `ServiceLoader` hand them out; the casts at their uses tell the services apart again.

use selvedge_classfile::access;
use selvedge_ir::ClassName;
use selvedge_world::{ClassId, MethodId, Tier};

use super::super::Effect;
use super::RuleRun;
use crate::Analysis;
use crate::context::Contexts;
use crate::heap::Site;
use crate::names::class_with_java_name;
use crate::summary::Member;

/// How many classes of the JDK may provide a service. Services with more of them (providers of algorithms, of managed objects, of tools)
/// would make most of the JDK a part of every program.
const MOST_IN_JDK: usize = 4;

impl RuleRun<'_, '_, '_> {
    /// `ServiceLoader.load(S.class)`: makes an object of every class that may provide the service.
    pub(super) fn load_services(&mut self) {
        let program = self.input.program;
        // The JDK's own class literals are one object; the one at the call says which it is.
        let constant = self.constant_class(0);
        let service = self.class_of_object(self.input.object).or(constant);
        let service = service.and_then(|class| program.class_named(class));
        let (Some(service), Some(ty)) = (service, self.heap.types.named(ClassName::object())) else { return };
        let site = self.heap.site(Site::VmCell("service-providers".into()), ty);
        let cell = self.heap.object(site, Contexts::EMPTY);
        for (provider, constructor) in self.providers(service, constant.is_some()) {
            let Some(ty) = self.heap.types.named(program.classes[provider].name) else { continue };
            let object = self.allocate(ty);
            self.effects.push(Effect::Initialize(provider));
            self.call_exact(constructor, Some(object), None, None);
            self.effects.push(Effect::PutMember { object, into: (cell, Member::Captured(0)) });
        }
    }

    /// The classes that may provide a service, with the constructors that make them; the JDK's where the call itself says which
    /// service it is.
    fn providers(&self, service: ClassId, is_known: bool) -> Vec<(ClassId, MethodId)> {
        let program = self.input.program;
        let made = |&class: &ClassId| Some((class, self.provider_constructor(class)?));
        let (of_jdk, others): (Vec<_>, Vec<_>) = program
            .subtypes(service)
            .iter()
            .filter_map(made)
            .partition(|&(class, _)| program.classes[class].tier == Tier::Jdk);
        let is_taken = is_known && of_jdk.len() <= MOST_IN_JDK;
        others.into_iter().chain(of_jdk.into_iter().filter(|_| is_taken)).collect()
    }

    fn provider_constructor(&self, class: ClassId) -> Option<MethodId> {
        let program = self.input.program;
        let data = &program.classes[class];
        if data.is_abstract() || data.is_phantom() {
            return None;
        }
        let constructor = program.declared_method(class, "<init>".into(), "()V".into())?;
        let is_public = |flags: u16| flags & access::PUBLIC != 0;
        let is_visible = is_public(data.flags) && is_public(program.methods[constructor].flags);
        (data.tier != Tier::Jdk || is_visible).then_some(constructor)
    }

    /// `FactoryFinder.find(Type.class, "Name")`: makes an object of the named class, and of those of the application that fit.
    pub(super) fn make_named_factory(&mut self) {
        let program = self.input.program;
        let named = self.constant_string().and_then(|name| class_with_java_name(program, name));
        let wanted = self.constant_class(0).and_then(|class| program.class_named(class));
        let of_application = wanted.map_or(&[][..], |class| program.subtypes(class)).iter().copied();
        let of_application = of_application.filter(|&class| program.classes[class].tier != Tier::Jdk);
        let classes: Vec<ClassId> = named.into_iter().chain(of_application).collect();
        for class in classes {
            self.construct(program.classes[class].name, true, None);
        }
    }

    /// `defineClass(..)`: what the program makes while it runs is in no class file.
    pub(super) fn define_class(&mut self) {
        let caller = self.input.caller.filter(|_| self.input.from_application);
        if let Some(caller) = caller {
            let place = self.input.program.describe_method(caller);
            self.library.assume(format!("{}, in {place}, are not analysed", Analysis::ON_MADE_CLASSES));
        }
    }
}
