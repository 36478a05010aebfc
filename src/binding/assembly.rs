//! A long JavaScript string, made piece by piece.
//!
//! Listing 100 MB at one go would hold the text three times: in JavaScript, in Rust, and listed.
//! Taken in pieces it is held once and listed once. The string is kept one byte a character for as
//! long as that is possible, and widened where it lies when it no longer is.

use std::mem;

use bytemuck::{cast_slice, cast_slice_mut};
use napi::bindgen_prelude::{Env, Result, ToNapiValue, Unknown, sys};
use napi_derive::napi;

use super::js_text::{OwnText, check_len, narrow_to_js, no_memory, to_unknown, utf16_to_js};
use crate::anchor::print::{Layout, Measured};
use crate::text::line_hashes::Folding;
use crate::text::{buffers, parallel, wtf8};

/// A string that grows at its end.
#[derive(Default)]
pub struct Assembly {
    /// Two Latin-1 characters in each unit at first, and zeros behind them; UTF-16 once it is wide.
    units: Vec<u16>,
    /// How many characters there are.
    len: usize,
    wide: bool,
}

impl Assembly {
    /// Room for the listing of a text of `len` characters.
    fn with_room_for(len: usize) -> Self {
        // A third more is what tags usually take. Memory that is not needed is not touched, and the
        // threads that print are the first to touch the rest.
        Self { units: buffers::of_len(len / 3 * 2), ..Self::default() }
    }

    /// Lists pieces on all processors, for as long as they are ASCII and there is room. Returns the
    /// first that is not listed yet; `line` is the number of the next line.
    fn list_narrow(
        &mut self,
        mut pieces: impl Iterator<Item = Result<OwnText>>,
        line: &mut u64,
    ) -> Result<Option<OwnText>> {
        let mut room = &mut cast_slice_mut(&mut self.units)[self.len..];
        let mut len = self.len;
        let mut end = Ok(None);
        let next = || {
            let piece = match pieces.next()? {
                Ok(piece) if piece.ascii => piece,
                other => {
                    end = other.map(Some);
                    return None;
                }
            };
            let measured = Measured::of(&piece.text, *line);
            if measured.len > room.len() {
                end = Ok(Some(piece));
                return None;
            }
            len += measured.len;
            *line += measured.lines;
            let (out, rest) = mem::take(&mut room).split_at_mut(measured.len);
            room = rest;
            Some((piece.text, measured, out))
        };
        parallel::pipeline(next, |(text, measured, out)| {
            measured.print(&text, Folding::None, out);
            buffers::give_back(text);
        });
        // The newline after the last line is dropped at the end.
        check_len(len.saturating_sub(1))?;
        self.len = len;
        end
    }

    /// Lists the lines of `text` from number `first` on, and returns how many there are.
    fn list(&mut self, text: &[u8], first: u64) -> Result<u64> {
        let layout = Layout::of(text, first);
        if !self.wide && text.is_ascii() {
            layout.print(Folding::None, self.narrow_room(layout.len())?);
        } else {
            let mut printed = buffers::of_len(layout.len());
            layout.print(Folding::None, &mut printed);
            self.push(&printed)?;
            buffers::give_back(printed);
        }
        Ok(layout.lines())
    }

    fn push(&mut self, text: &[u8]) -> Result<()> {
        if !self.wide && wtf8::is_latin1(text) {
            let text = wtf8::to_latin1(text);
            self.narrow_room(text.len())?.copy_from_slice(&text);
            return Ok(());
        }
        self.widen()?;
        let more = wtf8::utf16_len(text);
        self.grow(more, more)?;
        wtf8::to_utf16_into(text, &mut self.units);
        Ok(())
    }

    /// Room for more characters of one byte each.
    fn narrow_room(&mut self, len: usize) -> Result<&mut [u8]> {
        let start = self.len;
        self.grow(len, len.div_ceil(2))?;
        if self.units.len() * 2 < self.len {
            self.units.resize(self.len.div_ceil(2), 0);
        }
        Ok(&mut cast_slice_mut(&mut self.units)[start..self.len])
    }

    /// Counts more characters and gets the memory for them; refused as soon as they are too many.
    fn grow(&mut self, characters: usize, units: usize) -> Result<()> {
        let len = self.len + characters;
        // The newline after the last line is dropped at the end.
        check_len(len.saturating_sub(1))?;
        if self.wide || self.units.len() * 2 < len {
            self.units.try_reserve(units).map_err(|_| no_memory(len))?;
        }
        self.len = len;
        Ok(())
    }

    /// Drops the newline after the last line.
    fn finish(&mut self) {
        self.len = self.len.saturating_sub(1);
        if self.wide {
            self.units.truncate(self.len);
        }
    }

    /// Gives every character a unit of its own, from the last to the first, so that none is
    /// overwritten before it has moved.
    fn widen(&mut self) -> Result<()> {
        if self.wide {
            return Ok(());
        }
        let more = self.len.saturating_sub(self.units.len());
        self.units.try_reserve(more).map_err(|_| no_memory(self.len))?;
        self.wide = true;
        self.units.resize(self.len, 0);
        for at in (0..self.len).rev() {
            self.units[at] = u16::from(cast_slice::<u16, u8>(&self.units)[at]);
        }
        Ok(())
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

/// Lists a text of `len` characters that comes in pieces, with a newline between each two; the first
/// line has the number `first`.
#[napi(skip_typescript, catch_unwind)]
pub fn omp_format_pieces(
    env: Env,
    len: u32,
    pieces: Vec<Unknown<'_>>,
    first: f64,
) -> Result<Unknown<'static>> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the caller counts in whole numbers from 0, and the last is below 2^53"
    )]
    let mut line = first as u64;
    let mut listing = Assembly::with_room_for(len as usize);
    let mut pieces = pieces.iter();
    while !listing.wide
        && let Some(piece) =
            listing.list_narrow(pieces.by_ref().map(|piece| OwnText::of(env, piece)), &mut line)?
    {
        line += listing.list(&piece.text, line)?;
        piece.give_back();
    }
    // Once some of it is wide, engines hold all of it so.
    for piece in pieces {
        let piece = OwnText::of_wide(env, piece)?;
        line += listing.list(&piece.text, line)?;
        piece.give_back();
    }
    listing.finish();
    to_unknown(env, listing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_that_becomes_wide_keeps_what_it_had() {
        let mut text = Assembly::default();
        for piece in ["abc", "é", "", "x", "日本", "é\n", "z"] {
            text.push(piece.as_bytes()).unwrap();
        }
        assert_eq!(String::from_utf16(&text.units).unwrap(), "abcéx日本é\nz");
    }

    #[test]
    fn a_string_that_gets_too_long_is_refused_before_it_is_made() {
        let mut text = Assembly { len: (1 << 29) - 24, ..Assembly::default() };
        assert!(text.grow(2, 1).unwrap_err().reason.contains("more than a JavaScript string"));
        assert!(text.units.is_empty());
        assert!(text.grow(1, 1).is_ok(), "the last newline does not count");
    }
}
