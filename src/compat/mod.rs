//! Bug-for-bug engines of other systems.
//!
//! Each is pinned by vectors recorded from the original and shares [`crate::text`] and
//! [`crate::anchor`] with our own engine. What they do is not what we think right; it is what their
//! users' prompts and models expect.

pub mod omo;
pub mod omp;
