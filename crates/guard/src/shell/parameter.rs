//! `${...}` in all its forms.

use super::{Shell, Stdin, Value, without_final_newlines};
use crate::syntax;
use crate::unknown::{HOLE, is_known, is_unknown};
use crate::wildcard::{replaced, trimmed};
use crate::word::unescaped;

fn hole() -> Value {
    Value::Text(HOLE.to_string())
}

impl Shell<'_> {
    /// The value of what is between `${` and `}`.
    pub(super) fn parameter(&mut self, inside: &str, quoted: bool) -> Value {
        if inside.starts_with([' ', '\t', '\n', '|']) {
            let script = inside.trim_start_matches('|');
            let printed = self.apart(|shell| shell.script(script, &Stdin::Inherited));
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
                Value::Text(_) => hole(),
            };
        }
        let (indirect, rest) = match inside.strip_prefix('!') {
            Some(rest) if !rest.is_empty() => (true, rest),
            _ => (false, inside),
        };
        let Some((name, subscript, operation)) = split(rest) else {
            self.operand(inside);
            return hole();
        };
        let mut value = self.value(name);
        if indirect {
            if matches!(operation, "@" | "*") || subscript == Some("@") || subscript == Some("*") {
                return hole();
            }
            value = match &value {
                Value::Text(target) if is_known(target) => match split(target) {
                    Some((name, subscript, "")) => {
                        let value = self.value(name);
                        self.element(value, subscript)
                    }
                    _ => hole(),
                },
                _ => hole(),
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
                    // A key of an array with one element can only mean that one.
                    Err(_) if list.len() == 1 => list.first(),
                    Err(_) => None,
                };
                found.map_or_else(hole, |text| Value::Text(text.clone()))
            }
            text @ Value::Text(_) if index == "0" => text,
            Value::Text(_) => hole(),
        }
    }

    /// The value of a variable by name.
    pub(super) fn value(&self, name: &str) -> Value {
        if matches!(name, "@" | "*") {
            return match &self.env.positional {
                Some(list) => Value::List(list.clone()),
                None => hole(),
            };
        }
        if name == "0" {
            return Value::Text("bash".to_owned());
        }
        if let Ok(number) = name.parse::<usize>() {
            return match &self.env.positional {
                Some(list) => Value::Text(list.get(number - 1).cloned().unwrap_or_default()),
                None => hole(),
            };
        }
        if let Some(value) = self.env.variables.get(name) {
            return value.clone();
        }
        let text = match name {
            "#" => self.env.positional.as_ref().map(|list| list.len().to_string()),
            "_" => Some(self.env.last_operand.clone()),
            "PWD" => Some(self.env.cwd.clone()),
            "OLDPWD" => Some(self.previous()),
            "HOME" => Some(self.context.home.clone()),
            "IFS" => Some(" \t\n".to_owned()),
            _ => None,
        };
        let known = || {
            let given = self.context.env.iter().find(|(given, _)| given == name);
            given.map(|(_, value)| value.clone())
        };
        let usual = || match name {
            "TMPDIR" => Some("/tmp".to_owned()),
            "SHELL" | "BASH" => Some("/bin/bash".to_owned()),
            _ => None,
        };
        Value::Text(text.or_else(known).or_else(usual).unwrap_or_else(|| HOLE.to_string()))
    }

    /// The text of an operand; its substitutions count even where its value does not.
    fn operand(&mut self, text: &str) -> String {
        if !text.contains(['$', '`', '\'', '"', '\\', '<', '~']) {
            return text.to_owned();
        }
        match syntax::parse_word(text) {
            Ok(word) => self.call(|shell| shell.one(&word)),
            Err(why) => {
                self.broken.get_or_insert(why);
                HOLE.to_string()
            }
        }
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
                || value == hole();
            return match op {
                '-' | '=' if unset => {
                    if op == '=' {
                        self.set(name, Value::Text(operand.clone()));
                    }
                    Value::Text(operand)
                }
                '+' if unset && value != hole() => Value::Text(String::new()),
                '+' => Value::Text(operand),
                _ => value,
            };
        }
        if colon {
            return self.slice(value, rest);
        }
        if let Some(letter) = operation.strip_prefix('@') {
            return self.transform(value, letter);
        }
        let (op, operand) = split_operation(operation);
        let each = |text: &str, change: &dyn Fn(&str) -> String| {
            if is_known(text) {
                change(text)
            } else {
                // Only the beginning is sure to stay.
                let known = text.find(is_unknown).unwrap_or(text.len());
                if op.starts_with('#') {
                    HOLE.to_string()
                } else {
                    format!("{}{HOLE}", &text[..known])
                }
            }
        };
        let map = |value: Value, change: &dyn Fn(&str) -> String| match value {
            Value::Text(text) => Value::Text(each(&text, change)),
            Value::List(list) => Value::List(list.iter().map(|text| each(text, change)).collect()),
        };
        match op {
            "#" | "##" | "%" | "%%" => {
                let pattern = self.operand(operand);
                self.step(1);
                map(value, &|text| trimmed(text, op, &pattern))
            }
            "/" | "//" | "/#" | "/%" => {
                let (pattern, with) = split_pattern(operand);
                let (pattern, with) = (self.operand(pattern), self.operand(with));
                self.step(1);
                map(value, &|text| replaced(text, op, &pattern, &with))
            }
            "^^" => map(value, &str::to_uppercase),
            ",," => map(value, &str::to_lowercase),
            "^" => map(value, &|text| first_letter(text, true)),
            "," => map(value, &|text| first_letter(text, false)),
            _ => {
                self.operand(operand);
                hole()
            }
        }
    }

    fn slice(&mut self, value: Value, range: &str) -> Value {
        let range = self.operand(range);
        let mut numbers =
            range.splitn(2, ':').map(|n| n.trim().trim_matches(['(', ')']).parse::<i64>());
        let (Some(Ok(from)), length) = (numbers.next(), numbers.next()) else {
            return hole();
        };
        let bounds = |count: usize| -> Option<(usize, usize)> {
            let count = i64::try_from(count).ok()?;
            let from = if from < 0 { count + from } else { from }.clamp(0, count);
            let to = match &length {
                None => count,
                Some(Ok(n)) if *n < 0 => count + n,
                Some(Ok(n)) => from + n,
                Some(Err(_)) => return None,
            };
            let to = to.clamp(from, count);
            Some((usize::try_from(from).ok()?, usize::try_from(to).ok()?))
        };
        match value {
            Value::Text(text) if is_known(&text) => match bounds(text.chars().count()) {
                Some((from, to)) => Value::Text(text.chars().skip(from).take(to - from).collect()),
                None => hole(),
            },
            Value::List(list) => {
                // `${@:1}` counts from 1.
                match bounds(list.len() + 1) {
                    Some((from, to)) => Value::List(
                        list.into_iter().skip(from.saturating_sub(1)).take(to - from).collect(),
                    ),
                    None => hole(),
                }
            }
            Value::Text(_) => hole(),
        }
    }

    fn transform(&mut self, value: Value, letter: &str) -> Value {
        match (letter, value) {
            ("P", Value::Text(text)) => match syntax::parse_text(&text) {
                Ok(word) => Value::Text(self.call(|shell| shell.one(&word))),
                Err(_) => hole(),
            },
            ("E", Value::Text(text)) => Value::Text(unescaped(&text)),
            ("U", Value::Text(text)) => Value::Text(text.to_uppercase()),
            ("L", Value::Text(text)) => Value::Text(text.to_lowercase()),
            ("u", Value::Text(text)) => Value::Text(first_letter(&text, true)),
            ("Q", value) => value,
            _ => hole(),
        }
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

fn split_operation(operation: &str) -> (&str, &str) {
    for op in ["##", "%%", "//", "/#", "/%", "^^", ",,", "#", "%", "/", "^", ","] {
        if let Some(rest) = operation.strip_prefix(op) {
            return (op, rest);
        }
    }
    ("", operation)
}

/// Splits `pattern/with` at the first bare slash.
fn split_pattern(text: &str) -> (&str, &str) {
    let mut skip = false;
    for (i, c) in text.char_indices() {
        match c {
            _ if skip => skip = false,
            '\\' => skip = true,
            '/' => return (&text[..i], &text[i + 1..]),
            _ => {}
        }
    }
    (text, "")
}

fn first_letter(text: &str, upper: bool) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(c) if upper => c.to_uppercase().chain(chars).collect(),
        Some(c) => c.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::policy::{Context, Policy};
    use crate::settings::GuardSettings;
    use crate::shell::{Shell, Stdin};
    use crate::syntax;

    /// What a script prints, as far as it is known.
    fn printed(script: &str) -> String {
        let context =
            Context { root: "/w".into(), cwd: "/w".into(), home: "/h".into(), env: vec![] };
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
            ("x=a.b.c; echo ${x%%.*} ${x#*.}", "a b.c"),
            ("x=aaa; echo ${x/a/b} ${x//a/b} ${x/#a/c} ${x/%a/d}", "baa bbb caa aad"),
            ("x=abc; echo ${#x} ${x:1} ${x:0:2} ${x: -1}", "3 bc ab c"),
            ("x=cat; echo ${x^} ${x^^}", "Cat CAT"),
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
