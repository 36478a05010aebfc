//! Inline code of other languages: which files would it open?
//!
//! Not an interpreter: [`tokens`] tells strings, comments and names apart, [`functions`] lists the
//! functions that open files or run commands, `expression` reads their arguments as far as they are
//! literal, and [`scan`] notes what follows. A path that cannot be told counts as unknown.

pub mod awk_script;
mod calls;
mod expression;
pub mod functions;
mod names;
pub mod scan;
pub mod sed_script;
pub mod tokens;

/// A family of languages with the same comments, strings and functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
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
