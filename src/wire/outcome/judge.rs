//! What the guard thinks of a shell command.

#[cfg(feature = "napi")]
use napi_derive::napi;

use crate::guard::serve::{GrepRequest, ReadPath};
use crate::guard::{Mode, Serve, Verdict};

/// What the guard thinks of a shell command.
#[cfg_attr(
    feature = "napi",
    napi(discriminant = "kind", discriminant_case = "lowercase", object_from_js = false)
)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// It may run.
    Allow {},
    /// It reads or writes text that the tools are for.
    Block {
        /// Whether text would be read or written.
        #[cfg_attr(feature = "napi", napi(ts_type = "JudgedAccess"))]
        access: &'static str,
        /// The files, as far as they can be told.
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

/// A request to the read or grep tool.
#[cfg_attr(
    feature = "napi",
    napi(discriminant = "tool", discriminant_case = "lowercase", object_from_js = false)
)]
#[derive(Clone, PartialEq, Eq, Debug)]
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
}

/// The fields of a request to read.
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServedRead {
    /// Files with the lines that are wanted of them.
    pub paths: Vec<ServePath>,
}

/// One file of a read.
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug)]
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServedGrep {
    /// Files and directories.
    pub paths: Vec<String>,
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
        match verdict {
            Verdict::Allow => Self::Allow {},
            Verdict::Block(block) => Self::Block {
                access: block.access.name(),
                targets: block.targets,
                reason: block.reason,
                instead: block.instead,
                mode: mode.name(),
                serve: block.serve.map(ServeRequest::from),
            },
        }
    }
}

impl From<Serve> for ServeRequest {
    fn from(serve: Serve) -> Self {
        match serve {
            Serve::Read(paths) => {
                let paths = paths.into_iter().map(ServePath::from).collect();
                Self::Read { request: ServedRead { paths } }
            }
            Serve::Grep(request) => Self::Grep { request: request.into() },
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
            pattern: request.pattern,
            literal: request.literal.then_some(true),
            case_sensitive: request.case_sensitive,
            context_before: lines(request.context_before),
            context_after: lines(request.context_after),
        }
    }
}
