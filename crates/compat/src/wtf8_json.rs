//! JSON whose strings may hold half of a surrogate pair.
//!
//! `JSON.stringify` writes such a half as `\ud83d`, which a `String` cannot hold. Read as bytes, it
//! becomes WTF-8 (see [`hashline_text::kernel::wtf8`]), which the engines work on.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde_json::value::RawValue;

/// The JSON does not have the expected shape.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

impl Malformed {
    /// The stable name of this error.
    pub fn code(&self) -> &'static str {
        "malformed"
    }
}

/// A JSON string as WTF-8.
#[derive(Debug)]
pub(super) struct Wtf8Text(pub Vec<u8>);

impl<'de> Deserialize<'de> for Wtf8Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Wtf8Visitor;

        impl Visitor<'_> for Wtf8Visitor {
            type Value = Wtf8Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Wtf8Text, E> {
                Ok(Wtf8Text(bytes.to_vec()))
            }
        }

        deserializer.deserialize_bytes(Wtf8Visitor)
    }
}

/// What kind of value a piece of JSON is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum JsonKind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

impl JsonKind {
    pub(super) fn of(value: &RawValue) -> Self {
        match value.get().bytes().next() {
            Some(b'"') => Self::String,
            Some(b'[') => Self::Array,
            Some(b'{') => Self::Object,
            Some(b't' | b'f') => Self::Boolean,
            Some(b'n') | None => Self::Null,
            Some(_) => Self::Number,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// Reads a field that may be missing, and distinguishes a missing one from `null`.
pub(super) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// Reads a list of strings.
pub(super) fn texts(json: &[u8], what: &str) -> Result<Vec<Vec<u8>>, Malformed> {
    let texts: Vec<Wtf8Text> = serde_json::from_slice(json)
        .map_err(|_| Malformed(format!("`{what}` must be an array of strings")))?;
    Ok(texts.into_iter().map(|text| text.0).collect())
}
