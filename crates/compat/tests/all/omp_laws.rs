//! Laws of oh-my-pi's engine that no list of cases can show.

use proptest::prelude::*;

use hashline_compat::omp::edit::{EditField, OmpEdit};
use hashline_compat::omp::format::{format_hash_lines, line_hash};
use hashline_compat::omp::reference::parse_line_ref;
use hashline_compat::omp::stream::{ByteLister, LineLister, StreamOptions};
use hashline_compat::omp::{OmpRefusal, apply};
use hashline_text::kernel::wtf8;

/// Text that heuristics react to: operators, white space, hyphens, prefixes, surrogate halves.
fn text(parts: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<u8>> {
    let part = prop::sample::select(vec![
        "a", "b", "foo", "\n", "\n", "\n", " ", "\t", "\r", "(", "&&", "?", "=", ",", "+", "-",
        "\u{2014}", "\u{feff}", "1:56|", "+", "é", "😀",
    ]);
    let half = prop::sample::select(vec![0xd83d_u16, 0xde00]);
    let part = prop_oneof![
        20 => part.prop_map(|part| part.encode_utf16().collect()),
        1 => half.prop_map(|half| vec![half]),
    ];
    prop::collection::vec(part, parts).prop_map(|parts| wtf8::from_utf16(&parts.concat()))
}

fn split(text: &[u8]) -> Vec<&[u8]> {
    text.split(|byte| *byte == b'\n').collect()
}

fn anchor(lines: &[&[u8]], at: usize) -> Vec<u8> {
    format!("{}:{:02x}", at + 1, line_hash(lines[at])).into_bytes()
}

fn set_line(anchor: Vec<u8>, new_text: Vec<u8>) -> OmpEdit<'static> {
    OmpEdit::SetLine { anchor: anchor.into(), new_text: new_text.into() }
}

fn field() -> impl Strategy<Value = EditField<'static>> {
    let reference = (
        prop::sample::select(vec!["", ">>> ", " ", "  "]),
        prop_oneof![(0..9_u64).boxed(), any::<u64>().boxed()],
        prop::sample::select(vec!["56", "bf", "05", "BF", "zz", "5", "56|x", "0123456789abcdefg"]),
    );
    prop_oneof![
        6 => reference.prop_map(|(mark, line, hash)| EditField::from(format!("{mark}{line}:{hash}").into_bytes())),
        2 => text(0..8).prop_map(EditField::from),
        1 => Just(EditField::Absent),
        1 => Just(EditField::Other("a number")),
        1 => Just(EditField::Falsy("a boolean")),
    ]
}

fn any_edit() -> impl Strategy<Value = OmpEdit<'static>> {
    let text = || prop_oneof![8 => text(0..8).prop_map(EditField::from), 1 => field()];
    prop_oneof![
        16 => (field(), text()).prop_map(|(anchor, new_text)| OmpEdit::SetLine { anchor, new_text }),
        16 => (field(), field(), text()).prop_map(|(start_anchor, end_anchor, new_text)| {
            OmpEdit::ReplaceLines { start_anchor, end_anchor, new_text }
        }),
        16 => (field(), text(), text()).prop_map(|(anchor, text, content)| {
            OmpEdit::InsertAfter { anchor, text, content }
        }),
        1 => Just(OmpEdit::Replace),
        1 => Just(OmpEdit::Nothing),
    ]
}

fn options() -> impl Strategy<Value = StreamOptions> {
    let limit =
        || prop::sample::select(vec![-1.0, 0.0, 1.0, 2.5, 7.0, 40.0, f64::INFINITY, f64::NAN]);
    (limit(), limit()).prop_map(|(max_chunk_lines, max_chunk_bytes)| StreamOptions {
        max_chunk_lines,
        max_chunk_bytes,
        ..StreamOptions::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_edit_panics(content in text(0..24), edits in prop::collection::vec(any_edit(), 0..6)) {
        match apply(&content, &edits) {
            Ok(applied) => {
                prop_assert_eq!(applied.content.is_some(), applied.first_changed_line.is_some());
                prop_assert!(applied.noop_edits.len() <= edits.len());
            }
            Err(OmpRefusal::Mismatch(mismatches)) => {
                let lines = split(&content);
                for mismatch in mismatches {
                    prop_assert!((1..=lines.len()).contains(&mismatch.line));
                }
            }
            Err(OmpRefusal::Error(message)) => prop_assert!(!message.is_empty()),
            Err(OmpRefusal::Type(message)) => prop_assert!(message.starts_with('`') || message.starts_with("edits[")),
        }
    }

    /// A merge absorbs a neighbour, so the lines next to an edited one are not checked.
    #[test]
    fn lines_away_from_every_edit_stay_in_order(
        content in text(1..60),
        picks in prop::collection::vec((any::<prop::sample::Index>(), text(0..8)), 1..4),
    ) {
        let lines = split(&content);
        let picks: Vec<_> = picks.into_iter().map(|(at, new)| (at.index(lines.len()), new)).collect();
        let edits: Vec<_> = picks
            .iter()
            .map(|(at, new)| set_line(anchor(&lines, *at), new.clone()))
            .collect();
        let applied = apply(&content, &edits).unwrap();
        let after = applied.content.unwrap_or_else(|| content.clone());
        let mut new = split(&after).into_iter();
        for (at, line) in lines.iter().enumerate() {
            // Two edits of one line overlap: the second replaces what the first left there.
            let reach = 2 * picks.len();
            if picks.iter().all(|(edited, _)| edited.abs_diff(at) > reach) {
                prop_assert!(new.any(|kept| kept == *line), "line {} is lost", at + 1);
            }
        }
        if let Some(first) = applied.first_changed_line {
            prop_assert_eq!(&split(&after)[..first - 1], &lines[..first - 1]);
        }
    }

    #[test]
    fn a_refused_list_with_one_more_edit_is_refused(content in text(0..20), edits in prop::collection::vec(any_edit(), 1..4), more in any_edit()) {
        if apply(&content, &edits).is_err() {
            let longer: Vec<_> = edits.into_iter().chain([more]).collect();
            prop_assert!(apply(&content, &longer).is_err());
        }
    }

    #[test]
    fn a_listed_line_is_its_own_reference(content in text(0..30)) {
        let listed = format_hash_lines(&content, 1.0);
        for ((line, shown), number) in split(&content).into_iter().zip(split(&listed)).zip(1_u32..) {
            let found = parse_line_ref(shown).unwrap();
            prop_assert_eq!(hashline_compat::omp::js_number(found.line), number.to_string());
            prop_assert_eq!(found.hash, format!("{:02x}", line_hash(line)).into_bytes());
        }
    }

    #[test]
    fn any_bytes_can_be_streamed(bytes: Vec<u8>, size in 1..9_usize, options in options()) {
        let mut lister = ByteLister::new(options);
        let mut chunks = Vec::new();
        for piece in bytes.chunks(size) {
            chunks.extend(lister.push(piece).unwrap());
        }
        chunks.extend(lister.finish());
        let decoded = String::from_utf8_lossy(&bytes);
        let decoded = decoded.strip_prefix('\u{feff}').unwrap_or(&decoded);
        prop_assert_eq!(chunks.join(&b'\n'), format_hash_lines(decoded.as_bytes(), 1.0));
    }

    #[test]
    fn streamed_lines_list_as_the_whole_does(content in text(0..60), options in options()) {
        let mut lister = LineLister::new(options);
        let mut chunks = Vec::new();
        for line in split(&content) {
            let room = lister.room();
            let full = lister.push(line);
            prop_assert!(full.is_empty() || !room.holds(line), "{:?} was too much", room);
            chunks.extend(full);
        }
        chunks.extend(lister.finish());
        prop_assert_eq!(chunks.join(&b'\n'), format_hash_lines(&content, 1.0));
        let most = options.max_chunk_lines;
        for chunk in chunks {
            let lines = u32::try_from(split(&chunk).len()).unwrap();
            prop_assert!(most.is_nan() || f64::from(lines) <= most.ceil().max(1.0));
        }
    }
}
