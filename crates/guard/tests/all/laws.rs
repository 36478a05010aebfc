//! Laws of the guard, over every labelled command and every row of its tables.
//!
//! A blocked command stays blocked in any wrapping; a command that is only mentioned is allowed.
//! The commands are judged, never run.

use crate::support::{Labelled, fixture, is_blocked, verdict_of};
use hashline_guard::{GuardSettings, Mode, Verdict, judge};

fn labelled(verdict: &str) -> Vec<Labelled> {
    let mut commands = fixture("commands.json");
    commands.extend(fixture("extra.json"));
    commands.retain(|command| {
        // A group with only a comment is a syntax error, and `"$@"` is empty in `bash -c`.
        let special = command.command.starts_with('#') || command.command.starts_with("\"$@\"");
        let unparsed = command.tags.iter().any(|tag| tag == "unparsed");
        // A command that the guard misses by itself, it also misses in a wrapping.
        let missed = verdict == "block" && !is_blocked(&command.command);
        command.verdict == verdict && !special && !unparsed && !missed
    });
    commands
}

/// The text as one word in single quotes.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The command in wrappings that run it without changing it.
fn wrapped(command: &str) -> Vec<String> {
    vec![
        format!("bash -c {}", quoted(command)),
        format!("sudo sh -lc {}", quoted(command)),
        format!("eval {}", quoted(command)),
        format!("env A=1 timeout 9 bash -c {}", quoted(command)),
        format!("bash <<'END_OF_SCRIPT'\n{command}\nEND_OF_SCRIPT"),
        format!("printf '%s\\n' {} | sh", quoted(command)),
        format!("trap {} EXIT", quoted(command)),
        format!("(\n{command}\n)"),
        format!("{{\n{command}\n}}"),
        format!("true && {{\n{command}\n}}"),
        format!("false || (\n{command}\n)"),
        format!("true\n{command}"),
        format!("if true; then\n{command}\nfi"),
        format!("for i in 1; do\n{command}\ndone"),
        format!("case x in x)\n{command}\n;; esac"),
        format!("wrapping() {{\n{command}\n}}; wrapping"),
        format!("echo \"$(\n{command}\n)\""),
        format!("x=$(\n{command}\n); echo $x"),
        format!("echo ${{x:-$(\n{command}\n)}}"),
        format!("diff <(\n{command}\n) <(ls)"),
        format!("cat <<END_OF_TEXT\n$(\n{command}\n)\nEND_OF_TEXT"),
        // The guard must find the exact end of the syntax before the command.
        format!(
            "cat <<-'A B' <<C >/dev/null; {{\n) ' \" ` $(\n\tA B\n$((1 + (2))) \\`\nC\n{command}\n}}"
        ),
        format!("until [[ $a == @(x|y*) || ! ( $b =~ ^[(]+\\)$ ) ]]; do\n{command}\ndone"),
        format!("for ((i = 0; i < (3); i++)) {{\n{command}\n}} # it's a comment (\n"),
        format!("a=([k]='(' \"$(true \")\")\" # )\n); (( a[0] > 1 )) ||\n{{\n{command}\n}}"),
        format!("case ')' in (a|*[\\)]) : $'\\'' \"${{x//\\}}/)}}\" ;;& *)\n{command}\n;; esac"),
        format!("select choice in \"$(case a in a) echo b;; esac)\"; do\n{command}\ndone"),
        format!("coproc {{\n{command}\n}}; ! time -p {{ ((echo a) ); }} 2>&1 |& true"),
        format!(
            "if ! : {{fd}}>/dev/null `echo \\`echo b\\``; then :; elif\n{command}\nthen :; else :; fi"
        ),
    ]
}

#[test]
fn a_blocked_command_stays_blocked_in_every_wrapping() {
    let mut free = Vec::new();
    for labelled in labelled("block") {
        for command in wrapped(&labelled.command) {
            if !is_blocked(&command) {
                free.push(format!("{}: {command:?}", labelled.id));
            }
        }
    }
    assert!(free.is_empty(), "{} got away:\n{}", free.len(), free.join("\n"));
}

#[test]
fn an_allowed_command_stays_allowed_in_every_wrapping() {
    let mut caught = Vec::new();
    for labelled in labelled("allow") {
        for command in wrapped(&labelled.command) {
            if let Verdict::Block(block) = verdict_of(&command) {
                caught.push(format!("{}: {command:?} {}", labelled.id, block.reason()));
            }
        }
    }
    assert!(caught.is_empty(), "{} were blocked:\n{}", caught.len(), caught.join("\n"));
}

#[test]
fn a_command_that_is_only_mentioned_is_allowed() {
    let mut caught = Vec::new();
    for labelled in labelled("block").iter().chain(&labelled("allow")) {
        let command = &labelled.command;
        let comment: Vec<String> = command.lines().map(|line| format!("# {line}")).collect();
        for mention in [
            format!("echo {}", quoted(command)),
            format!("git commit -m {}", quoted(command)),
            format!("x={}", quoted(command)),
            format!("npm run {}", quoted(command)),
            format!("cat <<'END_OF_TEXT'\n{command}\nEND_OF_TEXT"),
            format!("ssh host {}", quoted(command)),
            comment.join("\n"),
        ] {
            if is_blocked(&mention) {
                caught.push(format!("{}: {mention:?}", labelled.id));
            }
        }
    }
    assert!(caught.is_empty(), "{} were blocked:\n{}", caught.len(), caught.join("\n"));
}

#[test]
fn every_output_operator_counts_in_every_position() {
    for operator in [">", ">>", ">|", "&>", "&>>", ">&", "<>", "1>", "2>", "9>", "{v}>"] {
        for command in [
            format!("echo {operator} out.txt"),
            format!("echo {operator}out.txt -la"),
            format!("{{ echo; }} {operator} out.txt"),
            format!("exec {operator} out.txt"),
        ] {
            assert!(is_blocked(&command), "{command}");
            let scratch = command.replace("out.txt", "/tmp/out.txt");
            assert!(!is_blocked(&scratch), "{scratch}");
        }
    }
}

#[test]
fn settings_add_programs_and_allow_programs_and_paths() {
    let context = crate::support::context();
    let blocked = |command: &str, settings: &GuardSettings| {
        matches!(judge(command, &context, settings), Verdict::Block(_))
    };
    let extended = GuardSettings {
        extra_readers: vec!["show-me".to_owned()],
        extra_writers: vec!["put-it".to_owned()],
        ..GuardSettings::default()
    };
    assert!(blocked("show-me a.txt", &extended));
    assert!(blocked("ls | xargs put-it", &extended));
    assert!(!blocked("show-me a.txt", &GuardSettings::default()));
    let silenced = GuardSettings {
        allowed_programs: vec!["bat".to_owned()],
        allowed_paths: vec!["out".to_owned(), "~/notes".to_owned(), "/srv".to_owned()],
        ..GuardSettings::default()
    };
    assert!(!blocked("bat a.txt", &silenced));
    assert!(blocked("cat a.txt", &silenced));
    for path in ["out/a.txt", "./out/x/../a", "/srv/x", "~/notes/a"] {
        assert!(!blocked(&format!("cat {path}"), &silenced), "{path}");
    }
    assert!(blocked("cat out/../a.txt", &silenced));
    let off = GuardSettings { mode: Mode::Off, ..GuardSettings::default() };
    assert!(!blocked("cat a.txt", &off));
}

#[test]
fn the_workspace_wins_over_scratch_space() {
    let mut context = crate::support::context();
    context.root = "/tmp/work/app".to_owned();
    context.cwd = "/tmp/work/app".to_owned();
    let settings = GuardSettings::default();
    let blocked = |command: &str| matches!(judge(command, &context, &settings), Verdict::Block(_));
    for command in [
        "cat a.txt", "cat /tmp/work/app/a.txt", "cat /tmp/*/app/a.txt", "cat /tmp/$x",
        "cd /tmp/work; cat app/a",
    ] {
        assert!(blocked(command), "{command}");
    }
    for command in ["cat /tmp/other/a.txt", "cat /tmp/out_$i.txt", "cat ../b.txt", "cat /var/tmp/x"]
    {
        assert!(!blocked(command), "{command}");
    }
}
