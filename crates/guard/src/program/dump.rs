//! Everyday tools that can be made to print a file.

use super::{Call, reads_operands};
use crate::known::{Stdin, is_stdin};
use crate::outcome::Outcome;
use crate::policy::Zone;
use crate::unknown::{HOLE, is_known};
use crate::word::base_name;

const COMPRESSED: [&str; 16] = [
    ".gz", ".tgz", ".bz2", ".tbz2", ".tbz", ".xz", ".txz", ".zst", ".tzst", ".lz4", ".lzma", ".z",
    ".br", ".zip", ".lz", ".lzo",
];

/// Whether a name says that the text inside is compressed.
pub(crate) fn is_compressed(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    COMPRESSED.iter().any(|suffix| lower.ends_with(suffix))
}

/// Notes the files that `diff` prints whole: one side is empty or known, or its options ask for it.
pub(super) fn diff(call: &Call<'_>, out: &mut Outcome) {
    if call.parsed.has("q brief report-identical-files") {
        return;
    }
    let mut sides: Vec<String> = call.parsed.operands.to_vec();
    let fixed = call.parsed.values("from-file to-file").map(str::to_owned);
    sides.extend(fixed.collect::<Vec<_>>());
    let formats = call.parsed.options.iter().any(|(name, _)| {
        name.ends_with("line-format")
            || name.ends_with("group-format")
            || matches!(*name, "D" | "ifdef")
    });
    let wide = call
        .parsed
        .values("U C unified context")
        .any(|count| count.parse::<usize>().is_ok_and(|count| count >= 1000));
    let nothing = sides.iter().any(|side| is_known_side(side, call));
    let twice = sides.len() > 1 && sides.windows(2).all(|pair| pair[0] == pair[1]);
    let beside = call.parsed.has("y side-by-side") || call.name == "sdiff";
    for side in &sides {
        // A side that comes through a pipe is text that another program printed.
        let piped =
            call.known.pipes.contains_key(side) || (is_stdin(side) && call.stdin.text().is_some());
        if piped || formats || wide || nothing || twice || beside {
            out.read(side);
        }
    }
}

/// Whether one side of a comparison is empty or known, so that the output shows the other side.
fn is_known_side(side: &str, call: &Call<'_>) -> bool {
    if let Some(text) = call.known.pipes.get(side) {
        return is_known(text);
    }
    if is_stdin(side) {
        return match call.stdin {
            Stdin::Text(text) | Stdin::Program(text) => is_known(text),
            Stdin::File(path) => call.known.locate(path).zone == Zone::Exempt,
            Stdin::Inherited => true,
        };
    }
    side == "/dev/null" || call.known.locate(side).path.starts_with("/dev/")
}

/// Notes the files that `curl` reads from `file:` URLs.
pub(super) fn curl(call: &Call<'_>, out: &mut Outcome) {
    for word in call.words {
        let address = word.strip_prefix("--url=").unwrap_or(word);
        let Some(scheme) = address.get(..5) else {
            continue;
        };
        if scheme.eq_ignore_ascii_case("file:") {
            let path = address[5..].trim_start_matches('/');
            let path = path.strip_prefix("localhost/").unwrap_or(path);
            out.read(&format!("/{path}"));
        }
    }
}

/// Notes what `openssl base64` and `openssl enc` print.
pub(super) fn openssl(call: &Call<'_>, out: &mut Outcome) {
    let encodes = call.parsed.operands.first().is_some_and(|first| {
        matches!(first.as_str(), "base64" | "enc" | "zlib") || first.starts_with("aes")
    });
    if !encodes {
        return;
    }
    match call.parsed.value("in") {
        Some(path) => out.read(path),
        None => out.read_input(),
    }
    out.write_all(call.parsed.value("out"));
}

/// Notes the files of a program like `sort`, which reads its operands and may write to `-o`.
pub(super) fn sort(call: &Call<'_>, out: &mut Outcome) {
    let output = call.parsed.value("o output");
    // `pandoc -o` converts one document into another, as compilers do.
    let converts = call.name == "pandoc" && output.is_some();
    out.write_all(output.filter(|_| !converts));
    out.read_all(call.parsed.values("files0-from"));
    // `shuf -e a b` and `shuf -i 1-9` read no files.
    let invents = call.name == "shuf" && call.parsed.has("e echo i input-range");
    if !converts && !invents {
        reads_operands(call, 0, out);
    }
}

/// Notes the files of `ptx` and `xxd`, which read the first operand and write to the second.
pub(super) fn filter_to(call: &Call<'_>, out: &mut Outcome) {
    match &*call.parsed.operands {
        [] => out.read_input(),
        [input, rest @ ..] => {
            out.read(input);
            out.write_all(rest.first().filter(|path| *path != "-"));
        }
    }
}

/// Notes the files of `uniq`; the output of `uniq -c` in a pipe is only a count of lines.
pub(super) fn uniq(call: &Call<'_>, out: &mut Outcome) {
    filter_to(call, out);
    out.summary = call.parsed.operands.is_empty() && call.parsed.has("c count");
}

/// Notes that `split` and `csplit` write many files whose names share a prefix.
pub(super) fn split_file(call: &Call<'_>, out: &mut Outcome) {
    if let Some(script) = call.parsed.value("filter") {
        let file = call.parsed.operands.first().map(|path| Stdin::File(path.clone()));
        return out.scripts_on([script], file.as_ref().unwrap_or(call.stdin));
    }
    let prefix = if call.name.ends_with("csplit") {
        call.parsed.value("f prefix").unwrap_or("xx").to_owned()
    } else {
        call.parsed.operands.get(1).cloned().unwrap_or_else(|| "x".to_owned())
    };
    out.write(&format!("{prefix}{HOLE}"));
}

/// Notes the files that `tail` prints; it may follow logs.
pub(super) fn tail(call: &Call<'_>, out: &mut Outcome) {
    let follows = call.parsed.has("f F follow");
    let operands = &call.parsed.operands;
    if follows && !operands.is_empty() && operands.iter().all(|path| is_log(path)) {
        return;
    }
    // `tail +5 f` is the old syntax of `tail -n +5 f`.
    let skip = usize::from(operands.len() > 1 && operands[0].starts_with('+'));
    reads_operands(call, skip, out);
}

/// Notes the files that `zcat` and its relatives print.
pub(super) fn compressed(call: &Call<'_>, out: &mut Outcome) {
    if call.parsed.operands.is_empty() {
        out.read_input();
    }
    out.read_all(call.parsed.operands.iter().filter(|path| !is_compressed(path)));
}

/// Notes the files that `gzip -c` and its relatives print.
pub(super) fn compressor(call: &Call<'_>, out: &mut Outcome) {
    if call.parsed.operands.is_empty() {
        out.read_input();
    } else if call.parsed.has("c stdout to-stdout") {
        compressed(call, out);
    }
}

/// Notes the files that `xmllint`, `xmlstarlet` and `tidy` print or change.
pub(super) fn xml(call: &Call<'_>, out: &mut Outcome) {
    let parsed = &call.parsed;
    if matches!(call.name, "xmlstarlet" | "xml") {
        let (subcommand, files) = match parsed.operands.split_first() {
            Some((first, rest)) => (first.as_str(), rest),
            None => return,
        };
        let edits = subcommand.starts_with("ed");
        if edits && parsed.has("L inplace") {
            out.write_all(files.last());
        } else if edits || subcommand.starts_with("fo") || subcommand.starts_with("c14n") {
            out.read_all(files.last());
        }
        return;
    }
    out.write_all(parsed.value("output"));
    let spoken = call.words.iter().any(|word| {
        matches!(
            word.trim_start_matches('-'),
            "noout" | "xpath" | "m" | "modify" | "errors" | "e" | "o" | "output"
        )
    });
    if !spoken {
        reads_operands(call, 0, out);
    }
}

/// Whether a name is that of a log: `app.log`, `app.log.1`, `nohup.out`.
fn is_log(path: &str) -> bool {
    let name = base_name(path);
    let unnumbered = match name.rsplit_once('.') {
        Some((stem, number)) if number.bytes().all(|b| b.is_ascii_digit()) => stem,
        _ => name,
    };
    let stem = unnumbered.strip_suffix(".log");
    name == "nohup.out" || stem.is_some_and(|stem| !stem.is_empty())
}

/// Notes what `black` and its relatives print. They may format files in place.
pub(super) fn in_place(call: &Call<'_>, out: &mut Outcome) {
    let quiet = call.parsed.has("check diff c code");
    let to_stdout = call.parsed.values("emit").any(|to| to == "stdout");
    let from_input = call.parsed.operands.iter().any(|operand| operand == "-")
        || (call.parsed.operands.is_empty() && call.name == "rustfmt");
    if to_stdout {
        reads_operands(call, 0, out);
    } else if from_input && !quiet {
        out.read_input();
    }
}
