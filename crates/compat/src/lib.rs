//! What did other projects' modules do, bug for bug?
//!
//! [`omp`] is oh-my-pi's hashline engine, [`omo`] oh-my-opencode's; each is pinned by
//! vectors recorded from the original, and reads its calls itself, because what the original made of a
//! malformed call is part of what it did. [`cowboy`] holds two formats of a third
//! project. What these engines do is not what we think right; it is what their users' prompts and
//! models expect. They share nothing with each other or with `apply_hash` but `hashline-text`, and
//! they touch no file.

#![forbid(unsafe_code)]

pub mod omp;

pub mod omo;

pub mod cowboy;

mod wtf8_json;

pub use wtf8_json::Malformed;
