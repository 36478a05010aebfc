//! What stands in for a command that reads. That it gives what the command would have printed is
//! tested where files can be read: `__test__/rust/session_serve.rs`.

use crate::support::verdict_of;
use hashline_guard::Verdict;
use hashline_guard::serve::{Part, Serve};

fn serve(command: &str) -> Option<Serve> {
    match verdict_of(command) {
        Verdict::Block(block) => block.serve,
        Verdict::Allow => panic!("{command} is allowed"),
    }
}

/// The parts in short: calls, labels in quotes, what is to be run alone after `!`, what is left out
/// after `?`.
fn parts(command: &str) -> Vec<String> {
    let Some(serve) = serve(command) else { return Vec::new() };
    let short = |part: &Part| match part {
        Part::Lines(lines) => match lines.filters.len() {
            0 => lines.call(),
            filters => format!("{} +{filters}", lines.call()),
        },
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
fn what_follows_in_a_pipe_is_a_filter() {
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
        parts("cat a.txt; sort b.txt"),
        [r#"read {"path":"a.txt"}"#, "?sort b.txt"],
        "what cannot be expressed is said"
    );
}

#[test]
fn the_rest_of_a_command_is_ready_to_send() {
    let served = serve("go mod tidy; grep x go.mod; go build ./...").expect("it is served");
    assert_eq!(served.rest().as_deref(), Some("go mod tidy; go build ./..."));
    assert_eq!(serve("cat a").expect("it is served").rest(), None);
}

#[test]
fn what_cannot_be_expressed_is_not_served() {
    for command in [
        "cat $x",
        "cat a.txt > /tmp/x",
        "head -c 5 a.txt",
        "sed -n '/a/,/b/p' a.txt",
        "sed 's/a/b/' a.txt",
        "grep -o x a.txt",
        "tail -f a.txt",
        "sudo cat a.txt",
        "sort a.txt",
        "cut -d, -f1 a.csv",
        "cat $(git ls-files)",
        "python3 -c \"print(open('a').read())\"",
    ] {
        assert_eq!(serve(command), None, "{command}");
    }
}
