//! The page with the rules that diagnostics lead to: `docs/rules.md`, written where no network is needed.

use std::fmt::Write as _;

/// The documentation's page, as Markdown.
const RULES: &str = include_str!("../../../docs/rules.md");

/// The page as HTML. The section of the rule `race/field` is `#field`.
pub fn page() -> String {
    let mut body = String::new();
    let mut is_code = false;
    let mut is_open = false;
    for line in RULES.lines() {
        if line.starts_with("```") {
            body += if is_code { "</pre>\n" } else { "<pre>" };
            is_code = !is_code;
        } else if is_code {
            body += &escaped(line);
            body.push('\n');
        } else if let Some(rule) = line.strip_prefix("## ") {
            let section = rule.rsplit('/').next().unwrap_or(rule);
            let _ = writeln!(body, "<h2 id=\"{section}\">{}</h2>", escaped(rule));
        } else if let Some(title) = line.strip_prefix("# ") {
            let _ = writeln!(body, "<h1>{}</h1>", escaped(title));
        } else if line.is_empty() {
            body += if is_open { "</p>\n" } else { "" };
            is_open = false;
        } else {
            body += if is_open { "\n" } else { "<p>" };
            is_open = true;
            body += &inline(line);
        }
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Selvedge: rules</title>\n<style>body \
         {{ font: 16px/1.5 sans-serif; max-width: 46em; margin: 2em auto; padding: 0 1em; color-scheme: light dark }} \
         pre {{ overflow: auto; padding: 1em; border: 1px solid #8888 }}</style>\n{body}</html>\n"
    )
}

/// A line with its code marked; links lead nowhere here, so only their text is left.
fn inline(line: &str) -> String {
    let mut text = String::new();
    for (index, part) in line.split('`').enumerate() {
        if index % 2 == 1 {
            let _ = write!(text, "<code>{}</code>", escaped(part));
            continue;
        }
        let mut rest = part;
        while let Some((before, (label, after))) =
            rest.split_once('[').and_then(|(before, after)| Some((before, after.split_once("](")?)))
        {
            text += &escaped(before);
            text += &escaped(label);
            rest = after.split_once(')').map_or("", |(_, behind)| behind);
        }
        text += &escaped(rest);
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_section() {
        let page = page();
        for kind in selvedge_findings::Kind::ALL {
            let section = selvedge_report::rule(kind).trim_start_matches("race/").to_owned();
            assert!(page.contains(&format!("<h2 id=\"{section}\">")), "{section}");
        }
        assert!(!page.contains("```") && !page.contains("](") && page.contains("<code>volatile</code>"));
    }
}
