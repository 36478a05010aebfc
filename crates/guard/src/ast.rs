//! The shell as the guard sees it.
//!
//! Smaller than a parser's tree: what cannot change which files a command touches is left out.
//! Parameters and arithmetic keep their raw text; [`crate::shell`] parses it when it gets there.

use std::cell::OnceCell;
use std::rc::Rc;

/// A command of any shape.
#[derive(Debug)]
pub(crate) enum Command {
    /// Assignments, words and redirections.
    Simple(Simple),
    /// `a | b | c`.
    Pipeline(Vec<Command>),
    /// Commands one after the other.
    Sequence(Vec<Step>),
    /// `a &`: runs beside the rest, so its `cd` and variables stay its own.
    Background(Box<Command>),
    /// `( a )`.
    Subshell(Box<Command>),
    /// A compound command with redirections of its own.
    Redirected(Box<Command>, Vec<Redirect>),
    /// Alternatives of which one runs: `if` and `case`. Each has what runs before the choice.
    Branches {
        /// Words that are expanded first.
        words: Vec<Word>,
        /// What runs whichever branch is taken.
        first: Vec<Command>,
        /// The branches.
        arms: Vec<Command>,
    },
    /// `for` and `select`.
    For {
        /// The loop variable.
        variable: String,
        /// `None` means the positional parameters.
        words: Option<Vec<Word>>,
        /// The body.
        body: Box<Command>,
    },
    /// `name() body`.
    Function {
        /// Its name.
        name: String,
        /// Its body.
        body: Rc<Command>,
    },
    /// `[[ ]]` and `(( ))`: words that are expanded and nothing else.
    Test(Vec<Word>),
    /// Arithmetic, which can hold substitutions in places a word cannot.
    Arithmetic(Word),
}

/// One command of a sequence.
#[derive(Debug)]
pub(crate) struct Step {
    /// What the command before must have done for this one to run.
    pub(crate) join: Join,
    /// The command.
    pub(crate) command: Command,
    /// Its position in the script that was parsed, in bytes; `None` if we made it.
    pub(crate) span: Option<(usize, usize)>,
}

impl Step {
    /// A command that runs whatever happened before.
    pub(crate) fn plain(command: Command) -> Self {
        Self { join: Join::Always, command, span: None }
    }
}

/// On what a command of a sequence depends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Join {
    /// Nothing: the first one, or after `;`, `&` or a new line.
    Always,
    /// `&&`: the one before went well.
    And,
    /// `||`: the one before failed.
    Or,
}

/// A simple command.
#[derive(Debug, Default)]
pub(crate) struct Simple {
    /// `NAME=value` before the first word.
    pub(crate) assignments: Vec<Assignment>,
    /// The command name and its operands.
    pub(crate) words: Vec<Word>,
    /// Operands of `declare`, `export` and the like that are assignments.
    pub(crate) declarations: Vec<Assignment>,
    /// Redirections in the order written.
    pub(crate) redirects: Vec<Redirect>,
}

/// `NAME=value`, `NAME+=value`, `NAME[i]=value`, `NAME=(a b)`.
#[derive(Debug)]
pub(crate) struct Assignment {
    /// The variable.
    pub(crate) name: String,
    /// The subscript, which is expanded.
    pub(crate) subscript: Option<Word>,
    /// `+=`.
    pub(crate) append: bool,
    /// The assigned value.
    pub(crate) value: Assigned,
}

/// The right-hand side of an assignment.
#[derive(Debug)]
pub(crate) enum Assigned {
    /// One word.
    Word(Word),
    /// `(a b c)`.
    List(Vec<Word>),
}

/// One redirection.
#[derive(Debug)]
pub(crate) struct Redirect {
    /// The descriptor named in front of the operator.
    pub(crate) descriptor: Option<u32>,
    /// What it does.
    pub(crate) kind: RedirectKind,
}

/// What a redirection does.
#[derive(Debug)]
pub(crate) enum RedirectKind {
    /// `< f`.
    Input(Word),
    /// `> f` and its relatives.
    Output(Word),
    /// `>> f`.
    Append(Word),
    /// `<> f`.
    Both(Word),
    /// `>&` or `<&` with a word that is a descriptor, or a file if it is not one.
    Duplicate {
        /// The word after the operator.
        target: Word,
        /// `>&`.
        output: bool,
    },
    /// A here-document or here-string.
    Text(LateWord),
}

/// A word that is read after the command that it belongs to: the body of a here-document.
pub(crate) type LateWord = Rc<OnceCell<Word>>;

/// A word before expansion.
pub(crate) type Word = Vec<Atom>;

/// One element of a word.
#[derive(Debug, Clone)]
pub(crate) enum Atom {
    /// A character, and whether quotes keep it from meaning anything.
    Char(char, bool),
    /// An expansion, and whether it is inside double quotes.
    Expansion(Rc<Expansion>, bool),
    /// A pair of quotes with nothing in it still makes a word.
    Nothing,
}

/// Something the shell replaces.
#[derive(Debug)]
pub(crate) enum Expansion {
    /// `$(...)` and backticks.
    Command(Script),
    /// `<(...)` and `>(...)`.
    Process {
        /// `<(...)`.
        input: bool,
        /// The script.
        script: Script,
    },
    /// The text between `${` and `}`, or after `$`.
    Parameter(String),
    /// `$((...))` and `$[...]`.
    Arithmetic(String),
}

/// A script inside a word.
#[derive(Debug)]
pub(crate) struct Script {
    /// Its commands.
    pub(crate) commands: Command,
    /// How long its text is, in bytes.
    pub(crate) length: usize,
}
