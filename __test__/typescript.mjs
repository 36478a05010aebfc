// Lets a Node that cannot read TypeScript run the tests of the extension: `node --import ./__test__/typescript.mjs --test …`
//
// esbuild, which also makes the published bundle, removes the types.

import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

/** Node's hook for loading modules; Node calls it in a thread of its own. */
export async function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  const { transform } = await import("esbuild");
  const { code } = await transform(await readFile(fileURLToPath(url), "utf8"), {
    loader: "ts",
    sourcefile: url,
    sourcemap: "inline",
  });
  return { format: "module", source: code, shortCircuit: true };
}

if (isMainThread) register(import.meta.url);
