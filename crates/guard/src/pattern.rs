//! From grep's two dialects of patterns to the one our grep tool takes.

/// The same pattern for the `regex` crate, `None` where we are not sure.
pub(crate) fn as_regex(pattern: &str, extended: bool, ripgrep: bool) -> Option<String> {
    if ripgrep {
        return Some(pattern.to_owned());
    }
    let mut out = String::with_capacity(pattern.len() + 8);
    let mut chars = pattern.chars().peekable();
    // Where a star is an ordinary character.
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
                c @ ('.' | '[' | ']' | '*' | '^' | '$' | '\\' | '/') => {
                    if c != '/' {
                        out.push('\\');
                    }
                    out.push(c);
                }
                c @ ('(' | ')' | '|' | '{' | '}' | '+' | '?' | 'b' | 'w' | 'W' | 's' | 'S'
                | 'B') => {
                    out.push('\\');
                    out.push(c);
                }
                _ => return None,
            },
            '+' | '?' | '(' | ')' | '{' | '}' | '|' if !extended => {
                out.push('\\');
                out.push(c);
            }
            '*' | '+' | '?' | '{' if was_start => return None,
            '(' | '|' | '^' => {
                // In the middle of a basic pattern `^` is itself.
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

/// Copies a bracket expression that means the same in both.
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
            // These mean something else inside brackets there.
            '\\' | '[' | '&' | '~' | ']' => return None,
            c => out.push(c),
        }
        first = false;
    }
}

#[cfg(test)]
mod tests {
    use super::as_regex;

    #[test]
    fn both_dialects_become_ours() {
        for (basic, regex) in [
            ("a\\|b", "a|b"),
            ("\\(a\\)\\+", "(a)+"),
            ("a+b", "a\\+b"),
            ("f(x)", "f\\(x\\)"),
            ("^a^b$c$", "^a\\^b\\$c$"),
            ("[[:upper:]]x", "[[:upper:]]x"),
            ("a\\.b", "a\\.b"),
        ] {
            assert_eq!(as_regex(basic, false, false).as_deref(), Some(regex), "{basic}");
        }
        for (extended, regex) in [("a|b", "a|b"), ("a\\+b", "a\\+b"), ("(a)+", "(a)+")] {
            assert_eq!(as_regex(extended, true, false).as_deref(), Some(regex), "{extended}");
        }
    }

    #[test]
    fn what_may_mean_something_else_is_left_alone() {
        for pattern in ["\\1", "\\<a", "[a&&b]", "[\\d]", "*a", "[a", "a\\"] {
            assert_eq!(as_regex(pattern, false, false), None, "{pattern}");
        }
    }
}
