// The extension as the hosts load it: one JavaScript file, made from the TypeScript in extension/.
//
// A host's loader resolves, compiles and evaluates each file by itself, and Node.js compiles no
// TypeScript below node_modules: as one file of JavaScript the extension starts in a fraction of the
// time (docs/benchmarks.md). Building and packing make the file; it is not in the repository.

import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isMain, root, script, step } from "./run.mjs";

/** The path of the bundle. It reads its prompts from its own directory, and the package's entry from above. */
export const BUNDLE = join(root, "extension", "bundle.js");

/** Bundles the extension and returns the text. */
export async function bundled() {
  // Loaded only here, because other uses of this module work without the package.
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["extension/index.ts"],
    outfile: BUNDLE,
    bundle: true,
    // The core finds its binary relative to its own files, so it cannot be part of the bundle.
    external: ["../index.js"],
    format: "esm",
    platform: "node",
    target: "node20",
    banner: { js: "// Made from extension/*.ts by scripts/bundle.mjs. Do not edit." },
    write: false,
    logLevel: "error",
  });
  return outputFiles[0].text;
}

/** Writes the bundle unless it is up to date. A host that starts meanwhile never sees half of it. */
export async function writeBundle() {
  const text = await bundled();
  if (existsSync(BUNDLE) && (await readFile(BUNDLE, "utf8")) === text) return;
  const scratch = `${BUNDLE}.${process.pid}`;
  await writeFile(scratch, text);
  await rename(scratch, BUNDLE);
}

if (isMain(import.meta.url)) {
  await script(async () => {
    step("bundling the extension");
    await writeBundle();
  });
}
