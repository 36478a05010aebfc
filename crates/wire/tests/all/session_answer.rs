//! How a session answers shell commands, and what it leaves to the host's own reader.

use serde_json::{Value, json};

use hashline_core::cancel::Cancel;
use hashline_core::read::{HostKind, ReadRequest};
use hashline_core::session::{Given, Options, Session, ShellAnswer, ShellCall};
use hashline_guard::{Calls, Mode};
use hashline_testing::Workdir;

fn open(directory: &Workdir) -> Session {
    Session::new(Options::new(directory.path())).unwrap()
}

fn answer(session: &Session, call: ShellCall<'_>) -> ShellAnswer {
    session.answer(call, &Cancel::default())
}

fn command(command: &str) -> ShellCall<'_> {
    ShellCall { command, ..ShellCall::default() }
}

/// The text of a refusal, and whether it holds the lines that the command was meant to show.
fn refused(answer: &ShellAnswer) -> (String, bool) {
    match answer {
        ShellAnswer::Refuse { given, .. } => {
            (answer.text(&Calls).expect("a refusal says why"), *given != Given::Nothing)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_blocked_read_is_answered_with_the_lines_it_was_after() {
    let directory = Workdir::new("answer-read");
    directory.write("a.txt", b"one\ntwo\nthree\n");
    let session = open(&directory);
    let (text, served) = refused(&answer(&session, command("head -n 2 a.txt")));
    assert!(served && text.contains("[answered by read: "), "{text}");
    assert!(text.contains("|two") && !text.contains("|three"), "{text}");
    let key = session.root().join("a.txt");
    assert_eq!(session.remembered().versions(&key).len(), 1, "what was served was shown");
    let (text, served) = refused(&answer(&session, command("grep -n three a.txt")));
    assert!(served && text.contains("|three"), "{text}");
}

#[test]
fn a_command_whose_lines_cannot_be_had_is_blocked_all_the_same() {
    let directory = Workdir::new("answer-bare");
    directory.write("a.txt", b"one\n");
    let session = open(&directory);
    for call in ["echo x > a.txt", "cat missing.txt"] {
        let (text, served) = refused(&answer(&session, command(call)));
        assert!(!served && !text.contains("done for you"), "{call}: {text}");
    }
    let cancel = Cancel::default();
    cancel.request();
    let (_, served) = refused(&session.answer(command("cat a.txt"), &cancel));
    assert!(!served);
    assert_eq!(answer(&session, command("ls -l")), ShellAnswer::Allow);
}

#[test]
fn a_blocked_edit_by_a_pattern_is_answered_with_the_lines_it_is_about() {
    let directory = Workdir::new("answer-edit");
    directory.write("a.txt", b"v1\ntwo\nv22\n");
    let session = open(&directory);
    let call = command("sed -i 's/v[0-9]+/v3/' -E a.txt && echo done");
    let (text, served) = refused(&answer(&session, call));
    assert!(served && text.contains("Nothing was changed"), "{text}");
    assert!(text.contains("|v1") && text.contains("|v22") && !text.contains("|two"), "{text}");
    assert!(text.contains("send it alone: `echo done`"), "{text}");
    assert_eq!(directory.read("a.txt").as_deref(), Some("v1\ntwo\nv22\n"));
    directory.write("b.bin", b"\x00\x01v1\n");
    // None of our tools can edit a binary file.
    assert_eq!(answer(&session, command("sed -i '1d' b.bin")), ShellAnswer::Allow);
}

#[test]
fn a_directory_is_spelled_like_any_other_path() {
    let directory = Workdir::new("answer-cwd");
    directory.write("sub/a.txt", b"one\n");
    let session = open(&directory);
    let root = directory.path().display().to_string();
    let file_url = format!("file://{root}/sub");
    for cwd in ["sub", "@sub", "./sub/../sub", &file_url] {
        let call = ShellCall { cwd: Some(cwd), ..command("cat a.txt") };
        assert!(refused(&answer(&session, call)).1, "{cwd}");
    }
    let call = ShellCall { cwd: Some("local://x"), ..command("cat a.txt") };
    assert_eq!(answer(&session, call), ShellAnswer::Allow, "none of the workspace's files");
}

#[test]
fn typed_text_is_a_command_only_in_a_shell() {
    let directory = Workdir::new("answer-typed");
    directory.write("a.txt", b"one\n");
    let session = open(&directory);
    let typed = |program| ShellCall { typed_into: Some(program), ..command("cat a.txt") };
    assert!(refused(&answer(&session, typed("/bin/bash"))).1);
    assert_eq!(answer(&session, typed("python3")), ShellAnswer::Allow);
}

#[test]
fn a_guard_that_only_nudges_serves_nothing() {
    let directory = Workdir::new("answer-nudge");
    directory.write("a.txt", b"one\n");
    let mut options = Options::new(directory.path());
    options.guard.mode = Mode::Nudge;
    let session = Session::new(options).unwrap();
    let ShellAnswer::Nudge(block) = answer(&session, command("cat a.txt")) else { panic!() };
    assert!(block.reason().contains("read"), "{}", block.reason());
    let key = session.root().join("a.txt");
    assert!(session.remembered().versions(&key).is_empty());
}

fn request(json: Value, host_reads: &[HostKind]) -> ReadRequest {
    ReadRequest { host_reads: host_reads.to_vec(), ..hashline_wire::read_request(json).unwrap() }
}

#[test]
fn a_file_that_the_host_shows_itself_is_not_an_error() {
    let directory = Workdir::new("host-reads");
    directory.write("a.txt", b"one\n");
    directory.write("dir/i.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR");
    let session = open(&directory);
    let paths = json!({"paths": ["a.txt", "@dir/i.png", "https://x.org/a", "a.zip/b"]});
    let read = |host: &[HostKind]| {
        session.read(&request(paths.clone(), host), &Cancel::default()).unwrap()
    };
    let all = read(&HostKind::ALL);
    let host: Vec<_> = all.files.iter().map(|file| file.host_reads.map(HostKind::as_str)).collect();
    assert_eq!(host, [None, Some("image"), Some("url"), Some("archive_member")]);
    assert!(!all.text.contains("error:"), "{}", all.text);
    assert!(all.text.contains("dir/i.png: see below"), "{}", all.text);
    assert_eq!(all.files[1].path, session.root().join("dir/i.png"));
    let none = read(&[]);
    assert_eq!(none.text.matches("error: ").count(), 3, "{}", none.text);
    assert!(none.files.iter().all(|file| file.host_reads.is_none()));
}

#[test]
fn a_lone_image_needs_no_text_that_points_to_it() {
    let directory = Workdir::new("host-image");
    directory.write("i.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR");
    let session = open(&directory);
    let outcome =
        session.read(&request(json!("i.png"), &[HostKind::Image]), &Cancel::default()).unwrap();
    assert_eq!((outcome.text.as_str(), outcome.files.len()), ("", 1));
}
