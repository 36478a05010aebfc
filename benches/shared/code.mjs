// Real code to measure with: this project's own sources, repeated as often as needed.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/run.mjs";

const sources = readdirSync(join(root, "src"), { recursive: true })
  .filter((path) => path.endsWith(".rs"))
  .sort()
  .flatMap((path) => readFileSync(join(root, "src", path), "utf8").split("\n"));
// Decoded separately, because engines store ASCII that was cut out of other text at two bytes a character.
const plain = Buffer.from(sources.filter((line) => [...line].every((c) => c < "\u0080")).join("\n"))
  .toString("latin1")
  .split("\n");

/** `count` lines of code. With `foreign`, some of them hold characters beyond ASCII. */
export function lines(count, { foreign = false } = {}) {
  const from = foreign ? sources : plain;
  return Array.from({ length: count }, (_, at) => from[at % from.length]);
}

/** Code of about `bytes` bytes. */
export function text(bytes, options) {
  const sample = lines(10_000, options);
  const perLine = sample.join("\n").length / sample.length;
  return lines(Math.round(bytes / perLine), options).join("\n");
}

/** Prose of about `characters` characters, mostly Chinese, with Chinese punctuation and spaces. */
export function chinese(characters) {
  const line = "  // 这一行文字用来测量：每个字三个字节，标点“也是”——，空格\u3000如此。\n";
  return line.repeat(Math.round(characters / line.length));
}

/** Returns a seeded function that returns a random whole number below `n`. */
export function numbers(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}
