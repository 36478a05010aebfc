//! Takes any text as a command. The guard must answer within its bound of steps and without a
//! failure inside.
#![no_main]

use hashline_guard::shell::MAX_STEPS;
use hashline_guard::{Context, GuardSettings, Verdict, judge_counting};
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
