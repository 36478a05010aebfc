//! How certain it is that a line of a text is a row that we printed.

use super::{Text, separator};
use crate::plan::repair::indent;
use crate::plan::repair::strip_plus::resembles;
use crate::plan::tag_at;
use crate::show::{self, Mark, PrintedRow};
use hashline_text::{Anchor, LineNumber, Scheme, Tag, TagInput};

/// How certain it is that we printed a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Proof {
    /// The line has the form of a row, but lines of the file have it too.
    Doubt,
    /// The line has the form of a row.
    Form,
    /// The line has the form of a row, and the number of the very line that it replaces.
    Position,
    /// The line has what we printed: a line's tag, or its number with its text.
    Certain,
}

impl Text<'_> {
    /// How certain it is that a line is this row; `None` if it is not.
    pub(super) fn proof(&self, at: usize, line: &str, row: &PrintedRow<'_>) -> Option<Proof> {
        let scheme = self.site.scheme;
        match (row.number, row.tag) {
            (Some(number), Some(tag)) => {
                let anchor = Anchor::new(number, tag);
                if (self.site.shown)(&anchor)
                    || (self.site.tags)(number.index()).contains(&tag)
                    || fits(&anchor, row.content, scheme)
                    || self.is_of_another_scheme(&anchor)
                {
                    Some(Proof::Certain)
                } else if !self.is_tag_like(number, tag) {
                    None
                } else if self.is_expected(at, number) && self.may_be_made_up() {
                    Some(Proof::Position)
                } else {
                    Some(Proof::Form)
                }
            }
            (None, Some(tag)) => {
                if self.near_tags().any(|near| near == tag)
                    || self.copied(tag, row).is_some()
                    || fits(&Anchor::new(LineNumber::FIRST, tag), row.content, scheme)
                {
                    Some(Proof::Certain)
                } else if self.near_tags().any(|near| is_longer(tag, near)) {
                    Some(Proof::Position)
                } else {
                    scheme.has_form(tag).then_some(Proof::Form)
                }
            }
            (Some(number), None) => {
                if self.printed(number.index()).is_some_and(|own| own == row.content) {
                    Some(Proof::Certain)
                } else if self.is_expected(at, number) && self.is_numbered(line, number, row) {
                    Some(Proof::Position)
                } else {
                    self.may_be_numbered(line, number, row).then_some(Proof::Form)
                }
            }
            (None, None) => None,
        }
    }

    /// Whether the anchor fits its line in another scheme, which another of our tools may have
    /// shown.
    fn is_of_another_scheme(&self, anchor: &Anchor) -> bool {
        let at = anchor.line.index();
        let shown = |scheme: &Scheme| tag_at(self.site.document, at, *scheme) == anchor.tag;
        at < self.site.document.len() && Scheme::ALL.iter().any(shown)
    }

    /// Whether the number fits the place: it names a replaced line, the line that follows in order,
    /// or the anchor line.
    fn is_expected(&self, at: usize, number: LineNumber) -> bool {
        let (span, index) = (self.work.span, number.index());
        (span.start()..span.end()).contains(&index)
            || index == span.start() + at
            || self.site.anchor.is_some_and(|(anchor, _)| anchor == index)
    }

    /// Whether a number with a tag that no line has can only have been made up. In a new file, and
    /// where lines begin with what looks like a tag, `5:30|x` may be the number 5 before the text
    /// `30|x`.
    pub(super) fn may_be_made_up(&self) -> bool {
        let tagged = |line: &str| {
            let rows = show::readings(line);
            rows.iter().any(|row| row.number.is_none())
        };
        !self.site.is_new_file(self.work)
            && !self.site.document.lines().any(|line| tagged(line.content))
    }

    /// Whether a tag that belongs to no line may have been made up for this line.
    fn is_tag_like(&self, number: LineNumber, tag: Tag) -> bool {
        self.site.scheme.has_form(tag)
            || tag.as_str().bytes().all(|byte| byte.is_ascii_hexdigit())
            || (self.site.tags)(number.index()).iter().any(|own| is_longer(tag, *own))
    }

    /// Whether `12:text` is a numbered line rather than a key and its value: the text after the
    /// colon is indented like the old line, and the old line is no key itself. In a new file,
    /// `12|text` may be data as well.
    fn is_numbered(&self, line: &str, number: LineNumber, row: &PrintedRow<'_>) -> bool {
        if self.site.is_new_file(self.work) {
            return false;
        }
        if separator(line, row) == b'|' || row.mark != Mark::None {
            return true;
        }
        let old = self.site.content(number.index());
        let (own, wanted) = (indent(row.content), indent(old));
        if self.is_spaced(row, number) {
            return resembles(row.content, old);
        }
        own == wanted && !row.content.is_empty() && (!own.is_empty() || !is_key(old))
    }

    /// Whether a space was put between `12:` and a text that is otherwise indented like the old
    /// line.
    pub(super) fn is_spaced(&self, row: &PrintedRow<'_>, number: LineNumber) -> bool {
        let old = self.site.content(number.index());
        let rest = indent(row.content).strip_prefix(' ');
        row.tag.is_none() && !is_key(old) && rest == Some(indent(old))
    }

    /// Whether `12|text` or `12:text` may be a numbered line of this file; any number may be for a
    /// new file.
    fn may_be_numbered(&self, line: &str, number: LineNumber, row: &PrintedRow<'_>) -> bool {
        let exists = number.index() < self.site.document.len() || self.site.is_new_file(self.work);
        separator(line, row) == b'|' || exists
    }

    /// The tags of the lines that are replaced, and of the line beside which the text is put.
    fn near_tags(&self) -> impl Iterator<Item = Tag> + '_ {
        let anchor = self.site.anchor.map(|(anchor, _)| anchor);
        let replaced = self.work.span.start()..self.work.span.end();
        replaced.chain(anchor).flat_map(|index| (self.site.tags)(index))
    }

    /// The line of the file that was shown with this tag and this content.
    pub(super) fn copied(&self, tag: Tag, row: &PrintedRow<'_>) -> Option<&str> {
        let copied = |index: usize, line: &str| {
            (line == row.content || (row.escaped && show::content(line) == row.content))
                && (self.site.tags)(index).contains(&tag)
        };
        let mut lines = self.site.document.lines().enumerate();
        lines.find(|(index, line)| copied(*index, line.content)).map(|(_, line)| line.content)
    }

    /// Whether a row begins with all that was shown of the line it names.
    pub(super) fn is_edited_copy(&self, row: &PrintedRow<'_>) -> bool {
        let copies = |index: usize, line: &str| {
            let named = match (row.number, row.tag) {
                (Some(number), _) => number.index() == index,
                (None, Some(tag)) => (self.site.tags)(index).contains(&tag),
                (None, None) => false,
            };
            named && row.content.starts_with(&show::content(line))
        };
        self.site.document.lines().enumerate().any(|(index, line)| copies(index, line.content))
    }

    /// The printed form of a line of the file.
    fn printed(&self, index: usize) -> Option<String> {
        let line = self.site.document.content(LineNumber::at(index))?;
        Some(show::content(line))
    }
}

/// Whether the tag fits the rest of the line. If tags depend on the neighbours as well, the line
/// alone proves nothing.
fn fits(anchor: &Anchor, rest: &str, scheme: Scheme) -> bool {
    !scheme.is_positional()
        && scheme.tag(TagInput::alone(anchor.line, rest.as_bytes())) == anchor.tag
}

/// Whether a line is a key and its value, as in YAML.
fn is_key(line: &str) -> bool {
    line.split_once(':').is_some_and(|(key, value)| {
        !key.trim().is_empty()
            && !key.trim().contains(char::is_whitespace)
            && (value.is_empty() || value.starts_with(' '))
    })
}

/// Whether `tag` is `own` with one more character before or after it.
fn is_longer(tag: Tag, own: Tag) -> bool {
    let (tag, own) = (tag.as_str().to_ascii_lowercase(), own.as_str().to_ascii_lowercase());
    tag.len() == own.len() + 1 && (tag.starts_with(&own) || tag.ends_with(&own))
}
