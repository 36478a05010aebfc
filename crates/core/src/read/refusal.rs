//! Why a path cannot be shown.

use std::io;

use crate::content::ContentKind;
use crate::grep::{BadPattern, PatternProblem};
use crate::workspace::Missing;
use crate::{fs, show};

/// Why a path cannot be shown, written for the model that asked for it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, strum::EnumDiscriminants)]
#[strum_discriminants(name(ReadRefusalCode), derive(strum::IntoStaticStr))]
#[strum_discriminants(strum(serialize_all = "snake_case"))]
#[strum_discriminants(doc = "The stable names of the reasons why a path cannot be shown.")]
pub enum ReadRefusal {
    /// There is nothing at the path.
    #[error("{}", not_found(.0))]
    NotFound(Missing),
    /// The path is a URL, not a file's path.
    #[error("cannot read `{}`: it is a URL, and only files can be read", show::name(name))]
    Url {
        /// The URL.
        name: String,
    },
    /// Reading the path is not permitted.
    #[error("cannot read `{}`: permission denied", show::name(name))]
    PermissionDenied {
        /// The path as the caller spelled it.
        name: String,
    },
    /// The path names a FIFO, a socket or a device.
    #[error("cannot read `{}`: it is {what}, not a regular file", show::name(name))]
    SpecialFile {
        /// The path as the caller spelled it.
        name: String,
        /// What kind of file it is.
        what: String,
    },
    /// An image, for the host to show.
    #[error("`{}` is an image ({media_type}, {})", show::name(name), show::size(*size))]
    Image {
        /// The path as the caller spelled it.
        name: String,
        /// The image's media type.
        media_type: &'static str,
        /// The file's size in bytes.
        size: u64,
    },
    /// The file is not text.
    #[error(
        "cannot show `{}`: it is {} ({}), not text",
        show::name(name), what.unwrap_or("binary data"), show::size(*size)
    )]
    Binary {
        /// The path as the caller spelled it.
        name: String,
        /// The name of the file's format, if known.
        what: Option<&'static str>,
        /// The file's size in bytes.
        size: u64,
    },
    /// Text in 16-bit units without a byte order mark.
    #[error("{}", utf16(name, *little_endian, *size))]
    Utf16 {
        /// The path as the caller spelled it.
        name: String,
        /// Whether the low byte comes first.
        little_endian: bool,
        /// The file's size in bytes.
        size: u64,
    },
    /// The first line that was asked for does not exist.
    #[error("offset {offset} is past the end: `{}` has {}", show::name(name), show::count(*total, "line"))]
    PastEnd {
        /// The path as the caller spelled it.
        name: String,
        /// The line that was asked for.
        offset: usize,
        /// How many lines the file has.
        total: usize,
    },
    /// A line too long to be held in memory.
    #[error("cannot show `{}`: line {line} is too long to be held in memory", show::name(name))]
    LineTooLong {
        /// The path as the caller spelled it.
        name: String,
        /// The number of the line.
        line: usize,
    },
    /// The file changed while it was read.
    #[error("`{}` changed while it was read; read it again", show::name(name))]
    Changed {
        /// The path as the caller spelled it.
        name: String,
    },
    /// The search pattern cannot be understood.
    #[error("{}", bad_pattern(.0))]
    BadPattern(BadPattern),
    /// The disk reported another error.
    #[error("cannot read `{}`: {reason}", show::name(name))]
    IoError {
        /// The path as the caller spelled it.
        name: String,
        /// The system's error.
        reason: String,
    },
}

impl ReadRefusal {
    /// What an error of the disk means for the path `name`.
    pub fn of(name: &str, error: &fs::ReadError) -> Self {
        let name = name.to_owned();
        let kind = match error {
            fs::ReadError::NotAFile(kind) => {
                return Self::SpecialFile { name, what: kind.to_string() };
            }
            fs::ReadError::Io(source) => Some(source.kind()),
            _ => None,
        };
        match kind {
            Some(io::ErrorKind::PermissionDenied) => Self::PermissionDenied { name },
            Some(io::ErrorKind::NotFound) => {
                Self::NotFound(Missing { name, near: Vec::new(), unclear: None })
            }
            _ => Self::IoError { name, reason: error.to_string() },
        }
    }

    /// Refuses a file of this kind unless it is text.
    pub(crate) fn unless_text(name: &str, kind: ContentKind, size: u64) -> Result<(), Self> {
        let name = name.to_owned();
        Err(match kind {
            ContentKind::Text => return Ok(()),
            ContentKind::Image(media_type) => Self::Image { name, media_type, size },
            ContentKind::Binary(what) => Self::Binary { name, what, size },
            ContentKind::Utf16 { little_endian } => Self::Utf16 { name, little_endian, size },
        })
    }

    /// The stable name of this refusal.
    pub fn code(&self) -> ReadRefusalCode {
        self.into()
    }

    /// The media type, if the path is an image that the host can show.
    pub fn media_type(&self) -> Option<&'static str> {
        match self {
            Self::Image { media_type, .. } => Some(media_type),
            _ => None,
        }
    }
}

impl ReadRefusalCode {
    /// The name in outcomes.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

fn not_found(missing: &Missing) -> String {
    let name = show::name(&missing.name);
    if let Some(why) = &missing.unclear {
        return format!("`{name}` {why}");
    }
    if missing.near.is_empty() {
        return format!("no such file: `{name}`");
    }
    let near: Vec<_> = missing.near.iter().map(|name| show::name(name)).collect();
    format!("no such file: `{name}`; did you mean `{}`?", near.join("`, `"))
}

fn utf16(name: &str, little_endian: bool, size: u64) -> String {
    let (name, size) = (show::name(name), show::size(size));
    let form = if little_endian { "utf-16le" } else { "utf-16be" };
    format!(
        "cannot show `{name}`: it may be {form} text ({size}), but has no byte order mark\nhint: ask the user for the setting `encoding`: {{\"{name}\": \"{form}\"}}"
    )
}

fn bad_pattern(bad: &BadPattern) -> String {
    let hint = match bad.reason {
        PatternProblem::Syntax(_) => {
            "\nhint: escape special characters with `\\`, or leave regex out"
        }
        _ => "",
    };
    format!("bad pattern `{}`: {}{hint}", show::brief(&bad.pattern), bad.reason)
}
