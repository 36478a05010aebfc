//! `hashline doctor`: reports what is set up and whether it works.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::open::OpenedWorkspace;
use super::output::{Exit, print_line};
use super::setup::text_of;
use hashline_core::{show, system};
use hashline_text::kernel::vectors;
use hashline_wire::claude::{self, Agent, CLAUDE, CODEX};

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
    for agent in [&CLAUDE, &CODEX] {
        check_hook(agent, opened, &mut report);
    }
    if simulate {
        simulate_events(start, opened, &mut report);
    }
    if report.bad { Exit::Failed } else { Exit::Done }
}

/// Runs the hook named in an agent's settings with a sample event, if the hook is ours.
fn check_hook(agent: &Agent, opened: &OpenedWorkspace, report: &mut Report) {
    let settings = opened.root.join(agent.directory).join(agent.settings);
    let command = agent.hook_command(&text_of(&settings).unwrap_or_default());
    // Codex is less common, so its hook is reported only if it is set up.
    if command.is_none() && agent.name != CLAUDE.name {
        return;
    }
    let event = claude::sample(&opened.root, "Bash", &[("command", "cat README.md")]);
    let (good, text) =
        match command.as_deref().map(|command| (command, own_words(command, agent, opened))) {
            None => (true, format!("not installed (hashline setup {})", agent.name)),
            Some((command, None)) => {
                (false, format!("`{command}` is not ours to run; run it yourself"))
            }
            Some((command, Some(words))) => match run(&words, &event) {
                Ok(answer) if answer.contains("\"deny\"") => {
                    (true, format!("installed; `{command}` answers `cat README.md`"))
                }
                Ok(answer) => (false, format!("`{command}` answers `{answer}` to `cat README.md`")),
                Err(error) => {
                    let again = format!("run `hashline setup {}` again", agent.name);
                    (false, format!("`{command}` cannot be started: {error}; {again}"))
                }
            },
        };
    report.row(good, &format!("{} hook", agent.name), &text);
}

/// The words of a command with our arguments, if its program is `hashline`, `npx pi-hash` or lies
/// outside the workspace.
fn own_words(command: &str, agent: &Agent, opened: &OpenedWorkspace) -> Option<Vec<OsString>> {
    let words = words(command)?;
    let (arguments, program) =
        (words.iter().rev().take(2).rev(), &words[..words.len().checked_sub(2)?]);
    if !arguments.eq(["hook", agent.name]) {
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
    is_ours.then(|| words.iter().map(OsString::from).collect())
}

/// The words of a command; `None` if it uses more of the shell than single quotes.
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

/// Runs this program's hook with sample events, as an agent would. Each event comes with a part of
/// the expected answer; `None` expects no answer.
fn simulate_events(start: &[OsString], opened: &OpenedWorkspace, report: &mut Report) {
    let hook = [start, &["hook", "claude"].map(OsString::from)].concat();
    let edit = [("file_path", "README.md"), ("old_string", "a"), ("new_string", "b")];
    for (name, tool, input, expected) in [
        ("a build command", "Bash", &[("command", "make test")][..], None),
        ("cat of a file", "Bash", &[("command", "cat README.md")], Some("deny")),
        ("an edit", "Edit", &edit, Some("hashline apply")),
        ("an unknown tool", "Telepathy", &[], None),
    ] {
        let (good, said) = match run(&hook, &claude::sample(&opened.root, tool, input)) {
            Ok(answer) if answer.is_empty() => (expected.is_none(), "let through".to_owned()),
            Ok(answer) => {
                (expected.is_some_and(|part| answer.contains(part)), "answered".to_owned())
            }
            Err(error) => (false, format!("cannot run the hook: {error}")),
        };
        report.row(good, name, &said);
    }
}

/// Runs a command with a text on its standard input, and returns its output.
fn run(words: &[OsString], input: &str) -> std::io::Result<String> {
    let (program, arguments) = words.split_first().expect("a program is started by something");
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // If the program has ended already, its output says why.
        let _ = stdin.write_all(input.as_bytes());
    }
    let output = child.wait_with_output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn only_a_plain_command_is_split_into_words() {
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
