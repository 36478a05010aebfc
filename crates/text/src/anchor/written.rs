//! A line as a model names it, perhaps without a complete anchor.
//!
//! `55f|let x` has no number, `2:let x` has no tag, `2` has neither tag nor text. [`WrittenAnchor`]
//! keeps every way such a text can be read; `plan`, which knows the file, decides which of them
//! matches a line that was shown.

use std::str::FromStr;

use super::parse::{Anchor, NotAnAnchor, bare, compact_tag, shorten};
use super::tag::Tag;
use crate::LineNumber;

/// The beginning of a line that lists anchors.
pub const LIST: &str = "tags: ";

/// The anchors of a text that consists only of anchors; `None` for any other text.
pub fn bare_anchors(text: &str) -> Option<Vec<&str>> {
    let is_anchor = |word: &&str| {
        let (digits, rest) = split(word, |c| c.is_ascii_digit());
        let tag = rest.strip_prefix([':', '#']).and_then(Tag::new);
        let compact = || compact_tag(rest).filter(|(_, after)| after.is_empty());
        !digits.is_empty() && (tag.is_some() || compact().is_some())
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty() && words.iter().all(is_anchor)).then_some(words)
}

/// The text that a model wrote in place of an anchor, and the ways to read it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenAnchor {
    /// The text as the caller wrote it.
    pub spelled: String,
    /// The same text, shortened to a readable length.
    pub given: String,
    /// The text read as an anchor: a number and a tag.
    pub exact: Option<Anchor>,
    /// The text read as a line number followed by the line's text.
    pub numbered: Option<(LineNumber, String)>,
    /// The text read as a tag followed by the line's text.
    pub tagged: Option<(Tag, String)>,
    /// The text read as nothing but the line's text.
    pub text: String,
}

impl WrittenAnchor {
    /// Reads several rows, or a list of anchors, and returns the first and the last; a single one
    /// is both.
    ///
    /// ```
    /// use hashline_text::WrittenAnchor;
    /// let (first, last) = WrittenAnchor::rows("4:a3|a\n5:b1|b\n6:c4|c")?;
    /// assert_eq!((first.given.as_str(), last.given.as_str()), ("4:a3|a", "6:c4|c"));
    /// # Ok::<(), hashline_text::NotAnAnchor>(())
    /// ```
    pub fn rows(text: &str) -> Result<(Self, Self), NotAnAnchor> {
        let rows: Vec<&str> =
            text.lines().filter(|row| !row.trim().is_empty()).flat_map(split_list).collect();
        let first = rows.first().copied().unwrap_or_default();
        let last = rows.last().copied().unwrap_or_default();
        // Lines that are not rows are probably new text in the wrong field.
        if let Some(odd) = rows.iter().find(|row| {
            first != last && row.parse::<Self>().is_ok_and(|row| row.numbered.is_none())
        }) {
            let reason = "several lines were given, and this one does not start with a line number";
            return Err(NotAnAnchor { given: shorten(odd), reason });
        }
        // More than two rows must name every line of the range: if lines between them are missing,
        // they are not a range.
        let numbers =
            rows.iter().filter_map(|row| Some(row.parse::<Self>().ok()?.numbered?.0.get()));
        let numbers: Vec<usize> = numbers.collect();
        if numbers.len() > 2 && numbers.windows(2).any(|pair| pair[0] + 1 != pair[1]) {
            let reason = "several lines were given, and others lie between them";
            return Err(NotAnAnchor { given: shorten(text.trim()), reason });
        }
        Ok((first.parse()?, last.parse()?))
    }

    /// Adds the line's text, as the model quoted it, to each reading that has none.
    #[must_use]
    pub fn with_hint(mut self, text: &str) -> Self {
        let text = text.trim();
        if text.is_empty() {
            return self;
        }
        if let Some(anchor) = &mut self.exact {
            anchor.hint.get_or_insert_with(|| text.to_owned());
        }
        let numbered = self.numbered.as_mut().map(|(_, own)| own);
        let tagged = self.tagged.as_mut().map(|(_, own)| own);
        for own in numbered.into_iter().chain(tagged).filter(|own| own.is_empty()) {
            text.clone_into(own);
        }
        self
    }
}

impl From<Anchor> for WrittenAnchor {
    fn from(anchor: Anchor) -> Self {
        let given = format!("{}:{}", anchor.line, anchor.tag);
        Self {
            spelled: given.clone(),
            given,
            text: String::new(),
            numbered: None,
            tagged: None,
            exact: Some(anchor),
        }
    }
}

impl FromStr for WrittenAnchor {
    type Err = NotAnAnchor;

    fn from_str(text: &str) -> Result<Self, NotAnAnchor> {
        let bare = bare(text);
        if bare.is_empty() {
            return Err(NotAnAnchor { given: shorten(text), reason: "it is empty" });
        }
        Ok(Self {
            spelled: text.to_owned(),
            given: shorten(text.trim()),
            exact: text.parse().ok(),
            numbered: numbered(bare),
            tagged: tagged(bare),
            text: bare.to_owned(),
        })
    }
}

/// The anchors of a line that lists anchors; any other line unchanged.
fn split_list(row: &str) -> Vec<&str> {
    let bare = row.trim();
    bare_anchors(bare.strip_prefix(LIST.trim_end()).unwrap_or(bare)).unwrap_or_else(|| vec![row])
}

/// `2`, `2:text`, `2|text`, `2 text`.
fn numbered(bare: &str) -> Option<(LineNumber, String)> {
    let (digits, rest) = split(bare, |c| c.is_ascii_digit());
    let line = LineNumber::new(digits.parse().ok()?)?;
    after(rest, &[':', '#', '|', '→']).map(|text| (line, text.to_owned()))
}

/// `a3`, `a3|text`.
fn tagged(bare: &str) -> Option<(Tag, String)> {
    let (tag, rest) = split(bare, |c| c.is_ascii_alphanumeric());
    after(rest, &['|', '→']).map(str::to_owned).and_then(|text| Some((Tag::new(tag)?, text)))
}

fn split(text: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !belongs(c)).unwrap_or(text.len()))
}

/// The text after a separator or white space; `None` without either.
fn after<'a>(rest: &'a str, separators: &[char]) -> Option<&'a str> {
    let bare = rest.trim_start();
    match bare.strip_prefix(separators) {
        Some(text) => Some(text.trim()),
        None => (bare.len() < rest.len() || rest.is_empty()).then_some(bare.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, numbered: Option<(usize, &str)>, tagged: Option<(&str, &str)>) {
        let written: WrittenAnchor = text.parse().unwrap_or_else(|error| panic!("{error}"));
        let as_number = written.numbered.as_ref().map(|(line, text)| (line.get(), text.as_str()));
        assert_eq!(as_number, numbered, "{text:?}");
        let as_tag = written.tagged.as_ref().map(|(tag, text)| (tag.as_str(), text.as_str()));
        assert_eq!(as_tag, tagged, "{text:?}");
    }

    #[test]
    fn an_incomplete_anchor_keeps_all_its_readings() {
        check("2:bbb", Some((2, "bbb")), None);
        check("2", Some((2, "")), Some(("2", "")));
        check("L2", Some((2, "")), Some(("2", "")));
        check("2| bbb", Some((2, "bbb")), Some(("2", "bbb")));
        check("12 let x = 1;", Some((12, "let x = 1;")), Some(("12", "let x = 1;")));
        check("55f|let x", None, Some(("55f", "let x")));
        check(">>> a3|", None, Some(("a3", "")));
        check("a3", None, Some(("a3", "")));
        check("let x = 1;", None, Some(("let", "x = 1;")));
        check("return;", None, None);
        assert!("  ".parse::<WrittenAnchor>().is_err());
    }

    #[test]
    fn several_rows_are_a_range_and_other_lines_are_refused() {
        let (first, last) = WrittenAnchor::rows("2:ab|x\n\n3:cd|y\n").unwrap();
        assert_eq!((first.given.as_str(), last.given.as_str()), ("2:ab|x", "3:cd|y"));
        let (first, last) = WrittenAnchor::rows("2:ab|x").unwrap();
        assert_eq!(first, last);
        for list in ["tags: 2:ab 3:cd 4:ef", "2:ab 3:cd 4:ef", "tags: 2:ab\ntags: 4:ef"] {
            let (first, last) = WrittenAnchor::rows(list).unwrap();
            assert_eq!((first.given.as_str(), last.given.as_str()), ("2:ab", "4:ef"), "{list}");
        }
        assert!(WrittenAnchor::rows("2:ab 5:cd 9:ef").is_err());
        assert!(WrittenAnchor::rows("B\nC\nD").is_err());
        assert!(WrittenAnchor::rows("").is_err());
    }
}
