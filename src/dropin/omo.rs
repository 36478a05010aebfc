//! `pi-hash/omo`: the functions behind `js/compat/omo.js`.
//!
//! A refusal crosses as a value; `js/compat/omo-engine.js` creates the error from it, so that its
//! class and its stack are JavaScript's.

use napi::Either;
use napi_derive::napi;

use crate::dropin::js_text::JsText;
use crate::error::{Code, Result, exception};
use hashline_compat::Malformed;
use hashline_compat::omo::{self, NewText, OmoEdit, OmoLineRef, OmoRefusal, json, reference};
use hashline_text::LineNumber;

/// A result, or a refusal.
type Outcome<T> = (Option<T>, Option<Refused>);

/// Code, message and, for each stale reference, its line, its tag and the line's current tag.
type Refused = (String, JsText, Vec<(u32, String, String)>);

/// Operation, `pos`, `end` and `lines`.
type PlainEdit = (String, Option<JsText>, Option<JsText>, Either<JsText, Vec<JsText>>);

/// The tag of a line.
#[napi(skip_typescript, catch_unwind)]
pub fn omo_line_hash(line_number: u32, line: JsText) -> Result<String> {
    let number = LineNumber::new(line_number as usize)
        .ok_or_else(|| exception("bad_line_number", &"lines are counted from 1"))?;
    Ok(omo::line_tag(number, &line.0).to_string())
}

/// Every line with its number and tag.
#[napi(skip_typescript, catch_unwind)]
pub fn omo_format_lines(content: JsText) -> JsText {
    JsText(omo::format_lines(&content.0))
}

/// Every line with its number and tag, and the final newline unchanged.
#[napi(skip_typescript, catch_unwind)]
pub fn omo_to_content(content: JsText) -> JsText {
    JsText(omo::to_content(&content.0))
}

/// The reference inside a model's text.
#[napi(skip_typescript, catch_unwind)]
pub fn omo_normalize_ref(given: JsText) -> JsText {
    JsText(reference::normalize(&given.0))
}

/// Splits a reference into line and tag.
#[napi(skip_typescript, catch_unwind)]
pub fn omo_parse_ref(given: JsText) -> Outcome<(f64, String)> {
    let parsed = OmoLineRef::parse(&given.0);
    outcome(parsed.map(|reference| (reference.value(), reference.tag)))
}

/// Compares references with lines; both come as JSON.
#[napi(skip_typescript, catch_unwind)]
pub fn omo_validate_refs(lines: JsText, refs: JsText) -> Result<Outcome<bool>> {
    let lines = json::texts(&lines.0, "lines").map_err(malformed)?;
    let refs = json::texts(&refs.0, "refs").map_err(malformed)?;
    let refs: Vec<&[u8]> = refs.iter().map(Vec::as_slice).collect();
    Ok(outcome(omo::validate(&lines, &refs).map(|()| true)))
}

/// Checks the edits of a tool call, which come as JSON.
#[napi(skip_typescript, catch_unwind)]
pub fn omo_normalize_edits(edits: JsText) -> Result<Outcome<Vec<PlainEdit>>> {
    let raw = json::raw_edits(&edits.0).map_err(malformed)?;
    let edits = omo::normalize(raw);
    Ok(outcome(edits.map(|edits| edits.into_iter().map(plain).collect())))
}

/// Applies edits, which come as JSON. Returns the text, how many edits changed nothing, and how
/// many were repetitions.
#[napi(skip_typescript, catch_unwind)]
pub fn omo_apply(content: JsText, edits: JsText) -> Result<Outcome<(JsText, u32, u32)>> {
    let edits = json::edits(&edits.0).map_err(malformed)?;
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(outcome(omo::apply(&content.0, &edits).map(|applied| {
        (JsText(applied.content), count(applied.noop_edits), count(applied.deduplicated_edits))
    })))
}

/// Removes the byte order mark and turns every line ending into a newline. Returns the text,
/// whether there was a mark, and whether the first line ended in CRLF.
#[napi(skip_typescript, catch_unwind)]
pub fn omo_canonicalize(content: JsText) -> (JsText, bool, bool) {
    let envelope = omo::canonicalize(&content.0);
    (JsText(envelope.content), envelope.had_bom, envelope.is_crlf)
}

/// Gives text a byte order mark and CRLF endings.
#[napi(skip_typescript, catch_unwind)]
pub fn omo_restore(content: JsText, had_bom: bool, is_crlf: bool) -> JsText {
    JsText(omo::restore(&content.0, had_bom, is_crlf))
}

fn plain(edit: OmoEdit) -> PlainEdit {
    let lines = match edit.lines {
        NewText::Text(text) => Either::A(JsText(text)),
        NewText::List(list) => Either::B(list.into_iter().map(JsText).collect()),
    };
    let [pos, end] = [edit.pos, edit.end].map(|anchor| anchor.map(JsText));
    (edit.op.name().to_owned(), pos, end, lines)
}

fn outcome<T>(result: std::result::Result<T, OmoRefusal>) -> Outcome<T> {
    match result {
        Ok(value) => (Some(value), None),
        Err(refusal) => {
            let stale = refusal.mismatches().iter().map(|mismatch| {
                let line = u32::try_from(mismatch.line.get()).unwrap_or(u32::MAX);
                (line, mismatch.expected.clone(), mismatch.actual.clone())
            });
            let refused =
                (refusal.code().as_str().to_owned(), JsText(refusal.message()), stale.collect());
            (None, Some(refused))
        }
    }
}

fn malformed(error: Malformed) -> napi::Error<Code> {
    exception(error.code(), &error)
}
