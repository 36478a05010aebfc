// Programs the tests need that are not on every machine, pinned, from the npm registry.

import { join } from "node:path";
import { cached, npmInstall } from "./cache.mjs";

const BUN = "1.4.4";
const NODES = { 22: "22.23.3", 24: "24.21.0" };

const windows = process.platform === "win32";

/** The path of Bun. */
export function bun() {
  const arch = process.arch === "arm64" ? "aarch64" : process.arch;
  return install(
    `@oven/bun-${windows ? "windows" : process.platform}-${arch}`,
    BUN,
    `bin/bun${windows ? ".exe" : ""}`,
  );
}

/** The path of a Node of this major version. */
export function node(major) {
  const name = `node-${windows ? "win" : process.platform}-${process.arch}`;
  return install(name, NODES[major], `bin/node${windows ? ".exe" : ""}`);
}

/** Installs one package into the cache, unless it is there, and returns the path of `file` in it. */
export async function install(name, version, file) {
  const home = await cached(`${name.replaceAll("/", "-")}-${version}`, (directory) =>
    npmInstall(directory, [`${name}@${version}`]),
  );
  return join(home, "node_modules", name, file);
}
