//! Everyday tools that can be made to print a file.

use super::Call;
use crate::effect::Cause;
use crate::policy::Zone;
use crate::shell::{Shell, Stdin, is_log, is_stdin};
use crate::unknown::{HOLE, is_known};

const COMPRESSED: [&str; 16] = [
    ".gz", ".tgz", ".bz2", ".tbz2", ".tbz", ".xz", ".txz", ".zst", ".tzst", ".lz4", ".lzma", ".z",
    ".br", ".zip", ".lz", ".lzo",
];

/// Whether a name says that the text inside is compressed.
pub fn is_compressed(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    COMPRESSED.iter().any(|suffix| lower.ends_with(suffix))
}

impl Shell<'_> {
    /// `diff` compares; with nothing on one side, or with a format for every line, it prints.
    pub(super) fn diff(&mut self, call: &Call<'_>) {
        if call.parsed.has(&["q", "brief", "report-identical-files"]) {
            return;
        }
        let mut sides: Vec<String> = call.parsed.operands.clone();
        let fixed = call.parsed.values(&["from-file", "to-file"]).map(str::to_owned);
        sides.extend(fixed.collect::<Vec<_>>());
        let formats = call.parsed.options.iter().any(|(name, _)| {
            name.ends_with("line-format")
                || name.ends_with("group-format")
                || name == "D"
                || name == "ifdef"
        });
        let wide = call
            .parsed
            .values(&["U", "C", "unified", "context"])
            .any(|count| count.parse::<usize>().is_ok_and(|count| count >= 1000));
        let nothing = sides.iter().any(|side| self.says_nothing(side, call.stdin));
        let twice = sides.len() > 1 && sides.windows(2).all(|pair| pair[0] == pair[1]);
        if formats || wide || nothing || twice {
            for side in &sides {
                self.reads_path(side, call);
            }
        }
    }

    /// Whether one side of a comparison is empty or known beforehand.
    fn says_nothing(&self, side: &str, stdin: &Stdin) -> bool {
        if let Some(text) = self.pipes.get(side) {
            return is_known(text);
        }
        if is_stdin(side) {
            return match stdin {
                Stdin::Text(text) => is_known(text),
                Stdin::File(path) => self.locate(path).zone == Zone::Exempt,
                Stdin::Inherited => true,
            };
        }
        side == "/dev/null" || self.locate(side).path.starts_with("/dev/")
    }

    /// `curl` of a `file:` address.
    pub(super) fn curl(&mut self, call: &Call<'_>) {
        for word in call.words {
            let address = word.strip_prefix("--url=").unwrap_or(word);
            let Some(scheme) = address.get(..5) else {
                continue;
            };
            if scheme.eq_ignore_ascii_case("file:") {
                let path = address[5..].trim_start_matches('/');
                let path = path.strip_prefix("localhost/").unwrap_or(path);
                self.reads(&format!("/{path}"), call.name, Cause::Program);
            }
        }
    }

    /// `openssl base64` and `openssl enc`.
    pub(super) fn openssl(&mut self, call: &Call<'_>) {
        let encodes = call.parsed.operands.first().is_some_and(|first| {
            matches!(first.as_str(), "base64" | "enc" | "zlib") || first.starts_with("aes")
        });
        if !encodes {
            return;
        }
        match call.parsed.value(&["in"]) {
            Some(path) => self.reads_path(path, call),
            None => self.reads_stdin(call.stdin, call.name, Cause::Program),
        }
        if let Some(path) = call.parsed.value(&["out"]) {
            self.writes(path, call.name, Cause::Program, &HOLE.to_string());
        }
    }

    /// Programs that read their operands and can write to the value of `-o`.
    pub(super) fn sort(&mut self, call: &Call<'_>) {
        let output = call.parsed.value(&["o", "output"]);
        // `pandoc -o` converts one document into another, as compilers do.
        let converts = call.name == "pandoc" && output.is_some();
        if let Some(path) = output.filter(|_| !converts) {
            self.writes(path, call.name, Cause::Program, &HOLE.to_string());
        }
        for path in call.parsed.values(&["files0-from"]) {
            self.reads_path(path, call);
        }
        // `shuf -e a b` and `shuf -i 1-9` have no files.
        let invents = call.name == "shuf" && call.parsed.has(&["e", "echo", "i", "input-range"]);
        if !converts && !invents {
            self.reads_operands(call, 0);
        }
    }

    /// `uniq`, `ptx` and `xxd`: the second operand is written.
    pub(super) fn uniq(&mut self, call: &Call<'_>) {
        match call.parsed.operands.as_slice() {
            [] => self.reads_stdin(call.stdin, call.name, Cause::Program),
            [input, rest @ ..] => {
                self.reads_path(input, call);
                if let Some(output) = rest.first().filter(|path| *path != "-") {
                    self.writes(output, call.name, Cause::Program, &HOLE.to_string());
                }
            }
        }
    }

    /// `split` and `csplit` write many files with a common beginning.
    pub(super) fn split_file(&mut self, call: &Call<'_>) {
        if let Some(script) = call.parsed.value(&["filter"]) {
            let stdin = Stdin::File(call.parsed.operands.first().cloned().unwrap_or_default());
            let stdin = if call.parsed.operands.is_empty() { call.stdin.clone() } else { stdin };
            self.apart(|shell| shell.script(script, &stdin));
            return;
        }
        let prefix = if call.name.ends_with("csplit") {
            call.parsed.value(&["f", "prefix"]).unwrap_or("xx").to_owned()
        } else {
            call.parsed.operands.get(1).cloned().unwrap_or_else(|| "x".to_owned())
        };
        self.writes(&format!("{prefix}{HOLE}"), call.name, Cause::Program, &HOLE.to_string());
    }

    /// `tail`, which may follow logs.
    pub(super) fn tail(&mut self, call: &Call<'_>) {
        let follows = call.parsed.has(&["f", "F", "follow"]);
        let operands = &call.parsed.operands;
        if follows && !operands.is_empty() && operands.iter().all(|path| is_log(path)) {
            return;
        }
        // `tail +5 f`, as it once was.
        let skip = usize::from(operands.len() > 1 && operands[0].starts_with('+'));
        self.reads_operands(call, skip);
    }

    /// `zcat` and its relatives.
    pub(super) fn compressed(&mut self, call: &Call<'_>) {
        if call.parsed.operands.is_empty() {
            self.reads_stdin(call.stdin, call.name, Cause::Program);
        }
        for path in &call.parsed.operands {
            if !is_compressed(path) {
                self.reads_path(path, call);
            }
        }
    }

    /// `gzip -c` and its relatives.
    pub(super) fn compressor(&mut self, call: &Call<'_>) {
        if call.parsed.operands.is_empty() {
            self.reads_stdin(call.stdin, call.name, Cause::Program);
        } else if call.parsed.has(&["c", "stdout", "to-stdout"]) {
            self.compressed(call);
        }
    }

    /// `xmllint`, `xmlstarlet`, `tidy`.
    pub(super) fn xml(&mut self, call: &Call<'_>) {
        let parsed = &call.parsed;
        if matches!(call.name, "xmlstarlet" | "xml") {
            let (subcommand, files) = match parsed.operands.split_first() {
                Some((first, rest)) => (first.as_str(), rest),
                None => return,
            };
            let edits = subcommand.starts_with("ed");
            if edits && parsed.has(&["L", "inplace"]) {
                if let Some(path) = files.last() {
                    self.writes(path, call.name, Cause::Program, &HOLE.to_string());
                }
            } else if (edits || subcommand.starts_with("fo") || subcommand.starts_with("c14n"))
                && let Some(path) = files.last()
            {
                self.reads_path(path, call);
            }
            return;
        }
        if let Some(path) = parsed.value(&["output"]) {
            self.writes(path, call.name, Cause::Program, &HOLE.to_string());
        }
        let spoken = call.words.iter().any(|word| {
            matches!(
                word.trim_start_matches('-'),
                "noout" | "xpath" | "m" | "modify" | "errors" | "e" | "o" | "output"
            )
        });
        if !spoken {
            self.reads_operands(call, 0);
        }
    }

    /// `socat` addresses.
    pub(super) fn socat(&mut self, call: &Call<'_>) {
        for address in &call.parsed.operands {
            let Some((kind, path)) = address.split_once(':') else {
                continue;
            };
            let path = path.split(',').next().unwrap_or(path);
            match kind.to_ascii_uppercase().as_str() {
                "CREATE" | "CREAT" => {
                    self.writes(path, call.name, Cause::Program, &HOLE.to_string());
                }
                "FILE" | "OPEN" | "GOPEN" => self.reads(path, call.name, Cause::Program),
                "EXEC" | "SYSTEM" | "SHELL" => {
                    self.apart(|shell| shell.script(path, &Stdin::Inherited));
                }
                _ => {}
            }
        }
    }
}
