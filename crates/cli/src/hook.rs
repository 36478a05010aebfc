//! `hashline hook claude` and `hook codex`: an agent asks before it uses a tool, and is answered.
//!
//! Whatever goes wrong here must not stop the user's work: anything that is not understood is
//! answered with silence and exit code 0, which lets the tool be used.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::history::shell_answer;
use super::open::{OpenedWorkspace, named_from};
use super::output::{Exit, print_line};
use crate::options::CommonArgs;
use hashline_core::cancel::Cancel;
use hashline_core::grep::GrepRequest;
use hashline_core::read::{FileRequest, LinesWanted, ReadRequest};
use hashline_core::session::{GrepOutcome, Session, ShellKind};
use hashline_core::system;
use hashline_wire::claude::{self, HookEvent, HookMoment, HookTool};
use hashline_wire::command_line::{self, MAX_REPEATED, word};
use hashline_wire::patch;

/// The most bytes of an event.
const MAX_EVENT: u64 = 64 << 20;

/// Answers one event; both agents have the same.
pub(crate) fn answer_event(common: &CommonArgs) -> Exit {
    let mut text = String::new();
    if io::stdin().lock().take(MAX_EVENT).read_to_string(&mut text).is_ok()
        && let Some(event) = claude::event(&text)
        && let Some(answer) = answer(event, common)
    {
        print_line(&answer);
    }
    Exit::Done
}

fn answer(event: HookEvent, common: &CommonArgs) -> Option<String> {
    let HookEvent { moment, session_id, cwd, tool } = event;
    if moment == HookMoment::SessionStart {
        name_session(session_id.as_deref()?);
        return None;
    }
    let cwd = cwd.map_or_else(system::current_directory, |cwd| Ok(PathBuf::from(cwd))).ok()?;
    let common = CommonArgs { session: common.session.clone().or(session_id), ..common.clone() };
    // The commands that are proposed find the same workspace, and the same memory.
    let opened = || OpenedWorkspace::at(cwd.clone(), &common, None);
    let session = opened().and_then(OpenedWorkspace::guard_session).ok()?;
    let inside = |path: &str| inside(&session, &cwd, path);
    let reason = match (moment, tool?) {
        (HookMoment::Before, HookTool::Bash { command }) => {
            let command = command.to_string();
            if let Some((before, patch)) = claude::patch_in(&command) {
                patched(before, patch, inside)?
            } else {
                return shell(&session, &command, &cwd);
            }
        }
        (HookMoment::Before, HookTool::ApplyPatch { command }) => patched("", &command, inside)?,
        (HookMoment::Before, HookTool::Edit { file_path, edit, mut edits }) => {
            edits.extend(edit);
            let name = inside(&file_path).filter(|_| !edits.is_empty())?;
            instead("Edit", &name, &claude::edit_patch(&name, &edits))
        }
        (HookMoment::Before, HookTool::Write { file_path, content }) => {
            let name = inside(&file_path)?;
            let is_there = system::exists(&cwd.join(file_path));
            instead("Write", &name, &claude::write_patch(&name, &content, is_there))
        }
        (HookMoment::Before, HookTool::Read { file_path, .. }) => {
            return Some(claude::remark(&format!(
                "To change this file, get the anchors of its lines with `hashline read {}`, then use \
                 `hashline apply`.",
                word(&inside(&file_path)?)
            )));
        }
        (HookMoment::Before, HookTool::Grep(input)) => {
            let request = claude::search(&input)?;
            request.paths.iter().try_for_each(|path| inside(path).map(drop))?;
            searched(&opened().and_then(OpenedWorkspace::session).ok()?, &request)?
        }
        (HookMoment::Before, HookTool::NotebookEdit { notebook_path, new_source }) => {
            let name = inside(&notebook_path)?;
            let command = command_line::apply(&claude::cell_patch(&name, &new_source));
            format!(
                "NotebookEdit is not used here. `hashline read {}` shows the notebook's lines with their anchors. \
                 Put those of the first and the last line of the cell's `source` into\n\n{command}",
                word(&name)
            )
        }
        (HookMoment::After, HookTool::Read { file_path, offset, limit }) => {
            let wanted = LinesWanted { offset, limit, column: None };
            let file = FileRequest { path: file_path, wanted, ..FileRequest::default() };
            let request = ReadRequest { files: vec![file], ..ReadRequest::default() };
            // Only what the session remembers of it matters.
            let _ = session.read(&request, &Cancel::default());
            return None;
        }
        _ => return None,
    };
    Some(claude::deny(&reason))
}

/// What to do instead of giving a patch to Codex's `apply_patch`, if one of its files is ours.
fn patched(before: &str, patch: &str, inside: impl Fn(&str) -> Option<String>) -> Option<String> {
    let read = patch::read_text(patch).ok()?;
    read.ops.iter().find_map(|op| inside(&op.path))?;
    Some(if patch.len() > MAX_REPEATED {
        "apply_patch is not used here: send the same patch on standard input of `hashline apply`"
            .to_owned()
    } else {
        let command = command_line::apply(patch);
        format!("apply_patch is not used here. The same change as a command:\n\n{before}{command}")
    })
}

/// The lines that a search finds, with their anchors; nothing if there are none, and the agent's own search will
/// say so.
fn searched(session: &Session, request: &GrepRequest) -> Option<String> {
    match session.grep(request, &|_| {}, &Cancel::default()).ok()? {
        GrepOutcome::Found { text, matches, .. } if matches > 0 => Some(format!(
            "{text}\n\n[answered by hashline grep: change these lines by their anchors, with `hashline apply`]"
        )),
        _ => None,
    }
}

fn shell(session: &Session, command: &str, cwd: &Path) -> Option<String> {
    let (is_blocked, said) = shell_answer(session, command, ShellKind::Bash, cwd);
    said.map(|text| if is_blocked { claude::deny(&text) } else { claude::remark(&text) })
}

/// The file's name in a command, if it lies in the workspace: others are no concern of ours.
fn inside(session: &Session, cwd: &Path, path: &str) -> Option<String> {
    let name = session.name_inside(&cwd.join(path))?;
    Some(named_from(cwd, session.root(), &name))
}

/// What to do instead of using one of the agent's own tools.
fn instead(tool: &str, file: &str, patch: &str) -> String {
    let read = format!("`hashline read {}` shows its lines with their anchors", word(file));
    if patch.len() > MAX_REPEATED {
        return format!(
            "{tool} is not used here: {read}; send the same change with `hashline apply`."
        );
    }
    let command = command_line::apply(patch);
    format!("{tool} is not used here; {read}. The same change as a command:\n\n{command}")
}

/// Gives the commands of this agent session a memory of their own.
fn name_session(id: &str) {
    let plain = id.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    if let (true, Some(file)) = (plain && !id.is_empty(), system::variable("CLAUDE_ENV_FILE")) {
        // The agent runs as well without it.
        let _ =
            system::append(Path::new(&file), format!("export HASHLINE_SESSION={id}\n").as_bytes());
    }
}
