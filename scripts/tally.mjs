// Counts the tests of several runners: passed, failed and skipped.

import { step } from "./run.mjs";

/** What each runner prints at its end. */
const COUNTS = {
  // Rust's runner knows no skipped tests; ours print a line (`crates/testing`) and count as passed.
  // Its "ignored" tests are no tests but parts that a test starts in a process of their own.
  cargo: { passed: /(\d+) passed;/g, failed: /(\d+) failed;/g, skippedLine: /^skipped: .+$/gm },
  node: {
    passed: /^(?:#|ℹ) pass (\d+)/gm,
    failed: /^(?:#|ℹ) (?:fail|cancelled) (\d+)/gm,
    skipped: /^(?:#|ℹ) skipped (\d+)/gm,
  },
  bun: { passed: /^\s*(\d+) pass$/gm, failed: /^\s*(\d+) fail$/gm, skipped: /^\s*(\d+) skip$/gm },
};

/** The counts of one run's output. */
export function count(kind, text) {
  const { passed, failed, skipped, skippedLine } = COUNTS[kind];
  const sum = (pattern) =>
    [...text.matchAll(pattern)].reduce((total, [, number]) => total + Number(number), 0);
  if (!skippedLine) return { passed: sum(passed), failed: sum(failed), skipped: sum(skipped) };
  const lines = [...text.matchAll(skippedLine)].length;
  return { passed: sum(passed) - lines, failed: sum(failed), skipped: lines };
}

/** How each runner names a test that it skipped, and the reason, where it prints one. */
const SKIPPED = [
  /^\s*﹣ (.+) \([\d.]+ms\) # (.*)$/gm,
  /^\s*ok \d+ - (.+) # SKIP ?(.*)$/gm,
  /^\(skip\) (.+)$/gm,
];

/** The tests that a run skipped, as `name: reason`. */
export function skips(text) {
  return SKIPPED.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name, reason]) =>
      reason && reason !== "SKIP" ? `${name}: ${reason}` : name,
    ),
  );
}

/** The sum over all runs, and what went wrong in any of them. */
export class Tally {
  #total = { passed: 0, failed: 0, skipped: 0 };
  #broken = [];

  /** Adds a run by what it printed. A run without a test is a failure: something was not found. */
  add(name, kind, code, text) {
    const counted = count(kind, text);
    for (const key of Object.keys(this.#total)) this.#total[key] += counted[key];
    if (code !== 0 || counted.failed > 0) {
      this.#broken.push(`${name} (exit code ${code}, ${counted.failed} failed)`);
    } else if (counted.passed === 0) {
      this.#broken.push(`${name} ran no test`);
    }
    return counted;
  }

  /** Reports a part that cannot run on this machine. It counts as one skipped test. */
  skip(name, reason) {
    step(`${name}: skipped, ${reason}`);
    this.#total.skipped += 1;
  }

  /** Reports a part that should have run and could not. */
  fail(reason) {
    this.#broken.push(reason);
  }

  /** Prints the sum; throws if anything went wrong. */
  finish() {
    const { passed, failed, skipped } = this.#total;
    if (this.#broken.length > 0) {
      process.stderr.write(`\nnot everything passed:\n  ${this.#broken.join("\n  ")}\n`);
      process.exitCode = 1;
    }
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }
}
