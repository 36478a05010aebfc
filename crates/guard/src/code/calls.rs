//! Telling a call of a known function from a name that only looks like one.

use super::Language;
use super::expression::Code;
use super::functions::{Function, Meaning, Owner};
use super::names::plain_module;
use super::tokens::Token;

/// How far back the archive of a member is looked for, in tokens.
const ARCHIVE_NEAR: usize = 400;

impl Code<'_> {
    pub(super) fn at(&self, i: usize) -> Option<&Token> {
        self.tokens.get(i)
    }

    pub(super) fn before(&self, i: usize, back: usize) -> Option<&Token> {
        i.checked_sub(back).and_then(|i| self.tokens.get(i))
    }

    /// The module or object that a name belongs to: what is in front of the dot, or what the
    /// name was imported from.
    pub(super) fn owner(&self, i: usize) -> Option<&str> {
        self.member_of(i).or_else(|| match self.at(i) {
            Some(Token::Name(name)) => self.names.source(name),
            _ => None,
        })
    }

    /// The name in front of the dot, for `a.name`.
    pub(super) fn member_of(&self, i: usize) -> Option<&str> {
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
            Some(Token::Name(name)) => Some(self.names.module(name)),
            // `Path("x").name` and the like belong to something without a name.
            _ => Some(self.loaded_module((i + 1).saturating_sub(back)).unwrap_or("")),
        }
    }

    /// The module of `require("fs")` or `__import__("io")`, if that is what ends here.
    fn loaded_module(&self, end: usize) -> Option<&str> {
        match self.tokens.get(..end)? {
            [.., Token::Name(load), Token::Mark('('), Token::Text(module), Token::Mark(')')]
                if matches!(load.as_str(), "require" | "__import__" | "import_module") =>
            {
                Some(plain_module(module))
            }
            _ => None,
        }
    }

    /// Python's `Path("x").open("w")`: the path is not an argument.
    pub(super) fn opens_itself(&self, i: usize) -> bool {
        let modules = ["io", "codecs", "os", "tokenize", "builtins", "aiofiles", "__builtins__"];
        self.language == Language::Python
            && self.owner(i).is_some_and(|owner| !modules.contains(&owner))
    }

    /// Whether a name at this place is the function we mean.
    pub(super) fn is_called(&self, i: usize, function: &Function) -> bool {
        let defining = ["def", "function", "import", "sub", "from", "as", "fn"];
        if matches!(self.before(i, 1), Some(Token::Name(name)) if defining.contains(&name.as_str()))
        {
            return false;
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
        let called = self.at(i + 1).is_some_and(|token| {
            token.is('(') || (self.language == Language::Lua && matches!(token, Token::Text(_)))
        });
        (called || bare_calls || function.meaning == Meaning::Stdin) && self.fits(i, function.owner)
    }

    /// Whether what surrounds a name fits the function we mean.
    fn fits(&self, i: usize, wanted: Owner) -> bool {
        let owner = self.owner(i);
        let among = |list: &[&str]| owner.is_some_and(|owner| list.contains(&owner));
        let sigil = |marks: &[char]| {
            self.before(i, 1).is_some_and(|t| marks.iter().any(|mark| t.is(*mark)))
        };
        match wanted {
            Owner::Any => true,
            Owner::Bare => owner.is_none() && !sigil(&['$']),
            Owner::Unimported => match self.at(i) {
                Some(Token::Name(name)) => {
                    self.names.source(name).is_none() && matches!(owner, None | Some("STDIN"))
                }
                _ => false,
            },
            Owner::Member => owner.is_some(),
            Owner::Of(list) => among(list),
            Owner::BareOr(list) => owner.is_none() || among(list),
            Owner::Not(list) => !among(list) && !self.is_archive(i),
            Owner::Process(list) => among(list) || (owner.is_none() && self.runs_processes),
            Owner::FileUrls => self.names_file_urls,
            Owner::Settings => {
                self.reads_settings
                    && matches!(self.at(i + 2), Some(Token::Text(_) | Token::Mark('[')))
            }
            Owner::NoSigil => !sigil(&['$', '%', '&']),
            Owner::NotBlock => !self.at(i + 1).is_some_and(|t| t.is('{')),
            Owner::IoFile => {
                owner == Some("File")
                    && matches!(self.before(i, 6), Some(Token::Name(n)) if n == "IO")
            }
            Owner::Called => self.at(i + 1).is_some_and(|t| t.is('(')),
            Owner::JsonFile => {
                let json = |token: &Token| matches!(token, Token::Text(path) if path.to_ascii_lowercase().ends_with(".json"));
                owner.is_none() && self.at(i + 2).is_some_and(json)
            }
            Owner::Followed => {
                matches!(self.at(i + 1), Some(Token::Text(_) | Token::Name(_) | Token::Mark('(')))
            }
        }
    }

    /// Whether a member of this name belongs to a variable that holds an archive.
    fn is_archive(&self, i: usize) -> bool {
        let archives = ["ZipFile", "TarFile", "zipfile", "tarfile", "GzipFile"];
        let Some(Token::Name(object)) =
            self.before(i, 1).filter(|t| t.is('.')).and_then(|_| self.before(i, 2))
        else {
            // `ZipFile("a.zip").open("x")`
            return self.before(i, 1).is_some_and(|t| t.is('.'))
                && self.tokens[..i]
                    .iter()
                    .rev()
                    .take(24)
                    .any(|t| matches!(t, Token::Name(name) if archives.contains(&name.as_str())));
        };
        // `with ZipFile(p) as z`, `z = zipfile.ZipFile(p)`
        let named = |window: &[Token]| {
            window
                .iter()
                .any(|t| matches!(t, Token::Name(name) if archives.contains(&name.as_str())))
        };
        let near = i.saturating_sub(ARCHIVE_NEAR);
        (near..i).any(|at| {
            let token = &self.tokens[at];
            matches!(token, Token::Name(name) if name == object)
                && match self.before(at, 1) {
                    Some(Token::Name(word)) if word == "as" => {
                        named(&self.tokens[at.saturating_sub(24)..at])
                    }
                    _ if self.at(at + 1).is_some_and(|t| t.is('=')) => {
                        named(&self.tokens[at..self.tokens.len().min(at + 8)])
                    }
                    _ => false,
                }
        })
    }

    /// PHP's `require "x.php"` runs a file; of any other file it prints the text.
    pub(super) fn includes_code(&self, i: usize, path: &str) -> bool {
        let including = ["include", "include_once", "require", "require_once"];
        let extension = path.rsplit('.').next();
        self.language == Language::Php
            && matches!(self.at(i), Some(Token::Name(name)) if including.contains(&name.as_str()))
            && extension.is_some_and(|extension| extension.eq_ignore_ascii_case("php"))
    }
}
