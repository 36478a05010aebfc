//! Telling a call of a known function from a name that only looks like one.

use super::Language;
use super::expression::Code;
use super::functions::{Function, Meaning, Owner};
use super::names::plain_module;
use super::tokens::Token;

/// How many tokens back the archive that a member belongs to is searched for.
const ARCHIVE_NEAR: usize = 400;

impl Code<'_> {
    /// The module or object that the name at `i` belongs to: the name before the dot, or the module
    /// that the name was imported from.
    pub(super) fn owner(&self, i: usize) -> Option<&str> {
        self.member_of(i).or_else(|| self.names.source(self.name_at(i)?))
    }

    /// The name in front of the dot, for `a.name`.
    pub(super) fn member_of(&self, i: usize) -> Option<&str> {
        let back = match &self.tokens[..i.min(self.tokens.len())] {
            [.., Token::Mark('-'), Token::Mark('>')] | [.., Token::Mark(':'), Token::Mark(':')] => {
                3
            }
            [.., Token::Mark('.')] => 2,
            _ => return None,
        };
        match self.name_at(i.wrapping_sub(back)) {
            Some(name) => Some(self.names.module(name)),
            // In `Path("x").name`, the owner has no name.
            None => Some(self.loaded_module((i + 1).saturating_sub(back)).unwrap_or("")),
        }
    }

    /// The module of `require("fs")` or `__import__("io")`, if such a call ends at `end`.
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

    /// Whether `open` is a method of a path, as in Python's `Path("x").open("w")`.
    pub(super) fn opens_itself(&self, i: usize) -> bool {
        let modules = ["io", "codecs", "os", "tokenize", "builtins", "aiofiles", "__builtins__"];
        self.language == Language::Python
            && self.owner(i).is_some_and(|owner| !modules.contains(&owner))
    }

    /// Whether the name at `i` is a call of this function.
    pub(super) fn is_called(&self, i: usize, function: &Function) -> bool {
        let defining = ["def", "function", "import", "sub", "from", "as", "fn"];
        if self.name_at(i.wrapping_sub(1)).is_some_and(|name| defining.contains(&name)) {
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
        let text = matches!(self.at(i + 1), Some(Token::Text(_)));
        let called = self.is(i + 1, '(') || (self.language == Language::Lua && text);
        (called || bare_calls || function.meaning == Meaning::Stdin) && self.fits(i, function.owner)
    }

    /// Whether the tokens around the name at `i` are those that the function needs.
    fn fits(&self, i: usize, wanted: Owner) -> bool {
        let owner = self.owner(i);
        let among = |list: &[&str]| owner.is_some_and(|owner| list.contains(&owner));
        let sigil = |marks: &[char]| marks.iter().any(|mark| self.is(i.wrapping_sub(1), *mark));
        match wanted {
            Owner::Any => true,
            Owner::Bare => owner.is_none() && !sigil(&['$']),
            Owner::Unimported => {
                let imported = self.name_at(i).and_then(|name| self.names.source(name));
                imported.is_none() && matches!(owner, None | Some("STDIN"))
            }
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
            Owner::NotBlock => !self.is(i + 1, '{'),
            Owner::IoFile => owner == Some("File") && self.name_at(i.wrapping_sub(6)) == Some("IO"),
            Owner::Called => self.is(i + 1, '('),
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
        let named = |from: usize, to: usize| {
            (from..to).any(|at| self.name_at(at).is_some_and(|name| archives.contains(&name)))
        };
        if !self.is(i.wrapping_sub(1), '.') {
            return false;
        }
        let Some(object) = self.name_at(i.wrapping_sub(2)) else {
            // `ZipFile("a.zip").open("x")`
            return named(i.saturating_sub(24), i);
        };
        // `with ZipFile(p) as z`, `z = zipfile.ZipFile(p)`
        (i.saturating_sub(ARCHIVE_NEAR)..i).filter(|at| self.name_at(*at) == Some(object)).any(
            |at| {
                if self.name_at(at.wrapping_sub(1)) == Some("as") {
                    named(at.saturating_sub(24), at)
                } else {
                    self.is(at + 1, '=') && named(at, at + 8)
                }
            },
        )
    }

    /// Whether PHP would run the file: `require "x.php"` does; it prints any other file's text.
    pub(super) fn includes_code(&self, i: usize, path: &str) -> bool {
        let including = ["include", "include_once", "require", "require_once"];
        let extension = path.rsplit('.').next();
        self.language == Language::Php
            && self.name_at(i).is_some_and(|name| including.contains(&name))
            && extension.is_some_and(|extension| extension.eq_ignore_ascii_case("php"))
    }
}
