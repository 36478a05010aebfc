//! The fields of a JSON object, read the way models write them.
//!
//! Every request, option and operation is read through [`Fields`]. Names may be written
//! `caseSensitive`, `case_sensitive` or `case-sensitive`; numbers and truth values may come as
//! strings, as local models send them. A reader takes the fields it knows; what is left was not
//! understood, and the reader decides whether that matters.

use std::fmt;

use serde_json::{Map, Value};

/// A JSON object whose fields are taken out one by one.
#[derive(Clone)]
pub(super) struct Fields<'a> {
    left: Vec<NamedValue<'a>>,
}

#[derive(Clone)]
struct NamedValue<'a> {
    key: String,
    spelled: &'a str,
    value: &'a Value,
}

impl<'a> Fields<'a> {
    /// The fields of an object.
    pub(super) fn of(object: &'a Map<String, Value>) -> Self {
        let field = |(spelled, value): (&'a String, &'a Value)| NamedValue {
            key: snake(spelled),
            spelled,
            value,
        };
        Self { left: object.iter().map(field).collect() }
    }

    /// Leaves out the fields for which `keep` is false.
    pub(super) fn filter(mut self, keep: impl Fn(&str, &Value) -> bool) -> Self {
        self.left.retain(|field| keep(&field.key, field.value));
        self
    }

    /// Adds the fields of `others`; where both have one, the one that is here comes first.
    pub(super) fn and(mut self, others: Self) -> Self {
        self.left.extend(others.left);
        self
    }

    /// Whether one of `names` is given.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.peek(names).is_some()
    }

    /// The value of the first of `names` that is given.
    pub(super) fn peek(&self, names: &[&str]) -> Option<&'a Value> {
        Some(self.left[self.find(names)?].value)
    }

    /// Takes the first of `names` that is given.
    pub(super) fn take(&mut self, names: &[&str]) -> Option<&'a Value> {
        let at = self.find(names)?;
        Some(self.left.remove(at).value)
    }

    fn find(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| {
            let key = snake(name);
            self.left.iter().position(|field| field.key == key)
        })
    }

    /// Takes a string.
    pub(super) fn text(&mut self, names: &[&str]) -> Result<Option<&'a str>, FieldError> {
        match self.take(names) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(FieldError::wrong(names[0], "a string", other)),
        }
    }

    /// Takes a string or a list of strings.
    pub(super) fn texts(&mut self, name: &str) -> Result<Vec<String>, FieldError> {
        let text = |value| match value {
            Value::String(text) => Ok(text),
            other => Err(FieldError::wrong(name, "a string or a list of strings", &other)),
        };
        self.list(&[name]).into_iter().map(text).collect()
    }

    /// Takes a list; one value alone is a list of one, and a string may hold a list.
    pub(super) fn list(&mut self, names: &[&str]) -> Vec<Value> {
        match self.take(names) {
            None => Vec::new(),
            Some(Value::Array(values)) => values.clone(),
            Some(Value::String(text)) if text.trim_start().starts_with('[') => {
                match serde_json::from_str(text) {
                    Ok(Value::Array(values)) => values,
                    _ => vec![Value::String(text.clone())],
                }
            }
            Some(value) => vec![value.clone()],
        }
    }

    /// Takes a whole number.
    pub(super) fn number(&mut self, name: &str) -> Result<Option<i64>, FieldError> {
        let Some(value) = self.take(&[name]) else {
            return Ok(None);
        };
        let number = match value {
            Value::Number(number) => number.as_i64().or_else(|| whole(number.as_f64()?)),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        match number {
            Some(number) => Ok(Some(number)),
            None => Err(FieldError::wrong(name, "a whole number", value)),
        }
    }

    /// Takes a whole number that is not below `least`.
    pub(super) fn size(&mut self, name: &str, least: i64) -> Result<Option<usize>, FieldError> {
        match self.number(name)? {
            None => Ok(None),
            Some(number) if number < least => {
                let needed = format!("a whole number from {least} on");
                Err(FieldError::wrong(name, needed, &Value::from(number)))
            }
            Some(number) => Ok(Some(usize::try_from(number).unwrap_or(usize::MAX))),
        }
    }

    /// Takes a truth value.
    pub(super) fn flag(&mut self, names: &[&str]) -> Result<Option<bool>, FieldError> {
        match self.take(names) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(Value::String(text)) if text == "true" => Ok(Some(true)),
            Some(Value::String(text)) if text == "false" => Ok(Some(false)),
            Some(other) => Err(FieldError::wrong(names[0], "true or false", other)),
        }
    }

    /// A field that was not read, in its own spelling.
    pub(super) fn unknown(&self) -> Option<&'a str> {
        self.left.first().map(|field| field.spelled)
    }
}

/// Why one field is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FieldError {
    /// The field; empty if it is the object as a whole.
    pub(super) field: String,
    /// Why it is wrong.
    pub(super) problem: Problem,
}

/// What can be wrong with a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Problem {
    /// It has a value of the wrong kind.
    Wrong {
        /// What it must be.
        needed: String,
        /// What it is.
        given: String,
    },
    /// Anything else, as a sentence.
    Other(String),
}

impl FieldError {
    pub(super) fn wrong(field: &str, needed: impl Into<String>, given: &Value) -> Self {
        let problem = Problem::Wrong { needed: needed.into(), given: described(given) };
        Self { field: field.to_owned(), problem }
    }

    pub(super) fn other(field: &str, reason: impl Into<String>) -> Self {
        Self { field: field.to_owned(), problem: Problem::Other(reason.into()) }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            Problem::Wrong { needed, given } if self.field.is_empty() => {
                write!(f, "{needed} is needed, not {given}")
            }
            Problem::Wrong { needed, given } => {
                write!(f, "`{}` must be {needed}, not {given}", self.field)
            }
            Problem::Other(reason) => f.write_str(reason),
        }
    }
}

/// A value as an error text shows it.
pub(super) fn described(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) if text.chars().count() > 40 => "a long string".to_owned(),
        other => format!("`{other}`"),
    }
}

/// A name in one spelling: `startAnchor` and `Start-Anchor` are `start_anchor`.
pub(super) fn snake(name: &str) -> String {
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

/// A whole number that came as a fraction, as in `10.0`.
fn whole(number: f64) -> Option<i64> {
    const MOST: f64 = 9_007_199_254_740_991.0;
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    (number.fract() == 0.0 && number.abs() <= MOST).then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_have_one_spelling() {
        for name in ["startAnchor", "start_anchor", "start-anchor", "StartAnchor", "START_ANCHOR"] {
            assert_eq!(snake(name), "start_anchor", "{name}");
        }
    }

    #[test]
    fn a_field_is_taken_once_and_the_rest_is_left() {
        let json = json!({"caseSensitive": "true", "limit": 3.0, "why": null});
        let mut fields = Fields::of(json.as_object().expect("it is one"));
        assert_eq!(fields.flag(&["case_sensitive"]), Ok(Some(true)));
        assert_eq!(fields.flag(&["caseSensitive"]), Ok(None));
        assert_eq!(fields.size("limit", 1), Ok(Some(3)));
        assert_eq!(fields.unknown(), Some("why"));
    }
}
