//! What the program prints as JSON: the answers of a session as JavaScript sees them, one on each line.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::misshapen::Misshapen;
use super::options::session_options;
use hashline_core::session::Options;

/// An answer as one line of JSON.
pub fn to_line(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("keys are strings")
}

/// A failure of the program, and the operation of the patch that it is about.
pub fn failure(code: &str, message: &str, op: Option<usize>) -> String {
    let mut error = json!({"code": code, "message": message});
    if let Some(op) = op {
        error["op"] = Value::from(op);
    }
    json!({"kind": "error", "error": error}).to_string()
}

/// One row of a file.
pub fn row(path: &str, line: usize, tag: &str, text: &str) -> String {
    json!({"path": path, "line": line, "tag": tag, "text": text}).to_string()
}

/// Settings that a project's own file may have: they say how lines are shown, and loosen no protection.
const PROJECT_SETTINGS: [&str; 4] = ["scheme", "encoding", "maxLines", "maxBytes"];

/// What the settings files of a workspace say; later ones win.
#[derive(Clone, Default, Debug)]
pub struct SettingsFiles {
    accepted: Map<String, Value>,
}

impl SettingsFiles {
    /// Adds the user's settings, and returns why it left some of them out.
    pub fn take_user(&mut self, text: &str) -> Vec<String> {
        self.take(text, None)
    }

    /// Adds a project's settings, and returns why it left some of them out.
    pub fn take_project(&mut self, text: &str) -> Vec<String> {
        self.take(text, Some(&PROJECT_SETTINGS))
    }

    /// The options of a session in `root`.
    pub fn options(&self, root: &str) -> Result<Options, Misshapen> {
        session_options(with_root(self.accepted.clone(), root))
    }

    fn take(&mut self, text: &str, allowed: Option<&[&str]>) -> Vec<String> {
        let fields = match serde_json::from_str(text) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return vec!["it does not hold one JSON object".to_owned()],
            Err(error) => return vec![format!("it is not JSON: {error}")],
        };
        let mut warnings = Vec::new();
        for (key, value) in fields {
            // Editors find the schema by the first; the second is for hosts that have tools.
            if key == "$schema" || key == "hide" {
                continue;
            }
            if allowed.is_some_and(|allowed| !allowed.contains(&key.as_str())) {
                warnings.push(format!("`{}` is for the user's own settings", key.escape_debug()));
                continue;
            }
            let alone = Map::from_iter([(key.clone(), value.clone())]);
            match session_options(with_root(alone, "/")) {
                Ok(_) => drop(self.accepted.insert(key, value)),
                Err(reason) => warnings.push(reason.to_string()),
            }
        }
        warnings
    }
}

fn with_root(mut fields: Map<String, Value>, root: &str) -> Value {
    fields.insert("root".to_owned(), Value::from(root));
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_cannot_loosen_what_the_user_set() {
        let mut settings = SettingsFiles::default();
        let text = r#"{"scheme": "cid", "allowOutside": true, "guard": "off", "maxLines": "x"}"#;
        let warnings = settings.take_project(text);
        assert_eq!(warnings.len(), 3, "{warnings:?}");
        let options = settings.options("/").unwrap();
        assert_eq!((options.scheme.name(), options.allow_outside), ("cid", false));
        assert!(settings.take_user(r#"{"allowOutside": true}"#).is_empty());
        assert!(settings.options("/").unwrap().allow_outside);
    }
}
