//! Windows paths in the spelling of shells.
//!
//! bash on Windows (Git's, MSYS2's) says `/c/Users`, programs and people say `C:\Users` or
//! `C:/Users`, and the core says `\\?\C:\Users`. All of them become `/c/Users`; [`native`] turns
//! that into `C:/Users`, which every program understands. Case does not count ([`same`]).
//! `tests/all/windows.rs` has the table of all spellings.

/// A directory that stands for network shares here. No real one has a colon in its name.
const SHARES: &str = "/unc:/";

/// A Windows path with slashes: `C:\a` and `\\?\C:\a` are `/c/a`, `\\host\share` is below
/// [`SHARES`]. `None` if it is not an absolute Windows path.
pub(crate) fn slashed(path: &str) -> Option<String> {
    let verbatim = path.strip_prefix(r"\\?\");
    let path = verbatim.unwrap_or(path);
    let share = verbatim
        .and_then(|rest| rest.strip_prefix(r"UNC\"))
        .or_else(|| path.strip_prefix(r"\\"))
        .or_else(|| path.strip_prefix("//"));
    if let Some(share) = share {
        return Some(format!("{SHARES}{}", share.replace('\\', "/")));
    }
    let mut characters = path.chars();
    let drive = characters.next().filter(char::is_ascii_alphabetic)?.to_ascii_lowercase();
    let rest = characters.as_str().strip_prefix(':')?;
    let rest = rest.replace('\\', "/");
    Some(format!("/{drive}/{}", rest.strip_prefix('/')?.trim_start_matches('/')))
}

/// The drive of a path such as `C:a`, which is relative to the working directory on that drive, and
/// the rest of the path.
pub(crate) fn on_drive(path: &str) -> Option<(char, &str)> {
    let mut characters = path.chars();
    let drive = characters.next().filter(char::is_ascii_alphabetic)?.to_ascii_lowercase();
    let rest = characters.as_str().strip_prefix(':')?;
    (!rest.starts_with(['/', '\\'])).then_some((drive, rest))
}

/// The path as Windows programs accept it: `/c/a` becomes `C:/a`.
pub(crate) fn native(path: &str) -> String {
    if let Some(share) = path.strip_prefix(SHARES) {
        return format!("//{share}");
    }
    let mut parts = path.splitn(3, '/').skip(1);
    match (parts.next(), parts.next().unwrap_or_default()) {
        (Some(drive), rest) if drive.len() == 1 && drive.as_bytes()[0].is_ascii_alphabetic() => {
            format!("{}:/{rest}", drive.to_ascii_uppercase())
        }
        _ => path.to_owned(),
    }
}

/// Whether Windows treats a name as a device, whatever its extension.
pub fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    match stem.split_at_checked(3) {
        Some(("COM" | "LPT", port)) => matches!(port.as_bytes(), [b'1'..=b'9']),
        _ => matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$"),
    }
}

/// Whether no Windows file can have this name: it is a device's, or Windows would alter it.
pub fn is_reserved(name: &str) -> bool {
    is_device(name)
        || name.ends_with(['.', ' '])
        || name.contains(['<', '>', ':', '"', '|', '?', '*'])
}

/// Whether Windows treats two names as the same.
pub(crate) fn same(a: &str, b: &str) -> bool {
    a == b || a.to_lowercase() == b.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_windows_path_becomes_one() {
        for (spelled, wanted) in [
            (r"C:\a\b", Some("/c/a/b")),
            ("C:/a/b", Some("/c/a/b")),
            (r"\\?\C:\a\b", Some("/c/a/b")),
            (r"\\host\share\a", Some("/unc:/host/share/a")),
            ("//host/share/a", Some("/unc:/host/share/a")),
            (r"\\?\UNC\host\share\a", Some("/unc:/host/share/a")),
            (r"C:\", Some("/c/")),
            ("/c/a", None),
            ("a/b", None),
            (r"a\b", None),
            ("", None),
            ("é:/a", None),
            ("C:a", None),
        ] {
            assert_eq!(slashed(spelled).as_deref(), wanted, "{spelled}");
        }
    }

    #[test]
    fn a_path_becomes_native_again() {
        assert_eq!(native("/c/a/b"), "C:/a/b");
        assert_eq!(native("/c"), "C:/");
        assert_eq!(native("/tmp/a"), "/tmp/a");
        assert_eq!(native("/unc:/host/share"), "//host/share");
        assert_eq!(native("a"), "a");
    }
}
