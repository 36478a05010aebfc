//! Reading files that `find` lists: `find … | xargs grep x`, `find … -exec head -5 {} \;`.

use super::{Planner, is_harmless};
use crate::ast::Command;
use crate::known::Stdin;
use crate::program::Call;
use crate::program::args::Parsed;
use crate::program::reader::{output_pipe, reading};
use crate::serve::pipe::Pipe;
use crate::serve::{Filter, GrepRequest, Lines, Source};
use crate::unknown::is_known;
use crate::word::base_name;

/// The files below a directory whose names fit one of the patterns.
struct Tree {
    start: String,
    globs: Vec<String>,
}

impl Planner<'_> {
    /// The lines of a program that lists files, piped to `xargs` with a program that reads them;
    /// and the rest of the pipeline.
    pub(super) fn found<'s>(
        &mut self,
        first: &Command,
        rest: &'s [Command],
    ) -> Option<(Pipe, &'s [Command])> {
        let Command::Simple(lists) = first else { return None };
        let (Command::Simple(xargs), rest) = rest.split_first()? else { return None };
        (is_harmless(&lists.redirects) && is_harmless(&xargs.redirects)).then_some(())?;
        let words = self.shell.fields(&lists.words);
        let (tree, _) = listed_tree(&words)?;
        let words = self.shell.fields(&xargs.words);
        let (name, operands) = words.split_first()?;
        (name == "xargs").then_some(())?;
        let plain = |word: &&String| {
            matches!(word.as_str(), "-0" | "-r" | "-n1" | "-0r" | "-r0" | "-n" | "1" | "--null")
        };
        let options = operands.iter().take_while(plain).count();
        Some((self.read_below(&tree, &operands[options..])?, rest))
    }

    /// The lines of `find` with one `-exec` of a program that reads the files found.
    pub(super) fn exec_found(&mut self, words: &[String]) -> Option<Pipe> {
        let (tree, rest) = listed_tree(words)?;
        let (verb, command) = rest.split_first()?;
        (verb == "-exec").then_some(())?;
        let (end, command) = command.split_last()?;
        (matches!(end.as_str(), ";" | "+")).then_some(())?;
        let (place, command) = command.split_last()?;
        (place == "{}").then_some(())?;
        self.read_below(&tree, command)
    }

    /// The lines that a program prints of all files of a tree.
    fn read_below(&mut self, tree: &Tree, words: &[String]) -> Option<Pipe> {
        words.iter().all(|word| is_known(word)).then_some(())?;
        let (name, operands) = words.split_first()?;
        let mut operands = operands.to_vec();
        let (name, per_file) = match base_name(name) {
            "grep" => ("grep", None),
            "cat" if operands.is_empty() => ("cat", Some(u64::MAX)),
            "head" => match reading("head", &operands)?.each? {
                Filter::First(count) => ("head", Some(count)),
                _ => return None,
            },
            _ => return None,
        };
        if per_file.is_some() {
            // `^` matches every line of a file.
            operands = vec!["^".to_owned()];
        }
        operands.extend(["-r".to_owned(), tree.start.clone()]);
        let (known, stdin) = (self.shell.known(), &Stdin::Inherited);
        let call = Call { name: "grep", words: &operands, parsed: Parsed::default(), stdin, known };
        let read = output_pipe(&call)?.into_lines();
        let Source::Grep(request) = read.source else { return None };
        let mut globs = request.globs;
        globs.extend(tree.globs.iter().cloned());
        let plain = name != "grep";
        let request = GrepRequest {
            globs,
            per_file: per_file.or(request.per_file),
            file_names: request.file_names && !plain,
            ..request
        };
        Some(Pipe::new(Lines { source: Source::Grep(request), ..read }))
    }
}

/// The files that `find` or `git ls-files` lists, and the words after its tests.
fn listed_tree(words: &[String]) -> Option<(Tree, &[String])> {
    let (name, operands) = words.split_first()?;
    words.iter().all(|word| is_known(word)).then_some(())?;
    match (base_name(name), operands) {
        ("find", operands) => {
            let starts = operands.iter().take_while(|word| !word.starts_with('-')).count();
            (starts <= 1).then_some(())?;
            let start = operands[..starts].first().map_or(".", |start| start.as_str());
            let mut globs = Vec::new();
            let mut rest = &operands[starts..];
            loop {
                rest = match rest {
                    [test, glob, rest @ ..] if test == "-name" && globs.is_empty() => {
                        globs.push(glob.clone());
                        rest
                    }
                    [test, kind, rest @ ..] if test == "-type" && kind == "f" => rest,
                    [test, rest @ ..] if test == "-print" || test == "-print0" => rest,
                    [] => break,
                    [test, ..] if test == "-exec" => break,
                    _ => return None,
                };
            }
            Some((Tree { start: start.to_owned(), globs }, rest))
        }
        ("git", [verb, globs @ ..]) if verb == "ls-files" => {
            let plain = globs.iter().all(|glob| !glob.starts_with('-') && glob.starts_with("*."));
            let tree = Tree { start: ".".to_owned(), globs: globs.to_vec() };
            plain.then_some((tree, &[]))
        }
        _ => None,
    }
}
