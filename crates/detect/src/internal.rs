//! Packages of a library that are not for its callers, by their names: `internal` and `impl`.
//!
//! A name is a custom, not a rule. In a library whose public classes are nearly all in such packages there is nothing else to use; where more than half of
//! them are, what a static field holds is reached from the other half as likely as not, and only their own objects are left to the library. And where
//! classes of such a package implement the library's public types, while no other code and no service file of the library names the
//! package, only the callers can bring the two together: they name these classes.

use selvedge_base::{FastMap, FastSet};
use selvedge_classfile::Constant;
use selvedge_world::{ClassId, Program, Tier};

/// See the [module documentation](self).
#[derive(Default)]
pub(crate) struct InternalPackages {
    /// With slashes.
    packages: FastSet<String>,
    /// Whether most public classes are in such packages.
    are_most: bool,
}

/// If for one public class outside there are more than so many inside, the library has no other interface.
const NEARLY_ALL: usize = 8;

impl InternalPackages {
    /// Looks at all classes of the application.
    pub(crate) fn new(program: &Program) -> Self {
        let classes: Vec<ClassId> =
            program.classes.ids().filter(|&class| program.classes[class].tier == Tier::Application).collect();
        let by_name = |class: ClassId| package_named_internal(program, class);
        let mut packages: FastMap<String, bool> = FastMap::default();
        let (mut internal, mut others) = (0, 0);
        for &class in &classes {
            let declared = &program.classes[class];
            let Some(package) = by_name(class) else {
                others += usize::from(declared.is_public() && !is_nested(program, class));
                continue;
            };
            internal += usize::from(declared.is_public() && !is_nested(program, class));
            let implements = declared.is_public() && !declared.is_abstract() && {
                let above = program.superclasses(class).chain(program.all_interfaces(class).iter().copied());
                let is_interface = |above: ClassId| {
                    let declared = &program.classes[above];
                    declared.tier == Tier::Application && declared.is_public() && by_name(above).is_none()
                };
                above.into_iter().any(is_interface)
            };
            *packages.entry(package).or_default() |= implements;
        }
        if packages.is_empty() || internal > NEARLY_ALL * others {
            return Self::default();
        }
        let named = packages_named_from_outside(program, &classes);
        let is_internal = |(package, implements): &(String, bool)| !implements || named.contains(package);
        let packages = packages.into_iter().filter(is_internal).map(|(package, _)| package).collect();
        Self { packages, are_most: internal > others }
    }

    /// The package of a class, as Java writes it, if it is not for callers of the library; `is_static` says whether the memory in question is
    /// static.
    pub(crate) fn of_class(&self, program: &Program, class: ClassId, is_static: bool) -> Option<String> {
        if is_static && self.are_most {
            return None;
        }
        let package = package_named_internal(program, class)?;
        self.packages.contains(&package).then(|| package.replace('/', "."))
    }
}

/// The packages named internal that other code of the application or its resources name.
fn packages_named_from_outside(program: &Program, classes: &[ClassId]) -> FastSet<String> {
    let in_resources = program.classes_in_resources().iter().copied();
    let mut named: FastSet<String> =
        in_resources.filter_map(|class| package_named_internal(program, class)).collect();
    for &class in classes.iter().filter(|&&class| package_named_internal(program, class).is_none()) {
        let Some(file) = program.class_file(class) else { continue };
        for index in file.pool.indexes() {
            if let Ok(Constant::Class(name)) = file.pool.get(index)
                && let Some(package) = internal_package(&String::from_utf8_lossy(name))
            {
                named.insert(package.to_string());
            }
        }
    }
    named
}

fn package_named_internal(program: &Program, class: ClassId) -> Option<String> {
    internal_package(&program.classes[class].name.to_string()).map(str::to_string)
}

/// The package of a class name with slashes, if the package's name says that it is not for others.
fn internal_package(name: &str) -> Option<&str> {
    let (package, _) = name.rsplit_once('/')?;
    let is_internal = |part: &str| matches!(part, "internal" | "impl");
    package.split('/').any(is_internal).then_some(package)
}

fn is_nested(program: &Program, class: ClassId) -> bool {
    program.classes[class].name.as_bytes().contains(&b'$')
}
