// Installs the package as users do: npm packs it, the host's own installer installs it, the host loads it without `-e`.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { HOSTS } from "../../scripts/lab/hosts.mjs";
import { bun } from "../../scripts/lab/tools.mjs";
import { name } from "../../scripts/release/name.mjs";
import { must, npm } from "../../scripts/run.mjs";
import { finish, workbench } from "./bench.mjs";
import { apply, read, setLine, succeeded } from "./scenarios/words.mjs";

describe("the packed package", () => {
  let place;
  let tarball;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), "hashline-pack-"));
    const printed = await must(npm, ["pack", "--silent", "--pack-destination", place], { quiet: true });
    tarball = join(place, /\S+\.tgz/.exec(printed)[0]);
  });
  after(() => rm(place, { recursive: true, maxRetries: 10, force: true }));

  for (const host of HOSTS) {
    it(`is installed by ${host} itself, and the next run edits with it`, async () => {
      const bench = await workbench(host, { extensions: [] });
      try {
        await install(bench, tarball);
        // pi 0.73 takes `file:` for a version that is not installed yet: it installs again at every start, or leaves
        // the package out when it must stay offline.
        if (host === "pi073") Object.assign(bench.host, { args: [], env: { PI_SKIP_VERSION_CHECK: "1" } });
        await bench.reset({ "list.txt": "alpha one\nbeta two\n" });
        const { tools, results, stderr } = await bench.print([
          read("list.txt"),
          (seen) => apply(setLine("list.txt", seen.last, "beta two", "BETA")),
        ]);
        assert.ok(tools.includes("apply_hash") && !tools.includes("edit"), `offered: ${tools}\n${stderr}`);
        succeeded(results[1], /^Applied 1 operation/m);
        assert.equal(await bench.text("list.txt"), "alpha one\nBETA\n");
      } finally {
        await bench.close();
      }
    });
  }
});

async function install(bench, tarball) {
  const [program, ...first] = bench.host.command;
  const wanted = `${bench.host.family === "omp" ? "" : "npm:"}${name}@file:${tarball}`;
  const { env } = bench.invocation([]);
  const child = spawn(program, [...first, "install", wanted], {
    cwd: bench.work,
    // Not offline: an installer may ask the registry, with this machine's own settings.
    env: { ...process.env, ...env, PATH: await pathWithBun(bench.place), PI_OFFLINE: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { code, stdout, stderr } = await finish(child);
  assert.equal(code, 0, stdout + stderr);
}

/** A PATH on which `bun` is found, because omp installs with it. */
async function pathWithBun(place) {
  const bin = join(place, "bin");
  await mkdir(bin);
  await symlink(await bun(), join(bin, "bun"));
  return [bin, process.env.PATH, dirname(process.execPath)].join(delimiter);
}
