//! Fixtures and context shared by the guard's tests.

use hashline_guard::{Context, GuardSettings, Verdict, judge};
use serde_json::Value;

/// One labelled command. It is text to be judged; nothing here runs it.
pub(crate) struct Labelled {
    pub id: String,
    pub command: String,
    pub verdict: String,
    pub kind: Option<String>,
    pub targets: Vec<String>,
    pub tags: Vec<String>,
    pub why: String,
}

/// The labelled commands of a fixture.
pub(crate) fn fixture(name: &str) -> Vec<Labelled> {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("the fixture is part of the repository");
    let entries: Vec<Value> = serde_json::from_str(&text).expect("the fixture is JSON");
    entries.iter().map(labelled).collect()
}

fn labelled(entry: &Value) -> Labelled {
    let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    let list = |key: &str| {
        let items = entry[key].as_array().cloned().unwrap_or_default();
        items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
    };
    Labelled {
        id: text("id"),
        command: text("command"),
        verdict: text("verdict"),
        kind: entry["kind"].as_str().map(str::to_owned),
        targets: list("targets"),
        tags: list("tags"),
        why: text("why"),
    }
}

/// The context that all labels assume.
pub(crate) fn context() -> Context<'static> {
    Context {
        root: "/home/dev/app".to_owned(),
        cwd: "/home/dev/app".to_owned(),
        home: "/home/dev".to_owned(),
        ..Context::default()
    }
}

/// Judges a command in that context.
pub(crate) fn verdict_of(command: &str) -> Verdict {
    judge(command, &context(), &GuardSettings::default())
}

/// Whether a command is blocked in that context.
pub(crate) fn is_blocked(command: &str) -> bool {
    matches!(verdict_of(command), Verdict::Block(_))
}
