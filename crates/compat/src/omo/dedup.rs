//! Dropping edits that repeat an earlier one.

use std::collections::HashSet;

use super::edit::OmoEdit;
use super::reference;

/// The edits without repetitions, in order. Compares references in their normal form, and text
/// without copied prefixes.
pub(super) fn unique(edits: &[OmoEdit]) -> Vec<&OmoEdit> {
    let mut seen = HashSet::new();
    let is_new = |edit: &&OmoEdit| {
        let anchor = |anchor: &Option<Vec<u8>>| anchor.as_deref().map(reference::normalize);
        let text = edit.new_lines().join(&b'\n');
        seen.insert((edit.op.name(), anchor(&edit.pos), anchor(&edit.end), text))
    };
    edits.iter().filter(is_new).collect()
}
