// Gives the sessions of a test file a state directory of their own, and removes it afterwards.
//
// Only in Node: the addon does not see changes of the environment in Bun, so `npm run test:all` sets the variables.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

if (!("Bun" in globalThis)) {
  const state = mkdtempSync(join(tmpdir(), "hashline-state-"));
  Object.assign(process.env, { XDG_STATE_HOME: state, LOCALAPPDATA: state });
  process.on("exit", () => {
    // A thread of the addon may still be saving, and add files to the directory while it is removed.
    for (let attempt = 1; ; attempt++) {
      try {
        return rmSync(state, { recursive: true, force: true });
      } catch (error) {
        if (attempt === 1000) throw error;
      }
    }
  });
}
