//! Reading some lines of a file that is too large to be held in memory.

use std::fs::File;
use std::io;

use super::LinesWanted;
use crate::cancel::{Cancel, Cancelled};
use crate::fs;
use hashline_text::kernel::newlines;

/// How many bytes are read at a time: few enough to stay in the cache while newlines are counted.
const CHUNK: usize = 256 << 10;

/// The most bytes of lines that are held in memory.
const MAX_BYTES: usize = 16 << 20;

/// Consecutive lines of a file, whole with their endings.
pub(super) struct Window {
    /// The bytes of the lines.
    pub bytes: Vec<u8>,
    /// How many lines of the file come before these lines.
    pub before: usize,
    /// How many lines the file has.
    pub total: usize,
}

/// Reads the wanted lines, one more before them and one more after them; fewer if they take more
/// than [`MAX_BYTES`].
///
/// Goes through the file twice: once to count its lines, then only where the wanted lines are.
pub(super) fn window(
    file: &File,
    wanted: LinesWanted,
    max_lines: usize,
    cancel: &Cancel,
) -> Result<Window, fs::ReadError> {
    let counts = count(file, cancel)?;
    let total = counts.total();
    let range = wanted.resolve(total);
    let before = range.start.saturating_sub(1);
    let lines = range.len().min(max_lines) + (range.start - before) + 1;
    let start = counts.start_of(file, before)?;
    let mut bytes = Vec::new();
    let mut missing = lines.min(total - before.min(total));
    let mut chunk = vec![0; CHUNK];
    let mut offset = start;
    'reading: while missing > 0 {
        cancel.check().map_err(|Cancelled| fs::ReadError::Cancelled)?;
        let count = fs::read_at(file, offset, &mut chunk)?;
        let read = &chunk[..count];
        offset += count as u64;
        for newline in newlines::iter(read) {
            missing -= 1;
            if missing == 0 {
                bytes.extend(&read[..=newline]);
                break 'reading;
            }
        }
        bytes.extend(read);
        if count < CHUNK {
            break;
        }
        if bytes.len() > MAX_BYTES {
            // Only whole lines can be tagged.
            let whole = newlines::iter(&bytes).last().map_or(0, |newline| newline + 1);
            bytes.truncate(whole);
            break;
        }
    }
    Ok(Window { bytes, before, total })
}

/// The newlines of a file, counted chunk by chunk.
struct Counts {
    /// How many newlines come before the end of each chunk.
    sums: Vec<usize>,
    /// Whether the last line has no newline.
    lacks_last_newline: bool,
}

impl Counts {
    fn total(&self) -> usize {
        self.sums.last().copied().unwrap_or_default() + usize::from(self.lacks_last_newline)
    }

    /// The offset at which the line with `before` lines before it starts.
    fn start_of(&self, file: &File, before: usize) -> io::Result<u64> {
        let Some(last) = before.checked_sub(1) else {
            return Ok(0);
        };
        // The chunk that holds the newline at the end of the line before.
        let place = self.sums.partition_point(|sum| *sum <= last);
        let earlier = place.checked_sub(1).map_or(0, |place| self.sums[place]);
        let offset = (place * CHUNK) as u64;
        let mut chunk = vec![0; CHUNK];
        let count = fs::read_at(file, offset, &mut chunk)?;
        let newline = newlines::iter(&chunk[..count]).nth(last - earlier);
        Ok(offset + newline.map_or(count, |newline| newline + 1) as u64)
    }
}

fn count(file: &File, cancel: &Cancel) -> Result<Counts, fs::ReadError> {
    let mut chunk = vec![0; CHUNK];
    let mut sums = Vec::new();
    let mut sum = 0;
    let mut lacks_last_newline = false;
    let mut offset = 0;
    loop {
        cancel.check().map_err(|Cancelled| fs::ReadError::Cancelled)?;
        let count = fs::read_at(file, offset, &mut chunk)?;
        if count == 0 {
            break;
        }
        let read = &chunk[..count];
        sum += newlines::count(read);
        sums.push(sum);
        lacks_last_newline = read.last() != Some(&b'\n');
        offset += count as u64;
        if count < CHUNK {
            break;
        }
    }
    Ok(Counts { sums, lacks_last_newline })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_testing::Workdir;
    use proptest::prelude::*;

    fn check(lines: &[String], final_newline: bool, wanted: LinesWanted, most: usize) {
        let text = lines.join("\n") + if final_newline { "\n" } else { "" };
        let directory = Workdir::new("window");
        let (file, _) = fs::open(&directory.write("text", &text)).unwrap();
        let window = window(&file, wanted, most, &Cancel::default()).unwrap();
        let all: Vec<&str> = text.split_inclusive('\n').collect();
        assert_eq!(window.total, all.len());
        let range = wanted.resolve(all.len());
        let first = range.start.saturating_sub(1);
        let last = (range.start + range.len().min(most) + 1).min(all.len());
        assert_eq!(window.before, first);
        let expected = all[first.min(all.len())..last].concat();
        assert_eq!(String::from_utf8(window.bytes).unwrap(), expected);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn a_window_holds_the_lines_that_were_wanted(
            seed in proptest::collection::vec(0..3_usize, 1..2000),
            offset in -2100..2100_i64,
            limit in 1..2100_usize,
            most in 1..2100_usize,
            final_newline: bool,
        ) {
            let lines: Vec<String> = seed.iter().enumerate().map(|(at, length)| format!("{at}{}", "x".repeat(length * 400))).collect();
            let wanted = LinesWanted { offset: Some(offset), limit: Some(limit), column: None };
            check(&lines, final_newline, wanted, most);
        }
    }
}
