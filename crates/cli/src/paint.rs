//! Colours and the pager, for a person at a terminal; output into a pipe has neither.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::ops::Range;
use std::process::{Command, Stdio};

use crate::options::When;
use hashline_core::grep::Marker;
use hashline_core::session::changed_words;
use hashline_core::system;

const DIM: &str = "\x1b[2m";
const MATCH: &str = "\x1b[1;31m";
const NEW: &str = "\x1b[32m";
const OLD: &str = "\x1b[31m";
const TITLE: &str = "\x1b[36m";
const PLAIN: &str = "\x1b[0m";
/// Begin and end reverse video, which marks words in a coloured line.
const STRONG: &str = "\x1b[7m";
const WEAK: &str = "\x1b[27m";

/// A variable set for the process whose output the pager shows.
const PAGED_VARIABLE: &str = "HASHLINE_PAGED";

/// Colours output, or leaves it unchanged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    on: bool,
}

impl Paint {
    /// Decides on colours by the option, the environment and standard output.
    pub(crate) fn new(when: When) -> Self {
        let is_set = |name: &str| system::variable(name).filter(|value| !value.is_empty());
        let on = match when {
            When::Always => true,
            When::Never => false,
            When::Auto if is_set("NO_COLOR").is_some() => false,
            When::Auto if is_set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
            When::Auto => {
                io::stdout().is_terminal() && is_set("TERM").is_some_and(|term| term != "dumb")
            }
        };
        Self { on }
    }

    /// Whether output has colours.
    pub(crate) fn is_on(self) -> bool {
        self.on
    }

    /// A row with its anchor dim, and with the matches of a search marked.
    pub(crate) fn row(self, row: &str, marker: Option<&Marker>) -> String {
        match row.split_once('|') {
            Some((anchor, content)) if self.on && is_anchor(anchor) => {
                let found = marker.map_or_else(Vec::new, |marker| marker.matches(content));
                format!("{DIM}{anchor}|{PLAIN}{}", marked(content, &found, MATCH, PLAIN))
            }
            _ => row.to_owned(),
        }
    }

    /// The rows of several files, below their titles.
    pub(crate) fn rows(self, text: &str, marker: &Marker) -> String {
        let line = |line: &str| self.row(line, Some(marker));
        text.split('\n').map(line).collect::<Vec<_>>().join("\n")
    }

    /// A unified diff.
    pub(crate) fn diff(self, text: &str) -> String {
        let side = |line: &str| line.starts_with(['-', '+']).then_some(1);
        let title = |line: &str| {
            let is_title = ["---", "+++", "@@"].iter().any(|mark| line.starts_with(mark));
            is_title.then(|| format!("{TITLE}{line}{PLAIN}"))
        };
        self.changes(text, &side, &title)
    }

    /// The report of a patch: rows with a `+` or `-` are coloured, the others have dim anchors.
    pub(crate) fn report(self, text: &str) -> String {
        let side = |line: &str| match line.as_bytes() {
            [b'-' | b'+', b'0'..=b'9', ..] => Some(line.find('|')? + 1),
            _ => None,
        };
        let other = |line: &str| (!line.starts_with(['-', '+'])).then(|| self.row(line, None));
        self.changes(text, &side, &other)
    }

    /// Colours removed and added lines. If one line replaces one, the words that differ stand out.
    /// `margin` returns the length of what is in front of a changed line's text; a line for which
    /// `other` returns a text is printed as that text.
    fn changes(
        self,
        text: &str,
        margin: &dyn Fn(&str) -> Option<usize>,
        other: &dyn Fn(&str) -> Option<String>,
    ) -> String {
        if !self.on {
            return text.to_owned();
        }
        let mut out: Vec<String> = Vec::new();
        let lines: Vec<&str> = text.split('\n').collect();
        let mut rest = lines.as_slice();
        while let Some(first) = rest.first() {
            let is = |sign: char, line: &str| {
                line.starts_with(sign) && margin(line).is_some() && other(line).is_none()
            };
            let old = rest.iter().take_while(|line| is('-', line)).count();
            let new = rest[old..].iter().take_while(|line| is('+', line)).count();
            if old + new == 0 {
                out.push(other(first).unwrap_or_else(|| (*first).to_owned()));
                rest = &rest[1..];
                continue;
            }
            let (gone, left) = rest.split_at(old);
            let (come, left) = left.split_at(new);
            let words = |at: usize| {
                let [old, new] = [gone.get(at)?, come.get(at)?].map(|line| content(line, margin));
                changed_words(old, new).filter(|_| gone.len() == come.len())
            };
            let pairs: Vec<_> = (0..old.max(new)).map(words).collect();
            for (side, (lines, colour)) in [(gone, OLD), (come, NEW)].into_iter().enumerate() {
                for (line, words) in lines.iter().zip(&pairs) {
                    let words = words.as_ref().map_or(&[][..], |words| &words[side]);
                    let text = content(line, margin);
                    let head = &line[..line.len() - text.len()];
                    out.push(format!("{colour}{head}{}{PLAIN}", marked(text, words, STRONG, WEAK)));
                }
            }
            rest = left;
        }
        out.join("\n")
    }
}

fn content<'l>(line: &'l str, margin: &dyn Fn(&str) -> Option<usize>) -> &'l str {
    &line[margin(line).unwrap_or_default()..]
}

/// Whether this is an anchor that `read` or `grep` prints in front of a line.
fn is_anchor(text: &str) -> bool {
    let text = text.trim_start_matches([' ', '>']);
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = text[digits..].trim_start_matches([':', '#']);
    digits > 0 && rest.len() <= 12 && rest.chars().all(|c| c.is_ascii_alphanumeric())
}

/// A text with `start` and `end` inserted around each of these ranges.
fn marked(text: &str, places: &[Range<usize>], start: &str, end: &str) -> String {
    let mut out = text.to_owned();
    for place in places.iter().rev().filter(|place| !place.is_empty()) {
        out.insert_str(place.end, end);
        out.insert_str(place.start, start);
    }
    out
}

/// Runs the program once more with its output sent to the user's pager, and returns its exit code;
/// `None` if there is no terminal or no pager.
pub(crate) fn through_pager(start: &[OsString], arguments: &[OsString], when: When) -> Option<u8> {
    if !io::stdout().is_terminal() || system::variable(PAGED_VARIABLE).is_some() {
        return None;
    }
    let pager = system::variable("PAGER").unwrap_or_else(|| "less".to_owned());
    let (program, first) = start.split_first()?;
    if pager.is_empty() || pager == "cat" || cfg!(windows) {
        return None;
    }
    let mut less = Command::new("sh");
    less.args(["-c", &pager]).stdin(Stdio::piped());
    if system::variable("LESS").is_none() {
        // `less` then ends at once if all fits on the screen, and shows colours.
        less.env("LESS", "FRX");
    }
    let mut less = less.spawn().ok()?;
    let mut own = Command::new(program);
    own.args(first).args(arguments).env(PAGED_VARIABLE, "1").stdout(less.stdin.take()?);
    if Paint::new(when).is_on() {
        own.env("CLICOLOR_FORCE", "1");
    }
    let status = own.status();
    // The pager ends only after its standard input has ended.
    drop(own);
    let _ = less.wait();
    status.ok()?.code().and_then(|code| u8::try_from(code).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_anchors_are_dim() {
        let paint = Paint { on: true };
        for (row, is_painted) in [
            ("12:a3|x", true),
            ("12#VK|x", true),
            ("12ab|x", true),
            ("a.js (1 match)", false),
            ("x|y", false),
            ("1 or 2|y", false),
        ] {
            assert_eq!(paint.row(row, None) != row, is_painted, "{row}");
            assert_eq!(Paint { on: false }.row(row, None), row);
        }
        let marker = Marker::new("a+", hashline_core::grep::Reading::default());
        assert_eq!(
            paint.row("1:a3|baab", marker.as_ref()),
            "\x1b[2m1:a3|\x1b[0mb\x1b[1;31maa\x1b[0mb"
        );
        assert_eq!(paint.diff("+a\n-b\n c"), "\x1b[32m+a\x1b[0m\n\x1b[31m-b\x1b[0m\n c");
    }

    #[test]
    fn the_words_that_differ_stand_out() {
        let paint = Paint { on: true };
        let words =
            |margin: &str, word: &str, rest: &str| format!("{margin}{STRONG}{word}{WEAK}{rest}");
        let old = words("-let ", "a", " = 1;");
        let new = words("+let ", "b", " = 1;");
        let expected = format!("{OLD}{old}{PLAIN}\n{NEW}{new}{PLAIN}\n kept");
        assert_eq!(paint.diff("-let a = 1;\n+let b = 1;\n kept"), expected);
        let [old, new] = [words("-2   |let ", "a", " = 1;"), words("+2:a7|let ", "b", " = 1;")];
        let expected = format!("{OLD}{old}{PLAIN}\n{NEW}{new}{PLAIN}");
        assert_eq!(paint.report("-2   |let a = 1;\n+2:a7|let b = 1;"), expected);
        // If two lines replace one, nobody can tell which of them is the changed line.
        assert!(!paint.diff("-let a = 1;\n+let b = 1;\n+let c = 1;").contains(STRONG));
    }
}
