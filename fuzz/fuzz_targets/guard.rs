//! `properties::guard` under libFuzzer.
#![no_main]

#[path = "../properties.rs"]
#[allow(dead_code, reason = "each target runs one of them")]
mod properties;

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::guard(data));
