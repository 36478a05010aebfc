//! `${...}` in all its forms.

use super::{Shell, Stdin, Value, without_final_newlines};
use crate::syntax;
use crate::unknown::{HOLE, is_known};
use crate::word::base_name;

impl Shell<'_> {
    /// The value of the parameter between `${` and `}`.
    pub(super) fn parameter(&mut self, inside: &str, quoted: bool) -> Value {
        if inside.starts_with([' ', '\t', '\n', '|']) {
            let script = inside.trim_start_matches('|');
            let printed = self.in_subshell(|shell| shell.script(script, &Stdin::Inherited));
            return Value::Text(without_final_newlines(&printed).to_owned());
        }
        if let Some(rest) = inside.strip_prefix('#')
            && !rest.is_empty()
            && let Some((_, subscript, "")) = split(rest)
        {
            if let Some(subscript) = subscript {
                self.operand(subscript);
            }
            let name = rest.split('[').next().unwrap_or(rest);
            return match self.value(name) {
                Value::Text(text) if is_known(&text) => {
                    Value::Text(text.chars().count().to_string())
                }
                Value::List(list) => Value::Text(list.len().to_string()),
                Value::Text(_) => Value::hole(),
            };
        }
        let (indirect, rest) = match inside.strip_prefix('!') {
            Some(rest) if !rest.is_empty() => (true, rest),
            _ => (false, inside),
        };
        let Some((name, subscript, operation)) = split(rest) else {
            self.operand(inside);
            return Value::hole();
        };
        let mut value = self.value(name);
        if indirect {
            if matches!(operation, "@" | "*") || subscript == Some("@") || subscript == Some("*") {
                return Value::hole();
            }
            value = match &value {
                Value::Text(target) if is_known(target) => match split(target) {
                    Some((name, subscript, "")) => {
                        let value = self.value(name);
                        self.element(value, subscript)
                    }
                    _ => Value::hole(),
                },
                _ => Value::hole(),
            };
        } else if !matches!(name, "@" | "*") {
            value = self.element(value, subscript);
        }
        if name == "*"
            && quoted
            && let Value::List(list) = &value
        {
            value = Value::Text(list.join(" "));
        }
        self.operate(name, value, operation)
    }

    fn element(&mut self, value: Value, subscript: Option<&str>) -> Value {
        let Some(subscript) = subscript else {
            return match value {
                // `$a` of an array is its first element.
                Value::List(list) => Value::Text(list.into_iter().next().unwrap_or_default()),
                text @ Value::Text(_) => text,
            };
        };
        if matches!(subscript, "@" | "*") {
            return match value {
                Value::Text(text) => Value::List(vec![text]),
                list @ Value::List(_) => list,
            };
        }
        let index = self.operand(subscript);
        match value {
            Value::List(list) => {
                let found = match index.parse::<usize>() {
                    Ok(i) => list.get(i),
                    // In an array with one element, any key means that one.
                    Err(_) if list.len() == 1 => list.first(),
                    Err(_) => None,
                };
                found.map_or_else(Value::hole, |text| Value::Text(text.clone()))
            }
            text @ Value::Text(_) if index == "0" => text,
            Value::Text(_) => Value::hole(),
        }
    }

    /// The value of a variable by name.
    pub(super) fn value(&self, name: &str) -> Value {
        if matches!(name, "@" | "*") {
            return match &self.env.positional {
                Some(list) => Value::List(list.clone()),
                None => Value::hole(),
            };
        }
        if name == "0" {
            return Value::Text("bash".to_owned());
        }
        if let Ok(number) = name.parse::<usize>() {
            return match &self.env.positional {
                Some(list) => Value::Text(list.get(number - 1).cloned().unwrap_or_default()),
                None => Value::hole(),
            };
        }
        if let Some(value) = self.env.variables.get(name) {
            return value.clone();
        }
        let text = match name {
            "#" => self.env.positional.as_ref().map(|list| list.len().to_string()),
            "_" => Some(self.env.last_operand.clone()),
            "PWD" => Some(self.env.cwd.clone()),
            "OLDPWD" => Some(self.previous_directory()),
            "HOME" => Some(self.context.home.clone()),
            "IFS" => Some(" \t\n".to_owned()),
            _ => None,
        };
        let known = || {
            let given = self.context.env.iter().find(|(given, _)| given == name);
            given.map(|(_, value)| value.clone())
        };
        let usual = || match name {
            "TMPDIR" | "TEMP" | "TMP" => Some("/tmp".to_owned()),
            "SHELL" | "BASH" => Some("/bin/bash".to_owned()),
            _ => None,
        };
        Value::Text(text.or_else(known).or_else(usual).unwrap_or_else(|| HOLE.to_string()))
    }

    /// The text of an operand; this runs its substitutions even if the text is not needed.
    fn operand(&mut self, text: &str) -> String {
        if !text.contains(['$', '`', '\'', '"', '\\', '<', '~']) {
            return text.to_owned();
        }
        self.read_word(syntax::parse_word(text))
    }

    fn operate(&mut self, name: &str, value: Value, operation: &str) -> Value {
        if operation.is_empty() {
            return value;
        }
        let (colon, rest) = match operation.strip_prefix(':') {
            Some(rest) => (true, rest),
            None => (false, operation),
        };
        if let Some(op @ ('-' | '=' | '+' | '?')) = rest.chars().next() {
            let operand = self.operand(&rest[1..]);
            let unset = matches!(&value, Value::Text(text) if text.is_empty() && colon)
                || matches!(&value, Value::List(list) if list.is_empty())
                || value == Value::hole();
            return match op {
                '-' | '=' if unset => {
                    if op == '=' {
                        self.set(name, Value::Text(operand.clone()));
                    }
                    Value::Text(operand)
                }
                '+' if unset && value != Value::hole() => Value::Text(String::new()),
                '+' => Value::Text(operand),
                _ => value,
            };
        }
        let operator = operation.starts_with(['#', '%', '/', '^', ',', '@', ':']);
        let (operator, pattern) = operation.split_at(usize::from(operator));
        // Substitutions are run, whatever the operation does with their output.
        let twice = pattern.starts_with(operator);
        let pattern = self.operand(if twice { &pattern[operator.len()..] } else { pattern });
        match value {
            Value::Text(text) if is_known(&text) => match cut(&text, operator, &pattern, twice) {
                Some(left) => Value::Text(left.to_owned()),
                // Cutting or replacing the end of a path keeps its directory.
                None if operation.starts_with(['%', '/']) && text.starts_with('/') => {
                    let end = text.rfind('/').map_or(0, |at| at + 1);
                    Value::Text(format!("{}{HOLE}", &text[..end]))
                }
                None => Value::hole(),
            },
            _ => Value::hole(),
        }
    }
}

/// The text after a common cut: of a literal, of the directory or of the name.
fn cut<'t>(text: &'t str, operator: &str, pattern: &str, twice: bool) -> Option<&'t str> {
    match (operator, pattern) {
        ("#", "*/") if twice => Some(base_name(text)),
        ("%", "/*") if !twice => {
            Some(text.rsplit_once('/').map_or(text, |(directory, _)| directory))
        }
        (_, pattern) if pattern.contains(['*', '?', '[']) || !is_known(pattern) => None,
        ("#", literal) => Some(text.strip_prefix(literal).unwrap_or(text)),
        ("%", literal) => Some(text.strip_suffix(literal).unwrap_or(text)),
        _ => None,
    }
}

/// Splits `name[subscript]operation`.
fn split(text: &str) -> Option<(&str, Option<&str>, &str)> {
    let first = text.chars().next()?;
    let end = if first.is_ascii_alphabetic() || first == '_' {
        text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len())
    } else if first.is_ascii_digit() {
        text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())
    } else if "@*#?$!-".contains(first) {
        1
    } else {
        return None;
    };
    let (name, rest) = text.split_at(end);
    let Some(inside) = rest.strip_prefix('[') else {
        return Some((name, None, rest));
    };
    let mut depth = 0;
    for (i, c) in inside.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return Some((name, Some(&inside[..i]), &inside[i + 1..])),
            ']' => depth -= 1,
            _ => {}
        }
    }
    Some((name, None, rest))
}

#[cfg(test)]
mod tests {
    use crate::policy::{Context, Policy};
    use crate::settings::GuardSettings;
    use crate::shell::{Shell, Stdin};
    use crate::syntax;

    /// What a script prints, as far as it is known.
    fn printed(script: &str) -> String {
        let context = Context {
            root: "/w".into(),
            cwd: "/w".into(),
            home: "/h".into(),
            ..Context::default()
        };
        let policy = Policy::new(&context, &[]);
        let settings = GuardSettings::default();
        let mut shell = Shell::new(&policy, &context, &settings);
        let parsed = syntax::parse(script).expect("the script parses");
        shell.run(&parsed, &Stdin::Inherited).trim_end_matches('\n').to_owned()
    }

    fn check(rows: &[(&str, &str)]) {
        for (script, expected) in rows {
            assert_eq!(printed(script), *expected, "{script}");
        }
    }

    #[test]
    fn parameters_are_cut_replaced_and_measured() {
        check(&[
            ("x=src/a.ts; echo ${x##*/}", "a.ts"),
            ("x=src/a.ts; echo ${x%/*}", "src"),
            ("x=a.tar.gz; echo ${x%.gz} ${x#a.} ${#x}", "a.tar tar.gz 8"),
            ("y=x; x=5; echo ${!y}", "5"),
            ("echo ${u:-d} ${u:=e} $u ${u:+f}", "d e e f"),
            ("a=(p q r); echo ${a[1]} ${#a[@]} ${a[@]}", "q 3 p q r"),
            ("set -- one two; echo $1 $# \"$@\"", "one 2 one two"),
        ]);
    }

    #[test]
    fn words_are_split_quoted_and_expanded() {
        check(&[
            ("x='a b'; for w in $x; do echo [$w]; done", "[a]\n[b]"),
            ("x='a b'; for w in \"$x\"; do echo [$w]; done", "[a b]"),
            ("IFS=:; x=a:b; set -- $x; echo $2", "b"),
            ("echo ~/x ~+/y", "/h/x /w/y"),
            ("echo {a,b}{1..3}", "a1 a2 a3 b1 b2 b3"),
            ("echo 'a'\"b\"$'\\x63'", "abc"),
            ("echo $(echo in $(echo ner))", "in ner"),
            ("cd sub; echo $PWD; cd ..; pwd", "/w/sub\n/w"),
            ("f() { echo \"$1!\"; }; f hi", "hi!"),
        ]);
    }
}
