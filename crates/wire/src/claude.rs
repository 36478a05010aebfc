//! The events and answers of the hooks of Claude Code and Codex, which have one format, and the
//! settings files that name the hooks.
//!
//! An event that is not understood is `None`: the hook then says nothing, and the agent goes on.

mod settings;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use hashline_core::grep::GrepRequest;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::command_line::word;

/// What the agent is about to do, or has done.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct HookEvent {
    /// When the hook is called.
    #[serde(rename = "hook_event_name")]
    pub moment: HookMoment,
    /// The agent's session.
    pub session_id: Option<String>,
    /// The directory it works in.
    pub cwd: Option<String>,
    /// The tool it uses, if that is one of ours to answer.
    #[serde(flatten)]
    pub tool: Option<HookTool>,
}

/// When a hook is called.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum HookMoment {
    /// A session begins.
    SessionStart,
    /// Before a tool is used.
    #[serde(rename = "PreToolUse")]
    Before,
    /// After a tool was used.
    #[serde(rename = "PostToolUse")]
    After,
}

/// A use of one of the agent's tools, in the agent's own words.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "tool_name", content = "tool_input")]
#[allow(missing_docs, reason = "agents name the fields")]
pub enum HookTool {
    /// A shell command.
    Bash { command: ShellCommand },
    /// A file is read.
    Read { file_path: String, offset: Option<i64>, limit: Option<usize> },
    /// Text is replaced by text, once or several times.
    #[serde(alias = "MultiEdit")]
    Edit {
        file_path: String,
        #[serde(flatten)]
        edit: Option<TextEdit>,
        #[serde(default)]
        edits: Vec<TextEdit>,
    },
    /// A whole file is written.
    Write { file_path: String, content: String },
    /// A search.
    Grep(Map<String, Value>),
    /// A cell of a notebook is changed.
    NotebookEdit {
        notebook_path: String,
        #[serde(default)]
        new_source: String,
    },
    /// Files are changed by a patch in Codex's form.
    #[serde(rename = "apply_patch")]
    ApplyPatch {
        #[serde(alias = "input")]
        command: String,
    },
}

/// A shell command, as a text or as words.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(untagged)]
pub enum ShellCommand {
    /// One text, as typed.
    Text(String),
    /// The words, as a program gets them.
    Words(Vec<String>),
}

impl fmt::Display for ShellCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Words(words) => {
                f.write_str(&words.iter().map(|text| word(text)).collect::<Vec<_>>().join(" "))
            }
        }
    }
}

/// A replacement as Claude Code asks for it; serialized, it has the names of our own fields.
#[derive(Deserialize, Serialize, Clone, PartialEq, Eq, Debug)]
pub struct TextEdit {
    #[serde(rename(deserialize = "old_string"))]
    old_text: String,
    #[serde(rename(deserialize = "new_string"))]
    new_text: String,
    #[serde(
        rename(deserialize = "replace_all"),
        default,
        skip_serializing_if = "std::ops::Not::not"
    )]
    all: bool,
}

/// Reads an event.
pub fn event(text: &str) -> Option<HookEvent> {
    serde_json::from_str(text).ok()
}

/// The patch that a shell command gives to Codex's `apply_patch` in a here-document, and what comes
/// before it, such as `cd src && `.
pub fn patch_in(command: &str) -> Option<(&str, &str)> {
    const END: &str = "*** End Patch";
    let (before, rest) = command.split_once("apply_patch")?;
    let (start, end) = (rest.find("*** Begin Patch")?, rest.find(END)? + END.len());
    let is_document = rest.trim_start().starts_with("<<");
    Some((before, rest.get(start..end).filter(|_| is_document)?))
}

/// The search that Claude Code's Grep makes in content mode; `None` for a search for names or
/// counts.
pub fn search(input: &Map<String, Value>) -> Option<GrepRequest> {
    if input.get("output_mode")?.as_str() != Some("content") {
        return None;
    }
    let context = input.get("-C").or_else(|| input.get("context"));
    let ignores_case = Value::Bool(input.get("-i") == Some(&Value::Bool(true)));
    let request: Map<String, Value> = [
        ("pattern", input.get("pattern")),
        ("path", input.get("path")),
        ("glob", input.get("glob")),
        ("type", input.get("type")),
        ("multiline", input.get("multiline")),
        ("contextBefore", input.get("-B").or(context)),
        ("contextAfter", input.get("-A").or(context)),
        ("limit", input.get("head_limit").filter(|limit| limit.as_u64() != Some(0))),
        ("ignoreCase", Some(&ignores_case)),
    ]
    .into_iter()
    .filter_map(|(name, given)| Some((name.to_owned(), given?.clone())))
    .collect();
    crate::grep_request(Value::Object(request)).ok()
}

/// A patch for a cell of a notebook, with its text as the notebook stores it. The agent has to fill
/// in which lines it replaces.
pub fn cell_patch(path: &str, source: &str) -> String {
    let lines: Vec<String> =
        source.split_inclusive('\n').map(|line| format!("    {}", Value::from(line))).collect();
    let [start, end] = ["LINE:HASH", "LINE:HASH"];
    let lines = json!({"start_anchor": start, "end_anchor": end, "new_text": lines.join(",\n")});
    json!({"path": path, "edits": [{"replace_lines": lines}]}).to_string()
}

/// The answer that forbids a tool's use, with the reason for the model.
pub fn deny(reason: &str) -> String {
    json!({"hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": reason,
    }})
    .to_string()
}

/// The answer that permits a tool's use and adds a text for the model.
pub fn remark(text: &str) -> String {
    json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": text}})
        .to_string()
}

/// The patch that does what edits would have done.
pub fn edit_patch(path: &str, edits: &[TextEdit]) -> String {
    let edits: Value = edits.iter().map(|edit| json!({ "replace": edit })).collect();
    json!({"path": path, "edits": edits}).to_string()
}

/// The patch that writes a whole file.
pub fn write_patch(path: &str, content: &str, overwrite: bool) -> String {
    let mut op = json!({"op": "add_file", "path": path, "content": content});
    if overwrite {
        op["overwrite"] = Value::Bool(true);
    }
    json!({ "patch": [op] }).to_string()
}

/// An event for trying the hook out.
pub fn sample(cwd: &Path, tool: &str, input: &[(&str, &str)]) -> String {
    let input: BTreeMap<_, _> = input.iter().copied().collect();
    json!({"hook_event_name": "PreToolUse", "cwd": cwd, "tool_name": tool, "tool_input": input})
        .to_string()
}

/// An agent, and what it reads.
#[derive(Debug)]
pub struct Agent {
    /// Its name in the program's arguments.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Its directory in a workspace and in the user's home.
    pub directory: &'static str,
    /// The file with its instructions.
    pub instructions: &'static str,
    /// The file that names its hooks; empty if it has none.
    pub settings: &'static str,
    /// Why it has to be restarted after a change.
    pub restart: Option<&'static str>,
    /// The permission to run our program that setup adds to its settings and removes again.
    permission: Option<&'static str>,
    /// The events of its hooks, each with the tools that call the hook.
    hooks: &'static [(&'static str, Option<&'static str>)],
}

/// Claude Code.
pub const CLAUDE: Agent = Agent {
    name: "claude",
    title: "Claude Code",
    directory: ".claude",
    instructions: "CLAUDE.md",
    settings: "settings.json",
    restart: Some("it reads its hooks when it starts"),
    permission: Some("Bash(hashline:*)"),
    hooks: &[
        ("PreToolUse", Some("Bash|Read|Grep|Edit|MultiEdit|Write|NotebookEdit")),
        ("PostToolUse", Some("Read")),
        ("SessionStart", None),
    ],
};

/// Codex.
pub const CODEX: Agent = Agent {
    name: "codex",
    title: "Codex",
    directory: ".codex",
    instructions: "AGENTS.md",
    settings: "hooks.json",
    restart: Some(
        "it asks whether you trust the directory, and `/hooks` shows hooks that it does not trust yet",
    ),
    permission: None,
    hooks: &[("PreToolUse", Some("Bash|apply_patch"))],
};

/// Any other agent.
pub const ANY: Agent = Agent {
    name: "agents",
    title: "the agent",
    directory: "",
    instructions: "AGENTS.md",
    settings: "",
    restart: None,
    permission: None,
    hooks: &[],
};

impl Agent {
    /// The settings with our permission and hooks that run `command`; the rest keeps its bytes.
    ///
    /// The error is a sentence that says why the settings cannot be changed.
    pub fn with_hooks(&self, text: &str, command: &str) -> Result<String, String> {
        let mut text = if text.trim().is_empty() { "{}\n".to_owned() } else { text.to_owned() };
        if let Some(permission) = self.permission
            && !settings::list(&text, &ALLOWED)?.iter().any(|entry| entry == permission)
        {
            text = settings::add(&text, &ALLOWED, &Value::from(permission))?;
        }
        for (event, matcher) in self.hooks {
            let mut entry = json!({"hooks": [{"type": "command", "command": command}]});
            if let Some(matcher) = matcher {
                entry = json!({"matcher": matcher, "hooks": entry["hooks"]});
            }
            let place = ["hooks", event];
            let entries = settings::list(&text, &place)?;
            let ours: Vec<&Value> = entries.iter().filter(|entry| self.is_own(entry)).collect();
            match ours.as_slice() {
                [] => {}
                // Replaces an earlier version's entry, unless somebody added to it.
                [one]
                    if one["hooks"].as_array().is_some_and(|all| all.len() == 1)
                        && **one != entry =>
                {
                    text = settings::remove(&text, &place, |entry| self.is_own(entry))?;
                }
                _ => continue,
            }
            text = settings::add(&text, &place, &entry)?;
        }
        Ok(text)
    }

    /// The settings without what [`Agent::with_hooks`] added, and without the lists and objects
    /// that this leaves empty.
    pub fn without_hooks(&self, text: &str) -> Result<String, String> {
        if text.trim().is_empty() {
            return Ok(text.to_owned());
        }
        let mut text = text.to_owned();
        if let Some(permission) = self.permission {
            text = settings::remove(&text, &ALLOWED, |entry| entry == permission)?;
        }
        for (event, _) in self.hooks {
            text = settings::remove(&text, &["hooks", event], |entry| self.is_own(entry))?;
        }
        Ok(if settings::is_empty(&text) { String::new() } else { text })
    }

    /// The command of our hook in the settings, if there is one.
    pub fn hook_command(&self, text: &str) -> Option<String> {
        let entries = settings::list(text, &["hooks", "PreToolUse"]).ok()?;
        entries.iter().find_map(|entry| self.own_command(entry).map(str::to_owned))
    }

    fn is_own(&self, entry: &Value) -> bool {
        self.own_command(entry).is_some()
    }

    /// The command of ours that an entry runs, recognised by its program and its arguments.
    fn own_command<'e>(&self, entry: &'e Value) -> Option<&'e str> {
        let arguments = format!(" hook {}", self.name);
        let mut commands =
            entry["hooks"].as_array()?.iter().filter_map(|hook| hook["command"].as_str());
        commands.find(|command| {
            let program = command.strip_suffix(&arguments);
            program.is_some_and(|program| {
                ["hashline", "pi-hash", "program.js"].iter().any(|name| program.contains(name))
            })
        })
    }
}

/// Where Claude Code's settings list the commands that may run without asking.
const ALLOWED: [&str; 2] = ["permissions", "allow"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch;

    fn set_up(text: &str) -> Result<String, String> {
        CLAUDE.with_hooks(text, "hashline hook claude")
    }

    #[test]
    fn events_are_read_and_unknown_ones_are_none() {
        let bash = r#"{"session_id":"s","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"cat a"}}"#;
        let event = event(bash).unwrap();
        assert_eq!((event.moment, event.session_id.as_deref()), (HookMoment::Before, Some("s")));
        let command = ShellCommand::Text("cat a".to_owned());
        assert_eq!(event.tool, Some(HookTool::Bash { command }));
        for text in ["", "{", "[]", r#"{"hook_event_name":"Stop"}"#, r#"{"hook_event_name":7}"#] {
            assert_eq!(super::event(text), None, "{text}");
        }
        let odd =
            r#"{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":7}}"#;
        assert_eq!(super::event(odd).unwrap().tool, None);
    }

    #[test]
    fn hooks_can_be_added_to_the_settings_and_removed_again() {
        let theirs = json!({
            "model": "opus",
            "permissions": {"allow": ["Bash(ls:*)"], "deny": ["Read(.env)"]},
            "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./check"}]}]},
        });
        let pretty = serde_json::to_string_pretty(&theirs).unwrap() + "\n";
        let crlf = "{\r\n\t\"a\": 1,\r\n\t\"hooks\": {\r\n\t}\r\n}\r\n"
            .replace("{\r\n\t}", "{\"Stop\": []}");
        let odd = r#"{"big": 12345678901234567890123, "f": 1e400, "d": 1.10, "u":"\ud800", "a":1, "a":2}"#;
        let one_line = r#"{"permissions":{"allow":["x"]},"hooks":{"Stop":[]}}"#;
        for text in ["", &pretty, &crlf, odd, one_line] {
            for agent in [CLAUDE, CODEX] {
                let command = format!("'/a b/hashline' hook {}", agent.name);
                let with = agent.with_hooks(text, &command).unwrap();
                assert_eq!(agent.hook_command(&with), Some(command.clone()), "{with}");
                assert_eq!(agent.hook_command(text), None);
                assert_eq!(agent.with_hooks(&with, &command).unwrap(), with, "no second time");
                assert_eq!(agent.without_hooks(&with).unwrap(), text);
            }
        }
        assert!(set_up("// a comment").is_err());
        assert!(set_up("[]").is_err());
        assert!(set_up(r#"{"hooks": []}"#).is_err());
    }

    #[test]
    fn hooks_are_added_in_the_layout_of_the_settings() {
        let tabs = "{\r\n\t\"hooks\": {\r\n\t\t\"Stop\": []\r\n\t}\r\n}\r\n";
        let with = set_up(tabs).unwrap();
        assert!(
            with.starts_with(
                "{\r\n\t\"hooks\": {\r\n\t\t\"Stop\": [],\r\n\t\t\"PreToolUse\": [\r\n\t\t\t{"
            ),
            "{with}"
        );
        assert!(!with.replace("\r\n", "").contains('\n'), "{with:?}");
        assert_eq!(set_up("{}").unwrap().lines().nth(1), Some("  \"permissions\": {"));
        let value: Value = serde_json::from_str(&with).unwrap();
        assert_eq!(value["permissions"]["allow"], json!(["Bash(hashline:*)"]));
    }

    #[test]
    fn the_hooks_of_an_earlier_version_are_brought_up_to_date() {
        let with = set_up("").unwrap();
        let older = with.replace("Grep|", "");
        assert_ne!(older, with);
        assert_eq!(set_up(&older).unwrap().matches("hook claude").count(), 3);
        assert!(set_up(&older).unwrap().contains("Grep|"));
        let elsewhere = with.replace("hashline hook", "'/opt/hashline' hook");
        assert_eq!(set_up(&elsewhere).unwrap(), with);
    }

    #[test]
    fn the_patch_in_an_answer_is_one_that_we_read() {
        let edits =
            [TextEdit { old_text: "a".to_owned(), new_text: "b\n\"c\"".to_owned(), all: true }];
        assert_eq!(patch::read_text(&edit_patch("f", &edits)).unwrap().ops.len(), 1);
        assert_eq!(patch::read_text(&write_patch("f", "x\n", true)).unwrap().ops.len(), 1);
    }
    #[test]
    fn a_command_comes_as_a_text_or_as_words() {
        for (command, expected) in [
            (json!("cat a"), "cat a"),
            (json!(["bash", "-lc", "cat 'a b'"]), r"bash -lc 'cat '\''a b'\'''"),
        ] {
            let command: ShellCommand = serde_json::from_value(command).unwrap();
            assert_eq!(command.to_string(), expected);
        }
    }

    #[test]
    fn a_patch_in_a_shell_command_is_found() {
        let patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch";
        for (command, expected) in [
            (format!("apply_patch <<'EOF'\n{patch}\nEOF\n"), Some(("", patch))),
            (format!("cd b && apply_patch << X\n{patch}\nX"), Some(("cd b && ", patch))),
            // What a shell makes of the quotes is not known here.
            (format!("apply_patch '{patch}'"), None),
            ("grep apply_patch <<< '*** End Patch *** Begin Patch'".to_owned(), None),
            ("git apply".to_owned(), None),
        ] {
            assert_eq!(patch_in(&command), expected, "{command}");
        }
    }
}
