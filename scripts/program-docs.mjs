// Writes the man pages and the completions of the program from its own description of its options, and the skill
// of the plugin for Claude Code from the instructions that it writes.
// A test fails when the committed files are not what this writes.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { must, root, script } from "./run.mjs";

/** What Claude Code reads of the skill before it opens it. */
const SKILL = `---
name: hashline
description: Read, search and edit files by line anchors with the program hashline. Use it for every change of a file.
---
`;

const SHELLS = { bash: "hashline.bash", zsh: "_hashline", fish: "hashline.fish", powershell: "hashline.ps1" };

await script(async () => {
  const hashline = (...args) =>
    must("cargo", ["run", "--quiet", "-p", "hashline-cli", "--", ...args], { quiet: true });
  for (const directory of ["man", "completions"]) await mkdir(join(root, directory), { recursive: true });
  await hashline("man", join(root, "man"));
  const instructions = await readFile(join(root, "crates/cli/src/instructions.md"), "utf8");
  const skill = join(root, "plugins/claude/skills/hashline");
  await mkdir(skill, { recursive: true });
  await writeFile(join(skill, "SKILL.md"), SKILL + instructions);
  for (const [shell, name] of Object.entries(SHELLS)) {
    await writeFile(join(root, "completions", name), await hashline("completions", shell));
  }
});
