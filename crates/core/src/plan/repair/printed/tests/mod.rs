use crate::plan::repair::Repair::StripPrefix;
use crate::plan::repair::testing::*;

const CODE: &str = "aaa\nbbb\nccc\nddd\neee\n";

#[test]
fn a_row_that_was_shown_becomes_its_text() {
    Case { shown: &["2:7e"], ..replace(CODE, 2, 2, "2:7e|let x = 2;") }
        .becomes(StripPrefix, "let x = 2;");
    replace(CODE, 2, 2, "9:f1|let a = 1;").becomes(StripPrefix, "let a = 1;");
}

#[test]
fn marks_in_front_of_a_row_are_removed_with_its_anchor() {
    replace(CODE, 2, 2, ">>> 9:f1|    let a = 1;").becomes(StripPrefix, "    let a = 1;");
    replace(CODE, 2, 2, ">9:f1|let a = 1;").becomes(StripPrefix, "let a = 1;");
    replace(CODE, 2, 2, "+9:f1|let a = 1;\n+10:08|let b = 2;")
        .becomes(StripPrefix, "let a = 1;\nlet b = 2;");
}

#[test]
fn a_tag_of_the_replaced_line_is_removed() {
    replace(CODE, 2, 2, "bbb:no").stays(StripPrefix);
    let tag = crate::plan::tag_at(
        &hashline_text::Document::from_text(CODE),
        1,
        hashline_text::Scheme::Hex2,
    );
    let text: &'static str = format!("{tag}|BBB").leak();
    replace(CODE, 2, 2, text).becomes(StripPrefix, "BBB");
    let longer: &'static str = format!("{tag}0|BBB").leak();
    replace(CODE, 2, 2, longer).becomes(StripPrefix, "BBB");
    insert_after(CODE, 2, text).becomes(StripPrefix, "BBB");
}

#[test]
fn a_number_of_the_replaced_line_is_removed() {
    replace(CODE, 2, 2, "2:BBB").becomes(StripPrefix, "BBB");
    replace(CODE, 2, 2, "2: BBB").becomes(StripPrefix, "BBB");
    replace(CODE, 2, 2, "2: other").stays(StripPrefix);
    replace(CODE, 2, 3, "2|BBB\n3|CCC\n4|more").becomes(StripPrefix, "BBB\nCCC\nmore");
    replace(CODE, 2, 3, "2|BBB\nplain").stays(StripPrefix);
    replace(CODE, 2, 2, "7:BBB").stays(StripPrefix);
}

#[test]
fn a_made_up_tag_at_its_place_is_removed() {
    insert_after(CODE, 2, "3:a1|B1\n4:b2|B2").becomes(StripPrefix, "B1\nB2");
    replace(CODE, 2, 2, "2:ab|BBB").becomes(StripPrefix, "BBB");
    replace(CODE, 2, 2, "12:ab|BBB").stays(StripPrefix);
}

#[test]
fn rows_of_a_report_become_its_result() {
    replace(CODE, 2, 4, "-2|bbb\n-3|ccc\n-4|ddd\n+2|B\n+3|C\n+4|D").becomes(StripPrefix, "B\nC\nD");
}

#[test]
fn headers_and_footers_are_removed() {
    replace(CODE, 2, 2, "file.txt (lines 1-5 of 5)\nBBB").becomes(StripPrefix, "BBB");
    replace(CODE, 2, 2, "BBB\n[3 more lines: read again with offset 4]")
        .becomes(StripPrefix, "BBB");
    replace(CODE, 2, 2, "other.rs (lines 1-5 of 5)").stays(StripPrefix);
    replace(CODE, 2, 2, "Applied 1 operation to 1 file\nfile.txt: +1 -1\n-2|bbb\n+2|BBB")
        .becomes(StripPrefix, "BBB");
    replace(CODE, 2, 2, "Actual state:\n2|BBB").becomes(StripPrefix, "BBB");
}

#[test]
fn an_empty_row_behind_the_end_is_dropped() {
    replace(CODE, 5, 5, "5:f1|let a = 1;\n6:05|").becomes(StripPrefix, "let a = 1;");
}

#[test]
fn a_gap_between_rows_cannot_be_written() {
    replace(CODE, 1, 5, "1:f1|let a = 1;\n...\n5:08|let b = 2;")
        .check_refused(StripPrefix, "`...`");
    replace(CODE, 1, 5, "def f():\n...").stays(StripPrefix);
}

#[test]
fn a_cut_line_cannot_be_written() {
    let numbers: Vec<String> = (10_000..11_000).map(|number| number.to_string()).collect();
    for line in [numbers.concat(), "0123456789".repeat(500)] {
        let file: &'static str = format!("aaa\n{line}\n").leak();
        let shown: &'static str = crate::show::content(&line).leak();
        replace(file, 2, 2, shown).check_refused(StripPrefix, "shown cut");
        let bare: &'static str = line[..2000].to_owned().leak();
        replace(file, 2, 2, bare).check_refused(StripPrefix, "shown cut");
        replace(file, 2, 2, "short").stays(StripPrefix);
        let whole: &'static str = format!("y{line}").leak();
        replace(file, 2, 2, whole).stays(StripPrefix);
    }
}

#[test]
fn a_shown_escape_becomes_its_character() {
    replace("a\n\u{1b}[0m red\n", 2, 2, "\\x1b[0m blue").becomes(StripPrefix, "\u{1b}[0m blue");
    replace("a\rb\n", 1, 1, "a\\rc").becomes(StripPrefix, "a\rc");
    replace("a\nb\n", 2, 2, "print(\"\\x1b[0m\")").stays(StripPrefix);
    replace("\u{1b} and \\x1b\n", 1, 1, "\\x1b or \\x1b").check_refused(StripPrefix, "both");
}

#[test]
fn yaml_keys_stay() {
    replace("a: 1\n", 1, 1, "1: \"one\"\n2: \"two\"").stays(StripPrefix);
    replace("a: 1\n", 1, 1, "1:ab\n2:cd").stays(StripPrefix);
    replace("a: 1\n", 1, 1, "12:ab: |\n13:cd: |").stays(StripPrefix);
}

#[test]
fn tables_stay() {
    replace("a\n", 1, 1, "| 1:ab|x |\n|---|---|").stays(StripPrefix);
    replace("a\n", 1, 1, "time|what\n12:30|lunch of the team").stays(StripPrefix);
}

#[test]
fn rows_in_unrelated_places_stay() {
    replace("a\n", 1, 1, "12:ab|x").stays(StripPrefix);
    replace("a\n", 1, 1, "x\ny\nz\n12:ab|x").stays(StripPrefix);
    replace("a\n", 1, 1, "13:ab|x\n12:cd|y").stays(StripPrefix);
    replace("a\n", 1, 1, "4:00|one\n5:11|two\nthree").stays(StripPrefix);
}

#[test]
fn a_file_that_has_such_lines_keeps_them() {
    replace("1:00|x\nplain\n", 2, 2, "9:f1|let a = 1;").stays(StripPrefix);
    replace("9:f1|let a = 2;\n", 1, 1, "9:f1|let a = 1;").stays(StripPrefix);
    Case { shown: &["2:7e"], ..replace("1:00|x\nplain\n", 2, 2, "2:7e|y") }
        .check_refused(StripPrefix, "of its own");
}

#[test]
fn a_listing_in_a_fence_stays() {
    replace("a\n", 1, 1, "```\n1:f1|x = 1;\n2:08|let c = 2;\n```").stays(StripPrefix);
}
