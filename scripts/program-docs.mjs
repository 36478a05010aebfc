// Writes the man pages and the completions of the program from its own description of its options.
// A test fails when the committed files are not what this writes.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { must, root, script } from "./run.mjs";

const SHELLS = { bash: "hashline.bash", zsh: "_hashline", fish: "hashline.fish", powershell: "hashline.ps1" };

await script(async () => {
  const hashline = (...args) =>
    must("cargo", ["run", "--quiet", "-p", "hashline-cli", "--", ...args], { quiet: true });
  for (const directory of ["man", "completions"]) await mkdir(join(root, directory), { recursive: true });
  await hashline("man", join(root, "man"));
  for (const [shell, name] of Object.entries(SHELLS)) {
    await writeFile(join(root, "completions", name), await hashline("completions", shell));
  }
});
