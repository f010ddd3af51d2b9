//! The little of generic signatures that a caller with erased types must know.

/// Whether a generic method takes, as a parameter, a type variable of its own with more than one bound, as in
/// `<T extends Foo & Bar> void m(T t)`. A caller that has only a `Foo` cannot call it.
pub(super) fn takes_intersection(signature: &[u8]) -> bool {
    parse(signature).unwrap_or(false)
}

fn parse(signature: &[u8]) -> Option<bool> {
    let mut rest = signature.strip_prefix(b"<")?;
    let mut intersections: Vec<&[u8]> = Vec::new();
    while !rest.starts_with(b">") {
        let colon = rest.iter().position(|&byte| byte == b':')?;
        let (name, after) = rest.split_at(colon);
        rest = after;
        let mut bounds = 0;
        while let Some(after) = rest.strip_prefix(b":") {
            rest = after;
            // The class bound may be left out where interfaces follow.
            if !rest.starts_with(b":") {
                rest = skip_type(rest)?;
                bounds += 1;
            }
        }
        if bounds > 1 {
            intersections.push(name);
        }
    }
    let mut rest = rest.strip_prefix(b">")?.strip_prefix(b"(")?;
    while !rest.starts_with(b")") {
        let element = &rest[rest.iter().take_while(|&&byte| byte == b'[').count()..];
        if let Some(variable) = element.strip_prefix(b"T") {
            let name = variable.split(|&byte| byte == b';').next()?;
            if intersections.contains(&name) {
                return Some(true);
            }
        }
        rest = skip_type(rest)?;
    }
    Some(false)
}

/// What comes after one type.
fn skip_type(signature: &[u8]) -> Option<&[u8]> {
    let mut rest = signature;
    while let Some(element) = rest.strip_prefix(b"[") {
        rest = element;
    }
    match rest.first()? {
        b'L' | b'T' => {
            let mut depth = 0usize;
            for (index, byte) in rest.iter().enumerate() {
                match byte {
                    b'<' => depth += 1,
                    b'>' => depth = depth.checked_sub(1)?,
                    b';' if depth == 0 => return Some(&rest[index + 1..]),
                    _ => {}
                }
            }
            None
        }
        _ => Some(&rest[1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_variables_with_several_bounds_that_are_parameters_count() {
        for (signature, expected) in [
            ("<T:Ljava/lang/Object;>(TT;)V", false),
            ("<T:Lp/Foo;:Lp/Bar;>(TT;)V", true),
            ("<T:Lp/Foo;:Lp/Bar<TT;>;>(I[[TT;)V", true),
            ("<T::Lp/Foo;:Lp/Bar;U:Ljava/lang/Object;>(TU;TT;)V", true),
            ("<T::Lp/Bar;>(TT;)V", false),
            ("<T:Lp/Foo;:Lp/Bar;>(Ljava/util/List<TT;>;)TT;", false),
            ("(Ljava/util/Map<Ljava/lang/String;[I>;)V", false),
            ("<T:", false),
        ] {
            assert_eq!(takes_intersection(signature.as_bytes()), expected, "{signature}");
        }
    }
}
