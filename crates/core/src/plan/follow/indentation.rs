//! Adapting a text to lines whose indentation has changed.
//!
//! The text of an edit was written for the lines as they were shown. If a formatter has changed the
//! file since, the text must be indented like its neighbours are now. How these changed is known
//! line by line: [`IndentChange`] finds the one rule that explains it, and applies it to the text.
//! If there is no such rule, or rules that lead to different texts, there is no result.

use super::Comparison;
use hashline_text::{Indent, LineKind};

/// The most levels that a rule may add or remove.
const MAX_LEVELS: i32 = 8;

/// The indentation of lines, before and after.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct IndentChange {
    /// The indentations of the lines that were followed.
    own: Vec<(Indent, Indent)>,
    /// The indentations of the lines near them.
    near: Vec<(Indent, Indent)>,
    /// How many of the near lines are above.
    above: usize,
}

/// One step of indentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum IndentUnit {
    Tab,
    Spaces(u8),
}

/// A rule: each level of one unit becomes a level of another, and some levels are added or removed.
#[derive(Clone, Copy, Debug)]
struct IndentRule {
    from: IndentUnit,
    to: IndentUnit,
    levels: i32,
}

impl IndentChange {
    /// How the indentation of the lines `first..=last`, now at `target`, and of the lines near them
    /// has changed; `None` if it has not.
    pub(super) fn around(
        comparison: &Comparison<'_>,
        first: usize,
        last: usize,
        target: usize,
    ) -> Option<Self> {
        let indents = |(old, new): (usize, usize)| {
            let (old, new) = (comparison.old[old], comparison.new[new]);
            if old.kind() == LineKind::Blank {
                return None;
            }
            Some((old.indent()?, new.indent()?))
        };
        let own: Vec<_> = (first..=last).zip(target..).filter_map(indents).collect();
        let outside = |pair: &(usize, usize)| !(first..=last).contains(&pair.0);
        let near: Vec<_> =
            comparison.near(first, last).filter(outside).filter_map(indents).collect();
        let is_above = |pair: &(usize, usize)| pair.0 < first;
        let above = comparison.near(first, last).filter(is_above).filter_map(indents).count();
        let changed = own.iter().chain(&near).any(|(old, new)| old != new);
        changed.then_some(Self { own, near, above })
    }

    /// Whether the lines kept their indentation, or changed it like an indented line beside them: a
    /// line that alone left its block, or entered another one, means something else there.
    pub(super) fn is_shared(&self) -> bool {
        let is_indented =
            |(old, new): &&(Indent, Indent)| *old != Indent::NONE || *new != Indent::NONE;
        let (above, below) = self.near.split_at(self.above);
        let beside = [above.iter().rev().find(is_indented), below.iter().find(is_indented)];
        let changed: Vec<_> =
            beside.into_iter().flatten().filter(|(old, new)| old != new).collect();
        self.own.iter().all(|(old, new)| old == new)
            || rules().any(|rule| {
                let fits = |(old, new): &(Indent, Indent)| rule.apply(*old) == Some(*new);
                self.own.iter().all(fits) && changed.iter().any(|pair| fits(pair))
            })
    }

    /// Whether it looks like the work of a formatter: another unit of indentation, or followed
    /// lines that kept their indentation. Lines that were moved into or out of a block are often
    /// moved elsewhere as well: the model had better read them again.
    pub(crate) fn is_formatting(&self) -> bool {
        let fits = |rule: &IndentRule, pairs: &[(Indent, Indent)]| {
            pairs.iter().filter(|(old, new)| rule.apply(*old) == Some(*new)).count()
        };
        let explains = |rule: &IndentRule| fits(rule, &self.own) + fits(rule, &self.near);
        let best = |is_wanted: fn(&IndentRule) -> bool| {
            rules().filter(is_wanted).map(|rule| explains(&rule)).max().unwrap_or_default()
        };
        let kept = best(|rule| rule.from == rule.to && rule.levels == 0);
        let is_shift =
            |rule: &IndentRule| rule.from == rule.to && rule.from != IndentUnit::ALIGNMENT;
        let shifted = rules().filter(|rule| is_shift(rule) && rule.levels != 0);
        let shifted = shifted.map(|rule| explains(&rule)).max().unwrap_or_default();
        let other_unit = best(|rule| rule.from != rule.to || rule.from == IndentUnit::ALIGNMENT);
        let own_kept = !self.own.is_empty() && self.own.iter().all(|(old, new)| old == new);
        (own_kept && kept >= shifted) || (other_unit > shifted && other_unit > kept)
    }

    /// The lines of a text with the indentation that they need now; `None` if that is not certain.
    pub(crate) fn carry(&self, lines: &[String]) -> Option<Vec<String>> {
        let mut best: Option<(usize, Option<Vec<String>>)> = None;
        for rule in rules() {
            let fits = |(old, new): &&(Indent, Indent)| rule.apply(*old) == Some(*new);
            if !self.own.iter().all(|pair| fits(&pair)) {
                continue;
            }
            let score = self.near.iter().filter(fits).count();
            let carried = || lines.iter().map(|line| rule.carry(line)).collect::<Option<Vec<_>>>();
            best = match best {
                Some((most, _)) if score > most => Some((score, carried())),
                // Rules that explain equally many lines must lead to the same text.
                Some((most, text)) if score == most => {
                    let same = text.filter(|text| carried().as_ref() == Some(text));
                    Some((most, same))
                }
                None => Some((score, carried())),
                better => better,
            };
        }
        best?.1
    }
}

impl IndentUnit {
    /// Not a level, but one space that aligns something, such as the stars of a comment.
    const ALIGNMENT: Self = Self::Spaces(1);
}

/// Every rule that is tried.
fn rules() -> impl Iterator<Item = IndentRule> {
    const UNITS: [IndentUnit; 6] = [
        IndentUnit::Tab,
        IndentUnit::Spaces(2),
        IndentUnit::Spaces(3),
        IndentUnit::Spaces(4),
        IndentUnit::Spaces(6),
        IndentUnit::Spaces(8),
    ];
    let levels = -MAX_LEVELS..=MAX_LEVELS;
    let units = UNITS.into_iter().flat_map(|from| UNITS.map(|to| (from, to)));
    let (from, to) = (IndentUnit::ALIGNMENT, IndentUnit::ALIGNMENT);
    let aligned = [-1, 1].map(|levels| IndentRule { from, to, levels });
    units
        .flat_map(move |(from, to)| {
            levels.clone().map(move |levels| IndentRule { from, to, levels })
        })
        .chain(aligned)
}

impl IndentRule {
    fn apply(self, indent: Indent) -> Option<Indent> {
        if self.from == IndentUnit::ALIGNMENT {
            let spaces = i32::from(indent.spaces) + self.levels;
            return Some(Indent { spaces: u8::try_from(spaces).ok()?, ..indent });
        }
        // White space that is less than a level, such as the space before the `*` of a comment,
        // stays.
        let (count, rest) = match self.from {
            IndentUnit::Tab => (indent.tabs, indent.spaces),
            IndentUnit::Spaces(_) if indent.tabs > 0 => return None,
            IndentUnit::Spaces(width) => (indent.spaces / width, indent.spaces % width),
        };
        let count = u8::try_from(i32::from(count) + self.levels).ok()?;
        Some(match self.to {
            IndentUnit::Tab => Indent { tabs: count, spaces: rest },
            IndentUnit::Spaces(width) => {
                Indent { tabs: 0, spaces: count.checked_mul(width)?.checked_add(rest)? }
            }
        })
    }

    fn carry(self, line: &str) -> Option<String> {
        let text = line.trim_start_matches([' ', '\t']);
        if text.is_empty() {
            return Some(line.to_owned());
        }
        let Indent { tabs, spaces } = self.apply(Indent::of(line.as_bytes())?)?;
        let white = "\t".repeat(tabs.into()) + &" ".repeat(spaces.into());
        Some(white + text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indents(pairs: &[(&str, &str)]) -> Vec<(Indent, Indent)> {
        let indent = |text: &str| Indent::of(format!("{text}x").as_bytes()).unwrap();
        pairs.iter().map(|(old, new)| (indent(old), indent(new))).collect()
    }

    #[track_caller]
    fn check(own: &[(&str, &str)], near: &[(&str, &str)], text: &str, expected: Option<&str>) {
        let change = IndentChange { own: indents(own), near: indents(near), above: 0 };
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let carried = change.carry(&lines).map(|lines| lines.join("\n"));
        assert_eq!(carried.as_deref(), expected);
    }

    #[test]
    fn four_spaces_become_two() {
        let near = [("", ""), ("    ", "  "), ("        ", "    ")];
        check(&[("    ", "  ")], &near, "    a\n        b", Some("  a\n    b"));
    }

    #[test]
    fn tabs_become_spaces_and_the_star_of_a_comment_stays_where_it_is() {
        let near = [("", ""), ("\t", "    "), ("\t ", "     ")];
        check(&[("\t", "    ")], &near, "\t/**\n\t * a\n\t */", Some("    /**\n     * a\n     */"));
    }

    #[test]
    fn the_stars_of_a_comment_are_aligned() {
        check(&[("\t", "\t ")], &[("", ""), ("\t", "\t ")], "\t* a", Some("\t * a"));
    }

    #[test]
    fn a_text_is_shifted_with_the_block_that_it_is_for() {
        let near = [("\t", "\t\t"), ("", ""), ("\t\t", "\t\t\t")];
        check(&[("\t", "\t\t")], &near, "\ta\n\t\tb\n\n\tc", Some("\t\ta\n\t\t\tb\n\n\t\tc"));
    }

    #[test]
    fn an_unindented_line_follows_its_neighbours() {
        let near = [("    ", "\t"), ("        ", "\t\t")];
        check(&[("", "")], &near, "if x:\n    y", Some("if x:\n\ty"));
    }

    #[test]
    fn a_text_that_two_rules_indent_differently_is_not_carried() {
        check(&[("    ", "  ")], &[], "        a", None);
    }

    #[test]
    fn lines_that_follow_no_rule_give_no_text() {
        check(&[("    ", "  "), ("        ", "        ")], &[], "    a", None);
    }
}
