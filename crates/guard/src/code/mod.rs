//! Inline code of other languages: which files would it open?
//!
//! Not an interpreter: [`tokens`] tells strings, comments and names apart, [`functions`] lists the
//! functions that open files or run commands, `expression` reads their arguments as far as they are
//! literal, and [`scan`] notes what follows. A path that is not literal counts as unknown.

mod brackets;
mod calls;
mod expression;
mod fate;
mod functions;
mod names;
mod replacement;
mod scan;
pub(crate) mod tokens;
mod vocabulary;
mod written;

pub(crate) use scan::scan;

/// A family of languages with the same comments, strings and functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Language {
    /// Python.
    Python,
    /// JavaScript and TypeScript.
    JavaScript,
    /// Perl.
    Perl,
    /// Ruby, and Crystal and Elixir, which look alike.
    Ruby,
    /// PHP.
    Php,
    /// Lua.
    Lua,
    /// R and Julia.
    R,
    /// Tcl and Expect.
    Tcl,
    /// Emacs Lisp, Scheme, Clojure.
    Lisp,
    /// Scala, Groovy, Swift, Haskell, `OCaml`, PowerShell: files by well-known names only.
    Other,
}
