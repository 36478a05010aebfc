//! Finding the line that a model named by less than an anchor.
//!
//! A tag without its number, a number with the line's own text, a row whose number is wrong: each
//! is enough if exactly one line that was shown fits it. A number alone is never enough, and an
//! anchor that was shown is never read in another way: if its line has changed, it is stale.

use super::Now;
use super::ground::listed;
use super::resolve::{Finder, Lost};
use hashline_text::{Anchor, LineNumber, Scheme, Tag, WrittenAnchor, hint};

/// The tag that another tool prints for an empty line.
const FOREIGN_EMPTY_TAG: &str = "d0";

/// What a written anchor means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// The anchor as it was written; the caller checks whether it fits.
    Anchor(Anchor),
    /// The zero-based line that alone fits.
    Line(usize),
    /// The end of the file, for an insert: other tools print an empty row after the last line.
    End,
}

/// Why a written anchor means no line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Unclear {
    /// The anchor is a number without a tag.
    NumberOnly(LineNumber),
    /// Several lines fit the anchor, zero-based.
    Several(Vec<usize>),
    /// No line that was shown fits the anchor.
    Nothing,
}

impl Unclear {
    /// Why it cannot be said which line of `path` was meant, and the zero-based lines to copy from.
    pub(super) fn explained(
        self,
        given: &str,
        now: &Now<'_>,
        path: &str,
        scheme: Scheme,
    ) -> (String, Vec<usize>) {
        let count = now.digests.len();
        match self {
            Self::NumberOnly(line) if line.index() < count => {
                let anchor = Anchor::new(line, now.tag(line.index())).print(scheme);
                let reason = format!(
                    "`{given}` is a line number without its tag: if this row of `{path}` is meant, send {anchor}"
                );
                (reason, vec![line.index()])
            }
            Self::NumberOnly(_) => {
                let reason = format!(
                    "`{given}` is a line number without its tag, and `{path}` has {count} lines"
                );
                (reason, Vec::new())
            }
            Self::Several(lines) => {
                let reason = format!(
                    "`{given}` does not say which line of `{path}` is meant: lines {} fit it; copy number and tag",
                    listed(lines.iter().map(|at| at + 1))
                );
                (reason, lines.into_iter().take(3).collect())
            }
            Self::Nothing => {
                let reason = format!(
                    "`{given}` is not an anchor: it has no number with a tag, and no single line shown of `{path}` has such a tag or reads so; copy LINE:HASH from a row"
                );
                (reason, Vec::new())
            }
        }
    }
}

impl Finder<'_> {
    /// Reads what a model wrote for an anchor. Only an insert may mean the end of the file.
    pub(super) fn read(&self, written: &WrittenAnchor, insert: bool) -> Result<Meaning, Unclear> {
        if let Some(anchor) = &written.exact {
            match self.line(anchor) {
                Err(Lost::OtherTag | Lost::NeverShown | Lost::NotFound) => {}
                _ => return Ok(Meaning::Anchor(anchor.clone())),
            }
        }
        if insert && self.is_behind_the_end(written) {
            return Ok(Meaning::End);
        }
        if let Some((line, text)) = &written.numbered
            && !text.is_empty()
            && self.reads_as(line.index(), text)
        {
            return Ok(Meaning::Line(line.index()));
        }
        match (self.fitting_lines(written).as_slice(), &written.exact, &written.numbered) {
            ([line], ..) => Ok(Meaning::Line(*line)),
            ([], Some(anchor), _) => Ok(Meaning::Anchor(anchor.clone())),
            ([], None, Some((line, text))) if text.is_empty() => Err(Unclear::NumberOnly(*line)),
            ([], ..) => Err(Unclear::Nothing),
            (_, Some(anchor), _) => Ok(Meaning::Anchor(anchor.clone())),
            (several, ..) => Err(Unclear::Several(several.to_vec())),
        }
    }

    /// The lines that fit by tag and text, by tag, or by text; none unless all of them were shown.
    fn fitting_lines(&self, written: &WrittenAnchor) -> Vec<usize> {
        let count = self.line_count();
        let by_tag = |tag, text: &str| -> Vec<usize> {
            let fits = |at: &usize| {
                self.tag(*at) == tag && (text.is_empty() || hint::agrees(text, self.content(*at)))
            };
            (0..count).filter(fits).collect()
        };
        let by_text = |text: &str| -> Vec<usize> {
            if !text.contains(char::is_alphanumeric) {
                return Vec::new();
            }
            (0..count).filter(|at| hint::agrees(text, self.content(*at))).collect()
        };
        // The number of an existing line is a line number, even if it could be a tag.
        let is_number = matches!(&written.numbered, Some((line, text)) if text.is_empty() && line.index() < count);
        let tagged = match (&written.exact, &written.tagged) {
            (Some(anchor), _) => anchor.hint.as_deref().map(|text| (anchor.tag, text)),
            (None, Some((tag, text))) if !is_number => Some((*tag, text.as_str())),
            (None, _) => None,
        };
        let mut lines = tagged.map_or_else(Vec::new, |(tag, text)| by_tag(tag, text));
        if lines.is_empty() {
            lines = match (&written.numbered, &written.exact) {
                // What has the form of a tag is a tag, even if a wrong one, not text.
                (_, Some(anchor)) if self.has_tag_form(anchor.tag) => Vec::new(),
                (Some((_, text)), _) => by_text(text),
                (None, None) => by_text(&written.text),
                (None, Some(_)) => Vec::new(),
            };
        }
        // If some of them were not shown, it is not certain that a shown one is meant.
        if lines.iter().any(|at| !self.has_seen(*at)) { Vec::new() } else { lines }
    }

    /// Whether a tag is as long as the tags of this file.
    fn has_tag_form(&self, tag: Tag) -> bool {
        self.line_count() > 0 && self.tag(0).as_str().len() == tag.as_str().len()
    }

    /// Whether the line was shown and agrees with `text`.
    fn reads_as(&self, at: usize, text: &str) -> bool {
        at < self.line_count() && hint::agrees(text, self.content(at)) && self.has_seen(at)
    }

    /// Other tools show an empty row after the last line; ours never do, so such an anchor was made
    /// up and can only mean the end. With any other tag it names a line that is gone.
    fn is_behind_the_end(&self, written: &WrittenAnchor) -> bool {
        let Some(Anchor { line, tag, hint: None }) = &written.exact else { return false };
        let known = self.line_count() == 0 || self.is_known_as_it_is();
        let is_empty_row = tag.as_str() == FOREIGN_EMPTY_TAG || *tag == self.tag(line.index());
        line.index() == self.line_count() && known && !self.was_shown(*line) && is_empty_row
    }
}
