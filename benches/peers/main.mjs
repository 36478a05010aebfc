// npm run bench:peers: a scripted model plays the same situations with our editor and with those of others.
//
//   node benches/peers/main.mjs [--only KEY,KEY] [--editor NAME] [--write]
//
// The hosts are installed on demand. An editor that is not available is reported, and its column left out.
// `--write` saves the table for docs/peers.md. The exit code is 1 if one of our edits lands wrongly without
// a warning in a situation where another editor's does not.

import { chmod, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { workbench } from "../../__test__/hosts/bench.mjs";
import { read } from "../../__test__/hosts/scenarios/words.mjs";
import { script } from "../../scripts/run.mjs";
import { table } from "../faults/table.mjs";
import { record } from "../shared/figures.mjs";
import { EDITORS } from "./editors.mjs";
import { SITUATIONS } from "./situations.mjs";

/** Plays one situation and returns the verdict. */
async function play(editor, bench, rpc, situation) {
  if (situation.story) return situation.story(editor, bench, rpc);
  const { path, before, also = {}, now, calls, mode } = situation;
  const files = { [path]: before, ...also };
  await bench.reset(files);
  await rpc.send({ type: "new_session" });
  const shown = {};
  for (const name of Object.keys(files)) {
    shown[name] = (await rpc.prompt([read(name)])).results[0].text;
  }
  if (now === null) await rm(join(bench.work, path));
  else if (now !== undefined) await bench.write({ [path]: now });
  if (mode !== undefined) await chmod(join(bench.work, path), mode);
  const start = await bench.files();
  const turns = calls.map((edits) =>
    editor.reply(
      edits.map((edit) => ({ path, ...edit })),
      { shown, files },
    ),
  );
  const { results } = await rpc.prompt(turns);
  if (mode !== undefined && ((await stat(join(bench.work, path))).mode & 0o777) !== mode)
    return "SILENTLY WRONG";
  return verdict(situation, { start, end: await bench.files(), results });
}

function verdict({ path, want, meant = want }, { start, end, results }) {
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const said = results.map(({ text }) => text).join("\n");
  const failed = results.some(({ isError }) => isError);
  if (meant !== null && same(end, { ...start, [path]: meant })) return "right";
  if (same(end, start)) return showsLines(said, start) ? "refused + lines" : "refused";
  if (failed) return want === null ? "HALF WRITTEN" : "in part, then refused";
  return /\b(warning|note|repair|relocated|auto-?correct)/i.test(said) ? "WRONG (said)" : "SILENTLY WRONG";
}

/** Whether an answer shows current lines of the files, with or without a tag after the number. */
function showsLines(said, files) {
  const contents = new Set(Object.values(files).flatMap((file) => file.split(/\r?\n/)));
  const isRow = (line) => {
    const rest = /^[ *>+-]*\d+[:#](.+)$/.exec(line)?.[1];
    return (
      rest !== undefined && [rest, rest.replace(/^\w+[|:]/, "")].some((content) => contents.has(content))
    );
  };
  return said.split("\n").filter(isRow).length > 1;
}

async function column(editor, situations) {
  const bench = await workbench(editor.host, { extensions: editor.extensions });
  try {
    const rpc = await bench.rpc(["--session-dir", bench.sessions]);
    const verdicts = [];
    for (const situation of situations) verdicts.push(await play(editor, bench, rpc, situation));
    await rpc.close();
    return verdicts;
  } finally {
    await bench.close();
  }
}

await script(async () => {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      editor: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  const keys = values.only?.split(",");
  const situations = SITUATIONS.filter(({ key }) => !keys || keys.includes(key));
  const chosen = EDITORS.filter(({ name }) => !values.editor || name.includes(values.editor));
  for (const { name, missing } of chosen)
    if (missing) process.stdout.write(`${name} is left out: ${missing}\n`);
  const editors = chosen.filter(({ missing }) => !missing);
  const columns = [];
  for (const editor of editors) columns.push(await column(editor, situations));
  const isBad = (verdict) => /WRONG|HALF|TORN/.test(verdict);
  const isUnnoticed = (verdict) => isBad(verdict) && !verdict.includes("(said)");
  const wrong = columns.map((verdicts) => verdicts.filter(isBad).length);
  const head = ["", "situation", ...editors.map(({ name }) => name)];
  const rows = situations.map(({ key, what }, i) => [key, what, ...columns.map((verdicts) => verdicts[i])]);
  rows.push(["", "landed wrongly", ...wrong]);
  process.stdout.write(`${table(head, rows)}\n`);
  if (values.write) {
    const named = Object.fromEntries(editors.map(({ name }, i) => [name.replaceAll(/\W+/g, "-"), wrong[i]]));
    const figures = { situations: situations.length, ...named };
    record("peers", { command: "npm run bench:peers", values: figures, tables: { all: { head, rows } } });
  }
  const worse = situations.filter((_, i) => {
    const [ours, peers] = [true, false].map((wanted) =>
      columns.filter((__, j) => editors[j].name.startsWith("ours") === wanted).map((verdicts) => verdicts[i]),
    );
    return ours.some(isUnnoticed) && peers.some((verdict) => !isUnnoticed(verdict));
  });
  if (worse.length > 0) {
    throw new Error(`a peer does better than ours in ${worse.map(({ key }) => key).join(", ")}`);
  }
});
