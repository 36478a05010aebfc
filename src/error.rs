//! Errors on their way to JavaScript.

/// The result of a function for JavaScript: a value, or an exception with a stable `code`.
pub type Result<T> = napi::Result<T, Code>;

/// The stable name of an error: what TypeScript matches on.
#[derive(Clone, Copy, Debug)]
pub struct Code(pub &'static str);

impl AsRef<str> for Code {
    fn as_ref(&self) -> &str {
        self.0
    }
}

/// An exception with the text of `error`.
pub fn exception(code: &'static str, error: &impl std::fmt::Display) -> napi::Error<Code> {
    napi::Error::new(Code(code), error.to_string())
}
