//! The example of the paper's Figures 1 and 2, and variants of it.

use std::collections::BTreeSet;

use selvedge_facts::NodeId;

use crate::support::{Named, with_races};

/// The owner of every object that the program makes, by name; `root` for distributed ones.
fn owners(named: &Named<'_, '_, '_>) -> Vec<(String, String)> {
    let made = named.made().into_iter();
    made.map(|(name, object)| (name, named.node(named.facts.ownership().owner(object)))).collect()
}

fn check_owners(named: &Named<'_, '_, '_>, expected: &[(&str, &str)]) {
    let expected: Vec<(String, String)> =
        expected.iter().map(|(object, owner)| (object.to_string(), owner.to_string())).collect();
    assert_eq!(owners(named), expected);
}

fn check_races(named: &Named<'_, '_, '_>, expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|race| race.to_string()).collect();
    assert_eq!(named.all_races(), expected);
}

#[test]
fn the_example_has_the_owners_and_the_races_of_the_paper() {
    with_races("Warehouses", |named| {
        check_owners(
            named,
            &[
                ("Company", "root"),
                ("Manager", "root"),
                ("Stock", "Warehouse"),
                ("Transaction", "Manager"),
                ("Transaction[]", "Manager"),
                ("Warehouse", "root"),
                ("Warehouse[]", "Company"),
                ("Warehouses", "root"),
            ],
        );
        check_races(
            named,
            &["Stock: last, put", "Stock: put, put", "Warehouse: get, update", "Warehouse: update, update"],
        );
        let made = named.made();
        let minimal_boundary = |to: &str| named.node(named.facts.ownership().owner(made[to]));
        assert_eq!(minimal_boundary("Transaction"), "Manager", "minB(b -> t) = {{m}}");
        assert_eq!(minimal_boundary("Warehouse"), "root", "minB(t -> w) = {{root}}");
        let graph = &named.facts.ownership().graph;
        let (thread, manager) = (NodeId::of(made["Warehouses"]), made["Manager"]);
        assert!(graph.successors(thread).contains(manager), "each thread makes a manager");
        assert!(!graph.is_reentrant(thread, manager), "and only the thread comes to it from there");
        assert!(graph.is_reentrant(NodeId::of(made["Transaction"]), made["Warehouse"]));
    });
}

#[test]
fn a_lock_in_update_leaves_no_race() {
    with_races("WarehousesMended", |named| check_races(named, &[]));
}

#[test]
fn without_its_lock_the_company_races_and_so_does_its_array() {
    with_races("WarehousesOpenCompany", |named| {
        check_races(
            named,
            &[
                "Company: add, warehouse",
                "Company: open, warehouse",
                "Company: warehouse, warehouse",
                "Stock: last, put",
                "Stock: put, put",
                "Warehouse: get, update",
                "Warehouse: update, update",
                "Warehouse[]: rd, rd",
                "Warehouse[]: rd, wr",
            ],
        );
    });
}

#[test]
fn a_shared_manager_races_but_not_the_transaction_that_each_thread_makes() {
    with_races("WarehousesSharedManager", |named| {
        check_races(
            named,
            &[
                "Manager: go, go",
                "Manager: go, init",
                "Manager: init, init",
                "Stock: last, put",
                "Stock: put, put",
                "Transaction[]: wr, wr",
                "Warehouse: get, update",
                "Warehouse: update, update",
            ],
        );
    });
}

#[test]
fn what_leaks_is_owned_by_nobody() {
    with_races("WarehousesLeakingStock", |named| {
        assert!(owners(named).contains(&("Stock".to_string(), "root".to_string())));
        check_races(
            named,
            &[
                "Stock: last, last",
                "Stock: last, put",
                "Stock: put, put",
                "Warehouse: get, update",
                "Warehouse: update, update",
            ],
        );
    });
}

#[test]
fn an_owner_may_lock_itself_or_its_own_lock_or_what_it_owns() {
    for program in ["AccountSelf", "AccountLocal", "AccountClient"] {
        with_races(program, |named| {
            assert!(owners(named).contains(&("AccountImpl".to_string(), "Account".to_string())));
            check_races(named, &["Account: update, update"]);
        });
    }
    with_races("AccountUnlocked", |named| {
        check_races(
            named,
            &[
                "Account: update, update",
                "AccountImpl: get, get",
                "AccountImpl: get, put",
                "AccountImpl: put, put",
            ],
        );
    });
}
