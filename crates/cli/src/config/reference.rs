//! The reference of `selvedge.toml` for people (Markdown) and for editors (JSON schema), made from [`keys`](super::keys).

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::keys::{KEYS, Key, Shape, TABLES, Table};

/// How the reference begins.
const INTRODUCTION: &str = "\
# Configuration

What a project would say on every command line can stand in `selvedge.toml`. It is found in the working directory, or named by
`--config FILE`; `--no-config` leaves it unread. What the command line says comes first. Relative paths begin at the
directory of the file. Nothing in it is needed: without a file everything has its default.

A key that is not known, or a value that cannot be, is an error that names the line. `selvedge schema config` prints a JSON schema
of the file, for editors that check TOML by one.

This page is made from the definitions of the options themselves.
";

/// The reference as Markdown.
pub fn markdown() -> String {
    let mut text = INTRODUCTION.to_owned();
    text += "\n## An example\n\n```toml\n";
    for name in ["inputs", "classpath", "sources", "scope", "fail-on", "baseline"] {
        for key in KEYS.iter().filter(|key| key.name == name) {
            let _ = writeln!(text, "{name} = {}", key.example);
        }
    }
    for table in TABLES {
        let _ = write!(text, "\n{}", table.example);
    }
    text += "```\n\n## Keys\n";
    for key in KEYS {
        let _ = write!(text, "\n### `{}`\n\n{}.\n\n- {}", key.name, key.help(), shape(key.shape));
        let values = key.values();
        if !values.is_empty() {
            let _ = write!(text, ": `{}`", values.join("`, `"));
        }
        if let Some(default) = key.default() {
            let _ = write!(text, "; if not given: `{default}`");
        }
        let option = match key.option().and_then(|option| option.get_long().map(str::to_owned)) {
            Some(long) => format!("`--{long}`"),
            None => "`PATH`".to_owned(),
        };
        let commands: Vec<String> = key.commands.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(
            text,
            "\n- On the command line: {option} of {}\n- Example: `{} = {}`",
            commands.join(", "),
            key.name,
            key.example
        );
    }
    for table in TABLES {
        let _ = write!(text, "\n## `[[{}]]`\n\n{}\n\n| key | meaning |\n|---|---|\n", table.name, table.help);
        for key in table.keys {
            let needed = if key.required { " (needed)" } else { "" };
            let _ = writeln!(text, "| `{}`{needed} | {} |", key.name, key.help.replace('|', "\\|"));
        }
        let _ = write!(text, "\n```toml\n{}```\n", table.example);
    }
    text
}

fn shape(shape: Shape) -> &'static str {
    match shape {
        Shape::Text => "A text",
        Shape::Path => "A path",
        Shape::Texts => "A list of texts, or one text",
        Shape::Paths => "A list of paths, or one path",
        Shape::ClassPath => "A list of paths, or one text as java's own class path",
        Shape::Number => "A whole number",
        Shape::Flag => "`true` or `false`",
        Shape::FlagOrTexts => "`true`, or a list of texts",
    }
}

/// The schema of the file.
pub fn schema() -> Value {
    let mut properties = Map::new();
    for key in KEYS {
        properties.insert(key.name.to_owned(), of_key(key));
    }
    for table in TABLES {
        properties.insert(table.name.to_owned(), of_table(table));
    }
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "selvedge.toml",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    })
}

fn of_key(key: &Key) -> Value {
    let text = || json!({"type": "string"});
    let texts = || json!({"type": "array", "items": {"type": "string"}});
    let mut schema = match key.shape {
        Shape::Text | Shape::Path => text(),
        Shape::Texts | Shape::Paths | Shape::ClassPath => json!({"anyOf": [text(), texts()]}),
        Shape::Number => json!({"type": "integer", "minimum": 0}),
        Shape::Flag => json!({"type": "boolean"}),
        Shape::FlagOrTexts => json!({"anyOf": [{"type": "boolean"}, texts()]}),
    };
    let values = key.values();
    if !values.is_empty() {
        schema["enum"] = json!(values);
    }
    schema["description"] = json!(key.help());
    schema
}

fn of_table(table: &Table) -> Value {
    let property = |help: &str| json!({"type": "string", "description": help});
    let properties: Map<String, Value> =
        table.keys.iter().map(|key| (key.name.to_owned(), property(key.help))).collect();
    let required: Vec<&str> = table.keys.iter().filter(|key| key.required).map(|key| key.name).collect();
    json!({
        "type": "array",
        "description": table.help,
        "items": {"type": "object", "additionalProperties": false, "properties": properties, "required": required},
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_testkit::{check_golden, repository_root};

    #[test]
    fn the_documentation_has_the_reference() {
        check_golden(repository_root().join("docs/configuration.md"), &markdown());
    }

    #[test]
    fn what_the_reference_shows_can_be_read() {
        let text = markdown();
        for example in text.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            let read = super::super::read::parse(example, std::path::Path::new("selvedge.toml"));
            assert!(read.is_ok(), "{read:?}\n{example}");
        }
    }
}
