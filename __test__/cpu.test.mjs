// Every set of vector instructions gives the recorded tags; each is tested in a process of its own. A set
// that this processor does not have is reported as skipped.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openNative } from "../js/loader.js";
import { cannotStart, startEngine } from "./engine.mjs";

const PATHS = ["avx2", "neon", "portable"];
const { cases } = JSON.parse(readFileSync(new URL("./vectors/omp-v1/hash.json", import.meta.url), "utf8"));
// The recorded lines that a text can contain: those without a newline.
const recorded = cases.filter(({ line }) => !line.includes("\n"));

const program = `
  import { openNative } from ${JSON.stringify(new URL("../js/loader.js", import.meta.url).href)};
  import { formatHashLines } from ${JSON.stringify(new URL("../js/compat/hashline.js", import.meta.url).href)};
  let text = "";
  process.stdin.setEncoding("utf8").on("data", (part) => { text += part; }).on("end", () => {
    const listed = JSON.parse(text).map((one) => formatHashLines(one));
    process.stdout.write(JSON.stringify({ path: openNative().cpuPath(), listed }));
  });
`;

/** Lists texts in a process that uses the instructions `path`. */
function listIn(path, texts) {
  const env = { ...process.env, HASHLINE_CPU: path };
  const input = JSON.stringify(texts);
  const args = globalThis.Bun ? ["-e", program] : ["--input-type=module", "-e", program];
  return startEngine(args, { env, input, encoding: "utf8", maxBuffer: 2 ** 28 });
}

/** Why this machine cannot run the instructions `path`; undefined if it can. */
function missing(path) {
  const { status, stderr } = listIn(path, []);
  return status === 0 ? undefined : /this processor does not have `\w+`/.exec(stderr)?.[0];
}

test("the process uses instructions that we know", () => {
  const expected = process.arch === "arm64" ? ["neon"] : PATHS.filter((path) => path !== "neon");
  assert.ok(expected.includes(openNative().cpuPath()), openNative().cpuPath());
});

for (const path of PATHS) {
  const skip = cannotStart || (missing(path) ?? false);
  test(`with ${path}, every recorded line has its tag`, { skip }, () => {
    const whole = recorded.map(({ line }) => line).join("\n");
    const { status, stdout, stderr } = listIn(path, [whole, ...recorded.map(({ line }) => line)]);
    assert.equal(status, 0, stderr);
    const { path: used, listed } = JSON.parse(stdout);
    assert.equal(used, path);
    const expected = recorded.map(({ line, hash }, at) => `${at + 1}:${hash}|${line}`);
    assert.equal(listed[0], expected.join("\n"));
    assert.deepEqual(
      listed.slice(1),
      recorded.map(({ line, hash }) => `1:${hash}|${line}`),
    );
  });
}

test("instructions that do not exist are an error that names those that do", { skip: cannotStart }, () => {
  const { status, stderr } = listIn("avx3", []);
  assert.notEqual(status, 0);
  assert.match(stderr, /HASHLINE_CPU: there are no instructions `avx3`: use one of avx2, neon/);
});
