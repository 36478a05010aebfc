//! Edits of oh-my-pi, as JSON and as `hashline.js` packs them.
//!
//! Values are sorted by kind and not judged: which fault is reported first is the engine's matter.
//! A string may hold half of a surrogate pair, in JSON as an escape; it arrives as WTF-8.

use serde::de::Deserialize;
use serde_json::value::RawValue;

use super::wtf8_json::{self, Text};
use crate::compat::omp::edit::{Field, Fields, RawEdit};
use crate::text::wtf8;

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

/// Reads edits as they come from JavaScript: JSON would be written and read for longer than a few
/// edits take to make. `None` if they are not packed well.
///
/// A letter names the operation: `s` for `set_line`, `r` for `replace_lines`, `x` for `replace`, `i`
/// for `insert_after`, `-` for none of them. Its fields follow in the order of [`Fields`]: a text with
/// its length in UTF-16 units and a colon before it, a letter for anything else.
///
/// ```
/// let edits = hashline::wire::omp::packed(b"s4:1:565:hello-i4:2:bf~1:x").unwrap();
/// assert_eq!(edits.len(), 3);
/// ```
pub fn packed(text: &[u8]) -> Option<Vec<RawEdit>> {
    let mut packed = Packed { ascii: text.is_ascii(), rest: text };
    // One edit takes some forty bytes; growing the list later would copy them all.
    let mut edits = Vec::with_capacity(text.len() / 32);
    while let [operation, rest @ ..] = packed.rest {
        packed.rest = rest;
        let mut edit = RawEdit::default();
        match operation {
            b's' => {
                let (anchor, new_text) = (packed.field()?, packed.field()?);
                edit.set_line = Some(Fields { anchor, new_text, ..Fields::default() });
            }
            b'r' => {
                let (start_anchor, end_anchor) = (packed.field()?, packed.field()?);
                let new_text = packed.field()?;
                let fields = Fields { start_anchor, end_anchor, new_text, ..Fields::default() };
                edit.replace_lines = Some(fields);
            }
            b'x' => edit.replace = true,
            b'i' => {
                let (anchor, text, content) = (packed.field()?, packed.field()?, packed.field()?);
                edit.insert_after = Some(Fields { anchor, text, content, ..Fields::default() });
            }
            b'-' => {}
            _ => return None,
        }
        edits.push(edit);
    }
    Some(edits)
}

/// What is left of packed edits.
struct Packed<'a> {
    rest: &'a [u8],
    ascii: bool,
}

impl Packed<'_> {
    fn field(&mut self) -> Option<Field> {
        let (first, rest) = self.rest.split_first()?;
        let field = match first {
            b'~' => Field::Absent,
            b'f' => Field::Falsy("a boolean"),
            b't' => Field::Other("a boolean"),
            b'z' => Field::Falsy("a number"),
            b'n' => Field::Other("a number"),
            b'a' => Field::Other("an array"),
            b'o' => Field::Other("an object"),
            _ => return self.text(),
        };
        self.rest = rest;
        Some(field)
    }

    fn text(&mut self) -> Option<Field> {
        let mut units = 0_usize;
        loop {
            let (first, rest) = self.rest.split_first()?;
            self.rest = rest;
            match first {
                b':' => break,
                b'0'..=b'9' => {
                    units = units.checked_mul(10)?.checked_add(usize::from(first - b'0'))?;
                }
                _ => return None,
            }
        }
        let len = if self.ascii { units } else { wtf8::len_of_units(self.rest, units)? };
        let (text, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(Field::Text(text.to_vec()))
    }
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
    fn packed_edits_are_those_of_json() {
        let json = r#"[{"set_line":{"anchor":"1:56","new_text":"a😀é\ud800"}},5,{"replace":null},
            {"replace_lines":{"start_anchor":"","end_anchor":false,"new_text":true}},
            {"insert_after":{"anchor":7,"text":[],"content":{}}},
            {"insert_after":{"anchor":0,"text":null,"content":"12:x"}}]"#;
        let packed_edits = ["s4:1:565:a😀é".as_bytes(), b"\xed\xa0\x80-xr0:ftinaoiz~4:12:x"];
        assert_eq!(packed(&packed_edits.concat()), edits(json));
    }

    #[test]
    fn what_is_packed_badly_is_seen() {
        for text in
            ["s", "s1:a", "s1:a2:b", "s1:a1", "q", "s-1:a1:b", "s99999999999999999999:", "sé"]
        {
            assert_eq!(packed(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_object_names_nothing() {
        let list = edits(r#"[null, 5, "set_line", [{}], {}, {"set_line": null}]"#).unwrap();
        let named: Vec<bool> = list.iter().map(|edit| edit.set_line.is_some()).collect();
        assert_eq!(named, [false, false, false, false, false, true]);
        assert_eq!(edits("{}"), None);
    }
}
