//! The two tags that can name a line.

use hashline_text::kernel::whitespace;
use hashline_text::{CID_LETTERS, LineNumber, Scheme, Tag, TagInput, cid_tag};

/// The tag that listings print.
///
/// ```
/// use hashline_compat::omo::line_tag;
/// use hashline_text::LineNumber;
/// assert_eq!(line_tag(LineNumber::FIRST, b"a").as_str(), "RW");
/// ```
pub fn line_tag(number: LineNumber, line: &[u8]) -> Tag {
    Scheme::Cid.tag(TagInput::alone(number, line))
}

/// The tag of an older release, which is still accepted: it ignores all white space, not only at
/// the end of the line.
pub fn legacy_tag(number: LineNumber, line: &[u8]) -> Tag {
    let mut stripped = Vec::with_capacity(line.len());
    whitespace::strip_into(line, &mut stripped);
    cid_tag(&stripped, number)
}

/// Whether `tag` names the line, by the current rule or the older one.
pub(super) fn fits(tag: &str, number: LineNumber, line: &[u8]) -> bool {
    line_tag(number, line).as_str() == tag || legacy_tag(number, line).as_str() == tag
}

/// The length of the tag that `text` starts with: two letters of the tag alphabet.
pub(super) fn tag_len(text: &[u8]) -> Option<usize> {
    let letters = text.get(..2)?;
    letters.iter().all(|letter| CID_LETTERS.contains(letter)).then_some(2)
}
