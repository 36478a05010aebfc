//! `sed`: parsing its options and its script.
//!
//! A command that we do not understand is [`Verb::Other`]. Files are found in any script, but lines
//! are chosen only by a script that is understood completely.

use super::Call;
use super::args::{Spec, options, parse, spelled_out};
use super::reader::number;
use crate::effect::Written;
use crate::instead::{TextChange, Times};
use crate::known::Stdin;
use crate::outcome::{Outcome, Surroundings};
use crate::pattern::{Dialect, read_pattern};
use crate::serve::pipe::{Change, Stage};
use crate::serve::{Edge, EditOp, Filter};
use crate::unknown::is_known;

/// The options of `sed` that take a value.
pub(super) const SPEC: Spec<'static> =
    Spec { attached: "i", ..options("efl", "expression file line-length") };

/// The long options of `sed`, which may be abbreviated.
const LONG_OPTIONS: [&str; 8] = [
    "in-place", "expression", "file", "line-length", "quiet", "silent", "regexp-extended",
    "unbuffered",
];

/// Options that the fields of [`SedCall`] account for, or that change no line.
const UNDERSTOOD: [&str; 12] = [
    "n", "quiet", "silent", "e", "expression", "E", "r", "regexp-extended", "u", "unbuffered", "i",
    "in-place",
];

/// A call of `sed`.
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub(crate) struct SedCall {
    commands: Vec<SedCommand>,
    dialect: Dialect,
    /// Whether the files are changed (`-i`).
    in_place: bool,
    /// Whether the old files are kept under another name (`-i.bak`).
    keeps_copies: bool,
    /// Whether only the script prints lines (`-n`).
    quiet: bool,
    /// Whether the call has unknown options or a script file.
    unclear: bool,
    /// The files that the call reads.
    pub(crate) files: Vec<String>,
}

/// One command of a script with its addresses.
struct SedCommand {
    start: Option<Address>,
    end: Option<Address>,
    /// Whether the command applies to the lines outside of its addresses (`!`).
    negated: bool,
    verb: Verb,
}

enum Address {
    Line(u64),
    Last,
    /// This many lines after the first: `+3` after a comma.
    More(u64),
    Pattern(String),
    /// Any other address, such as every third line.
    Other,
}

enum Verb {
    Print,
    Delete,
    Quit,
    Substitute {
        pattern: String,
        new: String,
        flags: String,
    },
    /// Adds or replaces text: `a`, `i` and `c`.
    Text(EditOp),
    /// Reads a file: `r` and `R`.
    Read(String),
    /// Writes a file: `w`, `W` and the `w` flag of `s`.
    Write(String),
    /// Runs a command: `e` and the `e` flag of `s`.
    Run(String),
    Other,
}

pub(super) fn sed(call: &Call<'_>, out: &mut Outcome) {
    let sed = SedCall::read(call.words);
    for command in &sed.commands {
        match &command.verb {
            Verb::Read(path) => out.read(path),
            Verb::Write(path) => out.write(path),
            Verb::Run(script) => out.script_in(script, Surroundings::fed(&Stdin::Inherited)),
            _ => {}
        }
    }
    if sed.files.is_empty() && !sed.in_place {
        out.read_input();
    }
    let written = if sed.in_place && call.words.iter().all(|word| is_known(word)) {
        sed.written()
    } else {
        Written::default()
    };
    out.read_or_edit(&sed.files, sed.in_place, &written);
}

impl SedCall {
    /// Reads the words of a call.
    pub(crate) fn read(words: &[String]) -> Self {
        let words = spelled_out(words, &LONG_OPTIONS);
        let parsed = parse(&words, &SPEC);
        let in_place = parsed.has("i in-place");
        let mut files = parsed.operands.to_vec();
        // BSD's `sed -i '' script file`.
        files.retain(|file| !in_place || !file.is_empty());
        let mut script = parsed.values("e expression").collect::<Vec<_>>().join("\n");
        let from_file = parsed.has("f file");
        if !parsed.has("e expression") && !from_file && !files.is_empty() {
            script = files.remove(0);
        }
        let extended = parsed.has("E r regexp-extended");
        Self {
            commands: commands(&script),
            dialect: if extended { Dialect::Extended } else { Dialect::Basic },
            in_place,
            keeps_copies: parsed.values("i in-place").any(|suffix| !suffix.is_empty()),
            quiet: parsed.has("n quiet silent"),
            unclear: from_file || !parsed.options.iter().all(|(name, _)| UNDERSTOOD.contains(name)),
            files,
        }
    }

    /// The script of `perl -pi`, if it only substitutes.
    pub(super) fn of_perl(script: &str) -> Option<Written> {
        let call = Self {
            commands: commands(script),
            dialect: Dialect::Own,
            in_place: true,
            keeps_copies: false,
            quiet: false,
            unclear: false,
            files: Vec::new(),
        };
        let plain = |one: &SedCommand| {
            one.start.is_none() && matches!(one.verb, Verb::Substitute { .. }) && is_known(script)
        };
        call.commands.iter().all(plain).then(|| call.written())
    }

    /// What the call does to its lines; `None` if it does more than choose and substitute.
    pub(crate) fn stages(&self) -> Option<Vec<Stage>> {
        (!self.unclear && !self.in_place).then_some(())?;
        let plain = |one: &SedCommand| match &one.verb {
            Verb::Substitute { new, flags, .. } => !flags.contains('p') && !splits_lines(new),
            _ => false,
        };
        match self.commands.as_slice() {
            [] => None,
            all if all.iter().all(plain) => {
                (!self.quiet).then(|| vec![Stage::Change(Change::EachLine)])
            }
            [only] => self.stage(only),
            several if self.quiet => printed_ranges(several).map(choose),
            several => several
                .iter()
                .map(|one| match (&one.verb, &one.start, &one.end) {
                    // Numbers and ranges would also count lines that an earlier command deleted.
                    (Verb::Delete, Some(Address::Pattern(_)), None) => self.stage(one)?.pop(),
                    _ => None,
                })
                .collect(),
        }
    }

    /// What a script with only this command does.
    fn stage(&self, command: &SedCommand) -> Option<Vec<Stage>> {
        let SedCommand { start, end, negated, verb } = command;
        match (verb, self.quiet) {
            (Verb::Print, true) => self.addressed(command, !negated),
            (Verb::Delete, false) => self.addressed(command, *negated),
            (Verb::Quit, false) if !negated && end.is_none() => {
                Some(choose(match self.edge(start.as_ref()?)? {
                    Edge::Line(last) => Filter::First(last),
                    // `q` also stops at a match in the first line.
                    end @ Edge::Match { .. } => {
                        Filter::Between { start: Edge::Line(1), end, may_be_one: true, keep: true }
                    }
                    Edge::Last | Edge::More(_) => return None,
                }))
            }
            (Verb::Substitute { pattern, new, flags }, true)
                if start.is_none()
                    && flags.contains('p')
                    && !flags.contains(['i', 'I'])
                    && !splits_lines(new) =>
            {
                let chosen = Stage::Choose(self.matching(pattern, true)?);
                Some(vec![chosen, Stage::Change(Change::EachLine)])
            }
            _ => None,
        }
    }

    /// The choice of a command's lines, or of all others.
    fn addressed(&self, command: &SedCommand, keep: bool) -> Option<Vec<Stage>> {
        let end = command.end.as_ref().map(|end| self.edge(end));
        Some(choose(match (&command.start, end) {
            (None, _) if keep => return Some(Vec::new()),
            (Some(Address::Pattern(pattern)), None) => self.matching(pattern, keep)?,
            (Some(Address::Last), None) if keep => Filter::Last(1),
            (Some(Address::Last), None) => Filter::ButLast(1),
            (Some(Address::Line(line)), None) => line_range(*line, Some(*line), keep),
            (Some(Address::Line(first)), Some(Some(Edge::Line(last)))) => {
                line_range(*first, Some(last.max(*first)), keep)
            }
            (Some(Address::Line(first)), Some(Some(Edge::More(more)))) => {
                line_range(*first, Some(first + more), keep)
            }
            (Some(Address::Line(first)), Some(Some(Edge::Last))) => line_range(*first, None, keep),
            (Some(start), Some(end)) => {
                Filter::Between { start: self.edge(start)?, end: end?, may_be_one: false, keep }
            }
            _ => return None,
        }))
    }

    fn edge(&self, address: &Address) -> Option<Edge> {
        Some(match address {
            Address::Line(line) => Edge::Line(*line),
            Address::Last => Edge::Last,
            Address::More(more) => Edge::More(*more),
            Address::Pattern(pattern) => {
                let matching = read_pattern(&[pattern], self.dialect)?;
                Edge::Match { pattern: matching.text, literal: matching.literal }
            }
            Address::Other => return None,
        })
    }

    fn matching(&self, pattern: &str, keep: bool) -> Option<Filter> {
        let matching = read_pattern(&[pattern], self.dialect)?;
        let (pattern, literal) = (matching.text, matching.literal);
        Some(Filter::Match { pattern, literal, case_sensitive: true, keep })
    }

    /// What the call writes to its files, as far as that is known.
    fn written(&self) -> Written {
        if self.unclear || self.quiet {
            return Written::default();
        }
        let edits: Option<_> = self.commands.iter().map(|one| self.edit(one)).collect();
        let changes = self.replacement().into_iter().collect();
        Written { changes, edits: edits.unwrap_or_default() }
    }

    fn edit(&self, command: &SedCommand) -> Option<(EditOp, Vec<Stage>)> {
        let op = match &command.verb {
            Verb::Substitute { pattern, flags, .. } => {
                let mut chosen = self.matching(pattern, true)?;
                if let Filter::Match { case_sensitive, .. } = &mut chosen {
                    *case_sensitive = !flags.contains(['i', 'I']);
                }
                if command.start.is_none() {
                    return Some((EditOp::Replace, choose(chosen)));
                }
                EditOp::Replace
            }
            Verb::Delete => EditOp::Delete,
            Verb::Text(op) => *op,
            _ => return None,
        };
        command.start.is_some().then_some(())?;
        Some((op, self.addressed(command, !command.negated)?))
    }

    /// The change of a script that only replaces a literal text.
    fn replacement(&self) -> Option<TextChange> {
        (!self.keeps_copies).then_some(())?;
        let [SedCommand { start: None, verb: Verb::Substitute { pattern, new, flags }, .. }] =
            self.commands.as_slice()
        else {
            return None;
        };
        // Perl expands variables in the pattern and in the new text.
        let (special, in_new) = match self.dialect {
            Dialect::Basic => ("\\.[]*^$\n", "\\&\n"),
            Dialect::Own => ("\\.[]*^$\n+?(){}|@#", "\\&\n$@"),
            _ => ("\\.[]*^$\n+?(){}|", "\\&\n"),
        };
        let literal = !pattern.is_empty()
            && !pattern.contains(|c| special.contains(c))
            && !new.contains(|c| in_new.contains(c))
            && matches!(flags.as_str(), "" | "g");
        literal.then(|| TextChange::Replace {
            path: String::new(),
            old: pattern.clone(),
            new: new.clone(),
            times: if flags == "g" { Times::Each } else { Times::FirstOfLine },
        })
    }
}

fn choose(filter: Filter) -> Vec<Stage> {
    vec![Stage::Choose(filter)]
}

/// Whether a newline in the new text makes two lines of one.
fn splits_lines(new: &str) -> bool {
    new.contains("\\n") || new.contains('\n')
}

/// The lines from `first` to `last`, or all others.
fn line_range(first: u64, last: Option<u64>, keep: bool) -> Filter {
    if keep {
        return Filter::Ranges(vec![(first, last)]);
    }
    let mut left = Vec::new();
    if first > 1 {
        left.push((1, Some(first - 1)));
    }
    left.extend(last.map(|last| (last + 1, None)));
    if left.is_empty() { Filter::First(0) } else { Filter::Ranges(left) }
}

/// The lines printed by `5p;9p;20,30p`, with or without a `q` at the end.
fn printed_ranges(commands: &[SedCommand]) -> Option<Filter> {
    let mut ranges = Vec::new();
    let mut end = None;
    for command in commands {
        (!command.negated).then_some(())?;
        let Some(Address::Line(first)) = command.start else { return None };
        match (&command.verb, &command.end) {
            (Verb::Quit, None) => end = Some(first),
            (Verb::Print, None) => ranges.push((first, Some(first))),
            (Verb::Print, Some(Address::Line(last))) => {
                ranges.push((first, Some((*last).max(first))));
            }
            (Verb::Print, Some(Address::More(more))) => ranges.push((first, Some(first + more))),
            (Verb::Print, Some(Address::Last)) => ranges.push((first, None)),
            _ => return None,
        }
    }
    // Overlapping ranges would print a line twice.
    ranges.sort_unstable();
    let disjoint = ranges.windows(2).all(|pair| pair[0].1.is_some_and(|last| last < pair[1].0));
    let reached =
        |range: &(u64, Option<u64>)| end.is_none_or(|end| range.1.is_some_and(|last| last <= end));
    (!ranges.is_empty() && disjoint && ranges.iter().all(reached)).then_some(Filter::Ranges(ranges))
}

/// The commands of a script.
fn commands(script: &str) -> Vec<SedCommand> {
    let mut out = Vec::new();
    let mut rest = script;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
        if rest.is_empty() {
            return out;
        }
        let (start, mut verb) = address(rest);
        let mut end = None;
        if let Some(after) = verb.trim_start().strip_prefix(',') {
            (end, verb) = address(after.trim_start());
            end = end.or(Some(Address::Other));
        }
        let verb = verb.trim_start();
        let negated = verb.starts_with('!');
        let (verb, after) = self::verb(verb.trim_start_matches(['!', ' ']));
        out.push(SedCommand { start, end, negated, verb });
        rest = after.trim_start_matches([' ', '\t']);
        // Text after a command on its line makes the command unknown.
        if !rest.is_empty() && !rest.starts_with([';', '\n']) {
            out.push(SedCommand { start: None, end: None, negated: false, verb: Verb::Other });
        }
    }
}

/// The command at the beginning of a text, and the text after it.
fn verb(text: &str) -> (Verb, &str) {
    let mut chars = text.chars();
    let letter = chars.next().unwrap_or(';');
    let rest = chars.as_str();
    let to_end = |ends: &[char]| rest.split_at(rest.find(ends).unwrap_or(rest.len()));
    let (line, after) = to_end(&['\n']);
    let line = line.trim().to_owned();
    match letter {
        'p' => (Verb::Print, rest),
        'd' => (Verb::Delete, rest),
        'q' => (Verb::Quit, rest),
        's' => substitution(rest).unwrap_or((Verb::Other, "")),
        'y' => {
            let delimiter = chars.next().unwrap_or('/');
            let first = split_at(chars.as_str(), delimiter, false);
            let second = first.and_then(|(_, rest)| split_at(rest, delimiter, false));
            (Verb::Other, second.map_or("", |(_, rest)| rest))
        }
        'r' | 'R' => (Verb::Read(line), after),
        'w' | 'W' => (Verb::Write(line), after),
        'e' if !line.is_empty() => (Verb::Run(line), after),
        'a' | 'i' | 'c' => {
            // The text ends at the first line end without a backslash before it.
            let mut ends = rest.match_indices('\n').map(|(at, _)| at);
            let end = ends.find(|at| !rest[..*at].ends_with('\\')).unwrap_or(rest.len());
            let op = match letter {
                'a' => EditOp::InsertAfter,
                'i' => EditOp::InsertBefore,
                _ => EditOp::Replace,
            };
            (Verb::Text(op), &rest[end..])
        }
        '#' => (Verb::Other, after),
        ':' | 'b' | 't' | 'T' | 'v' => (Verb::Other, to_end(&['\n', ';']).1),
        _ => (Verb::Other, rest),
    }
}

/// Parses `s/old/new/flags` after the `s`.
fn substitution(text: &str) -> Option<(Verb, &str)> {
    let mut chars = text.chars();
    let delimiter = chars.next()?;
    let (pattern, rest) = split_at(chars.as_str(), delimiter, true)?;
    let (new, rest) = split_at(rest, delimiter, false)?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && !"gpiIMme".contains(c));
    let (flags, rest) = rest.split_at(end.unwrap_or(rest.len()));
    if let Some(path) = rest.strip_prefix('w') {
        let (path, rest) = path.split_at(path.find('\n').unwrap_or(path.len()));
        return Some((Verb::Write(path.trim().to_owned()), rest));
    }
    let verb = if flags.contains('e') {
        Verb::Run(new.replace('\\', ""))
    } else if flags.contains(['m', 'M']) || delimiter.is_alphanumeric() {
        Verb::Other
    } else {
        Verb::Substitute { pattern, new, flags: flags.to_owned() }
    };
    Some((verb, rest))
}

/// The address in front of a command, if there is one, and the text after it.
fn address(text: &str) -> (Option<Address>, &str) {
    if let Some(rest) = text.strip_prefix('$') {
        return (Some(Address::Last), rest);
    }
    let custom = text.strip_prefix('\\').and_then(|rest| rest.chars().next());
    if let Some(delimiter) = custom.or(text.starts_with('/').then_some('/')) {
        let begin = usize::from(custom.is_some()) + delimiter.len_utf8();
        let Some((pattern, rest)) = split_at(&text[begin..], delimiter, true) else {
            return (Some(Address::Other), "");
        };
        // Letters right after the pattern change how it matches.
        let after = rest.trim_start_matches(['I', 'M']);
        let plain = after.len() == rest.len();
        return (Some(if plain { Address::Pattern(pattern) } else { Address::Other }), after);
    }
    let (sign, digits) = text.split_at(usize::from(text.starts_with(['+', '~'])));
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let (digits, rest) = digits.split_at(end);
    if let Some(step) = rest.strip_prefix('~') {
        return (Some(Address::Other), step.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    match (sign, number(digits)) {
        ("", _) if digits.is_empty() => (None, text),
        ("", Some(line)) if line > 0 => (Some(Address::Line(line)), rest),
        ("+", Some(more)) => (Some(Address::More(more)), rest),
        _ => (Some(Address::Other), rest),
    }
}

/// The text before a delimiter, and the text after it. A delimiter after a backslash does not end
/// the text, nor, if `brackets` is true, does one in closed brackets.
fn split_at(text: &str, delimiter: char, brackets: bool) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut class = false;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        let rest = &text[at + c.len_utf8()..];
        match c {
            _ if c == delimiter && !class => return Some((out, rest)),
            '\\' => {
                let (_, escaped) = chars.next()?;
                if escaped != delimiter {
                    out.push('\\');
                }
                out.push(escaped);
                continue;
            }
            '[' if brackets && !class => {
                class = rest.chars().take(64).take_while(|c| *c != '\n').any(|c| c == ']');
            }
            ']' => class = false,
            _ => {}
        }
        out.push(c);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{SedCall, Verb, commands};
    use crate::serve::pipe::{Change, Stage};
    use crate::serve::{Edge, Filter};

    fn stages(words: &str) -> Option<Vec<Stage>> {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        SedCall::read(&words).stages()
    }

    fn check(words: &str, filter: Filter) {
        assert_eq!(stages(words), Some(vec![Stage::Choose(filter)]), "{words}");
    }

    #[test]
    fn lines_are_chosen_by_their_numbers() {
        check("-n 5,9p", Filter::Ranges(vec![(5, Some(9))]));
        check("-n 5p;9p;20,30p", Filter::Ranges(vec![(5, Some(5)), (9, Some(9)), (20, Some(30))]));
        check("-n -e 5p -e 9p", Filter::Ranges(vec![(5, Some(5)), (9, Some(9))]));
        check("-n 5,+3p", Filter::Ranges(vec![(5, Some(8))]));
        check("-n 7,$p", Filter::Ranges(vec![(7, None)]));
        check("-n 9,5p", Filter::Ranges(vec![(9, Some(9))]));
        check("-n 5,9p;9q", Filter::Ranges(vec![(5, Some(9))]));
        check("-n $p", Filter::Last(1));
        check("10q", Filter::First(10));
        check("1,10d", Filter::Ranges(vec![(11, None)]));
        check("5,9d", Filter::Ranges(vec![(1, Some(4)), (10, None)]));
        check("$d", Filter::ButLast(1));
        check("5,9!d", Filter::Ranges(vec![(5, Some(9))]));
    }

    #[test]
    fn lines_are_chosen_by_their_text() {
        let edge = |text: &str| Edge::Match { pattern: text.to_owned(), literal: true };
        let matching = |text: &str, keep| Filter::Match {
            pattern: text.to_owned(),
            literal: true,
            case_sensitive: true,
            keep,
        };
        let between = |start, end, keep| Filter::Between { start, end, may_be_one: false, keep };
        check("-n /x/p", matching("x", true));
        check("/x/d", matching("x", false));
        check("-n /a/,/b/p", between(edge("a"), edge("b"), true));
        check("-n /a/,+4p", between(edge("a"), Edge::More(4), true));
        check("-n /a/,$p", between(edge("a"), Edge::Last, true));
        check("/a/,/b/d", between(edge("a"), edge("b"), false));
        check("-n 3,/b/p", between(Edge::Line(3), edge("b"), true));
        let both = vec![Stage::Choose(matching("x", false)), Stage::Choose(matching("y", false))];
        assert_eq!(stages("/x/d;/y/d"), Some(both));
        let changed = vec![Stage::Choose(matching("a", true)), Stage::Change(Change::EachLine)];
        assert_eq!(stages("-n s/a/b/p"), Some(changed));
        assert_eq!(stages("-e s/a/b/g -e s/c/d/"), Some(vec![Stage::Change(Change::EachLine)]));
    }

    #[test]
    fn a_script_that_does_more_has_no_stages() {
        for words in [
            "-n 5,9p;7p", "s/a/b/p", "-n 5,9p;7q", "-n", "p", "-n 5{p;q}", "s/,/\\n/", "/x/d;5d",
            "-n /a/Ip", "1~2d", "s/a/b/w f", "-i 5d", "N;P;D", "5d;s/a/b/", "-n s/a/b/",
        ] {
            assert_eq!(stages(words), None, "{words}");
        }
    }

    /// The files and commands that a script names.
    fn named(script: &str, expected: &[(char, &str)]) {
        let found = commands(script);
        let found: Vec<(char, &str)> = found
            .iter()
            .filter_map(|command| match &command.verb {
                Verb::Read(path) => Some(('r', path.as_str())),
                Verb::Write(path) => Some(('w', path.as_str())),
                Verb::Run(script) => Some(('e', script.as_str())),
                _ => None,
            })
            .collect();
        assert_eq!(found, expected, "{script}");
    }

    #[test]
    fn files_and_commands_in_a_script_are_found() {
        named("5r notes.txt", &[('r', "notes.txt")]);
        named("$R /tmp/x", &[('r', "/tmp/x")]);
        named("/a/w out.txt", &[('w', "out.txt")]);
        named("s/a/b/w out.txt", &[('w', "out.txt")]);
        named("s/a/b/gw out.txt\np", &[('w', "out.txt")]);
        named("1e cat f", &[('e', "cat f")]);
        named("s/.*/cat f/e", &[('e', "cat f")]);
        named("\\,w,w out.txt", &[('w', "out.txt")]);
    }

    #[test]
    fn text_that_only_looks_like_a_command_is_ignored() {
        for script in [
            "s/w out.txt/r in.txt/", "s,a/w b,c,g", "/[/]w x/d", "y/rw/wr/", "a\\\nw out.txt",
            "# w out.txt", "5,9p", ":w;bw", "",
        ] {
            named(script, &[]);
        }
    }
}
