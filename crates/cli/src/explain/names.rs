//! Names as users give them: with or without the package, with dots for nested classes, or with a slip.

use crate::config::read::distance;

/// How many names are suggested.
const SUGGESTED: usize = 3;

/// Whether a name means `full`: all of it, or its end from a dot on; nested classes may be separated by dots.
pub fn is_meant(full: &str, name: &str) -> bool {
    let ends = |full: &str| full == name || full.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
    let inner = |full: &str| full.strip_suffix(name).is_some_and(|rest| rest.ends_with('$'));
    !name.is_empty() && (ends(full) || ends(&full.replace('$', ".")) || inner(full))
}

/// The names that are nearest to one that means nothing, the nearest first: those in which few letters differ from the end of a name
/// with as many parts.
pub fn nearest(name: &str, known: impl Iterator<Item = String>) -> Vec<String> {
    let parts = name.split(['.', '$']).count();
    let field = |name: &str| name.rsplit(['.', '$']).next().unwrap_or_default().to_lowercase();
    let mut found: Vec<(usize, String)> = known
        .filter_map(|known| {
            let split: Vec<&str> = known.split(['.', '$']).collect();
            let end = split[split.len().saturating_sub(parts)..].join(".");
            let mut distance = distance(&name.replace('$', ".").to_lowercase(), &end.to_lowercase());
            // The right field with another class is near, too.
            if field(name) == field(&known) {
                distance = distance.min(2);
            }
            (distance <= 1 + name.len() / 4).then_some((distance, known))
        })
        .collect();
    found.sort();
    found.dedup();
    found.truncate(SUGGESTED);
    found.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_meant, nearest};

    #[test]
    fn names_may_be_short() {
        let all = ["p.Outer$Inner.count", "Outer$Inner.count", "Outer.Inner.count", "Inner.count", "count"];
        assert!(all.iter().all(|name| is_meant("p.Outer$Inner.count", name)));
        assert!(!is_meant("p.Outer$Inner.count", "ner.count") && !is_meant("p.C.f", ""));
    }

    #[test]
    fn slips_are_near_and_other_names_are_not() {
        let known = || ["p.Account.balance", "p.Account.owner", "p.Audit.log"].map(str::to_owned).into_iter();
        assert_eq!(nearest("Account.balanec", known()), ["p.Account.balance"]);
        assert_eq!(nearest("account.owner", known()), ["p.Account.owner"]);
        assert_eq!(nearest("Bank.log", known()), ["p.Audit.log"]);
        assert!(nearest("Warehouse.shelves", known()).is_empty());
    }
}
