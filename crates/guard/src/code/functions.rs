//! Functions that open files or run commands, by language, as data.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Language;

/// What a function does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Reads the file named by this argument.
    Read(usize),
    /// Prints the file named by this argument.
    Print(usize),
    /// Reads the file named by this argument into an object.
    Parse(usize),
    /// Writes the file named by this argument.
    Write(usize),
    /// Opens the file named by the first argument; this argument says how.
    Open(usize),
    /// Reads the file that it is a method of.
    ReadSelf,
    /// Writes the file that it is a method of.
    WriteSelf,
    /// Opens the file that it is a method of; the first argument says how.
    OpenSelf,
    /// Runs a script, or a list of words, given as this argument.
    Run(usize),
    /// Runs a program with all its arguments as words.
    RunWords,
    /// Reads standard input.
    Stdin,
    /// Runs code of the same language.
    Evaluate,
    /// Copies the first argument to the second.
    CopyTo,
    /// Perl's `open`, in two or three arguments.
    PerlOpen,
}

use Meaning::{
    CopyTo, Evaluate, Open, Parse, PerlOpen, Print, Read, ReadSelf, Run, RunWords, Stdin, Write,
    WriteSelf,
};

/// What is in front of a name when it is the function we mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// Whatever.
    Any,
    /// Nothing.
    Bare,
    /// Nothing, and the name was not imported from elsewhere.
    Unimported,
    /// Any object.
    Member,
    /// One of these modules; `""` is an object without a name.
    Of(&'static [&'static str]),
    /// Nothing, or one of these.
    BareOr(&'static [&'static str]),
    /// Anything but these.
    Not(&'static [&'static str]),
    /// One of these, or nothing where the code speaks of processes.
    Process(&'static [&'static str]),
    /// Whatever, where the code names `file:` addresses.
    FileUrls,
    /// A parser of settings, which is given names of files.
    Settings,
    /// No sigil of a variable.
    NoSigil,
    /// Whatever, unless a block follows.
    NotBlock,
    /// `IO::File`.
    IoFile,
    /// Whatever, where parentheses follow.
    Called,
    /// Whatever, where an argument follows.
    Followed,
    /// Nothing, where the argument is a JSON file.
    JsonFile,
}

use Owner::{
    Any, Bare, BareOr, Called, FileUrls, Followed, IoFile, JsonFile, Member, NoSigil, Not,
    NotBlock, Of, Process, Settings, Unimported,
};

/// Functions that do the same: what is in front of them, their names, and what they do.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) owner: Owner,
    names: &'static str,
    pub(super) meaning: Meaning,
}

const fn f(owner: Owner, names: &'static str, meaning: Meaning) -> Function {
    Function { owner, names, meaning }
}

/// The functions of each language.
const FUNCTIONS: [(Language, &[Function]); 10] = [
    (Language::Python, PYTHON),
    (Language::JavaScript, JAVASCRIPT),
    (Language::Perl, PERL),
    (Language::Ruby, RUBY),
    (Language::Php, PHP),
    (Language::Lua, LUA),
    (Language::R, R),
    (Language::Tcl, TCL),
    (Language::Lisp, LISP),
    (Language::Other, OTHER),
];

/// Functions by language and name, because every name of a piece of code is looked up.
static BY_NAME: LazyLock<HashMap<(Language, &str), Vec<&Function>>> = LazyLock::new(|| {
    let mut found: HashMap<_, Vec<&Function>> = HashMap::new();
    for (language, functions) in FUNCTIONS {
        for function in functions {
            for name in function.names.split(' ') {
                found.entry((language, name)).or_default().push(function);
            }
        }
    }
    found
});

/// The functions of a language with this name.
pub(super) fn named(language: Language, name: &str) -> impl Iterator<Item = &'static Function> {
    BY_NAME.get(&(language, name)).into_iter().flatten().copied()
}

/// Modules of Python whose `open` opens no text file.
const ARCHIVES: &[&str] =
    &["webbrowser", "Image", "shelve", "dbm", "wave", "zipfile", "tarfile", "gzip", "bz2", "lzma"];
/// Modules of Python that run processes.
const RUNNERS: &[&str] = &["subprocess", "sp", "pty", "os", "pexpect"];
const NODE_PROCESSES: &[&str] = &["Bun", "cp", "child_process", "childProcess", "proc"];
const NODE_FILES: &[&str] = &["fs", "promises", "fsp", "fsPromises", "Deno", ""];
const RUBY_FILES: &[&str] = &["File", "IO", "CSV", "Kernel", "Pathname", "YAML", "JSON", ""];

const PYTHON: &[Function] = &[
    f(Not(ARCHIVES), "open", Open(1)),
    f(Any, "FileIO", Open(1)),
    f(Any, "read_text read_bytes", ReadSelf),
    f(Any, "write_text write_bytes", WriteSelf),
    f(BareOr(&["linecache"]), "getline getlines", Read(0)),
    f(Any, "FileInput", Read(0)),
    f(Of(&["fileinput"]), "input", Read(0)),
    f(Any, "read_csv read_json read_table loadtxt genfromtxt fromfile read_fwf read_xml", Parse(0)),
    f(Settings, "read", Read(0)),
    f(Of(&["pkgutil"]), "get_data", Read(1)),
    f(Any, "getsource getsourcelines", Read(9)),
    f(FileUrls, "urlopen", Read(0)),
    f(BareOr(&["shutil"]), "copyfile copy copy2", CopyTo),
    f(
        Any,
        "system popen getoutput getstatusoutput check_output check_call Popen \
         create_subprocess_shell",
        Run(0),
    ),
    f(Process(RUNNERS), "run call spawn", Run(0)),
    f(Any, "create_subprocess_exec execlp execl", RunWords),
    f(Any, "execvp execv posix_spawn posix_spawnp", Run(1)),
    f(Any, "spawnv spawnvp", Run(2)),
    f(Unimported, "input", Stdin),
    f(Member, "stdin", Stdin),
    f(BareOr(&["builtins"]), "exec eval", Evaluate),
];

const JAVASCRIPT: &[Function] = &[
    f(JsonFile, "require", Parse(0)),
    f(
        Any,
        "readFileSync readFile createReadStream readTextFile readTextFileSync openAsBlob",
        Read(0),
    ),
    f(Any, "readJson readJsonSync readJSONSync", Parse(0)),
    f(
        Any,
        "outputFile outputFileSync writeJson writeJsonSync writeFileSync writeFile \
         appendFileSync appendFile createWriteStream truncateSync writeTextFile \
         writeTextFileSync",
        Write(0),
    ),
    f(Of(&["Bun"]), "file", Read(0)),
    f(FileUrls, "fetch", Read(0)),
    f(Any, "openSync", Open(1)),
    f(Of(NODE_FILES), "open", Open(1)),
    f(Of(NODE_FILES), "truncate", Write(0)),
    f(Of(&["Bun"]), "write", Write(0)),
    f(Any, "copyFileSync copyFile cpSync", CopyTo),
    f(Any, "execSync spawnSync execFileSync", Run(0)),
    f(Process(NODE_PROCESSES), "exec spawn execFile", Run(0)),
    f(Of(&["Deno"]), "Command", Run(0)),
    f(Member, "stdin", Stdin),
    f(Any, "eval Function runInThisContext runInNewContext", Evaluate),
];

const PERL: &[Function] = &[
    f(NoSigil, "open", PerlOpen),
    f(NoSigil, "sysopen", Open(2)),
    f(NoSigil, "read_file read_text read_lines new_from_file", Read(0)),
    f(Member, "slurp lines", ReadSelf),
    f(NoSigil, "slurp_utf8", ReadSelf),
    f(NoSigil, "write_file write_text append_file", Write(0)),
    f(NoSigil, "edit_file", Write(1)),
    f(Member, "spew", WriteSelf),
    f(NoSigil, "spew_utf8", WriteSelf),
    f(IoFile, "new", Open(1)),
    f(NoSigil, "copy", CopyTo),
    f(NoSigil, "system exec", RunWords),
    f(Any, "STDIN", Stdin),
    f(NotBlock, "eval", Evaluate),
];

const RUBY: &[Function] = &[
    f(BareOr(RUBY_FILES), "open", Open(1)),
    f(Of(RUBY_FILES), "read each_line", ReadSelf),
    f(Any, "binread", Read(0)),
    f(Of(RUBY_FILES), "readlines foreach", Read(0)),
    f(Any, "load_file", Parse(0)),
    f(Of(RUBY_FILES), "write", WriteSelf),
    f(Any, "binwrite", Write(0)),
    f(Any, "copy_stream", CopyTo),
    f(BareOr(&["Kernel", "Process"]), "system exec spawn", RunWords),
    f(Any, "popen", Run(0)),
    f(Any, "capture2 capture2e capture3", RunWords),
    f(Any, "ARGF STDIN stdin", Stdin),
    f(Unimported, "gets", Stdin),
    f(BareOr(&["Kernel", "Process"]), "eval", Evaluate),
    // Elixir.
    f(Of(RUBY_FILES), "read! stream!", Read(0)),
    f(Of(RUBY_FILES), "write!", Write(0)),
    f(Of(&["System"]), "cmd", RunWords),
    f(Of(&["System"]), "shell", Run(0)),
];

const PHP: &[Function] = &[
    f(Bare, "file_get_contents file php_strip_whitespace gzfile", Read(0)),
    f(
        Bare,
        "readfile highlight_file show_source include require include_once require_once \
         readgzfile",
        Print(0),
    ),
    f(Bare, "parse_ini_file simplexml_load_file", Parse(0)),
    f(Bare, "SplFileObject fopen", Open(1)),
    f(Bare, "file_put_contents", Write(0)),
    f(Bare, "copy", CopyTo),
    f(Bare, "shell_exec exec system passthru popen proc_open", Run(0)),
    f(Any, "STDIN", Stdin),
    f(Bare, "eval", Evaluate),
];

const LUA: &[Function] = &[
    f(Of(&["io", "os"]), "open", Open(1)),
    f(Of(&["io", "os"]), "lines input", Read(0)),
    f(Of(&["io", "os"]), "output", Write(0)),
    f(Of(&["io", "os"]), "popen execute", Run(0)),
    f(Of(&["io"]), "read", Stdin),
    f(Any, "load", Evaluate),
];

const R: &[Function] = &[
    f(Called, "readLines read_file read_lines readChar readtext scan file", Read(0)),
    f(Called, "read.csv read.table read.delim read_csv fread readRDS", Parse(0)),
    f(Called, "file.show", Print(0)),
    f(Called, "writeLines write_file dput", Write(1)),
    f(Called, "sink", Write(0)),
    // Only with `file=`.
    f(Called, "cat", Write(99)),
    f(Called, "system shell", Run(0)),
    f(Called, "system2", RunWords),
    // Julia.
    f(Called, "read readlines eachline readline", Read(0)),
    f(Called, "open", Open(1)),
    f(Called, "write", Write(0)),
];

const TCL: &[Function] = &[f(Any, "open", Open(1)), f(Any, "exec spawn", RunWords)];

const LISP: &[Function] = &[
    f(
        Any,
        "insert-file-contents insert-file-contents-literally insert-file find-file \
         find-file-noselect view-file slurp open-input-file call-with-input-file \
         with-input-from-file file->string file->lines",
        Read(0),
    ),
    f(Any, "write-region append-to-file", Write(2)),
    f(
        Any,
        "write-file with-temp-file spit open-output-file call-with-output-file \
         with-output-to-file",
        Write(0),
    ),
    f(Any, "display-to-file", Write(1)),
    f(Any, "shell-command shell-command-to-string system", Run(0)),
    f(Any, "call-process system*", RunWords),
];

const OTHER: &[Function] = &[
    f(
        Any,
        "readFile fromFile contentsOfFile open_in readAllLines readString ReadFile ReadAllText \
         ReadAllLines fileread Get-Content get-content",
        Read(0),
    ),
    f(
        Any,
        "writeFile appendFile open_out writeString WriteFile WriteAllText AppendAllText \
         Set-Content set-content Add-Content add-content Out-File out-file",
        Write(0),
    ),
    f(Any, "fopen", Open(1)),
    f(Followed, "File gc cat", Read(0)),
    f(Any, "Select-String select-string", Read(1)),
    f(Followed, "system script execute", Run(0)),
];
