// Starts another process of the JavaScript engine that runs the tests.

import { spawnSync } from "node:child_process";

/**
 * The command that starts the engine: its own path, or, if it needs a loader or an emulator, the command that
 * `npm run test:platforms` puts into the environment.
 */
export const engine = process.env.HASHLINE_ENGINE
  ? JSON.parse(process.env.HASHLINE_ENGINE)
  : [process.execPath];

/** Whether `process.execPath` alone starts the engine, as programs assume that start themselves again. */
export const startsByOwnPath = process.env.HASHLINE_ENGINE === undefined;

/** Why tests cannot start the engine with its output in a pipe, or `false`; only in some emulators they cannot. */
export const cannotStart =
  process.env.HASHLINE_EMULATED !== undefined &&
  !startEngine(["--version"], { encoding: "utf8" }).stdout?.trim() &&
  "the emulated engine cannot be started with its output in a pipe";

/** Starts the engine with arguments and waits until it ends. */
export function startEngine(args, options) {
  const [program, ...first] = engine;
  return spawnSync(program, [...first, ...args], options);
}
