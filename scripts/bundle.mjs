// The extension as the hosts load it: one JavaScript file, made from the TypeScript in extension/.
//
// A host's loader resolves, compiles and evaluates each file by itself, and Node.js compiles no
// TypeScript below node_modules: as one file of JavaScript the extension starts in a fraction of the
// time (docs/benchmarks.md). The file is made by the build and by packing, and is not in the repository.

import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isMain, root, script, step } from "./run.mjs";

/** Where the bundle is. It reads its prompts beside it and loads the package's entry above it. */
export const BUNDLE = join(root, "extension", "bundle.js");

/** The bundle's text, made anew. */
export async function bundled() {
  // Loaded only here: who merely packs or tests something else may do without the package.
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["extension/index.ts"],
    outfile: BUNDLE,
    bundle: true,
    // The core finds its binary by where its own files are.
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

/** Writes the bundle, unless it is there as it must be. A host that starts meanwhile never sees half of it. */
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
