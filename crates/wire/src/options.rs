//! The options of a session as JSON.

use std::path::PathBuf;

use serde_json::Value;

use super::fields::FieldError;
use super::misshapen::{Misshapen, MisshapenCode};
use super::requests::{given_fields, object};
use hashline_core::report::ReportStyle;
use hashline_core::session::{Durability, Encodings, Options};
use hashline_core::system;
use hashline_core::{Relocation, Repair, Repairs, Unseen};
use hashline_guard::{GuardSettings, Mode, Writes};
use hashline_text::{Encoding, LineNumber, Scheme};

/// A line number no file reaches.
const NO_LINE: usize = u32::MAX as usize;

/// Reads the options of a session. Unlike a request, they are written by a program, so that an
/// unknown name is an error.
pub fn session_options(json: Value) -> Result<Options, Misshapen> {
    let object = object(json)?;
    let mut fields = given_fields(&object);
    let Some(root) = fields.text(&["root"])?.filter(|root| !root.is_empty()) else {
        return Err(FieldError::sentence("`root` is missing").into());
    };
    let mut options = Options::new(PathBuf::from(root));
    options.check = Some(broken_notebook);
    if let Some(name) = fields.text(&["scheme"])? {
        options.scheme = name.parse::<Scheme>().map_err(|error| Misshapen {
            code: MisshapenCode::UnknownScheme,
            message: error.to_string(),
        })?;
    }
    let lines = fields.size("maxLines", 1)?;
    let within = |lines| LineNumber::new(lines).map_or(NO_LINE, LineNumber::get);
    set(&mut options.budget.lines, lines.map(within));
    set(&mut options.budget.bytes, fields.size("maxBytes", 1)?);
    set(&mut options.budget.printed, fields.size("maxPrintedBytes", 1)?);
    set(&mut options.memory_bytes, fields.size("memoryBytes", 0)?);
    options.state_dir = fields.text(&["stateDir"])?.map(PathBuf::from);
    options.journal_dir = fields.text(&["journalDir"])?.map(PathBuf::from);
    options.undo = fields.switch("undo")?.unwrap_or(true);
    options.stats_dir = fields.switch("stats")?.unwrap_or(true).then(stats_dir).flatten();
    options.guard = fields.take(&["guard"]).map_or_else(|| Ok(options.guard), guard_settings)?;
    let durability = [Durability::Full, Durability::Fast];
    set(&mut options.durability, fields.choice("durability", &durability, Durability::name)?);
    let relocation = fields.text(&["relocation"])?.map(str::parse::<Relocation>).transpose();
    set(&mut options.relocation, relocation.map_err(FieldError::sentence)?);
    set(&mut options.unseen, fields.choice("unseen", &Unseen::ALL, Unseen::name)?);
    let mended = fields.take(&["repairs"]).map(repairs).transpose();
    set(&mut options.repairs, mended.map_err(FieldError::sentence)?);
    set(&mut options.report, fields.choice("report", &ReportStyle::ALL, ReportStyle::name)?);
    let encoding = fields.take(&["encoding"]).map(encodings).transpose();
    set(&mut options.encodings, encoding.map_err(FieldError::sentence)?);
    options.roots = fields.texts("roots")?.into_iter().map(PathBuf::from).collect();
    options.allow_outside = fields.switch("allowOutside")?.unwrap_or(false);
    options.allow_git = fields.switch("allowGit")?.unwrap_or(false);
    fields.finish("option")?;
    Ok(options)
}

/// Changes an option that is given.
fn set<T>(option: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *option = given;
    }
}

/// Where this user's counts are kept.
fn stats_dir() -> Option<PathBuf> {
    Some(system::state_homes().into_iter().next()?.join("stats"))
}

/// Options that only a program can set, not a settings file: they describe where the program runs.
const NO_SETTINGS: [&str; 5] = ["root", "stateDir", "journalDir", "undo", "maxPrintedBytes"];

/// Why a value cannot be a setting of a session.
pub fn check_setting(name: &str, value: Value) -> Result<(), Misshapen> {
    if NO_SETTINGS.contains(&name) {
        return Err(FieldError::sentence(format!("`{name}` is not a setting")).into());
    }
    let mut fields = serde_json::Map::new();
    fields.insert("root".to_owned(), Value::String("/".to_owned()));
    fields.insert(name.to_owned(), value);
    session_options(Value::Object(fields)).map(|_| ())
}

/// The default settings of a session.
pub fn default_settings() -> Value {
    let options = Options::new("");
    serde_json::json!({
        "scheme": options.scheme.name(),
        "relocation": options.relocation.name(),
        "unseen": options.unseen.name(),
        "repairs": true,
        "report": options.report.name(),
        "durability": options.durability.name(),
        "encoding": "auto",
        "memoryBytes": options.memory_bytes,
        "maxLines": options.budget.lines,
        "maxBytes": options.budget.bytes,
        "roots": [],
        "allowOutside": options.allow_outside,
        "allowGit": options.allow_git,
        "guard": options.guard.mode.name(),
        "stats": true,
    })
}

/// Reads the guard's settings: a mode, `false` for none, or an object.
fn guard_settings(setting: &Value) -> Result<GuardSettings, FieldError> {
    let json = match setting {
        Value::Bool(on) => serde_json::json!({ "mode": if *on { "block" } else { "off" } }),
        Value::String(mode) => serde_json::json!({ "mode": mode }),
        json => json.clone(),
    };
    let object = object(json)?;
    let mut fields = given_fields(&object);
    let modes = [Mode::Block, Mode::Nudge, Mode::Off];
    let writes = [Writes::Block, Writes::Convert];
    let settings = GuardSettings {
        mode: fields.choice("mode", &modes, Mode::name)?.unwrap_or_default(),
        writes: fields.choice("writes", &writes, Writes::name)?.unwrap_or_default(),
        extra_readers: fields.texts("extraReaders")?,
        extra_writers: fields.texts("extraWriters")?,
        allowed_programs: fields.texts("allowedPrograms")?,
        allowed_paths: fields.texts("allowedPaths")?,
    };
    fields.finish("setting of the guard")?;
    Ok(settings)
}

/// Why a notebook must not become this text: it was JSON, and would no longer be.
fn broken_notebook(path: &str, before: &str, after: &str) -> Option<String> {
    let json = serde_json::from_str::<serde::de::IgnoredAny>;
    let is_notebook = path.to_ascii_lowercase().ends_with(".ipynb") && json(before).is_ok();
    let error = if is_notebook { json(after).err()? } else { return None };
    Some(format!("`{path}` is JSON, and would no longer be: {error}; escape the text as JSON does"))
}

/// Reads the setting `encoding`: `auto`, a label, or labels by glob.
fn encodings(setting: &Value) -> Result<Encodings, String> {
    let labelled = |label: &Value| match label.as_str() {
        Some("auto") => Ok(None),
        Some(label) => Encoding::named(label).map(Some).map_err(|error| error.to_string()),
        None => Err(format!("`encoding` is a label, or an object of labels by glob, not {label}")),
    };
    let Value::Object(globs) = setting else { return Ok(Encodings::otherwise(labelled(setting)?)) };
    let mut encodings = Encodings::default();
    for (glob, label) in globs {
        match labelled(label)? {
            Some(encoding) => encodings.name(glob, encoding).map_err(|bad| bad.to_string())?,
            None => {
                return Err(format!("`encoding` of `{glob}` must name an encoding, not `auto`"));
            }
        }
    }
    Ok(encodings)
}

/// Reads the setting `repairs`: `true`, `false`, or an object that switches repairs by name.
///
/// The error is a sentence that names the entry that cannot be read.
pub fn repairs(setting: &Value) -> Result<Repairs, String> {
    match setting {
        Value::Null | Value::Bool(true) => Ok(Repairs::default()),
        Value::Bool(false) => Ok(Repairs::NONE),
        Value::String(name) if name == "none" => Ok(Repairs::NONE),
        Value::String(name) if name == "default" => Ok(Repairs::default()),
        Value::Object(entries) => {
            let mut repairs = Repairs::default();
            for (name, on) in entries {
                let repair = Repair::ALL.into_iter().find(|repair| repair.name() == name);
                let (Some(repair), Value::Bool(on)) = (repair, on) else {
                    let names = Repair::ALL.map(Repair::name).join("`, `");
                    return Err(format!(
                        "no repair can be set by `{name}: {on}`: set `{names}` to true or false"
                    ));
                };
                repairs.set(repair, *on);
            }
            Ok(repairs)
        }
        other => Err(format!("`repairs` is true, false or an object, not {other}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn options_are_checked() {
        assert!(session_options(json!({"root": "/"})).is_ok());
        let all = json!({
            "root": "/", "scheme": "cid", "relocation": "verified", "repairs": {"drop_echo": false},
            "durability": "fast", "stateDir": "/s", "memoryBytes": 1, "allowOutside": true,
            "guard": "nudge",
        });
        assert_eq!(session_options(all).unwrap().scheme, Scheme::Cid);
        let check = |json: Value, code: &str, part: &str| {
            let error = session_options(json).unwrap_err();
            assert_eq!(error.code.as_str(), code);
            assert!(error.message.contains(part), "{error}");
        };
        check(json!({}), "bad_option", "`root` is missing");
        check(json!({"root": "/", "schema": "x"}), "bad_option", "unknown option `schema`");
        check(json!({"root": "/", "scheme": "md5"}), "unknown_scheme", "unknown scheme `md5`");
        check(json!({"root": "/", "durability": "no"}), "bad_option", "one of `full`, `fast`");
        check(json!({"root": "/", "unseen": false}), "bad_option", "one of `refuse`, `warn`");
        for encoding in [json!("auto"), json!("latin1"), json!({"*.rc": "utf-16le", "b/": "big5"})]
        {
            assert!(session_options(json!({"root": "/", "encoding": encoding})).is_ok());
        }
        check(json!({"root": "/", "encoding": "klingon"}), "bad_option", "encoding `klingon`");
        check(
            json!({"root": "/", "encoding": {"*": "iso-2022-jp"}}),
            "bad_option",
            "`iso-2022-jp`",
        );
        check(json!({"root": "/", "encoding": {"a[": "latin1"}}), "bad_option", "bad glob `a[`");
        check(json!({"root": "/", "encoding": 3}), "bad_option", "is a label");
        check(json!({"root": "/", "report": "long"}), "bad_option", "one of `short`, `full`");
        check(json!({"root": "/", "memoryBytes": -1}), "bad_option", "from 0 on");
    }

    #[test]
    fn a_permission_is_a_truth_value_and_nothing_else() {
        for name in ["allowOutside", "allowGit"] {
            for value in [json!("true"), json!(1), json!("yes"), json!([true])] {
                let options = json!({ "root": "/w", name: value });
                let error = session_options(options).unwrap_err().to_string();
                assert!(error.contains(name), "{error}");
            }
        }
        let options = session_options(json!({ "root": "/w", "allowGit": true })).unwrap();
        assert!(options.allow_git && !options.allow_outside);
    }
}
