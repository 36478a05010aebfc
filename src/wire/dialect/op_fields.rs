//! The fields of one operation of a patch.
//!
//! What is left when a dialect is done was not understood, and that is an error: a misspelled field
//! would otherwise change what the operation means.

use serde_json::{Map, Value};

use super::{NAMES, PATHS};
use crate::anchor::{Anchor, NotAnAnchor};
use crate::patch::{Change, Op, Spot, lines_of};
use crate::plan::RefusalCode;
use crate::wire::BadPatch;
use crate::wire::fields::{FieldError, Fields, Problem, snake};

/// The shape of a whole request.
pub(in crate::wire) const SHAPE: &str =
    r#"{"patch": [{"op": "set_line", "path": "src/a.ts", "anchor": "12:a3", "text": "new line"}]}"#;

/// Fields that carry a remark and change nothing.
const REMARKS: [&str; 6] = ["reason", "description", "comment", "explanation", "note", "id"];

/// Whether a field says nothing about the change. Hosts put their own in with `_` before them.
pub(super) fn is_remark(key: &str) -> bool {
    key.starts_with('_') || REMARKS.contains(&key)
}

/// Names under which new text is found.
pub(super) const TEXTS: [&str; 5] = ["text", "new_text", "content", "lines", "new_content"];

pub(super) struct OpFields<'a> {
    index: usize,
    fields: Fields<'a>,
    path: Option<&'a str>,
    shape: &'static str,
}

impl<'a> OpFields<'a> {
    /// The fields of operation `index`; `path` is the file named further out.
    pub(super) fn of(index: usize, object: &'a Map<String, Value>, path: Option<&'a str>) -> Self {
        let fields = Fields::of(object).filter(|key, _| !is_remark(key));
        Self { index, fields, path, shape: SHAPE }
    }

    /// The fields of an object inside this one, and those of this one that it does not have.
    pub(super) fn inner(self, object: &'a Map<String, Value>) -> Self {
        let inner = Self::of(self.index, object, self.path);
        Self { fields: inner.fields.or(self.fields), ..inner }
    }

    /// Errors from here on show `shape`.
    pub(super) fn expect(&mut self, shape: &'static str) {
        self.shape = shape;
    }

    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.fields.has(names)
    }

    pub(super) fn peek(&self, names: &[&str]) -> Option<&'a Value> {
        self.fields.peek(names)
    }

    pub(super) fn take(&mut self, names: &[&str]) -> Option<&'a Value> {
        self.fields.take(names)
    }

    /// What the operation calls itself.
    pub(super) fn name(&mut self) -> Result<String, BadPatch> {
        self.string(&NAMES).map(|name| snake(&name))
    }

    /// A string that must be there.
    pub(super) fn string(&mut self, names: &[&str]) -> Result<String, BadPatch> {
        match self.fields.text(names) {
            Ok(Some(text)) => Ok(text.to_owned()),
            Ok(None) => Err(self.error(names[0], "it is missing")),
            Err(error) => Err(self.bad(error)),
        }
    }

    /// A switch, off if it is not there.
    pub(super) fn switch(&mut self, names: &[&str]) -> Result<bool, BadPatch> {
        let flag = self.fields.flag(names).map_err(|error| self.bad(error))?;
        Ok(flag.unwrap_or(false))
    }

    /// An anchor that must be there.
    pub(super) fn anchor(&mut self, names: &[&str]) -> Result<Anchor, BadPatch> {
        let text = self.string(names)?;
        self.parse(names[0], &text)
    }

    /// An anchor that may be missing, `null` or empty.
    pub(super) fn maybe_anchor(&mut self, names: &[&str]) -> Result<Option<Anchor>, BadPatch> {
        match self.take(names) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
            Some(Value::String(text)) => self.parse(names[0], text).map(Some),
            Some(other) => Err(self.wrong(names[0], "an anchor like \"12:a3\"", other)),
        }
    }

    fn parse(&self, field: &str, text: &str) -> Result<Anchor, BadPatch> {
        text.parse().map_err(|error: NotAnAnchor| BadPatch {
            code: RefusalCode::BadAnchor,
            ..self.error(field, &error.to_string())
        })
    }

    /// A place to insert at: an anchor, or `start` or `end` of the file.
    pub(super) fn spot(&mut self, names: &[&str], before: bool) -> Result<Spot, BadPatch> {
        if let Some(Value::String(text)) = self.peek(names) {
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
    pub(super) fn lines(&mut self, names: &[&str]) -> Result<Vec<String>, BadPatch> {
        match self.take(names) {
            Some(Value::String(text)) => Ok(lines_of(text)),
            Some(Value::Array(items)) => self.listed(names[0], items),
            Some(other) => Err(self.wrong(names[0], "a string", other)),
            None => Err(self.error(names[0], "it is missing")),
        }
    }

    /// New lines for an insert: an empty text is one blank line.
    pub(super) fn lines_to_insert(&mut self, names: &[&str]) -> Result<Vec<String>, BadPatch> {
        if matches!(self.peek(names), Some(Value::Array(items)) if items.is_empty()) {
            return Err(self.error(names[0], "there is nothing to insert"));
        }
        let lines = self.lines(names)?;
        Ok(if lines.is_empty() { vec![String::new()] } else { lines })
    }

    fn listed(&self, field: &str, items: &[Value]) -> Result<Vec<String>, BadPatch> {
        let mut lines = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Value::String(text) if text.is_empty() => lines.push(String::new()),
                Value::String(text) => lines.extend(lines_of(text)),
                other => return Err(self.wrong(field, "a string for each line", other)),
            }
        }
        Ok(lines)
    }

    /// The operation, if every field was understood.
    pub(super) fn finish(mut self, change: Change) -> Result<Op, BadPatch> {
        let exact = self.switch(&["exact"])?;
        let path = match self.fields.text(&PATHS).map_err(|error| self.bad(error))?.or(self.path) {
            None => return Err(self.error("path", "it is missing")),
            Some("") => return Err(self.error("path", "it is empty")),
            Some(path) => path.to_owned(),
        };
        if let Some(unknown) = self.fields.unknown() {
            let reason = format!("`{}` has no such field", change.name());
            return Err(self.error(unknown, &reason));
        }
        Ok(Op { path, exact, change })
    }

    pub(super) fn error(&self, field: &str, reason: &str) -> BadPatch {
        BadPatch {
            op: Some(self.index),
            field: Some(field.to_owned()),
            reason: reason.to_owned(),
            shape: self.shape,
            code: RefusalCode::BadPatch,
        }
    }

    fn wrong(&self, field: &str, needed: &str, given: &Value) -> BadPatch {
        self.bad(FieldError::wrong(field, needed, given))
    }

    fn bad(&self, error: FieldError) -> BadPatch {
        self.error(&error.field, &reason_of(error.problem))
    }
}

/// What is wrong with a field, in a sentence that need not name it.
pub(super) fn reason_of(problem: Problem) -> String {
    match problem {
        Problem::Wrong { needed, given } => format!("{needed} was expected, {given} was given"),
        Problem::Other(reason) => reason,
    }
}
