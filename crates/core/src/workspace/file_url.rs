//! The path of a `file:` URL.

/// The path of a `file:` URL on this machine; `None` for any other text.
pub(super) fn path_of(spelled: &str) -> Option<String> {
    let (scheme, rest) = spelled.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = decoded(path.strip_prefix('/').map(|_| path)?)?;
    // `file:///C:/x` is `C:/x`.
    let drive = path.as_bytes().get(2) == Some(&b':');
    Some(if cfg!(windows) && drive { path[1..].to_owned() } else { path })
}

/// Decodes `%41` as `A`; `None` if the result is not UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = (*first == b'%').then(|| after.get(..2)).flatten();
        let hex = hex.and_then(|digits| str::from_utf8(digits).ok());
        if let Some(byte) = hex.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            bytes.push(byte);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_url_is_a_path() {
        let check = |url: &str, path: Option<&str>| {
            assert_eq!(path_of(url).as_deref(), path, "{url}");
        };
        check("file:///a/b%20c.rs", Some("/a/b c.rs"));
        check("FILE://localhost/a", Some("/a"));
        check("file:///100%25", Some("/100%"));
        check("file:///a%zz%4", Some("/a%zz%4"));
        check("file://other/a", None);
        check("file:///%ff", None);
        check("https:///a", None);
        check("a/b", None);
    }
}
