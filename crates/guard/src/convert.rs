//! Writes that can be asked for in another way: the text is in the command itself.

use crate::ast::{Command, RedirectKind, Simple, Step};
use crate::code::{Language, replacements};
use crate::instead::TextChange;
use crate::known::Stdin;
use crate::pattern::is_pattern;
use crate::policy::{Context, Policy, Zone};
use crate::program::args::{Spec, parse};
use crate::program::interpreter;
use crate::program::sed::SedCall;
use crate::settings::GuardSettings;
use crate::shell::Shell;
use crate::syntax;
use crate::unknown::is_known;

/// What a command that writes literal text amounts to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversion {
    /// The changes, in order.
    pub changes: Vec<TextChange>,
    /// What is left of the command, ready to be sent.
    pub rest: Option<String>,
}

/// What a script amounts to, if all of its writes are of this kind.
pub(crate) fn conversion(
    script: &str,
    parsed: &Command,
    context: &Context,
    settings: &GuardSettings,
    policy: &Policy,
) -> Option<Conversion> {
    let mut shell = Shell::new(policy, context, settings);
    let (changes, rest) =
        taken_apart(script, parsed, &mut shell, |simple, shell| change(simple, shell, policy))?;
    Some(Conversion { changes, rest })
}

/// The writes of a script, each as `take` has it, and the rest; `None` if there are others.
pub(crate) fn taken_apart<T>(
    script: &str,
    parsed: &Command,
    shell: &mut Shell<'_>,
    mut take: impl FnMut(&Simple, &mut Shell<'_>) -> Option<Vec<T>>,
) -> Option<(Vec<T>, Option<String>)> {
    let Command::Sequence(steps) = parsed else { return None };
    let (mut taken, mut rest) = (Vec::new(), Vec::new());
    for Step { command, span, .. } in steps {
        if let Command::Simple(simple) = command
            && let Some(writes) = take(simple, shell)
        {
            taken.extend(writes);
            continue;
        }
        let before = shell.effects.len();
        let printed = shell.run(command, &Stdin::Inherited);
        shell.shows(&printed);
        if shell.effects[before..].iter().any(crate::effect::Effect::is_protected) {
            return None;
        }
        rest.push(syntax::source(script, (*span)?)?);
    }
    let only_moves = rest.iter().all(|command| command.starts_with("cd "));
    let rest = (!only_moves).then(|| rest.join("; "));
    (!taken.is_empty()).then_some((taken, rest))
}

/// The changes of a simple command that does nothing else.
fn change(simple: &Simple, shell: &mut Shell<'_>, policy: &Policy) -> Option<Vec<TextChange>> {
    simple.assignments.is_empty().then_some(())?;
    let words = shell.plain_fields(&simple.words);
    words.iter().all(|word| is_known(word)).then_some(())?;
    let (name, operands) = words.split_first()?;
    let name = name.rsplit('/').next().unwrap_or(name);
    if matches!(name, "sed" | "gsed") && simple.redirects.is_empty() {
        return substitution(operands, shell, policy);
    }
    let (mut target, mut input) = (None, None);
    for redirect in &simple.redirects {
        let standard = redirect.descriptor.is_none_or(|fd| fd == 1);
        match &redirect.kind {
            RedirectKind::Output(word) if standard => target = Some((shell.text(word), false)),
            RedirectKind::Append(word) if standard => target = Some((shell.text(word), true)),
            RedirectKind::Text(word) => {
                let mut text = shell.text(word);
                if !text.ends_with('\n') {
                    text.push('\n');
                }
                input = Some(text);
            }
            _ => return None,
        }
    }
    if let Some(language) = interpreter::language(name) {
        let code = match (language, operands, &input) {
            (Language::Python, [flag, code], None) if flag == "-c" => code,
            (Language::JavaScript, [flag, code], None) if flag == "-e" => code,
            (_, [], Some(text)) => text,
            (_, [dash], Some(text)) if dash == "-" => text,
            _ => return None,
        };
        return if target.is_none() { replaced(language, code, shell, policy) } else { None };
    }
    let (targets, append, text) = match (name, target) {
        ("cat", Some((path, append))) => {
            operands.iter().all(|word| word == "-").then_some(())?;
            (vec![path], append, input?)
        }
        ("echo" | "printf", Some((path, append))) if input.is_none() => {
            (vec![path], append, shell.invoke(&words, &Stdin::Inherited))
        }
        ("tee", target) => {
            target.is_none_or(|(path, _)| path == "/dev/null").then_some(())?;
            let parsed = parse(operands, &Spec::new("", &[]));
            (parsed.operands.to_vec(), parsed.has(&["a", "append"]), input?)
        }
        _ => return None,
    };
    is_known(&text).then_some(())?;
    let changes = targets.iter().map(|path| {
        let located = shell.locate(path);
        (is_known(path) && located.zone == Zone::Protected).then_some(())?;
        let path = policy.relative(&located.path);
        let text = text.clone();
        Some(if append {
            TextChange::Append { path, text }
        } else {
            TextChange::Whole { path, text }
        })
    });
    changes.collect()
}

/// A script that reads a file, replaces literal texts in it and writes it back.
fn replaced(
    language: Language,
    code: &str,
    shell: &Shell<'_>,
    policy: &Policy,
) -> Option<Vec<TextChange>> {
    let changes = replacements(language, code)?.into_iter().map(|made| {
        let located = shell.locate(&made.path);
        (located.zone == Zone::Protected).then(|| TextChange::Replace {
            path: policy.relative(&located.path),
            old: made.old,
            new: made.new,
            all: made.all,
        })
    });
    changes.collect()
}

/// `sed -i s/a/b/ f` and `sed -i s/a/b/g f` where both texts are literal.
fn substitution(
    operands: &[String],
    shell: &Shell<'_>,
    policy: &Policy,
) -> Option<Vec<TextChange>> {
    let sed = SedCall::read(operands);
    let (old, new, all) = sed.replacement()?;
    let changes = sed.files.iter().map(|path| {
        let located = shell.locate(path);
        (!is_pattern(path)).then_some(())?;
        let path = policy.relative(&located.path);
        Some(TextChange::Replace { path, old: old.to_owned(), new: new.to_owned(), all })
    });
    let changes: Vec<TextChange> = changes.collect::<Option<_>>()?;
    (!changes.is_empty()).then_some(changes)
}
