//! The spelling that begins with `*** Begin Patch`.
//!
//! Each file has a heading, `*** Update File: PATH`, `*** Add File: PATH` or `*** Delete File:
//! PATH`; an update may be followed by `*** Move to: PATH` and has hunks, whose lines start with a
//! blank, a `-` or a `+`. A hunk is found by its own lines, which must occur exactly once; what
//! comes after `@@` is a remark. Anything else is refused in the words of this spelling.

use crate::BadPatch;
use hashline_core::RefusalCode;
use hashline_core::patch::{Change, Op};

const SHAPE: &str = "*** Begin Patch\\n*** Update File: src/a.ts\\n@@\\n line before\\n-old line\\n+new line\\n*** End Patch";

/// Whether a text is in this spelling.
pub(crate) fn is_begin_patch(text: &str) -> bool {
    text.trim_start().starts_with("*** Begin Patch")
}

/// Reads the operations; the first of them has the number `first` in the whole request.
pub(super) fn read(text: &str, first: usize) -> Result<Vec<Op>, BadPatch> {
    let mut reader = BeginPatchReading { ops: Vec::new(), first, file: None };
    for line in text.lines().skip_while(|line| !is_begin_patch(line)).skip(1) {
        if line.trim_end() == "*** End Patch" {
            break;
        }
        reader.line(line)?;
    }
    reader.close()?;
    Ok(reader.ops)
}

/// What has been read so far.
struct BeginPatchReading {
    ops: Vec<Op>,
    first: usize,
    file: Option<FileSection>,
}

/// The section of one file, still open.
struct FileSection {
    path: String,
    kind: SectionKind,
    old: Vec<String>,
    new: Vec<String>,
    changed: bool,
    hunks: usize,
}

#[derive(Clone, PartialEq, Eq)]
enum SectionKind {
    Add,
    Update { to: Option<String> },
}

impl BeginPatchReading {
    fn line(&mut self, line: &str) -> Result<(), BadPatch> {
        let heading = |name: &str| {
            line.strip_prefix("*** ")?.strip_prefix(name)?.strip_prefix(": ").map(str::trim)
        };
        let open = |path: &str, kind| FileSection {
            path: path.to_owned(),
            kind,
            old: Vec::new(),
            new: Vec::new(),
            changed: false,
            hunks: 0,
        };
        if let Some(path) = heading("Add File") {
            self.close()?;
            self.file = Some(open(path, SectionKind::Add));
        } else if let Some(path) = heading("Update File") {
            self.close()?;
            self.file = Some(open(path, SectionKind::Update { to: None }));
        } else if let Some(path) = heading("Delete File") {
            self.close()?;
            self.push(path, Change::DeleteFile);
        } else if let Some(goal) = heading("Move to") {
            match &mut self.file {
                Some(FileSection { kind: SectionKind::Update { to }, .. }) => {
                    *to = Some(goal.to_owned());
                }
                _ => return Err(self.bad("`*** Move to` belongs below `*** Update File`")),
            }
        } else if line.trim_end() != "*** End of File" {
            self.content(line)?;
        }
        Ok(())
    }

    /// A line of a new file or of a hunk.
    fn content(&mut self, line: &str) -> Result<(), BadPatch> {
        let Some(file) = &mut self.file else {
            let reason = format!("`{line}` stands before the first `*** Update File`");
            return if line.trim().is_empty() { Ok(()) } else { Err(self.bad(&reason)) };
        };
        let is_add = file.kind == SectionKind::Add;
        if let Some(text) = line.strip_prefix('+') {
            file.new.push(text.to_owned());
            file.changed = true;
        } else if is_add {
            let reason = format!("a line of `*** Add File` starts with `+`, not `{line}`");
            return Err(self.bad(&reason));
        } else if line.starts_with("@@") {
            self.end_hunk()?;
        } else if let Some(text) = line.strip_prefix('-') {
            file.old.push(text.to_owned());
            file.changed = true;
        } else {
            // A blank line of context often comes without its blank.
            let text = line.strip_prefix(' ').or((line.is_empty()).then_some(line));
            let Some(text) = text else {
                let reason = format!("a line of a hunk starts with ` `, `-` or `+`, not `{line}`");
                return Err(self.bad(&reason));
            };
            file.old.push(text.to_owned());
            file.new.push(text.to_owned());
        }
        Ok(())
    }

    fn end_hunk(&mut self) -> Result<(), BadPatch> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let (mut old, mut new) = (std::mem::take(&mut file.old), std::mem::take(&mut file.new));
        if !std::mem::take(&mut file.changed) {
            return Ok(());
        }
        // A blank line before the next heading belongs to the patch's layout, not to the file.
        while old.len() > 1 && old.last() == new.last() && old.last().is_some_and(String::is_empty)
        {
            old.pop();
            new.pop();
        }
        file.hunks += 1;
        let path = file.path.clone();
        if old.is_empty() {
            let reason = format!(
                "a hunk of `{path}` has only `+` lines: add an unchanged line of the file with one space in front, which shows where the new lines go"
            );
            return Err(self.bad(&reason));
        }
        self.push(&path, Change::Hunk { old, new });
        Ok(())
    }

    fn close(&mut self) -> Result<(), BadPatch> {
        let add = matches!(&self.file, Some(FileSection { kind: SectionKind::Add, .. }));
        if !add {
            self.end_hunk()?;
        }
        let Some(file) = self.file.take() else { return Ok(()) };
        match file.kind {
            SectionKind::Add => {
                let mut content = file.new.join("\n");
                if !file.new.is_empty() {
                    content.push('\n');
                }
                self.push(&file.path, Change::AddFile { content, overwrite: false });
            }
            SectionKind::Update { to: Some(to) } => self.push(&file.path, Change::MoveFile { to }),
            SectionKind::Update { to: None } if file.hunks == 0 => {
                let reason = format!("`*** Update File: {}` has no `-` or `+` line", file.path);
                return Err(self.bad(&reason));
            }
            SectionKind::Update { to: None } => {}
        }
        Ok(())
    }

    fn push(&mut self, path: &str, change: Change) {
        self.ops.push(Op { path: path.to_owned(), exact: true, open: false, change });
    }

    fn bad(&self, reason: &str) -> BadPatch {
        BadPatch {
            op: Some(self.first + self.ops.len()),
            field: None,
            reason: reason.to_owned(),
            shape: SHAPE.to_owned(),
            code: RefusalCode::BadPatch,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_patch_is_read() {
        let text = "*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@ fn x\n one\n-two\n+TWO\n\n*** Add File: c.ts\n+new\n+file\n*** Delete File: d.ts\n*** End Patch\n";
        let ops = read(text, 0).unwrap();
        let names: Vec<_> = ops.iter().map(|op| (op.path.as_str(), op.change.name())).collect();
        assert_eq!(
            names,
            [
                ("a.ts", "hunk"),
                ("a.ts", "move_file"),
                ("c.ts", "add_file"),
                ("d.ts", "delete_file")
            ]
        );
        let [old, new] =
            [["one", "two"], ["one", "TWO"]].map(|lines| lines.map(String::from).to_vec());
        assert_eq!(ops[0].change, Change::Hunk { old, new });
        let content = "new\nfile\n".to_owned();
        assert_eq!(ops[2].change, Change::AddFile { content, overwrite: false });
    }

    #[test]
    fn anything_else_is_refused_in_the_words_of_this_spelling() {
        let check = |body: &str, part: &str| {
            let error = read(&format!("*** Begin Patch\n{body}\n*** End Patch"), 0).unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
        };
        check("*** Update File: a\n@@\n+x", "only `+` lines");
        check("*** Update File: a\n@@\n x", "has no `-` or `+` line");
        check("*** Update File: a\nx", "starts with ` `, `-` or `+`");
        check("*** Add File: a\nx", "starts with `+`");
        check("x", "before the first");
    }
}
