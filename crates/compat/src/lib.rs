//! The hashline engines of other projects, reproduced bug for bug.
//!
//! [`omp`] is oh-my-pi's engine, [`omo`] oh-my-opencode's. Each is tested against vectors recorded
//! from the original, and each parses its calls itself, because how the original treated a
//! malformed call is part of its behaviour. [`cowboy`] holds two formats of a third project. These
//! engines do not do what we think right; they do what their users' prompts and models expect.
//! They share only `hashline-text` with each other and with `apply_hash`, and they touch no file.

#![forbid(unsafe_code)]

pub mod omp;

pub mod omo;

pub mod cowboy;

mod wtf8_json;

pub use wtf8_json::Malformed;
