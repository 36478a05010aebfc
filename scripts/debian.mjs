// Packages of Debian that tests need, installed where that is possible.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { must } from "./run.mjs";

/** Where programs of the system administrator are; not everybody's `PATH` has these. */
const SYSTEM_PATH = "/usr/local/sbin:/usr/sbin:/sbin";

/** Whether a program can be started. */
export function has(program) {
  const env = { ...process.env, PATH: `${process.env.PATH}:${SYSTEM_PATH}` };
  return spawnSync("sh", ["-c", `command -v ${program}`], { env }).status === 0;
}

/** Installs packages of Debian unless the programs and files that they bring are there. */
export async function debian(needed, packages) {
  const isThere = (name) => (name.startsWith("/") ? existsSync(name) : has(name));
  const missing = needed.filter((name) => !isThere(name));
  if (missing.length === 0) return;
  const asRoot = process.getuid() === 0 ? [] : ["sudo", "--non-interactive"];
  if (!has("apt-get") || !asRoot.every((word) => word.startsWith("-") || has(word))) {
    throw new Error(`${missing.join(", ")} is not installed (Debian: ${packages.join(" ")})`);
  }
  for (const words of [["update"], ["install", "--yes", "--no-install-recommends", ...packages]]) {
    const [program, ...args] = [...asRoot, "apt-get", "-qq", ...words];
    await must(program, args, { quiet: true });
  }
}
