//! The answers of a read and of a search.

#[cfg(feature = "napi")]
use napi_derive::napi;
use serde::Serialize;

use super::{ModelText, RequestRefusal, count, encoding_name};
use crate::Misshapen;
use hashline_core::grep::Progress;
use hashline_core::read::{HostKind, ShownFile, SinceShown};
use hashline_core::session::{GrepOutcome, ReadOutcome};

/// The answer of a read.
#[cfg_attr(feature = "napi", napi(object, js_name = "ReadOutcome", object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReadAnswer {
    /// `read`, where each path says whether it could be shown, or `refused` if the request cannot
    /// be understood.
    #[cfg_attr(feature = "napi", napi(ts_type = "'read' | 'refused'"))]
    pub kind: &'static str,
    /// Exactly what the model gets.
    #[cfg_attr(feature = "napi", napi(ts_type = "string"))]
    pub text: ModelText,
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
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadFile {
    /// The path as the caller spelled it.
    pub path: String,
    /// The absolute path, symbolic links not followed; empty for a URL.
    pub absolute_path: String,
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
    #[cfg_attr(feature = "napi", napi(ts_type = "ReadRefusalCode"))]
    pub code: Option<&'static str>,
    /// The media type, if it is an image for the host to show.
    pub media_type: Option<&'static str>,
    /// The kind of file, if the host reads it itself; the text says nothing else about it.
    #[cfg_attr(feature = "napi", napi(ts_type = "HostReadKind"))]
    pub host_reads: Option<&'static str>,
    /// What the text says about changes since the file was shown.
    #[cfg_attr(feature = "napi", napi(ts_type = "SinceShown"))]
    pub since_shown: Option<&'static str>,
    /// The encoding, if it is not UTF-8.
    pub encoding: Option<String>,
}

/// The answer of a search.
#[cfg_attr(feature = "napi", napi(object, js_name = "GrepOutcome", object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GrepAnswer {
    /// `grep`, or `refused` if the request cannot be understood or none of its paths exists.
    #[cfg_attr(feature = "napi", napi(ts_type = "'grep' | 'refused'"))]
    pub kind: &'static str,
    /// Exactly what the model gets.
    #[cfg_attr(feature = "napi", napi(ts_type = "string"))]
    pub text: ModelText,
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

/// The progress of a search.
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GrepProgress {
    /// How many files were searched.
    pub searched: u32,
    /// How many lines match.
    pub matches: u32,
}

impl From<ReadOutcome> for ReadAnswer {
    fn from(ReadOutcome { text, files, truncated, warnings }: ReadOutcome) -> Self {
        let files = files.into_iter().map(ReadFile::from).collect();
        Self { kind: "read", text: ModelText(text), files, truncated, warnings, refusals: vec![] }
    }
}

impl From<Misshapen> for ReadAnswer {
    fn from(misshapen: Misshapen) -> Self {
        let (text, refusals) = refused(misshapen.code.as_str(), &misshapen.message);
        let (files, warnings) = (vec![], vec![]);
        Self { kind: "refused", text, files, truncated: false, warnings, refusals }
    }
}

impl From<ShownFile> for ReadFile {
    fn from(file: ShownFile) -> Self {
        let (from, to) = file.lines.unwrap_or_default();
        Self {
            path: file.name,
            absolute_path: file.path.to_string_lossy().into_owned(),
            ok: file.refusal.is_none(),
            from: count(from),
            to: count(to),
            total: count(file.total.unwrap_or_default()),
            matches: file.matches.map(count),
            error: file.refusal.as_ref().map(ToString::to_string),
            code: file.refusal.as_ref().map(|refusal| refusal.code().as_str()),
            media_type: file.refusal.and_then(|refusal| refusal.media_type()),
            host_reads: file.host_reads.map(HostKind::as_str),
            since_shown: file.since_shown.map(SinceShown::as_str),
            encoding: encoding_name(file.encoding),
        }
    }
}

impl From<GrepOutcome> for GrepAnswer {
    fn from(outcome: GrepOutcome) -> Self {
        match outcome {
            GrepOutcome::Found { text, matches, files, searched, truncated, warnings } => Self {
                kind: "grep",
                text: ModelText(text),
                matches: count(matches),
                files: count(files),
                searched: count(searched),
                truncated,
                warnings,
                refusals: vec![],
            },
            GrepOutcome::Refused(refusal) => {
                Self::refused(refusal.code().as_str(), &refusal.to_string())
            }
        }
    }
}

impl From<Misshapen> for GrepAnswer {
    fn from(misshapen: Misshapen) -> Self {
        Self::refused(misshapen.code.as_str(), &misshapen.message)
    }
}

impl GrepAnswer {
    fn refused(code: &'static str, message: &str) -> Self {
        let (text, refusals) = refused(code, message);
        let (matches, files, searched, warnings) = (0, 0, 0, vec![]);
        Self {
            kind: "refused",
            text,
            matches,
            files,
            searched,
            truncated: false,
            warnings,
            refusals,
        }
    }
}

impl From<Progress> for GrepProgress {
    fn from(progress: Progress) -> Self {
        Self { searched: count(progress.searched), matches: count(progress.matches) }
    }
}

fn refused(code: &'static str, message: &str) -> (ModelText, Vec<RequestRefusal>) {
    (ModelText(format!("error: {message}")), vec![RequestRefusal { code }])
}
