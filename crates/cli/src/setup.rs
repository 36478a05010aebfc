//! `hashline setup`: tells an agent to use this program, or to stop using it.
//!
//! A setup can be removed exactly: the instructions are between two marks, and the entries in the
//! settings are recognised by the command that they run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::open::OpenedWorkspace;
use super::output::{Exit, Failure, print_line};
use crate::options::{CommonArgs, SetupArgs};
use hashline_core::cancel::Cancel;
use hashline_core::patch::{Change, Op, Patch};
use hashline_core::session::{ApplyMode, ApplyOutcome};
use hashline_core::system;
use hashline_wire::claude::Agent;
use hashline_wire::command_line::word;

const START: &str = "<!-- hashline: start -->";
const END: &str = "<!-- hashline: end -->";

/// The instructions for the agent.
pub(crate) const INSTRUCTIONS: &str = include_str!("instructions.md");

/// The largest file that is changed, in bytes.
const MAX_BYTES: usize = 16 << 20;

/// Adds the instructions, the permission and the hooks, or removes them.
pub(crate) fn setup(
    how: SetupArgs,
    start: &[OsString],
    common: &CommonArgs,
) -> Result<Exit, Failure> {
    let agent = how.agent.read_files();
    let root = if how.global { Some(global_directory(agent)?) } else { common.root.clone() };
    // The files are read here, so it does not matter what an agent was shown of them.
    let common = CommonArgs { root, no_memory: true, ..common.clone() };
    let opened = OpenedWorkspace::new(&common, None)?;
    let root = opened.root.clone();
    let text = text_of(&root.join(agent.instructions))?;
    let new = if how.remove { Ok(without_block(&text)) } else { with_block(&text) };
    let new = new.map_err(|reason| refusal(agent.instructions, &reason))?;
    let mut ops: Vec<Op> = change(&root, agent.instructions, &text, new).into_iter().collect();
    let what = if how.remove { "without our" } else { "has" };
    let shown = |name: &str| {
        if how.global { root.join(name).display().to_string() } else { name.to_owned() }
    };
    let mut said =
        vec![format!("{}: {what} instructions how to call the program", shown(agent.instructions))];
    if !agent.settings.is_empty() {
        let directory = if how.global { "" } else { agent.directory };
        let name = Path::new(directory).join(agent.settings).to_string_lossy().into_owned();
        let text = text_of(&root.join(&name))?;
        let command = format!("{} hook {}", started_by(start), agent.name);
        let new =
            if how.remove { agent.without_hooks(&text) } else { agent.with_hooks(&text, &command) };
        let new = new.map_err(|reason| refusal(&name, &reason))?;
        ops.extend(change(&root, &name, &text, new));
        said.push(if how.remove {
            format!("{}: without our hooks", shown(&name))
        } else {
            format!("{}: hooks that run `{command}`", shown(&name))
        });
    }
    if ops.is_empty() {
        print_line("nothing to do");
        return Ok(Exit::Done);
    }
    let session = opened.session()?;
    let mode = if how.dry_run { ApplyMode::DryRun } else { ApplyMode::Write };
    let report = match session.apply_as(&Patch::new(ops), mode, &Cancel::default())?.outcome {
        ApplyOutcome::Applied(report, _) => report,
        ApplyOutcome::Refused(report) => return Err(Failure::new("refused", report.text)),
    };
    if how.dry_run {
        print_line(&report.text);
        return Ok(Exit::Done);
    }
    if !how.remove && !is_on_path() {
        said.push("put `hashline` on the PATH: the agent's commands begin with it".to_owned());
    }
    if let Some(reason) = agent.restart {
        said.push(format!("restart {}: {reason}", agent.title));
    }
    if how.remove {
        if !how.global && !agent.directory.is_empty() {
            // A directory that holds anything else is not removed.
            let _ = system::remove_empty_directory(&root.join(agent.directory));
        }
    } else {
        let global = if how.global { " --global" } else { "" };
        said.push(format!("`hashline setup {}{global} --remove` removes all of it", agent.name));
    }
    print_line(report.text.lines().next().unwrap_or_default());
    print_line(&said.join("\n"));
    Ok(Exit::Done)
}

/// The agent's directory in the user's home, which the agent itself has created.
fn global_directory(agent: &Agent) -> Result<PathBuf, Failure> {
    let refuse = |reason: &str| Failure::new("bad_option", reason);
    if agent.directory.is_empty() {
        return Err(refuse("no file is read by all agents in all projects: leave out --global"));
    }
    let home = ["HOME", "USERPROFILE"].iter().find_map(|name| system::variable(name));
    let home = home.ok_or_else(|| refuse("there is no home directory"))?;
    let directory = Path::new(&home).join(agent.directory);
    if system::exists(&directory) {
        return Ok(directory);
    }
    Err(refuse(&format!("there is no `{}`: start {} once", directory.display(), agent.title)))
}

/// The command that starts this program: its name if that is on the PATH, else the present command.
fn started_by(start: &[OsString]) -> String {
    let words: Vec<String> = start.iter().map(|part| word(&part.to_string_lossy())).collect();
    if is_on_path() {
        "hashline".to_owned()
    } else if words.iter().any(|part| part.contains("_npx")) {
        "npx pi-hash".to_owned()
    } else {
        words.join(" ")
    }
}

fn is_on_path() -> bool {
    let names = if cfg!(windows) { &["hashline.exe", "hashline.cmd"][..] } else { &["hashline"] };
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .any(|directory| names.iter().any(|name| system::exists(&directory.join(name))))
}

/// The operation that gives a file the content `new`; `None` if the file has it already.
fn change(root: &Path, name: &str, old: &str, new: String) -> Option<Op> {
    let change = if new == old {
        return None;
    } else if new.is_empty() {
        Change::DeleteFile
    } else {
        Change::AddFile { content: new, overwrite: true }
    };
    // Absolute, because a relative path would start at the current directory.
    let path = root.join(name).to_string_lossy().into_owned();
    Some(Op { path, exact: true, open: false, change })
}

fn refusal(name: &str, reason: &str) -> Failure {
    Failure::new("bad_settings", format!("`{name}` was left as it is: {reason}"))
}

/// The text of a settings file; empty if there is none.
pub(crate) fn text_of(path: &Path) -> Result<String, Failure> {
    if !system::exists(path) {
        return Ok(String::new());
    }
    let name = path.display();
    let bytes = system::contents(path, MAX_BYTES, &AtomicBool::new(false))
        .map_err(|error| Failure::new("io_error", format!("cannot read `{name}`: {error}")))?;
    String::from_utf8(bytes).map_err(|_| Failure::new("not_text", format!("`{name}` is not UTF-8")))
}

/// The range of an earlier setup's instructions, with their marks and the last newline.
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

/// The text with the instructions between their marks; they replace older ones.
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
    // The newline before the block was added with it, but is kept if text follows the block.
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
    fn instructions_are_added_once_and_removed_exactly() {
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
