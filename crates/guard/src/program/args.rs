//! Options and operands, as `getopt` tells them apart.

use std::borrow::Cow;
use std::ops::Range;

use crate::word::has_word;

/// Which options of a program take a value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spec<'s> {
    /// Letters of short options with a value.
    pub(crate) short: &'s str,
    /// Long options whose value may be the next word, separated by blanks.
    pub(crate) long: &'s str,
    /// Letters of short options whose value, if they have one, is in the same word.
    pub(crate) attached: &'s str,
    /// Whether options end at the first operand.
    pub(crate) strict: bool,
    /// Whether `-name` is a long option, as in `find` and `openssl`.
    pub(crate) single_dash: bool,
}

/// A program's short and long options that take a value; options may follow operands.
pub(crate) const fn options<'s>(short: &'s str, long: &'s str) -> Spec<'s> {
    Spec { short, long, attached: "", strict: false, single_dash: false }
}

/// Like [`options`], but options end at the first operand, where a wrapped command begins.
pub(crate) const fn first<'s>(short: &'s str, long: &'s str) -> Spec<'s> {
    Spec { strict: true, ..options(short, long) }
}

/// Long options with a single dash that take a value, as in `find` and `openssl`.
pub(crate) const fn long(long: &str) -> Spec<'_> {
    Spec { single_dash: true, ..options("", long) }
}

/// The words of a command, divided into options and operands.
#[derive(Debug, Default)]
pub(crate) struct Parsed<'w> {
    /// Options without their dashes, with their values.
    pub(crate) options: Vec<(&'w str, Option<&'w str>)>,
    /// All other words.
    pub(crate) operands: Cow<'w, [String]>,
}

impl<'w> Parsed<'w> {
    /// Whether any of these options, separated by blanks, is given.
    pub(crate) fn has(&self, names: &str) -> bool {
        self.options.iter().any(|(name, _)| has_word(names, name))
    }

    /// The value of these options; the last one given counts.
    pub(crate) fn value(&self, names: &str) -> Option<&'w str> {
        self.values(names).last()
    }

    /// The values of these options in order.
    pub(crate) fn values(&self, names: &str) -> impl Iterator<Item = &'w str> {
        self.options
            .iter()
            .filter(move |(name, _)| has_word(names, name))
            .filter_map(|(_, value)| *value)
    }
}

/// The words, with each abbreviated long option written out in full.
pub(crate) fn spelled_out<'w>(words: &'w [String], long: &[&str]) -> Cow<'w, [String]> {
    let full = |word: &String| {
        let given = word.strip_prefix("--").filter(|given| !given.is_empty())?;
        let end = given.find('=').unwrap_or(given.len());
        let name = long.iter().find(|name| name.starts_with(&given[..end]))?;
        Some(format!("--{name}{}", &given[end..]))
    };
    if words.iter().any(|word| full(word).is_some()) {
        return words.iter().map(|word| full(word).unwrap_or_else(|| word.clone())).collect();
    }
    Cow::Borrowed(words)
}

/// Divides the words after a command name into options and operands.
pub(crate) fn parse<'w>(words: &'w [String], spec: &Spec<'_>) -> Parsed<'w> {
    let mut options = Vec::new();
    let (mut operands, mut end) = (Cow::Borrowed(&words[..0]), 0);
    // Operands that stand side by side are borrowed, not copied.
    let mut add = |more: Range<usize>| match &mut operands {
        Cow::Borrowed(some) if some.is_empty() || end == more.start => {
            end = more.end;
            *some = &words[more.start - some.len()..more.end];
        }
        all => all.to_mut().extend_from_slice(&words[more]),
    };
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        if word == "--" {
            add(at..words.len());
            break;
        }
        let mut next = || {
            at += 1;
            words.get(at - 1).map(String::as_str)
        };
        if let Some(long) = word.strip_prefix("--") {
            options.push(match long.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None if has_word(spec.long, long) => (long, next()),
                None => (long, None),
            });
            continue;
        }
        match word.strip_prefix('-') {
            Some(name) if !name.is_empty() && spec.single_dash => {
                options.push((name, if has_word(spec.long, name) { next() } else { None }));
            }
            Some(cluster) if !cluster.is_empty() => {
                for (i, letter) in cluster.char_indices() {
                    let (option, attached) = cluster[i..].split_at(letter.len_utf8());
                    if spec.short.contains(letter) {
                        options.push((
                            option,
                            if attached.is_empty() { next() } else { Some(attached) },
                        ));
                        break;
                    }
                    if spec.attached.contains(letter) {
                        options.push((option, Some(attached)));
                        break;
                    }
                    options.push((option, None));
                }
            }
            _ if spec.strict => {
                add(at - 1..words.len());
                break;
            }
            _ => add(at - 1..at),
        }
    }
    Parsed { options, operands }
}
