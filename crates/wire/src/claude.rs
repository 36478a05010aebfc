//! The events and answers of Claude Code's hooks, which Codex has in the same shape, and the file that names them.
//!
//! An event that is not understood is `None`: the hook then says nothing, and the agent goes on.

mod settings;

use hashline_core::grep::GrepRequest;
use serde_json::{Map, Value, json};

/// What the agent is about to do, or has done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HookEvent {
    /// When.
    pub moment: HookMoment,
    /// The agent's session.
    pub session: Option<String>,
    /// The directory it works in.
    pub cwd: Option<String>,
    /// The tool it uses.
    pub tool: HookTool,
}

/// When a hook is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HookMoment {
    /// A session begins.
    SessionStart,
    /// Before a tool is used.
    Before,
    /// After a tool was used.
    After,
}

/// A use of one of the agent's tools.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HookTool {
    /// A shell command.
    Bash {
        /// The command.
        command: String,
    },
    /// A file is read.
    Read {
        /// The file.
        path: String,
        /// The first line.
        offset: Option<i64>,
        /// How many lines.
        limit: Option<usize>,
    },
    /// Text is replaced by text.
    Edit {
        /// The file.
        path: String,
        /// The old text, the new one, and whether everywhere.
        edits: Vec<(String, String, bool)>,
    },
    /// A whole file is written.
    Write {
        /// The file.
        path: String,
        /// Its text.
        content: String,
    },
    /// A search that shows lines; one for names or counts is no concern of ours.
    Grep(Box<GrepRequest>),
    /// A cell of a notebook is changed.
    NotebookEdit {
        /// The notebook.
        path: String,
        /// The new text of the cell.
        source: String,
    },
    /// Files are changed by a patch in Codex's form.
    ApplyPatch {
        /// The patch.
        patch: String,
    },
    /// A tool that is no concern of ours.
    Other,
}

/// Reads an event.
pub fn event(text: &str) -> Option<HookEvent> {
    let json: Value = serde_json::from_str(text).ok()?;
    let moment = match json.get("hook_event_name")?.as_str()? {
        "SessionStart" => HookMoment::SessionStart,
        "PreToolUse" => HookMoment::Before,
        "PostToolUse" => HookMoment::After,
        _ => return None,
    };
    let text = |name: &str| json.get(name).and_then(Value::as_str).map(str::to_owned);
    let tool = match (text("tool_name"), json.get("tool_input")) {
        (Some(name), Some(input)) => tool(&name, input).unwrap_or(HookTool::Other),
        _ => HookTool::Other,
    };
    Some(HookEvent { moment, session: text("session_id"), cwd: text("cwd"), tool })
}

fn tool(name: &str, input: &Value) -> Option<HookTool> {
    let text = |from: &Value, name: &str| Some(from.get(name)?.as_str()?.to_owned());
    let edit = |from: &Value| {
        let all = from.get("replace_all").and_then(Value::as_bool).unwrap_or(false);
        Some((text(from, "old_string")?, text(from, "new_string")?, all))
    };
    Some(match name {
        "Bash" => HookTool::Bash { command: text(input, "command")? },
        "Read" => HookTool::Read {
            path: text(input, "file_path")?,
            offset: input.get("offset").and_then(Value::as_i64),
            limit: input.get("limit").and_then(Value::as_u64).and_then(|n| n.try_into().ok()),
        },
        "Edit" => HookTool::Edit { path: text(input, "file_path")?, edits: vec![edit(input)?] },
        "MultiEdit" => HookTool::Edit {
            path: text(input, "file_path")?,
            edits: input.get("edits")?.as_array()?.iter().map(edit).collect::<Option<_>>()?,
        },
        "Write" => {
            HookTool::Write { path: text(input, "file_path")?, content: text(input, "content")? }
        }
        "Grep" => HookTool::Grep(Box::new(search(input)?)),
        "NotebookEdit" => HookTool::NotebookEdit {
            path: text(input, "notebook_path")?,
            source: text(input, "new_source").unwrap_or_default(),
        },
        "apply_patch" => {
            let patch = text(input, "command").or_else(|| text(input, "input"));
            HookTool::ApplyPatch { patch: patch? }
        }
        _ => HookTool::Other,
    })
}

/// The search that Claude Code's Grep makes in content mode.
fn search(input: &Value) -> Option<GrepRequest> {
    if input.get("output_mode").and_then(Value::as_str) != Some("content") {
        return None;
    }
    let context = input.get("-C").or_else(|| input.get("context"));
    let mut request = Map::new();
    for (name, given) in [
        ("pattern", input.get("pattern")),
        ("path", input.get("path")),
        ("glob", input.get("glob")),
        ("type", input.get("type")),
        ("multiline", input.get("multiline")),
        ("contextBefore", input.get("-B").or(context)),
        ("contextAfter", input.get("-A").or(context)),
        ("limit", input.get("head_limit").filter(|limit| limit.as_u64() != Some(0))),
    ] {
        request.extend(given.map(|value| (name.to_owned(), value.clone())));
    }
    if input.get("-i") == Some(&Value::Bool(true)) {
        request.insert("caseSensitive".to_owned(), Value::Bool(false));
    }
    crate::grep_request(Value::Object(request)).ok()
}

/// A patch for a cell of a notebook whose lines the agent has to name: its text as the notebook holds it.
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

/// The answer that lets a tool be used and tells the model something.
pub fn remark(text: &str) -> String {
    json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": text}})
        .to_string()
}

/// The patch that does what an edit would have done.
pub fn edit_patch(path: &str, edits: &[(String, String, bool)]) -> String {
    let edits: Vec<Value> = edits
        .iter()
        .map(|(old, new, all)| {
            let mut replace = json!({"old_text": old, "new_text": new});
            if *all {
                replace["all"] = Value::Bool(true);
            }
            json!({ "replace": replace })
        })
        .collect();
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
pub fn sample(cwd: &str, tool: &str, input: &[(&str, &str)]) -> String {
    let input: Map<String, Value> =
        input.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
    json!({"hook_event_name": "PreToolUse", "cwd": cwd, "tool_name": tool, "tool_input": input})
        .to_string()
}

/// What an earlier setup put into the settings, and nothing else, is recognised by these.
const PERMISSION: &str = "Bash(hashline:*)";

/// An agent with hooks of this shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agent {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
}

/// An event of an agent's hooks, and the tools for which it is wanted.
type Hook = (&'static str, Option<&'static str>);

impl Agent {
    /// Its name in the program's arguments.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
        }
    }

    fn hooks(self) -> &'static [Hook] {
        match self {
            Self::Claude => &[
                ("PreToolUse", Some("Bash|Read|Grep|Edit|MultiEdit|Write|NotebookEdit")),
                ("PostToolUse", Some("Read")),
                ("SessionStart", None),
            ],
            Self::Codex => &[("PreToolUse", Some("Bash|apply_patch"))],
        }
    }
}

/// The settings with our permission, where the agent has any, and hooks that run `command`; what is there
/// already keeps its bytes.
///
/// The error is a sentence that says why the settings cannot be changed.
pub fn with_hooks(text: &str, agent: Agent, command: &str) -> Result<String, String> {
    let mut text = if text.trim().is_empty() { "{}\n".to_owned() } else { text.to_owned() };
    let place = ["permissions", "allow"];
    if agent == Agent::Claude && !settings::list(&text, &place)?.iter().any(is_permission) {
        text = settings::add(&text, &place, &Value::from(PERMISSION))?;
    }
    let is_ours = |entry: &Value| is_ours(entry, agent);
    for (event, matcher) in agent.hooks() {
        let mut entry = Map::new();
        if let Some(matcher) = matcher {
            entry.insert("matcher".to_owned(), Value::from(*matcher));
        }
        entry.insert("hooks".to_owned(), json!([{"type": "command", "command": command}]));
        let entry = Value::Object(entry);
        let place = ["hooks", event];
        let entries = settings::list(&text, &place)?;
        let ours: Vec<&Value> = entries.iter().filter(|entry| is_ours(entry)).collect();
        match ours.as_slice() {
            [] => {}
            // An earlier version's entry, unless somebody put more into it.
            [one] if is_alone(one) && **one != entry => {
                text = settings::remove(&text, &place, is_ours)?;
            }
            _ => continue,
        }
        text = settings::add(&text, &place, &entry)?;
    }
    Ok(text)
}

/// The settings without what [`with_hooks`] put in; lists and objects that this leaves empty go too.
pub fn without_hooks(text: &str, agent: Agent) -> Result<String, String> {
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let mut text = text.to_owned();
    if agent == Agent::Claude {
        text = settings::remove(&text, &["permissions", "allow"], is_permission)?;
    }
    for (event, _) in agent.hooks() {
        text = settings::remove(&text, &["hooks", event], |entry| is_ours(entry, agent))?;
    }
    Ok(if settings::is_empty(&text) { String::new() } else { text })
}

/// The command of our hook in the settings, if there is one.
pub fn hook_command(text: &str, agent: Agent) -> Option<String> {
    let entries = settings::list(text, &["hooks", "PreToolUse"]).ok()?;
    entries.iter().find_map(|entry| own_command(entry, agent).map(str::to_owned))
}

fn is_permission(entry: &Value) -> bool {
    entry == PERMISSION
}

fn is_ours(entry: &Value, agent: Agent) -> bool {
    own_command(entry, agent).is_some()
}

/// The command of ours that an entry runs. It is known by its program and its arguments.
fn own_command(entry: &Value, agent: Agent) -> Option<&str> {
    let arguments = format!(" hook {}", agent.name());
    let hooks = entry.get("hooks").and_then(Value::as_array)?;
    let mut commands = hooks.iter().filter_map(|hook| hook.get("command")?.as_str());
    commands.find(|command| {
        let program = command.strip_suffix(&arguments);
        program.is_some_and(|program| {
            ["hashline", "pi-hash", "program.js"].iter().any(|name| program.contains(name))
        })
    })
}

/// Whether an entry runs one command only.
fn is_alone(entry: &Value) -> bool {
    entry.get("hooks").and_then(Value::as_array).is_some_and(|hooks| hooks.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch;

    fn set_up(text: &str) -> Result<String, String> {
        with_hooks(text, Agent::Claude, "hashline hook claude")
    }

    #[test]
    fn events_are_read_and_unknown_ones_are_none() {
        let bash = r#"{"session_id":"s","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"cat a"}}"#;
        let event = event(bash).unwrap();
        assert_eq!((event.moment, event.session.as_deref()), (HookMoment::Before, Some("s")));
        assert_eq!(event.tool, HookTool::Bash { command: "cat a".to_owned() });
        for text in ["", "{", "[]", r#"{"hook_event_name":"Stop"}"#, r#"{"hook_event_name":7}"#] {
            assert_eq!(super::event(text), None, "{text}");
        }
        let odd =
            r#"{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":7}}"#;
        assert_eq!(super::event(odd).unwrap().tool, HookTool::Other);
    }

    #[test]
    fn what_is_put_into_the_settings_is_taken_out_again() {
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
            for agent in [Agent::Claude, Agent::Codex] {
                let command = format!("'/a b/hashline' hook {}", agent.name());
                let with = with_hooks(text, agent, &command).unwrap();
                assert_eq!(hook_command(&with, agent), Some(command.clone()), "{with}");
                assert_eq!(hook_command(text, agent), None);
                assert_eq!(with_hooks(&with, agent, &command).unwrap(), with, "no second time");
                assert_eq!(without_hooks(&with, agent).unwrap(), text);
            }
        }
        assert!(set_up("// a comment").is_err());
        assert!(set_up("[]").is_err());
        assert!(set_up(r#"{"hooks": []}"#).is_err());
    }

    #[test]
    fn what_is_added_to_the_settings_looks_like_what_is_there() {
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
        assert_eq!(value["permissions"]["allow"], json!([PERMISSION]));
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
        let edits = [("a".to_owned(), "b\n\"c\"".to_owned(), true)];
        assert_eq!(patch::read_text(&edit_patch("f", &edits)).unwrap().ops.len(), 1);
        assert_eq!(patch::read_text(&write_patch("f", "x\n", true)).unwrap().ops.len(), 1);
    }
}
