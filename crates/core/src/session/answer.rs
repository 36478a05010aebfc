//! Answering a shell command: with nothing, with a note, or with the lines it asks for.
//!
//! If a command only reads or searches files, this does the same read or search, so that the model
//! gets the lines with their tags in the turn in which its command is blocked.

use super::Session;
use super::serve::Served;
use super::stats::{Count, CountedAnswer};
use crate::cancel::Cancel;
use hashline_guard::{Access, Block, Mode, ShellKind, Verdict, Words, Writes, is_shell};

/// A shell command that a host is about to run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ShellCall<'a> {
    /// The text of the command.
    pub command: &'a str,
    /// The directory it would run in, as the caller spelled it; the root if left out.
    pub cwd: Option<&'a str>,
    /// The program it would be typed into; it is a command only if that is a shell.
    pub typed_into: Option<&'a str>,
    /// The kind of shell that it is for.
    pub shell: ShellKind,
}

/// The answer to a shell command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ShellAnswer {
    /// The command may run; nothing is added.
    Allow,
    /// The command may run, and the reason is added to its result.
    Nudge(Block),
    /// The command may not run.
    Refuse {
        /// Why, and what to do instead.
        block: Block,
        /// What the model gets instead of the command's result.
        given: Given,
    },
}

/// What the model gets for a command that may not run, in addition to the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    /// Nothing but the reason.
    Nothing,
    /// The lines that the command would have printed.
    Lines(String),
    /// The report of the patch that made the command's change.
    Report(String),
}

impl ShellAnswer {
    /// The text for the model, in the words of the extension, program or hook that asks; `None` if
    /// there is nothing to say.
    pub fn text(&self, words: &dyn Words) -> Option<String> {
        let (block, given) = match self {
            Self::Allow => return None,
            Self::Nudge(block) => (block, &Given::Nothing),
            Self::Refuse { block, given } => (block, given),
        };
        Some(match given {
            Given::Nothing => block.reason_in(words),
            Given::Report(report) => format!("the command was carried out as a patch:\n\n{report}"),
            Given::Lines(lines) if block.access == Access::Write => {
                let said = "Nothing was changed. The lines it is about:";
                format!("{}\n\n{said}\n\n{lines}", block.reason_in(words))
            }
            // The lines come first, as in a read; hosts that show only the end of an output show
            // the note.
            Given::Lines(lines) => {
                let (tool, fact, hint) = (words.tool(block), block.fact(), words.hint(block));
                format!("{lines}\n\n[answered by {tool}: {fact}; {hint}]")
            }
        })
    }
}

impl Session {
    /// Judges a shell command and, if it only reads or searches files, shows what it would have
    /// printed.
    ///
    /// It is blocked even if its lines cannot be shown: a cancelled call gets only the reason.
    pub fn answer(&self, call: ShellCall<'_>, cancel: &Cancel) -> ShellAnswer {
        let answer = self.answer_with(call, cancel);
        let bytes = match &answer {
            ShellAnswer::Refuse { given: Given::Lines(lines), .. } => lines.len(),
            // Applying the patch has already counted the report.
            ShellAnswer::Refuse { given: Given::Report(_), .. } => 0,
            _ => return answer,
        };
        self.count(CountedAnswer::new(&[(Count::Served, 1), (Count::Bytes, bytes)]));
        answer
    }

    fn answer_with(&self, call: ShellCall<'_>, cancel: &Cancel) -> ShellAnswer {
        if call.typed_into.is_some_and(|program| !is_shell(program)) {
            return ShellAnswer::Allow;
        }
        let block = match self.judge(call.command, call.cwd, call.shell) {
            Verdict::Allow => return ShellAnswer::Allow,
            Verdict::Block(block) if self.options.guard.mode == Mode::Nudge => {
                return ShellAnswer::Nudge(block);
            }
            Verdict::Block(block) => block
                .with_files(|path| self.expand_pattern(path))
                .settled(|change| self.exact_change(change, cancel)),
        };
        if let (Some(conversion), Writes::Convert) = (&block.convert, self.options.guard.writes)
            && let Some(report) = self.convert(conversion, cancel)
        {
            return ShellAnswer::Refuse { block, given: Given::Report(report) };
        }
        let served = match &block.serve {
            Some(serve) => self.serve(serve, cancel),
            None => Served::Nothing,
        };
        let given = match served {
            // A binary file has no lines to show and no anchors to protect.
            Served::Binary if block.access == Access::Read => return ShellAnswer::Allow,
            Served::Binary | Served::Nothing => Given::Nothing,
            Served::Lines(lines) => Given::Lines(lines),
        };
        ShellAnswer::Refuse { block, given }
    }
}
