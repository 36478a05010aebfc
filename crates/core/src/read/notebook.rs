//! The outputs of a notebook's cells: a read leaves them out, and says so.

use std::ops::Range;
use std::path::Path;

use crate::show::outputs_note;
use hashline_text::{Document, Span};

/// The zero-based lines of a file that are left out, as sorted ranges. Only a notebook has any.
#[derive(Clone, Default, Debug)]
pub struct LeftOut(Vec<Range<usize>>);

impl LeftOut {
    /// The outputs in a file that is read from line `start` on, except an output that contains it.
    pub(super) fn of(path: &Path, document: &Document, start: usize) -> Self {
        let mut outputs = if is_notebook(path) { outputs(document.text()) } else { Vec::new() };
        outputs.retain(|lines| !lines.contains(&start));
        Self(outputs)
    }

    /// Whether a line is left out.
    pub fn hides(&self, at: usize) -> bool {
        self.next(at) != at
    }

    /// The first line at or after this one that is not left out.
    pub fn next(&self, at: usize) -> usize {
        let lines = self.0.get(self.0.partition_point(|lines| lines.end <= at));
        lines.filter(|lines| lines.start <= at).map_or(at, |lines| lines.end)
    }

    /// The first `most` lines of `wanted` that are not left out, as at least one range, perhaps
    /// empty.
    pub(crate) fn runs(&self, wanted: Range<usize>, mut most: usize) -> Vec<Range<usize>> {
        let mut runs = Vec::new();
        let mut start = wanted.start;
        while start < wanted.end && most > 0 {
            let gap = self.0.get(self.0.partition_point(|lines| lines.start <= start));
            let end = gap.map_or(wanted.end, |lines| lines.start.min(wanted.end));
            let end = end.min(start.saturating_add(most));
            runs.push(start..end);
            most -= end - start;
            start = self.next(end);
        }
        if runs.is_empty() {
            runs.push(start..start);
        }
        runs
    }

    /// The note that says how many of these lines are left out, if any are.
    pub(crate) fn note(&self, document: &Document, wanted: &Range<usize>) -> Option<String> {
        let (mut lines, mut bytes) = (0, 0);
        for output in self.0.iter().filter(|output| wanted.contains(&output.start)) {
            lines += output.len();
            bytes += document.span_text(Span::between(output.start, output.end)).len() as u64;
        }
        (lines > 0).then(|| outputs_note(lines, bytes))
    }
}

/// Whether this is the name of a notebook.
pub(super) fn is_notebook(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ipynb"))
}

/// The lines between the brackets of each cell's outputs, in JSON that need not be valid.
fn outputs(json: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    // The brackets that are open: each with the key before it, and its line.
    let mut open = Vec::new();
    let (mut line, mut string, mut key) = (0, "", "");
    let mut rest = json;
    while let Some(at) = rest.find(['\n', '"', ':', ',', '{', '[', '}', ']']) {
        let mark = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match mark {
            b'\n' => line += 1,
            b'"' => {
                string = &rest[..string_len(rest)];
                rest = rest.get(string.len() + 1..).unwrap_or_default();
            }
            b':' => key = string,
            b',' => key = "",
            b'{' | b'[' => open.push((std::mem::take(&mut key), line)),
            _ => {
                let Some((name, first)) = open.pop() else { continue };
                let is_in_cell = matches!(open[..], [.., ("cells", _), _]);
                if name == "outputs" && is_in_cell && first + 1 < line {
                    // An output may hold a notebook with outputs of its own.
                    found.retain(|inner| inner.start <= first);
                    found.push(first + 1..line);
                }
            }
        }
    }
    found
}

/// The length of the string whose opening quotation mark was just read; it holds no newline.
fn string_len(text: &str) -> usize {
    let mut is_escaped = false;
    let is_end = |byte: &u8| {
        let is_end = *byte == b'\n' || *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    };
    text.as_bytes().iter().position(is_end).unwrap_or(text.len())
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "a list of ranges is meant")]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_brackets_of_a_cells_outputs_is_left_out() {
        let check =
            |json: &str, expected: &[Range<usize>]| assert_eq!(outputs(json), expected, "{json}");
        let cells = |cell: &str| format!("{{\n\"cells\": [\n{{\n{cell}\n}}\n]\n}}\n");
        check(&cells("\"outputs\": [\n1\n],\n\"source\": [\n2\n]"), &[4..5]);
        check(&cells("\"a\": 1,\n\"outputs\" : [\n{\n\"b\": [\n]\n}\n]"), &[5..9]);
        check(&cells("\"outputs\": [\n1\n]\n},\n{\n\"outputs\": [\n2,\n3\n]"), &[4..5, 9..11]);
        check(&cells("\"outputs\": [],\n\"source\": [\n\"outputs\",\n[\n1\n]\n]"), &[]);
        check(&cells("\"source\": [\n\"\\\"outputs\\\": [\\n\",\n\"]\"\n]"), &[]);
        check(&cells("\"metadata\": {\n\"outputs\": [\n1\n]\n}"), &[]);
        let inner = cells("\"outputs\": [\n1\n]");
        let lines = inner.lines().count();
        check(&cells(&format!("\"outputs\": [\n{inner}]")), &[4..4 + lines]);
        check("{\n\"outputs\": [\n1\n]\n}", &[]);
        for broken in
            ["\"", "\\", "]}", "{\"cells\": [{\"outputs\": [\n\n\n", "\"outputs\n\": [\n1\n]"]
        {
            check(broken, &[]);
        }
    }

    #[test]
    fn lines_are_left_out_of_any_range() {
        let left_out = LeftOut(vec![2..4, 6..9]);
        assert_eq!(left_out.runs(0..12, usize::MAX), [0..2, 4..6, 9..12]);
        assert_eq!(left_out.runs(1..8, usize::MAX), [1..2, 4..6]);
        assert_eq!(left_out.runs(0..12, 5), [0..2, 4..6, 9..10]);
        assert_eq!(left_out.runs(4..usize::MAX, 2), [4..6]);
        assert_eq!(left_out.runs(5..5, 9), [5..5]);
        assert_eq!(left_out.runs(0..9, 0), [0..0]);
        assert_eq!([1, 2, 3, 4, 6].map(|at| left_out.next(at)), [1, 4, 4, 4, 9]);
        assert!(left_out.hides(3) && !left_out.hides(4));
    }
}
