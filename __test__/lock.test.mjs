import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { completed, platformOf } from "../scripts/lock.mjs";
import { root } from "../scripts/run.mjs";

test("package-lock.json has every optional package of every platform, as `npm ci` wants it", () => {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  assert.deepEqual(completed(lock), lock, "`npm run lock` completes it");
});

test("package-lock.json names no registry", () => {
  assert.doesNotMatch(readFileSync(join(root, "package-lock.json"), "utf8"), /"resolved": "https?:/);
});

test("a platform is known by the package's name", () => {
  const check = (name, platform) => assert.deepEqual(platformOf(name), platform, name);
  check("@a/b-linux-arm64-musl", { os: ["linux"], cpu: ["arm64"], libc: ["musl"] });
  check("@a/b-linux-x64", { os: ["linux"], cpu: ["x64"], libc: ["glibc"] });
  check("@a/b-win32-x64-msvc", { os: ["win32"], cpu: ["x64"] });
  check("b-darwin-arm64", { os: ["darwin"], cpu: ["arm64"] });
  check("@a/b-wasm32-wasi", { cpu: ["wasm32"] });
  assert.throws(() => platformOf("left-pad"), /cannot tell the platform/);
});
