//! What a session answers, as JavaScript objects.

use napi_derive::napi;

use super::js_text::{Encoded, JsText};
use crate::grep::Progress;
use crate::read::ShownFile;
use crate::session;
use crate::wire::Misshapen;

/// What a read answers.
#[napi(object, object_from_js = false)]
pub struct ReadOutcome {
    /// `refused` if the request cannot be understood.
    #[napi(ts_type = "'read' | 'refused'")]
    pub kind: &'static str,
    /// Exactly what the model gets.
    #[napi(ts_type = "string")]
    pub text: Encoded,
    /// What was shown of each path, in the order of the request.
    pub files: Vec<ReadFile>,
    /// Whether there is more to see.
    pub truncated: bool,
    /// What the person at the machine should know.
    pub warnings: Vec<String>,
    /// Why the request was refused.
    pub refusals: Vec<RequestRefusal>,
}

/// What was shown of one path.
#[napi(object, object_from_js = false)]
pub struct ReadFile {
    /// The path as it was spelled.
    pub path: String,
    /// Whether it could be shown.
    pub ok: bool,
    /// The first line shown; 0 if none was.
    pub from: u32,
    /// The last line shown; 0 if none was.
    pub to: u32,
    /// How many lines, or names in a directory, there are.
    pub total: u32,
    /// How many lines match, if a search was asked for.
    pub matches: Option<u32>,
    /// Why it could not be shown.
    pub error: Option<String>,
    /// The stable name of that reason.
    pub code: Option<&'static str>,
    /// The media type, if it is an image for the host to show.
    pub media_type: Option<&'static str>,
}

/// What a search answers.
#[napi(object, object_from_js = false)]
pub struct GrepOutcome {
    /// `refused` if the request cannot be understood.
    #[napi(ts_type = "'grep' | 'refused'")]
    pub kind: &'static str,
    /// Exactly what the model gets.
    #[napi(ts_type = "string")]
    pub text: Encoded,
    /// How many lines match.
    pub matches: u32,
    /// How many files have a match.
    pub files: u32,
    /// How many files were searched.
    pub searched: u32,
    /// Whether something was left out.
    pub truncated: bool,
    /// What the person at the machine should know.
    pub warnings: Vec<String>,
    /// Why the request was refused.
    pub refusals: Vec<RequestRefusal>,
}

/// How far a search is.
#[napi(object, object_from_js = false)]
pub struct GrepProgress {
    /// How many files were searched.
    pub searched: u32,
    /// How many lines match.
    pub matches: u32,
}

/// Why a request was refused.
#[napi(object, object_from_js = false)]
pub struct RequestRefusal {
    /// The stable name of the reason.
    pub code: &'static str,
}

impl From<session::ReadOutcome> for ReadOutcome {
    fn from(outcome: session::ReadOutcome) -> Self {
        Self {
            kind: "read",
            text: JsText(outcome.text.into_bytes()).encode(),
            files: outcome.files.into_iter().map(ReadFile::from).collect(),
            truncated: outcome.truncated,
            warnings: outcome.warnings,
            refusals: Vec::new(),
        }
    }
}

impl From<Misshapen> for ReadOutcome {
    fn from(misshapen: Misshapen) -> Self {
        Self {
            kind: "refused",
            text: refused(&misshapen.message),
            files: Vec::new(),
            truncated: false,
            warnings: Vec::new(),
            refusals: vec![RequestRefusal { code: misshapen.code }],
        }
    }
}

impl From<ShownFile> for ReadFile {
    fn from(file: ShownFile) -> Self {
        let (from, to) = file.lines.unwrap_or_default();
        Self {
            path: file.name,
            ok: file.refusal.is_none(),
            from: number(from),
            to: number(to),
            total: number(file.total.unwrap_or_default()),
            matches: file.matches.map(number),
            error: file.refusal.as_ref().map(ToString::to_string),
            code: file.refusal.as_ref().map(|refusal| refusal.code().as_str()),
            media_type: file.refusal.and_then(|refusal| refusal.media_type()),
        }
    }
}

impl From<session::GrepOutcome> for GrepOutcome {
    fn from(outcome: session::GrepOutcome) -> Self {
        match outcome {
            session::GrepOutcome::Found { text, matches, files, searched, truncated, warnings } => {
                Self {
                    kind: "grep",
                    text: JsText(text.into_bytes()).encode(),
                    matches: number(matches),
                    files: number(files),
                    searched: number(searched),
                    truncated,
                    warnings,
                    refusals: Vec::new(),
                }
            }
            session::GrepOutcome::Refused(refusal) => Self::from(Misshapen {
                code: refusal.code().as_str(),
                message: refusal.to_string(),
            }),
        }
    }
}

impl From<Misshapen> for GrepOutcome {
    fn from(misshapen: Misshapen) -> Self {
        Self {
            kind: "refused",
            text: refused(&misshapen.message),
            matches: 0,
            files: 0,
            searched: 0,
            truncated: false,
            warnings: Vec::new(),
            refusals: vec![RequestRefusal { code: misshapen.code }],
        }
    }
}

impl From<Progress> for GrepProgress {
    fn from(progress: Progress) -> Self {
        Self { searched: number(progress.searched), matches: number(progress.matches) }
    }
}

fn refused(message: &str) -> Encoded {
    JsText(format!("error: {message}").into_bytes()).encode()
}

/// A count as JavaScript sees it.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
