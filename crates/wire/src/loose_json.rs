//! JSON as local models write it: in a fence, with raw newlines in its strings, with a comma too
//! many, without its last brackets.
//!
//! It repairs only faults whose repair cannot change a value. It does not repair a text that ends
//! within a string, because nobody knows what is missing.

use serde_json::Value;

/// Reads the JSON in a text.
pub(super) fn read(text: &str) -> Result<Value, serde_json::Error> {
    let bare = without_fence(text.trim());
    serde_json::from_str(bare).or_else(|error| {
        match repaired(bare).map(|repaired| serde_json::from_str(&repaired)) {
            Some(Ok(json @ (Value::Array(_) | Value::Object(_)))) => Ok(json),
            _ => Err(error),
        }
    })
}

fn without_fence(text: &str) -> &str {
    let Some(inner) = text.strip_prefix("```") else {
        return text;
    };
    let inner = inner.split_once('\n').map_or("", |(_, inner)| inner);
    inner.trim_end().strip_suffix("```").unwrap_or(inner).trim()
}

/// The text with raw newlines escaped, commas before a closing bracket left out, and missing
/// brackets added; `None` if it ends within a string.
fn repaired(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 16);
    let mut open: Vec<char> = Vec::new();
    let mut inside = false;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => inside = !inside,
            '\\' if inside => {
                out.push(c);
                out.extend(chars.next());
                continue;
            }
            '\n' if inside => {
                out.push_str("\\n");
                continue;
            }
            '\r' if inside => {
                out.push_str("\\r");
                continue;
            }
            '\t' if inside => {
                out.push_str("\\t");
                continue;
            }
            '[' if !inside => open.push(']'),
            '{' if !inside => open.push('}'),
            ']' | '}' if !inside => {
                drop_comma(&mut out);
                // Adds missing inner brackets, and drops a bracket too many.
                while open.last().is_some_and(|expected| *expected != c) && open.contains(&c) {
                    out.extend(open.pop());
                }
                if open.pop() != Some(c) {
                    continue;
                }
            }
            _ => {}
        }
        out.push(c);
    }
    if inside {
        return None;
    }
    drop_comma(&mut out);
    out.extend(open.into_iter().rev());
    Some(out)
}

fn drop_comma(out: &mut String) {
    let kept = out.trim_end();
    if let Some(without) = kept.strip_suffix(',') {
        out.truncate(without.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(text: &str, value: &Value) {
        assert_eq!(read(text).unwrap_or_else(|error| panic!("{text}: {error}")), *value, "{text}");
    }

    #[test]
    fn faults_that_cannot_change_a_value_are_repaired() {
        let op = json!([{"op": "delete", "lines": ["a,]", "b"]}]);
        let whole = op.to_string();
        check(&whole, &op);
        for cut in 1..=2 {
            check(&whole[..whole.len() - cut], &op);
        }
        check(&whole.replace("}]", "},]"), &op);
        check(&whole.replace("}]", "]"), &op);
        check(&format!("{whole}}}"), &op);
        check(&format!("```json\n{whole}\n```"), &op);
        check("{\"a\": \"x\n\ty\"}", &json!({"a": "x\n\ty"}));
    }

    #[test]
    fn a_text_that_ends_within_a_string_is_not_guessed() {
        for text in ["[{\"text\": \"abc", "[{\"text", "", "set line 5", "{\"a\": }", "[1 2]"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
