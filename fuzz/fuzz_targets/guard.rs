//! Any text as a command: the guard answers, in bounded steps and without failing inside.
#![no_main]

use hashline::guard::shell::MAX_STEPS;
use hashline::guard::{Context, GuardSettings, Verdict, judge_counting};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let command = String::from_utf8_lossy(data);
    let context = Context {
        root: "/home/dev/app".into(),
        cwd: "/home/dev/app".into(),
        home: "/home/dev".into(),
        env: Vec::new(),
    };
    let (verdict, steps) = judge_counting(&command, &context, &GuardSettings::default());
    assert!(steps < 2 * MAX_STEPS, "{steps} steps");
    if let Verdict::Block(block) = verdict {
        assert!(!block.reason.contains("could not be checked"));
    }
});
