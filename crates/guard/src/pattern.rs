//! Patterns: translating those of `grep` for our grep tool, and recognising those of the shell.

/// The syntax of a program's patterns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Basic,
    Extended,
    Fixed,
    /// The syntax of our own grep tool.
    Own,
}

impl Dialect {
    /// The dialect of a program that is called without options.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "egrep" => Self::Extended,
            "fgrep" => Self::Fixed,
            "rg" | "ag" | "ack" => Self::Own,
            _ => Self::Basic,
        }
    }
}

/// A pattern in the syntax of our grep tool.
#[derive(Debug, Clone)]
pub(crate) struct Matching {
    pub(crate) text: String,
    pub(crate) literal: bool,
    /// Whether case is ignored.
    pub(crate) any_case: bool,
}

/// Translates several patterns, any of which may match, into one.
pub(crate) fn read_pattern(patterns: &[&str], dialect: Dialect) -> Option<Matching> {
    let plain = |text: &str| !text.contains(|c: char| r"\.[]{}()*+?^$|".contains(c));
    let usable = |text: &&str| !text.is_empty() && !text.contains('\n');
    patterns.iter().all(usable).then_some(())?;
    if let [one] = patterns
        && (dialect == Dialect::Fixed || plain(one))
    {
        return Some(Matching { text: (*one).to_owned(), literal: true, any_case: false });
    }
    let mut read = Vec::new();
    for text in patterns {
        read.push(match dialect {
            Dialect::Fixed => escaped(text),
            Dialect::Own => without_lookaround(text)?,
            Dialect::Basic => as_regex(text, false)?,
            Dialect::Extended => as_regex(text, true)?,
        });
    }
    let text = match read.as_slice() {
        [one] => one.clone(),
        many => many.iter().map(|one| format!("(?:{one})")).collect::<Vec<_>>().join("|"),
    };
    Some(Matching { text, literal: false, any_case: false })
}

/// A pattern without look-around that matches the same lines; text that the pattern only looked
/// for before or after the match becomes part of it.
fn without_lookaround(text: &str) -> Option<String> {
    let mut text = text.replace("\\K", "");
    let plain = |inner: &str| !inner.contains(['(', '[', '\\']);
    if let Some((inner, rest)) = text.strip_prefix("(?<=").and_then(|rest| rest.split_once(')'))
        && plain(inner)
    {
        text = format!("(?:{inner}){rest}");
    }
    if let Some((before, inner)) = text.strip_suffix(')').and_then(|rest| rest.rsplit_once("(?="))
        && plain(inner)
        && !inner.contains(')')
    {
        text = format!("{before}(?:{inner})");
    }
    let looks = ["(?=", "(?!", "(?<"].iter().any(|mark| text.contains(mark));
    (!looks).then_some(text)
}

/// A pattern that matches exactly this text.
pub(crate) fn escaped(text: &str) -> String {
    backslashed(text, r"\.[]{}()*+?^$|#&-~")
}

/// A text with a backslash before each of the special characters.
pub(crate) fn backslashed(text: &str, special: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if special.contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Whether a path holds a shell pattern.
pub fn is_pattern(path: &str) -> bool {
    path.contains(['*', '?', '['])
}

/// The pattern in the syntax of the `regex` crate; `None` if we are not sure of its meaning.
fn as_regex(pattern: &str, extended: bool) -> Option<String> {
    let mut out = String::with_capacity(pattern.len() + 8);
    let mut chars = pattern.chars().peekable();
    // Whether a star here would be an ordinary character.
    let mut start = true;
    while let Some(c) = chars.next() {
        let was_start = std::mem::take(&mut start);
        match c {
            '[' => bracket(&mut chars, &mut out)?,
            '\\' => match chars.next()? {
                c @ ('(' | '|' | '{' | '+' | '?' | ')' | '}') if !extended => {
                    start = matches!(c, '(' | '|');
                    out.push(c);
                }
                '/' => out.push('/'),
                c if r".[]*^$\(){}|+?bBwWsS".contains(c) => out.extend(['\\', c]),
                _ => return None,
            },
            '+' | '?' | '(' | ')' | '{' | '}' | '|' if !extended => out.extend(['\\', c]),
            '*' | '+' | '?' | '{' if was_start => return None,
            '(' | '|' | '^' => {
                // In the middle of a basic pattern, `^` is an ordinary character.
                if c == '^' && !extended && !was_start {
                    out.push('\\');
                }
                start = true;
                out.push(c);
            }
            '$' if !extended && chars.peek().is_some() && chars.peek() != Some(&'\\') => {
                out.push_str("\\$");
            }
            c => out.push(c),
        }
    }
    Some(out)
}

/// Copies a bracket expression if it means the same in both dialects.
fn bracket(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, out: &mut String) -> Option<()> {
    out.push('[');
    if chars.peek() == Some(&'^') {
        out.push('^');
        chars.next();
    }
    let mut first = true;
    loop {
        let c = chars.next()?;
        match c {
            ']' if !first => {
                out.push(']');
                return Some(());
            }
            '[' if chars.peek() == Some(&':') => {
                out.push('[');
                loop {
                    let c = chars.next()?;
                    out.push(c);
                    if c == ']' {
                        break;
                    }
                }
            }
            // These mean something else inside brackets for the `regex` crate.
            '\\' | '[' | '&' | '~' | ']' => return None,
            c => out.push(c),
        }
        first = false;
    }
}

#[cfg(test)]
mod tests {
    use super::{as_regex, without_lookaround};

    #[test]
    fn basic_and_extended_patterns_are_translated() {
        for (basic, regex) in [
            ("a\\|b", "a|b"),
            ("\\(a\\)\\+", "(a)+"),
            ("a+b", "a\\+b"),
            ("f(x)", "f\\(x\\)"),
            ("^a^b$c$", "^a\\^b\\$c$"),
            ("[[:upper:]]x", "[[:upper:]]x"),
            ("a\\.b", "a\\.b"),
        ] {
            assert_eq!(as_regex(basic, false).as_deref(), Some(regex), "{basic}");
        }
        for (extended, regex) in [("a|b", "a|b"), ("a\\+b", "a\\+b"), ("(a)+", "(a)+")] {
            assert_eq!(as_regex(extended, true).as_deref(), Some(regex), "{extended}");
        }
    }

    #[test]
    fn a_pattern_with_a_doubtful_meaning_is_not_translated() {
        for pattern in ["\\1", "\\<a", "[a&&b]", "[\\d]", "*a", "[a", "a\\"] {
            assert_eq!(as_regex(pattern, false), None, "{pattern}");
        }
    }

    #[test]
    fn look_around_is_removed_if_the_same_lines_match() {
        for (pattern, read) in [
            ("a.b", Some("a.b")),
            ("(?<=version = \")[^\"]+", Some("(?:version = \")[^\"]+")),
            ("name=\\K\\w+", Some("name=\\w+")),
            ("\\d+(?= ms)", Some("\\d+(?: ms)")),
            ("a(?!b)", None),
            ("(?<!a)b", None),
            ("a(?=b)c", None),
            ("(?<=a(b))c", None),
            ("x|(?=a)", Some("x|(?:a)")),
        ] {
            assert_eq!(without_lookaround(pattern).as_deref(), read, "{pattern}");
        }
    }
}
