// Runs the tests of `src/text` in Miri, which finds undefined behaviour that ordinary tests pass over.
//
// Miri knows no processor features, so it sees the portable functions; the tests compare the others
// with those. docs/adr/0008 says why this is not part of `npm test`.

import { hasNightly } from "./nightly.mjs";
import { must, script, step } from "./run.mjs";

const INSTALL = "rustup toolchain install nightly --component miri,rust-src";

await script(async () => {
  step("Miri");
  if (!(await hasNightly(["miri", "--version"], INSTALL))) return;
  await must("cargo", ["+nightly", "miri", "test", "-p", "hashline", "--lib", "text::"], {
    env: {
      // The properties' texts are made by a regular expression engine, which is slow in Miri.
      PROPTEST_CASES: "2",
      PROPTEST_DISABLE_FAILURE_PERSISTENCE: "1",
      // proptest reads the clock and the environment.
      MIRIFLAGS: "-Zmiri-disable-isolation",
    },
  });
});
