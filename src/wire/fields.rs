//! Reading the fields of a request the way models write them.

use std::fmt;

use serde_json::{Map, Value};

/// A request or an option that cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misshapen {
    /// The stable name of this error.
    pub code: &'static str,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for Misshapen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Misshapen {}

/// A JSON object whose fields are taken out one by one.
///
/// Names may be written `caseSensitive` or `case_sensitive`; numbers and truth values may come as
/// strings, as local models send them; `null` is as good as nothing.
pub struct Fields {
    given: Map<String, Value>,
    code: &'static str,
    example: &'static str,
}

impl Fields {
    /// Reads a JSON object, or a string that holds one.
    pub fn new(json: Value, code: &'static str, example: &'static str) -> Result<Self, Misshapen> {
        let json = match json {
            Value::String(text) => match serde_json::from_str(&text) {
                Ok(json @ Value::Object(_)) => json,
                _ => Value::String(text),
            },
            json => json,
        };
        let Value::Object(json) = json else {
            let message =
                format!("an object is needed, not {}; for example {example}", kind(&json));
            return Err(Misshapen { code, message });
        };
        let mut given = Map::with_capacity(json.len());
        for (name, value) in json {
            if !value.is_null() {
                given.insert(camel(&name), value);
            }
        }
        Ok(Self { given, code, example })
    }

    /// Whether the field is there.
    pub fn has(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// Takes a field as it is.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        self.given.remove(name)
    }

    /// Takes a string.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, Misshapen> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(name, "a string", &other)),
        }
    }

    /// Takes a string or a list of strings.
    pub fn texts(&mut self, name: &str) -> Result<Vec<String>, Misshapen> {
        let mut texts = Vec::new();
        for value in self.list(name) {
            match value {
                Value::String(text) => texts.push(text),
                other => return Err(self.wrong(name, "a string or a list of strings", &other)),
            }
        }
        Ok(texts)
    }

    /// Takes a list; one value alone is a list of one, and a string may hold a list.
    pub fn list(&mut self, name: &str) -> Vec<Value> {
        match self.take(name) {
            None => Vec::new(),
            Some(Value::Array(values)) => values,
            Some(Value::String(text)) if text.trim_start().starts_with('[') => {
                match serde_json::from_str(&text) {
                    Ok(Value::Array(values)) => values,
                    _ => vec![Value::String(text)],
                }
            }
            Some(value) => vec![value],
        }
    }

    /// Takes a whole number.
    pub fn number(&mut self, name: &str) -> Result<Option<i64>, Misshapen> {
        let Some(value) = self.take(name) else {
            return Ok(None);
        };
        let number = match &value {
            Value::Number(number) => number.as_i64().or_else(|| whole(number.as_f64()?)),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        match number {
            Some(number) => Ok(Some(number)),
            None => Err(self.wrong(name, "a whole number", &value)),
        }
    }

    /// Takes a whole number that is not below `least`.
    pub fn size(&mut self, name: &str, least: i64) -> Result<Option<usize>, Misshapen> {
        match self.number(name)? {
            None => Ok(None),
            Some(number) if number < least => {
                let what = format!("a whole number from {least} on");
                Err(self.wrong(name, &what, &Value::from(number)))
            }
            Some(number) => Ok(Some(usize::try_from(number).unwrap_or(usize::MAX))),
        }
    }

    /// Takes a truth value.
    pub fn flag(&mut self, name: &str) -> Result<Option<bool>, Misshapen> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(Value::String(text)) if text == "true" => Ok(Some(true)),
            Some(Value::String(text)) if text == "false" => Ok(Some(false)),
            Some(other) => Err(self.wrong(name, "true or false", &other)),
        }
    }

    /// The names that nobody has taken.
    pub fn left(&self) -> impl Iterator<Item = &str> {
        self.given.keys().map(String::as_str)
    }

    /// An error that shows what a request looks like.
    pub fn error(&self, message: &str) -> Misshapen {
        Misshapen { code: self.code, message: format!("{message}; for example {}", self.example) }
    }

    /// The error for a field of the wrong kind.
    pub fn wrong(&self, name: &str, needed: &str, given: &Value) -> Misshapen {
        self.error(&format!("`{name}` must be {needed}, not {}", kind(given)))
    }
}

/// A whole number that came as a fraction, as in `10.0`.
fn whole(number: f64) -> Option<i64> {
    const MOST: f64 = 9_007_199_254_740_991.0;
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    (number.fract() == 0.0 && number.abs() <= MOST).then_some(number as i64)
}

fn kind(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) if text.chars().count() > 40 => "a long string".to_owned(),
        other => format!("`{other}`"),
    }
}

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let mut out = words.next().unwrap_or_default().to_owned();
    if out.is_empty() {
        return name.to_owned();
    }
    for word in words {
        let mut letters = word.chars();
        out.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    out
}
