//! What to do instead of a blocked command, as data.
//!
//! [`fmt::Display`] writes it as calls of the tools `read`, `grep` and `apply_hash`; a caller whose
//! tools have other names writes the values itself.

use std::fmt;

use crate::pattern::is_pattern;
use crate::serve::{EditOp, GrepRequest, Lines, ReadPath, Serve, Source};
use crate::shown::{json, on_one_line};
use crate::unknown::is_known;

/// The most files that one call names.
const MAX_FILES: usize = 8;

/// What to do instead of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Instead {
    /// A call of one of our tools.
    Call(ToolCall),
    /// Advice with a part that only the model can fill in.
    Advice(Advice),
}

/// A call of one of our tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolCall {
    /// Reads files.
    Read {
        /// The files.
        files: Vec<ReadPath>,
        /// Whether only the names of the files are known.
        bare: bool,
    },
    /// Searches files.
    Grep {
        /// The search.
        request: GrepRequest,
        /// The most lines that the command wants.
        limit: Option<u64>,
        /// Whether only the pattern and the files are known.
        bare: bool,
    },
    /// Changes files.
    Apply {
        /// The changes; a long text is given by the name under which memory keeps it.
        changes: Vec<TextChange>,
        /// The rest of the command, to be run afterwards.
        rest: Option<String>,
    },
}

/// Advice with a part that only the model can fill in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Advice {
    /// Read files, which the command does not name.
    Read,
    /// Change the lines that are shown with their anchors: the operations, each with its file.
    EditLines(Vec<(EditOp, String)>),
    /// Append the lines that are shown with their anchors to another file.
    CopyLines {
        /// The file that the lines are in.
        path: String,
        /// The file to which the lines are appended.
        to: String,
    },
    /// Change this file, or create it.
    Write(Option<String>),
    /// Send a simpler command, which can be parsed.
    Simpler,
}

/// A change whose text is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextChange {
    /// The text becomes the whole content of a file.
    Whole {
        /// The file.
        path: String,
        /// The new content.
        text: String,
    },
    /// The text is appended to a file.
    Append {
        /// The file.
        path: String,
        /// The text.
        text: String,
    },
    /// A text in a file is replaced by another.
    Replace {
        /// The file.
        path: String,
        /// The old text.
        old: String,
        /// The new text.
        new: String,
        /// Which occurrences are replaced.
        times: Times,
    },
}

/// Which occurrences of a text are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// All occurrences in the file.
    Each,
    /// The first occurrence in the file.
    First,
    /// The first occurrence in each line.
    FirstOfLine,
}

impl TextChange {
    /// The file that is changed.
    pub fn path(&self) -> &str {
        match self {
            Self::Whole { path, .. } | Self::Append { path, .. } | Self::Replace { path, .. } => {
                path
            }
        }
    }

    fn path_mut(&mut self) -> &mut String {
        match self {
            Self::Whole { path, .. } | Self::Append { path, .. } | Self::Replace { path, .. } => {
                path
            }
        }
    }

    /// The same change to another file.
    pub(crate) fn of(mut self, file: String) -> Self {
        *self.path_mut() = file;
        self
    }

    /// The change with the text of another change, if both have one.
    pub(crate) fn with_text_of(mut self, other: Self) -> Self {
        if let (
            Self::Whole { text, .. } | Self::Append { text, .. },
            Self::Whole { text: name, .. } | Self::Append { text: name, .. },
        ) = (&mut self, other)
        {
            *text = name;
        }
        self
    }

    /// Whether the change can be called for without knowing the file's content.
    pub(crate) fn is_certain(&self) -> bool {
        !matches!(self, Self::Replace { times: Times::First | Times::FirstOfLine, .. })
    }

    /// Whether all of its text is known.
    pub(crate) fn is_known(&self) -> bool {
        match self {
            Self::Whole { text, .. } | Self::Append { text, .. } => is_known(text),
            Self::Replace { old, new, .. } => is_known(old) && is_known(new),
        }
    }
}

impl Instead {
    /// The tool that is called.
    pub fn tool(&self) -> &'static str {
        match self {
            Self::Call(ToolCall::Read { .. }) | Self::Advice(Advice::Read) => "read",
            Self::Call(ToolCall::Grep { .. }) => "grep",
            Self::Call(ToolCall::Apply { .. }) | Self::Advice(_) => "apply_hash",
        }
    }
}

impl ToolCall {
    /// The call for lines that are served: one read of all the files, or the first search.
    pub(crate) fn for_serve(serve: &Serve) -> Option<Self> {
        let mut calls = serve.lines().map(Self::from);
        let mut first = calls.next()?;
        if let Self::Read { files, .. } = &mut first {
            for call in calls {
                match call {
                    Self::Read { files: more, .. } => files.extend(more),
                    _ => break,
                }
            }
            files.truncate(MAX_FILES);
        }
        Some(first)
    }
}

impl From<&Lines> for ToolCall {
    /// The call that shows these lines. No tool accepts a shell pattern as a path: `read` is given
    /// the directory, `grep` a glob.
    fn from(lines: &Lines) -> Self {
        let known =
            |file: &ReadPath| ReadPath { path: without_pattern(&file.path), ..file.clone() };
        let file = |path: &String| ReadPath { path: without_pattern(path), ..ReadPath::default() };
        match &lines.source {
            Source::Read(files) | Source::Dump(files) => {
                Self::Read { files: files.iter().map(known).collect(), bare: false }
            }
            // The grep tool cannot invert a search, so the whole files are read.
            Source::Grep(request) if request.invert => {
                Self::Read { files: request.paths.iter().map(file).collect(), bare: false }
            }
            Source::Grep(request) => {
                let one =
                    request.paths.len() == 1 && request.globs.is_empty() && !request.file_names;
                let in_file = request.per_file.filter(|count| one && *count < u64::MAX);
                let limit = lines.limit().into_iter().chain(in_file).min();
                let mut request = request.clone();
                let (globs, paths) = request.paths.into_iter().partition(|path| is_pattern(path));
                request.paths = paths;
                request.globs.extend::<Vec<String>>(globs);
                Self::Grep { request, limit, bare: false }
            }
        }
    }
}

impl Instead {
    /// The call or advice, with each path replaced by what `name` returns for it.
    #[must_use]
    pub fn named(mut self, name: &dyn Fn(&str) -> String) -> Self {
        let paths: Vec<&mut String> = match &mut self {
            Self::Call(ToolCall::Read { files, .. }) => {
                files.iter_mut().map(|file| &mut file.path).collect()
            }
            Self::Call(ToolCall::Grep { request, .. }) => request.paths.iter_mut().collect(),
            Self::Call(ToolCall::Apply { changes, .. }) => {
                changes.iter_mut().map(TextChange::path_mut).collect()
            }
            Self::Advice(Advice::EditLines(ops)) => ops.iter_mut().map(|(_, path)| path).collect(),
            Self::Advice(Advice::CopyLines { path, to }) => vec![path, to],
            Self::Advice(Advice::Write(path)) => path.iter_mut().collect(),
            Self::Advice(Advice::Read | Advice::Simpler) => Vec::new(),
        };
        for path in paths {
            *path = name(path);
        }
        self
    }

    /// The patch to apply, if a patch is the answer; the model fills in each `…`.
    pub fn patch(&self) -> Option<String> {
        match self {
            Self::Call(ToolCall::Apply { changes, .. }) => {
                Some(patch(changes.iter().map(change).collect()))
            }
            Self::Advice(Advice::EditLines(ops)) => Some(patch(edits(ops))),
            Self::Advice(Advice::CopyLines { path, to }) => Some(patch(vec![operation(
                "copy_lines",
                path,
                &[
                    ("start_anchor", Some(json("…"))),
                    ("end_anchor", Some(json("…"))),
                    ("to_path", Some(named(to))),
                    ("to_anchor", Some(json("end"))),
                ],
            )])),
            Self::Advice(Advice::Write(path)) => {
                Some(patch(vec![edit(EditOp::Replace, path.as_deref().unwrap_or("…"))]))
            }
            _ => None,
        }
    }

    /// The remark to print after the patch.
    pub fn remark(&self) -> Option<String> {
        match self {
            Self::Call(ToolCall::Apply { rest: Some(rest), .. }) => {
                Some(format!("then send the rest: `{}`", on_one_line(rest)))
            }
            Self::Advice(Advice::EditLines(_) | Advice::CopyLines { .. }) => {
                Some("with the anchors of the lines it is about".to_owned())
            }
            Self::Advice(Advice::Write(path)) => {
                let path = path.as_deref().unwrap_or("…");
                let add = operation("add_file", path, &[("content", Some(json("…")))]);
                Some(format!("or {add} for a new file"))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Instead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.patch()) {
            (_, Some(patch)) => {
                write!(f, "apply_hash {patch}")?;
                let with =
                    matches!(self, Self::Advice(Advice::EditLines(_) | Advice::CopyLines { .. }));
                let comma = if with { "" } else { "," };
                self.remark().map_or(Ok(()), |remark| write!(f, "{comma} {remark}"))
            }
            (Self::Call(call), None) => call.fmt(f),
            (Self::Advice(Advice::Simpler), None) => {
                f.write_str("a simpler command, one step at a time")
            }
            (Self::Advice(_), None) => f.write_str(r#"read {"path":"…"}"#),
        }
    }
}

impl fmt::Display for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { files, .. } if files.len() == 1 => write!(f, "read {}", read(&files[0])),
            Self::Read { files, bare } => {
                let name = |file: &ReadPath| if *bare { json(&file.path) } else { read(file) };
                write!(f, "read {}", object(&[("paths", Some(list(files.iter().map(name))))]))
            }
            Self::Grep { request, limit, bare } => {
                write!(f, "grep {}", grep(request, *limit, *bare))
            }
            Self::Apply { .. } => Instead::Call(self.clone()).fmt(f),
        }
    }
}

/// A JSON object of the fields that have a value.
fn object(fields: &[(&str, Option<String>)]) -> String {
    let given = fields
        .iter()
        .filter_map(|(key, value)| value.as_ref().map(|value| format!("{}:{value}", json(key))));
    format!("{{{}}}", given.collect::<Vec<_>>().join(","))
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn patch(operations: Vec<String>) -> String {
    object(&[("patch", Some(list(operations.into_iter())))])
}

fn yes(flag: bool) -> Option<String> {
    flag.then(|| "true".to_owned())
}

fn read(file: &ReadPath) -> String {
    object(&[
        ("path", Some(json(&file.path))),
        ("offset", file.offset.map(|offset| offset.to_string())),
        ("limit", file.limit.map(|limit| limit.to_string())),
    ])
}

/// The arguments of the grep tool.
fn grep(request: &GrepRequest, limit: Option<u64>, bare: bool) -> String {
    let strings = |items: &[String]| list(items.iter().map(|item| json(item)));
    let some = |items: &[String]| (!items.is_empty()).then(|| strings(items));
    let above_zero = |number: u64| (number > 0).then(|| number.to_string());
    object(&[
        ("pattern", Some(json(&request.pattern))),
        ("paths", (!bare).then(|| strings(&request.paths))),
        ("glob", some(&request.globs)),
        ("type", some(&request.types)),
        ("literal", yes(request.literal)),
        ("caseSensitive", (!request.case_sensitive).then(|| "false".to_owned())),
        ("paths", if bare { some(&request.paths) } else { None }),
        ("hidden", yes(request.hidden)),
        ("noIgnore", yes(request.ignored)),
        ("contextBefore", above_zero(request.context_before)),
        ("contextAfter", above_zero(request.context_after)),
        ("limit", above_zero(limit.unwrap_or(0))),
    ])
}

fn change(change: &TextChange) -> String {
    let (name, fields) = match change {
        TextChange::Whole { text, .. } => {
            ("add_file", vec![("content", Some(json(text))), ("overwrite", yes(true))])
        }
        TextChange::Append { text, .. } => {
            let text = json(text.strip_suffix('\n').unwrap_or(text));
            ("insert_after", vec![("anchor", Some(json("EOF"))), ("text", Some(text))])
        }
        TextChange::Replace { old, new, times, .. } => {
            let all = yes(*times == Times::Each);
            let texts = [("old_text", json(old)), ("new_text", json(new))];
            let texts = texts.map(|(key, text)| (key, Some(text)));
            ("replace", texts.into_iter().chain([("all", all)]).collect())
        }
    };
    operation(name, change.path(), &fields)
}

/// An operation of a patch: its name, its file, and its other fields.
fn operation(name: &str, path: &str, rest: &[(&str, Option<String>)]) -> String {
    let own = [("op", Some(json(name))), ("path", Some(named(path)))];
    object(&[&own, rest].concat())
}

/// The first few operations, without repetitions.
fn edits(ops: &[(EditOp, String)]) -> Vec<String> {
    const MAX_EDITS: usize = 4;
    let mut operations: Vec<String> = Vec::new();
    for (op, path) in ops {
        let operation = edit(*op, path);
        if operations.len() < MAX_EDITS && !operations.contains(&operation) {
            operations.push(operation);
        }
    }
    operations
}

fn edit(op: EditOp, path: &str) -> String {
    let unknown = || Some(json("…"));
    let (name, anchors, text): (_, &[&str], _) = match op {
        EditOp::Replace => ("replace_range", &["start_anchor", "end_anchor"], unknown()),
        EditOp::Delete => ("replace_range", &["start_anchor", "end_anchor"], Some(json(""))),
        EditOp::InsertAfter => ("insert_after", &["anchor"], unknown()),
        EditOp::InsertBefore => ("insert_before", &["anchor"], unknown()),
    };
    let anchors = anchors.iter().map(|anchor| (*anchor, unknown()));
    operation(name, path, &anchors.chain([("text", text)]).collect::<Vec<_>>())
}

/// The path of a changed file as JSON; `…` if only a shell pattern is known.
fn named(path: &str) -> String {
    json(if is_pattern(path) { "…" } else { path })
}

/// A path that `read` accepts: a shell pattern is replaced by its directory.
pub(crate) fn without_pattern(path: &str) -> String {
    if !is_pattern(path) {
        return path.to_owned();
    }
    let known = path.split(['*', '?', '[']).next().unwrap_or_default();
    match known.rsplit_once('/') {
        Some((directory, _)) if !directory.is_empty() => directory.to_owned(),
        _ => ".".to_owned(),
    }
}
