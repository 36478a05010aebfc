// Checks that the files in dist/ are one release: every package, its name, version and sums, and all that repeats them.
//
// `node scripts/release/release.mjs verify` runs it before publishing, in the workflow and in the rehearsal.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { TARGETS } from "../lab/platforms/targets.mjs";
import { DIST, tarballs } from "../pack.mjs";
import { root, run } from "../run.mjs";
import { formula, manifestIn, notesOf, purl, releaseIn, sum } from "./assets.mjs";
import { name, platformPackage } from "./name.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");

/** The file name that npm gives to the tarball of a package. */
const tarballOf = (packageName, version) =>
  `${packageName.replace("@", "").replace("/", "-")}-${version}.tgz`;

/**
 * Everything that disagrees in dist/, a sentence each. Packages of `absent` platforms, which this machine could not
 * build, may be missing.
 */
export async function problems(version, absent = [], dist = DIST) {
  const platforms = TARGETS.map(({ platform }) => platform);
  const built = platforms.filter((platform) => !absent.includes(platform));
  /** The manifest of each tarball; undefined if the tarball cannot be read. */
  const manifests = new Map();
  for (const path of tarballs(dist)) manifests.set(path, await manifestIn(path).catch(() => undefined));
  return [
    ...(await inPackages(version, platforms, built, manifests)),
    ...inStatement(manifests, dist),
    ...inSums(dist),
    ...inFormula(version, absent, dist),
    ...inOthers(version, dist),
  ];
}

/** Checks each platform's package and the main one: name, version, content, and references to each other. */
async function inPackages(version, platforms, built, manifests) {
  const found = [];
  const say = (condition, text) => condition || found.push(text);
  const wanted = [name, ...built.map(platformPackage)];
  const files = wanted.map((one) => tarballOf(one, version));
  for (const [path, manifest] of manifests) {
    const file = basename(path);
    if (!files.includes(file)) {
      found.push(`${file} is no package of ${version}`);
      continue;
    }
    if (!manifest) {
      found.push(`${file} cannot be read`);
      continue;
    }
    const own = wanted[files.indexOf(file)];
    say(manifest.name === own, `${file} is called ${manifest.name}, not ${own}`);
    say(manifest.version === version, `${file} is version ${manifest.version}, not ${version}`);
    if (own === name) {
      const optional = Object.fromEntries(platforms.map((platform) => [platformPackage(platform), version]));
      const named = manifest.optionalDependencies ?? {};
      for (const one of new Set([...Object.keys(optional), ...Object.keys(named)]))
        say(named[one] === optional[one], `${file} asks for ${one} ${named[one]}, not ${optional[one]}`);
    } else {
      const { text } = await run("tar", ["tzf", path], { quiet: true });
      say(text.includes(`package/${manifest.main}\n`), `${file} has no binary`);
    }
  }
  const names = [...manifests.keys()].map((path) => basename(path));
  for (const file of files) say(names.includes(file), `${file} is not in dist/`);
  return found;
}

/** Compares the subjects of the in-toto statement with the files that they name. */
function inStatement(manifests, dist) {
  const path = join(releaseIn(dist), "provenance.intoto.json");
  if (!existsSync(path)) return ["there is no in-toto statement"];
  const files = new Map();
  for (const [path, manifest] of manifests) if (manifest) files.set(purl(manifest), path);
  for (const file of readdirSync(releaseIn(dist)).filter((file) => file.endsWith(".tar.gz")))
    files.set(file, join(releaseIn(dist), file));
  const found = [];
  for (const { name: subject, digest } of JSON.parse(readFileSync(path, "utf8")).subject) {
    const file = files.get(subject);
    files.delete(subject);
    if (!file) found.push(`the statement names ${subject}, which is not there`);
    else
      for (const [algorithm, value] of Object.entries(digest))
        if (sum(file, algorithm) !== value)
          found.push(`the statement has another ${algorithm} of ${subject}`);
  }
  return [...found, ...[...files.keys()].map((subject) => `the statement does not name ${subject}`)];
}

/** Compares SHA256SUMS with the files. */
function inSums(dist) {
  const path = join(releaseIn(dist), "SHA256SUMS");
  if (!existsSync(path)) return ["there is no SHA256SUMS"];
  const places = [
    ...tarballs(dist),
    ...readdirSync(releaseIn(dist)).map((file) => join(releaseIn(dist), file)),
  ];
  const files = new Map(places.map((place) => [basename(place), place]));
  files.delete("SHA256SUMS");
  const found = [];
  for (const line of readFileSync(path, "utf8").trim().split("\n")) {
    const [value, file] = line.split("  ");
    if (!files.has(file)) found.push(`SHA256SUMS names ${file}, which is not there`);
    else if (sum(files.get(file)) !== value) found.push(`SHA256SUMS has another sum of ${file}`);
    files.delete(file);
  }
  return [...found, ...[...files.keys()].map((file) => `SHA256SUMS does not name ${file}`)];
}

/** Compares the formula with the archives of the platforms that were built. */
function inFormula(version, absent, dist) {
  const path = join(releaseIn(dist), "hashline.rb");
  const template = read("packaging/homebrew/hashline.rb");
  const platforms = [...template.matchAll(/hashline-#\{version\}-([\w-]+)\.tar\.gz/g)]
    .map(([, one]) => one)
    .filter((one) => !absent.includes(one));
  if (!existsSync(path)) return ["there is no Homebrew formula"];
  const archives = readdirSync(releaseIn(dist)).filter((file) => file.endsWith(".tar.gz"));
  const sums = Object.fromEntries(archives.map((file) => [file, sum(join(releaseIn(dist), file))]));
  const { url } = JSON.parse(read("package.json")).repository;
  const lacking = platforms.find((one) => !archives.includes(`hashline-${version}-${one}.tar.gz`));
  if (lacking) return [`the Homebrew formula names an archive for ${lacking}, which is not there`];
  const same = formula(template, version, url, sums, absent) === readFileSync(path, "utf8");
  return same ? [] : ["the Homebrew formula has another version, address or sum than the archives"];
}

/** Checks the SBOM and the notes. */
function inOthers(version, dist) {
  const { metadata } = JSON.parse(readFileSync(join(releaseIn(dist), "sbom.cdx.json"), "utf8"));
  const notes = readFileSync(join(dist, "notes.md"), "utf8");
  return [
    ...(metadata.component.version === version ? [] : [`the SBOM is of ${metadata.component.version}`]),
    ...(notes === notesOf(read("CHANGELOG.md"), version) ? [] : ["the notes are not CHANGELOG.md's section"]),
  ];
}
