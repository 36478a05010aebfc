//! The disk, the environment and the clock for what belongs to the program itself: its settings, the
//! agent's, a patch that lies in a file. What lies in a workspace is read and changed by a
//! [`Session`](crate::Session).

pub use crate::fs::{
    ReadError, append, canonical, config_home, contents, current_directory, descriptor, exists,
    now_millis, open_once, private_directory, remove_empty_directory, state_homes, variable,
    write_plain,
};
