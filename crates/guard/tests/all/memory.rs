//! The memory from one command of a session to the next, and the calls that replace writes.

use crate::support::context;
use hashline_guard::{GuardSettings, Memory, TextChange, Times, ToolCall, Verdict, judge_next};

/// Judges commands one after the other; returns whether each is blocked.
fn blocked(commands: &[&str]) -> Vec<bool> {
    let mut memory = Memory::default();
    commands.iter().map(|command| matches!(next(command, &mut memory), Verdict::Block(_))).collect()
}

fn next(command: &str, memory: &mut Memory) -> Verdict {
    judge_next(command, &context(), &GuardSettings::default(), memory)
}

#[test]
fn a_scratch_file_is_judged_by_the_content_that_an_earlier_command_wrote() {
    for (first, second) in [
        ("cat > /tmp/fix.py <<'E'\nopen('src/a.py','w').write('x')\nE", "python3 /tmp/fix.py"),
        ("cat > /tmp/show.py <<'E'\nprint(open('src/a.py').read())\nE", "python3 /tmp/show.py"),
        ("echo 'cat src/a.ts' > /tmp/s.sh", "bash /tmp/s.sh"),
        ("cat > /tmp/n.py <<'E'\nx = 1\nE", "cp /tmp/n.py src/a.py"),
        ("cat > /tmp/n.py <<'E'\nx = 1\nE", "mv /tmp/n.py src/a.py"),
        ("cp src/a.py /tmp/copy.py", "cat /tmp/copy.py"),
        ("ln -s /home/dev/app/src /tmp/l", "head -5 /tmp/l/a.ts"),
        (
            "cat > /tmp/m.go <<'E'\npackage main\nfunc main(){ b,_ := os.ReadFile(\"go.mod\"); print(b) }\nE",
            "go run /tmp/m.go",
        ),
    ] {
        assert_eq!(blocked(&[first, second]), [false, true], "{first} / {second}");
    }
}

#[test]
fn a_scratch_file_without_commands_or_copies_is_allowed() {
    for (first, second) in [
        ("cat > /tmp/t.py <<'E'\nimport mylib\nprint(mylib.run())\nE", "python3 /tmp/t.py"),
        ("npm test > /tmp/test.log 2>&1", "tail -20 /tmp/test.log"),
        ("./gen > /tmp/out.json", "cp /tmp/out.json data/out.json"),
        ("curl -s https://x.io/a > /tmp/a", "mv /tmp/a vendor/a"),
        ("echo hi > /tmp/a", "cat /tmp/a"),
    ] {
        assert_eq!(blocked(&[first, second]), [false, false], "{first} / {second}");
    }
}

#[test]
fn the_memory_is_bounded() {
    let mut memory = Memory::default();
    for i in 0..400 {
        let command = format!("cat > /tmp/f{i}.txt <<'E'\n{}\nE", "x".repeat(4000));
        assert_eq!(next(&command, &mut memory), Verdict::Allow);
    }
    assert!(format!("{memory:?}").len() < 300 << 10);
    assert_eq!(next("echo 'cat src/a' > /tmp/s.sh", &mut memory), Verdict::Allow);
    assert!(matches!(next("sh /tmp/s.sh", &mut memory), Verdict::Block(_)));
}

#[test]
fn a_literal_write_is_answered_with_the_call_that_makes_it() {
    let mut memory = Memory::default();
    let body = "line\n".repeat(69);
    let command = format!("cat > src/new.py <<'EOF'\n{body}EOF\npython3 src/new.py");
    let Verdict::Block(block) = next(&command, &mut memory) else { panic!("allowed") };
    assert_eq!(
        block.instead.to_string(),
        r#"apply_hash {"patch":[{"op":"add_file","path":"src/new.py","content":"@blocked:1","overwrite":true}]}, then send the rest: `python3 src/new.py`"#
    );
    assert_eq!(memory.text("@blocked:1"), Some(body.as_str()));
    for (command, call) in [
        (
            "echo 'dist/' >> .gitignore",
            r#"apply_hash {"patch":[{"op":"insert_after","path":".gitignore","anchor":"EOF","text":"dist/"}]}"#,
        ),
        (
            "printf 'a\\nb\\n' > list.txt",
            r#"apply_hash {"patch":[{"op":"add_file","path":"list.txt","content":"a\nb\n","overwrite":true}]}"#,
        ),
        (
            "sed -i '' 's/v1/v2/g' a.yml",
            r#"apply_hash {"patch":[{"op":"replace","path":"a.yml","old_text":"v1","new_text":"v2","all":true}]}"#,
        ),
    ] {
        let Verdict::Block(block) = next(command, &mut memory) else { panic!("{command}") };
        assert_eq!(block.instead.to_string(), call, "{command}");
    }
}

#[test]
fn only_writes_of_known_text_are_converted() {
    let mut memory = Memory::default();
    for command in [
        "cat > a.txt <<EOF\n$HOME2\nEOF",
        "sed -i 's/a.*/b/' f",
        "sed -i 's/a/&b/' f",
        "cat b > a.txt",
        "echo $x > a.txt",
        "cat > a.txt <<'E'\nx\nE\ncat b.txt",
    ] {
        let Verdict::Block(block) = next(command, &mut memory) else { panic!("{command}") };
        assert_eq!(block.convert, None, "{command}");
    }
    let Verdict::Block(block) = next("tee -a notes.md <<'E'\nx\nE", &mut memory) else {
        panic!("allowed")
    };
    let change = TextChange::Append { path: "notes.md".into(), text: "x\n".into() };
    assert_eq!(block.convert.map(|conversion| conversion.changes), Some(vec![change]));
}

#[test]
fn an_edit_by_a_pattern_is_answered_with_the_lines_that_it_would_change() {
    let mut memory = Memory::default();
    for (command, op, call) in [
        (
            "sed -i 's/v[0-9]*/v2/' a.yml",
            "replace_range",
            r#"grep {"pattern":"v[0-9]*","paths":["a.yml"]}"#,
        ),
        (
            "sed -i.bak -E 's|(a+)/b|\\1|gI' src/a.ts",
            "replace_range",
            r#"grep {"pattern":"(a+)/b","paths":["src/a.ts"],"caseSensitive":false}"#,
        ),
        (
            "sed -i '/^use old/d' src/lib.rs && cargo build",
            "replace_range",
            r#"grep {"pattern":"^use old","paths":["src/lib.rs"]}"#,
        ),
        (
            "sed -i 's/a.*/b/' src/*.ts",
            "replace_range",
            r#"grep {"pattern":"a.*","paths":[],"glob":["src/*.ts"]}"#,
        ),
        ("sed -i '3,7d' a.txt", "replace_range", r#"read {"path":"a.txt","offset":3,"limit":5}"#),
        (
            "sed -n '3,9p' a.txt >> b.txt",
            "copy_lines",
            r#"read {"path":"a.txt","offset":3,"limit":7}"#,
        ),
        ("head -4 a.txt >> 'b.txt'", "copy_lines", r#"read {"path":"a.txt","limit":4}"#),
        ("cat a.txt >> b.txt", "copy_lines", r#"read {"path":"a.txt"}"#),
        ("sed -i '5a new' a.txt", "insert_after", r#"read {"path":"a.txt","offset":5,"limit":1}"#),
        (
            "sed -i '/x/i new' a.txt",
            "insert_before",
            r#"grep {"pattern":"x","paths":["a.txt"],"literal":true}"#,
        ),
    ] {
        let Verdict::Block(block) = next(command, &mut memory) else { panic!("{command}") };
        let lines = block.serve.expect(command);
        assert_eq!(
            lines.lines().next().map(|lines| ToolCall::from(lines).to_string()).as_deref(),
            Some(call),
            "{command}"
        );
        let named = format!("apply_hash {{\"patch\":[{{\"op\":\"{op}\"");
        assert!(block.instead.to_string().starts_with(&named), "{command}: {}", block.instead);
    }
    for command in [
        "sed -i 's/a.*/b/w out' f",
        "sed -i '3d' *.ts",
        "sed -i 's/a.*/b/' f; echo x > g",
        "sort a.txt >> b.txt",
        "cat a b >> c",
        "cat a >> b; cat c",
        "cat a >> b >> c",
    ] {
        let Verdict::Block(block) = next(command, &mut memory) else { panic!("{command}") };
        assert_eq!(block.serve, None, "{command}");
    }
}

#[test]
fn a_query_whose_result_replaces_its_file_is_an_edit_of_its_keys() {
    for command in [
        "jq '.version = \"2\"' package.json > t && mv t package.json",
        "tmp=$(mktemp); jq '.version |= \"2\"' package.json > \"$tmp\"; mv \"$tmp\" package.json",
        "jq 'del(.version)' package.json > /tmp/t && cp /tmp/t ./package.json",
        "npm pkg set version=2",
        "npm --prefix . pkg delete version && npm test",
        "pnpm pkg set version=2",
        "yq -i '.version = 2' package.json",
        "yq '.version = 2' package.json > /tmp/t && mv /tmp/t package.json",
    ] {
        let Verdict::Block(block) = next(command, &mut Memory::default()) else {
            panic!("{command}")
        };
        assert_eq!(block.targets, ["package.json"], "{command}");
        let serve = block.serve.expect(command);
        let calls: Vec<String> =
            serve.lines().map(|lines| ToolCall::from(lines).to_string()).collect();
        let call =
            r#"grep {"pattern":"(?:^|[\\s\"'])(?:version)[\"']?\\s*:","paths":["package.json"]}"#;
        assert_eq!(calls, [call], "{command}");
        let rest = command.ends_with("npm test").then(|| "npm test".to_owned());
        assert_eq!(serve.rest(), rest, "{command}");
    }
    for command in
        ["jq -n '{a: 1}' > conf.json", "jq .a a.json | jq -S .x > /tmp/t && mv /tmp/t a.json"]
    {
        let Verdict::Block(block) = next(command, &mut Memory::default()) else {
            panic!("{command}")
        };
        assert_eq!((block.serve, block.instead.tool()), (None, "apply_hash"), "{command}");
    }
    for command in [
        "jq .a package.json > a.json",
        "jq .a package.json > t && mv t a.json",
        "jq .a package.json; make x > t; mv t package.json",
        "npm pkg get version",
        "jq -n '{a: 1}' > /tmp/body.json",
        "jq -n '{a: 1}' | curl -d @- localhost",
    ] {
        assert_eq!(next(command, &mut Memory::default()), Verdict::Allow, "{command}");
    }
}

#[test]
fn each_command_of_a_script_is_answered_with_its_operation() {
    let mut memory = Memory::default();
    for command in [
        "sed -i -e '3d' -e '/x/a new' -e 's/a.*b/c/' a.txt",
        "sed -i '3d;s/a.*b/c/' a.txt && sed -i '/x/a new' a.txt",
    ] {
        let Verdict::Block(block) = next(command, &mut memory) else { panic!("{command}") };
        let serve = block.serve.expect("its lines are served");
        let mut calls: Vec<String> =
            serve.lines().map(|lines| ToolCall::from(lines).to_string()).collect();
        calls.sort();
        assert_eq!(
            calls,
            [
                r#"grep {"pattern":"a.*b","paths":["a.txt"]}"#,
                r#"grep {"pattern":"x","paths":["a.txt"],"literal":true}"#,
                r#"read {"path":"a.txt","offset":3,"limit":1}"#,
            ],
            "{command}"
        );
        assert_eq!(block.instead.to_string().matches("\"op\"").count(), 3, "{}", block.instead);
    }
}

#[test]
fn a_hint_names_the_files_that_a_pattern_stands_for() {
    let expand = |path: &str| match path {
        "src/*.ts" => vec!["src/a.ts".to_owned(), "src/b.ts".to_owned()],
        other => vec![other.to_owned()],
    };
    for (command, bare, named) in [
        (
            "head -3 src/*.ts",
            r#"read {"path":"src","limit":3}"#,
            r#"read {"paths":[{"path":"src/a.ts","limit":3},{"path":"src/b.ts","limit":3}]}"#,
        ),
        ("sed -i 's/a.*/b/' src/*.ts", r#""path":"…""#, r#""path":"src/a.ts""#),
        ("echo x | tee src/*.ts", r#""path":"…""#, r#""path":"src/a.ts""#),
        ("cat missing/*.ts", r#"read {"path":"missing"}"#, r#"read {"path":"missing"}"#),
    ] {
        let Verdict::Block(block) = next(command, &mut Memory::default()) else {
            panic!("{command}")
        };
        assert!(block.reason().contains(bare), "{command}: {}", block.reason());
        let block = block.with_files(expand);
        assert!(block.reason().contains(named), "{command}: {}", block.reason());
        assert!(block.instead.to_string().contains(named), "{command}: {}", block.instead);
    }
}

#[test]
fn a_hint_for_a_part_of_a_line_names_columns() {
    for (command, named) in [
        ("cut -c1-80 a.txt", true),
        ("grep -o 'v[0-9]*' a.txt", true),
        ("tail -c 200 a.js", true),
        ("cat a.js | head -c 300", true),
        ("cut -d, -f1 a.csv", false),
        ("tail -n 5 a.txt", false),
    ] {
        let Verdict::Block(block) = next(command, &mut Memory::default()) else {
            panic!("{command}")
        };
        assert_eq!(block.reason().contains("`columns`"), named, "{command}: {}", block.reason());
    }
}

#[test]
fn a_search_that_is_not_served_is_answered_with_its_pattern() {
    let mut memory = Memory::default();
    for (command, call) in [
        ("grep -b 'v[0-9]*' a.ts", r#"grep {"pattern":"v[0-9]*","paths":["a.ts"]}"#),
        ("grep -b -e a -e b.c a.ts", r#"grep {"pattern":"(?:a)|(?:b.c)","paths":["a.ts"]}"#),
        (
            "rg -b --pcre2 'TODO' src lib | awk '{print $2}'",
            r#"grep {"pattern":"TODO","literal":true,"paths":["src","lib"]}"#,
        ),
        ("ps | grep x; grep -b y a.ts", r#"grep {"pattern":"y","literal":true,"paths":["a.ts"]}"#),
        (
            "grep -bi y a.ts",
            r#"grep {"pattern":"y","literal":true,"caseSensitive":false,"paths":["a.ts"]}"#,
        ),
        ("grep -b \"$x\" a.ts", r#"read {"path":"a.ts"}"#),
        ("grep -bf patterns.txt a.ts", r#"read {"path":"a.ts"}"#),
    ] {
        let Verdict::Block(block) = next(command, &mut memory) else { panic!("{command}") };
        assert_eq!((block.serve, block.instead.to_string().as_str()), (None, call), "{command}");
    }
}

#[test]
fn a_script_that_replaces_literal_text_is_answered_with_the_call() {
    let mut memory = Memory::default();
    let replace = |times: Times, pairs: &[(&str, &str)]| -> Vec<TextChange> {
        let change = |(old, new): &(&str, &str)| TextChange::Replace {
            path: "src/a.py".into(),
            old: (*old).into(),
            new: (*new).into(),
            times,
        };
        pairs.iter().map(change).collect()
    };
    let python = [
        "s = open('src/a.py').read()\ns = s.replace('old()', 'new()')\nopen('src/a.py', 'w').write(s)",
        "import re\np = 'src/a.py'\nwith open(p, encoding='utf-8') as f:\n    s = f.read()\nassert 'old()' in s, 'no'\ns = s.replace(\n    'old()',\n    'new()',\n)\nwith open(p, 'w') as f:\n    f.write(s)\nprint('done')",
        "from pathlib import Path\np = Path('src/a.py')\np.write_text(p.read_text().replace('old()', 'new()'))",
    ];
    for code in python {
        let command = format!("python3 - <<'EOF'\n{code}\nEOF");
        let Verdict::Block(block) = next(&command, &mut memory) else { panic!("{command}") };
        let changes = block.convert.expect(&command).changes;
        assert_eq!(changes, replace(Times::Each, &[("old()", "new()")]), "{command}");
        assert!(block.instead.to_string().contains(r#""op":"replace""#), "{}", block.instead);
    }
    let node = r#"node -e 'const fs = require("fs"); let s = fs.readFileSync("src/a.py", "utf8"); s = s.replace("a\n", "b").replace("x", "y"); fs.writeFileSync("src/a.py", s);'"#;
    let Verdict::Block(block) = next(node, &mut memory) else { panic!("{node}") };
    let changes = block.convert.expect(node).changes;
    assert_eq!(changes, replace(Times::First, &[("a\n", "b"), ("x", "y")]));
}

#[test]
fn a_script_that_does_more_is_not_converted() {
    let mut memory = Memory::default();
    let (read, write) = ("s = open('a.py').read()\n", "\nopen('a.py', 'w').write(s)");
    for middle in [
        "s = s.replace(x, 'b')",
        "s = s.replace(f'{x}', 'b')",
        "s = s.replace('a', 'b', 1)",
        "s = s.replace(r'\\n', 'b')",
        "s = s.replace('a', '\\x41')",
        "s = s.replace('a', 'b').strip()",
        "s = s.replace('a', 'bc').replace('cd', 'e')",
        "if 'a' in s:\n    s = s.replace('a', 'b')",
        "assert 'y' in s\ns = s.replace('a', 'b')",
        "s = s.replace('a', 'b')\nopen('b.py', 'w')",
        "s = s.replace('a', 'b')\nopen('b.py', 'w').write(s)",
        "import os\nos.remove('c')\ns = s.replace('a', 'b')",
    ] {
        let command = format!("python3 - <<'EOF'\n{read}{middle}{write}\nEOF");
        let Verdict::Block(block) = next(&command, &mut memory) else { panic!("{command}") };
        assert_eq!(block.convert, None, "{command}");
    }
    for change in ["s.replace(/a/g, \"b\")", "s.replace(\"a\", \"$&b\")"] {
        let command = format!(
            "node -e 'let s = fs.readFileSync(\"a\", \"utf8\"); s = {change}; fs.writeFileSync(\"a\", s)'"
        );
        let Verdict::Block(block) = next(&command, &mut memory) else { panic!("{command}") };
        assert_eq!(block.convert, None, "{command}");
    }
}
