//! Where the lines are: newline search, and the only module that knows `memchr`.

use memchr::{memchr, memchr_iter, memrchr};

/// The position of the first `needle` in `haystack`.
#[inline]
pub fn find_byte(needle: u8, haystack: &[u8]) -> Option<usize> {
    memchr(needle, haystack)
}

/// The position of the last `needle` in `haystack`.
#[inline]
pub fn find_last_byte(needle: u8, haystack: &[u8]) -> Option<usize> {
    memrchr(needle, haystack)
}

/// The positions of every newline in `bytes`, in order.
pub fn newlines(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    memchr_iter(b'\n', bytes)
}

/// The lines of `bytes` as JavaScript's `split("\n")` gives them: a final newline is followed by an
/// empty line, and no text at all is one empty line.
///
/// ```
/// let lines: Vec<&[u8]> = hashline::text::lines::split(b"a\nb\n").collect();
/// assert_eq!(lines, [&b"a"[..], b"b", b""]);
/// ```
pub fn split(bytes: &[u8]) -> impl Iterator<Item = &[u8]> + '_ {
    let mut rest = Some(bytes);
    std::iter::from_fn(move || {
        let text = rest?;
        match memchr(b'\n', text) {
            Some(at) => {
                rest = Some(&text[at + 1..]);
                Some(&text[..at])
            }
            None => rest.take(),
        }
    })
}

/// The position of the first `needle` in `haystack`, for which nothing is prepared.
pub fn find(needle: &[u8], haystack: &[u8]) -> Option<usize> {
    memchr::memmem::find(haystack, needle)
}

/// The positions of `needle` in `haystack`, left to right, without overlaps.
pub fn find_all<'a>(needle: &'a [u8], haystack: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    memchr::memmem::find_iter(haystack, needle)
}
