//! The request that stands in for a plain read gives what the command would have printed.
//!
//! The commands that are run here are made here, on files that are made here.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hashline_guard::serve::{GrepRequest, ReadPath};
use hashline_guard::{Context, GuardSettings, Serve, Verdict, judge};

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

/// A directory that goes away with the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("hashline-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("sub")).expect("a temporary directory can be made");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn serve(command: &str, root: &Path) -> Option<Serve> {
    let root = root.to_string_lossy().into_owned();
    let context =
        Context { cwd: root.clone(), home: "/home/dev".to_owned(), root, env: Vec::new() };
    match judge(command, &context, &GuardSettings::default()) {
        Verdict::Block(block) => block.serve,
        Verdict::Allow => panic!("{command} is allowed"),
    }
}

fn shell(command: &str, root: &Path) -> String {
    let output = Command::new("bash")
        .args(["-c", command])
        .current_dir(root)
        .env("LC_ALL", "C.UTF-8")
        .output()
        .expect("bash runs");
    String::from_utf8(output.stdout).expect("the files are UTF-8")
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

fn small(number: u64) -> usize {
    usize::try_from(number).expect("the files are small")
}

/// What the read tool would show, without its tags.
fn read(paths: &[ReadPath], root: &Path) -> String {
    let mut out = String::new();
    for file in paths {
        let text = fs::read_to_string(root.join(&file.path)).expect("the file was made");
        let all = lines(&text);
        let first = match file.offset {
            None => 0,
            Some(offset) if offset < 0 => all.len().saturating_sub(small(offset.unsigned_abs())),
            Some(offset) => usize::try_from(offset - 1).expect("offsets count from 1"),
        };
        let count = file.limit.map_or(usize::MAX, small);
        for line in all.iter().skip(first).take(count) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// What the grep tool would show; `grep` itself is the engine, in the dialect of the request.
fn grep(request: &GrepRequest, root: &Path) -> String {
    let mut command = Command::new("grep");
    command.arg(if request.literal { "-F" } else { "-E" });
    if !request.case_sensitive {
        command.arg("-i");
    }
    // Even a context of nothing makes grep print separators.
    if request.context_before + request.context_after > 0 {
        command.arg(format!("-B{}", request.context_before));
        command.arg(format!("-A{}", request.context_after));
    }
    let output = command
        .arg("-n")
        .args(["-e", &request.pattern, "--"])
        .args(&request.paths)
        .current_dir(root)
        .env("LC_ALL", "C.UTF-8")
        .output()
        .expect("grep runs");
    String::from_utf8(output.stdout).expect("the files are UTF-8")
}

fn write_files(random: &mut Random, root: &Path) {
    let words = [
        "alpha",
        "beta(1)",
        "a+b",
        "foo.bar",
        "[x]",
        "",
        "  tab\there",
        "Alpha BETA",
        "é",
        "^start",
        "end$",
        "a|b",
        "x*y",
        "{z}",
    ];
    for name in ["a.txt", "b c.txt", "sub/d.txt"] {
        let mut text = String::new();
        for _ in 0..random.below(14) {
            for _ in 0..=random.below(3) {
                text += random.pick(&words);
                text += " ";
            }
            text += "\n";
        }
        fs::write(root.join(name), text).expect("the scratch directory is ours");
    }
}

#[test]
fn a_served_read_equals_what_the_command_prints() {
    let scratch = Scratch::new("serve-read");
    let root = &scratch.0;
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut served = 0;
    for _ in 0..250 {
        write_files(&mut random, root);
        let file = random.pick(&["a.txt", "'b c.txt'", "sub/d.txt", "./sub/../a.txt"]).to_owned();
        let (n, m) = (random.below(12) + 1, random.below(12) + 1);
        let command = match random.below(14) {
            0 => format!("cat {file}"),
            1 => format!("cat {file} a.txt"),
            2 => format!("head {file}"),
            3 => format!("head -n {n} {file}"),
            4 => format!("head -{n} {file} 2>/dev/null"),
            5 => format!("tail {file}"),
            6 => format!("tail -n {n} {file}"),
            7 => format!("tail -n +{n} {file}"),
            8 => format!("sed -n '{n}p' {file}"),
            9 => format!("sed -n {n},{m}p {file}"),
            10 => format!("sed -n '{n},$p' {file}"),
            11 => format!("sed -n -e '{n},+{m}p' {file}"),
            12 => "cd sub && cat d.txt".to_owned(),
            _ => format!("sed -n '$p' {file}"),
        };
        let Some(Serve::Read(paths)) = serve(&command, root) else {
            panic!("{command} is not served");
        };
        let (shown, printed) = (read(&paths, root), shell(&command, root));
        assert_eq!(lines(&shown), lines(&printed), "{command} as {paths:?}");
        served += 1;
    }
    assert_eq!(served, 250);
}

#[test]
fn a_served_search_equals_what_the_command_prints() {
    let scratch = Scratch::new("serve-grep");
    let root = &scratch.0;
    let mut random = Random(0x0fed_cba9_8765_4321);
    let mut served = 0;
    for _ in 0..250 {
        write_files(&mut random, root);
        let pattern = random.pick(&[
            "alpha",
            "foo.bar",
            "a+b",
            "beta(1)",
            "^start",
            "a\\|b",
            "end$",
            "\\[x\\]",
            "[ab]l",
            "x\\*y",
            "a\\+b",
            "{z}",
            "\\(al\\)pha",
            "é",
            "[[:upper:]]E",
            "x*y",
            "a.*b",
            "^$",
        ]);
        let options = random.pick(&[
            "-n",
            "-ni",
            "-n -A1",
            "-n -B 2",
            "-nC1",
            "-nE",
            "-nF",
            "-n -i -A 1 -B 1",
        ]);
        let file = random.pick(&["a.txt", "'b c.txt'", "a.txt sub/d.txt"]);
        let command = format!("grep {options} '{pattern}' {file}");
        let Some(Serve::Grep(request)) = serve(&command, root) else {
            continue;
        };
        assert_eq!(grep(&request, root), shell(&command, root), "{command} as {request:?}");
        served += 1;
    }
    assert!(served > 150, "only {served} searches were served");
}

#[test]
fn only_a_command_that_is_one_plain_read_is_served() {
    let root = Path::new("/home/dev/app");
    for command in [
        "cat a.txt | wc -l",
        "cat *.txt",
        "cat $x",
        "cat a.txt > /tmp/x",
        "cat -A a.txt",
        "head -c 5 a.txt",
        "head -n -3 a.txt",
        "sed 5q a.txt",
        "sed -n '/a/,/b/p' a.txt",
        "sed -n 1p a.txt b.txt",
        "grep -v x a.txt",
        "grep -o x a.txt",
        "cat a.txt; ls",
        "tail -f a.txt",
        "cat < a.txt",
        "A=1 cat a.txt",
        "sudo cat a.txt",
        "grep x",
        "cat a.txt &",
        "(cat a.txt)",
        "grep -e a -e b a.txt",
    ] {
        if let Some(request) = {
            let context = Context {
                root: "/home/dev/app".to_owned(),
                cwd: "/home/dev/app".to_owned(),
                home: "/home/dev".to_owned(),
                env: Vec::new(),
            };
            match judge(command, &context, &GuardSettings::default()) {
                Verdict::Block(block) => block.serve,
                Verdict::Allow => None,
            }
        } {
            panic!("{command} is served as {request:?}");
        }
    }
    let Some(served) = serve("cd src && grep -rn -i 'fn main' . 2>/dev/null", root) else {
        panic!("not served");
    };
    assert_eq!(
        served.call(),
        r#"grep {"pattern":"fn main","paths":["src"],"literal":true,"caseSensitive":false}"#
    );
    assert_eq!(
        serve("tail -n 3 /home/dev/app/a", root).map(|s| s.call()).as_deref(),
        Some(r#"read {"path":"a","offset":-3}"#)
    );
}
