//! Ignoring what formatters change in a line in addition to its white space.
//!
//! Some write `'a'` as `"a"`, and add or remove a `,` or `;` at the end of a line. Strings whose
//! quotes may change their meaning are left alone: those that contain a quote or a dollar sign, and
//! those on a line with a backtick, which may be inside another string.

use std::cell::Cell;

use crate::kernel::line_hashes::{Folding, line_hash};
use crate::kernel::{search, whitespace};

thread_local! {
    /// Working memory: to write a line in, and to hash it.
    static SCRATCH: Cell<[Vec<u8>; 2]> = const { Cell::new([Vec::new(), Vec::new()]) };
}

/// The [`line_hash`] of a line with folded punctuation, after its strings are put in double quotes
/// and `,` and `;` are removed from its end. `hash` is the hash of the unchanged line.
pub(super) fn neutral_hash(line: &[u8], hash: u32) -> u32 {
    let all = whitespace::trim_end(line);
    let mut text = all;
    while let [start @ .., b',' | b';'] = text {
        text = whitespace::trim_end(start);
    }
    let is_quoted = search::find_byte(b'\'', text).is_some();
    if !is_quoted && text.len() == all.len() {
        return hash;
    }
    let [mut copy, mut scratch] = SCRATCH.take();
    if is_quoted && search::find_byte(b'`', text).is_none() {
        copy.clear();
        copy.extend(text);
        put_in_double_quotes(&mut copy);
        text = &copy;
    }
    let hash = line_hash(text, Folding::Punctuation, &mut scratch);
    SCRATCH.set([copy, scratch]);
    hash
}

/// How many words a line has: runs of letters, digits, `_` and non-ASCII bytes.
pub(super) fn words(line: &[u8]) -> u64 {
    let (chunks, rest) = line.as_chunks();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let mut words = 0;
    // The mark of the last byte before this chunk, moved to where the lowest byte has its mark.
    let mut before = 0;
    for chunk in chunks.iter().chain([&last]) {
        let marks = word_marks(u64::from_le_bytes(*chunk));
        words += (marks & !(marks << 8 | before)).count_ones();
        before = marks >> 56;
    }
    words.into()
}

/// Sets the high bit of each of eight bytes that is a letter, a digit, `_` or not ASCII.
fn word_marks(bytes: u64) -> u64 {
    const HIGH: u64 = each(0x80);
    const fn each(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }
    /// Adding a byte below 128 to this sets its high bit if the byte is at least `least`.
    const fn from(least: u8) -> u64 {
        each(0x80 - least)
    }
    let ascii = bytes & !HIGH;
    let lower = ascii | each(0x20);
    let digits = (ascii + from(b'0')) & !(ascii + from(b'9' + 1));
    let letters = (lower + from(b'a')) & !(lower + from(b'z' + 1));
    let underscores = (ascii + from(b'_')) & !(ascii + from(b'_' + 1));
    (digits | letters | underscores | bytes) & HIGH
}

/// Puts strings that are in single quotes into double quotes.
fn put_in_double_quotes(text: &mut [u8]) {
    let mut at = 0;
    while let Some(quote) = text[at..].iter().position(|byte| matches!(byte, b'\'' | b'"')) {
        let start = at + quote;
        let mark = text[start];
        at = start + 1;
        if !may_begin_a_string(&text[..start]) {
            continue;
        }
        let Some(len) = string_len(&text[at..], mark) else { continue };
        let matters = |byte: &u8| matches!(byte, b'\'' | b'"' | b'$');
        if !text[at..at + len].iter().any(matters) {
            text[start] = b'"';
            text[at + len] = b'"';
        }
        at += len + 1;
    }
}

/// Whether a quote after this text may begin a string: an apostrophe, as in `don't`, does not.
fn may_begin_a_string(before: &[u8]) -> bool {
    match before {
        // The prefixes of strings in Python.
        [start @ .., b'f' | b'F' | b'r' | b'R' | b'b' | b'B' | b'u' | b'U'] => {
            !start.last().is_some_and(|byte| is_word(*byte))
        }
        _ => !before.last().is_some_and(|byte| is_word(*byte)),
    }
}

/// The length of the string that ends at the next unescaped `mark`.
fn string_len(text: &[u8], mark: u8) -> Option<usize> {
    let mut at = 0;
    loop {
        match text.get(at)? {
            b'\\' => at += 2,
            byte if *byte == mark => return Some(at),
            _ => at += 1,
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LineDigest;
    use proptest::prelude::*;

    #[track_caller]
    fn check(one: &str, other: &str, same: bool) {
        let [a, b] = [one, other].map(|line| LineDigest::of(line.as_bytes()).canonical());
        assert_eq!(a == b, same, "{one:?} and {other:?}");
    }

    #[test]
    fn quotes_and_a_last_comma_do_not_change_the_hash() {
        check("call('one', 'two')", "call(\"one\", \"two\");", true);
        check("    name: 'one'", "\tname: \"one\",", true);
        check("print(f'{name}')", "print(f\"{name}\")", true);
        check("const a = \"it's\"", "const a = \"it's\";", true);
    }

    #[test]
    fn quotes_that_matter_change_the_hash() {
        check("print(\"'\", name)", "print('\"', name)", false);
        check("echo '$HOME/bin'", "echo \"$HOME/bin\"", false);
        check("print('it\\'s one')", "print(\"it's one\")", false);
        check("print(`say 'one'`)", "print(`say \"one\"`)", false);
        check("we don't know 'it", "we don\"t know \"it", false);
    }

    #[test]
    fn joined_words_change_the_hash() {
        check("if not found:", "if notfound:", false);
        check("return value", "returnvalue", false);
        check("x=compute(1,2)", "x = compute(1, 2)", true);
        check("let   value = 1", "let value=1", true);
    }

    #[test]
    fn a_comma_after_a_brace_changes_the_hash() {
        check("}", "},", false);
    }

    proptest! {
        #[test]
        fn words_are_counted_as_in_a_simple_split(line in "[a-zA-Z0-9_ .`@{\\[/:é-]{0,40}") {
            let counted = line.as_bytes().split(|byte| !is_word(*byte)).filter(|word| !word.is_empty());
            prop_assert_eq!(words(line.as_bytes()), counted.count() as u64);
        }
    }
}
