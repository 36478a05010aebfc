//! What the manifests cannot say: the order of the modules inside the core, which of them are pure,
//! and the one module that may name each third-party crate.
//!
//! The compiler enforces which of our crates may use which: code cannot name a crate that is not in
//! its manifest. The tables below are docs/architecture.md in a form that can fail.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests look at the disk themselves"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What each module of the core may import from it.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("coded", &[]),
    ("fs", &[]),
    ("system", &["fs"]),
    ("cancel", &[]),
    ("show", &[]),
    ("patch", &[]),
    ("snapshot", &["coded"]),
    ("plan", &["show", "patch", "snapshot"]),
    ("report", &["show", "plan"]),
    ("workspace", &["show", "fs"]),
    ("transaction", &["coded", "show", "fs", "workspace"]),
    ("content", &["snapshot"]),
    ("grep", &["show", "snapshot", "content", "cancel", "fs", "workspace"]),
    ("read", &["show", "snapshot", "content", "cancel", "fs", "workspace", "grep"]),
    (
        "session",
        &[
            "show", "patch", "snapshot", "content", "plan", "report", "transaction", "cancel",
            "fs", "workspace", "grep", "read",
        ],
    ),
    (
        "testing",
        &["fs", "plan", "report", "session", "show", "snapshot", "transaction", "workspace"],
    ),
];

/// The sources without I/O, clock or environment; the guard has a test of its own.
const PURE: &[&str] = &[
    "crates/text/src/", "crates/compat/src/", "crates/core/src/coded.rs", "crates/core/src/show/",
    "crates/core/src/patch/", "crates/core/src/snapshot", "crates/core/src/content.rs",
    "crates/core/src/plan/", "crates/core/src/report/",
];

/// The paths that may name each third-party crate.
const ALLOWED_PATHS: &[(&str, &[&str])] = &[
    ("base64", &["crates/cli/src/encoded.rs"]),
    ("bytemuck", &["src/dropin/assembly.rs"]),
    ("clap", &["crates/cli/src/options/"]),
    ("clap_complete", &["crates/cli/src/options/"]),
    ("clap_mangen", &["crates/cli/src/options/"]),
    ("chardetng", &["crates/text/src/encoding.rs"]),
    ("encoding_rs", &["crates/text/src/encoding.rs"]),
    ("globset", &["crates/core/src/grep/walk.rs"]),
    ("grep_matcher", &["crates/core/src/grep/pattern.rs"]),
    ("grep_regex", &["crates/core/src/grep/pattern.rs"]),
    ("grep_searcher", &["crates/core/src/grep/search.rs"]),
    ("ignore", &["crates/core/src/grep/walk.rs"]),
    ("libc", &["crates/core/src/fs/"]),
    ("memchr", &["crates/text/src/kernel/search.rs"]),
    // What JavaScript sees is described where it is defined.
    ("napi", &["src/", "crates/wire/src/outcome/"]),
    ("napi_build", &["build.rs"]),
    ("napi_derive", &["src/", "crates/wire/src/outcome/"]),
    ("proptest", &[]),
    ("rayon", &["crates/text/src/kernel/parallel.rs"]),
    ("regex_syntax", &["crates/core/src/grep/pattern.rs"]),
    ("rustix", &["crates/core/src/fs/unix.rs"]),
    ("serde", &["crates/wire/src/", "crates/compat/src/"]),
    ("serde_json", &["crates/wire/src/", "crates/compat/src/"]),
    ("simdutf8", &["crates/text/src/kernel/utf8.rs"]),
    // Names and messages stand beside the variants they belong to.
    ("strum", &["crates/"]),
    ("thiserror", &["crates/"]),
    ("unicode_general_category", &["crates/text/src/category.rs"]),
    ("winapi_util", &["crates/core/src/fs/windows.rs"]),
    ("xxhash_rust", &["crates/text/src/kernel/hash.rs"]),
];

#[test]
fn modules_of_the_core_import_only_what_the_table_allows() {
    for (path, code) in sources() {
        let Some(inside) = path.strip_prefix("crates/core/src/") else { continue };
        let module = inside.split(['/', '.']).next().unwrap_or_default();
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(name, _)| *name == module) else {
            assert_eq!(module, "lib", "{path} is in no row of MAY_IMPORT");
            continue;
        };
        for imported in names_after("crate::", &code) {
            assert!(
                imported == module || allowed.contains(&imported),
                "{path} imports crate::{imported}, which `{module}` may not"
            );
        }
    }
}

#[test]
fn the_kernel_imports_nothing_but_itself() {
    for (path, code) in sources() {
        if path.starts_with("crates/text/src/kernel/") {
            let other = names_after("crate::", &code).find(|name| *name != "kernel");
            assert_eq!(other, None, "{path} imports from outside the kernel");
        }
    }
}

#[test]
fn third_party_crates_are_named_only_in_their_allowed_paths() {
    let listed: BTreeSet<String> =
        ALLOWED_PATHS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(dependencies(), listed, "ALLOWED_PATHS lists the crates of Cargo.toml");
    for (path, code) in sources() {
        for (name, paths) in ALLOWED_PATHS {
            let used = names_before("::", &code).any(|before| before == *name);
            let allowed = paths.iter().any(|allowed| path.starts_with(allowed));
            assert!(!used || allowed, "{path} uses {name}, which only {paths:?} may");
        }
    }
}

#[test]
fn pure_modules_touch_neither_disk_nor_clock_nor_environment() {
    for (path, code) in sources() {
        if !PURE.iter().any(|pure| path.starts_with(pure)) {
            continue;
        }
        for impure in ["std::fs", "std::env", "std::net", "std::process", "std::time", "std::io"] {
            assert!(!code.contains(impure), "{path} uses {impure}");
        }
    }
}

#[test]
fn every_dependency_has_its_reason() {
    let reasons = read(Path::new("docs/dependencies.md"));
    for name in dependencies() {
        let spellings = [name.clone(), name.replace('_', "-")];
        let explained = spellings.iter().any(|name| reasons.contains(&format!("`{name}`")));
        assert!(explained, "docs/dependencies.md must say why we use {name}");
    }
}

/// The third-party crates of the workspace, as Rust spells them.
fn dependencies() -> BTreeSet<String> {
    let manifest = read(Path::new("Cargo.toml"));
    manifest
        .split("[workspace.dependencies]")
        .nth(1)
        .and_then(|rest| rest.split("\n[").next())
        .expect("Cargo.toml has dependencies")
        .lines()
        .filter_map(|line| line.split_once(" ="))
        .filter(|(name, _)| !name.starts_with("hashline-") && !name.starts_with('#'))
        .map(|(name, _)| name.trim().replace('-', "_"))
        .collect()
}

/// Every source file of ours by its path from the root, without comments and tests.
fn sources() -> Vec<(String, String)> {
    let mut files = vec![root().join("build.rs")];
    collect(&root().join("src"), &mut files);
    for entry in fs::read_dir(root().join("crates")).expect("crates can be read") {
        let name = entry.expect("crates can be read").path();
        if !name.ends_with("testing") {
            collect(&name.join("src"), &mut files);
        }
    }
    assert!(files.len() > 100, "the sources were found");
    files
        .into_iter()
        .map(|file| {
            let path = file.strip_prefix(root()).expect("sources are below the root");
            let name = path.to_str().expect("our names are plain").replace('\\', "/");
            (name, code_of(&read(&file)))
        })
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("sources can be read") {
        let path = entry.expect("sources can be read").path();
        if path.is_dir() && !path.ends_with("tests") {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && path.file_name().is_some_and(|name| name != "tests.rs")
        {
            files.push(path);
        }
    }
}

fn code_of(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The names that follow a mark: `crate::text` gives `text`, `crate::{text, Anchor}` gives both.
fn names_after<'a>(mark: &'a str, code: &'a str) -> impl Iterator<Item = &'a str> {
    code.match_indices(mark).flat_map(move |(at, _)| {
        let rest = &code[at + mark.len()..];
        let list = match rest.strip_prefix('{') {
            Some(inner) => top_level(inner),
            None => vec![rest],
        };
        list.into_iter().map(first_name).filter(|name| !name.is_empty())
    })
}

/// The parts of `a::{b, c}, D}` up to its closing brace: `a::{b, c}` and `D`.
fn top_level(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(list[start..at].trim());
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts
}

fn first_name(text: &str) -> &str {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// The first name of every path: `memchr::memmem::find` gives `memchr`.
fn names_before<'a>(mark: &'a str, code: &'a str) -> impl Iterator<Item = &'a str> {
    code.match_indices(mark).map(|(at, _)| {
        let before = &code[..at];
        let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let name = start.map_or(before, |at| &before[at + 1..]);
        // `text::memchr::` would be a module of ours with the same name.
        if before[..before.len() - name.len()].ends_with("::") { "" } else { name }
    })
}

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("this crate lies in `crates`").to_owned()
}

fn read(path: &Path) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
