// npm run release:dry: rehearses a whole release, but publishes only to a registry on this machine.
//
//   npm run release:dry                the commands of release.yml for a Linux machine, in order, then the rehearsal
//   npm run release:dry -- --built     with the binaries that are already in npm/: without the jobs that build
//
// The rehearsal does what otherwise happens only for a tag: it creates the names, publishes every package, downloads
// and compares each, installs and runs the main one, and shows tag, notes and files of the GitHub release. It skips
// and names the steps that are actions (checkout, artefacts, signing). It ends with the steps that a person must do.

import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { emptyRegistry } from "../../__test__/installs/registry.mjs";
import { npmIn, npmInstall } from "../lab/cache.mjs";
import { DIST, packStandIns, tarballs } from "../pack.mjs";
import { isMain, must, root, run, script, step } from "../run.mjs";
import { manifestIn, releaseIn, sum } from "./assets.mjs";
import { name } from "./name.mjs";
import { check, publishOnce, tagOf } from "./release.mjs";
import { createNames, NAMES } from "./trust.mjs";

const PLATFORM = "linux-x64-gnu";

/** The steps of a job: `{ run }`, a command of one line, or `{ left }`, the description of a step to skip. */
export function stepsOf(workflow, job) {
  const body = new RegExp(`^  ${job}:\\n([\\s\\S]*?)(?=^  \\w+:|(?![\\s\\S]))`, "m").exec(workflow)?.[1];
  if (!body) throw new Error(`release.yml has no job \`${job}\``);
  const [, steps] = body.split(/^ {4}steps:\n/m);
  return steps
    .split(/^ {6}- /m)
    .slice(1)
    .map((text) => {
      const field = (name) => new RegExp(`(?:^|^ {8})${name}: (.+)$`, "m").exec(text)?.[1];
      if (field("uses")) return { left: field("uses") };
      if (field("if") === "matrix.debian") return { left: `${field("name")} (not for this platform)` };
      if (field("if")?.includes("== 'tag'")) return { left: `${field("name")} (only for a tag)` };
      return { run: field("run") };
    });
}

/** A command of the workflow with the values for this machine; it does not ask for the platforms not built here. */
export function filledIn(command) {
  return command
    .replaceAll(/\$\{\{ matrix\.platform \}\}/g, PLATFORM)
    .replaceAll(/\$\{\{ matrix\.native \}\}/g, "")
    .replaceAll(/\$\{\{ github\.ref_type.*?\}\}/g, "")
    .replace(/ --whole$/, "")
    .trim();
}

/** Matches commands that install programs. They are for GitHub's fresh machines, not for a developer's own. */
const INSTALLS = /^(?:sudo |rustup toolchain |npm ci$)/;

async function runJobs(jobs) {
  const workflow = readFileSync(join(root, ".github", "workflows", "release.yml"), "utf8");
  for (const job of jobs) {
    for (const { run, left } of stepsOf(workflow, job)) {
      const command = run && filledIn(run);
      if (left || INSTALLS.test(command)) {
        step(`${job}: not here: ${left ?? command}`);
        continue;
      }
      step(`${job}: ${command}`);
      await must("bash", ["-euo", "pipefail", "-c", command]);
    }
  }
}

/**
 * Throws unless the package in the registry has the tarball's content and its tag points to this version;
 * returns its manifest.
 */
async function compare(url, tarball) {
  const { name: packageName, version } = await manifestIn(tarball);
  const answer = await fetch(`${url}${packageName.replace("/", "%2f")}`);
  if (!answer.ok) throw new Error(`the registry does not know ${packageName}`);
  const { versions, "dist-tags": tags } = await answer.json();
  const published = versions[version];
  const wanted = `sha512-${sum(tarball, "sha512", "base64")}`;
  if (published?.dist.integrity !== wanted)
    throw new Error(`${packageName}@${version} in the registry is not ${basename(tarball)}`);
  if (tags[tagOf(version)] !== version)
    throw new Error(`${packageName}: \`${tagOf(version)}\` is ${tags[tagOf(version)]}, not ${version}`);
  return published;
}

/** Publishes to a registry on this machine as the workflow does to npm, and reads everything back. */
export async function rehearse(version) {
  const ours = tarballs();
  const standIns = await packStandIns();
  const absent = standIns.map((path) => basename(path)).join(", ");
  if (standIns.length > 0) step(`no binary here, so only name and version are rehearsed: ${absent}`);
  const registry = await emptyRegistry();
  try {
    const created = await createNames(registry.settings, (args, cwd) => npmIn(cwd, args));
    step(`${created.length} of ${NAMES.length} names created`);
    const all = [...standIns, ...ours];
    const flags = ["--tag", tagOf(version)];
    for (const tarball of all)
      if (!(await publishOnce(tarball, flags, registry.settings)))
        throw new Error(`${tarball} was there already`);
    for (const tarball of all)
      if (await publishOnce(tarball, flags, registry.settings))
        throw new Error(`${tarball} was published twice`);
    const published = [];
    for (const tarball of all) published.push(await compare(registry.url, tarball));
    step(`${all.length} packages of ${version} published and read back with the same sums`);
    const known = new Map(published.map((manifest) => [manifest.name, manifest.version]));
    for (const [one, wanted] of Object.entries(published.at(-1).optionalDependencies))
      if (known.get(one) !== wanted)
        throw new Error(`${name} asks for ${one}@${wanted}, which was not published`);
    await install(registry, version);
  } finally {
    await registry.close();
  }
}

/** Installs the main package from the registry and runs its program. */
async function install({ settings }, version) {
  const place = await mkdtemp(join(tmpdir(), "hashline-rehearsal-"));
  try {
    await npmInstall(place, [`${name}@${version}`], settings);
    const { text } = await run(join(place, "node_modules", ".bin", "hashline"), ["--version"], {
      quiet: true,
    });
    if (text.trim() !== `hashline ${version}`) throw new Error(`the installed program says ${text.trim()}`);
    step(`installed from there, the program says \`${text.trim()}\``);
  } finally {
    await rm(place, { recursive: true });
  }
}

/** Shows what the last steps for a tag would make; throws if the tag exists. */
async function showRelease(version) {
  const tag = `v${version}`;
  const { text } = await run("git", ["tag", "--list", tag], { quiet: true, mayFail: true });
  if (text.trim() === tag) throw new Error(`the tag ${tag} is there already`);
  await check(tag).catch((error) => step(`not yet: ${error.message}`));
  step(`GitHub release ${tag}, with these notes`);
  process.stdout.write(readFileSync(join(DIST, "notes.md"), "utf8"));
  step("and these files");
  process.stdout.write(readFileSync(join(releaseIn(DIST), "SHA256SUMS"), "utf8"));
}

/** The lists in docs/releasing.md of steps that a person must do. */
export function checklist(text) {
  const section = (title) => new RegExp(`^## ${title}\n+((?:.+\n|\n(?!#))+)`, "m").exec(text)?.[1].trim();
  return ["Once", "Each time"].map((title) => `${title}:\n\n${section(title)}`).join("\n\n");
}

if (isMain(import.meta.url)) {
  await script(async () => {
    const built = process.argv.includes("--built");
    await runJobs(built ? ["versions", "publish"] : ["versions", "build", "publish"]);
    const version = await check();
    await rehearse(version);
    await showRelease(version);
    step("all that is rehearsed agrees; left for a person (docs/releasing.md)");
    process.stdout.write(`${checklist(readFileSync(join(root, "docs", "releasing.md"), "utf8"))}\n`);
  });
}
