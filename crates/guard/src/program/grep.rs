//! Searching for text: printing only names or counts is allowed, printing a line is a read.

use super::Call;
use super::args::{Parsed, Spec, options, parse};
use super::dump::is_compressed;
use super::reader::number;
use crate::known::Stdin;
use crate::outcome::Outcome;
use crate::pattern::{Dialect, Matching, escaped, is_pattern, read_pattern};
use crate::serve::GrepRequest;
use crate::unknown::is_known;

/// The options of `grep` that take a value.
pub(super) const GREP: Spec<'static> = options(
    "efmABCDd",
    "regexp file max-count after-context before-context context include exclude \
             exclude-dir exclude-from label binary-files devices directories",
);

/// The options of `rg`, `ag` and `ack` that take a value.
pub(super) const RIPGREP: Spec<'static> = options(
    "efmABCgtTrjMEd",
    "regexp file max-count after-context before-context context glob iglob type \
             type-not replace threads max-columns encoding max-depth sort sortr color colors \
             context-separator engine pre ignore ignore-dir ignore-file depth path-to-ignore \
             type-add file-search-regex pager output",
);

/// The options of `git grep` that take a value.
const GIT_GREP: Spec<'static> = options("efmABCO", "threads max-depth");

/// Options that [`GrepCall`] accounts for, or that change no printed line.
const UNDERSTOOD: [&str; 68] = [
    "n", "H", "h", "s", "a", "I", "r", "R", "E", "F", "G", "P", "i", "w", "x", "v", "e", "m", "A",
    "B", "C", "color", "colour", "line-number", "with-filename", "no-filename", "no-messages",
    "text", "no-heading", "heading", "column", "no-line-number", "recursive",
    "dereference-recursive", "extended-regexp", "fixed-strings", "basic-regexp", "perl-regexp",
    "ignore-case", "word-regexp", "line-regexp", "invert-match", "regexp", "max-count",
    "after-context", "before-context", "context", "include", "exclude", "exclude-dir", "glob", "g",
    "type", "t", "hidden", "no-ignore", "smart-case", "S", "N", "sort", "binary-files", "no-pager",
    "o", "only-matching", "u", "unrestricted", "line-buffered", "y",
];

/// The longest pattern that is repeated in a hint.
const MAX_PATTERN: usize = 240;

/// A family of search programs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    /// `grep`: without a path it searches standard input, unless it is recursive.
    Grep,
    /// `rg`, `ag`, `ack`: without a path they search a pipe, or else the working directory.
    Ripgrep,
    /// `git grep`: searches the working tree, or revisions.
    Git,
}

impl Family {
    fn of(name: &str) -> Self {
        match name {
            "git grep" => Self::Git,
            "rg" | "ripgrep" | "rga" | "ag" | "ack" | "ack-grep" | "pt" | "sift" | "ucg" => {
                Self::Ripgrep
            }
            _ => Self::Grep,
        }
    }
}

/// The options and operands of a search program.
pub(crate) fn words_of<'w>(name: &str, words: &'w [String]) -> Parsed<'w> {
    let spec = match Family::of(name) {
        Family::Grep => GREP,
        Family::Ripgrep => RIPGREP,
        Family::Git => GIT_GREP,
    };
    parse(words, &spec)
}

/// A call of a search program.
pub(crate) struct GrepCall<'c> {
    family: Family,
    name: &'c str,
    parsed: &'c Parsed<'c>,
    patterns: Vec<&'c str>,
    /// The files and directories to search.
    pub(crate) paths: &'c [String],
}

/// Notes what `grep`, `rg` and their relatives search.
pub(super) fn grep(call: &Call<'_>, out: &mut Outcome) {
    search(&GrepCall::new(call.name, &call.parsed), call.stdin, out);
}

/// Notes what `git grep` searches; its paths begin after `--`.
pub(super) fn git_grep(words: &[String], stdin: &Stdin, out: &mut Outcome) {
    let parsed = words_of("git grep", words);
    let call = GrepCall::new("git grep", &parsed);
    let mut sides = words.split(|word| word == "--");
    let before = sides.next().unwrap_or(&[]);
    let paths_follow = sides.next().is_some();
    // `git grep x v2.1 -- lib` searches a revision, which no other tool can.
    let in_revision = paths_follow && call.paths.iter().any(|path| before.contains(path));
    if !in_revision && (paths_follow || !call.paths.iter().any(|word| is_revision(word))) {
        search(&call, stdin, out);
    }
}

fn search(call: &GrepCall<'_>, stdin: &Stdin, out: &mut Outcome) {
    let pattern_given = !call.patterns.is_empty() || call.parsed.has("f file");
    if call.names_only() || !pattern_given {
        return;
    }
    let usable = |pattern: &&str| is_known(pattern) && pattern.len() <= MAX_PATTERN;
    // `-f` only uses the patterns in a file; it does not print them.
    if call.patterns.iter().all(usable) {
        out.searched = call.matching();
    }
    out.searches = true;
    match call.family {
        _ if !call.paths.is_empty() => {}
        Family::Ripgrep if *stdin != Stdin::Inherited => out.read_input(),
        _ if call.searches_here() => out.read("."),
        _ => out.read_input(),
    }
    let unpacks = ["z", "bz", "xz"].iter().any(|prefix| call.name.starts_with(prefix));
    out.read_all(call.paths.iter().filter(|path| !unpacks || !is_compressed(path)));
}

impl<'c> GrepCall<'c> {
    /// A call from its program's name and the options and operands found by [`words_of`].
    pub(crate) fn new(name: &'c str, parsed: &'c Parsed<'c>) -> Self {
        let mut paths = &*parsed.operands;
        let mut patterns: Vec<&str> = parsed.values("e regexp").collect();
        if !parsed.has("e regexp f file")
            && let Some((pattern, rest)) = paths.split_first()
        {
            patterns.push(pattern);
            paths = rest;
        }
        Self { family: Family::of(name), name, parsed, patterns, paths }
    }

    /// Whether a request can express each option of the call.
    pub(crate) fn can_be_expressed(&self) -> bool {
        let known = |(option, value): &(&str, Option<&str>)| {
            let replaces = *option == "r" && value.is_some();
            UNDERSTOOD.contains(option) && !replaces || option.bytes().all(|b| b.is_ascii_digit())
        };
        !self.patterns.is_empty() && self.parsed.options.iter().all(known)
    }

    /// Whether the call only chooses lines (no context, no recursion), as it must after a pipe.
    pub(crate) fn chooses(&self) -> bool {
        let around = self.context("A after-context B before-context");
        around == Some(None) && !self.is_recursive()
    }

    /// Whether only the parts that match are printed.
    pub(crate) fn prints_parts(&self) -> bool {
        self.parsed.has("o only-matching")
    }

    pub(crate) fn inverts(&self) -> bool {
        self.parsed.has("v invert-match")
    }

    fn is_recursive(&self) -> bool {
        self.parsed.has("r R recursive dereference-recursive")
            || self.parsed.values("d directories").any(|how| how == "recurse")
    }

    /// Whether the working directory is searched when no path is given.
    pub(crate) fn searches_here(&self) -> bool {
        self.is_recursive() || self.family != Family::Grep
    }

    /// The most matches per file; the outer `None` means a number that cannot be read.
    #[expect(clippy::option_option, reason = "not given differs from not readable")]
    pub(crate) fn max_count(&self) -> Option<Option<u64>> {
        self.number("m max-count")
    }

    #[expect(clippy::option_option, reason = "not given differs from not readable")]
    fn number(&self, names: &str) -> Option<Option<u64>> {
        match self.parsed.value(names) {
            None => Some(None),
            Some(text) => number(text).map(Some),
        }
    }

    /// The number of context lines, by these options, by `-C` or by `-5`.
    #[expect(clippy::option_option, reason = "not given differs from not readable")]
    fn context(&self, names: &str) -> Option<Option<u64>> {
        let digits = self.parsed.options.iter().map(|(option, _)| *option);
        let digits: String = digits.filter(|one| one.bytes().all(|b| b.is_ascii_digit())).collect();
        match (self.number(names)?, self.number("C context")?) {
            (None, None) if !digits.is_empty() => number(&digits).map(Some),
            (own, around) => Some(own.or(around)),
        }
    }

    /// The pattern in the syntax of our grep tool.
    pub(crate) fn matching(&self) -> Option<Matching> {
        let usual = match self.family {
            Family::Ripgrep => Dialect::Own,
            _ => Dialect::of(self.name),
        };
        let dialect = if self.parsed.has("F fixed-strings") {
            Dialect::Fixed
        } else if self.parsed.has("E extended-regexp") && usual != Dialect::Own {
            Dialect::Extended
        } else if self.parsed.has("P perl-regexp") {
            Dialect::Own
        } else {
            usual
        };
        (!self.patterns.is_empty()).then_some(())?;
        let smart = self.parsed.has("S smart-case")
            && !self.patterns.iter().any(|pattern| pattern.contains(char::is_uppercase));
        let any_case = smart || self.parsed.has("i y ignore-case");
        let read = Matching { any_case, ..read_pattern(&self.patterns, dialect)? };
        let words = self.parsed.has("w word-regexp");
        let lines = self.parsed.has("x line-regexp");
        if !words && !lines {
            return Some(read);
        }
        let inner = if read.literal { escaped(&read.text) } else { read.text };
        let text = if lines {
            format!("^(?:{inner})$")
        } else {
            format!("\\b{{start-half}}(?:{inner})\\b{{end-half}}")
        };
        Some(Matching { text, literal: false, any_case })
    }

    /// The request that does the same as the call; `paths` are relative to the workspace.
    pub(crate) fn request(&self, paths: Vec<String>) -> Option<GrepRequest> {
        let matching = self.matching()?;
        let mut globs: Vec<String> =
            self.parsed.values("include g glob").map(str::to_owned).collect();
        globs.extend(self.parsed.values("exclude").map(|glob| format!("!{glob}")));
        for directory in self.parsed.values("exclude-dir") {
            let directory = directory.trim_matches('/').trim_start_matches("./");
            globs.push(format!("!**/{directory}/**"));
        }
        let each = |(option, _): &&(&str, Option<&str>)| {
            self.family == Family::Ripgrep && matches!(*option, "u" | "unrestricted")
        };
        let unrestricted = self.parsed.options.iter().filter(each).count();
        let names = (self.parsed.has("H with-filename")
            || paths.len() > 1
            || self.searches_here()
            || paths.iter().any(|path| is_pattern(path)))
            && !self.parsed.has("h no-filename");
        Some(GrepRequest {
            pattern: matching.text,
            paths,
            globs,
            types: self.parsed.values("t type").map(str::to_owned).collect(),
            literal: matching.literal,
            case_sensitive: !matching.any_case,
            invert: self.inverts(),
            context_before: self.context("B before-context")?.unwrap_or(0),
            context_after: self.context("A after-context")?.unwrap_or(0),
            per_file: self.max_count()?,
            file_names: names,
            line_numbers: self.parsed.has("n line-number") || self.name == "rg",
            hidden: self.parsed.has("hidden") || unrestricted > 1,
            ignored: self.parsed.has("no-ignore") || unrestricted > 0,
        })
    }

    /// Whether the call prints only names, only counts or nothing.
    fn names_only(&self) -> bool {
        let facts = "quiet silent count count-matches files-with-matches files-without-match \
             files-without-matches files type-list name-only help version q c l";
        if self.parsed.has(facts) {
            return true;
        }
        match (self.family, self.name) {
            (Family::Ripgrep, "ag" | "ack" | "ack-grep" | "pt") => self.parsed.has("L g"),
            // `rg -L` follows links.
            (Family::Ripgrep, _) => false,
            _ => self.parsed.has("L"),
        }
    }
}

/// Whether a word can only be a revision, even without a `--` after it.
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
