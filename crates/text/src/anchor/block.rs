//! Many lines printed at one go.

use super::{Scheme, Tag};
use crate::kernel::line_hashes::{Folding, HashedLines};
use crate::kernel::print::Layout;
use crate::kernel::{buffers, search, utf8};
use crate::{LineDigest, LineNumber};

/// Printed lines, and what was learned of them on the way.
pub struct RowBlock {
    /// The lines, each with a newline before it.
    pub text: String,
    /// The tag of each line.
    pub tags: Vec<Tag>,
    /// The digest of each line, if they were asked for.
    pub digests: Option<Vec<LineDigest>>,
}

/// What is learned of lines besides their tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learn {
    /// Nothing more.
    Tags,
    /// Their digests.
    Digests,
}

/// Prints whole lines, of which the first has the number `first`, as `LINE:HASH|content`.
///
/// A long text is gone through by several processors, and only once: whatever is to be known of its
/// lines is noted as they are printed.
///
/// `None` if one of them holds a control character or has more than `max_len` bytes, or if the scheme has no quick
/// way: then each line has to be printed by itself.
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
    let begin = |part: &[u8], lines| is_plain(part).then(|| Noted::with_room(lines, learn));
    let noted = layout.print_seeing(folding, lines, begin, |noted, lines| {
        noted.see(scheme, max_len, lines);
    });
    let noted = Noted::together(noted)?;
    out.truncate(out.len() - 1);
    Some(RowBlock { text: utf8::into_text(out).ok()?, tags: noted.tags, digests: noted.digests })
}

/// What is learned of some lines.
struct Noted {
    tags: Vec<Tag>,
    digests: Option<Vec<LineDigest>>,
    /// Whether one of them is too long to be shown whole.
    long: bool,
}

impl Noted {
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

    /// All of them as one, unless one of the lines needs more than copying.
    fn together(parts: Vec<Option<Self>>) -> Option<Self> {
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

/// Whether no character has to be escaped.
fn is_plain(text: &[u8]) -> bool {
    let odd = |byte: u8| (byte < 0x20 && byte != b'\t' && byte != b'\n') || byte == 0x7f;
    // Without a branch, so that many bytes are looked at together.
    if text.iter().fold(false, |any, byte| any | odd(*byte)) {
        return false;
    }
    let is_control = |at: usize| matches!(text.get(at + 1), Some(0x80..=0x9f));
    // Characters that stand for what cannot be decoded are in the last plane, and begin with this byte.
    text.is_ascii()
        || !(search::find_all(b"\xc2", text).any(is_control)
            || search::find_byte(0xf4, text).is_some())
}
