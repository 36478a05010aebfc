//! Printing many lines at once.

use super::{Scheme, Tag};
use crate::kernel::line_hashes::{Folding, HashedLines};
use crate::kernel::print::Layout;
use crate::kernel::{buffers, search, utf8};
use crate::{LineDigest, LineNumber};

/// Printed lines, with their tags and perhaps their digests.
pub struct RowBlock {
    /// The lines, each with a newline before it.
    pub text: String,
    /// The tag of each line.
    pub tags: Vec<Tag>,
    /// The digest of each line, if digests were asked for.
    pub digests: Option<Vec<LineDigest>>,
}

/// What is computed for each line in addition to its tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learn {
    /// Only tags.
    Tags,
    /// Tags and digests.
    Digests,
}

/// Prints whole lines as `LINE:HASH|content`, numbered from `first`.
///
/// Several processors share a long text, and each reads its part only once: tags and digests are
/// noted while the lines are printed.
///
/// `None` if a line contains a control character or has more than `max_len` bytes, or if the scheme
/// has no fast printer: then each line must be printed by itself.
pub fn block(
    scheme: Scheme,
    first: LineNumber,
    text: &[u8],
    max_len: usize,
    learn: Learn,
) -> Option<RowBlock> {
    let folding = scheme.hex_folding()?;
    if text.is_empty() {
        return None;
    }
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let layout = Layout::of(text, first.get() as u64);
    let mut out = buffers::of_len(1 + layout.printed_len());
    let (before, lines) = out.split_at_mut(1);
    before[0] = b'\n';
    let begin = |part: &[u8], lines| is_plain(part).then(|| RowFacts::with_room(lines, learn));
    let noted = layout.print_seeing(folding, lines, begin, |noted, lines| {
        noted.see(scheme, max_len, lines);
    });
    let noted = RowFacts::join(noted)?;
    out.truncate(out.len() - 1);
    Some(RowBlock { text: utf8::into_text(out).ok()?, tags: noted.tags, digests: noted.digests })
}

/// The tags and digests of some lines.
struct RowFacts {
    tags: Vec<Tag>,
    digests: Option<Vec<LineDigest>>,
    /// Whether one of the lines is too long to be shown whole.
    long: bool,
}

impl RowFacts {
    fn with_room(lines: u64, learn: Learn) -> Self {
        let lines = usize::try_from(lines).unwrap_or_default();
        let digests = (learn == Learn::Digests).then(|| Vec::with_capacity(lines));
        Self { tags: Vec::with_capacity(lines), digests, long: false }
    }

    fn see(&mut self, scheme: Scheme, max_len: usize, lines: &HashedLines<'_, '_>) {
        self.tags.extend(lines.hashes.iter().map(|hash| scheme.stripped_tag(*hash)));
        let mut start = 0;
        for end in lines.ends {
            self.long |= *end as usize > start + max_len;
            start = *end as usize + 1;
        }
        let Some(digests) = &mut self.digests else { return };
        let canonical = scheme.stripped_folding() == Some(Folding::Punctuation);
        let mut start = 0;
        for (end, hash) in lines.ends.iter().zip(lines.hashes) {
            let content = &lines.from[start..*end as usize];
            digests.push(if canonical {
                LineDigest::with_hash(content, *hash)
            } else {
                LineDigest::of(content)
            });
            start = *end as usize + 1;
        }
    }

    /// Joins all parts; `None` if a line is too long or must be escaped.
    fn join(parts: Vec<Option<Self>>) -> Option<Self> {
        let mut parts = parts.into_iter();
        let mut all = parts.next()??;
        for part in parts {
            let part = part?;
            all.tags.extend(part.tags);
            if let (Some(digests), Some(more)) = (&mut all.digests, part.digests) {
                digests.extend(more);
            }
            all.long |= part.long;
        }
        (!all.long).then_some(all)
    }
}

/// Whether no character must be escaped.
fn is_plain(text: &[u8]) -> bool {
    let odd = |byte: u8| (byte < 0x20 && byte != b'\t' && byte != b'\n') || byte == 0x7f;
    // Without a branch, so that the compiler can check many bytes at once.
    if text.iter().fold(false, |any, byte| any | odd(*byte)) {
        return false;
    }
    let is_control = |at: usize| matches!(text.get(at + 1), Some(0x80..=0x9f));
    // Our private characters for undecodable bytes begin with this byte, 0xf4.
    text.is_ascii()
        || !(search::find_all(b"\xc2", text).any(is_control)
            || search::find_byte(0xf4, text).is_some())
}
