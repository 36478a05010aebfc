//! The unions of literals in header.d.ts equal the enums they stand for.

use std::collections::BTreeSet;

use hashline_core::grep::GrepRefusalCode;
use hashline_core::read::{HostKind, ReadRefusalCode, SinceShown};
use hashline_core::report::{FileChange, ReportStyle};
use hashline_core::session::{Durability, FaultCode, RestoredKind, UndoRefusalCode};
use hashline_core::{RefusalCode, Relocation, Repair, Unseen, WarningCode};
use hashline_guard::{Access, Mode};
use hashline_text::Scheme;
use hashline_wire::MisshapenCode;

const HEADER: &str = include_str!("../../../../src/header.d.ts");

/// The spellings of an enum; a variant that is missing here does not compile.
macro_rules! spellings {
    ($enum:ident.$spell:ident: $($variant:ident)*) => {{
        fn spell(value: &$enum) -> &'static str {
            match value {
                $($enum::$variant => value.$spell(),)*
            }
        }
        [$(spell(&$enum::$variant)),*].to_vec()
    }};
}

fn check(union: &str, spellings: &[&str]) {
    let declared = format!("export type {union} =");
    let (_, rest) = HEADER.split_once(&declared).expect(union);
    let (body, _) = rest.split_once(';').expect("a union ends with a semicolon");
    let literals = body.split('|').map(|literal| literal.trim().trim_matches('"'));
    let literals: BTreeSet<&str> = literals.filter(|literal| !literal.is_empty()).collect();
    assert_eq!(literals, spellings.iter().copied().collect(), "{union} in header.d.ts");
}

#[test]
fn settings_are_unions() {
    check("Scheme", &spellings!(Scheme.name: Hex2 Base26 Context Omp Cid Fnv1a Compact));
    check("GuardMode", &spellings!(Mode.name: Block Nudge Off));
    check("RelocationMode", &spellings!(Relocation.name: Auto Nearby Verified Off));
    check("ReportStyle", &spellings!(ReportStyle.name: Short Full));
    check("UnseenMode", &spellings!(Unseen.name: Refuse Warn));
    check("DurabilityMode", &spellings!(Durability.name: Full Fast));
    check(
        "Repair",
        &spellings!(Repair.name: StripPrefix StripPlus Unescape FollowIndent DropEcho InheritIndent
            FinalNewline),
    );
}

#[test]
fn kinds_are_unions() {
    check("HostReadKind", &spellings!(HostKind.as_str: Image Binary Utf16 ArchiveMember Url));
    check("SinceShown", &spellings!(SinceShown.as_str: Unchanged Changed Unknown));
    check("JudgedAccess", &spellings!(Access.name: Read Write));
    check(
        "AppliedFileKind",
        &spellings!(FileChange.as_str: Changed Created Deleted Moved Unchanged),
    );
    check("UndoneFileKind", &spellings!(RestoredKind.as_str: Restored Removed Moved));
}

#[test]
fn codes_are_unions() {
    check(
        "ReadRefusalCode",
        &spellings!(ReadRefusalCode.as_str: NotFound PermissionDenied SpecialFile Image Binary Utf16
 PastEnd LineTooLong Changed BadPattern IoError Url),
    );
    let mut request = spellings!(GrepRefusalCode.as_str: BadPattern BadGlob BadType NotFound);
    request.push(MisshapenCode::BadRequest.as_str());
    check("RequestRefusalCode", &request);
    check(
        "ApplyRefusalCode",
        &spellings!(RefusalCode.as_str: BadPatch BadAnchor BadPath OutsideRoot GitDirectory NotAFile TooLarge
            Unreadable NotText FileMissing FileExists FileChanged ReadOnly Conflict Overlap
            StaleAnchor StaleRange UnseenLines ReversedRange NotFound NotUnique Unencodable Malformed PrintedText RepeatedNoop),
    );
    check(
        "ApplyWarningCode",
        &spellings!(WarningCode.as_str: ManyLines RepeatsNeighbour HoldsNextLine EqualNeighbour
            LostIndentation TabsAndSpaces LooksPrinted ReplacedLine IgnoredField Brackets UnseenLines Unverified EmptyText HardLink LooseAnchor AssumedPath RepeatedOperation),
    );
    check(
        "UndoRefusalCode",
        &spellings!(UndoRefusalCode.as_str: NothingToUndo FileChanged TooLarge ReadOnly
            ReceiptUnreadable),
    );
    check(
        "FaultCode",
        &spellings!(FaultCode.as_str: FileChanged ReadOnly WriteFailed UndoFailed Locked
            StateDirectory BadRoot Aborted),
    );
}

#[test]
fn a_session_that_cannot_be_opened_says_why() {
    let options = spellings!(MisshapenCode.as_str: BadRequest BadOption UnknownScheme);
    let codes: Vec<&str> = options.into_iter().skip(1).chain(["bad_root"]).collect();
    check("SessionErrorCode", &codes);
}
