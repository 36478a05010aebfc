use super::*;
use crate::{Document, Ending, LineNumber, Span};
use proptest::prelude::*;

const LABELS: [&str; 12] = [
    "utf-8", "utf-16le", "utf-16be", "windows-1252", "windows-1251", "shift_jis", "euc-jp", "gbk",
    "gb18030", "big5", "euc-kr", "x-user-defined",
];

fn named(label: &str) -> Encoding {
    Encoding::named(label).unwrap()
}

#[track_caller]
fn check_detected(bytes: &[u8], name: &str) {
    assert_eq!(Encoding::detect(bytes, EncodingChoice::Auto).name(), name);
}

#[test]
fn the_mark_decides_then_utf8_then_few_bytes_then_the_guess() {
    check_detected(b"", "utf-8");
    check_detected(b"plain", "utf-8");
    check_detected("é".as_bytes(), "utf-8");
    check_detected(b"\xef\xbb\xbfa\xe9", "utf-8");
    check_detected(b"\xff\xfea\0", "utf-16le");
    check_detected(b"\xfe\xff\0a", "utf-16be");
    check_detected(b"caf\xe9", "windows-1252");
    check_detected(
        "é è \u{fffd} ".as_bytes().iter().chain(b"\xe9").copied().collect::<Vec<_>>().as_slice(),
        "utf-8",
    );
    check_detected(
        "é".as_bytes().iter().chain(b" \xe9").copied().collect::<Vec<_>>().as_slice(),
        "windows-1252",
    );
    let long = |label, text: &str| named(label).encode(&text.repeat(8)).unwrap();
    check_detected(&long("shift_jis", "これは日本語の文章です。"), "shift_jis");
    check_detected(&long("euc-jp", "これは日本語の文章です。"), "euc-jp");
    check_detected(&long("big5", "這是一個繁體中文的句子。"), "big5");
    check_detected(&long("gbk", "这是一个简体中文的句子。"), "gbk");
    check_detected(&long("euc-kr", "이것은 한국어 문장입니다."), "euc-kr");
    check_detected(&long("windows-1251", "Это предложение на русском языке. "), "windows-1251");
}

#[test]
fn only_the_first_64_kb_decide() {
    let mut bytes = vec![b'a'; HEAD];
    bytes.extend(b"\xe9");
    check_detected(&bytes, "utf-8");
    // A character that is cut off there does not count as damage.
    let text = format!("{}é", "a".repeat(HEAD - 1));
    check_detected(text.as_bytes(), "utf-8");
}

#[test]
fn a_default_applies_unless_utf8_and_a_fixed_encoding_always() {
    let (jis, latin) = (named("shift_jis"), named("latin1"));
    let detected = |bytes, choice| Encoding::detect(bytes, choice);
    assert_eq!(detected(b"\x82\xa0", EncodingChoice::Otherwise(jis)), jis);
    assert_eq!(detected("é".as_bytes(), EncodingChoice::Otherwise(jis)), Encoding::UTF_8);
    assert_eq!(detected("é".as_bytes(), EncodingChoice::Always(latin)), latin);
    assert_eq!(detected(b"\xff\xfea\0", EncodingChoice::Always(latin)).name(), "utf-16le");
}

#[test]
fn an_unusable_label_is_named_in_the_error() {
    for label in ["klingon", "iso-2022-jp", "hz-gb-2312", ""] {
        let error = Encoding::named(label).unwrap_err();
        assert!(error.to_string().contains(&format!("`{label}`")), "{error}");
    }
}

#[test]
fn text_that_would_be_decoded_differently_is_refused() {
    let held =
        |label, text| named(label).encode(text).map_err(|unheld| (unheld.character, unheld.before));
    assert_eq!(held("windows-1252", "5 €"), Ok(b"5 \x80".to_vec()));
    assert_eq!(held("windows-1252", "a日b"), Err(('日', 1)));
    // The bytes of these are decoded as a backslash and a tilde.
    assert_eq!(held("shift_jis", "1 ¥"), Err(('¥', 2)));
    assert_eq!(held("shift_jis", "‾"), Err(('‾', 0)));
    // With the undecodable first byte of a character, the letter would form another character.
    assert!(held("shift_jis", "\u{10ff81}A").is_err());
    assert_eq!(held("shift_jis", "\u{10ff81}"), Ok(b"\x81".to_vec()));
}

#[test]
fn the_end_of_a_cut_character_does_not_absorb_a_line() {
    let bytes = b"\xff\xfea\0\n\0b".to_vec();
    let document = Document::decode(bytes, EncodingChoice::Auto);
    assert_eq!(document.len(), 2);
    let splice = |at| crate::Splice { span: Span::after(at), lines: vec!["x".to_owned()] };
    assert!(document.splice_all(&[splice(2)]).is_err());
    let before = document.splice_all(&[splice(1)]).unwrap();
    assert_eq!(before.bytes(), b"\xff\xfea\0\n\0x\0\n\0b");
}

/// Lines in an encoding, mixed with bytes that are invalid in it.
fn any_bytes(encoding: Encoding) -> impl Strategy<Value = Vec<u8>> {
    let unit = move |text: &str| encoding.encode(text).unwrap_or_default();
    let known = move |text: String| -> Vec<u8> {
        text.chars().filter_map(|c| encoding.encode(&c.to_string()).ok()).flatten().collect()
    };
    let part = prop_oneof![
        4 => "[a-zé日ж€ \t]{0,6}".prop_map(known),
        2 => prop::collection::vec(any::<u8>(), 0..4),
        1 => prop::collection::vec(0x80..=0xff_u8, 1..3),
        2 => Just(unit("\n")),
        1 => Just(unit("\r\n")),
        1 => Just(unit("\r")),
        1 => Just(unit("\u{10ff41}")),
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn decoded_bytes_are_encoded_unchanged(
        (encoding, bytes) in prop::sample::select(&LABELS[..]).prop_flat_map(|label| {
            (Just(named(label)), any_bytes(named(label)))
        }),
    ) {
        let document = Document::decode(bytes.clone(), EncodingChoice::Always(encoding));
        prop_assert_eq!(document.bytes(), &bytes[..]);
        prop_assert_eq!(document.text(), document.encoding().decode(&bytes));
    }

    /// The law of this module: whatever the bytes are, and in whichever encoding they are decoded,
    /// an edit leaves every byte of the other lines unchanged.
    #[test]
    fn all_bytes_outside_the_edited_lines_stay(
        (encoding, bytes) in prop::sample::select(&LABELS[..]).prop_flat_map(|label| {
            (Just(named(label)), any_bytes(named(label)))
        }),
        auto: bool,
        picks: [prop::sample::Index; 2],
        new in prop::collection::vec("[a-cé日]{0,3}", 0..4),
    ) {
        let choice = if auto { EncodingChoice::Auto } else { EncodingChoice::Always(encoding) };
        let document = Document::decode(bytes.clone(), choice);
        let mut ends = picks.map(|pick| pick.index(document.len() + 1));
        ends.sort_unstable();
        let [start, end] = ends;
        let splice = crate::Splice { span: Span::between(start, end), lines: new.clone() };
        let Ok(edited) = document.splice_all(&[splice]) else { return Ok(()) };
        prop_assert!(edited.encoding() == document.encoding() || document.encoding() == Encoding::UTF_8);
        let encoded = |text: &str| document.encoding().encode(text).unwrap();
        // Where each line starts in the bytes.
        let starts = |document: &Document| {
            let mark = if document.has_bom() { encoded("\u{feff}").len() } else { 0 };
            document.encoding().line_starts(document.bytes(), mark)
        };
        let (old, now) = (starts(&document), starts(&edited));
        prop_assert_eq!(now.len(), edited.len() + 1);
        let tail = document.len() - end;
        // Lines next to the edit may get or lose an ending if they become or cease to be the last.
        let bare = |document: &Document, at: usize, starts: &[usize]| {
            let line = document.line(LineNumber::at(at)).unwrap();
            let ending = str::from_utf8(line.ending.bytes()).unwrap();
            let stop = starts[at + 1] - encoded(ending).len();
            (document.bytes()[starts[at]..stop].to_vec(), line.ending)
        };
        prop_assume!(edited.has_bom() == document.has_bom());
        for at in 0..start {
            let (one, other) = (bare(&document, at, &old), bare(&edited, at, &now));
            prop_assert_eq!(&one.0, &other.0);
            prop_assert!(one.1 == other.1 || one.1 == Ending::None || other.1 == Ending::None);
        }
        for back in 0..tail {
            let (one, other) = (bare(&document, document.len() - 1 - back, &old), bare(&edited, edited.len() - 1 - back, &now));
            prop_assert_eq!(one.0, other.0);
        }
        if start == 0 && !document.is_empty() {
            prop_assert_eq!(&document.bytes()[..old[0]], &edited.bytes()[..now[0]]);
        }
    }
}
