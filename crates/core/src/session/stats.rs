//! Statistics of a user's sessions, for the person at the machine.
//!
//! A session counts what it does as it answers. If it has a state directory, it also appends its
//! counts to a log of this user, after the answer. The log never leaves the machine and names no
//! file: for refused patches it holds digests of the paths, which show whether a later patch
//! changed one of those files.

use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use super::Session;
use crate::fs::{CONTENT, Log, LogError};
use crate::show;
use hashline_text::Digest;

/// We remember the files of at most this many refused patches.
const MAX_UNRESOLVED: usize = 64;

/// What statistics count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// How many calls read files.
    Reads,
    /// How many calls searched files.
    Searches,
    /// How many shell commands were answered instead of being run.
    Served,
    /// How many patches were applied.
    Patches,
    /// How many operations the applied patches had.
    Edits,
    /// How many anchors were followed to where their line had moved.
    Followed,
    /// How many corrections the planner made to patches.
    Repaired,
    /// How many patches were refused.
    Refused,
    /// How many refused patches were followed by an applied patch to one of the same files.
    Resolved,
    /// How many bytes of text the model got.
    Bytes,
}

/// How many kinds of [`Count`] there are.
const KINDS: usize = Count::Bytes as usize + 1;

/// The counts of one answer, and the files of its patch.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct CountedAnswer {
    counts: [u64; KINDS],
    files: Vec<u64>,
}

/// The counts of many answers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    counts: [u64; KINDS],
    /// For each refused patch whose files no later patch has changed: digests of their paths.
    unresolved: Vec<Vec<u64>>,
}

/// The result of `stats`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatsOutcome {
    /// The counts of this session.
    pub session: Stats,
    /// The sums over all sessions of this user; `None` if statistics are switched off.
    pub total: Option<Stats>,
}

impl CountedAnswer {
    pub(super) fn new(counts: &[(Count, usize)]) -> Self {
        let mut answer = Self::default();
        for (kind, count) in counts {
            answer.counts[*kind as usize] += *count as u64;
        }
        answer
    }

    /// The same counts, for a patch to these files.
    pub(super) fn for_files(self, files: &[PathBuf]) -> Self {
        let digest = |path: &PathBuf| Digest::of(path.as_os_str().as_encoded_bytes()).0;
        Self { files: files.iter().map(digest).collect(), ..self }
    }
}

impl Stats {
    /// The count of one kind.
    pub fn get(&self, kind: Count) -> u64 {
        self.counts[kind as usize]
    }

    /// How many refused patches had no later patch to one of their files.
    pub fn given_up(&self) -> u64 {
        self.get(Count::Refused).saturating_sub(self.get(Count::Resolved))
    }

    /// Roughly how many tokens the model was given, at 3.6 bytes each.
    pub fn tokens(&self) -> u64 {
        self.get(Count::Bytes).saturating_mul(10) / 36
    }

    fn add(&mut self, answer: &CountedAnswer) {
        for (sum, count) in self.counts.iter_mut().zip(answer.counts) {
            *sum = sum.saturating_add(count);
        }
        if answer.counts[Count::Patches as usize] > 0 {
            let before = self.unresolved.len();
            self.unresolved.retain(|files| !files.iter().any(|file| answer.files.contains(file)));
            self.counts[Count::Resolved as usize] += (before - self.unresolved.len()) as u64;
        } else if !answer.files.is_empty() {
            self.unresolved.push(answer.files.clone());
            self.unresolved.drain(..self.unresolved.len().saturating_sub(MAX_UNRESOLVED));
        }
    }

    /// The sums of the log in a directory.
    fn load(directory: &Path) -> Result<Self, LogError> {
        let Some(mut log) = Log::new(directory)?.open()? else { return Ok(Self::default()) };
        let content = log.read(CONTENT..log.end);
        content.map(|bytes| Self::decode(&bytes)).map_err(|_| LogError::Damaged("it is cut short"))
    }

    /// Adds up the answers that [`encode`] wrote.
    fn decode(content: &[u8]) -> Self {
        let mut numbers =
            content.as_chunks::<8>().0.iter().map(|number| u64::from_le_bytes(*number));
        let mut stats = Self::default();
        let mut list = || {
            let len = usize::try_from(numbers.next()?).ok()?;
            Some(numbers.by_ref().take(len).collect::<Vec<u64>>())
        };
        while let (Some(counts), Some(files)) = (list(), list()) {
            let mut answer = CountedAnswer { files, ..CountedAnswer::default() };
            // Another version of hashline may have more kinds of counts, or fewer.
            answer.counts.iter_mut().zip(counts).for_each(|(count, kept)| *count = kept);
            stats.add(&answer);
        }
        stats
    }

    /// Encodes the sums of a log as few answers, to shorten the log.
    fn compacted(content: &[u8]) -> Vec<u8> {
        let Self { counts, unresolved } = Self::decode(content);
        let unresolved =
            unresolved.into_iter().map(|files| CountedAnswer { files, ..CountedAnswer::default() });
        let total = CountedAnswer { counts, files: Vec::new() };
        encode(std::iter::once(total).chain(unresolved))
    }
}

fn encode(answers: impl IntoIterator<Item = CountedAnswer>) -> Vec<u8> {
    let list = |list: &[u64]| -> Vec<u64> {
        std::iter::once(list.len() as u64).chain(list.iter().copied()).collect()
    };
    let numbers = answers.into_iter().flat_map(|one| [list(&one.counts), list(&one.files)]);
    numbers.flatten().flat_map(u64::to_le_bytes).collect()
}

/// Appends counts to the log in a directory; if that fails, they are lost.
pub(super) fn keep(directory: &Path, answers: Vec<CountedAnswer>) {
    let log = Log::new(directory);
    let _ = log.and_then(|log| log.append(&encode(answers), &Stats::compacted));
}

impl StatsOutcome {
    /// A table for a person, with a column for the session if it did anything.
    pub fn text(&self) -> String {
        let sums = |stats: &Stats| {
            let get = |kind| stats.get(kind).to_string();
            [
                ("reads", get(Count::Reads)),
                ("searches", get(Count::Searches)),
                ("shell commands answered", get(Count::Served)),
                ("patches applied", get(Count::Patches)),
                ("  edits in them", get(Count::Edits)),
                ("  lines followed", get(Count::Followed)),
                ("  repairs", get(Count::Repaired)),
                ("patches refused", get(Count::Refused)),
                ("  the same file patched afterwards", get(Count::Resolved)),
                ("  given up", stats.given_up().to_string()),
                ("bytes of answers", get(Count::Bytes)),
                ("  tokens, about", format!("~{}", stats.tokens())),
            ]
        };
        let did = self.session != Stats::default() || self.total.is_none();
        let session = did.then(|| ("this session", sums(&self.session)));
        let total = self.total.as_ref().map(|total| ("in all", sums(total)));
        let columns: Vec<_> = session.into_iter().chain(total).collect();
        let mut text = " ".repeat(36);
        for (title, _) in &columns {
            show::say(&mut text, format_args!("{title:>14}"));
        }
        for (row, (label, _)) in sums(&self.session).iter().enumerate() {
            show::say(&mut text, format_args!("\n{label:<36}"));
            for (_, sums) in &columns {
                show::say(&mut text, format_args!("{:>14}", sums[row].1));
            }
        }
        let where_kept = match self.total {
            Some(_) => "kept on this machine only; the setting `stats: false` switches it off",
            None => "`stats` is switched off: nothing is kept",
        };
        show::say(&mut text, format_args!("\n({where_kept})"));
        text
    }
}

impl Session {
    /// The statistics of this session and of this user.
    pub fn stats(&self) -> StatsOutcome {
        self.remembered.flush();
        let session = self.stats.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let total = self.options.stats_dir.as_deref();
        let total = total.map(|directory| Stats::load(directory).unwrap_or_default());
        StatsOutcome { session, total }
    }

    pub(super) fn count(&self, answer: CountedAnswer) {
        self.stats.lock().unwrap_or_else(PoisonError::into_inner).add(&answer);
        if let Some(directory) = &self.options.stats_dir {
            self.remembered.count(directory, answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_testing::Workdir;

    fn refused(files: &[&str]) -> CountedAnswer {
        let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
        CountedAnswer::new(&[(Count::Refused, 1)]).for_files(&files)
    }

    fn applied(file: &str) -> CountedAnswer {
        CountedAnswer::new(&[(Count::Patches, 1), (Count::Bytes, 36)]).for_files(&[file.into()])
    }

    #[test]
    fn a_refusal_is_resolved_by_a_patch_to_one_of_its_files() {
        let directory = Workdir::new("stats");
        keep(directory.path(), vec![refused(&["a", "b"]), refused(&["a"]), refused(&["c"])]);
        keep(directory.path(), vec![refused(&[]), applied("a"), applied("a")]);
        let stats = Stats::load(directory.path()).unwrap();
        let kinds = [Count::Refused, Count::Resolved, Count::Patches, Count::Bytes];
        assert_eq!(kinds.map(|kind| stats.get(kind)), [4, 2, 2, 72]);
        assert_eq!((stats.given_up(), stats.tokens()), (2, 20));
    }

    #[test]
    fn counts_stay_the_same_when_the_log_is_made_shorter() {
        let answers = [refused(&["a"]), applied("b"), refused(&["c", "d"]), applied("c")];
        let content = encode(answers);
        let compacted = Stats::compacted(&content);
        assert!(compacted.len() < content.len());
        assert_eq!(Stats::decode(&compacted), Stats::decode(&content));
        let later = [compacted, encode([applied("a")])].concat();
        assert_eq!(Stats::decode(&later).given_up(), 0);
    }

    #[test]
    fn what_another_version_counted_is_added_as_far_as_it_is_known() {
        let numbers = [2_u64, 5, 7, 0, 12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 99, 99, 0];
        let content: Vec<u8> = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
        let stats = Stats::decode(&content);
        assert_eq!(
            [Count::Reads, Count::Searches, Count::Bytes].map(|kind| stats.get(kind)),
            [6, 8, 1]
        );
        assert_eq!(Stats::decode(&content[..20]), Stats::default());
    }
}
