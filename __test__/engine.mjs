// How a test starts the engine that it runs in, once more.

import { spawnSync } from "node:child_process";

/**
 * The engine's own path, unless a loader or an emulator comes before it: then `process.execPath` is not
 * what starts it, and `npm run test:platforms` says what does.
 */
export const engine = process.env.HASHLINE_ENGINE
  ? JSON.parse(process.env.HASHLINE_ENGINE)
  : [process.execPath];

/** Whether the engine's own path alone starts it, as a program in it that starts itself will assume. */
export const isItsOwnPath = process.env.HASHLINE_ENGINE === undefined;

/** Why the engine cannot be started with its output in a pipe, or `false`. Only an emulator may have a reason. */
export const cannotStart =
  process.env.HASHLINE_EMULATED !== undefined &&
  !startEngine(["--version"], { encoding: "utf8" }).stdout?.trim() &&
  "the emulated engine cannot be started with its output in a pipe";

/** Starts the engine with arguments and waits until it ends. */
export function startEngine(args, options) {
  const [program, ...first] = engine;
  return spawnSync(program, [...first, ...args], options);
}
