//! Parsing an anchor as models write it.
//!
//! Models copy anchors together with the text around them: a `>>>` mark, a quote, the line's text.
//! [`Anchor::from_str`] reads the number and the tag, keeps the line's text as a hint, and refuses
//! anything else. It does not look at a file.

use std::str::FromStr;

use super::scheme::Scheme;
use super::tag::Tag;
use crate::LineNumber;

/// Where a line was seen, and the tag of its content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Anchor {
    /// The line's number when it was shown.
    pub line: LineNumber,
    /// The line's tag when it was shown.
    pub tag: Tag,
    /// The line's text as the model quoted it, if it did.
    pub hint: Option<String>,
}

impl Anchor {
    /// An anchor without a hint.
    pub fn new(line: LineNumber, tag: Tag) -> Self {
        Self { line, tag, hint: None }
    }

    /// The anchor as a scheme prints it: `12:a3`, or `12#VK`.
    ///
    /// ```
    /// use hashline_text::{Anchor, Scheme};
    /// let anchor: Anchor = ">>> 12:a3|let x".parse()?;
    /// assert_eq!(anchor.print(Scheme::Hex2), "12:a3");
    /// assert_eq!(anchor.hint.as_deref(), Some("let x"));
    /// # Ok::<(), hashline_text::NotAnAnchor>(())
    /// ```
    pub fn print(&self, scheme: Scheme) -> String {
        format!("{}{}{}", self.line, scheme.separator(), self.tag)
    }
}

/// The error that a text is not an anchor.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{given}` is not an anchor: {reason}; copy one (LINE:HASH) from a read result")]
pub struct NotAnAnchor {
    /// The text, shortened to a readable length.
    pub given: String,
    /// Why it is not an anchor.
    pub reason: &'static str,
}

impl NotAnAnchor {
    /// The stable name of this error.
    pub fn code(&self) -> &'static str {
        "bad_anchor"
    }
}

impl FromStr for Anchor {
    type Err = NotAnAnchor;

    fn from_str(text: &str) -> Result<Self, NotAnAnchor> {
        let fail = |reason| NotAnAnchor { given: shorten(text), reason };
        let bare = bare(text);
        let digits = bare.len() - bare.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits == 0 {
            return Err(fail("it does not start with a line number"));
        }
        let number = bare[..digits].parse().map_err(|_| fail("the line number is too large"))?;
        let line = LineNumber::new(number).ok_or_else(|| match number {
            0 => fail("lines are counted from 1"),
            _ => fail("the line number is too large"),
        })?;
        let rest = bare[digits..].trim_start();
        let rest = match compact_tag(&bare[digits..]) {
            Some(_) => rest,
            None => rest.strip_prefix([':', '#']).ok_or_else(|| fail("the tag is missing"))?,
        };
        let rest = rest.trim_start();
        let letters =
            rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).len();
        let tag = match letters {
            0 => return Err(fail("the tag is missing")),
            _ => Tag::new(&rest[..letters]).ok_or_else(|| fail("the tag is too long"))?,
        };
        let hint =
            hint(&rest[letters..]).ok_or_else(|| fail("the tag is followed by something odd"))?;
        Ok(Self { line, tag, hint: (!hint.is_empty()).then(|| hint.to_owned()) })
    }
}

/// Splits a tag of two letters from the text right after a line number; `None` if more letters
/// follow.
pub fn compact_tag(rest: &str) -> Option<(Tag, &str)> {
    let (tag, after) = rest.split_at_checked(2)?;
    let letters = tag.bytes().all(|byte| byte.is_ascii_alphabetic());
    let ends = after.is_empty() || after.starts_with(['|', ' ', ',', ']', ')']);
    Some((Tag::new(tag).filter(|_| letters && ends)?, after))
}

/// The hint after a tag; `None` if the tag is followed by something else.
fn hint(rest: &str) -> Option<&str> {
    match rest.chars().next() {
        None => Some(""),
        Some('|' | ':' | '→') => Some(rest[rest.chars().next()?.len_utf8()..].trim()),
        Some(c) if c.is_whitespace() => {
            let rest = rest.trim();
            Some(rest.strip_prefix(['|', '→']).unwrap_or(rest).trim())
        }
        Some(']' | ')' | ',') if rest.len() == 1 => Some(""),
        Some(_) => None,
    }
}

/// The text without quotes and without leading marks and the word `line`.
pub(super) fn bare(text: &str) -> &str {
    let bare = unquote(text.trim());
    let bare = bare.trim_start_matches(['>', '+', '-', '*', '[', '(']).trim_start();
    strip_word(bare)
}

fn unquote(text: &str) -> &str {
    for quote in ['"', '\'', '`'] {
        if let Some(inner) = text.strip_prefix(quote) {
            return inner.strip_suffix(quote).unwrap_or(inner).trim();
        }
    }
    text
}

/// Removes a leading `L` or `line`.
fn strip_word(text: &str) -> &str {
    let letters = text.len() - text.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
    match text[..letters].to_ascii_lowercase().as_str() {
        "l" | "line" | "ln" => text[letters..].trim_start(),
        _ => text,
    }
}

pub(super) fn shorten(text: &str) -> String {
    const MAX_SHOWN: usize = 60;
    match text.char_indices().nth(MAX_SHOWN) {
        Some((at, _)) => format!("{}…", text[..at].escape_debug()),
        None => text.escape_debug().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, line: usize, tag: &str, hint: Option<&str>) {
        let anchor: Anchor = text.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            (anchor.line.get(), anchor.tag.as_str(), anchor.hint.as_deref()),
            (line, tag, hint),
            "{text:?}"
        );
    }

    fn refuse(text: &str, reason: &str) {
        let error = text.parse::<Anchor>().expect_err(text);
        assert!(error.to_string().contains(reason), "{error}");
    }

    #[test]
    fn anchors_are_read_as_models_write_them() {
        check("5:ab", 5, "ab", None);
        check("  5:ab  ", 5, "ab", None);
        check(">>> 5:ab", 5, "ab", None);
        check(">>5:ab|text", 5, "ab", Some("text"));
        check("5:ab|", 5, "ab", None);
        check("5:ab  text here", 5, "ab", Some("text here"));
        check("5:ab text", 5, "ab", Some("text"));
        check("5:ab | text", 5, "ab", Some("text"));
        check("L5:ab", 5, "ab", None);
        check("Line 5: ab", 5, "ab", None);
        check("\"5:ab\"", 5, "ab", None);
        check("'5:ab'", 5, "ab", None);
        check("`5:ab|x`", 5, "ab", Some("x"));
        check("[5:ab]", 5, "ab", None);
        check("+5:ab|x", 5, "ab", Some("x"));
        check("12#VK|x", 12, "VK", Some("x"));
        check("12#VK:x", 12, "VK", Some("x"));
        check("7:abcd", 7, "abcd", None);
        check("007:A3", 7, "A3", None);
        check("12ab", 12, "ab", None);
        check(">>> 12ab|text", 12, "ab", Some("text"));
        check("12:ab|text", 12, "ab", Some("text"));
    }

    #[test]
    fn anything_else_is_refused_with_its_reason() {
        refuse("", "line number");
        refuse("ab", "line number");
        refuse("0:ab", "counted from 1");
        refuse("5", "tag is missing");
        refuse("5:", "tag is missing");
        refuse("5abc", "tag is missing");
        refuse("5:|x", "tag is missing");
        refuse("5:abcdef", "too long");
        refuse("5:ab-cd", "something odd");
        refuse("99999999999999999999:ab", "too large");
        refuse("4294967296:ab", "too large");
    }

    proptest! {
        #[test]
        fn a_printed_anchor_parses_to_itself(number in 1..u32::MAX as usize, content: String) {
            for scheme in Scheme::ALL {
                let line = LineNumber::new(number).unwrap();
                let input = super::super::scheme::TagInput::alone(line, content.as_bytes());
                let anchor = Anchor::new(line, scheme.tag(input));
                prop_assert_eq!(anchor.print(scheme).parse(), Ok(anchor));
            }
        }

        #[test]
        fn no_text_makes_parsing_panic(text: String) {
            let _ = text.parse::<Anchor>();
        }
    }
}
