//! Searches over trees as they are found in the wild.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};

use hashline_core::cancel::Cancel;
use hashline_core::session::{GrepOutcome, Options, Session};
use hashline_testing::Workdir;
use hashline_text::Scheme;

fn open(directory: &Workdir) -> Session {
    Session::new(Options::new(directory.path())).unwrap()
}

struct Found {
    text: String,
    matches: usize,
    files: usize,
    truncated: bool,
}

fn grep(session: &Session, request: Value) -> Found {
    let request = hashline_wire::grep_request(request).unwrap();
    match session.grep(&request, &|_| {}, &Cancel::default()).unwrap() {
        GrepOutcome::Found { text, matches, files, truncated, .. } => {
            Found { text, matches, files, truncated }
        }
        GrepOutcome::Refused(refusal) => Found {
            text: format!("{}: {refusal}", refusal.code().as_str()),
            matches: 0,
            files: 0,
            truncated: false,
        },
    }
}

/// The headers of a result, in order.
fn headers(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.ends_with(')') && !line.contains('|')).collect()
}

fn names(directory: &Workdir, request: Value) -> Vec<String> {
    let mut request = request;
    request["filesOnly"] = json!(true);
    let text = grep(&open(directory), request).text;
    if text.starts_with("no match") {
        return Vec::new();
    }
    text.lines().map(str::to_owned).collect()
}

#[test]
fn matches_are_grouped_by_file_with_their_counts() {
    let directory = Workdir::new("grouped");
    directory.write("b.txt", "needle\nhay\nneedle\n");
    directory.write("a/x.txt", "hay\nneedle\n");
    let found = grep(&open(&directory), json!({"pattern": "needle"}));
    assert_eq!(
        found.text,
        "a/x.txt (1 match)\n2:ae|needle\n\nb.txt (2 matches)\n1:ae|needle\n3:ae|needle"
    );
    assert_eq!((found.matches, found.files, found.truncated), (3, 2, false));
    let around =
        grep(&open(&directory), json!({"pattern": "hay", "path": "b.txt", "contextAfter": 1}));
    assert_eq!(around.text, "b.txt (1 match)\n2:81|hay\n3:ae|needle");
    let none = grep(&open(&directory), json!({"pattern": "absent"}));
    assert_eq!(none.text, "no match for `absent` in 2 files");
}

#[test]
fn patterns_are_read_as_asked() {
    let directory = Workdir::new("patterns");
    directory.write("f", "a.b\naxb\nA.B\nfirst\nsecond\nend\r\n");
    let session = open(&directory);
    let check = |request: Value, matches: usize| {
        let found = grep(&session, request.clone());
        assert_eq!(found.matches, matches, "{request}: {}", found.text);
    };
    check(json!({"pattern": "a.b"}), 2);
    check(json!({"pattern": "a.b", "literal": true}), 1);
    check(json!({"pattern": "a.b", "caseSensitive": false}), 3);
    check(json!({"pattern": "a.b", "literal": true, "ignoreCase": true}), 2);
    check(json!({"pattern": "end$"}), 1);
    check(json!({"pattern": "^first\nsecond$", "multiline": true}), 2);
    check(json!({"pattern": "first\\nsecond", "multiline": true}), 2);
    let refused = grep(&session, json!({"pattern": "a\nb"})).text;
    assert!(refused.starts_with("bad_pattern: ") && refused.contains("multiline"), "{refused}");
    let refused = grep(&session, json!({"pattern": "foo(bar"})).text;
    assert!(refused.contains("    foo(bar\n       ^\nerror: unclosed group"), "{refused}");
    let refused = grep(&session, json!({"pattern": "a", "glob": "["})).text;
    assert!(refused.starts_with("bad_glob: "), "{refused}");
    let refused = grep(&session, json!({"pattern": "a", "type": "nope"})).text;
    assert!(refused.starts_with("bad_type: "), "{refused}");
    let refused = grep(&session, json!({"pattern": "a", "path": "ff"})).text;
    assert!(
        refused.starts_with("not_found: ") && refused.contains("did you mean `f`"),
        "{refused}"
    );
    let partly = grep(&session, json!({"pattern": "axb", "paths": ["f", "gone"]})).text;
    assert!(
        partly.starts_with("f (1 match)") && partly.contains("error: no such file: `gone`"),
        "{partly}"
    );
}

#[test]
fn ignored_hidden_and_binary_files_are_left_out() {
    let directory = Workdir::new("ignored");
    for name in
        ["src/a.rs", "src/b.ts", "dist/c.rs", ".hidden/d.rs", "keep.log", "x.log", "sub/deep/e.rs"]
    {
        directory.write(name, "needle\n");
    }
    directory.write("binary", b"needle\0\n");
    directory.write("late-binary", [b"needle\n".repeat(4000), b"\0\0".to_vec()].concat());
    directory.write(".gitignore", "dist/\n*.log\n!keep.log\n");
    directory.write("sub/.ignore", "deep\n");
    let check = |request: Value, expected: &[&str]| {
        assert_eq!(names(&directory, request.clone()), expected, "{request}");
    };
    let needle = |more: Value| {
        let mut request = json!({"pattern": "needle"});
        for (name, value) in more.as_object().unwrap() {
            request[name] = value.clone();
        }
        request
    };
    check(needle(json!({"glob": "!late*"})), &["keep.log", "src/a.rs", "src/b.ts"]);
    check(needle(json!({"glob": "*.rs"})), &["src/a.rs"]);
    check(needle(json!({"glob": ["*.rs", "*.ts", "!a.*"]})), &["src/b.ts"]);
    check(needle(json!({"glob": "src/*.{rs,ts}"})), &["src/a.rs", "src/b.ts"]);
    check(needle(json!({"type": "rust"})), &["src/a.rs"]);
    check(needle(json!({"type": ["rust", "ts"]})), &["src/a.rs", "src/b.ts"]);
    check(needle(json!({"path": "dist"})), &["dist/c.rs"]);
    check(needle(json!({"paths": ["src/a.rs", "src", "src/a.rs"]})), &["src/a.rs", "src/b.ts"]);
    check(needle(json!({"glob": "*.rs", "hidden": true})), &[".hidden/d.rs", "src/a.rs"]);
    check(
        needle(json!({"glob": "*.rs", "noIgnore": true})),
        &["dist/c.rs", "src/a.rs", "sub/deep/e.rs"],
    );
    check(needle(json!({"glob": "*.log"})), &["keep.log"]);
}

#[test]
fn the_limit_is_shared_evenly_and_omissions_are_reported() {
    let directory = Workdir::new("limit");
    directory.write("a", "needle\n".repeat(50));
    directory.write("b", "needle\n".repeat(3));
    directory.write("c", "needle\n".repeat(50));
    let session = open(&directory);
    let found = grep(&session, json!({"pattern": "needle", "limit": 11}));
    assert_eq!(
        headers(&found.text),
        ["a (4 of 50 matches)", "b (3 matches)", "c (4 of 50 matches)"]
    );
    assert!(found.text.ends_with(
        "\n\n[11 of 103 matches in 3 of 3 files shown: narrow the pattern, path or glob, or raise limit]"
    ));
    assert!(found.truncated && found.matches == 103);
    let few = grep(&session, json!({"pattern": "needle", "limit": 2}));
    assert_eq!(headers(&few.text), ["a (1 of 50 matches)", "b (1 of 3 matches)"]);
    let counted = grep(&session, json!({"pattern": "needle", "count": true}));
    assert_eq!(counted.text, "a: 50\nb: 3\nc: 50");
    let named = grep(&session, json!({"pattern": "needle", "filesOnly": true, "limit": 2}));
    assert_eq!(named.text, "a\nb\n[1 more file: narrow the search or raise limit]");
    let all = grep(&session, json!({"pattern": "needle", "limit": 1000}));
    assert_eq!(all.text.matches("|needle").count(), 103);
}

#[test]
fn a_result_stays_within_its_budget() {
    let directory = Workdir::new("grep-budget");
    for file in 0..60 {
        let line = format!("needle {}\n", "x".repeat(300));
        directory.write(&format!("{file:02}"), line.repeat(60));
    }
    let found = grep(&open(&directory), json!({"pattern": "needle", "limit": 100_000}));
    assert!(found.text.len() <= 50 * 1024, "{}", found.text.len());
    assert_eq!(headers(&found.text).len(), 60, "every file has its share");
    assert!(found.truncated && found.matches == 3600);
}

#[test]
fn a_match_in_an_over_long_line_is_in_view() {
    let directory = Workdir::new("long");
    let line = format!("{}needle{}", "a".repeat(50_000), "b".repeat(50_000));
    directory.write("min.js", &line);
    let found = grep(&open(&directory), json!({"pattern": "needle"}));
    assert!(found.text.contains("needle") && found.text.len() < 3000);
    assert!(
        found.text.ends_with(" [cut: the line has 100006 characters: read it with columns 51500]")
    );
}

#[test]
fn a_file_that_is_not_utf8_is_searched_as_it_is_read() {
    let directory = Workdir::new("latin");
    directory.write("old.c", b"needle caf\xe9\n");
    directory.write("new.c", "needle café\n");
    directory.write("binary", b"needle\0\n");
    for pattern in ["needle", "café", "caf.$"] {
        let found = grep(&open(&directory), json!({"pattern": pattern}));
        assert_eq!(headers(&found.text), ["new.c (1 match)", "old.c (1 match, windows-1252)"]);
    }
}

#[test]
fn a_tree_of_ten_thousand_files_is_searched_in_a_stable_order() {
    let directory = Workdir::new("tree");
    for folder in 0..100 {
        let path = directory.path().join(format!("d{folder:02}"));
        fs::create_dir(&path).unwrap();
        for file in 0..100 {
            let content = if file == 7 { "one\nneedle\n" } else { "hay\n" };
            fs::write(path.join(format!("f{file:02}")), content).unwrap();
        }
    }
    let session = open(&directory);
    let first = grep(&session, json!({"pattern": "needle", "limit": 100}));
    assert_eq!((first.matches, first.files, first.truncated), (100, 100, false));
    let headers = headers(&first.text);
    assert_eq!(headers.len(), 100);
    assert!(headers.is_sorted());
    let again = grep(&open(&directory), json!({"pattern": "needle", "limit": 100}));
    assert_eq!(first.text, again.text);
    let told = AtomicUsize::new(0);
    let request = hashline_wire::grep_request(json!({"pattern": "e"})).unwrap();
    let tell = |progress: hashline_core::grep::Progress| {
        assert!(progress.searched <= 10_000);
        told.fetch_add(1, Ordering::Relaxed);
    };
    session.grep(&request, &tell, &Cancel::default()).unwrap();
    let absent = grep(&session, json!({"pattern": "absent"}));
    assert_eq!(absent.text, "no match for `absent` in 10000 files");
}

#[test]
fn files_may_change_and_vanish_during_the_walk() {
    let directory = Workdir::new("vanish");
    for file in 0..400 {
        directory.write(&format!("d{}/f{file}", file % 20), "needle\n".repeat(20));
    }
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0.. {
                for file in 0..400 {
                    if done.load(Ordering::Relaxed) {
                        return;
                    }
                    let path = directory.path().join(format!("d{}/f{file}", file % 20));
                    let _ = match (round + file) % 3 {
                        0 => fs::remove_file(&path),
                        1 => fs::write(&path, "hay\n"),
                        _ => fs::write(&path, "needle\n".repeat(30)),
                    };
                }
            }
        });
        for _ in 0..40 {
            let found = grep(&open(&directory), json!({"pattern": "needle", "context": 1}));
            let tagged = found.text.lines().filter(|line| line.contains('|'));
            assert!(tagged.clone().all(|line| line.ends_with("|needle") || line.ends_with("|hay")));
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[cfg(unix)]
#[test]
fn deep_directories_and_loops_of_links_end() {
    let directory = Workdir::new("deep");
    let mut path = directory.path().to_owned();
    for _ in 0..200 {
        path.push("d");
    }
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("f"), "needle\n").unwrap();
    std::os::unix::fs::symlink(directory.path(), path.join("up")).unwrap();
    std::os::unix::fs::symlink("self", directory.path().join("self")).unwrap();
    let found = grep(&open(&directory), json!({"pattern": "needle"}));
    assert_eq!((found.matches, found.files), (1, 1));
}

/// A given path inside another may be a link, and then leads elsewhere.
#[cfg(unix)]
#[test]
fn shown_lines_are_remembered_for_the_files_to_which_links_lead() {
    let directory = Workdir::new("grep-links");
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, directory.path().join(name)).unwrap();
    };
    let real = directory.write("real/sub/f", "needle\n");
    let other = directory.write("real/g", "needle\n");
    let inner = directory.write("other/h", "needle\n");
    link("real", "place");
    link("../other", "real/inner");
    link("real/g", "file");
    for (paths, seen) in [
        (vec!["place"], [&real, &other].as_slice()),
        (vec!["real", "real/inner"], &[&real, &other, &inner]),
        (vec!["real/inner", "real"], &[&real, &other, &inner]),
        (vec!["file"], &[&other]),
        (vec!["."], &[&real, &other, &inner]),
    ] {
        let session = open(&directory);
        let found = grep(&session, json!({"pattern": "needle", "paths": paths}));
        assert_eq!(found.files, seen.len(), "{paths:?}: {}", found.text);
        for path in seen {
            assert_eq!(session.remembered().versions(path).len(), 1, "{paths:?}: {path:?}");
        }
    }
}

#[test]
fn a_search_that_is_stopped_gives_up() {
    let directory = Workdir::new("cancel");
    let line = "wörds and more words on a long line ".repeat(50);
    let first = directory.write("f", line + "\n");
    for link in 0..5_000 {
        fs::hard_link(&first, directory.path().join(format!("f{link}"))).unwrap();
    }
    let session = open(&directory);
    // Word boundaries beside letters that are not ASCII make the engine slow: all of it would take
    // many seconds.
    let request =
        hashline_wire::grep_request(json!({"pattern": "\\b[\\w ]{20,60}[A-Z]{2}\\b"})).unwrap();
    let cancel = Cancel::default();
    // A search that reports progress is under way.
    let outcome = session.grep(&request, &|_| cancel.request(), &cancel);
    assert!(outcome.is_err(), "it was not searched to its end");
    assert!(session.read(&hashline_wire::read_request(json!("f")).unwrap(), &cancel).is_err());
}

#[test]
fn two_sessions_share_nothing() {
    let directory = Workdir::new("apart");
    let path = directory.write("f", "needle\n");
    let mut options = Options::new(directory.path());
    options.scheme = Scheme::Base26;
    let [one, other] = [open(&directory), Session::new(options).unwrap()];
    grep(&one, json!({"pattern": "needle"}));
    assert_eq!(one.remembered().versions(&path).len(), 1);
    assert!(other.remembered().versions(&path).is_empty());
}

#[test]
fn counts_do_not_depend_on_how_much_is_shown() {
    let directory = Workdir::new("counted");
    let line = "some text that is there only to fill the file\n";
    directory.write("lf.txt", "one two\ntwo\none\n\ntwo one two\none");
    directory.write("crlf.txt", "one\r\ntwo one\r\n\r\ntwo\r\n");
    directory.write("bom.txt", "\u{feff}one\ntwo\n");
    directory.write("empty.txt", "");
    directory.write("large-bom.txt", format!("\u{feff}one\n{}one\none\n", line.repeat(30_000)));
    directory.write("large.txt", format!("one\n{}two\none", line.repeat(60_000)));
    directory.write("one-line.txt", format!("{}one", "x".repeat(3_000_000)));
    for request in [
        json!({ "pattern": "one" }),
        json!({ "pattern": "ONE", "caseSensitive": false }),
        json!({ "pattern": "^one$|two one" }),
        json!({ "pattern": "^one" }),
        json!({ "pattern": "one", "contextBefore": 2, "contextAfter": 1 }),
        json!({ "pattern": "two\\r?\\n+one|one\\r?\\n", "multiline": true }),
        json!({ "pattern": "zero" }),
    ] {
        for scheme in [Scheme::Hex2, Scheme::Context] {
            let options = Options { scheme, ..Options::new(directory.path()) };
            let session = Session::new(options).unwrap();
            let counted = |limit: usize| {
                let mut request = request.clone();
                request["limit"] = json!(limit);
                let found = grep(&session, request);
                (found.matches, found.files)
            };
            let all = counted(1_000_000);
            assert_eq!((counted(1), counted(3), counted(100)), (all, all, all), "{request}");
        }
    }
}

#[cfg(unix)]
#[test]
fn files_of_a_directory_that_cannot_be_listed_are_searched_by_name() {
    use std::os::unix::fs::PermissionsExt;
    let directory = Workdir::new("unlisted");
    let names: Vec<String> = (0..4).map(|number| format!("closed/{number}.txt")).collect();
    for name in &names {
        directory.write(name, "needle\n");
    }
    let closed = directory.path().join("closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o100)).unwrap();
    let found = grep(&open(&directory), json!({ "pattern": "needle", "paths": names }));
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!((found.matches, found.files), (4, 4), "{}", found.text);
}

#[test]
fn tags_equal_those_of_a_read_however_few_matches_are_shown() {
    let directory = Workdir::new("few-context");
    directory.write("a.txt", "one a\none b\none c\nrest\n");
    let options = Options { scheme: Scheme::Context, ..Options::new(directory.path()) };
    let session = Session::new(options).unwrap();
    let lines = |limit: usize| {
        let found = grep(&session, json!({ "pattern": "one", "limit": limit }));
        found.text.lines().filter(|line| line.contains('|')).map(str::to_owned).collect::<Vec<_>>()
    };
    let all = lines(10);
    assert_eq!(all.len(), 3);
    for limit in 1..3 {
        assert_eq!(lines(limit), all[..limit]);
    }
}

#[test]
fn the_context_after_a_match_ends_at_the_next_omitted_match() {
    let directory = Workdir::new("few-after");
    directory.write("a.txt", "m1\nm2\nx\n");
    let found = grep(&open(&directory), json!({ "pattern": "m", "limit": 1, "contextAfter": 2 }));
    let shown: Vec<_> = found.text.lines().filter(|line| line.contains('|')).collect();
    assert_eq!(shown.len(), 1, "{}", found.text);
    assert!(shown[0].ends_with("|m1") && !found.text.contains("..."), "{}", found.text);
}
