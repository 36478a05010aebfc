//! A request or an option that cannot be understood.

use super::fields::FieldError;

/// A request or an option that cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Misshapen {
    /// The stable name of this error.
    pub code: MisshapenCode,
    /// The fault, and the right shape.
    pub message: String,
}

/// The stable names of what can be wrong with a request or an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
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
        self.into()
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
