//! Brings a call of a tool into one shape, with the files that it concerns.
//!
//! Hosts show a call to other extensions before they carry it out, and those look at `path`. So
//! every spelling becomes `{path, paths, patch}` first: `paths` are the real names of all files
//! that are read, written, moved or deleted, and of links that lead to them; `path` is the first.

use serde_json::{Map, Value, json};

use super::dialect::list_in;
use super::outcome::ApplyAnswer;
use super::{grep_request, parse, patch, read_request, unread};
use hashline_core::patch::{Change, Op, Patch, Spot};
use hashline_core::session::Session;
use hashline_text::WrittenAnchor;

/// A call of `tool` in one shape, or the refusal that it would get.
pub fn prepare(session: &Session, tool: &str, request: &str) -> Value {
    match tool {
        "read" => match parse(request).and_then(read_request) {
            Ok(read) => {
                let names = read.files.iter().flat_map(|file| session.names_to_read(&file.path));
                prepared(names, json!({}))
            }
            Err(misshapen) => refused(&misshapen.message),
        },
        "grep" => match parse(request).and_then(grep_request) {
            Ok(grep) => {
                let paths = if grep.paths.is_empty() { vec![".".to_owned()] } else { grep.paths };
                let names = paths.iter().flat_map(|path| session.names_to_read(path));
                prepared(names, json!({ "pattern": grep.pattern }))
            }
            Err(misshapen) => refused(&misshapen.message),
        },
        _ => match patch::read_here(request, session) {
            Ok(patch) => {
                let spelled = patch.ops.iter().flat_map(files);
                let names = spelled.flat_map(|spelled| session.names_to_write(spelled));
                prepared(names, in_one_shape(&patch))
            }
            Err(bad) => json!(ApplyAnswer::from(unread(&bad))),
        },
    }
}

fn prepared(names: impl Iterator<Item = String>, rest: Value) -> Value {
    let mut paths: Vec<String> = Vec::new();
    for name in names {
        let name = if name.is_empty() { ".".to_owned() } else { name };
        if !paths.contains(&name) {
            paths.push(name);
        }
    }
    let mut shape = json!({ "kind": "prepared", "path": paths.first(), "paths": paths });
    if let (Some(shape), Value::Object(rest)) = (shape.as_object_mut(), rest) {
        shape.extend(rest);
    }
    shape
}

fn refused(message: &str) -> Value {
    json!({ "kind": "refused", "text": message })
}

/// The files of an operation, as the operation spells them.
fn files(op: &Op) -> impl Iterator<Item = &str> {
    let to = match &op.change {
        Change::MoveFile { to } | Change::Transfer { to: Some(to), .. } => Some(to.as_str()),
        _ => None,
    };
    std::iter::once(op.path.as_str()).chain(to)
}

/// A patch in our own spelling. Reading that gives the same patch again.
pub fn in_one_shape(patch: &Patch) -> Value {
    let mut shape = json!({ "patch": patch.ops.iter().map(operation).collect::<Value>() });
    if let Some(path) = &patch.assumed_path {
        shape["assumed_path"] = json!(path);
    }
    if !patch.ignored.is_empty() {
        shape["ignored"] = json!(patch.ignored);
    }
    if !patch.unnamed.is_empty() {
        shape["unnamed"] = json!(patch.unnamed);
    }
    shape
}

fn operation(op: &Op) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    let moves = matches!(op.change, Change::MoveFile { .. });
    let name = if matches!(op.change, Change::Hunk { .. }) { "replace" } else { op.change.name() };
    put("op", json!(name));
    put(if moves { "from" } else { "path" }, json!(op.path));
    match &op.change {
        Change::SetLine { anchor, lines } => {
            put_hinted(&mut put, anchor);
            put_lines(&mut put, lines, TextEnd::Either);
        }
        Change::ReplaceRange { start, end, lines } => {
            put("start_anchor", json!(start.spelled));
            put("end_anchor", json!(end.spelled));
            put_lines(&mut put, lines, TextEnd::Either);
        }
        Change::Insert { at, lines } => {
            put("anchor", json!(spelled(at)));
            put_lines(&mut put, lines, if op.open { TextEnd::Open } else { TextEnd::Closed });
        }
        Change::Delete { start, end: None } => put_hinted(&mut put, start),
        Change::Delete { start, end: Some(end) } => {
            put("start_anchor", json!(start.spelled));
            put("end_anchor", json!(end.spelled));
        }
        Change::Hunk { old, new } => {
            put("old_text", json!(text_of(old)));
            put("new_text", json!(text_of(new)));
            put("whole_lines", json!(true));
        }
        Change::Replace { old, new, all, within } => {
            match within {
                Some((start, end)) if start == end => {
                    put("anchor", json!(start.spelled));
                }
                Some((start, end)) => {
                    put("start_anchor", json!(start.spelled));
                    put("end_anchor", json!(end.spelled));
                }
                None => {}
            }
            put("old_text", json!(old));
            put("new_text", json!(new));
            if *all {
                put("all", json!(true));
            }
        }
        Change::AddFile { content, overwrite } => {
            put("content", json!(content));
            if *overwrite {
                put("overwrite", json!(true));
            }
        }
        Change::Transfer { start, end, to, at, reindent, .. } => {
            match end {
                None => put_hinted(&mut put, start),
                Some(end) => {
                    put("start_anchor", json!(start.spelled));
                    put("end_anchor", json!(end.spelled));
                }
            }
            if let Some(to) = to {
                put("to_path", json!(to));
            }
            put("to_anchor", json!(spelled(at)));
            if *reindent {
                put("indent", json!("target"));
            }
        }
        Change::MoveFile { to } => {
            put("to", json!(to));
        }
        Change::DeleteFile => {}
    }
    if op.exact {
        put("exact", json!(true));
    }
    Value::Object(fields)
}

fn spelled(at: &Spot) -> &str {
    match at {
        Spot::Before(anchor) | Spot::After(anchor) => &anchor.spelled,
        Spot::Start => "start",
        Spot::End => "end",
    }
}

/// Puts an anchor, and the text of its line if the call gave that beside it.
fn put_hinted(put: &mut impl FnMut(&str, Value) -> Option<Value>, anchor: &WrittenAnchor) {
    put("anchor", json!(anchor.spelled));
    let bare = anchor.spelled.parse::<WrittenAnchor>().ok();
    let hint = |anchor: &WrittenAnchor| {
        let exact = anchor.exact.as_ref().and_then(|exact| exact.hint.clone());
        let numbered = anchor.numbered.as_ref().map(|(_, text)| text.clone());
        exact.or(numbered).or(anchor.tagged.as_ref().map(|(_, text)| text.clone()))
    };
    if let Some(said) = hint(anchor).filter(|_| bare.as_ref().and_then(hint) != hint(anchor)) {
        put("old_text", json!(said));
    }
}

/// Whether a text ends with a newline, where that matters.
#[derive(Clone, Copy)]
enum TextEnd {
    Open,
    Closed,
    Either,
}

/// Puts new lines as one text, or as a list if a text would change them: there, a line would lose a
/// carriage return at its end, and a line that looks like a list would be read as one.
fn put_lines(put: &mut impl FnMut(&str, Value) -> Option<Value>, lines: &[String], end: TextEnd) {
    let is_list = matches!(lines, [line] if list_in(line).is_some());
    if is_list || lines.iter().any(|line| line.ends_with('\r')) {
        put("lines", json!(lines));
        return;
    }
    let text = lines.join("\n");
    // One newline at the end of a text belongs to its last line.
    let closed = match end {
        TextEnd::Open => false,
        TextEnd::Closed => true,
        TextEnd::Either => lines.last().is_some_and(String::is_empty),
    };
    put("text", json!(if closed { text + "\n" } else { text }));
}

fn text_of(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}
