//! Shell patterns: what they match, and what is cut or replaced by them.

/// Whether a shell pattern matches a whole text.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        let (hit, width) = match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
                continue;
            }
            Some('?') => (true, 1),
            Some('[') => class(&pattern[p..], text[t]).unwrap_or((text[t] == '[', 1)),
            Some(&c) => (c == text[t], 1),
            None => (false, 0),
        };
        if hit {
            p += width;
            t += 1;
        } else if let Some((at, from)) = star {
            star = Some((at, from + 1));
            p = at + 1;
            t = from + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

/// Whether a bracket expression holds a character, and how long it is.
fn class(pattern: &[char], c: char) -> Option<(bool, usize)> {
    let negated = matches!(pattern.get(1), Some('!' | '^'));
    let first = if negated { 2 } else { 1 };
    let close = pattern.iter().skip(first + 1).position(|&c| c == ']')? + first + 1;
    let set = &pattern[first..close];
    let mut hit = false;
    let mut i = 0;
    while i < set.len() {
        if i + 2 < set.len() && set[i + 1] == '-' {
            hit |= (set[i]..=set[i + 2]).contains(&c);
            i += 3;
        } else {
            hit |= set[i] == c;
            i += 1;
        }
    }
    Some((hit != negated, close + 1))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_shell_pattern_matches_whole_names() {
        for (pattern, name, expected) in [
            ("*.rs", "a.rs", true),
            ("*.rs", "a.rss", false),
            ("a?c", "abc", true),
            ("[a-c]x", "bx", true),
            ("[!a]x", "ax", false),
            ("*a*b", "xxaxxb", true),
            ("", "", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
