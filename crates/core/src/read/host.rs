//! What the host's own reader shows: images, archives, URLs.

use super::ReadRefusal;
use crate::workspace::Missing;

/// A kind of content that is not text, but that some hosts can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum HostKind {
    /// An image.
    Image,
    /// Any other file that is not text.
    Binary,
    /// Text in 16-bit units.
    Utf16,
    /// A path that leads into an archive, a database or a document, such as `a.zip/b`.
    ArchiveMember,
    /// A URL other than `file:`.
    Url,
}

impl HostKind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Image, Self::Binary, Self::Utf16, Self::ArchiveMember, Self::Url];

    /// The name in requests and outcomes.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The kind of the path that was refused, if a host could show it.
    pub fn of(refusal: &ReadRefusal) -> Option<Self> {
        match refusal {
            ReadRefusal::Image { .. } => Some(Self::Image),
            ReadRefusal::Binary { .. } => Some(Self::Binary),
            ReadRefusal::Utf16 { .. } => Some(Self::Utf16),
            ReadRefusal::Url { .. } => Some(Self::Url),
            ReadRefusal::NotFound(Missing { name, .. }) if leads_into_archive(name) => {
                Some(Self::ArchiveMember)
            }
            _ => None,
        }
    }
}

/// Whether a part of the path, other than its last, names a file that has members.
fn leads_into_archive(name: &str) -> bool {
    const ENDINGS: [&str; 15] = [
        "zip", "jar", "war", "whl", "epub", "tar", "tgz", "7z", "sqlite", "sqlite3", "db", "pdf",
        "docx", "xlsx", "pptx",
    ];
    let mut parts: Vec<&str> = name.split([':', '/']).collect();
    parts.pop();
    parts.iter().any(|part| {
        let mut endings = part.split('.').skip(1).map(str::to_ascii_lowercase);
        // In `a.tar.gz` only `tar`, not the last ending, is in the list.
        endings.any(|ending| ENDINGS.contains(&ending.as_str()))
    })
}

/// Whether a name is a URL, other than of a file.
pub(super) fn is_url(name: &str) -> bool {
    let Some((scheme, _)) = name.split_once("://") else { return false };
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-');
    scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(plain)
        && !scheme.eq_ignore_ascii_case("file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_into_an_archive_is_known_by_its_parts() {
        for name in ["a.zip/b", "x/a.tar.gz:b/c", "A.ZIP:b", "data.sqlite3:table", "a.pdf/1"] {
            assert!(leads_into_archive(name), "{name}");
        }
        for name in ["a.zip", "zip/b", "a.tar.gz", "src/a.rs:10", "b/c"] {
            assert!(!leads_into_archive(name), "{name}");
        }
    }

    #[test]
    fn a_url_has_a_scheme_of_two_letters_at_least() {
        for name in ["https://x.org/a", "local://PLAN.md", "git+ssh://x"] {
            assert!(is_url(name), "{name}");
        }
        for name in ["file:///x", "c://x", "a/b", "://x", "1a://x", "a b://x"] {
            assert!(!is_url(name), "{name}");
        }
    }
}
