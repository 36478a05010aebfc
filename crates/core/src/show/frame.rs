//! What is printed around rows: headers above them, gaps between them, footers below them.

use super::name::name;
use super::words::{brief, count, say, size};
use hashline_text::{Encoding, LIST, bare_anchors};

/// The row in place of lines left out between two that are shown.
pub const GAP: &str = "...";

/// `src/a.rs (what)`: the header of a file.
pub(crate) fn header(path: &str, what: &str) -> String {
    format!("{} ({what})", name(path))
}

/// How a header names an encoding other than UTF-8.
fn in_encoding(encoding: Encoding) -> String {
    if encoding == Encoding::UTF_8 { String::new() } else { format!(", {}", encoding.name()) }
}

/// What a header says about an earlier look at the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HeaderNote {
    /// The lines have not changed since they were shown.
    Unchanged,
    /// Changes were asked for, but nothing of the file was shown before.
    NotShown,
    /// Changes were asked for, but the file is too large to be held in memory.
    TooLarge,
}

impl HeaderNote {
    const ALL: [Self; 3] = [Self::Unchanged, Self::NotShown, Self::TooLarge];

    fn as_str(self) -> &'static str {
        match self {
            Self::Unchanged => ", unchanged since shown",
            Self::NotShown => ", not shown before",
            Self::TooLarge => ", too large to compare",
        }
    }
}

/// The header above the lines of a file: `shown` of them, from the zero-based `start` on.
pub(crate) fn lines_header(
    path: &str,
    start: usize,
    shown: usize,
    total: usize,
    encoding: Encoding,
    note: Option<HeaderNote>,
) -> String {
    let note = in_encoding(encoding) + note.map_or("", HeaderNote::as_str);
    match (shown, total) {
        (_, 0) => header(path, &format!("empty{note}")),
        (0, _) => header(path, &format!("no lines of {total}{note}")),
        _ => header(path, &format!("lines {}-{} of {total}{note}", start + 1, start + shown)),
    }
}

/// How the header above the changes of a file ends.
const SINCE: &str = " since shown";

/// The header above the changes of a file, with the counts of added and removed lines.
pub(crate) fn changes_header(
    path: &str,
    total: usize,
    encoding: Encoding,
    added: usize,
    gone: usize,
) -> String {
    let lines = count(total, "line") + &in_encoding(encoding);
    if added + gone == 0 {
        return header(path, &format!("{lines}{}", HeaderNote::Unchanged.as_str()));
    }
    header(path, &format!("{lines}, +{added} -{gone}{SINCE}"))
}

/// The row in place of `number` lines that are gone and whose text is no longer known.
pub(crate) fn lines_gone(number: usize) -> String {
    format!("{}{GAP} {number} gone", super::Mark::Removed)
}

/// The header above the lines that a search inside one file found.
pub(crate) fn search_header(
    path: &str,
    pattern: &str,
    matches: usize,
    total: Option<usize>,
    encoding: Encoding,
) -> String {
    let matches = match matches {
        0 => "no match".to_owned(),
        _ => count(matches, "match"),
    };
    if total == Some(0) {
        return header(path, "empty");
    }
    let total = total.map_or(String::new(), |total| format!(" in {}", count(total, "line")));
    let encoding = in_encoding(encoding);
    header(path, &format!("{matches} for `{}`{total}{encoding}", brief(pattern)))
}

/// The header above the lines of one file, in a search over many files.
pub(crate) fn matches_header(
    path: &str,
    shown: usize,
    matches: usize,
    encoding: Encoding,
) -> String {
    let all = count(matches, "match") + &in_encoding(encoding);
    header(path, &if shown < matches { format!("{shown} of {all}") } else { all })
}

/// If this many lines are left out, searching them costs less than reading on.
const MANY_LINES: usize = 200;

/// The hint above the footer if at least [`MANY_LINES`] lines are left out.
const SEARCH_HINT: &str = "[search shows only the lines with a text]\n";

/// The hint above the footer if the file was shown before and has changed since.
pub(crate) const CHANGES: &str = "[changes shows only what changed since the file was shown]";

/// The footer that says how to see the `rest` that was left out, each called `one`. Of many lines
/// usually only some are wanted, so it begins with a hint.
pub fn read_on(rest: usize, one: &str, next: usize) -> String {
    let hint = if one == "line" && rest >= MANY_LINES { SEARCH_HINT } else { "" };
    format!("{hint}[{}: read again with offset {next}]", count(rest, &format!("more {one}")))
}

/// The note that says how much of a notebook's outputs is left out.
pub(crate) fn outputs_note(lines: usize, bytes: u64) -> String {
    format!("{OUTPUTS}{}, {}{OUTPUTS_END}", count(lines, "line"), size(bytes))
}

/// How the note about outputs begins and ends.
const OUTPUTS: &str = "outputs left out: ";
const OUTPUTS_END: &str = "; to see one, read from a line inside it";

/// The footer that says how many matches in how many files are shown, each out of a total.
pub(crate) fn matches_footer(matches: (usize, usize), files: (usize, usize)) -> String {
    format!(
        "[{} of {} in {} of {} shown: narrow the pattern, path or glob, or raise limit]",
        matches.0,
        count(matches.1, "match"),
        files.0,
        count(files.1, "file"),
    )
}

/// A line that lists the anchors of new lines, without their text.
pub(crate) fn tags_line(anchors: impl Iterator<Item = String>) -> String {
    let anchors: Vec<String> = anchors.collect();
    format!("{LIST}{}", anchors.join(" "))
}

/// The anchors that a line printed by [`tags_line`] lists; `None` for other lines.
pub(crate) fn listed_anchors(line: &str) -> Option<Vec<&str>> {
    bare_anchors(line.strip_prefix(LIST)?)
}

/// How far lines have moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shift {
    /// The last line above the moved ones, by its number before the change.
    pub after: usize,
    /// By how many lines they moved: down if positive.
    pub by: isize,
}

/// The most shifts that a note names one by one.
const MAX_SHIFTS: usize = 12;

/// How a shift note ends: which anchors of the moved lines can be used.
const TAGS_UNCHANGED: &str = "; their tags are unchanged";
const ANCHORS_WORK: &str = "; their old anchors still work";

/// The line that says how far lines have moved; `None` if none has. `tags_kept` says whether moved
/// lines have the same tags as before.
pub(crate) fn shift_note(shifts: &[Shift], tags_kept: bool) -> Option<String> {
    let (first, others) = shifts.split_first()?;
    let end = if tags_kept && others.len() < MAX_SHIFTS { TAGS_UNCHANGED } else { ANCHORS_WORK };
    let signed = |by: isize| if by == 0 { "0".to_owned() } else { format!("{by:+}") };
    let mut note = format!("lines after {} moved by {}", first.after, signed(first.by));
    if others.len() < MAX_SHIFTS {
        for shift in others {
            say(&mut note, format_args!(", after {} by {}", shift.after, signed(shift.by)));
        }
    } else {
        note.push_str(", lines below by other numbers");
    }
    note.push_str(end);
    Some(note)
}

/// Whether a line is a shift note.
fn is_shift_note(line: &str) -> bool {
    let note = line.strip_suffix(TAGS_UNCHANGED).or_else(|| line.strip_suffix(ANCHORS_WORK));
    let shift = |text: &str, by: &str| {
        let parts = text.strip_prefix("after ").and_then(|text| text.split_once(by));
        parts.is_some_and(|(line, by)| {
            is_number(line) && is_number(by.trim_start_matches(['+', '-']))
        })
    };
    note.and_then(|note| note.strip_prefix("lines ")).is_some_and(|note| {
        let mut parts = note.split(", ");
        parts.next().is_some_and(|first| shift(first, " moved by "))
            && parts.all(|part| shift(part, " by ") || part == "lines below by other numbers")
    })
}

/// The row in place of `number` rows with this mark that are not shown.
pub(crate) fn rows_left_out(mark: super::Mark, number: usize) -> String {
    format!("{mark}{GAP} {number} more")
}

/// Whether a line is the row in place of lines left out.
pub(super) fn is_gap(line: &str) -> bool {
    let rest = line.strip_prefix(['+', '-']).unwrap_or(line);
    rest.strip_prefix(GAP).is_some_and(|rest| {
        let number = rest
            .strip_prefix(' ')
            .and_then(|rest| rest.strip_suffix(" more").or_else(|| rest.strip_suffix(" gone")));
        rest.is_empty() || number.is_some_and(is_number)
    })
}

/// Whether a line is one that a report prints around its rows.
pub(super) fn is_report_line(line: &str) -> bool {
    let applied = line.strip_prefix("Applied ").or_else(|| line.strip_prefix("Would apply "));
    let applied = applied.and_then(|rest| rest.split_once(" to "));
    applied.is_some_and(|(ops, files)| {
        let files = files.split_once(": no change, ").map_or(files, |(files, _)| files);
        is_count(ops, "operation") && is_count(files, "file")
    }) || line.starts_with("REJECTED: nothing was written")
        || line == "hashline: nothing was written"
        || is_mismatch(line)
        || line == "Actual state:"
        || is_note(line)
        || listed_anchors(line).is_some()
        || is_shift_note(line)
        || (line.starts_with("Hash mismatch at ") && line.ends_with('.') && !line.contains('|'))
}

/// Whether a line is the sentence that other systems print above the rows of a mismatch.
fn is_mismatch(line: &str) -> bool {
    let number = line.split_once([' ']).map(|(number, _)| number);
    number.is_some_and(is_number)
        && line.contains(" changed since last read. Use ")
        && line.ends_with("(>>> marks changed lines).")
}

/// Whether a line says which anchor was followed, or what was repaired.
fn is_note(line: &str) -> bool {
    let moved = line.split_once(" moved to line ").is_some_and(|(anchor, to)| {
        let line = to.split_once(" of ").map_or(to, |(line, _)| line);
        bare_anchors(anchor).is_some_and(|anchors| anchors.len() == 1) && is_number(line)
    });
    let op = line.strip_prefix("Repaired patch[").and_then(|rest| rest.split_once("] at line "));
    let copied = line.strip_prefix("The text of ").and_then(|rest| rest.split(' ').next());
    moved
        || copied.is_some_and(|anchor| bare_anchors(anchor).is_some())
        || op.is_some_and(|(op, rest)| is_number(op) && rest.contains(" was written as "))
}

/// Whether a line ends like the header of a file.
pub(super) fn is_header(line: &str) -> bool {
    let says =
        |what: &str| is_sizes(what) || what.strip_prefix("created, ").is_some_and(says_lines);
    // A warning names its file first and may end in any words; so may the reason of a refusal.
    let warns = line.strip_prefix("Warning: ").is_some_and(|rest| rest.contains(": "));
    let op = line.strip_prefix("patch[").and_then(|rest| rest.split_once("]: "));
    let refuses = op.is_some_and(|(op, _)| is_number(op));
    if warns || refuses || line.rsplit_once(": ").is_some_and(|(_, what)| says(what)) {
        return true;
    }
    let what = line.strip_suffix(')').and_then(|line| line.rsplit_once(" (")).map(|(_, what)| what);
    let what = what.map(without_note);
    what.is_some_and(|what| what == "empty" || says_lines(what) || says_matches(what))
        || says_search(line)
}

/// The file that a header names; `None` if the line is no header.
pub(crate) fn header_path(line: &str) -> Option<&str> {
    line.rsplit_once(" (").filter(|_| is_header(line)).map(|(name, _)| name)
}

/// The words in a header's brackets without the note about an earlier look and the encoding.
fn without_note(what: &str) -> &str {
    let note = HeaderNote::ALL.into_iter().find_map(|note| what.strip_suffix(note.as_str()));
    let sizes = || {
        let (lines, sizes) = what.strip_suffix(SINCE)?.rsplit_once(", ")?;
        is_sizes(sizes).then_some(lines)
    };
    without_encoding(note.or_else(sizes).unwrap_or(what))
}

fn without_encoding(what: &str) -> &str {
    let named = |name: &str| Encoding::named(name).is_ok_and(|found| found.name() == name);
    what.rsplit_once(", ").filter(|(_, name)| named(name)).map_or(what, |(what, _)| what)
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
    let what = line.strip_suffix(')').map(without_encoding);
    let before = what.and_then(|what| {
        what.strip_suffix('`').or_else(|| {
            let (before, total) = what.rsplit_once("` in ")?;
            is_count(total, "line").then_some(before)
        })
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
    line == SEARCH_HINT.trim_end()
        || line == CHANGES
        || note.rsplit_once(": read again with offset ").is_some_and(|(_, next)| is_number(next))
        || (note.starts_with(OUTPUTS) && note.ends_with(OUTPUTS_END))
        || note.ends_with(" shown: narrow the pattern, path or glob, or raise limit")
        || note.ends_with(" more file: narrow the search or raise limit")
        || note.ends_with(" more files: narrow the search or raise limit")
}

/// Whether [`count`] prints `text` for some number and `one`.
fn is_count(text: &str, one: &str) -> bool {
    let number = text.split(' ').next().and_then(|number| number.parse().ok());
    number.is_some_and(|number: usize| count(number, one) == text)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_tags_is_known_by_its_anchors() {
        assert_eq!(listed_anchors("tags: 2:a3 7:b1"), Some(vec!["2:a3", "7:b1"]));
        assert_eq!(listed_anchors("tags: rust, napi"), None);
    }
}
