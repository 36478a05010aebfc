//! `hashline hook claude` and `hook codex`: answers an agent that asks before it uses a tool.
//!
//! No failure here may stop the user's work: to an event that it does not understand, the hook
//! prints nothing and exits with code 0, which allows the tool.

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

/// The largest event that is read, in bytes.
const MAX_EVENT: u64 = 64 << 20;

/// Answers one event; both agents send the same events.
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
    // The same workspace and memory that a command proposed to the agent will open.
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
            search_lines(&opened().and_then(OpenedWorkspace::session).ok()?, &request)?
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
            // The session remembers what the agent was shown; the outcome is not needed.
            let _ = session.read(&request, &Cancel::default());
            return None;
        }
        _ => return None,
    };
    Some(claude::deny(&reason))
}

/// What to do instead of calling Codex's `apply_patch`, if one of the patch's files is in the
/// workspace.
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

/// The lines that a search finds, with their anchors. `None` if it finds none: then the agent's own
/// search may run and say so.
fn search_lines(session: &Session, request: &GrepRequest) -> Option<String> {
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

/// The file's name in a command; `None` if it lies outside the workspace, and is not guarded.
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

/// Has the commands of this agent session use a memory of their own.
fn name_session(id: &str) {
    let plain = id.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    if let (true, Some(file)) = (plain && !id.is_empty(), system::variable("CLAUDE_ENV_FILE")) {
        // Without its own memory, the session uses the workspace's.
        let _ =
            system::append(Path::new(&file), format!("export HASHLINE_SESSION={id}\n").as_bytes());
    }
}
