//! The guard decides by text alone: it uses no other crate of the project, no disk, network or
//! clock.

use std::fs;
use std::path::{Path, PathBuf};

/// Every source file of the crate, without comments and unit tests, with its path below `src`.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    assert!(files.len() > 10, "the sources were found");
    let named = |file: &PathBuf| {
        let path = file.strip_prefix(&root).expect("the file is below src");
        let text = fs::read_to_string(file).expect("the file can be read");
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        (path.to_string_lossy().replace('\\', "/"), lines.collect::<Vec<_>>().join("\n"))
    };
    files.iter().map(named).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src can be read") {
        let path = entry.expect("src can be read").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

/// The modules of the crate; each may use only those before it.
const ORDER: [&str; 21] = [
    "unknown", "windows", "settings", "pattern", "shown", "serve", "instead", "ast", "word",
    "syntax", "policy", "effect", "known", "outcome", "memory", "code", "powershell", "program",
    "shell", "convert", "plan",
];

#[test]
fn a_module_uses_only_those_before_it() {
    for (path, code) in sources() {
        let module = path.split(['/', '.']).next().unwrap_or_default();
        // A module that is not listed comes after all of them.
        let rank = ORDER.iter().position(|name| *name == module).unwrap_or(ORDER.len());
        for used in code.split("crate::").skip(1) {
            let end = used.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let name = &used[..end.unwrap_or(used.len())];
            let before = ORDER.iter().position(|other| *other == name);
            let known = name == module || before.is_some_and(|before| before < rank);
            assert!(known || module == "lib", "{path} uses {name}");
        }
        let leaves = if path.contains('/') { "super::super::" } else { "super::" };
        let inside = path.matches('/').count() > 1;
        assert!(inside || !code.contains(leaves), "{path} names another module by `super`");
    }
}

#[test]
fn nothing_touches_disk_clock_network_or_environment() {
    for (path, code) in sources() {
        for impure in ["fs", "env", "net", "process", "time", "io"] {
            assert!(!code.contains(&format!("std::{impure}")), "{path} uses std::{impure}");
        }
    }
}

#[test]
fn the_guard_has_no_dependencies() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let text = fs::read_to_string(manifest).expect("the manifest can be read");
    assert!(!text.contains("[dependencies]"), "a dependency needs a reason: {text}");
}

#[test]
fn a_type_name_means_one_thing() {
    let mut seen: Vec<(String, String)> = Vec::new();
    for (path, code) in sources() {
        for line in code.lines().map(str::trim_start) {
            let words: Vec<&str> = line
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .filter(|word| !["pub", "crate", "super", "in", ""].contains(word))
                .collect();
            if let ["struct" | "enum" | "trait", name, ..] = words[..] {
                seen.push((name.to_owned(), path.clone()));
            }
        }
    }
    seen.sort();
    let twice: Vec<_> = seen.windows(2).filter(|pair| pair[0].0 == pair[1].0).collect();
    assert!(twice.is_empty(), "{twice:?}");
}
