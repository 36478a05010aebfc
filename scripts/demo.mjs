// npm run demo: what an anchor is for, in one minute and without an API key.
//
// Tags a file, edits it by anchor, changes it behind the model's back, and meets a stale anchor.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildAddon, installPackages } from "./build.mjs";
import { script } from "./run.mjs";

const CART = `export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum;
}
`;

const say = (text) => process.stdout.write(`\n\x1b[1m${text}\x1b[0m\n`);
const show = (text) => process.stdout.write(`${text.replace(/^/gm, "  ")}\n`);

await script(async () => {
  await installPackages();
  await buildAddon();
  const { applyHashlineEdits, formatHashLines, HashlineMismatchError } = await import("../hashline.js");

  const folder = await mkdtemp(join(tmpdir(), "hashline-demo-"));
  const file = join(folder, "cart.js");
  try {
    await writeFile(file, CART);

    say("1. Every line that a model reads carries an anchor, LINE:HASH");
    const listing = formatHashLines(await readFile(file, "utf8"));
    show(listing);
    const anchor = (text) => listing.split("\n").find((line) => line.endsWith(text)).split("|")[0];
    const price = anchor("sum += item.price;");

    say(`2. It edits by anchor: ${price} is the line it saw`);
    const edit = { set_line: { anchor: price, new_text: "    sum += item.price * item.count;" } };
    const edited = applyHashlineEdits(await readFile(file, "utf8"), [edit]);
    await writeFile(file, edited.content);
    show(formatHashLines(edited.content));

    say("3. Behind its back, somebody puts two lines on top; the next anchor is followed");
    await writeFile(file, `// @ts-check\n\n${await readFile(file, "utf8")}`);
    const back = anchor("return sum;");
    const moved = applyHashlineEdits(await readFile(file, "utf8"), [
      { set_line: { anchor: back, new_text: "  return Math.round(sum);" } },
    ]);
    await writeFile(file, moved.content);
    show(`${back} was line 6 and is line ${moved.firstChangedLine} now`);
    show(formatHashLines(moved.content));

    say("4. The line that it saw first is gone: nothing is written, and the answer is the next read");
    try {
      applyHashlineEdits(await readFile(file, "utf8"), [
        { set_line: { anchor: price, new_text: "    sum += 1;" } },
      ]);
      throw new Error("a stale anchor was accepted");
    } catch (error) {
      if (!(error instanceof HashlineMismatchError)) throw error;
      show(error.message);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
