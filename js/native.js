// The native binary, loaded once for every module of this package.

import { constants } from "node:buffer";
import { createRequire } from "node:module";
import { load } from "./loader.js";

/** @type {import("./native.js").Native} */
export const native = load({ require: createRequire(import.meta.url) });

// For tests and benchmarks: vector instructions other than the best that the processor has.
if (process.env.HASHLINE_CPU) native.setCpuPath(process.env.HASHLINE_CPU);

// A longer result is refused before the engine is asked to hold it.
native.setLongestString(constants.MAX_STRING_LENGTH);

// Bun calls a finalizer only when the event loop turns, and a program that lists one text after the
// other would hold them all. What is copied it frees by itself.
if (process.versions.bun !== undefined) native.setExternalFrom(32 * 2 ** 20);
