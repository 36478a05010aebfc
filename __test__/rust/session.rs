//! Sessions as a host uses them: files on disk, requests in, text out.

mod workdir;

use hashline::session::{GrepOutcome, Options, ReadOutcome};
use hashline::stop::Stop;
use hashline::{Session, wire};
use serde_json::{Value, json};
use workdir::Workdir;

fn open(directory: &Workdir) -> Session {
    Session::new(Options::new(directory.path())).unwrap()
}

fn read(session: &Session, request: Value) -> ReadOutcome {
    let request = wire::read_request(request).unwrap();
    session.read(&request, &Stop::default()).unwrap()
}

fn grep(session: &Session, request: Value) -> String {
    let request = wire::grep_request(request).unwrap();
    match session.grep(&request, &|_| {}, &Stop::default()).unwrap() {
        GrepOutcome::Found { text, .. } => text,
        GrepOutcome::Refused(refusal) => format!("refused: {refusal}"),
    }
}

#[test]
fn show() {
    let directory = Workdir::new("show");
    directory.write("a.txt", "one\ntwo\nthree\n");
    directory.write("b/c.rs", "fn main() {\n    two();\n}\n");
    let session = open(&directory);
    println!(
        "{}",
        read(
            &session,
            json!({"paths": ["a.txt", "b/c.rs:2", "b", "x.txt", "a.tx"]})
        )
        .text
    );
    println!(
        "{}",
        read(
            &session,
            json!({"path": "a.txt", "search": "o", "limit": 1})
        )
        .text
    );
    println!(
        "{}",
        grep(&session, json!({"pattern": "two", "context": 1}))
    );
    println!("{}", grep(&session, json!({"pattern": "two", "limit": 1})));
    println!("{}", grep(&session, json!({"pattern": "("})));
}
