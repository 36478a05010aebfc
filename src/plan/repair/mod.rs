//! Corrections to the text of a patch.
//!
//! Models echo what they were shown: tags before the lines, `+` marks, the anchor line itself; and
//! they lose indentation. Each repair undoes one such habit, has one file with its rule and the
//! cases in which it must keep still, and is reported with before and after. A repair that is
//! not certain does nothing: the text is then taken as it is.
//!
//! The four of [`Repairs::lenient`] are off by default. The tool they come from took them out again
//! after they had eaten lines.

mod drop_boundary;
mod drop_echo;
mod expand_merge;
mod follow_indent;
mod inherit_indent;
mod plain_hyphens;
mod strip_plus;
mod strip_prefix;
mod unwrap_lines;

use std::fmt;

pub(super) use follow_indent::UnevenIndent;

use super::follow::IndentChange;
use crate::anchor::{Anchor, Scheme};
use crate::text::{Document, Span};

/// A repair by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repair {
    /// Takes `12:a3|` off lines that were copied with their tags.
    StripPrefix,
    /// Takes the `+` of a diff off.
    StripPlus,
    /// Indents the text as the file is indented now, where that has changed since the lines were shown.
    FollowIndent,
    /// Leaves out a line that the insert repeats from its anchor.
    DropEcho,
    /// Leaves out lines at the ends that repeat the lines around the change.
    DropBoundary,
    /// Puts a block that lost its indentation where the old one stood.
    InheritIndent,
    /// Joins lines that the model broke and the file has as one.
    Unwrap,
    /// Replaces two lines where the model joined them into one.
    ExpandMerge,
    /// Writes a typographic dash as a hyphen if nothing else would change.
    PlainHyphens,
}

impl Repair {
    /// Every repair, in the order in which they are tried.
    pub const ALL: [Self; 9] = [
        Self::StripPrefix,
        Self::StripPlus,
        Self::FollowIndent,
        Self::DropEcho,
        Self::DropBoundary,
        Self::InheritIndent,
        Self::Unwrap,
        Self::ExpandMerge,
        Self::PlainHyphens,
    ];

    /// The name used in settings and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::StripPrefix => "strip_prefix",
            Self::StripPlus => "strip_plus",
            Self::DropEcho => "drop_echo",
            Self::DropBoundary => "drop_boundary",
            Self::FollowIndent => "follow_indent",
            Self::InheritIndent => "inherit_indent",
            Self::Unwrap => "unwrap",
            Self::ExpandMerge => "expand_merge",
            Self::PlainHyphens => "plain_hyphens",
        }
    }

    /// Whether it is off unless asked for.
    pub fn is_lenient(self) -> bool {
        matches!(self, Self::DropBoundary | Self::Unwrap | Self::ExpandMerge | Self::PlainHyphens)
    }

    fn apply(self, site: &Site<'_>, work: &Work) -> Option<Work> {
        match self {
            Self::StripPrefix => strip_prefix::apply(site, work),
            Self::StripPlus => strip_plus::apply(site, work),
            Self::DropEcho => drop_echo::apply(site, work),
            Self::DropBoundary => drop_boundary::apply(site, work),
            Self::FollowIndent => follow_indent::carry(site, work).ok(),
            Self::InheritIndent => inherit_indent::apply(site, work),
            Self::Unwrap => unwrap_lines::apply(site, work),
            Self::ExpandMerge => expand_merge::apply(site, work),
            Self::PlainHyphens => plain_hyphens::apply(site, work),
        }
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which repairs are switched on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repairs {
    on: [bool; Repair::ALL.len()],
}

impl Repairs {
    /// No repair at all: every text is taken letter by letter.
    pub const NONE: Self = Self { on: [false; Repair::ALL.len()] };

    /// The usual ones and the lenient ones.
    pub fn lenient() -> Self {
        Self { on: [true; Repair::ALL.len()] }
    }

    /// Switches one on or off.
    pub fn set(&mut self, repair: Repair, on: bool) {
        self.on[repair as usize] = on;
    }

    /// Whether one is on.
    pub fn has(self, repair: Repair) -> bool {
        self.on[repair as usize]
    }
}

impl Default for Repairs {
    fn default() -> Self {
        let mut repairs = Self::NONE;
        for repair in Repair::ALL {
            repairs.set(repair, !repair.is_lenient());
        }
        repairs
    }
}

/// A repair that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repaired {
    /// Which.
    pub repair: Repair,
    /// The new lines as they were asked for.
    pub before: Vec<String>,
    /// The new lines as they were written.
    pub after: Vec<String>,
}

/// Where a change is to be made.
pub struct Site<'a> {
    /// The file before the call.
    pub document: &'a Document,
    /// The zero-based anchor line of an insert, and whether the insert comes after it.
    pub anchor: Option<(usize, bool)>,
    /// The scheme of the tags the model sees.
    pub scheme: Scheme,
    /// Whether an anchor was shown in any version.
    pub shown: &'a dyn Fn(&Anchor) -> bool,
    /// Whether the file is prose, where a line's beginning carries meaning.
    pub prose: bool,
    /// Whether the file is markup, where indentation means nothing.
    pub markup: bool,
    /// How the lines at the place were indented anew since they were shown, step by step.
    pub(super) indents: &'a [IndentChange],
}

impl Site<'_> {
    fn content(&self, index: usize) -> &str {
        self.document.line(crate::text::LineNumber::at(index)).map_or("", |line| line.content)
    }

    /// The lines that are replaced; none for an insert.
    fn old(&self, work: &Work) -> Vec<&str> {
        (work.span.start()..work.span.end()).map(|at| self.content(at)).collect()
    }

    /// Up to `most` lines on each side of the change, and the changed lines themselves.
    fn around(&self, work: &Work, most: usize) -> impl Iterator<Item = &str> {
        let from = work.span.start().saturating_sub(most);
        let to = (work.span.end() + most).min(self.document.len());
        (from..to).map(|at| self.content(at))
    }

    /// The nearest line above the change that is not blank.
    fn above(&self, work: &Work) -> Option<&str> {
        (0..work.span.start()).rev().map(|at| self.content(at)).find(|line| !is_blank(line))
    }

    /// The nearest line below the change that is not blank.
    fn below(&self, work: &Work) -> Option<&str> {
        (work.span.end()..self.document.len())
            .map(|at| self.content(at))
            .find(|line| !is_blank(line))
    }
}

/// A change in the making.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Work {
    /// What is replaced.
    pub span: Span,
    /// What stands there afterwards.
    pub lines: Vec<String>,
}

/// Makes every repair that is switched on and certain.
pub(super) fn repair(
    site: &Site<'_>,
    mut work: Work,
    repairs: Repairs,
) -> Result<(Work, Vec<Repaired>), UnevenIndent> {
    let mut made = Vec::new();
    for repair in Repair::ALL.into_iter().filter(|repair| repairs.has(*repair)) {
        let better = match repair {
            Repair::FollowIndent => Some(follow_indent::carry(site, &work)?),
            _ => repair.apply(site, &work),
        };
        if let Some(better) = better
            && better != work
        {
            made.push(Repaired { repair, before: work.lines, after: better.lines.clone() });
            work = better;
        }
    }
    Ok((work, made))
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// The white space a line begins with.
fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// A line without its white space.
fn stripped(line: &str) -> String {
    line.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod testing {
    use super::*;
    use crate::text::LineNumber;

    /// A change to try a repair on.
    pub(super) struct Case {
        pub before: &'static str,
        pub span: Span,
        pub anchor: Option<(usize, bool)>,
        pub text: &'static str,
        pub shown: &'static [&'static str],
        pub prose: bool,
        pub markup: bool,
    }

    /// Replaces the lines `first..=last`.
    pub(super) fn replace(
        before: &'static str,
        first: usize,
        last: usize,
        text: &'static str,
    ) -> Case {
        let [first, last] = [first, last].map(|line| LineNumber::new(line).unwrap());
        Case {
            before,
            span: Span::lines(first, last).unwrap(),
            anchor: None,
            text,
            shown: &[],
            prose: false,
            markup: false,
        }
    }

    /// Inserts after a line.
    pub(super) fn insert_after(before: &'static str, line: usize, text: &'static str) -> Case {
        Case {
            span: Span::after(line),
            anchor: Some((line - 1, true)),
            ..replace(before, 1, 1, text)
        }
    }

    /// Inserts before a line.
    pub(super) fn insert_before(before: &'static str, line: usize, text: &'static str) -> Case {
        Case {
            span: Span::after(line - 1),
            anchor: Some((line - 1, false)),
            ..replace(before, 1, 1, text)
        }
    }

    impl Case {
        fn run(&self, repair: Repair) -> Option<Work> {
            let document = Document::from_text(self.before);
            let shown: Vec<Anchor> = self.shown.iter().map(|text| text.parse().unwrap()).collect();
            let site = Site {
                document: &document,
                anchor: self.anchor,
                scheme: Scheme::Hex2,
                shown: &|anchor| shown.contains(anchor),
                prose: self.prose,
                markup: self.markup,
                indents: &[],
            };
            let lines = crate::patch::lines_of(self.text);
            let work = Work { span: self.span, lines };
            repair.apply(&site, &work).filter(|better| *better != work)
        }

        /// The repair makes this of the text.
        #[track_caller]
        pub(super) fn becomes(self, repair: Repair, text: &str) {
            let work =
                self.run(repair).unwrap_or_else(|| panic!("{repair} must act on {:?}", self.text));
            assert_eq!(work.lines.join("\n"), text);
        }

        /// The repair leaves the text alone.
        #[track_caller]
        pub(super) fn stays(self, repair: Repair) {
            let work = self.run(repair);
            assert_eq!(work, None, "{repair} must not act on {:?}", self.text);
        }
    }
}
