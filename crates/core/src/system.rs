//! The disk, the environment and the clock for the program's own needs: its settings, the agent's
//! settings, a patch stored in a file. Only a [`Session`](crate::Session) reads and changes the
//! files of a workspace.

pub use crate::fs::{
    ReadError, append, canonical, config_home, contents, current_directory, descriptor, exists,
    now_millis, open_once, private_directory, remove_empty_directory, state_homes, variable,
    write_plain,
};
