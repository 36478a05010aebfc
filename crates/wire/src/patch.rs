//! Patches as JSON.
//!
//! Local models send a list as a string that holds the list, sometimes with a fence around it or
//! with raw newlines inside. This module parses such strings where operations are expected;
//! `dialect` reads what the operations mean.

use serde_json::Value;

use super::requests::json_problem;
use super::{BadPatch, dialect, loose_json};
use hashline_core::patch::Patch;
use hashline_core::session::Session;

/// Reads a request in any accepted spelling.
///
/// ```
/// let request = serde_json::json!({"patch": "[{\"op\": \"delete_file\", \"path\": \"a.txt\"}]"});
/// let patch = hashline_wire::patch::read(&request)?;
/// assert_eq!(patch.ops[0].path, "a.txt");
/// # Ok::<(), hashline_wire::BadPatch>(())
/// ```
pub fn read(request: &Value) -> Result<Patch, BadPatch> {
    dialect::read(&parsed(request)?, None)
}

/// Reads a request from its text.
pub fn read_text(request: &str) -> Result<Patch, BadPatch> {
    read_assuming(request, None)
}

/// Reads a request from its text; operations that name no file are for the only file that `session`
/// showed, and the patch says so.
pub fn read_here(request: &str, session: &Session) -> Result<Patch, BadPatch> {
    read_assuming(request, session.only_file_shown().as_deref())
}

fn read_assuming(request: &str, shown: Option<&str>) -> Result<Patch, BadPatch> {
    dialect::read(&parsed(&Value::String(request.to_owned()))?, shown)
}

/// Reads a request from its text; `path` is the file of operations that name none.
///
/// ```
/// let request = r#"[{"op": "delete", "anchor": "2:ab"}]"#;
/// let patch = hashline_wire::patch::read_for(request, Some("a.txt"))?;
/// assert_eq!(patch.ops[0].path, "a.txt");
/// # Ok::<(), hashline_wire::BadPatch>(())
/// ```
pub fn read_for(request: &str, path: Option<&str>) -> Result<Patch, BadPatch> {
    let request = parsed(&Value::String(request.to_owned()))?;
    let request = match path {
        Some(path) => serde_json::json!({ "path": path, "patch": [request] }),
        None => request,
    };
    dialect::read(&request, None)
}

/// The request with the JSON in its strings parsed, where operations are expected.
fn parsed(json: &Value) -> Result<Value, BadPatch> {
    match json {
        Value::String(text) if dialect::is_begin_patch(text) => Ok(json.clone()),
        // A string in a string is parsed in its turn. Quotes and escapes make each shorter, which
        // bounds the depth.
        Value::String(text) => parsed(&open(text)?),
        Value::Array(items) => items.iter().map(parsed).collect::<Result<_, _>>().map(Value::Array),
        Value::Object(entries) => {
            let entry = |(key, value): (&String, &Value)| {
                let holds_operations = dialect::LISTS.contains(&key.as_str());
                let value = if holds_operations { parsed(value)? } else { value.clone() };
                Ok((key.clone(), value))
            };
            entries.iter().map(entry).collect::<Result<_, _>>().map(Value::Object)
        }
        other => Ok(other.clone()),
    }
}

/// The JSON in a string.
fn open(text: &str) -> Result<Value, BadPatch> {
    loose_json::read(text).map_err(|error| {
        let problem = json_problem("the string", text.trim(), &error);
        dialect::bad_request(&format!("a list of operations was expected; {problem}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_core::patch::{Change, Op, Spot};
    use serde_json::json;

    fn one(request: &Value) -> Op {
        let patch = read(request).unwrap_or_else(|error| panic!("{request}: {error}"));
        assert_eq!(patch.ops.len(), 1, "{request}");
        let again = crate::call::in_one_shape(&patch);
        assert_eq!(read(&again), Ok(patch.clone()), "{request} as {again}");
        patch.ops[0].clone()
    }

    fn lines(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    fn set(anchor: &str, texts: &[&str]) -> Change {
        Change::SetLine { anchor: anchor.parse().unwrap(), lines: lines(texts) }
    }

    fn range(start: &str, end: &str, texts: &[&str]) -> Change {
        Change::ReplaceRange {
            start: start.parse().unwrap(),
            end: end.parse().unwrap(),
            lines: lines(texts),
        }
    }

    fn check(request: &Value, change: &Change) {
        let op = one(request);
        assert_eq!(&op.change, change, "{request}");
        assert_eq!(op.path, "f", "{request}");
    }

    fn refuse(request: &Value, op: Option<usize>, field: &str) {
        let error = read(request).expect_err(&request.to_string());
        assert_eq!((error.op, error.field.as_deref().unwrap_or_default()), (op, field), "{error}");
        assert!(
            error.to_string().contains("{\"op\"") || error.to_string().contains("{\"patch\""),
            "{error}"
        );
    }

    #[test]
    fn every_operation_has_our_spelling() {
        check(
            &json!({"patch": [{"op": "set_line", "path": "f", "anchor": "2:ab", "text": "x\n"}]}),
            &set("2:ab", &["x"]),
        );
        check(
            &json!({"patch": [{"op": "set_line", "path": "f", "anchor": "2:ab", "text": ""}]}),
            &set("2:ab", &[]),
        );
        check(
            &json!({"patch": [{"op": "set_line", "path": "f", "anchor": "2:ab", "text": "\n"}]}),
            &set("2:ab", &[""]),
        );
        check(
            &json!({"patch": [{"op": "replace_range", "path": "f", "start_anchor": "2:ab", "end_anchor": "4:cd", "text": "x\r\ny"}]}),
            &range("2:ab", "4:cd", &["x", "y"]),
        );
        let insert = |at, texts: &[&str]| Change::Insert { at, lines: lines(texts) };
        let anchor = || "2:ab".parse().unwrap();
        check(
            &json!({"patch": [{"op": "insert_after", "path": "f", "anchor": "2:ab", "text": "x"}]}),
            &insert(Spot::After(anchor()), &["x"]),
        );
        check(
            &json!({"patch": [{"op": "insert_before", "path": "f", "anchor": "2:ab", "text": ""}]}),
            &insert(Spot::Before(anchor()), &[""]),
        );
        check(
            &json!({"patch": [{"op": "insert_after", "path": "f", "anchor": "end", "text": "\n"}]}),
            &insert(Spot::End, &[""]),
        );
        check(
            &json!({"patch": [{"op": "insert_before", "path": "f", "anchor": "start", "text": "x"}]}),
            &insert(Spot::Start, &["x"]),
        );
        check(
            &json!({"patch": [{"op": "delete", "path": "f", "anchor": "2:ab"}]}),
            &Change::Delete { start: anchor(), end: None },
        );
        check(
            &json!({"patch": [{"op": "delete", "path": "f", "start_anchor": "2:ab", "end_anchor": "2:ab"}]}),
            &Change::Delete { start: anchor(), end: Some(anchor()) },
        );
        check(
            &json!({"patch": [{"op": "replace", "path": "f", "old_text": "a", "new_text": "b", "all": true}]}),
            &Change::Replace { old: "a".into(), new: "b".into(), all: true, within: None },
        );
        check(
            &json!({"patch": [{"op": "add_file", "path": "f", "content": "x\n"}]}),
            &Change::AddFile { content: "x\n".into(), overwrite: false },
        );
        check(
            &json!({"patch": [{"op": "move_file", "from": "f", "to": "g"}]}),
            &Change::MoveFile { to: "g".into() },
        );
        check(&json!({"patch": [{"op": "delete_file", "path": "f"}]}), &Change::DeleteFile);
    }

    #[test]
    fn the_list_may_be_wrapped_in_many_ways() {
        let op = json!({"op": "set_line", "path": "f", "anchor": "2:ab", "text": "x"});
        let text = json!([op]).to_string();
        for request in [
            json!([op]),
            op.clone(),
            json!({"patch": op}),
            json!({"patch": text}),
            json!(text),
            json!({"patch": [op.to_string()]}),
            json!({"patch": {"ops": [op]}}),
            json!({"edits": [op]}),
            json!({"operations": [op]}),
            json!({"ops": [op]}),
            json!(format!("```json\n{text}\n```")),
            json!(json!(text).to_string()),
            json!({"patch": [{"op": "set_line", "anchor": "2:ab", "text": "x"}], "path": "f"}),
            json!({"edits": [{"type": "setLine", "filePath": "f", "anchor": "2:ab", "newText": "x", "reason": "why"}]}),
        ] {
            check(&request, &set("2:ab", &["x"]));
        }
        let raw =
            "[{\"op\": \"set_line\", \"path\": \"f\", \"anchor\": \"2:ab\", \"text\": \"x\n\ty\"}]";
        check(&json!({"patch": raw}), &set("2:ab", &["x", "\ty"]));
    }

    #[test]
    fn oh_my_pi_s_spelling_is_read() {
        check(
            &json!({"path": "f", "edits": [{"set_line": {"anchor": "2:ab", "new_text": "x"}}]}),
            &set("2:ab", &["x"]),
        );
        check(
            &json!({"path": "f", "edits": [{"set_line": {"anchor": "2:ab"}}]}),
            &set("2:ab", &[]),
        );
        check(
            &json!({"path": "f", "edits": [{"replace_lines": {"start_anchor": "2:ab", "end_anchor": "4:cd", "new_text": "x"}}]}),
            &range("2:ab", "4:cd", &["x"]),
        );
        check(
            &json!({"path": "f", "edits": [{"replace_lines": {"start_anchor": "2:ab", "new_text": null}}]}),
            &set("2:ab", &[]),
        );
        check(
            &json!({"path": "f", "edits": [{"insert_after": {"anchor": "2:ab", "text": "x"}}]}),
            &Change::Insert { at: Spot::After("2:ab".parse().unwrap()), lines: lines(&["x"]) },
        );
        check(
            &json!([{"path": "f", "replace": {"old_text": "a", "new_text": "b"}}]),
            &Change::Replace { old: "a".into(), new: "b".into(), all: false, within: None },
        );
    }

    #[test]
    fn oh_my_opencode_s_spelling_is_read() {
        check(
            &json!({"filePath": "f", "edits": [{"op": "replace", "pos": "2#VK", "lines": ["x", "y"]}]}),
            &set("2#VK", &["x", "y"]),
        );
        check(
            &json!({"filePath": "f", "edits": [{"op": "replace", "pos": "2#VK", "lines": ""}]}),
            &set("2#VK", &[""]),
        );
        check(
            &json!({"filePath": "f", "edits": [{"op": "replace", "pos": "2#VK", "lines": null}]}),
            &set("2#VK", &[]),
        );
        check(
            &json!({"filePath": "f", "edits": [{"op": "replace", "pos": "2#VK", "end": "4#QB", "lines": []}]}),
            &range("2#VK", "4#QB", &[]),
        );
        check(
            &json!({"filePath": "f", "edits": [{"op": "append", "lines": "x"}]}),
            &Change::Insert { at: Spot::End, lines: lines(&["x"]) },
        );
        check(
            &json!({"filePath": "f", "edits": [{"op": "prepend", "pos": "2#VK", "lines": ["x"]}]}),
            &Change::Insert { at: Spot::Before("2#VK".parse().unwrap()), lines: lines(&["x"]) },
        );
        let patch = read(&json!({"filePath": "f", "edits": [], "rename": "g"})).unwrap();
        assert_eq!(patch.ops[0].change, Change::MoveFile { to: "g".into() });
        let patch = read(&json!({"filePath": "f", "edits": [], "delete": true})).unwrap();
        assert_eq!(patch.ops[0].change, Change::DeleteFile);
    }

    #[test]
    fn cowboy_s_spelling_is_read() {
        check(
            &json!({"path": "f", "operations": [{"op": "replace", "start": "2:ab", "end": "4:cd", "content": "x"}]}),
            &range("2:ab", "4:cd", &["x"]),
        );
        check(
            &json!({"path": "f", "operations": [{"op": "replace", "start": "2:ab", "new_text": "x"}]}),
            &set("2:ab", &["x"]),
        );
        check(
            &json!({"path": "f", "operations": [{"op": "delete", "start": "2:ab", "end": "4:cd"}]}),
            &Change::Delete { start: "2:ab".parse().unwrap(), end: Some("4:cd".parse().unwrap()) },
        );
        check(
            &json!({"path": "f", "operations": [{"op": "insert_before", "start": "2:ab", "content": "x"}]}),
            &Change::Insert { at: Spot::Before("2:ab".parse().unwrap()), lines: lines(&["x"]) },
        );
    }

    #[test]
    fn an_error_names_the_operation_and_the_field() {
        refuse(&json!({}), Some(0), "op");
        refuse(&json!({"patch": []}), None, "");
        refuse(&json!({"patch": 5}), None, "");
        refuse(&json!({"patch": "set line 5"}), None, "");
        refuse(&json!(null), None, "");
        refuse(
            &json!({"patch": [{"op": "set_line", "anchor": "2:ab", "text": "x"}]}),
            Some(0),
            "path",
        );
        refuse(
            &json!({"patch": [{"op": "set_line", "path": "f", "text": "x"}]}),
            Some(0),
            "anchor",
        );
        refuse(
            &json!({"patch": [{"op": "set_line", "path": "f", "anchor": true, "text": "x"}]}),
            Some(0),
            "anchor",
        );
        refuse(
            &json!({"patch": [{"op": "set_line", "path": "f", "anchor": "2:ab"}]}),
            Some(0),
            "text",
        );
        refuse(
            &json!({"patch": [{"op": "set_line", "path": "f", "anchor": "2:ab", "text": null}]}),
            Some(0),
            "text",
        );
        refuse(
            &json!({"patch": [{"op": "replace_range", "path": "f", "start_anchor": "2:ab", "text": "x"}]}),
            Some(0),
            "end_anchor",
        );
        let good = json!({"op": "delete_file", "path": "f"});
        refuse(&json!({"patch": [good, {"op": "frobnicate", "path": "f"}]}), Some(1), "op");
        refuse(
            &json!({"patch": [good, {"op": "insert_after", "path": "f", "anchor": "2:ab", "text": []}]}),
            Some(1),
            "text",
        );
        refuse(&json!({"patch": [good], "dryRun": true}), None, "dryRun");
    }

    #[test]
    fn an_operation_without_a_name_is_read_by_its_fields() {
        let replace = |all| Change::Replace { old: "a".into(), new: "b".into(), all, within: None };
        for request in [
            json!({"path": "f", "edits": [{"oldText": "a", "newText": "b"}]}),
            json!({"file_path": "f", "old_string": "a", "new_string": "b", "replace_all": false}),
            json!({"path": "f", "old_str": "a", "new_str": "b"}),
            json!({"patch": [{"op": "edit", "path": "f", "old_text": "a", "new_text": "b"}]}),
            json!({"command": "str_replace", "path": "f", "old_str": "a", "new_str": "b"}),
        ] {
            check(&request, &replace(false));
        }
        check(
            &json!({"file_path": "f", "old_string": "a", "new_string": "b", "replace_all": true}),
            &replace(true),
        );
        let new = |content: &str| Change::AddFile { content: content.into(), overwrite: false };
        check(&json!({"path": "f", "content": "x\n"}), &new("x\n"));
        check(&json!({"patch": [{"op": "create", "filePath": "f", "content": ""}]}), &new(""));
        check(&json!({"filePath": "f", "delete": true}), &Change::DeleteFile);
        check(&json!({"patch": [{"delete_file": {"path": "f"}}]}), &Change::DeleteFile);
        check(
            &json!({"patch": [{"from_path": "f", "to_path": "g"}]}),
            &Change::MoveFile { to: "g".into() },
        );
        check(
            &json!({"path": "f", "edits": [{"content": "x", "from": "2:ab", "to": "4:cd"}]}),
            &range("2:ab", "4:cd", &["x"]),
        );
        check(
            &json!({"patch": [{"op": "delete", "path": "f", "range": ["2:ab", "4:cd"]}]}),
            &Change::Delete { start: "2:ab".parse().unwrap(), end: Some("4:cd".parse().unwrap()) },
        );
        check(&json!({"path": "f", "anchor": "2:ab", "text": "x"}), &set("2:ab", &["x"]));
    }

    #[test]
    fn fields_that_say_nothing_are_left_out() {
        check(
            &json!({"patch": [{"op": "set_line", "path": "f", "anchor": "2:ab", "start_anchor": "",
                "end_anchor": null, "text": "x", "old_text": "", "new_text": "", "all": false,
                "content": "", "overwrite": false, "from": "", "to": "", "exact": false}]}),
            &set("2:ab", &["x"]),
        );
        // The same text under two names is one text; two texts are a question.
        check(
            &json!({"patch": [{"op": "set_line", "path": "f", "anchor": "2:ab", "text": "x", "new_text": "x"}]}),
            &set("2:ab", &["x"]),
        );
        refuse(
            &json!({"patch": [{"op": "insert_after", "path": "f", "anchor": "2:ab", "text": "x", "new_text": "y"}]}),
            Some(0),
            "new_text",
        );
    }

    #[test]
    fn an_anchor_and_the_end_of_a_range_are_a_range() {
        check(
            &json!([{"op": "replace_range", "path": "f", "anchor": "2:ab", "end_anchor": "3:cd", "text": "x"}]),
            &range("2:ab", "3:cd", &["x"]),
        );
        check(
            &json!([{"op": "delete", "path": "f", "anchor": "2:ab", "end_anchor": "3:cd"}]),
            &Change::Delete { start: "2:ab".parse().unwrap(), end: Some("3:cd".parse().unwrap()) },
        );
    }

    #[test]
    fn text_is_replaced_within_the_lines_that_are_named() {
        let replace = |start: &str, end: &str| Change::Replace {
            old: "a".into(),
            new: "b".into(),
            all: false,
            within: Some((start.parse().unwrap(), end.parse().unwrap())),
        };
        for op in ["replace", "set_line", "edit"] {
            check(
                &json!([{"op": op, "path": "f", "anchor": "2:ab", "old_text": "a", "new_text": "b"}]),
                &replace("2:ab", "2:ab"),
            );
        }
        check(
            &json!([{"op": "replace", "path": "f", "start_anchor": "2:ab", "end_anchor": "4:cd", "old_text": "a", "new_text": "b"}]),
            &replace("2:ab", "4:cd"),
        );
    }

    #[test]
    fn the_old_text_of_a_line_may_be_given_beside_its_anchor() {
        let op = one(
            &json!([{"op": "set_line", "path": "f", "anchor": "2:ab", "old_text": "was", "text": "is"}]),
        );
        let Change::SetLine { anchor, lines } = op.change else { panic!("{op:?}") };
        assert_eq!(anchor.exact.and_then(|anchor| anchor.hint).as_deref(), Some("was"));
        assert_eq!(lines, ["is"]);
    }

    #[test]
    fn a_refusal_shows_the_shape_of_what_was_tried_with_the_values_given() {
        let check = |request: Value, shape: &str| {
            let error = read(&request).expect_err(&request.to_string());
            assert_eq!(error.shape, shape, "{error}");
        };
        check(
            json!([{"op": "replace", "path": "a.ts", "oldText": "x"}]),
            r#"{"op": "replace", "path": "a.ts", "old_text": "x", "new_text": "other text"}"#,
        );
        check(
            json!({"path": "a.ts", "edits": [{"op": "replace_range", "start": "2:ab"}]}),
            r#"{"op": "replace_range", "path": "a.ts", "start_anchor": "2:ab", "end_anchor": "LINE:HASH", "text": "new lines"}"#,
        );
        check(
            json!([{"op": "move_file", "path": "a.ts"}]),
            r#"{"op": "move_file", "from": "a.ts", "to": "path/to/new"}"#,
        );
    }

    #[test]
    fn an_operation_without_a_path_is_for_the_only_file_shown() {
        let request = json!([{"op": "delete", "anchor": "2:ab"}]).to_string();
        assert!(read_assuming(&request, None).is_err());
        let patch = read_assuming(&request, Some("f")).unwrap();
        assert_eq!((patch.ops[0].path.as_str(), patch.assumed_path.as_deref()), ("f", Some("f")));
        let request = json!([{"op": "delete", "path": "g", "anchor": "2:ab"}]).to_string();
        assert_eq!(read_assuming(&request, Some("f")).unwrap().assumed_path, None);
    }

    #[test]
    fn broken_json_is_repaired_where_nothing_can_be_lost() {
        let text = r#"[{"op": "set_line", "path": "f", "anchor": "2:ab", "text": "x"}"#;
        check(&json!({"patch": text}), &set("2:ab", &["x"]));
        check(&json!({"patch": format!("{text},]")}), &set("2:ab", &["x"]));
        refuse(&json!({"patch": &text[..text.len() - 3]}), None, "");
    }

    #[test]
    fn a_list_of_lines_that_a_host_turned_into_a_text_is_read() {
        let op =
            |text: &str| json!({"op": "set_line", "path": "f", "anchor": "2:ab", "text": text});
        check(&op(r#"["  a","b"]"#), &set("2:ab", &["  a", "b"]));
        check(&op(r#"["  a\nb"]"#), &set("2:ab", &["  a", "b"]));
        check(&op(r#"["  a", "b"]"#), &set("2:ab", &[r#"["  a", "b"]"#]));
        check(&op(r#"["  a",1]"#), &set("2:ab", &[r#"["  a",1]"#]));
        let mut exact = op(r#"["  a","b"]"#);
        exact["exact"] = json!(true);
        check(&exact, &set("2:ab", &[r#"["  a","b"]"#]));
        check(
            &json!({"op": "insert_after", "path": "f", "anchor": "2:ab", "text": r#"["\ta"]"#}),
            &Change::Insert { at: Spot::After("2:ab".parse().unwrap()), lines: lines(&["\ta"]) },
        );
    }

    #[test]
    fn a_list_that_may_be_a_line_is_refused_unless_exact() {
        for text in [r#"["new"]"#, r#"["a","b"]"#, "[]"] {
            let mut op = json!({"op": "set_line", "path": "f", "anchor": "2:ab", "text": text});
            refuse(&op, Some(0), "text");
            op["exact"] = json!(true);
            check(&op, &set("2:ab", &[text]));
            op["op"] = json!("insert_after");
            op["exact"] = json!(false);
            refuse(&op, Some(0), "text");
            // In a list of lines it is a line.
            check(
                &json!({"op": "set_line", "path": "f", "anchor": "2:ab", "text": [text]}),
                &set("2:ab", &[text]),
            );
            let file = |path: &str| json!({"op": "add_file", "path": path, "content": text});
            refuse(&file("f"), Some(0), "content");
            assert!(read(&file("f.json")).is_ok() && read(&file("f.jsonl")).is_ok(), "{text}");
        }
    }

    #[test]
    fn exact_switches_the_repairs_off() {
        assert!(one(&json!([{"op": "set_line", "path": "f", "anchor": "2:ab", "text": "x", "exact": true}])).exact);
        refuse(&json!([{"op": "delete_file", "path": "f", "exact": 1}]), Some(0), "exact");
    }
}
