//! Which frames are machinery that no class file on the class path holds, recognised by their names.
//!
//! Class names are the JVM's internal ones; a hidden class carries its address after a dot, as in
//! `p/Main$$Lambda$14.0x0000000800c03000`, which no ordinary internal name can contain.

/// The kinds of machinery through which an edge is collapsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Plumbing {
    /// The class that implements a functional interface for a lambda or method reference.
    Lambda,
    /// A compiled form of a method handle, or a guard of a variable handle.
    MethodHandle,
    /// An accessor behind `Method.invoke` or `Constructor.newInstance`.
    Reflection,
    /// A class made by `java.lang.reflect.Proxy`.
    Proxy,
}

/// Whether a class was defined as hidden.
pub fn is_hidden(class: &str) -> bool {
    class.contains('.')
}

/// Whether no class file on any path holds this class: the JDK makes it while the program runs.
pub fn is_made_at_run_time(class: &str) -> bool {
    is_hidden(class) || is_proxy(class) || is_generated_accessor(class)
}

/// A hidden class's name without its address and counter, the same in every run: `p/Main$$Lambda`.
pub fn stable_name(class: &str) -> &str {
    let name = class.split_once('.').map_or(class, |(name, _)| name);
    match name.find("$$Lambda") {
        Some(at) if is_hidden(class) => &name[..at + "$$Lambda".len()],
        _ => name,
    }
}

/// The machinery whose last frame before the callee is `class.method`: a call by it is made on behalf of a frame below.
///
/// Narrower than [`continues`]: an accessor that spins up a faster version of itself, say, calls on its own behalf.
pub fn begins(class: &str, method: &str) -> Option<Plumbing> {
    if method.starts_with('<') {
        return None;
    }
    if is_hidden(class) {
        return Some(if class.contains("$$Lambda") { Plumbing::Lambda } else { Plumbing::MethodHandle });
    }
    if let Some(name) = class.strip_prefix("java/lang/invoke/") {
        // Forms that the JDK's image holds ready-made; all others are hidden classes.
        let is_form = name.ends_with("$Holder") || name == "VarHandleGuards";
        return is_form.then_some(Plumbing::MethodHandle);
    }
    if let Some(name) = class.strip_prefix("jdk/internal/reflect/") {
        // The accessors of JDK 18 and later call method handles, those before it a native method.
        let is_last = is_generated_accessor(class)
            || matches!(method, "invoke0" | "newInstance0")
            || name.starts_with("Direct");
        return is_last.then_some(Plumbing::Reflection);
    }
    is_proxy(class).then_some(Plumbing::Proxy)
}

/// The machinery that `class.method` belongs to when the frame above it is machinery too.
pub fn continues(class: &str, method: &str) -> Option<Plumbing> {
    let reflection = match class {
        "java/lang/reflect/Method" => method == "invoke",
        "java/lang/reflect/Constructor" => method.starts_with("newInstance"),
        "java/lang/Class" => method == "newInstance",
        _ => {
            class.starts_with("jdk/internal/reflect/")
                && (method.starts_with("invoke") || method.starts_with("newInstance"))
        }
    };
    if reflection {
        return Some(Plumbing::Reflection);
    }
    if class == "java/lang/invoke/MethodHandle" && method == "invokeWithArguments" {
        return Some(Plumbing::MethodHandle);
    }
    begins(class, method)
}

/// Whether an edge into this class is of no interest as the end of a collapsed edge: the machinery calling itself.
pub fn is_internal(class: &str) -> bool {
    is_hidden(class)
        || class.starts_with("java/lang/invoke/")
        || class.starts_with("jdk/internal/reflect/")
        || is_proxy(class)
}

fn is_generated_accessor(class: &str) -> bool {
    let name = class.strip_prefix("jdk/internal/reflect/Generated");
    name.is_some_and(|name| name.contains("Accessor"))
}

/// Whether a class is a dynamic proxy: `$Proxy` and a number. The JDK names them so, and nobody else does.
pub fn is_proxy(class: &str) -> bool {
    let last = class.rsplit('/').next().unwrap_or(class);
    let number = last.strip_prefix("$Proxy").unwrap_or("");
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart_by_name() {
        let lambda = "p/Main$$Lambda$14.0x0000000800c03000";
        assert_eq!(begins(lambda, "run"), Some(Plumbing::Lambda));
        assert_eq!(begins(lambda, "<init>"), None);
        assert_eq!(
            begins("java/lang/invoke/LambdaForm$MH.0x0000000800c00400", "invoke"),
            Some(Plumbing::MethodHandle)
        );
        assert_eq!(
            begins("java/lang/invoke/DirectMethodHandle$Holder", "invokeStatic"),
            Some(Plumbing::MethodHandle)
        );
        assert_eq!(begins("java/lang/invoke/MethodHandles$Lookup", "findVirtual"), None);
        assert_eq!(begins("java/lang/invoke/LambdaForm$BasicType", "basicType"), None);
        assert_eq!(
            begins("jdk/internal/reflect/GeneratedMethodAccessor3", "invoke"),
            Some(Plumbing::Reflection)
        );
        assert_eq!(
            begins("jdk/internal/reflect/NativeMethodAccessorImpl", "invoke0"),
            Some(Plumbing::Reflection)
        );
        assert_eq!(begins("com/sun/proxy/$Proxy12", "run"), Some(Plumbing::Proxy));
        assert_eq!(begins("p/$ProxyFactory", "run"), None);
        assert_eq!(begins("p/$Proxy", "run"), None);
        assert_eq!(begins("p/Main", "run"), None);
    }

    #[test]
    fn an_accessor_that_works_for_itself_begins_nothing() {
        let accessor = "jdk/internal/reflect/NativeMethodAccessorImpl";
        assert_eq!(begins(accessor, "invoke"), None);
        assert_eq!(continues(accessor, "invoke"), Some(Plumbing::Reflection));
        assert_eq!(continues("java/lang/reflect/Method", "getName"), None);
        assert_eq!(continues("p/Main", "invoke"), None);
    }

    #[test]
    fn hidden_names_lose_what_changes_from_run_to_run() {
        assert_eq!(stable_name("p/Main$$Lambda$14.0x0000000800c03000"), "p/Main$$Lambda");
        assert_eq!(stable_name("java/lang/invoke/LambdaForm$MH.0x08"), "java/lang/invoke/LambdaForm$MH");
        assert_eq!(stable_name("p/Main$$Lambda$Named"), "p/Main$$Lambda$Named");
    }
}
