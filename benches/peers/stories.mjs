// Situations that are more than an edit of one file. Each function plays one with an editor and returns the
// verdict.

import { statSync } from "node:fs";
import { join } from "node:path";
import { workbench } from "../../__test__/hosts/bench.mjs";
import { calls } from "../../__test__/hosts/model.mjs";
import { bash, read } from "../../__test__/hosts/scenarios/words.mjs";

const FILES = 120;
const names = Array.from({ length: FILES }, (_, i) => `file-${String(i).padStart(3, "0")}.txt`);
const text = (word) => `first line\n${word} line\nlast line\n`.padEnd(2000, "filling\n");
const OLD = Object.fromEntries(names.map((name) => [name, text("old")]));
const NEW = Object.fromEntries(names.map((name) => [name, text("new")]));

/** The host is killed as soon as the first of many files has changed, and started again. */
export async function killed(editor) {
  const bench = await workbench(editor.host, { extensions: editor.extensions });
  try {
    await bench.reset(OLD);
    const session = ["--session-dir", bench.sessions];
    const rpc = await bench.rpc(session);
    const { results } = await rpc.prompt([calls(...names.map((path) => ["read", { path }]))]);
    const shown = Object.fromEntries(names.map((name, i) => [name, results[i].text]));
    const edits = names.map((path) => ({ path, at: 2, text: "new line" }));
    const mtimes = () => names.map((name) => statSync(join(bench.work, name)).mtimeMs);
    const before = mtimes();
    await rpc.begin([editor.reply(edits, { shown, files: OLD })]);
    const until = performance.now() + 30_000;
    while (performance.now() < until && mtimes().every((time, i) => time === before[i])) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const child of bench.running) child.kill("SIGKILL");
    await rpc.ended;
    // An editor that supports recovery settles the interrupted patch at its next start.
    const restarted = await bench.rpc(session);
    await restarted.prompt([read(names[0])]);
    await restarted.close();
    return wholeness(await bench.files());
  } finally {
    await bench.close();
  }
}

function wholeness(files) {
  const strays = Object.keys(files).length - FILES;
  const changed = names.filter((name) => files[name] === NEW[name]).length;
  const kept = names.filter((name) => files[name] === OLD[name]).length;
  const left = strays > 0 ? `, ${strays} temporary files stay` : "";
  return changed === FILES || kept === FILES ? `all or none${left}` : `TORN: ${changed} of ${FILES}${left}`;
}

/** The model bypasses the tools by using the shell. */
export async function guarded(_editor, bench, rpc) {
  const old = "one\ntwo\nthree\n";
  await bench.reset({ "a.txt": old });
  await rpc.send({ type: "new_session" });
  const { results } = await rpc.prompt([bash("cat a.txt"), bash("sed -i s/two/TWO/ a.txt")]);
  const served = /^2:\w+\|two$/m.test(results[0].text) ? "served" : "runs";
  return `${served} / ${(await bench.text("a.txt")) === old ? "blocked" : "runs"}`;
}

/** The person undoes the model's edit by a command of the editor. */
export async function undone(editor, bench, rpc) {
  if (!editor.undo) return "no command";
  const files = { "a.txt": "one\ntwo\nthree\n" };
  await bench.reset(files);
  await rpc.send({ type: "new_session" });
  const shown = { "a.txt": (await rpc.prompt([read("a.txt")])).results[0].text };
  await rpc.prompt([editor.reply([{ path: "a.txt", at: 2, text: "TWO" }], { shown, files })]);
  if ((await bench.text("a.txt")) === files["a.txt"]) return "refused";
  await rpc.command(editor.undo);
  return (await bench.text("a.txt")) === files["a.txt"] ? "right" : "WRONG (said)";
}
