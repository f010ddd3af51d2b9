//! `ServiceLoader`: which classes provide a service.
//!
//! Any class outside the JDK that implements the service and can be made without arguments may be a provider, whether or not a
//! `META-INF/services` file that we can see names it. The providers meet in a cell of the VM from which the rows for
//! `ServiceLoader` hand them out; the casts at their uses tell the services apart again.

use selvedge_ir::ClassName;
use selvedge_world::{ClassId, MethodId, Tier};

use super::super::Effect;
use super::RuleRun;
use crate::context::Contexts;
use crate::heap::Site;
use crate::summary::Member;

impl RuleRun<'_, '_, '_> {
    /// `ServiceLoader.load(S.class)`: makes an object of every class that may provide the service.
    pub(super) fn load_services(&mut self) {
        let program = self.input.program;
        // The JDK's own class literals are one object; the one at the call says which it is.
        let service = self.class_of_object(self.input.object).or_else(|| self.constant_class(0));
        let service = service.and_then(|class| program.class_named(class));
        let (Some(service), Some(ty)) = (service, self.heap.types.named(ClassName::object())) else { return };
        let site = self.heap.site(Site::VmCell("service-providers".into()), ty);
        let cell = self.heap.object(site, Contexts::EMPTY);
        for &provider in program.subtypes(service) {
            let Some(constructor) = self.provider_constructor(provider) else { continue };
            let Some(ty) = self.heap.types.named(program.classes[provider].name) else { continue };
            let object = self.allocate(ty);
            self.effects.push(Effect::Initialize(provider));
            self.call_exact(constructor, Some(object), None, None);
            self.effects.push(Effect::PutMember { object, into: (cell, Member::Captured(0)) });
        }
    }

    fn provider_constructor(&self, class: ClassId) -> Option<MethodId> {
        let program = self.input.program;
        let data = &program.classes[class];
        if data.tier == Tier::Jdk || data.is_abstract() || data.is_phantom() {
            return None;
        }
        program.declared_method(class, "<init>".into(), "()V".into())
    }
}
