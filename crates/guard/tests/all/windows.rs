//! Workspaces on Windows, where bash, other programs and our core spell the same path differently.
//! One table says which file each name means, to the guard and to `apply_hash`.

use hashline_guard::{Context, GuardSettings, Verdict, is_device, is_reserved, judge};

/// The workspace is `C:\Users\Dev\app`, with the roots `D:\data` and `\\host\share`; commands run
/// in the workspace's `src`.
fn context() -> Context<'static> {
    Context {
        root: r"\\?\C:\Users\Dev\app".to_owned(),
        cwd: r"C:\Users\Dev\app\src".to_owned(),
        home: r"C:\Users\Dev".to_owned(),
        env: vec![("TEMP".to_owned(), r"C:\Users\Dev\AppData\Local\Temp".to_owned())],
        roots: vec![r"D:\data".to_owned(), r"\\host\share".to_owned()],
        ..Context::default()
    }
}

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Means {
    /// The file of a root with this name in answers.
    File(&'static str),
    /// A file that may lie in a root.
    Unknown,
    /// A file that is not protected.
    Elsewhere,
    /// A device.
    Device,
}
use Means::{Device, Elsewhere, File, Unknown};

/// Names as a command spells them, each with its meaning.
const NAMES: &[(&str, Means)] = &[
    // One file of the workspace in every spelling; case does not count.
    ("../a.txt", File("a.txt")),
    (r"..\a.txt", File("a.txt")),
    (r".\..\..\APP\a.txt", File("a.txt")),
    ("~/app/a.txt", File("a.txt")),
    ("C:/Users/Dev/app/a.txt", File("a.txt")),
    ("c:/users/dev/app/a.txt", File("a.txt")),
    (r"C:\Users\Dev\app\a.txt", File("a.txt")),
    (r"C:\\Users\\Dev\\app\\a.txt", File("a.txt")),
    (r"\\?\C:\Users\Dev\app\a.txt", File("a.txt")),
    // Git's bash and MSYS2.
    ("/c/Users/Dev/app/a.txt", File("a.txt")),
    ("/C/users/DEV/App/a.txt", File("a.txt")),
    // Names relative to the working directory of a drive; it is known for one drive only.
    ("C:a.txt", File("src/a.txt")),
    (r"c:..\a.txt", File("a.txt")),
    ("C:", File("src")),
    ("D:a.txt", Unknown),
    ("E:a.txt", Elsewhere),
    // A file of another root, which answers name by a path that every program accepts.
    ("/d/data/a.txt", File("D:/data/a.txt")),
    (r"d:\Data\a.txt", File("D:/Data/a.txt")),
    (r"\\host\share\a.txt", File("//host/share/a.txt")),
    (r"\\HOST\Share\a.txt", File("//HOST/Share/a.txt")),
    ("//host/share/a.txt", File("//host/share/a.txt")),
    (r"\\?\UNC\host\share\a.txt", File("//host/share/a.txt")),
    // Files that lie in no root. A network host may have the same name as a directory.
    ("/d/other/a.txt", Elsewhere),
    ("E:/a.txt", Elsewhere),
    (r"C:\Users\Dev\other\a.txt", Elsewhere),
    ("../../other/a.txt", Elsewhere),
    (r"\\host\other\a.txt", Elsewhere),
    ("//data/a.txt", Elsewhere),
    // The directory for temporary files.
    ("C:/Users/Dev/AppData/Local/Temp/x", Elsewhere),
    ("/c/users/dev/appdata/local/temp/x", Elsewhere),
    ("/tmp/x", Elsewhere),
    // A device's name counts in any case, in any directory and with any extension.
    ("NUL", Device),
    ("nul", Device),
    ("con", Device),
    ("CONOUT$", Device),
    ("COM1", Device),
    ("Com9.log", Device),
    ("lpt1.a.b", Device),
    ("aux.txt", Device),
    ("aux .c", Device),
    ("../prn", Device),
    (r"C:\Users\Dev\app\nul", Device),
    ("C:nul", Device),
    // Names that only look like those of devices.
    ("console", File("src/console")),
    ("com", File("src/com")),
    ("com0", File("src/com0")),
    ("com10", File("src/com10")),
    ("nul_", File("src/nul_")),
    ("a.con", File("src/a.con")),
    ("aux_1.txt", File("src/aux_1.txt")),
    // Windows opens `a.txt` for these names, so they count as it; no file can be given such a name.
    ("a.txt.", File("src/a.txt.")),
    ("a.txt::$DATA", File("src/a.txt::$DATA")),
];

fn targets(command: &str, allowed_paths: &[&str]) -> Option<Vec<String>> {
    let allowed_paths = allowed_paths.iter().map(|path| (*path).to_owned()).collect();
    let settings = GuardSettings { allowed_paths, ..GuardSettings::default() };
    match judge(command, &context(), &settings) {
        Verdict::Allow => None,
        Verdict::Block(block) => Some(block.targets),
    }
}

#[test]
fn a_name_means_one_place_to_reads_and_writes() {
    for (name, means) in NAMES {
        let name = if name.starts_with('~') { (*name).to_owned() } else { format!("'{name}'") };
        let wanted = match means {
            File(file) => Some(vec![(*file).to_owned()]),
            Unknown => Some(Vec::new()),
            Elsewhere | Device => None,
        };
        for command in [format!("cat {name}"), format!("echo x > {name}")] {
            assert_eq!(targets(&command, &[]), wanted, "{command}");
        }
    }
}

/// On Windows, `apply_hash` calls the same function for each part of a path before it writes.
#[test]
fn no_file_gets_the_name_of_a_device_or_one_that_cannot_be_stored() {
    for (name, means) in NAMES {
        let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let last = last.strip_prefix("C:").filter(|rest| !rest.is_empty()).unwrap_or(last);
        assert_eq!(is_device(last), *means == Device, "{last}");
    }
    for name in ["a.", "a ", "a:b", "a?", "a*", "a<b", "a|b", "a\"b", "con", "NUL.txt"] {
        assert!(is_reserved(name), "{name}");
    }
    for name in ["a.txt", "a b", ".git", "console", "com10", "a.con"] {
        assert!(!is_reserved(name), "{name}");
    }
}

#[test]
fn a_drive_has_the_working_directory_that_the_command_chose() {
    let target = |command: &str| targets(command, &[]);
    assert_eq!(target("cd /d/data && cat D:a.txt"), Some(vec!["D:/data/a.txt".to_owned()]));
    assert_eq!(target(r#"cat "$TEMP/x" "$TEMP\y""#), None);
    // `..` leads out of the directory for temporary files again, into the workspace.
    assert_eq!(target(r#"cat "$TEMP\..\..\..\app\a.txt""#), Some(vec!["a.txt".to_owned()]));
}

#[test]
fn allowed_paths_match_in_every_spelling() {
    for allowed in [
        r"C:\Users\Dev\app\logs", "C:/Users/Dev/app/logs", "/c/Users/Dev/app/logs", "logs",
        r"LOGS", "~/app/logs", r".\logs",
    ] {
        assert_eq!(targets("cat ../logs/a.txt", &[allowed]), None, "{allowed}");
        assert_eq!(targets(r"cat '..\logs\a.txt'", &[allowed]), None, "{allowed}");
        assert_eq!(targets("cat C:/Users/Dev/app/logs/a.txt", &[allowed]), None, "{allowed}");
        assert!(targets("cat ../src/a.txt", &[allowed]).is_some(), "{allowed}");
    }
}
