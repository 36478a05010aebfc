//! A session serves, instead of a command, the lines that the command would have printed, plus
//! tags.
//!
//! The tests run only commands that they make themselves, on files that they make themselves.

use std::path::Path;
use std::process::Command;

use hashline_core::cancel::Cancel;
use hashline_core::session::{ApplyOutcome, Given, Options, Session, ShellAnswer, ShellCall};
use hashline_guard::{Calls, Writes};
use hashline_testing::Workdir;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % n as u64).expect("smaller than a usize")
    }

    fn pick<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.below(choices.len())]
    }
}

const WORDS: [&str; 14] = [
    "alpha", "beta(1)", "a+b", "foo.bar", "[x]", "", "  tab\there", "Alpha BETA", "é", "^start",
    "end$", "a|b", "x*y", "{z}",
];

fn write_files(random: &mut Random, directory: &Workdir) {
    for name in ["a.txt", "b c.txt", "sub/d.txt", "sub/e.md"] {
        let mut text = String::new();
        for _ in 0..=random.below(14) {
            for _ in 0..=random.below(3) {
                text += random.pick(&WORDS);
                text += " ";
            }
            text += "\n";
        }
        directory.write(name, text.as_bytes());
    }
}

/// A read of one file, with filters after it.
fn read_command(random: &mut Random) -> String {
    let file = random.pick(&["a.txt", "'b c.txt'", "sub/d.txt", "./sub/../a.txt"]);
    let (n, m) = (random.below(12) + 1, random.below(12) + 1);
    let source = match random.below(31) {
        0 => format!("cat {file}"),
        1 => format!("cat < {file}"),
        2 => format!("head {file}"),
        3 => format!("head -n {n} {file} 2>/dev/null"),
        4 => format!("tail -n {n} {file}"),
        5 => format!("tail -n +{n} {file}"),
        6 => format!("sed -n '{n}p' {file}"),
        7 => format!("sed -n {n},{m}p {file}"),
        8 => format!("sed -n '{n},$p' {file}"),
        9 => format!("sed -n -e '{n},+{m}p' {file}"),
        10 => format!("sed {n}q {file}"),
        11 => format!("awk 'NR>={n} && NR<={m}' {file}"),
        12 => format!("sed -n '2p;4p;6,8p' {file}"),
        13 => format!("sed '{n},{m}d' {file}"),
        14 => format!("sed -e /alpha/d -e '/foo.bar/d' {file}"),
        15 => format!("sed -n '/alpha/,/beta/p' {file}"),
        16 => format!("sed '/alpha/,/a+b/d' {file}"),
        17 => format!("sed -n '/alpha/,+{m}p' {file}"),
        18 => format!("sed -n '/foo/,$p' {file}"),
        19 => format!("sed -n '{n},/a/p' {file}"),
        20 => format!("sed -n '/a/,{m}p' {file}"),
        21 => format!("sed /alpha/q {file}"),
        22 => format!("sed '$d' {file}"),
        23 => format!("sed -n '/alpha/!p' {file}"),
        24 => format!("awk '/alpha/,/a/' {file}"),
        29 => format!("awk '/a/,NR=={m}' {file}"),
        25 => format!("awk 'NR=={n},NR=={m}' {file}"),
        26 => format!("timeout 5 bash -c \"sed -n '{n},{m}p' {file}\""),
        27 => format!("{{ cat {file}; cat a.txt; }}"),
        28 => format!("awk '!/alpha/ {{print}}' {file}"),
        _ => format!("F={file}; sed -n '$p' \"$F\""),
    };
    let mut command = source;
    for _ in 0..random.below(3) {
        let n = random.below(9) + 1;
        let filter = match random.below(11) {
            8 => "sed '/alpha/,/b/d'".to_owned(),
            9 => "sed -n '/a/,/b/p'".to_owned(),
            10 => format!("sed {n},4d"),
            0 => format!("head -{n}"),
            1 => format!("head -n -{n}"),
            2 => format!("tail -n {n}"),
            3 => format!("tail -n +{n}"),
            4 => format!("sed -n '{n},{}p'", n + 3),
            5 => "grep -v alpha".to_owned(),
            6 => "grep -i A".to_owned(),
            _ => "cat".to_owned(),
        };
        command = format!("{command} | {filter}");
    }
    command
}

/// A search, with filters after it.
fn grep_command(random: &mut Random) -> String {
    let patterns = [
        "alpha", "foo.bar", "a+b", "beta(1)", "^start", "a\\|b", "end$", "\\[x\\]", "[ab]l",
        "x\\*y", "a\\+b", "{z}", "\\(al\\)pha", "é", "[[:upper:]]E", "x*y", "a.*b",
    ];
    let pattern = random.pick(&patterns);
    let options =
        random.pick(&["-n", "-ni", "-nE", "-nF", "-nw", "-nv", "-n -m 2", "-nh", "-n -e beta -e"]);
    let files = random.pick(&["a.txt", "'b c.txt'", "a.txt sub/d.txt", "sub/*.txt", "*.txt"]);
    let command = format!("grep {options} '{pattern}' {files}");
    match random.below(5) {
        0 => format!("{command} | head -{}", random.below(5) + 1),
        1 => format!("{command} | grep -v beta"),
        2 => format!("{command} | tail -n 2"),
        3 => format!("{command} || true"),
        _ => command,
    }
}

fn printed(command: &str, root: &Path) -> Vec<String> {
    let output = Command::new("bash")
        .args(["-c", command])
        .current_dir(root)
        .env("LC_ALL", "C.UTF-8")
        .output()
        .expect("bash runs");
    // A count of bytes may cut a character.
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(str::to_owned).collect()
}

/// The lines of an answer without their tags, and with the control characters of the files.
fn untagged(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| {
            let (anchor, content) = line.split_once('|')?;
            let (number, _) = anchor.split_once(':')?;
            number.bytes().all(|byte| byte.is_ascii_digit()).then(|| content.replace("\\t", "\t"))
        })
        .collect()
}

fn answer(session: &Session, command: &str) -> (String, bool) {
    let call = ShellCall { command, ..ShellCall::default() };
    let answer = session.answer(call, &Cancel::default());
    match &answer {
        ShellAnswer::Refuse { given, .. } => {
            (answer.text(&Calls).expect("a refusal says why"), *given != Given::Nothing)
        }
        other => panic!("{command}: {other:?}"),
    }
}

#[test]
fn a_served_read_equals_what_the_command_prints() {
    let directory = Workdir::new("serve-read");
    let session = Session::new(Options::new(directory.path())).unwrap();
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut served = 0;
    for _ in 0..600 {
        write_files(&mut random, &directory);
        let command = read_command(&mut random);
        let expected = printed(&command, directory.path());
        let (text, done) = answer(&session, &command);
        // A read that starts after the last line is refused, and so prints no line either.
        if done || !expected.is_empty() {
            assert_eq!(untagged(&text), expected, "{command}\n{text}");
        }
        served += usize::from(done);
    }
    assert!(served > 480, "only {served} reads were served");
}

/// A read with programs after it that change lines, and with filters after those.
fn changing_command(random: &mut Random) -> String {
    let mut command = format!("cat {}", random.pick(&["a.txt", "sub/d.txt"]));
    let changes = [
        "cut -c1-3", "rev", "tr a-z A-Z", "expand", "tac", "sort", "sort -r", "sort -u", "uniq",
        "fmt",
    ];
    for _ in 0..=random.below(2) {
        let n = random.below(5) + 1;
        let filter = match random.below(4) {
            0 => format!("head -{n}"),
            1 => format!("tail -n {n}"),
            2 => format!("tail -n +{n}"),
            _ => "grep a".to_owned(),
        };
        command = format!("{command} | {} | {filter}", random.pick(&changes));
    }
    command
}

#[test]
fn the_programs_that_were_not_run_print_the_same_from_the_served_lines() {
    let directory = Workdir::new("serve-changed");
    let session = Session::new(Options::new(directory.path())).unwrap();
    let mut random = Random(0x5bd1_e995_9d1b_58d3);
    for _ in 0..400 {
        write_files(&mut random, &directory);
        let command = changing_command(&mut random);
        let expected = printed(&command, directory.path());
        let (text, done) = answer(&session, &command);
        // A read that starts after the last line is refused.
        if !done && expected.is_empty() {
            continue;
        }
        let note = text.lines().rev().find(|line| line.contains("not run: these are"));
        // The programs of the note are the odd pieces between its backticks.
        let programs: Vec<&str> = note.unwrap_or_default().split('`').skip(1).step_by(2).collect();
        assert!(!programs.is_empty(), "{command}\n{text}");
        let lines = untagged(&text).join("\n") + "\n";
        directory.write("served", if lines == "\n" { b"" } else { lines.as_bytes() });
        let rest = format!("cat served | {}", programs.join(" | "));
        assert_eq!(printed(&rest, directory.path()), expected, "{command}\n{text}");
    }
}

#[test]
fn the_pieces_of_lines_are_in_the_lines_that_are_served() {
    let directory = Workdir::new("serve-pieces");
    let session = Session::new(Options::new(directory.path())).unwrap();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..100 {
        write_files(&mut random, &directory);
        let n = random.below(5) + 1;
        let command = match random.below(6) {
            4 => format!("tail -c {} a.txt", 7 * n),
            5 => format!("head -c {} a.txt", 7 * n),
            0 => format!("grep -o 'al[a-z]*' a.txt | head -{n}"),
            1 => format!("fold -w 5 a.txt | tail -n {n}"),
            2 => format!("tr a '\\n' < a.txt | head -{n}"),
            _ => "grep -oP '(?<=al)p' a.txt | sort".to_owned(),
        };
        let (text, done) = answer(&session, &command);
        let expected = printed(&command, directory.path());
        assert!(done, "{command}\n{text}");
        let lines = untagged(&text).join("\n");
        for piece in expected.iter().map(|piece| piece.trim_matches('\u{fffd}')) {
            assert!(lines.contains(piece), "{command}: {piece:?}\n{text}");
        }
    }
}

#[test]
fn a_served_search_equals_what_the_command_prints() {
    let directory = Workdir::new("serve-grep");
    let session = Session::new(Options::new(directory.path())).unwrap();
    let mut random = Random(0x0fed_cba9_8765_4321);
    let mut served = 0;
    for _ in 0..400 {
        write_files(&mut random, &directory);
        let command = grep_command(&mut random);
        let (text, done) = answer(&session, &command);
        if !done {
            continue;
        }
        // Removes the file's name and the line's number, which the answer has in headers and tags.
        let expected: Vec<String> = printed(&command, directory.path())
            .iter()
            .map(|line| {
                let known = ["a.txt:", "b c.txt:", "sub/d.txt:"];
                let line = known.iter().find_map(|name| line.strip_prefix(name)).unwrap_or(line);
                line.split_once(':').map_or(line, |(_, content)| content).to_owned()
            })
            .collect();
        assert_eq!(untagged(&text), expected, "{command}\n{text}");
        served += 1;
    }
    assert!(served > 250, "only {served} searches were served");
}

#[test]
fn several_reads_are_one_result_with_their_labels() {
    let directory = Workdir::new("serve-several");
    directory.write("a.txt", b"one\ntwo\nthree\n");
    directory.write("b.txt", b"alpha\nbeta\n");
    let session = Session::new(Options::new(directory.path())).unwrap();
    let command =
        "echo '== a'; head -2 a.txt; echo '== b'; grep -n z b.txt || echo none; wc -l a.txt";
    let (text, served) = answer(&session, command);
    assert!(served, "{text}");
    let order = ["== a", "|one", "|two", "== b", "none", "send it alone: `wc -l a.txt`"];
    let places: Vec<usize> = order
        .iter()
        .map(|part| text.rfind(part).unwrap_or_else(|| panic!("{part}: {text}")))
        .collect();
    assert!(places.is_sorted(), "{text}");
    assert!(!text.contains("|three"), "{text}");
}

#[test]
fn the_hint_names_the_files_that_are_there() {
    let directory = Workdir::new("serve-named-files");
    directory.write("a.txt", b"one\ntwo\n");
    directory.write("b.txt", b"alpha\n");
    let session = Session::new(Options::new(directory.path())).unwrap();
    let (text, served) = answer(&session, "head -1 *.txt");
    assert!(served, "{text}");
    let call = r#"read {"paths":[{"path":"a.txt","limit":1},{"path":"b.txt","limit":1}]}"#;
    assert!(text.contains(call), "{text}");
    let (text, served) = answer(&session, "sed -i 's/o.*/x/' *.txt");
    assert!(served && text.contains(r#""path":"a.txt""#) && text.contains("|two"), "{text}");
}

#[test]
fn a_dump_of_a_binary_file_may_run() {
    let directory = Workdir::new("serve-binary");
    directory.write("logo.bin", b"\0\x01\x02\xff\0\0");
    directory.write("a.txt", b"one\n");
    let session = Session::new(Options::new(directory.path())).unwrap();
    for command in ["xxd logo.bin | head -4", "strings -n 8 logo.bin", "od -c logo.bin"] {
        let call = ShellCall { command, ..ShellCall::default() };
        assert_eq!(session.answer(call, &Cancel::default()), ShellAnswer::Allow, "{command}");
    }
    assert!(answer(&session, "hexdump -C a.txt | head").1);
}

#[test]
fn the_text_of_a_blocked_write_is_asked_for_by_name() {
    let directory = Workdir::new("serve-named");
    let session = Session::new(Options::new(directory.path())).unwrap();
    let body = "a line\n".repeat(40);
    let (text, _) = answer(&session, &format!("cat > new.txt <<'EOF'\n{body}EOF"));
    assert!(text.contains(r#""content":"@blocked:1""#), "{text}");
    let patch = |json: &str| {
        hashline_wire::patch::read_text(json).unwrap_or_else(|error| panic!("{error:?}"))
    };
    let unknown = patch(r#"{"patch":[{"op":"add_file","path":"x.txt","content":"@blocked:9"}]}"#);
    let refused = session.apply(&unknown, &Cancel::default()).unwrap();
    assert!(matches!(refused, ApplyOutcome::Refused(_)), "{refused:?}");
    let named = patch(r#"{"patch":[{"op":"add_file","path":"new.txt","content":"@blocked:1"}]}"#);
    let applied = session.apply(&named, &Cancel::default()).unwrap();
    assert!(matches!(applied, ApplyOutcome::Applied(..)), "{applied:?}");
    assert_eq!(std::fs::read_to_string(directory.path().join("new.txt")).unwrap(), body);
}

#[test]
fn literal_writes_are_carried_out_where_the_user_wants_it() {
    let directory = Workdir::new("serve-convert");
    directory.write("a.txt", b"one v1\n");
    let mut options = Options::new(directory.path());
    options.guard.writes = Writes::Convert;
    let session = Session::new(options).unwrap();
    for (command, path, after) in [
        ("cat > new.txt <<'E'\nx\ny\nE", "new.txt", "x\ny\n"),
        ("echo z >> new.txt", "new.txt", "x\ny\nz\n"),
        ("echo z >> other.txt", "other.txt", "z\n"),
        ("sed -i s/v1/v2/g a.txt", "a.txt", "one v2\n"),
    ] {
        let (text, served) = answer(&session, command);
        assert!(served, "{command}: {text}");
        let now = std::fs::read_to_string(directory.path().join(path)).unwrap();
        assert_eq!(now, after, "{command}");
    }
    let (text, served) = answer(&session, "sed -i s/not-there/x/g a.txt");
    assert!(!served, "{text}");
}
