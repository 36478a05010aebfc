// Prints in Bun why a test is skipped, which Bun's runner does not: `bun test --preload ./__test__/bun.mjs`.
//
// The line has the same form as in the Rust tests (`crates/testing`); scripts/test/tally.mjs reads it.

import { mock } from "bun:test";
import * as runner from "node:test";

/** Wraps `test`, `it` or `describe` so that it prints the reason in its options first. */
function printingSkips(define) {
  const wrapped = (name, options, ...rest) => {
    if (typeof options?.skip === "string") process.stderr.write(`\nskipped: ${name} # ${options.skip}\n`);
    return define(name, options, ...rest);
  };
  return Object.assign(wrapped, define);
}

const { test, it, describe } = runner;
const wrapped = { test: printingSkips(test), it: printingSkips(it), describe: printingSkips(describe) };
mock.module("node:test", () => ({ ...runner, ...wrapped, default: wrapped.test }));
