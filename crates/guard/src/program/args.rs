//! Options and operands, as `getopt` tells them apart.

/// Which options of a program take a value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spec<'s> {
    /// Letters of short options with a value.
    pub(crate) short: &'s str,
    /// Names of long options with a value, given as the next word. `--name=value` needs no entry.
    pub(crate) long: &'s [&'s str],
    /// Whether options end at the first operand.
    pub(crate) strict: bool,
    /// Whether `-name` is a long option, as in `find` and `openssl`.
    pub(crate) single_dash: bool,
}

impl<'s> Spec<'s> {
    /// Options anywhere.
    pub(crate) const fn new(short: &'s str, long: &'s [&'s str]) -> Self {
        Self { short, long, strict: false, single_dash: false }
    }

    /// Options end where the wrapped command begins.
    pub(crate) const fn wrapper(short: &'s str, long: &'s [&'s str]) -> Self {
        Self { short, long, strict: true, single_dash: false }
    }
}

/// The words of a command, sorted.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    /// Options without their dashes, with their values.
    pub(crate) options: Vec<(String, Option<String>)>,
    /// Everything else.
    pub(crate) operands: Vec<String>,
}

impl Parsed {
    /// Whether any of these options is given.
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(name, _)| names.contains(&name.as_str()))
    }

    /// The value of the last of these options.
    pub(crate) fn value<'p>(&'p self, names: &'p [&str]) -> Option<&'p str> {
        self.values(names).last()
    }

    /// The values of these options in order.
    pub(crate) fn values<'p>(&'p self, names: &'p [&str]) -> impl Iterator<Item = &'p str> {
        self.options
            .iter()
            .filter(|(name, _)| names.contains(&name.as_str()))
            .filter_map(|(_, value)| value.as_deref())
    }

    /// The operands of a wrapper: the command it runs.
    pub(crate) fn rest(self) -> Vec<String> {
        self.operands
    }
}

/// Sorts the words after a command name.
pub(crate) fn parse(words: &[String], spec: &Spec<'_>) -> Parsed {
    let mut parsed = Parsed::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            parsed.operands.extend(words.cloned());
            break;
        }
        if let Some(long) = word.strip_prefix("--") {
            let (name, value) = match long.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None if spec.long.contains(&long) => (long, words.next().cloned()),
                None => (long, None),
            };
            parsed.options.push((name.to_owned(), value));
            continue;
        }
        match word.strip_prefix('-') {
            Some(name) if !name.is_empty() && spec.single_dash => {
                let value = if spec.long.contains(&name) { words.next().cloned() } else { None };
                parsed.options.push((name.to_owned(), value));
            }
            Some(cluster) if !cluster.is_empty() => {
                for (i, letter) in cluster.char_indices() {
                    if spec.short.contains(letter) {
                        let attached = &cluster[i + letter.len_utf8()..];
                        let value = if attached.is_empty() {
                            words.next().cloned()
                        } else {
                            Some(attached.to_owned())
                        };
                        parsed.options.push((letter.to_string(), value));
                        break;
                    }
                    parsed.options.push((letter.to_string(), None));
                }
            }
            _ => {
                parsed.operands.push(word.clone());
                if spec.strict {
                    parsed.operands.extend(words.cloned());
                    break;
                }
            }
        }
    }
    parsed
}
