//! Reads the behaviour cases in `__test__/cases`; README.md there says how they are written.

use std::collections::BTreeMap;

use hashline_text::{Document, Listing, Scheme};

/// One case.
#[derive(Default)]
pub(crate) struct Case {
    /// Where the case is, for failure messages.
    pub name: String,
    /// What the model was shown, if that is not the file before the call.
    pub shown: BTreeMap<String, String>,
    /// The files before the call.
    pub before: BTreeMap<String, String>,
    /// The request as JSON, with its anchors filled in.
    pub patch: String,
    /// The files after the call that differ from before; `None` is a file that is gone.
    pub after: BTreeMap<String, Option<String>>,
    /// The codes of the refusals.
    pub refusal: Option<Vec<String>>,
    /// Settings of the session as JSON.
    pub settings: Option<String>,
    /// Lines that the report must have.
    pub report: Vec<String>,
    /// Files that are not read before the call.
    pub unread: Vec<String>,
}

/// All cases; there is at least one.
pub(crate) fn load() -> Vec<Case> {
    let folder = format!("{}/../../__test__/cases", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension().is_some_and(|end| end == "md") && !path.ends_with("README.md")
        })
        .collect();
    files.sort();
    let cases: Vec<Case> = files
        .iter()
        .flat_map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            parse(&name, &std::fs::read_to_string(path).unwrap())
        })
        .collect();
    assert!(!cases.is_empty(), "{folder} has cases");
    cases
}

fn parse(file: &str, text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("## ") {
            cases.push(Case { name: format!("{file}: {title}"), ..Case::default() });
        } else if let Some(info) = line.strip_prefix("~~~") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "~~~").collect();
            let case =
                cases.last_mut().unwrap_or_else(|| panic!("{file}: a block before any heading"));
            add(case, info, &block);
        }
    }
    for case in &mut cases {
        case.patch = fill_in(&case.patch, case);
        case.report = case.report.iter().map(|line| fill_in(line, case)).collect();
    }
    cases
}

fn add(case: &mut Case, info: &str, block: &[&str]) {
    let mut words: Vec<&str> = info.split_whitespace().collect();
    let mut flag = |name: &str| {
        let at = words.iter().position(|word| *word == name);
        at.map(|at| words.remove(at)).is_some()
    };
    let [crlf, open, bom, unread, gone] = ["crlf", "open", "bom", "unread", "gone"].map(&mut flag);
    let path = words.get(1).copied().unwrap_or("file.txt").to_owned();
    let mut text = String::from(if bom { "\u{feff}" } else { "" });
    text.push_str(&block.join(if crlf { "\r\n" } else { "\n" }));
    if !open && !block.is_empty() {
        text.push_str(if crlf { "\r\n" } else { "\n" });
    }
    match words[0] {
        "shown" => {
            case.shown.insert(path, text);
        }
        "before" => {
            if unread {
                case.unread.push(path.clone());
            }
            case.before.insert(path, text);
        }
        "after" => {
            case.after.insert(path, (!gone).then_some(text));
        }
        "patch" => case.patch = block.join("\n"),
        "refusal" => case.refusal = Some(block.iter().map(|line| (*line).to_owned()).collect()),
        "settings" => case.settings = Some(block.join("\n")),
        "report" => case.report = block.iter().map(|line| (*line).to_owned()).collect(),
        other => panic!("{}: unknown block `{other}`", case.name),
    }
}

/// Puts anchors in place of `{{2}}` and `{{other.txt 2}}`, and a tag in place of `{{#2}}`, as
/// shown.
fn fill_in(patch: &str, case: &Case) -> String {
    let mut out = String::new();
    let mut rest = patch;
    while let Some((head, behind)) = rest.split_once("{{") {
        let (named, tail) = behind.split_once("}}").expect("an anchor is closed");
        let (file, line) = named.rsplit_once(' ').unwrap_or(("file.txt", named));
        let (line, bare) = line.strip_prefix('#').map_or((line, false), |line| (line, true));
        let text = case
            .shown
            .get(file)
            .or_else(|| case.before.get(file))
            .unwrap_or_else(|| panic!("{}: no file `{file}`", case.name));
        let document = Document::from_text(text.clone());
        let line =
            hashline_text::LineNumber::new(line.parse().expect("an anchor names a line")).unwrap();
        let anchor = Listing::new(&document, Scheme::Hex2).anchor(line);
        let anchor = anchor.unwrap_or_else(|| panic!("{}: no line {line} in `{file}`", case.name));
        out.push_str(head);
        if bare {
            out.push_str(anchor.tag.as_str());
        } else {
            out.push_str(&anchor.print(Scheme::Hex2));
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}
