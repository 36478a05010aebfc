//! Why a path cannot be shown.

use std::fmt;
use std::io;

use crate::content::ContentKind;
use crate::grep::{BadPattern, PatternProblem};
use crate::workspace::Missing;
use crate::{fs, show};

/// Why a path cannot be shown, written for the model that asked for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadRefusal {
    /// There is nothing at the path.
    Missing(Missing),
    /// An address that is none of the file system's.
    Url {
        /// The address.
        name: String,
    },
    /// It may not be read.
    Denied {
        /// The path as the caller spelled it.
        name: String,
    },
    /// A FIFO, a socket or a device.
    Special {
        /// The path as the caller spelled it.
        name: String,
        /// What it is.
        what: String,
    },
    /// An image, for the host to show.
    Image {
        /// The path as the caller spelled it.
        name: String,
        /// Its media type.
        media_type: &'static str,
        /// Its size in bytes.
        size: u64,
    },
    /// Bytes that are no text.
    Binary {
        /// The path as the caller spelled it.
        name: String,
        /// What they are, if it is known.
        what: Option<&'static str>,
        /// How many they are.
        size: u64,
    },
    /// Text in 16-bit units without a byte order mark.
    Utf16 {
        /// The path as the caller spelled it.
        name: String,
        /// Whether the low byte comes first.
        little_endian: bool,
        /// Its size in bytes.
        size: u64,
    },
    /// The first line that was asked for does not exist.
    PastEnd {
        /// The path as the caller spelled it.
        name: String,
        /// The line that was asked for.
        offset: usize,
        /// How many lines there are.
        total: usize,
    },
    /// A line too long to be held in memory.
    LineTooLong {
        /// The path as the caller spelled it.
        name: String,
        /// The line.
        line: usize,
    },
    /// The file changed while it was read.
    Changed {
        /// The path as the caller spelled it.
        name: String,
    },
    /// The search cannot be understood.
    Pattern(BadPattern),
    /// The disk did not answer.
    Failed {
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
                return Self::Special { name, what: kind.to_string() };
            }
            fs::ReadError::Io(source) => Some(source.kind()),
            _ => None,
        };
        match kind {
            Some(io::ErrorKind::PermissionDenied) => Self::Denied { name },
            Some(io::ErrorKind::NotFound) => {
                Self::Missing(Missing { name, near: Vec::new(), unclear: None })
            }
            _ => Self::Failed { name, reason: error.to_string() },
        }
    }

    /// Why a file of this kind cannot be shown.
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
        match self {
            Self::Missing(_) => ReadRefusalCode::NotFound,
            Self::Url { .. } => ReadRefusalCode::Url,
            Self::Denied { .. } => ReadRefusalCode::PermissionDenied,
            Self::Special { .. } => ReadRefusalCode::SpecialFile,
            Self::Image { .. } => ReadRefusalCode::Image,
            Self::Binary { .. } => ReadRefusalCode::Binary,
            Self::Utf16 { .. } => ReadRefusalCode::Utf16,
            Self::PastEnd { .. } => ReadRefusalCode::PastEnd,
            Self::LineTooLong { .. } => ReadRefusalCode::LineTooLong,
            Self::Changed { .. } => ReadRefusalCode::Changed,
            Self::Pattern(_) => ReadRefusalCode::BadPattern,
            Self::Failed { .. } => ReadRefusalCode::IoError,
        }
    }

    /// The media type, if the path is an image that the host can show.
    pub fn media_type(&self) -> Option<&'static str> {
        match self {
            Self::Image { media_type, .. } => Some(media_type),
            _ => None,
        }
    }
}

/// The stable names of the reasons why a path cannot be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadRefusalCode {
    /// Nothing is there.
    NotFound,
    /// An address that is none of the file system's.
    Url,
    /// It may not be read.
    PermissionDenied,
    /// A FIFO, a socket or a device.
    SpecialFile,
    /// An image, for the host to show.
    Image,
    /// Bytes that are no text.
    Binary,
    /// Text in 16-bit units without a byte order mark.
    Utf16,
    /// The first line that was asked for does not exist.
    PastEnd,
    /// A line too long to be held in memory.
    LineTooLong,
    /// The file changed while it was read.
    Changed,
    /// The search cannot be understood.
    BadPattern,
    /// The disk did not answer.
    IoError,
}

impl ReadRefusalCode {
    /// The name in outcomes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::Url => "url",
            Self::PermissionDenied => "permission_denied",
            Self::SpecialFile => "special_file",
            Self::Image => "image",
            Self::Binary => "binary",
            Self::Utf16 => "utf16",
            Self::PastEnd => "past_end",
            Self::LineTooLong => "line_too_long",
            Self::Changed => "changed",
            Self::BadPattern => "bad_pattern",
            Self::IoError => "io_error",
        }
    }
}

impl fmt::Display for ReadRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(Missing { name, unclear: Some(why), .. }) => {
                write!(f, "`{}` {why}", show::name(name))
            }
            Self::Missing(Missing { name, near, .. }) => {
                write!(f, "no such file: `{}`", show::name(name))?;
                if near.is_empty() {
                    return Ok(());
                }
                let near: Vec<_> = near.iter().map(|name| show::name(name)).collect();
                write!(f, "; did you mean `{}`?", near.join("`, `"))
            }
            Self::Url { name } => {
                write!(
                    f,
                    "cannot read `{}`: it is a URL, and only files can be read",
                    show::name(name)
                )
            }
            Self::Denied { name } => {
                write!(f, "cannot read `{}`: permission denied", show::name(name))
            }
            Self::Special { name, what } => {
                write!(f, "cannot read `{}`: it is {what}, not a regular file", show::name(name))
            }
            Self::Image { name, media_type, size } => {
                let (name, size) = (show::name(name), show::size(*size));
                write!(f, "`{name}` is an image ({media_type}, {size})")
            }
            Self::Binary { name, what, size } => {
                let (name, size) = (show::name(name), show::size(*size));
                let what = what.unwrap_or("binary data");
                write!(f, "cannot show `{name}`: it is {what} ({size}), not text")
            }
            Self::Utf16 { name, little_endian, size } => {
                let (name, size) = (show::name(name), show::size(*size));
                let form = if *little_endian { "utf-16le" } else { "utf-16be" };
                write!(
                    f,
                    "cannot show `{name}`: it may be {form} text ({size}), but has no byte order mark\nhint: ask the user for the setting `encoding`: {{\"{name}\": \"{form}\"}}"
                )
            }
            Self::PastEnd { name, offset, total } => {
                let (name, total) = (show::name(name), show::count(*total, "line"));
                write!(f, "offset {offset} is past the end: `{name}` has {total}")
            }
            Self::LineTooLong { name, line } => {
                let name = show::name(name);
                write!(f, "cannot show `{name}`: line {line} is too long to be held in memory")
            }
            Self::Changed { name } => {
                write!(f, "`{}` changed while it was read; read it again", show::name(name))
            }
            Self::Pattern(bad) => {
                write!(f, "bad pattern `{}`: {}", show::brief(&bad.pattern), bad.reason)?;
                if !matches!(bad.reason, PatternProblem::Syntax(_)) {
                    return Ok(());
                }
                f.write_str("\nhint: escape special characters with `\\`, or leave regex out")
            }
            Self::Failed { name, reason } => {
                write!(f, "cannot read `{}`: {reason}", show::name(name))
            }
        }
    }
}

impl std::error::Error for ReadRefusal {}
