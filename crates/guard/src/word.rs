//! Words as text: lists of words, quoting, escapes and brace expansion.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

use crate::ast::{Atom, Simple, Word};
use crate::unknown::cleaned_char;

/// The most words one word may become by brace expansion.
const MAX_WORDS: i64 = 256;

/// A word of plain text.
pub(crate) fn literal(text: &str) -> Word {
    let mut word: Word = text.chars().map(|c| Atom::Char(c, true)).collect();
    if word.is_empty() {
        word.push(Atom::Nothing);
    }
    word
}

/// The text of a word that holds no expansion.
pub(crate) fn plain(word: &Word) -> Option<String> {
    let expands = |atom: &Atom| matches!(atom, Atom::Expansion(..));
    (!word.iter().any(expands)).then(|| known_part(word))
}

/// The characters of a word that need no expansion.
pub(crate) fn known_part(word: &Word) -> String {
    let chars = word.iter().filter_map(|atom| match atom {
        Atom::Char(c, _) => Some(*c),
        _ => None,
    });
    chars.collect()
}

/// The text of atoms; `None` if one is quoted or is an expansion.
pub(crate) fn unquoted(atoms: &[Atom]) -> Option<String> {
    let chars = atoms.iter().map(|atom| match atom {
        Atom::Char(c, false) => Some(*c),
        _ => None,
    });
    chars.collect()
}

/// The name of a command, as far as it needs no expansion.
pub(crate) fn name_of(simple: &Simple) -> String {
    simple.words.first().map(known_part).unwrap_or_default()
}

/// The name and the value of `name=value`.
pub(crate) fn assigned(word: &str) -> Option<(String, String)> {
    word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
}

/// Whether a word assigns to a variable.
pub(crate) fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// Whether a list of words, separated by blanks, holds this one.
pub(crate) fn has_word(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

/// The last part of a path.
pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A word in quotes, so that the shell reads it literally.
pub(crate) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Text with the escapes of `$'...'`, `echo -e` and `printf` replaced.
pub(crate) fn unescaped(raw: &str) -> String {
    let mut bytes: Vec<u8> = Vec::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            push_char(&mut bytes, c);
            continue;
        }
        let Some(escape) = chars.next() else {
            bytes.push(b'\\');
            break;
        };
        match escape {
            'n' => bytes.push(b'\n'),
            't' => bytes.push(b'\t'),
            'r' => bytes.push(b'\r'),
            'a' => bytes.push(7),
            'b' => bytes.push(8),
            'v' => bytes.push(11),
            'f' => bytes.push(12),
            'e' | 'E' => bytes.push(27),
            'c' => bytes.extend(chars.next().map(|c| c as u8 & 0x1f)),
            'x' => bytes.push(low_byte(number(&mut chars, 16, 2, 0))),
            'u' => push_char(&mut bytes, code_point(number(&mut chars, 16, 4, 0))),
            'U' => push_char(&mut bytes, code_point(number(&mut chars, 16, 8, 0))),
            '0' => bytes.push(low_byte(number(&mut chars, 8, 3, 0))),
            '1'..='7' => bytes.push(low_byte(number(&mut chars, 8, 2, u32::from(escape) - 0x30))),
            '\\' | '\'' | '"' | '?' => push_char(&mut bytes, escape),
            other => {
                bytes.push(b'\\');
                push_char(&mut bytes, other);
            }
        }
    }
    String::from_utf8(bytes)
        .unwrap_or_else(|wrong| String::from_utf8_lossy(wrong.as_bytes()).into_owned())
}

fn low_byte(value: u32) -> u8 {
    value.to_le_bytes()[0]
}

fn push_char(bytes: &mut Vec<u8>, c: char) {
    bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
}

fn code_point(code: u32) -> char {
    char::from_u32(code).map_or(char::REPLACEMENT_CHARACTER, cleaned_char)
}

/// Reads at most `most` more digits of a number that begins with `value`.
fn number(chars: &mut Peekable<Chars<'_>>, radix: u32, most: usize, mut value: u32) -> u32 {
    for _ in 0..most {
        let Some(digit) = chars.next_if(|c| c.is_digit(radix)).and_then(|c| c.to_digit(radix))
        else {
            break;
        };
        value = value.wrapping_mul(radix).wrapping_add(digit);
    }
    value
}

/// The words that a word becomes by brace expansion; the word itself if it has no braces.
///
/// A word that would become too many words is not expanded.
pub(crate) fn braces(word: &Word) -> Cow<'_, [Word]> {
    if !word.iter().any(|atom| is(atom, '{')) {
        return Cow::Borrowed(std::slice::from_ref(word));
    }
    let mut budget = MAX_WORDS;
    match expand(word, &mut budget, 0) {
        Some(words) => Cow::Owned(words),
        None => Cow::Borrowed(std::slice::from_ref(word)),
    }
}

fn is(atom: &Atom, wanted: char) -> bool {
    matches!(atom, Atom::Char(c, false) if *c == wanted)
}

fn expand(word: &[Atom], budget: &mut i64, depth: usize) -> Option<Vec<Word>> {
    if depth > 8 {
        return None;
    }
    for (open, close, commas) in pairs(word) {
        let inside = &word[open + 1..close];
        let Some(choices) = (if commas { Some(choices(inside)) } else { sequence(inside) }) else {
            continue;
        };
        let rests = expand(&word[close + 1..], budget, depth + 1)?;
        let mut out = Vec::new();
        for choice in choices {
            for middle in expand(&choice, budget, depth + 1)? {
                for rest in &rests {
                    *budget -= 1;
                    if *budget < 0 {
                        return None;
                    }
                    out.push([&word[..open], &middle, rest].concat());
                }
            }
        }
        return Some(out);
    }
    Some(vec![word.to_vec()])
}

/// The pairs of braces in a word, in the order in which they open: the index of each brace, and
/// whether a comma belongs to the pair.
fn pairs(word: &[Atom]) -> Vec<(usize, usize, bool)> {
    let (mut open, mut pairs) = (Vec::new(), Vec::new());
    for (i, atom) in word.iter().enumerate() {
        if is(atom, '{') {
            open.push((i, false));
        } else if is(atom, ',') {
            if let Some((_, commas)) = open.last_mut() {
                *commas = true;
            }
        } else if is(atom, '}')
            && let Some((start, commas)) = open.pop()
        {
            pairs.push((start, i, commas));
        }
    }
    pairs.sort_unstable();
    pairs
}

/// The parts between commas; commas in inner braces do not count.
fn choices(inside: &[Atom]) -> Vec<Word> {
    let mut depth = 0;
    let pieces = inside.split(|atom| {
        depth += i32::from(is(atom, '{')) - i32::from(is(atom, '}'));
        depth == 0 && is(atom, ',')
    });
    pieces.map(<[Atom]>::to_vec).collect()
}

/// The words of `{1..9}`, `{a..e}` or `{1..9..2}`, given the text in the braces.
fn sequence(inside: &[Atom]) -> Option<Vec<Word>> {
    // No sequence is longer, and nested braces would have a longer text scanned again and again.
    (inside.len() < 64).then_some(())?;
    let text = unquoted(inside)?;
    let mut ends = text.split("..");
    let (first, last, step) = (ends.next()?, ends.next()?, ends.next().unwrap_or("1"));
    let step = step.parse::<i64>().ok()?.unsigned_abs().max(1);
    let number = |text: &str| text.parse::<i64>().ok().filter(|n| n.abs() < 1 << 40);
    let letter = |text: &str| {
        let mut chars = text.chars();
        let letter = chars.next().filter(char::is_ascii_alphabetic)?;
        chars.next().is_none().then_some(i64::from(letter as u32))
    };
    let (from, to, letters) = match (number(first), number(last)) {
        (Some(from), Some(to)) => (from, to, false),
        _ => (letter(first)?, letter(last)?, true),
    };
    let count = i64::try_from(from.abs_diff(to) / step + 1).ok()?;
    let step = i64::try_from(step).ok()?;
    if count > MAX_WORDS {
        return None;
    }
    let signed = if from <= to { step } else { -step };
    let values = (0..count).map(|i| from + i * signed);
    if letters {
        let letter = |value| u32::try_from(value).ok().and_then(char::from_u32);
        return values.map(|value| letter(value).map(|c| literal(&c.to_string()))).collect();
    }
    Some(values.map(|value| literal(&value.to_string())).collect())
}
