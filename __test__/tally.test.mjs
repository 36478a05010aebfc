import assert from "node:assert/strict";
import { test } from "node:test";
import { count, failures, skips, Tally } from "../scripts/test/tally.mjs";

const check = (kind, text, passed, failed, skipped) =>
  assert.deepEqual(count(kind, text), { passed, failed, skipped });

const RUST = "test result: ok. 10 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out";

test("Rust's counts are added up, and tests that reported themselves skipped do not count as passed", () => {
  check("cargo", `${RUST}\n${RUST.replace("0 failed", "1 failed")}`, 20, 1, 0);
  check("cargo", `skipped: a::b # no second file system\n${RUST}`, 9, 0, 1);
});

test("skipped tests are named, with the reason where the runner prints one", () => {
  const named = [
    { name: "in an emulator: all", reason: "it is too slow" },
    { name: "later", reason: "" },
  ];
  const [first] = named;
  assert.deepEqual(
    skips("﹣ in an emulator: all (0.86ms) # it is too slow\n  ﹣ later (0.1ms) # SKIP\n✔ done (2ms)\n"),
    named,
  );
  assert.deepEqual(
    skips("ok 1 - in an emulator: all # SKIP it is too slow\n    ok 2 - later # SKIP\nok 3 - done\n"),
    named,
  );
  const bun =
    "skipped: in an emulator: all # it is too slow\n(skip) in an emulator: all\n(pass) done [1ms]\n";
  assert.deepEqual(skips(bun), [first]);
});

test("each runner's failures are found, in full and once", () => {
  const rust =
    "test a::b ... FAILED\n\nfailures:\n\n---- a::b stdout ----\nleft: 1\n\n---- c::d stdout ----\nboth\nlines\n\nfailures:\n    a::b\n";
  assert.deepEqual(
    failures("cargo", rust).map(({ name, said }) => [name, said.trim()]),
    [
      ["a::b", "left: 1"],
      ["c::d", "both\nlines"],
    ],
  );
  const node = `    not ok 1 - one
      ---
      location: '/clone/__test__/x.test.mjs:7:1'
      failureType: 'testCodeFailure'
      error: 'no'
      ...
not ok 1 - group
  ---
  failureType: 'subtestsFailed'
  ...
`;
  const [failure, ...others] = failures("node", node);
  assert.deepEqual([failure.name, failure.file, others.length], ["one", "/clone/__test__/x.test.mjs", 0]);
  assert.match(failure.said, /error: 'no'/);
  const bun =
    "bun test v1\n\n__test__/x.test.mjs:\n(pass) fine [1.00ms]\nerror: no\n  at x\n(fail) group > one [2.00ms]\n\n1 tests failed:\n(fail) group > one [2.00ms]\n";
  assert.deepEqual(
    failures("bun", bun).map(({ name, said, file }) => [name, said, file]),
    [["one", "error: no\n  at x\n", "__test__/x.test.mjs"]],
  );
});

test("the report ends with the reasons for skipped tests, and the total", () => {
  const tally = new Tally();
  tally.add("Rust", "cargo", 0, `skipped: a # no NEON\nskipped: b # no NEON\n${RUST}`);
  tally.skip("power loss", "only root can mount");
  const printed = [];
  tally.finish((text) => printed.push(text));
  assert.equal(
    printed.join(""),
    "\nSkipped:\n    2  no NEON\n    1  power loss: only root can mount\n\n8 passed, 0 failed, 3 skipped\n",
  );
});
