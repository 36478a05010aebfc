//! The engine of oh-my-pi against the recorded results of the original.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use hashline_compat::omp::edit::{EditField, OmpEdit};
use hashline_compat::omp::reference::{OmpLineRef, parse_line_ref};
use hashline_compat::omp::stream::{ByteLister, LineLister, StreamOptions};
use hashline_compat::omp::{self, OmpMismatch, OmpRefusal, format};

/// Runs `check` on every case of a file and prints how many there were.
fn each(file: &str, count: usize, check: impl Fn(&Value)) {
    let cases = crate::vectors::load("omp-v1", file);
    for case in &cases {
        check(case);
    }
    println!("omp-v1/{file}: {} cases", cases.len());
    assert_eq!(cases.len(), count, "{file} has all its cases");
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn utf8(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("the vectors hold no lone surrogates")
}

fn hex(hash: u8) -> String {
    format!("{hash:02x}")
}

/// The refusal in the format of the test vectors.
fn error(refusal: &OmpRefusal, lines: &[&str]) -> Value {
    let mut out = json!({ "name": refusal.name() });
    match refusal {
        OmpRefusal::Error(message) => out["message"] = utf8(message.clone()).into(),
        OmpRefusal::Type(message) => out["message"] = message.clone().into(),
        OmpRefusal::Mismatch(mismatches) => {
            let report = report(mismatches, lines);
            out["message"] = utf8(report.message).into();
            out["mismatches"] = mismatches.iter().map(mismatch).collect();
            let remaps = report.remaps.into_iter();
            out["remaps"] = remaps
                .map(|(stale, fresh)| (utf8(stale), utf8(fresh).into()))
                .collect::<Map<_, Value>>()
                .into();
        }
    }
    out
}

fn report(mismatches: &[OmpMismatch], lines: &[&str]) -> omp::MismatchReport {
    let stale: Vec<_> =
        mismatches.iter().map(|mismatch| (mismatch.line, &mismatch.expected[..])).collect();
    let shown: BTreeMap<usize, Vec<u8>> =
        omp::shown_lines(mismatches.iter().map(|m| m.line), lines.len())
            .into_iter()
            .map(|number| (number, lines[number - 1].into()))
            .collect();
    omp::report(&stale, &shown)
}

fn mismatch(mismatch: &OmpMismatch) -> Value {
    json!({
        "line": mismatch.line,
        "expected": utf8(mismatch.expected.clone()),
        "actual": utf8(mismatch.actual.to_vec()),
    })
}

#[test]
fn hashes_are_the_recorded_ones() {
    each("hash", 1820, |case| {
        let hash = format::line_hash(text(&case["line"]).as_bytes());
        assert_eq!(hex(hash), case["hash"], "{}", case["id"]);
    });
}

#[test]
fn lone_surrogates_hash_as_replacement_characters() {
    each("hash-lone-surrogates", 8, |case| {
        let units: Vec<u16> = serde_json::from_value(case["utf16"].clone()).unwrap();
        let hash = format::line_hash(&hashline_text::kernel::wtf8::from_utf16(&units));
        assert_eq!(hex(hash), case["hash"], "{}", case["id"]);
    });
}

#[test]
fn listings_are_the_recorded_ones() {
    each("format", 126, |case| {
        let start = case["startLine"].as_f64().unwrap_or(1.0);
        let out = format::format_hash_lines(text(&case["content"]).as_bytes(), start);
        assert_eq!(utf8(out), case["output"], "{}", case["id"]);
    });
}

#[test]
fn references_parse_as_recorded() {
    each("parse", 293, |case| {
        let found = match parse_line_ref(text(&case["ref"]).as_bytes()) {
            Ok(OmpLineRef { line, hash }) => {
                let printed = omp::js_number(line);
                let hash = utf8(hash.to_vec());
                match case["result"].get("lineText") {
                    Some(_) => json!({ "result": { "lineText": printed, "hash": hash } }),
                    None => json!({ "result": { "line": number(&printed), "hash": hash } }),
                }
            }
            Err(refusal) => json!({ "error": error(&refusal, &[]) }),
        };
        assert_eq!(found, outcome(case), "{}", case["id"]);
    });
}

fn number(printed: &str) -> Value {
    serde_json::from_str(printed).expect("a number")
}

/// The expected outcome of a case.
fn outcome(case: &Value) -> Value {
    let parts = ["result", "error"].into_iter();
    parts
        .filter_map(|part| Some((part.to_owned(), case.get(part)?.clone())))
        .collect::<Map<_, _>>()
        .into()
}

#[test]
fn references_are_validated_as_recorded() {
    each("validate", 178, |case| {
        let lines: Vec<&str> = case["lines"].as_array().unwrap().iter().map(text).collect();
        let reference = OmpLineRef {
            line: case["ref"]["line"].as_f64().unwrap(),
            hash: text(&case["ref"]["hash"]).as_bytes(),
        };
        let at = case["ref"]["line"].as_u64().unwrap_or(0).checked_sub(1);
        let line = at.and_then(|at| lines.get(usize::try_from(at).unwrap()));
        let line = line.map(|line| line.as_bytes());
        let found = match omp::validate_line_ref(reference, line, lines.len()) {
            Ok(()) => json!({ "result": "ok" }),
            Err(refusal) => json!({ "error": error(&refusal, &lines) }),
        };
        assert_eq!(found, outcome(case), "{}", case["id"]);
    });
}

/// An edit as `js/compat/hashline.js` reads it: the first operation that is named counts.
fn edit(edit: &Value) -> OmpEdit<'_> {
    if let Some(values) = edit.get("set_line") {
        OmpEdit::SetLine { anchor: field(values, "anchor"), new_text: field(values, "new_text") }
    } else if let Some(values) = edit.get("replace_lines") {
        OmpEdit::ReplaceLines {
            start_anchor: field(values, "start_anchor"),
            end_anchor: field(values, "end_anchor"),
            new_text: field(values, "new_text"),
        }
    } else if edit.get("replace").is_some() {
        OmpEdit::Replace
    } else if let Some(values) = edit.get("insert_after") {
        OmpEdit::InsertAfter {
            anchor: field(values, "anchor"),
            text: field(values, "text"),
            content: field(values, "content"),
        }
    } else {
        OmpEdit::Nothing
    }
}

fn field<'a>(values: &'a Value, name: &str) -> EditField<'a> {
    match values.get(name) {
        None | Some(Value::Null) => EditField::Absent,
        Some(Value::String(text)) => EditField::from(text.as_bytes()),
        Some(Value::Bool(false)) => EditField::Falsy("a boolean"),
        Some(Value::Bool(true)) => EditField::Other("a boolean"),
        Some(Value::Number(number)) if number.as_f64() == Some(0.0) => EditField::Falsy("a number"),
        Some(Value::Number(_)) => EditField::Other("a number"),
        Some(Value::Array(_)) => EditField::Other("an array"),
        Some(Value::Object(_)) => EditField::Other("an object"),
    }
}

/// Applies the edits of a case and returns the outcome in the format of the test vectors.
fn apply(case: &Value) -> Value {
    let content = text(&case["content"]);
    let edits: Vec<OmpEdit> = case["edits"].as_array().unwrap().iter().map(edit).collect();
    match omp::apply(content.as_bytes(), &edits) {
        Err(refusal) => {
            let lines: Vec<&str> = content.split('\n').collect();
            json!({ "error": error(&refusal, &lines) })
        }
        Ok(applied) => {
            let new = applied.content.map_or(content.to_owned(), utf8);
            let mut result = json!({
                "content": new,
                "firstChangedLine": applied.first_changed_line,
            });
            if !applied.warnings.is_empty() {
                result["warnings"] = json!(applied.warnings);
            }
            if !applied.noop_edits.is_empty() {
                let noops = applied.noop_edits.into_iter();
                result["noopEdits"] = noops
                    .map(|noop| {
                        json!({
                            "editIndex": noop.edit_index,
                            "loc": utf8(noop.loc),
                            "currentContent": utf8(noop.current_content),
                        })
                    })
                    .collect();
            }
            json!({ "result": result })
        }
    }
}

#[test]
fn edits_do_what_is_recorded() {
    each("apply", 3583, |case| {
        assert_eq!(apply(case), outcome(case), "{}", case["id"]);
    });
}

#[test]
fn malformed_edits_are_refused() {
    each("apply-malformed", 13, |case| {
        let found = apply(case);
        assert_eq!(found["error"]["name"], case["error"]["name"], "{}", case["id"]);
    });
}

#[test]
fn streams_give_the_recorded_chunks() {
    each("stream", 182, |case| {
        let option = |name: &str| case["options"][name].as_f64();
        let default = StreamOptions::default();
        let options = StreamOptions {
            start_line: option("startLine").unwrap_or(default.start_line),
            max_chunk_lines: option("maxChunkLines").unwrap_or(default.max_chunk_lines),
            max_chunk_bytes: option("maxChunkBytes").unwrap_or(default.max_chunk_bytes),
        };
        let mut chunks = Vec::new();
        if case["kind"] == "utf8" {
            let mut lister = ByteLister::new(options);
            for chunk in case["chunks"].as_array().unwrap() {
                chunks.extend(lister.push(&base64(text(chunk))).unwrap());
            }
            chunks.extend(lister.finish());
        } else {
            let mut lister = LineLister::new(options);
            for line in case["lines"].as_array().unwrap() {
                chunks.extend(lister.push(text(line).as_bytes()));
            }
            chunks.extend(lister.finish());
        }
        let chunks: Vec<String> = chunks.into_iter().map(utf8).collect();
        assert_eq!(json!(chunks), case["expected"], "{}", case["id"]);
    });
}

fn base64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut out = Vec::new();
    let (mut bits, mut held) = (0_u32, 0);
    for c in text.bytes().take_while(|c| *c != b'=') {
        bits = bits << 6 | u32::from(digit(c));
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held).to_le_bytes()[0]);
        }
    }
    out
}
