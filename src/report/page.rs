//! A text of bounded width and length.

use std::fmt::Write;

use crate::anchor::Scheme;
use crate::plan::tag_at;
use crate::text::Document;

/// The most lines of a report.
pub const MOST_LINES: usize = 200;

/// The most characters of a line of a report.
pub const MOST_COLUMNS: usize = 400;

/// Lines being gathered.
pub struct Page {
    lines: Vec<String>,
    most: usize,
    left_out: usize,
}

impl Page {
    /// An empty page for this many lines.
    pub fn new(most: usize) -> Self {
        Self { lines: Vec::new(), most, left_out: 0 }
    }

    /// Adds a line if there is room, and says whether there was.
    pub fn push(&mut self, line: &str) -> bool {
        if self.lines.len() >= self.most {
            self.left_out += 1;
            return false;
        }
        self.lines.push(cut(&escaped(line)));
        true
    }

    /// Adds a line of a document with its fresh tag.
    pub fn push_tagged(
        &mut self,
        mark: &str,
        document: &Document,
        index: usize,
        scheme: Scheme,
    ) -> bool {
        let content = super::content(document, index);
        let tag = tag_at(document, index, scheme);
        self.push(&format!("{mark}{}{}{tag}|{content}", index + 1, scheme.separator()))
    }

    /// Its lines, with a note of what was left out.
    pub fn finish(mut self) -> Vec<String> {
        if self.left_out > 0 {
            self.lines.push(format!(
                "... {} more lines left out: read the file to see them",
                self.left_out
            ));
        }
        self.lines
    }
}

/// A line cut to the width of a report.
fn cut(line: &str) -> String {
    const NOTE: &str = "...";
    if line.char_indices().nth(MOST_COLUMNS).is_none() {
        return line.to_owned();
    }
    let room = MOST_COLUMNS - NOTE.len();
    let end = line.char_indices().nth(room).map_or(line.len(), |(at, _)| at);
    format!("{}{NOTE}", &line[..end])
}

/// A line with its control characters made visible; a tab stays a tab.
fn escaped(line: &str) -> String {
    if !line.chars().any(|c| c.is_control() && c != '\t') {
        return line.to_owned();
    }
    let mut out = String::with_capacity(line.len() + 8);
    for c in line.chars() {
        match c {
            '\t' => out.push(c),
            '\r' => out.push_str("\\r"),
            '\n' => out.push_str("\\n"),
            '\0' => out.push_str("\\0"),
            _ if c.is_control() => {
                let _ = write!(out, "\\x{:02x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out
}
