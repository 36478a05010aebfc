//! A hint can be followed: the call that it names, made exactly as it is spelled, does what the
//! command would have done.
//!
//! The commands are written for this test and run by bash in one directory; the calls are made in
//! another with the same files. Commands of the guard's fixtures are never run.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use hashline_core::cancel::Cancel;
use hashline_core::session::{
    ApplyOutcome, Given, GrepOutcome, Options, Session, ShellAnswer, ShellCall,
};
use hashline_guard::{Access, Calls, Instead, ShellKind, TextChange, ToolCall, Verdict, serve};
use hashline_testing::Workdir;

const FILES: [(&str, &str); 7] = [
    ("cart.js", "let sum = 0;\nfor (const x of xs) {\n  sum += x;\n}\nreturn sum;\n"),
    ("twice.txt", "a a\nb\na\n"),
    ("notes.md", "# Notes\n\n- one\n- two\n- three\n"),
    ("no-end.txt", "first\nlast"),
    ("empty.txt", ""),
    ("src/a.ts", "import x from 'x';\nexport const v1 = x;\n// v1 again: v1\n"),
    ("src/b.ts", "export const limit = 10;\nexport const path = '/usr/bin';\n"),
];

/// Commands that write; the files are the same afterwards.
const WRITES: [&str; 62] = [
    "sed -i 's/sum/total/g' cart.js",
    "sed -i 's/sum/total/' cart.js",
    "sed -i s/one/1/ notes.md",
    "sed -i -e 's/two/2/g' notes.md",
    "sed --in-place 's/three/3/' notes.md",
    "sed --in-pl s/one/uno/ notes.md",
    "sed -i 's|/usr/bin|/opt/bin|' src/b.ts",
    "sed -i 's#limit#max#g' src/b.ts",
    "sed -i '' 's/10/20/' src/b.ts 2>/dev/null || sed -i 's/10/20/' src/b.ts",
    "sed -E -i 's/limit/most/' src/b.ts",
    "sed -Ei 's/path/place/g' src/b.ts",
    "sed -i 's/a/b/g' twice.txt",
    "sed -i 's/v1/v2/g' src/a.ts",
    "sed -i 's/sum/total/g' cart.js && sed -i 's/one/1/' notes.md",
    "cd src && sed -i 's/v1/v3/g' a.ts",
    "sed -i -- 's/let/var/' cart.js",
    "sed -i 's/last/end/' no-end.txt",
    "sed -i 's/xs) {/ys) {/' cart.js",
    "perl -pi -e 's/sum/total/g' cart.js",
    "perl -pi -e 's/one/1/' notes.md",
    "perl -i -pe 's/two/2/g' notes.md",
    "perl -p -i -e 's/v1/v9/g' src/a.ts",
    "perl -pi -e 's/limit/most/g' src/b.ts",
    "perl -pi -e 's/10/11/' src/b.ts",
    "perl -pi -e 's/three/3/' ./notes.md",
    "echo hello > new.txt",
    "echo hello > cart.js",
    "echo 'a  b' > src/new.ts",
    "echo -n none > new.txt",
    "echo -e 'a\\tb\\nc' > new.txt",
    "echo \"it's\" > new.txt",
    "echo '- four' >> notes.md",
    "echo first >> missing.txt",
    "echo one >> empty.txt",
    "echo 'x' >> src/a.ts",
    "echo a >> notes.md; echo b >> notes.md",
    "echo hi >& new.txt",
    "2>/dev/null > new.txt echo hi",
    ": > cart.js",
    "> new.txt",
    "true > new.txt",
    "printf 'a\\nb\\n' > list.txt",
    "printf '%s\\n' one two > list.txt",
    "printf 'no newline' > list.txt",
    "printf '%s=%s\\n' k v >> notes.md",
    "printf 'x\\ny\\n' >> missing.txt",
    "printf '# %s\\n' 'A title' > README.md",
    "cat > new.py <<'EOF'\nprint('hi')\n\nx = \"$y\"\nEOF",
    "cat > new.py <<EOF\nplain\nEOF",
    "cat <<'EOF' > src/c.ts\nexport {};\nEOF",
    "cat >> notes.md <<'EOF'\n- four\n- five\nEOF",
    "cat - > new.txt <<< hello",
    "mkdir -p deep/new && cat > deep/new/file.txt <<< x",
    "tee new.txt <<< hello > /dev/null",
    "tee a.txt b.txt <<'EOF' > /dev/null\nboth\nEOF",
    "tee -a notes.md <<< '- six' > /dev/null",
    "echo piped | tee new.txt > /dev/null",
    "printf 'p\\nq\\n' | tee -a notes.md > /dev/null",
    "echo through | cat > new.txt",
    "cp /dev/null cart.js",
    "python3 -c \"p='src/b.ts'; s=open(p).read(); open(p,'w').write(s.replace('limit','max'))\"",
    "python3 - <<'EOF'\nfrom pathlib import Path\np = Path('notes.md')\np.write_text(p.read_text().replace('two', '2'))\nEOF",
];

/// Commands that read; the lines are the same.
const READS: [&str; 46] = [
    "cat cart.js",
    "cat < notes.md",
    "cat -- src/a.ts",
    "cat ./src/../notes.md",
    "cat no-end.txt",
    "cat cart.js 2>/dev/null",
    "head cart.js",
    "head -2 notes.md",
    "head -n 3 notes.md",
    "head -n3 cart.js",
    "head --lines=1 src/b.ts",
    "cd src && head -1 a.ts",
    "tail -2 notes.md",
    "tail -n 1 cart.js",
    "tail -n +4 notes.md",
    "tail -n2 cart.js",
    "cat notes.md | head -2",
    "cat cart.js | tail -n 1",
    "sed -n 2p cart.js",
    "sed -n '2,3p' cart.js",
    "sed -n '3,$p' notes.md",
    "sed -n -e 1p cart.js",
    "sed 2q notes.md",
    "sed -n '1,+1p' notes.md",
    "sed -n '4,5p;5q' cart.js",
    "awk 'NR==2' cart.js",
    "awk 'NR>=2 && NR<=3' cart.js",
    "awk 'NR<3 {print}' notes.md",
    "awk 'NR==1,NR==2' src/a.ts",
    "grep sum cart.js",
    "grep -n sum cart.js",
    "grep -i NOTES notes.md",
    "grep -F 'x of xs' cart.js",
    "grep -E 'one|two' notes.md",
    "grep 'one\\|three' notes.md",
    "grep -w x src/a.ts",
    "grep -e let -e return cart.js",
    "grep -x '}' cart.js",
    "grep '^- ' notes.md",
    "grep -m 1 sum cart.js",
    "cat cart.js | grep sum",
    "grep sum cart.js | head -1",
    "egrep '(v1|x)$' src/a.ts",
    "cat empty.txt; cat twice.txt",
    "cat cart.js; tail -1 notes.md",
    "head -qn 1 src/a.ts src/b.ts",
];

fn workdir() -> (Workdir, Session) {
    let directory = Workdir::new("hints");
    for (name, text) in FILES {
        directory.write(name, text.as_bytes());
    }
    let session = Session::new(Options::new(directory.path())).expect("the directory is there");
    (directory, session)
}

/// What bash prints in a directory.
fn run(command: &str, directory: &Path) -> String {
    let run = Command::new("bash").arg("-c").arg(command).current_dir(directory).output();
    String::from_utf8(run.expect("bash is there").stdout).expect("the files are text")
}

/// Every file below a directory, by its path.
fn files(directory: &Path) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let mut folders = vec![directory.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("it is a directory") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(directory).expect("it is below");
                let text = std::fs::read_to_string(&path).expect("it is text");
                out.insert(name.to_string_lossy().into_owned(), text);
            }
        }
    }
    out
}

/// The call that the answer to a command names.
fn call_for(session: &Session, command: &str) -> Result<ToolCall, String> {
    let call = ShellCall { command, ..ShellCall::default() };
    match session.answer(call, &Cancel::default()) {
        ShellAnswer::Refuse { block, .. } => match block.instead {
            Instead::Call(call) => Ok(call),
            advice @ Instead::Advice(_) => Err(format!("{advice}")),
        },
        other => Err(format!("{other:?}")),
    }
}

/// Makes a call as it is spelled, and returns the lines that it shows, without their tags.
fn make(session: &Session, call: ToolCall) -> Result<String, String> {
    let call = match call {
        // Bash runs the rest of the command.
        ToolCall::Apply { changes, .. } => ToolCall::Apply { changes, rest: None },
        other => other,
    };
    let spelled = call.to_string();
    let (tool, arguments) = spelled.split_once(' ').expect("a tool and its arguments");
    let cancel = Cancel::default();
    match tool {
        "apply_hash" => {
            let patch =
                hashline_wire::patch::read_text(arguments).map_err(|bad| bad.to_string())?;
            match session.apply(&patch, &cancel).map_err(|fault| fault.to_string())? {
                ApplyOutcome::Applied(..) => Ok(String::new()),
                ApplyOutcome::Refused(refused) => Err(format!("{refused:?}")),
            }
        }
        "read" => {
            let json = hashline_wire::parse(arguments).expect("the arguments are JSON");
            let request = hashline_wire::read_request(json).map_err(|bad| bad.to_string())?;
            Ok(contents(&session.read(&request, &cancel).map_err(|fault| fault.to_string())?.text))
        }
        _ => {
            let json = hashline_wire::parse(arguments).expect("the arguments are JSON");
            let request = hashline_wire::grep_request(json).map_err(|bad| bad.to_string())?;
            match session.grep(&request, &|_| {}, &cancel).map_err(|fault| fault.to_string())? {
                GrepOutcome::Found { text, .. } => Ok(contents(&text)),
                GrepOutcome::Refused(refused) => Err(format!("{refused:?}")),
            }
        }
    }
}

/// The contents of a text's rows, which follow their tags.
fn contents(text: &str) -> String {
    let row = |line: &str| {
        let (anchor, content) = line.split_once('|')?;
        let (number, _) = anchor.trim_start_matches(['>', ' ', ':']).split_once(':')?;
        number.parse::<usize>().ok().map(|_| format!("{content}\n"))
    };
    text.lines().filter_map(row).collect()
}

#[test]
fn the_call_for_a_write_leaves_the_files_that_the_command_leaves() {
    let mut wrong = Vec::new();
    for command in WRITES {
        let (theirs, _) = workdir();
        run(command, theirs.path());
        let (ours, session) = workdir();
        let made = call_for(&session, command).and_then(|call| make(&session, call));
        let (theirs, ours) = (files(theirs.path()), files(ours.path()));
        if made.is_err() || theirs != ours {
            wrong.push(format!("{command:?}\n  {made:?}\n  bash {theirs:?}\n  ours {ours:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), WRITES.len(), wrong.join("\n"));
}

#[test]
fn the_call_for_a_read_shows_the_lines_that_the_command_prints() {
    let mut wrong = Vec::new();
    let (directory, session) = workdir();
    for command in READS {
        let printed = run(command, directory.path());
        // The numbers that `-n` prints are in the tags.
        let unnumbered =
            |line: &str| format!("{}\n", line.split_once(':').map_or(line, |(_, content)| content));
        let search = command.starts_with("grep -n ");
        let lines: String = printed
            .lines()
            .map(|line| if search { unnumbered(line) } else { format!("{line}\n") })
            .collect();
        match call_for(&session, command).and_then(|call| make(&session, call)) {
            Ok(shown) if shown == lines => {}
            other => wrong.push(format!("{command:?}\n  bash {lines:?}\n  ours {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), READS.len(), wrong.join("\n"));
}

#[test]
fn where_no_call_does_the_same_the_lines_are_shown() {
    let (_directory, session) = workdir();
    for command in [
        // Replaces only the first occurrence of each line, and a line has two.
        "sed -i 's/a/b/' twice.txt",
        "sed -i 's/v1/v2/' src/a.ts",
        "sed -i 's/s[a-z]*m/total/' cart.js",
        "sed -i '2d' cart.js",
        "perl -pi -e 's/s\\w+m/total/' cart.js",
    ] {
        let call = ShellCall { command, ..ShellCall::default() };
        let ShellAnswer::Refuse { block, given: Given::Lines(_) } =
            session.answer(call, &Cancel::default())
        else {
            panic!("{command} is allowed, or refused without lines")
        };
        assert!(matches!(block.instead, Instead::Advice(_)), "{command}: {block:?}");
    }
    for command in ["printf x >> notes.md", "echo x >> no-end.txt"] {
        assert!(call_for(&session, command).is_err(), "{command}");
    }
}

#[test]
fn a_search_with_a_limit_is_one_search() {
    let (_directory, session) = workdir();
    let call = ShellCall { command: "grep -rn export . | head -3", ..ShellCall::default() };
    let text = session.answer(call, &Cancel::default()).text(&Calls).expect("it is refused");
    assert_eq!(contents(&text).lines().count(), 3, "{text}");
    assert!(text.contains("answered by grep"), "{text}");
}

#[test]
fn the_commands_beside_a_read_are_named_so_that_they_can_be_sent() {
    let (_directory, session) = workdir();
    let call = ShellCall { command: "git status && cat cart.js", ..ShellCall::default() };
    let text = session.answer(call, &Cancel::default()).text(&Calls).expect("it is refused");
    assert!(text.contains("The rest was not run; send it alone: `git status`"), "{text}");
}

/// The commands of the guard's fixtures. They are judged, never run.
fn fixtures() -> Vec<String> {
    let mut commands = Vec::new();
    for name in ["commands", "extra", "blind", "realistic", "unseen"] {
        let path = format!("{}/../guard/tests/fixtures/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the fixture is part of the repository");
        let entries: Vec<serde_json::Value> = serde_json::from_str(&text).expect("it is JSON");
        let texts = entries.iter().filter_map(|entry| entry["command"].as_str());
        commands.extend(texts.map(str::to_owned));
    }
    commands
}

/// A file with something to find for every command that names it.
fn filling(changes: &[&TextChange]) -> String {
    let mut text = "a line\n".repeat(400);
    for change in changes {
        if let TextChange::Replace { old, .. } = change
            && !text.contains(old.as_str())
        {
            text += old;
            text.push('\n');
        }
    }
    text
}

#[test]
fn the_call_for_a_command_on_files_that_are_there_is_not_refused() {
    let directory = Workdir::new("fixture-hints");
    let open = || Session::new(Options::new(directory.path())).expect("the directory is there");
    let root = open().root().to_string_lossy().into_owned();
    let commands: Vec<String> =
        fixtures().iter().map(|command| command.replace("/home/dev/app", &root)).collect();
    let blocks: Vec<_> = commands
        .iter()
        .filter_map(|command| match open().judge(command, None, ShellKind::Bash) {
            Verdict::Block(block) => Some((command, block)),
            Verdict::Allow => None,
        })
        .collect();
    let mut texts: BTreeMap<&str, Vec<&TextChange>> = BTreeMap::new();
    for (_, block) in &blocks {
        let plain = |target: &&String| {
            !target.starts_with(['/', '~', '.'])
                && !serve::is_pattern(target)
                && target.contains('.')
        };
        for target in block.targets.iter().filter(plain) {
            let changes = block.convert.iter().flat_map(|convert| &convert.changes);
            texts.entry(target).or_default().extend(changes.filter(|one| one.path() == target));
        }
    }
    let texts: BTreeMap<&str, String> =
        texts.into_iter().map(|(name, changes)| (name, filling(&changes))).collect();
    // One name may be a directory to another command.
    let is_directory =
        |name: &str| texts.keys().any(|other| other.starts_with(&format!("{name}/")));
    let fill = |name: &str| {
        directory.write(name, texts[name].as_bytes());
    };
    texts.keys().filter(|name| !is_directory(name)).for_each(|name| fill(name));
    let (mut made, mut refused) = (0, Vec::new());
    for (command, block) in &blocks {
        if !block.targets.iter().all(|target| texts.contains_key(target.as_str())) {
            continue;
        }
        let session = open();
        let Ok(call) = call_for(&session, command) else { continue };
        made += 1;
        if let Err(why) = make(&session, call) {
            refused.push(format!("{command:?}\n  {why}"));
        }
        if block.access == Access::Write {
            block.targets.iter().filter(|name| !is_directory(name)).for_each(|name| fill(name));
        }
    }
    println!("{made} calls made");
    assert!(made > 1_000, "{made}");
    assert!(refused.is_empty(), "{} of {made}:\n{}", refused.len(), refused.join("\n"));
}

/// Paths, and whether the tools accept the file there.
#[cfg(unix)]
fn places(directory: &Workdir, outside: &Workdir) -> Vec<(String, bool)> {
    directory.write("a.txt", b"a\nb\n");
    directory.write("src/deep/b.txt", b"a\nb\n");
    directory.write("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0");
    directory.write("data.bin", b"a\0b\n");
    directory.write(".git/config", b"a\nb\n");
    outside.write("a.txt", b"a\nb\n");
    let link = |to: &Path, name: &str| {
        std::os::unix::fs::symlink(to, directory.path().join(name)).expect("links can be made");
    };
    link(&outside.path().join("a.txt"), "out.txt");
    link(outside.path(), "out");
    link(&directory.path().join("a.txt"), "in.txt");
    let (here, there) = (directory.path().display(), outside.path().display());
    let takes = [
        "a.txt".to_owned(),
        "./src/../a.txt".to_owned(),
        "src/deep/b.txt".to_owned(),
        "in.txt".to_owned(),
        format!("{here}/a.txt"),
        format!("{there}/../{}/a.txt", directory.path().file_name().unwrap().to_string_lossy()),
    ];
    let leaves = [
        "logo.png".to_owned(),
        "data.bin".to_owned(),
        ".git/config".to_owned(),
        "out.txt".to_owned(),
        "out/a.txt".to_owned(),
        format!("{there}/a.txt"),
        format!("../{}/a.txt", outside.path().file_name().unwrap().to_string_lossy()),
        "/etc/os-release".to_owned(),
        "~/.bashrc".to_owned(),
        "/dev/null".to_owned(),
    ];
    let takes = takes.into_iter().map(|path| (path, true));
    takes.chain(leaves.into_iter().map(|path| (path, false))).collect()
}

#[cfg(unix)]
#[test]
fn a_command_is_blocked_exactly_if_the_tools_accept_its_file() {
    const COMMANDS: [&str; 22] = [
        "cat @",
        "head -1 @",
        "tail -n 1 @",
        "sed -n 1,2p @",
        "grep -n a @",
        "grep -c. @; cat @",
        "awk 'NR==1' @",
        "nl @ | head -1",
        "cat < @",
        "sudo cat @",
        "bash -c 'cat @'",
        "xxd @",
        "sed -i s/b/c/g @",
        "sed -i 1d @",
        "echo x > @",
        "echo x >> @",
        "echo x | tee @",
        "cp /dev/null @",
        "perl -pi -e s/b/c/g @",
        "cat > @ <<'E'\nx\nE",
        "true && echo x >@",
        "python3 -c 'print(open(\"@\").read())'",
    ];
    let (directory, outside) = (Workdir::new("agree"), Workdir::new("agree-outside"));
    let places = places(&directory, &outside);
    for (path, takes) in &places {
        for command in COMMANDS {
            // No shell expands a tilde in quotes or in a string of code.
            if path.starts_with('~') && command.contains("open(") {
                continue;
            }
            directory.write("a.txt", b"a\nb\n");
            directory.write("src/deep/b.txt", b"a\nb\n");
            let session = Session::new(Options::new(directory.path())).expect("it is there");
            let command = command.replace('@', path);
            let call = ShellCall { command: &command, ..ShellCall::default() };
            match session.answer(call, &Cancel::default()) {
                ShellAnswer::Refuse { block, .. } => {
                    assert!(takes, "{command:?} is blocked: {}", block.reason());
                    if let Instead::Call(call) = block.instead {
                        let made = make(&session, call);
                        assert!(made.is_ok(), "{command:?}: {made:?}");
                    }
                }
                ShellAnswer::Allow => assert!(!takes, "{command:?} is allowed"),
                ShellAnswer::Nudge(_) => panic!("{command:?}"),
            }
        }
    }
}
