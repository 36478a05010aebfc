// Reads the output of test runners: how many tests passed, failed and were skipped, which, and why.

import { relative } from "node:path";
import { root } from "../run.mjs";

/** Patterns for the output of each runner. `done` matches the line of a test that has passed, failed or was skipped. */
const RUNNERS = {
  // Rust's runner has no skipped tests: ours print a line (`crates/testing`), and it counts them as passed.
  // Its "ignored" tests are not tests, but programs that a test starts as child processes.
  cargo: {
    passed: /(\d+) passed;/g,
    failed: /(\d+) failed;/g,
    done: /^test .+ \.\.\. (?:ok|FAILED)/gm,
  },
  node: {
    passed: /^(?:#|ℹ) pass (\d+)/gm,
    failed: /^(?:#|ℹ) (?:fail|cancelled) (\d+)/gm,
    skipped: /^(?:#|ℹ) skipped (\d+)/gm,
    done: /^\s*(?:not )?ok \d+ - /gm,
  },
  bun: {
    passed: /^\s*(\d+) pass$/gm,
    failed: /^\s*(\d+) fail$/gm,
    skipped: /^\s*(\d+) skip$/gm,
    done: /^\((?:pass|fail|skip)\) /gm,
  },
};

/** Matches a skipped test's name and reason: in our own line, in TAP, and in Node's default reporter. */
const SKIPPED = [
  /^skipped: (.+) # (.+)$/gm,
  /^\s*ok \d+ - (.+) # SKIP ?(.*)$/gm,
  /^\s*﹣ (.+) \([\d.]+ms\) # (.*)$/gm,
];

/** The tests that a run skipped, each with `name` and `reason`, which may be empty. */
export function skips(text) {
  return SKIPPED.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name, reason]) => ({
      name,
      reason: reason === "SKIP" ? "" : reason,
    })),
  );
}

/** The counts in the output of one run. */
export function count(kind, text) {
  const { passed, failed, skipped } = RUNNERS[kind];
  const sum = (pattern) =>
    [...text.matchAll(pattern)].reduce((total, [, number]) => total + Number(number), 0);
  if (skipped) return { passed: sum(passed), failed: sum(failed), skipped: sum(skipped) };
  const reported = skips(text).length;
  return { passed: sum(passed) - reported, failed: sum(failed), skipped: reported };
}

/** How many tests have ended in this part of a run's output. */
export function countEnded(kind, text) {
  return [...text.matchAll(RUNNERS[kind].done)].length;
}

/** The failures of a run, each with its `name`, the output about it (`said`), and the `file` if it is known. */
export function failures(kind, text) {
  switch (kind) {
    case "cargo":
      return [...text.matchAll(/^---- (.+) stdout ----\n([\s\S]*?)(?=^---- |^failures:$)/gm)].map(
        ([, name, said]) => ({ name, said }),
      );
    case "node":
      return [...text.matchAll(/^( *)not ok \d+ - (.+?)(?: # .*)?\n\1 {2}---\n([\s\S]*?)^\1 {2}\.\.\.$/gm)]
        .filter(([, , , said]) => !said.includes("failureType: 'subtestsFailed'"))
        .map(([, indent, name, said]) => ({
          name: name.replaceAll(/\\(.)/g, "$1"),
          said: said.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
          file: /location: '(.+?):\d+:\d+'/.exec(said)?.[1],
        }));
    case "bun":
      return bunFailures(text);
  }
}

/** Bun prints the error before the name of the test, and all names again at the end of its output. */
function bunFailures(text) {
  const found = [];
  let file;
  let said = "";
  for (const line of text.split(/^\d+ tests? (?:skipped|failed):$/m)[0].split("\n")) {
    const name = /^\(fail\) (.+?)(?: \[[\d.]+ms\])?$/.exec(line)?.[1];
    if (name) found.push({ name: name.split(" > ").at(-1), said, file });
    file = /^(\S+\.test\.mjs):$/.exec(line)?.[1] ?? file;
    said = /^\((?:pass|skip|fail)\) |^\S+\.test\.mjs:$/.test(line) ? "" : `${said}${line}\n`;
  }
  return found;
}

/** The command that runs just one test of a suite, quoted for a shell. */
export function again(kind, command, { name, file }) {
  const shell = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  const here = file && (file.startsWith(root) ? relative(root, file) : file);
  switch (kind) {
    case "cargo":
      return / - .*\(line \d+\)$/.test(name)
        ? `cargo test --doc --workspace -- ${shell(name)}`
        : `cargo test --workspace -- --exact ${shell(name)}`;
    case "node": {
      const pattern = `--test-name-pattern=${name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}`;
      return [...command, "--test", pattern, ...(here ? [here] : [])].map(shell).join(" ");
    }
    case "bun":
      return [
        ...command,
        "test",
        "-t",
        name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
        ...(here ? [`./${here}`] : []),
      ]
        .map(shell)
        .join(" ");
  }
}

/** Adds up all runs, and collects their failures. */
export class Tally {
  total = { passed: 0, failed: 0, skipped: 0 };
  #broken = [];
  #reasons = new Map();

  /** Adds a run by its output. A run without tests is a failure, because the tests were not found. */
  add(name, kind, code, text, command = []) {
    const counted = count(kind, text);
    for (const key of Object.keys(this.total)) this.total[key] += counted[key];
    for (const { reason } of skips(text)) this.#addReason(reason || "no reason given");
    const reported = failures(kind, text);
    for (const failure of reported)
      this.#broken.push(
        `${name}: ${failure.name}\n\n${failure.said.trimEnd()}\n\n  alone: ${again(kind, command, failure)}\n`,
      );
    if ((code !== 0 || counted.failed > 0) && reported.length === 0) {
      this.#broken.push(`${name}: exit code ${code}, ${counted.failed} failed\n${text.slice(-3000)}`);
    } else if (counted.passed === 0 && counted.failed === 0) {
      this.#broken.push(`${name} ran no test`);
    }
    return counted;
  }

  /** Notes a part that cannot run on this machine. It counts as one skipped test. */
  skip(name, reason) {
    this.total.skipped += 1;
    this.#addReason(`${name}: ${reason}`);
  }

  /** Notes a part that should have run and could not. */
  fail(reason) {
    this.#broken.push(reason);
  }

  #addReason(reason) {
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
  }

  /** Prints the failures, the reasons for skipped tests, and, as the last line, the total. */
  finish(print = (text) => process.stdout.write(text)) {
    if (this.#broken.length > 0) {
      print(`\nNot everything passed:\n\n${this.#broken.map((text) => `* ${text}\n`).join("")}`);
      process.exitCode = 1;
    }
    if (this.#reasons.size > 0) {
      const rows = [...this.#reasons].sort(([, a], [, b]) => b - a);
      print(
        `\nSkipped:\n${rows.map(([reason, times]) => `${String(times).padStart(5)}  ${reason}\n`).join("")}`,
      );
    }
    const { passed, failed, skipped } = this.total;
    print(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }
}
