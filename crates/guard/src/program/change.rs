//! How programs change the lines that they are given.

use super::args::{options, parse};
use crate::serve::pipe::Change;

/// How a program changes lines; `None` if the program is unknown.
pub(crate) fn change(name: &str, operands: &[String]) -> Option<Change> {
    let has = |short: &str, names: &str| parse(operands, &options(short, "")).has(names);
    Some(match name {
        // `-s` drops the lines without a delimiter.
        "cut" if has("bcfd", "s only-delimited") => Change::Rewrites,
        "cut" if has("bcfd", "b c") => Change::Columns,
        "cut" | "rev" | "expand" | "unexpand" | "iconv" | "pygmentize" | "highlight" => {
            Change::EachLine
        }
        "tr" => translation(operands),
        "fold" => Change::Splits,
        "tac" if operands.iter().all(|word| !word.starts_with('-')) => Change::Reverses,
        "uniq" if has("fsw", "c count") => Change::Rewrites,
        "uniq" | "sort" | "gsort" | "shuf" => Change::Reorders,
        "tac" | "column" | "fmt" | "pr" | "paste" | "comm" | "join" | "base64" | "base32" => {
            Change::Rewrites
        }
        // With the filter `.` they print the whole document; other uses do not get here.
        "jq" | "yq" | "json_pp" | "xmllint" => Change::Rewrites,
        _ => return None,
    })
}

/// How `tr` changes lines: if one of its characters is a newline, it splits or joins them.
fn translation(operands: &[String]) -> Change {
    let (options, sets): (Vec<&String>, Vec<&String>) =
        operands.iter().partition(|word| word.starts_with('-') && word.len() > 1);
    // Ranges of control characters include the newline as well.
    let marks = ["\\n", "\n", "\\0", "-\\", "\\t-", "[:space:]", "[:cntrl:]"];
    let newline = |set: &&String| marks.iter().any(|mark| set.contains(mark));
    // `-c` names all other characters, and `-s` joins the newlines that it makes.
    let more = |letters: &[char]| options.iter().any(|word| word.contains(letters));
    match sets.as_slice() {
        _ if more(&['c', 'C']) => Change::Rewrites,
        sets if !sets.iter().any(newline) => Change::EachLine,
        [from, to] if !newline(from) && newline(to) && !more(&['s', 'd']) => Change::Splits,
        _ => Change::Rewrites,
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, change};

    #[test]
    fn each_program_changes_lines_in_its_own_way() {
        for (command, expected) in [
            ("cut -c1-80", Some(Change::Columns)),
            ("cut -d: -f1", Some(Change::EachLine)),
            ("cut -s -f2", Some(Change::Rewrites)),
            ("tr a-z A-Z", Some(Change::EachLine)),
            ("tr -d \\r", Some(Change::EachLine)),
            ("tr , \\n", Some(Change::Splits)),
            ("tr \\n ,", Some(Change::Rewrites)),
            ("tr -cd a-z", Some(Change::Rewrites)),
            ("tr -d [:space:]", Some(Change::Rewrites)),
            ("sort -u", Some(Change::Reorders)),
            ("uniq -d", Some(Change::Reorders)),
            ("uniq -c", Some(Change::Rewrites)),
            ("tac", Some(Change::Reverses)),
            ("wc -l", None),
            ("python3 -", None),
        ] {
            let mut words = command.split(' ').map(str::to_owned);
            let name = words.next().unwrap_or_default();
            let operands: Vec<String> = words.collect();
            assert_eq!(change(&name, &operands), expected, "{command}");
        }
    }
}
