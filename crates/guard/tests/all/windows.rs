//! Workspaces on Windows, where bash, other programs and our core spell the same path differently.

use hashline_guard::{Context, GuardSettings, Verdict, judge};

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
fn a_path_in_the_workspace_is_recognised_in_every_spelling() {
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
fn the_case_of_a_path_does_not_matter() {
    blocked("cat /C/users/DEV/App/a.txt", "a.txt");
    blocked("cat c:/users/dev/app/a.txt", "a.txt");
}

#[test]
fn a_target_in_another_root_is_named_in_a_spelling_that_programs_accept() {
    blocked("cat /d/data/a.txt", "D:/data/a.txt");
    blocked(r"cat 'd:\Data\a.txt'", "D:/Data/a.txt");
    blocked(r"cat '\\host\share\a.txt'", "//host/share/a.txt");
    blocked(r"cat '\\?\UNC\host\share\a.txt'", "//host/share/a.txt");
    blocked("cat //host/share/a.txt", "//host/share/a.txt");
}

#[test]
fn files_outside_the_roots_are_not_protected() {
    for command in [
        "cat /d/other/a.txt",
        "cat E:/a.txt",
        r"cat 'C:\Users\Dev\other\a.txt'",
        "cat ../../other/a.txt",
        r"cat '\\host\other\a.txt'",
        // A machine may have the name of a directory.
        "cat //data/a.txt",
        "cat E:a.txt",
    ] {
        passes(command);
    }
}

#[test]
fn a_path_relative_to_a_drive_starts_at_the_working_directory() {
    blocked("cat C:a.txt", "src/a.txt");
    blocked("cat 'c:..\\a.txt'", "a.txt");
    blocked("cd /d/data && cat D:a.txt", "D:/data/a.txt");
    assert_eq!(targets("cat D:a.txt", &[]), Some(vec![]), "it may lie in a root");
}

#[test]
fn the_directory_for_temporary_files_is_exempt() {
    passes("cat C:/Users/Dev/AppData/Local/Temp/x");
    passes("cat /c/users/dev/appdata/local/temp/x");
    passes(r#"cat "$TEMP/x""#);
    passes(r#"cat "$TEMP\x""#);
    // This path leads out of that directory again.
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
