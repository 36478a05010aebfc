//! An insert that begins with its own anchor line loses that line.
//!
//! ```text
//! insert_after 3:a3    fn main() {      <- the anchor, repeated
//!                          launch();
//! ```
//!
//! Models repeat the anchor to say where they are. The line is left out if it has the anchor line's
//! text, is telling (`}` repeats for good reasons), occurs once in the text, and is not all of it.

use super::{Site, Work, stripped};
use crate::plan::resolve::is_telling;

pub(super) fn apply(site: &Site<'_>, work: &Work) -> Option<Work> {
    let (anchor, after) = site.anchor?;
    let anchor = site.content(anchor);
    let wanted = stripped(anchor);
    let echoes = work.lines.iter().filter(|line| stripped(line) == wanted).count();
    let (outer, rest) = if after { work.lines.split_first()? } else { work.lines.split_last()? };
    // An echo is an exact copy or has lost its indentation; with another indentation it is new.
    let copied = outer.trim_end() == anchor.trim_end() || outer.trim_end() == anchor.trim();
    if !copied
        || echoes != 1
        || !is_telling(anchor)
        || rest.iter().all(|line| line.trim().is_empty())
    {
        return None;
    }
    Some(Work { lines: rest.to_vec(), ..*work })
}

#[cfg(test)]
mod tests {
    use super::super::Repair::DropEcho;
    use super::super::testing::*;

    const FILE: &str = "fn main() {\n    launch();\n}\n";

    #[test]
    fn an_echoed_anchor_is_left_out() {
        insert_after(FILE, 1, "fn main() {\n    start();").becomes(DropEcho, "    start();");
        insert_before(FILE, 2, "    start();\n    launch();").becomes(DropEcho, "    start();");
        insert_after(FILE, 2, "launch();\nstop();").becomes(DropEcho, "stop();");
    }

    #[test]
    fn a_brace_is_not_an_echo() {
        insert_after(FILE, 3, "}\nfn b() {}").stays(DropEcho);
    }

    #[test]
    fn a_line_inserted_twice_on_purpose_stays() {
        insert_after(FILE, 2, "    launch();").stays(DropEcho);
        insert_after(FILE, 2, "    launch();\n").stays(DropEcho);
        insert_after(FILE, 2, "    launch();\n    launch();\n    stop();").stays(DropEcho);
    }

    #[test]
    fn an_echo_on_the_far_side_stays() {
        insert_after(FILE, 2, "    start();\n    launch();").stays(DropEcho);
        insert_before(FILE, 2, "    launch();\n    start();").stays(DropEcho);
    }

    #[test]
    fn a_line_indented_otherwise_stays() {
        insert_after(FILE, 2, "        launch();\n        stop();").stays(DropEcho);
    }

    #[test]
    fn a_replacement_has_no_anchor_to_echo() {
        replace(FILE, 2, 2, "    launch();\n    stop();").stays(DropEcho);
    }

    #[test]
    fn a_blank_anchor_is_not_echoed() {
        insert_after("a\n\nb\n", 2, "\nc").stays(DropEcho);
    }
}
