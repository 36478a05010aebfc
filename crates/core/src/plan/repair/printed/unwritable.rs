//! Texts that cannot be written, and what to send instead.

use crate::show::{self, PrintedRow};
use hashline_text::{LineNumber, Scheme};

/// A text that cannot be written as it is, and what to send instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unwritable {
    /// What we saw, and what to send instead.
    pub reason: String,
    /// The zero-based line of the file to look at.
    pub look_at: Option<usize>,
}

pub(super) fn cut(at: usize, index: Option<usize>) -> Unwritable {
    Unwritable {
        reason: format!(
            "line {} of the text was copied from a line that was shown cut, and the rest of that line would \
             be lost: use replace with the part to be changed as old_text; read shows the rest with columns",
            at + 1
        ),
        look_at: index,
    }
}

pub(super) fn nothing() -> Unwritable {
    Unwritable {
        reason: "the text holds nothing but what we print around lines: send the new lines, or use delete"
            .to_owned(),
        look_at: None,
    }
}

pub(super) fn anchors(at: usize, line: &str) -> Unwritable {
    Unwritable {
        reason: format!(
            "line {} of the text is `{}`, which we print for lines of the file and is no text of theirs: send \
             the text, or give \"exact\": true if it is meant",
            at + 1,
            line.trim()
        ),
        look_at: None,
    }
}

pub(super) fn gap(at: usize) -> Unwritable {
    Unwritable {
        reason: format!(
            "line {} of the text is `{}`, which stands for lines that were not shown: send those lines, or \
             make one operation of the part before it and one of the part after it",
            at + 1,
            show::GAP
        ),
        look_at: None,
    }
}

pub(super) fn own_form(at: usize, row: &PrintedRow<'_>, scheme: Scheme) -> Unwritable {
    let (number, tag) = (row.number.map_or(0, LineNumber::get), row.tag);
    let tag = tag.map_or(String::new(), |tag| format!("{}{tag}", scheme.separator()));
    Unwritable {
        reason: format!(
            "line {} of the text begins with `{number}{tag}|`, as line {number} was shown, but the file has \
             such lines of its own: send the text without it, or give \"exact\": true if it is meant",
            at + 1
        ),
        look_at: number.checked_sub(1),
    }
}
