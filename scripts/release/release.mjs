// The steps of a release besides building and testing. docs/releasing.md has them in order.
//
//   node scripts/release/release.mjs version X.Y.Z      writes a new version everywhere, and dates it in CHANGELOG.md
//   node scripts/release/release.mjs check [TAG]        checks that all names, versions and the tag, if given, agree
//   node scripts/release/release.mjs assets             writes checksums, SBOM, formula and notes into dist/
//   node scripts/release/release.mjs verify [--whole]   checks that dist/ agrees; --whole: and has every platform
//   node scripts/release/release.mjs publish [--dry-run]   npm publish: platforms first, then the main package

import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { isBuilt, TARGETS } from "../lab/platforms/targets.mjs";
import { tarballs } from "../pack.mjs";
import { isMain, must, npm, root, run, script, step } from "../run.mjs";
import { manifestIn, sum, writeArchives, writeAssets } from "./assets.mjs";
import { name, platformPackage, textFiles } from "./name.mjs";
import { problems } from "./verify.mjs";

export { formula, notesOf } from "./assets.mjs";

const read = (path) => readFile(join(root, path), "utf8");
const json = async (path) => JSON.parse(await read(path));

/**
 * Matches the version in each file that repeats it. A file has it once, or several times with the same
 * version.
 */
const VERSION_IN = {
  "package.json": /(?<=^ {2}"version": ")[^"]+/gm,
  "Cargo.toml": /(?<=^version = ")[^"]+/gm,
  "js/loader.js": /(?<=VERSION = ")[^"]+/g,
};
const PLATFORM_MANIFESTS = TARGETS.map(({ platform }) => `npm/${platform}/package.json`);
/** Matches the paths of manifests for plugins, marketplaces and registries of other agents. */
const AGENT_MANIFEST = /(?:^|\/)(?:plugin|marketplace|server|gemini-extension)\.json$/;
const versionIn = (path) =>
  VERSION_IN[path] ?? (AGENT_MANIFEST.test(path) ? /(?<="version": ")[^"]+/g : VERSION_IN["package.json"]);

const hasVersion = (path) => readFileSync(join(root, path), "utf8").search(versionIn(path)) >= 0;

/** The files whose version `setVersion` writes; tools derive the version in all others. */
const versionedFiles = () => [
  ...Object.keys(VERSION_IN),
  ...PLATFORM_MANIFESTS,
  ...textFiles().filter((path) => AGENT_MANIFEST.test(path) && hasVersion(path)),
];

/** Every place that has a version, with its version. */
export async function versions() {
  const lock = await json("package-lock.json");
  const found = [];
  for (const path of versionedFiles()) {
    for (const [version] of (await read(path)).matchAll(versionIn(path))) found.push([path, version]);
  }
  found.push(
    ["package-lock.json", lock.version],
    ['package-lock.json, packages[""]', lock.packages[""].version],
    ["Cargo.lock", /name = "hashline"\nversion = "(.+)"/.exec(await read("Cargo.lock"))?.[1]],
    ["man/hashline.1", /"hashline (.+)"/.exec(await read("man/hashline.1"))?.[1]],
  );
  return found;
}

/** Every place from which installers or the loader take a package's name, with its name and the right one. */
export async function names() {
  const lock = await json("package-lock.json");
  const found = [
    ["package-lock.json", lock.name, name],
    ['package-lock.json, packages[""]', lock.packages[""].name, name],
    ["js/loader.js", /^const NAME = "(.+)";$/m.exec(await read("js/loader.js"))?.[1], name],
  ];
  for (const { platform } of TARGETS) {
    const path = `npm/${platform}/package.json`;
    found.push([path, (await json(path)).name, platformPackage(platform)]);
  }
  return found;
}

/** The text of a file that repeats the version, with another version. */
export function withVersion(path, text, version) {
  if (text.search(versionIn(path)) < 0) throw new Error(`${path} has no version`);
  return text.replaceAll(versionIn(path), version);
}

/** The changelog with a dated heading: above the unreleased changes, or in place of a heading without a date. */
export function withRelease(changes, version, date) {
  const heading = "## [Unreleased]\n";
  if (!changes.includes(heading)) throw new Error("CHANGELOG.md has no section `## [Unreleased]`");
  const dated = `## [${version}] - ${date}\n`;
  const prepared = `## [${version}]\n`;
  if (!changes.includes(prepared)) return changes.replace(heading, `${heading}\n${dated}`);
  if (!changes.includes(`${heading}\n${prepared}`))
    throw new Error(`CHANGELOG.md: move what is unreleased into \`## [${version}]\``);
  return changes.replace(prepared, dated);
}

/** Writes a version into the `versionedFiles`, and today's date into CHANGELOG.md. */
async function setVersion(version) {
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) throw new Error("say the version as X.Y.Z");
  if ((await read("CHANGELOG.md")).includes(`\n## [${version}] - `))
    throw new Error(`CHANGELOG.md has a section \`## [${version}]\` already`);
  const write = async (path, text) => writeFile(join(root, path), text);
  for (const path of versionedFiles()) {
    await write(path, withVersion(path, await read(path), version));
  }
  const today = new Date().toISOString().slice(0, 10);
  await write("CHANGELOG.md", withRelease(await read("CHANGELOG.md"), version, today));
  step("now `npm install --package-lock-only && npm run build:docs`: lock files and man pages");
}

/**
 * Throws unless all names and versions agree; with a tag, also unless the tag is for that version, CHANGELOG has the
 * version with a date, and GitHub runs this in the repository that package.json names. Returns the version.
 */
export async function check(tag, repository = process.env.GITHUB_REPOSITORY) {
  const [[, version], ...others] = await versions();
  const list = (wrong) => wrong.map(([place, other]) => `${place}: ${other}`).join("\n  ");
  const wrong = others.filter(([, other]) => other !== version);
  if (wrong.length > 0) throw new Error(`package.json is ${version}, but\n  ${list(wrong)}`);
  const misnamed = (await names()).filter(([, found, wanted]) => found !== wanted);
  if (misnamed.length > 0) throw new Error(`package.json is called ${name}, but\n  ${list(misnamed)}`);
  if (tag !== undefined) {
    if (tag !== `v${version}`) throw new Error(`the tag is ${tag}, but the version is ${version}`);
    const { url } = (await json("package.json")).repository;
    if (repository !== undefined && !url.endsWith(`/${repository}.git`))
      throw new Error(`package.json names ${url}, but this is ${repository}`);
    const changes = await read("CHANGELOG.md");
    // pi shows the sections of an update by headings in this form.
    if (!changes.includes(`\n## [${version}] - `))
      throw new Error(`CHANGELOG.md has no section \`## [${version}]\` with a date`);
  }
  return version;
}

/**
 * Publishes a tarball unless the registry has it already, so that an interrupted release can be run again.
 * Other content under the same version is an error. Returns whether it published the tarball.
 */
export async function publishOnce(tarball, flags = [], settings = []) {
  const manifest = await manifestIn(tarball);
  const wanted = `${manifest.name}@${manifest.version}`;
  const args = ["view", wanted, "dist.integrity", ...settings];
  const { code, text } = await run(npm, args, { quiet: true, mayFail: true });
  const known = code === 0 ? /sha512-\S+/.exec(text)?.[0] : undefined;
  if (known === undefined) {
    await must(npm, ["publish", tarball, "--access", "public", ...flags, ...settings], { quiet: true });
    return true;
  }
  if (known !== `sha512-${sum(tarball, "sha512", "base64")}`)
    throw new Error(`${wanted} is published already, with another content`);
  return false;
}

/** The tag under which npm lists a version. An install that names no version gets `latest`. */
export function tagOf(version) {
  return version.includes("-") ? "next" : "latest";
}

/** The first version of npm that can publish from a trusted workflow without a token. */
const OIDC_SINCE = "11.5.1";

/**
 * Throws unless npm can publish here without a token: GitHub vouches for the workflow that it runs, and npm trusts
 * it. npm itself would only say that nobody is logged in.
 */
export function refuseStranger(npmVersion, environment) {
  const order = npmVersion.localeCompare(OIDC_SINCE, "en", { numeric: true });
  if (order < 0)
    throw new Error(`npm ${npmVersion} cannot publish without a token: ${OIDC_SINCE} or later can`);
  if (environment.ACTIONS_ID_TOKEN_REQUEST_URL) return;
  throw new Error(
    "only release.yml publishes, by a job with `permissions: id-token: write`: see docs/releasing.md",
  );
}

async function publish(dryRun) {
  const version = await check();
  if (!dryRun) refuseStranger((await must(npm, ["--version"], { quiet: true })).trim(), process.env);
  const packed = tarballs();
  const tag = ["--tag", tagOf(version)];
  const wanted = TARGETS.length + 1;
  if (packed.length !== wanted && !dryRun)
    throw new Error(`${packed.length} of ${wanted} packages are in dist/`);
  for (const tarball of packed) {
    step(`npm publish ${basename(tarball)}${dryRun ? " (dry run)" : ""}`);
    if (dryRun) await must(npm, ["publish", tarball, "--access", "public", ...tag, "--dry-run"]);
    else if (!(await publishOnce(tarball, tag))) step("it is published already");
  }
  step(`${packed.length} packages of ${version}${dryRun ? ", none published" : ""}`);
}

async function assets() {
  const version = await check();
  await writeAssets(version, await writeArchives(version), undefined, notBuilt());
}

/** The platforms without a binary on this machine. */
const notBuilt = () => TARGETS.filter((target) => !isBuilt(target)).map(({ platform }) => platform);

/** Throws unless everything in dist/ agrees, and prints which platforms are left out. */
export async function verify(whole) {
  const version = await check();
  const absent = whole ? [] : notBuilt();
  const found = await problems(version, absent);
  if (found.length > 0) throw new Error(`dist/ is no release:\n  ${found.join("\n  ")}`);
  const without = absent.length > 0 ? `; left out: ${absent.join(", ")}` : "";
  step(`dist/ agrees: ${tarballs().length} packages of ${version}${without}`);
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
      case "verify":
        return verify(argument === "--whole");
      case "publish":
        return publish(argument === "--dry-run");
      case "--refuse-here":
        throw new Error("publish the packages of `npm run pack`, not this directory: see docs/releasing.md");
      default:
        throw new Error("say `version`, `check`, `assets`, `verify` or `publish`");
    }
  });
}
