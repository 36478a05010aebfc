//! Naming lines: one by its number, several as a span.
//!
//! A [`LineNumber`] counts from 1, as people do. A [`Span`] is where a change is made: at some
//! lines, or between two lines. Neither knows a text, so it may name lines that a text does not
//! have.

use std::fmt;
use std::num::NonZeroU32;

/// The number of a line in its file, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineNumber(NonZeroU32);

impl LineNumber {
    /// The first line.
    pub const FIRST: Self = Self(NonZeroU32::MIN);

    /// The line with this number; `None` for 0 and for 2^32 or more.
    pub fn new(number: usize) -> Option<Self> {
        u32::try_from(number).ok().and_then(NonZeroU32::new).map(Self)
    }

    /// The number, counted from 1.
    pub fn get(self) -> usize {
        self.0.get() as usize
    }

    /// The zero-based index of the line.
    pub fn index(self) -> usize {
        self.get() - 1
    }

    /// The line with this zero-based index.
    pub fn at(index: usize) -> Self {
        Self::new(index + 1).expect("a file in memory has fewer than 2^32 lines")
    }
}

impl fmt::Display for LineNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for LineNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Consecutive lines; if empty, the place between two lines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// One line.
    ///
    /// ```
    /// # use hashline_text::{LineNumber, Span};
    /// let second = LineNumber::new(2).unwrap();
    /// assert_eq!(Span::line(second), Span::lines(second, second).unwrap());
    /// ```
    pub fn line(number: LineNumber) -> Self {
        Self { start: number.index(), end: number.get() }
    }

    /// All lines from `first` to `last`, both included; `None` if `last` comes before `first`.
    pub fn lines(first: LineNumber, last: LineNumber) -> Option<Self> {
        (first <= last).then(|| Self { start: first.index(), end: last.get() })
    }

    /// The place after `number` lines: 0 is the start of the file.
    pub fn after(number: usize) -> Self {
        Self { start: number, end: number }
    }

    /// All lines between the place after `start` lines and the place after `end` lines.
    ///
    /// # Panics
    ///
    /// If `end` is less than `start`.
    pub fn between(start: usize, end: usize) -> Self {
        assert!(start <= end, "a span does not end before it starts");
        Self { start, end }
    }

    /// How many lines come before the span.
    pub fn start(self) -> usize {
        self.start
    }

    /// How many lines come before the end of the span.
    pub fn end(self) -> usize {
        self.end
    }

    /// How many lines the span has.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span is a place between lines.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}
