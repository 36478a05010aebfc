//! The lines of a text that a model sent.

/// The lines of `text`. A newline at its end belongs to the last line and begins no other.
///
/// ```
/// use hashline_core::patch::lines_of;
/// assert_eq!(lines_of("a\nb\n"), ["a", "b"]);
/// assert_eq!(lines_of("\n"), [""]);
/// assert_eq!(lines_of("a\r\nb"), ["a", "b"]);
/// assert!(lines_of("").is_empty());
/// ```
pub fn lines_of(text: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    let text = plain_newlines(text);
    let body = text.strip_suffix('\n').unwrap_or(&text);
    body.split('\n').map(str::to_owned).collect()
}

/// `text` with CRLF written as a bare newline.
///
/// The file decides its endings, not the patch. A carriage return at the very end of a CRLF text is
/// half an ending; anywhere else a lone carriage return is content.
pub(crate) fn plain_newlines(text: &str) -> String {
    if !text.contains("\r\n") {
        return text.to_owned();
    }
    let plain = text.replace("\r\n", "\n");
    match plain.strip_suffix('\r') {
        Some(cut) => cut.to_owned(),
        None => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_newline_at_the_end_is_dropped() {
        assert_eq!(lines_of("a"), ["a"]);
        assert_eq!(lines_of("a\n"), ["a"]);
        assert_eq!(lines_of("a\n\n"), ["a", ""]);
        assert_eq!(lines_of("\n\n"), ["", ""]);
        assert_eq!(lines_of("\r\n"), [""]);
    }

    #[test]
    fn a_carriage_return_is_content_unless_it_belongs_to_an_ending() {
        assert_eq!(lines_of("a\rb"), ["a\rb"]);
        assert_eq!(lines_of("a\r"), ["a\r"]);
        assert_eq!(lines_of("a\r\nb\r"), ["a", "b"]);
        assert_eq!(lines_of("a\rb\r\nc\r\n"), ["a\rb", "c"]);
    }
}
