//! Judging shell commands: shell text -> effects -> policy -> verdict.
