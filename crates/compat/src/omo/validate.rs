//! Comparing references with the file.
//!
//! A reference that cannot be read or points outside the file is refused at once; wrong tags are
//! collected, so that one answer shows them all. References are never moved: a line elsewhere with
//! the same tag only serves as a hint where the line number is missing.

use std::collections::BTreeSet;

use super::reference::OmoLineRef;
use super::refusal::{OmoMismatch, OmoRefusal};
use super::tag::{fits, line_tag, tag_len};
use hashline_text::LineNumber;
use hashline_text::kernel::{search, whitespace};

/// How many lines are shown on either side of a changed one.
const CONTEXT: usize = 2;

/// Checks that every reference names a line by its current tag, or by its tag of the older rule.
pub fn validate(lines: &[impl AsRef<[u8]>], references: &[&[u8]]) -> Result<(), OmoRefusal> {
    let mut mismatches = Vec::new();
    for given in references {
        let reference =
            OmoLineRef::parse(given).map_err(|refusal| refusal.with_hint(suggest(given, lines)))?;
        let line = reference.line.checked_sub(1).and_then(|index| lines.get(index));
        let (Some(line), Some(number)) = (line, LineNumber::new(reference.line)) else {
            return Err(OmoRefusal::out_of_bounds(&reference, lines.len()));
        };
        if !fits(&reference.tag, number, line.as_ref()) {
            mismatches.push(OmoMismatch {
                line: number,
                expected: reference.tag,
                actual: line_tag(number, line.as_ref()).to_string(),
            });
        }
    }
    if mismatches.is_empty() {
        return Ok(());
    }
    let shown = neighbourhood(&mismatches, lines);
    Err(OmoRefusal::Stale { mismatches, shown })
}

/// A reference to the first line that has the tag at the end of `given`.
fn suggest(given: &[u8], lines: &[impl AsRef<[u8]>]) -> Option<String> {
    let given = whitespace::trim(given);
    let hash = search::find_all(b"#", given).last()?;
    let tag = &given[hash + 1..];
    if tag_len(tag)? != tag.len() {
        return None;
    }
    let tag = str::from_utf8(tag).ok()?;
    let mut numbered = (0..).map(LineNumber::at).zip(lines);
    let (number, line) = numbered.find(|(number, line)| fits(tag, *number, line.as_ref()))?;
    Some(format!("{number}#{}", line_tag(number, line.as_ref())))
}

fn neighbourhood(
    mismatches: &[OmoMismatch],
    lines: &[impl AsRef<[u8]>],
) -> Vec<(LineNumber, Vec<u8>)> {
    let around = |mismatch: &OmoMismatch| {
        let at = mismatch.line.index();
        at.saturating_sub(CONTEXT)..lines.len().min(at + CONTEXT + 1)
    };
    let indexes: BTreeSet<usize> = mismatches.iter().flat_map(around).collect();
    indexes
        .into_iter()
        .map(|index| (LineNumber::at(index), lines[index].as_ref().to_vec()))
        .collect()
}
