//! Showing text with its tags, and the schemas that tell a model how to use them.

use napi_derive::napi;

use super::anchor::scheme_of;
use super::error::{Result, exception};
use crate::dropin::js_text::JsText;
use hashline_compat::cowboy::{comments, rolling};
use hashline_core::show::Excerpt;
use hashline_text::kernel::wtf8;
use hashline_text::{Document, LineNumber, Listing};
use hashline_wire::schema;

/// What `formatRange` shows besides the range, and which tags it prints.
#[napi(object)]
pub struct FormatRangeOptions {
    /// How many lines to show above the range; none by default.
    #[napi(ts_type = "number | undefined")]
    pub before: Option<f64>,
    /// How many lines to show below the range; none by default.
    #[napi(ts_type = "number | undefined")]
    pub after: Option<f64>,
    /// The scheme of the tags; `hex2` by default.
    #[napi(ts_type = "Scheme | undefined")]
    pub scheme: Option<String>,
}

/// The hash of a run of lines, as 16 hexadecimal digits. It depends on their number, order and
/// text.
#[napi(catch_unwind, ts_args_type = "lines: ReadonlyArray<string>")]
pub fn rolling_hash(lines: Vec<JsText>) -> String {
    let hash = rolling::rolling_hash(lines.iter().map(|line| &line.0));
    format!("{hash:016x}")
}

/// The text with every line's anchor in a comment at its end: `let a = 1;  // 1:f1`.
///
/// The language is given by name, file extension or path; a language without comments is an error
/// with the code `unknown_language`.
#[napi(
    catch_unwind,
    ts_args_type = "text: string, languageOrPath: string, scheme?: Scheme | undefined | null",
    ts_return_type = "string"
)]
pub fn format_with_comments(
    text: JsText,
    language_or_path: String,
    scheme: Option<String>,
) -> Result<JsText> {
    comments::format_with_comments(&text.0, &language_or_path, scheme_of(scheme)?)
        .map(JsText)
        .map_err(|error| exception(error.code(), &error))
}

/// Lines `from` to `to` as `LINE:HASH|content`, with context lines around them; the scheme `cid`
/// prints `LINE#HASH|content`.
///
/// Lines are counted from 1; lines outside the text are left out.
#[napi(
    catch_unwind,
    ts_args_type = "text: string, from: number, to: number, options?: FormatRangeOptions | undefined | null",
    ts_return_type = "string"
)]
pub fn format_range(
    text: JsText,
    from: f64,
    to: f64,
    options: Option<FormatRangeOptions>,
) -> Result<JsText> {
    let options = options.unwrap_or(FormatRangeOptions { before: None, after: None, scheme: None });
    let document = Document::from_text(wtf8::to_utf8(&text.0));
    let listing = Listing::new(&document, scheme_of(options.scheme)?);
    let [before, after] = [options.before, options.after].map(|lines| whole(lines.unwrap_or(0.0)));
    let excerpt = Excerpt::new(&listing, &[(whole(from), whole(to))], before, after);
    let above = excerpt.lines().next().map_or(0, LineNumber::index);
    let skipped = document.lines().take(above);
    let skipped = skipped.map(|line| wtf8::count_replacements(line.content)).sum();
    Ok(JsText(wtf8::restore_surrogates(excerpt.to_string(), &text.0, skipped)))
}

/// The schema of `read`, as JSON.
#[napi(skip_typescript, catch_unwind)]
pub fn read_schema_json() -> String {
    schema::read().to_string()
}

/// The schema of `apply_hash`, as JSON.
#[napi(skip_typescript, catch_unwind)]
pub fn apply_schema_json() -> String {
    schema::apply().to_string()
}

/// The schema of `grep`, as JSON.
#[napi(skip_typescript, catch_unwind)]
pub fn grep_schema_json() -> String {
    schema::grep().to_string()
}

/// The nearest count of lines: 0 for a negative number, `usize::MAX` for infinity.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, as it should"
)]
fn whole(number: f64) -> usize {
    number as usize
}
