//! Functions that open files or run commands, by language, as data.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Language;

/// What a function does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Reads the file named by the argument with this index.
    Read(usize),
    /// Prints the file named by the argument with this index.
    Print(usize),
    /// Reads the file named by the argument with this index into an object.
    Parse(usize),
    /// Writes the file named by the argument with this index.
    Write(usize),
    /// Opens the file named by the first argument; the argument with this index is the mode.
    Open(usize),
    /// Reads the file that the function is called on.
    ReadSelf,
    /// Writes the file that the function is called on.
    WriteSelf,
    /// Opens the file that the function is called on; the first argument is the mode.
    OpenSelf,
    /// Runs a script or a list of words, given as the argument with this index.
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

/// What must stand around a name for it to be the function in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// Any module or object in front of the name, or none.
    Any,
    /// No module or object in front of the name.
    Bare,
    /// No module or object in front of the name, which was not imported either.
    Unimported,
    /// Some module or object in front of the name.
    Member,
    /// One of these modules in front of the name; `""` is an object without a name.
    Of(&'static [&'static str]),
    /// One of these modules in front of the name, or none.
    BareOr(&'static [&'static str]),
    /// Any module in front of the name but these, or none; members of archives do not count.
    Not(&'static [&'static str]),
    /// One of these modules in front, or none if the code names a module that runs processes.
    Process(&'static [&'static str]),
    /// Anything in front of the name, if the code holds a `file:` URL.
    FileUrls,
    /// Anything in front, if the code uses `configparser` and the argument is a literal.
    Settings,
    /// No `$`, `%` or `&` in front of the name.
    NoSigil,
    /// Anything in front of the name, unless a block follows it.
    NotBlock,
    /// `IO::File` in front of the name.
    IoFile,
    /// Anything in front of the name, if parentheses follow it.
    Called,
    /// Anything in front of the name, if an argument follows it.
    Followed,
    /// Nothing in front of the name, if the argument is a JSON file.
    JsonFile,
}

use Owner::{
    Any, Bare, BareOr, Called, FileUrls, Followed, IoFile, JsonFile, Member, NoSigil, Not,
    NotBlock, Of, Process, Settings, Unimported,
};

/// Functions with one meaning: what stands around them, their names, and what they do.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) owner: Owner,
    names: &'static str,
    pub(super) meaning: Meaning,
}

/// Rows: owner, names, meaning.
macro_rules! functions {
    ($($owner:ident $(($among:expr))? $names:literal => $meaning:expr;)*) => {
        &[$(Function { owner: $owner $(($among))?, names: $names, meaning: $meaning },)*]
    };
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

/// Functions by language and name; a map, because each name in the code is looked up.
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
pub(super) fn by_name(language: Language, name: &str) -> impl Iterator<Item = &'static Function> {
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

const PYTHON: &[Function] = functions! {
    Not(ARCHIVES) "open" => Open(1);
    Any "FileIO" => Open(1);
    Any "read_text read_bytes" => ReadSelf;
    Any "write_text write_bytes" => WriteSelf;
    BareOr(&["linecache"]) "getline getlines" => Read(0);
    Any "FileInput" => Read(0);
    Of(&["fileinput"]) "input" => Read(0);
    Any "read_csv read_json read_table loadtxt genfromtxt fromfile read_fwf read_xml" => Parse(0);
    Settings "read" => Read(0);
    Of(&["pkgutil"]) "get_data" => Read(1);
    Any "getsource getsourcelines" => Read(9);
    FileUrls "urlopen" => Read(0);
    BareOr(&["shutil"]) "copyfile copy copy2" => CopyTo;
    Any "system popen getoutput getstatusoutput check_output check_call Popen \
        create_subprocess_shell" => Run(0);
    Process(RUNNERS) "run call spawn" => Run(0);
    Any "create_subprocess_exec execlp execl" => RunWords;
    Any "execvp execv posix_spawn posix_spawnp" => Run(1);
    Any "spawnv spawnvp" => Run(2);
    Unimported "input" => Stdin;
    Member "stdin" => Stdin;
    BareOr(&["builtins"]) "exec eval" => Evaluate;
};

const JAVASCRIPT: &[Function] = functions! {
    JsonFile "require" => Parse(0);
    Any "readFileSync readFile createReadStream readTextFile readTextFileSync openAsBlob" => Read(0);
    Any "readJson readJsonSync readJSONSync" => Parse(0);
    Any "outputFile outputFileSync writeJson writeJsonSync writeFileSync writeFile appendFileSync \
        appendFile createWriteStream truncateSync writeTextFile writeTextFileSync" => Write(0);
    Of(&["Bun"]) "file" => Read(0);
    FileUrls "fetch" => Read(0);
    Any "openSync" => Open(1);
    Of(NODE_FILES) "open" => Open(1);
    Of(NODE_FILES) "truncate" => Write(0);
    Of(&["Bun"]) "write" => Write(0);
    Any "copyFileSync copyFile cpSync" => CopyTo;
    Any "execSync spawnSync execFileSync" => Run(0);
    Process(NODE_PROCESSES) "exec spawn execFile" => Run(0);
    Of(&["Deno"]) "Command" => Run(0);
    Member "stdin" => Stdin;
    Any "eval Function runInThisContext runInNewContext" => Evaluate;
};

const PERL: &[Function] = functions! {
    NoSigil "open" => PerlOpen;
    NoSigil "sysopen" => Open(2);
    NoSigil "read_file read_text read_lines new_from_file" => Read(0);
    Member "slurp lines" => ReadSelf;
    NoSigil "slurp_utf8" => ReadSelf;
    NoSigil "write_file write_text append_file" => Write(0);
    NoSigil "edit_file" => Write(1);
    Member "spew" => WriteSelf;
    NoSigil "spew_utf8" => WriteSelf;
    IoFile "new" => Open(1);
    NoSigil "copy" => CopyTo;
    NoSigil "system exec" => RunWords;
    Any "STDIN" => Stdin;
    NotBlock "eval" => Evaluate;
};

const RUBY: &[Function] = functions! {
    BareOr(RUBY_FILES) "open" => Open(1);
    Of(RUBY_FILES) "read each_line" => ReadSelf;
    Any "binread" => Read(0);
    Of(RUBY_FILES) "readlines foreach" => Read(0);
    Any "load_file" => Parse(0);
    Of(RUBY_FILES) "write" => WriteSelf;
    Any "binwrite" => Write(0);
    Any "copy_stream" => CopyTo;
    BareOr(&["Kernel", "Process"]) "system exec spawn" => RunWords;
    Any "popen" => Run(0);
    Any "capture2 capture2e capture3" => RunWords;
    Any "ARGF STDIN stdin" => Stdin;
    Unimported "gets" => Stdin;
    BareOr(&["Kernel", "Process"]) "eval" => Evaluate;
    // Elixir.
    Of(RUBY_FILES) "read! stream!" => Read(0);
    Of(RUBY_FILES) "write!" => Write(0);
    Of(&["System"]) "cmd" => RunWords;
    Of(&["System"]) "shell" => Run(0);
};

const PHP: &[Function] = functions! {
    Bare "file_get_contents file php_strip_whitespace gzfile" => Read(0);
    Bare "readfile highlight_file show_source include require include_once require_once readgzfile"
        => Print(0);
    Bare "parse_ini_file simplexml_load_file" => Parse(0);
    Bare "SplFileObject fopen" => Open(1);
    Bare "file_put_contents" => Write(0);
    Bare "copy" => CopyTo;
    Bare "shell_exec exec system passthru popen proc_open" => Run(0);
    Any "STDIN" => Stdin;
    Bare "eval" => Evaluate;
};

const LUA: &[Function] = functions! {
    Of(&["io", "os"]) "open" => Open(1);
    Of(&["io", "os"]) "lines input" => Read(0);
    Of(&["io", "os"]) "output" => Write(0);
    Of(&["io", "os"]) "popen execute" => Run(0);
    Of(&["io"]) "read" => Stdin;
    Any "load" => Evaluate;
};

const R: &[Function] = functions! {
    Called "readLines read_file read_lines readChar readtext scan file" => Read(0);
    Called "read.csv read.table read.delim read_csv fread readRDS" => Parse(0);
    Called "file.show" => Print(0);
    Called "writeLines write_file dput" => Write(1);
    Called "sink" => Write(0);
    // R's `cat` writes a file only with `file=`.
    Called "cat" => Write(99);
    Called "system shell" => Run(0);
    Called "system2" => RunWords;
    // Julia.
    Called "read readlines eachline readline" => Read(0);
    Called "open" => Open(1);
    Called "write" => Write(0);
};

const TCL: &[Function] = functions! {
    Any "open" => Open(1);
    Any "exec spawn" => RunWords;
};

const LISP: &[Function] = functions! {
    Any "insert-file-contents insert-file-contents-literally insert-file find-file \
        find-file-noselect view-file slurp open-input-file call-with-input-file \
        with-input-from-file file->string file->lines" => Read(0);
    Any "write-region append-to-file" => Write(2);
    Any "write-file with-temp-file spit open-output-file call-with-output-file with-output-to-file"
        => Write(0);
    Any "display-to-file" => Write(1);
    Any "shell-command shell-command-to-string system" => Run(0);
    Any "call-process system*" => RunWords;
};

const OTHER: &[Function] = functions! {
    Any "readFile fromFile contentsOfFile open_in readAllLines readString ReadFile fileread" => Read(0);
    Any "writeFile appendFile open_out writeString WriteFile" => Write(0);
    Any "fopen" => Open(1);
    Followed "File" => Read(0);
    Followed "system script execute" => Run(0);
};
