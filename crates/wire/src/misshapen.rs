//! A request or an option that cannot be understood.

use std::fmt;

use super::fields::FieldError;

/// A request or an option that cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misshapen {
    /// The stable name of this error.
    pub code: MisshapenCode,
    /// The fault, and the right shape.
    pub message: String,
}

/// The stable names of what can be wrong with a request or an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MisshapenCode {
    /// A request has a field that cannot be understood.
    BadRequest,
    /// An option is unknown, or its value cannot be understood.
    BadOption,
    /// There is no scheme of that name.
    UnknownScheme,
}

impl MisshapenCode {
    /// The name in outcomes and errors.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::BadRequest => "bad_request",
            Self::BadOption => "bad_option",
            Self::UnknownScheme => "unknown_scheme",
        }
    }
}

impl Misshapen {
    /// A request with a field that cannot be understood, and what a request looks like.
    pub(super) fn request(error: &FieldError, example: &str) -> Self {
        Self { code: MisshapenCode::BadRequest, message: format!("{error}; for example {example}") }
    }
}

/// An option that cannot be understood.
impl From<FieldError> for Misshapen {
    fn from(error: FieldError) -> Self {
        Self { code: MisshapenCode::BadOption, message: error.to_string() }
    }
}

impl fmt::Display for Misshapen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Misshapen {}
