//! Telling a call of a known function from a name that only looks like one.

use super::Language;
use super::expression::Code;
use super::functions::Deed;
use super::tokens::Token;

impl Code<'_> {
    pub(super) fn at(&self, i: usize) -> Option<&Token> {
        self.tokens.get(i)
    }

    pub(super) fn before(&self, i: usize, back: usize) -> Option<&Token> {
        i.checked_sub(back).and_then(|i| self.tokens.get(i))
    }

    /// The name in front of the dot, for `a.name`.
    pub(super) fn owner(&self, i: usize) -> Option<&str> {
        let arrow = self.before(i, 1).is_some_and(|t| t.is('>'))
            && self.before(i, 2).is_some_and(|t| t.is('-'));
        let colons = self.before(i, 1).is_some_and(|t| t.is(':'))
            && self.before(i, 2).is_some_and(|t| t.is(':'));
        let back = if arrow || colons {
            3
        } else if self.before(i, 1).is_some_and(|t| t.is('.')) {
            2
        } else {
            return None;
        };
        match self.before(i, back) {
            Some(Token::Name(name)) => Some(name),
            // `Path("x").name` and the like belong to something without a name.
            _ => Some(""),
        }
    }

    /// Python's `Path("x").open("w")`: the path is not an argument.
    pub(super) fn opens_itself(&self, i: usize) -> bool {
        let modules = ["io", "codecs", "os", "tokenize", "builtins", "aiofiles", "__builtins__"];
        self.language == Language::Python
            && self.owner(i).is_some_and(|owner| !modules.contains(&owner))
    }

    /// Whether a name at this place is the function we mean.
    pub(super) fn is_called(&self, i: usize, name: &str, deed: Deed) -> bool {
        if let Some(Token::Name(before)) = self.before(i, 1)
            && matches!(
                before.as_str(),
                "def" | "function" | "import" | "sub" | "from" | "as" | "fn"
            )
        {
            return false;
        }
        let owner = self.owner(i);
        let called = self.at(i + 1).is_some_and(|token| token.is('('));
        if deed == Deed::Stdin {
            return match (self.language, name) {
                (Language::Python, "input") | (Language::Ruby, "gets") => {
                    owner.is_none() || owner == Some("STDIN")
                }
                (Language::Lua, "read") => owner == Some("io"),
                (Language::Python | Language::JavaScript, "stdin") => owner.is_some(),
                _ => true,
            };
        }
        let bare_calls = matches!(
            self.language,
            Language::Perl
                | Language::Ruby
                | Language::Lisp
                | Language::Tcl
                | Language::Php
                | Language::Other
        );
        if !called && !bare_calls {
            return false;
        }
        self.is_meant(i, name, owner)
    }

    /// Whether what stands in front of a name fits the function we mean.
    fn is_meant(&self, i: usize, name: &str, owner: Option<&str>) -> bool {
        let called = self.at(i + 1).is_some_and(|token| token.is('('));
        match self.language {
            Language::Python => match name {
                "open" => !matches!(
                    owner,
                    Some(
                        "webbrowser"
                            | "Image"
                            | "shelve"
                            | "dbm"
                            | "wave"
                            | "zipfile"
                            | "tarfile"
                            | "gzip"
                            | "bz2"
                            | "lzma"
                    )
                ),
                "run" | "call" | "spawn" => match owner {
                    Some(owner) => matches!(owner, "subprocess" | "sp" | "pty" | "os"),
                    None => self.runs_processes,
                },
                "input" => owner == Some("fileinput"),
                "copy" | "copy2" | "copyfile" => owner.is_none_or(|owner| owner == "shutil"),
                "exec" | "eval" => owner.is_none() || owner == Some("builtins"),
                "urlopen" => self.names_file_urls,
                "getline" | "getlines" => owner.is_none_or(|owner| owner == "linecache"),
                _ => true,
            },
            Language::JavaScript => match name {
                "exec" | "spawn" | "execFile" => {
                    self.runs_processes || matches!(owner, Some("Bun" | "cp"))
                }
                "Command" => owner == Some("Deno"),
                "write" | "file" => owner == Some("Bun"),
                "fetch" => self.names_file_urls,
                "open" | "truncate" => owner.is_some_and(|owner| {
                    matches!(owner, "fs" | "promises" | "fsp" | "fsPromises" | "Deno" | "")
                }),
                _ => true,
            },
            Language::Ruby => match name {
                "read" | "write" | "readlines" | "foreach" | "each_line" | "open" | "read!"
                | "write!" | "stream!" => {
                    owner.is_none_or(|owner| {
                        matches!(
                            owner,
                            "File" | "IO" | "CSV" | "Kernel" | "Pathname" | "YAML" | "JSON" | ""
                        )
                    }) && (owner.is_some() || name == "open")
                }
                "cmd" | "shell" => owner == Some("System"),
                "system" | "exec" | "spawn" | "eval" => {
                    owner.is_none_or(|owner| matches!(owner, "Kernel" | "Process"))
                }
                _ => true,
            },
            Language::Lua => {
                owner.is_some_and(|owner| matches!(owner, "io" | "os")) || name == "load"
            }
            Language::Perl => match name {
                "eval" => !self.at(i + 1).is_some_and(|t| t.is('{')),
                "lines" | "slurp" | "spew" => owner.is_some(),
                _ => !matches!(self.before(i, 1), Some(Token::Mark('$' | '%' | '&'))),
            },
            Language::Php => {
                !matches!(self.before(i, 1), Some(Token::Mark('$'))) && owner.is_none()
            }
            Language::R => called,
            Language::Other => match name {
                "type" | "gc" | "cat" | "system" | "execute" | "script" | "File" => {
                    matches!(
                        self.at(i + 1),
                        Some(Token::Text(_) | Token::Name(_) | Token::Mark('('))
                    )
                }
                _ => true,
            },
            Language::Tcl | Language::Lisp => true,
        }
    }

    /// PHP's `require "x.php"` runs a file; of any other file it prints the text.
    pub(super) fn includes_code(&self, i: usize, path: &str) -> bool {
        let including = ["include", "include_once", "require", "require_once"];
        let extension = path.rsplit('.').next();
        self.language == Language::Php
            && matches!(self.at(i), Some(Token::Name(name)) if including.contains(&name.as_str()))
            && extension.is_some_and(|extension| extension.eq_ignore_ascii_case("php"))
    }

    /// Whether a function is given another name or handed to something that will call it.
    pub(super) fn is_passed_on(&self, i: usize, name: &str, deed: Deed) -> bool {
        if matches!(deed, Deed::Stdin | Deed::Evaluate | Deed::CopyTo) {
            return false;
        }
        let next = self.at(i + 1);
        let before = self.before(i, 1);
        match self.language {
            // `const {readFileSync: r} = fs`, `const r = fs.readFileSync;`
            Language::JavaScript => {
                let distinctive = name.len() > 7;
                let renamed = next.is_some_and(|t| t.is(':'))
                    && before.is_some_and(|t| t.is('{') || t.is(','));
                let kept = before.is_some_and(|t| t.is('.'))
                    && next.is_none_or(|t| t.is(';') || t.is('\n') || t.is(')'));
                distinctive && (renamed || kept)
            }
            // `o = open`, `map(open, names)`
            Language::Python => {
                let function = matches!(name, "open" | "system" | "popen" | "check_output");
                let kept = before.is_some_and(|t| t.is('=') || t.is('('))
                    && next.is_none_or(|t| t.is(';') || t.is('\n') || t.is(','));
                function && kept
            }
            _ => false,
        }
    }

    /// Whether a string stands where it picks a member: `[...]` before `(`, or in `getattr`.
    pub(super) fn is_index(&self, i: usize) -> bool {
        let bracketed = self.before(i, 1).is_some_and(|t| t.is('['))
            && self.at(i + 1).is_some_and(|t| t.is(']'))
            && self.at(i + 2).is_some_and(|t| t.is('('));
        let fetched = self.before(i, 1).is_some_and(|t| t.is(','))
            && self.tokens[..i]
                .iter()
                .rev()
                .take(8)
                .any(|t| matches!(t, Token::Name(n) if n == "getattr"));
        bracketed || fetched
    }
}
