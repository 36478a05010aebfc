// Installs what the build needs, then builds the addon, its types and the extension's bundle.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeBundle } from "./bundle.mjs";
import { isMain, must, npm, root, script, step } from "./run.mjs";

/** Installs the packages of package-lock.json unless they are there. */
export async function installPackages() {
  const wanted = join(root, "package-lock.json");
  const present = join(root, "node_modules", ".package-lock.json");
  if (existsSync(present) && sameVersions(wanted, present)) return;
  step("installing packages");
  await must(npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
}

/** Builds all that the package needs: the addon by a profile of Cargo.toml, and the extension's bundle. */
export async function build(profile) {
  await buildAddon(profile);
  await writeBundle();
}

/** Builds the addon by a profile of Cargo.toml, and index.d.ts with it. */
export async function buildAddon(profile = "release") {
  step(`building the addon (${profile})`);
  const cli = join(root, "node_modules", "@napi-rs", "cli", "dist", "cli.js");
  await must(process.execPath, [
    cli,
    "build",
    "--platform",
    "--profile",
    profile,
    "--no-js",
    "--dts",
    "index.d.ts",
    "--features",
    "napi",
  ]);
  dropAliases();
}

/** Takes the Rust names of classes out of index.d.ts: `export type JsSession = Session`. */
function dropAliases() {
  const types = join(root, "index.d.ts");
  writeFileSync(types, readFileSync(types, "utf8").replace(/^export type Js\w+ = \w+\n/gm, ""));
}

function sameVersions(wanted, present) {
  const [want, have] = [wanted, present].map((path) => JSON.parse(readFileSync(path, "utf8")).packages);
  return (
    Object.entries(have).every(([path, { version }]) => want[path]?.version === version) &&
    Object.entries(want).every(([path, { optional }]) => path === "" || optional || path in have)
  );
}

if (isMain(import.meta.url)) {
  await script(async () => {
    await installPackages();
    await build(process.argv[2]);
  });
}
