//! One page that holds the whole report, its styles and its program, and needs no network.
//!
//! The report is embedded as data (see [`data`]) and shown by a small program that makes only the rows that are in
//! sight, so that ten thousand findings scroll as smoothly as ten. What comes from the analysed program reaches the
//! page only through that data, as text nodes, never as markup; a policy in the page forbids it to load anything.

mod data;

use selvedge_findings::Report;

use crate::Style;
use crate::words;

/// The page's frame, with a mark where each part belongs, in the order of [`render`].
const TEMPLATE: &str = include_str!("page/page.html");
const STYLES: &str = include_str!("page/page.css");
/// The program, in the order in which its parts build on each other.
const PROGRAM: [&str; 7] = [
    include_str!("page/elements.js"),
    include_str!("page/rows.js"),
    include_str!("page/links.js"),
    include_str!("page/pictures.js"),
    include_str!("page/detail.js"),
    include_str!("page/statistics.js"),
    include_str!("page/app.js"),
];

/// The report as a page.
pub fn render(report: &Report, style: &Style) -> String {
    let title = escape(&format!("Selvedge: {}", words::summary(report)));
    let parts = [
        ("{{title}}", title),
        ("{{styles}}", STYLES.to_owned()),
        ("{{data}}", embed(&data::of(report, style))),
        ("{{program}}", PROGRAM.concat()),
    ];
    let mut page = String::new();
    let mut rest = TEMPLATE;
    for (mark, part) in parts {
        let (before, after) = rest.split_once(mark).expect("the template has every mark, in order");
        page += before;
        page += &part;
        rest = after;
    }
    page + rest
}

/// Data as JSON inside a script element. Without `<` in it no text can end the element; within the strings, where
/// alone it can occur, `\u003c` means the same. `&` and `>` are escaped for readers that take the page for XML.
fn embed(data: &data::Page<'_>) -> String {
    let json = serde_json::to_string(data).expect("plain data with string keys becomes JSON");
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

fn escape(text: &str) -> String {
    words::clean(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_findings::{Finding, Kind, Location};

    #[test]
    fn nothing_breaks_out_of_the_data() {
        let location = Location::field("p.C</script><script>alert(1)//", "<!--{{program}}");
        let mut report =
            Report { findings: vec![Finding::new("pairs", Kind::Field, location)], ..Report::default() };
        report.finish();
        let page = render(&report, &Style::default());
        assert_eq!(page.matches("</script>").count(), 2, "the data's and the program's");
        assert!(page.contains("\\u003c/script\\u003e\\u003cscript\\u003ealert(1)//"));
        assert!(page.contains("{{program}}"), "a mark in the data is only text");
        assert_eq!(page.matches("<!--").count(), 0);
    }

    #[test]
    fn the_page_loads_nothing() {
        let page = render(&Report::default(), &Style::default());
        for address in ["http:", "https:", "//cdn", "src=", "@import", "url("] {
            assert!(!page.contains(address), "the page has {address}");
        }
    }
}
