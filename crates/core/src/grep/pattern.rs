//! What is searched for, and the only module that knows `grep-regex` and its parser.

use grep_matcher::{LineTerminator, Matcher};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};

use super::GrepRefusalCode;
use crate::show::brief;

/// The most bytes of memory for a compiled pattern, and for the cache of its search. Compiling
/// cannot be cancelled, so it must be short.
const MAX_COMPILED: usize = 10 << 20;

/// How to read a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct Reading {
    /// Every character stands for itself.
    pub literal: bool,
    /// `a` and `A` differ.
    pub case_sensitive: bool,
    /// A match may span several lines.
    pub multiline: bool,
    /// Wanted are the lines that do not match.
    pub inverted: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Self { literal: false, case_sensitive: true, multiline: false, inverted: false }
    }
}

/// A pattern ready to be searched for.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    matcher: RegexMatcher,
    reading: Reading,
    crlf: bool,
}

/// The pattern cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("bad pattern `{}`: {reason}{}", brief(pattern), reason.advice())]
pub struct BadPattern {
    /// The pattern.
    pub pattern: String,
    /// The reason why it cannot be used.
    pub reason: PatternProblem,
}

/// What is wrong with a pattern.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PatternProblem {
    /// The pattern is empty.
    #[error("it is empty and would match everything")]
    Empty,
    /// The pattern holds a newline, but a match must be within one line.
    #[error("it contains a newline")]
    Newline,
    /// The pattern is no regular expression; says where it goes wrong.
    #[error("{0}")]
    Syntax(String),
}

impl BadPattern {
    /// The stable name of this error.
    pub fn code(&self) -> GrepRefusalCode {
        GrepRefusalCode::BadPattern
    }
}

impl PatternProblem {
    /// What to do about it, as the end of the message.
    fn advice(&self) -> &'static str {
        match self {
            Self::Empty => "",
            Self::Newline => "; set multiline to true to match across lines",
            Self::Syntax(_) => {
                "\nhint: escape special characters with `\\`, or set literal to true"
            }
        }
    }
}

/// The pattern that this text alone matches.
pub fn literal(text: &str) -> String {
    regex_syntax::escape(text)
}

impl Pattern {
    /// Reads a pattern.
    pub(crate) fn new(pattern: &str, reading: Reading) -> Result<Self, BadPattern> {
        let fail = |reason: PatternProblem| BadPattern { pattern: pattern.to_owned(), reason };
        if pattern.is_empty() {
            return Err(fail(PatternProblem::Empty));
        }
        if !reading.multiline && pattern.contains('\n') {
            return Err(fail(PatternProblem::Newline));
        }
        // A `$` must match before `\r\n` too; all other patterns are faster without that.
        let crlf = !reading.literal && pattern.contains('$');
        let mut builder = RegexMatcherBuilder::new();
        builder
            .fixed_strings(reading.literal)
            .case_insensitive(!reading.case_sensitive)
            .multi_line(true)
            .size_limit(MAX_COMPILED)
            .dfa_size_limit(MAX_COMPILED);
        if !reading.multiline {
            builder.line_terminator(Some(b'\n'));
        }
        if crlf {
            builder.crlf(true);
            if reading.multiline {
                builder.line_terminator(None);
            }
        }
        match builder.build(pattern) {
            Ok(matcher) => Ok(Self { matcher, reading, crlf }),
            // The matcher's error shows a changed pattern; the parser's error shows it as written.
            Err(error) => Err(match regex_syntax::parse(pattern) {
                Err(plain) if !reading.literal => fail(PatternProblem::Syntax(problem(&plain))),
                _ => fail(PatternProblem::Syntax(brief(&error.to_string()).into_owned())),
            }),
        }
    }

    /// The first match in `text`, as a range of bytes.
    pub(crate) fn find(&self, text: &[u8]) -> Option<std::ops::Range<usize>> {
        let found = self.matcher.find(text).ok().flatten()?;
        Some(found.start()..found.end())
    }

    /// Every match in `text` that is not empty, as ranges of bytes.
    pub(super) fn matches(&self, text: &str) -> Vec<std::ops::Range<usize>> {
        let (mut found, mut at) = (Vec::new(), 0);
        while let Ok(Some(one)) = self.matcher.find_at(text.as_bytes(), at) {
            if one.is_empty() {
                at = one.end() + 1;
            } else {
                found.push(one.start()..one.end());
                at = one.end();
            }
            if at > text.len() {
                break;
            }
        }
        found
    }

    /// How the pattern was read.
    pub(crate) fn reading(&self) -> Reading {
        self.reading
    }

    /// The line terminator to tell the searcher, if it is not the usual one.
    pub(super) fn line_terminator(&self) -> Option<LineTerminator> {
        self.crlf.then(LineTerminator::crlf)
    }

    /// The matcher for the searcher.
    pub(super) fn matcher(&self) -> &RegexMatcher {
        &self.matcher
    }
}

/// The parser's message: with the pattern and a mark below the wrong place, if that is short.
fn problem(error: &regex_syntax::Error) -> String {
    let whole = error.to_string();
    let (kind, at) = match error {
        regex_syntax::Error::Parse(error) => (error.kind().to_string(), error.span().start),
        regex_syntax::Error::Translate(error) => (error.kind().to_string(), error.span().start),
        _ => return brief(&whole).into_owned(),
    };
    // The message repeats the pattern and has a second line for the mark.
    let is_short = whole.len() < 1000;
    if is_short { whole } else { format!("{kind} at line {}, column {}", at.line, at.column) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_pattern_need_not_be_a_regular_expression() {
        assert!(Pattern::new("fn \\w+", Reading::default()).is_ok());
        let error = Pattern::new("fn (", Reading::default()).unwrap_err();
        assert!(error.to_string().contains("unclosed group"));
        let literal = Reading { literal: true, ..Reading::default() };
        assert!(Pattern::new("fn (", literal).is_ok());
    }

    #[test]
    fn a_pattern_that_would_take_very_much_memory_is_refused_at_once() {
        let began = std::time::Instant::now();
        let error = Pattern::new(r"((\w{200}){200}){20}", Reading::default()).unwrap_err();
        assert!(error.to_string().contains("size limit"), "{error}");
        // Compiling it with so much memory would take minutes.
        assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
        assert!(Pattern::new(r"\w{80}", Reading::default()).is_ok());
    }
}
