// `npm run test:asan`: the Rust tests with AddressSanitizer, which finds reads and writes outside of an object and
// after its release, even in code for one kind of processor, which Miri does not check.
//
// It needs a nightly Rust; docs/adr/0008 says why this is not part of `npm test`.

import { join } from "node:path";
import { must, root, script, step } from "../run.mjs";
import { hasSanitizer, SANITIZED } from "./nightly.mjs";

await script(async () => {
  step("AddressSanitizer");
  if (!(await hasSanitizer())) return;
  const tests = ["--workspace", "--lib", "--tests", "--no-fail-fast"];
  await must("cargo", ["+nightly", "test", "--target", SANITIZED, ...tests], {
    env: {
      CARGO_TARGET_DIR: join(root, "target", "asan"),
      RUSTFLAGS: "-Zsanitizer=address",
      // Some tests leak texts on purpose, and leak detection does not work under strace, which others use.
      ASAN_OPTIONS: "detect_leaks=0",
    },
  });
});
