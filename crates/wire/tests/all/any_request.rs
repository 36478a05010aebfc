//! Requests that nobody would send.

use proptest::prelude::*;
use serde_json::{Value, json};

proptest! {
    #[test]
    fn no_request_makes_reading_panic(request in any_json()) {
        let _ = hashline_wire::patch::read(&request);
        let _ = hashline_wire::patch::read_text(&request.to_string());
    }
}

/// JSON that looks a little like a patch.
fn any_json() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec![
        "patch", "ops", "edits", "op", "path", "anchor", "text", "start_anchor", "end_anchor",
        "pos", "end", "lines", "start", "content", "set_line", "replace", "insert_after",
        "old_text", "new_text", "rename", "delete",
    ]);
    let leaf = prop_oneof![
        Just(json!(null)),
        Just(json!("set_line")),
        Just(json!("replace")),
        Just(json!("append")),
        Just(json!("5:ab")),
        Just(json!("[]")),
        Just(json!(5)),
        Just(json!(true)),
        ".{0,10}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(name.clone().prop_map(str::to_owned), inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}
