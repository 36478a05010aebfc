// Programs that the tests need and not every machine has, pinned, from the npm registry.

import { join } from "node:path";
import { cached, npmInstall } from "./cache.mjs";

const BUN = "1.4.4";
const NODES = { 20: "20.20.2", 22: "22.23.3", 24: "24.21.0" };

/** Their sizes on disk. */
const MEGABYTES = { bun: 103, node: 190 };

const windows = process.platform === "win32";

/** The package that `bun` fetches unless it is in the cache. */
export const bunDownload = () => ({
  name: "Bun",
  entry: entryOf(bunPackage(), BUN),
  megabytes: MEGABYTES.bun,
});

/** The package that `node` fetches unless it is in the cache. */
export const nodeDownload = (major) => ({
  name: `Node ${major}`,
  entry: entryOf(nodePackage(), NODES[major]),
  megabytes: MEGABYTES.node,
});

/** The path of Bun. */
export function bun() {
  return install(bunPackage(), BUN, `bin/bun${windows ? ".exe" : ""}`);
}

/** Whether the registry has a Node of this major version for this machine; it has none for macOS. */
export function hasNode(major) {
  return major in NODES && process.platform !== "darwin";
}

/** The path of a Node of this major version. */
export function node(major) {
  return install(nodePackage(), NODES[major], `bin/node${windows ? ".exe" : ""}`);
}

function bunPackage() {
  const arch = process.arch === "arm64" ? "aarch64" : process.arch;
  return `@oven/bun-${windows ? "windows" : process.platform}-${arch}`;
}

function nodePackage() {
  return `node-${windows ? "win" : process.platform}-${process.arch}`;
}

/** The directory of a package in the cache. */
function entryOf(name, version) {
  return `${name.replaceAll("/", "-")}-${version}`;
}

/** Installs one package into the cache unless it is there, and returns the path of its file `file`. */
export async function install(name, version, file) {
  const home = await cached(entryOf(name, version), (directory) =>
    npmInstall(directory, [`${name}@${version}`]),
  );
  return join(home, "node_modules", name, file);
}
