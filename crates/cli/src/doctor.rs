//! `hashline doctor`: what is set up, and whether it works.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use super::open::OpenedWorkspace;
use super::output::{Exit, print_line};
use hashline_core::{show, system};
use hashline_text::kernel::vectors;
use hashline_wire::claude::{self, Agent};

/// The most bytes of a settings file.
const MAX_BYTES: usize = 16 << 20;

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
        None => report.row(false, "state", "no directory for journals is writable"),
    }
    for (agent, file) in
        [(Agent::Claude, ".claude/settings.json"), (Agent::Codex, ".codex/hooks.json")]
    {
        check_hook(agent, &opened.root.join(file), opened, &mut report);
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

/// Runs the hook that an agent's settings name with an event, if it is ours.
fn check_hook(agent: Agent, settings: &Path, opened: &OpenedWorkspace, report: &mut Report) {
    let name = format!("{} hook", agent.name());
    let bytes = system::contents(settings, MAX_BYTES, &AtomicBool::new(false)).unwrap_or_default();
    let Some(command) = claude::hook_command(&String::from_utf8_lossy(&bytes), agent) else {
        // Codex is rarer, so it is reported only if it is set up.
        if agent == Agent::Claude {
            report.row(true, &name, "not installed (hashline setup claude)");
        }
        return;
    };
    let Some(words) = own_words(&command, agent, opened) else {
        return report.row(
            false,
            &name,
            &format!("`{command}` is not ours to run; run it yourself"),
        );
    };
    let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    let event =
        claude::sample(&opened.root.to_string_lossy(), "Bash", &[("command", "cat README.md")]);
    match run(&words, &event) {
        Ok(answer) if answer.contains("\"deny\"") => {
            report.row(true, &name, &format!("installed; `{command}` answers `cat README.md`"));
        }
        Ok(answer) => {
            report.row(false, &name, &format!("`{command}` answers `{answer}` to `cat README.md`"));
        }
        Err(error) => report.row(
            false,
            &name,
            &format!(
                "`{command}` cannot be started: {error}; run `hashline setup {}` again",
                agent.name()
            ),
        ),
    }
}

/// The words of a command that is `hashline`, `npx pi-hash`, or a program outside the workspace, with our
/// arguments.
fn own_words(command: &str, agent: Agent, opened: &OpenedWorkspace) -> Option<Vec<String>> {
    let words = words(command)?;
    let (arguments, program) =
        (words.iter().rev().take(2).rev(), &words[..words.len().checked_sub(2)?]);
    if !arguments.eq(["hook", agent.name()]) {
        return None;
    }
    let program: Vec<&str> = program.iter().map(String::as_str).collect();
    let is_outside = |path: &&str| {
        let real = system::canonical(Path::new(path));
        Path::new(path).is_absolute() && real.is_ok_and(|path| !path.starts_with(&opened.root))
    };
    let is_ours = match program[..] {
        ["hashline"] | ["npx", "pi-hash"] | ["npx", "-y", "pi-hash"] => true,
        [_] | [_, _] => program.iter().all(is_outside),
        _ => false,
    };
    is_ours.then_some(words)
}

/// The words of a command that uses no more of the shell than single quotes.
fn words(command: &str) -> Option<Vec<String>> {
    let mut words = vec![String::new()];
    for (at, part) in command.split('\'').enumerate() {
        if at % 2 == 1 {
            words.last_mut()?.push_str(part);
            continue;
        }
        if part.contains(|c: char| "\"\\$`|&;<>()*?[]#~{}!\n".contains(c)) {
            return None;
        }
        let mut pieces = part.split(' ');
        words.last_mut()?.push_str(pieces.next()?);
        words.extend(pieces.map(str::to_owned));
    }
    words.retain(|word| !word.is_empty());
    Some(words)
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
    let arguments = ["hook", "claude"].map(OsString::from);
    run(&[start, &arguments].concat(), event)
}

/// Runs a command with a text on its standard input, and gives what it prints.
fn run(words: &[OsString], input: &str) -> std::io::Result<String> {
    let (program, arguments) = words.split_first().expect("a program is started by something");
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that has ended already reports that in its output.
        let _ = stdin.write_all(input.as_bytes());
    }
    let output = child.wait_with_output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn a_command_is_taken_apart_only_if_it_is_plain() {
        let check = |command, expected: Option<&[&str]>| {
            let expected =
                expected.map(|words| words.iter().map(|word| (*word).to_owned()).collect());
            assert_eq!(words(command), expected, "{command}");
        };
        check("hashline hook claude", Some(&["hashline", "hook", "claude"]));
        check("'/a b/hashline' hook claude", Some(&["/a b/hashline", "hook", "claude"]));
        check("hashline hook claude; rm x", None);
        check("$(x) hook claude", None);
    }
}
