//! Choosing classes and methods by name.

use anyhow::{Result, bail};
use selvedge_findings::pattern::matches;
pub use selvedge_findings::pattern::matches_class;
use selvedge_world::{ClassId, FieldId, Method, MethodId, Program, Tier, java_name};

/// The classes that a name means: of the application if there are any, else of everything.
pub fn classes(program: &Program, name: Option<&str>) -> Result<Vec<ClassId>> {
    let of_application = |&id: &ClassId| program.classes[id].tier == Tier::Application;
    let Some(name) = name else {
        return Ok(program.classes.ids().filter(of_application).collect());
    };
    let matches = |&id: &ClassId| {
        let class = &program.classes[id];
        !class.is_phantom() && matches_class(name, &java_name(class.name))
    };
    let all: Vec<ClassId> = program.classes.ids().filter(matches).collect();
    let own: Vec<ClassId> = all.iter().copied().filter(of_application).collect();
    match (own.is_empty(), all.is_empty()) {
        (false, _) => Ok(own),
        (true, false) => Ok(all),
        (true, true) => bail!("there is no class {name} in the given paths, their class path or the JDK"),
    }
}

/// The methods of the classes, or those that a name means.
pub fn methods(program: &Program, classes: &[ClassId], name: Option<&str>) -> Result<Vec<MethodId>> {
    let all = classes.iter().flat_map(|&class| program.classes[class].methods.iter());
    let wanted = |&id: &MethodId| name.is_none_or(|name| matches_method(name, &program.methods[id]));
    let chosen: Vec<MethodId> = all.filter(wanted).collect();
    match name {
        Some(name) if chosen.is_empty() => bail!("no class that was chosen has a method {name}"),
        _ => Ok(chosen),
    }
}

/// The fields that `class.field` means.
pub fn fields(program: &Program, name: &str) -> Result<Vec<FieldId>> {
    let Some((class, field)) = name.rsplit_once('.') else {
        bail!("a field is named by its class and its name, as in Account.owner, not by {name} alone");
    };
    let classes = classes(program, Some(class))?;
    let all = classes.iter().flat_map(|&class| program.classes[class].fields.iter());
    let chosen: Vec<FieldId> =
        all.filter(|&id| matches(field, &program.fields[id].name.to_string())).collect();
    if chosen.is_empty() {
        bail!("the class {class} has no field {field}");
    }
    Ok(chosen)
}

/// Whether a pattern means a method: by its name, or its name and descriptor.
pub fn matches_method(pattern: &str, method: &Method) -> bool {
    let name = method.name.to_string();
    matches(pattern, &name)
        || (pattern.contains('(') && matches(pattern, &format!("{name}{}", method.descriptor)))
}
