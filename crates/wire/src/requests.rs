//! Requests to read and grep as JSON.

use serde_json::{Map, Value};

use super::fields::{FieldError, Fields, described};
use super::misshapen::{Misshapen, MisshapenCode};
use hashline_core::grep::{self, ContextLines, GrepShow, Reading};
use hashline_core::read::{self, FileRequest, LinesWanted, Lookup};

const READ_EXAMPLE: &str = r#"{"path": "src/main.rs", "offset": 10, "limit": 40}"#;
const GREP_EXAMPLE: &str = r#"{"pattern": "fn main", "path": "src"}"#;

/// A line number no file reaches.
const NO_LINE: usize = u32::MAX as usize;

/// Reads a JSON text.
pub fn parse(text: &str) -> Result<Value, Misshapen> {
    serde_json::from_str(text).map_err(|error| Misshapen {
        code: MisshapenCode::BadRequest,
        message: json_problem("the request", text, &error),
    })
}

/// Why a text cannot be read as JSON, in words.
pub(super) fn json_problem(what: &str, text: &str, error: &serde_json::Error) -> String {
    match lone_surrogate(text) {
        Some(escape) => format!(
            "{what} holds half a character, `{escape}` (a lone surrogate), which no file can hold; \
             send the whole character or leave it out"
        ),
        None => format!("{what} is not JSON: {error}"),
    }
}

/// The first escape in a JSON text that is one half of a pair without the other.
fn lone_surrogate(text: &str) -> Option<&str> {
    let unit = |at: usize| -> Option<u16> {
        let escape = text.get(at..at + 6)?;
        u16::from_str_radix(escape.strip_prefix("\\u")?, 16).ok()
    };
    let mut at = 0;
    while let Some(next) = text[at..].find('\\') {
        at += next;
        match unit(at) {
            Some(0xd800..=0xdbff) if matches!(unit(at + 6), Some(0xdc00..=0xdfff)) => at += 12,
            Some(0xd800..=0xdfff) => return text.get(at..at + 6),
            Some(_) => at += 6,
            // Another escape: a backslash and one character.
            None => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    None
}

/// Reads a request to read.
pub fn read_request(json: Value) -> Result<read::ReadRequest, Misshapen> {
    let json = match json {
        // A path by itself, or a list of them.
        Value::String(path) if !path.trim_start().starts_with('{') => {
            serde_json::json!({ "path": path })
        }
        Value::Array(paths) => serde_json::json!({ "paths": paths }),
        json => json,
    };
    object(json)
        .and_then(|object| files(&object))
        .map(|files| read::ReadRequest { files, host_reads: Vec::new() })
        .map_err(|error| Misshapen::request(&error, READ_EXAMPLE))
}

fn files(object: &Map<String, Value>) -> Result<Vec<FileRequest>, FieldError> {
    let mut fields = given_fields(object);
    let mut paths = take_path(&mut fields);
    let others = fields.list(&["paths"]);
    // A call that was brought into one shape names its first file twice.
    paths.retain(|path| !others.contains(path));
    paths.extend(others);
    paths.extend(fields.list(&["files"]));
    let common = CommonFields::take(&mut fields)?;
    if paths.is_empty() {
        return Err(FieldError::sentence("`path` or `paths` is missing"));
    }
    let file = |value| match value {
        Value::String(path) => common.clone().request(path),
        Value::Object(object) => {
            let mut fields = given_fields(&object);
            let path = match take_path(&mut fields).into_iter().next() {
                Some(Value::String(path)) => path,
                Some(other) => return Err(FieldError::wrong("path", "a string", &other)),
                None => return Err(FieldError::sentence("an entry of `paths` has no `path`")),
            };
            CommonFields::take(&mut fields)?.or(&common).request(path)
        }
        other => Err(FieldError::wrong("path", "a string", &other)),
    };
    paths.into_iter().map(file).collect()
}

/// A JSON object, or the one that a string holds.
pub(super) fn object(json: Value) -> Result<Map<String, Value>, FieldError> {
    let json = match json {
        Value::String(text) => match serde_json::from_str(&text) {
            Ok(json @ Value::Object(_)) => json,
            _ => Value::String(text),
        },
        json => json,
    };
    match json {
        Value::Object(object) => Ok(object),
        other => {
            let given = described(&other);
            Err(FieldError::sentence(format!("an object is needed, not {given}")))
        }
    }
}

/// The fields of a request; a field that is `null` counts as missing.
pub(super) fn given_fields(object: &Map<String, Value>) -> Fields<'_> {
    Fields::of(object).filter(|_, value| !value.is_null())
}

/// The path under the names that other tools give it.
fn take_path(fields: &mut Fields<'_>) -> Vec<Value> {
    fields.list(&["path", "file_path", "file"])
}

/// The first column to show: `2001`, `"2001"`, `"2001-4000"` or `[2001, 4000]`.
fn take_column(fields: &mut Fields<'_>) -> Result<Option<usize>, FieldError> {
    let Some(given) = fields.take(&["columns", "column"]) else { return Ok(None) };
    let first = match given {
        Value::Array(bounds) => bounds.first().unwrap_or(given),
        given => given,
    };
    let number = match first {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => {
            text.split(['-', ',', ':']).next().and_then(|text| text.trim().parse().ok())
        }
        _ => None,
    };
    let column =
        number.and_then(|number| usize::try_from(number).ok()).filter(|number| *number > 0);
    match column {
        Some(column) => Ok(Some(column)),
        None => {
            Err(FieldError::wrong("columns", "the first column to show, counted from 1", given))
        }
    }
}

/// The fields that a request may have for all paths or for one.
#[derive(Clone)]
struct CommonFields {
    offset: Option<i64>,
    limit: Option<usize>,
    column: Option<usize>,
    search: Option<String>,
    regex: Option<bool>,
    case_sensitive: Option<bool>,
    before: Option<usize>,
    after: Option<usize>,
    changes: Option<bool>,
}

impl CommonFields {
    fn take(fields: &mut Fields<'_>) -> Result<Self, FieldError> {
        let mut search = fields.text(&["search"])?.map(str::to_owned);
        let mut regex = None;
        match fields.take(&["regex"]) {
            Some(Value::Bool(flag)) => regex = Some(*flag),
            Some(Value::String(flag)) if flag == "true" || flag == "false" => {
                regex = Some(flag == "true");
            }
            // A pattern in place of the truth value means both.
            Some(Value::String(pattern)) if search.is_none() => {
                search = Some(pattern.clone());
                regex = Some(true);
            }
            Some(other) => return Err(FieldError::wrong("regex", "true or false", other)),
            None => {}
        }
        let (before, after) = take_context(fields)?;
        Ok(Self {
            offset: fields.number("offset")?,
            limit: take_limit(fields)?,
            column: take_column(fields)?,
            search,
            regex,
            case_sensitive: take_case(fields)?,
            before,
            after,
            changes: fields.flag(&["changes"])?,
        })
    }

    fn or(self, other: &Self) -> Self {
        Self {
            offset: self.offset.or(other.offset),
            limit: self.limit.or(other.limit),
            column: self.column.or(other.column),
            search: self.search.or_else(|| other.search.clone()),
            regex: self.regex.or(other.regex),
            case_sensitive: self.case_sensitive.or(other.case_sensitive),
            before: self.before.or(other.before),
            after: self.after.or(other.after),
            changes: self.changes.or(other.changes),
        }
    }

    fn request(self, path: String) -> Result<FileRequest, FieldError> {
        if path.is_empty() || path.contains('\0') {
            let given = Value::String(path);
            return Err(FieldError::wrong("path", "the name of a file", &given));
        }
        let changes = self.changes.unwrap_or(false);
        let search = self.search.filter(|search| !search.is_empty());
        if changes && search.is_some() {
            return Err(FieldError::sentence("`changes` and `search` exclude each other"));
        }
        let around = ContextLines {
            before: self.before.unwrap_or_default(),
            after: self.after.unwrap_or_default(),
        };
        let reading = Reading {
            literal: !self.regex.unwrap_or(false),
            case_sensitive: self.case_sensitive.unwrap_or(true),
            ..Reading::default()
        };
        Ok(FileRequest {
            path,
            wanted: LinesWanted { offset: self.offset, limit: self.limit, column: self.column },
            search: search.map(|pattern| Lookup { pattern, reading, around }),
            changes,
        })
    }
}

/// Reads a request to search.
pub fn grep_request(json: Value) -> Result<grep::GrepRequest, Misshapen> {
    object(json)
        .and_then(|object| search(&object))
        .map_err(|error| Misshapen::request(&error, GREP_EXAMPLE))
}

fn search(object: &Map<String, Value>) -> Result<grep::GrepRequest, FieldError> {
    let mut fields = given_fields(object);
    let pattern = fields.text(&["pattern", "search", "query"])?;
    let Some(pattern) = pattern.filter(|pattern| !pattern.is_empty()) else {
        return Err(FieldError::sentence("`pattern` is missing"));
    };
    let mut paths = fields.texts("path")?;
    let others = fields.texts("paths")?;
    paths.retain(|path| !others.contains(path));
    paths.extend(others);
    let show = match (fields.flag(&["filesOnly"])?, fields.flag(&["count"])?) {
        (Some(true), _) => GrepShow::Names,
        (_, Some(true)) => GrepShow::Counts,
        _ => GrepShow::Lines,
    };
    let usual = match show {
        GrepShow::Lines => grep::DEFAULT_LIMIT,
        GrepShow::Counts | GrepShow::Names | GrepShow::Others => grep::DEFAULT_FILES,
    };
    let (before, after) = take_context(&mut fields)?;
    Ok(grep::GrepRequest {
        pattern: pattern.to_owned(),
        reading: Reading {
            literal: fields.flag(&["literal"])?.unwrap_or(false),
            case_sensitive: take_case(&mut fields)?.unwrap_or(true),
            multiline: fields.flag(&["multiline"])?.unwrap_or(false),
            ..Reading::default()
        },
        paths: paths.into_iter().filter(|path| !path.is_empty()).collect(),
        globs: fields.texts("glob")?,
        types: fields.texts("type")?,
        around: ContextLines {
            before: before.unwrap_or_default(),
            after: after.unwrap_or_default(),
        },
        limit: fields.size("limit", 1)?.unwrap_or(usual),
        per_file: usize::MAX,
        show,
        hidden: fields.flag(&["hidden"])?.unwrap_or(false),
        ignored: fields.flag(&["noIgnore"])?.unwrap_or(false),
    })
}

/// How many lines to show; `"all"`, 0 and -1 mean no limit.
fn take_limit(fields: &mut Fields<'_>) -> Result<Option<usize>, FieldError> {
    let none = match fields.peek(&["limit"]) {
        Some(Value::String(text)) => matches!(text.trim(), "all" | "0" | "-1" | ""),
        Some(Value::Number(number)) => matches!(number.as_f64(), Some(0.0 | -1.0)),
        _ => false,
    };
    if none {
        fields.take(&["limit"]);
        return Ok(None);
    }
    fields.size("limit", 1)
}

/// Lines before and after, also as one number for both.
fn take_context(fields: &mut Fields<'_>) -> Result<(Option<usize>, Option<usize>), FieldError> {
    let both = fields.size("context", 0)?;
    let before = fields.size("contextBefore", 0)?.or(both);
    let after = fields.size("contextAfter", 0)?.or(both);
    let bounded = |lines: usize| lines.min(NO_LINE);
    Ok((before.map(bounded), after.map(bounded)))
}

/// Whether case matters, also as pi's `ignoreCase`.
fn take_case(fields: &mut Fields<'_>) -> Result<Option<bool>, FieldError> {
    let ignore = fields.flag(&["ignoreCase"])?;
    let sensitive = fields.flag(&["caseSensitive"])?;
    Ok(sensitive.or(ignore.map(|ignore| !ignore)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    type ReadRow = (String, Option<i64>, Option<usize>, Option<String>);

    fn read(json: Value) -> Vec<ReadRow> {
        let request = read_request(json).unwrap_or_else(|error| panic!("{error}"));
        let file = |file: FileRequest| {
            let search = file.search.map(|search| search.pattern);
            (file.path, file.wanted.offset, file.wanted.limit, search)
        };
        request.files.into_iter().map(file).collect()
    }

    #[test]
    fn a_read_is_understood_in_many_spellings() {
        let plain = vec![("a".to_owned(), None, None, None)];
        for json in [
            json!({"path": "a"}),
            json!({"paths": ["a"]}),
            json!({"paths": "a"}),
            json!({"paths": "[\"a\"]"}),
            json!({"paths": [{"path": "a"}]}),
            json!({"file_path": "a", "offset": null, "_i": "why"}),
            json!("a"),
            json!("{\"path\": \"a\"}"),
            json!(["a"]),
        ] {
            assert_eq!(read(json.clone()), plain, "{json}");
        }
    }

    #[test]
    fn no_limit_is_written_in_many_ways() {
        for limit in [json!("all"), json!(0), json!(-1), json!("0"), json!(null)] {
            let rows = read(json!({"path": "a", "limit": limit}));
            assert_eq!(rows, [("a".to_owned(), None, None, None)], "{limit}");
        }
    }

    #[test]
    fn each_path_has_its_own_wishes_and_the_common_ones() {
        let json = json!({
            "paths": ["a", {"path": "b", "offset": "5"}, {"path": "c", "search": "y"}],
            "limit": 3.0,
            "search": "x",
        });
        let row = |path: &str, offset, search: &str| {
            (path.to_owned(), offset, Some(3), Some(search.to_owned()))
        };
        assert_eq!(read(json), [row("a", None, "x"), row("b", Some(5), "x"), row("c", None, "y")]);
    }

    #[test]
    fn changes_are_asked_for_of_all_paths_or_of_one() {
        let json = json!({"paths": ["a", {"path": "b", "changes": false}], "changes": "true"});
        let request = read_request(json).unwrap();
        let wanted: Vec<bool> = request.files.iter().map(|file| file.changes).collect();
        assert_eq!(wanted, [true, false]);
    }

    #[test]
    fn a_bad_request_names_the_field_and_shows_the_shape() {
        let check = |json: Value, part: &str| {
            let error = read_request(json).unwrap_err();
            assert_eq!(error.code, MisshapenCode::BadRequest);
            assert!(error.message.contains(part), "{error}");
            assert!(error.message.contains("for example {"), "{error}");
        };
        check(json!({}), "`path` or `paths` is missing");
        check(json!(7), "an object is needed, not `7`");
        check(json!({"path": 7}), "`path` must be a string, not `7`");
        check(json!({"path": ""}), "`path` must be the name of a file");
        check(json!({"path": "a", "offset": "x"}), "`offset` must be a whole number, not `\"x\"`");
        check(
            json!({"path": "a", "limit": -5}),
            "`limit` must be a whole number from 1 on, not `-5`",
        );
        check(json!({"path": "a", "caseSensitive": 1}), "`caseSensitive` must be true or false");
        check(json!({"paths": [{"offset": 1}]}), "no `path`");
        check(
            json!({"path": "a", "changes": true, "search": "x"}),
            "`changes` and `search` exclude each other",
        );
    }

    #[test]
    fn a_search_is_understood() {
        let request = grep_request(json!({
            "pattern": "x", "path": "src", "glob": "*.rs", "type": ["rust"], "ignoreCase": true,
            "context": 2, "contextAfter": 1, "count": true,
        }))
        .unwrap();
        assert_eq!(request.paths, ["src"]);
        assert_eq!(
            (request.globs, request.types),
            (vec!["*.rs".to_owned()], vec!["rust".to_owned()])
        );
        assert!(!request.reading.case_sensitive && !request.reading.literal);
        assert_eq!(request.around, ContextLines { before: 2, after: 1 });
        assert_eq!((request.show, request.limit), (GrepShow::Counts, grep::DEFAULT_FILES));
        assert!(grep_request(json!({"path": "x"})).is_err());
    }

    #[test]
    fn half_a_character_is_called_by_its_name() {
        for (text, escape) in [
            (r#"{"a": "\ud83d"}"#, r"\ud83d"),
            (r#"{"a": "x\uDC00y"}"#, r"\uDC00"),
            (r#"{"a": "\ud83d\ude00\ud83d!"}"#, r"\ud83d"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains("lone surrogate") && error.contains(escape), "{error}");
        }
        assert!(parse(r#"{"a": "\ud83d\ude00", "b": "\\ud83d"}"#).is_ok());
        let error = parse(r#"{"a": "\ud83d\ude00""#).unwrap_err().to_string();
        assert!(error.contains("not JSON"), "{error}");
    }
}
