//! The fields of one operation of a patch.
//!
//! A field that is left when the operation has been read was not understood, which is an error: a
//! misspelled field would otherwise change what the operation means. Empty fields are ignored,
//! because models that must fill in every field of a schema leave those empty that they do not
//! need.

use serde_json::{Map, Value};

use super::names::{self, ANCHORS, ENDS, NAMES, OLD, PATHS, SIDES, STARTS, Side, TEXTS};
use super::shape;
use crate::BadPatch;
use crate::fields::{FieldError, Fields, snake};
use hashline_core::RefusalCode;
use hashline_core::patch::{Change, Op, Spot, lines_of};
use hashline_text::{NotAnAnchor, WrittenAnchor, bare_anchors};

/// Fields that carry a remark and change nothing.
const REMARKS: [&str; 11] = [
    "reason", "description", "comment", "explanation", "note", "id", "title", "language",
    "instructions", "map", "post_edit_verify",
];

/// Whether a field says nothing about the change. Hosts add fields of their own, which start with
/// `_`.
pub(super) fn is_remark(key: &str) -> bool {
    key.starts_with('_') || REMARKS.contains(&key)
}

/// Whether a field is ignored with a note, because the model may have meant it to do something.
pub(super) fn is_named_remark(key: &str) -> bool {
    REMARKS.contains(&snake(key).as_str())
}

/// Whether a value is as good as missing.
pub(super) fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

#[derive(Clone)]
pub(super) struct OpFields<'a> {
    index: usize,
    object: &'a Map<String, Value>,
    fields: Fields<'a>,
    path: Option<&'a str>,
    op: Option<&'static str>,
    /// The name, if the operation is written as `{"set_line": {...}}`.
    key: Option<String>,
    /// Whether the new text ends without a newline.
    open: bool,
}

/// The lines that an operation names.
pub(super) struct NamedLines {
    pub(super) start: WrittenAnchor,
    pub(super) end: Option<WrittenAnchor>,
    /// Whether the start of a range was given and not its end.
    pub(super) half: bool,
}

impl<'a> OpFields<'a> {
    /// The fields of operation `index`; `path` is the file that an enclosing object names.
    pub(super) fn of(index: usize, object: &'a Map<String, Value>, path: Option<&'a str>) -> Self {
        let fields = Fields::of(object).filter(|key, _| !is_remark(key));
        Self { index, object, fields, path, op: None, key: None, open: false }
    }

    /// The fields of an operation that is written as `{"set_line": {...}}`, and those around it
    /// that are not operations.
    pub(super) fn nested(
        index: usize,
        (key, object): (&str, &'a Map<String, Value>),
        around: &'a Map<String, Value>,
        path: Option<&'a str>,
    ) -> Self {
        let mut beside = Fields::of(around)
            .filter(|key, value| !is_remark(key) && !names::is_nested(key, value));
        let path = beside.text(&PATHS[..5]).ok().flatten().or(path);
        let inner = Self::of(index, object, path);
        Self { fields: inner.fields.and(beside), key: Some(key.to_owned()), ..inner }
    }

    /// Errors from here on show the shape of this operation.
    pub(super) fn expect(&mut self, op: &'static str) {
        self.op = Some(op);
    }

    /// The operation whose shape errors show.
    pub(super) fn expected(&self) -> Option<&'static str> {
        self.op
    }

    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.fields.has(names)
    }

    /// Whether one of `names` is there and not empty.
    pub(super) fn given(&self, names: &[&str]) -> bool {
        let says = |name: &&str| self.peek(&[name]).is_some_and(|value| !is_nothing(value));
        names.iter().any(says)
    }

    /// Whether one of `names` holds a text or a list of lines, even an empty one.
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

    pub(super) fn take(&mut self, names: &[&'static str]) -> Option<&'a Value> {
        self.fields.take(names)
    }

    /// The name of the operation, if it has one.
    pub(super) fn name(&mut self) -> Result<Option<String>, BadPatch> {
        if let Some(key) = &self.key {
            return Ok(Some(key.clone()).filter(|key| !key.is_empty()));
        }
        match self.fields.text(&NAMES) {
            Ok(name) => Ok(name.map(snake).filter(|name| !name.is_empty())),
            Err(error) => Err(self.bad(&FieldError { field: "op".to_owned(), ..error })),
        }
    }

    /// Whether the operation has no name.
    pub(super) fn is_unnamed(&self) -> bool {
        matches!(self.clone().name(), Ok(None))
    }

    /// Whether the operation is written as `{"set_line": {...}}`, with one of these keys.
    pub(super) fn is_nested(&self, keys: &[&str]) -> bool {
        self.key.as_deref().is_some_and(|key| keys.contains(&key))
    }

    /// A string that must be there.
    pub(super) fn string(&mut self, names: &[&'static str]) -> Result<String, BadPatch> {
        match self.fields.text(names) {
            Ok(Some(text)) => Ok(text.to_owned()),
            Ok(None) => Err(self.error(names[0], "it is missing")),
            Err(error) => Err(self.bad(&error)),
        }
    }

    /// A switch, off if it is not there.
    pub(super) fn switch(&mut self, names: &[&'static str]) -> Result<bool, BadPatch> {
        let flag = self.fields.flag(names).map_err(|error| self.bad(&error))?;
        Ok(flag.unwrap_or(false))
    }

    /// The lines that an operation is about: one by `anchor`, or several by `start_anchor` (or
    /// `anchor`) and `end_anchor`, by `range`, or by several rows where one anchor belongs.
    pub(super) fn lines_named(&mut self) -> Result<Option<NamedLines>, BadPatch> {
        if let Some((start, end)) = self.rows(&["range"], "range")? {
            return Ok(Some(NamedLines { start, end, half: false }));
        }
        let one = self.rows(&ANCHORS, "anchor")?;
        // One tool's `start` without an `end` is one line.
        let alone = self.given(&["start"]) && self.op != Some("replace_range");
        let start = self.rows(&STARTS, "start_anchor")?;
        let end = self.rows(&ENDS, "end_anchor")?.map(|(first, last)| last.unwrap_or(first));
        let half = one.is_none() && end.is_none() && !alone;
        let (start, end, half) = match (one, start) {
            (Some((anchor, last)), None) => (anchor, end.or(last), false),
            (Some((anchor, _)), Some((start, _))) if anchor != start => {
                return Err(
                    self.error("anchor", "`anchor` and `start_anchor` name different lines")
                );
            }
            (_, Some((start, last))) => {
                let half = half && last.is_none();
                (start, end.or(last), half)
            }
            (None, None) if end.is_some() => {
                return Err(self.error("start_anchor", "it is missing"));
            }
            (None, None) => return Ok(None),
        };
        Ok(Some(NamedLines { start, end, half }))
    }

    /// The lines that an operation must name, with both ends if it is a range.
    pub(super) fn required_lines(
        &mut self,
    ) -> Result<(WrittenAnchor, Option<WrittenAnchor>), BadPatch> {
        let missing = if self.op == Some("replace_range") { "start_anchor" } else { "anchor" };
        match self.lines_named()? {
            None => Err(self.error(missing, "it is missing")),
            Some(lines) => self.whole(lines),
        }
    }

    /// The lines, if both ends of a range are there. oh-my-pi's `replace_lines` may leave out its
    /// end.
    pub(super) fn whole(
        &mut self,
        lines: NamedLines,
    ) -> Result<(WrittenAnchor, Option<WrittenAnchor>), BadPatch> {
        if lines.half && !self.is_nested(&["replace_lines"]) {
            self.expect(if self.op == Some("delete") { "delete" } else { "replace_range" });
            let reason = "it is missing: a range has `start_anchor` and `end_anchor`; for one line give `anchor`";
            return Err(self.error("end_anchor", reason));
        }
        Ok((lines.start, lines.end))
    }

    /// An anchor that may be missing, `null` or empty; several rows are a range.
    fn rows(
        &mut self,
        names: &[&'static str],
        field: &str,
    ) -> Result<Option<(WrittenAnchor, Option<WrittenAnchor>)>, BadPatch> {
        // Lines that commas separate may be far apart, so they are not a range.
        let joined = |value: &Value| {
            let anchors = value.as_str().map(|text| text.split([',', ';']).map(str::trim));
            anchors.is_some_and(|mut all| all.clone().count() > 1 && all.all(is_bare_anchor))
        };
        if self.peek(names).is_some_and(joined) {
            let reason = "it holds several anchors: give each line an operation of its own, or the first \
                          and the last as `start_anchor` and `end_anchor` if all between are meant";
            return Err(self.error(field, reason));
        }
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
                _ => return Err(self.wrong(field, "an anchor (LINE:HASH)", value)),
            },
            Value::Object(range) => {
                let mut inner = Self::of(self.index, range, None);
                let lines =
                    inner.required_lines().ok().filter(|_| inner.fields.unknown().is_none());
                let (start, end) =
                    lines.ok_or_else(|| self.wrong(field, "two anchors (LINE:HASH)", value))?;
                (start.clone(), end.unwrap_or(start))
            }
            other => return Err(self.wrong(field, "an anchor (LINE:HASH)", other)),
        };
        let last = (last != first).then_some(last);
        Ok(Some((first, last)))
    }

    fn not_an_anchor(&self, field: &str, error: &NotAnAnchor) -> BadPatch {
        BadPatch { code: RefusalCode::BadAnchor, ..self.error(field, &error.to_string()) }
    }

    /// The side of its anchor on which an insert goes, and the field of the anchor if it has the
    /// side's own name. `insert_line`, of a tool that many models know, is the number of the line
    /// above.
    pub(super) fn side(&mut self) -> Option<(Side, &'static [&'static str])> {
        for name in SIDES {
            let word = self.peek(&[name]).and_then(Value::as_str);
            if let Some(side) = word.and_then(|word| Side::of(&snake(word))) {
                self.take(&[name]);
                return Some((side, &[]));
            }
        }
        let own: [(&'static [&'static str], Side); 3] = [
            (&["after"], Side::After),
            (&["before"], Side::Before),
            (&["insert_line"], Side::After),
        ];
        let own = own.into_iter().find(|(name, _)| self.given(name));
        own.map(|(name, side)| (side, name))
    }

    /// A place to insert at: an anchor, or `start` or `end` of the file. Without any it is the end
    /// of the file, or its start, for an operation that may leave it out.
    pub(super) fn spot(
        &mut self,
        side: Side,
        own: &'static [&'static str],
        may_be_open: bool,
    ) -> Result<Spot, BadPatch> {
        let start_or_end =
            self.start_or_end(own, true).or_else(|| self.start_or_end(&ANCHORS, false));
        if let Some(spot) = start_or_end.or_else(|| self.start_or_end(&STARTS, false)) {
            return Ok(spot);
        }
        let lines = if let [name] = own {
            let rows = self.rows(own, name)?;
            rows.map(|(start, end)| NamedLines { start, end, half: false })
        } else if may_be_open && !self.given(&ANCHORS) && !self.given(&STARTS) {
            // In oh-my-opencode's spelling, an `end` without a start is the anchor.
            let end = self.rows(&ENDS, "end_anchor")?;
            end.map(|(start, end)| NamedLines { start, end, half: false })
        } else {
            self.lines_named()?
        };
        match (lines, side) {
            (Some(lines), Side::Before) => Ok(Spot::Before(lines.start)),
            (Some(lines), Side::After) => Ok(Spot::After(lines.end.unwrap_or(lines.start))),
            (None, Side::Before) if may_be_open => Ok(Spot::Start),
            (None, Side::After) if may_be_open => Ok(Spot::End),
            (None, _) => Err(self.error("anchor", "it is missing")),
        }
    }

    /// The place under one of `names` after which lines are put.
    pub(super) fn spot_after(&mut self, names: &'static [&'static str]) -> Result<Spot, BadPatch> {
        if let Some(spot) = self.start_or_end(names, true) {
            return Ok(spot);
        }
        match self.rows(names, names[0])? {
            Some((start, end)) => Ok(Spot::After(end.unwrap_or(start))),
            None => Err(self.error(names[0], "it is missing")),
        }
    }

    /// The start or the end of the file, if one of `names` says so; 0 may be the line before the
    /// first.
    fn start_or_end(&mut self, names: &[&'static str], counts_from_0: bool) -> Option<Spot> {
        let spot = |value: &Value| match value {
            Value::Number(none) if counts_from_0 && none.as_i64() == Some(0) => Some(Spot::Start),
            Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
                "start" | "bof" | "top" => Some(Spot::Start),
                "end" | "eof" | "bottom" => Some(Spot::End),
                _ => None,
            },
            _ => None,
        };
        for name in names {
            if let Some(spot) = self.peek(&[name]).and_then(spot) {
                self.take(&[name]);
                return Some(spot);
            }
        }
        None
    }

    /// A file, if one of `names` gives it; `to` may be a line as well.
    pub(super) fn file(&mut self, names: &[&'static str]) -> Result<Option<String>, BadPatch> {
        let is_file = |name: &&str| {
            let value = self.peek(&[name]).filter(|value| !is_nothing(value));
            value.is_some_and(|value| *name != "to" || !names::is_line(value))
        };
        match names.iter().copied().find(is_file) {
            Some(name) => self.string(&[name]).map(Some),
            None => Ok(None),
        }
    }

    /// New text, which must be there. If several names hold one, all must be equal; empty ones are
    /// ignored if another is not empty.
    pub(super) fn new_text(&mut self, names: &[&'static str]) -> Result<&'a Value, BadPatch> {
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

    /// New lines that must be there: a text, or a list with a string for each line. In a field that
    /// is called a list of lines, an empty text is one blank line.
    pub(super) fn lines(&mut self) -> Result<Vec<String>, BadPatch> {
        let blank = self.given_text(&["lines"]);
        match self.new_text(&TEXTS)? {
            Value::String(text) if text.is_empty() && blank => Ok(vec![String::new()]),
            Value::String(text) => self.lines_in(text),
            Value::Array(items) => self.listed("text", items),
            other => Err(self.wrong("text", "a string", other)),
        }
    }

    /// New lines for an insert: an empty text is one blank line.
    pub(super) fn lines_to_insert(&mut self) -> Result<Vec<String>, BadPatch> {
        let given = self.new_text(&TEXTS)?;
        match given {
            Value::Array(items) if items.is_empty() => {
                Err(self.error("text", "there is nothing to insert"))
            }
            Value::Array(items) => self.listed("text", items),
            Value::String(text) if text.is_empty() => Ok(vec![String::new()]),
            Value::String(text) => {
                self.open = list_in(text).is_none() && !text.ends_with('\n');
                self.lines_in(text)
            }
            other => Err(self.wrong("text", "a string", other)),
        }
    }

    /// The lines of a text, or of a list that a host turned into a text, as omp does. A compact
    /// list with an indented string is certainly such a list; any other may be a line, and is
    /// refused.
    fn lines_in(&self, text: &str) -> Result<Vec<String>, BadPatch> {
        let Some(listed) = list_in(text).filter(|_| !self.is_on(&["exact"])) else {
            return Ok(lines_of(text));
        };
        if !listed.iter().any(|line| line.starts_with([' ', '\t'])) {
            return Err(self.list_or_text("text"));
        }
        Ok(listed.iter().flat_map(|line| item_lines(line)).collect())
    }

    /// The content of a new file. Only JSON files hold a list as models write one.
    pub(super) fn content(&mut self) -> Result<String, BadPatch> {
        let content = self.string(&["content", "text", "file_text", "new_text"])?;
        let path = self.peek(&PATHS).and_then(Value::as_str).or(self.path).unwrap_or_default();
        let is_json = path.rsplit_once('.').is_some_and(|(_, ending)| ending.contains("json"));
        if is_json || self.is_on(&["exact"]) || list_in(&content).is_none() {
            return Ok(content);
        }
        Err(self.list_or_text("content"))
    }

    fn list_or_text(&self, field: &str) -> BadPatch {
        let reason = "it is a list of lines that came as text, or a text that reads like one: give one \
                      string with newlines between the lines, or, if the text is meant, add \"exact\": true";
        self.error(field, reason)
    }

    fn listed(&self, field: &str, items: &[Value]) -> Result<Vec<String>, BadPatch> {
        let mut lines = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Value::String(text) => lines.extend(item_lines(text)),
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
        let path = match self.fields.text(&PATHS).map_err(|error| self.bad(&error))?.or(self.path) {
            None => return Err(self.error("path", "it is missing")),
            Some("") => return Err(self.error("path", "it is empty")),
            Some(path) => path.to_owned(),
        };
        let mut left = self.fields.clone().filter(|_, value| !is_nothing(value));
        // The same file, named twice.
        while left.peek(&PATHS).is_some_and(|again| *again == path.as_str()) {
            left.take(&PATHS);
        }
        if let Some(unknown) = left.unknown() {
            let reason = format!("`{}` does not use it", change.name());
            // An operation that names a side of a line was meant as an insert.
            if self.side().is_some() {
                return Err(self.either_insert(unknown, &reason));
            }
            return Err(self.error(unknown, &reason));
        }
        Ok(Op { path, exact, open: self.open, change })
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

    /// An error that shows both inserts.
    pub(super) fn either_insert(&self, field: &str, reason: &str) -> BadPatch {
        let [after, before] = ["insert_after", "insert_before"]
            .map(|op| shape::of(Some(op), self.object, self.path, field));
        BadPatch { shape: format!("{after} or {before}"), ..self.error(field, reason) }
    }

    fn wrong(&self, field: &str, needed: &str, given: &Value) -> BadPatch {
        self.bad(&FieldError::wrong(field, needed, given))
    }

    fn bad(&self, error: &FieldError) -> BadPatch {
        self.error(&error.field, &format!("it {}", error.reason))
    }
}

/// The lines of one string of a list.
fn item_lines(text: &str) -> Vec<String> {
    if text.is_empty() { vec![String::new()] } else { lines_of(text) }
}

/// The strings of a JSON list in the compact form that programs write, without blanks.
pub(crate) fn list_in(text: &str) -> Option<Vec<String>> {
    let lines: Vec<String> = serde_json::from_str(text).ok()?;
    serde_json::to_string(&lines).is_ok_and(|made| made == text).then_some(lines)
}

fn is_bare_anchor(text: &str) -> bool {
    bare_anchors(text).is_some_and(|anchors| anchors.len() == 1)
}
