// `verify` names every file in dist/ whose name, version or checksum differs from the rest.

import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { TARGETS } from "../scripts/lab/platforms/targets.mjs";
import { purl, sum, writeAssets } from "../scripts/release/assets.mjs";
import { checklist } from "../scripts/release/dry-run.mjs";
import { name, platformPackage } from "../scripts/release/name.mjs";
import { check, names, refuseStranger } from "../scripts/release/release.mjs";
import { NAMES, trustCommand } from "../scripts/release/trust.mjs";
import { problems } from "../scripts/release/verify.mjs";
import { must, root, showOn } from "../scripts/run.mjs";

const FORMULA = ["darwin-arm64", "darwin-x64", "linux-arm64-gnu", "linux-x64-gnu"];

let place, version, dist, archives;
before(async () => {
  showOn({ step() {}, out() {}, err() {} });
  version = await check();
  place = mkdtempSync(join(tmpdir(), "hashline-verify-"));
});
after(() => rmSync(place, { recursive: true, maxRetries: 10 }));
beforeEach(() => {
  dist = mkdtempSync(join(place, "dist-"));
  mkdirSync(join(dist, "release"));
});

/** Writes a tarball as npm would, with a manifest and an empty binary. */
async function tarball(manifest, { binary = manifest.main } = {}) {
  const directory = mkdtempSync(join(place, "package-"));
  mkdirSync(join(directory, "package"));
  const write = (file, text) => writeFileSync(join(directory, "package", file), text);
  write("package.json", JSON.stringify(manifest));
  if (binary) write(binary, "");
  const path = join(dist, `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`);
  await must("tar", ["czf", path, "-C", directory, "package"]);
  return path;
}

const platformManifest = (platform, changed = {}) => ({
  name: platformPackage(platform),
  version,
  main: `hashline.${platform}.node`,
  ...changed,
});

const mainManifest = () => ({
  name,
  version,
  optionalDependencies: Object.fromEntries(
    TARGETS.map(({ platform }) => [platformPackage(platform), version]),
  ),
});

/** A whole release of empty packages. */
async function release() {
  for (const { platform } of TARGETS) await tarball(platformManifest(platform));
  await tarball(mainManifest());
  archives = FORMULA.map((platform) => join(dist, "release", `hashline-${version}-${platform}.tar.gz`));
  for (const path of archives) writeFileSync(path, basename(path));
  await writeAssets(version, archives, dist);
}

const found = (absent) => problems(version, absent, dist);
const file = (platform) => join(dist, `${name}-${platform}-${version}.tgz`);
const rewrite = (path, from, to) => {
  const text = readFileSync(path, "utf8");
  assert.ok(text.includes(from), `${path} has ${from}`);
  writeFileSync(path, text.replaceAll(from, to));
};

test("a whole release agrees", async () => {
  await release();
  assert.deepEqual(await found(), []);
  const { _type, subject } = JSON.parse(readFileSync(join(dist, "release/provenance.intoto.json"), "utf8"));
  assert.equal(_type, "https://in-toto.io/Statement/v1");
  assert.equal(subject.length, TARGETS.length + 1 + FORMULA.length);
  const main = subject.find((one) => one.name === purl({ name, version }));
  assert.match(main.digest.sha512, /^[0-9a-f]{128}$/);
});

test("a package that is missing, misnamed, of another version or without its binary is named", async () => {
  await release();
  rmSync(file("darwin-x64"));
  await tarball(platformManifest("freebsd-x64"), { binary: "README.md" });
  renameSync(file("win32-x64-msvc"), `${file("win32-x64-msvc")}.tgz`);
  const wrong = await tarball(platformManifest("linux-x64-musl", { name: "@x/linux-x64-musl" }));
  renameSync(wrong, file("linux-x64-musl"));
  const old = await tarball(platformManifest("linux-x64-gnu", { version: "0.0.9" }));
  renameSync(old, file("linux-x64-gnu"));
  const list = (await found()).join("\n");
  for (const part of [
    `${name}-darwin-x64-${version}.tgz is not in dist/`,
    `${name}-freebsd-x64-${version}.tgz has no binary`,
    `${name}-win32-x64-msvc-${version}.tgz.tgz is no package of ${version}`,
    `is called @x/linux-x64-musl, not ${platformPackage("linux-x64-musl")}`,
    `${name}-linux-x64-gnu-${version}.tgz is version 0.0.9, not ${version}`,
  ]) {
    assert.ok(list.includes(part), `${part}\nis not in\n${list}`);
  }
});

test("a platform that this machine could not build may be absent, but not in the workflow", async () => {
  await release();
  rmSync(file("android-arm64"));
  await writeAssets(version, archives, dist);
  assert.deepEqual(await found(["android-arm64"]), []);
  assert.deepEqual(await found(), [`${name}-android-arm64-${version}.tgz is not in dist/`]);
});

test("the main package must depend on exactly the packages of this release", async () => {
  await release();
  const manifest = mainManifest();
  manifest.optionalDependencies[platformPackage("darwin-x64")] = "^0.0.1";
  delete manifest.optionalDependencies[platformPackage("linux-x64-gnu")];
  manifest.optionalDependencies[`${name}-linux-x64-gnu`] = version;
  await tarball(manifest);
  await writeAssets(version, archives, dist);
  assert.equal((await found()).length, 3);
});

test("checksums that do not match the files are named, in every file that repeats them", async () => {
  await release();
  await tarball(platformManifest("darwin-arm64", { os: ["darwin"] }));
  writeFileSync(file("darwin-x64"), "no tarball");
  appendFileSync(archives[0], "x");
  const list = (await found()).join("\n");
  for (const part of [
    "the statement has another sha512 of pkg:npm/",
    `${basename(file("darwin-x64"))} cannot be read`,
    `the statement has another sha256 of ${basename(archives[0])}`,
    `SHA256SUMS has another sum of ${basename(archives[0])}`,
    `SHA256SUMS has another sum of ${basename(file("darwin-arm64"))}`,
    "the Homebrew formula has another version, address or sum",
  ]) {
    assert.ok(list.includes(part), `${part}\nis not in\n${list}`);
  }
});

test("extra and missing files in the checksums and the statement are named", async () => {
  await release();
  writeFileSync(join(dist, "release", `hashline-${version}-linux-x64-musl.tar.gz`), "");
  rmSync(archives[0]);
  const list = (await found()).join("\n");
  assert.match(list, /the statement names \S+darwin-arm64\.tar\.gz, which is not there/);
  assert.match(list, /the statement does not name \S+linux-x64-musl/);
  assert.match(list, /SHA256SUMS names \S+darwin-arm64\.tar\.gz, which is not there/);
  assert.match(list, /SHA256SUMS does not name \S+linux-x64-musl/);
  assert.match(list, /formula names an archive for darwin-arm64, which is not there/);
});

test("a formula, an SBOM or notes of another release are named", async () => {
  await release();
  rewrite(join(dist, "release/hashline.rb"), `version "${version}"`, 'version "0.0.9"');
  rewrite(join(dist, "release/sbom.cdx.json"), `"version": "${version}"`, '"version": "0.0.9"');
  writeFileSync(join(dist, "notes.md"), "other\n");
  const list = (await found()).filter((text) => !text.startsWith("SHA256SUMS"));
  assert.deepEqual(list, [
    "the Homebrew formula has another version, address or sum than the archives",
    "the SBOM is of 0.0.9",
    "the notes are not CHANGELOG.md's section",
  ]);
});

test("a rehearsal's formula has only the platforms that were built, with their checksums", async () => {
  await release();
  const absent = ["darwin-arm64", "darwin-x64", "linux-arm64-gnu"];
  for (const [at, platform] of absent.entries()) {
    rmSync(archives[at]);
    rmSync(file(platform));
  }
  await writeAssets(version, archives.slice(3), dist, absent);
  assert.deepEqual(await found(absent), []);
  const text = readFileSync(join(dist, "release/hashline.rb"), "utf8");
  assert.deepEqual(
    [...text.matchAll(/sha256 "(.*)"/g)].map(([, found]) => found),
    [sum(archives[3])],
  );
  assert.doesNotMatch(text, /darwin|on_macos|on_arm/);
  assert.match((await found()).join("\n"), /formula names an archive for darwin-arm64, which is not there/);
  rmSync(join(dist, "release/hashline.rb"));
  assert.ok((await found(absent)).includes("there is no Homebrew formula"));
});

test("every place has the name that package.json gives it", async () => {
  for (const [place, found, wanted] of await names()) assert.equal(found, wanted, place);
});

test("only the workflow can publish, with an npm that needs no token", () => {
  const workflow = { ACTIONS_ID_TOKEN_REQUEST_URL: "https://example.org" };
  for (const version of ["11.5.1", "11.10.0", "12.0.0"]) refuseStranger(version, workflow);
  for (const version of ["10.9.2", "11.5.0"]) {
    assert.throws(() => refuseStranger(version, workflow), /cannot publish without a token/, version);
  }
  assert.throws(() => refuseStranger("12.0.0", {}), /only release\.yml publishes/);
  const text = readFileSync(join(root, ".github/workflows/release.yml"), "utf8");
  assert.doesNotMatch(text, /NPM_TOKEN|NODE_AUTH_TOKEN|registry-url|secrets\./);
  assert.match(text, /^ {6}id-token: write/m);
});

test("every name is created and connected to the workflow of this repository", () => {
  assert.equal(NAMES.length, TARGETS.length + 1);
  assert.equal(NAMES.at(-1), name);
  assert.deepEqual(trustCommand("@a/b", "git+https://github.com/me/mine.git"), [
    ..."trust github @a/b --file release.yml --repository me/mine --allow-publish --yes".split(" "),
  ]);
});

test("the rehearsal ends with what docs/releasing.md leaves to a person", () => {
  const text = checklist(readFileSync(join(root, "docs/releasing.md"), "utf8"));
  assert.match(text, /^Once:\n\n1\. /);
  assert.match(text, /^Each time:\n\n1\. /m);
  assert.match(text, /git push origin vX\.Y\.Z/);
  assert.doesNotMatch(text, /^#|^\|/m);
});
