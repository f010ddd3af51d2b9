//! The size of an application, as the thesis "A Tool for Analysis of Concurrent Programs" counts it (tables 4.2 and 4.8): classes, methods,
//! statements, reads and writes, the share of them that is reached, and accesses of which nothing is known.
//!
//! A statement is an instruction of the bytecode here, where the thesis counts those of a three-address form.

use rayon::prelude::*;
use selvedge_facts::{AccessId, AccessKind, Facts};
use selvedge_findings::ApplicationTable;
use selvedge_world::{ClassId, Program, Tier};

/// Counts.
pub(crate) fn application(facts: &Facts<'_, '_>) -> ApplicationTable {
    let program = facts.view.program;
    let is_own = |class: &ClassId| program.classes[*class].tier == Tier::Application;
    let own: Vec<ClassId> = program.classes.ids().filter(is_own).collect();
    let mut table =
        own.par_iter().map(|&class| of_class(facts, class)).reduce(ApplicationTable::default, sum);
    table.classes = own.iter().filter(|&&class| !program.classes[class].is_phantom()).count() as u64;
    for (id, access) in facts.accesses.all.iter_ids() {
        match access.kind {
            AccessKind::Read => table.reads += 1,
            AccessKind::Write => table.writes += 1,
        }
        table.unknown += u64::from(access.base.is_some() && is_unknown(facts, id));
    }
    table
}

fn of_class(facts: &Facts<'_, '_>, class: ClassId) -> ApplicationTable {
    let program: &Program = facts.view.program;
    let mut table = ApplicationTable::default();
    let Some(file) = program.class_file(class) else { return table };
    for (method, member) in program.classes[class].methods.iter().zip(&file.methods) {
        let Ok(Some(code)) = member.code(&file.pool) else { continue };
        let statements = code.instructions().count() as u64;
        table.methods += 1;
        table.statements += statements;
        if facts.view.analysis.is_reached(method) {
            table.reached_methods += 1;
            table.reached_statements += statements;
        }
    }
    table
}

fn sum(a: ApplicationTable, b: ApplicationTable) -> ApplicationTable {
    ApplicationTable {
        methods: a.methods + b.methods,
        reached_methods: a.reached_methods + b.reached_methods,
        statements: a.statements + b.statements,
        reached_statements: a.reached_statements + b.reached_statements,
        ..ApplicationTable::default()
    }
}

/// Whether an access touches no object in any context.
fn is_unknown(facts: &Facts<'_, '_>, access: AccessId) -> bool {
    let instances = facts.view.analysis.instances_of(facts.accesses.all[access].method);
    instances.iter().all(|&instance| facts.accesses.may_touch(facts.view, access, instance).is_empty())
}
