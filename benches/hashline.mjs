// The drop-in module against the plain JavaScript version of the same algorithm, in this runtime.
// Prints one JSON object a row; benches/main.mjs makes the table.

import * as ours from "../js/hashline.js";
import { baseline } from "./baseline/load.mjs";
import { lines, numbers, text } from "./code.mjs";
import { compare, compareAwaited } from "./measure.mjs";

const base = await baseline();
// The original hashes the whole file on every call; this one only when an anchor is stale.
const lazy = await baseline({ lazyIndex: true });
const goals = JSON.parse(process.argv[2] ?? "{}");

function row(name, a, b, options) {
  print(name, compare(a, b, options));
}

function print(name, result) {
  process.stdout.write(`${JSON.stringify({ name, goal: goals[name], ...result })}\n`);
}

function formatting(name, content, options) {
  same(base.formatHashLines(content), ours.formatHashLines(content), name);
  row(
    name,
    () => base.formatHashLines(content),
    () => ours.formatHashLines(content),
    options,
  );
}

/** `use` is what is done with the new text, in both. */
function applying(name, base, count, { use = (text) => text, ...options } = {}) {
  const source = lines(count);
  const below = numbers(7);
  const edits = Array.from({ length: 20 }, (_, at) => {
    const number = Math.floor((count / 20) * at) + below(Math.floor(count / 20) - 10) + 5;
    const anchor = `${number}:${ours.computeLineHash(number, source[number - 1])}`;
    return at % 4 === 3
      ? { insert_after: { anchor, text: `    inserted line ${at};` } }
      : { set_line: { anchor, new_text: `    changed line ${at};` } };
  });
  const content = source.join("\n");
  same(
    base.applyHashlineEdits(content, edits).content,
    ours.applyHashlineEdits(content, edits).content,
    name,
  );
  row(
    name,
    () => use(base.applyHashlineEdits(content, edits).content),
    () => use(ours.applyHashlineEdits(content, edits).content),
    options,
  );
}

function hashing(name) {
  const source = lines(2_000).filter((line) => line !== "");
  const all = (hash) => () => {
    let length = 0;
    for (let at = 0; at < source.length; at++) length += hash(at + 1, source[at]).length;
    return length;
  };
  row(name, all(base.computeLineHash), all(ours.computeLineHash));
}

/** `source` makes what is streamed, anew for each run. */
async function streaming(name, kind, source) {
  const listed = async (module) => {
    const chunks = [];
    for await (const chunk of module[kind](source())) chunks.push(chunk);
    return chunks;
  };
  same((await listed(base)).join("\f"), (await listed(ours)).join("\f"), name);
  print(
    name,
    await compareAwaited(
      () => listed(base),
      () => listed(ours),
    ),
  );
}

/** Something that is not there yet when it is asked for. */
async function* awaited(items) {
  for (const item of items) yield item;
}

/** What a file is read as: 64 KiB at a time. */
function pieces(content) {
  const bytes = Buffer.from(content);
  const count = Math.ceil(bytes.length / 65_536);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * 65_536, (at + 1) * 65_536));
}

function same(a, b, name) {
  if (a !== b) throw new Error(`${name}: the two do not agree, so their times mean nothing`);
}

formatting("format 50 lines", lines(50).join("\n"));
formatting("format 500 lines", lines(500).join("\n"));
formatting("format 10k lines", lines(10_000).join("\n"));
formatting("format 10 MB", text(10_000_000), { seconds: 8 });
formatting("format 10 MB, not ASCII", text(10_000_000, { foreign: true }), { seconds: 8 });
applying("apply 20 edits, 10k lines", base, 10_000);
// In Bun the new text is put together when it is first used.
applying("apply 20 edits, 10k lines, encoded", base, 10_000, { use: (text) => Buffer.from(text) });
applying("apply 20 edits, 1M lines", base, 1_000_000, { seconds: 20 });
applying("apply 20 edits, 10k lines, lazy baseline", lazy, 10_000);
applying("apply 20 edits, 1M lines, lazy baseline", lazy, 1_000_000, { seconds: 12 });
hashing("computeLineHash");
const ascii = pieces(text(1_000_000));
const foreign = pieces(text(1_000_000, { foreign: true }));
const small = pieces(lines(500).join("\n"));
const some = lines(10_000);
await streaming("stream 1 MB of bytes", "streamHashLinesFromUtf8", () => ascii);
await streaming("stream 1 MB of bytes, not ASCII", "streamHashLinesFromUtf8", () => foreign);
await streaming("stream 500 lines of bytes", "streamHashLinesFromUtf8", () => small);
await streaming("stream 10k lines", "streamHashLinesFromLines", () => some);
await streaming("stream 10k lines, awaited", "streamHashLinesFromLines", () => awaited(some));
