//! Answering a shell command: with nothing, with a note, or with what it was after.
//!
//! A command that is nothing but a read or a search is carried out here as one, so that the model
//! gets the lines with their tags in the same turn in which its command is blocked.

use super::{GrepOutcome, Session};
use crate::cancel::Cancel;
use crate::grep::{self, Around, GrepRequest, GrepShow, Reading};
use crate::guard::serve::ReadPath;
use crate::guard::{Block, Mode, Serve, Verdict, is_shell, serve};
use crate::read::{FileRequest, LinesWanted, ReadRequest};

/// A shell command that a host is about to run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ShellCall<'a> {
    /// The command.
    pub command: &'a str,
    /// Where it would run, as the caller spelled it; the root if left out.
    pub cwd: Option<&'a str>,
    /// The program it would be typed into; what is typed into anything but a shell is no command.
    pub typed_into: Option<&'a str>,
}

/// What is said to a shell command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ShellAnswer {
    /// Nothing: it may run.
    Allow,
    /// It may run, and the reason is added to its result.
    Nudge(Block),
    /// It may not run.
    Refuse {
        /// Why, and what to do instead.
        block: Block,
        /// What the model gets: the reason and, if they could be had, the lines it was after.
        text: String,
        /// Whether the text holds those lines.
        served: bool,
    },
}

impl Session {
    /// Judges a shell command and, where it is nothing but a read or a search, carries that out.
    ///
    /// It is blocked whether or not its lines can be had: a cancelled call gets the reason alone.
    pub fn answer(&self, call: ShellCall<'_>, cancel: &Cancel) -> ShellAnswer {
        if call.typed_into.is_some_and(|program| !is_shell(program)) {
            return ShellAnswer::Allow;
        }
        let block = match self.judge(call.command, call.cwd) {
            Verdict::Allow => return ShellAnswer::Allow,
            Verdict::Block(block) if self.guard.mode == Mode::Nudge => {
                return ShellAnswer::Nudge(block);
            }
            Verdict::Block(block) => block,
        };
        let lines = block.serve.as_ref().and_then(|serve| self.serve(serve, cancel));
        let text = match &lines {
            Some(lines) => format!("{}\n\nThis time it was done for you:\n\n{lines}", block.reason),
            None => block.reason.clone(),
        };
        ShellAnswer::Refuse { block, text, served: lines.is_some() }
    }

    /// The text of what a command was after; `None` if it cannot be had.
    fn serve(&self, serve: &Serve, cancel: &Cancel) -> Option<String> {
        match serve {
            Serve::Read(paths) => {
                let outcome = self.read(&read_request(paths), cancel).ok()?;
                let shown = outcome.files.iter().any(|file| file.refusal.is_none());
                shown.then_some(outcome.text)
            }
            Serve::Grep(request) => {
                match self.grep(&grep_request(request), &|_| {}, cancel).ok()? {
                    GrepOutcome::Found { text, .. } => Some(text),
                    GrepOutcome::Refused(_) => None,
                }
            }
        }
    }
}

fn read_request(paths: &[ReadPath]) -> ReadRequest {
    let file = |path: &ReadPath| FileRequest {
        path: path.path.clone(),
        wanted: LinesWanted { offset: path.offset, limit: path.limit.map(lines) },
        search: None,
    };
    ReadRequest { files: paths.iter().map(file).collect(), host_reads: Vec::new() }
}

fn grep_request(request: &serve::GrepRequest) -> GrepRequest {
    GrepRequest {
        pattern: request.pattern.clone(),
        reading: Reading {
            literal: request.literal,
            case_sensitive: request.case_sensitive,
            multiline: false,
        },
        paths: request.paths.clone(),
        globs: Vec::new(),
        types: Vec::new(),
        around: Around {
            before: lines(request.context_before),
            after: lines(request.context_after),
        },
        limit: grep::DEFAULT_LIMIT,
        show: GrepShow::Lines,
        hidden: false,
        ignored: false,
    }
}

/// A number of lines; more than can be counted is more than any file has.
fn lines(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX).min(u32::MAX as usize)
}
