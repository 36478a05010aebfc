//! A long JavaScript string, made piece by piece.
//!
//! Listing 100 MB at one go would hold the text three times: in JavaScript, in Rust, and listed.
//! Taken in pieces it is held once and listed once. The string is kept one byte a character for as
//! long as that is possible, and widened where it lies when it no longer is.

use bytemuck::{cast_slice, cast_slice_mut};
use napi::bindgen_prelude::{Env, External, Result, ToNapiValue, sys};
use napi_derive::napi;

use super::js_text::{JsText, narrow_to_js, utf16_to_js};
use crate::compat::omp::format;
use crate::text::{newlines, wtf8};

/// A string that grows at its end.
#[derive(Default)]
pub struct Assembly {
    /// Two Latin-1 characters in each unit at first; UTF-16 once it is wide.
    units: Vec<u16>,
    /// How many characters there are.
    len: usize,
    wide: bool,
}

impl Assembly {
    fn push(&mut self, text: &[u8]) {
        if !self.wide && text.is_ascii() {
            self.push_narrow(text);
        } else if !self.wide && wtf8::is_latin1(text) {
            self.push_narrow(&wtf8::to_latin1(text));
        } else {
            self.widen();
            self.units.extend(wtf8::to_utf16(text));
            self.len = self.units.len();
        }
    }

    fn push_narrow(&mut self, text: &[u8]) {
        let end = self.len + text.len();
        self.units.resize(end.div_ceil(2), 0);
        cast_slice_mut(&mut self.units)[self.len..end].copy_from_slice(text);
        self.len = end;
    }

    /// Gives every character a unit of its own, from the last to the first, so that none is
    /// overwritten before it has moved.
    fn widen(&mut self) {
        if self.wide {
            return;
        }
        self.wide = true;
        self.units.resize(self.len, 0);
        for at in (0..self.len).rev() {
            self.units[at] = u16::from(cast_slice::<u16, u8>(&self.units)[at]);
        }
    }
}

impl ToNapiValue for Assembly {
    #[expect(unsafe_code, reason = "the trait is how napi-rs writes a value")]
    unsafe fn to_napi_value(env: sys::napi_env, text: Self) -> Result<sys::napi_value> {
        if text.wide {
            utf16_to_js(env, text.units)
        } else {
            narrow_to_js(env, text.units, text.len)
        }
    }
}

/// Starts a listing.
#[napi(skip_typescript, catch_unwind)]
pub fn omp_listing() -> External<Assembly> {
    External::new(Assembly::default())
}

/// Lists some lines, the first of which has the number `first`, and returns how many there were.
#[napi(skip_typescript, catch_unwind)]
pub fn omp_list(listing: &mut External<Assembly>, lines: JsText, first: f64) -> u32 {
    if listing.len > 0 {
        listing.push(b"\n");
    }
    listing.push(&format::format_hash_lines(&lines.0, first));
    let count = newlines::count(&lines.0) + 1;
    u32::try_from(count).expect("a string has fewer than 2^32 characters")
}

/// The listing.
#[napi(skip_typescript, catch_unwind)]
pub fn omp_listed(env: Env, listing: &mut External<Assembly>) -> Result<napi::Unknown<'static>> {
    super::js_text::to_unknown(env, std::mem::take(&mut **listing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_that_becomes_wide_keeps_what_it_had() {
        let mut text = Assembly::default();
        for piece in ["abc", "é", "", "x", "日本", "é\n", "z"] {
            text.push(piece.as_bytes());
        }
        assert_eq!(String::from_utf16(&text.units).unwrap(), "abcéx日本é\nz");
    }
}
