//! `hashline doctor`: what is set up, and whether it works.

use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use super::open::OpenedWorkspace;
use super::output::{Exit, print_line};
use hashline_core::{show, system};
use hashline_text::kernel::vectors;
use hashline_wire::claude;

/// The most bytes of a settings file.
const MOST_BYTES: usize = 16 << 20;

/// Checks the installation, and with `simulate` the hook as the agent would call it.
pub(crate) fn doctor(simulate: bool, start: &[OsString], opened: &OpenedWorkspace) -> Exit {
    let mut report = Report { bad: false };
    report.row(true, "version", env!("CARGO_PKG_VERSION"));
    report.row(true, "instructions", vectors::chosen_name());
    report.row(true, "workspace", &opened.root.to_string_lossy());
    for warning in &opened.warnings {
        report.row(false, "settings", warning);
    }
    let homes = system::state_homes();
    match homes.iter().find(|home| system::private_directory(home, "memory", &opened.root).is_ok())
    {
        Some(home) => report.row(true, "state", &home.to_string_lossy()),
        None => report.row(false, "state", "no directory for journals can be written to"),
    }
    let settings = opened.root.join(".claude/settings.json");
    let bytes =
        system::contents(&settings, MOST_BYTES, &AtomicBool::new(false)).unwrap_or_default();
    let installed = claude::has_hooks(&String::from_utf8_lossy(&bytes));
    match (installed, installed && starts(claude::COMMAND)) {
        (false, _) => report.row(true, "claude hook", "not installed (hashline setup claude)"),
        (true, true) => report.row(true, "claude hook", "installed"),
        (true, false) => {
            let text = format!("`{}` cannot be started: put hashline on the PATH", claude::COMMAND);
            report.row(false, "claude hook", &text);
        }
    }
    if simulate {
        for sample in samples(opened) {
            match run_hook(start, &sample.event) {
                Ok(answer) => {
                    let fits = match sample.expected {
                        Some(part) => answer.contains(part),
                        None => answer.is_empty(),
                    };
                    let word = if answer.is_empty() { "let through" } else { "answered" };
                    report.row(fits, sample.name, word);
                }
                Err(error) => {
                    report.row(false, sample.name, &format!("cannot run the hook: {error}"));
                }
            }
        }
    }
    if report.bad { Exit::Failed } else { Exit::Done }
}

/// Whether a shell, as the agent has one, can start a command; the hook does nothing without an event.
fn starts(command: &str) -> bool {
    let shell = if cfg!(windows) { ["cmd", "/C"] } else { ["sh", "-c"] };
    let mut start = Command::new(shell[0]);
    start.args([shell[1], command]).stdin(Stdio::null());
    start.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

struct Report {
    bad: bool,
}

impl Report {
    fn row(&mut self, good: bool, name: &str, text: &str) {
        self.bad |= !good;
        print_line(&format!("{} {name}: {}", if good { "ok " } else { "BAD" }, show::name(text)));
    }
}

/// An event, and what the answer to it must hold; `None` if there must be none.
struct Sample {
    name: &'static str,
    event: String,
    expected: Option<&'static str>,
}

fn samples(opened: &OpenedWorkspace) -> Vec<Sample> {
    let cwd = opened.root.to_string_lossy();
    let sample = |name, tool: &str, input: &[(&str, &str)], expected| Sample {
        name,
        event: claude::sample(&cwd, tool, input),
        expected,
    };
    let edit = [("file_path", "README.md"), ("old_string", "a"), ("new_string", "b")];
    vec![
        sample("a build command", "Bash", &[("command", "make test")], None),
        sample("cat of a file", "Bash", &[("command", "cat README.md")], Some("deny")),
        sample("an edit", "Edit", &edit, Some("hashline apply")),
        sample("an unknown tool", "Telepathy", &[], None),
    ]
}

/// Runs this program as the agent would.
fn run_hook(start: &[OsString], event: &str) -> std::io::Result<String> {
    let (program, first) = start.split_first().expect("a program is started by something");
    let mut child = Command::new(program)
        .args(first)
        .args(["hook", "claude"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(event.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
