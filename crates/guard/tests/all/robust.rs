//! The guard on hostile input: no panic, no overflow, bounded work.

use std::time::Instant;

use crate::support::{context, fixture};
use hashline_guard::{GuardSettings, Verdict, judge_counting};

/// Judges a command, and checks what must hold for the verdict on any input.
fn check(command: &str) -> Verdict {
    let (verdict, steps) = judge_counting(command, &context(), &GuardSettings::default());
    let limit = hashline_guard::MAX_STEPS * 2;
    assert!(steps < limit, "{steps} steps for {:?}", &command[..command.len().min(200)]);
    if let Verdict::Block(block) = &verdict {
        assert!(
            !block.reason().contains("could not be checked"),
            "an internal failure on {command:?}"
        );
        assert!(block.reason().lines().count() <= 2, "{:?}", block.reason());
    }
    verdict
}

fn nests() -> Vec<(&'static str, String)> {
    let n = 10_000;
    let around = |open: &str, inside: &str, close: &str| open.repeat(n) + inside + &close.repeat(n);
    vec![
        ("parens", around("(", "a", ")")),
        ("open parens", "(".repeat(n)),
        ("substitutions", around("$(", "a", ")")),
        ("open substitutions", "$(".repeat(n)),
        ("quoted substitutions", around("\"$(", "a", ")\"")),
        ("parameters", around("${x:-", "a", "}")),
        ("arithmetic", around("$((", "1", "))")),
        ("arithmetic without its last parentheses", "$((".repeat(n) + &")".repeat(n)),
        ("groups", around("{ ", "a", ";}")),
        ("ifs", around("if ", "a", ";then b;fi")),
        ("loops", around("while ", "a", ";do b;done")),
        ("cases", "case x in x) ".repeat(n)),
        ("processes", around("cat <(", "a", ")")),
        ("backticks", "`".repeat(n)),
        ("single quotes", "'".repeat(n)),
        ("double quotes", "\"".repeat(n)),
        ("here-documents", "cat <<a\n".repeat(n)),
        ("here-documents of one line", "cat ".to_owned() + &"<<a ".repeat(n)),
        ("negations", "! ".repeat(n) + "a"),
        ("times", "time ".repeat(n) + "a"),
        ("coprocs", "coproc ".repeat(n) + "a"),
        ("functions", "f() ".repeat(n) + "{ a; }"),
        ("lists", "a;".repeat(n)),
        ("ands", "a&&".repeat(n) + "a"),
        ("pipes", "a|".repeat(n) + "a"),
        ("redirections", "a ".to_owned() + &">b ".repeat(n)),
        ("braces", "echo ".to_owned() + &"{a,b}".repeat(n)),
        ("nested braces", "echo ".to_owned() + &"{a,".repeat(n) + &"}".repeat(n)),
        ("sequences", "echo {1..99999999}{1..99999999}".to_owned()),
        ("brackets", "[[ ".to_owned() + &"( ".repeat(n)),
        ("tests", "[[ ".to_owned() + &"! ".repeat(n) + "a ]]"),
        ("evals", "eval ".repeat(n) + "a"),
        ("wrappers", "sudo ".repeat(n) + "cat f"),
        ("assignments", "a=1 ".repeat(n)),
        ("growing variables", "x=aaaaaaaa;".to_owned() + &"x=$x$x;".repeat(500)),
        ("words", "cat ".to_owned() + &"f ".repeat(n)),
        ("recursion", "f() { f; f; }; f".to_owned()),
        ("mutual recursion", "f() { g; g; }; g() { f; f; }; f".to_owned()),
        ("alias loop", "alias a=b b=a; a".to_owned()),
        ("alias growth", "alias a='a a'; a".to_owned()),
        ("eval chain", "x='eval \"$x\"'; eval \"$x\"".to_owned()),
        ("nested loops", "for a in {1..20};do ".repeat(12) + ":" + &";done".repeat(12)),
        ("xargs chain", "echo a | ".to_owned() + &"xargs ".repeat(2000) + "cat"),
        ("a million letters", "a".repeat(1 << 20)),
        ("a million words", "cat ".repeat(1 << 18)),
        ("a million marks", "$".repeat(1 << 20)),
        ("just below the cap, lists", "a;".repeat(32_000)),
        ("just below the cap, words", "a ".repeat(32_000)),
        ("just below the cap, one word", "a".repeat(65_000)),
        ("just below the cap, quotes", "''".repeat(32_000)),
        ("just below the cap, strings", "\"$x\"".repeat(16_000)),
        ("just below the cap, code", format!("python3 -c '{}'", "open(x)\n".repeat(7_000))),
        (
            "just below the cap, variables",
            format!("python3 -c '{}'", "a=a\nopen(a)\n".repeat(5_000)),
        ),
        ("just below the cap, sed", format!("sed '{}'", "s/a/b/;".repeat(9_000))),
        ("just below the cap, awk", format!("awk '{}'", "{print > \"x\"}".repeat(4_000))),
        ("just below the cap, patterns", format!("x={};echo ${{x//a*b/c}}", "a".repeat(60_000))),
        ("just below the cap, substitutions", "$(a)".repeat(16_000)),
        ("just below the cap, pipes", "cat f|".repeat(10_000) + "a"),
        ("just below the cap, functions", "f(){ a;};".repeat(6_000)),
        (
            "just below the cap, variables set",
            (0..6_000).fold(String::new(), |text, i| text + &format!("v{i}=1;")),
        ),
        (
            "subshells with variables",
            (0..2_000).fold(String::new(), |text, i| text + &format!("v{i}=1;"))
                + &"(a);".repeat(4_000),
        ),
    ]
}

#[test]
fn deep_and_long_commands_get_a_verdict() {
    for (name, command) in nests() {
        let start = Instant::now();
        check(&command);
        let took = start.elapsed();
        println!("{name}: {} bytes, {took:?}", command.len());
    }
}

#[test]
fn a_command_that_is_too_long_or_broken_is_judged_by_its_words() {
    let long = format!("{} ; cat f", "a".repeat(1 << 17));
    assert!(matches!(check(&long), Verdict::Block(_)));
    assert_eq!(check(&"a".repeat(1 << 17)), Verdict::Allow);
    assert!(matches!(check("cat f\n)"), Verdict::Block(_)));
    assert!(matches!(check("echo 'unclosed > x"), Verdict::Block(_)));
    assert_eq!(check("npm test )"), Verdict::Allow);
    assert_eq!(check("echo 'unclosed"), Verdict::Allow);
    // An unterminated here-document is legal.
    assert_eq!(check("git commit -F - <<EOF\nsay cat f"), Verdict::Allow);
}

/// A small seeded generator, so that a failure can be reproduced.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n.max(1) as u64).expect("smaller than a usize")
    }
}

const TOKENS: &[&str] = &[
    "cat", "f", " ", "\n", ";", "|", "&&", "||", "&", "(", ")", "{", "}", "$(", "`", "${", "$((",
    "))", "\"", "'", "$'", "\\", "<", ">", ">>", "<<EOF\n", "EOF\n", "<(", ">(", "$x", "${x:-",
    "${x[@]}", "x=", "x=(", "[[", "]]", "((", "if", "then", "fi", "for", "in", "do", "done",
    "case", "esac", "while", "function f", "f()", "!", "time", "coproc", "eval", "bash -c", "sudo",
    "xargs", "find . -exec", "{}", "\\;", "sed -i", "awk '", "python3 -c '", "open(", "é",
    "\u{10FFF0}", "\u{100000}", "\0", "~", "*", "?", "[", "{a,b}", "{1..9}", "#", "2>&1", "/tmp/x",
    "cd", "-", "--", "$@", "$1", "alias a=", "trap", "printf '%s'", "${x//a/b}", "${x@P}", "${!x}",
    "perl -e '", "node -e '", "git show HEAD:", "jq .", "tee", "=", "\t", "\r",
];

#[test]
fn random_and_mangled_commands_get_a_verdict() {
    let mut corpus: Vec<String> = Vec::new();
    for name in ["commands.json", "extra.json"] {
        corpus.extend(fixture(name).into_iter().map(|labelled| labelled.command));
    }
    let mut random = Random(0x5eed_1234_abcd_0001);
    for round in 0..40_000 {
        let mut command =
            if round % 3 == 0 { String::new() } else { corpus[random.below(corpus.len())].clone() };
        for _ in 0..=random.below(8) {
            let places: Vec<usize> =
                command.char_indices().map(|(i, _)| i).chain([command.len()]).collect();
            let from = places[random.below(places.len())];
            let to = places[random.below(places.len())];
            match random.below(5) {
                0 => command.insert_str(from, TOKENS[random.below(TOKENS.len())]),
                1 => command.replace_range(from.min(to)..from.max(to), ""),
                2 => {
                    let piece = command[from.min(to)..from.max(to)].to_owned();
                    command.insert_str(from, &piece);
                }
                3 => {
                    let other = &corpus[random.below(corpus.len())];
                    command.insert_str(from, other);
                }
                _ => {
                    for _ in 0..random.below(6) {
                        command.push_str(TOKENS[random.below(TOKENS.len())]);
                    }
                }
            }
        }
        check(&command);
    }
}
