//! Workspaces on Windows, where bash, programs and the core spell one path in three ways.

use hashline_guard::{Context, GuardSettings, Verdict, judge};

fn context() -> Context {
    Context {
        root: r"\\?\C:\Users\Dev\app".to_owned(),
        cwd: r"C:\Users\Dev\app\src".to_owned(),
        home: r"C:\Users\Dev".to_owned(),
        env: vec![("TEMP".to_owned(), r"C:\Users\Dev\AppData\Local\Temp".to_owned())],
    }
}

fn targets(command: &str, allowed_paths: &[&str]) -> Option<Vec<String>> {
    let allowed_paths = allowed_paths.iter().map(|path| (*path).to_owned()).collect();
    let settings = GuardSettings { allowed_paths, ..GuardSettings::default() };
    match judge(command, &context(), &settings) {
        Verdict::Allow => None,
        Verdict::Block(block) => Some(block.targets),
    }
}

#[track_caller]
fn blocked(command: &str, target: &str) {
    assert_eq!(targets(command, &[]), Some(vec![target.to_owned()]), "{command}");
}

#[track_caller]
fn passes(command: &str) {
    assert_eq!(targets(command, &[]), None, "{command}");
}

#[test]
fn a_file_of_the_workspace_is_one_however_it_is_spelled() {
    for command in [
        "cat ../a.txt",
        "cat /c/Users/Dev/app/a.txt",
        "cat C:/Users/Dev/app/a.txt",
        r"cat 'C:\Users\Dev\app\a.txt'",
        r"cat '\\?\C:\Users\Dev\app\a.txt'",
        r"cat '..\a.txt'",
        r"cat '.\..\..\APP\a.txt'",
        "cat ~/app/a.txt",
    ] {
        blocked(command, "a.txt");
    }
}

#[test]
fn case_does_not_count() {
    blocked("cat /C/users/DEV/App/a.txt", "a.txt");
    blocked("cat c:/users/dev/app/a.txt", "a.txt");
}

#[test]
fn a_file_elsewhere_is_named_as_programs_take_it() {
    blocked("cat /d/data/a.txt", "D:/data/a.txt");
    blocked(r"cat '\\host\share\a.txt'", "//host/share/a.txt");
    // A machine may have the name of an exempt directory.
    blocked("cat //tmp/share/a.txt", "//tmp/share/a.txt");
}

#[test]
fn the_directory_for_temporary_files_is_exempt() {
    passes("cat C:/Users/Dev/AppData/Local/Temp/x");
    passes("cat /c/users/dev/appdata/local/temp/x");
    passes(r#"cat "$TEMP/x""#);
    passes(r#"cat "$TEMP\x""#);
    // It leads out of there again.
    blocked(r#"cat "$TEMP\..\..\..\app\a.txt""#, "a.txt");
    passes("cat /tmp/x");
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
