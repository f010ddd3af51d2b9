//! The page in a real browser, wide and narrow: a script clicks and types its way through it, looks at names, roles and contrasts in
//! light, dark and print, and says what went wrong.
//! Where no Chromium is installed only the data in the page is looked at.

mod common;
#[path = "common/many.rs"]
mod many;

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use selvedge_findings::Report;
use selvedge_report::{Format, Style, render};
use selvedge_testkit::{cache_dir, check_golden, run_with_timeout};

/// The names under which the browser is installed.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let dirs: Vec<PathBuf> = std::env::split_paths(&path).collect();
    BROWSERS.iter().flat_map(|name| dirs.iter().map(move |dir| dir.join(name))).find(|file| file.is_file())
}

/// Windows that the page is tried in: of a desk, and of a telephone.
const WINDOWS: [(&str, &str); 2] = [("wide", "1400,900"), ("narrow", "500,900")];

/// Clicks through the page of a report in every window; the script says what went wrong.
#[track_caller]
fn click_through(name: &str, report: &Report, style: &Style) {
    for (window, size) in WINDOWS {
        click_through_in(&format!("{name}-{window}"), size, report, style);
    }
}

#[track_caller]
fn click_through_in(name: &str, size: &str, report: &Report, style: &Style) {
    let Some(browser) = browser() else {
        eprintln!("skipped: no Chromium on the PATH to try the page in");
        return;
    };
    let page = render(report, Format::Html, style);
    let driver = include_str!("data/click-through.js");
    let page = page.replace("</body>", &format!("<script>\n{driver}\n</script>\n</body>"));
    let dir = cache_dir().join(format!("page-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("the cache can be written");
    let file = dir.join("page.html");
    std::fs::write(&file, page).expect("the cache can be written");
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu"]);
    command.arg(format!("--window-size={size}"));
    command.arg(format!("--user-data-dir={}", dir.join("profile").display()));
    command.args(["--virtual-time-budget=20000", "--dump-dom"]);
    command.arg(format!("file://{}", file.display()));
    let run = run_with_timeout(command, Duration::from_secs(180)).expect("the browser starts");
    let seen = run.stdout.split_once("<pre id=\"seen\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let (seen, _) = seen.unwrap_or_else(|| panic!("{name}: the script did not finish: {}", run.stderr));
    assert_eq!(seen, "done", "{name}");
    let _ = std::fs::remove_dir_all(dir);
}

#[test]
fn samples() {
    for (name, report) in common::all() {
        click_through(name, &report, &common::style_with_sources());
    }
}

#[test]
fn many_findings() {
    click_through("many", &many::report(10_000), &Style::default());
}

/// The data in a page, which is all of it that depends on the report, laid out for people.
fn data_of(page: &str) -> String {
    let (_, rest) = page.split_once("type=\"application/json\">").expect("the page has data");
    let (data, _) = rest.split_once("</script>").expect("the data ends");
    let data: serde_json::Value = serde_json::from_str(data).expect("the data is JSON");
    serde_json::to_string_pretty(&data).expect("JSON can be written") + "\n"
}

#[test]
fn data_of_samples() {
    for (name, report) in common::all() {
        let page = render(&report, Format::Html, &common::style_with_sources());
        assert_eq!(page, render(&report, Format::Html, &common::style_with_sources()), "different bytes");
        let golden = format!("{}/tests/golden/{name}.page.json", env!("CARGO_MANIFEST_DIR"));
        check_golden(golden, &data_of(&page));
    }
}
