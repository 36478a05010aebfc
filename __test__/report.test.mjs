// The output of `npm test` on the terminal and in its log.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { run, step } from "../scripts/run.mjs";
import { Report } from "../scripts/test/report.mjs";

/** Runs `use` with a report, and returns the output on the terminal and the log. */
async function outputOf(use, terminal = {}) {
  const place = mkdtempSync(join(tmpdir(), "hashline-report-"));
  let shown = "";
  const write = (text) => {
    shown += text;
    terminal.write?.(text);
  };
  try {
    const report = new Report(join(place, "tests", "test.log"), { ...terminal, write });
    await use(report);
    report.close();
    return { shown, log: readFileSync(join(place, "tests", "test.log"), "utf8") };
  } finally {
    rmSync(place, { recursive: true, maxRetries: 10, force: true });
  }
}

const prints = (program) => run(process.execPath, ["-e", program]);

test("a part is one line, and the output of its programs is in the log", async () => {
  const { shown, log } = await outputOf((report) =>
    report.part("Rust", async () => {
      step("building");
      await prints("console.log('one'); console.error('two')");
      return "3 passed";
    }),
  );
  assert.match(shown, /^Rust +3 passed, \d+ s\n$/);
  assert.match(log, /^== building$/m);
  assert.match(log, /^one$/m);
  assert.match(log, /^two$/m);
});

test("the log has only the last text of a line that a program overwrites", async () => {
  const { log } = await outputOf(() => prints("process.stderr.write('[=> ] 1/2\\r[==>] 2/2\\rdone\\n')"));
  assert.match(log, /^done$/m);
  assert.doesNotMatch(log, /\/2/);
});

test("a part that fails has its line, too, and its error reaches the caller", async () => {
  const failing = (report) =>
    assert.rejects(
      report.part("Addon", async () => {
        throw new Error("no compiler");
      }),
      /no compiler/,
    );
  assert.match((await outputOf(failing)).shown, /^Addon +failed, \d+ s\n$/);
});

test("a terminal shows the progress of a part, on the line that its result then replaces", async () => {
  let see;
  const seen = new Promise((resolve) => {
    see = resolve;
  });
  const { shown } = await outputOf(
    async (report) => {
      const work = async () => {
        await prints("console.log('ok 1')");
        await seen;
        return "2 passed";
      };
      await report.part("Node", work, () => "1 tests");
    },
    { isTTY: true, write: (text) => text.includes("1 tests") && see() },
  );
  assert.match(shown, /\r\x1b\[KNode +1 tests, \d+ s/);
  assert.match(shown, /\r\x1b\[KNode +2 passed, \d+ s\n$/);
});
