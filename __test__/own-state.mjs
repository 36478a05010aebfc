// Gives the sessions of a test file a state directory of their own, which is gone afterwards.
//
// Only in Node: what Bun writes to its environment, the addon does not see. There `npm run test:all` does the same.

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
