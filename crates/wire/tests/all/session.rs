//! Sessions as a host uses them: files on disk, requests in, text out.

use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};

use hashline_core::cancel::Cancel;
use hashline_core::session::{GrepOutcome, Options, ReadOutcome, Session};
use hashline_testing::Workdir;
use hashline_text::{Anchor, Scheme};

pub(crate) fn open(directory: &Workdir) -> Session {
    Session::new(Options::new(directory.path())).unwrap()
}

pub(crate) fn open_with(directory: &Workdir, set: impl FnOnce(&mut Options)) -> Session {
    let mut options = Options::new(directory.path());
    set(&mut options);
    Session::new(options).unwrap()
}

pub(crate) fn read(session: &Session, request: Value) -> ReadOutcome {
    let request = hashline_wire::read_request(request).unwrap();
    session.read(&request, &Cancel::default()).unwrap()
}

pub(crate) fn text(session: &Session, request: Value) -> String {
    read(session, request).text
}

pub(crate) fn code(session: &Session, path: &str) -> &'static str {
    let outcome = read(session, json!({ "path": path }));
    let refusal = outcome.files[0].refusal.as_ref();
    refusal.map_or("ok", |refusal| refusal.code().as_str())
}

pub(crate) fn grep(session: &Session, request: Value) -> String {
    let request = hashline_wire::grep_request(request).unwrap();
    match session.grep(&request, &|_| {}, &Cancel::default()).unwrap() {
        GrepOutcome::Found { text, .. } => text,
        GrepOutcome::Refused(refusal) => format!("refused: {refusal}"),
    }
}

/// The contents of the tagged lines of a text.
pub(crate) fn contents(text: &str) -> Vec<&str> {
    let tagged = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
    let content = |line: &'_ str| line.find('|').map(|at| at + 1);
    text.lines().filter(tagged).filter_map(|line| Some(&line[content(line)?..])).collect()
}

/// The anchors of a text.
pub(crate) fn anchors(text: &str) -> Vec<Anchor> {
    let tagged = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit()) && line.contains('|');
    let anchor = |line: &str| line.split('|').next().unwrap().parse().unwrap();
    text.lines().filter(tagged).map(anchor).collect()
}

#[test]
fn a_file_is_shown_with_a_header_and_tags() {
    let directory = Workdir::new("header");
    directory.write("a.txt", "one\ntwo\nthree\n");
    let session = open(&directory);
    let expected = "a.txt (lines 1-3 of 3)\n1:60|one\n2:f4|two\n3:f8|three";
    assert_eq!(text(&session, json!({"path": "a.txt"})), expected);
}

#[test]
fn offset_and_limit_choose_the_lines_and_the_rest_is_reported() {
    let directory = Workdir::new("offset");
    let lines: Vec<String> = (1..=10).map(|line| format!("line {line}")).collect();
    directory.write("f", lines.join("\n"));
    let session = open(&directory);
    let check = |request: Value, first: &str, last: &str| {
        session.new_context();
        let text = text(&session, request);
        assert_eq!(text.lines().next(), Some(first));
        assert_eq!(text.lines().last(), Some(last), "{text}");
    };
    check(
        json!({"path": "f", "offset": 3, "limit": 2}),
        "f (lines 3-4 of 10)",
        "[6 more lines: read again with offset 5]",
    );
    check(json!({"path": "f", "offset": -2}), "f (lines 9-10 of 10)", "10:84|line 10");
    check(
        json!({"path": "f:9"}),
        "f (lines 9-9 of 10)",
        "[1 more line: read again with offset 10]",
    );
    check(json!({"path": "f:8-10"}), "f (lines 8-10 of 10)", "10:84|line 10");
    check(json!({"path": "f:9-"}), "f (lines 9-10 of 10)", "10:84|line 10");
    check(
        json!({"path": "f:9:4"}),
        "f (lines 9-9 of 10)",
        "[1 more line: read again with offset 10]",
    );
    let past = text(&session, json!({"path": "f", "offset": 11}));
    assert_eq!(past, "error: offset 11 is past the end: `f` has 10 lines");
}

#[test]
fn one_bad_path_does_not_spoil_a_batch() {
    let directory = Workdir::new("batch");
    directory.write("cart.rs", "a\n");
    directory.write("b.txt", "b\nc\n");
    let session = open(&directory);
    let outcome =
        read(&session, json!({"paths": ["cart.rs", "card.rs", {"path": "b.txt", "offset": 2}]}));
    assert_eq!(
        outcome.text,
        "cart.rs (lines 1-1 of 1)\n1:56|a\n\nerror: no such file: `card.rs`; did you mean `cart.rs`?\n\nb.txt (lines 2-2 of 2)\n2:1b|c"
    );
    let ok: Vec<bool> = outcome.files.iter().map(|file| file.refusal.is_none()).collect();
    assert_eq!(ok, [true, false, true]);
    assert_eq!(outcome.files[2].lines, Some((2, 2)));
}

#[test]
fn a_search_inside_a_file_shows_matches_context_and_gaps() {
    let directory = Workdir::new("search");
    let lines: Vec<String> = (1..=9).map(|line| format!("line {line}")).collect();
    directory.write("f", lines.join("\n"));
    let session = open(&directory);
    let shown = |request: Value| -> Vec<String> {
        let text = text(&session, request);
        let strip = |line: &str| match line.split_once('|') {
            Some((anchor, _)) => anchor.split(':').next().unwrap().to_owned(),
            None => line.to_owned(),
        };
        text.lines().map(strip).collect()
    };
    assert_eq!(
        shown(
            json!({"path": "f", "search": "ine [28]", "regex": true, "contextBefore": 1, "contextAfter": 1})
        ),
        ["f (2 matches for `ine [28]` in 9 lines)", "1", "2", "3", "...", "7", "8", "9"]
    );
    assert_eq!(
        shown(json!({"path": "f", "search": "LINE 5"})),
        ["f (no match for `LINE 5` in 9 lines)"]
    );
    assert_eq!(
        shown(json!({"path": "f", "search": "LINE 5", "caseSensitive": false})),
        ["f (1 match for `LINE 5` in 9 lines)", "5"]
    );
    assert_eq!(
        shown(json!({"path": "f", "search": "line", "limit": 2})),
        [
            "f (9 matches for `line` in 9 lines)",
            "1",
            "2",
            "[7 more matches: read again with offset 3]"
        ]
    );
    assert_eq!(
        shown(json!({"path": "f", "search": "line", "offset": 8})),
        ["f (9 matches for `line` in 9 lines)", "8", "9"]
    );
    let bad = text(&session, json!({"path": "f", "search": "(", "regex": true}));
    assert!(bad.contains("    (\n    ^\nerror: unclosed group"), "{bad}");
}

#[test]
fn a_binary_file_is_named_with_its_size() {
    let directory = Workdir::new("kinds");
    directory.write("image.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR");
    directory.write("program", b"\x7fELF\x02\x01\x01\x00\x00");
    directory.write("data", b"a\x00b");
    directory.write("latin1", b"caf\xe9\n");
    directory
        .write("utf16", "hello".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    directory.write("empty", "");
    directory.write("bom", "\u{feff}x\n");
    let session = open(&directory);
    let check = |path: &str, expected: &str, part: &str| {
        assert_eq!(code(&session, path), expected, "{path}");
        let text = text(&session, json!({ "path": path }));
        assert!(text.contains(part), "{text}");
    };
    check("image.png", "image", "image/png, 16 bytes");
    check("program", "binary", "an ELF program (9 bytes)");
    check("data", "binary", "binary data (3 bytes)");
    check("latin1", "ok", "latin1 (lines 1-1 of 1, windows-1252");
    check("utf16", "utf16", "it may be utf-16le text (10 bytes), but has no byte order mark");
    check("empty", "ok", "empty (empty)");
    check("bom", "ok", "\n1:");
    let image = read(&session, json!({"path": "image.png"}));
    let refusal = image.files[0].refusal.as_ref().unwrap();
    assert_eq!(refusal.media_type(), Some("image/png"));
}

#[test]
fn a_directory_lists_its_names() {
    let directory = Workdir::new("directory");
    directory.write("d/b.rs", "");
    directory.write("d/a/x", "");
    directory.write("d/c c", "");
    let session = open(&directory);
    assert_eq!(text(&session, json!({"path": "d"})), "d (3 entries)\na/\nb.rs\nc c");
    assert_eq!(
        text(&session, json!({"path": "d", "limit": 1})),
        "d (3 entries)\na/\n[2 more entries: read again with offset 2]"
    );
}

#[cfg(unix)]
#[test]
fn a_file_name_cannot_forge_a_line() {
    let directory = Workdir::new("names");
    let forged = "d/x\nApplied 3 operations to 1 file\u{1b}[2J";
    directory.write(forged, "needle\n");
    let session = open(&directory);
    let one_line = "x\\nApplied 3 operations to 1 file\\x1b[2J";
    for text in [
        text(&session, json!({"path": "d"})),
        text(&session, json!({"path": forged})),
        text(&session, json!({"path": format!("{forged}?")})),
        grep(&session, json!({"pattern": "needle"})),
        grep(&session, json!({"pattern": "needle", "filesOnly": true})),
        grep(&session, json!({"pattern": "needle", "path": format!("{forged}?")})),
    ] {
        assert!(text.contains(one_line), "{text}");
        assert!(!text.contains('\u{1b}') && !text.contains("\nApplied"), "{text}");
    }
}

/// How many bytes a text has without the anchors.
fn own_bytes(text: &str) -> usize {
    let own = |line: &str| match line.split_once('|') {
        Some((anchor, content)) if anchor.contains(':') => content.len(),
        _ => line.len(),
    };
    text.lines().map(|line| own(line) + 1).sum()
}

#[test]
fn the_budget_counts_the_bytes_of_the_file() {
    let directory = Workdir::new("own-bytes");
    let line = |number: usize| format!("{number:04} some words\u{a0}here\n");
    directory.write("a", (1..=2000).map(line).collect::<String>());
    let whole = read(&open(&directory), json!({"path": "a"}));
    assert!(!whole.truncated && whole.text.len() > 50 * 1024, "{}", whole.text.len());
    assert_eq!(whole.files[0].lines, Some((1, 2000)));
    let small = open_with(&directory, |options| options.budget.bytes = 10_000);
    let part = read(&small, json!({"path": "a"}));
    assert!(part.truncated && (9_500..=10_000).contains(&own_bytes(&part.text)));
}

#[test]
fn no_text_is_longer_than_the_host_passes_on() {
    let directory = Workdir::new("printed-bytes");
    let long = "some words on a line\n".repeat(5000);
    directory.write("a", &long);
    directory.write("b", &long);
    directory.write("c", "short\n");
    let most = 20_000;
    let session = open_with(&directory, |options| options.budget.printed = most);
    let one = read(&session, json!({"path": "a"}));
    assert!((most - 250..=most).contains(&one.text.len()), "{}", one.text.len());
    let (_, last) = one.files[0].lines.unwrap();
    assert!(one.text.ends_with(&format!("read again with offset {}]", last + 1)));
    let several = read(&session, json!({"paths": ["a", "b", "c"]}));
    assert!(several.text.len() <= most, "{}", several.text.len());
    assert!(several.files.iter().all(|file| file.lines.is_some()));
    let search = read(&session, json!({"path": "a", "search": "words"}));
    assert!(search.truncated && search.text.len() <= most, "{}", search.text.len());
    let found = grep(&session, json!({"pattern": "words", "limit": 5000}));
    assert!((most / 2..=most).contains(&found.len()), "{}", found.len());
}

#[test]
fn the_budget_cuts_evenly_and_says_how_to_go_on() {
    let directory = Workdir::new("budget");
    let long = "some words on a line\n".repeat(5000);
    directory.write("a", &long);
    directory.write("b", &long);
    directory.write("c", "short\n");
    let session = open(&directory);
    let one = read(&session, json!({"path": "a"}));
    assert!(one.truncated && own_bytes(&one.text) <= 50 * 1024, "{}", one.text.len());
    let (_, last) = one.files[0].lines.unwrap();
    let note = format!("[{} more lines: read again with offset {}]", 5000 - last, last + 1);
    assert!(one.text.ends_with(&note));
    let all = read(&session, json!({"paths": ["a", "b", "c"]}));
    assert!(own_bytes(&all.text) <= 50 * 1024, "{}", all.text.len());
    let shown: Vec<usize> = all.files.iter().map(|file| file.lines.unwrap().1).collect();
    assert!(shown[0].abs_diff(shown[1]) <= 1 && shown[0] > 500 && shown[2] == 1, "{shown:?}");
    let lines = open_with(&directory, |options| options.budget.lines = 10);
    let all = read(&lines, json!({"paths": ["a", "b", "c"]}));
    let shown: Vec<usize> = all.files.iter().map(|file| file.lines.unwrap().1).collect();
    assert_eq!(shown, [5, 4, 1]);
}

#[test]
fn paths_are_understood_as_they_are_spelled() {
    let directory = Workdir::new("paths");
    directory.write("a b.txt", "x\n");
    directory.write("@odd", "odd\n");
    directory.write("odd", "even\n");
    directory.write("name:3", "literal\n");
    let session = open(&directory);
    let shown = |path: &str| {
        let text = text(&session, json!({ "path": path }));
        contents(&text).join(",")
    };
    assert_eq!(shown("a b.txt"), "x");
    assert_eq!(shown("@a b.txt"), "x");
    assert_eq!(shown("./sub/../a b.txt"), "x");
    assert_eq!(shown("@odd"), "odd", "a file of that very name is preferred");
    assert_eq!(shown("name:3"), "literal");
    assert_eq!(shown(directory.path().join("a b.txt").to_str().unwrap()), "x");
    assert_eq!(code(&session, "~/no-such-file-of-hashline"), "not_found");
    assert_eq!(code(&session, "a\nb"), "not_found");
}

#[test]
fn a_missing_path_is_answered_with_similar_ones() {
    let directory = Workdir::new("near");
    directory.write("src/main.rs", "");
    directory.write("src/Makefile", "");
    let session = open(&directory);
    let check = |path: &str, expected: &str| {
        assert_eq!(text(&session, json!({ "path": path })), format!("error: {expected}"));
    };
    check("src/mian.rs", "no such file: `src/mian.rs`; did you mean `src/main.rs`?");
    check("srcc/main.rs", "no such file: `srcc/main.rs`; did you mean `src/main.rs`?");
    check("src/main.ts:5", "no such file: `src/main.ts`; did you mean `src/main.rs`?");
    check("@src/makefile", "no such file: `src/makefile`; did you mean `src/Makefile`?");
    check("src/unlike", "no such file: `src/unlike`");
    check("a/b/c/d", "no such file: `a/b/c/d`");
    let absolute = directory.path().join("src/main.r").to_string_lossy().into_owned();
    let near = format!("no such file: `{absolute}`; did you mean `{absolute}s`?");
    check(&absolute, &near);
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf8_can_be_read_as_it_is_shown() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let directory = Workdir::new("names");
    fs::write(directory.path().join(OsStr::from_bytes(b"caf\xe9.txt")), "x\n").unwrap();
    let session = open(&directory);
    let listing = text(&session, json!({"path": "."}));
    let name = listing.lines().last().unwrap();
    assert_eq!(name, "caf\u{fffd}.txt");
    assert_eq!(contents(&text(&session, json!({ "path": name }))), ["x"]);
    assert_eq!(contents(&grep(&session, json!({"pattern": "x"}))), ["x"]);
}

#[cfg(unix)]
#[test]
fn nothing_that_could_block_is_opened() {
    let directory = Workdir::new("special");
    let fifo = directory.path().join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(directory.path().join("socket")).unwrap();
    directory.write("plain", "needle\n");
    let session = open(&directory);
    for path in ["fifo", "socket", "/dev/zero", "/dev/tty"] {
        if fs::metadata(directory.path().join(path)).is_ok() {
            assert_eq!(code(&session, path), "special_file", "{path}");
        }
    }
    assert_eq!(contents(&grep(&session, json!({"pattern": "needle"}))), ["needle"]);
    assert!(grep(&session, json!({"pattern": "needle", "path": "fifo"})).starts_with("no match"));
}

#[cfg(target_os = "linux")]
#[test]
fn an_unreadable_file_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let directory = Workdir::new("denied");
    let secret = directory.write("secret/file", "needle\n");
    directory.write("open", "needle\n");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o000)).unwrap();
    let session = open(&directory);
    if fs::read(&secret).is_ok() {
        // The superuser reads every file, but cannot read memory that does not exist.
        let text = text(&session, json!({"path": "/proc/self/mem"}));
        assert!(text.starts_with("error: cannot "), "{text}");
    } else {
        assert_eq!(code(&session, "secret/file"), "permission_denied");
        fs::set_permissions(directory.path().join("secret"), fs::Permissions::from_mode(0o000))
            .unwrap();
        let text = grep(&session, json!({"pattern": "needle"}));
        fs::set_permissions(directory.path().join("secret"), fs::Permissions::from_mode(0o700))
            .unwrap();
        assert!(text.contains("could not be searched"), "{text}");
    }
    assert!(grep(&session, json!({"pattern": "needle", "path": "open"})).contains("needle"));
}

#[test]
fn a_root_must_be_a_directory() {
    let directory = Workdir::new("root");
    let file = directory.write("f", "");
    for root in [file, directory.path().join("none")] {
        let fault = Session::new(Options::new(root)).unwrap_err();
        assert_eq!(fault.code(), "bad_root");
    }
}

#[test]
fn a_huge_file_is_read_by_window() {
    let directory = Workdir::new("huge");
    let mut content = String::new();
    let mut lines = 0;
    while content.len() < 11 << 20 {
        lines += 1;
        content += "line ";
        content += &lines.to_string();
        content += " of a file that is not held in memory\n";
    }
    directory.write("huge", &content);
    let all: Vec<&str> = content.lines().collect();
    for scheme in Scheme::ALL {
        let session = open_with(&directory, |options| options.scheme = scheme);
        let check = |request: Value, first: usize, last: usize| {
            let shown = text(&session, request);
            let header = format!("huge (lines {first}-{last} of {lines})");
            assert_eq!(shown.lines().next(), Some(header.as_str()));
            assert_eq!(contents(&shown), all[first - 1..last]);
            shown
        };
        check(json!({"path": "huge", "offset": -200}), lines - 199, lines);
        check(json!({"path": "huge", "limit": 3}), 1, 3);
        let read = check(json!({"path": "huge", "offset": 100_000, "limit": 1}), 100_000, 100_000);
        let found = grep(&session, json!({"pattern": "line 100000 "}));
        assert_eq!(anchors(&found), anchors(&read), "{scheme}");
        let inside = text(&session, json!({"path": "huge", "search": "line 100000 "}));
        assert_eq!(anchors(&inside), anchors(&read), "{scheme}");
    }
}

/// Text whose lines need no escaping and are not too long to be shown.
fn plain_text() -> impl Strategy<Value = String> {
    proptest::collection::vec("([ -~\t]|é|中|😀|—|“){0,30}", 0..60).prop_flat_map(|lines| {
        (Just(lines), proptest::sample::select(vec!["\n", "\r\n"]), any::<bool>()).prop_map(
            |(lines, ending, open)| {
                let mut text = lines.join(ending);
                if !open && !lines.is_empty() {
                    text.push_str(ending);
                }
                text
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_full_read_without_its_tags_is_the_text(content in plain_text()) {
        let directory = Workdir::new("strip");
        directory.write("f", &content);
        for scheme in Scheme::ALL {
            let session = open_with(&directory, |options| options.scheme = scheme);
            let shown = text(&session, json!({"path": "f"}));
            let lines: Vec<&str> = content.lines().collect();
            prop_assert_eq!(contents(&shown), lines);
        }
    }

    #[test]
    fn a_line_has_the_same_tag_in_grep_and_in_read(content in plain_text(), context in 0..3_usize) {
        let directory = Workdir::new("same");
        directory.write("f", &content);
        for scheme in Scheme::ALL {
            let session = open_with(&directory, |options| options.scheme = scheme);
            let all = anchors(&text(&session, json!({"path": "f"})));
            let request = json!({"pattern": "[a-f]", "context": context, "limit": 1000});
            let found = anchors(&grep(&session, request));
            for anchor in &found {
                prop_assert_eq!(&all[anchor.line.index()], anchor);
            }
            let matching = content.lines().filter(|line| line.contains(['a', 'b', 'c', 'd', 'e', 'f'])).count();
            prop_assert!(found.len() >= matching);
            let inside = json!({"path": "f", "search": "[a-f]", "regex": true, "context": context});
            prop_assert_eq!(anchors(&text(&session, inside)), found);
        }
    }
}
