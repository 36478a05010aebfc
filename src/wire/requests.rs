//! Requests and options as JSON.

use std::path::PathBuf;

use serde_json::Value;

use super::fields::{Fields, Misshapen};
use crate::anchor::Scheme;
use crate::grep::{self, Around, Reading, Show};
use crate::guard::{GuardSettings, Mode};
use crate::plan::Relocation;
use crate::read::{self, FileRequest, Lookup, Wanted};
use crate::session::{Durability, Options};
use crate::text::LineNumber;

const BAD_REQUEST: &str = "bad_request";
const BAD_OPTION: &str = "bad_option";
const READ_EXAMPLE: &str = r#"{"path": "src/main.rs", "offset": 10, "limit": 40}"#;
const GREP_EXAMPLE: &str = r#"{"pattern": "fn main", "path": "src"}"#;
const GUARD_EXAMPLE: &str = r#"{"mode": "nudge", "allowedPaths": ["vendor"]}"#;
const OPTIONS_EXAMPLE: &str = r#"{"root": "/path/to/project", "scheme": "hex2"}"#;

/// A line number no file reaches.
const NO_LINE: usize = u32::MAX as usize;

/// Reads a JSON text.
pub fn parse(text: &str) -> Result<Value, Misshapen> {
    serde_json::from_str(text).map_err(|error| Misshapen {
        code: BAD_REQUEST,
        message: format!("the request is not JSON: {error}"),
    })
}

/// Reads what is wanted of a read.
pub fn read_request(json: Value) -> Result<read::Request, Misshapen> {
    let json = match json {
        // A path by itself, or a list of them.
        Value::String(path) if !path.trim_start().starts_with('{') => {
            serde_json::json!({ "path": path })
        }
        Value::Array(paths) => serde_json::json!({ "paths": paths }),
        json => json,
    };
    let mut fields = Fields::new(json, BAD_REQUEST, READ_EXAMPLE)?;
    let mut paths = take_path(&mut fields);
    paths.extend(fields.list("paths"));
    paths.extend(fields.list("files"));
    let common = Common::take(&mut fields)?;
    if paths.is_empty() {
        return Err(fields.error("`path` or `paths` is missing"));
    }
    let files: Result<Vec<FileRequest>, Misshapen> = paths
        .into_iter()
        .map(|value| match value {
            Value::String(path) => common.clone().request(path, &fields),
            Value::Object(_) => {
                let mut fields = Fields::new(value, BAD_REQUEST, READ_EXAMPLE)?;
                let path = match take_path(&mut fields).into_iter().next() {
                    Some(Value::String(path)) => path,
                    Some(other) => return Err(fields.wrong("path", "a string", &other)),
                    None => return Err(fields.error("an entry of `paths` has no `path`")),
                };
                let own = Common::take(&mut fields)?;
                own.or(&common).request(path, &fields)
            }
            other => Err(fields.wrong("path", "a string", &other)),
        })
        .collect();
    Ok(read::Request { files: files? })
}

/// The path under the names that other tools give it.
fn take_path(fields: &mut Fields) -> Vec<Value> {
    ["path", "filePath", "file"]
        .into_iter()
        .find(|name| fields.has(name))
        .map(|name| fields.list(name))
        .unwrap_or_default()
}

/// What can be said for all paths or for one.
#[derive(Clone)]
struct Common {
    offset: Option<i64>,
    limit: Option<usize>,
    search: Option<String>,
    regex: Option<bool>,
    case_sensitive: Option<bool>,
    before: Option<usize>,
    after: Option<usize>,
}

impl Common {
    fn take(fields: &mut Fields) -> Result<Self, Misshapen> {
        let mut search = fields.text("search")?;
        let mut regex = None;
        match fields.take("regex") {
            Some(Value::Bool(flag)) => regex = Some(flag),
            Some(Value::String(flag)) if flag == "true" || flag == "false" => {
                regex = Some(flag == "true");
            }
            // A pattern where a truth value should be says both.
            Some(Value::String(pattern)) if search.is_none() => {
                search = Some(pattern);
                regex = Some(true);
            }
            Some(other) => return Err(fields.wrong("regex", "true or false", &other)),
            None => {}
        }
        let (before, after) = take_context(fields)?;
        Ok(Self {
            offset: fields.number("offset")?,
            limit: fields.size("limit", 1)?,
            search,
            regex,
            case_sensitive: take_case(fields)?,
            before,
            after,
        })
    }

    fn or(self, other: &Self) -> Self {
        Self {
            offset: self.offset.or(other.offset),
            limit: self.limit.or(other.limit),
            search: self.search.or_else(|| other.search.clone()),
            regex: self.regex.or(other.regex),
            case_sensitive: self.case_sensitive.or(other.case_sensitive),
            before: self.before.or(other.before),
            after: self.after.or(other.after),
        }
    }

    fn request(self, path: String, fields: &Fields) -> Result<FileRequest, Misshapen> {
        if path.is_empty() || path.contains('\0') {
            let given = Value::String(path);
            return Err(fields.wrong("path", "the name of a file", &given));
        }
        let around = Around {
            before: self.before.unwrap_or_default(),
            after: self.after.unwrap_or_default(),
        };
        let reading = Reading {
            literal: !self.regex.unwrap_or(false),
            case_sensitive: self.case_sensitive.unwrap_or(true),
            multiline: false,
        };
        Ok(FileRequest {
            path,
            wanted: Wanted { offset: self.offset, limit: self.limit },
            search: self.search.filter(|search| !search.is_empty()).map(|pattern| Lookup {
                pattern,
                reading,
                around,
            }),
        })
    }
}

/// Reads what is wanted of a search.
pub fn grep_request(json: Value) -> Result<grep::Request, Misshapen> {
    let mut fields = Fields::new(json, BAD_REQUEST, GREP_EXAMPLE)?;
    let name = ["pattern", "search", "query"].into_iter().find(|name| fields.has(name));
    let pattern = fields.text(name.unwrap_or("pattern"))?;
    let Some(pattern) = pattern.filter(|pattern| !pattern.is_empty()) else {
        return Err(fields.error("`pattern` is missing"));
    };
    let mut paths = fields.texts("path")?;
    paths.extend(fields.texts("paths")?);
    let show = match (fields.flag("filesOnly")?, fields.flag("count")?) {
        (Some(true), _) => Show::Names,
        (_, Some(true)) => Show::Counts,
        _ => Show::Lines,
    };
    let usual = match show {
        Show::Lines => grep::DEFAULT_LIMIT,
        Show::Counts | Show::Names => grep::DEFAULT_FILES,
    };
    let (before, after) = take_context(&mut fields)?;
    Ok(grep::Request {
        pattern,
        reading: Reading {
            literal: fields.flag("literal")?.unwrap_or(false),
            case_sensitive: take_case(&mut fields)?.unwrap_or(true),
            multiline: fields.flag("multiline")?.unwrap_or(false),
        },
        paths: paths.into_iter().filter(|path| !path.is_empty()).collect(),
        globs: fields.texts("glob")?,
        types: fields.texts("type")?,
        around: Around { before: before.unwrap_or_default(), after: after.unwrap_or_default() },
        limit: fields.size("limit", 1)?.unwrap_or(usual),
        show,
        hidden: fields.flag("hidden")?.unwrap_or(false),
        ignored: fields.flag("noIgnore")?.unwrap_or(false),
    })
}

/// Lines before and after, also as one number for both.
fn take_context(fields: &mut Fields) -> Result<(Option<usize>, Option<usize>), Misshapen> {
    let both = fields.size("context", 0)?;
    let before = fields.size("contextBefore", 0)?.or(both);
    let after = fields.size("contextAfter", 0)?.or(both);
    let bounded = |lines: usize| lines.min(NO_LINE);
    Ok((before.map(bounded), after.map(bounded)))
}

/// Whether case matters, also as pi's `ignoreCase`.
fn take_case(fields: &mut Fields) -> Result<Option<bool>, Misshapen> {
    let ignore = fields.flag("ignoreCase")?;
    let sensitive = fields.flag("caseSensitive")?;
    Ok(sensitive.or(ignore.map(|ignore| !ignore)))
}

/// Reads the options of a session. Unlike a request, they are written by a program, so that an
/// unknown name is an error.
pub fn session_options(json: Value) -> Result<Options, Misshapen> {
    /// Options that other parts of a session read.
    const OTHERS: [&str; 5] = ["relocation", "repairs", "durability", "allowOutside", "guard"];
    let mut fields = Fields::new(json, BAD_OPTION, OPTIONS_EXAMPLE)?;
    let Some(root) = fields.text("root")?.filter(|root| !root.is_empty()) else {
        return Err(fields.error("`root` is missing"));
    };
    let mut options = Options::new(PathBuf::from(root));
    if let Some(name) = fields.text("scheme")? {
        options.scheme = name
            .parse::<Scheme>()
            .map_err(|error| Misshapen { code: error.code(), message: error.to_string() })?;
    }
    if let Some(lines) = fields.size("maxLines", 1)? {
        options.budget.lines = LineNumber::new(lines).map_or(NO_LINE, LineNumber::get);
    }
    if let Some(bytes) = fields.size("maxBytes", 1)? {
        options.budget.bytes = bytes;
    }
    if let Some(bytes) = fields.size("memoryBytes", 0)? {
        options.memory_bytes = bytes;
    }
    options.state_dir = fields.text("stateDir")?.map(PathBuf::from);
    if let Some(setting) = fields.take("guard") {
        options.guard = guard_settings(setting)?;
    }
    options.durability = match check_choice(&mut fields, "durability", &["full", "fast"])? {
        Some(fast) if fast == "fast" => Durability::Fast,
        _ => Durability::Full,
    };
    if let Some(name) = fields.text("relocation")? {
        options.relocation = name
            .parse::<Relocation>()
            .map_err(|error| Misshapen { code: BAD_OPTION, message: error.to_string() })?;
    }
    if let Some(setting) = fields.take("repairs") {
        options.repairs = super::patch::repairs(&setting)
            .map_err(|message| Misshapen { code: BAD_OPTION, message })?;
    }
    options.allow_outside = fields.flag("allowOutside")?.unwrap_or(false);
    if let Some(unknown) = fields.left().next() {
        let own = ["root", "scheme", "stateDir", "memoryBytes", "maxLines", "maxBytes"];
        let known: Vec<&str> = own.into_iter().chain(OTHERS).collect();
        let known = known.join("`, `");
        let message = format!("unknown option `{unknown}`: choose from `{known}`");
        return Err(Misshapen { code: BAD_OPTION, message });
    }
    Ok(options)
}

/// Reads the guard's settings: a mode, `false` for none, or an object.
fn guard_settings(json: Value) -> Result<GuardSettings, Misshapen> {
    let mut settings = GuardSettings::default();
    let json = match json {
        Value::Bool(true) => return Ok(settings),
        Value::Bool(false) => serde_json::json!({ "mode": "off" }),
        Value::String(mode) => serde_json::json!({ "mode": mode }),
        json => json,
    };
    let mut fields = Fields::new(json, BAD_OPTION, GUARD_EXAMPLE)?;
    if let Some(name) = fields.text("mode")? {
        let unknown =
            || fields.wrong("mode", "`block`, `nudge` or `off`", &Value::String(name.clone()));
        settings.mode = Mode::named(&name).ok_or_else(unknown)?;
    }
    settings.extra_readers = fields.texts("extraReaders")?;
    settings.extra_writers = fields.texts("extraWriters")?;
    settings.allowed_programs = fields.texts("allowedPrograms")?;
    settings.allowed_paths = fields.texts("allowedPaths")?;
    if let Some(unknown) = fields.left().next() {
        let message = format!(
            "unknown setting `{unknown}` of the guard: choose from `mode`, `extraReaders`, `extraWriters`, `allowedPrograms`, `allowedPaths`"
        );
        return Err(Misshapen { code: BAD_OPTION, message });
    }
    Ok(settings)
}

fn check_choice(
    fields: &mut Fields,
    name: &str,
    allowed: &[&str],
) -> Result<Option<String>, Misshapen> {
    match fields.take(name) {
        None => Ok(None),
        Some(Value::String(given)) if allowed.contains(&given.as_str()) => Ok(Some(given)),
        Some(other) => {
            let needed = format!("one of `{}`", allowed.join("`, `"));
            Err(fields.wrong(name, &needed, &other))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    type Row = (String, Option<i64>, Option<usize>, Option<String>);

    fn read(json: Value) -> Vec<Row> {
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
    fn a_bad_request_names_the_field_and_shows_the_shape() {
        let check = |json: Value, part: &str| {
            let error = read_request(json).unwrap_err();
            assert_eq!(error.code, "bad_request");
            assert!(error.message.contains(part), "{error}");
            assert!(error.message.contains("for example {"), "{error}");
        };
        check(json!({}), "`path` or `paths` is missing");
        check(json!(7), "an object is needed, not `7`");
        check(json!({"path": 7}), "`path` must be a string, not `7`");
        check(json!({"path": ""}), "`path` must be the name of a file");
        check(json!({"path": "a", "offset": "x"}), "`offset` must be a whole number, not `\"x\"`");
        check(
            json!({"path": "a", "limit": 0}),
            "`limit` must be a whole number from 1 on, not `0`",
        );
        check(json!({"path": "a", "caseSensitive": 1}), "`caseSensitive` must be true or false");
        check(json!({"paths": [{"offset": 1}]}), "no `path`");
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
        assert_eq!(request.around, Around { before: 2, after: 1 });
        assert_eq!((request.show, request.limit), (Show::Counts, grep::DEFAULT_FILES));
        assert!(grep_request(json!({"path": "x"})).is_err());
    }

    #[test]
    fn options_are_checked() {
        assert!(session_options(json!({"root": "/"})).is_ok());
        let all = json!({
            "root": "/", "scheme": "cid", "relocation": "verified", "repairs": {"unwrap": false},
            "durability": "fast", "stateDir": "/s", "memoryBytes": 1, "allowOutside": true,
            "guard": "nudge",
        });
        assert_eq!(session_options(all).unwrap().scheme, Scheme::Cid);
        let check = |json: Value, code: &str, part: &str| {
            let error = session_options(json).unwrap_err();
            assert_eq!(error.code, code);
            assert!(error.message.contains(part), "{error}");
        };
        check(json!({}), "bad_option", "`root` is missing");
        check(json!({"root": "/", "schema": "x"}), "bad_option", "unknown option `schema`");
        check(json!({"root": "/", "scheme": "md5"}), "unknown_scheme", "unknown scheme `md5`");
        check(json!({"root": "/", "durability": "no"}), "bad_option", "one of `full`, `fast`");
        check(json!({"root": "/", "memoryBytes": -1}), "bad_option", "from 0 on");
    }
}
