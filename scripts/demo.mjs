// npm run demo: what the extension does, in the real pi, without an API key.
//
// Only the model is not real: scripts/demo/story.mjs plays it, on loopback. With `--tui` the story runs
// in pi's own screen; otherwise the calls and their answers are printed.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildAddon, installPackages, QUICK } from "./build.mjs";
import { print, showInPi, stage } from "./demo/show.mjs";
import { missing } from "./lab/cache.mjs";
import { host, hostDownload, runsPi } from "./lab/hosts.mjs";
import { nodeDownload } from "./lab/tools.mjs";
import { root, script, step } from "./run.mjs";

/** Prints what will be built and fetched, and how long it takes. */
function announce() {
  const fetched = missing([hostDownload("pi"), ...(runsPi() ? [] : [nodeDownload(24)])]);
  const names = fetched.map(({ name, megabytes }) => `${name} (${megabytes} MB)`);
  const isFresh = !existsSync(join(root, "target", "debug"));
  const parts = [...(isFresh ? ["packages and crates (130 MB)"] : []), ...names];
  process.stdout.write(
    "A story in the real pi, with a scripted model: files are read, searched, changed and changed back.\n" +
      `First the addon is built${isFresh ? ", which takes one to two minutes on two processors" : ""}. ` +
      `${parts.length === 0 ? "Nothing has to be fetched" : `Fetched, and kept for the next time: ${parts.join(", ")}`}.\n`,
  );
}

await script(async () => {
  announce();
  const packages = installPackages();
  // Downloads run while the compiler works.
  await Promise.all([buildAddon(QUICK, packages), host("pi")]);
  const bench = await stage();
  try {
    step(`pi ${bench.host.version} with the extension, and a model that is played by a script`);
    await (process.argv.includes("--tui") ? showInPi : print)(bench);
  } finally {
    await bench.close();
  }
});
