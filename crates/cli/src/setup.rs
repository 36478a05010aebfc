//! `hashline setup`: tells an agent to use this program, or to stop using it.
//!
//! What is written can be taken out again exactly: instructions are between two marks, and the
//! entries of the settings are known by the command they run.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::open::OpenedWorkspace;
use super::output::{Exit, Failure, print_line};
use crate::options::SetupAgent;
use hashline_core::cancel::Cancel;
use hashline_core::patch::{Change, Op, Patch};
use hashline_core::session::{ApplyMode, ApplyOutcome};
use hashline_core::system;
use hashline_wire::claude;

const START: &str = "<!-- hashline: start -->";
const END: &str = "<!-- hashline: end -->";

/// The instructions for the agent.
pub(crate) const INSTRUCTIONS: &str = include_str!("instructions.md");

/// The most bytes of a file that is changed.
const MOST_BYTES: usize = 16 << 20;

/// Puts the instructions, the permission and the hooks in, or takes them out.
pub(crate) fn setup(
    agent: SetupAgent,
    dry_run: bool,
    remove: bool,
    opened: OpenedWorkspace,
) -> Result<Exit, Failure> {
    let root = opened.root.clone();
    let instructions = match agent {
        SetupAgent::Claude => "CLAUDE.md",
        SetupAgent::Agents => "AGENTS.md",
    };
    let text = text_of(&root.join(instructions))?;
    let new = if remove { Ok(without_block(&text)) } else { with_block(&text) };
    let new = new.map_err(|reason| refusal(instructions, &reason))?;
    let mut ops: Vec<Op> = change(&root, instructions, &text, new).into_iter().collect();
    if agent == SetupAgent::Claude {
        let name = ".claude/settings.json";
        let text = text_of(&root.join(name))?;
        let new = if remove { claude::without_hooks(&text) } else { claude::with_hooks(&text) };
        let new = new.map_err(|reason| refusal(name, &reason))?;
        ops.extend(change(&root, name, &text, new));
    }
    if ops.is_empty() {
        print_line("nothing to do");
        return Ok(Exit::Done);
    }
    let session = opened.session()?;
    let mode = if dry_run { ApplyMode::DryRun } else { ApplyMode::Write };
    let done = session
        .apply_as(&Patch::new(ops), mode, &Cancel::default())
        .map_err(|fault| Failure::new(fault.code().as_str(), fault))?;
    match done.outcome {
        ApplyOutcome::Applied(report, _) => {
            print_line(&report.text);
            if remove && !dry_run && agent == SetupAgent::Claude {
                // One that holds anything else stays.
                let _ = system::remove_empty_directory(&root.join(".claude"));
            }
            Ok(Exit::Done)
        }
        ApplyOutcome::Refused(report) => Err(Failure::new("refused", report.text)),
    }
}

/// The operation that makes `new` of a file, if that is a change.
fn change(root: &Path, name: &str, old: &str, new: String) -> Option<Op> {
    let change = if new == old {
        return None;
    } else if new.is_empty() {
        Change::DeleteFile
    } else {
        Change::AddFile { content: new, overwrite: true }
    };
    // Absolute, because other names are meant from the current directory.
    let path = root.join(name).to_string_lossy().into_owned();
    Some(Op { path, exact: true, open: false, change })
}

fn refusal(name: &str, reason: &str) -> Failure {
    Failure::new("bad_settings", format!("`{name}` was left as it is: {reason}"))
}

fn text_of(path: &Path) -> Result<String, Failure> {
    if !system::exists(path) {
        return Ok(String::new());
    }
    let name = path.display();
    let bytes = system::contents(path, MOST_BYTES, &AtomicBool::new(false))
        .map_err(|error| Failure::new("io_error", format!("cannot read `{name}`: {error}")))?;
    String::from_utf8(bytes).map_err(|_| Failure::new("not_text", format!("`{name}` is not UTF-8")))
}

/// Where the instructions of an earlier setup are, their marks and last newline included.
fn block_in(text: &str) -> Result<Option<std::ops::Range<usize>>, String> {
    match (text.find(START), text.find(END)) {
        (Some(start), Some(end)) if start < end => {
            let end = end + END.len();
            Ok(Some(start..end + usize::from(text[end..].starts_with('\n'))))
        }
        (None, None) => Ok(None),
        _ => Err("one of the two marks of an earlier setup is missing".to_owned()),
    }
}

/// The text with the instructions between their marks, in the place of older ones.
fn with_block(text: &str) -> Result<String, String> {
    let block = format!("{START}\n{INSTRUCTIONS}{END}\n");
    Ok(match block_in(text)? {
        Some(old) => format!("{}{block}{}", &text[..old.start], &text[old.end..]),
        None if text.is_empty() => block,
        None => format!("{text}\n{block}"),
    })
}

/// The text without what [`with_block`] added.
fn without_block(text: &str) -> String {
    let Ok(Some(block)) = block_in(text) else {
        return text.to_owned();
    };
    let (before, rest) = (&text[..block.start], &text[block.end..]);
    // The newline in front came with the block; what follows needs it.
    let before = match before.strip_suffix('\n') {
        Some(kept) if rest.is_empty() || kept.ends_with('\n') => kept,
        _ => before,
    };
    format!("{before}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_put_in_once_and_taken_out_exactly() {
        for text in ["", "\n", "# Rules", "# Rules\n", "a\r\nb\r\n", "# Rules\n\nBe brief.\n\n"] {
            let with = with_block(text).unwrap();
            assert_eq!(with_block(&with).unwrap(), with);
            assert_eq!(without_block(&with), text);
        }
        let more = with_block("# Rules").unwrap() + "More\n";
        assert_eq!(without_block(&more), "# Rules\nMore\n");
        assert!(with_block(START).is_err());
    }

    #[test]
    fn instructions_are_short() {
        assert!(INSTRUCTIONS.lines().count() <= 40);
    }
}
