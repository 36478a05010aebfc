//! Functions that open files or run commands, by language, as data.

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

/// What stands in front of a name when it is the function we mean.
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

/// A function: what stands in front of it, its name, and what it does.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) owner: Owner,
    pub(super) name: &'static str,
    pub(super) meaning: Meaning,
}

const fn f(owner: Owner, name: &'static str, meaning: Meaning) -> Function {
    Function { owner, name, meaning }
}

/// The functions of a language.
pub(super) fn functions(language: Language) -> &'static [Function] {
    match language {
        Language::Python => PYTHON,
        Language::JavaScript => JAVASCRIPT,
        Language::Perl => PERL,
        Language::Ruby => RUBY,
        Language::Php => PHP,
        Language::Lua => LUA,
        Language::R => R,
        Language::Tcl => TCL,
        Language::Lisp => LISP,
        Language::Other => OTHER,
    }
}

/// The functions of a language with this name.
pub(super) fn named(language: Language, name: &str) -> impl Iterator<Item = &'static Function> {
    functions(language).iter().filter(move |function| function.name == name)
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
    f(Any, "read_text", ReadSelf),
    f(Any, "read_bytes", ReadSelf),
    f(Any, "write_text", WriteSelf),
    f(Any, "write_bytes", WriteSelf),
    f(BareOr(&["linecache"]), "getline", Read(0)),
    f(BareOr(&["linecache"]), "getlines", Read(0)),
    f(Any, "FileInput", Read(0)),
    f(Of(&["fileinput"]), "input", Read(0)),
    f(Any, "read_csv", Parse(0)),
    f(Any, "read_json", Parse(0)),
    f(Any, "read_table", Parse(0)),
    f(Any, "loadtxt", Parse(0)),
    f(Any, "genfromtxt", Parse(0)),
    f(Any, "fromfile", Parse(0)),
    f(Any, "read_fwf", Parse(0)),
    f(Any, "read_xml", Parse(0)),
    f(Settings, "read", Read(0)),
    f(Of(&["pkgutil"]), "get_data", Read(1)),
    f(Any, "getsource", Read(9)),
    f(Any, "getsourcelines", Read(9)),
    f(FileUrls, "urlopen", Read(0)),
    f(BareOr(&["shutil"]), "copyfile", CopyTo),
    f(BareOr(&["shutil"]), "copy", CopyTo),
    f(BareOr(&["shutil"]), "copy2", CopyTo),
    f(Any, "system", Run(0)),
    f(Any, "popen", Run(0)),
    f(Any, "getoutput", Run(0)),
    f(Any, "getstatusoutput", Run(0)),
    f(Any, "check_output", Run(0)),
    f(Any, "check_call", Run(0)),
    f(Any, "Popen", Run(0)),
    f(Process(RUNNERS), "run", Run(0)),
    f(Process(RUNNERS), "call", Run(0)),
    f(Any, "create_subprocess_shell", Run(0)),
    f(Any, "create_subprocess_exec", RunWords),
    f(Process(RUNNERS), "spawn", Run(0)),
    f(Any, "execvp", Run(1)),
    f(Any, "execv", Run(1)),
    f(Any, "posix_spawn", Run(1)),
    f(Any, "posix_spawnp", Run(1)),
    f(Any, "spawnv", Run(2)),
    f(Any, "spawnvp", Run(2)),
    f(Any, "execlp", RunWords),
    f(Any, "execl", RunWords),
    f(Unimported, "input", Stdin),
    f(Member, "stdin", Stdin),
    f(BareOr(&["builtins"]), "exec", Evaluate),
    f(BareOr(&["builtins"]), "eval", Evaluate),
];

const JAVASCRIPT: &[Function] = &[
    f(JsonFile, "require", Parse(0)),
    f(Any, "readFileSync", Read(0)),
    f(Any, "readFile", Read(0)),
    f(Any, "createReadStream", Read(0)),
    f(Any, "readTextFile", Read(0)),
    f(Any, "readTextFileSync", Read(0)),
    f(Any, "openAsBlob", Read(0)),
    f(Any, "readJson", Parse(0)),
    f(Any, "readJsonSync", Parse(0)),
    f(Any, "readJSONSync", Parse(0)),
    f(Any, "outputFile", Write(0)),
    f(Any, "outputFileSync", Write(0)),
    f(Any, "writeJson", Write(0)),
    f(Any, "writeJsonSync", Write(0)),
    f(Of(&["Bun"]), "file", Read(0)),
    f(FileUrls, "fetch", Read(0)),
    f(Any, "openSync", Open(1)),
    f(Of(NODE_FILES), "open", Open(1)),
    f(Any, "writeFileSync", Write(0)),
    f(Any, "writeFile", Write(0)),
    f(Any, "appendFileSync", Write(0)),
    f(Any, "appendFile", Write(0)),
    f(Any, "createWriteStream", Write(0)),
    f(Any, "truncateSync", Write(0)),
    f(Of(NODE_FILES), "truncate", Write(0)),
    f(Any, "writeTextFile", Write(0)),
    f(Any, "writeTextFileSync", Write(0)),
    f(Of(&["Bun"]), "write", Write(0)),
    f(Any, "copyFileSync", CopyTo),
    f(Any, "copyFile", CopyTo),
    f(Any, "cpSync", CopyTo),
    f(Any, "execSync", Run(0)),
    f(Process(NODE_PROCESSES), "exec", Run(0)),
    f(Any, "spawnSync", Run(0)),
    f(Process(NODE_PROCESSES), "spawn", Run(0)),
    f(Any, "execFileSync", Run(0)),
    f(Process(NODE_PROCESSES), "execFile", Run(0)),
    f(Of(&["Deno"]), "Command", Run(0)),
    f(Member, "stdin", Stdin),
    f(Any, "eval", Evaluate),
    f(Any, "Function", Evaluate),
    f(Any, "runInThisContext", Evaluate),
    f(Any, "runInNewContext", Evaluate),
];

const PERL: &[Function] = &[
    f(NoSigil, "open", PerlOpen),
    f(NoSigil, "sysopen", Open(2)),
    f(NoSigil, "read_file", Read(0)),
    f(NoSigil, "read_text", Read(0)),
    f(NoSigil, "read_lines", Read(0)),
    f(Member, "slurp", ReadSelf),
    f(NoSigil, "slurp_utf8", ReadSelf),
    f(Member, "lines", ReadSelf),
    f(NoSigil, "write_file", Write(0)),
    f(NoSigil, "write_text", Write(0)),
    f(NoSigil, "append_file", Write(0)),
    f(NoSigil, "edit_file", Write(1)),
    f(Member, "spew", WriteSelf),
    f(NoSigil, "spew_utf8", WriteSelf),
    f(NoSigil, "new_from_file", Read(0)),
    f(IoFile, "new", Open(1)),
    f(NoSigil, "copy", CopyTo),
    f(NoSigil, "system", RunWords),
    f(NoSigil, "exec", RunWords),
    f(Any, "STDIN", Stdin),
    f(NotBlock, "eval", Evaluate),
];

const RUBY: &[Function] = &[
    f(BareOr(RUBY_FILES), "open", Open(1)),
    f(Of(RUBY_FILES), "read", ReadSelf),
    f(Any, "binread", Read(0)),
    f(Of(RUBY_FILES), "readlines", Read(0)),
    f(Of(RUBY_FILES), "foreach", Read(0)),
    f(Of(RUBY_FILES), "each_line", ReadSelf),
    f(Any, "load_file", Parse(0)),
    f(Of(RUBY_FILES), "write", WriteSelf),
    f(Any, "binwrite", Write(0)),
    f(Any, "copy_stream", CopyTo),
    f(BareOr(&["Kernel", "Process"]), "system", RunWords),
    f(BareOr(&["Kernel", "Process"]), "exec", RunWords),
    f(BareOr(&["Kernel", "Process"]), "spawn", RunWords),
    f(Any, "popen", Run(0)),
    f(Any, "capture2", RunWords),
    f(Any, "capture2e", RunWords),
    f(Any, "capture3", RunWords),
    f(Any, "ARGF", Stdin),
    f(Unimported, "gets", Stdin),
    f(Any, "STDIN", Stdin),
    f(Any, "stdin", Stdin),
    f(BareOr(&["Kernel", "Process"]), "eval", Evaluate),
    // Elixir.
    f(Of(RUBY_FILES), "read!", Read(0)),
    f(Of(RUBY_FILES), "stream!", Read(0)),
    f(Of(RUBY_FILES), "write!", Write(0)),
    f(Of(&["System"]), "cmd", RunWords),
    f(Of(&["System"]), "shell", Run(0)),
];

const PHP: &[Function] = &[
    f(Bare, "file_get_contents", Read(0)),
    f(Bare, "readfile", Print(0)),
    f(Bare, "file", Read(0)),
    f(Bare, "highlight_file", Print(0)),
    f(Bare, "show_source", Print(0)),
    f(Bare, "php_strip_whitespace", Read(0)),
    f(Bare, "parse_ini_file", Parse(0)),
    f(Bare, "simplexml_load_file", Parse(0)),
    f(Bare, "SplFileObject", Open(1)),
    f(Bare, "include", Print(0)),
    f(Bare, "require", Print(0)),
    f(Bare, "include_once", Print(0)),
    f(Bare, "require_once", Print(0)),
    f(Bare, "fopen", Open(1)),
    f(Bare, "gzfile", Read(0)),
    f(Bare, "readgzfile", Print(0)),
    f(Bare, "file_put_contents", Write(0)),
    f(Bare, "copy", CopyTo),
    f(Bare, "shell_exec", Run(0)),
    f(Bare, "exec", Run(0)),
    f(Bare, "system", Run(0)),
    f(Bare, "passthru", Run(0)),
    f(Bare, "popen", Run(0)),
    f(Bare, "proc_open", Run(0)),
    f(Any, "STDIN", Stdin),
    f(Bare, "eval", Evaluate),
];

const LUA: &[Function] = &[
    f(Of(&["io", "os"]), "open", Open(1)),
    f(Of(&["io", "os"]), "lines", Read(0)),
    f(Of(&["io", "os"]), "input", Read(0)),
    f(Of(&["io", "os"]), "output", Write(0)),
    f(Of(&["io", "os"]), "popen", Run(0)),
    f(Of(&["io", "os"]), "execute", Run(0)),
    f(Of(&["io"]), "read", Stdin),
    f(Any, "load", Evaluate),
];

const R: &[Function] = &[
    f(Called, "readLines", Read(0)),
    f(Called, "read.csv", Parse(0)),
    f(Called, "read.table", Parse(0)),
    f(Called, "read.delim", Parse(0)),
    f(Called, "read_file", Read(0)),
    f(Called, "read_lines", Read(0)),
    f(Called, "read_csv", Parse(0)),
    f(Called, "readChar", Read(0)),
    f(Called, "readtext", Read(0)),
    f(Called, "fread", Parse(0)),
    f(Called, "scan", Read(0)),
    f(Called, "readRDS", Parse(0)),
    f(Called, "file", Read(0)),
    f(Called, "file.show", Print(0)),
    f(Called, "writeLines", Write(1)),
    f(Called, "write_file", Write(1)),
    f(Called, "sink", Write(0)),
    // Only with `file=`.
    f(Called, "cat", Write(99)),
    f(Called, "dput", Write(1)),
    f(Called, "system", Run(0)),
    f(Called, "system2", RunWords),
    f(Called, "shell", Run(0)),
    // Julia.
    f(Called, "read", Read(0)),
    f(Called, "readlines", Read(0)),
    f(Called, "eachline", Read(0)),
    f(Called, "readline", Read(0)),
    f(Called, "open", Open(1)),
    f(Called, "write", Write(0)),
];

const TCL: &[Function] =
    &[f(Any, "open", Open(1)), f(Any, "exec", RunWords), f(Any, "spawn", RunWords)];

const LISP: &[Function] = &[
    f(Any, "insert-file-contents", Read(0)),
    f(Any, "insert-file-contents-literally", Read(0)),
    f(Any, "insert-file", Read(0)),
    f(Any, "find-file", Read(0)),
    f(Any, "find-file-noselect", Read(0)),
    f(Any, "view-file", Read(0)),
    f(Any, "slurp", Read(0)),
    f(Any, "open-input-file", Read(0)),
    f(Any, "call-with-input-file", Read(0)),
    f(Any, "with-input-from-file", Read(0)),
    f(Any, "file->string", Read(0)),
    f(Any, "file->lines", Read(0)),
    f(Any, "write-region", Write(2)),
    f(Any, "write-file", Write(0)),
    f(Any, "append-to-file", Write(2)),
    f(Any, "with-temp-file", Write(0)),
    f(Any, "spit", Write(0)),
    f(Any, "open-output-file", Write(0)),
    f(Any, "call-with-output-file", Write(0)),
    f(Any, "with-output-to-file", Write(0)),
    f(Any, "display-to-file", Write(1)),
    f(Any, "shell-command", Run(0)),
    f(Any, "shell-command-to-string", Run(0)),
    f(Any, "call-process", RunWords),
    f(Any, "system", Run(0)),
    f(Any, "system*", RunWords),
];

const OTHER: &[Function] = &[
    f(Any, "readFile", Read(0)),
    f(Any, "writeFile", Write(0)),
    f(Any, "appendFile", Write(0)),
    f(Any, "fromFile", Read(0)),
    f(Any, "contentsOfFile", Read(0)),
    f(Any, "open_in", Read(0)),
    f(Any, "open_out", Write(0)),
    f(Any, "readAllLines", Read(0)),
    f(Any, "readString", Read(0)),
    f(Any, "writeString", Write(0)),
    f(Any, "ReadFile", Read(0)),
    f(Any, "WriteFile", Write(0)),
    f(Any, "ReadAllText", Read(0)),
    f(Any, "ReadAllLines", Read(0)),
    f(Any, "WriteAllText", Write(0)),
    f(Any, "AppendAllText", Write(0)),
    f(Any, "fileread", Read(0)),
    f(Any, "fopen", Open(1)),
    f(Followed, "File", Read(0)),
    f(Any, "Get-Content", Read(0)),
    f(Any, "get-content", Read(0)),
    f(Followed, "gc", Read(0)),
    f(Followed, "cat", Read(0)),
    f(Any, "Select-String", Read(1)),
    f(Any, "select-string", Read(1)),
    f(Any, "Set-Content", Write(0)),
    f(Any, "set-content", Write(0)),
    f(Any, "Add-Content", Write(0)),
    f(Any, "add-content", Write(0)),
    f(Any, "Out-File", Write(0)),
    f(Any, "out-file", Write(0)),
    f(Followed, "system", Run(0)),
    f(Followed, "script", Run(0)),
    f(Followed, "execute", Run(0)),
];
