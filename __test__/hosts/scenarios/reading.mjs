// Reading files that are not text, files that are too long, and other paths than those of files.

import assert from "node:assert/strict";
import { call } from "../model.mjs";
import { failed, read, succeeded } from "./words.mjs";

/** The smallest picture: a single dot. */
const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** As many lines as one result may hold; with their anchors they take more than 50 KB. */
const LONG = Array.from({ length: 2000 }, (_, i) => `line ${i + 1} of a long file\n`).join("");

export const reading = [
  {
    claim: "a picture is read by the host's own reader",
    files: { "dot.png": DOT },
    turns: () => [read("dot.png")],
    check({ results: [result] }) {
      succeeded(result);
      const picture = result.content.find(({ type }) => type === "image");
      assert.match(picture?.mimeType ?? "no picture", /^image\//);
    },
  },
  {
    claim: "an address that cannot be read is answered clearly",
    files: {},
    turns: () => [read("skill://no-such-skill")],
    check({ results: [result] }) {
      failed(result, /skill/i);
    },
  },
  {
    claim: "an address on the web goes to the host's own reader, or is answered clearly",
    files: {},
    // No server listens on this port: the claim is about which reader answers.
    turns: () => [read("http://127.0.0.1:9/page")],
    check({ results: [result] }) {
      assert.match(result.text, /http:\/\/127\.0\.0\.1:9\/page/);
      assert.match(result.text, /Failed to fetch|only files can be read/);
    },
  },
  {
    claim: "a path may be followed by the numbers of lines",
    files: { "list.txt": "alpha\nbeta\ngamma\ndelta\n" },
    turns: () => [read("list.txt:2-3")],
    check({ results: [result] }) {
      succeeded(result, /^2:[0-9a-f]{2}\|beta$/m, /^3:[0-9a-f]{2}\|gamma$/m);
      assert.doesNotMatch(result.text, /alpha|delta/);
    },
  },
  {
    claim: "a file that is not text is refused with its size",
    files: { "data.bin": Buffer.from([0, 1, 2, 3, 255, 254]) },
    turns: () => [read("data.bin")],
    check({ results: [result] }) {
      // omp has its own reader for binary files, which does not report an error.
      assert.match(result.text, /data\.bin.*binary|binary.*data\.bin/);
      assert.match(result.text, /\b6 ?B|\b6 bytes/);
    },
  },
  {
    claim: "a long file is cut at the limit, and the text says how to read on",
    files: { "long.txt": Array.from({ length: 3000 }, (_, i) => `line number ${i + 1}\n`).join("") },
    turns: () => [read("long.txt"), call("read", { path: "long.txt", offset: 2999 })],
    check({ results: [first, rest] }) {
      succeeded(first, /^2000:[0-9a-f]{2}\|line number 2000$/m, /offset/);
      assert.doesNotMatch(first.text, /^2001:/m);
      succeeded(rest, /^3000:[0-9a-f]{2}\|line number 3000$/m);
    },
  },
  {
    claim: "the host passes on every line of a long result, so that what counts as shown was shown",
    files: { "long.txt": LONG },
    turns: () => [read("long.txt")],
    check({ results: [result] }) {
      const numbers = [...result.text.matchAll(/^(\d+):[0-9a-f]{2}\|/gm)].map(([, number]) => Number(number));
      assert.deepEqual(
        numbers,
        numbers.map((_, i) => i + 1),
        "lines were left out of the middle",
      );
      const { from, to } = result.details.files[0];
      assert.deepEqual([from, to], [1, numbers.length]);
      assert.ok(numbers.length > 1500, `only ${numbers.length} lines`);
      if (to < 2000) succeeded(result, new RegExp(`offset ${to + 1}]`));
    },
  },
  {
    claim: "a directory lists its files",
    files: { "src/a.js": "a\n", "src/b.js": "b\n" },
    turns: () => [read("src")],
    check({ results: [result] }) {
      succeeded(result, /a\.js/, /b\.js/);
    },
  },
];
