// Installs what the build needs, then builds the addon, its types and the extension's bundle.

import { existsSync, readFileSync } from "node:fs";
import { copyFile, mkdir, readdir, rename, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { thisMachine } from "../js/loader.js";
import { writeBundle } from "./bundle.mjs";
import { artefacts, platformOf, TARGETS } from "./lab/platforms/targets.mjs";
import { isMain, must, npm, root, script, step } from "./run.mjs";

/** Installs the packages of package-lock.json unless they are there. */
export async function installPackages() {
  const wanted = join(root, "package-lock.json");
  const present = join(root, "node_modules", ".package-lock.json");
  if (existsSync(present) && sameVersions(wanted, present)) return;
  step("installing packages");
  await must(npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
}

/** Installs the packages, builds the addon with a profile of Cargo.toml, and writes the extension's bundle. */
export async function build(profile) {
  const packages = installPackages();
  await buildAddon(profile, packages);
  await writeBundle();
}

/** The cargo arguments that select the addon, which is the workspace's root package. */
export const ADDON = ["--package", "hashline"];

/** The crates that define what JavaScript sees: napi writes their types while it compiles them. */
const TYPE_SOURCES = ["src/lib.rs", "crates/wire/src/lib.rs"];

/** The profile of Cargo.toml that compiles quickly: tests, the demo and the linters use it. */
export const QUICK = "dev";

/** Builds the addon with a profile of Cargo.toml, and index.d.ts, once the `packages` are installed. */
export async function buildAddon(profile = "release", packages = installPackages()) {
  step(`building the addon (${profile})`);
  const platform = platformOf(thisMachine());
  const types = join(root, "target", "types", profile);
  await mkdir(types, { recursive: true });
  // Missing types are written only by compiling these crates, which cargo does again if their files are newer.
  if ((await readdir(types)).length < TYPE_SOURCES.length) {
    for (const path of TYPE_SOURCES) await utimes(join(root, path), new Date(), new Date());
  }
  const env = {
    NAPI_TYPE_DEF_TMP_FOLDER: types,
    ...TARGETS.find((target) => target.platform === platform)?.env,
  };
  await Promise.all([must("cargo", ["build", "--profile", profile, ...ADDON], { env }), packages]);
  const { addon } = artefacts(process.platform);
  const built = join(root, "target", profile === "dev" ? "debug" : profile, addon);
  await replace(built, join(root, `hashline.${platform}.node`));
  await writeTypes(types);
}

/** Replaces a file by a rename: a process may have loaded the old one, which must not change meanwhile. */
async function replace(from, to) {
  await copyFile(from, `${to}.new`);
  await rename(`${to}.new`, to);
}

/** Writes index.d.ts from napi-rs's files, without the Rust names of classes: `export type JsSession = Session`. */
async function writeTypes(typeDefDir) {
  const { generateTypeDef } = await import("@napi-rs/cli");
  const { dts } = await generateTypeDef({ typeDefDir, cwd: root, dtsHeaderFile: "src/header.d.ts" });
  await writeFile(join(root, "index.d.ts"), dts.replace(/^export type Js\w+ = \w+\n/gm, ""));
}

function sameVersions(wanted, present) {
  const [want, have] = [wanted, present].map((path) => JSON.parse(readFileSync(path, "utf8")).packages);
  return (
    Object.entries(have).every(([path, { version }]) => want[path]?.version === version) &&
    Object.entries(want).every(([path, { optional }]) => path === "" || optional || path in have)
  );
}

if (isMain(import.meta.url)) {
  await script(() => build(process.argv[2] === "quick" ? QUICK : process.argv[2]));
}
