//! Translating cmdlets and their aliases to the commands of bash that touch the same text.

use super::value::{Emitted, path_of};
use super::{
    Argument, PowerShellReader, captured, into_file, joined, parse, program, sequence, simple,
    unknown, words,
};
use crate::ast::{Atom, Command, Expansion, Word};
use crate::effect::Access;
use crate::syntax::Read;
use crate::word::{base_name, has_word, literal, plain};

/// Cmdlets, each with its aliases.
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
const SWITCHES: &str = "raw wait force append nonewline noclobber simplematch casesensitive quiet \
    notmatch allmatches list recurse file directory unique passthru hidden name descending line \
    word character compress noemphasis whatif autosize wrap notypeinformation asbytestream \
    readonly nonewwindow noprofile usebasicparsing asarray ashashtable";

/// The parameters that name files.
const PATHS: &str = "path literalpath filepath pspath lp";

/// The cmdlet to name in messages for a program of the translation.
pub(crate) fn cmdlet_name(program: &str) -> &str {
    match program {
        "cat" | "head" | "tail" | "sed" | "find" => "Get-Content",
        "rg" => "Select-String",
        "tee" => "Tee-Object",
        other => other,
    }
}

/// Whether a cmdlet or an alias is known to read or to write text of files.
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

/// Whether a parameter is followed by its value.
fn takes_value(name: &str) -> bool {
    let switch = SWITCHES.split(' ').any(|switch| switch.starts_with(name));
    !switch || has_word("n l f c a w r", name)
}

/// A call of a cmdlet, its words divided into parameters, values and blocks.
struct CmdletCall {
    name: String,
    parameters: Vec<(String, Vec<Word>)>,
    positional: Vec<Vec<Word>>,
    blocks: Vec<(Command, String)>,
}

/// What a command emits.
pub(super) fn value(
    input: Option<Emitted>,
    arguments: Vec<Argument>,
    depth: usize,
) -> Read<Emitted> {
    let mut arguments = arguments.into_iter().peekable();
    let first = match arguments.next() {
        Some(Argument::Values(words)) if !words.is_empty() => words,
        Some(Argument::Block(body, _)) => {
            return Ok(match input {
                Some(input) => each(input, body),
                None => Emitted::Lines(Command::Subshell(Box::new(body))),
            });
        }
        // Without a command, the input goes to the redirections.
        _ => return Ok(input.unwrap_or_else(Emitted::none)),
    };
    let spelled = plain(&first[0]).unwrap_or_default();
    let base = base_name(spelled.rsplit('\\').next().unwrap_or(&spelled)).to_ascii_lowercase();
    let lower = base.strip_suffix(".exe").unwrap_or(&base);
    // `sc` is Set-Content; `sc.exe` is a Windows program that controls services.
    let known = canonical(lower).filter(|_| base != "sc.exe");
    if known.is_none() && (!lower.contains('-') || spelled.contains(['/', '.'])) {
        return native(lower, input, &first, arguments, depth);
    }
    let name = known.unwrap_or(lower).to_owned();
    let mut call =
        CmdletCall { name, parameters: Vec::new(), positional: Vec::new(), blocks: Vec::new() };
    while let Some(argument) = arguments.next() {
        match argument {
            Argument::Block(body, text) => call.blocks.push((body, text)),
            Argument::Values(words) => call.positional.push(words),
            Argument::Parameter(name, value) => {
                let name = name.to_ascii_lowercase();
                let follows = value.is_none() && takes_value(&name);
                let is_value = |next: &Argument| follows && matches!(next, Argument::Values(_));
                let words = match arguments.next_if(is_value) {
                    Some(Argument::Values(words)) => words,
                    _ => value.into_iter().collect(),
                };
                call.parameters.push((name, words));
            }
        }
    }
    call.value(input, depth)
}

/// What a program that is not a cmdlet emits.
fn native(
    name: &str,
    input: Option<Emitted>,
    first: &[Word],
    arguments: impl Iterator<Item = Argument>,
    depth: usize,
) -> Read<Emitted> {
    // A literal path is replaced by the program's name; an unknown one is kept.
    let first = joined(first, ',');
    let mut words = vec![if plain(&first).is_some() { literal(name) } else { first }];
    let mut blocks = Vec::new();
    for argument in arguments {
        match argument {
            Argument::Parameter(name, value) => {
                words.push(literal(&format!("-{name}{}", if value.is_some() { ":" } else { "" })));
                words.extend(value);
            }
            Argument::Values(values) => words.push(joined(&values, ',')),
            Argument::Block(body, _) => blocks.push(body),
        }
    }
    Ok(match name {
        "cmd" => {
            let option = |word: &&Word| plain(word).is_some_and(|text| text.starts_with('/'));
            let script = words[1..].iter().skip_while(option).map(plain);
            match script.collect::<Option<Vec<String>>>() {
                Some(script) => Emitted::Lines(nested_script(&script.join(" "), depth)?),
                None => Emitted::unknown(),
            }
        }
        "findstr" => Emitted::piped_from(input, findstr(&words[1..])),
        // `Start-Job { ... }`, `Invoke-Command -ScriptBlock { ... }`
        _ if !blocks.is_empty() => Emitted::Lines(sequence(blocks)),
        _ => Emitted::piped_from(input, words),
    })
}

fn nested_script(script: &str, depth: usize) -> Read<Command> {
    let mut reader = PowerShellReader::new(script, depth + 1);
    let steps = reader.nested(PowerShellReader::statements)?;
    if reader.rest().is_empty() { Ok(Command::Sequence(steps)) } else { parse(script) }
}

/// `findstr /n /i "text" file`, a program of Windows, as `grep`.
fn findstr(given: &[Word]) -> Vec<Word> {
    let (mut out, mut operands) = (words("grep"), Vec::new());
    for word in given {
        let text = plain(word).unwrap_or_default().to_ascii_lowercase();
        match text.strip_prefix('/') {
            Some("i") => out.push(literal("-i")),
            Some("m") => out.push(literal("-l")),
            Some("s") => out.push(literal("-r")),
            Some(option) => {
                let pattern = option.strip_prefix("c:");
                out.extend(pattern.into_iter().flat_map(|text| [literal("-e"), literal(text)]));
            }
            None => operands.push(word.clone()),
        }
    }
    out.extend(operands);
    out
}

/// A block that is run for each value.
fn each(input: Emitted, body: Command) -> Emitted {
    Emitted::Lines(match input {
        Emitted::Words(words) => {
            let body = Box::new(body);
            Command::For { variable: "_".to_owned(), words: Some(words), body }
        }
        input => {
            let read = sequence(vec![program("read -r _", []), body]);
            Command::Pipeline(vec![input.into_command(), read])
        }
    })
}

impl CmdletCall {
    /// The values of one of these parameters, separated by blanks; a name may be shortened.
    fn parameter(&self, names: &str) -> Option<Vec<Word>> {
        // `-Skip` is a different parameter, not short for `-SkipLast`.
        let is_meant = |full: &str, name: &str| {
            full.starts_with(name) && !(full == "skiplast" && name == "skip")
        };
        let given = |name: &str| names.split(' ').any(|full| is_meant(full, name));
        self.parameters.iter().find(|(name, _)| given(name)).map(|(_, words)| words.clone())
    }

    /// All values, of parameters and positional.
    fn operands(self) -> Vec<Word> {
        let named = self.parameters.into_iter().map(|(_, words)| words);
        self.positional.into_iter().chain(named).flatten().collect()
    }

    fn has(&self, name: &str) -> bool {
        self.parameter(name).is_some()
    }

    #[expect(clippy::option_option, reason = "not given differs from not known")]
    fn number(&self, names: &str) -> Option<Option<u64>> {
        let words = self.parameter(names)?;
        Some(words.first().and_then(plain).and_then(|text| text.parse().ok()))
    }

    /// Removes the values at this position and returns them.
    fn take_at(&mut self, position: usize) -> Option<Vec<Word>> {
        (position < self.positional.len()).then(|| self.positional.remove(position))
    }

    /// The files, from a parameter or the first position.
    fn paths(&mut self) -> Vec<Word> {
        self.parameter(PATHS).or_else(|| self.take_at(0)).unwrap_or_default()
    }

    fn value(mut self, input: Option<Emitted>, depth: usize) -> Read<Emitted> {
        Ok(match self.name.as_str() {
            "get-content"
            | "import-csv"
            | "import-clixml"
            | "import-powershelldatafile"
            | "format-hex" => self.get_content(input),
            "select-string" => self.select_string(input),
            "set-content" | "add-content" | "out-file" => self.set_content(input),
            "clear-content" => {
                let writes = self.paths().into_iter().map(|path| into_file(path, false)).collect();
                Emitted::of(":", []).redirected(writes)
            }
            "tee-object" => {
                let mut tee = words(if self.has("append") { "tee -a" } else { "tee" });
                tee.extend(self.paths());
                input.unwrap_or_else(Emitted::none).through(tee)
            }
            "new-item" => match (self.parameter("value"), self.paths()) {
                (Some(text), paths) => {
                    let writes = paths.into_iter().map(|path| into_file(path, false)).collect();
                    Emitted::of("printf %s", text).redirected(writes)
                }
                (None, _) => Emitted::none(),
            },
            "select-object" => self.select_object(input),
            "where-object" => self.where_object(input),
            "foreach-object" => self.for_each_object(input),
            "measure-object" | "group-object" => {
                input.map_or_else(Emitted::unknown, |input| input.piped("wc -l"))
            }
            "compare-object" => Emitted::Words(self.operands()).measured(),
            "sort-object" | "get-unique" | "format-table" | "format-list" | "out-string"
            | "convertto-json" | "convertfrom-json" | "convertto-csv" | "convertfrom-csv" => {
                self.passed_on(input)
            }
            "out-null" => input.map_or_else(Emitted::none, |input| {
                Emitted::Lines(captured(input.into_command(), 0))
            }),
            "write-output" => {
                let named = self.parameters.into_iter();
                let named = named.filter(|(name, _)| "object inputobject message".contains(name));
                let given = self.positional.into_iter().chain(named.map(|(_, words)| words));
                let given = given.map(|words| joined(&words, ' '));
                let input = input.into_iter().flat_map(Emitted::into_words);
                Emitted::Words(given.chain(input).collect())
            }
            "get-childitem" => self.get_child_item(),
            "set-location" => Emitted::of("cd", self.paths()),
            "push-location" => Emitted::of("pushd", self.paths()),
            "pop-location" => Emitted::of("popd", []),
            "copy-item" | "move-item" => {
                let from = self.paths();
                let last = usize::from(self.positional.len() > 1);
                let to = self.parameter("destination").or_else(|| self.take_at(last));
                let copies = if self.name == "copy-item" { "cp" } else { "mv" };
                Emitted::of(copies, from.into_iter().chain(to.unwrap_or_default()))
            }
            "remove-item" => Emitted::none(),
            "join-path" => path_of(&self.operands()),
            "resolve-path" | "convert-path" => Emitted::Words(self.paths()),
            "invoke-expression" => {
                let scripts = self.positional.concat();
                match scripts.first().and_then(plain) {
                    Some(script) => Emitted::Lines(nested_script(&script, depth)?),
                    None => Emitted::of("eval", scripts),
                }
            }
            "invoke-webrequest" => Emitted::of("curl", []),
            "start-process" => {
                let mut words = self.paths();
                words.extend(self.parameter("argumentlist").unwrap_or_default());
                words.extend(self.positional.concat());
                Emitted::Lines(simple(words))
            }
            _ => self.unknown_cmdlet(input),
        })
    }

    /// An unknown cmdlet: it does not print output captured in its operands, but runs its blocks.
    fn unknown_cmdlet(mut self, input: Option<Emitted>) -> Emitted {
        let blocks = std::mem::take(&mut self.blocks).into_iter();
        let mut commands: Vec<Command> = blocks.map(|(body, _)| body).collect();
        let mut words = self.operands();
        words.retain(|word| plain(word).is_none());
        commands.extend((!words.is_empty()).then_some(Command::Test(words)));
        commands.extend(input.map(|input| captured(input.into_command(), 0)));
        commands.push(program("date", []));
        Emitted::Lines(sequence(commands))
    }

    fn get_content(mut self, input: Option<Emitted>) -> Emitted {
        let mut paths = self.paths();
        if paths.is_empty() {
            paths = match input {
                Some(Emitted::Files { places, names }) => return read_found(places, names),
                Some(input) => input.into_words(),
                None => Vec::new(),
            };
        }
        // `Env:PATH`, `Function:x`: a drive that holds no files.
        let elsewhere = |text: String| !text.contains("::") && text.find(':') > Some(1);
        if paths.iter().filter_map(plain).any(elsewhere) {
            return Emitted::unknown();
        }
        let (first, last) = (self.number("totalcount head first"), self.number("tail last"));
        let reader = match (first, last) {
            (Some(Some(count)), _) => format!("head -n {count}"),
            _ if self.has("wait") => "tail -f".to_owned(),
            (_, Some(Some(count))) => format!("tail -n {count}"),
            _ => "cat".to_owned(),
        };
        let object = self.name == "import-csv";
        let command = program(&reader, paths);
        if object { Emitted::Object(command) } else { Emitted::Lines(command) }
    }

    fn select_string(mut self, input: Option<Emitted>) -> Emitted {
        let patterns = self.parameter("pattern").or_else(|| self.take_at(0));
        let options = [
            (!self.has("casesensitive"), "-i"),
            (self.has("simplematch"), "-F"),
            (self.has("notmatch"), "-v"),
            (self.has("quiet"), "-q"),
        ];
        let mut rg = words("rg");
        rg.extend(options.iter().filter(|(on, _)| *on).map(|(_, option)| literal(option)));
        if let Some(counts) = self.parameter("context") {
            for (option, count) in ["-B", "-A"].into_iter().zip([counts.first(), counts.last()]) {
                rg.extend([literal(option), count.cloned().unwrap_or_else(unknown)]);
            }
        }
        let patterns = patterns.unwrap_or_else(|| vec![unknown()]);
        rg.extend(patterns.into_iter().flat_map(|pattern| [literal("-e"), pattern]));
        let paths = self.paths();
        match input {
            input if !paths.is_empty() || input.is_none() => rg.extend(paths),
            Some(Emitted::Files { places, names }) => {
                rg.extend(names.into_iter().flat_map(|names| [literal("-g"), names]));
                rg.extend(places);
            }
            input => return Emitted::piped_from(input, rg),
        }
        Emitted::Lines(simple(rg))
    }

    /// `Set-Content`, `Add-Content` and `Out-File`, as a redirection.
    fn set_content(mut self, input: Option<Emitted>) -> Emitted {
        let append = self.name == "add-content" || self.has("append");
        let value = self.parameter("value inputobject");
        let paths = self.paths();
        let given = value.or_else(|| self.take_at(0));
        let writes = paths.iter().map(|path| into_file(path.clone(), append)).collect();
        let text = match (given, input) {
            (Some(words), _) | (None, Some(Emitted::Words(words))) => {
                Emitted::of(if self.has("nonewline") { "printf %s" } else { "printf %s\\n" }, words)
            }
            (None, Some(input)) => match edited_in_place(&input, &paths) {
                Some(edit) => return Emitted::Lines(edit),
                None => input,
            },
            (None, None) => Emitted::of(":", []),
        };
        text.redirected(writes)
    }

    fn select_object(self, input: Option<Emitted>) -> Emitted {
        let Some(mut value) = input else { return Emitted::unknown() };
        let properties = self.parameter("expandproperty property");
        let properties = properties.or(self.positional.first().cloned()).unwrap_or_default();
        let shown = |word: &Word| {
            let shows = "line * matches value context content";
            plain(word).is_none_or(|name| has_word(shows, &name.to_ascii_lowercase()))
        };
        if !properties.is_empty() && !properties.iter().any(shown) {
            return value.measured();
        }
        let counts = ["skip", "skiplast", "first", "last"].map(|name| self.number(name));
        if counts.contains(&Some(None)) || self.has("unique") || self.has("index") {
            return value.piped("Select-Object");
        }
        let [skip, rest @ ..] = counts.map(Option::flatten);
        if let Some(count) = skip {
            value = value.piped(&format!("tail -n +{}", count + 1));
        }
        for (count, program) in rest.into_iter().zip(["head -n -", "head -n ", "tail -n "]) {
            if let Some(count) = count {
                value = value.piped(&format!("{program}{count}"));
            }
        }
        value
    }

    fn where_object(self, input: Option<Emitted>) -> Emitted {
        let Some(value) = input else { return Emitted::unknown() };
        // `{ $_ -match 'x' }`, `{ $_.Line -like '*x*' }`
        match self.blocks.first().and_then(|(_, text)| stage_of(text, "rg")) {
            Some(search) => value.through(search),
            None => value.piped("Where-Object"),
        }
    }

    fn for_each_object(self, input: Option<Emitted>) -> Emitted {
        let Some(value) = input else { return Emitted::unknown() };
        if self.blocks.is_empty() {
            let name = self.positional.first().and_then(|words| plain(words.first()?));
            let texts = "line value matches trim tostring";
            let shown = name.is_none_or(|name| has_word(texts, &name.to_ascii_lowercase()));
            return if shown { value } else { value.measured() };
        }
        if let ([(_, text)], Emitted::Lines(_) | Emitted::Object(_)) =
            (self.blocks.as_slice(), &value)
        {
            // `{ $_ -replace 'a', 'b' }`
            if let Some(sed) = stage_of(text, "sed") {
                return value.through(sed);
            }
            if matches!(text.trim(), "$_" | "$_.Line" | "$PSItem") {
                return value;
            }
        }
        each(value, sequence(self.blocks.into_iter().map(|(body, _)| body).collect()))
    }

    fn passed_on(self, input: Option<Emitted>) -> Emitted {
        let given = input.or_else(|| {
            let words = self.parameter("inputobject").or(self.positional.first().cloned());
            words.map(Emitted::Words)
        });
        let Some(given) = given else { return Emitted::unknown() };
        let object = given.is_object();
        // Some properties of an object do not show all of it.
        if object && self.name.starts_with("format-") && !self.positional.is_empty() {
            return given.measured();
        }
        let object =
            self.name.starts_with("convertfrom-") || object && self.name != "convertto-json";
        let command = given.piped("Out-String").into_command();
        if object { Emitted::Object(command) } else { Emitted::Lines(command) }
    }

    fn get_child_item(mut self) -> Emitted {
        let filter = self.parameter("filter include").and_then(|words| words.into_iter().next());
        let mut places = self.paths();
        // `Get-ChildItem . *.ts`
        let second = |call: &mut Self| call.take_at(0).and_then(|words| words.into_iter().next());
        let mut names = filter;
        // `Get-ChildItem src/*.ts`
        if let ([place], None) = (places.as_slice(), &names)
            && let Some(text) = plain(place)
            && let (directory, name) = text.rsplit_once(['/', '\\']).unwrap_or((".", &text))
            && name.contains('*')
        {
            names = Some(literal(name));
            places = words(directory);
        }
        if places.is_empty() {
            places = words(".");
        }
        Emitted::Files { places, names: names.or_else(|| second(&mut self)) }
    }
}

/// Prints the text of all files found, by `find -exec cat`.
fn read_found(mut words: Vec<Word>, names: Option<Word>) -> Emitted {
    words.extend(names.into_iter().flat_map(|names| [literal("-name"), names]));
    words.extend(super::words("-exec cat {} +"));
    Emitted::of("find", words)
}

/// The words of a `sed` or `rg` command that does what a block does with each item:
/// `$_ -replace 'a', 'b'` is one of `sed`, `$_ -match 'x'` one of `rg`.
fn stage_of(text: &str, program: &str) -> Option<Vec<Word>> {
    let mut reader = PowerShellReader::new(text.trim(), 0);
    let value = reader.expression().ok().filter(|_| reader.rest().is_empty())?;
    let Emitted::Lines(Command::Pipeline(stages)) = value else { return None };
    let [Command::Simple(source), Command::Simple(stage)] = stages.as_slice() else { return None };
    let own = matches!(source.words.as_slice(), [_, _, word] if is_item(word));
    (own && plain(stage.words.first()?)? == program).then(|| stage.words.clone())
}

/// Whether a word is `$_` and nothing else.
fn is_item(word: &Word) -> bool {
    let [Atom::Expansion(expansion, _)] = word.as_slice() else { return false };
    matches!(&**expansion, Expansion::Parameter(name) if has_word("_ psitem", name))
}

/// `(Get-Content f) -replace 'a', 'b' | Set-Content f` is `sed -i s/a/b/g f`.
fn edited_in_place(input: &Emitted, paths: &[Word]) -> Option<Command> {
    let (Emitted::Lines(Command::Pipeline(stages)), [path]) = (input, paths) else { return None };
    let (Command::Simple(first), rest) = stages.split_first()? else { return None };
    let [cat, file] = first.words.as_slice() else { return None };
    (plain(cat)? == "cat" && plain(file)? == plain(path)?).then_some(())?;
    let mut edit = Vec::new();
    for stage in rest {
        let Command::Simple(stage) = stage else { return None };
        let (script, sed) = stage.words.split_last()?;
        edit.extend(words(match plain(&joined(sed, ' '))?.as_str() {
            "sed" => "-e",
            "sed -E" => "-E -e",
            _ => return None,
        }));
        edit.push(script.clone());
    }
    edit.push(path.clone());
    Some(program("sed -i", edit))
}
