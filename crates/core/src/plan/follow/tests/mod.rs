//! Which lines are followed, and which are not.

use proptest::prelude::*;

use super::*;
use hashline_text::Document;

/// Follows the lines of `old` that begin with `>`: they must become the lines of `new` that do.
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
fn the_ends_of_a_file_do_not_confirm_a_line_between_replaced_lines() {
    check("a one\nb two\n>return;\nc three", "d four\ne five\nreturn;\nf six", CHANGED);
    check("a one\n>return;\nb two\nc three", "d four\nreturn;\ne five\nf six", CHANGED);
    check(">alpha()", "beta()\n>alpha()\ngamma()", Ok(()));
}

#[test]
fn a_telling_line_on_one_side_confirms_a_brace() {
    check("start {\n  work\n>}\nold end", "start {\n  work\n>}\nnew end", Ok(()));
    check("old start {\n>}\nold end", "new start {\n}\nnew end", CHANGED);
}

#[test]
fn a_block_keeps_its_brace_when_another_block_is_put_behind_it() {
    let new = "first {\n  work\n>}\nother {\n  play\n}\nlast";
    check("first {\n  work\n>}\nlast", new, Ok(()));
}

#[test]
fn telling_lines_on_both_sides_confirm_a_brace_between_changed_lines() {
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
fn a_line_between_changed_lines_is_distinguished_from_equal_lines() {
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
fn a_brace_does_not_go_with_the_head_of_its_block_to_another_function() {
    let old = "func a() {\n  return with(x) {\n    one()\n>  }\n}\n\nfunc c() {";
    let rewritten = "func a() {\n  return many(func() {\n    three()\n    four()\n  }\n";
    let other = "\nfunc b() {\n  return with(x) {\n    two()\n  }\n}\n\nfunc c() {";
    check(old, &format!("{rewritten}{other}"), CHANGED);
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
    // The lines around kept their bytes, so the same brace is the one that kept its bytes.
    let file = |inner: &str| {
        let filler: Vec<String> = (0..200).map(|at| format!("call_number({at})")).collect();
        format!("{}\n{inner}\nthe end", filler.join("\n"))
    };
    let old = "outer {\n        inner {\n            work()\n        }\n>    }\nnext()";
    let new = "outer {\n        inner {\n            work()\n        }\n  }\n>    }\nnext()";
    check(&file(old), &file(new), Ok(()));
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
fn a_blank_line_that_lost_its_white_space_is_not_followed() {
    check("one\n>\t\ntwo\nthree", "one\n\ntwo\nthree", CHANGED);
}

#[test]
fn a_line_that_ends_a_block_is_kept_with_the_lines_above_it() {
    let old = "header()\nfirst {\n  work\n>}\n\nlast {\n  rest\n}";
    let new = "other()\nfirst {\n  work\n>}\n\nmiddle {\n  play\n}\n\nlast {\n  rest\n}";
    check(old, new, Ok(()));
}

#[test]
fn a_block_that_moved_into_another_is_not_followed() {
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

#[test]
fn a_brace_beside_a_block_that_was_wrapped_is_the_one_that_kept_its_bytes() {
    let old = "fn run() {\n  for x {\n    step_one();\n    step_two();\n>  }\n  done();\n}";
    let new = "fn run() {\n  for x {\n    if y {\n      step_one();\n      step_two();\n    }\n>  }\n  done();\n}";
    check(old, new, Ok(()));
}

#[test]
fn a_line_that_two_blocks_have_is_followed_with_its_own_block() {
    let block = |name: &str, mark: &str| {
        format!("{name}() {{\n  open();\n{mark}  rows();\n  end_{name}();\n}}\n\n")
    };
    let old = block("alpha", ">") + &block("beta", "") + "the end";
    check(&old, &(block("beta", "") + &block("alpha", ">") + "the end"), Ok(()));
    let bare = |name: &str, mark: &str| format!("{name}() {{\n  open();\n{mark}  rows();\n}}\n");
    let old = bare("alpha", ">") + &bare("beta", "");
    check(&old, &(bare("beta", "") + &bare("alpha", "")), CHANGED);
}

#[test]
fn of_a_line_that_was_the_only_one_and_its_copy_elsewhere_neither_is_preferred() {
    let old = "first line\n>second line\nthird line\nfourth line";
    check(old, "first line\nsecond line\nother line\nfourth line\nsecond line", CHANGED);
    check(old, "first line\n>second line\nother line\nfourth line\nfifth line", Ok(()));
}

#[test]
fn a_line_that_opens_an_entry_needs_the_line_below_it() {
    let list = |first: &str, mark: &str| {
        format!("list = [\n{mark}  {{\n    {first}\n  }},\n  {{\n    last_entry\n  }},\n]")
    };
    check(&list("old_entry", ">"), &list("new_entry", ""), CHANGED);
    check(&list("old_entry", ">"), &format!("new line\n{}", list("old_entry", ">")), Ok(()));
}

#[test]
fn lines_that_each_occur_often_need_both_neighbours() {
    let branch =
        |next: &str, mark: &str| format!("check(err) {{\n{mark}  return\n{mark}}}\n{next}()\n");
    let file = |first: &str, mark: &str| {
        branch(first, mark) + &branch("second", "") + &branch("third", "") + "the end"
    };
    check(&file("first", ">"), &file("other", ""), CHANGED);
    check(&file("first", ">"), &format!("new\n{}", file("first", ">")), Ok(()));
}

#[test]
fn a_closing_line_is_not_followed_to_another_block_below() {
    let old = "fn a() {\n  one();\n  two();\n>}\n\nfn c() {\n}";
    let new = "fn a() {\n  three();\n})\n\nfn b() {\n  four();\n}\n\nfn c() {\n}";
    check(old, new, CHANGED);
}

#[test]
fn short_lines_that_each_occur_once_tell_as_much_as_a_long_one() {
    let lines = |mark: usize| -> String {
        let line = |at| format!("{}v_{at}", if at == mark { ">" } else { "" });
        (1..=9).map(line).collect::<Vec<_>>().join("\n") + "\n"
    };
    check(&lines(5), &format!("new one\nnew two\n{}", lines(5)), Ok(()));
}

#[test]
fn a_line_that_alone_changed_its_indentation_is_not_followed() {
    let filler =
        (0..300).map(|at| format!("call_number({at})")).collect::<Vec<_>>().join("\n") + "\n";
    let file = |last: &str| format!("{filler}for x in y:\n    load(x)\n{last}store(x)\nend(y)");
    check(&file(">    "), &file(""), CHANGED);
    check(&file(">"), &file("    "), CHANGED);
}

#[test]
fn words_that_were_joined_are_other_words() {
    check("start(1)\n>if not found:\nend(1)", "start(1)\nif notfound:\nend(1)", CHANGED);
}

#[test]
fn a_line_is_followed_through_other_quotes_if_those_near_it_changed_too() {
    let old = "one = 'a1b2'\n>two = 'c3d4'\nthree = 'e5f6'";
    check(old, "one = \"a1b2\";\n>two = \"c3d4\";\nthree = \"e5f6\";", Ok(()));
    check(old, "one = 'a1b2'\ntwo = \"c3d4\"\nthree = 'e5f6'", CHANGED);
    check(old, "four = \"g7h8\";\ntwo = \"c3d4\";\nfive = \"i9j0\";", CHANGED);
}

#[test]
fn a_line_at_its_old_number_is_unmoved_if_it_occurs_once() {
    let digests = |text: &str| Document::from_text(text.to_owned()).digests();
    let old = digests("a one\nkept line\nb two\n}\n");
    let new = digests("c three\nkept line\nd four\n}\n");
    let comparison = Comparison::new(&old, &new);
    assert!(comparison.is_unmoved(1, 1));
    assert!(!comparison.is_unmoved(0, 0) && !comparison.is_unmoved(1, 2));
    assert!(!comparison.is_unmoved(3, 3), "a brace is too easily another");
}

/// Lines that occur often, or only once because each has its own number.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let common = prop::sample::select(vec!["}", "", "    }", "  return err", "  if err {", "{"]);
    let line = (common, 0..10_u8, 0..1_000_000_u32).prop_map(|(common, kind, number)| {
        if kind < 5 { common.to_owned() } else { format!("  call_{number}();") }
    });
    prop::collection::vec(line, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn if_only_unique_lines_were_added_or_removed_none_is_mistaken(
        lines in lines(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..6),
    ) {
        let mut kept: Vec<(Option<usize>, String)> = lines.iter().cloned().enumerate()
            .map(|(at, line)| (Some(at), line)).collect();
        for (number, (at, insert)) in changes.iter().enumerate() {
            let at = at.index(kept.len());
            if *insert {
                kept.insert(at, (None, format!("  new_line_{number}();")));
            } else if kept[at].1.contains("call_") && kept.len() > 1 {
                kept.remove(at);
            }
        }
        let digests = |lines: Vec<&String>| -> Vec<LineDigest> {
            lines.iter().map(|line| LineDigest::of(line.as_bytes())).collect()
        };
        let (old, new) = (digests(lines.iter().collect()), digests(kept.iter().map(|one| &one.1).collect()));
        let comparison = Comparison::new(&old, &new);
        for at in 0..old.len() {
            if let Ok(followed) = comparison.follow(at, at) {
                prop_assert_eq!(kept[followed.first].0, Some(at));
            }
        }
    }

    #[test]
    fn of_two_blocks_that_changed_places_each_keeps_its_lines(
        shared in lines(),
        before in 1..3_usize,
        after in 0..3_usize,
    ) {
        let block = |name: &str| -> Vec<String> {
            let own = |side: &str, count: usize| -> Vec<String> {
                (0..count).map(|at| format!("{side}_{name}_{at}()")).collect()
            };
            let shared = shared.iter().filter(|line| !line.contains("call_")).take(6).cloned();
            [own("start", before), shared.collect(), own("end", after)].concat()
        };
        let digests = |blocks: [Vec<String>; 2]| -> Vec<LineDigest> {
            blocks.concat().iter().map(|line| LineDigest::of(line.as_bytes())).collect()
        };
        let old = digests([block("alpha"), block("beta")]);
        let new = digests([block("beta"), block("alpha")]);
        let half = old.len() / 2;
        let comparison = Comparison::new(&old, &new);
        for at in 0..old.len() {
            if let Ok(followed) = comparison.follow(at, at) {
                prop_assert_eq!(followed.first, (at + half) % old.len());
            }
        }
    }
}

#[test]
fn a_block_keeps_its_brace_when_the_block_behind_it_goes() {
    let old = "head()\nfirst {\n  work\n>}\n\nother {\n  play\n}\nlast";
    check(old, "head()\nfirst {\n  work\n>}\n", Ok(()));
}

#[test]
fn a_line_whose_neighbour_is_elsewhere_may_have_changed_places_too() {
    check("alpha()\nbeta()\n>gamma()", "alpha()\nbeta()\nbreak;\nbeta()\ngamma()", CHANGED);
}

#[test]
fn a_run_is_not_continued_where_as_many_lines_read_alike_as_before() {
    let old = "word one\n */\n}\n/**\n * Text.\n> */\nword two";
    check(old, "word one\n}\n/**\n * Text.\n */\n */\nword two", CHANGED);
}

#[test]
fn a_block_keeps_the_blank_line_below_it_when_another_block_comes_behind() {
    let new = ">first {\n  work\n}\n\nother {\n  play\n}\n\nlast";
    check(">first {\n  work\n}\n>\nlast", new, Ok(()));
}

#[test]
fn a_brace_between_changed_lines_keeps_its_distance_from_the_line_above() {
    let old = "alpha()\n  old one\n>}\nold two\nomega()";
    check(old, "alpha()\n  new one\n  new two\n}\nomega()", CHANGED);
}
