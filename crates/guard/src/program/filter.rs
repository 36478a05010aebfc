//! Programs behind a pipe, by what they do to the lines they get.

use super::args::{Parsed, Spec, parse};
use super::awk::AwkCall;
use super::change::change;
use super::grep::{GrepCall, words_of};
use super::sed::SedCall;
use super::table;
use crate::serve::Filter;
use crate::serve::pipe::{Change, Stage};

/// What a program without files does to its lines; `None` if that is not known.
pub(crate) fn stages(name: &str, operands: &[String]) -> Option<Vec<Stage>> {
    let choose = |filter: Filter| vec![Stage::Choose(filter)];
    match name {
        "cat" | "nl" | "less" | "more" | "bat" | "batcat" => {
            is_plain_printer(name, operands).then(Vec::new)
        }
        "head" | "tail" => {
            let counted = counted(operands)?;
            counted.files.is_empty().then_some(())?;
            counted.stages(name)
        }
        "sed" => {
            let call = SedCall::read(operands);
            call.files.is_empty().then(|| call.stages())?
        }
        "awk" | "gawk" | "mawk" | "nawk" => {
            let call = AwkCall::read(operands)?;
            call.files.is_empty().then(|| call.stages())?
        }
        "grep" | "egrep" | "fgrep" | "rg" => {
            let parsed = words_of(name, operands);
            let call = GrepCall::new(name, &parsed);
            (call.is_expressed() && call.paths.is_empty() && call.chooses()).then_some(())?;
            let matching = call.matching()?;
            let mut out = choose(Filter::Match {
                pattern: matching.text,
                literal: matching.literal,
                case_sensitive: !matching.any_case,
                keep: !call.inverts(),
            });
            out.extend(call.max_count()?.map(|most| Stage::Choose(Filter::First(most))));
            out.extend(call.prints_parts().then_some(Stage::Change(Change::Matches)));
            Some(out)
        }
        "tr" => with_words(2, name, operands),
        "jq" | "yq" => with_words(1, name, operands),
        _ => with_words(0, name, operands),
    }
}

/// What a program does that changes lines; with more words than these it reads files of its own.
fn with_words(most: usize, name: &str, operands: &[String]) -> Option<Vec<Stage>> {
    let change = change(name, operands)?;
    let parsed = parse(operands, &table::find(name)?.spec);
    let files = parsed.operands.iter().filter(|operand| *operand != "-").count();
    (files <= most).then(|| vec![Stage::Change(change)])
}

/// Whether a printer is called with nothing but options that number or mark lines.
pub(super) fn is_plain_printer(name: &str, operands: &[String]) -> bool {
    let parsed = printer_options(name, operands);
    parsed.operands.iter().all(|operand| operand == "-") && has_plain_options(name, &parsed)
}

/// The options of a printer.
pub(super) fn printer_options<'w>(name: &str, operands: &'w [String]) -> Parsed<'w> {
    let row = table::find(name).map_or(Spec::new("", ""), |row| row.spec);
    parse(operands, &row)
}

/// Whether options only change how lines are marked.
pub(super) fn has_plain_options(name: &str, parsed: &Parsed<'_>) -> bool {
    let allowed: &[&str] = match name {
        "cat" => &["n", "number", "b", "A", "show-all", "e", "t", "v", "E", "T", "u"],
        "nl" => &["b", "n", "s", "v", "w", "i", "body-numbering", "number-width"],
        "bat" | "batcat" => &[
            "n", "p", "l", "plain", "number", "language", "style", "color", "paging", "theme",
            "wrap",
        ],
        _ => &["N", "R", "S", "F", "X", "r", "n"],
    };
    // `nl` leaves out empty lines unless it is asked to number all.
    let numbers_all = name != "nl"
        || parsed.value("b body-numbering").is_none_or(|which| which.starts_with(['a', 't']));
    numbers_all && parsed.options.iter().all(|(option, _)| allowed.contains(option))
}

/// How much `head` and `tail` are asked for, and the files.
pub(crate) struct Counted {
    count: String,
    pub(super) bytes: bool,
    pub(super) files: Vec<String>,
}

/// `-n 5`, `-5`, `--lines=5`, `-n +5`, `-c 400`, and the files.
pub(crate) fn counted(operands: &[String]) -> Option<Counted> {
    let mut words = operands.to_vec();
    let mut count = "10".to_owned();
    // The old spelling is only an option at the front.
    if let Some(first) = words.first()
        && let Some(digits) = first.strip_prefix('-')
        && number(digits).is_some()
    {
        digits.clone_into(&mut count);
        words.remove(0);
    }
    let parsed = parse(&words, &Spec::new("nc", "lines bytes"));
    let known = ["n", "lines", "c", "bytes", "q", "quiet", "silent"];
    if !parsed.options.iter().all(|(name, _)| known.contains(name)) {
        return None;
    }
    let bytes = parsed.value("c bytes");
    if let Some(value) = bytes.or(parsed.value("n lines")) {
        value.clone_into(&mut count);
    }
    Some(Counted { count, bytes: bytes.is_some(), files: parsed.operands.into_owned() })
}

impl Counted {
    /// What `head` or `tail` does; a line of which only a part is wanted is shown whole.
    pub(super) fn stages(&self, name: &str) -> Option<Vec<Stage>> {
        let mut out = vec![Stage::Choose(self.filter(name)?)];
        out.extend(self.bytes.then_some(Stage::Change(Change::Columns)));
        Some(out)
    }

    /// What `head` or `tail` keeps.
    pub(crate) fn filter(&self, name: &str) -> Option<Filter> {
        let (sign, digits) = match self.count.split_at_checked(1) {
            Some((sign @ ("+" | "-"), digits)) => (sign, digits),
            _ => ("", self.count.as_str()),
        };
        if self.bytes {
            let bytes = byte_count(digits)?;
            return match (name, sign) {
                ("head", "") => Some(Filter::FirstBytes(bytes)),
                ("tail", "" | "-") => Some(Filter::LastBytes(bytes)),
                _ => None,
            };
        }
        let lines = number(digits)?;
        Some(match (name, sign) {
            ("head", "-") => Filter::ButLast(lines),
            ("head", _) => Filter::First(lines),
            (_, "+") => Filter::From(lines.max(1)),
            _ => Filter::Last(lines),
        })
    }
}

/// `400`, `4k`, `1K`.
fn byte_count(text: &str) -> Option<u64> {
    match text.strip_suffix(['k', 'K']) {
        Some(digits) => number(digits)?.checked_mul(1024),
        None => number(text),
    }
}

/// A number that can be counted to.
pub(super) fn number(text: &str) -> Option<u64> {
    let plain = !text.is_empty() && text.len() < 12 && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}
