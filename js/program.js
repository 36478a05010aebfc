#!/usr/bin/env node
// Runs the program `hashline`, which is in the native binary: `npx pi-hash read FILE`.

import { fileURLToPath } from "node:url";

/** The exit code that no agent takes for permission to continue. */
const FAILED = 2;

try {
  const { openNative } = await import("./loader.js");
  const start = [process.execPath, fileURLToPath(import.meta.url)];
  process.exitCode = openNative().runProgram(start, process.argv.slice(2));
} catch (error) {
  process.stderr.write(`hashline: ${Object(error).message ?? error}\n`);
  process.exitCode = FAILED;
}
