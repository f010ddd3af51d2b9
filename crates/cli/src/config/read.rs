//! From the text of `selvedge.toml` to settings. Every mistake is reported with its line.

use std::collections::BTreeMap;
use std::path::Path;

use selvedge_facts::assertions::asserted::{Assertion, Claim};
use selvedge_findings::Rule;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{ASSUME, KEYS, SUPPRESS, Shape, TABLES, Table};
use super::{Config, Setting};

/// Reads a file's text. The errors are sentences that begin with the file and the line.
pub fn parse(text: &str, file: &Path) -> Result<Config, Vec<String>> {
    let mut reader = Reader { text, file, errors: Vec::new() };
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| reader.line(span.start));
        vec![reader.message(line, error.message())]
    })?;
    let mut config = Config { file: Some(file.to_owned()), ..Config::default() };
    let mut entries: Vec<_> = table.get_ref().iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    for (name, value) in entries {
        reader.entry(name, value, &mut config);
    }
    if reader.errors.is_empty() { Ok(config) } else { Err(reader.errors) }
}

struct Reader<'t> {
    text: &'t str,
    file: &'t Path,
    errors: Vec<String>,
}

type Name<'i> = Spanned<std::borrow::Cow<'i, str>>;
type Value<'i> = Spanned<DeValue<'i>>;

impl Reader<'_> {
    fn line(&self, offset: usize) -> usize {
        self.text.as_bytes()[..offset.min(self.text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1
    }

    fn message(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.file.display())
    }

    fn complain(&mut self, line: usize, what: &str) {
        let message = self.message(line, what);
        self.errors.push(message);
    }

    fn entry(&mut self, name: &Name<'_>, value: &Value<'_>, config: &mut Config) {
        let line = self.line(name.span().start);
        let name = name.get_ref().as_ref();
        if let Some(table) = TABLES.into_iter().find(|table| table.name == name) {
            self.tables(table, line, value, config);
        } else if let Some(key) = KEYS.iter().find(|key| key.name == name) {
            match self.values(key.shape, value.get_ref()) {
                Ok(None) => {}
                Ok(Some(values)) => {
                    let known = key.values();
                    match values.iter().find(|value| !known.is_empty() && !known.contains(value)) {
                        Some(value) => self.complain(
                            line,
                            &format!("`{name}` cannot be `{value}`; it may be {}", known.join(", ")),
                        ),
                        None => config.settings.push(Setting { key, values, line }),
                    }
                }
                Err(expected) => self.complain(line, &format!("`{name}` must be {expected}")),
            }
        } else {
            let known = KEYS.iter().map(|key| key.name).chain(TABLES.map(|table| table.name));
            let what = unknown("key", name, known);
            self.complain(line, &what);
        }
    }

    /// The values of an option; `None` for a flag that is off, an error that says what it must be.
    fn values(&self, shape: Shape, value: &DeValue<'_>) -> Result<Option<Vec<String>>, &'static str> {
        let one = |value: &DeValue<'_>| value.as_str().map(str::to_owned);
        let list = |value: &DeValue<'_>| match value {
            DeValue::Array(items) => items.iter().map(|item| one(item.get_ref())).collect(),
            _ => one(value).map(|text| vec![text]),
        };
        let path = |text: String| self.beside(&text);
        match shape {
            Shape::Text => Ok(Some(vec![one(value).ok_or("a text in quotes")?])),
            Shape::Path => Ok(Some(vec![path(one(value).ok_or("a path in quotes")?)])),
            Shape::Texts => Ok(Some(list(value).ok_or("a text in quotes, or a list of them")?)),
            Shape::Paths => {
                let paths = list(value).ok_or("a path in quotes, or a list of them")?;
                Ok(Some(paths.into_iter().map(path).collect()))
            }
            Shape::ClassPath => {
                let paths = match value {
                    DeValue::String(text) => std::env::split_paths(text.as_ref())
                        .map(|path| path.to_string_lossy().into_owned())
                        .collect(),
                    _ => list(value).ok_or("a list of paths, or one text as for java")?,
                };
                let joined = std::env::join_paths(paths.into_iter().map(path))
                    .map_err(|_| "a list of paths without the character that separates paths")?;
                Ok(Some(vec![joined.to_string_lossy().into_owned()]))
            }
            Shape::Number => {
                let number = value.as_integer().filter(|number| number.radix() == 10);
                let number = number.and_then(|number| number.as_str().parse::<u64>().ok());
                Ok(Some(vec![number.ok_or("a whole number")?.to_string()]))
            }
            Shape::Flag => Ok(value.as_bool().ok_or("true or false")?.then(Vec::new)),
            Shape::FlagOrTexts => match value.as_bool() {
                Some(set) => Ok(set.then(Vec::new)),
                None => Ok(Some(list(value).ok_or("true, or a list of texts")?)),
            },
        }
    }

    /// A path as the file means it: from its own directory. What is no path there may be a module of the JDK.
    fn beside(&self, path: &str) -> String {
        let folder = self.file.parent().filter(|folder| !folder.as_os_str().is_empty());
        match folder {
            Some(folder) if looks_like_a_path(path) || folder.join(path).exists() => {
                folder.join(path).to_string_lossy().into_owned()
            }
            _ => path.to_owned(),
        }
    }

    fn tables(&mut self, table: &'static Table, line: usize, value: &Value<'_>, config: &mut Config) {
        let DeValue::Array(items) = value.get_ref() else {
            return self.complain(line, &format!("tables of this kind begin with [[{}]]", table.name));
        };
        for item in items.iter() {
            let line = self.line(item.span().start);
            let DeValue::Table(entries) = item.get_ref() else {
                self.complain(line, &format!("tables of this kind begin with [[{}]]", table.name));
                continue;
            };
            if let Some(fields) = self.fields(table, line, entries) {
                self.add(table, line, fields, config);
            }
        }
    }

    /// The texts of a table in the order of its keys, if nothing is wrong with it.
    fn fields(
        &mut self,
        table: &'static Table,
        line: usize,
        entries: &DeTable<'_>,
    ) -> Option<Vec<Option<String>>> {
        let before = self.errors.len();
        let mut fields: Vec<Option<String>> = vec![None; table.keys.len()];
        for (name, value) in entries {
            let at = self.line(name.span().start);
            let name = name.get_ref().as_ref();
            match (table.keys.iter().position(|key| key.name == name), value.get_ref().as_str()) {
                (Some(index), Some(text)) => fields[index] = Some(text.to_owned()),
                (Some(_), None) => self.complain(at, &format!("`{name}` must be a text in quotes")),
                (None, _) => {
                    let what = unknown(
                        &format!("key in [[{}]]", table.name),
                        name,
                        table.keys.iter().map(|key| key.name),
                    );
                    self.complain(at, &what);
                }
            }
        }
        for (key, field) in table.keys.iter().zip(&fields) {
            if key.required && field.as_deref().is_none_or(|text| text.trim().is_empty()) {
                self.complain(line, &format!("[[{}]] needs a `{}`", table.name, key.name));
            }
        }
        (self.errors.len() == before).then_some(fields)
    }

    fn add(&mut self, table: &'static Table, line: usize, fields: Vec<Option<String>>, config: &mut Config) {
        let mut named: BTreeMap<&str, Option<String>> =
            table.keys.iter().map(|key| key.name).zip(fields).collect();
        let mut take = |name: &str| named.remove(name).flatten();
        if table.name == SUPPRESS.name {
            let rule = Rule {
                class: take("class"),
                field: take("field"),
                method: take("method"),
                key: take("key"),
                reason: take("reason").unwrap_or_default(),
            };
            if rule.class.is_none() && rule.field.is_none() && rule.method.is_none() && rule.key.is_none() {
                return self.complain(line, "[[suppress]] must say what: class, field, method or key");
            }
            config.suppress.push((rule, line));
        } else if table.name == ASSUME.name {
            let (confined, guarded, by) = (take("confined"), take("guarded"), take("by"));
            let reason = take("reason").unwrap_or_default();
            let said_at = format!("{}:{line}", self.file.display());
            let (apart, from, one_thread) = (take("never-parallel"), take("with"), take("one-thread"));
            let (about, claim) = match (confined, guarded, apart, one_thread) {
                (Some(about), None, None, None) => (about, Claim::Confined),
                (None, Some(about), None, None) => (about, Claim::Guarded { by }),
                (None, None, Some(about), None) => {
                    let from = from.unwrap_or_else(|| about.clone());
                    (about, Claim::Apart { from })
                }
                (None, None, None, Some(about)) => (about, Claim::OneThread),
                _ => {
                    let claims = "`confined`, `guarded`, `never-parallel` and `one-thread`";
                    return self.complain(line, &format!("[[assume]] needs one of {claims}"));
                }
            };
            config.assume.push((Assertion { about, claim, said_at, reason }, line));
        }
    }
}

fn looks_like_a_path(text: &str) -> bool {
    text.contains(['/', '\\']) && !Path::new(text).is_absolute()
}

/// That there is no such thing, and which was likely meant.
fn unknown<'k>(what: &str, name: &str, known: impl Iterator<Item = &'k str>) -> String {
    let nearest = known.map(|known| (distance(name, known), known)).min();
    match nearest {
        Some((distance, nearest)) if distance <= 3 && distance < nearest.len() => {
            format!("there is no {what} `{name}`; did you mean `{nearest}`?")
        }
        _ => format!("there is no {what} `{name}`"),
    }
}

/// How many letters must be put in, taken out or exchanged to get from one text to the other.
pub(crate) fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, letter) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for column in 0..to.len() {
            let exchanged = diagonal + usize::from(letter != to[column]);
            diagonal = row[column + 1];
            row[column + 1] = exchanged.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[track_caller]
    fn errors(text: &str) -> String {
        parse(text, Path::new("selvedge.toml")).unwrap_err().join("\n")
    }

    #[test]
    fn settings_are_read_with_their_lines() {
        let text = "inputs = [\"a.jar\", \"b\"]\n\nlibrary = true\nmax-time = 20\nstats = false\n\n\
                    [[suppress]]\nfield = \"C.f\"\nreason = \"so\"\n\n[[assume]]\nguarded = \"C.g\"\nby = \"lock\"\nreason = \"so\"\n";
        let config = parse(text, Path::new("conf/selvedge.toml")).unwrap();
        let setting = |name: &str| config.settings.iter().find(|setting| setting.key.name == name);
        assert_eq!(setting("inputs").unwrap().values.len(), 2);
        assert_eq!(setting("library").unwrap().values, [""; 0]);
        assert_eq!(setting("max-time").unwrap().line, 4);
        assert!(setting("stats").is_none());
        assert_eq!(config.suppress[0].0.field.as_deref(), Some("C.f"));
        assert_eq!(config.suppress[0].1, 7);
        assert_eq!(config.assume[0].0.said_at, "conf/selvedge.toml:11");
        assert_eq!(config.assume[0].0.claim, Claim::Guarded { by: Some("lock".into()) });
    }

    #[test]
    fn paths_begin_at_the_directory_of_the_file() {
        let config = parse("baseline = \"x/accepted.json\"\n", Path::new("conf/selvedge.toml")).unwrap();
        assert_eq!(config.settings[0].values, ["conf/x/accepted.json"]);
        let config = parse("inputs = \"java.base\"\n", Path::new("conf/selvedge.toml")).unwrap();
        assert_eq!(config.settings[0].values, ["java.base"]);
    }

    #[test]
    fn errors_name_the_line_and_what_was_likely_meant() {
        assert_eq!(
            errors("\nefort = \"low\"\nzzz = 1\n"),
            "selvedge.toml:2: there is no key `efort`; did you mean `effort`?\n\
             selvedge.toml:3: there is no key `zzz`"
        );
        assert_eq!(
            errors("effort = \"great\"\n"),
            "selvedge.toml:1: `effort` cannot be `great`; it may be low, default, high"
        );
        assert_eq!(errors("max-time = \"1\"\n"), "selvedge.toml:1: `max-time` must be a whole number");
        assert_eq!(
            errors("[[suppress]]\nfeld = \"C.f\"\n"),
            "selvedge.toml:2: there is no key in [[suppress]] `feld`; did you mean `field`?\n\
             selvedge.toml:1: [[suppress]] needs a `reason`"
        );
        assert_eq!(
            errors("[[suppress]]\nreason = \"x\"\n"),
            "selvedge.toml:1: [[suppress]] must say what: class, field, method or key"
        );
        assert_eq!(
            errors("[[assume]]\nreason = \"x\"\n"),
            "selvedge.toml:1: [[assume]] needs one of `confined`, `guarded`, `never-parallel` and `one-thread`"
        );
        assert!(errors("[suppress]\nfield = \"x\"\n").contains("begin with [[suppress]]"));
        assert!(errors("inputs = [\n").starts_with("selvedge.toml:"));
    }
}
