// Every claim about the extension in one host.

import { after, before, describe, it } from "node:test";
import { workbench } from "./bench.mjs";
import { spelling } from "./scenarios/arguments.mjs";
import { commands } from "./scenarios/commands.mjs";
import { editing } from "./scenarios/editing.mjs";
import { guarding } from "./scenarios/guarding.mjs";
import { reading } from "./scenarios/reading.mjs";
import { sessions } from "./scenarios/sessions.mjs";

/** Tables of scripts: played in one running host, each in a fresh session and project. */
const SCRIPTS = { editing, reading, guarding, spelling };
/** Tables of stories: each in a host of its own. */
const STORIES = { sessions, commands };

export function claims(host) {
  describe(host, () => {
    for (const [topic, table] of Object.entries(SCRIPTS)) describe(topic, () => playScripts(host, table));
    for (const [topic, table] of Object.entries(STORIES)) describe(topic, () => tellStories(host, table));
  });
}

function playScripts(host, table) {
  let bench;
  let rpc;
  before(async () => {
    bench = await workbench(host);
  });
  after(async () => {
    await rpc?.close();
    await bench?.close();
  });
  for (const { claim, hosts = [host], files, turns, check } of table) {
    if (!hosts.includes(host)) continue;
    it(claim, async () => {
      if (rpc?.alive) await rpc.send({ type: "new_session" });
      // Stored sessions: pi 0.73 puts the file of a second one into the project if it has no place.
      else rpc = await bench.rpc(["--session-dir", bench.sessions]);
      await bench.reset(files);
      const outcome = await rpc.prompt(turns(bench));
      outcome.script.assertPlayed();
      await check(outcome, bench);
    });
  }
}

function tellStories(host, table) {
  for (const { claim, hosts = [host], run, ...settings } of table) {
    if (!hosts.includes(host)) continue;
    it(claim, async () => {
      const bench = await workbench(host, settings);
      try {
        await run(bench);
      } finally {
        await bench.close();
      }
    });
  }
}
