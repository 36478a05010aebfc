//! What a patch is written in, before it is understood.
//!
//! The shape of JSON without its syntax. Dialects read it; `wire` makes it from real JSON, so that
//! nothing here depends on a parser.

/// A value as a model sends it.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// Any number.
    Number(f64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Value>),
    /// An object; its keys in the order given.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// What kind of value it is, for an error text.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }

    /// The value of a key, spelled in any case style; `None` if this is no object or has no such key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Self::Object(entries) => {
                entries.iter().find(|(name, _)| snake(name) == key).map(|(_, value)| value)
            }
            _ => None,
        }
    }
}

/// A key or an operation's name in one spelling: `startAnchor` and `Start-Anchor` are `start_anchor`.
pub fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut after_lower = false;
    for c in name.trim().chars() {
        if c == '-' || c == ' ' {
            out.push('_');
        } else {
            if c.is_ascii_uppercase() && after_lower {
                out.push('_');
            }
            out.push(c.to_ascii_lowercase());
        }
        after_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::snake;

    #[test]
    fn names_have_one_spelling() {
        for name in ["startAnchor", "start_anchor", "start-anchor", "StartAnchor", "START_ANCHOR"] {
            assert_eq!(snake(name), "start_anchor", "{name}");
        }
    }
}
