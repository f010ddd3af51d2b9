//! `ServiceLoader` and factories by name: which classes provide a service.
//!
//! Any class outside the JDK that implements the service and can be made without arguments may be a provider, whether or not a
//! `META-INF/services` file that we can see names it. The JDK's own are left out: they would make most of the JDK a part of
//! every program; an assumption says so. The providers meet in a cell of the VM from which the rows for `ServiceLoader` hand them out; the
//! casts at their uses tell the services apart again.

use selvedge_ir::ClassName;
use selvedge_world::{ClassId, MethodId, Tier};

use super::super::Effect;
use super::RuleRun;
use crate::Analysis;
use crate::context::Contexts;
use crate::heap::Site;
use crate::names::class_with_java_name;
use crate::summary::Member;

impl RuleRun<'_, '_, '_> {
    /// `ServiceLoader.load(S.class)`: makes an object of every class that may provide the service.
    pub(super) fn load_services(&mut self) {
        let program = self.input.program;
        // The JDK's own class literals are one object; the one at the call says which it is.
        let constant = self.constant_class(0);
        let service = self.class_of_object(self.input.object).or(constant);
        let service = service.and_then(|class| program.class_named(class));
        if service.is_none() && self.input.from_application {
            let place = self.describe_caller();
            self.library.assume(format!("no providers are found of a service that is not known, by {place}"));
        }
        let (Some(service), Some(ty)) = (service, self.heap.types.named(ClassName::object())) else { return };
        let site = self.heap.site(Site::VmCell("service-providers".into()), ty);
        let cell = self.heap.object(site, Contexts::EMPTY);
        let (left_out, providers): (Vec<_>, Vec<_>) = self
            .providers(service)
            .into_iter()
            .partition(|&(class, _)| program.classes[class].tier == Tier::Jdk);
        if !left_out.is_empty() {
            self.library.assume(Analysis::ON_PROVIDERS.to_owned());
            self.library.left_out.extend(left_out.into_iter().map(|(class, _)| class));
        }
        for (provider, constructor) in providers {
            let Some(ty) = self.heap.types.named(program.classes[provider].name) else { continue };
            let object = self.allocate(ty);
            self.effects.push(Effect::Initialize(provider));
            self.call_exact(constructor, Some(object), None, None);
            self.effects.push(Effect::PutMember { object, into: (cell, Member::Captured(0)) });
        }
    }

    /// The classes that may provide a service, with the constructors that make them.
    fn providers(&self, service: ClassId) -> Vec<(ClassId, MethodId)> {
        let all = self.input.program.subtypes(service).iter();
        all.filter_map(|&class| Some((class, self.provider_constructor(class)?))).collect()
    }

    fn provider_constructor(&self, class: ClassId) -> Option<MethodId> {
        let program = self.input.program;
        let data = &program.classes[class];
        if data.is_abstract() || data.is_phantom() {
            return None;
        }
        program.declared_method(class, "<init>".into(), "()V".into())
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

    /// `defineClass(..)`: what the program makes while it runs is in no class file, unless it was given beside the program.
    pub(super) fn define_class(&mut self) {
        let caller = self.input.caller.filter(|_| self.input.from_application);
        if let Some(caller) = caller {
            let place = self.input.program.describe_method(caller);
            self.library.assume(format!("{}, in {place}, are not analysed", Analysis::ON_MADE_CLASSES));
            for class in self.library.made.clone() {
                if let Some(object) = self.class_object(class) {
                    self.put(object);
                }
            }
        }
    }
}
