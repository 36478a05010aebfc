// Tests every claim about the extension in one host.
//
// Most claims share one running host, each with a fresh session and an empty project: a start costs
// seconds, a session milliseconds. Claims that need their own settings or processes get a host of their own.

import { after, before, describe, it } from "node:test";
import { workbench } from "./bench.mjs";
import { spelling } from "./scenarios/arguments.mjs";
import { changed } from "./scenarios/changes.mjs";
import { commands } from "./scenarios/commands.mjs";
import { editing } from "./scenarios/editing.mjs";
import { guarding } from "./scenarios/guarding.mjs";
import { places } from "./scenarios/places.mjs";
import { reading } from "./scenarios/reading.mjs";
import { sessions } from "./scenarios/sessions.mjs";
import { starts } from "./scenarios/starts.mjs";

/** Tables of scripts: `{ claim, hosts?, files, turns, check }`, one prompt each. */
const SCRIPTS = { editing, reading, guarding, spelling };
/** Tables of conversations with the running host: `{ claim, hosts?, files, talk }`. */
const TALKS = { sessions, commands, changed };
/** A table of stories that start hosts themselves: `{ claim, hosts?, hashline?, settings?, compat?, run }`. */
const STORIES = { starts, places };

export function claims(host) {
  describe(host, () => {
    let bench;
    let rpc;
    before(async () => {
      bench = await workbench(host);
    });
    after(() => bench?.close());

    /** The running host with a fresh session, the project holding these files. */
    async function fresh(files) {
      if (rpc?.alive) await rpc.send({ type: "new_session" });
      // Store the sessions elsewhere: without a directory, pi 0.73 stores a second session in the project.
      else rpc = await bench.rpc(["--session-dir", bench.sessions]);
      await bench.reset(files);
      return rpc;
    }

    each(SCRIPTS, host, async ({ files, turns, check }) => {
      const outcome = await (await fresh(files)).prompt(turns(bench));
      outcome.script.assertPlayed();
      await check(outcome, bench);
    });
    each(TALKS, host, async ({ files, talk }) => talk(await fresh(files), bench));
    each(STORIES, host, async ({ hashline, settings, compat, run }) => {
      const own = await workbench(host, { hashline, settings, compat });
      try {
        await run(own);
      } finally {
        await own.close();
      }
    });
  });
}

function each(tables, host, prove) {
  for (const [topic, table] of Object.entries(tables)) {
    describe(topic, () => {
      for (const row of table) {
        if (row.hosts === undefined || row.hosts.includes(host)) it(row.claim, () => prove(row));
      }
    });
  }
}
