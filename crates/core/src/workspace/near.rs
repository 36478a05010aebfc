//! Existing names that the caller may have meant.

use std::path::{Path, PathBuf};

use crate::fs;

/// How many names are suggested.
const MAX_SUGGESTIONS: usize = 3;

/// The existing paths that are printed like this one: in names that are not UTF-8, invalid bytes
/// are printed as U+FFFD.
pub(super) fn shown_alike(path: &Path) -> Vec<PathBuf> {
    const LOST: char = char::REPLACEMENT_CHARACTER;
    if !path.to_string_lossy().contains(LOST) {
        return Vec::new();
    }
    let mut found = vec![PathBuf::new()];
    for component in path.components() {
        let wanted = component.as_os_str().to_string_lossy();
        let alike = |parent: PathBuf| -> Vec<PathBuf> {
            let next = parent.join(component);
            if !wanted.contains(LOST) || fs::exists(&next) {
                return vec![next];
            }
            let entries = fs::entries(&parent).unwrap_or_default().into_iter();
            let same = entries.filter(|entry| entry.name.to_string_lossy() == wanted);
            same.map(|entry| parent.join(entry.name)).collect()
        };
        found = found.into_iter().flat_map(alike).collect();
    }
    found.retain(|path| fs::exists(path));
    found
}

/// Existing paths that resemble a missing one, best first.
pub(super) fn paths(missing: &Path) -> Vec<PathBuf> {
    let (Some(parent), Some(wanted)) = (missing.parent(), missing.file_name()) else {
        return Vec::new();
    };
    let Ok(entries) = fs::entries(parent) else {
        // Perhaps only the directory is misspelled.
        let there = |near: PathBuf| Some(near.join(wanted)).filter(|path| fs::exists(path));
        return paths(parent).into_iter().filter_map(there).collect();
    };
    let wanted = wanted.to_string_lossy().to_lowercase();
    let mut near: Vec<(usize, PathBuf)> = entries
        .into_iter()
        .filter_map(|entry| {
            let found = entry.name.to_string_lossy().to_lowercase();
            Some((plausible_distance(&wanted, &found)?, parent.join(&entry.name)))
        })
        .collect();
    near.sort_unstable();
    near.truncate(MAX_SUGGESTIONS);
    near.into_iter().map(|(_, path)| path).collect()
}

/// The edit distance of two names; `None` if it is too large for a typing error.
fn plausible_distance(wanted: &str, found: &str) -> Option<usize> {
    let stem = |name: &str| name.split_once('.').map_or(name.len(), |(stem, _)| stem.len());
    let same_stem = wanted[..stem(wanted)] == found[..stem(found)] && stem(wanted) > 0;
    let edit_distance = edit_distance(wanted, found);
    let bound = (wanted.chars().count() / 3).max(1);
    (edit_distance <= bound || same_stem).then_some(edit_distance)
}

/// How many letters must be inserted, removed or changed to turn one name into the other.
fn edit_distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, candidate) in other.iter().enumerate() {
            let change = diagonal + usize::from(letter != *candidate);
            diagonal = row[column + 1];
            row[column + 1] = change.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_near_if_a_typing_error_makes_it() {
        assert_eq!(plausible_distance("cart.rs", "card.rs"), Some(1));
        assert_eq!(plausible_distance("main.ts", "main.js"), Some(1));
        assert_eq!(plausible_distance("readme", "readme.md"), Some(3));
        assert_eq!(plausible_distance("index.jsx", "index.test.ts"), Some(6));
        assert_eq!(plausible_distance("cart.rs", "lib.rs"), None);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("abc", ""), 3);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }
}
