//! What a read and a search answer.

#[cfg(feature = "napi")]
use napi_derive::napi;
use serde::Serialize;

use super::{ModelText, RequestRefusal, count, encoding_name};
use crate::Misshapen;
use hashline_core::grep::Progress;
use hashline_core::read::{HostKind, ShownFile, SinceShown};
use hashline_core::session::{GrepOutcome, ReadOutcome};

/// What a read answers.
#[cfg_attr(
    feature = "napi",
    napi(
        js_name = "ReadOutcome",
        discriminant = "kind",
        discriminant_case = "lowercase",
        object_from_js = false
    )
)]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum ReadAnswer {
    /// The paths were looked at; each says whether it could be shown.
    Read {
        /// Exactly what the model gets.
        #[cfg_attr(feature = "napi", napi(ts_type = "string"))]
        text: ModelText,
        /// What was shown of each path, in the order of the request.
        files: Vec<ReadFile>,
        /// Whether there is more to see.
        truncated: bool,
        /// What the person at the machine should know.
        warnings: Vec<String>,
        /// Always empty.
        refusals: Vec<RequestRefusal>,
    },
    /// The request cannot be understood.
    Refused {
        /// Exactly what the model gets.
        #[cfg_attr(feature = "napi", napi(ts_type = "string"))]
        text: ModelText,
        /// Always empty.
        files: Vec<ReadFile>,
        /// Always false.
        truncated: bool,
        /// What the person at the machine should know.
        warnings: Vec<String>,
        /// Why the request was refused.
        refusals: Vec<RequestRefusal>,
    },
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
    /// What it is, if the host reads it itself; the text says no more of it.
    #[cfg_attr(feature = "napi", napi(ts_type = "HostReadKind"))]
    pub host_reads: Option<&'static str>,
    /// What the text says about earlier looks at the file.
    #[cfg_attr(feature = "napi", napi(ts_type = "SinceShown"))]
    pub since_shown: Option<&'static str>,
    /// The encoding, if it is not UTF-8.
    pub encoding: Option<String>,
}

/// What a search answers.
#[cfg_attr(
    feature = "napi",
    napi(
        js_name = "GrepOutcome",
        discriminant = "kind",
        discriminant_case = "lowercase",
        object_from_js = false
    )
)]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum GrepAnswer {
    /// The files were searched.
    Grep {
        /// Exactly what the model gets.
        #[cfg_attr(feature = "napi", napi(ts_type = "string"))]
        text: ModelText,
        /// How many lines match.
        matches: u32,
        /// How many files have a match.
        files: u32,
        /// How many files were searched.
        searched: u32,
        /// Whether something was left out.
        truncated: bool,
        /// What the person at the machine should know.
        warnings: Vec<String>,
        /// Always empty.
        refusals: Vec<RequestRefusal>,
    },
    /// The request cannot be understood, or none of its paths exists.
    Refused {
        /// Exactly what the model gets.
        #[cfg_attr(feature = "napi", napi(ts_type = "string"))]
        text: ModelText,
        /// Always 0.
        matches: u32,
        /// Always 0.
        files: u32,
        /// Always 0.
        searched: u32,
        /// Always false.
        truncated: bool,
        /// What the person at the machine should know.
        warnings: Vec<String>,
        /// Why the request was refused.
        refusals: Vec<RequestRefusal>,
    },
}

/// How far a search is.
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
    fn from(outcome: ReadOutcome) -> Self {
        Self::Read {
            text: ModelText(outcome.text),
            files: outcome.files.into_iter().map(ReadFile::from).collect(),
            truncated: outcome.truncated,
            warnings: outcome.warnings,
            refusals: Vec::new(),
        }
    }
}

impl From<Misshapen> for ReadAnswer {
    fn from(misshapen: Misshapen) -> Self {
        let (text, refusals) = refused(misshapen.code.as_str(), &misshapen.message);
        Self::Refused { text, files: Vec::new(), truncated: false, warnings: Vec::new(), refusals }
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
            GrepOutcome::Found { text, matches, files, searched, truncated, warnings } => {
                Self::Grep {
                    text: ModelText(text),
                    matches: count(matches),
                    files: count(files),
                    searched: count(searched),
                    truncated,
                    warnings,
                    refusals: Vec::new(),
                }
            }
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
        Self::Refused {
            text,
            matches: 0,
            files: 0,
            searched: 0,
            truncated: false,
            warnings: Vec::new(),
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
