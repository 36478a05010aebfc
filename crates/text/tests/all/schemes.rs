//! Every scheme against its recorded values.

use hashline_text::{LineNumber, Scheme, TagInput};

fn check(file: &str, scheme: Scheme) {
    for case in crate::vectors::load("schemes", file) {
        let number = case["lineNumber"].as_u64().unwrap_or(1);
        let number = LineNumber::new(usize::try_from(number).unwrap()).unwrap();
        let line = case["line"].as_str().unwrap();
        let tag = scheme.tag(TagInput::alone(number, line.as_bytes()));
        assert_eq!(tag.as_str(), case["hash"].as_str().unwrap(), "{}", case["id"]);
    }
}

#[test]
fn hex2_gives_the_recorded_tags() {
    check("hex2", Scheme::Hex2);
}

#[test]
fn base26_gives_the_recorded_tags() {
    check("base26x4", Scheme::Base26);
}

#[test]
fn cid_gives_the_recorded_tags() {
    check("cid2", Scheme::Cid);
    check("omp-v2", Scheme::Cid);
}

#[test]
fn fnv1a_gives_the_recorded_tags() {
    check("fnv1a", Scheme::Fnv1a);
}
