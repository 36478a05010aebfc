// The steps of a release that are not building or testing. docs/releasing.md has them in order.
//
//   node scripts/release.mjs version X.Y.Z      puts a new version everywhere, and today's heading into CHANGELOG.md
//   node scripts/release.mjs check [TAG]        every place has the same version, and the tag, if given
//   node scripts/release.mjs assets             checksums, SBOM, formula and notes beside the tarballs in dist/
//   node scripts/release.mjs publish [--dry-run]   npm publish: platforms first, then the main package

import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { crates, sbom } from "./crates.mjs";
import { name } from "./name.mjs";
import { DIST } from "./pack.mjs";
import { isBuilt, packageFiles, TARGETS } from "./platforms/targets.mjs";
import { isMain, must, npm, root, run, script, step } from "./run.mjs";

const read = (path) => readFile(join(root, path), "utf8");
const json = async (path) => JSON.parse(await read(path));

/** What stands before a version in each file that repeats it; each has it once, or always the same. */
const VERSION_IN = {
  "package.json": /(?<=^ {2}"version": ")[^"]+/gm,
  "Cargo.toml": /(?<=^version = ")[^"]+/gm,
  "js/loader.js": /(?<=VERSION = ")[^"]+/g,
};
const PLATFORM_MANIFESTS = TARGETS.map(({ platform }) => `npm/${platform}/package.json`);
const versionIn = (path) => VERSION_IN[path] ?? VERSION_IN["package.json"];

/** Every place that has the version, with the version that it has. */
export async function versions() {
  const lock = await json("package-lock.json");
  const found = [];
  for (const path of [...Object.keys(VERSION_IN), ...PLATFORM_MANIFESTS]) {
    for (const [version] of (await read(path)).matchAll(versionIn(path))) found.push([path, version]);
  }
  found.push(
    ["package-lock.json", lock.version],
    ['package-lock.json, packages[""]', lock.packages[""].version],
    ["Cargo.lock", /name = "hashline"\nversion = "(.+)"/.exec(await read("Cargo.lock"))?.[1]],
    ["man/hashline.1", /"hashline (.+)"/.exec(await read("man/hashline.1"))?.[1]],
  );
  if (existsSync(join(root, "server.json"))) found.push(["server.json", (await json("server.json")).version]);
  return found;
}

/** The text of a file that repeats the version, with another one. */
export function withVersion(path, text, version) {
  if (text.search(versionIn(path)) < 0) throw new Error(`${path} has no version`);
  return text.replaceAll(versionIn(path), version);
}

/** The changelog with a heading for a release over what was unreleased. */
export function withRelease(changes, version, date) {
  const heading = "## [Unreleased]\n";
  if (!changes.includes(heading)) throw new Error("CHANGELOG.md has no section `## [Unreleased]`");
  return changes.replace(heading, `${heading}\n## [${version}] - ${date}\n`);
}

/** Puts a version into every file that a person writes; the others are made of those. */
async function setVersion(version) {
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) throw new Error("say the version as X.Y.Z");
  if ((await read("CHANGELOG.md")).includes(`\n## [${version}]`))
    throw new Error(`CHANGELOG.md has a section \`## [${version}]\` already`);
  const write = async (path, text) => writeFile(join(root, path), text);
  for (const path of [...Object.keys(VERSION_IN), ...PLATFORM_MANIFESTS]) {
    await write(path, withVersion(path, await read(path), version));
  }
  const today = new Date().toISOString().slice(0, 10);
  await write("CHANGELOG.md", withRelease(await read("CHANGELOG.md"), version, today));
  step("now `npm run lock && npm run build:docs`, which make the lock files and man pages anew");
}

/**
 * Throws unless all versions agree; with a tag, also unless it is that version's, CHANGELOG has it, and
 * GitHub runs this in the repository that package.json names.
 */
export async function check(tag, repository = process.env.GITHUB_REPOSITORY) {
  const [[, version], ...others] = await versions();
  const wrong = others.filter(([, other]) => other !== version);
  if (wrong.length > 0) {
    const list = wrong.map(([place, other]) => `${place}: ${other}`).join("\n  ");
    throw new Error(`package.json is ${version}, but\n  ${list}`);
  }
  if (tag !== undefined) {
    if (tag !== `v${version}`) throw new Error(`the tag is ${tag}, but the version is ${version}`);
    const { url } = (await json("package.json")).repository;
    if (repository !== undefined && !url.endsWith(`/${repository}.git`))
      throw new Error(`package.json names ${url}, but this is ${repository}`);
    const changes = await read("CHANGELOG.md");
    // pi shows the sections of an update by headings in this form.
    if (!changes.includes(`\n## [${version}]`))
      throw new Error(`CHANGELOG.md has no section \`## [${version}]\``);
  }
  return version;
}

/** The tarballs in dist/, the main package's last: it cannot be installed before its platforms are there. */
export function tarballs() {
  const packed = readdirSync(DIST).filter((file) => file.endsWith(".tgz"));
  const isMainPackage = (file) => !TARGETS.some(({ platform }) => file.startsWith(`${name}-${platform}-`));
  return [...packed.filter((file) => !isMainPackage(file)), ...packed.filter(isMainPackage)].map((file) =>
    join(DIST, file),
  );
}

/**
 * Publishes a tarball, unless the registry has exactly that one: a release that was interrupted can be
 * run again. Another one under the same version is an error. Answers whether it was published.
 */
export async function publishOnce(tarball, flags = [], settings = []) {
  const manifest = JSON.parse(await must("tar", ["xzOf", tarball, "package/package.json"], { quiet: true }));
  const wanted = `${manifest.name}@${manifest.version}`;
  const args = ["view", wanted, "dist.integrity", ...settings];
  const { code, text } = await run(npm, args, { quiet: true, mayFail: true });
  const known = code === 0 ? /sha512-\S+/.exec(text)?.[0] : undefined;
  if (known === undefined) {
    await must(npm, ["publish", tarball, "--access", "public", ...flags, ...settings], { quiet: true });
    return true;
  }
  const own = createHash("sha512")
    .update(await readFile(tarball))
    .digest("base64");
  if (known !== `sha512-${own}`) throw new Error(`${wanted} is published already, with another content`);
  return false;
}

/** Under which of npm's tags a version is published: who installs without naming a version gets `latest`. */
export function tagOf(version) {
  return version.includes("-") ? "next" : "latest";
}

async function publish(dryRun) {
  const version = await check();
  const packed = tarballs();
  const tag = ["--tag", tagOf(version)];
  const wanted = TARGETS.length + 1;
  if (packed.length !== wanted && !dryRun)
    throw new Error(`${packed.length} of ${wanted} packages are in dist/`);
  for (const tarball of packed) {
    step(`npm publish ${basename(tarball)}${dryRun ? " (dry run)" : ""}`);
    if (dryRun) await must(npm, ["publish", tarball, "--access", "public", ...tag, "--dry-run"]);
    else if (!(await publishOnce(tarball, [...tag, "--provenance"]))) step("it is published already");
  }
  step(`${packed.length} packages of ${version}${dryRun ? ", none published" : ""}`);
}

/** What CHANGELOG.md says about a version, without its heading; of an unreleased one, what is to come. */
export function notesOf(changes, version) {
  const sections = changes.split(/^## /m).slice(1);
  const section =
    sections.find((text) => text.startsWith(`[${version}]`)) ??
    sections.find((text) => text.startsWith("[Unreleased]"));
  if (!section) throw new Error(`CHANGELOG.md has no section for ${version}`);
  return `${section.slice(section.indexOf("\n")).trim()}\n`;
}

const sha256 = async (path) =>
  createHash("sha256")
    .update(await readFile(path))
    .digest("hex");

/** Packs the program of each platform, and writes SHA256SUMS, sbom.cdx.json and the formula. */
async function assets() {
  const version = await check();
  const place = join(DIST, "release");
  await mkdir(place, { recursive: true });
  const sums = {};
  for (const target of TARGETS.filter(isBuilt)) {
    const archive = `hashline-${version}-${target.platform}.tar.gz`;
    const { program } = packageFiles(target);
    const files = ["-C", dirname(program), basename(program), "-C", root, "man", "completions", "LICENSE"];
    await must("tar", ["czf", join(place, archive), ...files]);
    sums[archive] = await sha256(join(place, archive));
  }
  const { repository } = await json("package.json");
  await writeFile(
    join(place, "sbom.cdx.json"),
    `${JSON.stringify(sbom(await crates(), version), null, 2)}\n`,
  );
  const files = ["sbom.cdx.json"];
  try {
    const template = await read("packaging/homebrew/hashline.rb");
    await writeFile(join(place, "hashline.rb"), formula(template, version, repository.url, sums));
    files.push("hashline.rb");
  } catch (error) {
    // The release does not wait for the formula.
    step(`no Homebrew formula: ${error.message}`);
  }
  for (const file of files) sums[file] = await sha256(join(place, file));
  for (const tarball of tarballs()) sums[basename(tarball)] = await sha256(tarball);
  await writeFile(join(DIST, "notes.md"), notesOf(await read("CHANGELOG.md"), version));
  const lines = Object.entries(sums).map(([file, sum]) => `${sum}  ${file}`);
  await writeFile(join(place, "SHA256SUMS"), `${lines.join("\n")}\n`);
  step(`${lines.length} files in dist/release/SHA256SUMS`);
}

/** The committed formula with another version, repository and checksums; throws if one is missing. */
export function formula(template, version, repository, sums) {
  const home = repository.replace(/^git\+/, "").replace(/\.git$/, "");
  return template
    .replace(/^ {2}version ".*"$/m, `  version "${version}"`)
    .replace(/^ {2}homepage "(.*)"$/m, `  homepage "${home}"`)
    .replace(/url ".*\/hashline-#\{version\}-([\w-]+)\.tar\.gz"(\s+)sha256 ".*"/g, (_, platform, space) => {
      const sum = sums[`hashline-${version}-${platform}.tar.gz`];
      if (sum === undefined) throw new Error(`there is no archive for ${platform}`);
      const archive = `hashline-#{version}-${platform}.tar.gz`;
      return `url "${home}/releases/download/v#{version}/${archive}"${space}sha256 "${sum}"`;
    });
}

if (isMain(import.meta.url)) {
  await script(async () => {
    const [command, argument] = process.argv.slice(2);
    switch (command) {
      case "version":
        return setVersion(argument ?? "");
      case "check":
        return step(`version ${await check(argument)} everywhere`);
      case "assets":
        return assets();
      case "publish":
        return publish(argument === "--dry-run");
      case "--refuse-here":
        throw new Error(
          "published are the packages of `npm run pack`, not this directory: see docs/releasing.md",
        );
      default:
        throw new Error("say `version`, `check`, `assets` or `publish`");
    }
  });
}
