// npm run demo: what the extension does, in the real pi, in one minute and without an API key.
//
// Only the model is played: by scripts/demo/story.mjs, on loopback. With `--tui` the story runs in
// pi's own screen; otherwise it is printed, with what the model gets to see.

import { buildAddon, installPackages } from "./build.mjs";
import { print, showInPi, stage } from "./demo/show.mjs";
import { script, step } from "./run.mjs";

await script(async () => {
  await installPackages();
  await buildAddon();
  const bench = await stage();
  try {
    step(`pi ${bench.host.version} with the extension, and a model that is played by a script`);
    await (process.argv.includes("--tui") ? showInPi : print)(bench);
  } finally {
    await bench.close();
  }
});
