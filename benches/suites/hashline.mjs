// The drop-in module against the plain JavaScript version of the same algorithm, in this runtime, and
// against the drop-in module of another build if there is one. Prints one JSON object for each row;
// benches/main.mjs prints the table. Arguments choose the rows whose names contain one of them.

import { baseline } from "../baseline/load.mjs";
import { builds } from "../shared/builds.mjs";
import { chinese, lines, numbers, text } from "../shared/code.mjs";
import { compare } from "../shared/measure.mjs";

const { ours, other } = await builds("./hashline");
const modules = other ? [ours, other] : [ours];
const base = await baseline();
// The usual baseline hashes the whole file on every call; this one only when an anchor is stale.
const lazy = await baseline({ lazyIndex: true });
const wanted = process.argv.slice(2);

/** Runs `work` with each module, checks that all results are equal, and compares the times. */
async function row(name, base, work, { result = (made) => made, ...options } = {}) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) return;
  const all = [base, ...modules];
  const made = await Promise.all(all.map(async (module) => result(await work(module))));
  if (made.some((one) => one !== made[0]))
    throw new Error(`${name}: they do not agree, so their times mean nothing`);
  const works = all.map((module) => () => work(module));
  process.stdout.write(`${JSON.stringify({ name, ...(await compare(works, options)) })}\n`);
}

function formatting(name, content, options) {
  return row(name, base, (module) => module.formatHashLines(content), options);
}

/** Measures 20 edits in one call; `use` converts the new text of every module, within the measured time. */
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
  return row(name, base, (module) => use(module.applyHashlineEdits(content, edits).content), {
    result: String,
    ...options,
  });
}

function hashing(name) {
  const source = lines(2_000).filter((line) => line !== "");
  return row(name, base, ({ computeLineHash }) => {
    let length = 0;
    for (let at = 0; at < source.length; at++) length += computeLineHash(at + 1, source[at]).length;
    return length;
  });
}

/** Measures a streaming function; `source` returns the input, and is called for each run. */
function streaming(name, kind, source) {
  const listed = async (module) => {
    const chunks = [];
    for await (const chunk of module[kind](source())) chunks.push(chunk);
    return chunks;
  };
  return row(name, base, listed, { result: (chunks) => chunks.join("\f") });
}

/** An async iterable whose items are not ready when they are requested. */
async function* awaited(items) {
  for (const item of items) yield item;
}

/** The text in pieces of 64 KiB, as a file stream delivers it. */
function pieces(content) {
  const bytes = Buffer.from(content);
  const count = Math.ceil(bytes.length / 65_536);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * 65_536, (at + 1) * 65_536));
}

// V8 allocates new memory for each text of this size until its first garbage collection, which can take up
// to 100 rounds. A row with fewer rounds would measure the allocation.
const collected = { least: 250 };
await formatting("format 50 lines", lines(50).join("\n"));
await formatting("format 500 lines", lines(500).join("\n"));
await formatting("format 10k lines", lines(10_000).join("\n"), collected);
await formatting("format 10 MB", text(10_000_000), { seconds: 10 });
await formatting("format 10 MB, not ASCII", text(10_000_000, { foreign: true }), { seconds: 10 });
await formatting("format 10 MB, Chinese", chinese(10_000_000), { seconds: 10 });
await applying("apply 20 edits, 10k lines", base, 10_000, collected);
// Bun joins the pieces of the new text only when the text is first used.
const encoded = { use: (text) => Buffer.from(text), ...collected };
await applying("apply 20 edits, 10k lines, encoded", base, 10_000, encoded);
await applying("apply 20 edits, 1M lines", base, 1_000_000, { seconds: 20 });
await applying("apply 20 edits, 10k lines, lazy baseline", lazy, 10_000, collected);
await applying("apply 20 edits, 1M lines, lazy baseline", lazy, 1_000_000, { seconds: 12 });
await hashing("computeLineHash");
const ascii = pieces(text(1_000_000));
const foreign = pieces(text(1_000_000, { foreign: true }));
const small = pieces(lines(500).join("\n"));
const some = lines(10_000);
await streaming("stream 1 MB of bytes", "streamHashLinesFromUtf8", () => ascii);
await streaming("stream 1 MB of bytes, not ASCII", "streamHashLinesFromUtf8", () => foreign);
await streaming("stream 500 lines of bytes", "streamHashLinesFromUtf8", () => small);
await streaming("stream 10k lines", "streamHashLinesFromLines", () => some);
await streaming("stream 10k lines, awaited", "streamHashLinesFromLines", () => awaited(some));
