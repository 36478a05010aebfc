//! Edits of oh-my-pi, as `js/compat/hashline.js` packs them.
//!
//! JavaScript only names each value's kind; the engine decides which fault to report first. Texts
//! are WTF-8, because a string may hold half of a surrogate pair.

use crate::omp::edit::{EditField, OmpEdit};
use hashline_text::kernel::wtf8;

/// Reads packed edits; `None` if they are malformed. They are not JSON, because writing and reading
/// that would take longer than applying a few edits.
///
/// A letter names the operation: `s` for `set_line`, `r` for `replace_lines`, `x` for `replace`,
/// `i` for `insert_after`, `-` for none of them. Its fields follow in the order of [`OmpEdit`]: a
/// text after its length in UTF-16 units and a colon, any other value as a letter.
///
/// ```
/// let edits = hashline_compat::omp::packed::edits(b"s4:1:565:hello-i4:2:bf~1:x").unwrap();
/// assert_eq!(edits.len(), 3);
/// ```
pub fn edits(text: &[u8]) -> Option<Vec<OmpEdit<'_>>> {
    let mut packed = Packed { ascii: text.is_ascii(), rest: text };
    // One packed edit has about forty bytes; growing the list later would copy every edit.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_and_kind_of_value_is_unpacked() {
        let text = |text: &'static [u8]| EditField::from(text);
        let packed = ["s4:1:565:a😀é".as_bytes(), b"\xed\xa0\x80-xr0:ftinaoiz~4:12:x"];
        let expected = [
            OmpEdit::SetLine {
                anchor: text(b"1:56"),
                new_text: text(b"a\xf0\x9f\x98\x80\xc3\xa9\xed\xa0\x80"),
            },
            OmpEdit::Nothing,
            OmpEdit::Replace,
            OmpEdit::ReplaceLines {
                start_anchor: text(b""),
                end_anchor: EditField::Falsy("a boolean"),
                new_text: EditField::Other("a boolean"),
            },
            OmpEdit::InsertAfter {
                anchor: EditField::Other("a number"),
                text: EditField::Other("an array"),
                content: EditField::Other("an object"),
            },
            OmpEdit::InsertAfter {
                anchor: EditField::Falsy("a number"),
                text: EditField::Absent,
                content: text(b"12:x"),
            },
        ];
        assert_eq!(edits(&packed.concat()).as_deref(), Some(&expected[..]));
    }

    #[test]
    fn malformed_edits_are_rejected() {
        for text in
            ["s", "s1:a", "s1:a2:b", "s1:a1", "q", "s-1:a1:b", "s99999999999999999999:", "sé"]
        {
            assert_eq!(edits(text.as_bytes()), None, "{text}");
        }
    }
}
