//! Searching for text: a listing of names or counts is a fact, a matching line is a read.

use super::dump::is_compressed;
use super::{Call, Special};
use crate::effect::Cause;
use crate::shell::{Shell, Stdin, is_stdin};

impl Shell<'_> {
    /// `grep`, `rg` and `git grep` and their relatives.
    pub(super) fn search(&mut self, kind: Special, call: &Call<'_>) {
        let parsed = &call.parsed;
        if names_only(kind, call) {
            return;
        }
        let mut paths = parsed.operands.clone();
        let pattern_given = parsed.has(&["e", "f", "regexp", "file"]);
        if !pattern_given && paths.is_empty() {
            return;
        }
        if !pattern_given && !paths.is_empty() {
            paths.remove(0);
        }
        for list in parsed.values(&["f", "file"]) {
            // Patterns from a file are only used, not printed.
            if is_stdin(list) {
                return self.reads_paths(&paths, kind, call);
            }
        }
        self.reads_paths(&paths, kind, call);
    }

    fn reads_paths(&mut self, paths: &[String], kind: Special, call: &Call<'_>) {
        let recursive = call.parsed.has(&["r", "R", "recursive", "dereference-recursive"])
            || call.parsed.values(&["d", "directories"]).any(|how| how == "recurse");
        if paths.is_empty() {
            let searches_here = match kind {
                Special::Git => true,
                Special::Ripgrep => *call.stdin == Stdin::Inherited,
                _ => recursive,
            };
            if searches_here {
                self.reads(".", call.name, Cause::Search);
            } else {
                self.reads_stdin(call.stdin, call.name, Cause::Search);
            }
            return;
        }
        // `git grep x HEAD~3` looks at an old revision, which no other tool can.
        if kind == Special::Git && paths.iter().any(|path| is_old_revision(path)) {
            return;
        }
        let unpacks = call.name.starts_with('z')
            || call.name.starts_with("bz")
            || call.name.starts_with("xz");
        for path in paths {
            if unpacks && is_compressed(path) {
                continue;
            }
            if is_stdin(path) {
                self.reads_stdin(call.stdin, call.name, Cause::Search);
            } else if self.locate(path).zone == crate::policy::Zone::Descriptor {
                self.reads_path(path, call);
            } else {
                self.reads(path, call.name, Cause::Search);
            }
        }
    }
}

/// Whether only names, counts or nothing is printed.
fn names_only(kind: Special, call: &Call<'_>) -> bool {
    let parsed = &call.parsed;
    let long = [
        "quiet",
        "silent",
        "count",
        "count-matches",
        "files-with-matches",
        "files-without-match",
        "files-without-matches",
        "files",
        "type-list",
        "name-only",
        "help",
        "version",
    ];
    if parsed.has(&long) || parsed.has(&["q", "c", "l"]) {
        return true;
    }
    match (kind, call.name) {
        // There `-L` follows links.
        (Special::Ripgrep, "ag" | "ack" | "ack-grep" | "pt") => parsed.has(&["L", "g"]),
        (Special::Ripgrep, _) => false,
        _ => parsed.has(&["L"]),
    }
}

fn is_old_revision(word: &str) -> bool {
    word.strip_prefix("HEAD")
        .or_else(|| word.strip_prefix('@'))
        .is_some_and(|rest| rest.starts_with(['~', '^']) && rest != "~0" && rest != "^0")
        || (word.len() >= 7 && word.bytes().all(|b| b.is_ascii_hexdigit()))
}
