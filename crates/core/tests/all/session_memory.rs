//! A session's memory of the files that it showed.

use std::fs;

use crate::ops::{read, read_file};
use hashline_core::cancel::Cancel;
use hashline_core::grep::GrepRequest;
use hashline_core::read::{FileRequest, Lookup};
use hashline_core::session::{Options, Session, remembered_files};
use hashline_testing::Workdir;
use hashline_text::{Anchor, Digest, LineDigest, LineNumber};

fn open(directory: &Workdir) -> Session {
    open_with(directory, |_| {})
}

fn open_with(directory: &Workdir, set: impl FnOnce(&mut Options)) -> Session {
    let mut options = Options::new(directory.path());
    set(&mut options);
    Session::new(options).unwrap()
}

fn search(session: &Session, path: &str, text: &str) {
    let search = Some(Lookup::literal(text));
    read_file(session, FileRequest { path: path.to_owned(), search, ..FileRequest::default() });
}

fn grep(session: &Session, pattern: &str) {
    let request = GrepRequest { pattern: pattern.to_owned(), ..GrepRequest::default() };
    session.grep(&request, &|_| {}, &Cancel::default()).unwrap();
}

fn code(session: &Session, path: &str) -> Option<&'static str> {
    let refusal = read(session, path).files.remove(0).refusal?;
    Some(refusal.code().as_str())
}

#[test]
fn only_shown_lines_are_remembered_and_versions_are_kept_apart() {
    let directory = Workdir::new("memory");
    let path = directory.write("f", "a\nb\nc\nd\n");
    let session = open(&directory);
    let second = read(&session, "f:2-2").text;
    let row = second.lines().nth(1).unwrap();
    let anchor: Anchor = row.split('|').next().unwrap().parse().unwrap();
    let [version] = &session.remembered().versions(&path)[..] else {
        panic!("one version was shown");
    };
    assert_eq!(version.recall(&anchor), Some(LineDigest::of(b"b")));
    assert!(!version.shown(LineNumber::FIRST));
    assert_eq!(version.digests().map(<[_]>::len), Some(4));
    grep(&session, "d");
    let versions = session.remembered().versions(&path);
    assert_eq!(versions.len(), 1, "the same version shown by grep");
    assert!(versions[0].shown(LineNumber::new(4).unwrap()));
    directory.write("f", "a\nB\nc\nd\n");
    read(&session, "f");
    let versions = session.remembered().versions(&path);
    assert_eq!(versions.len(), 2);
    assert_eq!(versions[0].recall(&anchor), None);
    assert_eq!(versions[1].recall(&anchor), Some(LineDigest::of(b"b")));
}

#[test]
fn the_lines_of_a_file_that_was_read_are_found_by_its_bytes() {
    let directory = Workdir::new("by-bytes");
    let path = directory.write("f", "a\nb\n");
    let session = open(&directory);
    let digests = |text: &str| {
        let (_, lines) = session.remembered().known(&path, Some(Digest::of(text.as_bytes())));
        lines.map(|lines| lines.digests().to_vec())
    };
    read(&session, "f:1-1");
    assert_eq!(digests("a\nb\n"), Some([b"a", b"b"].map(|line| LineDigest::of(line)).to_vec()));
    assert_eq!(digests("a\nb"), None);
    directory.write("g", "c\r\nd\n");
    search(&session, "g", "d");
    assert_eq!(digests("c\r\nd\n").map(|lines| lines.len()), Some(2));
    // Other bytes with the same lines are the same version.
    directory.write("g", "c\nd\n");
    read(&session, "g");
    assert_eq!(session.remembered().versions(&directory.path().join("g")).len(), 1);
}

#[test]
fn another_session_knows_what_was_shown_if_they_share_a_state_directory() {
    let directory = Workdir::new("state");
    let state = Workdir::new("state-dir");
    let path = directory.write("f", "a\nb\n");
    let with_state = |options: &mut Options| options.state_dir = Some(state.path().to_owned());
    let first = open_with(&directory, with_state);
    read(&first, "f:1-1");
    let second = open_with(&directory, with_state);
    read(&second, "f:2-");
    for session in [&first, &second, &open_with(&directory, with_state)] {
        let versions = session.remembered().versions(&path);
        assert_eq!(versions.len(), 1);
        assert!([1, 2].iter().all(|line| versions[0].shown(LineNumber::new(*line).unwrap())));
    }
    assert!(open(&directory).remembered().versions(&path).is_empty(), "others share nothing");
}

#[test]
fn two_sessions_of_one_process_know_at_once_what_the_other_was_shown() {
    let directory = Workdir::new("at-once");
    let path = directory.write("f", "a\nb\n");
    let [first, second] = [(); 2].map(|()| {
        open_with(&directory, |options| options.state_dir = Some(directory.path().join("state")))
    });
    let shown = |session: &Session| {
        let versions = session.remembered().versions(&path);
        let lines = [1, 2].map(|line| LineNumber::new(line).unwrap());
        versions.first().map(|version| lines.map(|line| version.shown(line)))
    };
    read(&first, "f:1-1");
    assert_eq!(shown(&second), Some([true, false]));
    read(&second, "f:2-2");
    assert_eq!([shown(&first), shown(&second)], [Some([true, true]); 2]);
    assert!(first.remembered().is_shared(&path) && second.remembered().is_shared(&path));
}

#[test]
fn a_repeated_read_is_saved_only_if_it_adds_lines() {
    let directory = Workdir::new("again");
    let state = Workdir::new("again-state");
    directory.write("f", "a\nb\n");
    let session =
        open_with(&directory, |options| options.state_dir = Some(state.path().to_owned()));
    let saved_after = |path: &str| {
        read(&session, path);
        session.flush();
        fs::metadata(state.path().join("seen/log")).unwrap().len()
    };
    let first = saved_after("f:1-1");
    assert_eq!(saved_after("f:1-1"), first, "it was shown before");
    assert!(saved_after("f") > first, "the second line was not");
}

#[test]
fn all_that_one_call_has_shown_is_saved_in_one_file() {
    let directory = Workdir::new("one-file");
    for file in 0..100 {
        directory.write(&format!("{file}"), "needle\n");
    }
    let state = Workdir::new("one-file-state");
    let session =
        open_with(&directory, |options| options.state_dir = Some(state.path().to_owned()));
    grep(&session, "needle");
    session.flush();
    assert_eq!(remembered_files(state.path()), 100);
    assert_eq!(fs::read_dir(state.path().join("seen")).unwrap().count(), 2, "the log and its lock");
}

#[test]
fn a_damaged_log_costs_only_a_warning() {
    let directory = Workdir::new("corrupt");
    let state = Workdir::new("corrupt-state");
    let path = directory.write("f", "a\nb\n");
    let with_state = |options: &mut Options| options.state_dir = Some(state.path().to_owned());
    let log = state.path().join("seen/log");
    let last = |bytes: &mut Vec<u8>| *bytes.last_mut().unwrap() ^= 1;
    let huge = |bytes: &mut Vec<u8>| bytes.resize(300 << 20, 0);
    let spoil: [fn(&mut Vec<u8>); 3] = [last, Vec::clear, huge];
    let reasons = [
        "its checksum does not fit",
        "it is cut short",
        "it is longer than any that hashline writes",
    ];
    for (spoil, reason) in spoil.into_iter().zip(reasons) {
        read(&open_with(&directory, with_state), "f");
        let mut bytes = fs::read(&log).unwrap();
        spoil(&mut bytes);
        fs::write(&log, bytes).unwrap();
        let session = open_with(&directory, with_state);
        assert!(session.remembered().versions(&path).is_empty());
        let outcome = read(&session, "f");
        assert_eq!(outcome.warnings.len(), 1);
        assert!(outcome.warnings[0].contains(reason), "{:?}", outcome.warnings);
        assert!(read(&session, "f").warnings.is_empty(), "a warning is given once");
        assert_eq!(open_with(&directory, with_state).remembered().versions(&path).len(), 1);
    }
    let unusable = open_with(&directory, |options| options.state_dir = Some(path.clone()));
    let outcome = read(&unusable, "f");
    assert!(outcome.warnings[0].contains("not saved on disk"), "{:?}", outcome.warnings);
    assert_eq!(outcome.text.lines().count(), 3, "its header and both lines: {}", outcome.text);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_remembered_as_their_target() {
    let directory = Workdir::new("links");
    let target = directory.write("target", "x\n");
    std::os::unix::fs::symlink("target", directory.path().join("link")).unwrap();
    std::os::unix::fs::symlink("nowhere", directory.path().join("dangling")).unwrap();
    std::os::unix::fs::symlink("loop", directory.path().join("loop")).unwrap();
    let session = open(&directory);
    assert!(read(&session, "link").text.starts_with("link (lines 1-1 of 1)"));
    assert_eq!(session.remembered().versions(&target).len(), 1);
    assert_eq!(code(&session, "dangling"), Some("not_found"));
    assert_eq!(code(&session, "loop"), Some("io_error"));
}
