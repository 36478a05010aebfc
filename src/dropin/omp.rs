//! What `js/compat/hashline.js`, the drop-in module for oh-my-pi, calls.
//!
//! A refusal crosses as a value: the exceptions are classes of JavaScript, and their messages may
//! hold half of a surrogate pair, which an error created in Rust could not hold.

use std::io::Write;

use napi::bindgen_prelude::{Array, Env, Error, External, Object, Result, Status, Unknown};
use napi_derive::napi;

use crate::dropin::js_text::{Characters, JsText, OwnText};
use crate::dropin::new_string::{Encoded, check_len};
use crate::dropin::raw::{Arguments, RawFunction};
use hashline_compat::omp::format::{self, FormattedWide};
use hashline_compat::omp::reference::{self, OmpLineRef};
use hashline_compat::omp::stream::{ByteLister, LineLister, StreamOptions};
use hashline_compat::omp::{self, NoopEdit, OmpMismatch, OmpRefusal, TextRewrite, TextRun, packed};
use hashline_text::kernel::wtf8;

/// `ompFormat(content, startLine, isWide)`: lists a text with numbers and hashes; `isWide` as for
/// [`Characters::of`].
pub struct OmpFormat;

impl RawFunction<3> for OmpFormat {
    const NAME: &'static str = "ompFormat";

    type Output = Encoded;

    fn call(arguments: &Arguments<3>) -> Result<Encoded> {
        let (start_line, is_wide) = (arguments.number(1)?, arguments.flag(2)?);
        let content = Characters::borrowed(arguments.env, &arguments.value(0), is_wide)?;
        // The prefixes of the lines are ASCII.
        let listing = match &content {
            Characters::Ascii(text) => Encoded::Latin1(format::format_hash_lines(text, start_line)),
            Characters::Wide(units) => match format::format_wide(units, start_line) {
                FormattedWide::Latin1(text) => Encoded::Latin1(text),
                FormattedWide::Utf16(units) => Encoded::Utf16(units),
            },
        };
        content.release();
        Ok(listing)
    }
}

/// Reads a reference: `{line, hash}` or `{refusal}`.
#[napi(skip_typescript, catch_unwind)]
pub fn omp_parse(env: &Env, text: JsText) -> Result<Object<'_>> {
    let mut out = Object::new(env)?;
    match reference::parse_line_ref(&text.0) {
        Ok(OmpLineRef { line, hash }) => {
            out.set("line", line)?;
            out.set("hash", JsText(hash.to_vec()))?;
        }
        Err(refusal) => out.set("refusal", exception(env, refusal)?)?,
    }
    Ok(out)
}

/// Checks a reference against the line it names. Returns nothing, or a refusal.
#[napi(skip_typescript, catch_unwind)]
pub fn omp_validate(
    env: &Env,
    line: f64,
    hash: JsText,
    text: Option<JsText>,
    line_count: u32,
) -> Result<Option<Object<'_>>> {
    let reference = OmpLineRef { line, hash: &hash.0 };
    let text = text.as_ref().map(|text| &text.0[..]);
    omp::validate_line_ref(reference, text, line_count as usize)
        .err()
        .map(|refusal| exception(env, refusal))
        .transpose()
}

/// The numbers of the lines that a report on these stale lines shows.
#[napi(skip_typescript, catch_unwind)]
pub fn omp_shown_lines(stale: Vec<u32>, line_count: u32) -> Vec<u32> {
    let stale = stale.into_iter().map(|line| line as usize);
    let shown = omp::shown_lines(stale, line_count as usize).into_iter();
    shown.map(|line| u32::try_from(line).expect("an array has fewer than 2^32 items")).collect()
}

/// Reports which lines have changed: `{message, remaps}`, where stale and fresh references
/// alternate.
///
/// `shown` and `texts` are the lines that [`omp_shown_lines`] names.
#[napi(skip_typescript, catch_unwind)]
pub fn omp_report(
    env: &Env,
    lines: Vec<u32>,
    expected: Vec<JsText>,
    shown: Vec<u32>,
    texts: Vec<JsText>,
) -> Result<Object<'_>> {
    let numbers = lines.iter().map(|line| *line as usize);
    let texts = texts.into_iter().map(|text| text.0);
    let shown = shown.into_iter().map(|line| line as usize).zip(texts).collect();
    let expected = expected.iter().map(|hash| &hash.0[..]);
    let stale: Vec<(usize, &[u8])> = numbers.zip(expected).collect();
    let report = omp::report(&stale, &shown);
    let remaps = report.remaps.into_iter();
    let remaps = remaps.flat_map(|(stale, fresh)| [JsText(stale), JsText(fresh)]);

    let mut out = Object::new(env)?;
    out.set("message", JsText(report.message))?;
    out.set("remaps", remaps.collect::<Vec<_>>())?;
    Ok(out)
}

/// Applies packed edits. Returns a list of the refusal, the new text, the first changed line, the
/// warnings and the edits that change nothing. An item is left out if there is none.
///
/// With `in_pieces`, it returns the pieces of the new text, for engines that join strings without a
/// copy. `is_wide` describes `content`, as for [`Characters::of`].
#[napi(skip_typescript, catch_unwind)]
pub fn omp_apply<'env>(
    env: &'env Env,
    content: Unknown<'_>,
    edits: JsText,
    in_pieces: bool,
    is_wide: Option<bool>,
) -> Result<Array<'env>> {
    let content = OwnText::of(env, &content, is_wide)?;
    let applied = packed::edits(&edits.0)
        .ok_or_else(|| OmpRefusal::Type("`edits` must be an array of edits".to_owned()))
        .and_then(|edits| omp::plan(&content.text, &edits));
    let mut out = env.create_array(5)?;
    match applied {
        Ok(applied) => {
            if let Some(line) = applied.first_changed_line {
                out.set(2, whole(line))?;
            }
            if !applied.warnings.is_empty() {
                out.set(3, applied.warnings)?;
            }
            if !applied.noop_edits.is_empty() {
                let noops = applied.noop_edits.into_iter();
                let noops: Result<Vec<_>> = noops.map(|noop| noop_edit(env, noop)).collect();
                out.set(4, noops?)?;
            }
            match applied.content {
                Some(rewrite) if in_pieces => {
                    out.set(1, pieces(&content, rewrite)?)?;
                    content.give_back();
                }
                Some(rewrite) => {
                    let ascii = content.ascii && rewrite.adds_ascii();
                    out.set(1, OwnText { text: rewrite.over(content.text), ascii })?;
                }
                None => content.give_back(),
            }
        }
        Err(refusal) => {
            content.give_back();
            out.set(0, exception(env, refusal)?)?;
        }
    }
    Ok(out)
}

/// The pieces of a new text in one string, which crosses faster than many values: `START,END;` is a
/// range of the old text, `LENGTH:TEXT` new text. Both count JavaScript's characters.
fn pieces(old: &OwnText, rewrite: TextRewrite) -> Result<JsText> {
    let characters = |text: &[u8]| if old.ascii { text.len() } else { wtf8::utf16_len(text) };
    let mut out = Vec::with_capacity(1024);
    let (mut at, mut before) = (0, 0);
    let mut length = 0;
    for piece in rewrite.pieces(&old.text) {
        match piece {
            TextRun::New(text) => {
                let characters = wtf8::utf16_len(&text);
                length += characters;
                write!(out, "{characters}:")?;
                out.extend(text);
            }
            TextRun::Kept(range) => {
                let start = before + characters(&old.text[at..range.start]);
                let end = start + characters(&old.text[range.clone()]);
                length += end - start;
                write!(out, "{start},{end};")?;
                (at, before) = (range.end, end);
            }
        }
    }
    check_len(length)?;
    Ok(JsText(out))
}

/// Starts to list a stream of bytes.
#[napi(skip_typescript, catch_unwind)]
pub fn omp_byte_lister(
    start_line: f64,
    max_chunk_lines: f64,
    max_chunk_bytes: f64,
) -> External<ByteLister> {
    External::new(ByteLister::new(StreamOptions { start_line, max_chunk_lines, max_chunk_bytes }))
}

/// Takes the next bytes and returns the chunks that are full.
#[napi(skip_typescript, catch_unwind)]
pub fn omp_push_bytes(lister: &mut External<ByteLister>, bytes: &[u8]) -> Result<Vec<JsText>> {
    match lister.push(bytes) {
        Ok(chunks) => Ok(texts(chunks)),
        Err(too_long) => Err(Error::new(Status::GenericFailure, too_long.to_string())),
    }
}

/// Ends a stream of bytes and returns the remaining chunks.
#[napi(skip_typescript, catch_unwind)]
pub fn omp_finish_bytes(lister: &mut External<ByteLister>) -> Vec<JsText> {
    texts(lister.finish())
}

/// Starts to list a stream of lines.
#[napi(skip_typescript, catch_unwind)]
pub fn omp_line_lister(
    start_line: f64,
    max_chunk_lines: f64,
    max_chunk_bytes: f64,
) -> External<LineLister> {
    External::new(LineLister::new(StreamOptions { start_line, max_chunk_lines, max_chunk_bytes }))
}

/// Takes one line, which may contain newlines, and returns the chunks that are full.
#[napi(skip_typescript, catch_unwind)]
pub fn omp_push_line(lister: &mut External<LineLister>, line: JsText) -> Vec<JsText> {
    texts(lister.push(&line.0))
}

/// Takes `count` lines joined by newlines. Returns the items of [`omp_room`], then the chunks that
/// are full. If a line contains a newline itself, takes nothing and returns nothing.
#[napi(skip_typescript, catch_unwind)]
pub fn omp_push_lines<'env>(
    env: &'env Env,
    lister: &mut External<LineLister>,
    joined: JsText,
    count: u32,
) -> Result<Option<Array<'env>>> {
    let Some(full) = lister.push_joined(&joined.0, count as usize) else { return Ok(None) };
    let room = lister.room();
    let mut out = env.create_array(2)?;
    out.set(0, room.lines)?;
    out.set(1, room.bytes)?;
    for chunk in full {
        out.insert(JsText(chunk))?;
    }
    Ok(Some(out))
}

/// How many lines, and how many bytes, can be pushed before the chunk is full.
#[napi(skip_typescript, catch_unwind)]
pub fn omp_room(lister: &External<LineLister>) -> Vec<f64> {
    let room = lister.room();
    vec![room.lines, room.bytes]
}

/// Ends a stream of lines and returns the remaining chunks.
#[napi(skip_typescript, catch_unwind)]
pub fn omp_finish_lines(lister: &mut External<LineLister>) -> Vec<JsText> {
    texts(lister.finish())
}

/// A refusal as `{name, message}` or `{name, mismatches}`.
fn exception(env: &Env, refusal: OmpRefusal) -> Result<Object<'_>> {
    let mut out = Object::new(env)?;
    out.set("name", refusal.name())?;
    match refusal {
        OmpRefusal::Error(message) => out.set("message", JsText(message))?,
        OmpRefusal::Type(message) => out.set("message", message)?,
        OmpRefusal::Mismatch(mismatches) => {
            let mismatches = mismatches.into_iter();
            let mismatches: Result<Vec<_>> = mismatches.map(|m| mismatch(env, m)).collect();
            out.set("mismatches", mismatches?)?;
        }
    }
    Ok(out)
}

fn mismatch(env: &Env, mismatch: OmpMismatch) -> Result<Object<'_>> {
    let mut out = Object::new(env)?;
    out.set("line", whole(mismatch.line))?;
    out.set("expected", JsText(mismatch.expected))?;
    out.set("actual", JsText(mismatch.actual.to_vec()))?;
    Ok(out)
}

fn noop_edit(env: &Env, noop: NoopEdit) -> Result<Object<'_>> {
    let mut out = Object::new(env)?;
    out.set("editIndex", whole(noop.edit_index))?;
    out.set("loc", JsText(noop.loc))?;
    out.set("currentContent", JsText(noop.current_content))?;
    Ok(out)
}

fn texts(chunks: Vec<Vec<u8>>) -> Vec<JsText> {
    chunks.into_iter().map(JsText).collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts lines, far below 2^53")]
fn whole(count: usize) -> f64 {
    count as f64
}
