//! Changing the lists in a settings file without touching the rest of its text.
//!
//! A list is named by the keys that lead to it from the top. An added value gets the layout of its
//! neighbours; the numbers, layout and line endings of the rest stay unchanged.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::ser::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::value::RawValue;

/// The values of a list; none if it is not there.
///
/// The error is a sentence that says why there cannot be such a list.
pub(super) fn list(text: &str, place: &[&str]) -> Result<Vec<Value>, String> {
    let mut found = reach(text, place)?;
    let list = if found.len() > place.len() { found.pop() } else { None };
    // Nobody looks for a value that `Value` cannot hold, such as 1e400.
    let value = |raw: &&RawValue| serde_json::from_str(raw.get()).unwrap_or(Value::Null);
    Ok(list.iter().flat_map(|list| &list.values).map(value).collect())
}

/// The text with a value added at the end of a list, which is created if it is missing.
pub(super) fn add(text: &str, place: &[&str], value: &Value) -> Result<String, String> {
    let found = reach(text, place)?;
    let into = found.last().expect("the top is always there");
    Ok(match place[found.len() - 1..].split_first() {
        None => inserted(text, into, "", value),
        Some((key, missing)) => {
            let mut value = Value::Array(vec![value.clone()]);
            for name in missing.iter().rev() {
                value = Value::Object([((*name).to_owned(), value)].into_iter().collect());
            }
            inserted(text, into, &format!("\"{key}\": "), &value)
        }
    })
}

/// The text without the values of a list that `unwanted` picks, and without the lists and objects
/// that this leaves empty.
pub(super) fn remove(
    text: &str,
    place: &[&str],
    unwanted: impl Fn(&Value) -> bool,
) -> Result<String, String> {
    let mut text = text.to_owned();
    while let Some(number) = list(&text, place)?.iter().position(&unwanted) {
        let found = reach(&text, place)?;
        let numbers = place.iter().zip(&found).map(|(name, inner)| inner.number(name));
        let numbers: Vec<usize> = numbers.flatten().chain([number]).collect();
        // The innermost container with other values: those below it would be left empty.
        let depth = found.iter().rposition(|inner| inner.values.len() > 1).unwrap_or(0);
        let cut = found[depth].cut(&text, numbers[depth]);
        text.replace_range(cut, "");
    }
    Ok(text)
}

/// Whether the text is an object without members.
pub(super) fn is_empty(text: &str) -> bool {
    reach(text, &[]).is_ok_and(|found| found[0].values.is_empty())
}

/// An object or a list in a text.
struct Container<'t> {
    /// Where it is, its brackets included.
    span: Range<usize>,
    /// The names of an object's values.
    names: Vec<String>,
    /// Its values, in order.
    values: Vec<&'t RawValue>,
}

impl Container<'_> {
    /// The index of the value with this name.
    fn number(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// The range of the text to cut out in order to remove a value.
    fn cut(&self, text: &str, number: usize) -> Range<usize> {
        let end = span(text, self.values[number]).end;
        if number > 0 {
            return span(text, self.values[number - 1]).end..end;
        }
        let start = self.span.start + 1;
        let comma = text[end..self.span.end].find(',');
        start..comma.map_or(self.span.end - 1, |comma| end + comma + 1)
    }
}

/// The containers on the way to a list, from the top as far as they exist.
fn reach<'t>(text: &'t str, place: &[&str]) -> Result<Vec<Container<'t>>, String> {
    let mut raw: &RawValue =
        serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    let mut found: Vec<Container<'t>> = Vec::new();
    for depth in 0..=place.len() {
        let kind = if depth > 0 && depth == place.len() { "list" } else { "object" };
        let (names, values) = parts(raw, kind).ok_or_else(|| match depth.checked_sub(1) {
            Some(above) => format!("its `{}` is no {kind}", place[above]),
            None => "it does not hold one JSON object".to_owned(),
        })?;
        let inner = Container { span: span(text, raw), names, values };
        let next = place.get(depth).and_then(|name| inner.number(name)).map(|i| inner.values[i]);
        found.push(inner);
        let Some(next) = next else { break };
        raw = next;
    }
    Ok(found)
}

/// The names and values of an object, or the values of a list, unparsed and in order. Of values
/// with the same name the last counts.
fn parts<'t>(raw: &'t RawValue, kind: &str) -> Option<(Vec<String>, Vec<&'t RawValue>)> {
    if kind == "list" {
        return Some((Vec::new(), serde_json::from_str(raw.get()).ok()?));
    }
    let named: BTreeMap<String, &RawValue> = serde_json::from_str(raw.get()).ok()?;
    let mut named: Vec<_> = named.into_iter().collect();
    named.sort_by_key(|(_, value)| value.get().as_ptr());
    Some(named.into_iter().unzip())
}

/// Where a value is in the text that it was read from.
fn span(text: &str, raw: &RawValue) -> Range<usize> {
    let start = raw.get().as_ptr().addr() - text.as_ptr().addr();
    start..start + raw.get().len()
}

/// The text with a value added at the end of a container, laid out like the container's other
/// values.
fn inserted(text: &str, into: &Container<'_>, key: &str, value: &Value) -> String {
    let blank = |text: &str| text[..text.len() - text.trim_start().len()].to_owned();
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let top = blank(text.trim_start().trim_start_matches('{'));
    let unit = match top.rsplit_once('\n') {
        Some((_, unit)) if !unit.is_empty() => unit,
        _ => "  ",
    };
    let in_lines = top.contains('\n') || text.trim() == "{}";
    let line = text[..into.span.start].rfind('\n').map_or(0, |at| at + 1);
    let outer = blank(&text[line..into.span.start]);
    let (at, gap, end) = match into.values.last() {
        Some(last) => (span(text, last).end, blank(&text[into.span.start + 1..]), String::new()),
        None if in_lines => {
            (into.span.start + 1, format!("{newline}{outer}{unit}"), format!("{newline}{outer}"))
        }
        None => (into.span.start + 1, String::new(), String::new()),
    };
    let comma = if into.values.is_empty() { "" } else { "," };
    let value = match gap.rsplit_once('\n') {
        Some((_, indent)) => pretty(value, unit).replace('\n', &format!("{newline}{indent}")),
        None => value.to_string(),
    };
    // What follows an empty container's bracket is only white space.
    let rest = if into.values.is_empty() { into.span.end - 1 } else { at };
    format!("{}{comma}{gap}{key}{value}{end}{}", &text[..at], &text[rest..])
}

fn pretty(value: &Value, unit: &str) -> String {
    let mut bytes = Vec::new();
    let formatter = PrettyFormatter::with_indent(unit.as_bytes());
    value
        .serialize(&mut Serializer::with_formatter(&mut bytes, formatter))
        .expect("keys are strings");
    String::from_utf8_lossy(&bytes).into_owned()
}
