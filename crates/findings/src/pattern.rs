//! Patterns in which `*` stands for any characters and `?` for one, over the names of classes, fields and methods.

/// Whether a text matches a pattern as a whole.
pub fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    // Where to try again: after the last star, with one character more given to it.
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                retry = Some((p + 1, t));
                p += 1;
            }
            Some(&c) if c == '?' || c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match &mut retry {
                Some((after_star, start)) => {
                    *start += 1;
                    (p, t) = (*after_star, *start);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

/// Whether a pattern means a class: by its full name, or, where the pattern has no dot, by its name without the package.
pub fn matches_class(pattern: &str, class: &str) -> bool {
    let simple = class.rsplit('.').next().unwrap_or(class);
    let pattern = pattern.replace('/', ".");
    matches(&pattern, class) || (!pattern.contains('.') && matches(&pattern, simple))
}

/// Whether a pattern means a member `p.C.m`: by its full name, or by the end of it from some dot on, `C.m`.
pub fn matches_member(pattern: &str, member: &str) -> bool {
    matches(pattern, member) || matches(&format!("*.{pattern}"), member)
}

/// Whether a pattern means a method `p.C.m(int)`: as [`matches_member`] has it, with or without the parameters.
pub fn matches_method(pattern: &str, method: &str) -> bool {
    let name = if pattern.contains('(') { method } else { method.split('(').next().unwrap_or(method) };
    matches_member(pattern, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, text, expected) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("*", "", true),
            ("a*c", "abbc", true),
            ("a*c", "abcb", false),
            ("*b*b", "abab", true),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("<init>", "<init>", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn classes_are_known_by_full_and_simple_name() {
        assert!(matches_class("p.q.C", "p.q.C"));
        assert!(matches_class("p/q/C", "p.q.C"));
        assert!(matches_class("C", "p.q.C"));
        assert!(matches_class("C$*", "p.q.C$D"));
        assert!(matches_class("p.*", "p.q.C"));
        assert!(!matches_class("q.C", "p.q.C"));
        assert!(!matches_class("C", "p.q.C$D"));
    }

    #[test]
    fn members_are_known_by_the_end_of_their_name() {
        assert!(matches_member("p.C.f", "p.C.f"));
        assert!(matches_member("C.f", "p.C.f"));
        assert!(matches_member("C.*", "p.C.f"));
        assert!(!matches_member("D.f", "p.CD.f"));
        assert!(matches_method("C.m", "p.C.m(int)"));
        assert!(matches_method("C.m(int)", "p.C.m(int)"));
        assert!(!matches_method("C.m()", "p.C.m(int)"));
    }
}
