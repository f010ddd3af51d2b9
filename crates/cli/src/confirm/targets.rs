//! From findings to what a directed run holds.

use std::collections::HashMap;

use selvedge_findings::{Action, Finding, Kind, Location, Side, class_of};
use selvedge_protocol::{Hold, HoldAccess, HoldPair, HoldSite};

/// At most so many pairs of a finding are held in one run.
const MOST_PAIRS: usize = 40;

/// What is held, and whose it is.
#[derive(Debug, Default)]
pub struct Targets {
    /// The sites and pairs; how they are held is still to be said.
    pub hold: Hold,
    /// For each pair the position of its finding in the list, and which of its pairs it is: 0 for the finding's own.
    pub of: Vec<(usize, usize)>,
}

impl Targets {
    /// What is to be held for these findings, given with their positions.
    pub fn new<'f>(findings: impl IntoIterator<Item = (usize, &'f Finding)>) -> Targets {
        let mut targets = Targets::default();
        let mut known: HashMap<HoldSite, u32> = HashMap::new();
        for (position, finding) in findings {
            let own = std::iter::once((finding.kind, &finding.location, &finding.sides));
            let further = finding.pairs.iter().map(|pair| (pair.kind, &pair.location, &pair.sides));
            for (number, (kind, location, sides)) in own.chain(further).take(MOST_PAIRS).enumerate() {
                let [Some(first), Some(second)] = sides.each_ref().map(|side| site(kind, location, side))
                else {
                    continue;
                };
                let [first, second] = [first, second].map(|site| {
                    let next = targets.hold.sites.len() as u32;
                    *known.entry(site).or_insert_with_key(|site| {
                        targets.hold.sites.push(site.clone());
                        next
                    })
                });
                let is_container = kind == Kind::Container;
                targets.hold.pairs.push(HoldPair {
                    sides: [first, second],
                    receiver: is_container.then(|| location.class.clone()),
                    field: location.field.as_ref().map(|field| (location.class.clone(), field.clone())),
                });
                targets.of.push((position, number));
            }
        }
        targets.hold.version = Hold::VERSION;
        targets
    }
}

/// Where a side is; `None` if no instruction can be meant.
fn site(kind: Kind, location: &Location, side: &Side) -> Option<HoldSite> {
    let class = class_of(&side.at.method);
    let method = side.at.method.get(class.len() + 1..).filter(|_| !class.is_empty())?;
    let called = side.called.as_deref().unwrap_or_default();
    let called = called.rsplit_once('.').map_or(called, |(_, name)| name);
    let access = match (kind, side.action, &location.field) {
        (Kind::Field | Kind::Static, Action::Read, Some(field)) => HoldAccess::Read(field.clone()),
        (Kind::Field | Kind::Static, Action::Write, Some(field)) => HoldAccess::Write(field.clone()),
        (Kind::Array, Action::Read, _) => HoldAccess::ArrayRead,
        (Kind::Array, Action::Write, _) => HoldAccess::ArrayWrite,
        (Kind::Container, ..) => HoldAccess::Call(called.to_owned()),
        _ => return None,
    };
    Some(HoldSite {
        class: class.to_owned(),
        method: method.to_owned(),
        line: side.at.line,
        index: side.at.bytecode_index,
        access,
    })
}

#[cfg(test)]
mod tests {
    use selvedge_findings::Frame;

    use super::*;

    fn side(action: Action, method: &str, line: u32) -> Side {
        Side::new(action, Frame::new(method).at("C.java", line))
    }

    #[test]
    fn sites_are_named_once() {
        let location = Location::field("p.C", "f");
        let write = side(Action::Write, "p.C.set(int)", 3);
        let read = side(Action::Read, "p.C.get()", 5);
        let one = Finding::new("pairs", Kind::Field, location.clone()).sides(write.clone(), read);
        let two = Finding::new("pairs", Kind::Field, location).sides(write.clone(), write);
        let targets = Targets::new([(0, &one), (4, &two)]);
        assert_eq!(targets.of, [(0, 0), (4, 0)]);
        assert_eq!(targets.hold.pairs.iter().map(|pair| pair.sides).collect::<Vec<_>>(), [[0, 1], [0, 0]]);
        assert_eq!(targets.hold.sites[0].method, "set(int)");
        assert_eq!(targets.hold.sites[1].access, HoldAccess::Read("f".to_owned()));
    }

    #[test]
    fn a_call_is_known_by_its_name_and_the_class_of_its_receiver() {
        let call = |called: &str| side(Action::Call, "p.C.add()", 3).calling(Some(called.to_owned()));
        let location = Location::object("java.util.HashMap", Vec::new());
        let finding = Finding::new("pairs", Kind::Container, location)
            .sides(call("java.util.Map.put"), call("java.util.Map.get"));
        let hold = Targets::new([(0, &finding)]).hold;
        assert_eq!(hold.sites[0].access, HoldAccess::Call("put".to_owned()));
        assert_eq!(hold.pairs[0].receiver.as_deref(), Some("java.util.HashMap"));
    }
}
