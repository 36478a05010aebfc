//! The recorded vectors of every scheme.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests look at the disk themselves"
)]

mod vectors;

mod schemes;
