//! Runs several processes of the built program at once, and kills one at work.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use hashline_testing::Workdir;

/// A workspace of its own, with a state directory of its own.
struct Place {
    directory: Workdir,
    root: PathBuf,
}

impl Place {
    fn new() -> Self {
        let directory = Workdir::new("processes");
        let root = directory.path().join("work");
        fs::create_dir_all(root.join(".git")).unwrap();
        Self { directory, root }
    }

    fn start(&self, arguments: &[&str], input: &Value) -> Child {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hashline"))
            .args(arguments)
            .current_dir(&self.root)
            .env("HOME", self.directory.path().join("home"))
            .env("XDG_STATE_HOME", self.directory.path().join("state"))
            .env("XDG_CONFIG_HOME", self.directory.path().join("config"))
            .env_remove("HASHLINE_SESSION")
            .env_remove("CODEX_SESSION_ID")
            .env_remove("CODEX_SESSION_ID")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that reads no input may have ended already.
        let _ = child.stdin.take().unwrap().write_all(input.to_string().as_bytes());
        child
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.start(arguments, &Value::Null).wait_with_output().unwrap()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.root.join(name)).unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn processes_at_once_lose_no_edit() {
    const WRITERS: usize = 8;
    let place = Place::new();
    let lines = |text: &dyn Fn(usize) -> String| -> String {
        (0..WRITERS).flat_map(|at| [text(at), "\n".to_owned()]).collect()
    };
    let before = lines(&|at| format!("call({at}, \"line {at}\");"));
    fs::write(place.root.join("a.js"), before).unwrap();
    let shown = text(&place.run(&["read", "a.js"]).stdout);
    let anchors: Vec<&str> = shown.lines().map(|row| row.split_once('|').unwrap().0).collect();
    assert_eq!(anchors.len(), WRITERS, "{shown}");
    let start = |(at, anchor): (usize, &&str)| {
        let edit = json!({"set_line": {"anchor": anchor, "new_text": format!("edited({at});")}});
        place.start(&["apply"], &json!({"path": "a.js", "edits": [edit]}))
    };
    let children: Vec<Child> = anchors.iter().enumerate().map(start).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    assert_eq!(place.read("a.js"), lines(&|at| format!("edited({at});")));
}

#[test]
fn a_program_that_was_killed_leaves_all_files_old_or_all_new() {
    const FILES: usize = 30;
    let names: Vec<String> = (0..FILES).map(|at| format!("f{at}.txt")).collect();
    let patch: Vec<Value> = names
        .iter()
        .map(|name| json!({"op": "replace", "path": name, "old_text": "old", "new_text": "new"}))
        .collect();
    for round in 0..20_u64 {
        let place = Place::new();
        for name in &names {
            fs::write(place.root.join(name), "old\n").unwrap();
        }
        let mut child = place.start(&["apply"], &json!({ "patch": patch }));
        std::thread::sleep(Duration::from_millis(round));
        // The program may have ended already.
        let _ = child.kill();
        child.wait().unwrap();
        let recovered = place.run(&["recover"]);
        assert!(recovered.status.success(), "{}", text(&recovered.stderr));
        let texts: Vec<String> = names.iter().map(|name| place.read(name)).collect();
        let same = texts.iter().all(|text| *text == texts[0]);
        assert!(same && ["old\n", "new\n"].contains(&&*texts[0]), "round {round}: {texts:?}");
        let left = fs::read_dir(&place.root).unwrap().count();
        assert_eq!(left, FILES + 1, "only the files and .git are left in round {round}");
    }
}
