//! The fields of one operation, taken out one by one.
//!
//! What is left when a dialect is done was not understood, and that is an error: a misspelled field
//! would otherwise change what the operation means.

use super::super::text::lines_of;
use super::super::value::{Value, snake};
use super::super::{BadPatch, Change, Op, Spot};
use super::{NAMES, PATHS};
use crate::anchor::Anchor;

/// The shape of a whole request.
pub const SHAPE: &str =
    r#"{"patch": [{"op": "set_line", "path": "src/a.ts", "anchor": "12:a3", "text": "new line"}]}"#;

/// Fields that carry a remark and change nothing.
const REMARKS: [&str; 6] = ["reason", "description", "comment", "explanation", "note", "id"];

/// Whether a field says nothing about the change. Hosts put their own in with `_` before them.
pub fn is_remark(key: &str) -> bool {
    key.starts_with('_') || REMARKS.contains(&key)
}

/// Names under which new text is found.
pub const TEXTS: [&str; 5] = ["text", "new_text", "content", "lines", "new_content"];

pub struct Fields<'a> {
    index: usize,
    left: Vec<(String, &'a Value)>,
    path: Option<&'a str>,
    shape: &'static str,
}

impl<'a> Fields<'a> {
    pub fn of(index: usize, value: &'a Value, path: Option<&'a str>) -> Self {
        let left = match value {
            Value::Object(entries) => entries
                .iter()
                .map(|(key, value)| (snake(key), value))
                .filter(|(key, _)| !is_remark(key))
                .collect(),
            _ => Vec::new(),
        };
        Self { index, left, path, shape: SHAPE }
    }

    /// The fields of an object inside this one, which share its path.
    pub fn inner(mut self, value: &'a Value) -> Self {
        let mut inner = Self::of(self.index, value, self.path);
        for (key, value) in self.left.drain(..) {
            if inner.left.iter().all(|(known, _)| *known != key) {
                inner.left.push((key, value));
            }
        }
        inner
    }

    /// Errors from here on show `shape`.
    pub fn expect(&mut self, shape: &'static str) {
        self.shape = shape;
    }

    pub fn has(&self, names: &[&str]) -> bool {
        self.left.iter().any(|(key, _)| names.contains(&key.as_str()))
    }

    pub fn peek(&self, name: &str) -> Option<&'a Value> {
        self.left.iter().find(|(key, _)| key == name).map(|(_, value)| *value)
    }

    /// Takes the first of `names` that is there.
    pub fn take(&mut self, names: &[&str]) -> Option<&'a Value> {
        names.iter().find_map(|name| {
            let at = self.left.iter().position(|(key, _)| key == name)?;
            Some(self.left.remove(at).1)
        })
    }

    /// What the operation calls itself.
    pub fn name(&mut self) -> Result<String, BadPatch> {
        match self.take(&NAMES) {
            Some(Value::Text(name)) => Ok(snake(name)),
            Some(other) => Err(self.wrong("op", "a string", other)),
            None => Err(self.error("op", "it is missing")),
        }
    }

    /// A string that must be there.
    pub fn string(&mut self, names: &[&str]) -> Result<String, BadPatch> {
        match self.take(names) {
            Some(Value::Text(text)) => Ok(text.clone()),
            Some(other) => Err(self.wrong(names[0], "a string", other)),
            None => Err(self.error(names[0], "it is missing")),
        }
    }

    /// A switch, off if it is not there.
    pub fn switch(&mut self, names: &[&str]) -> Result<bool, BadPatch> {
        match self.take(names) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(on)) => Ok(*on),
            Some(Value::Text(text)) if text == "true" => Ok(true),
            Some(Value::Text(text)) if text == "false" => Ok(false),
            Some(other) => Err(self.wrong(names[0], "true or false", other)),
        }
    }

    /// An anchor that must be there.
    pub fn anchor(&mut self, names: &[&str]) -> Result<Anchor, BadPatch> {
        let text = self.string(names)?;
        self.parse(names[0], &text)
    }

    /// An anchor that may be missing, `null` or empty.
    pub fn maybe_anchor(&mut self, names: &[&str]) -> Result<Option<Anchor>, BadPatch> {
        match self.take(names) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Text(text)) if text.trim().is_empty() => Ok(None),
            Some(Value::Text(text)) => self.parse(names[0], text).map(Some),
            Some(other) => Err(self.wrong(names[0], "an anchor like \"12:a3\"", other)),
        }
    }

    fn parse(&self, field: &str, text: &str) -> Result<Anchor, BadPatch> {
        text.parse().map_err(|error: crate::anchor::NotAnAnchor| BadPatch {
            code: error.code(),
            ..self.error(field, &error.to_string())
        })
    }

    /// A place to insert at: an anchor, or `start` or `end` of the file.
    pub fn spot(&mut self, names: &[&str], before: bool) -> Result<Spot, BadPatch> {
        if let Some(Value::Text(text)) = names.iter().find_map(|name| self.peek(name)) {
            let spot = match text.trim().to_ascii_lowercase().as_str() {
                "start" | "bof" => Some(Spot::Start),
                "end" | "eof" => Some(Spot::End),
                _ => None,
            };
            if let Some(spot) = spot {
                self.take(names);
                return Ok(spot);
            }
        }
        let anchor = self.anchor(names)?;
        Ok(if before { Spot::Before(anchor) } else { Spot::After(anchor) })
    }

    /// New lines that must be there: a text, or a list with a string for each line.
    pub fn lines(&mut self, names: &[&str]) -> Result<Vec<String>, BadPatch> {
        match self.take(names) {
            Some(Value::Text(text)) => Ok(lines_of(text)),
            Some(Value::List(items)) => self.listed(names[0], items),
            Some(other) => Err(self.wrong(names[0], "a string", other)),
            None => Err(self.error(names[0], "it is missing")),
        }
    }

    /// New lines for an insert: an empty text is one blank line.
    pub fn lines_to_insert(&mut self, names: &[&str]) -> Result<Vec<String>, BadPatch> {
        let empty_list = names
            .iter()
            .find_map(|name| self.peek(name))
            .is_some_and(|value| matches!(value, Value::List(items) if items.is_empty()));
        if empty_list {
            return Err(self.error(names[0], "there is nothing to insert"));
        }
        let lines = self.lines(names)?;
        Ok(if lines.is_empty() { vec![String::new()] } else { lines })
    }

    fn listed(&self, field: &str, items: &[Value]) -> Result<Vec<String>, BadPatch> {
        let mut lines = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Value::Text(text) if text.is_empty() => lines.push(String::new()),
                Value::Text(text) => lines.extend(lines_of(text)),
                other => return Err(self.wrong(field, "a string for each line", other)),
            }
        }
        Ok(lines)
    }

    /// The operation, if every field was understood.
    pub fn finish(mut self, change: Change) -> Result<Op, BadPatch> {
        let exact = self.switch(&["exact"])?;
        let path = match self.take(&PATHS) {
            Some(Value::Text(path)) => path.clone(),
            Some(other) => return Err(self.wrong("path", "a string", other)),
            None => match self.path {
                Some(path) => path.to_owned(),
                None => return Err(self.error("path", "it is missing")),
            },
        };
        if path.is_empty() {
            return Err(self.error("path", "it is empty"));
        }
        if let Some((key, _)) = self.left.first() {
            let reason = format!("`{}` has no such field", change.name());
            return Err(self.error(key, &reason));
        }
        Ok(Op { path, exact, change })
    }

    pub fn error(&self, field: &str, reason: &str) -> BadPatch {
        BadPatch {
            op: Some(self.index),
            field: Some(field.to_owned()),
            reason: reason.to_owned(),
            shape: self.shape,
            code: "bad_patch",
        }
    }

    fn wrong(&self, field: &str, wanted: &str, given: &Value) -> BadPatch {
        self.error(field, &format!("{wanted} was expected, {} was given", given.kind()))
    }
}
