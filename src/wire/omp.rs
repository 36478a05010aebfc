//! Edits of oh-my-pi as JSON.
//!
//! Values are sorted by kind and not judged: which fault is reported first is the engine's matter.
//! A string may hold half of a surrogate pair as an escape; it arrives as WTF-8.

use serde::de::Deserialize;
use serde_json::value::RawValue;

use super::wtf8_json::{self, Text};
use crate::compat::omp::edit::{Field, Fields, RawEdit};

/// Reads a JSON array of edits; `None` if it is none.
///
/// ```
/// let edits = hashline::wire::omp::edits(r#"[{"insert_after":{"anchor":"1:56","text":"\ud800"}}, 5]"#);
/// assert_eq!(edits.unwrap().len(), 2);
/// ```
pub fn edits(json: &str) -> Option<Vec<RawEdit>> {
    let edits: Vec<&RawValue> = serde_json::from_str(json).ok()?;
    Some(edits.into_iter().map(edit).collect())
}

/// Something that is not an object names no operation.
fn edit(json: &RawValue) -> RawEdit {
    let Some(operations) = object::<Operations>(json) else {
        return RawEdit::default();
    };
    RawEdit {
        set_line: operations.set_line.map(fields),
        replace_lines: operations.replace_lines.map(fields),
        replace: operations.replace.is_some(),
        insert_after: operations.insert_after.map(fields),
    }
}

fn fields(json: &RawValue) -> Fields {
    let values: Values = object(json).unwrap_or_default();
    Fields {
        anchor: field(values.anchor),
        start_anchor: field(values.start_anchor),
        end_anchor: field(values.end_anchor),
        new_text: field(values.new_text),
        text: field(values.text),
        content: field(values.content),
    }
}

/// Reads an object. serde would take an array for one, too, by the order of its items.
fn object<'a, T: Deserialize<'a>>(json: &'a RawValue) -> Option<T> {
    let json = json.get();
    json.starts_with('{').then(|| serde_json::from_str(json).ok()).flatten()
}

fn field(json: Option<&RawValue>) -> Field {
    let Some(json) = json.map(RawValue::get) else {
        return Field::Absent;
    };
    match json.as_bytes() {
        [b'"', ..] => match serde_json::from_str::<Text>(json) {
            Ok(text) => Field::Text(text.0),
            Err(_) => Field::Other("not readable"),
        },
        [b'n', ..] => Field::Absent,
        [b'f', ..] => Field::Falsy("a boolean"),
        [b't', ..] => Field::Other("a boolean"),
        [b'[', ..] => Field::Other("an array"),
        [b'{', ..] => Field::Other("an object"),
        _ if json.parse() == Ok(0.0) => Field::Falsy("a number"),
        _ => Field::Other("a number"),
    }
}

/// An operation that is named counts even if its value is `null`.
#[derive(serde::Deserialize)]
struct Operations<'a> {
    #[serde(borrow, default, deserialize_with = "wtf8_json::present")]
    set_line: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "wtf8_json::present")]
    replace_lines: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "wtf8_json::present")]
    replace: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "wtf8_json::present")]
    insert_after: Option<&'a RawValue>,
}

#[derive(serde::Deserialize, Default)]
struct Values<'a> {
    #[serde(borrow)]
    anchor: Option<&'a RawValue>,
    #[serde(borrow)]
    start_anchor: Option<&'a RawValue>,
    #[serde(borrow)]
    end_anchor: Option<&'a RawValue>,
    #[serde(borrow)]
    new_text: Option<&'a RawValue>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchor(json: &str) -> Field {
        let list = format!(r#"[{{"set_line":{{"anchor":{json}}}}}]"#);
        let edit = edits(&list).unwrap().remove(0);
        edit.set_line.unwrap().anchor
    }

    #[test]
    fn strings_keep_half_a_pair() {
        assert_eq!(anchor(r#""a\ud800""#), Field::Text(b"a\xed\xa0\x80".to_vec()));
        assert_eq!(anchor(r#""\udc00\u0041""#), Field::Text(b"\xed\xb0\x80A".to_vec()));
        assert_eq!(anchor(r#""\ud83d\ude00""#), Field::Text("😀".into()));
    }

    #[test]
    fn values_keep_their_kind() {
        assert_eq!(anchor("null"), Field::Absent);
        assert_eq!(anchor("false"), Field::Falsy("a boolean"));
        assert_eq!(anchor("-0.0"), Field::Falsy("a number"));
        assert_eq!(anchor("7"), Field::Other("a number"));
        assert_eq!(anchor(r#"["x"]"#), Field::Other("an array"));
    }

    #[test]
    fn what_is_no_object_names_nothing() {
        let list = edits(r#"[null, 5, "set_line", [{}], {}, {"set_line": null}]"#).unwrap();
        let named: Vec<bool> = list.iter().map(|edit| edit.set_line.is_some()).collect();
        assert_eq!(named, [false, false, false, false, false, true]);
        assert_eq!(edits("{}"), None);
    }
}
