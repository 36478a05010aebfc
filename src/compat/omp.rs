//! The engine of oh-my-pi, February 2026.
