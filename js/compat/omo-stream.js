// Formatting texts that come in pieces as `LINE#ID|text`.

import { openNative } from "../loader.js";

const native = openNative();

/**
 * Formats text as it comes and returns chunks within the limits, unless one line alone is larger.
 *
 * @type {typeof import("./omo.js").createHashlineChunkFormatter}
 */
export function createHashlineChunkFormatter({
  startLine = 1,
  maxChunkLines = 200,
  maxChunkBytes = 65536,
} = {}) {
  let number = startLine;
  let rest = "";
  /** @type {string[]} */
  let rows = [];
  let bytes = 0;

  /** @type {(line: string, chunks: string[]) => void} */
  function add(line, chunks) {
    const row = `${number}#${native.omoLineHash(number, line)}|${line}`;
    const size = Buffer.byteLength(row) + 1;
    if (rows.length > 0 && (rows.length >= maxChunkLines || bytes + size > maxChunkBytes))
      chunks.push(take());
    rows.push(row);
    bytes += size;
    number += 1;
  }

  function take() {
    const chunk = rows.join("\n");
    rows = [];
    bytes = 0;
    return chunk;
  }

  return {
    push(text) {
      /** @type {string[]} */
      const chunks = [];
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) add(line, chunks);
      return chunks;
    },
    finish() {
      /** @type {string[]} */
      const chunks = [];
      if (rest !== "" || number === startLine) add(rest, chunks);
      rest = "";
      if (rows.length > 0) chunks.push(take());
      return chunks;
    },
  };
}

// Without `yield*`: an array's iterator has no `throw`, so `yield*` would replace an error that the reader
// throws into the stream by another one.

/** @type {typeof import("./omo.js").streamHashLinesFromLines} */
export async function* streamHashLinesFromLines(lines, options) {
  const formatter = createHashlineChunkFormatter(options);
  for await (const line of lines) {
    for (const chunk of formatter.push(`${line}\n`)) yield chunk;
  }
  for (const chunk of formatter.finish()) yield chunk;
}

/** @type {typeof import("./omo.js").streamHashLinesFromUtf8} */
export async function* streamHashLinesFromUtf8(source, options) {
  const formatter = createHashlineChunkFormatter(options);
  const decoder = new TextDecoder();
  for await (const bytes of source) {
    for (const chunk of formatter.push(decoder.decode(bytes, { stream: true }))) yield chunk;
  }
  for (const chunk of formatter.push(decoder.decode())) yield chunk;
  for (const chunk of formatter.finish()) yield chunk;
}
