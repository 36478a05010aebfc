// `npx pi-hash`: the program of the platform's package is found and started.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { programsOf } from "../js/loader.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { name, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const windows = process.platform === "win32" && "the stand-in is a shell script";

/** Runs the entry of an installed package whose platform package holds `program`, if any. */
function launch(program, args) {
  const directory = mkdtempSync(join(tmpdir(), "program-"));
  try {
    const own = join(directory, "node_modules", name);
    mkdirSync(join(own, "js"), { recursive: true });
    writeFileSync(join(own, "package.json"), '{"type":"module"}');
    for (const file of ["program.js", "loader.js"])
      copyFileSync(join(root, "js", file), join(own, "js", file));
    if (program !== undefined) {
      const [place] = programsOf(() => {
        throw new Error("nothing is installed by name");
      });
      const bins = join(directory, "node_modules", basename(dirname(dirname(place))), "bin");
      mkdirSync(bins, { recursive: true });
      writeFileSync(join(bins, "hashline"), program);
      chmodSync(join(bins, "hashline"), 0o755);
    }
    return spawnSync(process.execPath, [join(own, bin[name]), ...args], {
      encoding: "utf8",
      input: "given\n",
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

test("arguments, input, output and exit code are those of the program", { skip: windows }, () => {
  const { status, stdout, stderr } = launch('#!/bin/sh\necho "$@"; cat; echo wrong >&2; exit 3\n', [
    "read",
    "a b",
  ]);
  assert.deepEqual({ status, stdout, stderr }, { status: 3, stdout: "read a b\ngiven\n", stderr: "wrong\n" });
});

test("a program that a signal ended has the exit code that a shell gives it", { skip: windows }, () => {
  assert.equal(launch("#!/bin/sh\nkill -TERM $$\n", []).status, 143);
});

test("without a platform package the message says what to install", () => {
  const { status, stderr } = launch(undefined, ["--version"]);
  assert.equal(status, 2);
  assert.match(stderr, /the program is not installed; install pi-hash without --omit=optional/);
  assert.match(stderr, /bin.hashline/);
});
