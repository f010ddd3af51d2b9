//! Names of classes, types and methods as Java programmers read them, made from the class file's, and taken apart again.

/// A method's name: `p.Outer$Inner.m(int,java.lang.String[])`. Constructors are called `<init>`, class initialisers
/// `<clinit>`, as in stack traces. `class` may be written with dots or slashes; a descriptor that is not valid is kept as
/// it is.
pub fn method_name(class: &str, name: &str, descriptor: &str) -> String {
    let class = class.replace('/', ".");
    let parameters =
        descriptor.strip_prefix('(').and_then(|rest| rest.split_once(')')).and_then(|(list, _)| {
            let mut rest = list;
            let mut types = Vec::new();
            while !rest.is_empty() {
                let (parameter, after) = split_type(rest)?;
                types.push(parameter);
                rest = after;
            }
            Some(types.join(","))
        });
    match parameters {
        Some(parameters) => format!("{class}.{name}({parameters})"),
        None => format!("{class}.{name}{descriptor}"),
    }
}

/// The Java name of a field descriptor: `[Ljava/lang/String;` is `java.lang.String[]`. What is no descriptor is taken as
/// the internal name of a class.
pub fn type_name(descriptor: &str) -> String {
    match split_type(descriptor) {
        Some((name, "")) => name,
        _ => descriptor.replace('/', "."),
    }
}

/// The first type of a list of descriptors, and the rest.
fn split_type(list: &str) -> Option<(String, &str)> {
    let element = list.trim_start_matches('[');
    let dimensions = list.len() - element.len();
    let (name, rest) = match element.chars().next()? {
        'L' => {
            let (class, rest) = element[1..].split_once(';')?;
            (class.replace('/', "."), rest)
        }
        code => {
            let primitive = match code {
                'B' => "byte",
                'C' => "char",
                'D' => "double",
                'F' => "float",
                'I' => "int",
                'J' => "long",
                'S' => "short",
                'Z' => "boolean",
                _ => return None,
            };
            (primitive.to_owned(), &element[1..])
        }
    };
    Some((name + &"[]".repeat(dimensions), rest))
}

/// The class of a method's name: `p.C` of `p.C.m(int)`.
pub fn class_of(method: &str) -> &str {
    let name = method.split_once('(').map_or(method, |(name, _)| name);
    name.rsplit_once('.').map_or("", |(class, _)| class)
}

/// The package of a class's name, empty for the unnamed one.
pub fn package_of(class: &str) -> &str {
    class.rsplit_once('.').map_or("", |(package, _)| package)
}

/// A class or array type without its package.
pub fn short_class(class: &str) -> &str {
    class.rsplit_once('.').map_or(class, |(_, name)| name)
}

/// A method without its package and its parameters: `C.m` of `p.C.m(int)`.
pub fn short_method(method: &str) -> &str {
    let name = method.split_once('(').map_or(method, |(name, _)| name);
    let package = package_of(class_of(method));
    name.get(package.len()..).map_or(name, |rest| rest.trim_start_matches('.'))
}

/// The name of a lock without packages: `this (C)` of `this (p.C)`, `C.lock` of `p.C.lock`, `class C` of `class p.C`, `C#2` of
/// the object `p.C#2` of a run.
pub fn short_lock(name: &str) -> String {
    if let Some((what, class)) = name.strip_suffix(')').and_then(|name| name.rsplit_once(" (")) {
        return format!("{what} ({})", short_class(class));
    }
    match name.rsplit_once(' ') {
        Some((what, class)) => format!("{what} {}", short_class(class)),
        None if name.contains('#') => short_class(name).to_owned(),
        None => short_method(name).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_named_from_descriptors_and_taken_apart() {
        let method = method_name("bank/Account$1", "move", "(I[[Ljava/lang/String;J)V");
        assert_eq!(method, "bank.Account$1.move(int,java.lang.String[][],long)");
        assert_eq!(class_of(&method), "bank.Account$1");
        assert_eq!(package_of(class_of(&method)), "bank");
        assert_eq!(short_method(&method), "Account$1.move");
        assert_eq!(short_method("Main.main(java.lang.String[])"), "Main.main");
        assert_eq!(short_method("p.C.<init>()"), "C.<init>");
        assert_eq!(short_class("java.util.Map$Entry[]"), "Map$Entry[]");
    }

    #[test]
    fn bad_descriptors_are_kept() {
        assert_eq!(method_name("p.C", "m", "(Q)V"), "p.C.m(Q)V");
        assert_eq!(method_name("p.C", "m", "junk"), "p.C.mjunk");
        assert_eq!(method_name("p.C", "m", "(Lp/D"), "p.C.m(Lp/D");
        assert_eq!(type_name("[I"), "int[]");
        assert_eq!(type_name("java/util/Map"), "java.util.Map");
    }

    #[test]
    fn locks_lose_their_packages() {
        assert_eq!(short_lock("this (p.C)"), "this (C)");
        assert_eq!(short_lock("class p.C"), "class C");
        assert_eq!(short_lock("this"), "this");
        assert_eq!(short_lock("p.C.lock"), "C.lock");
    }
}
