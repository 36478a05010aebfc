//! A request or an option that cannot be understood.

use std::fmt;

use super::fields::FieldError;

/// A request or an option that cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misshapen {
    /// The stable name of this error.
    pub code: &'static str,
    /// What is wrong, and what would be right.
    pub message: String,
}

pub(super) const BAD_REQUEST: &str = "bad_request";
pub(super) const BAD_OPTION: &str = "bad_option";

impl Misshapen {
    /// A request with a field that cannot be understood, and what a request looks like.
    pub(super) fn request(error: &FieldError, example: &str) -> Self {
        Self { code: BAD_REQUEST, message: format!("{error}; for example {example}") }
    }

    /// Options with a field that cannot be understood, and what options look like.
    pub(super) fn option(error: &FieldError, example: &str) -> Self {
        Self { code: BAD_OPTION, message: format!("{error}; for example {example}") }
    }
}

impl fmt::Display for Misshapen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Misshapen {}
