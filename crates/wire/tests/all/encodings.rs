//! Files that are not UTF-8, from the read to the undo: no byte changes but those of the edited
//! lines.

use serde_json::{Value, json};
use std::fs;

use super::session::{code, grep, open, open_with, read};
use hashline_core::cancel::Cancel;
use hashline_core::session::{
    ApplyOutcome, Encodings, Review, ReviewOutcome, Session, UndoOutcome,
};
use hashline_testing::Workdir;
use hashline_text::Encoding;

/// An encoding's label, a line in it, and a character that it lacks.
const TABLE: [(&str, &str, Option<char>); 13] = [
    ("windows-1252", "café – Ÿ", Some('日')),
    ("windows-1251", "привет", Some('é')),
    ("iso-8859-2", "žluťoučký", Some('й')),
    ("koi8-r", "привет", Some('é')),
    ("macintosh", "naïve ∞", Some('й')),
    ("utf-16le", "naïve 日本 😀", None),
    ("utf-16be", "naïve 日本 😀", None),
    ("shift_jis", "表示ソース", Some('é')),
    ("euc-jp", "日本語の行", Some('€')),
    ("gbk", "汉字，行", Some('😀')),
    ("gb18030", "汉字 😀", None),
    ("big5", "許功蓋", Some('é')),
    ("euc-kr", "한국어 줄", Some('é')),
];

fn apply(session: &Session, op: &str, mut fields: Value) -> ApplyOutcome {
    fields["op"] = json!(op);
    fields["path"] = json!(fields.get("path").and_then(Value::as_str).unwrap_or("f.c"));
    let patch = hashline_wire::patch::read(&json!([fields])).unwrap();
    session.apply(&patch, &Cancel::default()).unwrap()
}

/// The name and the text of a refusal.
fn refused(outcome: &ApplyOutcome) -> (&'static str, &str) {
    match outcome {
        ApplyOutcome::Applied(report, _) => ("applied", &report.text),
        ApplyOutcome::Refused(report) => {
            (report.refusals[0].code.as_str(), &report.refusals[0].reason)
        }
    }
}

fn show(session: &Session, path: &str) -> String {
    read(session, json!({ "path": path })).text
}

/// The anchor of a line of a shown text.
fn anchor(shown: &str, line: usize) -> String {
    let row = shown.lines().find(|row| row.starts_with(&format!("{line}:"))).expect(shown);
    row.split_once('|').unwrap().0.to_owned()
}

fn undo(session: &Session) {
    let undone = session.undo(&Cancel::default()).unwrap();
    assert!(matches!(undone, UndoOutcome::Undone { .. }), "{undone:?}");
}

#[test]
fn every_encoding_is_read_searched_edited_and_undone() {
    for (label, native, foreign) in TABLE {
        for ending in ["\n", "\r\n"] {
            let encoding = Encoding::named(label).unwrap();
            let mark = if encoding.is_utf16() { "\u{feff}" } else { "" };
            let file = |lines: &[&str]| {
                let line = |line: &&str| encoding.encode(&format!("{line}{ending}")).unwrap();
                let lines = lines.iter().flat_map(line);
                encoding.encode(mark).unwrap().into_iter().chain(lines).collect::<Vec<u8>>()
            };
            let directory = Workdir::new("encodings");
            let path = directory.write("f.c", file(&["first", native, "third"]));
            let is = |lines: &[&str]| {
                assert!(fs::read(&path).unwrap() == file(lines), "{label} {lines:?}");
            };
            let session = open_with(&directory, |options| {
                options.encodings = Encodings::otherwise(Some(encoding));
            });

            let outcome = read(&session, json!({"path": "f.c"}));
            let header = format!("f.c (lines 1-3 of 3, {label})\n");
            assert!(outcome.text.starts_with(&header), "{}", outcome.text);
            assert_eq!(outcome.files[0].encoding.name(), label);
            assert!(outcome.text.contains(&format!("|{native}\n")), "{}", outcome.text);
            let found = grep(&session, json!({"pattern": native, "literal": true}));
            assert_eq!(
                found,
                format!("f.c (1 match, {label})\n{}|{native}", anchor(&outcome.text, 2))
            );

            // A refusal names a character that the encoding lacks, and its place; nothing is
            // written.
            if let Some(foreign) = foreign {
                let text = format!("good\nab{foreign}");
                let outcome = apply(
                    &session,
                    "insert_after",
                    json!({"anchor": anchor(&outcome.text, 1), "text": text}),
                );
                let (code, reason) = refused(&outcome);
                assert_eq!(code, "unencodable", "{reason}");
                let place = format!(
                    "line 2 of the text of patch[0] holds `{foreign}`, U+{:04X}, at column 3",
                    u32::from(foreign)
                );
                assert!(reason.contains(&place) && reason.contains(label), "{reason}");
                is(&["first", native, "third"]);
            }
            let edit = format!("{native}!");
            let done = apply(
                &session,
                "set_line",
                json!({"anchor": anchor(&outcome.text, 3), "text": edit}),
            );
            let ApplyOutcome::Applied(report, _) = &done else { panic!("{done:?}") };
            assert_eq!(report.files[0].encoding.name(), label);
            is(&["first", native, &edit]);
            apply(
                &session,
                "insert_after",
                json!({"anchor": anchor(&outcome.text, 1), "text": native}),
            );
            is(&["first", native, native, &edit]);
            undo(&session);
            undo(&session);
            is(&["first", native, "third"]);
        }
    }
}

#[test]
fn without_a_setting_the_encoding_is_guessed() {
    let directory = Workdir::new("guessed");
    let check = |bytes: &[u8], header: &str, line: &str| {
        directory.write("f", bytes);
        assert_eq!(
            show(&open(&directory), "f").split(":a").next().unwrap().lines().next(),
            Some(header)
        );
        let text = show(&open(&directory), "f");
        assert!(text.lines().nth(1).unwrap().ends_with(&format!("|{line}")), "{text}");
    };
    check(b"caf\xe9\n", "f (lines 1-1 of 1, windows-1252)", "café");
    check(b"\xff\xfea\0\xe9\0\n\0", "f (lines 1-1 of 1, utf-16le)", "aé");
    check(b"\xfe\xff\0a\0\n", "f (lines 1-1 of 1, utf-16be)", "a");
    check("é è \u{e9}".as_bytes(), "f (lines 1-1 of 1)", "é è é");
    check(b"\xc3\xa9\xc3\xa8 \xe9\n", "f (lines 1-1 of 1)", "éè \\xE9");
    let japanese = Encoding::named("shift_jis")
        .unwrap()
        .encode(&"これは日本語の文章です。".repeat(8))
        .unwrap();
    check(&japanese, "f (lines 1-1 of 1, shift_jis)", &"これは日本語の文章です。".repeat(8));
}

#[test]
fn undecodable_bytes_are_shown_as_escapes_and_written_back() {
    let directory = Workdir::new("undecodable");
    let path = directory
        .write("f.c", b"\xc3\xa9\xc3\xa8\xc3\xa9\xc3\xa8\nbad \xe9\x85 \x1b x\nend \xff\n");
    let session = open(&directory);
    let shown = show(&session, "f.c");
    assert!(shown.contains("|bad \\xE9\\x85 \\x1b x"), "{shown}");
    apply(
        &session,
        "set_line",
        json!({"anchor": anchor(&shown, 2), "text": "bad \\xE9\\x85 \\x1b y"}),
    );
    assert_eq!(
        fs::read(&path).unwrap(),
        b"\xc3\xa9\xc3\xa8\xc3\xa9\xc3\xa8\nbad \xe9\x85 \x1b y\nend \xff\n"
    );
    apply(&session, "replace", json!({"old_text": "end \\xFF", "new_text": "the end \\xFF"}));
    assert_eq!(
        fs::read(&path).unwrap(),
        b"\xc3\xa9\xc3\xa8\xc3\xa9\xc3\xa8\nbad \xe9\x85 \x1b y\nthe end \xff\n"
    );
    // Half a pair of UTF-16.
    let path = directory.write("g.c", b"\xff\xfea\0\0\xd8b\0\n\0c\0\n\0");
    let shown = show(&session, "g.c");
    assert!(shown.contains("|a\\uD800b"), "{shown}");
    apply(
        &session,
        "set_line",
        json!({"path": "g.c", "anchor": anchor(&shown, 1), "text": "\\uD800b"}),
    );
    assert_eq!(fs::read(&path).unwrap(), b"\xff\xfe\0\xd8b\0\n\0c\0\n\0");
}

#[test]
fn a_file_that_changed_its_encoding_is_stale() {
    let directory = Workdir::new("changed-encoding");
    let path = directory.write("f.c", b"one\ncaf\xe9\n");
    let session = open(&directory);
    let shown = show(&session, "f.c");
    directory.write("f.c", "one\ncafé\n");
    let set = |text: &str| {
        apply(&session, "set_line", json!({"anchor": anchor(&shown, 2), "text": text}))
    };
    let outcome = set("thé");
    let (code, reason) = refused(&outcome);
    assert_eq!(code, "stale_anchor");
    assert!(
        reason.contains("was windows-1252 text when it was shown and is utf-8 now"),
        "{reason}"
    );
    assert_eq!(fs::read(&path).unwrap(), "one\ncafé\n".as_bytes());
    // The refusal showed the line.
    assert_eq!(refused(&set("thé")).0, "applied");
    assert_eq!(fs::read(&path).unwrap(), "one\nthé\n".as_bytes());
}

#[test]
fn our_own_edits_keep_the_encoding() {
    for keep in [false, true] {
        let directory = Workdir::new("kept-encoding");
        let path = directory.write("f.c", b"one\ncaf\xe9\n");
        let state = directory.path().join("state");
        let open =
            || open_with(&directory, |options| options.state_dir = keep.then(|| state.clone()));
        let mut session = open();
        let shown = show(&session, "f.c");
        apply(&session, "set_line", json!({"anchor": anchor(&shown, 2), "text": "coffee"}));
        assert_eq!(fs::read(&path).unwrap(), b"one\ncoffee\n");
        if keep {
            session = open();
        } else {
            assert!(
                show(&session, "f.c").starts_with("f.c (lines 1-2 of 2, windows-1252, unchanged")
            );
            assert!(
                grep(&session, json!({"pattern": "coffee"}))
                    .starts_with("f.c (1 match, windows-1252)")
            );
        }
        apply(&session, "set_line", json!({"anchor": anchor(&shown, 1), "text": "\u{fc}ber"}));
        assert_eq!(fs::read(&path).unwrap(), b"\xfcber\ncoffee\n");
    }
}

#[test]
fn a_glob_sets_the_encoding_of_old_and_of_new_files() {
    let directory = Workdir::new("globs");
    let session = open_with(&directory, |options| {
        options.encodings.name("*.rc", Encoding::named("utf-16le").unwrap()).unwrap();
        options.encodings.name("*.txt", Encoding::named("latin1").unwrap()).unwrap();
    });
    let make = |path: &str, text: &str| {
        refused(&apply(&session, "add_file", json!({"path": path, "text": text}))).0.to_owned()
    };
    assert_eq!(make("a.rc", "é\n"), "applied");
    assert_eq!(fs::read(directory.path().join("a.rc")).unwrap(), b"\xff\xfe\xe9\0\n\0");
    assert_eq!(make("a.txt", "é\n"), "applied");
    assert_eq!(fs::read(directory.path().join("a.txt")).unwrap(), b"\xe9\n");
    assert_eq!(make("b.txt", "日\n"), "unencodable");
    assert_eq!(make("b.c", "日\n"), "applied");
    assert_eq!(fs::read(directory.path().join("b.c")).unwrap(), "日\n".as_bytes());
    // The glob wins even over valid UTF-8, and a file without a byte order mark does not get one.
    directory.write("c.txt", "é\n");
    assert!(show(&session, "c.txt").contains("|Ã©"));
    directory.write("c.rc", b"a\0\n\0");
    let shown = show(&session, "c.rc");
    apply(&session, "set_line", json!({"path": "c.rc", "anchor": anchor(&shown, 1), "text": "b"}));
    assert_eq!(fs::read(directory.path().join("c.rc")).unwrap(), b"b\0\n\0");
}

#[test]
fn an_overwritten_file_keeps_its_encoding() {
    let directory = Workdir::new("over");
    let path = directory.write("f.c", b"caf\xe9\n");
    let session = open(&directory);
    show(&session, "f.c");
    let over = |text: &str| {
        refused(&apply(&session, "add_file", json!({"text": text, "overwrite": true}))).0.to_owned()
    };
    assert_eq!(over("日\n"), "unencodable");
    assert_eq!(over("th\u{e9}\n"), "applied");
    assert_eq!(fs::read(&path).unwrap(), b"th\xe9\n");
}

#[test]
fn a_binary_file_is_refused_by_name_and_is_not_edited_by_line() {
    let directory = Workdir::new("binary");
    let zeros = b"a\0b\n".to_vec();
    for (bytes, kind) in [
        (&b"\x89PNG\r\n\x1a\n12"[..], "image"),
        (b"\x7fELF\x02\x01\x01\0", "binary"),
        (b"PK\x03\x04\xff\xff", "binary"),
        (&zeros, "binary"),
        (b"\xff\xfe\0\0a\0\0\0", "binary"),
        (b"a\0b\0c\0d\0\n\0", "utf16"),
        // Letters with which programs begin, but text after them.
        (b"MZ\xe9t\xe9\n", "ok"),
    ] {
        let path = directory.write("f.c", bytes);
        let session = open(&directory);
        assert_eq!(code(&session, "f.c"), kind);
        if kind != "ok" {
            let outcome = apply(&session, "insert_after", json!({"anchor": "start", "text": "x"}));
            assert_eq!(refused(&outcome).0, "not_text");
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
    }
}

#[test]
fn a_review_shows_text_as_a_read_does() {
    let directory = Workdir::new("review");
    let check = |bytes: &[u8], kept: &str, old: &str| {
        directory.write("f.c", bytes);
        let session = open(&directory);
        let shown = show(&session, "f.c");
        apply(&session, "set_line", json!({"anchor": anchor(&shown, 2), "text": "new"}));
        let reviewed = session.review(None, &Cancel::default()).unwrap();
        let ReviewOutcome::Reviewed(Review { since: Some(diff), .. }) = reviewed else {
            panic!("{reviewed:?}")
        };
        assert!(diff.ends_with(&format!("\n {kept}\n-{old}\n+new\n")), "{diff}");
    };
    check(b"caf\xe9\nth\xe9\n", "café", "thé");
    check(b"\xff\xfea\0\n\0\xe9\0\n\0", "\u{feff}a", "é");
    check("é è é\nold\n".as_bytes(), "é è é", "old");
    check(b"\xc3\xa9\xc3\xa8 \xe9\n\xc3\xa9 \xff\n", "éè \\xE9", "é \\xFF");
}

#[test]
fn a_large_file_is_read_and_searched_in_its_encoding() {
    let directory = Workdir::new("large");
    for (label, mark) in [("windows-1252", ""), ("utf-16le", "\u{feff}")] {
        let encoding = Encoding::named(label).unwrap();
        let mut bytes = encoding.encode(mark).unwrap();
        bytes.extend(encoding.encode("thé\n").unwrap());
        let line = encoding.encode(&format!("{}\n", "x".repeat(999))).unwrap();
        bytes.extend(line.repeat(11_000));
        bytes.extend(encoding.encode("café\n").unwrap());
        directory.write("f.c", &bytes);
        let session = open(&directory);
        let shown = read(&session, json!({"path": "f.c", "offset": -1})).text;
        assert!(
            shown.starts_with(&format!("f.c (lines 11002-11002 of 11002, {label})\n")),
            "{shown}"
        );
        assert!(shown.ends_with("|café"), "{shown}");
        let found = grep(&session, json!({"pattern": "caf.$"}));
        assert!(found.ends_with("|café") && found.contains(label), "{found}");
        let within = read(&session, json!({"path": "f.c", "search": "café"})).text;
        assert!(within.ends_with("|café"), "{within}");
        apply(&session, "set_line", json!({"anchor": anchor(&shown, 11_002), "text": "the end"}));
        let mut expected = bytes[..bytes.len() - encoding.encode("café\n").unwrap().len()].to_vec();
        expected.extend(encoding.encode("the end\n").unwrap());
        assert!(fs::read(directory.path().join("f.c")).unwrap() == expected);
    }
}
