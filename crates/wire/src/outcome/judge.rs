//! What the guard thinks of a shell command.

#[cfg(feature = "napi")]
use napi_derive::napi;
use serde::Serialize;

use hashline_core::session::{Given, ShellAnswer};
use hashline_guard::serve::{GrepRequest, Part, ReadPath, Source, is_pattern};
use hashline_guard::{Calls, Instead, Mode, Serve, ToolCall, Verdict, Words};

/// What the guard thinks of a shell command.
#[cfg_attr(
    feature = "napi",
    napi(discriminant = "kind", discriminant_case = "lowercase", object_from_js = false)
)]
#[expect(clippy::large_enum_variant, reason = "one is made at a time, and handed over at once")]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum Judgement {
    /// It may run.
    Allow {},
    /// It reads or writes text that the tools are for.
    Block {
        /// Whether text would be read or written.
        #[cfg_attr(feature = "napi", napi(ts_type = "JudgedAccess"))]
        access: &'static str,
        /// The files, as far as they are known.
        targets: Vec<String>,
        /// One or two lines for the model.
        reason: String,
        /// The call to make.
        instead: String,
        /// Whether to refuse the command or to run it and add the reason.
        #[cfg_attr(feature = "napi", napi(ts_type = "Exclude<GuardMode, 'off'>"))]
        mode: &'static str,
        /// The request that gives what the command would have printed.
        serve: Option<ServeRequest>,
    },
}

/// The answer to a shell command that a host is about to run.
#[cfg_attr(
    feature = "napi",
    napi(
        js_name = "ShellAnswer",
        discriminant = "kind",
        discriminant_case = "lowercase",
        object_from_js = false
    )
)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandAnswer {
    /// It may run.
    Allow {},
    /// It may run, and the text is added to its result.
    Nudge {
        /// Whether text would be read or written.
        #[cfg_attr(feature = "napi", napi(ts_type = "JudgedAccess"))]
        access: &'static str,
        /// The files, as far as they are known.
        targets: Vec<String>,
        /// One or two lines for the model.
        text: String,
    },
    /// It may not run.
    Block {
        /// Whether text would be read or written.
        #[cfg_attr(feature = "napi", napi(ts_type = "JudgedAccess"))]
        access: &'static str,
        /// The files, as far as they are known.
        targets: Vec<String>,
        /// What the model gets: the reason, and the lines that the command was meant to show, if
        /// they could be read.
        text: String,
        /// The call to make.
        instead: String,
        /// Whether the text holds the lines that the command was meant to show.
        served: bool,
    },
}

/// A request to the read or grep tool.
#[cfg_attr(
    feature = "napi",
    napi(discriminant = "tool", discriminant_case = "lowercase", object_from_js = false)
)]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "tool", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum ServeRequest {
    /// A request to read.
    Read {
        /// Its fields.
        request: ServedRead,
    },
    /// A request to grep.
    Grep {
        /// Its fields.
        request: ServedGrep,
    },
    /// Several reads, or reads with further programs after them; `Session.answer` carries them out.
    Several {
        /// The parts, in the order in which the command would have printed them.
        parts: Vec<ServedPart>,
    },
}

/// One part of a command that reads: it has one of these fields, and perhaps a note on the call.
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ServedPart {
    /// The call that gives lines like these.
    pub call: Option<String>,
    /// How those lines differ from what the command would have printed.
    pub note: Option<String>,
    /// Text that the command prints itself.
    pub label: Option<String>,
    /// A command that touches no file text, to be run alone.
    pub alone: Option<String>,
    /// A read that cannot be carried out.
    pub skipped: Option<String>,
}

/// The fields of a request to read.
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ServedRead {
    /// The files, and which lines of each to show.
    pub paths: Vec<ServePath>,
}

/// One file of a read.
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ServePath {
    /// The file.
    pub path: String,
    /// The first line; negative counts from the end.
    pub offset: Option<i64>,
    /// How many lines.
    pub limit: Option<i64>,
}

/// The fields of a request to grep.
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ServedGrep {
    /// Files and directories.
    pub paths: Vec<String>,
    /// Which files, by their names.
    pub glob: Option<Vec<String>>,
    /// Which files, by their types.
    #[cfg_attr(feature = "napi", napi(js_name = "type"))]
    pub types: Option<Vec<String>>,
    /// What to search for.
    pub pattern: String,
    /// Whether the pattern is plain text.
    pub literal: Option<bool>,
    /// Whether case matters.
    pub case_sensitive: bool,
    /// Lines of context before a match.
    pub context_before: Option<u32>,
    /// Lines of context after a match.
    pub context_after: Option<u32>,
}

impl Judgement {
    /// A verdict as JavaScript sees it; `mode` says what happens to a command that is blocked.
    pub fn new(verdict: Verdict, mode: Mode) -> Self {
        Self::in_words(verdict, mode, &Calls, Instead::to_string)
    }

    /// A verdict in the `words` of an extension, the program or a hook.
    pub(crate) fn in_words(
        verdict: Verdict,
        mode: Mode,
        words: &dyn Words,
        spell: impl Fn(&Instead) -> String,
    ) -> Self {
        match verdict {
            Verdict::Allow => Self::Allow {},
            Verdict::Block(block) => Self::Block {
                access: block.access.name(),
                reason: block.reason_in(words),
                instead: spell(&block.instead),
                targets: block.targets,
                mode: mode.name(),
                serve: block.serve.map(ServeRequest::from),
            },
        }
    }
}

impl From<ShellAnswer> for CommandAnswer {
    fn from(answer: ShellAnswer) -> Self {
        let text = answer.text(&Calls).unwrap_or_default();
        match answer {
            ShellAnswer::Allow => Self::Allow {},
            ShellAnswer::Nudge(block) => {
                Self::Nudge { access: block.access.name(), text, targets: block.targets }
            }
            ShellAnswer::Refuse { block, given } => Self::Block {
                access: block.access.name(),
                text,
                instead: block.instead.to_string(),
                targets: block.targets,
                served: given != Given::Nothing,
            },
        }
    }
}

impl From<Serve> for ServeRequest {
    fn from(serve: Serve) -> Self {
        if let [Part::Lines(lines)] = serve.parts.as_slice()
            && lines.filters.is_empty()
            && lines.not_run.is_empty()
        {
            match &lines.source {
                Source::Read(paths) if !paths.iter().any(|file| is_pattern(&file.path)) => {
                    let paths = paths.iter().cloned().map(ServePath::from).collect();
                    return Self::Read { request: ServedRead { paths } };
                }
                Source::Grep(request)
                    if !request.invert
                        && request.per_file.is_none()
                        && !request.paths.iter().any(|path| is_pattern(path)) =>
                {
                    return Self::Grep { request: request.clone().into() };
                }
                _ => {}
            }
        }
        Self::Several { parts: serve.parts.into_iter().map(ServedPart::from).collect() }
    }
}

impl From<Part> for ServedPart {
    fn from(part: Part) -> Self {
        match part {
            Part::Lines(lines) => Self {
                call: Some(ToolCall::from(&lines).to_string()),
                note: lines.note(),
                ..Self::default()
            },
            Part::Label { text, .. } => Self { label: Some(text), ..Self::default() },
            Part::Alone(command) => Self { alone: Some(command), ..Self::default() },
            Part::Skipped(command) => Self { skipped: Some(command), ..Self::default() },
        }
    }
}

impl From<ReadPath> for ServePath {
    fn from(file: ReadPath) -> Self {
        let limit = file.limit.and_then(|limit| i64::try_from(limit).ok());
        Self { path: file.path, offset: file.offset, limit }
    }
}

impl From<GrepRequest> for ServedGrep {
    fn from(request: GrepRequest) -> Self {
        let lines = |count: u64| u32::try_from(count).ok().filter(|count| *count > 0);
        Self {
            paths: request.paths,
            glob: (!request.globs.is_empty()).then_some(request.globs),
            types: (!request.types.is_empty()).then_some(request.types),
            pattern: request.pattern,
            literal: request.literal.then_some(true),
            case_sensitive: request.case_sensitive,
            context_before: lines(request.context_before),
            context_after: lines(request.context_after),
        }
    }
}
