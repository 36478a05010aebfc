//! Belief: an edit that changes nothing on a line with an unusual hyphen was meant to make it
//! plain.

use std::borrow::Cow;

use crate::omp::draft::NewLines;
use hashline_text::kernel::search;

/// U+2010 to U+2014, U+2212, U+FE63 and U+FF0D.
const HYPHENS: [&str; 8] = [
    "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2212}", "\u{fe63}", "\u{ff0d}",
];

/// Whether the text has a character that looks like a hyphen.
pub(in super::super) fn has_confusable_hyphen(text: &[u8]) -> bool {
    HYPHENS.iter().any(|hyphen| search::find(hyphen.as_bytes(), text).is_some())
}

/// Replaces every such character by a plain hyphen.
pub(in super::super) fn make_hyphens_plain(lines: &mut NewLines) {
    for line in lines.iter_mut().filter(|line| has_confusable_hyphen(line)) {
        *line = Cow::Owned(with_plain_hyphens(line));
    }
}

fn with_plain_hyphens(line: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(line.len());
    let mut rest = line;
    while let [byte, tail @ ..] = rest {
        if let Some(behind) = HYPHENS.iter().find_map(|hyphen| rest.strip_prefix(hyphen.as_bytes()))
        {
            out.push(b'-');
            rest = behind;
        } else {
            out.push(*byte);
            rest = tail;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_characters_become_a_hyphen_and_no_ninth() {
        let mut lines: NewLines = vec![Cow::Borrowed(
            "\u{2010}a\u{2011}\u{2012}\u{2013}\u{2014}\u{2212}\u{fe63}\u{ff0d}\u{2015}".as_bytes(),
        )];
        make_hyphens_plain(&mut lines);
        assert_eq!(lines[0], "-a-------\u{2015}".as_bytes());
        assert!(!has_confusable_hyphen("\u{2015}-".as_bytes()));
    }
}
