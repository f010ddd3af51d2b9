//! In which order instances are looked at when facts flow from callees to callers.

use selvedge_base::{BitSet, FastMap};
use selvedge_pta::InstanceId;

/// Some instances, callees before their callers as far as recursion allows: facts that flow upwards pass each of them few
/// times.
pub(super) fn callees_first(
    instances: &BitSet<InstanceId>,
    callers: &FastMap<InstanceId, Vec<InstanceId>>,
) -> Vec<InstanceId> {
    let callers_of = |instance: InstanceId| callers.get(&instance).map_or(&[][..], Vec::as_slice);
    let mut seen: BitSet<InstanceId> = BitSet::new();
    let mut left: Vec<InstanceId> = Vec::new();
    for start in instances.iter() {
        if !seen.insert(start) {
            continue;
        }
        let mut way = vec![(start, callers_of(start).iter())];
        while let Some((instance, above)) = way.last_mut() {
            match above.next() {
                Some(&caller) if instances.contains(caller) && seen.insert(caller) => {
                    way.push((caller, callers_of(caller).iter()));
                }
                Some(_) => {}
                None => {
                    left.push(*instance);
                    way.pop();
                }
            }
        }
    }
    left.reverse();
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_base::Id;

    #[test]
    fn callers_come_after_what_they_call() {
        let id = InstanceId::from_index;
        // 5 calls 0 and 3; 3 calls 1; 1 and 2 call each other; 2 calls 4.
        let calls = [(5, 0), (5, 3), (3, 1), (1, 2), (2, 1), (2, 4)];
        let mut callers: FastMap<InstanceId, Vec<InstanceId>> = FastMap::default();
        for (caller, callee) in calls {
            callers.entry(id(callee)).or_default().push(id(caller));
        }
        let order = callees_first(&(0..6).map(id).collect(), &callers);
        let position = |number: usize| order.iter().position(|&other| other == id(number));
        assert_eq!(order.len(), 6);
        for (caller, callee) in calls.into_iter().filter(|call| *call != (1, 2)) {
            assert!(position(callee) < position(caller) || (caller, callee) == (2, 1), "{order:?}");
        }
    }
}
