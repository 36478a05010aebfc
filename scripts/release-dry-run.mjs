// npm run release:dry: the commands of release.yml for a Linux machine, in their order, publishing nothing.
//
// Steps that are actions (checkout, artefacts) and steps that only a tag runs are left out, and named.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isMain, must, root, script, step } from "./run.mjs";

const PLATFORM = "linux-x64-gnu";

/** The steps of a job as `{ run }` or `{ left: reason }`; every `run` of ours is one line. */
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

/** A command with the matrix of this machine's platform filled in. */
export function filledIn(command) {
  return command
    .replaceAll(/\$\{\{ matrix\.platform \}\}/g, PLATFORM)
    .replaceAll(/\$\{\{ matrix\.native \}\}/g, "")
    .replaceAll(/\$\{\{ github\.ref_type.*?\}\}/g, "")
    .trim();
}

if (isMain(import.meta.url)) {
  await script(async () => {
    const workflow = readFileSync(join(root, ".github", "workflows", "release.yml"), "utf8");
    for (const job of ["versions", "build", "publish"]) {
      for (const { run, left } of stepsOf(workflow, job)) {
        if (left) {
          step(`${job}: not here: ${left}`);
          continue;
        }
        const command = filledIn(run);
        step(`${job}: ${command}`);
        await must("bash", ["-euo", "pipefail", "-c", command]);
      }
    }
  });
}
