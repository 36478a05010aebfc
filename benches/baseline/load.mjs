// The JavaScript baseline with the fastest hash that the runtime offers.

import { createBaseline } from "./omp.mjs";

/** The baseline module for this runtime: xxhash-wasm in Node, the built-in hash in Bun. */
export async function baseline(options) {
  if (process.versions.bun !== undefined) return createBaseline((text) => Bun.hash.xxHash32(text), options);
  const { default: xxhash } = await import("xxhash-wasm");
  const { h32 } = await xxhash();
  return createBaseline(h32, options);
}
