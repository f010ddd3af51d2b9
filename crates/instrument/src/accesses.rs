//! Hooks at accesses: fields, static fields, array elements.
//!
//! A plain access reports before it happens, with the object duplicated from below the value. A volatile write reports before,
//! a volatile read after: so a write is never seen by a read that was told first.

use selvedge_classfile::edit::Jumps;
use selvedge_classfile::{Insn, Kind, Member, MemberRef, Result, StackOp, access};
use selvedge_protocol::{Arrays, SiteKind};

use crate::hooks::{self, push};
use crate::members::{sync_call, sync_of, test_call, test_of};
use crate::method::Work;
use crate::{FieldKind, FieldName, Role};

/// A field that an instruction names, as text.
struct Named {
    owner: String,
    name: String,
    two_slots: bool,
}

impl Named {
    fn new(member: MemberRef<'_>) -> Named {
        Named {
            owner: String::from_utf8_lossy(member.owner).into_owned(),
            name: String::from_utf8_lossy(member.name).into_owned(),
            two_slots: matches!(member.descriptor, b"J" | b"D"),
        }
    }

    fn field(&self) -> FieldName<'_> {
        FieldName { owner: &self.owner, name: &self.name }
    }
}

impl Work<'_, '_, '_, '_, '_, '_> {
    /// What is known of a field: this class's own, or as the world has it.
    fn kind_of(&self, named: &Named, member: MemberRef<'_>) -> FieldKind {
        let class = self.context.class;
        let own = class.fields.iter().find(|field| {
            member.owner == class.this_class
                && field.name == member.name
                && field.descriptor == member.descriptor
        });
        match own {
            Some(field) if field.access & access::VOLATILE != 0 => FieldKind::Volatile,
            Some(field) if field.access & access::FINAL != 0 && !self.context.late.contains(field.name) => {
                FieldKind::Final
            }
            Some(_) => FieldKind::Plain,
            None => self.context.world.field_kind(named.field()),
        }
    }

    /// The method that tests the words of the field; `None` if it has none.
    fn test_of(&mut self, named: &Named, member: MemberRef<'_>, write: bool) -> Option<Vec<u8>> {
        let class = self.context.class;
        if !self.context.rules.has_words(&named.owner) {
            return None;
        }
        let is_own = |field: &Member<'_>| field.name == member.name && field.access & access::STATIC == 0;
        let is_quiet = self.context.rules.is_quiet(&named.owner, &named.name);
        let here = member.owner == class.this_class && class.fields.iter().any(is_own) && !is_quiet;
        (here || self.context.world.has_test(named.field())).then(|| test_of(member.name, write)).flatten()
    }

    /// For an access to a plain field: its number, pushed, and the call that tells of it, given object, thread and number.
    fn field_test(
        &mut self,
        bci: u32,
        member: MemberRef<'_>,
        named: &Named,
        write: bool,
    ) -> Result<(Insn<'static>, Insn<'static>)> {
        let site_kind = if write { SiteKind::FieldPut } else { SiteKind::FieldGet };
        let site = self.site(bci, site_kind, Some(named.field()));
        let hook = match self.test_of(named, member, write) {
            Some(test) => test_call(self.pool, member.owner, &test)?,
            None => if write { hooks::PLAIN_WRITE } else { hooks::PLAIN_READ }.call(self.pool)?,
        };
        Ok((push(site, self.pool)?, hook))
    }

    /// As [`Work::field_test`]; `None` unless it is known that the field is plain, and it is not the library's.
    pub(crate) fn plain_field_test(
        &mut self,
        bci: u32,
        member: MemberRef<'_>,
        write: bool,
    ) -> Result<Option<(Insn<'static>, Insn<'static>)>> {
        let named = Named::new(member);
        if self.kind_of(&named, member) != FieldKind::Plain || self.context.rules.is_library(&named.owner) {
            return Ok(None);
        }
        self.field_test(bci, member, &named, write).map(Some)
    }

    /// Whether the field is final, and written by nobody who has published its object.
    pub(crate) fn is_final(&self, member: MemberRef<'_>) -> bool {
        self.kind_of(&Named::new(member), member) == FieldKind::Final
    }

    /// Whether an access to this field orders nothing and runs no initialiser.
    pub(crate) fn is_still_field(&self, member: MemberRef<'_>, is_static: bool) -> bool {
        let named = Named::new(member);
        let is_own = member.owner == self.context.class.this_class;
        (is_own || !is_static) && matches!(self.kind_of(&named, member), FieldKind::Plain | FieldKind::Final)
    }

    /// The object below the value is duplicated to the top.
    fn object_on_top(write: bool, two_slots: bool) -> &'static [Insn<'static>] {
        use StackOp::*;
        match (write, two_slots) {
            (false, _) => &[Insn::Stack(Dup)],
            (true, false) => &[Insn::Stack(Dup2), Insn::Stack(Pop)],
            (true, true) => &[Insn::Stack(Dup2X1), Insn::Stack(Pop2), Insn::Stack(DupX2)],
        }
    }

    pub(crate) fn field(
        &mut self,
        bci: u32,
        member: MemberRef<'_>,
        write: bool,
        reports: bool,
    ) -> Result<()> {
        let named = Named::new(member);
        let kind = self.kind_of(&named, member);
        let is_volatile = matches!(kind, FieldKind::Volatile | FieldKind::Unknown);
        if self.context.role == Role::Library {
            let hands_over = matches!(member.descriptor.first(), Some(b'L' | b'['))
                && kind != FieldKind::Final
                && self.context.rules.combines(&named.owner);
            return match kind {
                // What a constructor writes is handed over with the object.
                FieldKind::Plain | FieldKind::Unknown
                    if hands_over && !(write && self.makes.contains(&bci)) =>
                {
                    let hook = if write { hooks::VARIABLE_WRITE } else { hooks::VARIABLE_READ };
                    self.library_variable(bci, write, &named, hook)
                }
                FieldKind::Volatile | FieldKind::Unknown => {
                    let hook = match write {
                        false => hooks::VOLATILE_READ,
                        true if self.makes.contains(&bci) => hooks::VOLATILE_INIT,
                        true => hooks::VOLATILE_WRITE,
                    };
                    self.library_variable(bci, write, &named, hook)
                }
                FieldKind::Plain | FieldKind::Final => Ok(()),
            };
        }
        let is_plain = matches!(kind, FieldKind::Plain | FieldKind::Unknown);
        self.edit.reserve_stack(6);
        if is_plain && reports && !self.context.rules.is_library(&named.owner) {
            let (site, hook) = self.field_test(bci, member, &named, write)?;
            let me = self.me()?;
            let above = Self::object_on_top(write, named.two_slots);
            self.edit.before(bci, Jumps::Run).insns(above.iter().copied()).insns([me, site, hook]);
        }
        if is_volatile && !self.context.rules.is_library(&named.owner) {
            let site_kind = if write { SiteKind::VolatilePut } else { SiteKind::VolatileGet };
            let site = self.site(bci, site_kind, Some(named.field()));
            let site = push(site, self.pool)?;
            // Of a field of a class that is not loaded yet, the class will tell.
            let is_unseen = kind == FieldKind::Unknown && self.test_of(&named, member, write).is_some();
            let hook = match sync_of(member.name, write).filter(|_| is_unseen) {
                Some(sync) => {
                    let call = sync_call(self.pool, member.owner, &sync)?;
                    return self.around_volatile(
                        bci,
                        write,
                        named.two_slots,
                        &[site, Insn::AConstNull, call],
                    );
                }
                None if write && self.makes.contains(&bci) => hooks::VOLATILE_INIT.call(self.pool)?,
                None => if write { hooks::VOLATILE_WRITE } else { hooks::VOLATILE_READ }.call(self.pool)?,
            };
            self.around_volatile(bci, write, named.two_slots, &[site, hook])?;
        }
        Ok(())
    }

    /// Tells of a volatile access: a write before, a read after it, with the object kept in a local meanwhile.
    fn around_volatile(
        &mut self,
        bci: u32,
        write: bool,
        two_slots: bool,
        call: &[Insn<'static>],
    ) -> Result<()> {
        let above = Self::object_on_top(write, two_slots);
        if write {
            self.edit.before(bci, Jumps::Run).insns(above.iter().copied()).insns(call.iter().copied());
        } else {
            let kept = self.edit.new_local(1);
            self.edit
                .before(bci, Jumps::Run)
                .insns([Insn::Stack(StackOp::Dup), Insn::Store(Kind::Ref, kept)]);
            self.edit.after(bci).insn(Insn::Load(Kind::Ref, kept)).insns(call.iter().copied());
        }
        Ok(())
    }

    /// A field in library code that is volatile, or may be: of a class that is not loaded yet the agent tells when the field is accessed.
    fn library_variable(&mut self, bci: u32, write: bool, named: &Named, hook: hooks::Hook) -> Result<()> {
        self.edit.reserve_stack(5);
        let site_kind = if write { SiteKind::VolatilePut } else { SiteKind::VolatileGet };
        let site = self.site(bci, site_kind, Some(named.field()));
        let site = push(site, self.pool)?;
        let hook = hook.call(self.pool)?;
        self.around_volatile(bci, write, named.two_slots, &[site, hook])
    }

    pub(crate) fn static_field(
        &mut self,
        bci: u32,
        member: MemberRef<'_>,
        write: bool,
        reports: bool,
    ) -> Result<()> {
        if self.context.role == Role::Library
            || self.context.rules.is_library(&String::from_utf8_lossy(member.owner))
        {
            return Ok(());
        }
        let named = Named::new(member);
        let kind = self.kind_of(&named, member);
        self.edit.reserve_stack(3);
        if matches!(kind, FieldKind::Plain | FieldKind::Unknown) && reports {
            let site_kind = if write { SiteKind::StaticPut } else { SiteKind::StaticGet };
            let site = self.site(bci, site_kind, Some(named.field()));
            let slot = self.context.world.static_slot(named.field());
            let hook = if write { hooks::STATIC_WRITE } else { hooks::static_read(slot) }.call(self.pool)?;
            let arguments = [push(slot, self.pool)?, self.me()?, push(site, self.pool)?];
            // A read comes after: by then the class is initialised, and the value is there. So does a write that may initialise the class: it is not part of what
            // the initialiser has done.
            let is_own = member.owner == self.context.class.this_class;
            let mut block =
                if write && is_own { self.edit.before(bci, Jumps::Run) } else { self.edit.after(bci) };
            block.insns(arguments).insn(hook);
        }
        if kind == FieldKind::Final && !write {
            let site = self.site(bci, SiteKind::StaticGet, Some(named.field()));
            let slot = self.context.world.static_slot(named.field());
            let hook = hooks::FINAL_READ.call(self.pool)?;
            let arguments = [push(slot, self.pool)?, self.me()?, push(site, self.pool)?];
            self.edit.after(bci).insns(arguments).insn(hook);
        }
        if matches!(kind, FieldKind::Volatile | FieldKind::Unknown) {
            let site_kind = if write { SiteKind::VolatilePut } else { SiteKind::VolatileGet };
            let site = self.site(bci, site_kind, Some(named.field()));
            let site = push(site, self.pool)?;
            let hook = if write { hooks::VOLATILE_WRITE } else { hooks::VOLATILE_READ }.call(self.pool)?;
            let mut block = if write { self.edit.before(bci, Jumps::Run) } else { self.edit.after(bci) };
            block.insns([Insn::AConstNull, site, hook]);
        }
        Ok(())
    }

    /// Whether accesses to arrays tell.
    pub(crate) fn watches_arrays(&self) -> bool {
        self.context.role == Role::Application && self.context.rules.plan.options.arrays != Arrays::Off
    }

    pub(crate) fn array(&mut self, bci: u32, write: bool, two_slots: bool) -> Result<()> {
        if !self.watches_arrays() {
            return Ok(());
        }
        use StackOp::*;
        let (kind, hook) = if write {
            (SiteKind::ArrayStore, hooks::ARRAY_WRITE)
        } else {
            (SiteKind::ArrayLoad, hooks::ARRAY_READ)
        };
        let site = self.site(bci, kind, None);
        let (site, hook) = (push(site, self.pool)?, hook.call(self.pool)?);
        let above: &[StackOp] = match (write, two_slots) {
            (false, _) => &[Dup2],
            (true, false) => &[DupX2, Pop, Dup2X1],
            (true, true) => &[Dup2X2, Pop2, Dup2X2],
        };
        let (view, keep) = self.view_for(bci)?;
        let me = self.me()?;
        self.edit.reserve_stack(7);
        self.edit
            .before(bci, Jumps::Run)
            .insns(above.iter().map(|&op| Insn::Stack(op)))
            .insns([view, me, site, hook, keep]);
        Ok(())
    }
}
