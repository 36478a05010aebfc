//! The command line of `hashline`.
//!
//! The help texts here are also the man pages and the completions. The modules of the commands
//! decide what an option does.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

mod grep;

pub(crate) use clap_complete::Shell;
pub(crate) use grep::GrepArgs;

use hashline_core::system;
use hashline_wire::claude::{self, Agent};

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

/// Line anchors for coding agents: show files with the tag of every line, change them by those tags.
#[derive(Parser, Debug)]
#[command(
    name = "hashline",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 done; 1 a hash does not fit its line any more (stderr has the fresh anchors); 2 anything else."
)]
pub(crate) struct Cli {
    /// Options that every command takes.
    #[command(flatten)]
    pub common: CommonArgs,
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// Options that every command takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct CommonArgs {
    /// The workspace; by default the repository around the current directory, or that directory
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// How lines are tagged: hex2, base26, context, omp, cid or fnv1a
    #[arg(long, global = true, value_name = "NAME")]
    pub scheme: Option<String>,
    /// Which agent this is: each remembers only what itself was shown
    #[arg(long, global = true, value_name = "ID", env = "HASHLINE_SESSION")]
    pub session: Option<String>,
    /// Neither use nor keep what was shown
    #[arg(long, global = true)]
    pub no_memory: bool,
    /// Whether output has colours; by default on a terminal, unless `NO_COLOR` is set
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        overrides_with = "color"
    )]
    pub color: When,
    /// Print on a terminal without a pager
    #[arg(long, global = true)]
    pub no_pager: bool,
}

/// The command to run.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Print files, every line as LINE:HASH|content
    Read(ReadArgs),
    /// Change files by the anchors of their lines: all of a patch, or nothing
    #[command(after_long_help = APPLY_HELP)]
    Apply(ApplyArgs),
    /// Search files; every line that is printed has its anchor
    #[command(args_override_self = true)]
    Grep(GrepArgs),
    /// Print the tags of a file's lines, a line each
    Hash {
        /// The file, or `-` for standard input
        file: PathBuf,
    },
    /// Say whether anchors still fit the lines of a file
    Verify {
        /// The file
        file: PathBuf,
        /// Anchors, as `read` prints them in front of a line: LINE:HASH
        #[arg(required = true, value_name = "ANCHOR")]
        anchors: Vec<String>,
    },
    /// Undo a patch: the last one, or the one that a receipt names
    Undo {
        /// The name on the receipt, as `history` prints it
        receipt: Option<String>,
        /// Skip files that have changed since, and undo the others
        #[arg(long)]
        others: bool,
        /// List the patches that are kept, the latest first
        #[arg(long)]
        list: bool,
        /// Print the outcome as JSON
        #[arg(long)]
        json: bool,
    },
    /// Redo the patch that was undone last, unless another was made since
    Redo {
        /// Print the outcome as JSON
        #[arg(long)]
        json: bool,
    },
    /// List the patches that can be undone, the latest first
    History,
    /// Print what has changed since before a patch: the last one, or the one a receipt names
    Diff {
        /// The name on the receipt, as `history` prints it
        receipt: Option<String>,
    },
    /// Say what hashline has done for you, in numbers
    Stats {
        /// Print the numbers as JSON
        #[arg(long)]
        json: bool,
    },
    /// Finish or undo what an interrupted patch left behind
    Recover {
        /// Put journals aside that can be neither finished nor undone
        #[arg(long)]
        set_aside: bool,
        /// Print the outcome as JSON
        #[arg(long)]
        json: bool,
    },
    /// Say where the workspace, its settings and its state are
    Status,
    /// Judge a shell command without running it: exit 0 to allow, 1 to block
    Judge {
        /// Print the verdict as JSON
        #[arg(long)]
        json: bool,
        /// The directory that the command would run in
        #[arg(long, value_name = "DIR")]
        cwd: Option<PathBuf>,
        /// The shell that the command is for
        #[arg(long, value_name = "SHELL", default_value = "bash", value_parser = ["bash", "powershell"])]
        shell: String,
        /// The command, as one word or several
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
    /// Check the installation
    Doctor {
        /// Feed sample events through the installed hook and report what it answers
        #[arg(long)]
        simulate: bool,
    },
    /// Answer a coding agent's hook on standard input and output
    Hook {
        /// The agent
        #[arg(value_parser = ["claude", "codex"])]
        agent: String,
    },
    /// Set an agent up to use this program: permission, hooks, instructions
    Setup(SetupArgs),
    /// Print the JSON schema of a tool
    Schema {
        /// The tool
        #[arg(value_parser = ["read", "grep", "apply"])]
        tool: String,
    },
    /// Print the completions of a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the man pages into a directory
    Man {
        /// The directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
}

/// Options of `read`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReadArgs {
    /// The first line to print, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub start_line: Option<u32>,
    /// How many lines to print
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub lines: Option<u32>,
    /// The most lines written at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub chunk_lines: Option<u32>,
    /// The most bytes written at once; a longer row is written by itself
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub chunk_bytes: Option<u32>,
    /// Stop after this many lines of each file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_lines: Option<u32>,
    /// Stop after this many bytes of each file's rows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_bytes: Option<u32>,
    /// Print only the lines that hold this text
    #[arg(long, value_name = "TEXT")]
    pub search: Option<String>,
    /// Print only what changed since the file was last printed in this workspace
    #[arg(long, conflicts_with_all = ["search", "json"])]
    pub changes: bool,
    /// Print an object a line: path, line, tag, text
    #[arg(long)]
    pub json: bool,
    /// The files; `FILE:130-154` for some lines, `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Options of `apply`.
#[derive(Args, Clone, Debug)]
#[group(skip)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct ApplyArgs {
    /// The file that operations without a path are meant for
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Read the patch from a file; `-` is standard input, which is also the default
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base64", "fd"])]
    pub input: Option<PathBuf>,
    /// The patch itself, in base64
    #[arg(long, value_name = "TEXT", conflicts_with = "fd")]
    pub base64: Option<String>,
    /// Read the patch from an open file descriptor
    #[arg(long, value_name = "N")]
    pub fd: Option<u32>,
    /// Print only the fresh anchors of what changed
    #[arg(long, conflicts_with = "print")]
    pub emit_updated: bool,
    /// Print the changed files
    #[arg(long)]
    pub print: bool,
    /// Say what would be done, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print the outcome, or the error, as JSON
    #[arg(long)]
    pub json: bool,
    /// Refuse anchors whose line has moved
    #[arg(long)]
    pub no_relocate: bool,
    /// Allow files outside the workspace
    #[arg(long)]
    pub allow_outside: bool,
}

/// Options of `setup`.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct SetupArgs {
    /// The agent, or `agents` for any that reads AGENTS.md
    pub agent: SetupAgent,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// For all of your projects: in your home directory instead of this workspace
    #[arg(long)]
    pub global: bool,
    /// Take out what an earlier setup put in
    #[arg(long)]
    pub remove: bool,
}

/// When output has colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// On a terminal, or with `CLICOLOR_FORCE`
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The agents that can be set up.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SetupAgent {
    /// Claude Code: .claude/settings.json and CLAUDE.md
    Claude,
    /// Codex: .codex/hooks.json and AGENTS.md
    Codex,
    /// Any agent that reads AGENTS.md
    Agents,
}

impl SetupAgent {
    /// The agent's settings and instructions files.
    pub(crate) fn read_files(self) -> &'static Agent {
        match self {
            Self::Claude => &claude::CLAUDE,
            Self::Codex => &claude::CODEX,
            Self::Agents => &claude::ANY,
        }
    }
}

/// The arguments of the program, the first of which is its name.
///
/// Arguments that cannot be understood, `--help` and `--version` end the process.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Cli {
    let mut cli = Cli::parse_from(arguments);
    // Codex gives its session's name to commands in this variable, and to hooks in their event.
    cli.common.session = cli.common.session.or_else(|| system::variable("CODEX_SESSION_ID"));
    cli
}

/// Prints the script that completes the arguments in a shell.
pub(crate) fn print_completions(shell: Shell) {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "hashline", &mut script);
    // It is no failure if the reader has closed the pipe.
    let _ = io::stdout().lock().write_all(&script);
}

/// Writes a man page for the program and one for each command.
pub(crate) fn write_man_pages(directory: &Path) -> io::Result<()> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    write_man_page(directory, program.clone())?;
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = format!("hashline-{}", command.get_name());
        write_man_page(directory, command.clone().display_name(name))?;
    }
    Ok(())
}

fn write_man_page(directory: &Path, command: clap::Command) -> io::Result<()> {
    let name = format!("{}.1", command.get_display_name().unwrap_or("hashline"));
    let mut page = Vec::new();
    // With a date, every build would change the page.
    clap_mangen::Man::new(command).date("").render(&mut page)?;
    system::write_plain(&directory.join(name), &page)
}

const APPLY_HELP: &str = r#"The patch is JSON:

  {"path": "src/cart.js", "edits": [
    {"set_line": {"anchor": "4:3a", "new_text": "    sum += item.price * item.count;"}},
    {"replace_lines": {"start_anchor": "9:18", "end_anchor": "12:55", "new_text": "one\ntwo"}},
    {"insert_after": {"anchor": "2:d4", "text": ""}},
    {"replace": {"old_text": "Total", "new_text": "To pay"}}
  ]}

An empty new_text deletes the lines, an empty text to insert is a blank line. All anchors mean the
file as it was before the call, and so does the text to `replace`. Also understood, for many files at
once and for whole files:

  {"patch": [
    {"op": "set_line", "path": "src/cart.js", "anchor": "4:3a", "text": "..."},
    {"op": "move_lines", "path": "src/cart.js", "start_anchor": "9:18", "end_anchor": "12:55",
     "to_path": "src/new.js", "to_anchor": "end"},
    {"op": "add_file", "path": "src/other.js", "content": "..."},
    {"op": "move_file", "from": "a.js", "to": "b.js"},
    {"op": "delete_file", "path": "old.js"}
  ]}

  hashline apply << 'EOF'
  {"path": "src/cart.js", "edits": [{"set_line": {"anchor": "4:3a", "new_text": "x"}}]}
  EOF"#;
