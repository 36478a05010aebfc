//! PowerShell: labelled commands, commands that are served or converted, and random text.

use crate::support::{context, fixture};
use hashline_guard::{Block, Context, GuardSettings, ShellKind, Verdict, judge};

fn verdict_of(command: &str) -> Verdict {
    let context = Context { shell: ShellKind::PowerShell, ..context() };
    judge(command, &context, &GuardSettings::default())
}

#[track_caller]
fn block_of(command: &str) -> Block {
    match verdict_of(command) {
        Verdict::Block(block) => block,
        Verdict::Allow => panic!("{command} is allowed"),
    }
}

#[test]
fn the_labelled_commands_are_judged_as_labelled() {
    let (mut wrong, mut blocks, mut missed, mut allowed, mut caught) = (Vec::new(), 0, 0, 0, 0);
    for labelled in fixture("powershell.json") {
        let verdict = verdict_of(&labelled.command);
        let is_right = match &verdict {
            Verdict::Allow => labelled.verdict == "allow",
            Verdict::Block(block) => {
                labelled.verdict == "block"
                    && labelled.kind.as_deref() == Some(block.access.name())
                    && labelled.targets.iter().all(|target| block.targets.contains(target))
            }
        };
        if labelled.verdict == "block" {
            blocks += 1;
            missed += usize::from(!is_right);
        } else {
            allowed += 1;
            caught += usize::from(!is_right);
        }
        if !is_right {
            wrong.push(format!("{} {:?}: {verdict:?}", labelled.id, labelled.command));
        }
    }
    println!("{blocks} blocks, {missed} missed; {allowed} allowed, {caught} blocked falsely");
    assert!(blocks + allowed >= 150 && 2 * allowed >= blocks + allowed, "half are harmless");
    assert!(missed * 50 <= blocks && caught * 100 <= allowed, "{}", wrong.join("\n"));
}

#[test]
fn a_read_is_served_if_its_lines_are_known() {
    for (command, call) in [
        ("Get-Content a.ts", r#"read {"path":"a.ts"}"#),
        ("gc a.ts -TotalCount 5", r#"read {"path":"a.ts","limit":5}"#),
        ("gc a.ts -Tot 5", r#"read {"path":"a.ts","limit":5}"#),
        ("Get-Content -Path 'a b.ts' -Tail 3", r#"read {"path":"a b.ts","offset":-3}"#),
        ("gc a.ts | select -First 5", r#"read {"path":"a.ts","limit":5}"#),
        ("gc a.ts | select -Skip 9 -First 5", r#"read {"path":"a.ts","offset":10,"limit":5}"#),
        ("gc a.ts | Select-Object -Last 2", r#"read {"path":"a.ts","offset":-2}"#),
        ("(Get-Content a.ts)[2..4]", r#"read {"path":"a.ts","offset":3,"limit":3}"#),
        ("[IO.File]::ReadAllLines('a.ts')[0..1]", r#"read {"path":"a.ts","offset":1,"limit":2}"#),
        (
            "sls -Pattern 'a|b' -Path a.ts -CaseSensitive",
            r#"grep {"pattern":"a|b","paths":["a.ts"]}"#,
        ),
        (
            "Select-String x a.ts",
            r#"grep {"pattern":"x","paths":["a.ts"],"literal":true,"caseSensitive":false}"#,
        ),
        (
            "gc a.ts | ? { $_ -match 'x' }",
            r#"grep {"pattern":"x","paths":["a.ts"],"literal":true,"caseSensitive":false}"#,
        ),
        (
            "gci src -Recurse -Filter *.ts | sls x",
            r#"grep {"pattern":"x","paths":["src"],"glob":["*.ts"],"literal":true,"caseSensitive":false}"#,
        ),
    ] {
        let block = block_of(command);
        assert!(block.serve.is_some(), "{command}");
        assert_eq!(block.instead.to_string(), call, "{command}");
        assert!(!["cat", "rg", "head", "tail"].contains(&block.by.as_str()), "{command}");
    }
}

#[test]
fn a_write_of_known_text_is_answered_with_the_call_that_makes_it() {
    for (command, call) in [
        (
            "Set-Content a.txt 'hi'",
            r#"{"op":"add_file","path":"a.txt","content":"hi\n","overwrite":true}"#,
        ),
        (
            "@'\na\n$b\n'@ | Out-File a.txt",
            r#"{"op":"add_file","path":"a.txt","content":"a\n$b\n","overwrite":true}"#,
        ),
        ("'- x' >> a.md", r#"{"op":"insert_after","path":"a.md","anchor":"EOF","text":"- x"}"#),
        (
            "(gc a.ts -Raw).Replace('a b','c') | Set-Content a.ts",
            r#"{"op":"replace","path":"a.ts","old_text":"a b","new_text":"c","all":true}"#,
        ),
        (
            "(gc a.ts) -creplace 'old','new' | sc a.ts",
            r#"{"op":"replace","path":"a.ts","old_text":"old","new_text":"new","all":true}"#,
        ),
    ] {
        let instead = block_of(command).instead.to_string();
        assert_eq!(instead, format!("apply_hash {{\"patch\":[{call}]}}"), "{command}");
    }
    // `-replace` ignores case and our replacement does not, so the advice only shows the lines.
    let block = block_of("(gc a.ts) -replace 'old','new' | sc a.ts");
    assert!(block.serve.is_some() && block.convert.is_none());
    let block = block_of("git status; gc a.ts");
    assert_eq!(block.serve.expect("it is served").rest().as_deref(), Some("git status"));
}

#[test]
fn a_command_that_does_not_parse_is_judged_by_its_words() {
    for command in ["gc a.txt | (", "'x' > a.txt }", "Get-Content \"a"] {
        assert!(matches!(verdict_of(command), Verdict::Block(_)), "{command}");
    }
    assert_eq!(verdict_of("npm test )"), Verdict::Allow);
}

#[test]
fn mangled_commands_get_a_verdict() {
    let commands: Vec<String> =
        fixture("powershell.json").into_iter().map(|one| one.command).collect();
    let pieces = [
        "(", ")", "{", "}", "$(", "@'\n", "'", "\"", "`", "|", ";", "[", "]", "$", "-", ",", "\n",
        "é", "<#", "..",
    ];
    let mut state = 0x5eed_u64;
    let mut below = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("it fits") % n.max(1)
    };
    for _ in 0..10_000 {
        let mut text: Vec<char> = commands[below(commands.len())].chars().collect();
        for _ in 0..=below(5) {
            let at = below(text.len() + 1);
            if below(2) == 0 {
                let piece = pieces[below(pieces.len())].repeat(1 + below(3));
                text.splice(at..at, piece.chars());
            } else {
                let end = (at + below(6)).min(text.len());
                text.drain(at..end);
            }
        }
        let text: String = text.into_iter().collect();
        if let Verdict::Block(block) = verdict_of(&text) {
            assert!(!block.reason().contains("could not be checked"), "{text:?}");
        }
    }
    for piece in [
        "(", "{", "$(", "@(", "[", "'", "@{", "if (", "a|", "a;", "$a.b", "-not ", "\"$(", "1,",
        "{a}",
    ] {
        verdict_of(&piece.repeat(60_000 / piece.len()));
    }
}
