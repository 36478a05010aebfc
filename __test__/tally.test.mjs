import assert from "node:assert/strict";
import { test } from "node:test";
import { count, skips } from "../scripts/tally.mjs";

const check = (kind, text, passed, failed, skipped) =>
  assert.deepEqual(count(kind, text), { passed, failed, skipped });

test("Rust's counts are added up, and tests that said they were skipped are no passed ones", () => {
  const line = "test result: ok. 10 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out";
  check("cargo", `${line}\n${line.replace("0 failed", "1 failed")}`, 20, 1, 0);
  check("cargo", `skipped: a::b: no second file system\n${line}`, 9, 0, 1);
});

test("the counts of Node's and Bun's runners are read", () => {
  check("node", "# tests 7\n# pass 4\n# fail 1\n# cancelled 1\n# skipped 1\n# todo 0\n", 4, 2, 1);
  check("node", "ℹ pass 4\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\n", 4, 0, 0);
  check("bun", " 12 pass\n 2 skip\n 1 fail\n", 12, 1, 2);
});

test("skipped tests are named, with the reason where the runner prints one", () => {
  const named = ["in an emulator: it is too slow", "later"];
  assert.deepEqual(
    skips("﹣ in an emulator (0.86ms) # it is too slow\n  ﹣ later (0.1ms) # SKIP\n✔ done (2ms)\n"),
    named,
  );
  assert.deepEqual(
    skips("ok 1 - in an emulator # SKIP it is too slow\n    ok 2 - later # SKIP\nok 3 - done\n"),
    named,
  );
  assert.deepEqual(skips("(skip) group > later\n(pass) done [1ms]\n"), ["group > later"]);
});

test("a run that printed no count has none", () => check("node", "Segmentation fault\n", 0, 0, 0));
