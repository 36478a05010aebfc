// Programs the tests need that are not on every machine, pinned, from the npm registry.
//
// Each lies in a directory named for its version, so that a new pin never meets an old file. The
// cache is `.cache/tools` in the clone, or HASHLINE_TOOLS.

import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { must, npm, root, step } from "./run.mjs";

const BUN = "1.4.4";
const NODES = { 22: "22.23.3", 24: "24.21.0" };
const TRIES = 3;

const cache = process.env.HASHLINE_TOOLS ?? join(root, ".cache", "tools");
const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch === "arm64" ? "aarch64" : process.arch}`;

/** The path of Bun. */
export function bun() {
  const file = process.platform === "win32" ? "bin/bun.exe" : "bin/bun";
  return install(`@oven/bun-${platform}`, BUN, file);
}

/** The path of a Node of this major version. */
export function node(major) {
  const windows = process.platform === "win32";
  const name = `node-${windows ? "win" : process.platform}-${process.arch}`;
  return install(name, NODES[major], windows ? "bin/node.exe" : "bin/node");
}

/** Installs one package into the cache, unless it is there, and returns the path of `file` in it. */
export async function install(name, version, file) {
  const home = join(cache, `${name.replaceAll("/", "-")}-${version}`);
  const path = join(home, "node_modules", name, file);
  if (existsSync(path)) return path;
  step(`installing ${name} ${version}`);
  const scratch = `${home}.${process.pid}`;
  await mkdir(scratch, { recursive: true });
  const args = [
    "install",
    "--prefix",
    scratch,
    "--no-save",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    `${name}@${version}`,
  ];
  for (let attempt = 1; ; attempt++) {
    try {
      await must(npm, args, { cwd: scratch, quiet: true });
      break;
    } catch (error) {
      if (attempt === TRIES)
        throw new Error(`cannot install ${name}@${version} after ${TRIES} tries: ${error.message}`);
    }
  }
  // Renamed into place when complete: an interrupted install is never taken for a whole one.
  await rm(home, { recursive: true, force: true });
  await rename(scratch, home);
  return path;
}
