//! The fields of one operation of a patch.
//!
//! What is left when a dialect is done was not understood, and that is an error: a misspelled field
//! would otherwise change what the operation means. Fields that are empty say nothing and are left
//! out, because models that must fill in every field of a schema do it so.

use serde_json::{Map, Value};

use super::names::{self, ANCHORS, ENDS, NAMES, OLD, PATHS, STARTS, TEXTS};
use super::shape;
use crate::BadPatch;
use crate::fields::{FieldError, Fields, Problem, snake};
use hashline_core::patch::{Change, Op, Spot, lines_of};
use hashline_core::plan::RefusalCode;
use hashline_text::{NotAnAnchor, WrittenAnchor};

/// Fields that carry a remark and change nothing.
const REMARKS: [&str; 9] = [
    "reason", "description", "comment", "explanation", "note", "id", "title", "language",
    "instructions",
];

/// Whether a field says nothing about the change. Hosts put their own in with `_` before them.
pub(super) fn is_remark(key: &str) -> bool {
    key.starts_with('_') || REMARKS.contains(&key)
}

/// Whether a value says nothing.
pub(super) fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

pub(super) struct OpFields<'a> {
    index: usize,
    object: &'a Map<String, Value>,
    fields: Fields<'a>,
    path: Option<&'a str>,
    op: Option<&'static str>,
}

impl<'a> OpFields<'a> {
    /// The fields of operation `index`; `path` is the file named further out.
    pub(super) fn of(index: usize, object: &'a Map<String, Value>, path: Option<&'a str>) -> Self {
        let fields = Fields::of(object).filter(|key, _| !is_remark(key));
        Self { index, object, fields, path, op: None }
    }

    /// The fields of an object inside this one, and those of this one that it does not have.
    pub(super) fn inner(self, object: &'a Map<String, Value>) -> Self {
        let inner = Self::of(self.index, object, self.path);
        let path = self.fields.peek(&PATHS[..5]).and_then(Value::as_str).or(self.path);
        Self { fields: inner.fields.or(self.fields), path, ..inner }
    }

    /// Errors from here on show the shape of this operation.
    pub(super) fn expect(&mut self, op: &'static str) {
        self.op = Some(op);
    }

    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.fields.has(names)
    }

    /// Whether one of `names` is there and says something.
    pub(super) fn given(&self, names: &[&str]) -> bool {
        let says = |name: &&str| self.peek(&[name]).is_some_and(|value| !is_nothing(value));
        names.iter().any(says)
    }

    /// Whether a text or a list of lines is there under one of `names`, be it empty.
    pub(super) fn given_text(&self, names: &[&str]) -> bool {
        let text =
            |name: &&str| matches!(self.peek(&[name]), Some(Value::String(_) | Value::Array(_)));
        names.iter().any(text)
    }

    /// Whether one of `names` is switched on.
    pub(super) fn is_on(&self, names: &[&str]) -> bool {
        matches!(self.peek(names), Some(Value::Bool(true)))
    }

    pub(super) fn peek(&self, names: &[&str]) -> Option<&'a Value> {
        self.fields.peek(names)
    }

    pub(super) fn take(&mut self, names: &[&str]) -> Option<&'a Value> {
        self.fields.take(names)
    }

    /// What the operation calls itself, if it does.
    pub(super) fn name(&mut self) -> Result<Option<String>, BadPatch> {
        match self.fields.text(&NAMES) {
            Ok(name) => Ok(name.map(snake).filter(|name| !name.is_empty())),
            Err(error) => Err(self.bad(FieldError { field: "op".to_owned(), ..error })),
        }
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

    /// The lines that an operation is about: one by `anchor`, or several by `start_anchor` and
    /// `end_anchor`, by `range`, or by several rows where one anchor belongs. A start without an end
    /// is one line.
    pub(super) fn lines_meant(
        &mut self,
    ) -> Result<(WrittenAnchor, Option<WrittenAnchor>), BadPatch> {
        if let Some((start, end)) = self.rows(&["range"], "range")? {
            return Ok((start, end));
        }
        let one = self.rows(&ANCHORS, "anchor")?;
        let start = self.rows(&STARTS, "start_anchor")?;
        let end = self.rows(&ENDS, "end_anchor")?.map(|(first, last)| last.unwrap_or(first));
        match (one, start) {
            (Some((anchor, last)), None) if end.as_ref().is_none_or(|end| *end == anchor) => {
                Ok((anchor, last))
            }
            (Some((anchor, _)), Some((start, last))) if anchor == start => {
                Ok((start, end.or(last)))
            }
            (Some(_), None) => Err(self.error("end_anchor", "there is no `start_anchor` with it")),
            (Some(_), Some(_)) => {
                Err(self.error("anchor", "`anchor` and `start_anchor` name different lines"))
            }
            (None, Some((start, last))) => Ok((start, end.or(last))),
            (None, None) if end.is_some() => Err(self.error("start_anchor", "it is missing")),
            (None, None) => Err(self.error("anchor", "it is missing")),
        }
    }

    /// An anchor that may be missing, `null` or empty; several rows are a range.
    fn rows(
        &mut self,
        names: &[&str],
        field: &str,
    ) -> Result<Option<(WrittenAnchor, Option<WrittenAnchor>)>, BadPatch> {
        // `from` and `to` may be files as well.
        let is_here = |name: &&&str| {
            let value = self.peek(&[name]);
            value.is_some_and(|value| {
                !is_nothing(value) && (names::is_line(value) || **name != "from" && **name != "to")
            })
        };
        let Some(name) = names.iter().find(is_here) else { return Ok(None) };
        let Some(value) = self.take(&[name]) else { return Ok(None) };
        let read = |text: &str| {
            WrittenAnchor::rows(text).map_err(|error| self.not_an_anchor(field, &error))
        };
        let (first, last) = match value {
            Value::String(text) => read(text)?,
            Value::Number(number) => read(&number.to_string())?,
            Value::Array(items) => match items.as_slice() {
                [Value::String(first), Value::String(last)] => (read(first)?.0, read(last)?.1),
                [Value::String(text)] => read(text)?,
                _ => return Err(self.wrong(field, "an anchor like \"12:a3\"", value)),
            },
            Value::Object(range) => {
                let mut inner = Self::of(self.index, range, None);
                let (start, end) = inner.lines_meant().map_err(|_| {
                    self.wrong(field, "two anchors like \"12:a3\" and \"15:b1\"", value)
                })?;
                (start.clone(), end.unwrap_or(start))
            }
            other => return Err(self.wrong(field, "an anchor like \"12:a3\"", other)),
        };
        let last = (last != first).then_some(last);
        Ok(Some((first, last)))
    }

    /// An anchor that may be missing, `null` or empty.
    pub(super) fn maybe_anchor(
        &mut self,
        names: &[&str],
    ) -> Result<Option<WrittenAnchor>, BadPatch> {
        Ok(self.rows(names, names[0])?.map(|(first, _)| first))
    }

    fn not_an_anchor(&self, field: &str, error: &NotAnAnchor) -> BadPatch {
        BadPatch { code: RefusalCode::BadAnchor, ..self.error(field, &error.to_string()) }
    }

    /// A place to insert at: an anchor, or `start` or `end` of the file.
    pub(super) fn spot(&mut self, before: bool) -> Result<Spot, BadPatch> {
        for name in ANCHORS.iter().chain(&STARTS) {
            if let Some(Value::String(text)) = self.peek(&[name]) {
                let spot = match text.trim().to_ascii_lowercase().as_str() {
                    "start" | "bof" | "top" => Some(Spot::Start),
                    "end" | "eof" | "bottom" => Some(Spot::End),
                    _ => None,
                };
                if let Some(spot) = spot {
                    self.take(&[name]);
                    return Ok(spot);
                }
            }
        }
        let (start, end) = self.lines_meant()?;
        Ok(if before { Spot::Before(start) } else { Spot::After(end.unwrap_or(start)) })
    }

    /// New text that must be there. Given under several names, it must be the same; those that are
    /// empty beside one that is not say nothing.
    pub(super) fn new_text(&mut self, names: &[&str]) -> Result<&'a Value, BadPatch> {
        let given: Vec<(&str, &Value)> =
            names.iter().filter_map(|name| Some((*name, self.take(&[name])?))).collect();
        let mut telling = given.iter().filter(|(_, value)| !is_nothing(value));
        let Some((first, value)) = telling.next().or(given.first()) else {
            return Err(self.error(names[0], "it is missing"));
        };
        match telling.find(|(_, other)| other != value) {
            Some((other, _)) => {
                let reason = format!("`{first}` and `{other}` differ: give the new text once");
                Err(self.error(other, &reason))
            }
            None => Ok(value),
        }
    }

    /// New lines that must be there: a text, or a list with a string for each line.
    pub(super) fn lines(&mut self) -> Result<Vec<String>, BadPatch> {
        match self.new_text(&TEXTS)? {
            Value::String(text) => Ok(lines_of(text)),
            Value::Array(items) => self.listed("text", items),
            other => Err(self.wrong("text", "a string", other)),
        }
    }

    /// New lines for an insert: an empty text is one blank line.
    pub(super) fn lines_to_insert(&mut self) -> Result<Vec<String>, BadPatch> {
        match self.new_text(&TEXTS)? {
            Value::Array(items) if items.is_empty() => {
                Err(self.error("text", "there is nothing to insert"))
            }
            Value::Array(items) => self.listed("text", items),
            Value::String(text) if text.is_empty() => Ok(vec![String::new()]),
            Value::String(text) => Ok(lines_of(text)),
            other => Err(self.wrong("text", "a string", other)),
        }
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

    /// What the line is said to read beside its anchor, if it is one line.
    pub(super) fn hinted(&mut self, anchor: WrittenAnchor) -> WrittenAnchor {
        match self.peek(&OLD) {
            Some(Value::String(old)) if !old.trim_end_matches('\n').contains('\n') => {
                self.take(&OLD);
                anchor.with_hint(old.trim_end_matches('\n'))
            }
            _ => anchor,
        }
    }

    /// The operation, if every field that says something was understood.
    pub(super) fn finish(mut self, change: Change) -> Result<Op, BadPatch> {
        let exact = self.switch(&["exact"])?;
        let path = match self.fields.text(&PATHS).map_err(|error| self.bad(error))?.or(self.path) {
            None => return Err(self.error("path", "it is missing")),
            Some("") => return Err(self.error("path", "it is empty")),
            Some(path) => path.to_owned(),
        };
        let mut left = self.fields.clone().filter(|_, value| !is_nothing(value));
        // The same file, said twice.
        while left.text(&PATHS).is_ok_and(|again| again == Some(path.as_str())) {}
        if let Some(unknown) = left.unknown() {
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
            shape: shape::of(self.op, self.object, self.path, field),
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
