//! What must hold for any bytes at all: one function for each reader of data from outside.
//!
//! libFuzzer runs the functions with a nightly compiler (`fuzz_targets/`), and
//! `crates/wire/tests/all/robust.rs` runs them on stable with mutations of the same seeds
//! (`seeds/`).

#![allow(unreachable_pub, reason = "the fuzz targets include this file by its path, too")]

use std::path::Path;
use std::sync::Arc;

use hashline_core::show;
use hashline_core::testing::snapshot::{self, Event, Index, Note, Snapshot};
use hashline_core::testing::transaction;
use hashline_guard::{Context, GuardSettings, MAX_STEPS, Verdict, judge_counting};
use hashline_text::Document;

/// A request in any spelling is read or refused with a reason.
pub fn patch(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(json) = hashline_wire::parse(&text) else { return };
    if let Err(bad) = hashline_wire::patch::read(&json) {
        assert!(!bad.to_string().is_empty());
    }
    // The other requests come from the same callers.
    let _ = hashline_wire::read_request(json.clone());
    let _ = hashline_wire::grep_request(json.clone());
    let _ = hashline_wire::session_options(json);
}

/// A document of any text gives back exactly the text's bytes.
pub fn document(data: &[u8]) {
    let Ok(document) = Document::from_bytes(data.to_vec()) else { return };
    assert_eq!(document.bytes(), data);
    let lines = document.lines().count();
    assert_eq!(document.digests().len(), lines);
}

/// Any bytes can be checked as a journal. Each input is also tried with a correct checksum, so that
/// the checks after it are reached.
pub fn journal(data: &[u8]) {
    const HEADER: usize = 17;
    let root = Path::new("/w");
    let _ = transaction::journal_problem(data, root);
    if let Some((header, body)) = data.split_at_checked(HEADER) {
        let mut sealed = header.to_vec();
        sealed.extend(hashline_text::Digest::of(body).0.to_le_bytes());
        sealed.extend_from_slice(body);
        let _ = transaction::journal_problem(&sealed, root);
    }
}

/// Saved memory is read or refused; what was read can be saved again. Each input is also tried with
/// a correct length and checksum, so that the code after those checks is reached.
pub fn memory(data: &[u8]) {
    const HEADER: usize = 16;
    let read_and_save_again = |bytes: &[u8]| {
        let Some(versions) = saved_versions(bytes) else { return };
        let shown = Event::Shown(versions.iter().map(|version| (**version).clone()).collect());
        let again = snapshot::encode(&[Note::new(1, Path::new("/w/a"), shown)]);
        assert!(saved_versions(&again).is_some_and(|read| read == versions));
        let _ = snapshot::compact(bytes, usize::MAX);
    };
    read_and_save_again(data);
    let notes = data.get(HEADER..).unwrap_or_default();
    let len = (notes.len() as u64).to_le_bytes();
    read_and_save_again(&[&len, &hashline_text::Digest::of(notes).0.to_le_bytes(), notes].concat());
}

/// The versions of `/w/a` in a saved memory.
pub fn saved_versions(bytes: &[u8]) -> Option<Vec<Arc<Snapshot>>> {
    let mut index = Index::default();
    index.add(bytes, 0).ok()?;
    let events = index.events(Path::new("/w/a")).iter();
    snapshot::replay(events.map(|event| event.within(bytes))).ok()
}

/// The guard judges any text within its limit of steps and without an internal failure.
pub fn guard(data: &[u8]) {
    let command = String::from_utf8_lossy(data);
    let context = Context {
        root: "/home/dev/app".into(),
        cwd: "/home/dev/app".into(),
        home: "/home/dev".into(),
        env: Vec::new(),
        ..Context::default()
    };
    let (verdict, steps) = judge_counting(&command, &context, &GuardSettings::default());
    assert!(steps < 2 * MAX_STEPS, "{steps} steps");
    if let Verdict::Block(block) = verdict {
        assert!(!block.reason().contains("could not be checked"));
    }
}

/// Any line can be read back as a printed row, and any text as an anchor, without a panic.
pub fn printed(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for line in text.split('\n') {
        let _ = show::read_back(line);
        for row in show::readings(line) {
            assert!(row.content.len() <= line.len());
        }
        let _ = line.parse::<hashline_text::Anchor>();
        let name = show::name(line);
        assert!(!name.chars().any(char::is_control), "{name:?}");
    }
}
