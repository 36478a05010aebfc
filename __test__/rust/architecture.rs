//! Imports go one way, and every third-party crate has one module.
//!
//! The tables below are docs/architecture.md in a form that can fail. A new module or crate needs a
//! row here; that is the moment to ask where it belongs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What each module of ours may import from the crate.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("fs", &[]),
    ("cancel", &[]),
    ("early", &[]),
    ("anchor", &["text"]),
    ("compat", &["text", "anchor"]),
    ("show", &["text", "anchor"]),
    ("patch", &["text", "anchor"]),
    ("snapshot", &["text", "anchor"]),
    ("plan", &["text", "anchor", "show", "patch", "snapshot"]),
    ("report", &["text", "anchor", "show", "plan"]),
    ("workspace", &["text", "show", "fs"]),
    ("transaction", &["text", "show", "fs"]),
    ("grep", &["text", "anchor", "show", "snapshot", "cancel", "fs", "workspace"]),
    ("read", &["text", "anchor", "show", "snapshot", "cancel", "fs", "workspace", "grep"]),
    (
        "session",
        &[
            "text", "anchor", "show", "patch", "snapshot", "plan", "report", "transaction",
            "cancel", "fs", "workspace", "grep", "read", "guard",
        ],
    ),
    (
        "wire",
        &[
            "text", "anchor", "compat", "guard", "show", "patch", "snapshot", "plan", "report",
            "grep", "read", "session",
        ],
    ),
    (
        "cli",
        &[
            "text", "anchor", "show", "patch", "snapshot", "plan", "report", "cancel", "fs",
            "workspace", "grep", "read", "session", "wire",
        ],
    ),
    (
        "binding",
        &[
            "text", "anchor", "compat", "guard", "cancel", "early", "show", "snapshot", "report",
            "grep", "read", "session", "wire", "cli",
        ],
    ),
];

/// The modules without I/O, clock or environment.
const PURE: &[&str] = &["text", "anchor", "compat", "show", "patch", "snapshot", "plan", "report"];

/// The one module that may name each third-party crate.
const MODULES: &[(&str, &str)] = &[
    ("base64", "wire/program.rs"),
    ("bytemuck", "binding/assembly.rs"),
    ("globset", "grep/walk.rs"),
    ("grep_matcher", "grep/pattern.rs"),
    ("grep_regex", "grep/pattern.rs"),
    ("grep_searcher", "grep/search.rs"),
    ("hashline_guard", "lib.rs"),
    ("hashline_options", "cli/"),
    ("ignore", "grep/walk.rs"),
    ("libc", "fs/"),
    ("memchr", "text/search.rs"),
    ("memmap2", "fs/mapped.rs"),
    ("napi", "binding/"),
    ("napi_derive", "binding/"),
    ("rayon", "text/parallel.rs"),
    ("regex_syntax", "grep/pattern.rs"),
    ("rustix", "fs/unix.rs"),
    ("serde", "wire/"),
    ("serde_json", "wire/"),
    ("simdutf8", "text/utf8.rs"),
    ("unicode_general_category", "text/category.rs"),
    ("xxhash_rust", "text/hash.rs"),
];

/// Where an attribute of a crate may be used outside its module: what JavaScript sees is described
/// where it is defined, and only there.
const ATTRIBUTES: &[(&str, &str)] = &[("napi_derive", "wire/outcome/")];

#[test]
fn modules_import_only_what_the_table_allows() {
    for (path, code) in sources() {
        let module = module_of(&path);
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(name, _)| *name == module) else {
            assert!(["lib", "main"].contains(&module), "{path} is in no row of MAY_IMPORT");
            continue;
        };
        for imported in names_after("crate::", &code).filter(|name| is_module(name)) {
            assert!(
                imported == module || allowed.contains(&imported),
                "{path} imports crate::{imported}, which `{module}` may not"
            );
        }
        // Re-exports at the root would hide the module they come from; outside the edges, name it.
        if module != "binding" {
            let hidden = names_after("crate::", &code).find(|name| !is_module(name));
            assert_eq!(hidden, None, "{path} imports through the crate root");
        }
    }
}

#[test]
fn every_third_party_crate_has_one_door() {
    let manifest = read(Path::new("Cargo.toml"));
    let dependencies: BTreeSet<String> = manifest
        .split("[dependencies]")
        .nth(1)
        .and_then(|rest| rest.split("\n[").next())
        .expect("Cargo.toml has dependencies")
        .lines()
        .filter_map(|line| line.split_once(" ="))
        .map(|(name, _)| name.trim().replace('-', "_"))
        .collect();
    let listed: BTreeSet<String> = MODULES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(dependencies, listed, "MODULES lists the crates of Cargo.toml");
    for (path, code) in sources() {
        for (name, module) in MODULES {
            let code = match ATTRIBUTES.iter().find(|(known, _)| known == name) {
                Some((_, place)) if path.starts_with(place) => {
                    code.replace("#[cfg(feature = \"napi\")]\nuse napi_derive::napi;", "")
                }
                _ => code.clone(),
            };
            let used = names_before("::", &code).any(|before| before == *name);
            assert!(
                !used || path.starts_with(module),
                "{path} uses {name}, whose module is {module}"
            );
        }
    }
}

#[test]
fn pure_modules_touch_neither_disk_nor_clock_nor_environment() {
    for (path, code) in sources() {
        if !PURE.contains(&module_of(&path)) {
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
    for (name, _) in MODULES {
        let spellings = [(*name).to_owned(), name.replace('_', "-")];
        let told = spellings.iter().any(|name| reasons.contains(&format!("`{name}`")));
        assert!(told, "docs/dependencies.md tells why we use {name}");
    }
}

/// Every source file below `src`, by its path there, without comments and tests.
fn sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    collect(&root().join("src"), &mut files);
    assert!(files.len() > 10, "the sources were found");
    files
        .into_iter()
        .map(|file| {
            let path = file.strip_prefix(root().join("src")).expect("it lies there");
            let name = path.to_str().expect("our names are plain").replace('\\', "/");
            (name, code_of(&read(&file)))
        })
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src can be read") {
        let path = entry.expect("src can be read").path();
        if path.is_dir() {
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

fn module_of(path: &str) -> &str {
    path.split(['/', '.']).next().unwrap_or_default()
}

fn is_module(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
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
        // `text::memchr::` is a module of ours that happens to have the name.
        if before[..before.len() - name.len()].ends_with("::") { "" } else { name }
    })
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
