//! Which filters of a shell pipeline can be applied to lines that are served.
//!
//! A filter counts or tests the lines that reach it. Once a program that we do not imitate has
//! changed them, a later filter is applied only if it chooses the same lines of the unchanged
//! text; [`Pipe`] keeps track.

use super::{Filter, GrepRequest, Lines, ReadPath, Source, is_pattern};

/// What a program does to the lines that it reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The program chooses some of the lines.
    Choose(Filter),
    /// The program changes the lines; it is left out.
    Change(Change),
}

/// How a program changes lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// Each line becomes one line with another text.
    EachLine,
    /// Each line becomes one line that is a part of it.
    Columns,
    /// Each line becomes one or more lines.
    Splits,
    /// Each line becomes one or more lines that are parts of it.
    Matches,
    /// The lines come out whole, from the last to the first.
    Reverses,
    /// The lines come out whole, in another order, or some are missing.
    Reorders,
    /// The lines are changed in any other way.
    Rewrites,
}

/// How the lines in the command's pipe correspond to those that we serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Places {
    /// A line in the pipe and the same line of ours have the same number.
    Same,
    /// The lines in the pipe are ours in reverse order.
    Reversed,
    /// Each of our lines is one or more lines in the pipe.
    Split,
    /// The lines in the pipe do not correspond to ours.
    Lost,
}

/// Lines to serve, and how the lines in the command's pipe differ from them.
pub(crate) struct Pipe {
    lines: Lines,
    /// Whether the command's pipe holds the lines unchanged.
    whole: bool,
    places: Places,
}

impl Pipe {
    /// Lines at the start of the pipe.
    pub(crate) fn new(lines: Lines) -> Self {
        let plain = lines.not_run.is_empty();
        Self { lines, whole: plain, places: if plain { Places::Same } else { Places::Lost } }
    }

    pub(crate) fn into_lines(self) -> Lines {
        self.lines
    }

    /// Passes the lines through one more program; `spelled` is its text in the command.
    pub(crate) fn then(mut self, stages: Vec<Stage>, spelled: &str) -> Self {
        let mut all_done = true;
        for stage in stages {
            match stage {
                Stage::Choose(filter) => all_done &= self.choose(filter),
                Stage::Change(change) => {
                    self.change(change);
                    all_done = false;
                }
            }
        }
        if !all_done {
            self.lines.not_run.push(spelled.to_owned());
        }
        self
    }

    /// Applies a filter if it chooses the same lines of ours; returns whether it was applied.
    fn choose(&mut self, filter: Filter) -> bool {
        let applied = match (filter, self.places) {
            (filter @ Filter::Match { .. }, _) if self.whole => Some(filter),
            // The first pieces come from the first lines, the last ones from the last.
            (filter @ (Filter::First(_) | Filter::Last(_)), Places::Split) => {
                self.places = Places::Lost;
                Some(filter)
            }
            (Filter::First(count), Places::Reversed) => Some(Filter::Last(count)),
            (Filter::Last(count), Places::Reversed) => Some(Filter::First(count)),
            (Filter::Match { .. }, _) | (_, Places::Reversed | Places::Split | Places::Lost) => {
                None
            }
            (filter @ (Filter::FirstBytes(_) | Filter::LastBytes(_)), Places::Same) => {
                let whole = std::mem::take(&mut self.whole);
                whole.then_some(filter)
            }
            (filter @ Filter::Between { .. }, Places::Same) => self.whole.then_some(filter),
            (filter, Places::Same) => Some(filter),
        };
        let Some(filter) = applied else {
            // Later filters would choose among other lines.
            (self.places, self.whole) = (Places::Lost, false);
            return false;
        };
        self.narrow(filter);
        true
    }

    fn change(&mut self, change: Change) {
        self.lines.cut |= matches!(change, Change::Columns | Change::Matches);
        self.places = match (change, self.places) {
            (Change::EachLine | Change::Columns, places) => places,
            (Change::Splits | Change::Matches, Places::Same) => Places::Split,
            (Change::Reverses, Places::Same) => Places::Reversed,
            (Change::Reverses, Places::Reversed) => Places::Same,
            _ => Places::Lost,
        };
        self.whole &= matches!(change, Change::Reverses | Change::Reorders);
    }

    /// Adds a filter, as part of the read if possible.
    fn narrow(&mut self, filter: Filter) {
        let files = match &self.lines.source {
            // A dump has no lines to choose from.
            Source::Dump(_) => return,
            Source::Read(files) if self.lines.filters.is_empty() => files,
            Source::Read(_) | Source::Grep(_) => {
                self.lines.filters.push(filter);
                return;
            }
        };
        // The grep tool sorts the files it is given, so several stay a read.
        let [file] = files.as_slice() else {
            self.lines.filters.push(filter);
            return;
        };
        match filter {
            Filter::Match { pattern, literal, case_sensitive, keep }
                if file.offset.is_none() && file.limit.is_none() =>
            {
                self.lines.source = Source::Grep(GrepRequest {
                    pattern,
                    paths: vec![file.path.clone()],
                    literal,
                    case_sensitive,
                    invert: !keep,
                    ..GrepRequest::default()
                });
            }
            filter if is_pattern(&file.path) => self.lines.filters.push(filter),
            filter => match narrowed(file, &filter) {
                Some(files) => self.lines.source = Source::Read(files),
                None => self.lines.filters.push(filter),
            },
        }
    }
}

/// The read of only the lines that a filter keeps; `None` if it depends on the file's length.
pub(crate) fn narrowed(file: &ReadPath, filter: &Filter) -> Option<Vec<ReadPath>> {
    let signed = |number: u64| i64::try_from(number).ok();
    let part = |offset: Option<i64>, limit: Option<u64>| ReadPath {
        path: file.path.clone(),
        offset,
        limit,
    };
    if let Filter::First(count) = filter {
        let limit = file.limit.map_or(*count, |limit| limit.min(*count));
        return Some(vec![part(file.offset, Some(limit))]);
    }
    // The filter counts lines from the first one that is read.
    let start = u64::try_from(file.offset.unwrap_or(1)).ok().filter(|start| *start > 0)?;
    let shortened =
        |limit: Option<u64>, skipped: u64| limit.map(|limit| limit.saturating_sub(skipped));
    match filter {
        Filter::From(first) => {
            let limit = shortened(file.limit, first - 1);
            Some(vec![part(signed(start + first - 1), limit)])
        }
        Filter::Last(count) if file.offset.is_none() && file.limit.is_none() && *count > 0 => {
            Some(vec![part(signed(*count).map(|count| -count), None)])
        }
        Filter::Ranges(ranges) => ranges
            .iter()
            .map(|(first, last)| {
                let wanted = last.map(|last| (last + 1).saturating_sub(*first));
                let left = shortened(file.limit, first - 1);
                let limit = match (wanted, left) {
                    (Some(wanted), Some(left)) => Some(wanted.min(left)),
                    (one, other) => one.or(other),
                };
                Some(part(signed(start + first - 1), limit))
            })
            .filter(|part: &Option<ReadPath>| {
                part.as_ref().is_none_or(|part| part.limit != Some(0))
            })
            .collect(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, Pipe, Stage};
    use crate::serve::{Filter, Lines, ReadPath, Source};

    fn after(stages: &[Stage]) -> Lines {
        let file = ReadPath { path: "a".to_owned(), ..ReadPath::default() };
        let pipe = Pipe::new(Lines::new(Source::Read(vec![file])));
        let put = |pipe: Pipe, (i, stage): (usize, &Stage)| {
            pipe.then(vec![stage.clone()], &i.to_string())
        };
        stages.iter().enumerate().fold(pipe, put).into_lines()
    }

    fn check(change: Change, filter: &Filter, applied: Option<(Option<i64>, Option<u64>)>) {
        let lines = after(&[Stage::Change(change), Stage::Choose(filter.clone())]);
        let Source::Read(files) = &lines.source else { panic!("{lines:?}") };
        assert_eq!(
            (files[0].offset, files[0].limit),
            applied.unwrap_or_default(),
            "{change:?} {filter:?}"
        );
        let expected: &[&str] = if applied.is_some() { &["0"] } else { &["0", "1"] };
        assert_eq!(lines.not_run, expected, "{change:?} {filter:?}");
    }

    #[test]
    fn a_count_applies_after_a_change_that_keeps_line_numbers() {
        check(Change::EachLine, &Filter::First(5), Some((None, Some(5))));
        check(Change::EachLine, &Filter::From(3), Some((Some(3), None)));
        check(Change::Splits, &Filter::First(5), Some((None, Some(5))));
        check(Change::Splits, &Filter::Last(5), Some((Some(-5), None)));
        check(Change::Reverses, &Filter::First(5), Some((Some(-5), None)));
        check(Change::Splits, &Filter::From(3), None);
        check(Change::Reverses, &Filter::From(3), None);
        check(Change::Reorders, &Filter::First(5), None);
        check(Change::Rewrites, &Filter::Last(5), None);
    }

    #[test]
    fn no_count_applies_after_a_filter_that_was_left_out() {
        let first = |count| Stage::Choose(Filter::First(count));
        let lines = after(&[Stage::Change(Change::Splits), first(5), first(2)]);
        assert_eq!(lines.not_run, ["0", "2"]);
        let lines = after(&[Stage::Change(Change::Reorders), first(5), first(2)]);
        assert_eq!(lines.not_run, ["0", "1", "2"]);
    }

    #[test]
    fn a_pattern_applies_only_to_whole_lines() {
        let test = || {
            Stage::Choose(Filter::Match {
                pattern: "x".to_owned(),
                literal: true,
                case_sensitive: true,
                keep: true,
            })
        };
        let lines = after(&[Stage::Change(Change::Reorders), test()]);
        assert!(matches!(lines.source, Source::Grep(_)), "{lines:?}");
        assert_eq!(lines.not_run, ["0"]);
        let lines = after(&[Stage::Change(Change::EachLine), test()]);
        assert_eq!(lines.not_run, ["0", "1"]);
    }
}
