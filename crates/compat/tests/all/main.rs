//! The recorded vectors of the original modules, and the laws of their engines.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests look at the disk themselves"
)]

#[path = "../../../text/tests/all/vectors.rs"]
mod vectors;

mod omo;
mod omp;
mod omp_laws;
