//! The engine of oh-my-opencode: three operations, `LINE#ID` references.
