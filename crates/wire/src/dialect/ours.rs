//! One operation, in our own spelling and those that differ from it only in names.
//!
//! The name says what the operation does. Without a name, or with one that only means replacing,
//! the fields say it; a field that the operation does not use is an error.

use serde_json::Value;

use super::names::{
    ANCHORS, Meaning, NEW, OLD, STARTS, Side, TEXTS, TO, TO_ANCHOR, TO_FILE, is_line, meaning,
};
use super::op_fields::{OpFields, is_nothing};
use super::shape;
use crate::BadPatch;
use hashline_core::patch::{Change, Op, lines_of};
use hashline_text::WrittenAnchor;

/// The operations, as they are called in the schema.
pub(crate) const OPERATIONS: [&str; 11] = [
    "set_line", "replace_range", "insert_after", "insert_before", "delete", "replace",
    "move_lines", "copy_lines", "add_file", "move_file", "delete_file",
];

/// Reads an operation.
pub(super) fn read(mut fields: OpFields<'_>) -> Result<Op, BadPatch> {
    let name = fields.name()?;
    let meaning = match name.as_deref().map_or_else(|| by_fields(&fields), meaning) {
        Meaning::Op("move_file") if fields.given(&TO_ANCHOR) => Meaning::Op("move_lines"),
        meaning => meaning,
    };
    let change = match meaning {
        Meaning::Op(op @ ("set_line" | "replace_range" | "replace")) => {
            fields.expect(op);
            read_replace(&mut fields)?
        }
        Meaning::Replacing => read_replace(&mut fields)?,
        Meaning::Op("insert_before") => read_insert(&mut fields, Some(Side::Before), false)?,
        Meaning::Op("insert_after") => read_insert(&mut fields, Some(Side::After), false)?,
        Meaning::Joining(side) => read_insert(&mut fields, Some(side), true)?,
        Meaning::Inserting => read_insert(&mut fields, None, false)?,
        Meaning::Op(op) => {
            fields.expect(op);
            match op {
                "delete" => read_delete(&mut fields)?,
                "move_lines" | "copy_lines" => read_transfer(&mut fields, op == "copy_lines")?,
                "add_file" => Change::AddFile {
                    content: fields.content()?,
                    overwrite: fields.switch(&["overwrite"])?,
                },
                "move_file" => read_move(&mut fields)?,
                _ => {
                    fields.take(&["delete", "delete_file"]);
                    Change::DeleteFile
                }
            }
        }
        Meaning::Nothing => {
            let reason = match name {
                Some(name) => {
                    format!("there is no operation `{name}`; there are {}", operation_names())
                }
                None => format!("it is missing; the operations are {}", operation_names()),
            };
            return Err(BadPatch {
                shape: shape::REQUEST.to_owned(),
                ..fields.error("op", &reason)
            });
        }
    };
    fields.finish(change)
}

fn operation_names() -> String {
    let (last, others) = OPERATIONS.split_last().expect("there are some");
    format!("{} and {last}", others.join(", "))
}

/// What an operation without a name is, by its fields.
fn by_fields(fields: &OpFields<'_>) -> Meaning {
    let given = |names: &[&str]| fields.given(names);
    let start = |name: &&str| given(&[name]) && (*name != "from" || is_line_at(fields, name));
    let lines = given(&["range"]) || given(&ANCHORS) || STARTS.iter().any(start);
    let (text, old) = (fields.given_text(&TEXTS), fields.given_text(&OLD));
    if fields.is_on(&["delete", "delete_file"]) && !lines {
        return Meaning::Op("delete_file");
    }
    match (lines, old, text) {
        _ if fields.clone().side().is_some() => Meaning::Inserting,
        (_, true, _) | (true, _, true) => Meaning::Replacing,
        (false, false, _) if fields.given_text(&["content", "file_text"]) => {
            Meaning::Op("add_file")
        }
        (false, false, false) if given(&TO) => Meaning::Op("move_file"),
        _ => Meaning::Nothing,
    }
}

fn is_line_at(fields: &OpFields<'_>, name: &str) -> bool {
    fields.peek(&[name]).is_some_and(is_line)
}

/// Reads a replacement of lines by their anchors, of text by its own words, or of text within
/// lines.
fn read_replace(fields: &mut OpFields<'_>) -> Result<Change, BadPatch> {
    let lines = fields.lines_named()?;
    let old = fields.given(&OLD) || lines.is_none() && fields.has(&OLD);
    let Some(lines) = lines else {
        if !old {
            let missing = match fields.expected() {
                Some("replace") => "old_text",
                Some("replace_range") => "start_anchor",
                _ => "anchor",
            };
            return Err(fields.error(missing, "it is missing"));
        }
        return read_text_replace(fields, None);
    };
    let (start, end) = fields.whole(lines)?;
    // A new text that goes with an old one replaces only that; a `text` replaces whole lines.
    if old && (fields.given(&NEW) || fields.given_text(&NEW) && !fields.given(&TEXTS)) {
        let end = end.unwrap_or_else(|| start.clone());
        return read_text_replace(fields, Some((start, end)));
    }
    fields.expect(if end.is_some() { "replace_range" } else { "set_line" });
    // The line's old text may be given beside its new one: it must agree with the file.
    let start = if end.is_none() { fields.hinted(start) } else { start };
    // In oh-my-pi's spelling a missing text deletes, in oh-my-opencode's a `null`.
    let none = TEXTS.iter().all(|name| fields.peek(&[name]).is_none_or(Value::is_null));
    let deletes = none
        && (fields.is_nested(&["set_line", "replace_lines"])
            || fields.peek(&["lines"]) == Some(&Value::Null));
    let lines = if deletes { Vec::new() } else { fields.lines()? };
    Ok(match end {
        Some(end) => Change::ReplaceRange { start, end, lines },
        None => Change::SetLine { anchor: start, lines },
    })
}

/// Reads a replacement of text by its own words; `within` are the lines that must hold it.
fn read_text_replace(
    fields: &mut OpFields<'_>,
    within: Option<(WrittenAnchor, WrittenAnchor)>,
) -> Result<Change, BadPatch> {
    fields.expect("replace");
    let old = fields.string(&OLD)?;
    let names: Vec<&str> = NEW.into_iter().chain(["text"]).collect();
    let Some(new) = fields.new_text(&names)?.as_str() else {
        return Err(fields.error("new_text", "a string was expected"));
    };
    if within.is_none() && fields.switch(&["whole_lines"])? {
        return Ok(Change::Hunk { old: lines_of(&old), new: lines_of(new) });
    }
    let all = fields.switch(&["all", "replace_all"])?;
    Ok(Change::Replace { old, new: new.to_owned(), all, within })
}

/// Reads an insert. `side` is the side that the name gives; if it gives none, a field must.
fn read_insert(
    fields: &mut OpFields<'_>,
    side: Option<Side>,
    may_be_open: bool,
) -> Result<Change, BadPatch> {
    let said = fields.side();
    let (at, own) = match (side, said) {
        (Some(side), None) => (side, &[][..]),
        (None, Some(said)) => said,
        (Some(side), Some((at, own))) if side == at => (at, own),
        (None, None) => {
            let reason = "it does not say where: insert_after or insert_before";
            return Err(fields.either_insert("op", reason));
        }
        (Some(_), Some(_)) => {
            let reason = "the name and this field name different sides of the line";
            return Err(fields.either_insert("position", reason));
        }
    };
    fields.expect(at.op());
    let at = fields.spot(at, own, may_be_open)?;
    Ok(Change::Insert { at, lines: fields.lines_to_insert()? })
}

fn read_delete(fields: &mut OpFields<'_>) -> Result<Change, BadPatch> {
    let (start, end) = fields.required_lines()?;
    let start = if end.is_none() { fields.hinted(start) } else { start };
    Ok(Change::Delete { start, end })
}

/// Reads a move of lines; with `keep`, a copy.
fn read_transfer(fields: &mut OpFields<'_>, keep: bool) -> Result<Change, BadPatch> {
    let to = fields.file(&TO_FILE)?;
    let at = fields.spot_after(&TO_ANCHOR)?;
    let (start, end) = fields.required_lines()?;
    let reindent = match fields.take(&["indent"]).filter(|value| !is_nothing(value)) {
        None => false,
        Some(value) if value == "target" => true,
        Some(_) => return Err(fields.error("indent", "only \"target\" is known")),
    };
    Ok(Change::Transfer { start, end, to, at, keep, reindent })
}

fn read_move(fields: &mut OpFields<'_>) -> Result<Change, BadPatch> {
    let to = fields.string(&TO)?;
    if to.is_empty() {
        return Err(fields.error("to", "it is empty"));
    }
    Ok(Change::MoveFile { to })
}
