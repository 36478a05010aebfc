// Finds the native binary, or says exactly why there is none.
//
// The `.node` file beside this module comes first: a host compiled by Bun can load a relative file
// but cannot resolve a split package. The platform's own package comes second. Every attempt that
// fails is kept, because "cannot find module" helps nobody.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The name of this package; a test holds it to package.json. */
const NAME = "pi-hash";

/** The version of this package; a test holds it to package.json, which a bundler may leave out. */
export const VERSION = "0.1.0";

/** What is published, by platform, architecture and C library. */
const TARGETS = new Set([
  "linux-x64-gnu",
  "linux-x64-musl",
  "linux-arm64-gnu",
  "linux-arm64-musl",
  "darwin-x64",
  "darwin-arm64",
  "win32-x64-msvc",
  "win32-arm64-msvc",
]);

/**
 * A machine as Node.js describes it; the C library is known on Linux only.
 *
 * @typedef {{ platform: string, arch: string, libc?: "gnu" | "musl" | "unknown" | undefined }} Machine
 */

/**
 * A path that was tried, and why nothing was loaded from it.
 *
 * @typedef {{ path: string, reason: string }} Attempt
 */

/** No native binary could be loaded. `attempts` holds each path that was tried and why it failed. */
export class NativeUnavailableError extends Error {
  /**
   * @param {string} message
   * @param {Attempt[]} attempts
   */
  constructor(message, attempts) {
    super(message);
    this.name = "NativeUnavailableError";
    this.code = "native_unavailable";
    this.attempts = attempts;
  }
}

/**
 * Loads the native binary for `machine` through `require`, refusing any that was not built for
 * exactly `version`.
 *
 * @param {{ require: (path: string) => any, version?: string, machine?: Machine }} options
 */
export function load({ require, version = VERSION, machine = thisMachine() }) {
  /** @type {Attempt[]} */
  const attempts = [];
  for (const target of targetsOf(machine)) {
    const beside = fileURLToPath(new URL(`../hashline.${target}.node`, import.meta.url));
    for (const path of [beside, `${NAME}-${target}`]) {
      try {
        const native = require(path);
        const found = typeof native?.version === "function" ? native.version() : "unknown";
        if (found === version) return native;
        attempts.push({ path, reason: `it is version ${found}, but this package is ${version}` });
      } catch (error) {
        attempts.push({ path, reason: firstLine(error) });
      }
    }
  }
  throw new NativeUnavailableError(explain(machine, version, attempts), attempts);
}

/**
 * The machine this process runs on.
 *
 * @returns {Machine}
 */
export function thisMachine() {
  const { platform, arch } = process;
  return { platform, arch, libc: platform === "linux" ? detectLibc() : undefined };
}

/**
 * The targets worth trying, the likeliest first.
 *
 * @param {Machine} machine
 */
function targetsOf({ platform, arch, libc }) {
  const base = `${platform}-${arch}`;
  if (platform === "win32") return [`${base}-msvc`];
  if (platform !== "linux") return [base];
  return libc === "unknown" ? [`${base}-gnu`, `${base}-musl`] : [`${base}-${libc}`];
}

/** `gnu`, `musl`, or `unknown` if the system does not tell. */
function detectLibc() {
  try {
    const ldd = readFileSync("/usr/bin/ldd", "latin1");
    if (ldd.includes("musl")) return "musl";
    if (ldd.includes("GNU C Library") || ldd.includes("GLIBC")) return "gnu";
  } catch {
    // No ldd: ask the process itself.
  }
  /** @type {{ header?: { glibcVersionRuntime?: string }, sharedObjects?: string[] } | undefined} */
  const report = process.report?.getReport?.();
  if (report?.header?.glibcVersionRuntime) return "gnu";
  if (report?.sharedObjects?.some((path) => path.includes("ld-musl-"))) return "musl";
  return "unknown";
}

/** @type {(machine: Machine, version: string, attempts: Attempt[]) => string} */
function explain(machine, version, attempts) {
  const { platform, arch, libc } = machine;
  const where = libc ? `${platform} ${arch} (libc: ${libc})` : `${platform} ${arch}`;
  const tried = attempts.map(({ path, reason }) => `  ${path}: ${reason}`).join("\n");
  const published = targetsOf(machine).some((target) => TARGETS.has(target));
  const fix = published
    ? `reinstall with \`npm install --include=optional ${NAME}@${version}\`, or in a clone run \`npm run build\``
    : "no binary is published for this platform; in a clone with a Rust toolchain run `npm run build`";
  return `cannot load the native part of ${NAME} ${version} on ${where}\n${tried}\nhint: ${fix}`;
}

/** @type {(error: unknown) => string} */
function firstLine(error) {
  // Not `instanceof`: a host may run this module in a realm of its own.
  return String(Object(error).message ?? error).split("\n", 1)[0];
}
