//! Why a path cannot be shown.

use std::fmt;
use std::io;

use crate::grep::BadPattern;
use crate::text::NotText;
use crate::view;
use crate::workspace::Missing;

/// Why a path cannot be shown, written for the model that asked for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Nothing stands there.
    Missing(Missing),
    /// It may not be read.
    Denied {
        /// The path as it was spelled.
        name: String,
    },
    /// A FIFO, a socket or a device.
    Special {
        /// The path as it was spelled.
        name: String,
        /// What it is.
        what: String,
    },
    /// An image, for the host to show.
    Image {
        /// The path as it was spelled.
        name: String,
        /// Its media type.
        media_type: &'static str,
        /// Its size in bytes.
        size: u64,
    },
    /// Bytes that are no text.
    Binary {
        /// The path as it was spelled.
        name: String,
        /// What they are, if it is known.
        what: Option<&'static str>,
        /// How many they are.
        size: u64,
    },
    /// Text in 16-bit units.
    Utf16 {
        /// The path as it was spelled.
        name: String,
        /// Whether the low byte comes first.
        little_endian: bool,
        /// Its size in bytes.
        size: u64,
    },
    /// Text in another encoding than UTF-8, or damaged text.
    NotText {
        /// The path as it was spelled.
        name: String,
        /// Where it stops being UTF-8.
        at: NotText,
        /// Its size in bytes.
        size: u64,
    },
    /// The first line that was asked for does not exist.
    PastEnd {
        /// The path as it was spelled.
        name: String,
        /// The line that was asked for.
        offset: usize,
        /// How many lines there are.
        total: usize,
    },
    /// A line too long to be held in memory.
    LineTooLong {
        /// The path as it was spelled.
        name: String,
        /// The line.
        line: usize,
    },
    /// The file changed while it was read.
    Changed {
        /// The path as it was spelled.
        name: String,
    },
    /// The search cannot be understood.
    Pattern(BadPattern),
    /// The disk did not answer.
    Failed {
        /// The path as it was spelled.
        name: String,
        /// What the system said.
        reason: String,
    },
}

impl Refusal {
    /// What an error of the disk means for the path `name`.
    pub fn of(name: &str, error: &io::Error) -> Self {
        let name = name.to_owned();
        match error.kind() {
            io::ErrorKind::PermissionDenied => Self::Denied { name },
            io::ErrorKind::NotFound => Self::Missing(Missing { name, near: Vec::new() }),
            io::ErrorKind::InvalidInput => Self::Special { name, what: error.to_string() },
            _ => Self::Failed { name, reason: error.to_string() },
        }
    }

    /// The stable name of this refusal.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing(_) => "not_found",
            Self::Denied { .. } => "permission_denied",
            Self::Special { .. } => "special_file",
            Self::Image { .. } => "image",
            Self::Binary { .. } => "binary",
            Self::Utf16 { .. } => "utf16",
            Self::NotText { at, .. } => at.code(),
            Self::PastEnd { .. } => "past_end",
            Self::LineTooLong { .. } => "line_too_long",
            Self::Changed { .. } => "changed",
            Self::Pattern(bad) => bad.code(),
            Self::Failed { .. } => "io_error",
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

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(Missing { name, near }) if near.is_empty() => {
                write!(f, "no such file: `{name}`")
            }
            Self::Missing(Missing { name, near }) => {
                let near = near.join("`, `");
                write!(f, "no such file: `{name}`; did you mean `{near}`?")
            }
            Self::Denied { name } => write!(f, "cannot read `{name}`: permission denied"),
            Self::Special { name, what } => {
                write!(f, "cannot read `{name}`: it is {what}, not a regular file")
            }
            Self::Image { name, media_type, size } => {
                write!(f, "`{name}` is an image ({media_type}, {})", view::size(*size))
            }
            Self::Binary { name, what, size } => {
                let what = what.unwrap_or("binary data");
                let size = view::size(*size);
                write!(f, "cannot show `{name}`: it is {what} ({size}), not text")
            }
            Self::Utf16 { name, little_endian, size } => {
                let form = if *little_endian { "UTF-16LE" } else { "UTF-16BE" };
                let size = view::size(*size);
                write!(
                    f,
                    "cannot show `{name}`: it is {form} text ({size}); only UTF-8 can be read and edited by line\nhint: convert it first, for example with `iconv -f {form} -t UTF-8`"
                )
            }
            Self::NotText { name, at, size } => write!(
                f,
                "cannot show `{name}` ({}): {at}; only UTF-8 can be read and edited by line",
                view::size(*size)
            ),
            Self::PastEnd { name, offset, total } => write!(
                f,
                "offset {offset} is past the end: `{name}` has {}",
                view::count(*total, "line")
            ),
            Self::LineTooLong { name, line } => {
                write!(f, "cannot show `{name}`: line {line} is too long to be held in memory")
            }
            Self::Changed { name } => {
                write!(f, "`{name}` changed while it was read; read it again")
            }
            Self::Pattern(bad) => bad.fmt(f),
            Self::Failed { name, reason } => write!(f, "cannot read `{name}`: {reason}"),
        }
    }
}

impl std::error::Error for Refusal {}
