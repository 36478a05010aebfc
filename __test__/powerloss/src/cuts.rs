//! The states that a power cut could leave: every prefix of the writes, and prefixes without some
//! of the writes that were not flushed.

use crate::log_disk::{Cut, Record, SECTOR};

/// A seeded generator of random numbers, the same in every run.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % sides.max(1)
    }
}

/// The states of a recording: a cut after each write, at most `most` of them, and for each interval
/// between two flushes `samples` cuts in which some of its writes, or sectors of them, are lost.
pub fn cuts(records: &[Record], most: usize, samples: usize, dice: &mut Dice) -> Vec<Cut> {
    let mut cuts = prefixes(records, most);
    let mut from = 0;
    while from < records.len() {
        let flush = records[from..].iter().position(|record| matches!(record, Record::Flush));
        let to = flush.map_or(records.len(), |flush| from + flush);
        cuts.extend(subsets(records, from, to, samples, dice));
        from = to + 1;
    }
    cuts
}

fn prefixes(records: &[Record], most: usize) -> Vec<Cut> {
    // Each cut is just before the next write, when the most patches have been acknowledged.
    let mut ends: Vec<usize> = (0..records.len())
        .filter(|at| matches!(records[*at], Record::Write(..)))
        .chain([records.len()])
        .collect();
    while ends.len() > most {
        let mut keep = false;
        ends.retain(|_| {
            keep = !keep;
            keep
        });
    }
    ends.into_iter().map(|records| Cut { records, ..Cut::default() }).collect()
}

fn subsets(
    records: &[Record],
    from: usize,
    to: usize,
    samples: usize,
    dice: &mut Dice,
) -> Vec<Cut> {
    let open: Vec<(usize, usize)> = (from..to)
        .filter_map(|at| match &records[at] {
            Record::Write(_, bytes) => Some((at, bytes.len().div_ceil(SECTOR))),
            _ => None,
        })
        .collect();
    let pieces: usize = open.iter().map(|(_, sectors)| sectors).sum();
    let most = if pieces < 8 { samples.min((1 << pieces) - 1) } else { samples };
    let mut cuts = Vec::new();
    for _ in 0..if open.is_empty() { 0 } else { most } {
        // At the end of the interval, or within it.
        let last = if dice.roll(2) == 0 { to } else { open[dice.roll(open.len())].0 + 1 };
        let share = [10, 50, 90][dice.roll(3)];
        let by_sector = dice.roll(2) == 0;
        let mut cut = Cut { records: last, ..Cut::default() };
        for &(at, sectors) in open.iter().filter(|(at, _)| *at < last) {
            if !by_sector {
                if dice.roll(100) < share {
                    cut.lost.insert(at);
                }
                continue;
            }
            cut.torn
                .extend((0..sectors).filter(|_| dice.roll(100) < share).map(|sector| (at, sector)));
        }
        if !cut.lost.is_empty() || !cut.torn.is_empty() {
            cuts.push(cut);
        }
    }
    cuts
}

/// How many patches were acknowledged before a cut.
pub fn acknowledged(records: &[Record], cut: &Cut) -> usize {
    let said = records[..cut.records].iter().rev().find_map(|record| match record {
        Record::Acknowledged(patches) => Some(*patches),
        _ => None,
    });
    said.unwrap_or(0)
}
