//! Unicode general categories, and the only module that uses the crate `unicode-general-category`.

use unicode_general_category::{GeneralCategory as Category, get_general_category};

/// Whether a character is a letter or a number: JavaScript's `[\p{L}\p{N}]`.
///
/// `char::is_alphabetic` includes more: circled letters and vowel signs are alphabetic, but not
/// letters.
pub(crate) fn is_letter_or_number(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    matches!(
        get_general_category(c),
        Category::UppercaseLetter
            | Category::LowercaseLetter
            | Category::TitlecaseLetter
            | Category::ModifierLetter
            | Category::OtherLetter
            | Category::DecimalNumber
            | Category::LetterNumber
            | Category::OtherNumber
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alphabetic_characters_are_not_always_letters() {
        assert!(is_letter_or_number('é') && is_letter_or_number('½'));
        assert!('Ⓐ'.is_alphabetic() && !is_letter_or_number('Ⓐ'));
        assert!(!is_letter_or_number('}'));
    }
}
