// Says in Bun why a test is skipped, which its runner does not: `bun test --preload ./__test__/bun.mjs`.
//
// The line is that of the Rust tests (`crates/testing`), and scripts/test/tally.mjs reads it.

import { mock } from "bun:test";
import * as runner from "node:test";

/** Wraps `test`, `it` or `describe` so that it prints the reason in its options first. */
function telling(define) {
  const told = (name, options, ...rest) => {
    if (typeof options?.skip === "string") process.stderr.write(`\nskipped: ${name} # ${options.skip}\n`);
    return define(name, options, ...rest);
  };
  return Object.assign(told, define);
}

const { test, it, describe } = runner;
const telltale = { test: telling(test), it: telling(it), describe: telling(describe) };
mock.module("node:test", () => ({ ...runner, ...telltale, default: telltale.test }));
