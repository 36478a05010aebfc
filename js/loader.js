// Finds the native binary, or says exactly why there is none.
//
// There are three layouts. In a clone the `.node` file is beside this package's index.js. npm and its
// like install it as a package of its own, which is found by name; a host that was compiled by Bun
// cannot resolve names of packages, so there it is found by its place, beside this package. Every
// attempt that fails is kept, because "cannot find module" alone explains nothing.

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
    for (const path of placesOf(target)) {
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
  return { platform, arch, libc: platform === "linux" ? ownLibc() : undefined };
}

/**
 * What to require for a target: the file in this package, the platform's package by name, and the
 * file in that package by its place. A scope is a directory, so it is not part of the last one.
 *
 * @param {string} target
 */
function placesOf(target) {
  const file = `hashline.${target}.node`;
  const name = `${NAME}-${target}`;
  const sibling = name.slice(name.lastIndexOf("/") + 1);
  const below = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
  return [below(`../${file}`), name, below(`../../${sibling}/${file}`)];
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

/**
 * The C library of this process: `unknown` where nothing can be found out. A musl Node can run on a
 * machine of glibc, so the libraries that the process has loaded come first, then what the engine
 * says about itself, and the machine's own tools last.
 *
 * @param {{ maps: () => string, report: () => unknown, ldd: () => string }} sources
 * @returns {"gnu" | "musl" | "unknown"}
 */
export function libcOf({ maps, report, ldd }) {
  const loaded = maps();
  // musl's library is called plain `libc.so`, wherever it is; glibc's has a number.
  if (/\/ld-musl-|\/libc\.musl-|\/libc\.so$/m.test(loaded)) return "musl";
  if (/\/ld-linux|\/libc\.so\.6|\/libc-2\./.test(loaded)) return "gnu";
  const { header, sharedObjects = [] } = Object(report());
  if (header?.glibcVersionRuntime) return "gnu";
  if (sharedObjects.some((/** @type {string} */ path) => path.includes("ld-musl-"))) return "musl";
  const printer = ldd();
  if (printer.includes("musl")) return "musl";
  return /GNU C Library|GLIBC/.test(printer) ? "gnu" : "unknown";
}

function ownLibc() {
  return libcOf({
    maps: () => read("/proc/self/maps"),
    report: engineReport,
    ldd: () => read("/usr/bin/ldd"),
  });
}

/** @returns {unknown} */
function engineReport() {
  try {
    return process.report?.getReport?.();
  } catch {
    return undefined;
  }
}

/**
 * The text of a file; nothing if it cannot be read, or, in Deno, may not be.
 *
 * @param {string} path
 */
function read(path) {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/** @type {(machine: Machine, version: string, attempts: Attempt[]) => string} */
function explain(machine, version, attempts) {
  const { platform, arch, libc } = machine;
  const where = libc ? `${platform} ${arch} (libc: ${libc})` : `${platform} ${arch}`;
  const tried = attempts.map(({ path, reason }) => `  ${path}: ${reason}`).join("\n");
  return `cannot load the native part of ${NAME} ${version} on ${where}\n${tried}\nhint: ${advice(machine, version, attempts)}`;
}

/** @type {(machine: Machine, version: string, attempts: Attempt[]) => string} */
function advice(machine, version, attempts) {
  // Deno's words for a permission that was not given.
  if (attempts.some(({ reason }) => /Requires (?:ffi|read) access/.test(reason))) {
    return "run Deno with `--allow-ffi --allow-read --allow-env --allow-sys`, or `-A`";
  }
  if (!targetsOf(machine).some((target) => TARGETS.has(target))) {
    return "no binary is published for this platform; in a clone with a Rust toolchain run `npm run build`";
  }
  return `reinstall with \`npm install --include=optional ${NAME}@${version}\`, or in a clone run \`npm run build\``;
}

/** @type {(error: unknown) => string} */
function firstLine(error) {
  // Not `instanceof`: a host may run this module in a realm of its own.
  const [line = ""] = String(Object(error).message ?? error).split(/\r?\n/, 1);
  return line.trim();
}
