//! Searching for text: a listing of names or counts is a fact, a matching line is a read.

use super::Call;
use super::dump::is_compressed;
use crate::effect::Cause;
use crate::known::{Known, Stdin, is_stdin};
use crate::outcome::Outcome;
use crate::pattern::{Dialect, Matching, read_pattern};
use crate::unknown::is_known;

/// A longer pattern is not worth repeating in a hint.
const MAX_PATTERN: usize = 240;

/// Which family of search programs it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    /// `grep`: searches standard input without a path, unless it is recursive.
    Grep,
    /// `rg`, `ag`, `ack`: search the working directory without a path, unless they are piped into.
    Ripgrep,
    /// `git grep`: searches the working tree, or revisions.
    Git,
}

/// `grep` and its relatives.
pub(super) fn grep(call: &Call<'_>, _known: &Known<'_>, out: &mut Outcome) {
    search(Family::Grep, call, out);
}

/// `rg`, `ag`, `ack` and their relatives.
pub(super) fn ripgrep(call: &Call<'_>, _known: &Known<'_>, out: &mut Outcome) {
    search(Family::Ripgrep, call, out);
}

/// `git grep`, whose words end at `--` where paths begin.
pub(super) fn git_grep(call: &Call<'_>, out: &mut Outcome) {
    let mut words = call.words.split(|word| word == "--");
    let before = words.next().unwrap_or(&[]);
    let paths_follow = words.next().is_some();
    let operands = call.parsed.operands.iter().filter(|operand| before.contains(operand)).count();
    let pattern = usize::from(!call.parsed.has(&["e", "f"]));
    // `git grep x v2.1 -- lib` looks at a revision, which no other tool can.
    let in_revision = paths_follow && operands > pattern;
    let names = call.parsed.operands.iter().skip(pattern);
    if in_revision || (!paths_follow && names.clone().any(|word| is_revision(word))) {
        return;
    }
    search(Family::Git, call, out);
}

fn search(family: Family, call: &Call<'_>, out: &mut Outcome) {
    let parsed = &call.parsed;
    let pattern_given = parsed.has(&["e", "f", "regexp", "file"]);
    if names_only(family, call) || (!pattern_given && parsed.operands.is_empty()) {
        return;
    }
    out.searched = searched(family, call);
    // Patterns from a file are only used, not printed.
    let paths = &parsed.operands[usize::from(!pattern_given)..];
    if paths.is_empty() {
        let recursive = parsed.has(&["r", "R", "recursive", "dereference-recursive"])
            || parsed.values(&["d", "directories"]).any(|how| how == "recurse");
        let searches_here = match family {
            Family::Git => true,
            Family::Ripgrep => *call.stdin == Stdin::Inherited,
            Family::Grep => recursive,
        };
        if searches_here {
            out.read_by(".", None, Cause::Search);
        } else {
            out.read_input_by(None, Cause::Search);
        }
    }
    let unpacks = ["z", "bz", "xz"].iter().any(|prefix| call.name.starts_with(prefix));
    for path in paths.iter().filter(|path| !unpacks || !is_compressed(path)) {
        if is_stdin(path) {
            out.read_input_by(None, Cause::Search);
        } else {
            out.read_by(path, None, Cause::Search);
        }
    }
}

/// What is searched for, in the dialect of our own search; `None` if that is not known.
fn searched(family: Family, call: &Call<'_>) -> Option<Matching> {
    let parsed = &call.parsed;
    let mut patterns: Vec<String> = parsed.values(&["e", "regexp"]).map(str::to_owned).collect();
    if patterns.is_empty() && !parsed.has(&["f", "file"]) {
        patterns.extend(parsed.operands.first().cloned());
    }
    let usable = |pattern: &String| is_known(pattern) && pattern.len() <= MAX_PATTERN;
    (!patterns.is_empty() && patterns.iter().all(usable)).then_some(())?;
    let dialect = if parsed.has(&["F", "fixed-strings"]) {
        Dialect::Fixed
    } else if family == Family::Ripgrep || parsed.has(&["P", "perl-regexp"]) {
        Dialect::Own
    } else if parsed.has(&["E", "extended-regexp"]) {
        Dialect::Extended
    } else {
        Dialect::of(call.name)
    };
    let any_case = parsed.has(&["i", "y", "ignore-case"]);
    Some(Matching { any_case, ..read_pattern(&patterns, dialect)? })
}

/// Whether only names, counts or nothing is printed.
fn names_only(family: Family, call: &Call<'_>) -> bool {
    let parsed = &call.parsed;
    let long = [
        "quiet", "silent", "count", "count-matches", "files-with-matches", "files-without-match",
        "files-without-matches", "files", "type-list", "name-only", "help", "version",
    ];
    if parsed.has(&long) || parsed.has(&["q", "c", "l"]) {
        return true;
    }
    match (family, call.name) {
        // There `-L` follows links.
        (Family::Ripgrep, "ag" | "ack" | "ack-grep" | "pt") => parsed.has(&["L", "g"]),
        (Family::Ripgrep, _) => false,
        _ => parsed.has(&["L"]),
    }
}

/// Whether a word without `--` after it can only be a revision.
fn is_revision(word: &str) -> bool {
    word.strip_prefix("HEAD")
        .or_else(|| word.strip_prefix('@'))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['~', '^', '@']))
        || (word.len() >= 7 && word.bytes().all(|b| b.is_ascii_hexdigit()))
        || word.starts_with("origin/")
        || word.strip_prefix('v').is_some_and(|rest| {
            rest.contains('.') && rest.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        })
}
