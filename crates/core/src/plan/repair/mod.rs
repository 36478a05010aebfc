//! Corrections to the text of a patch.
//!
//! Models echo what they were shown: tags before the lines, `+` marks, the anchor line itself; and
//! they lose indentation. Each repair undoes one such habit, has one file with its rule and the
//! cases in which it must not act, and is reported with the text before and after. A repair that is
//! not certain does nothing: the text is then taken as it is.

mod drop_echo;
mod follow_indent;
mod inherit_indent;
mod printed;
mod strip_plus;
mod unescape;

pub(crate) use printed::{Unwritable, restore_part};
pub(super) use strip_plus::{marked, resembles};
pub(crate) use unescape::unescaped;

use std::fmt;

pub(super) use follow_indent::UnevenIndent;

use super::follow::IndentChange;
use hashline_text::{Anchor, Document, Scheme, Span, Tag};

/// A repair by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Repair {
    /// Turns what we printed (`12:a3|`, marks, headers, escapes) back into the text it stood for.
    StripPrefix,
    /// Turns a diff into the lines it results in, and removes `+` or `>>> ` before lines.
    StripPlus,
    /// Turns `\\n` and `\\t` that were escaped twice into line ends and tabs.
    Unescape,
    /// Indents the text like the file is indented now, if that has changed since the lines were
    /// shown.
    FollowIndent,
    /// Leaves out a line that the insert repeats from its anchor.
    DropEcho,
    /// Gives a block that lost its indentation the indentation of the old block.
    InheritIndent,
    /// Makes the new text of a `replace` end with or without a newline, like its old text.
    FinalNewline,
}

impl Repair {
    /// Every repair, in the order in which they are tried.
    pub const ALL: [Self; 7] = [
        Self::StripPrefix,
        Self::StripPlus,
        Self::Unescape,
        Self::FollowIndent,
        Self::DropEcho,
        Self::InheritIndent,
        Self::FinalNewline,
    ];

    /// The name used in settings and reports.
    pub fn name(self) -> &'static str {
        self.into()
    }

    fn apply(self, site: &Site<'_>, work: &Work) -> Option<Work> {
        match self {
            Self::StripPlus => strip_plus::apply(site, work),
            Self::Unescape => unescape::apply(site, work),
            Self::DropEcho => drop_echo::apply(site, work),
            Self::FollowIndent => follow_indent::carry(site, work).ok(),
            Self::InheritIndent => inherit_indent::apply(site, work),
            // `repair` and `replace` make these themselves.
            Self::StripPrefix | Self::FinalNewline => None,
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

    /// The repairs among `these` that are on in `all`.
    pub fn only(all: Self, these: &[Repair]) -> Self {
        let mut only = Self::NONE;
        these.iter().filter(|repair| all.has(**repair)).for_each(|repair| only.set(*repair, true));
        only
    }

    /// Switches a repair on or off.
    pub fn set(&mut self, repair: Repair, on: bool) {
        self.on[repair as usize] = on;
    }

    /// Whether a repair is on.
    pub fn has(self, repair: Repair) -> bool {
        self.on[repair as usize]
    }
}

/// All repairs are on.
impl Default for Repairs {
    fn default() -> Self {
        Self { on: [true; Repair::ALL.len()] }
    }
}

/// A repair that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repaired {
    /// Which repair.
    pub repair: Repair,
    /// The new lines as they were asked for.
    pub before: Vec<String>,
    /// The new lines as they were written.
    pub after: Vec<String>,
}

/// Where a change is to be made, and what is known of its file.
pub(super) struct Site<'a> {
    /// The file, as the caller spelled it.
    pub path: &'a str,
    /// The file before the call.
    pub document: &'a Document,
    /// The zero-based anchor line of an insert, and whether the insert comes after it.
    pub anchor: Option<(usize, bool)>,
    /// The scheme of the tags the model sees.
    pub scheme: Scheme,
    /// Whether an anchor was shown in any version.
    pub shown: &'a dyn Fn(&Anchor) -> bool,
    /// The tags of a line of the file, by its index: the present tag and all it was shown with.
    pub tags: &'a dyn Fn(usize) -> Vec<Tag>,
    /// Whether the file is prose, where a line's beginning carries meaning.
    pub prose: bool,
    /// Whether the file is markup, where indentation means nothing.
    pub markup: bool,
    /// How the indentation at the place has changed since the lines were shown, step by step.
    pub(super) indents: &'a [IndentChange],
}

impl Site<'_> {
    fn content(&self, index: usize) -> &str {
        self.document.line(hashline_text::LineNumber::at(index)).map_or("", |line| line.content)
    }

    /// Whether the text is the whole content of a new file.
    fn is_new_file(&self, work: &Work) -> bool {
        self.document.is_empty() && self.anchor.is_none() && work.span.is_empty()
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

/// A change that is being repaired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Work {
    /// The lines that are replaced.
    pub span: Span,
    /// The new text.
    pub lines: Vec<String>,
}

/// A change after its repairs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RepairedWork {
    /// The change.
    pub work: Work,
    /// The repairs that were made.
    pub made: Vec<Repaired>,
    /// New lines that look like something we printed, but are written unchanged.
    pub doubts: Vec<String>,
}

/// Why the text of a change cannot be written.
pub(super) enum Unrepairable {
    /// The text holds something we printed whose meaning is unknown.
    Printed(Unwritable),
    /// The indentation of the lines it replaces has changed, but not evenly.
    UnevenIndent,
}

/// Makes every repair that is switched on and certain.
///
/// Refuses a text that holds something we printed whose meaning is unknown.
pub(super) fn repair(
    site: &Site<'_>,
    mut work: Work,
    repairs: Repairs,
) -> Result<RepairedWork, Unrepairable> {
    let (mut made, mut doubts) = (Vec::new(), Vec::new());
    if repairs.has(Repair::StripPrefix) && !work.lines.is_empty() {
        let restored = printed::restore(site, &work).map_err(Unrepairable::Printed)?;
        doubts = restored.doubts.iter().map(|at| restored.lines[*at].clone()).collect();
        if restored.lines != work.lines {
            let lines = restored.lines.clone();
            made.push(Repaired { repair: Repair::StripPrefix, before: work.lines, after: lines });
            work.lines = restored.lines;
        }
    }
    for repair in Repair::ALL.into_iter().filter(|repair| repairs.has(*repair)) {
        let better = match repair {
            Repair::FollowIndent => {
                let carried = follow_indent::carry(site, &work);
                Some(carried.map_err(|UnevenIndent| Unrepairable::UnevenIndent)?)
            }
            _ => repair.apply(site, &work),
        };
        if let Some(better) = better
            && better != work
        {
            made.push(Repaired { repair, before: work.lines, after: better.lines.clone() });
            work = better;
        }
    }
    doubts.extend(marked(site, &work));
    Ok(RepairedWork { work, made, doubts })
}

pub(super) fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// The white space a line begins with.
pub(super) fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// A line without its white space.
fn stripped(line: &str) -> String {
    line.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod testing {
    use super::*;
    use hashline_text::LineNumber;

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
        fn run(&self, repair: Repair) -> Result<Option<Work>, Unwritable> {
            let document = Document::from_text(self.before);
            let shown: Vec<Anchor> = self.shown.iter().map(|text| text.parse().unwrap()).collect();
            let site = Site {
                path: "file.txt",
                document: &document,
                anchor: self.anchor,
                scheme: Scheme::Hex2,
                shown: &|anchor| shown.contains(anchor),
                tags: &|index| {
                    document
                        .content(LineNumber::new(index + 1).unwrap())
                        .map(|_| crate::plan::tag_at(&document, index, Scheme::Hex2))
                        .into_iter()
                        .collect()
                },
                prose: self.prose,
                markup: self.markup,
                indents: &[],
            };
            let lines = crate::patch::lines_of(self.text);
            let work = Work { span: self.span, lines };
            if repair == Repair::StripPrefix {
                let lines = printed::restore(&site, &work)?.lines;
                return Ok(Some(Work { lines, ..work.clone() }).filter(|better| *better != work));
            }
            Ok(repair.apply(&site, &work).filter(|better| *better != work))
        }

        /// The text cannot be written, for this reason.
        #[track_caller]
        pub(super) fn check_refused(self, repair: Repair, reason: &str) {
            let refused = self.run(repair).expect_err(self.text);
            assert!(refused.reason.contains(reason), "{}", refused.reason);
        }

        /// The repair makes this of the text.
        #[track_caller]
        pub(super) fn becomes(self, repair: Repair, text: &str) {
            let work = self
                .run(repair)
                .unwrap()
                .unwrap_or_else(|| panic!("{repair} must act on {:?}", self.text));
            assert_eq!(work.lines.join("\n"), text);
        }

        /// The repair leaves the text alone.
        #[track_caller]
        pub(super) fn stays(self, repair: Repair) {
            let work = self.run(repair);
            assert_eq!(work, Ok(None), "{repair} must not act on {:?}", self.text);
        }
    }
}
