//! The fields of a JSON object, read the way models write them.
//!
//! Every request, option and operation is read through [`Fields`]. Names may be written
//! `caseSensitive`, `case_sensitive` or `case-sensitive`; numbers and truth values may come as
//! strings, as local models send them. A reader takes the fields it knows; what is left was not
//! understood, and the reader decides whether that matters.

use std::fmt;

use hashline_core::show;
use serde_json::{Map, Value};

/// A JSON object whose fields are taken out one by one.
#[derive(Clone)]
pub(super) struct Fields<'a> {
    left: Vec<NamedValue<'a>>,
    /// The names that were looked for.
    known: Vec<&'static str>,
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
        Self { left: object.iter().map(field).collect(), known: Vec::new() }
    }

    /// Leaves out the fields for which `keep` is false.
    pub(super) fn filter(mut self, keep: impl Fn(&str, &Value) -> bool) -> Self {
        self.left.retain(|field| keep(&field.key, field.value));
        self
    }

    /// Adds the fields of `others`; a field of `self` comes before one of `others` with its name.
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
    pub(super) fn take(&mut self, names: &[&'static str]) -> Option<&'a Value> {
        self.known.push(names[0]);
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
    pub(super) fn text(&mut self, names: &[&'static str]) -> Result<Option<&'a str>, FieldError> {
        match self.take(names) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(FieldError::wrong(names[0], "a string", other)),
        }
    }

    /// Takes a string or a list of strings.
    pub(super) fn texts(&mut self, name: &'static str) -> Result<Vec<String>, FieldError> {
        let text = |value| match value {
            Value::String(text) => Ok(text),
            other => Err(FieldError::wrong(name, "a string or a list of strings", &other)),
        };
        self.list(&[name]).into_iter().map(text).collect()
    }

    /// Takes a list; one value alone is a list of one, and a string may hold a list.
    pub(super) fn list(&mut self, names: &[&'static str]) -> Vec<Value> {
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
    pub(super) fn number(&mut self, name: &'static str) -> Result<Option<i64>, FieldError> {
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
    pub(super) fn size(
        &mut self,
        name: &'static str,
        least: i64,
    ) -> Result<Option<usize>, FieldError> {
        match self.number(name)? {
            None => Ok(None),
            Some(number) if number < least => {
                let needed = format!("a whole number from {least} on");
                Err(FieldError::wrong(name, &needed, &Value::from(number)))
            }
            Some(number) => Ok(Some(usize::try_from(number).unwrap_or(usize::MAX))),
        }
    }

    /// Takes a truth value.
    pub(super) fn flag(&mut self, names: &[&'static str]) -> Result<Option<bool>, FieldError> {
        match self.take(names) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(Value::String(text)) if text == "true" => Ok(Some(true)),
            Some(Value::String(text)) if text == "false" => Ok(Some(false)),
            Some(other) => Err(FieldError::wrong(names[0], "true or false", other)),
        }
    }

    /// Takes a truth value that grants a permission: strings are not accepted.
    pub(super) fn switch(&mut self, name: &'static str) -> Result<Option<bool>, FieldError> {
        match self.take(&[name]) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(other) => Err(FieldError::wrong(name, "true or false", other)),
        }
    }

    /// Takes the name of one of `choices`.
    pub(super) fn choice<T: Copy>(
        &mut self,
        name: &'static str,
        choices: &[T],
        name_of: fn(T) -> &'static str,
    ) -> Result<Option<T>, FieldError> {
        let Some(given) = self.take(&[name]) else { return Ok(None) };
        let chosen = choices.iter().find(|choice| given.as_str() == Some(name_of(**choice)));
        if chosen.is_none() {
            let names: Vec<&str> = choices.iter().map(|choice| name_of(*choice)).collect();
            let needed = format!("one of `{}`", names.join("`, `"));
            return Err(FieldError::wrong(name, &needed, given));
        }
        Ok(chosen.copied())
    }

    /// Refuses a field that was not looked for; `kind` is the word for such a field.
    pub(super) fn finish(&self, kind: &str) -> Result<(), FieldError> {
        let Some(unknown) = self.unknown().map(show::name) else { return Ok(()) };
        let known = self.known.join("`, `");
        Err(FieldError::sentence(format!("unknown {kind} `{unknown}`: choose from `{known}`")))
    }

    /// A field that was not read, in its own spelling.
    pub(super) fn unknown(&self) -> Option<&'a str> {
        self.left.first().map(|field| field.spelled)
    }
}

/// Why one field is wrong, or the object as a whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FieldError {
    /// The field; empty if `reason` is a sentence of its own.
    pub(super) field: String,
    /// What is wrong with it.
    pub(super) reason: String,
}

impl FieldError {
    /// A field whose value is not what is needed.
    pub(super) fn wrong(field: &str, needed: &str, given: &Value) -> Self {
        let reason = format!("must be {needed}, not {}", described(given));
        Self { field: field.to_owned(), reason }
    }

    /// Anything else.
    pub(super) fn sentence(reason: impl fmt::Display) -> Self {
        Self { field: String::new(), reason: reason.to_string() }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field.is_empty() {
            f.write_str(&self.reason)
        } else {
            write!(f, "`{}` {}", self.field, self.reason)
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
    const MAX_EXACT: f64 = 9_007_199_254_740_991.0;
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    (number.fract() == 0.0 && number.abs() <= MAX_EXACT).then_some(number as i64)
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
