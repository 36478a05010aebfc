// `npm run test:asan`: the Rust tests with AddressSanitizer, which finds reads and writes outside of an object and
// uses after a release, also in code for one kind of processor, which Miri does not see.
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
      // Tests leak texts on purpose, and the search for leaks does not work under strace, which some of them use.
      ASAN_OPTIONS: "detect_leaks=0",
    },
  });
});
