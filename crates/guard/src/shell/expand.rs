//! From words to fields: tildes, parameters, substitutions, splitting.

use super::{Shell, Stdin, Value, without_final_newlines};
use crate::ast::{Atom, Command, Expansion, Script, Step, Word};
use crate::syntax::{self, Read};
use crate::unknown::{HOLE, is_unknown};
use crate::word::{braces, unquoted};

/// The fields of a command while its words are expanded.
struct Fields {
    done: Vec<String>,
    open: Option<String>,
}

impl Fields {
    /// The last field, with room for this many characters if it is new.
    fn open(&mut self, characters: usize) -> &mut String {
        self.open.get_or_insert_with(|| String::with_capacity(characters))
    }

    fn close(&mut self) {
        self.done.extend(self.open.take());
    }

    fn split(&mut self, text: &str, separators: &str) {
        let mut pieces = text.split(|c| separators.contains(c));
        if let Some(first) = pieces.next()
            && !first.is_empty()
        {
            self.open(first.len()).push_str(first);
        }
        for piece in pieces {
            self.close();
            if !piece.is_empty() {
                self.open(piece.len()).push_str(piece);
            }
        }
    }
}

impl Shell<'_> {
    /// The fields that words expand to.
    pub(crate) fn fields(&mut self, words: &[Word]) -> Vec<String> {
        let mut out = Fields { done: Vec::with_capacity(words.len()), open: None };
        for word in words {
            if !self.step(1 + word.len() / 64) {
                return out.done;
            }
            for word in braces(word).iter() {
                self.word(word, &mut out);
                out.close();
            }
        }
        out.done
    }

    /// The text that a word expands to without splitting, as in an assignment or redirection.
    pub(crate) fn unsplit(&mut self, word: &Word) -> String {
        let (mut text, rest) = self.tilde(word);
        text.reserve(rest.len());
        for atom in rest {
            match atom {
                Atom::Char(c, _) => text.push(*c),
                Atom::Nothing => {}
                Atom::Expansion(expansion, quoted) => {
                    text.push_str(&self.expansion(expansion, *quoted).texts().join(" "));
                }
            }
            if text.len() > syntax::MAX_LENGTH {
                self.step(super::MAX_STEPS);
                return HOLE.to_string();
            }
        }
        text
    }

    fn word(&mut self, word: &Word, out: &mut Fields) {
        let (known, rest) = self.tilde(word);
        if !known.is_empty() {
            out.open(rest.len() + known.len()).push_str(&known);
        }
        let mut atoms = rest.iter();
        while let Some(atom) = atoms.next() {
            match atom {
                Atom::Char(c, _) => {
                    let field = out.open(rest.len());
                    field.push(*c);
                    // The characters that follow belong to the same field.
                    while let Some(Atom::Char(c, _)) = atoms.as_slice().first() {
                        field.push(*c);
                        atoms.next();
                    }
                }
                Atom::Nothing => {
                    out.open(rest.len());
                }
                Atom::Expansion(expansion, quoted) => {
                    let value = self.expansion(expansion, *quoted);
                    for (i, text) in value.texts().iter().enumerate() {
                        if i > 0 {
                            out.close();
                        }
                        if *quoted {
                            out.open(text.len()).push_str(text);
                        } else {
                            out.split(text, self.separators());
                        }
                    }
                }
            }
        }
    }

    pub(super) fn separators(&self) -> &str {
        match self.env.variables.get("IFS") {
            Some(Value::Text(text)) if !text.contains(is_unknown) => text,
            _ => " \t\n",
        }
    }

    /// The directory for a leading `~`, and the rest of the word.
    fn tilde<'w>(&self, word: &'w Word) -> (String, &'w [Atom]) {
        if !matches!(word.first(), Some(Atom::Char('~', false))) {
            return (String::new(), word);
        }
        let end =
            word.iter().position(|atom| matches!(atom, Atom::Char('/', _))).unwrap_or(word.len());
        let home = match unquoted(&word[1..end]).as_deref() {
            Some("") => self.context.home.clone(),
            Some("+") => self.env.cwd.clone(),
            Some("-") => self.previous_directory(),
            Some(_) => format!("/home/{HOLE}"),
            None => return (String::new(), word),
        };
        (home, &word[end..])
    }

    fn expansion(&mut self, expansion: &Expansion, quoted: bool) -> Value {
        if !self.step(2) {
            return Value::hole();
        }
        match expansion {
            Expansion::Command(script) => Value::Text(self.substitution(script)),
            Expansion::Process { input, script } => {
                let path = format!("/dev/fd/{}", 63 + self.pipes.len());
                self.pipes.insert(path.clone(), String::new());
                let stdin = Stdin::Text(HOLE.to_string());
                let printed = if *input {
                    self.substitution(script)
                } else {
                    self.step(8 + script.length / 8);
                    let run = |shell: &mut Self| shell.run(&script.commands, &stdin);
                    let printed = self.in_subshell(|shell| shell.call(run));
                    self.shows(&printed);
                    printed
                };
                self.pipes.insert(path.clone(), printed);
                Value::Text(path)
            }
            Expansion::Parameter(inside) => self.parameter(inside, quoted),
            Expansion::Arithmetic(inside) => {
                let text = self.read_word(syntax::parse_text(inside));
                self.arithmetic(&text);
                let number = text.trim().parse::<i64>();
                number.map_or_else(|_| Value::hole(), |number| Value::Text(number.to_string()))
            }
        }
    }

    /// The expanded text of a word that was parsed from another text.
    pub(super) fn read_word(&mut self, word: Read<Word>) -> String {
        match word {
            Ok(word) => self.call(|shell| shell.unsplit(&word)),
            Err(why) => {
                self.broken.get_or_insert(why);
                HOLE.to_string()
            }
        }
    }

    /// The text that replaces `$(script)`.
    pub(super) fn substitution(&mut self, script: &Script) -> String {
        if !self.step(8 + script.length / 8) {
            return HOLE.to_string();
        }
        let before = self.authored;
        let printed = self.call(|shell| {
            shell.in_subshell(|shell| match &script.commands {
                Command::Sequence(only) => match only.as_slice() {
                    [Step { command: Command::Simple(simple), .. }] => {
                        shell.simple(simple, &Stdin::Inherited, true)
                    }
                    _ => shell.run(&script.commands, &Stdin::Inherited),
                },
                commands => shell.run(commands, &Stdin::Inherited),
            })
        });
        self.authored = before;
        without_final_newlines(&printed).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use crate::policy::{Context, Policy};
    use crate::settings::GuardSettings;
    use crate::shell::Shell;
    use crate::{ast, syntax};

    /// The fields that the words of a command expand to, after `x="a b"` and `e=`.
    #[track_caller]
    fn check(command: &str, expected: &[&str]) {
        let context = Context {
            root: "/w".into(),
            cwd: "/w".into(),
            home: "/h".into(),
            ..Context::default()
        };
        let policy = Policy::new(&context, &[]);
        let settings = GuardSettings::default();
        let mut shell = Shell::new(&policy, &context, &settings);
        shell.run(&syntax::parse("x='a b'; e=").expect("it parses"), &super::Stdin::Inherited);
        let parsed = syntax::parse(command).expect("it parses");
        let ast::Command::Sequence(steps) = &parsed else { panic!("{parsed:?}") };
        let ast::Command::Simple(simple) = &steps[0].command else { panic!("{parsed:?}") };
        assert_eq!(shell.fields(&simple.words), expected, "{command}");
    }

    #[test]
    fn a_value_is_split_unless_it_is_quoted() {
        check("p $x", &["p", "a", "b"]);
        check("p \"$x\"", &["p", "a b"]);
        check("p 1$x\"2\"", &["p", "1a", "b2"]);
        check("p $e \"$e\"", &["p", ""]);
    }

    #[test]
    fn braces_and_tildes_are_expanded_before_words_are_joined() {
        check("p f.{a,b}c", &["p", "f.ac", "f.bc"]);
        check("p ~/f '~/f'", &["p", "/h/f", "~/f"]);
    }

    #[test]
    fn the_output_of_a_substitution_loses_its_final_newlines() {
        check("p $(printf 'a b\\n\\n')", &["p", "a", "b"]);
        check("p \"$(printf 'a b\\n')\"c", &["p", "a bc"]);
    }
}
