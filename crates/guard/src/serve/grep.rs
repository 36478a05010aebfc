//! `grep` and its relatives as requests.

use std::borrow::Cow;

use super::GrepRequest;
use crate::pattern::{Dialect, Matching, escaped, is_pattern, read_pattern};
use crate::program::args::{Parsed, Spec, parse};

/// Options that change nothing about which lines are printed.
const HARMLESS: [&str; 32] = [
    "n", "H", "h", "s", "a", "I", "r", "R", "E", "F", "G", "P", "i", "w", "x", "v", "e", "m", "A",
    "B", "C", "color", "colour", "line-number", "with-filename", "no-filename", "no-messages",
    "text", "no-heading", "heading", "column", "no-line-number",
];
const HARMLESS_LONG: [&str; 35] = [
    "recursive", "dereference-recursive", "extended-regexp", "fixed-strings", "basic-regexp",
    "perl-regexp", "ignore-case", "word-regexp", "line-regexp", "invert-match", "regexp",
    "max-count", "after-context", "before-context", "context", "include", "exclude", "exclude-dir",
    "glob", "g", "type", "t", "hidden", "no-ignore", "smart-case", "S", "N", "sort",
    "binary-files", "no-pager", "o", "only-matching", "u", "unrestricted", "line-buffered",
];

/// The words of a search, with `-5` as `-C5`.
pub(super) fn with_contexts(words: &[String]) -> Cow<'_, [String]> {
    let lines = |word: &String| {
        let digits = word.strip_prefix('-')?;
        let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| format!("-C{digits}"))
    };
    if !words.iter().any(|word| lines(word).is_some()) {
        return Cow::Borrowed(words);
    }
    words.iter().map(|word| lines(word).unwrap_or_else(|| word.clone())).collect()
}

/// The words of a search, sorted.
pub(super) struct Options<'w> {
    parsed: Parsed<'w>,
    patterns: Vec<String>,
    pub(super) paths: Vec<String>,
}

impl<'w> Options<'w> {
    /// Reads the words of a search ([`with_contexts`]); `None` if an option is more than we can express.
    pub(super) fn parse(name: &str, words: &'w [String]) -> Option<Self> {
        let long = [
            "regexp", "after-context", "before-context", "context", "max-count", "include",
            "exclude", "exclude-dir", "glob", "type", "sort", "binary-files",
        ];
        let ripgrep = matches!(name, "rg" | "ag" | "ack");
        let short = if ripgrep { "eABCmgt" } else { "eABCm" };
        let parsed = parse(words, &Spec::new(short, &long));
        let known = |(option, _): &(&str, Option<&str>)| {
            HARMLESS.contains(option) || HARMLESS_LONG.contains(option)
        };
        parsed.options.iter().all(known).then_some(())?;
        let mut paths = parsed.operands.to_vec();
        let mut patterns: Vec<String> =
            parsed.values(&["e", "regexp"]).map(str::to_owned).collect();
        if patterns.is_empty() {
            (!paths.is_empty()).then_some(())?;
            patterns.push(paths.remove(0));
        }
        Some(Self { parsed, patterns, paths })
    }

    /// Whether it only chooses among lines, so that it can be used behind a pipe.
    pub(super) fn chooses(&self) -> bool {
        !self.parsed.has(&["A", "B", "C", "after-context", "before-context", "context"])
            && !self.is_recursive()
    }

    /// Whether only the parts that match are printed.
    pub(super) fn prints_parts(&self) -> bool {
        self.parsed.has(&["o", "only-matching"])
    }

    pub(super) fn inverts(&self) -> bool {
        self.parsed.has(&["v", "invert-match"])
    }

    pub(super) fn case_sensitive(&self) -> bool {
        let smart = self.parsed.has(&["S", "smart-case"])
            && !self.patterns.iter().any(|pattern| pattern.contains(char::is_uppercase));
        !self.parsed.has(&["i", "ignore-case"]) && !smart
    }

    fn is_recursive(&self) -> bool {
        self.parsed.has(&["r", "R", "recursive", "dereference-recursive"])
    }

    /// How many matches of a file are wanted; the outer `None` is a number that cannot be read.
    #[expect(clippy::option_option, reason = "not given and not readable are two things")]
    pub(super) fn max_count(&self) -> Option<Option<u64>> {
        self.number(&["m", "max-count"])
    }

    #[expect(clippy::option_option, reason = "not given and not readable are two things")]
    fn number(&self, names: &[&str]) -> Option<Option<u64>> {
        match self.parsed.value(names) {
            None => Some(None),
            Some(text) => text.parse().ok().map(Some),
        }
    }

    /// The pattern in our own dialect.
    pub(super) fn pattern(&self, usual: Dialect) -> Option<Matching> {
        let dialect = if self.parsed.has(&["F", "fixed-strings"]) {
            Dialect::Fixed
        } else if self.parsed.has(&["E", "extended-regexp"]) && usual != Dialect::Own {
            Dialect::Extended
        } else if self.parsed.has(&["P", "perl-regexp"]) {
            Dialect::Own
        } else {
            usual
        };
        let read = read_pattern(&self.patterns, dialect)?;
        let words = self.parsed.has(&["w", "word-regexp"]);
        let lines = self.parsed.has(&["x", "line-regexp"]);
        if !words && !lines {
            return Some(read);
        }
        let inner = if read.literal { escaped(&read.text) } else { read.text };
        let text = if lines {
            format!("^(?:{inner})$")
        } else {
            format!("\\b{{start-half}}(?:{inner})\\b{{end-half}}")
        };
        Some(Matching { text, literal: false, any_case: false })
    }

    /// The whole request; `paths` are the operands as the workspace knows them.
    pub(super) fn request(&self, name: &str, paths: Vec<String>) -> Option<GrepRequest> {
        let matching = self.pattern(Dialect::of(name))?;
        let around = self.number(&["C", "context"])?.unwrap_or(0);
        let ripgrep = matches!(name, "rg" | "ag" | "ack");
        let mut globs: Vec<String> =
            self.parsed.values(&["include", "g", "glob"]).map(str::to_owned).collect();
        globs.extend(self.parsed.values(&["exclude"]).map(|glob| format!("!{glob}")));
        for directory in self.parsed.values(&["exclude-dir"]) {
            let directory = directory.trim_matches('/').trim_start_matches("./");
            globs.push(format!("!**/{directory}/**"));
        }
        let each = |(option, _): &&(&str, Option<&str>)| {
            ripgrep && matches!(*option, "u" | "unrestricted")
        };
        let unrestricted = self.parsed.options.iter().filter(each).count();
        let searches_trees = self.is_recursive() || ripgrep || name == "git grep";
        let names = (self.parsed.has(&["H", "with-filename"])
            || paths.len() > 1
            || searches_trees
            || paths.iter().any(|path| is_pattern(path)))
            && !self.parsed.has(&["h", "no-filename"]);
        Some(GrepRequest {
            pattern: matching.text,
            paths,
            globs,
            types: self.parsed.values(&["t", "type"]).map(str::to_owned).collect(),
            literal: matching.literal,
            case_sensitive: self.case_sensitive(),
            invert: self.inverts(),
            context_before: self.number(&["B", "before-context"])?.unwrap_or(around),
            context_after: self.number(&["A", "after-context"])?.unwrap_or(around),
            per_file: self.max_count()?,
            file_names: names,
            line_numbers: self.parsed.has(&["n", "line-number"]) || name == "rg",
            hidden: self.parsed.has(&["hidden"]) || unrestricted > 1,
            ignored: self.parsed.has(&["no-ignore"]) || unrestricted > 0,
        })
    }

    /// Whether the working directory is searched when no path is given.
    pub(super) fn searches_here(&self, name: &str) -> bool {
        self.is_recursive() || matches!(name, "rg" | "ag" | "ack" | "git grep")
    }
}
