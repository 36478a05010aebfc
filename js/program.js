#!/usr/bin/env node
// Starts the program `hashline`, which comes with the platform's package: `npx pi-hash read FILE`.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { noProgram, programsOf } from "./loader.js";

const require = createRequire(import.meta.url);
const places = programsOf((name) => require.resolve(name));
const program = places.find((place) => existsSync(place));
if (program === undefined) {
  process.stderr.write(`hashline: ${noProgram(places)}\n`);
  process.exitCode = 2;
} else {
  const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
  if (error !== undefined) process.stderr.write(`hashline: ${program}: ${error.message}\n`);
  process.exitCode = status ?? (signal ? 128 + constants.signals[signal] : 2);
}
