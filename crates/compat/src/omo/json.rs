//! Reading oh-my-opencode's edits from JSON.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::Malformed;
use crate::omo::{NewText, OmoEdit, OmoOp, RawOmoEdit};
use crate::wtf8_json::{self, JsonKind, Wtf8Text};

/// The fields of an edit, not yet parsed.
#[derive(Deserialize, Default)]
struct EditJson<'a> {
    #[serde(borrow, default, deserialize_with = "wtf8_json::present")]
    op: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "wtf8_json::present")]
    pos: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "wtf8_json::present")]
    end: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "wtf8_json::present")]
    lines: Option<&'a RawValue>,
}

/// Reads the edits of a tool call, whatever their types. An anchor that is not a string counts as
/// missing; [`crate::omo::normalize`] refuses an unknown operation and names it.
pub fn raw_edits(json: &[u8]) -> Result<Vec<RawOmoEdit>, Malformed> {
    items(json)?.into_iter().enumerate().map(|(index, item)| raw_edit(index, item)).collect()
}

/// Reads edits that are ready to be applied.
///
/// ```
/// use hashline_compat::omo::json::edits;
/// assert_eq!(edits(br#"[{"op":"append","lines":"x"}]"#).unwrap().len(), 1);
/// let error = edits(br#"[{"op":"append","pos":5,"lines":"x"}]"#).unwrap_err();
/// assert_eq!(error.to_string(), "edit 0: `pos` must be a string, not a number");
/// ```
pub fn edits(json: &[u8]) -> Result<Vec<OmoEdit>, Malformed> {
    items(json)?.into_iter().enumerate().map(|(index, item)| edit(index, item)).collect()
}

/// Reads a list of lines or references; `what` names it in the error.
pub fn texts(json: &[u8], what: &str) -> Result<Vec<Vec<u8>>, Malformed> {
    wtf8_json::texts(json, what)
}

fn items(json: &[u8]) -> Result<Vec<&RawValue>, Malformed> {
    serde_json::from_slice(json).map_err(|_| Malformed("`edits` must be an array".to_owned()))
}

fn raw_edit(index: usize, item: &RawValue) -> Result<RawOmoEdit, Malformed> {
    let fields = fields(index, item)?;
    let op = match fields.op.map(|op| (JsonKind::of(op), op)) {
        None => Err(b"undefined".to_vec()),
        Some((JsonKind::String, op)) => text(op).map(|name| OmoOp::named(&name).ok_or(name))?,
        Some((_, op)) => Err(js_string(op)),
    };
    let string = |field: Option<&RawValue>| {
        let string = field.filter(|field| JsonKind::of(field) == JsonKind::String);
        string.map(text).transpose()
    };
    Ok(RawOmoEdit {
        op,
        pos: string(fields.pos)?,
        end: string(fields.end)?,
        lines: fields.lines.map(|field| lines(index, field)).transpose()?,
    })
}

/// What JavaScript's `String()` returns for a value that is not a string.
fn js_string(value: &RawValue) -> Vec<u8> {
    let json = value.get().as_bytes();
    match JsonKind::of(value) {
        JsonKind::Array => wtf8_json::texts(json, "op")
            .map_or_else(|_| b"[object Object]".to_vec(), |texts| texts.join(&b","[..])),
        JsonKind::Object => b"[object Object]".to_vec(),
        _ => json.to_vec(),
    }
}

fn edit(index: usize, item: &RawValue) -> Result<OmoEdit, Malformed> {
    let fields = fields(index, item)?;
    let op = match fields.op.map(|op| (JsonKind::of(op), op)) {
        Some((JsonKind::String, op)) => OmoOp::named(&text(op)?),
        _ => None,
    };
    let op = op.ok_or_else(|| {
        Malformed(format!("edit {index}: `op` must be \"replace\", \"append\" or \"prepend\""))
    })?;
    let anchor = |name: &str, field: Option<&RawValue>| match field.map(|it| (JsonKind::of(it), it))
    {
        None | Some((JsonKind::Null, _)) => Ok(None),
        Some((JsonKind::String, field)) => text(field).map(Some),
        Some((kind, _)) => {
            Err(Malformed(format!("edit {index}: `{name}` must be a string, not {}", kind.name())))
        }
    };
    let pos = anchor("pos", fields.pos)?;
    let end = anchor("end", fields.end)?.filter(|_| op == OmoOp::Replace);
    let Some(field) = fields.lines else {
        return Err(Malformed(format!("edit {index}: `lines` is missing")));
    };
    let lines = lines(index, field)?;
    Ok(OmoEdit { op, pos, end, lines })
}

fn fields(index: usize, item: &RawValue) -> Result<EditJson<'_>, Malformed> {
    match JsonKind::of(item) {
        JsonKind::Object => serde_json::from_str(item.get())
            .map_err(|error| Malformed(format!("edit {index} cannot be read: {error}"))),
        _ => Ok(EditJson::default()),
    }
}

fn lines(index: usize, field: &RawValue) -> Result<NewText, Malformed> {
    let wrong = || {
        Malformed(format!("edit {index}: `lines` must be a string, an array of strings or null"))
    };
    match JsonKind::of(field) {
        JsonKind::Null => Ok(NewText::List(Vec::new())),
        JsonKind::String => text(field).map(NewText::Text),
        JsonKind::Array => {
            let texts = wtf8_json::texts(field.get().as_bytes(), "lines").map_err(|_| wrong())?;
            Ok(NewText::List(texts))
        }
        _ => Err(wrong()),
    }
}

fn text(field: &RawValue) -> Result<Vec<u8>, Malformed> {
    let Wtf8Text(text) = serde_json::from_str(field.get())
        .map_err(|error| Malformed(format!("a string cannot be read: {error}")))?;
    Ok(text)
}
