//! Tags and anchors for JavaScript.

use napi_derive::napi;

use super::error::{Result, exception};
use crate::dropin::js_text::JsText;
use hashline_compat::omp::js_number;
use hashline_text::kernel::{search, wtf8};
use hashline_text::{
    Anchor, Document, LineNumber, Listing, NotAnAnchor, Scheme, Tag, TagInput, UnknownScheme,
};

/// The parts of an anchor.
#[napi(object, object_from_js = false)]
pub struct ParsedAnchor {
    /// The line's number, counted from 1.
    pub line: u32,
    /// The tag, as the anchor spells it.
    pub tag: String,
    /// The text of the line, if it follows the tag.
    #[napi(ts_type = "string")]
    pub hint: Option<JsText>,
}

/// The tag of one line; text with a newline in it is an error with the code `not_one_line`.
///
/// The schemes are `hex2` (the default), `base26`, `context`, `omp`, `cid` and `fnv1a`. Only `cid`
/// uses `lineNumber`. `context` treats the line as having no neighbours, so its tag differs from
/// the one that `tagLines` gives.
#[napi(
    catch_unwind,
    ts_args_type = "line: string, scheme?: Scheme | undefined | null, lineNumber?: number | undefined | null"
)]
pub fn tag_line(line: JsText, scheme: Option<String>, line_number: Option<f64>) -> Result<String> {
    let input = TagInput::alone(number(line_number.unwrap_or(1.0))?, one_line(&line)?);
    Ok(scheme_of(scheme)?.tag(input).to_string())
}

/// The tag of every line of a text, in order. A final newline ends the last line and starts no
/// other.
#[napi(catch_unwind, ts_args_type = "text: string, scheme?: Scheme | undefined | null")]
pub fn tag_lines(text: JsText, scheme: Option<String>) -> Result<Vec<String>> {
    let document = Document::from_text(wtf8::to_utf8(&text.0));
    let listing = Listing::new(&document, scheme_of(scheme)?);
    Ok(listing.tags().iter().map(ToString::to_string).collect())
}

/// Whether `content` has the tag `tag`, in any case, at line `lineNumber`.
///
/// A tag of the scheme `context` depends on the neighbouring lines, which are not known here: this
/// scheme is an error with the code `needs_neighbours`. Compare with what `tagLines` gives instead.
#[napi(
    catch_unwind,
    ts_args_type = "lineNumber: number, content: string, tag: string, scheme?: Scheme | undefined | null"
)]
pub fn verify(line: f64, content: JsText, tag: String, scheme: Option<String>) -> Result<bool> {
    let input = TagInput::alone(number(line)?, one_line(&content)?);
    let scheme = scheme_of(scheme)?;
    if scheme == Scheme::Context {
        let text = "a tag of the scheme `context` cannot be verified without the lines around it: \
                    compare it with what `tagLines` gives";
        return Err(exception("needs_neighbours", &text));
    }
    Ok(Tag::new(&tag) == Some(scheme.tag(input)))
}

/// Splits an anchor, as models write it, into its parts: `5:ab`, `>>> 5:ab|text`, `L5:ab`,
/// `"5#VK"`.
#[napi(catch_unwind, ts_args_type = "text: string")]
pub fn parse_anchor(text: JsText) -> Result<ParsedAnchor> {
    let utf8 = wtf8::to_utf8(&text.0);
    let anchor: Anchor =
        utf8.parse().map_err(|error: NotAnAnchor| exception(error.code(), &error))?;
    // The hint comes last, so every replacement character before it is skipped.
    let hint = anchor.hint.map(|hint| {
        let skipped = wtf8::count_replacements(&utf8) - wtf8::count_replacements(&hint);
        JsText(wtf8::restore_surrogates(hint, &text.0, skipped))
    });
    Ok(ParsedAnchor {
        line: u32::try_from(anchor.line.get()).expect("a line number has 32 bits"),
        tag: anchor.tag.to_string(),
        hint,
    })
}

/// The scheme of this name, or the default.
pub(super) fn scheme_of(name: Option<String>) -> Result<Scheme> {
    match name {
        None => Ok(Scheme::default()),
        Some(name) => name.parse().map_err(|error: UnknownScheme| exception(error.code(), &error)),
    }
}

/// The text, unless it is more than one line.
fn one_line(text: &JsText) -> Result<&[u8]> {
    match search::find_byte(b'\n', &text.0) {
        None => Ok(&text.0),
        Some(at) => {
            let text = format!("a newline at byte {at}: tag one line, or all with `tagLines`");
            Err(exception("not_one_line", &text))
        }
    }
}

fn number(number: f64) -> Result<LineNumber> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked first")]
    let whole = (number.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&number))
        .then_some(number as usize);
    whole.and_then(LineNumber::new).ok_or_else(|| {
        let (most, given) = (u32::MAX, js_number(number));
        let text = format!("line numbers are whole numbers from 1 to {most}: got {given}");
        exception("bad_line_number", &text)
    })
}
