//! The program's output and its exit codes.

use std::fmt;
use std::io::{self, StdoutLock, Write};

use hashline_core::cancel::Cancelled;
use hashline_core::session::CommitFault;
use hashline_wire::program;

/// How a command ends: the exit code of the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// The command did what it was asked to do.
    Done,
    /// An anchor is stale, a command is to be blocked, or nothing was found.
    No,
    /// The command failed in any other way.
    Failed,
}

/// Why a command could not be carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Failure {
    /// The stable name of the reason.
    pub(crate) code: &'static str,
    /// One sentence for a person.
    pub(crate) message: String,
    /// The index of the patch's operation that failed, if one did.
    pub(crate) op: Option<usize>,
}

impl Failure {
    /// A failure that does not belong to an operation.
    pub(crate) fn new(code: &'static str, message: impl fmt::Display) -> Self {
        Self { code, message: message.to_string(), op: None }
    }

    /// The failure as one line of JSON.
    pub(crate) fn to_json(&self) -> String {
        program::failure(self.code, &self.message, self.op)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::new("io_error", error)
    }
}

impl From<CommitFault> for Failure {
    fn from(fault: CommitFault) -> Self {
        Self::new(fault.code().as_str(), fault)
    }
}

impl From<Cancelled> for Failure {
    fn from(cancelled: Cancelled) -> Self {
        Self::new(cancelled.code(), cancelled)
    }
}

/// Prints one line or several. It is no failure if the reader has closed the pipe.
pub(crate) fn print_line(text: &str) {
    let _ = io::stdout().lock().write_all(format!("{text}\n").as_bytes());
}

/// The most bytes that are written at once by default.
pub(crate) const CHUNK: usize = 64 << 10;

/// The output of a command, written in pieces of limited size.
pub(crate) struct Output<W: Write> {
    to: W,
    waiting: Vec<u8>,
    lines: usize,
    max_lines: usize,
    max_bytes: usize,
    /// Whether the reader has closed the pipe, as in `hashline read f | head`.
    closed: bool,
}

impl Output<StdoutLock<'static>> {
    /// Standard output, in pieces of 64 KB.
    pub(crate) fn stdout() -> Self {
        Self::new(io::stdout().lock(), usize::MAX, CHUNK)
    }
}

impl<W: Write> Output<W> {
    /// Output that is written at most this many lines and bytes at once; a longer line goes alone.
    pub(crate) fn new(to: W, max_lines: usize, max_bytes: usize) -> Self {
        Self { to, waiting: Vec::new(), lines: 0, max_lines, max_bytes, closed: false }
    }

    /// Adds one line, without its newline.
    pub(crate) fn line(&mut self, line: &str) -> io::Result<()> {
        if self.lines + 1 > self.max_lines || self.waiting.len() + line.len() + 1 > self.max_bytes {
            self.flush()?;
        }
        self.waiting.extend_from_slice(line.as_bytes());
        self.waiting.push(b'\n');
        self.lines += 1;
        Ok(())
    }

    /// Adds a text of several lines.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        text.lines().try_for_each(|line| self.line(line))
    }

    /// Writes bytes unchanged.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.flush()?;
        self.waiting.extend_from_slice(bytes);
        self.flush()
    }

    /// Writes what is waiting.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.lines = 0;
        let waiting = std::mem::take(&mut self.waiting);
        if self.closed || waiting.is_empty() {
            return Ok(());
        }
        match self.to.write_all(&waiting).and_then(|()| self.to.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => self.closed = true,
            written => written?,
        }
        self.waiting = waiting;
        self.waiting.clear();
        Ok(())
    }

    /// Whether the reader has closed the pipe.
    pub(crate) fn closed(&self) -> bool {
        self.closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps each write as a separate text.
    #[derive(Default)]
    struct Writes(Vec<String>);

    impl Write for &mut Writes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_written_in_pieces_of_the_requested_size() {
        let check = |max_lines, max_bytes, expected: &[&str]| {
            let mut writes = Writes::default();
            let mut out = Output::new(&mut writes, max_lines, max_bytes);
            for line in ["aa", "bb", "a longer line", "c"] {
                out.line(line).unwrap();
            }
            out.flush().unwrap();
            assert_eq!(writes.0, expected);
        };
        check(2, 1000, &["aa\nbb\n", "a longer line\nc\n"]);
        check(1000, 6, &["aa\nbb\n", "a longer line\n", "c\n"]);
        check(1000, 1000, &["aa\nbb\na longer line\nc\n"]);
    }
}
