//! Shell commands as the guard sees them.
//!
//! No full syntax tree: parts that cannot change which files a command touches are left out.
//! Parameters and arithmetic keep their raw text; [`crate::shell`] parses it when it gets there.

use std::cell::OnceCell;
use std::rc::Rc;

/// A command of any shape.
#[derive(Debug)]
pub(crate) enum Command {
    /// Assignments, words and redirections.
    Simple(Simple),
    /// A pipeline: `a | b | c`.
    Pipeline(Vec<Command>),
    /// Commands that run one after another.
    Sequence(Vec<Step>),
    /// `a &`: runs in a subshell, so its `cd` and variables do not affect the rest.
    Background(Box<Command>),
    /// A subshell: `( a )`.
    Subshell(Box<Command>),
    /// A compound command with redirections of its own.
    Redirected(Box<Command>, Vec<Redirect>),
    /// `if` and `case`: one of the arms runs.
    Branches {
        /// The words of a `case`, which are expanded first.
        words: Vec<Word>,
        /// The condition of an `if`, which always runs.
        first: Vec<Command>,
        /// The arms of the `if` or `case`.
        arms: Vec<Command>,
    },
    /// `for` and `select`.
    For {
        /// The loop variable.
        variable: String,
        /// The words to loop over; `None` means the positional parameters.
        words: Option<Vec<Word>>,
        /// The loop's body.
        body: Box<Command>,
    },
    /// `name() body`.
    Function {
        /// The function's name.
        name: String,
        /// The function's body.
        body: Rc<Command>,
    },
    /// `[[ ]]`: words that are expanded and not run.
    Test(Vec<Word>),
    /// `(( ))`: arithmetic, which can hold substitutions where a word cannot.
    Arithmetic(Word),
}

/// One command of a sequence.
#[derive(Debug)]
pub(crate) struct Step {
    /// How the command depends on the one before.
    pub(crate) join: Join,
    /// The command.
    pub(crate) command: Command,
    /// The command's position in the parsed script, in bytes; `None` for a command that we made up.
    pub(crate) span: Option<(usize, usize)>,
}

impl Step {
    /// A command that always runs.
    pub(crate) fn plain(command: Command) -> Self {
        Self { join: Join::Always, command, span: None }
    }
}

/// How a command of a sequence depends on the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Join {
    /// The command always runs: it is the first, or follows `;`, `&` or a new line.
    Always,
    /// `&&`: the command runs if the one before succeeded.
    And,
    /// `||`: the command runs if the one before failed.
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
    /// The variable's name.
    pub(crate) name: String,
    /// The subscript, which is expanded.
    pub(crate) subscript: Option<Word>,
    /// Whether the operator is `+=`.
    pub(crate) append: bool,
    /// The assigned value.
    pub(crate) value: Assigned,
}

/// The right-hand side of an assignment.
#[derive(Debug)]
pub(crate) enum Assigned {
    /// A single word.
    Word(Word),
    /// A list of words: `(a b c)`.
    List(Vec<Word>),
}

/// One redirection.
#[derive(Debug)]
pub(crate) struct Redirect {
    /// The descriptor named in front of the operator.
    pub(crate) descriptor: Option<u32>,
    /// What the redirection does.
    pub(crate) kind: RedirectKind,
}

/// What a redirection does.
#[derive(Debug)]
pub(crate) enum RedirectKind {
    /// Reads a file: `< f`.
    Input(Word),
    /// Writes a file: `> f` and its relatives.
    Output(Word),
    /// Appends to a file: `>> f`.
    Append(Word),
    /// Opens a file for reading and writing: `<> f`.
    Both(Word),
    /// `>&` or `<&` with a word that is a descriptor, or a file if it is not one.
    Duplicate {
        /// The word after the operator.
        target: Word,
        /// Whether the operator is `>&`.
        output: bool,
    },
    /// A here-document or here-string.
    Text(LateWord),
}

/// A word that is parsed after its command: the body of a here-document.
pub(crate) type LateWord = Rc<OnceCell<Word>>;

/// A word before expansion.
pub(crate) type Word = Vec<Atom>;

/// One element of a word.
#[derive(Debug, Clone)]
pub(crate) enum Atom {
    /// A character, and whether it is quoted, so that it has no special meaning.
    Char(char, bool),
    /// An expansion, and whether it is inside double quotes.
    Expansion(Rc<Expansion>, bool),
    /// An empty pair of quotes, which still makes a word.
    Nothing,
}

/// An expansion, which the shell replaces by its value.
#[derive(Debug)]
pub(crate) enum Expansion {
    /// `$(...)` and backticks.
    Command(Script),
    /// `<(...)` and `>(...)`.
    Process {
        /// Whether it is `<(...)`.
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
    /// The commands of the script.
    pub(crate) commands: Command,
    /// The length of the script's text, in bytes.
    pub(crate) length: usize,
}
