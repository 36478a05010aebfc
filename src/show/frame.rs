//! What is printed around rows: headers above them, gaps between them, footers below them.

use super::name::name;
use super::words::count;

/// The row in place of lines left out between two that are shown.
pub const GAP: &str = "...";

/// `src/a.rs (what)`: the header of a file.
pub fn titled(path: &str, what: &str) -> String {
    format!("{} ({what})", name(path))
}

/// The header above the lines of a file, of which `shown` from the zero-based `start` on are shown.
pub fn lines_header(path: &str, start: usize, shown: usize, total: usize) -> String {
    match (shown, total) {
        (_, 0) => titled(path, "empty"),
        (0, _) => titled(path, &format!("no lines of {total}")),
        _ => titled(path, &format!("lines {}-{} of {total}", start + 1, start + shown)),
    }
}

/// The header above the lines of one file that a search inside it found.
pub fn search_header(path: &str, pattern: &str, matches: usize, total: Option<usize>) -> String {
    let matches = match matches {
        0 => "no match".to_owned(),
        _ => count(matches, "match"),
    };
    if total == Some(0) {
        return titled(path, "empty");
    }
    let total = total.map_or(String::new(), |total| format!(" in {}", count(total, "line")));
    titled(path, &format!("{matches} for `{pattern}`{total}"))
}

/// The header above the lines of one of many files that were searched.
pub fn matches_header(path: &str, shown: usize, matches: usize) -> String {
    let all = count(matches, "match");
    titled(path, &if shown < matches { format!("{shown} of {all}") } else { all })
}

/// The footer that says how to see the `rest` that was left out, as `1 more line`.
pub fn read_on(rest: usize, one: &str, next: usize) -> String {
    format!("[{}: read again with offset {next}]", count(rest, &format!("more {one}")))
}

/// The footer that says how many matches in how many files are shown, each out of a total.
pub fn matches_footer(matches: (usize, usize), files: (usize, usize)) -> String {
    format!(
        "[{} of {} in {} of {} shown: narrow the pattern, path or glob, or raise limit]",
        matches.0,
        count(matches.1, "match"),
        files.0,
        count(files.1, "file"),
    )
}

/// The row in place of `number` rows with a mark that are not shown.
pub fn rows_left_out(mark: super::Mark, number: usize) -> String {
    format!("{mark}{GAP} {number} more")
}

/// Whether a line is the row in place of lines left out.
pub(super) fn is_gap(line: &str) -> bool {
    let rest = line.strip_prefix(['+', '-']).unwrap_or(line);
    rest.strip_prefix(GAP).is_some_and(|rest| {
        let number = rest.strip_prefix(' ').and_then(|rest| rest.strip_suffix(" more"));
        rest.is_empty() || number.is_some_and(is_number)
    })
}

/// Whether a line is one of those that frame a report.
pub(super) fn is_report_line(line: &str) -> bool {
    let applied = line.strip_prefix("Applied ").and_then(|rest| rest.split_once(" to "));
    applied.is_some_and(|(ops, files)| is_count(ops, "operation") && is_count(files, "file"))
        || line == "REJECTED: nothing was written"
        || line == "Actual state:"
        || (line.starts_with("Hash mismatch at ") && line.ends_with('.') && !line.contains('|'))
}

/// Whether a line ends as the header of a file does.
pub(super) fn is_header(line: &str) -> bool {
    if line.rsplit_once(": ").is_some_and(|(_, sizes)| is_sizes(sizes)) {
        return true;
    }
    let what = line.strip_suffix(')').and_then(|line| line.rsplit_once(" (")).map(|(_, what)| what);
    what.is_some_and(|what| what == "empty" || says_lines(what) || says_matches(what))
        || says_search(line)
}

/// `+1 -12`.
fn is_sizes(text: &str) -> bool {
    text.strip_prefix('+')
        .and_then(|text| text.split_once(" -"))
        .is_some_and(|(added, removed)| is_number(added) && is_number(removed))
}

/// `lines 1-3 of 9`, `no lines of 9`, `9 lines` or `9 entries`.
fn says_lines(what: &str) -> bool {
    if let Some(rest) = what.strip_prefix("lines ") {
        let parts = rest.split_once(" of ").and_then(|(range, total)| {
            let (first, last) = range.split_once('-')?;
            Some([first, last, total])
        });
        return parts.is_some_and(|parts| parts.into_iter().all(is_number));
    }
    what.strip_prefix("no lines of ").is_some_and(is_number)
        || is_count(what, "line")
        || is_count(what, "entry")
}

/// `3 matches` or `1 of 3 matches`.
fn says_matches(what: &str) -> bool {
    let all = match what.split_once(" of ") {
        Some((shown, all)) if is_number(shown) => all,
        _ => what,
    };
    is_count(all, "match")
}

/// `(3 matches for `x` in 9 lines)` at the end of a line; the pattern may hold anything.
fn says_search(line: &str) -> bool {
    let before = line.strip_suffix("`)").or_else(|| {
        let (before, total) = line.strip_suffix(')')?.rsplit_once("` in ")?;
        is_count(total, "line").then_some(before)
    });
    before.is_some_and(|before| {
        before.match_indices(" for `").any(|(at, _)| {
            let what = before[..at].rsplit_once(" (").map(|(_, what)| what);
            what.is_some_and(|what| what == "no match" || is_count(what, "match"))
        })
    })
}

/// Whether a line is a note in brackets that says how to see more.
pub(super) fn is_footer(line: &str) -> bool {
    let Some(note) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) else {
        return false;
    };
    note.rsplit_once(": read again with offset ").is_some_and(|(_, next)| is_number(next))
        || note.ends_with(" shown: narrow the pattern, path or glob, or raise limit")
        || note.ends_with(" more file: narrow the search or raise limit")
        || note.ends_with(" more files: narrow the search or raise limit")
}

/// Whether `text` is what [`count`] makes of a number and `one`.
fn is_count(text: &str, one: &str) -> bool {
    let number = text.split(' ').next().and_then(|number| number.parse().ok());
    number.is_some_and(|number: usize| count(number, one) == text)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
