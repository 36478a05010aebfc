// The files of a release besides the tarballs: archives, checksums, SBOM, formula, provenance statement, notes.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isBuilt, packageFiles, TARGETS } from "../lab/platforms/targets.mjs";
import { DIST, tarballs } from "../pack.mjs";
import { must, outputOf, root, run, step } from "../run.mjs";
import { crates, sbom } from "./crates.mjs";
import { homeOf } from "./name.mjs";

/** The directory of these files. */
export const releaseIn = (dist) => join(dist, "release");

/** The text of a file of the repository. */
const read = (path) => readFile(join(root, path), "utf8");

/** The checksum of a file, in hexadecimal digits or another encoding. */
export const sum = (path, algorithm = "sha256", encoding = "hex") =>
  createHash(algorithm).update(readFileSync(path)).digest(encoding);

/** CHANGELOG.md's section for a version, or else the unreleased one, without its heading and link addresses. */
export function notesOf(changes, version) {
  const sections = changes.split(/^## /m).slice(1);
  const section =
    sections.find((text) => text.startsWith(`[${version}]`)) ??
    sections.find((text) => text.startsWith("[Unreleased]"));
  if (!section) throw new Error(`CHANGELOG.md has no section for ${version}`);
  const notes = section.slice(section.indexOf("\n")).replaceAll(/^\[[^\]]+\]: .*$/gm, "");
  return `${notes.trim()}\n`;
}

/**
 * The committed formula with another version, repository and checksums; throws if a checksum is missing. Platforms of
 * `absent`, which a rehearsal could not build, are left out.
 */
export function formula(template, version, repository, sums, absent = []) {
  const home = homeOf(repository);
  const isAbsent = (block) => absent.some((platform) => block.includes(`-${platform}.tar.gz`));
  return template
    .replace(/^ {4}on_\w+ do\n(?: {6}.*\n)+ {4}end\n/gm, (block) => (isAbsent(block) ? "" : block))
    .replace(/^ {2}on_\w+ do\n {2}end\n\n/gm, "")
    .replace(/^ {2}version ".*"$/m, `  version "${version}"`)
    .replace(/^ {2}homepage "(.*)"$/m, `  homepage "${home}"`)
    .replace(/url ".*\/hashline-#\{version\}-([\w-]+)\.tar\.gz"(\s+)sha256 ".*"/g, (_, platform, space) => {
      const sum = sums[`hashline-${version}-${platform}.tar.gz`];
      if (sum === undefined) throw new Error(`there is no archive for ${platform}`);
      const archive = `hashline-#{version}-${platform}.tar.gz`;
      return `url "${home}/releases/download/v#{version}/${archive}"${space}sha256 "${sum}"`;
    });
}

/** The manifest in a tarball. */
export async function manifestIn(tarball) {
  return JSON.parse(await outputOf("tar", ["xzOf", tarball, "package/package.json"]));
}

/** The package URL of a version of an npm package, by which a statement names it. */
export const purl = ({ name, version }) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

/**
 * An in-toto statement: the digests of the files that were made, from which sources, by which workflow. This one is
 * not signed; npm and GitHub sign statements with the same digests when the workflow publishes.
 */
export function statement(subject, repository, commit, ref, run) {
  const home = homeOf(repository);
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject,
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "https://actions.github.io/buildtypes/workflow/v1",
        externalParameters: { workflow: { ref, repository: home, path: ".github/workflows/release.yml" } },
        resolvedDependencies: [{ uri: `git+${home}@${ref}`, digest: { gitCommit: commit } }],
      },
      runDetails: {
        builder: { id: run ? "https://github.com/actions/runner/github-hosted" : "a rehearsal" },
        metadata: { invocationId: run ? `${home}/actions/runs/${run}` : "a rehearsal" },
      },
    },
  };
}

/** Every file of the release as a subject of the statement; npm names its packages by their purl and SHA-512. */
async function subjects(archives, dist) {
  const files = archives.map((path) => ({ name: basename(path), digest: { sha256: sum(path) } }));
  const packages = tarballs(dist).map(async (path) => ({
    name: purl(await manifestIn(path)),
    digest: { sha256: sum(path), sha512: sum(path, "sha512") },
  }));
  return [...files, ...(await Promise.all(packages))];
}

/** Packs the program of each platform that is built; returns the archives. */
export async function writeArchives(version) {
  await mkdir(releaseIn(DIST), { recursive: true });
  const made = [];
  for (const target of TARGETS.filter(isBuilt)) {
    const path = join(releaseIn(DIST), `hashline-${version}-${target.platform}.tar.gz`);
    const { program } = packageFiles(target);
    const files = ["-C", dirname(program), basename(program), "-C", root, "man", "completions", "LICENSE"];
    await must("tar", ["czf", path, ...files]);
    made.push(path);
  }
  return made;
}

/** Writes the other files of the release; `absent` are the platforms without an archive. */
export async function writeAssets(version, archives, dist = DIST, absent = []) {
  const { repository } = JSON.parse(await read("package.json"));
  const write = async (file, content) => {
    const text = typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`;
    await writeFile(join(releaseIn(dist), file), text);
    return join(releaseIn(dist), file);
  };
  const files = [...archives, await write("sbom.cdx.json", sbom(await crates(), version))];
  try {
    const sums = Object.fromEntries(archives.map((path) => [basename(path), sum(path)]));
    const template = await read("packaging/homebrew/hashline.rb");
    files.push(await write("hashline.rb", formula(template, version, repository.url, sums, absent)));
  } catch (error) {
    // A release can be made without the formula.
    step(`no Homebrew formula: ${error.message}`);
  }
  const { GITHUB_REF: ref = `refs/tags/v${version}`, GITHUB_RUN_ID: run } = process.env;
  const made = statement(await subjects(archives, dist), repository.url, await commit(), ref, run);
  files.push(await write("provenance.intoto.json", made));
  await writeFile(join(dist, "notes.md"), notesOf(await read("CHANGELOG.md"), version));
  const lines = [...files, ...tarballs(dist)].map((path) => `${sum(path)}  ${basename(path)}`);
  await write("SHA256SUMS", `${lines.join("\n")}\n`);
  step(`${lines.length} files in dist/release/SHA256SUMS`);
}

/** The commit that is released. */
async function commit() {
  const { code, text } = await run("git", ["rev-parse", "HEAD"], { quiet: true, mayFail: true });
  return process.env.GITHUB_SHA ?? (code === 0 ? text.trim() : "unknown");
}
