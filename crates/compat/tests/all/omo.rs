//! The engine of oh-my-opencode against its recorded cases.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use hashline_compat::omo::{self, NewText, OmoEdit, OmoLineRef, OmoOp, OmoRefusal, reference};
use hashline_text::LineNumber;

/// Runs every case of a file and prints how many there were.
fn check(file: &str, outcome: impl Fn(&Value) -> Value) {
    let cases = crate::vectors::load("omo", file);
    let mut run = 0;
    for case in &cases {
        let mut actual = outcome(case);
        // The original crashed there with an error of its JavaScript engine: any error will do.
        if case["cat"] == "oracle-crash" && actual["error"].is_object() {
            actual["error"] = json!({ "name": "TypeError" });
        }
        for (key, value) in actual.as_object().unwrap() {
            assert_eq!(value, &case[key], "{} {key}", case["id"]);
        }
        run += 1;
    }
    assert_eq!(run, cases.len());
    println!("omo/{file}: {run} cases");
}

fn text(bytes: &[u8]) -> Value {
    json!(str::from_utf8(bytes).unwrap())
}

fn bytes(value: &Value) -> &[u8] {
    value.as_str().unwrap().as_bytes()
}

fn list(value: &Value) -> Vec<&[u8]> {
    value.as_array().unwrap().iter().map(bytes).collect()
}

/// A result or a refusal, in the format of the cases.
fn outcome(result: Result<Value, OmoRefusal>) -> Value {
    let refusal = match result {
        Ok(value) => return json!({ "result": value, "error": null }),
        Err(refusal) => refusal,
    };
    let mut error = json!({ "name": "Error", "message": text(&refusal.message()) });
    let mismatches = refusal.mismatches();
    if !mismatches.is_empty() {
        let mut remaps = Map::new();
        for mismatch in mismatches {
            let anchor = |tag: &str| format!("{}#{tag}", mismatch.line);
            remaps.insert(anchor(&mismatch.expected), json!(anchor(&mismatch.actual)));
        }
        error["name"] = json!("HashlineMismatchError");
        error["mismatches"] = mismatches
            .iter()
            .map(|it| json!({ "line": it.line.get(), "expected": it.expected }))
            .collect();
        error["remaps"] = remaps.into();
    }
    json!({ "result": null, "error": error })
}

#[test]
fn applying_gives_the_recorded_texts_and_refusals() {
    check("apply", |case| {
        let edits = omo::json::edits(case["edits"].to_string().as_bytes()).unwrap();
        outcome(omo::apply(bytes(&case["content"]), &edits).map(|applied| {
            json!({
                "content": text(&applied.content),
                "noopEdits": applied.noop_edits,
                "deduplicatedEdits": applied.deduplicated_edits,
            })
        }))
    });
}

#[test]
fn normalizing_gives_the_recorded_edits() {
    check("normalize", |case| {
        let raw = omo::json::raw_edits(case["raw"].to_string().as_bytes()).unwrap();
        outcome(omo::normalize(raw).map(|edits| edits.iter().map(edit_json).collect()))
    });
}

fn edit_json(edit: &OmoEdit) -> Value {
    let mut fields = json!({ "op": edit.op.name() });
    fields["lines"] = match &edit.lines {
        NewText::Text(lines) => text(lines),
        NewText::List(lines) => lines.iter().map(|line| text(line)).collect(),
    };
    for (name, anchor) in [("pos", &edit.pos), ("end", &edit.end)] {
        if let Some(anchor) = anchor {
            fields[name] = text(anchor);
        }
    }
    fields
}

#[test]
fn references_are_read_as_recorded() {
    check("parse", |case| {
        let given = bytes(&case["ref"]);
        let mut actual = outcome(OmoLineRef::parse(given).map(|reference| {
            if case["result"]["lineText"].is_string() {
                json!({ "lineText": reference.shown(), "hash": reference.tag })
            } else {
                json!({ "line": reference.line, "hash": reference.tag })
            }
        }));
        actual["normalized"] = text(&reference::normalize(given));
        actual
    });
}

#[test]
fn references_are_validated_as_recorded() {
    check("validate", |case| {
        let refs = list(&case["refs"]);
        outcome(omo::validate(&list(&case["lines"]), &refs).map(|()| json!("ok")))
    });
}

#[test]
fn texts_are_formatted_as_recorded() {
    check("format", |case| {
        let content = bytes(&case["content"]);
        json!({
            "formatHashLines": text(&omo::format_lines(content)),
            "toHashlineContent": text(&omo::to_content(content)),
        })
    });
}

#[test]
fn files_are_canonicalized_and_restored_as_recorded() {
    check("file-text", |case| {
        let envelope = omo::canonicalize(bytes(&case["content"]));
        let restored = omo::restore(&envelope.content, envelope.had_bom, envelope.is_crlf);
        json!({
            "envelope": {
                "content": text(&envelope.content),
                "hadBom": envelope.had_bom,
                "lineEnding": if envelope.is_crlf { "\r\n" } else { "\n" },
            },
            "restored": text(&restored),
        })
    });
}

#[test]
fn lines_have_both_recorded_tags() {
    let cases = crate::vectors::load("schemes", "cid2");
    for case in &cases {
        let number = usize::try_from(case["lineNumber"].as_u64().unwrap()).unwrap();
        let number = LineNumber::new(number).unwrap();
        let line = bytes(&case["line"]);
        assert_eq!(omo::line_tag(number, line).as_str(), case["hash"], "{}", case["id"]);
        assert_eq!(omo::legacy_tag(number, line).as_str(), case["legacy"], "{}", case["id"]);
    }
    println!("schemes/cid2: {} cases", cases.len());
}

#[test]
fn the_codes_are_those_that_typescript_declares() {
    let types = include_str!("../../../../js/compat/omo.d.ts");
    let (_, rest) = types.split_once("export type HashlineRefusalCode =").unwrap();
    let (union, _) = rest.split_once(';').unwrap();
    let declared: Vec<&str> = union.split('"').skip(1).step_by(2).collect();
    assert_eq!(declared, omo::OmoRefusalCode::ALL.map(omo::OmoRefusalCode::as_str));
}

#[test]
fn half_a_surrogate_pair_survives() {
    let json = br#"[{"op":"append","lines":"\ud83d"}]"#;
    let edits = omo::json::edits(json).unwrap();
    let applied = omo::apply(b"a", &edits).unwrap();
    assert_eq!(applied.content, b"a\n\xed\xa0\xbd");
}

/// Text that is likely to trigger a correction: few letters, operators, endings, prefixes.
fn any_line() -> impl Strategy<Value = Vec<u8>> {
    proptest::string::string_regex(
        "(  |\t)?(1#ZP\\||\\+|>>> )?([ab]|\\|\\||\\?|&|; |;|=|\r| |\u{e9}){0,9}",
    )
    .unwrap()
    .prop_map(String::into_bytes)
}

fn any_content() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(any_line(), 1..7)
}

/// An edit: operation, first line, last line, new lines, and whether it is a range or has an
/// anchor.
fn any_edit() -> impl Strategy<Value = (usize, usize, usize, Vec<Vec<u8>>, bool)> {
    (0..3_usize, 0..7_usize, 0..7_usize, prop::collection::vec(any_line(), 0..5), any::<bool>())
}

fn reference_to(lines: &[Vec<u8>], index: usize) -> Vec<u8> {
    let index = index % lines.len();
    let number = LineNumber::at(index);
    format!("{number}#{}", omo::line_tag(number, &lines[index])).into_bytes()
}

proptest! {
    #[test]
    fn no_edit_makes_the_engine_panic(
        lines in any_content(),
        picks in prop::collection::vec(any_edit(), 0..5),
    ) {
        let edits: Vec<OmoEdit> = picks.into_iter().map(|(op, first, last, new, ranged)| {
            let op = [OmoOp::Replace, OmoOp::Append, OmoOp::Prepend][op];
            OmoEdit {
                op,
                pos: (op == OmoOp::Replace || ranged).then(|| reference_to(&lines, first)),
                end: (op == OmoOp::Replace && ranged).then(|| reference_to(&lines, last)),
                lines: NewText::List(new),
            }
        }).collect();
        let content = lines.join(&b'\n');
        if let Ok(applied) = omo::apply(&content, &edits) {
            prop_assert!(applied.noop_edits + applied.deduplicated_edits <= edits.len());
        }
    }

    #[test]
    fn no_reference_makes_the_engine_panic(given: Vec<u8>, lines in any_content()) {
        let _ = omo::validate(&lines, &[&given]);
        let normal = reference::normalize(&given);
        prop_assert_eq!(reference::normalize(&normal), normal);
    }

    #[test]
    fn no_json_makes_the_reader_panic(json: Vec<u8>) {
        let _ = omo::json::edits(&json);
        let _ = omo::json::raw_edits(&json);
    }

    #[test]
    fn a_printed_reference_is_valid(lines in any_content(), pick: prop::sample::Index) {
        let reference = reference_to(&lines, pick.index(lines.len()));
        prop_assert_eq!(omo::validate(&lines, &[&reference]), Ok(()));
    }

    #[test]
    fn replacing_a_line_by_itself_is_a_noop(lines in any_content(), pick: prop::sample::Index) {
        let index = pick.index(lines.len());
        // The engine would remove a prefix from the new line.
        prop_assume!(!lines[index].contains(&b'#') && !lines[index].starts_with(b"+"));
        let edit = OmoEdit {
            op: OmoOp::Replace,
            pos: Some(reference_to(&lines, index)),
            end: None,
            lines: NewText::List(vec![lines[index].clone()]),
        };
        let content = lines.join(&b'\n');
        prop_assume!(!content.is_empty());
        let applied = omo::apply(&content, &[edit]).unwrap();
        prop_assert_eq!((applied.content, applied.noop_edits), (content, 1));
    }

    #[test]
    fn text_with_one_kind_of_ending_comes_back(
        lines in prop::collection::vec("[a-c]{0,3}", 0..6),
        had_bom: bool,
        is_crlf: bool,
    ) {
        let ending = if is_crlf { "\r\n" } else { "\n" };
        let text = format!("{}{}", if had_bom { "\u{feff}" } else { "" }, lines.join(ending));
        let envelope = omo::canonicalize(text.as_bytes());
        let restored = omo::restore(&envelope.content, envelope.had_bom, envelope.is_crlf);
        prop_assert_eq!(restored, text.as_bytes());
    }
}
