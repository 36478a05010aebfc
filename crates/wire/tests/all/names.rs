//! Names of operations that nobody defined, with every mixture of fields: the reader takes no name
//! for more than it says.

use serde_json::{Map, Value, json};

use hashline_core::patch::{Change, Spot};
use hashline_wire::BadPatch;
use hashline_wire::patch::read;

/// Names that say on which side of its anchor a text goes.
const AFTER: &str = "insert_after insertAfter insert_below insert_line_after insert_lines_after insert_after_line \
    insert_text_after insert_line_below insert_code_after insert_block_after insert_content_after \
    insert_new_line_after insert_under insert_beneath insert_behind add_after add_below add_line_after \
    add_lines_after add_line_below add_text_after add_after_line add_code_below append_after append_below \
    append_after_line append_lines_after append_text_after after below after_line line_after";
const BEFORE: &str = "insert_before insertBefore insert_above insert_line_before insert_lines_before \
    insert_before_line insert_text_before insert_line_above insert_code_before insert_block_above \
    insert_content_before add_before add_above add_line_before add_lines_before add_line_above \
    add_text_before add_before_line prepend_before prepend_above prepend_before_line before above \
    before_line line_before";
/// Names that put a text after an anchor or at the end of the file, or before it or at the start.
const APPEND: &str =
    "append append_line append_lines append_text append_block appendContent append_new_line";
const PREPEND: &str =
    "prepend prepend_line prepend_lines prepend_text prepend_block prependContent";
/// Names of an insert that do not say where, or say two things.
const SOMEWHERE: &str = "insert add insert_line insert_lines insert_at insert_text insert_new_line insert_range \
    insert_between insert_block insert_code insert_content insert_row insert_rows insert_at_line \
    insert_here insert_into insert_inside insert_or_replace insert_and_replace insert_before_and_after \
    add_line add_lines add_text add_code add_block add_content add_new_line add_new_lines add_import \
    add_between add_at add_into add_or_update add_row addRows append_before prepend_after \
    append_or_replace append_to insert_around insert_snippet insert_function add_method add_comment \
    replace_or_insert delete_and_insert insert_blank insertNewLines add_text_at add_line_at";
/// Names that mean replacing.
const REPLACE: &str = "set_line replace_range replace edit change update modify set rewrite alter amend revise \
    overwrite substitute edit_line edit_lines edit_text edit_file edit_block edit_range change_line \
    change_lines change_text update_line update_lines update_text modify_line modify_lines set_lines \
    set_text set_range replace_line replace_lines replace_text replace_block replace_string str_replace \
    search_replace search_and_replace find_replace find_and_replace rewrite_line overwrite_line \
    replaceSingleLine";
/// Names that mean deleting lines.
const DELETE: &str = "delete remove erase delete_line delete_lines delete_range delete_block delete_text remove_line \
    remove_lines remove_range remove_block remove_text erase_line deleteRows";
/// Names that say nothing certain about lines.
const NOTHING: &str = "foo keep move_line duplicate_line copy_line swap swap_lines noop comment_out uncomment indent \
    dedent wrap join_lines split_line sort_lines put put_line write_line create_line move_lines_to \
    clone transform apply fix refactor merge undo delete_after remove_before delete_between \
    replace_after set_before update_above patch diff hunk change_after clear blank goto yank paste \
    extend surround undo_edit unreplace";

/// Ways to say which lines, and whether they are half a range.
fn places() -> Vec<(Value, bool)> {
    let whole = [
        json!({}),
        json!({"anchor": "2:ab"}),
        json!({"anchor": "2:ab|text of the line"}),
        json!({"pos": "2:ab"}),
        json!({"line": "2:ab"}),
        json!({"start_anchor": "2:ab", "end_anchor": "4:cd"}),
        json!({"anchor": "2:ab", "end_anchor": "4:cd"}),
        json!({"range": ["2:ab", "4:cd"]}),
        json!({"start_line": "2:ab", "end_line": "4:cd"}),
        json!({"remove_from": "2:ab", "remove_to": "4:cd"}),
        json!({"after": "2:ab"}),
        json!({"before": "2:ab"}),
        json!({"anchor": "2:ab", "position": "after"}),
        json!({"anchor": "2:ab", "direction": "before"}),
        json!({"insert_line": 2}),
        json!({"after": "2:ab", "before": "3:cd"}),
    ];
    let half = [json!({"start_anchor": "2:ab"}), json!({"end_anchor": "4:cd"})];
    whole.map(|place| (place, false)).into_iter().chain(half.map(|place| (place, true))).collect()
}

/// Ways to give a text.
fn texts() -> [Value; 7] {
    [
        json!({}),
        json!({"text": "x"}),
        json!({"content": "x"}),
        json!({"lines": ["x", "y"]}),
        json!({"new_text": "x"}),
        json!({"old_text": "a", "new_text": "x"}),
        json!({"old_text": "a", "text": "x"}),
    ]
}

fn read_named(name: &str, place: &Value, text: &Value) -> Result<Change, BadPatch> {
    let mut op = Map::new();
    for part in [&json!({"op": name, "path": "f"}), place, text] {
        op.extend(part.as_object().expect("it is one").clone());
    }
    Ok(read(&Value::Object(op))?.ops.remove(0).change)
}

/// Reads every name with every mixture of fields and returns how many were refused.
fn every(names: &str, check: impl Fn(&Result<Change, BadPatch>, &Value, bool) -> bool) -> usize {
    let mut refused = 0;
    for name in names.split_whitespace() {
        for (place, half) in places() {
            for text in texts() {
                let change = read_named(name, &place, &text);
                refused += usize::from(change.is_err());
                assert!(check(&change, &text, half), "{name} {place} {text}: {change:?}");
            }
        }
    }
    refused
}

fn inserts(change: &Result<Change, BadPatch>, at: fn(&Spot) -> bool) -> bool {
    match change {
        Ok(Change::Insert { at: spot, .. }) => at(spot),
        Ok(_) => false,
        Err(bad) => !bad.shape.contains("set_line") && !bad.shape.contains("add_file"),
    }
}

#[test]
fn the_table_is_as_large_as_it_claims() {
    let groups = [AFTER, BEFORE, APPEND, PREPEND, SOMEWHERE, REPLACE, DELETE, NOTHING];
    let names: usize = groups.iter().map(|names| names.split_whitespace().count()).sum();
    assert!(names >= 200, "{names}");
    assert!(places().len() * texts().len() >= 100);
}

#[test]
fn a_name_with_a_side_inserts_on_that_side() {
    every(AFTER, |change, _, _| {
        inserts(change, |spot| matches!(spot, Spot::After(_) | Spot::Start))
    });
    every(BEFORE, |change, _, _| inserts(change, |spot| matches!(spot, Spot::Before(_))));
    every(APPEND, |change, _, _| {
        inserts(change, |spot| matches!(spot, Spot::After(_) | Spot::End))
    });
    every(PREPEND, |change, _, _| {
        inserts(change, |spot| matches!(spot, Spot::Before(_) | Spot::Start))
    });
    let text = json!({"text": "x"});
    for name in AFTER.split_whitespace().chain(APPEND.split_whitespace()) {
        let change = read_named(name, &json!({"anchor": "2:ab"}), &text);
        assert!(matches!(change, Ok(Change::Insert { at: Spot::After(_), .. })), "{name}");
    }
}

#[test]
fn an_insert_that_does_not_say_where_is_refused_with_both_shapes() {
    let refused = every(SOMEWHERE, |change, _, _| inserts(change, |_| true));
    assert!(refused >= 60, "{refused}");
    for name in SOMEWHERE.split_whitespace() {
        let anchor = json!({"anchor": "2:ab"});
        let bad = read_named(name, &anchor, &json!({"text": "x"})).expect_err(name);
        let [after, before] = ["insert_after", "insert_before"]
            .map(|op| format!(r#"{{"op": "{op}", "path": "f", "anchor": "2:ab", "text": "x"}}"#));
        assert!(bad.shape.contains(&after) && bad.shape.contains(&before), "{bad}");
        let there = json!({"anchor": "2:ab", "position": "below"});
        let change = read_named(name, &there, &json!({"text": "x"})).unwrap();
        assert!(matches!(change, Change::Insert { at: Spot::After(_), .. }), "{name}: {change:?}");
    }
}

#[test]
fn a_name_that_means_replacing_is_read_by_its_fields() {
    every(REPLACE, |change, text, half| match change {
        Ok(Change::SetLine { .. } | Change::ReplaceRange { .. }) => {
            !half && text != &json!({"old_text": "a", "new_text": "x"})
        }
        Ok(Change::Replace { .. }) => !half && text.get("old_text").is_some(),
        Ok(_) => false,
        Err(_) => true,
    });
}

#[test]
fn a_delete_with_a_text_is_refused() {
    every(DELETE, |change, text, half| match change {
        Ok(Change::Delete { .. }) => !half && text == &json!({}),
        Ok(_) => false,
        Err(bad) => !bad.shape.contains("add_file"),
    });
}

#[test]
fn a_name_that_says_nothing_is_refused() {
    every(NOTHING, |change, _, _| {
        change.as_ref().is_err_and(|bad| bad.shape.contains("LINE:HASH"))
    });
}

#[test]
fn a_name_may_stand_under_any_key_that_names_operations() {
    for key in ["type", "action", "command", "kind", "operation"] {
        let op = json!({key: "insert", "path": "f", "anchor": "2:ab", "text": "x"});
        assert!(read(&op).is_err(), "{key}");
    }
}

#[test]
fn without_a_name_the_fields_say_what_is_done() {
    let check = |op: Value, name: &str| {
        let change = read(&op).unwrap_or_else(|error| panic!("{op}: {error}")).ops.remove(0);
        assert_eq!(change.change.name(), name, "{op}");
    };
    check(json!({"path": "f", "after": "2:ab", "text": "x"}), "insert_after");
    check(
        json!({"path": "f", "anchor": "2:ab", "position": "before", "text": "x"}),
        "insert_before",
    );
    check(json!({"path": "f", "insert_line": 0, "new_str": "x"}), "insert_before");
    check(json!({"path": "f", "anchor": "2:ab", "text": "x"}), "set_line");
    check(
        json!({"path": "f", "remove_from": "2:ab", "remove_to": "3:cd", "replacement_lines": ["x"]}),
        "replace_range",
    );
    for op in [json!({"path": "f", "text": "x"}), json!({"path": "f", "anchor": "2:ab"})] {
        assert!(read(&op).is_err(), "{op}");
    }
}

#[test]
fn no_field_of_the_schema_is_dropped() {
    let used = [
        ("set_line", json!({"anchor": "2:ab", "text": "x"}), "old_text end_anchor"),
        (
            "replace_range",
            json!({"start_anchor": "2:ab", "end_anchor": "4:cd", "text": "x"}),
            "anchor",
        ),
        ("insert_after", json!({"anchor": "2:ab", "text": "x"}), "end_anchor"),
        ("delete", json!({"anchor": "2:ab"}), "end_anchor old_text"),
        ("replace", json!({"old_text": "a", "new_text": "b"}), "all anchor"),
        ("add_file", json!({"content": "x"}), "overwrite"),
        ("move_file", json!({"to": "g"}), ""),
        ("delete_file", json!({}), ""),
    ];
    let fields = [
        ("anchor", json!("2:ab")),
        ("start_anchor", json!("2:ab")),
        ("end_anchor", json!("4:cd")),
        ("text", json!("other")),
        ("old_text", json!("a")),
        ("new_text", json!("other")),
        ("all", json!(true)),
        ("content", json!("other")),
        ("overwrite", json!(true)),
        ("from", json!("g")),
        ("to", json!("h")),
    ];
    for (op, own, also) in used {
        for (field, value) in &fields {
            if own.get(field).is_some() || also.split(' ').any(|name| name == *field) {
                continue;
            }
            let same = *field == "start_anchor" && own.get("anchor").is_some();
            let read = read_named(op, &own, &json!({ *field: value }));
            assert!(same || read.is_err(), "{op} with {field}: {read:?}");
        }
    }
}
