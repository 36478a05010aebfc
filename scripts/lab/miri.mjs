// Runs the tests of `crates/text` in Miri, which finds undefined behaviour that ordinary tests miss.
//
// Miri has the processor features that the compiler flags enable, so the vector code for AVX2
// runs as well as the portable functions. docs/adr/0008 says why this is not part of `npm test`.

import { must, script, step } from "../run.mjs";
import { hasNightly } from "./nightly.mjs";

const INSTALL = "rustup toolchain install nightly --component miri,rust-src";

await script(async () => {
  step("Miri");
  if (!(await hasNightly(["miri", "--version"], INSTALL))) return;
  // Miri interprets code for any processor, so every machine can run this target.
  const target = ["--target", "x86_64-unknown-linux-gnu"];
  const tests = ["-p", "hashline-text", "--lib"];
  await must("cargo", ["+nightly", "miri", "test", ...target, ...tests], {
    env: {
      // The features that `kernel/vectors/avx2.rs` needs.
      RUSTFLAGS: "-Ctarget-feature=+avx2,+bmi1,+bmi2,+popcnt",
      // A regular expression engine makes the texts for the properties, and is slow in Miri.
      PROPTEST_CASES: "2",
      PROPTEST_DISABLE_FAILURE_PERSISTENCE: "1",
      // proptest reads the clock and the environment.
      MIRIFLAGS: "-Zmiri-disable-isolation",
    },
  });
});
