//! Cmdlets and their aliases, as the commands of bash that touch the same text.

use super::value::{Emitted, EmittedLines, Listed, matched, path_of};
use super::{
    Argument, PowerShellReader, Read, captured, joined, parse, plain, sequence, simple, unknown,
};
use crate::ast::{Command, Redirect, RedirectKind, Word};
use crate::effect::Access;
use crate::syntax::Unparsed;
use crate::word::{base_name, has_word, literal};

/// Aliases, each behind its cmdlet.
const ALIASES: &[(&str, &str)] = &[
    ("get-content", "gc cat type"),
    ("select-string", "sls"),
    ("set-content", "sc"),
    ("add-content", "ac"),
    ("clear-content", "clc"),
    ("tee-object", "tee"),
    ("select-object", "select"),
    ("where-object", "where ?"),
    ("foreach-object", "foreach %"),
    ("sort-object", "sort"),
    ("get-unique", "gu"),
    ("measure-object", "measure"),
    ("group-object", "group"),
    ("compare-object", "compare diff"),
    ("format-table", "ft format-wide fw"),
    ("format-list", "fl format-custom fc"),
    ("out-string", "oss out-host oh out-default more less"),
    (
        "write-output",
        "echo write write-host write-information write-warning write-verbose write-error",
    ),
    ("get-childitem", "gci ls dir"),
    ("set-location", "cd chdir sl"),
    ("push-location", "pushd"),
    ("pop-location", "popd"),
    ("copy-item", "cp copy cpi"),
    ("move-item", "mv move mi"),
    ("remove-item", "rm del erase ri rd rmdir rename-item ren rni set-itemproperty"),
    ("new-item", "ni"),
    ("invoke-expression", "iex"),
    ("invoke-webrequest", "iwr curl wget invoke-restmethod irm start-bitstransfer"),
    ("start-process", "saps start"),
    ("get-location", "gl pwd"),
];

/// Parameters without a value.
const SWITCHES: &[&str] = &[
    "raw", "wait", "force", "append", "nonewline", "noclobber", "simplematch", "casesensitive",
    "quiet", "notmatch", "allmatches", "list", "recurse", "file", "directory", "unique",
    "passthru", "hidden", "name", "descending", "line", "word", "character", "compress",
    "noemphasis", "whatif", "autosize", "wrap", "notypeinformation", "asbytestream", "readonly",
    "nonewwindow", "noprofile", "usebasicparsing", "asarray", "ashashtable",
];

/// The cmdlet that a program of the translation stands for, for people.
pub(crate) fn named(program: &str) -> &str {
    match program {
        "cat" | "head" | "tail" | "sed" | "find" => "Get-Content",
        "rg" => "Select-String",
        "tee" => "Tee-Object",
        other => other,
    }
}

/// What a cmdlet, or an alias of one, is known for doing to the text of files.
pub(crate) fn touches_text(word: &str) -> Option<Access> {
    let word = word.to_ascii_lowercase();
    match canonical(&word).unwrap_or(&word) {
        "get-content" | "select-string" => Some(Access::Read),
        "set-content" | "add-content" | "out-file" | "clear-content" => Some(Access::Write),
        _ => None,
    }
}

/// The cmdlet that a name in lower case stands for.
fn canonical(name: &str) -> Option<&'static str> {
    let named = |(full, aliases): &&(&'static str, &str)| *full == name || has_word(aliases, name);
    ALIASES.iter().find(named).map(|(full, _)| *full)
}

/// A redirection into a file.
pub(super) fn into_file(path: Word, append: bool) -> Redirect {
    let kind = if append { RedirectKind::Append(path) } else { RedirectKind::Output(path) };
    Redirect { descriptor: None, kind }
}

/// A cmdlet with its words sorted.
struct CmdletCall {
    name: String,
    input: Option<Emitted>,
    parameters: Vec<(String, Vec<Word>)>,
    positional: Vec<Vec<Word>>,
    blocks: Vec<(Command, String)>,
}

/// What a command gives.
pub(super) fn value(
    input: Option<Emitted>,
    arguments: Vec<Argument>,
    depth: usize,
) -> Read<Emitted> {
    let mut arguments = arguments.into_iter().peekable();
    let first = match arguments.peek() {
        Some(Argument::Block(..)) => {
            let Some(Argument::Block(body, _)) = arguments.next() else {
                return Err(Unparsed::Internal);
            };
            return Ok(match input {
                Some(input) => each(input, body),
                None => Emitted::lines(Command::Subshell(Box::new(body))),
            });
        }
        Some(Argument::Values(words)) => words.first().cloned(),
        _ => None,
    };
    let Some(word) = first else {
        // Only redirections: what a pipe brings goes there.
        return Ok(input.unwrap_or(Emitted::Words(Vec::new())));
    };
    let spelled = plain(&word).unwrap_or_default();
    let base = base_name(spelled.rsplit('\\').next().unwrap_or(&spelled)).to_ascii_lowercase();
    let lower = base.strip_suffix(".exe").unwrap_or(&base).to_owned();
    let known = canonical(&lower);
    let name = known.unwrap_or(&lower).to_owned();
    // The program of Windows that controls services.
    let service = base == "sc.exe";
    let is_cmdlet =
        !service && (known.is_some() || lower.contains('-') && !spelled.contains(['/', '.']));
    if !is_cmdlet {
        let arguments: Vec<Argument> = arguments.collect();
        return native(&lower, input, arguments, depth);
    }
    arguments.next();
    let mut call = CmdletCall {
        name,
        input,
        parameters: Vec::new(),
        positional: Vec::new(),
        blocks: Vec::new(),
    };
    while let Some(argument) = arguments.next() {
        match argument {
            Argument::Block(body, text) => call.blocks.push((body, text)),
            Argument::Values(words) => call.positional.push(words),
            Argument::Parameter(name, Some(value)) => {
                call.parameters.push((name.to_ascii_lowercase(), vec![value]));
            }
            Argument::Parameter(name, None) => {
                let name = name.to_ascii_lowercase();
                let takes = !SWITCHES.iter().any(|switch| switch.starts_with(&name))
                    || matches!(name.as_str(), "n" | "l" | "f" | "c" | "a" | "w" | "r");
                let value = match arguments.peek() {
                    Some(Argument::Values(_)) if takes => match arguments.next() {
                        Some(Argument::Values(words)) => words,
                        _ => Vec::new(),
                    },
                    _ => Vec::new(),
                };
                call.parameters.push((name, value));
            }
        }
    }
    call.value(depth)
}

/// A program that is no cmdlet.
fn native(
    name: &str,
    input: Option<Emitted>,
    arguments: Vec<Argument>,
    depth: usize,
) -> Read<Emitted> {
    let mut words: Vec<Word> = Vec::new();
    let mut blocks = Vec::new();
    for argument in arguments {
        match argument {
            Argument::Parameter(name, value) => {
                words.push(literal(&format!("-{name}{}", if value.is_some() { ":" } else { "" })));
                words.extend(value);
            }
            Argument::Values(values) => words.push(join_with(values, ',')),
            Argument::Block(body, _) => blocks.push(body),
        }
    }
    let texts: Vec<Option<String>> = words.iter().skip(1).map(plain).collect();
    if matches!(name, "cmd") {
        let script: Option<Vec<String>> = texts
            .iter()
            .skip_while(|text| text.as_deref().is_some_and(|text| text.starts_with('/')))
            .cloned()
            .collect();
        return Ok(match script {
            Some(script) => Emitted::lines(nested_script(&script.join(" "), depth)?),
            None => Emitted::unknown(),
        });
    }
    if name == "findstr" {
        return Ok(findstr(input, &words));
    }
    if !blocks.is_empty() {
        // `Start-Job { ... }`, `Invoke-Command -ScriptBlock { ... }`
        return Ok(Emitted::lines(sequence(blocks)));
    }
    // Programs that bash runs too are called by a path with slashes.
    if let Some(first) = words.first_mut()
        && plain(first).is_some()
    {
        *first = literal(name);
    }
    Ok(match input {
        Some(input) => input.through(words),
        None => Emitted::lines(simple(words)),
    })
}

fn join_with(words: Vec<Word>, mark: char) -> Word {
    let mut words = words.into_iter();
    let first = words.next().unwrap_or_default();
    words.fold(first, |mut all, word| {
        all.extend(literal(&mark.to_string()));
        all.extend(word);
        all
    })
}

fn nested_script(script: &str, depth: usize) -> Read<Command> {
    let mut reader = PowerShellReader::new(script, depth + 1);
    let steps = reader.nested(PowerShellReader::statements)?;
    if reader.rest().is_empty() { Ok(Command::Sequence(steps)) } else { parse(script) }
}

/// `findstr /n /i "text" file`, a program of Windows.
fn findstr(input: Option<Emitted>, words: &[Word]) -> Emitted {
    let mut out = vec![literal("grep")];
    let mut operands = Vec::new();
    for word in words.iter().skip(1) {
        let text = plain(word).unwrap_or_default().to_ascii_lowercase();
        match text.strip_prefix('/') {
            Some("i") => out.push(literal("-i")),
            Some("m") => out.push(literal("-l")),
            Some("s") => out.push(literal("-r")),
            Some(option) => {
                if let Some(pattern) = option.strip_prefix("c:") {
                    out.push(literal("-e"));
                    out.push(literal(pattern));
                    operands.push(Word::new());
                }
            }
            None => operands.push(word.clone()),
        }
    }
    out.extend(operands.into_iter().filter(|word| !word.is_empty()));
    match input {
        Some(input) => input.through(out),
        None => Emitted::lines(simple(out)),
    }
}

/// A block that is run for each value.
fn each(input: Emitted, body: Command) -> Emitted {
    if let Emitted::Words(words) = input {
        let body = Box::new(body);
        return Emitted::lines(Command::For { variable: "_".to_owned(), words: Some(words), body });
    }
    let read = simple(vec![literal("read"), literal("-r"), literal("_")]);
    let stages = vec![input.into_command(), sequence(vec![read, body])];
    Emitted::lines(Command::Pipeline(stages))
}

impl CmdletCall {
    /// The values of a parameter, whose name may be shortened.
    fn parameter(&self, names: &[&str]) -> Option<&[Word]> {
        // `-Skip` is a parameter of its own.
        let given = |name: &str| {
            names
                .iter()
                .any(|full| full.starts_with(name) && !(*full == "skiplast" && name == "skip"))
        };
        self.parameters.iter().find(|(name, _)| given(name)).map(|(_, words)| words.as_slice())
    }

    /// All values, whatever they are for.
    fn operands(self) -> impl Iterator<Item = Word> {
        let named = self.parameters.into_iter().map(|(_, words)| words);
        self.positional.into_iter().chain(named).flatten()
    }

    fn has(&self, name: &str) -> bool {
        self.parameter(&[name]).is_some()
    }

    #[expect(clippy::option_option, reason = "not given and not known are two things")]
    fn number(&self, names: &[&str]) -> Option<Option<u64>> {
        let words = self.parameter(names)?;
        Some(words.first().and_then(plain).and_then(|text| text.parse().ok()))
    }

    /// The files: a parameter, or the values at this position.
    fn paths(&mut self, position: usize) -> Vec<Word> {
        if let Some(words) = self.parameter(&["path", "literalpath", "filepath", "pspath", "lp"]) {
            return words.to_vec();
        }
        if position < self.positional.len() { self.positional.remove(position) } else { Vec::new() }
    }

    fn value(mut self, depth: usize) -> Read<Emitted> {
        let input = self.input.take();
        Ok(match self.name.as_str() {
            "get-content"
            | "import-csv"
            | "import-clixml"
            | "import-powershelldatafile"
            | "format-hex" => self.get_content(input),
            "select-string" => self.select_string(input),
            "set-content" | "add-content" | "out-file" => self.set_content(input),
            "clear-content" => {
                let writes = self.paths(0).into_iter().map(|path| into_file(path, false)).collect();
                Emitted::lines(simple(vec![literal(":")])).redirected(writes)
            }
            "tee-object" => {
                let mut words = vec![literal("tee")];
                words.extend(self.has("append").then(|| literal("-a")));
                words.extend(self.paths(0));
                input.unwrap_or(Emitted::Words(Vec::new())).through(words)
            }
            "new-item" => self.new_item(),
            "select-object" => self.select_object(input),
            "where-object" => self.where_object(input),
            "foreach-object" => self.for_each_object(input),
            "measure-object" | "group-object" => match input {
                Some(input) => input.piped("wc -l"),
                None => Emitted::unknown(),
            },
            "compare-object" => Emitted::Words(self.operands().collect()).measured(),
            "sort-object" | "get-unique" | "format-table" | "format-list" | "out-string"
            | "convertto-json" | "convertfrom-json" | "convertto-csv" | "convertfrom-csv" => {
                self.passed_on(input)
            }
            "out-null" => match input {
                Some(input) => Emitted::lines(captured(input.into_command(), 0)),
                None => Emitted::Words(Vec::new()),
            },
            "write-output" => {
                let given = self.positional.into_iter().chain(
                    self.parameters
                        .into_iter()
                        .filter(|(name, _)| "object inputobject message".contains(name.as_str()))
                        .map(|(_, words)| words),
                );
                let mut words: Vec<Word> = given.map(joined).collect();
                words.extend(input.into_iter().flat_map(Emitted::into_words));
                Emitted::Words(words)
            }
            _ => self.other_value(input, depth)?,
        })
    }

    /// What cmdlets give that pass no text on.
    fn other_value(mut self, input: Option<Emitted>, depth: usize) -> Read<Emitted> {
        Ok(match self.name.as_str() {
            "get-childitem" => self.listed(),
            "set-location" | "push-location" | "pop-location" => {
                let name = match self.name.as_str() {
                    "set-location" => "cd",
                    "push-location" => "pushd",
                    _ => "popd",
                };
                let mut words = vec![literal(name)];
                words.extend(self.paths(0));
                Emitted::lines(simple(words))
            }
            "copy-item" | "move-item" => {
                let mut words = vec![literal(if self.name == "copy-item" { "cp" } else { "mv" })];
                let to = self.parameter(&["destination"]).map(<[Word]>::to_vec);
                words.extend(self.paths(0));
                words.extend(
                    to.unwrap_or_else(|| self.paths(usize::from(self.positional.len() > 1))),
                );
                Emitted::lines(simple(words))
            }
            "remove-item" => Emitted::Words(Vec::new()),
            "join-path" => path_of(self.operands()),
            "resolve-path" | "convert-path" => Emitted::Words(self.paths(0)),
            "invoke-expression" => {
                let words: Vec<Word> = self.positional.into_iter().flatten().collect();
                match words.first().and_then(plain) {
                    Some(script) => Emitted::lines(nested_script(&script, depth)?),
                    None => Emitted::lines(simple([vec![literal("eval")], words].concat())),
                }
            }
            "invoke-webrequest" => Emitted::lines(simple(vec![literal("curl")])),
            "start-process" => {
                let mut words = self.paths(0);
                words.extend(
                    self.parameter(&["argumentlist"]).map(<[Word]>::to_vec).unwrap_or_default(),
                );
                words.extend(self.positional.into_iter().flatten());
                Emitted::lines(simple(words))
            }
            _ => self.unknown_cmdlet(input),
        })
    }

    /// A cmdlet that we do not know: what its operands capture is not printed, its blocks are run.
    fn unknown_cmdlet(mut self, input: Option<Emitted>) -> Emitted {
        let blocks = std::mem::take(&mut self.blocks).into_iter();
        let mut commands: Vec<Command> = blocks.map(|(body, _)| body).collect();
        let words: Vec<Word> = self.operands().filter(|word| plain(word).is_none()).collect();
        commands.extend((!words.is_empty()).then_some(Command::Test(words)));
        commands.extend(input.map(|input| captured(input.into_command(), 0)));
        commands.push(simple(vec![literal("date")]));
        Emitted::lines(sequence(commands))
    }

    fn get_content(mut self, input: Option<Emitted>) -> Emitted {
        let mut paths = self.paths(0);
        if paths.is_empty() {
            paths = match input {
                Some(Emitted::Lines(EmittedLines { listed: Some(listed), .. })) => {
                    return listed.read(&["cat"]);
                }
                Some(input) => input.into_words(),
                None => Vec::new(),
            };
        }
        // `Env:PATH`, `Function:x`: a drive that is none of a disk.
        let elsewhere = |path: &Word| {
            plain(path)
                .is_some_and(|text| text.find(':').is_some_and(|at| at > 1 && !text.contains("::")))
        };
        if paths.iter().any(elsewhere) {
            return Emitted::unknown();
        }
        let first = self.number(&["totalcount", "head", "first"]);
        let last = self.number(&["tail", "last"]);
        let mut words = match (first, last) {
            (Some(Some(count)), _) => {
                vec![literal("head"), literal("-n"), literal(&count.to_string())]
            }
            (_, Some(Some(count))) => {
                vec![literal("tail"), literal("-n"), literal(&count.to_string())]
            }
            _ => vec![literal("cat")],
        };
        if self.has("wait") && !matches!(first, Some(Some(_))) {
            words = vec![literal("tail"), literal("-f")];
        }
        words.extend(paths);
        Emitted::Lines(EmittedLines {
            command: simple(words),
            listed: None,
            object: self.name == "import-csv",
        })
    }

    fn select_string(mut self, input: Option<Emitted>) -> Emitted {
        let given = self.parameter(&["pattern"]).map(<[Word]>::to_vec);
        let patterns = match given {
            Some(patterns) => patterns,
            None if self.positional.is_empty() => vec![unknown()],
            None => self.positional.remove(0),
        };
        let mut words = vec![literal("rg")];
        let options = [
            (!self.has("casesensitive"), "-i"),
            (self.has("simplematch"), "-F"),
            (self.has("notmatch"), "-v"),
            (self.has("quiet"), "-q"),
        ];
        words.extend(options.iter().filter(|(on, _)| *on).map(|(_, option)| literal(option)));
        if let Some(counts) = self.parameter(&["context"]) {
            for (option, count) in ["-B", "-A"].into_iter().zip([counts.first(), counts.last()]) {
                words.extend([literal(option), count.cloned().unwrap_or_else(unknown)]);
            }
        }
        for pattern in patterns {
            words.extend([literal("-e"), pattern]);
        }
        let paths = self.paths(0);
        if !paths.is_empty() {
            words.extend(paths);
            return Emitted::lines(simple(words));
        }
        match input {
            Some(Emitted::Lines(EmittedLines { listed: Some(listed), .. })) => {
                if let Some(names) = listed.names {
                    words.extend([literal("-g"), names]);
                }
                words.extend(listed.places);
                Emitted::lines(simple(words))
            }
            Some(input) => input.through(words),
            None => Emitted::lines(simple(words)),
        }
    }

    /// `Set-Content`, `Add-Content` and `Out-File`: a redirection.
    fn set_content(mut self, input: Option<Emitted>) -> Emitted {
        let append = self.name == "add-content" || self.has("append");
        let value = self.parameter(&["value", "inputobject"]).map(<[Word]>::to_vec);
        let paths = self.paths(0);
        let given =
            value.or_else(|| (!self.positional.is_empty()).then(|| self.positional.remove(0)));
        let open = self.has("nonewline");
        let writes = paths.iter().map(|path| into_file(path.clone(), append)).collect();
        let text = match (given, input) {
            (Some(words), _) | (None, Some(Emitted::Words(words))) => {
                let format = if open { "%s" } else { "%s\\n" };
                let mut all = vec![literal("printf"), literal(format)];
                all.extend(words);
                Emitted::lines(simple(all))
            }
            (None, Some(input)) => match edited_in_place(&input, &paths) {
                Some(edit) => return Emitted::lines(edit),
                None => input,
            },
            (None, None) => Emitted::lines(simple(vec![literal(":")])),
        };
        text.redirected(writes)
    }

    fn new_item(mut self) -> Emitted {
        let value = self.parameter(&["value"]).map(<[Word]>::to_vec);
        let paths = self.paths(0);
        match value {
            Some(words) => {
                let mut all = vec![literal("printf"), literal("%s")];
                all.extend(words);
                let writes = paths.into_iter().map(|path| into_file(path, false)).collect();
                Emitted::lines(simple(all)).redirected(writes)
            }
            None => Emitted::Words(Vec::new()),
        }
    }

    fn select_object(self, input: Option<Emitted>) -> Emitted {
        let Some(mut value) = input else { return Emitted::unknown() };
        let (first, last) = (self.number(&["first"]), self.number(&["last"]));
        let (skip, skip_last) = (self.number(&["skip"]), self.number(&["skiplast"]));
        let exact = |given: Option<Option<u64>>| given.is_some_and(|count| count.is_none());
        let expanded = self.parameter(&["expandproperty", "property"]);
        let properties =
            expanded.or(self.positional.first().map(Vec::as_slice)).unwrap_or_default();
        let shown = |word: &Word| {
            plain(word).is_none_or(|name| {
                matches!(
                    name.to_ascii_lowercase().as_str(),
                    "line" | "*" | "matches" | "value" | "context" | "content"
                )
            })
        };
        if !properties.is_empty() && !properties.iter().any(shown) {
            return value.measured();
        }
        if [first, last, skip, skip_last].into_iter().any(exact)
            || self.has("unique")
            || self.has("index")
        {
            return value.piped("Select-Object");
        }
        for (count, program) in [
            (skip.flatten().map(|count| count + 1), "tail -n +"),
            (skip_last.flatten(), "head -n -"),
            (first.flatten(), "head -n "),
            (last.flatten(), "tail -n "),
        ] {
            if let Some(count) = count {
                value = value.piped(&format!("{program}{count}"));
            }
        }
        value
    }

    fn where_object(self, input: Option<Emitted>) -> Emitted {
        let Some(value) = input else { return Emitted::unknown() };
        // `{ $_ -match 'x' }`, `{ $_.Line -like '*x*' }`
        if let Some((_, text)) = self.blocks.first() {
            let test = text.trim().trim_start_matches("$_").trim_start_matches("$PSItem");
            let test = test.trim_start_matches(".Line").trim_start();
            let (operator, rest) = test.split_once(' ').unwrap_or((test, ""));
            let operator = operator.to_ascii_lowercase();
            let rest = rest.trim();
            let quoted = ['\'', '"'].into_iter().find_map(|mark| {
                let inner = rest.strip_prefix(mark)?.strip_suffix(mark)?;
                (!inner.contains([mark, '$', '`'])).then_some(inner)
            });
            let known = ["-match", "-cmatch", "-notmatch", "-like", "-notlike"];
            return match quoted {
                Some(pattern) if known.contains(&operator.as_str()) => {
                    matched(value, &operator, Some(pattern))
                }
                _ => value.piped("Where-Object"),
            };
        }
        value.piped("Where-Object")
    }

    fn for_each_object(mut self, input: Option<Emitted>) -> Emitted {
        let Some(value) = input else { return Emitted::unknown() };
        let mut blocks = std::mem::take(&mut self.blocks);
        if blocks.is_empty() {
            let name = self.positional.first().and_then(|words| plain(words.first()?));
            let shown = name.is_none_or(|name| {
                ["line", "value", "matches", "trim", "tostring"]
                    .contains(&name.to_ascii_lowercase().as_str())
            });
            return if shown { value } else { value.measured() };
        }
        if let ([(_, text)], Emitted::Lines(lines)) = (blocks.as_slice(), &value)
            && lines.listed.is_none()
        {
            // `{ $_ -replace 'a', 'b' }`
            if let Some(script) = replacement_of(text) {
                return value.through(script);
            }
            if matches!(text.trim(), "$_" | "$_.Line" | "$PSItem") {
                return value;
            }
        }
        let body = if blocks.len() == 1 {
            blocks.remove(0).0
        } else {
            sequence(blocks.into_iter().map(|(body, _)| body).collect())
        };
        each(value, body)
    }

    fn passed_on(self, input: Option<Emitted>) -> Emitted {
        let given = input.or_else(|| {
            let words = self.parameter(&["inputobject"]).map(<[Word]>::to_vec);
            words.or_else(|| self.positional.first().cloned()).map(Emitted::Words)
        });
        let Some(given) = given else { return Emitted::unknown() };
        let object = matches!(&given, Emitted::Lines(lines) if lines.object);
        // Some properties of an object are a question about it.
        if object && self.name.starts_with("format-") && !self.positional.is_empty() {
            return given.measured();
        }
        let object =
            self.name.starts_with("convertfrom-") || object && self.name != "convertto-json";
        let command = given.piped("Out-String").into_command();
        Emitted::Lines(EmittedLines { command, listed: None, object })
    }

    fn listed(mut self) -> Emitted {
        let names = self.parameter(&["filter", "include"]).and_then(|words| words.first().cloned());
        let mut places = self.paths(0);
        let mut names = names;
        // `Get-ChildItem src/*.ts`, `Get-ChildItem . *.ts`
        if let ([place], None) = (places.as_slice(), &names)
            && let Some(text) = plain(place)
            && let (directory, name) = text.rsplit_once(['/', '\\']).unwrap_or((".", &text))
            && name.contains('*')
        {
            names = Some(literal(name));
            places = vec![literal(directory)];
        }
        if names.is_none() && !self.positional.is_empty() {
            names = self.positional.remove(0).into_iter().next();
        }
        if places.is_empty() {
            places.push(literal("."));
        }
        let mut words = vec![literal("find")];
        words.extend(places.iter().cloned());
        Emitted::Lines(EmittedLines {
            command: simple(words),
            listed: Some(Listed { places, names }),
            object: false,
        })
    }
}

impl Listed {
    /// What a program prints of the files.
    fn read(self, program: &[&str]) -> Emitted {
        let mut words = vec![literal("find")];
        words.extend(self.places);
        if let Some(names) = self.names {
            words.extend([literal("-name"), names]);
        }
        words.push(literal("-exec"));
        words.extend(program.iter().map(|word| literal(word)));
        words.extend([literal("{}"), literal("+")]);
        Emitted::lines(simple(words))
    }
}

/// The command of `sed` for `$_ -replace 'a', 'b'` or `$_.Replace('a', 'b')`.
fn replacement_of(text: &str) -> Option<Vec<Word>> {
    let mut reader = PowerShellReader::new(text.trim(), 0);
    let value = reader.expression().ok().filter(|_| reader.rest().is_empty())?;
    let Emitted::Lines(EmittedLines { command: Command::Pipeline(stages), .. }) = value else {
        return None;
    };
    let [Command::Simple(source), Command::Simple(sed)] = stages.as_slice() else { return None };
    let own = matches!(source.words.as_slice(), [_, _, word] if super::is_item(word));
    let is_sed = sed.words.first().and_then(plain).is_some_and(|name| name == "sed");
    (own && is_sed).then(|| sed.words.clone())
}

/// `(Get-Content f) -replace 'a', 'b' | Set-Content f` is `sed -i s/a/b/g f`.
fn edited_in_place(input: &Emitted, paths: &[Word]) -> Option<Command> {
    let Emitted::Lines(EmittedLines { command: Command::Pipeline(stages), .. }) = input else {
        return None;
    };
    let (Command::Simple(first), rest) = stages.split_first()? else { return None };
    let file = match first.words.as_slice() {
        [program, file] if plain(program)? == "cat" => file,
        _ => return None,
    };
    let [path] = paths else { return None };
    (plain(file)? == plain(path)?).then_some(())?;
    let mut words = vec![literal("sed"), literal("-i")];
    for stage in rest {
        let Command::Simple(simple) = stage else { return None };
        match simple.words.as_slice() {
            [name, script] if plain(name)? == "sed" => {
                words.extend([literal("-e"), script.clone()]);
            }
            [name, extended, script] if plain(name)? == "sed" && plain(extended)? == "-E" => {
                words.extend([literal("-E"), literal("-e"), script.clone()]);
            }
            _ => return None,
        }
    }
    (words.len() > 2).then_some(())?;
    words.push(path.clone());
    Some(simple(words))
}
