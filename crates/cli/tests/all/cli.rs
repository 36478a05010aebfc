//! Runs the commands in `__test__/cli/*.md` in a shell, with the built program.
//!
//! Each heading is a workspace of its own. A block marked `file NAME` is a file in it; a block
//! marked `console` is a session: `$` begins a command, `>` continues it, and its output (standard
//! error too) follows; `? N` is its exit code if that is not 0.

use std::fs;
use std::path::Path;
use std::process::Command;

use hashline_testing::Workdir;

/// A command with the expected output and exit code.
#[derive(Default)]
struct Step {
    command: String,
    output: String,
    exit: i32,
}

/// A block of a case.
enum Block {
    File { name: String, content: String },
    Console(Vec<Step>),
}

#[test]
fn the_program_does_what_its_cases_say() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../__test__/cli");
    let mut commands = 0;
    let mut failures = Vec::new();
    let mut names: Vec<_> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    for path in names {
        let text = fs::read_to_string(&path).unwrap();
        for (heading, blocks) in cases(&text) {
            let name = format!("{} / {heading}", path.file_name().unwrap().to_string_lossy());
            commands += play(&name, &blocks, &mut failures);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(commands > 60, "the cases were found: {commands}");
}

#[test]
fn man_pages_and_completions_are_what_the_program_writes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let place = Workdir::new("man");
    let hashline = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_hashline")).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    hashline(&["man", &place.path().to_string_lossy()]);
    let names = |directory: &Path| {
        let mut names: Vec<_> =
            fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&root.join("man")), names(place.path()), "npm run build:docs");
    for name in names(place.path()) {
        let committed = fs::read_to_string(root.join("man").join(&name)).unwrap();
        let written = fs::read_to_string(place.path().join(&name)).unwrap();
        assert!(committed == written, "man/{}: npm run build:docs", name.to_string_lossy());
    }
    let shells = [
        ("bash", "hashline.bash"),
        ("zsh", "_hashline"),
        ("fish", "hashline.fish"),
        ("powershell", "hashline.ps1"),
    ];
    for (shell, name) in shells {
        let committed = fs::read_to_string(root.join("completions").join(name)).unwrap();
        assert!(
            committed == hashline(&["completions", shell]),
            "completions/{name}: npm run build:docs"
        );
    }
}

#[test]
fn the_examples_in_the_instructions_work() {
    let text = include_str!("../../src/instructions.md");
    let (_, rest) = text.split_once("```sh\n").expect("there is an example");
    let (example, _) = rest.split_once("```").expect("it ends");
    let cart = "export function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    sum += item.price;\n  }\n  return sum;\n}\n";
    let files = [("src/cart.js", cart), ("b.js", "b\n"), ("d.js", "d\n")];
    let mut blocks: Vec<Block> = files
        .map(|(name, content)| Block::File { name: name.to_owned(), content: content.to_owned() })
        .into();
    let (_, patch) = text.split_once("`{\"patch\"").expect("there is an example of whole files");
    let (patch, _) = patch.split_once("}`").expect("it ends");
    let whole_files = format!("hashline apply << 'EOF'\n{{\"patch\"{patch}}}\nEOF");
    let step = |command: &str| Step {
        command: format!("{command}\n"),
        output: "[...]\n".to_owned(),
        exit: 0,
    };
    blocks.push(Block::Console(vec![
        step("hashline read src/cart.js"),
        step(example),
        step(&whole_files),
        step("grep -q 'item.count' src/cart.js && test -f a.js && test -f c.js && test ! -e d.js"),
        step("hashline undo"),
    ]));
    let mut failures = Vec::new();
    play("instructions", &blocks, &mut failures);
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Runs the commands of one case, and returns how many there were.
fn play(name: &str, blocks: &[Block], failures: &mut Vec<String>) -> usize {
    let place = Workdir::new("cli");
    let root = place.path().join("work");
    fs::create_dir_all(root.join(".git")).unwrap();
    let mut commands = 0;
    for block in blocks {
        match block {
            Block::File { name, content } => {
                place.write(&format!("work/{name}"), content);
            }
            Block::Console(steps) => {
                for step in steps {
                    commands += 1;
                    failures.extend(check(name, place.path(), &root, step));
                }
            }
        }
    }
    commands
}

/// Why a command did not do what the case says; `None` if it did.
fn check(name: &str, place: &Path, root: &Path, step: &Step) -> Option<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_hashline"));
    let path = std::env::join_paths(
        [program.parent().unwrap().to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{}", step.command)])
        .current_dir(root)
        .env("PATH", path.unwrap())
        .env("HOME", place.join("home"))
        .env("XDG_STATE_HOME", place.join("state"))
        .env("XDG_CONFIG_HOME", place.join("config"))
        .env("COLUMNS", "100")
        .env_remove("HASHLINE_SESSION")
        .env_remove("CODEX_SESSION_ID")
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("PAGER")
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let printed = printed.replace(&*root.to_string_lossy(), "[WORK]");
    if fits(&step.output, &printed) && output.status.code() == Some(step.exit) {
        return None;
    }
    let Step { command, output: expected, exit } = step;
    let code = output.status.code();
    Some(format!(
        "{name}\n$ {command}\nprinted ({code:?}):\n{printed}expected ({exit}):\n{expected}"
    ))
}

/// Whether the output is as expected: a line `[...]` stands for any lines, `[..]` for any text.
fn fits(expected: &str, printed: &str) -> bool {
    let expected: Vec<&str> = expected.lines().collect();
    let printed: Vec<&str> = printed.lines().collect();
    lines_fit(&expected, &printed)
}

fn lines_fit(expected: &[&str], printed: &[&str]) -> bool {
    match expected {
        [] => printed.is_empty(),
        ["[...]", rest @ ..] => (0..=printed.len()).any(|from| lines_fit(rest, &printed[from..])),
        [first, rest @ ..] => {
            printed.first().is_some_and(|line| line_fits(first, line))
                && lines_fit(rest, &printed[1..])
        }
    }
}

fn line_fits(expected: &str, line: &str) -> bool {
    match expected.split_once("[..]") {
        None => expected == line,
        Some((before, rest)) => line.strip_prefix(before).is_some_and(|line| {
            line.char_indices()
                .map(|(at, _)| at)
                .chain([line.len()])
                .any(|at| line_fits(rest, &line[at..]))
        }),
    }
}

/// The cases of a file: a heading and its blocks.
fn cases(text: &str) -> Vec<(String, Vec<Block>)> {
    let mut cases: Vec<(String, Vec<Block>)> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(heading) = line.strip_prefix("## ") {
            cases.push((heading.to_owned(), Vec::new()));
        }
        let Some(kind) = line.strip_prefix("```").filter(|kind| !kind.is_empty()) else {
            continue;
        };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let (_, blocks) = cases.last_mut().expect("a heading comes first");
        if let Some(name) = kind.strip_prefix("file ") {
            let content = body.join("\n") + "\n";
            blocks.push(Block::File { name: name.to_owned(), content });
        } else if kind == "console" {
            blocks.push(Block::Console(steps(&body)));
        }
    }
    cases
}

fn steps(body: &[&str]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in body {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command: command.to_owned(), ..Step::default() });
            continue;
        }
        let step = steps.last_mut().expect("a command comes first");
        if let Some(more) = line.strip_prefix("> ").filter(|_| step.output.is_empty()) {
            step.command.push('\n');
            step.command.push_str(more);
        } else if let Some(exit) = line.strip_prefix("? ") {
            step.exit = exit.parse().expect("an exit code is a number");
        } else {
            step.output.push_str(line);
            step.output.push('\n');
        }
    }
    steps
}
