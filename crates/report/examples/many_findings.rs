//! Writes a page with many made-up findings, to try how it behaves:
//! `cargo run -p selvedge-report --example many_findings -- 10000 > page.html`.

#[path = "../tests/common/many.rs"]
mod many;

use selvedge_report::{Format, Style, render};

fn main() {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1000);
    print!("{}", render(&many::report(count), Format::Html, &Style::default()));
}
