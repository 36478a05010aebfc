//! A long JavaScript string, made piece by piece.
//!
//! Listing 100 MB at once would hold the text three times: in JavaScript, in Rust, and as a
//! listing. Listing it piece by piece avoids the second. The string has one byte for each character
//! as long as that is possible; the first wide character widens it in place.

use std::mem;

use bytemuck::{cast_slice, cast_slice_mut};
use napi::bindgen_prelude::{Env, Result, ToNapiValue, Unknown, sys};
use napi_derive::napi;

use crate::dropin::js_text::{Characters, to_unknown};
use crate::dropin::new_string::{check_len, narrow_to_js, no_memory, utf16_to_js};
use hashline_text::kernel::line_hashes::Folding;
use hashline_text::kernel::print::Measured;
use hashline_text::kernel::{buffers, parallel, wtf8};

/// A string that grows at its end.
#[derive(Default)]
pub struct Assembly {
    /// At first two Latin-1 characters in each unit, UTF-16 once it is `wide`; then room for more.
    units: Vec<u16>,
    /// How many characters there are.
    len: usize,
    wide: bool,
}

impl Assembly {
    /// Room for the listing of a text of `len` characters.
    fn with_room_for(len: usize, wide: bool) -> Self {
        // Tags usually take a third more. Memory that is not needed is never touched, and the
        // threads that print are the first to touch the rest.
        let units = if wide { len / 3 * 4 } else { len / 3 * 2 };
        Self { units: buffers::of_len(units), len: 0, wide }
    }

    /// Lists pieces on all processors until one is too wide or too long for the room. Returns that
    /// piece, not yet listed; `line` is the number of the next line.
    fn list(
        &mut self,
        pieces: impl FnMut() -> Option<Result<Characters>>,
        line: &mut u64,
    ) -> Result<Option<Characters>> {
        let (len, end) = if self.wide {
            list_into(&mut self.units[self.len..], pieces, line)
        } else {
            list_into(&mut cast_slice_mut::<u16, u8>(&mut self.units)[self.len..], pieces, line)
        };
        self.len += len;
        end
    }

    /// Makes room for the listing of a piece, and widens the string if that piece is wide.
    fn make_room_for(&mut self, piece: &Characters, line: u64) -> Result<()> {
        if !u8::can_print(piece) {
            self.widen()?;
        }
        let len = self.len + measured(piece, line).len;
        // The newline after the last line is dropped at the end.
        check_len(len - 1)?;
        let units = if self.wide { len } else { len.div_ceil(2) };
        if units > self.units.len() {
            // Makes room for later pieces, too: each change of the size may copy everything.
            let more = units + units / 4 - self.units.len();
            self.units.try_reserve(more).map_err(|_| no_memory(len))?;
            self.units.resize(self.units.len() + more, 0);
        }
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
        // While there is little to move, reused memory is better than growing this buffer.
        if self.len <= self.units.len() / 8 {
            let mut wide = buffers::of_len(self.units.len() * 2);
            for (unit, byte) in wide.iter_mut().zip(&cast_slice::<u16, u8>(&self.units)[..self.len])
            {
                *unit = u16::from(*byte);
            }
            buffers::give_back(mem::replace(&mut self.units, wide));
            self.wide = true;
            return Ok(());
        }
        let more = self.len.saturating_sub(self.units.len());
        self.units.try_reserve(more).map_err(|_| no_memory(self.len))?;
        self.wide = true;
        self.units.resize(self.units.len() + more, 0);
        let mut end = self.len;
        while end > 0 {
            let start = end.saturating_sub(WIDENED_AT_ONCE);
            let mut narrow = [0_u8; WIDENED_AT_ONCE];
            narrow[..end - start].copy_from_slice(&cast_slice(&self.units)[start..end]);
            for (unit, byte) in self.units[start..end].iter_mut().zip(narrow) {
                *unit = u16::from(byte);
            }
            end = start;
        }
        Ok(())
    }
}

/// How many characters are widened at a time.
const WIDENED_AT_ONCE: usize = 64;

fn measured(piece: &Characters, line: u64) -> Measured {
    match piece {
        Characters::Ascii(text) => Measured::of(text, line),
        Characters::Wide(units) => Measured::of_wide(units, line),
    }
}

/// Lists pieces on all processors into `room`, as long as they fit. Returns how many characters it
/// wrote, and the first piece that it did not list.
fn list_into<D: ListedCharacter>(
    mut room: &mut [D],
    mut pieces: impl FnMut() -> Option<Result<Characters>>,
    line: &mut u64,
) -> (usize, Result<Option<Characters>>) {
    let mut len = 0;
    let mut end = Ok(None);
    let next = || {
        let piece = match pieces()? {
            Ok(piece) if D::can_print(&piece) => piece,
            other => {
                end = other.map(Some);
                return None;
            }
        };
        let measured = measured(&piece, *line);
        if measured.len > room.len() {
            end = Ok(Some(piece));
            return None;
        }
        len += measured.len;
        *line += measured.lines;
        let (out, rest) = mem::take(&mut room).split_at_mut(measured.len);
        room = rest;
        Some((piece, measured, out))
    };
    parallel::pipeline(next, |(piece, measured, out)| {
        D::print(&piece, measured, out);
        piece.give_back();
    });
    (len, end)
}

/// One unit of a string under construction.
trait ListedCharacter: Send + Sized {
    /// Whether one unit can hold each character of a piece.
    fn can_print(piece: &Characters) -> bool;

    /// Prints the listing of a piece for which [`Self::can_print`] is true.
    fn print(piece: &Characters, measured: Measured, out: &mut [Self]);
}

impl ListedCharacter for u8 {
    fn can_print(piece: &Characters) -> bool {
        match piece {
            Characters::Ascii(_) => true,
            Characters::Wide(units) => wtf8::are_latin1(units),
        }
    }

    fn print(piece: &Characters, measured: Measured, out: &mut [u8]) {
        match piece {
            Characters::Ascii(text) => measured.print(text, Folding::None, out),
            Characters::Wide(units) => measured.print_wide(units, out),
        }
    }
}

impl ListedCharacter for u16 {
    fn can_print(_: &Characters) -> bool {
        true
    }

    fn print(piece: &Characters, measured: Measured, out: &mut [u16]) {
        match piece {
            Characters::Ascii(text) => {
                let units: Vec<u16> = text.iter().map(|byte| u16::from(*byte)).collect();
                measured.print_wide(&units, out);
            }
            Characters::Wide(units) => measured.print_wide(units, out),
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

/// Lists a text of `len` characters, given as pieces that newlines join; `first` is the number of
/// its first line. `is_wide` as for [`Characters::of`].
#[napi(skip_typescript, catch_unwind)]
pub fn omp_format_pieces(
    env: Env,
    len: u32,
    pieces: Vec<Unknown<'_>>,
    first: f64,
    is_wide: Option<bool>,
) -> Result<Unknown<'static>> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the caller counts in whole numbers from 0, and the last is below 2^53"
    )]
    let mut line = first as u64;
    let mut listing = Assembly::with_room_for(len as usize, is_wide == Some(true));
    let mut pieces = pieces.iter();
    let mut waiting = None;
    loop {
        // If any of a text is wide, engines store all of it as UTF-16.
        let is_wide = if listing.wide { Some(true) } else { is_wide };
        let next = || {
            let fetch = || pieces.next().map(|piece| Characters::of(env, piece, is_wide));
            waiting.take().map(Ok).or_else(fetch)
        };
        match listing.list(next, &mut line)? {
            Some(piece) => {
                listing.make_room_for(&piece, line)?;
                waiting = Some(piece);
            }
            None => break,
        }
    }
    listing.finish();
    to_unknown(env, listing)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists pieces, however little room there is at first.
    fn list(mut listing: Assembly, pieces: &[&str]) -> Result<(bool, String)> {
        let mut pieces = pieces.iter().map(|piece| {
            Ok(if piece.is_ascii() {
                Characters::Ascii(piece.as_bytes().to_vec())
            } else {
                Characters::Wide(piece.encode_utf16().collect())
            })
        });
        let mut line = 1;
        let mut waiting = None;
        while let Some(piece) =
            listing.list(|| waiting.take().map(Ok).or_else(|| pieces.next()), &mut line)?
        {
            listing.make_room_for(&piece, line)?;
            waiting = Some(piece);
        }
        listing.finish();
        let text = if listing.wide {
            String::from_utf16(&listing.units).unwrap()
        } else {
            let bytes: &[u8] = cast_slice(&listing.units);
            bytes[..listing.len].iter().map(|byte| char::from(*byte)).collect()
        };
        Ok((listing.wide, text))
    }

    fn check(pieces: &[&str], is_wide: bool) {
        let text =
            hashline_compat::omp::format::format_hash_lines(pieces.join("\n").as_bytes(), 1.0);
        let text = String::from_utf8(text).unwrap();
        for room in [0, 5, 64, 1000] {
            for begins_wide in [is_wide, true] {
                let listing = Assembly::with_room_for(room, begins_wide);
                assert_eq!(
                    list(listing, pieces).unwrap(),
                    (begins_wide, text.clone()),
                    "{pieces:?}"
                );
            }
        }
    }

    #[test]
    fn a_string_that_becomes_wide_keeps_what_it_had() {
        let long = "let a = 1;\n".repeat(40);
        check(&["abc", "b\n\nc", ""], false);
        check(&["abc", "é", "", "x", "naïve\n"], false);
        check(&["日本", "x"], true);
        for before in 0..20 {
            let mut pieces = vec!["abc é"; before];
            pieces.extend([&long, "日本", "é\n", "z", &long, "😀"]);
            let narrow = Assembly::with_room_for(before, false);
            let (wide, text) = list(narrow, &pieces).unwrap();
            let whole = list(Assembly::with_room_for(0, true), &[&pieces.join("\n")]).unwrap();
            assert_eq!((wide, text), whole);
        }
    }

    #[test]
    fn a_string_that_gets_too_long_is_refused_before_it_is_made() {
        let full = || Assembly { len: (1 << 29) - 24 - 5, ..Assembly::default() };
        let refusal = full().make_room_for(&Characters::Ascii(b"a".to_vec()), 1).unwrap_err();
        assert!(refusal.reason.contains("more than a JavaScript string"));
        assert!(full().units.is_empty());
    }
}
