// Which versions of a file follow each other, for `benches/faults/main.mjs --history`.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { versionsByPath } from "../benches/faults/history.mjs";

const skip = spawnSync("git", ["--version"]).status === 0 ? false : "there is no git";

test("versions from both sides of a merge do not take turns", { skip }, () => {
  const directory = mkdtempSync(join(tmpdir(), "history-"));
  const git = (...args) => {
    const who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
    const options = { cwd: directory, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
    return execFileSync("git", [...who, ...args], options).trim();
  };
  const commit = (text) => {
    writeFileSync(join(directory, "file.txt"), text);
    git("add", "file.txt");
    git("commit", "--quiet", "-m", "a version");
    return git("rev-parse", "HEAD:file.txt");
  };
  try {
    git("init", "--quiet", "--initial-branch", "main");
    const first = commit("one\ntwo\nthree\n");
    git("checkout", "--quiet", "-b", "side");
    commit("one\ntwo\nthree\nfour, at the side\n");
    git("checkout", "--quiet", "main");
    const second = commit("zero\none\ntwo\nthree\n");
    git("merge", "--quiet", "--no-edit", "side");
    const merged = git("rev-parse", "HEAD:file.txt");
    const versions = versionsByPath(join(directory, ".git"));
    assert.deepEqual(versions.get("file.txt"), [first, second, merged]);
  } finally {
    rmSync(directory, { recursive: true, maxRetries: 10, force: true });
  }
});
