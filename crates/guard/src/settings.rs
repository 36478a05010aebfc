//! What a user may change about the guard.

/// What happens to a command that the policy blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// The command is not run.
    #[default]
    Block,
    /// The command is run, and the caller adds the reason to its result as a note.
    Nudge,
    /// The guard allows every command.
    Off,
}

impl Mode {
    /// The mode with this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "block" => Some(Self::Block),
            "nudge" => Some(Self::Nudge),
            "off" => Some(Self::Off),
            _ => None,
        }
    }

    /// The mode's name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Nudge => "nudge",
            Self::Off => "off",
        }
    }
}

/// What happens to a command that writes text which it contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Writes {
    /// The command is blocked; the reason shows the call that makes the same change.
    #[default]
    Block,
    /// The change is made at once, as a patch.
    Convert,
}

impl Writes {
    /// The choice's name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Convert => "convert",
        }
    }
}

/// The shell that a command is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ShellKind {
    /// bash, and shells like it.
    #[default]
    Bash,
    /// PowerShell.
    PowerShell,
}

impl ShellKind {
    /// The shell with this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "bash" => Some(Self::Bash),
            "powershell" => Some(Self::PowerShell),
            _ => None,
        }
    }
}

/// Settings of the guard.
#[derive(Debug, Clone, Default)]
pub struct GuardSettings {
    /// What happens to a blocked command.
    pub mode: Mode,
    /// What happens to a command that writes text which it contains.
    pub writes: Writes,
    /// Programs whose file operands count as read.
    pub extra_readers: Vec<String>,
    /// Programs whose file operands count as written.
    pub extra_writers: Vec<String>,
    /// Programs that are never judged.
    pub allowed_programs: Vec<String>,
    /// Files and directories that are not protected: absolute, `~/...`, or below the workspace.
    pub allowed_paths: Vec<String>,
}
