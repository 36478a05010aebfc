//! `hashline hook claude`: Claude Code asks before it uses a tool, and is answered.
//!
//! Whatever goes wrong here must not stop the user's work: anything that is not understood is
//! answered with silence and exit code 0, which lets the tool be used.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::open::OpenedWorkspace;
use super::output::{Exit, print_line};
use crate::options::CommonArgs;
use hashline_core::cancel::Cancel;
use hashline_core::fs;
use hashline_core::read::{FileRequest, LinesWanted, ReadRequest};
use hashline_core::session::{Session, ShellAnswer, ShellCall};
use hashline_wire::claude::{self, HookEvent, HookMoment, HookTool};

/// The most bytes of an event.
const MOST_EVENT: u64 = 64 << 20;

/// A patch longer than this is not repeated in an answer.
const MOST_REPEATED: usize = 4000;

/// Answers one event.
pub(crate) fn claude(common: &CommonArgs) -> Exit {
    let mut text = String::new();
    if io::stdin().lock().take(MOST_EVENT).read_to_string(&mut text).is_ok()
        && let Some(event) = claude::event(&text)
        && let Some(answer) = answer(event, common)
    {
        print_line(&answer);
    }
    Exit::Done
}

fn answer(event: HookEvent, common: &CommonArgs) -> Option<String> {
    if event.moment == HookMoment::SessionStart {
        name_session(event.session.as_deref()?);
        return None;
    }
    let cwd = event.cwd.map_or_else(fs::current_directory, |cwd| Ok(PathBuf::from(cwd))).ok()?;
    let common = CommonArgs {
        root: Some(common.root.clone().unwrap_or_else(|| cwd.clone())),
        session: common.session.clone().or(event.session),
        ..common.clone()
    };
    let session = OpenedWorkspace::new(&common, None).and_then(OpenedWorkspace::session).ok()?;
    match (event.moment, event.tool) {
        (HookMoment::Before, HookTool::Bash { command }) => shell(&session, &command, &cwd),
        (HookMoment::Before, HookTool::Edit { path, edits }) => {
            let shown = inside(&session, &path)?;
            let patch = claude::edit_patch(&shown, &edits);
            Some(claude::deny(&instead("Edit", &shown, &patch)))
        }
        (HookMoment::Before, HookTool::Write { path, content }) => {
            let shown = inside(&session, &path)?;
            let patch = claude::write_patch(&shown, &content, fs::exists(Path::new(&path)));
            Some(claude::deny(&instead("Write", &shown, &patch)))
        }
        (HookMoment::Before, HookTool::Read { path, .. }) => {
            let shown = inside(&session, &path)?;
            Some(claude::remark(&format!(
                "To change this file, get the anchors of its lines with `hashline read {shown}`, \
                 then use `hashline apply`."
            )))
        }
        (HookMoment::After, HookTool::Read { path, offset, limit }) => {
            let wanted = LinesWanted { offset, limit, column: None };
            let file = FileRequest { path, wanted, search: None, changes: false };
            let request = ReadRequest { files: vec![file], ..ReadRequest::default() };
            // Only what the session remembers of it matters.
            let _ = session.read(&request, &Cancel::default());
            None
        }
        _ => None,
    }
}

fn shell(session: &Session, command: &str, cwd: &Path) -> Option<String> {
    let cwd = cwd.to_string_lossy();
    let call = ShellCall { command, cwd: Some(&cwd), typed_into: None };
    match session.answer(call, &Cancel::default()) {
        ShellAnswer::Allow => None,
        ShellAnswer::Nudge(block) => Some(claude::remark(&block.reason())),
        ShellAnswer::Refuse { text, .. } => Some(claude::deny(&text)),
    }
}

/// The file as it is shown, if it lies in the workspace: others are no concern of ours.
fn inside(session: &Session, path: &str) -> Option<String> {
    let workspace = session.workspace();
    let file = workspace.key(&workspace.absolute(path));
    file.starts_with(workspace.root()).then(|| workspace.show(&file))
}

/// What to do instead of using one of the agent's own tools.
fn instead(tool: &str, file: &str, patch: &str) -> String {
    let read = format!("`hashline read {file}` shows its lines with their anchors");
    if patch.len() > MOST_REPEATED {
        return format!(
            "{tool} is not used here: {read}; send the same change with `hashline apply`."
        );
    }
    format!(
        "{tool} is not used here; {read}. The same change as a command:\n\n\
         hashline apply << 'EOF'\n{patch}\nEOF"
    )
}

/// Has the commands of this session of the agent remember apart from those of others.
fn name_session(id: &str) {
    let plain = id.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    if let (true, Some(file)) = (plain && !id.is_empty(), fs::variable("CLAUDE_ENV_FILE")) {
        // The agent runs as well without it.
        let _ = fs::append(Path::new(&file), format!("export HASHLINE_SESSION={id}\n").as_bytes());
    }
}
