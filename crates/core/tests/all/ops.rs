//! Makes requests and patches like those that the addon and the program make of a model's calls.

use hashline_core::cancel::Cancel;
use hashline_core::patch::{Change, Op, Patch, Spot, lines_of};
use hashline_core::read::{FileRequest, ReadRequest};
use hashline_core::session::{ReadOutcome, Session};

/// Reads a file, or some of its lines: `f:2-3`.
pub(crate) fn read(session: &Session, path: &str) -> ReadOutcome {
    read_file(session, FileRequest { path: path.to_owned(), ..FileRequest::default() })
}

pub(crate) fn read_file(session: &Session, file: FileRequest) -> ReadOutcome {
    let request = ReadRequest { files: vec![file], ..ReadRequest::default() };
    session.read(&request, &Cancel::default()).unwrap()
}

fn op(path: &str, change: Change) -> Op {
    Op { path: path.to_owned(), exact: false, open: false, change }
}

/// A patch of one operation.
pub(crate) fn patch(op: Op) -> Patch {
    Patch::new(vec![op])
}

pub(crate) fn set_line(path: &str, anchor: &str, text: &str) -> Op {
    op(path, Change::SetLine { anchor: anchor.parse().unwrap(), lines: lines_of(text) })
}

pub(crate) fn insert_after(path: &str, anchor: &str, text: &str) -> Op {
    let at = Spot::After(anchor.parse().unwrap());
    op(path, Change::Insert { at, lines: lines_of(text) })
}

pub(crate) fn append(path: &str, text: &str) -> Op {
    op(path, Change::Insert { at: Spot::End, lines: lines_of(text) })
}

pub(crate) fn replace(path: &str, old: &str, new: &str) -> Op {
    let (old, new) = (old.to_owned(), new.to_owned());
    op(path, Change::Replace { old, new, all: false, within: None })
}

pub(crate) fn add_file(path: &str, content: &str) -> Op {
    op(path, Change::AddFile { content: content.to_owned(), overwrite: false })
}

pub(crate) fn move_file(from: &str, to: &str) -> Op {
    op(from, Change::MoveFile { to: to.to_owned() })
}

pub(crate) fn delete_file(path: &str) -> Op {
    op(path, Change::DeleteFile)
}
