use proptest::prelude::*;

use super::*;

fn contents(text: &str) -> Vec<String> {
    Document::from_text(text).lines().map(|line| line.content.to_owned()).collect()
}

fn check(before: &str, span: Span, lines: &[&str], after: &str) {
    let edited = Document::from_text(before).splice(span, lines);
    assert_eq!(str::from_utf8(edited.bytes()).unwrap(), after, "before: {before:?}");
    assert_eq!(edited, Document::from_text(after), "the line table must match the text");
}

fn lines(first: usize, last: usize) -> Span {
    Span::lines(LineNumber::new(first).unwrap(), LineNumber::new(last).unwrap()).unwrap()
}

#[test]
fn a_final_newline_starts_no_line() {
    assert_eq!(contents(""), [""; 0]);
    assert_eq!(contents("\n"), [""]);
    assert_eq!(contents("a"), ["a"]);
    assert_eq!(contents("a\n"), ["a"]);
    assert_eq!(contents("a\n\n"), ["a", ""]);
}

#[test]
fn a_lone_carriage_return_is_content() {
    assert_eq!(contents("a\rb\r\r\nc\r"), ["a\rb\r", "c\r"]);
}

#[test]
fn a_byte_order_mark_belongs_to_no_line() {
    let document = Document::from_bytes(b"\xef\xbb\xbfa\n".as_slice()).unwrap();
    assert!(document.has_bom());
    assert_eq!(document.content(LineNumber::FIRST), Some("a"));
    assert_eq!(contents("\u{feff}"), [""; 0]);
    check("\u{feff}a\n", lines(1, 1), &["b"], "\u{feff}b\n");
    check("\u{feff}", Span::after(0), &["b"], "\u{feff}b\n");
}

#[test]
fn the_offset_of_invalid_utf8_is_reported() {
    assert_eq!(Document::from_bytes(b"ab\xff".as_slice()), Err(NotText { offset: 2 }));
}

#[test]
fn new_lines_get_the_ending_of_the_line_they_replace() {
    check("a\r\nb\nc\r\n", lines(1, 3), &["x", "y", "z"], "x\r\ny\nz\r\n");
    check("a\nb\r\nc\n", lines(2, 2), &["x", "y"], "a\nx\r\ny\r\nc\n");
    check("a\r\nb\n", Span::after(1), &["x"], "a\r\nx\r\nb\n");
}

#[test]
fn a_line_inserted_before_the_first_gets_its_ending() {
    check("a\r\nb\n", Span::after(0), &["x"], "x\r\na\r\nb\n");
}

#[test]
fn a_missing_final_newline_stays_missing() {
    check("a\nb", lines(2, 2), &["x"], "a\nx");
    check("a\nb", lines(2, 2), &["x", "y"], "a\nx\ny");
    check("a\nb", Span::after(2), &["x"], "a\nb\nx");
    check("a\nb", lines(2, 2), &[], "a");
    check("a\r\nb", Span::after(2), &["x"], "a\r\nb\r\nx");
    check("a", Span::after(1), &["x"], "a\nx");
}

#[test]
fn an_empty_last_line_is_kept_by_giving_it_an_ending() {
    check("a", Span::after(1), &[""], "a\n\n");
    check("a\r\n\r\nb", lines(3, 3), &[], "a\r\n\r\n");
}

#[test]
fn a_carriage_return_at_the_end_of_the_file_stays_content() {
    check("a\nb\r", Span::after(2), &["x"], "a\nb\r\r\nx");
}

#[test]
fn a_final_newline_remains() {
    check("a\nb\n", lines(2, 2), &[], "a\n");
    check("a\nb\n", Span::after(2), &["x"], "a\nb\nx\n");
    check("a\n", lines(1, 1), &[], "");
    check("", Span::after(0), &["x"], "x\n");
}

#[test]
fn several_splices_use_the_old_numbers() {
    let splice = |span, lines: &[&str]| Splice {
        span,
        lines: lines.iter().map(|line| (*line).to_owned()).collect(),
    };
    let before = Document::from_text("a\nb\nc\nd\n");
    let after = before
        .splice_all(&[
            splice(Span::after(0), &["0"]),
            splice(lines(2, 3), &["x"]),
            splice(Span::after(3), &["y", "z"]),
            splice(lines(4, 4), &[]),
        ])
        .unwrap();
    assert_eq!(after.bytes(), b"0\na\nx\ny\nz\n");
}

/// Text with many line ends of every kind.
fn any_text() -> impl Strategy<Value = String> {
    proptest::string::string_regex("\u{feff}?([a-c]|\r|\n|\r\n|\u{feff}|é| ){0,40}")
        .expect("the pattern is valid")
}

proptest! {
    #[test]
    fn bytes_to_document_to_bytes_is_identity(text in any_text()) {
        let document = Document::from_bytes(text.clone().into_bytes()).unwrap();
        prop_assert_eq!(document.bytes(), text.as_bytes());
        let mut again = String::from(if document.has_bom() { "\u{feff}" } else { "" });
        for line in document.lines() {
            again.push_str(line.content);
            again.push_str(str::from_utf8(line.ending.bytes()).unwrap());
        }
        prop_assert_eq!(again, text);
    }

    #[test]
    fn digests_need_no_document(text in any_text(), wrong in prop::option::of(0x80..=0xff_u8)) {
        let mut bytes = text.into_bytes();
        bytes.extend(wrong);
        let documents = Document::from_bytes(bytes.clone()).map(|document| document.digests());
        prop_assert_eq!(digests(&bytes), documents);
    }

    #[test]
    fn any_bytes_are_kept_or_refused(bytes: Vec<u8>) {
        match Document::from_bytes(bytes.clone()) {
            Ok(document) => prop_assert_eq!(document.into_memory(), bytes),
            Err(error) => prop_assert!(str::from_utf8(&bytes[..error.offset]).is_ok()),
        }
    }

    #[test]
    fn replacing_a_line_by_itself_changes_nothing(text in any_text(), pick: prop::sample::Index) {
        let document = Document::from_text(text);
        prop_assume!(!document.is_empty());
        let number = LineNumber::at(pick.index(document.len()));
        let content = document.content(number).unwrap();
        prop_assert_eq!(document.splice(Span::line(number), &[content]), document);
    }

    #[test]
    fn lines_outside_the_span_keep_their_bytes(
        text in any_text(),
        picks: [prop::sample::Index; 2],
        new in prop::collection::vec("[x-z]{0,3}", 0..4),
    ) {
        let document = Document::from_text(text);
        let mut ends = picks.map(|pick| pick.index(document.len() + 1));
        ends.sort_unstable();
        let [start, end] = ends;
        let new: Vec<&str> = new.iter().map(String::as_str).collect();
        let edited = document.splice(Span::between(start, end), &new);
        // If a line that begins with U+FEFF has become the first, its U+FEFF is now a byte order
        // mark.
        prop_assume!(edited.has_bom() == document.has_bom());
        prop_assert_eq!(edited.len(), start + new.len() + document.len() - end);
        let ends_open = |d: &Document| d.lines().next_back().is_some_and(|l| l.ending == Ending::None);
        if edited.lines().next_back().is_some_and(|line| !line.content.is_empty()) {
            prop_assert_eq!(ends_open(&edited), ends_open(&document));
        }
        // Only a line that becomes or ceases to be the last may change its ending.
        let outside = document.lines().take(start).zip(edited.lines().take(start)).chain(
            document.lines().skip(end).zip(edited.lines().skip(start + new.len())));
        for (old, now) in outside {
            prop_assert_eq!(old.content, now.content);
            // ... and a line whose content ends in a carriage return, which needs CRLF.
            if old.ending != Ending::None && now.ending != Ending::None {
                prop_assert_eq!(old.ending, now.ending);
            }
        }
    }
}
