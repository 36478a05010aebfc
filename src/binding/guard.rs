//! `judgeCommand`: a shell command and where it would run, in; a verdict, out.

use std::collections::HashMap;

use napi::bindgen_prelude::{Error, Result, Status};
use napi_derive::napi;

use super::js_text::JsText;
use crate::guard::serve::{GrepRequest, ReadPath};
use crate::guard::{Context, GuardSettings, Mode, Serve, Verdict, judge};
use crate::text::wtf8;

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
    /// Settings of the guard.
    pub settings: Option<JudgeSettings>,
}

/// Settings of the guard.
#[napi(object)]
pub struct JudgeSettings {
    /// `block` (the default), `nudge` or `off`.
    #[napi(ts_type = "'block' | 'nudge' | 'off'")]
    pub mode: Option<String>,
    /// Programs whose file operands count as read.
    pub extra_readers: Option<Vec<String>>,
    /// Programs whose file operands count as written.
    pub extra_writers: Option<Vec<String>>,
    /// Programs that are never looked at.
    pub allowed_programs: Option<Vec<String>>,
    /// Files and directories that are not protected.
    pub allowed_paths: Option<Vec<String>>,
}

/// What we think of a command.
#[napi(object)]
pub struct Judgement {
    /// `allow` or `block`; the other fields belong to `block`.
    #[napi(ts_type = "'allow' | 'block'")]
    pub kind: String,
    /// Whether text would be read or written.
    #[napi(ts_type = "'read' | 'write'")]
    pub access: Option<String>,
    /// The files, as far as they can be told.
    pub targets: Option<Vec<String>>,
    /// One or two lines for the model.
    pub reason: Option<String>,
    /// The call to make.
    pub instead: Option<String>,
    /// Whether to refuse the command or to run it and add the reason.
    #[napi(ts_type = "'block' | 'nudge'")]
    pub mode: Option<String>,
    /// The request that gives what the command would have printed.
    pub serve: Option<ServeRequest>,
}

/// A request to the read or grep tool.
#[napi(object)]
pub struct ServeRequest {
    /// The tool.
    #[napi(ts_type = "'read' | 'grep'")]
    pub tool: String,
    /// Its request.
    pub request: ServeFields,
}

/// The fields of a request; `read` has only `paths`.
#[napi(object)]
pub struct ServeFields {
    /// Files with ranges for `read`, plain paths for `grep`.
    #[napi(ts_type = "Array<string | { path: string, offset?: number, limit?: number }>")]
    pub paths: napi::Either<Vec<ServePath>, Vec<String>>,
    /// What to search for.
    pub pattern: Option<String>,
    /// Whether the pattern is plain text.
    pub literal: Option<bool>,
    /// Whether case matters.
    pub case_sensitive: Option<bool>,
    /// Lines of context before a match.
    pub context_before: Option<u32>,
    /// Lines of context after a match.
    pub context_after: Option<u32>,
}

/// One file of a read.
#[napi(object)]
pub struct ServePath {
    /// The file.
    pub path: String,
    /// The first line; negative counts from the end.
    pub offset: Option<i64>,
    /// How many lines.
    pub limit: Option<i64>,
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
    };
    Ok(judgement(judge(&command, &context, &settings), settings.mode))
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
    })
}

pub(super) fn judgement(verdict: Verdict, mode: Mode) -> Judgement {
    match verdict {
        Verdict::Allow => Judgement {
            kind: "allow".to_owned(),
            access: None,
            targets: None,
            reason: None,
            instead: None,
            mode: None,
            serve: None,
        },
        Verdict::Block(block) => Judgement {
            kind: "block".to_owned(),
            access: Some(block.access.name().to_owned()),
            targets: Some(block.targets),
            reason: Some(block.reason),
            instead: Some(block.instead),
            mode: Some(mode.name().to_owned()),
            serve: block.serve.map(serve_request),
        },
    }
}

fn serve_request(serve: Serve) -> ServeRequest {
    ServeRequest {
        tool: serve.tool().to_owned(),
        request: match serve {
            Serve::Read(paths) => read_fields(paths),
            Serve::Grep(request) => grep_fields(request),
        },
    }
}

fn read_fields(paths: Vec<ReadPath>) -> ServeFields {
    let paths = paths
        .into_iter()
        .map(|file| ServePath {
            path: file.path,
            offset: file.offset,
            limit: file.limit.and_then(|limit| i64::try_from(limit).ok()),
        })
        .collect();
    ServeFields {
        paths: napi::Either::A(paths),
        pattern: None,
        literal: None,
        case_sensitive: None,
        context_before: None,
        context_after: None,
    }
}

fn grep_fields(request: GrepRequest) -> ServeFields {
    let lines = |count: u64| u32::try_from(count).ok().filter(|count| *count > 0);
    ServeFields {
        paths: napi::Either::B(request.paths),
        pattern: Some(request.pattern),
        literal: request.literal.then_some(true),
        case_sensitive: Some(request.case_sensitive),
        context_before: lines(request.context_before),
        context_after: lines(request.context_after),
    }
}
