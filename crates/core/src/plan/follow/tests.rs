//! Which lines are followed, and which are not.

use super::*;
use hashline_text::Document;

/// Follows the lines of `old` that begin with `>`, and compares with those of `new` that do.
#[track_caller]
fn check(old: &str, new: &str, expected: Result<(), NotFollowed>) {
    let [(old, marked), (new, target)] = [old, new].map(|text| {
        let marked: Vec<usize> = (text.lines().enumerate())
            .filter(|(_, line)| line.starts_with('>'))
            .map(|(at, _)| at)
            .collect();
        let plain: Vec<&str> =
            text.lines().map(|line| line.strip_prefix('>').unwrap_or(line)).collect();
        (Document::from_text(plain.join("\n")).digests(), marked)
    });
    let followed = Comparison::new(&old, &new).follow(marked[0], marked[marked.len() - 1]);
    match expected {
        Ok(()) => assert_eq!(followed.map(|followed| followed.first), Ok(target[0])),
        Err(reason) => assert_eq!(followed, Err(reason)),
    }
}

const CHANGED: Result<(), NotFollowed> = Err(NotFollowed::Changed);

#[test]
fn a_line_is_followed_with_its_neighbours() {
    check("first\n>second\nthird", "new\nfirst\n>second\nthird", Ok(()));
}

#[test]
fn a_line_between_new_ones_is_followed_if_its_place_is_plain() {
    let new = "alpha: one\n/* new */\n>middle: two\n/* new */\nomega: three";
    check("alpha: one\n>middle: two\nomega: three", new, Ok(()));
}

#[test]
fn the_ends_of_a_file_do_not_hold_a_line_between_others_that_were_replaced() {
    check("a one\nb two\n>return;\nc three", "d four\ne five\nreturn;\nf six", CHANGED);
    check("a one\n>return;\nb two\nc three", "d four\nreturn;\ne five\nf six", CHANGED);
    check(">alpha()", "beta()\n>alpha()\ngamma()", Ok(()));
}

#[test]
fn a_brace_is_held_by_a_telling_line_on_one_side() {
    check("start {\n  work\n>}\nold end", "start {\n  work\n>}\nnew end", Ok(()));
    check("old start {\n>}\nold end", "new start {\n}\nnew end", CHANGED);
}

#[test]
fn a_block_keeps_its_brace_when_another_block_is_put_behind_it() {
    let new = "first {\n  work\n>}\nother {\n  play\n}\nlast";
    check("first {\n  work\n>}\nlast", new, Ok(()));
}

#[test]
fn a_brace_between_changed_lines_is_held_by_telling_lines_on_both_sides() {
    let old = "alpha()\n  old one\n>}\nold two\nomega()";
    check(old, "alpha()\n  new one\n>}\nnew two\nomega()", Ok(()));
    check(old, "alpha()\n  new one\n}\n  new two\n}\nomega()", CHANGED);
    check("alpha()\nold one\n>\nold two\nomega()", "alpha()\nnew one\n\nnew two\nomega()", CHANGED);
    let old = "alpha()\nold one\n>try\nold two\nomega()";
    check(old, "alpha()\nnew one\ntry\nnew two\nomega()", CHANGED);
}

#[test]
fn a_brace_between_changed_lines_is_not_followed_to_another_block_over_a_blank_line() {
    let block = |head: &str, body: &str, close: &str| {
        format!("alpha()\n  {head} {{\n{body}\n{close}  }}\n  {head} is done\nomega()")
    };
    for [old, new] in
        [["    one()\n", "    two()\n"], ["    one()\n\n    three()", "    two()\n\n    four()"]]
    {
        check(&block("if ready", old, ">"), &block("while busy", new, ""), CHANGED);
    }
    let kept = |body: &str| format!("alpha()\n  if x {{\n{body}\n>  }}\n{body}\nomega()");
    check(&kept("    one()\n\n    three()"), &kept("    two()\n\n    four()"), Ok(()));
}

#[test]
fn a_line_between_changed_ones_is_told_from_its_like_elsewhere() {
    let old = "start()\nreset()\nalpha()\nold one\n>reset()\nold two\nomega()";
    let new = "start()\nreset()\nalpha()\nnew one\n>reset()\nnew two\nomega()";
    check(old, new, Ok(()));
}

#[test]
fn a_range_does_not_take_the_brace_of_an_inserted_block() {
    let old = "before\n>}\n>\n>  second()\nafter";
    let new = "before\n}\n\n  inserted {\n}\n\n  second()\nafter";
    check(old, new, CHANGED);
}

#[test]
fn a_brace_that_came_to_close_another_block_is_not_followed() {
    let new = "start {\n  if x {\n    one();\n  } else {\n    two();\n  }\n}";
    check("start {\n  if x {\n    one();\n>  }\n}", new, CHANGED);
}

#[test]
fn a_range_with_a_changed_line_inside_is_not_followed() {
    let new = "zero\nfirst\nchanged\nthird\nfourth";
    check("zero\n>first\n>second\n>third\nfourth", new, Err(NotFollowed::Interior));
}

#[test]
fn of_a_line_and_its_copy_neither_is_preferred() {
    check("first\n>second\nthird", "first\nsecond\nfirst\nsecond\nthird", CHANGED);
}

#[test]
fn a_line_is_followed_through_another_unit_of_indentation() {
    let old = "if ready:\n    start()\n>    run()\n    end()\ndone()";
    check(old, "if ready:\n\tstart()\n>\trun()\n\tend()\ndone()", Ok(()));
}

#[test]
fn a_line_is_followed_through_white_space_inside_it() {
    let old = "start(1)\n>x=compute(1,2)\nend(1)";
    check(old, "start(1)\n>x = compute(1, 2)\nend(1)", Ok(()));
}

#[test]
fn a_line_that_got_the_bytes_of_another_is_not_taken_for_it() {
    let old = "if a:\n        echo\n>    echo\nend one\nend two";
    let new = "if a:\n    echo\n>  echo\nend one\nend two";
    check(old, new, Ok(()));
}

#[test]
fn a_brace_put_above_another_is_not_taken_for_it_indented_anew() {
    let file = |inner: &str| {
        let filler: Vec<String> = (0..200).map(|at| format!("call_number({at})")).collect();
        format!("{}\n{inner}\nthe end", filler.join("\n"))
    };
    let old = "outer {\n        inner {\n            work()\n        }\n>    }\nnext()";
    let new = "outer {\n        inner {\n            work()\n        }\n  }\n    }\nnext()";
    check(&file(old), &file(new), CHANGED);
}

#[test]
fn lines_that_moved_are_not_only_respaced() {
    let block = "outer {\n    inner {\n        work()\n>    }\n}\n\nnext {\n    rest()\n}";
    let moved = "    }\n}\n\nnext {\nouter {\n    inner {\n        work()\n}\n    rest()";
    let filler: Vec<String> = (0..600).map(|at| format!("call_number({at})")).collect();
    let filler = filler.join("\n");
    check(&format!("{block}\n{filler}"), &format!("{moved}\n{filler}"), CHANGED);
}

#[test]
fn a_blank_line_that_lost_its_white_space_is_looked_at_again() {
    check("one\n>\t\ntwo\nthree", "one\n\ntwo\nthree", CHANGED);
}

#[test]
fn a_line_that_ends_a_block_is_kept_with_the_lines_above_it() {
    let old = "header()\nfirst {\n  work\n>}\n\nlast {\n  rest\n}";
    let new = "other()\nfirst {\n  work\n>}\n\nmiddle {\n  play\n}\n\nlast {\n  rest\n}";
    check(old, new, Ok(()));
}

#[test]
fn a_block_that_moved_into_another_is_looked_at_again() {
    let old = "one\ntwo\nrun()\n>stop()\nthree\nfour\nfive";
    let new = "one\nchanged\nif x {\n  run()\n  stop()\n}\nthree\nfour\nfive\nsix";
    check(old, new, CHANGED);
}

#[test]
fn the_likeliest_place_is_between_the_same_lines() {
    let document = |text: &str| Document::from_text(text.to_owned()).digests();
    let old = document("}\nalpha\n}\nomega\n}\n");
    let new = document("}\n}\nnew\nnew\n}\nalpha\nmore\n}\nomega\n}\n");
    let comparison = Comparison::new(&old, &new);
    assert_eq!(comparison.likely(2)[0], 7);
    assert_eq!(comparison.expected(2), 6);
}
