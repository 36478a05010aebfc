//! Is it still that line? Checks references, and moves a stale one to the only line with its hash.

use super::edit::{EditTarget, ParsedEdit};
use super::format::{hash_with, hex, line_hash};
use super::index::{LineIndex, UniqueHashes};
use super::mismatch::OmpMismatch;
use super::number::{js_number, whole};
use super::reference::OmpLineRef;
use super::refusal::OmpRefusal;

/// How an edit treats its lines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum EditKind {
    Line,
    Range,
    After,
}

/// An edit whose lines exist and have the hashes expected.
pub(super) struct ResolvedEdit<'a> {
    pub(super) kind: EditKind,
    /// The first line, counted from one.
    pub(super) start: usize,
    /// The last line; the same as `start` unless this is a range.
    pub(super) end: usize,
    /// The hash of the first line as typed.
    pub(super) hash: &'a [u8],
    pub(super) lines: Vec<&'a [u8]>,
}

/// Checks a single reference; it is never moved.
///
/// `line_count` is the length of the text, and `line` the line that the reference names, if there
/// is one.
pub fn validate_line_ref(
    reference: OmpLineRef<'_>,
    line: Option<&[u8]>,
    line_count: usize,
) -> Result<(), OmpRefusal> {
    let number = existing_line(reference.line, line_count)?;
    let (Some(number), Some(line)) = (number, line) else {
        let line = js_number(reference.line);
        return Err(OmpRefusal::Type(format!("line {line} is not a line of text")));
    };
    let actual = line_hash(line);
    if parse_hash(reference.hash) == Some(actual) {
        Ok(())
    } else {
        Err(OmpRefusal::Mismatch(vec![OmpMismatch {
            line: number,
            expected: reference.hash.to_vec(),
            actual: hex(actual),
        }]))
    }
}

/// Checks every edit. Stale references are collected; any other fault ends the check at once, even
/// if stale references were found before it.
pub(super) fn resolve<'a>(
    requests: Vec<ParsedEdit<'a>>,
    index: &LineIndex,
) -> Result<Vec<ResolvedEdit<'a>>, OmpRefusal> {
    let mut check = Check { index, bare: Vec::new(), unique: None, mismatches: Vec::new() };
    let mut edits = Vec::with_capacity(requests.len());
    for request in requests {
        edits.extend(check.edit(request)?);
    }
    if check.mismatches.is_empty() {
        Ok(edits)
    } else {
        Err(OmpRefusal::Mismatch(check.mismatches))
    }
}

struct Check<'a> {
    index: &'a LineIndex<'a>,
    /// Room for a line without its white space.
    bare: Vec<u8>,
    /// Made when the first reference is found stale.
    unique: Option<UniqueHashes>,
    mismatches: Vec<OmpMismatch>,
}

/// Where a reference was found.
struct FoundLine {
    line: usize,
    moved: bool,
}

impl Check<'_> {
    fn edit<'a>(
        &mut self,
        request: ParsedEdit<'a>,
    ) -> Result<Option<ResolvedEdit<'a>>, OmpRefusal> {
        let (kind, found, hash) = match request.target {
            EditTarget::Line(reference) => (EditKind::Line, self.line(reference)?, reference.hash),
            EditTarget::After(reference) => {
                if request.lines.is_empty() {
                    return Err(OmpRefusal::error(
                        "Insert-after edit (src \"N:HH..\") requires non-empty dst",
                    ));
                }
                (EditKind::After, self.line(reference)?, reference.hash)
            }
            EditTarget::Range(start, end) => (EditKind::Range, self.range(start, end)?, start.hash),
        };
        Ok(found.map(|(start, end)| ResolvedEdit { kind, start, end, hash, lines: request.lines }))
    }

    fn line(&mut self, reference: OmpLineRef<'_>) -> Result<Option<(usize, usize)>, OmpRefusal> {
        let found = self.find(reference)?;
        Ok(found.map(|found| (found.line, found.line)))
    }

    /// A range that moved must keep its size; if it does not, both ends count as stale.
    fn range(
        &mut self,
        start: OmpLineRef<'_>,
        end: OmpLineRef<'_>,
    ) -> Result<Option<(usize, usize)>, OmpRefusal> {
        if start.line > end.line {
            return Err(OmpRefusal::error(format!(
                "Range start line {} must be <= end line {}",
                js_number(start.line),
                js_number(end.line)
            )));
        }
        let first = self.find(start)?;
        let last = self.find(end)?;
        let (Some(first), Some(last)) = (first, last) else {
            return Ok(None);
        };
        let size = self.number(end)? - self.number(start)?;
        let moved = first.moved || last.moved;
        if moved && last.line.checked_sub(first.line) != Some(size) {
            for reference in [start, end] {
                let line = self.number(reference)?;
                self.mismatch(reference, line);
            }
            return Ok(None);
        }
        Ok(Some((first.line, last.line)))
    }

    /// The line that a reference means. If there is none, the reference is recorded as stale.
    fn find(&mut self, reference: OmpLineRef<'_>) -> Result<Option<FoundLine>, OmpRefusal> {
        let line = self.number(reference)?;
        let expected = parse_hash(reference.hash);
        if expected == Some(hash_with(self.index.line(line - 1), &mut self.bare)) {
            return Ok(Some(FoundLine { line, moved: false }));
        }
        let unique = self.unique.get_or_insert_with(|| UniqueHashes::of(self.index));
        let only = expected.and_then(|hash| unique.find(hash));
        if only.is_none() {
            self.mismatch(reference, line);
        }
        Ok(only.map(|at| FoundLine { line: at + 1, moved: true }))
    }

    fn mismatch(&mut self, reference: OmpLineRef<'_>, line: usize) {
        self.mismatches.push(OmpMismatch {
            line,
            expected: reference.hash.to_vec(),
            actual: hex(line_hash(self.index.line(line - 1))),
        });
    }

    fn number(&self, reference: OmpLineRef<'_>) -> Result<usize, OmpRefusal> {
        let number = existing_line(reference.line, self.index.len())?;
        Ok(number.expect("references are read from digits, so they are whole numbers"))
    }
}

/// The number as a line number, if it is whole; refused if the file has no such line.
fn existing_line(line: f64, line_count: usize) -> Result<Option<usize>, OmpRefusal> {
    if line < 1.0 || line > whole(line_count) {
        let line = js_number(line);
        return Err(OmpRefusal::error(format!(
            "Line {line} does not exist (file has {line_count} lines)"
        )));
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number between 1 and the count of lines"
    )]
    Ok((line.fract() == 0.0).then_some(line as usize))
}

/// The value of two hexadecimal digits, in either case. Nothing else is a hash.
fn parse_hash(typed: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let [high, low] = *typed else { return None };
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: f64, hash: &str) -> OmpLineRef<'_> {
        OmpLineRef { line, hash: hash.as_bytes() }
    }

    /// Where a target is found in a text of the lines `a`, `b`, `b`, `c`; or which lines are stale.
    fn check(target: EditTarget, expected: Result<(usize, usize), &[usize]>) {
        let index = LineIndex::new(b"a\nb\nb\nc").unwrap();
        let lines = vec![&b"x"[..]];
        let found = match resolve(vec![ParsedEdit { target, lines }], &index) {
            Ok(edits) => Ok((edits[0].start, edits[0].end)),
            Err(OmpRefusal::Mismatch(stale)) => {
                Err(stale.iter().map(|m| m.line).collect::<Vec<_>>())
            }
            Err(other) => panic!("{other:?}"),
        };
        assert_eq!(found, expected.map_err(<[usize]>::to_vec));
    }

    #[test]
    fn a_stale_reference_moves_to_the_only_line_with_its_hash() {
        check(EditTarget::Line(at(2.0, "56")), Ok((1, 1)));
        check(EditTarget::Line(at(3.0, "BF")), Ok((3, 3)));
        check(EditTarget::Line(at(1.0, "bf")), Err(&[1]));
        check(EditTarget::Line(at(1.0, "zz")), Err(&[1]));
    }

    #[test]
    fn a_range_that_would_change_its_size_is_stale_at_both_ends() {
        check(EditTarget::Range(at(1.0, "56"), at(3.0, "bf")), Ok((1, 3)));
        check(EditTarget::Range(at(2.0, "56"), at(3.0, "bf")), Err(&[2, 3]));
    }

    #[test]
    fn a_line_beyond_the_end_does_not_exist() {
        let index = LineIndex::new(b"a").unwrap();
        let request =
            ParsedEdit { target: EditTarget::Line(at(f64::INFINITY, "56")), lines: Vec::new() };
        let refusal = resolve(vec![request], &index).err();
        let message = "Line Infinity does not exist (file has 1 lines)";
        assert_eq!(refusal, Some(OmpRefusal::error(message)));
    }
}
