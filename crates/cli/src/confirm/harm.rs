//! What a race breaks: a directed run, held against plain ones.

use std::collections::BTreeSet;

use super::program::Ended;

/// What distinguishes a run from plain ones, as a sentence without a full stop. Outputs are compared only if those of the plain runs are the same.
pub fn harm(plain: &[Ended], directed: &Ended) -> Option<String> {
    let first = plain.first()?;
    let usual: BTreeSet<String> = plain.iter().flat_map(exceptions).collect();
    if let Some(new) = exceptions(directed).into_iter().find(|name| !usual.contains(name)) {
        return Some(format!("{new} was thrown"));
    }
    let Some(status) = directed.status else {
        let hangs = plain.iter().all(|run| run.status.is_some());
        return hangs.then(|| {
            format!(
                "the program did not finish within {:.1} s; undisturbed it takes {:.1} s",
                directed.took.as_secs_f64(),
                first.took.as_secs_f64(),
            )
        });
    };
    let all_end_with = |run: &Ended| run.status == first.status;
    if let Some(usual) = first.status.filter(|usual| *usual != status && plain.iter().all(all_end_with)) {
        return Some(format!("the program ended with {status}; undisturbed with {usual}"));
    }
    let outputs: Vec<String> = plain.iter().map(|run| without_hashes(&run.output)).collect();
    let is_steady = outputs.len() > 1 && outputs.iter().all(|output| *output == outputs[0]);
    let (line, usual) = difference(&outputs[0], &without_hashes(&directed.output)).filter(|_| is_steady)?;
    Some(format!("the output differs: {line} in place of {usual}"))
}

/// A text without the identity hashes that `Object.toString` prints: they differ from run to run.
fn without_hashes(text: &str) -> String {
    let mut parts = text.split('@');
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push('@');
        kept += part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    kept
}

/// The first line that differs, and what it is undisturbed.
fn difference(usual: &str, other: &str) -> Option<(String, String)> {
    let (mut usual, mut other) = (usual.lines(), other.lines());
    loop {
        let show = |line: Option<&str>| match line {
            Some(line) => format!("\"{}\"", line.chars().take(80).collect::<String>()),
            None => "nothing".to_owned(),
        };
        match (usual.next(), other.next()) {
            (None, None) => return None,
            (left, right) if left == right => {}
            (left, right) => return Some((show(right), show(left))),
        }
    }
}

/// The exceptions and errors that a run has printed, as classes.
fn exceptions(run: &Ended) -> BTreeSet<String> {
    run.errors.lines().chain(run.output.lines()).filter_map(exception).map(str::to_owned).collect()
}

/// The class in a line that the JVM or `printStackTrace` writes.
fn exception(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("Exception in thread ") {
        Some(rest) => rest.rsplit_once("\" ").map_or(rest, |(_, rest)| rest),
        None => line.strip_prefix("Caused by: ").unwrap_or(line),
    };
    let name = line.split([':', ' ']).next()?;
    let is_name =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    let fits = (name.ends_with("Exception") || name.ends_with("Error"))
        && name.contains('.')
        && name.split('.').all(is_name);
    fits.then_some(name)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn ended(output: &str, errors: &str) -> Ended {
        let status = Some(std::process::ExitStatus::default());
        Ended { status, output: output.to_owned(), errors: errors.to_owned(), took: Duration::from_secs(1) }
    }

    #[test]
    fn what_is_new_is_harm() {
        let plain = || vec![ended("10\n", ""), ended("10\n", "")];
        assert_eq!(harm(&plain(), &ended("10\n", "")), None);
        let other = harm(&plain(), &ended("9\n", "")).unwrap();
        assert_eq!(other, "the output differs: \"9\" in place of \"10\"");
        let thrown =
            "Exception in thread \"a \"b\"\" java.lang.NullPointerException: x\n\tat p.C.m(C.java:1)\n";
        assert_eq!(
            harm(&plain(), &ended("9\n", thrown)).unwrap(),
            "java.lang.NullPointerException was thrown"
        );
        let hangs = Ended { status: None, ..ended("", "") };
        assert!(harm(&plain(), &hangs).unwrap().contains("did not finish within"));
    }

    #[test]
    fn what_is_usual_is_none() {
        let usual = "java.io.IOException: closed\n";
        assert_eq!(harm(&[ended("", usual)], &ended("", usual)), None);
        assert_eq!(harm(&[ended("1", ""), ended("2", "")], &ended("3", "")), None, "it differs by itself");
        assert_eq!(
            harm(&[Ended { status: None, ..ended("", "") }], &Ended { status: None, ..ended("", "") }),
            None
        );
        let named = ["p.C@1f2e ok\n", "p.C@77 ok\n"].map(|output| ended(output, ""));
        assert_eq!(harm(&named, &ended("p.C@abc ok\n", "")), None);
        assert_eq!(exception("no Error here"), None);
        assert_eq!(exception("p.Error/1"), None);
    }
}
