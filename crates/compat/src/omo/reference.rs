//! Reading `LINE#ID` the way a model writes it.
//!
//! Models copy a reference with a mark before it or the line's text after it. [`normalize`] reduces
//! that to the reference alone, [`OmoLineRef::parse`] splits the reference. [`super::validate()`]
//! checks whether the line exists.

use super::refusal::OmoRefusal;
use super::tag::tag_len;
use hashline_text::kernel::{search, whitespace};

/// A line number and a tag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OmoLineRef {
    /// The number; one that is too large becomes `usize::MAX`.
    pub line: usize,
    /// The digits as the model wrote them.
    digits: String,
    /// The tag, two capital letters.
    pub tag: String,
}

impl OmoLineRef {
    /// Splits a reference into line number and tag.
    ///
    /// ```
    /// use hashline_compat::omo::OmoLineRef;
    /// let reference = OmoLineRef::parse(b">>> 12#VK|let x").unwrap();
    /// assert_eq!((reference.line, reference.tag.as_str()), (12, "VK"));
    /// assert!(OmoLineRef::parse(b"12:VK").is_err());
    /// ```
    pub fn parse(given: &[u8]) -> Result<Self, OmoRefusal> {
        let text = normalize(given);
        let hash = search::find_byte(b'#', &text);
        let (number, tag) = hash.map_or((&text[..], &[][..]), |at| (&text[..at], &text[at + 1..]));
        if number.is_empty() || tag_len(tag) != Some(tag.len()) {
            return Err(OmoRefusal::NotAReference { given: given.to_vec(), hint: None });
        }
        if !number.iter().all(u8::is_ascii_digit) {
            return Err(OmoRefusal::NotALineNumber {
                given: given.to_vec(),
                word: number.to_vec(),
                hint: None,
            });
        }
        let digits = String::from_utf8_lossy(number).into_owned();
        Ok(Self {
            line: digits.parse().unwrap_or(usize::MAX),
            digits,
            tag: String::from_utf8_lossy(tag).into_owned(),
        })
    }

    /// The number as JavaScript holds it.
    pub fn value(&self) -> f64 {
        self.digits.parse().unwrap_or(f64::INFINITY)
    }

    /// The number as JavaScript prints it.
    pub fn shown(&self) -> String {
        let value = self.value();
        if value.is_infinite() {
            "Infinity".to_owned()
        } else if value < 1e21 {
            format!("{value}")
        } else {
            format!("{value:e}").replace('e', "e+")
        }
    }
}

/// The reference inside `given`; if there is none, `given` without outer white space.
///
/// ```
/// use hashline_compat::omo::reference::normalize;
/// assert_eq!(normalize(b"- 5 # ZP | x"), b"5#ZP");
/// assert_eq!(normalize(b" five#ZP "), b"five#ZP");
/// ```
pub fn normalize(given: &[u8]) -> Vec<u8> {
    let trimmed = whitespace::trim(given);
    let mut text = close_up_hash(strip_mark(trimmed));
    if let Some(bar) = line_bar(&text) {
        text.truncate(bar);
    }
    find_reference(&text).map_or_else(|| trimmed.to_vec(), <[u8]>::to_vec)
}

/// Removes one leading `>>>`, `+` or `-` and the white space after it.
fn strip_mark(text: &[u8]) -> &[u8] {
    let marks: [&[u8]; 3] = [b">>>", b"+", b"-"];
    let rest = marks.iter().find_map(|mark| text.strip_prefix(*mark));
    rest.map_or(text, whitespace::trim_start)
}

/// Removes the white space around the first `#`.
fn close_up_hash(text: &[u8]) -> Vec<u8> {
    match search::find_byte(b'#', text) {
        Some(at) => {
            [whitespace::trim_end(&text[..at]), b"#", whitespace::trim_start(&text[at + 1..])]
                .concat()
        }
        None => text.to_vec(),
    }
}

/// The first `|` of the last line; the text of a copied line follows it.
fn line_bar(text: &[u8]) -> Option<usize> {
    let mut start = 0;
    let mut at = 0;
    while at < text.len() {
        match text[at..] {
            [b'\n' | b'\r', ..] => start = at + 1,
            [0xe2, 0x80, 0xa8 | 0xa9, ..] => start = at + 3,
            _ => {}
        }
        at += 1;
    }
    search::find_byte(b'|', &text[start..]).map(|bar| start + bar)
}

/// The first digits that `#` and a tag directly follow, with these.
fn find_reference(text: &[u8]) -> Option<&[u8]> {
    search::find_all(b"#", text).find_map(|hash| {
        let digits = text[..hash].iter().rev().take_while(|byte| byte.is_ascii_digit());
        let start = hash - digits.count();
        let end = hash + 1 + tag_len(&text[hash + 1..])?;
        (start < hash).then(|| &text[start..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, normal: &str) {
        assert_eq!(normalize(given.as_bytes()), normal.as_bytes(), "{given:?}");
    }

    #[test]
    fn the_text_after_a_bar_is_dropped_from_the_last_line_only() {
        check("5#ZP|a#b", "5#ZP");
        check("a|5#ZP", "a|5#ZP");
        check("a|b\n5#ZP", "5#ZP");
        check("5#ZP|a\nb", "5#ZP");
    }

    #[test]
    fn a_number_is_shown_as_javascript_shows_it() {
        let shown = |text: &str| OmoLineRef::parse(text.as_bytes()).unwrap().shown();
        assert_eq!(shown("007#ZP"), "7");
        assert_eq!(shown("99999999999999999999#ZP"), "100000000000000000000");
        assert_eq!(shown("1234567890123456789012#ZP"), "1.2345678901234568e+21");
        assert_eq!(shown(&format!("{}#ZP", "9".repeat(400))), "Infinity");
    }
}
