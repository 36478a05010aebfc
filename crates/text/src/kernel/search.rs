//! Searching bytes for a byte or a string; the only module that uses `memchr`.

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

/// The positions of every `needle` in `haystack`, in order.
#[inline]
pub(crate) fn find_all_bytes(needle: u8, haystack: &[u8]) -> impl Iterator<Item = usize> + '_ {
    memchr_iter(needle, haystack)
}

/// The position of the first `needle` in `haystack`.
pub fn find(needle: &[u8], haystack: &[u8]) -> Option<usize> {
    memchr::memmem::find(haystack, needle)
}

/// The positions of `needle` in `haystack`, left to right, without overlaps.
pub fn find_all<'a>(needle: &'a [u8], haystack: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    memchr::memmem::find_iter(haystack, needle)
}
