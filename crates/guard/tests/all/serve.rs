//! The calls that answer a blocked command that reads. `crates/wire/tests/all/session_serve.rs`
//! tests with real files that they return what the command would have printed.

use crate::support::verdict_of;
use hashline_guard::serve::{Part, Serve};
use hashline_guard::{ToolCall, Verdict};

fn serve(command: &str) -> Option<Serve> {
    match verdict_of(command) {
        Verdict::Block(block) => block.serve,
        Verdict::Allow => panic!("{command} is allowed"),
    }
}

/// The parts in short: calls with the number of filters after `+` and programs that are not run
/// after `-`, labels in quotes, commands to run alone after `!`, commands that are left out after
/// `?`.
fn parts(command: &str) -> Vec<String> {
    let Some(serve) = serve(command) else { return Vec::new() };
    let short = |part: &Part| match part {
        Part::Lines(lines) => {
            let or = if lines.if_empty { "or " } else { "" };
            let mut out = vec![format!("{or}{}", ToolCall::from(lines))];
            if !lines.filters.is_empty() {
                out.push(format!("+{}", lines.filters.len()));
            }
            out.extend(lines.not_run.iter().map(|program| format!("-{program}")));
            out.join(" ")
        }
        Part::Label { text, if_empty: true } => format!("'{text}'?"),
        Part::Label { text, if_empty: false } => format!("'{text}'"),
        Part::Alone(command) => format!("!{command}"),
        Part::Skipped(command) => format!("?{command}"),
    };
    serve.parts.iter().map(short).collect()
}

#[test]
fn one_read_is_one_call() {
    for (command, call) in [
        ("cat a.txt", r#"read {"path":"a.txt"}"#),
        ("cat < a.txt", r#"read {"path":"a.txt"}"#),
        ("cat -n a.txt 2>/dev/null", r#"read {"path":"a.txt"}"#),
        ("cat -A a.txt", r#"read {"path":"a.txt"}"#),
        ("cat a.txt | head -30", r#"read {"path":"a.txt","limit":30}"#),
        ("tail -n 3 /home/dev/app/a", r#"read {"path":"a","offset":-3}"#),
        ("tail -n +7 a | head -n 2", r#"read {"path":"a","offset":7,"limit":2}"#),
        (
            "nl -ba lib/clock.py | sed -n '40,80p'",
            r#"read {"path":"lib/clock.py","offset":40,"limit":41}"#,
        ),
        ("sed -n 10,40p a.py | head -5", r#"read {"path":"a.py","offset":10,"limit":5}"#),
        ("head -20 a.py | tail -n +5", r#"read {"path":"a.py","offset":5,"limit":16}"#),
        ("awk 'NR>=3 && NR<=9' a.py", r#"read {"path":"a.py","offset":3,"limit":7}"#),
        ("F=src/x.ts; sed -n 1,5p $F", r#"read {"path":"src/x.ts","offset":1,"limit":5}"#),
        ("cd src && sed 5q x.ts", r#"read {"path":"src/x.ts","limit":5}"#),
        (
            "sed -n '5p;9p' a",
            r#"read {"paths":[{"path":"a","offset":5,"limit":1},{"path":"a","offset":9,"limit":1}]}"#,
        ),
        ("cat a || true", r#"read {"path":"a"}"#),
        (
            "cd src && grep -rn -i 'fn main' . 2>/dev/null",
            r#"grep {"pattern":"fn main","paths":["src"],"literal":true,"caseSensitive":false}"#,
        ),
        ("grep -n x src/", r#"grep {"pattern":"x","paths":["src"],"literal":true}"#),
        ("grep -n x < a", r#"grep {"pattern":"x","paths":["a"],"literal":true}"#),
        ("cat a | grep -n x", r#"grep {"pattern":"x","paths":["a"],"literal":true}"#),
        ("grep -n -e a -e 'b(' f", r#"grep {"pattern":"(?:a)|(?:b\\()","paths":["f"]}"#),
        (
            "grep -rn Load src --include='*.ts' --exclude-dir=dist",
            r#"grep {"pattern":"Load","paths":["src"],"glob":["*.ts","!**/dist/**"],"literal":true}"#,
        ),
        ("git grep -n retry -- lib", r#"grep {"pattern":"retry","paths":["lib"],"literal":true}"#),
        (
            "rg -t rust -n foo",
            r#"grep {"pattern":"foo","paths":["."],"type":["rust"],"literal":true}"#,
        ),
    ] {
        assert_eq!(parts(command), [call], "{command}");
    }
}

#[test]
fn programs_after_a_read_in_a_pipe_become_filters() {
    for (command, call) in [
        (
            "grep -n 'func New\\|type Store' store.go | head -20",
            r#"grep {"pattern":"func New|type Store","paths":["store.go"],"limit":20} +1"#,
        ),
        (
            "grep -rn Load src --include='*.ts' | grep -v test | head -30",
            r#"grep {"pattern":"Load","paths":["src"],"glob":["*.ts"],"literal":true,"limit":30} +2"#,
        ),
        (
            "grep -n x pkg/*_test.go | tail -3",
            r#"grep {"pattern":"x","paths":[],"glob":["pkg/*_test.go"],"literal":true} +1"#,
        ),
        ("head -90 a.py | tail -12", r#"read {"path":"a.py","limit":90} +1"#),
        (
            "find . -name '*.go' | xargs grep -n TODO | head",
            r#"grep {"pattern":"TODO","paths":["."],"glob":["*.go"],"literal":true,"limit":10} +1"#,
        ),
    ] {
        assert_eq!(parts(command), [call], "{command}");
    }
}

#[test]
fn several_reads_keep_their_labels_and_name_the_rest() {
    assert_eq!(
        parts("echo '== a'; sed -n 1,2p a.go; echo '== b' && grep -n X b.go || echo none"),
        [
            "'== a'",
            r#"read {"path":"a.go","offset":1,"limit":2}"#,
            "'== b'",
            r#"grep {"pattern":"X","paths":["b.go"],"literal":true}"#,
            "'none'?",
        ]
    );
    assert_eq!(
        parts("tail -20 a_test.go; echo '--'; wc -l a_test.go"),
        [r#"read {"path":"a_test.go","offset":-20}"#, "'--'", "!wc -l a_test.go"]
    );
    assert_eq!(
        parts("npm ci 2>&1 | tail -1; grep -n yaml package.json"),
        [
            "!npm ci 2>&1 | tail -1",
            r#"grep {"pattern":"yaml","paths":["package.json"],"literal":true}"#,
        ]
    );
    assert_eq!(
        parts("for p in api web; do echo \"-- $p\"; grep -n Run cmd/$p/main.go; done"),
        [
            "'-- api'",
            r#"grep {"pattern":"Run","paths":["cmd/api/main.go"],"literal":true}"#,
            "'-- web'",
            r#"grep {"pattern":"Run","paths":["cmd/web/main.go"],"literal":true}"#,
        ]
    );
    assert_eq!(
        parts("cat a.txt; cat $x"),
        [r#"read {"path":"a.txt"}"#, "?cat $x"],
        "a part that cannot be expressed is named"
    );
    assert_eq!(
        parts("cat a.txt 2>/dev/null || cat b.txt"),
        [r#"read {"path":"a.txt"}"#, r#"or read {"path":"b.txt"}"#]
    );
}

#[test]
fn the_rest_of_a_command_is_returned_to_be_sent_again() {
    let served = serve("go mod tidy; grep x go.mod; go build ./...").expect("it is served");
    assert_eq!(served.rest().as_deref(), Some("go mod tidy; go build ./..."));
    assert_eq!(serve("cat a").expect("it is served").rest(), None);
}

#[test]
fn programs_that_change_lines_are_left_out_and_named() {
    for (command, part) in [
        ("sort a.txt", r#"read {"path":"a.txt"} -sort a.txt"#),
        ("cut -d, -f1 a.csv | head -5", r#"read {"path":"a.csv","limit":5} -cut -d, -f1 a.csv"#),
        ("sort a | uniq | head -20", r#"read {"path":"a"} -sort a -uniq -head -20"#),
        ("tac log | head -3", r#"read {"path":"log","offset":-3} -tac log"#),
        ("head -4 big | cut -c1-300", r#"read {"path":"big","limit":4} -cut -c1-300"#),
        ("tr -d '\\r' < w.bat", r#"read {"path":"w.bat"} -tr -d \r"#),
        ("awk -F: '{print $1}' a", r#"read {"path":"a"} -awk -F: {print $1} a"#),
        ("jq . p.json", r#"read {"path":"p.json"} -jq . p.json"#),
        ("cat p.json | jq .", r#"read {"path":"p.json"} -jq ."#),
        ("gofmt main.go", r#"read {"path":"main.go"} -gofmt main.go"#),
        ("head -c 5 a.txt", r#"read {"path":"a.txt"} +1 -head -c 5 a.txt"#),
        (
            "grep -o 'v[0-9]*' a | sort -u",
            r#"grep {"pattern":"v[0-9]*","paths":["a"]} -grep -o v[0-9]* a -sort -u"#,
        ),
        ("echo \"$(cat VERSION)\"", r#"read {"path":"VERSION"} -echo "$(cat VERSION)""#),
        ("V=$(cat VERSION); echo \"v $V\"", r#"read {"path":"VERSION"} -echo "v $V""#),
        (
            "while read -r l; do echo \"$l\"; done < hosts",
            r#"read {"path":"hosts"} -while read -r l; do echo "$l"; done < hosts"#,
        ),
        (
            "python3 -c \"print(open('a').read()[:9])\"",
            r#"read {"path":"a"} -python3 -c "print(open('a').read()[:9])""#,
        ),
        ("dd if=a.ini bs=1 2>/dev/null", r#"read {"path":"a.ini"} -dd if=a.ini bs=1 2>/dev/null"#),
    ] {
        assert_eq!(parts(command), [part], "{command}");
    }
}

#[test]
fn a_read_inside_another_command_is_found() {
    for (command, part) in [
        ("sudo head -5 a", r#"read {"path":"a","limit":5}"#),
        ("timeout 10 bash -lc 'sed -n 3,9p a'", r#"read {"path":"a","offset":3,"limit":7}"#),
        ("env LC_ALL=C cat a | head -2", r#"read {"path":"a","limit":2}"#),
        ("bash <<'E'\ncat a\nE", r#"read {"path":"a"}"#),
        ("eval 'cat a'", r#"read {"path":"a"}"#),
        ("{ cat a; cat b; } | head -3", r#"read {"paths":[{"path":"a"},{"path":"b"}]} +1"#),
        (
            "find . -name go.mod | xargs head -5",
            r#"grep {"pattern":"^","paths":["."],"glob":["go.mod"]}"#,
        ),
        (
            "find t -name 'c*.py' -exec grep -Hn x {} +",
            r#"grep {"pattern":"x","paths":["t"],"glob":["c*.py"],"literal":true}"#,
        ),
        (
            "git ls-files '*.tf' | xargs grep -n aws",
            r#"grep {"pattern":"aws","paths":["."],"glob":["*.tf"],"literal":true}"#,
        ),
        (
            "rg -uu x src",
            r#"grep {"pattern":"x","paths":["src"],"literal":true,"hidden":true,"noIgnore":true}"#,
        ),
    ] {
        assert_eq!(parts(command), [part], "{command}");
    }
    let read = serve("for f in src/*.vue; do echo \"# $f\"; head -15 \"$f\"; done");
    assert_eq!(read.expect("it is served").parts.len(), 1);
}

#[test]
fn a_summary_after_a_read_is_to_be_run_alone() {
    assert_eq!(
        parts("cat a; cut -d, -f1 b | sort | uniq -c"),
        [r#"read {"path":"a"}"#, "!cut -d, -f1 b | sort | uniq -c"]
    );
}

#[test]
fn a_read_that_no_call_can_express_is_not_served() {
    for command in [
        "cat $x",
        "cat a.txt > /tmp/x",
        "sort a.txt | tee /tmp/x",
        "tail -f a.txt",
        "watch cat a.txt",
        "cat $(git ls-files)",
        "for f in $(git ls-files); do cat $f; done",
        "python3 -c \"import sys; print(open(sys.argv[1]).read())\" $x",
        "git ls-files | grep x | xargs cat",
        "for f in src/*.c; do head -3 $f; grep -n x $f; done",
    ] {
        assert_eq!(serve(command), None, "{command}");
    }
}
