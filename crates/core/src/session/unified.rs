//! The changes on disk as a unified diff, for programs and people: `git apply` and `patch` read it.
//!
//! It is made from the changes themselves, so that a patch, its undo and its redo share this code.

use std::ops::Range;
use std::path::Path;

use crate::show::say;
use crate::snapshot::diff::{ChangedLines, changed_lines};
use crate::transaction::{DiskChange, FileAction};

/// Lines shown on each side of a change.
const CONTEXT: usize = 3;

/// A diff of more bytes is not made, because hosts keep it with the conversation.
const MAX_BYTES: usize = 1 << 20;

/// Decodes the bytes of a file; returns `None` if they are not text.
pub(super) type AsText<'a> = &'a dyn Fn(&Path, &[u8]) -> Option<String>;

/// For diffs that programs read: only UTF-8 counts as text, because the diff is UTF-8.
pub(super) fn utf8(_: &Path, bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    text.map(str::to_owned)
}

/// The diff of some changes; `None` if it is too long. `name` says how to print a path.
pub(super) fn unified(
    changes: &[DiskChange],
    name: impl Fn(&Path) -> String,
    as_text: AsText<'_>,
) -> Option<String> {
    let sizes = changes.iter().map(|change| {
        let new = match &change.then {
            FileAction::Put(bytes) | FileAction::MoveTo { content: Some(bytes), .. } => bytes.len(),
            FileAction::Remove | FileAction::MoveTo { content: None, .. } => 0,
        };
        new + change.expected.as_ref().map_or(0, |bytes| bytes.len())
    });
    // For very large files no lines are compared, because that would read every byte of them.
    if sizes.sum::<usize>() > 64 * MAX_BYTES {
        return None;
    }
    let mut out = String::new();
    for change in changes {
        push_file(change, &name, as_text, &mut out);
        if out.len() > MAX_BYTES {
            return None;
        }
    }
    Some(out)
}

fn push_file(
    change: &DiskChange,
    name: impl Fn(&Path) -> String,
    as_text: AsText<'_>,
    out: &mut String,
) {
    let from = name(&change.path);
    let before = change.expected.as_deref();
    let (to, after) = match &change.then {
        FileAction::Put(bytes) => (from.clone(), Some(&**bytes)),
        FileAction::Remove => (from.clone(), None),
        FileAction::MoveTo { to, content } => (name(to), content.as_deref().or(before)),
    };
    if before == after && from == to {
        return;
    }
    let [old, new] = [quoted("a/", &from), quoted("b/", &to)];
    say(out, format_args!("diff --git {old} {new}\n"));
    match (before, after) {
        (None, Some(_)) => out.push_str("new file mode 100644\n"),
        (Some(_), None) => out.push_str("deleted file mode 100644\n"),
        _ if from != to => {
            let [from, to] = [quoted("", &from), quoted("", &to)];
            say(out, format_args!("rename from {from}\nrename to {to}\n"));
        }
        _ => {}
    }
    if before == after {
        return;
    }
    let text = |bytes: Option<&[u8]>| as_text(&change.path, bytes.unwrap_or_default());
    let (Some(before_text), Some(after_text)) = (text(before), text(after)) else {
        say(out, format_args!("Binary files {old} and {new} differ\n"));
        return;
    };
    if before_text == after_text {
        return;
    }
    // A name with a space is followed by a tab, or programs would cut it off at the space.
    let tab = |name: &str| if name.contains(' ') { "\t" } else { "" };
    let none = |there: bool, name: &str| {
        if there { format!("{name}{}", tab(name)) } else { "/dev/null".to_owned() }
    };
    say(out, format_args!("--- {}\n", none(before.is_some(), &old)));
    say(out, format_args!("+++ {}\n", none(after.is_some(), &new)));
    push_hunks(&before_text, &after_text, out);
}

fn push_hunks(before: &str, after: &str, out: &mut String) {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let changes = changed_lines(&old, &new);
    let mut rest = changes.as_slice();
    while let Some(first) = rest.first() {
        // Changes whose contexts touch form one hunk.
        let touch = |pair: &[ChangedLines]| pair[1].old.start - pair[0].old.end <= 2 * CONTEXT;
        let count = 1 + rest.windows(2).take_while(|pair| touch(pair)).count();
        let (together, others) = rest.split_at(count);
        let last = &together[count - 1];
        let lead = first.old.start.min(CONTEXT);
        let tail = (old.len() - last.old.end).min(CONTEXT);
        let olds = first.old.start - lead..last.old.end + tail;
        let news = first.new.start - lead..last.new.end + tail;
        say(out, format_args!("@@ -{} +{} @@\n", hunk_range(&olds), hunk_range(&news)));
        let mut at = olds.start;
        for change in together {
            push_lines(' ', &old[at..change.old.start], out);
            push_lines('-', &old[change.old.clone()], out);
            push_lines('+', &new[change.new.clone()], out);
            at = change.old.end;
        }
        push_lines(' ', &old[at..olds.end], out);
        rest = others;
    }
}

/// The ranges in which two lines differ, word by word, in the old and in the new one; `None` if
/// they have too little in common for that to help.
pub fn changed_words(old: &str, new: &str) -> Option<[Vec<Range<usize>>; 2]> {
    let [old, new] = [words(old), words(new)];
    let changes = changed_lines(&old, &new);
    let length = |words: &[&str]| words.iter().map(|word| word.trim().len()).sum::<usize>();
    let gone: usize = changes.iter().map(|change| length(&old[change.old.clone()])).sum();
    let total = length(&old).max(length(&new));
    if (length(&old) - gone) * 3 < total {
        return None;
    }
    let place = |words: &[&str], range: &Range<usize>| {
        let start = words[..range.start].concat().len();
        start..start + words[range.clone()].concat().len()
    };
    let olds = changes.iter().map(|change| place(&old, &change.old)).collect();
    let news = changes.iter().map(|change| place(&new, &change.new)).collect();
    Some([olds, news])
}

/// Splits a line into words: runs of letters and digits, runs of white space, and every other
/// character by itself.
fn words(line: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 1,
        c if c.is_whitespace() => 2,
        _ => 0,
    };
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next().map(kind) {
        let end = match first {
            0 => rest.chars().next().map(char::len_utf8),
            _ => rest.find(|c| kind(c) != first),
        };
        let (word, left) = rest.split_at(end.unwrap_or(rest.len()));
        words.push(word);
        rest = left;
    }
    words
}

/// The line numbers in the head of a hunk. For an empty range, that is the line before it.
fn hunk_range(lines: &Range<usize>) -> String {
    let start = if lines.is_empty() { lines.start } else { lines.start + 1 };
    match lines.len() {
        1 => start.to_string(),
        count => format!("{start},{count}"),
    }
}

fn push_lines(mark: char, lines: &[&str], out: &mut String) {
    for line in lines {
        out.push(mark);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// A name as Git prints it: in quotes if it contains control characters, quotes or backslashes.
fn quoted(side: &str, name: &str) -> String {
    let plain = |c: char| !c.is_control() && c != '"' && c != '\\';
    if name.chars().all(plain) {
        return format!("{side}{name}");
    }
    let mut out = format!("\"{side}");
    for c in name.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if plain(c) => out.push(c),
            c => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    say(&mut out, format_args!("\\{byte:03o}"));
                }
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn put(path: &str, before: Option<&str>, after: &str) -> DiskChange {
        DiskChange {
            path: PathBuf::from(path),
            expected: before.map(|text| text.to_owned().into()),
            then: FileAction::Put(after.to_owned().into()),
            like: None,
        }
    }

    fn diff(change: &DiskChange) -> String {
        unified(std::slice::from_ref(change), |path| path.display().to_string(), &utf8).unwrap()
    }

    #[test]
    fn changes_whose_contexts_meet_are_one_hunk() {
        let lines = |changed: &[usize]| -> String {
            (1..=20)
                .map(
                    |at| if changed.contains(&at) { format!("{at}!\n") } else { format!("{at}\n") },
                )
                .collect()
        };
        let heads = |changed: &[usize]| -> Vec<String> {
            let text = diff(&put("f", Some(&lines(&[])), &lines(changed)));
            text.lines().filter(|line| line.starts_with("@@")).map(str::to_owned).collect()
        };
        assert_eq!(heads(&[2]), ["@@ -1,5 +1,5 @@"]);
        assert_eq!(heads(&[2, 9]), ["@@ -1,12 +1,12 @@"]);
        assert_eq!(heads(&[2, 10]), ["@@ -1,5 +1,5 @@", "@@ -7,7 +7,7 @@"]);
    }

    #[test]
    fn lines_are_compared_by_their_words() {
        let check = |old: &str, new: &str, expected: Option<[&[&str]; 2]>| {
            let pick = |line: &str, ranges: &[Range<usize>]| -> Vec<String> {
                let part = |range: &Range<usize>| line[range.clone()].to_owned();
                ranges.iter().map(part).filter(|part| !part.is_empty()).collect()
            };
            let found = changed_words(old, new).map(|[a, b]| [pick(old, &a), pick(new, &b)]);
            let expected = expected
                .map(|both| both.map(|side| side.iter().map(ToString::to_string).collect()));
            assert_eq!(found, expected, "{old} | {new}");
        };
        check("sum += item.price;", "sum += item.cost;", Some([&["price"], &["cost"]]));
        check("f(a, b)", "f(b)", Some([&["a, "], &[]]));
        check("let é = 1;", "let é = 1; // x", Some([&[], &[" // x"]]));
        check("return 1;", "while (true) { go(); }", None);
    }

    #[test]
    fn endings_are_part_of_a_line() {
        let text = diff(&put("f", Some("a\r\nb"), "a\nb\n"));
        let hunk = text.split_once("@@\n").unwrap().1;
        assert_eq!(hunk, "-a\r\n-b\n\\ No newline at end of file\n+a\n+b\n");
    }

    #[test]
    fn names_are_quoted_as_git_does() {
        let head = |name: &str| diff(&put(name, None, "x\n")).lines().nth(3).unwrap().to_owned();
        assert_eq!(head("a b"), "+++ b/a b\t");
        assert_eq!(head("a\"\n"), "+++ \"b/a\\\"\\012\"");
        assert_eq!(
            diff(&put("f", Some("x"), "\0")).lines().last().unwrap(),
            "Binary files a/f and b/f differ"
        );
    }

    #[test]
    fn a_diff_that_is_too_long_is_not_made() {
        assert_eq!(
            unified(&[put("f", None, &"x\n".repeat(MAX_BYTES))], |_| "f".into(), &utf8),
            None
        );
    }
}
