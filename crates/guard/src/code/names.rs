//! What names stand for: modules and functions that inline code imports or renames.

use std::collections::HashMap;

use super::Language;
use super::functions::by_name;
use super::tokens::Token;

/// Names that a piece of code gives to modules and functions.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The modules by their names in the code: `import fileinput as f`, `F = File`.
    modules: HashMap<String, String>,
    /// The modules that bare names were imported from.
    imported: HashMap<String, String>,
    /// Known functions by their other names in the code.
    aliases: HashMap<String, String>,
}

/// How many tokens around a name are looked at, so that the work stays linear.
const FAR: usize = 64;

/// Modules and classes whose members open files, under their usual names.
const MODULES: [&str; 12] = [
    "fs", "Deno", "Bun", "io", "os", "builtins", "File", "IO", "Kernel", "codecs", "fileinput",
    "shutil",
];

/// Function names so common that they count only when they come from one of `SOURCES`.
const EVERYDAY: [&str; 16] = [
    "write", "file", "truncate", "exec", "spawn", "fetch", "Command", "input", "read", "run",
    "call", "copy", "eval", "get_data", "lines", "output",
];

/// Modules whose functions with everyday names count.
const SOURCES: [&str; 12] = [
    "fs", "child_process", "Bun", "Deno", "fileinput", "subprocess", "shutil", "os", "io", "pty",
    "pkgutil", "vm",
];

impl Names {
    pub(super) fn new(tokens: &[Token], language: Language) -> Self {
        let mut out = Self::default();
        for i in 0..tokens.len() {
            match language {
                Language::Python => out.python_import(tokens, i),
                Language::JavaScript => out.javascript_import(tokens, i),
                _ => {}
            }
            out.renamed_module(tokens, i);
            out.renamed_function(tokens, i, language);
        }
        out
    }

    /// The module that a name stands for, or the name.
    pub(super) fn module<'n>(&'n self, name: &'n str) -> &'n str {
        self.modules.get(name).map_or(name, String::as_str)
    }

    /// The module that a bare name was imported from.
    pub(super) fn source(&self, name: &str) -> Option<&str> {
        self.imported.get(name).map(String::as_str)
    }

    /// The function that a name stands for. Functions with everyday names count if they come from
    /// a module that we know.
    pub(super) fn function(&self, alias: &str) -> Option<&str> {
        let function = self.aliases.get(alias)?;
        let source = self.source(alias);
        let meant = !EVERYDAY.contains(&function.as_str())
            || source.is_some_and(|module| SOURCES.contains(&module));
        meant.then_some(function.as_str())
    }

    /// Notes names from `import a.b as c` and `from a import b as c, d`.
    fn python_import(&mut self, tokens: &[Token], i: usize) {
        let Some(Token::Name(word)) = tokens.get(i) else { return };
        let rest = &tokens[i + 1..tokens.len().min(i + 1 + FAR)];
        let end = rest.iter().position(|t| t.is(';') || t.is('\n')).unwrap_or(rest.len());
        let rest = &rest[..end];
        match word.as_str() {
            "from" => {
                let Some(at) = rest.iter().position(|t| t.is_name("import")) else { return };
                let Some(module) = last_name(&rest[..at]) else { return };
                for part in rest[at + 1..].split(|t| t.is(',')) {
                    if let Some(name) = last_name(part) {
                        self.imported.insert(name.to_owned(), module.to_owned());
                    }
                }
            }
            "import" => {
                for part in rest.split(|t| t.is(',')) {
                    if let [module @ .., word, Token::Name(name)] = part
                        && word.is_name("as")
                        && let Some(module) = last_name(module)
                    {
                        self.modules.insert(name.clone(), module.to_owned());
                    }
                }
            }
            _ => {}
        }
    }

    /// Notes names from `const f = require("fs")` and `import {open} from "fs"`, reading backwards
    /// from the module's name at `i`.
    fn javascript_import(&mut self, tokens: &[Token], i: usize) {
        let Some(Token::Text(module)) = tokens.get(i) else { return };
        let module = plain_module(module);
        let mut end = match &tokens[..i] {
            [.., word] if word.is_name("from") => i - 1,
            [.., word, _] if word.is_name("require import") => i - 2,
            _ => return,
        };
        while end > 0 && (tokens[end - 1].is('=') || tokens[end - 1].is_name("await")) {
            end -= 1;
        }
        match tokens[..end].last() {
            Some(Token::Name(name)) => {
                self.modules.insert(name.clone(), module.to_owned());
            }
            Some(Token::Mark('}')) => {
                let near = end.saturating_sub(FAR);
                let Some(start) = tokens[near..end].iter().rposition(|t| t.is('{')) else {
                    return;
                };
                let start = near + start;
                for part in tokens[start + 1..end - 1].split(|t| t.is(',')) {
                    if let Some(name) = last_name(part) {
                        self.imported.insert(name.to_owned(), module.to_owned());
                        if part[0].is_name("promises") {
                            self.modules.insert(name.to_owned(), module.to_owned());
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Notes another name of a module: `F = File`.
    fn renamed_module(&mut self, tokens: &[Token], i: usize) {
        if let Some([Token::Name(name), Token::Mark('='), Token::Name(module)]) =
            tokens.get(i..i + 3)
            && MODULES.contains(&module.as_str())
            && !tokens.get(i + 3).is_some_and(|t| matches!(t, Token::Mark('.' | '(' | '[' | ':')))
        {
            self.modules.insert(name.clone(), module.clone());
        }
    }

    /// Notes another name of a function: `{readFileSync: r}`, `open as o`, `o = io["open"]`.
    fn renamed_function(&mut self, tokens: &[Token], i: usize, language: Language) {
        let (Some(Token::Name(name) | Token::Text(name)), true) = (
            tokens.get(i),
            matches!(language, Language::JavaScript | Language::Python | Language::Lua),
        ) else {
            return;
        };
        // Most names are followed by `(` or `.`: those are not looked up.
        if tokens.get(i + 1).is_some_and(|t| matches!(t, Token::Mark('(' | '.')))
            || by_name(language, name).next().is_none()
        {
            return;
        }
        let alias = match tokens.get(i + 1..) {
            Some([Token::Mark(':'), Token::Name(alias), ..])
                if language == Language::JavaScript =>
            {
                Some(alias)
            }
            Some([word, Token::Name(alias), ..]) if word.is_name("as") => Some(alias),
            _ => assigned_to(&tokens[i.saturating_sub(FAR)..i]),
        };
        if let Some(alias) = alias {
            match &tokens[..i] {
                [.., Token::Name(owner), Token::Mark('.')] => {
                    let module = self.module(owner).to_owned();
                    self.imported.insert(alias.clone(), module);
                }
                [.., Token::Text(module), Token::Mark(')'), Token::Mark('.')] => {
                    self.imported.insert(alias.clone(), plain_module(module).to_owned());
                }
                _ => {}
            }
            self.aliases.insert(alias.clone(), name.clone());
        }
    }
}

/// The variable that the expression before this place is assigned to.
fn assigned_to(before: &[Token]) -> Option<&String> {
    let chain = |t: &Token| {
        matches!(
            t,
            Token::Name(_) | Token::Text(_) | Token::Mark('.' | '(' | ')' | '[' | ']' | ',')
        )
    };
    let equals = before.iter().rposition(|token| !chain(token))?;
    match before[..=equals] {
        [.., Token::Name(ref name), Token::Mark('=')] => Some(name),
        _ => None,
    }
}

fn last_name(tokens: &[Token]) -> Option<&str> {
    tokens.iter().rev().find_map(Token::name)
}

/// The usual name of a module: `fs` for `node:fs/promises`.
pub(super) fn plain_module(module: &str) -> &str {
    let module = module.strip_prefix("node:").unwrap_or(module);
    match module {
        "fs/promises" | "fs-extra" | "graceful-fs" | "original-fs" => "fs",
        other => other,
    }
}
