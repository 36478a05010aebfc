// Coding agents for which we have no extension, only a hook or a plugin, pinned: `npm run agents` fetches them.
//
// Each takes 400 MB, so the tests use only those that are already in the cache.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isMain, must, script } from "../run.mjs";
import { cache, cached, npmInstall } from "./cache.mjs";

const PACKAGES = {
  codex: ["@openai/codex", "0.169.0"],
  opencode: ["opencode-ai", "1.18.33"],
};

const entryOf = (name) => `${name}-${PACKAGES[name][1]}`;
const programIn = (home, name) => join(home, "node_modules", ".bin", name);

/** The path of an agent's program; undefined if it is not in the cache. */
export function agent(name) {
  const program = programIn(join(cache, entryOf(name)), name);
  return existsSync(program) ? program : undefined;
}

if (isMain(import.meta.url)) {
  await script(async () => {
    for (const [name, [of, version]] of Object.entries(PACKAGES)) {
      const home = await cached(entryOf(name), async (directory) => {
        await npmInstall(directory, [`${of}@${version}`]);
        // opencode's script installs its program for this platform.
        const after = join(directory, "node_modules", of, "postinstall.mjs");
        if (existsSync(after)) await must(process.execPath, [after], { cwd: dirname(after) });
      });
      process.stdout.write(`${name} ${version}: ${programIn(home, name)}\n`);
    }
  });
}
