// npm run pack: packs the packages into dist/ as they will be published.
//
// The main package has no binary; npm chooses one by its optionalDependencies. Each platform's
// package has the addon, which contains the program `hashline`, and the licences of the crates in it.
// Platforms without a binary in npm/<platform>/ are left out, and reported. `npm run build:all` builds
// all binaries, `npm run pack -- --own` packs only this machine's own build.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { copyFile, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { gunzipSync } from "node:zlib";
import { installPackages } from "./build.mjs";
import { writeBundle } from "./bundle.mjs";
import { npmIn } from "./lab/cache.mjs";
import { isBuilt, packageFiles, TARGETS } from "./lab/platforms/targets.mjs";
import { crates, notices } from "./release/crates.mjs";
import { homeOf, name, platformPackage } from "./release/name.mjs";
import { isMain, root, script, step } from "./run.mjs";

export const DIST = join(root, "dist");

/** The maximal size of each package in bytes, packed. */
const LIMITS = { main: 150_000, platform: 3_000_000 };

const json = async (path) => JSON.parse(await readFile(join(root, path), "utf8"));

/** The manifest of the main package for publishing. */
export function published(manifest, platforms) {
  const { devDependencies: _dev, scripts: _scripts, napi: _napi, ...rest } = manifest;
  return {
    ...rest,
    files: rest.files.filter((pattern) => !pattern.endsWith(".node")),
    optionalDependencies: Object.fromEntries(
      platforms.map((platform) => [platformPackage(platform), rest.version]),
    ),
  };
}

/** The files that match patterns of `files`, as paths from the root; only a pattern's last part may have a `*`. */
export function filesOf(patterns) {
  return patterns.flatMap((pattern) => {
    if (!pattern.includes("*")) return existsSync(join(root, pattern)) ? [pattern] : [];
    const directory = posix.dirname(pattern);
    const [start, end] = posix.basename(pattern).split("*");
    return readdirSync(join(root, directory))
      .filter((file) => file.startsWith(start) && file.endsWith(end))
      .map((file) => posix.join(directory, file));
  });
}

/**
 * The README for npm: links and pictures point to the release on GitHub, and to a picture's PNG if it has one, because
 * npm does not show every SVG.
 */
export function absoluteLinks(markdown, home, tag) {
  const raw = home.replace("https://github.com/", "https://raw.githubusercontent.com/");
  const still = (path) =>
    existsSync(join(root, path.replace(/\.svg$/, ".png"))) ? path.replace(/\.svg$/, ".png") : path;
  return markdown
    .replaceAll(/(?<=\]\()(?![a-z]+:|#)/g, `${home}/blob/${tag}/`)
    .replaceAll(/(?<=src=")(?![a-z]+:)([^"]+)/g, (_, path) => `${raw}/${tag}/${still(path)}`);
}

/** The tarballs in dist/, the main package's last: it cannot be installed before the platforms' are published. */
export function tarballs(dist = DIST) {
  const packed = readdirSync(dist).filter((file) => file.endsWith(".tgz"));
  // In file names, npm drops the `@` of a scope and turns its slash into a hyphen.
  const isMainPackage = (file) => !TARGETS.some(({ platform }) => file.startsWith(`${name}-${platform}-`));
  return [...packed.filter((file) => !isMainPackage(file)), ...packed.filter(isMainPackage)].map((file) =>
    join(dist, file),
  );
}

/**
 * Packs packages without a binary for the platforms that are not in dist/, and returns the tarballs. Only tests and
 * rehearsals use them: Yarn fetches all platforms before it chooses one, and a rehearsal publishes every name.
 */
export async function packStandIns() {
  const place = join(DIST, "without-binaries");
  await mkdir(place);
  const made = [];
  for (const { platform } of TARGETS.filter(({ platform }) => !existsSync(join(DIST, platform)))) {
    const flags = ["--silent", "--ignore-scripts", "--pack-destination", place];
    const printed = await npmIn(join(root, "npm", platform), ["pack", ...flags]);
    made.push(join(place, /\S+\.tgz/.exec(printed)[0]));
  }
  return made;
}

/** Packs a directory into dist/ and returns the tarball's path. */
async function pack(directory, limit) {
  const printed = await npmIn(directory, [
    "pack",
    "--json",
    "--loglevel=error",
    "--ignore-scripts",
    "--pack-destination",
    DIST,
  ]);
  const [{ filename, files }] = Object.values(JSON.parse(printed.slice(printed.search(/[[{]/))));
  const tarball = join(DIST, filename);
  const size = await compressAgain(tarball);
  if (size > limit) throw new Error(`${filename} has ${size} bytes, more than ${limit}`);
  step(`${filename}: ${(size / 1000).toFixed(0)} KB packed, ${files.length} files`);
  return tarball;
}

/**
 * Compresses a tarball with libdeflate, which makes it smaller than npm does, and returns its size. Without
 * libdeflate the tarball is left unchanged.
 */
async function compressAgain(tarball) {
  const packed = await readFile(tarball);
  const made = spawnSync("libdeflate-gzip", ["-12", "-c"], {
    input: gunzipSync(packed),
    maxBuffer: packed.length * 2,
  });
  if (made.error?.code === "ENOENT") {
    step("not compressed again: libdeflate-gzip is not installed");
    return packed.length;
  }
  if (made.status !== 0) throw new Error(`libdeflate-gzip failed: ${made.stderr}`);
  if (made.stdout.length >= packed.length) return packed.length;
  await writeFile(tarball, made.stdout);
  return made.stdout.length;
}

/** Packs the main package and returns its tarball. */
export async function packMain(platforms = TARGETS.map(({ platform }) => platform)) {
  await mkdir(DIST, { recursive: true });
  const stage = join(DIST, "main");
  const manifest = await json("package.json");
  await installPackages();
  await writeBundle();
  const inPackage = published(manifest, platforms);
  for (const file of filesOf(inPackage.files)) {
    await cp(join(root, file), join(stage, file), { recursive: true });
  }
  const readme = await readFile(join(root, "README.md"), "utf8");
  const home = homeOf(manifest.repository.url);
  await writeFile(join(stage, "README.md"), absoluteLinks(readme, home, `v${manifest.version}`));
  await writeFile(join(stage, "package.json"), `${JSON.stringify(inPackage, null, 2)}\n`);
  return pack(stage, LIMITS.main);
}

async function packPlatform(target, noticesText, limit) {
  const stage = join(DIST, target.platform);
  // A binary that is already in `stage` is this machine's own, see `stageOwn`.
  const { directory, program } = packageFiles(target);
  const filter = (path) => path !== dirname(program);
  await cp(directory, stage, { recursive: true, force: false, filter });
  await copyFile(join(root, "LICENSE"), join(stage, "LICENSE"));
  await writeFile(join(stage, "THIRD-PARTY-NOTICES.md"), noticesText);
  return pack(stage, limit);
}

/**
 * Puts the addon that `npm run build` has made for this machine into dist/, not into npm/: the binaries there
 * are the ones to publish, which also run on older systems.
 */
async function stageOwn() {
  const own = TARGETS.find(({ platform }) => existsSync(join(root, `hashline.${platform}.node`)));
  if (!own) throw new Error("there is no binary of this machine: run `npm run build`");
  const addon = `hashline.${own.platform}.node`;
  const stage = join(DIST, own.platform);
  await mkdir(stage, { recursive: true });
  await copyFile(join(root, addon), join(stage, addon));
  return own;
}

/** Packs everything and returns the tarballs in the order to publish them: the main package's last. */
export async function packAll({ own = false } = {}) {
  await rm(DIST, { recursive: true, force: true });
  await mkdir(DIST, { recursive: true });
  const built = own ? [await stageOwn()] : TARGETS.filter(isBuilt);
  if (built.length === 0)
    throw new Error("there is no binary in npm/: run `npm run build:all`, or pass --own");
  const missing = TARGETS.filter((target) => !built.includes(target)).map(({ platform }) => platform);
  if (missing.length > 0) step(`without a binary, so left out: ${missing.join(", ")}`);
  const noticesText = notices(await crates());
  const tarballs = [];
  // This machine's own binary may be an unoptimised build. Nobody publishes it, so its size has no limit.
  const limit = own ? Number.POSITIVE_INFINITY : LIMITS.platform;
  for (const target of built) tarballs.push(await packPlatform(target, noticesText, limit));
  // The main package depends on all platforms, even those not packed here, because the release has them all.
  tarballs.push(await packMain());
  return tarballs;
}

if (isMain(import.meta.url)) await script(() => packAll({ own: process.argv.includes("--own") }));
