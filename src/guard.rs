//! `judgeCommand`: judges a shell command by its text and by where it would run.

use std::collections::HashMap;

use napi::bindgen_prelude::{Error, Result, Status};
use napi_derive::napi;

use crate::dropin::js_text::JsText;
use hashline_guard::{Context, GuardSettings, Mode, ShellKind, judge};
use hashline_text::kernel::wtf8;
use hashline_wire::outcome::Judgement;

/// Where a command would run.
#[napi(object)]
pub struct JudgePlace {
    /// The workspace.
    pub root: String,
    /// The directory the shell starts in; the workspace if left out.
    pub cwd: Option<String>,
    /// The home directory.
    pub home: Option<String>,
    /// Environment variables that are known.
    pub env: Option<HashMap<String, String>>,
    /// The shell that the command is for; bash if left out.
    #[napi(ts_type = "ShellKind")]
    pub shell: Option<String>,
    /// Settings of the guard.
    pub settings: Option<JudgeSettings>,
}

/// Settings of the guard.
#[napi(object)]
pub struct JudgeSettings {
    /// `block` (the default), `nudge` or `off`.
    #[napi(ts_type = "GuardMode")]
    pub mode: Option<String>,
    /// Programs whose file operands count as read.
    pub extra_readers: Option<Vec<String>>,
    /// Programs whose file operands count as written.
    pub extra_writers: Option<Vec<String>>,
    /// Programs that the guard ignores.
    pub allowed_programs: Option<Vec<String>>,
    /// Files and directories that are not protected.
    pub allowed_paths: Option<Vec<String>>,
}

/// Judges a shell command by its text; it is never run.
#[napi(catch_unwind, ts_args_type = "command: string, place: JudgePlace")]
pub fn judge_command(command: JsText, place: JudgePlace) -> Result<Judgement> {
    let JsText(command) = command;
    let command = wtf8::to_utf8(&command);
    let settings = settings_of(place.settings)?;
    let context = Context {
        cwd: place.cwd.unwrap_or_else(|| place.root.clone()),
        root: place.root,
        home: place.home.unwrap_or_else(|| "/home".to_owned()),
        env: place.env.unwrap_or_default().into_iter().collect(),
        shell: shell_of(place.shell.as_deref())?,
        ..Context::default()
    };
    Ok(Judgement::new(judge(&command, &context, &settings), settings.mode))
}

/// The shell with this name, by default bash.
pub(crate) fn shell_of(name: Option<&str>) -> Result<ShellKind> {
    let Some(name) = name else { return Ok(ShellKind::Bash) };
    ShellKind::named(name).ok_or_else(|| {
        let text = format!("shell `{name}` is not one of bash, powershell");
        Error::new(Status::InvalidArg, text)
    })
}

fn settings_of(given: Option<JudgeSettings>) -> Result<GuardSettings> {
    let Some(given) = given else {
        return Ok(GuardSettings::default());
    };
    let mode = match given.mode {
        None => Mode::default(),
        Some(name) => Mode::named(&name).ok_or_else(|| {
            let text = format!("guard mode `{name}` is not one of block, nudge, off");
            Error::new(Status::InvalidArg, text)
        })?,
    };
    Ok(GuardSettings {
        mode,
        extra_readers: given.extra_readers.unwrap_or_default(),
        extra_writers: given.extra_writers.unwrap_or_default(),
        allowed_programs: given.allowed_programs.unwrap_or_default(),
        allowed_paths: given.allowed_paths.unwrap_or_default(),
        ..GuardSettings::default()
    })
}
