// Runs every check of the source that does not run the tests.

import { join } from "node:path";
import { buildAddon, installPackages, QUICK } from "./build.mjs";
import { must, root, script, step } from "./run.mjs";

const bin = (path) => join(root, "node_modules", path);

await script(async () => {
  await installPackages();
  step("rustfmt");
  await must("cargo", ["fmt", "--all", "--check"]);
  step("clippy");
  await must("cargo", ["clippy", "--workspace", "--quiet", "--all-targets", "--", "-D", "warnings"]);
  step("rustdoc");
  await must("cargo", ["doc", "--workspace", "--quiet", "--no-deps", "--lib"], {
    env: { RUSTDOCFLAGS: "-D warnings" },
  });
  step("biome");
  await must(process.execPath, [bin("@biomejs/biome/bin/biome"), "ci", "."]);
  await buildAddon(QUICK);
  step("index.d.ts is what the build generates");
  await must("git", ["diff", "--exit-code", "--", "index.d.ts"]);
  step("tsc");
  await must(process.execPath, [bin("typescript/bin/tsc")]);
  await must(process.execPath, [bin("typescript/bin/tsc"), "-p", "js"]);
});
