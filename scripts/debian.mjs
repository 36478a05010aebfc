// Programs that tests need and that packages of Debian bring.

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

/**
 * Makes sure that programs and files are there which packages of Debian bring. Only root in CI installs them; anybody
 * else gets the command to run.
 */
export async function debian(needed, packages) {
  const isThere = (name) => (name.startsWith("/") ? existsSync(name) : has(name));
  const missing = needed.filter((name) => !isThere(name));
  if (missing.length === 0) return;
  if (process.env.CI !== "true" || process.getuid() !== 0 || !has("apt-get")) {
    const command = `apt-get install --no-install-recommends ${packages.join(" ")}`;
    throw new Error(`${missing.join(", ")} is not installed; on Debian, as root: ${command}`);
  }
  for (const words of [["update"], ["install", "--yes", "--no-install-recommends", ...packages]])
    await must("apt-get", ["-qq", ...words], { quiet: true });
}
