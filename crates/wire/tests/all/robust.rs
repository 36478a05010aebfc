//! The properties of `fuzz/properties.rs` on a stable compiler: many mutations of the seeds, the
//! same in every run. `HASHLINE_FUZZ` sets for how many seconds each property is tried,
//! `HASHLINE_SEEDS` a directory for the seeds that are made here.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hashline_core::cancel::Cancel;
use hashline_core::read::{FileRequest, ReadRequest};
use hashline_core::session::{Options, Session};
use hashline_core::testing::snapshot::{self, Event, Index, Note};
use hashline_testing::Workdir;

#[path = "../../../../fuzz/properties.rs"]
mod properties;

/// How often each property is tried in the usual run.
const TRIALS: usize = 4_000;

struct Mutator(u64);

impl Mutator {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % sides.max(1)
    }

    /// A few changes to one of the seeds.
    fn mutate(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        const PIECES: [&[u8]; 12] = [
            b"\0",
            b"\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\"",
            b"\\ud800",
            b"{",
            b"]",
            b"\r\n",
            b"/../",
            b":ab|",
            b"-",
            b"\xe2\x80\xae",
            b"99999999999999999999",
        ];
        let mut bytes = seeds[self.roll(seeds.len())].clone();
        for _ in 0..=self.roll(6) {
            let at = self.roll(bytes.len() + 1);
            match self.roll(6) {
                0 if at < bytes.len() => bytes[at] ^= 1 << self.roll(8),
                1 => bytes.truncate(at),
                2 => {
                    let end = (at + self.roll(16)).min(bytes.len());
                    bytes.drain(at..end);
                }
                3 => {
                    let piece = PIECES[self.roll(PIECES.len())];
                    bytes.splice(at..at, piece.iter().copied());
                }
                4 => {
                    let other = &seeds[self.roll(seeds.len())];
                    let from = self.roll(other.len() + 1);
                    bytes.splice(at.., other[from..].iter().copied());
                }
                _ if at < bytes.len() => bytes[at] = self.roll(256).to_le_bytes()[0],
                _ => {}
            }
        }
        bytes
    }
}

/// Seeds from the repository.
fn seeds(name: &str) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(name);
    let paths = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths.collect();
    paths.sort();
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Saves seeds for the fuzzer, which cannot make them itself.
fn keep_seeds(name: &str, seeds: &[Vec<u8>]) {
    if let Some(directory) = std::env::var_os("HASHLINE_SEEDS") {
        let directory = PathBuf::from(directory).join(name);
        fs::create_dir_all(&directory).unwrap();
        for (at, seed) in seeds.iter().enumerate() {
            fs::write(directory.join(at.to_string()), seed).unwrap();
        }
    }
}

fn try_property(name: &str, seeds: &[Vec<u8>], property: fn(&[u8])) {
    let seconds = std::env::var("HASHLINE_FUZZ").ok().and_then(|text| text.parse().ok());
    let (began, limit) = (Instant::now(), seconds.map(Duration::from_secs));
    let (mut mutator, mut trials) = (Mutator(1), 0);
    for seed in seeds {
        property(seed);
    }
    while limit.map_or(trials < TRIALS, |limit| began.elapsed() < limit) {
        property(&mutator.mutate(seeds));
        trials += 1;
    }
    println!("{name}: {trials} inputs in {:?}", began.elapsed());
}

#[test]
fn any_request_is_read_or_refused() {
    try_property("patch", &seeds("patch"), properties::patch);
}

#[test]
fn any_document_gives_its_text_back() {
    try_property("document", &seeds("document"), properties::document);
}

#[test]
fn any_command_is_judged() {
    try_property("guard", &seeds("guard"), properties::guard);
}

#[test]
fn any_line_can_be_read_back() {
    try_property("printed", &seeds("printed"), properties::printed);
}

#[cfg(unix)]
#[test]
fn any_journal_can_be_checked() {
    use crate::faulty::{FaultyDisk, Trouble};
    use crate::tree::{changes, lay_out};
    use hashline_core::session::Durability;
    use hashline_core::testing::transaction::{Ledger, Transaction};
    // A real journal is the seed; its checksum and header are cut off and made anew.
    let dir = Workdir::new("robust");
    let (root, home) = (dir.path().join("root"), dir.path().join("home"));
    lay_out(&root);
    let disk = std::sync::Arc::new(FaultyDisk::new(80, Trouble::Onward(libc::EIO)));
    let ledger = Ledger::with_disk(&root, Some(home.clone()), disk);
    let never = std::sync::atomic::AtomicBool::new(false);
    let writer = ledger.write(Durability::Full, &never).unwrap();
    assert!(writer.commit(&Transaction::new(changes(&root))).is_err());
    let state = fs::read_dir(home).unwrap().next().unwrap().unwrap().path();
    let files = fs::read_dir(state).unwrap().map(|entry| entry.unwrap().path());
    let journals = files.filter(|path| path.extension().is_some_and(|ending| ending == "journal"));
    let whole: Vec<Vec<u8>> = journals.map(|path| fs::read(path).unwrap()).collect();
    let without_sum = |bytes: &Vec<u8>| [&bytes[..17], &bytes[25..]].concat();
    let seeds: Vec<Vec<u8>> = whole.iter().map(without_sum).chain(whole.clone()).collect();
    assert!(!whole.is_empty());
    keep_seeds("journal", &seeds);
    try_property("journal", &seeds, properties::journal);
}

#[test]
fn any_saved_memory_is_read_or_refused() {
    let dir = Workdir::new("robust");
    let root = dir.path().join("root");
    dir.write("root/a", "one\ntwo\nthree\n");
    let state = dir.path().join("state");
    let options = Options { state_dir: Some(state.clone()), ..Options::new(&root) };
    let request = ReadRequest {
        files: vec![FileRequest { path: "a".to_owned(), ..FileRequest::default() }],
        ..ReadRequest::default()
    };
    Session::new(options).unwrap().read(&request, &Cancel::default()).unwrap();
    // Skips the header of the log. What was saved for one path is not read for another, so the seed
    // gets the path that the property reads.
    let saved = fs::read(state.join("seen/log")).unwrap().split_off(32);
    let mut index = Index::default();
    index.add(&saved, 0).unwrap();
    let [event] = index.events(&root.join("a")) else { panic!("one read was noted") };
    let versions = snapshot::replay(std::iter::once(event.within(&saved))).unwrap();
    let shown = versions.into_iter().map(std::sync::Arc::unwrap_or_clone).collect();
    let note = Note::new(1, Path::new("/w/a"), Event::Shown(shown));
    let seeds = vec![snapshot::encode(&[note])];
    assert!(!seeds.is_empty());
    keep_seeds("memory", &seeds);
    try_property("memory", &seeds, properties::memory);
}
