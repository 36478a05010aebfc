//! The content of a directory as a value that can be compared.

#![allow(dead_code, reason = "no test that shares this module uses all of it")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hashline_core::testing::transaction::{DiskChange, FileAction};

/// Paths with their content; `None` is a directory.
pub(crate) type Tree = BTreeMap<String, Option<Vec<u8>>>;

/// Everything below `root`.
pub(crate) fn tree(root: &Path) -> Tree {
    let mut tree = Tree::new();
    collect(root, root, &mut tree);
    tree
}

fn collect(root: &Path, directory: &Path, tree: &mut Tree) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            tree.insert(name, None);
            collect(root, &path, tree);
        } else {
            tree.insert(name, Some(fs::read(&path).unwrap()));
        }
    }
}

/// The files of a tree, without temporary files and directories.
pub(crate) fn without_litter(tree: &Tree) -> Tree {
    let mut clean = tree.clone();
    clean.retain(|name, content| content.is_some() && !name.contains(".hashline-"));
    clean
}

/// Writes the files for [`changes`].
pub(crate) fn lay_out(root: &Path) {
    fs::create_dir_all(root.join("sub")).unwrap();
    for name in ["change", "linked", "sub/move", "rewrite-and-move", "remove", "bystander"] {
        fs::write(root.join(name), format!("old content of {name}\n")).unwrap();
    }
    fs::hard_link(root.join("linked"), root.join("sub/link")).unwrap();
}

/// A change of every kind over the files of [`lay_out`].
pub(crate) fn changes(root: &Path) -> Vec<DiskChange> {
    let old = |name: &str| Some(fs::read(root.join(name)).unwrap().into());
    let new = |name: &str| format!("new and longer content of {name}\nwith lines\n");
    let put = |name: &str| FileAction::Put(new(name).into());
    let change = |name: &str, expected, then| DiskChange {
        path: root.join(name),
        expected,
        then,
        like: None,
    };
    vec![
        change("change", old("change"), put("change")),
        change("deep/er/create", None, put("create")),
        change("linked", old("linked"), FileAction::Put(b"short".to_vec().into())),
        change(
            "sub/move",
            old("sub/move"),
            FileAction::MoveTo { to: root.join("moved/away"), content: None },
        ),
        change(
            "rewrite-and-move",
            old("rewrite-and-move"),
            FileAction::MoveTo { to: root.join("sub/moved"), content: Some(new("moved").into()) },
        ),
        change("remove", old("remove"), FileAction::Remove),
    ]
}
