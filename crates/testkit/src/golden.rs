//! Golden files: text that a test must reproduce, kept in the repository beside the test.

use crate::Failure;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Fails the test unless the file holds exactly `actual`. With `SELVEDGE_BLESS=1` in the environment the file is
/// written instead, and the change is then for `git diff` to judge.
#[track_caller]
pub fn check_golden(path: impl AsRef<Path>, actual: &str) {
    if let Err(failure) = compare_golden(path.as_ref(), actual) {
        panic!("{failure}");
    }
}

/// [`check_golden`] as a value, for tests that look at many files before they fail.
pub fn compare_golden(path: &Path, actual: &str) -> Result<(), Failure> {
    let bless = std::env::var("SELVEDGE_BLESS").is_ok_and(|value| value == "1");
    compare_or_write(path, actual, bless)
}

fn compare_or_write(path: &Path, actual: &str, bless: bool) -> Result<(), Failure> {
    let shown = path.display();
    match fs::read_to_string(path) {
        Ok(expected) if expected == actual => Ok(()),
        _ if bless => {
            if let Some(dir) = path.parent() {
                fs::create_dir_all(dir).map_err(Failure::io(format!("create {}", dir.display())))?;
            }
            fs::write(path, actual).map_err(Failure::io(format!("write {shown}")))
        }
        Ok(expected) => Err(Failure::new(format!(
            "{shown} differs (- the file, + what the test produced); SELVEDGE_BLESS=1 accepts the new text\n{}",
            diff(&expected, actual)
        ))),
        Err(error) => Err(Failure::new(format!(
            "cannot read {shown}: {error}; SELVEDGE_BLESS=1 writes it with this text:\n{actual}"
        ))),
    }
}

/// Lines shown around each change.
const CONTEXT: usize = 3;

/// Above this many cells of the comparison table the differing middle is shown as one block.
const TABLE_LIMIT: usize = 4_000_000;

/// The differences of two texts by line: `-` only in `expected`, `+` only in `actual`, and three lines around them.
/// Lines that differ only in their ending are distinguished by a remark.
pub fn diff(expected: &str, actual: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (expected.split_inclusive('\n').collect(), actual.split_inclusive('\n').collect());
    let prefix = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = (&old[prefix..], &new[prefix..]);
    let suffix = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(|(a, b)| a == b).count();

    let mut script: Vec<(char, &str)> = old[..prefix].iter().map(|line| (' ', *line)).collect();
    middle(&rest.0[..rest.0.len() - suffix], &rest.1[..rest.1.len() - suffix], &mut script);
    script.extend(old[old.len() - suffix..].iter().map(|line| (' ', *line)));
    render(&script)
}

/// Appends the edit script of two line sequences, by longest common subsequence.
fn middle<'a>(old: &[&'a str], new: &[&'a str], script: &mut Vec<(char, &'a str)>) {
    let width = new.len() + 1;
    if (old.len() + 1).saturating_mul(width) > TABLE_LIMIT {
        script.extend(old.iter().map(|line| ('-', *line)));
        script.extend(new.iter().map(|line| ('+', *line)));
        return;
    }
    // common[i * width + j]: the length of the longest common subsequence of old[i..] and new[j..].
    let mut common = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i * width + j] = if old[i] == new[j] {
                common[(i + 1) * width + j + 1] + 1
            } else {
                common[(i + 1) * width + j].max(common[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            script.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len()
            || (i < old.len() && common[(i + 1) * width + j] >= common[i * width + j + 1])
        {
            script.push(('-', old[i]));
            i += 1;
        } else {
            script.push(('+', new[j]));
            j += 1;
        }
    }
}

fn render(script: &[(char, &str)]) -> String {
    let near_change = |index: usize| {
        let window = index.saturating_sub(CONTEXT)..(index + CONTEXT + 1).min(script.len());
        script[window].iter().any(|(mark, _)| *mark != ' ')
    };
    let mut text = String::new();
    let (mut old_line, mut shown_before) = (1, true);
    for (index, &(mark, line)) in script.iter().enumerate() {
        let shown = near_change(index);
        if shown && !shown_before {
            let _ = writeln!(text, "  ... line {old_line}");
        }
        if shown {
            let body = line.strip_suffix('\n').unwrap_or(line);
            let _ = writeln!(text, "{mark} {}", body.replace('\r', "\\r"));
            if mark != ' ' && !line.ends_with('\n') {
                let _ = writeln!(text, "  (no line end)");
            }
        }
        shown_before = shown;
        old_line += usize::from(mark != '+');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::unique_work_dir;

    #[test]
    fn a_change_is_shown_with_its_surroundings() {
        let old: String = (1..=20).map(|n| format!("line {n}\n")).collect();
        let new = old.replace("line 10\n", "LINE 10\nand more\n");
        let expected = "  ... line 7\n  line 7\n  line 8\n  line 9\n- line 10\n+ LINE 10\n+ and more\n  line 11\n  line 12\n  line 13\n";
        assert_eq!(diff(&old, &new), expected);
    }

    #[test]
    fn two_changes_share_what_lies_between() {
        assert_eq!(diff("a\nb\nc\n", "x\nb\ny\n"), "- a\n+ x\n  b\n- c\n+ y\n");
        assert_eq!(diff("a\nb\n", "a\nb\n"), "");
    }

    #[test]
    fn line_ends_count() {
        assert_eq!(diff("a\n", "a"), "- a\n+ a\n  (no line end)\n");
        assert_eq!(diff("a\r\n", "a\n"), "- a\\r\n+ a\n");
    }

    #[test]
    fn huge_texts_fall_back_to_one_block() {
        let old: String = (0..3000).map(|n| format!("o{n}\n")).collect();
        let new: String = (0..3000).map(|n| format!("n{n}\n")).collect();
        let shown = diff(&old, &new);
        assert_eq!(shown.lines().count(), 6000);
        assert!(shown.starts_with("- o0\n- o1\n"));
    }

    #[test]
    fn blessing_writes_and_comparing_does_not() {
        let dir = unique_work_dir().unwrap();
        let path = dir.join("sub/golden.txt");
        let missing = compare_or_write(&path, "new\n", false).unwrap_err();
        assert!(missing.message().contains("SELVEDGE_BLESS=1"), "{missing}");
        assert!(!path.exists());

        compare_or_write(&path, "new\n", true).unwrap();
        compare_or_write(&path, "new\n", false).unwrap();
        let differs = compare_or_write(&path, "newer\n", false).unwrap_err();
        assert!(differs.message().ends_with("- new\n+ newer\n"), "{differs}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "new\n");
        fs::remove_dir_all(dir).unwrap();
    }
}
