// Takes the packages' names on npm and says who may publish them. A person runs it once, before the first release.
//
//   node scripts/release/trust.mjs             publishes an empty 0.0.0 under each name that npm does not know, then
//                                              lets release.yml publish each package without a token
//   node scripts/release/trust.mjs --print     prints the commands for the second step instead
//
// npm trusts a workflow only for packages that exist, so the empty ones come first. npm asks for the second factor in
// the browser, so this needs a terminal, `npm login`, and npm 11.15 or later.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TARGETS } from "../lab/platforms/targets.mjs";
import { isMain, npm, root, run, script, step } from "../run.mjs";
import { homeOf, name, platformPackage } from "./name.mjs";

const MANIFEST = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Every package of a release. */
export const NAMES = [...TARGETS.map(({ platform }) => platformPackage(platform)), name];

/** Milliseconds between two requests; npm refuses faster ones. */
const PAUSE = 2_000;

/** Runs npm on this terminal, so that it can ask the person. */
function ask(args, cwd) {
  const shell = npm.endsWith(".cmd");
  const { status } = spawnSync(npm, args, { cwd, stdio: "inherit", shell });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed`);
}

/** Publishes an empty package under each name that the registry does not know; returns these names. */
export async function createNames(settings = [], start = ask) {
  const { license, repository, homepage } = MANIFEST;
  const created = [];
  for (const one of NAMES) {
    const { code } = await run(npm, ["view", one, "name", ...settings], { quiet: true, mayFail: true });
    if (code === 0) continue;
    const place = await mkdtemp(join(tmpdir(), "hashline-name-"));
    try {
      const description = `The name of a package of ${name}; its first release is to come`;
      const empty = { name: one, version: "0.0.0", description, license, homepage, repository };
      await writeFile(join(place, "package.json"), `${JSON.stringify(empty, null, 2)}\n`);
      await start(["publish", "--access", "public", ...settings], place);
    } finally {
      await rm(place, { recursive: true });
    }
    created.push(one);
  }
  return created;
}

/** The command that lets release.yml of the repository publish a package. */
export function trustCommand(one, repository) {
  const from = new URL(homeOf(repository)).pathname.slice(1);
  const permission = ["--allow-publish", "--yes"];
  return ["trust", "github", one, "--file", "release.yml", "--repository", from, ...permission];
}

if (isMain(import.meta.url)) {
  await script(async () => {
    const commands = NAMES.map((one) => trustCommand(one, MANIFEST.repository.url));
    if (process.argv.includes("--print")) {
      for (const command of commands) process.stdout.write(`npm ${command.join(" ")}\n`);
      return;
    }
    const created = await createNames();
    step(created.length > 0 ? `created ${created.join(", ")}` : "npm knows every name");
    for (const command of commands) {
      ask(command);
      await sleep(PAUSE);
    }
  });
}
