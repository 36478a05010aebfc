//! Our own spelling: one flat object for each operation.

use super::names::{ANCHORS, NEW, OLD, STARTS, TO, by_fields, ours};
use super::op_fields::OpFields;
use crate::BadPatch;
use hashline_core::patch::{Change, Op};
use hashline_text::WrittenAnchor;

/// The operations, as they are called in the schema.
pub(crate) const OPERATIONS: [&str; 9] = [
    "set_line", "replace_range", "insert_after", "insert_before", "delete", "replace", "add_file",
    "move_file", "delete_file",
];

/// Reads an operation; without a name, or with an unknown one, its fields say what it is.
pub(super) fn read(name: Option<&str>, mut fields: OpFields<'_>) -> Result<Op, BadPatch> {
    let known = name.and_then(|name| OPERATIONS.into_iter().find(|known| *known == ours(name)));
    let Some(op) = known.or_else(|| by_fields(&fields)) else {
        let reason = match name {
            Some(name) => format!("there is no operation `{name}`; there are {}", listed()),
            None => format!("it is missing; the operations are {}", listed()),
        };
        return Err(fields.error("op", &reason));
    };
    fields.expect(op);
    let change = match op {
        "set_line" | "replace_range" => lines_replaced(&mut fields)?,
        "insert_after" | "insert_before" => Change::Insert {
            at: fields.spot(op == "insert_before")?,
            lines: fields.lines_to_insert()?,
        },
        "delete" => {
            let (start, end) = fields.lines_meant()?;
            let start = if end.is_none() { fields.hinted(start) } else { start };
            Change::Delete { start, end }
        }
        // A replacement without the old text names its lines.
        "replace" if !fields.has(&OLD) && (fields.given(&ANCHORS) || fields.given(&STARTS)) => {
            fields.expect("replace_range");
            lines_replaced(&mut fields)?
        }
        "replace" => text_replaced(&mut fields)?,
        "add_file" => Change::AddFile {
            content: fields.string(&["content", "text", "file_text", "new_text"])?,
            overwrite: fields.switch(&["overwrite"])?,
        },
        "move_file" => {
            let to = fields.string(&TO)?;
            if to.is_empty() {
                return Err(fields.error("to", "it is empty"));
            }
            Change::MoveFile { to }
        }
        _ => {
            fields.take(&["delete", "delete_file"]);
            Change::DeleteFile
        }
    };
    fields.finish(change)
}

fn listed() -> String {
    let (last, others) = OPERATIONS.split_last().expect("there are some");
    format!("{} and {last}", others.join(", "))
}

/// One line or several by their anchors.
fn lines_replaced(fields: &mut OpFields<'_>) -> Result<Change, BadPatch> {
    let (start, end) = fields.lines_meant()?;
    // What the line reads may be given beside what it is to read: it must agree.
    let start = if end.is_none() { fields.hinted(start) } else { start };
    Ok(replaced(start, end, fields.lines()?))
}

/// The change that puts lines in the place of others.
pub(super) fn replaced(
    start: WrittenAnchor,
    end: Option<WrittenAnchor>,
    lines: Vec<String>,
) -> Change {
    match end {
        Some(end) => Change::ReplaceRange { start, end, lines },
        None => Change::SetLine { anchor: start, lines },
    }
}

/// A text by its own words. An anchor beside it adds nothing: the text must be unique anyway.
fn text_replaced(fields: &mut OpFields<'_>) -> Result<Change, BadPatch> {
    let old = fields.string(&OLD)?;
    let Some(new) = fields.new_text(&NEW)?.as_str() else {
        return Err(fields.error("new_text", "a string was expected"));
    };
    let all = fields.switch(&["all", "replace_all"])?;
    if !all {
        for name in ANCHORS.iter().chain(&["start_anchor", "end_anchor"]) {
            fields.take(&[name]);
        }
    }
    Ok(Change::Replace { old, new: new.to_owned(), all })
}
