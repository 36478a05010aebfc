// Downloads are tried three times, and an incomplete one is never taken for complete.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";

process.env.HASHLINE_CACHE = await mkdtemp(join(tmpdir(), "hashline-cache-"));
const { cache, cached } = await import("../../scripts/lab/cache.mjs");
after(() => rm(cache, { recursive: true, maxRetries: 10, force: true }));

const DEAD_PID = 2 ** 22 + 1;

it("a directory is filled once and then found", async () => {
  let fills = 0;
  const fill = async (directory) => {
    fills += 1;
    await writeFile(join(directory, "tool"), "whole");
  };
  assert.equal(await cached("once", fill), await cached("once", fill));
  assert.equal(fills, 1);
  assert.deepEqual(await readdir(join(cache, "once")), ["tool"]);
});

it("a download that fails twice is tried a third time", async () => {
  let tries = 0;
  await cached("flaky", async () => {
    tries += 1;
    if (tries < 3) throw new Error("the line is down");
  });
  assert.equal(tries, 3);
});

it("a download that keeps failing is reported with its reason, and leaves nothing that looks complete", async () => {
  const half = async (directory) => {
    await writeFile(join(directory, "half"), "");
    throw new Error("the line is down");
  };
  await assert.rejects(cached("broken", half), /cannot install broken after 3 tries: the line is down/);
  assert.deepEqual(
    (await readdir(cache)).filter((name) => name.startsWith("broken")),
    [],
  );
});

it("the remains of a killed install are neither used nor kept", async () => {
  const left = join(cache, `killed.${DEAD_PID}-1.part`);
  await mkdir(left);
  await cached("killed", async (directory) => writeFile(join(directory, "tool"), "whole"));
  assert.deepEqual(await readdir(join(cache, "killed")), ["tool"]);
  assert.equal(existsSync(left), false);
});

it("two installs at once both use the one that finished first", async () => {
  const fill = async (directory) => writeFile(join(directory, "tool"), "whole");
  const homes = await Promise.all([cached("race", fill), cached("race", fill)]);
  assert.equal(homes[0], homes[1]);
  assert.deepEqual(await readdir(homes[0]), ["tool"]);
});
