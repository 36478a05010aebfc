// Loads the builds to measure: this one, and with `--against DIR` another one.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../../scripts/run.mjs";

/** The directory of the other build, from the environment that benches/main.mjs sets. */
const AGAINST = process.env.HASHLINE_BENCH_AGAINST;

/**
 * Loads an entry of the package from this build, and from the other build if there is one.
 *
 * @param {"." | "./hashline"} entry
 */
export async function builds(entry) {
  const ours = await import(entryOf(root, entry));
  return { ours, other: AGAINST && (await import(entryOf(AGAINST, entry))) };
}

/** The file that a package's `exports` name for the entry, as its path differs between versions. */
function entryOf(directory, entry) {
  const { exports } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  return pathToFileURL(resolve(directory, exports[entry].default)).href;
}
