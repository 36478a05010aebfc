//! A text of bounded width and length.

use super::escape::push_escaped;
use super::frame::GAP;
use super::row::Row;
use hashline_text::Scheme;

/// The most lines of a report.
pub(crate) const MAX_LINES: usize = 200;

/// The most characters of a line of a report.
pub(crate) const MAX_COLUMNS: usize = 400;

/// The lines of a report that is being written.
pub(crate) struct Page {
    lines: Vec<String>,
    max_lines: usize,
    left_out: usize,
}

impl Page {
    /// An empty page with room for `max_lines` lines.
    pub(crate) fn new(max_lines: usize) -> Self {
        Self { lines: Vec::new(), max_lines, left_out: 0 }
    }

    /// Adds a line if there is room, and says whether there was.
    pub(crate) fn push(&mut self, line: &str) -> bool {
        if self.lines.len() >= self.max_lines {
            self.left_out += 1;
            return false;
        }
        let mut escaped = String::with_capacity(line.len());
        push_escaped(&mut escaped, line);
        self.lines.push(cut(escaped));
        true
    }

    /// Adds a row if there is room, and says whether there was.
    pub(crate) fn push_row(&mut self, row: &Row<'_>, scheme: Scheme) -> bool {
        if self.lines.len() >= self.max_lines {
            self.left_out += 1;
            return false;
        }
        let mut line = String::new();
        row.push_within(&mut line, scheme, MAX_COLUMNS);
        self.lines.push(line);
        true
    }

    /// The lines of the page, with a note that counts the lines left out.
    pub(crate) fn finish(mut self) -> Vec<String> {
        if self.left_out > 0 {
            self.lines.push(format!(
                "{GAP} {} more lines left out: read the file to see them",
                self.left_out
            ));
        }
        self.lines
    }
}

/// A line cut to the width of a report.
fn cut(mut line: String) -> String {
    if line.char_indices().nth(MAX_COLUMNS).is_some() {
        let room = MAX_COLUMNS - GAP.len();
        let end = line.char_indices().nth(room).map_or(line.len(), |(at, _)| at);
        line.truncate(end);
        line.push_str(GAP);
    }
    line
}
