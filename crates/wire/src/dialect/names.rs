//! The names that models give to operations and fields.

use serde_json::{Map, Value};

use super::ours::OPERATIONS;
use crate::fields::snake;
use hashline_text::WrittenAnchor;

/// Names under which a list of operations is found.
pub(crate) const LISTS: [&str; 6] = ["patch", "ops", "edits", "operations", "changes", "input"];

/// Names under which an operation says what it is.
pub(super) const NAMES: [&str; 6] = ["op", "type", "action", "kind", "operation", "command"];

/// Names under which a file is given.
pub(super) const PATHS: [&str; 9] = [
    "path", "file_path", "file", "filename", "file_name", "from", "from_path", "old_path", "source",
];

/// Names under which the new name of a file is given.
pub(super) const TO: [&str; 7] =
    ["to", "to_path", "new_path", "destination", "target", "rename", "move"];

/// Names under which the file that gets lines of another is given.
pub(super) const TO_FILE: [&str; 6] =
    ["to_path", "to_file", "target_path", "new_path", "destination", "to"];

/// Names for the line after which lines are put.
pub(super) const TO_ANCHOR: [&str; 4] = ["to_anchor", "target_anchor", "insert_after", "after"];

/// Names under which one line is given.
pub(super) const ANCHORS: [&str; 5] = ["anchor", "pos", "line", "line_number", "at"];

/// Names under which the first line of a range is given.
pub(super) const STARTS: [&str; 6] =
    ["start_anchor", "start", "start_line", "from", "first", "remove_from"];

/// Names under which the last line of a range is given.
pub(super) const ENDS: [&str; 6] = ["end_anchor", "end", "end_line", "to", "last", "remove_to"];

/// Names under which an insert says on which side of its anchor it goes.
pub(super) const SIDES: [&str; 4] = ["position", "direction", "where", "placement"];

/// Names under which new text is found.
pub(super) const TEXTS: [&str; 11] = [
    "text", "new_text", "content", "lines", "new_content", "new_lines", "new_string", "new_str",
    "replacement", "replacement_lines", "new",
];

/// Those of [`TEXTS`] that may stand beside a text to be replaced.
pub(super) const NEW: [&str; 5] = ["new_text", "new_string", "new_str", "new", "replacement"];

/// Names under which the text to be replaced is found.
pub(super) const OLD: [&str; 5] = ["old_text", "old_string", "old_str", "old", "search"];

/// What the name of an operation says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// It is this operation of ours.
    Op(&'static str),
    /// It replaces something; the fields say what.
    Replacing,
    /// It inserts lines, and the fields must say where.
    Inserting,
    /// It inserts lines after or before an anchor; without one, at the end or the start of the
    /// file.
    Joining(Side),
    /// Nothing that is certain.
    Nothing,
}

/// A side of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Before,
    After,
}

impl Side {
    /// The operation that inserts on this side.
    pub(super) fn op(self) -> &'static str {
        match self {
            Self::Before => "insert_before",
            Self::After => "insert_after",
        }
    }

    /// The side that a word names.
    pub(super) fn of(word: &str) -> Option<Self> {
        match word {
            "after" | "below" | "under" | "beneath" | "behind" | "following" => Some(Self::After),
            "before" | "above" | "preceding" => Some(Self::Before),
            _ => None,
        }
    }
}

/// What a word in the name of an operation says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Replace,
    Insert,
    Join(Side),
    Delete,
    Make,
    Rename,
    Copy,
    At(Side),
    File,
    /// A noun for the thing changed, which adds nothing to the verb.
    Object,
}

fn word(word: &str) -> Option<Word> {
    Some(match word {
        "edit" | "change" | "update" | "modify" | "set" | "replace" | "rewrite" | "overwrite"
        | "substitute" | "alter" | "amend" | "revise" => Word::Replace,
        "insert" | "add" => Word::Insert,
        "append" => Word::Join(Side::After),
        "prepend" => Word::Join(Side::Before),
        "delete" | "remove" | "erase" => Word::Delete,
        "create" | "write" => Word::Make,
        "rename" | "move" => Word::Rename,
        "copy" | "duplicate" => Word::Copy,
        "file" => Word::File,
        "line" | "lines" | "row" | "rows" | "range" | "block" | "text" | "str" | "string"
        | "substring" | "content" | "code" | "new" | "single" | "multiple" | "at" | "in"
        | "find" | "search" | "and" => Word::Object,
        place => Word::At(Side::of(place)?),
    })
}

/// What the name of an operation says, word by word. A name with an unknown word, or with two words
/// that contradict each other, says at most that it is an insert.
pub(super) fn meaning(name: &str) -> Meaning {
    if let Some(known) = OPERATIONS.into_iter().find(|known| *known == name) {
        return Meaning::Op(known);
    }
    if name == "new_file" {
        return Meaning::Op("add_file");
    }
    let words: Vec<Option<Word>> = name.split('_').map(word).collect();
    let has = |word| words.contains(&Some(word));
    let joins = |side| has(Word::Join(side));
    let sides: Vec<Side> = [Side::Before, Side::After]
        .into_iter()
        .filter(|side| has(Word::At(*side)) || joins(*side))
        .collect();
    let placed = has(Word::At(Side::Before)) || has(Word::At(Side::After));
    let inserts = has(Word::Insert) || joins(Side::Before) || joins(Side::After);
    let others = [Word::Replace, Word::Delete, Word::Make, Word::Rename, Word::Copy];
    let others: Vec<Word> = others.into_iter().filter(|verb| has(*verb)).collect();
    let lines = has(Word::Object);
    let certain = words.iter().all(Option::is_some);
    match (inserts, &others[..], &sides[..]) {
        _ if !certain && !inserts => Meaning::Nothing,
        (true, [], [side]) if certain && placed => Meaning::Op(side.op()),
        (true, [], [side]) if certain => Meaning::Joining(*side),
        (true, [], []) if certain && has(Word::File) && !lines => Meaning::Op("add_file"),
        (true, ..) => Meaning::Inserting,
        (false, [], [side]) => Meaning::Op(side.op()),
        (false, [Word::Replace], []) => Meaning::Replacing,
        (false, [Word::Delete], []) if has(Word::File) => Meaning::Op("delete_file"),
        (false, [Word::Delete], []) => Meaning::Op("delete"),
        (false, [Word::Make], []) if !lines => Meaning::Op("add_file"),
        (false, [Word::Rename], []) if !lines => Meaning::Op("move_file"),
        (false, [Word::Rename], []) => Meaning::Op("move_lines"),
        (false, [Word::Copy], []) if !has(Word::File) => Meaning::Op("copy_lines"),
        _ => Meaning::Nothing,
    }
}

/// The operations of an object that has them under their names, as `{"set_line": {...}}`, or under
/// numbers; a number after a name only distinguishes it from others.
pub(super) fn nested<'a>(object: &'a Map<String, Value>) -> Vec<(String, &'a Map<String, Value>)> {
    let operation = |(key, value): (&String, &'a Value)| {
        let key = snake(key);
        let inner = value.as_object().filter(|_| is_nested(&key, value))?;
        Some((base(&key).to_owned(), inner))
    };
    object.iter().filter_map(operation).collect()
}

/// Whether a field holds an operation of its own.
pub(super) fn is_nested(key: &str, value: &Value) -> bool {
    let base = base(key);
    value.is_object() && (base.is_empty() || meaning(base) != Meaning::Nothing)
}

fn base(key: &str) -> &str {
    key.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_')
}

/// Whether a value names a line and not a file.
pub(super) fn is_line(value: &Value) -> bool {
    match value {
        Value::Number(_) => true,
        Value::String(text) => {
            text.parse::<WrittenAnchor>().is_ok_and(|written| written.numbered.is_some())
        }
        _ => false,
    }
}
