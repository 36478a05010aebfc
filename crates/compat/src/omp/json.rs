//! Edits of oh-my-pi, as JSON and as `js/compat/hashline.js` packs them.
//!
//! Values are sorted by kind and not judged: which fault is reported first is the engine's matter.
//! A string may hold half of a surrogate pair, in JSON as an escape; it arrives as WTF-8.

use serde::de::Deserialize;
use serde_json::value::RawValue;

use crate::omp::edit::{EditField, OmpEdit};
use crate::wtf8_json::{self, Wtf8Text};
use hashline_text::kernel::wtf8;

/// Reads a JSON array of edits; `None` if it is none.
///
/// ```
/// let edits = hashline_compat::omp::json::edits(r#"[{"insert_after":{"anchor":"1:56","text":"\ud800"}}, 5]"#);
/// assert_eq!(edits.unwrap().len(), 2);
/// ```
pub fn edits(json: &str) -> Option<Vec<OmpEdit<'static>>> {
    let edits: Vec<&RawValue> = serde_json::from_str(json).ok()?;
    Some(edits.into_iter().map(edit).collect())
}

/// Reads edits as they come from JavaScript: JSON would be written and read for longer than a few
/// edits take to make. `None` if they are not packed well.
///
/// A letter names the operation: `s` for `set_line`, `r` for `replace_lines`, `x` for `replace`, `i`
/// for `insert_after`, `-` for none of them. Its fields follow in the order of [`OmpEdit`]: a text
/// with its length in UTF-16 units and a colon before it, a letter for anything else.
///
/// ```
/// let edits = hashline_compat::omp::json::packed_edits(b"s4:1:565:hello-i4:2:bf~1:x").unwrap();
/// assert_eq!(edits.len(), 3);
/// ```
pub fn packed_edits(text: &[u8]) -> Option<Vec<OmpEdit<'_>>> {
    let mut packed = Packed { ascii: text.is_ascii(), rest: text };
    // One edit takes some forty bytes; growing the list later would copy them all.
    let mut edits = Vec::with_capacity(text.len() / 32);
    while let [operation, rest @ ..] = packed.rest {
        packed.rest = rest;
        edits.push(match operation {
            b's' => OmpEdit::SetLine { anchor: packed.field()?, new_text: packed.field()? },
            b'r' => OmpEdit::ReplaceLines {
                start_anchor: packed.field()?,
                end_anchor: packed.field()?,
                new_text: packed.field()?,
            },
            b'x' => OmpEdit::Replace,
            b'i' => OmpEdit::InsertAfter {
                anchor: packed.field()?,
                text: packed.field()?,
                content: packed.field()?,
            },
            b'-' => OmpEdit::Nothing,
            _ => return None,
        });
    }
    Some(edits)
}

/// The unread rest of packed edits.
struct Packed<'a> {
    rest: &'a [u8],
    ascii: bool,
}

impl<'a> Packed<'a> {
    fn field(&mut self) -> Option<EditField<'a>> {
        let (first, rest) = self.rest.split_first()?;
        let field = match first {
            b'~' => EditField::Absent,
            b'f' => EditField::Falsy("a boolean"),
            b't' => EditField::Other("a boolean"),
            b'z' => EditField::Falsy("a number"),
            b'n' => EditField::Other("a number"),
            b'a' => EditField::Other("an array"),
            b'o' => EditField::Other("an object"),
            _ => return self.text(),
        };
        self.rest = rest;
        Some(field)
    }

    fn text(&mut self) -> Option<EditField<'a>> {
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
        Some(EditField::from(text))
    }
}

/// Something that is not an object names no operation.
fn edit(json: &RawValue) -> OmpEdit<'static> {
    let Some(operations) = object::<Operations>(json) else {
        return OmpEdit::Nothing;
    };
    let values = |json| object::<Values>(json).unwrap_or_default();
    if let Some(json) = operations.set_line {
        let Values { anchor, new_text, .. } = values(json);
        OmpEdit::SetLine { anchor: field(anchor), new_text: field(new_text) }
    } else if let Some(json) = operations.replace_lines {
        let Values { start_anchor, end_anchor, new_text, .. } = values(json);
        OmpEdit::ReplaceLines {
            start_anchor: field(start_anchor),
            end_anchor: field(end_anchor),
            new_text: field(new_text),
        }
    } else if operations.replace.is_some() {
        OmpEdit::Replace
    } else if let Some(json) = operations.insert_after {
        let Values { anchor, text, content, .. } = values(json);
        OmpEdit::InsertAfter { anchor: field(anchor), text: field(text), content: field(content) }
    } else {
        OmpEdit::Nothing
    }
}

/// Reads an object. serde would take an array for one, too, by the order of its items.
fn object<'a, T: Deserialize<'a>>(json: &'a RawValue) -> Option<T> {
    let json = json.get();
    json.starts_with('{').then(|| serde_json::from_str(json).ok()).flatten()
}

fn field(json: Option<&RawValue>) -> EditField<'static> {
    let Some(json) = json.map(RawValue::get) else {
        return EditField::Absent;
    };
    match json.as_bytes() {
        [b'"', ..] => match serde_json::from_str::<Wtf8Text>(json) {
            Ok(text) => EditField::from(text.0),
            Err(_) => EditField::Other("not readable"),
        },
        [b'n', ..] => EditField::Absent,
        [b'f', ..] => EditField::Falsy("a boolean"),
        [b't', ..] => EditField::Other("a boolean"),
        [b'[', ..] => EditField::Other("an array"),
        [b'{', ..] => EditField::Other("an object"),
        _ if json.parse() == Ok(0.0) => EditField::Falsy("a number"),
        _ => EditField::Other("a number"),
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

    fn anchor(json: &str) -> EditField<'static> {
        let list = format!(r#"[{{"set_line":{{"anchor":{json}}}}}]"#);
        match edits(&list).unwrap().remove(0) {
            OmpEdit::SetLine { anchor, .. } => anchor,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn strings_keep_half_a_pair() {
        assert_eq!(anchor(r#""a\ud800""#), EditField::from(b"a\xed\xa0\x80"));
        assert_eq!(anchor(r#""\udc00\u0041""#), EditField::from(b"\xed\xb0\x80A"));
        assert_eq!(anchor(r#""\ud83d\ude00""#), EditField::from("😀".as_bytes()));
    }

    #[test]
    fn values_keep_their_kind() {
        assert_eq!(anchor("null"), EditField::Absent);
        assert_eq!(anchor("false"), EditField::Falsy("a boolean"));
        assert_eq!(anchor("-0.0"), EditField::Falsy("a number"));
        assert_eq!(anchor("7"), EditField::Other("a number"));
        assert_eq!(anchor(r#"["x"]"#), EditField::Other("an array"));
    }

    #[test]
    fn packed_edits_are_those_of_json() {
        let json = r#"[{"set_line":{"anchor":"1:56","new_text":"a😀é\ud800"}},5,{"replace":null},
            {"replace_lines":{"start_anchor":"","end_anchor":false,"new_text":true}},
            {"insert_after":{"anchor":7,"text":[],"content":{}}},
            {"insert_after":{"anchor":0,"text":null,"content":"12:x"}}]"#;
        let packed_edits = ["s4:1:565:a😀é".as_bytes(), b"\xed\xa0\x80-xr0:ftinaoiz~4:12:x"];
        assert_eq!(packed_edits(&packed_edits.concat()), edits(json));
    }

    #[test]
    fn what_is_packed_badly_is_seen() {
        for text in
            ["s", "s1:a", "s1:a2:b", "s1:a1", "q", "s-1:a1:b", "s99999999999999999999:", "sé"]
        {
            assert_eq!(packed_edits(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn of_several_operations_the_first_counts() {
        let json = r#"[{"insert_after":{},"replace":{},"replace_lines":null},{"insert_after":{},"replace":1}]"#;
        let nothing = || EditField::Absent;
        let (start_anchor, end_anchor, new_text) = (nothing(), nothing(), nothing());
        let first = OmpEdit::ReplaceLines { start_anchor, end_anchor, new_text };
        assert_eq!(edits(json), Some(vec![first, OmpEdit::Replace]));
    }

    #[test]
    fn what_is_no_object_names_nothing() {
        let list = edits(r#"[null, 5, "set_line", [{}], {}, {"set_line": null}]"#).unwrap();
        let named: Vec<bool> = list.iter().map(|edit| *edit != OmpEdit::Nothing).collect();
        assert_eq!(named, [false, false, false, false, false, true]);
        assert_eq!(edits("{}"), None);
    }
}
