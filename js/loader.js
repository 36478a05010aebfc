// Finds the native binary, or says exactly why none could be loaded.
//
// There are three layouts. In a clone the `.node` file is beside this package's index.js. npm and similar
// programs install it as a package of its own, usually beside this package. Elsewhere it is found by the
// package's name, which a host compiled by Bun cannot resolve. The error lists every failed attempt, because
// "cannot find module" alone explains nothing.

import { createRequire } from "node:module";

// `require` loads Node's own modules, because an `import` reads all of their exports: `node:fs` would then load
// streams, which nothing here uses, and that takes twice as long as loading the binary.
const nodeRequire = createRequire(import.meta.url);
/** @type {typeof import("node:fs")} */
const { existsSync, readFileSync } = nodeRequire("node:fs");
/** @type {typeof import("node:path")} */
const { isAbsolute, join } = nodeRequire("node:path");
/** @type {typeof import("node:url")} */
const { fileURLToPath } = nodeRequire("node:url");

/** The name of this package; a test compares it with package.json. */
const NAME = "pi-hash";

/** The version of this package; a test compares it with package.json, which a bundler may leave out. */
export const VERSION = "0.1.0";

/** The published packages, by platform, architecture and C library. */
const TARGETS = new Set([
  "linux-x64-gnu",
  "linux-x64-musl",
  "linux-arm64-gnu",
  "linux-arm64-musl",
  "linux-arm-gnueabihf",
  "darwin-x64",
  "darwin-arm64",
  "win32-x64-msvc",
  "win32-arm64-msvc",
  "android-arm64",
  "freebsd-x64",
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

/** @type {import("./native.js").Native | undefined} */
let native;

/** The native binary for this machine, loaded once for every module of this package. */
export function openNative() {
  native ??= setUp(load());
  return native;
}

/** @type {(native: import("./native.js").Native) => import("./native.js").Native} */
function setUp(native) {
  // For tests and benchmarks: vector instructions other than the processor's best.
  if (process.env.HASHLINE_CPU) native.setCpuPath(process.env.HASHLINE_CPU);

  // The addon refuses a longer result before it asks the engine for such a string.
  native.setLongestString(nodeRequire("node:buffer").constants.MAX_STRING_LENGTH);

  // Bun calls a finalizer only when the event loop turns, so a program that lists one text after the other
  // would hold all of them. Bun frees copied strings by itself.
  if (process.versions.bun !== undefined) native.setExternalFrom(32 * 2 ** 20);
  return native;
}

/**
 * Loads the native binary for `machine`, and refuses any that was not built for exactly `version`.
 * Tests pass their own `require` and `exists`.
 *
 * @param {{
 *   require?: (path: string) => any,
 *   exists?: (path: string) => boolean,
 *   version?: string,
 *   machine?: Machine,
 * }} options
 */
export function load({
  require = nodeRequire,
  exists = existsSync,
  version = VERSION,
  machine = thisMachine(),
} = {}) {
  /** @type {Attempt[]} */
  const attempts = [];
  for (const target of targetsOf(machine)) {
    for (const path of pathsOf(target)) {
      try {
        // Checked first, because a `require` that finds no file also tries other endings and takes ten times as long.
        if (isAbsolute(path) && !exists(path)) {
          attempts.push({ path, reason: "there is no such file" });
          continue;
        }
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
 * What to require for a target: the file in this package, the file in the platform's package beside
 * this one, and that package by name.
 *
 * @param {string} target
 */
function pathsOf(target) {
  const file = `hashline.${target}.node`;
  const name = `@${NAME}/${target}`;
  const here = fileURLToPath(new URL("..", import.meta.url));
  return [join(here, file), join(here, "..", name, file), name];
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
  const libraries = libc === "unknown" ? ["gnu", "musl"] : [libc];
  return libraries.map((library) => `${base}-${library}${arch === "arm" ? "eabihf" : ""}`);
}

/**
 * The C library of this process; `unknown` if no source tells. Node built for musl can run on a machine with
 * glibc, so the process's loaded libraries come first, then the engine's report about itself, and the
 * machine's own tools last.
 *
 * @param {{ maps: () => string, report: () => unknown, ldd: () => string }} sources
 * @returns {"gnu" | "musl" | "unknown"}
 */
export function libcOf({ maps, report, ldd }) {
  const loaded = maps();
  const has = (/** @type {string} */ name) => loaded.includes(name);
  // musl's library is called `libc.so` in any directory; glibc's has a number.
  if (["/ld-musl-", "/libc.musl-", "/libc.so\n"].some(has)) return "musl";
  if (["/ld-linux", "/libc.so.6", "/libc-2."].some(has)) return "gnu";
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
 * The text of a file; empty if it cannot be read or, in Deno, must not be.
 *
 * @param {string} path
 */
function read(path) {
  try {
    // Node.js reads a whole file in one call for UTF-8 only.
    return readFileSync(path, "utf8");
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
  // Deno's words for a missing permission.
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
