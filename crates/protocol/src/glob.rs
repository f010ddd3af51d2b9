//! Patterns for class names: `*` for a part between dots, `**` for any number of parts, `?` for one character.

/// Whether the class's Java name (`p.q.C$D`) fits the pattern. `p.**` is everything below `p`; `*` does not cross a dot.
/// Slashes and dots are alike, in names and in patterns.
pub fn matches(pattern: &str, class: &str) -> bool {
    let normal = |byte: u8| if byte == b'/' { b'.' } else { byte };
    let class: Vec<u8> = class.bytes().map(normal).collect();
    let pattern: Vec<u8> = pattern.bytes().map(normal).collect();
    // reached[i]: the pattern so far fits the first i bytes.
    let mut reached = vec![false; class.len() + 1];
    reached[0] = true;
    let mut rest = pattern.as_slice();
    while let Some(first) = rest.first() {
        let mut next = vec![false; class.len() + 1];
        if *first == b'*' {
            let crosses = rest.get(1) == Some(&b'*');
            rest = &rest[if crosses { 2 } else { 1 }..];
            for end in 0..=class.len() {
                next[end] = reached[end] || (end > 0 && next[end - 1] && (crosses || class[end - 1] != b'.'));
            }
        } else {
            rest = &rest[1..];
            for end in 1..=class.len() {
                next[end] = reached[end - 1]
                    && (*first == class[end - 1] || (*first == b'?' && class[end - 1] != b'.'));
            }
        }
        reached = next;
    }
    reached[class.len()]
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_stop_at_dots_unless_doubled() {
        assert!(matches("p.*", "p.C"));
        assert!(!matches("p.*", "p.q.C"));
        assert!(matches("p.**", "p/q/C$D"));
        assert!(!matches("p.**", "pq.C"));
        assert!(matches("**", ""));
        assert!(matches("**Test", "a.b.CTest"));
        assert!(matches("*.C?", "p.C1"));
        assert!(!matches("p.C?", "p.C."));
        assert!(matches("p.C", "p.C"));
        assert!(!matches("", "p"));
    }

    #[test]
    fn many_stars_do_not_take_long() {
        assert!(!matches(&"a**".repeat(200), &"a".repeat(199)));
    }
}
