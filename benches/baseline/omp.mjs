// The baseline of the benchmarks: plain JavaScript that returns the same results as the addon.
//
// It is straightforward code: split, map, Set, splice, join, and a regular expression for white
// space. The caller passes `xxh32(string)`: `h32` of xxhash-wasm in Node, `Bun.hash.xxHash32` in
// Bun. A test runs this module against the addon's test vectors.

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const HASH_PREFIX = /^\s*(?:>{2,3})?\s*\d+:[0-9a-zA-Z]{1,16}\|/;
const PLUS_PREFIX = /^\+(?!\+)/;
const HYPHEN = /[\u2010-\u2014\u2212\uFE63\uFF0D]/;
const HYPHENS = new RegExp(HYPHEN, "g");
const CONTINUATION = /(?:&&|\|\||\?\?|[?:=,+\-*/.(])$/;

const bare = (text) => text.replace(/\s+/g, "");
const indentOf = (text) => /^\s*/.exec(text)[0];
const sameButForSpace = (a, b) => a === b || bare(a) === bare(b);

/** Some references are stale. */
export class BaselineMismatchError extends Error {
  constructor(message, mismatches, remaps) {
    super(message);
    this.name = "HashlineMismatchError";
    this.mismatches = mismatches;
    this.remaps = remaps;
  }
}

/**
 * Returns the functions that the benchmark measures.
 *
 * Like oh-my-pi's module, `applyHashlineEdits` hashes every line of the file on each call; with `lazyIndex`
 * only if a reference is stale, which shows how much of the ratio comes from hashing less.
 */
export function createBaseline(xxh32, { lazyIndex = false } = {}) {
  function computeLineHash(_lineNumber, line) {
    return HEX[xxh32(bare(line)) & 255];
  }

  function formatHashLines(content, startLine = 1) {
    return content
      .split("\n")
      .map((line, i) => `${startLine + i}:${computeLineHash(startLine + i, line)}|${line}`)
      .join("\n");
  }

  function applyHashlineEdits(content, edits) {
    if (edits.length === 0) return { content, firstChangedLine: undefined };
    const original = content.split("\n");
    const parsed = edits.map(parseEdit);
    resolve(parsed, original);

    const touched = new Set();
    for (const { start, end } of parsed) {
      for (let line = start.line; line <= end.line; line++) touched.add(line);
    }

    const lines = [...original];
    const noopEdits = [];
    let firstChangedLine;
    const splice = (line, count, added) => {
      lines.splice(line - 1, count, ...added);
      firstChangedLine = Math.min(firstChangedLine ?? line, line);
    };

    for (const edit of inOrder(withoutDuplicates(parsed))) {
      const { kind, start, end, added, editIndex } = edit;
      if (kind === "insert") {
        const echoed = added.length > 1 && sameButForSpace(added[0], original[start.line - 1]);
        splice(start.line + 1, 0, echoed ? added.slice(1) : added);
        continue;
      }
      const merged = kind === "line" && mergeStart(start.line, added, lines, touched);
      const first = merged || start.line;
      const count = merged ? 2 : end.line - start.line + 1;
      const replaced = original.slice(first - 1, first - 1 + count);
      let next;
      if (merged) {
        next = restoreIndent([replaced[0]], added);
      } else {
        next = restoreWrapped(replaced, withoutEcho(original, start.line, end.line, added));
        next = restoreIndent(replaced, next);
      }
      const before = replaced.join("\n");
      if (before === next.join("\n") && HYPHEN.test(before)) {
        next = next.map((line) => line.replace(HYPHENS, "-"));
      }
      if (before === next.join("\n")) {
        const loc = `${start.line}:${start.hash}`;
        noopEdits.push({ editIndex, loc, currentContent: before });
      } else {
        splice(first, count, next);
      }
    }

    const result = { content: lines.join("\n"), firstChangedLine };
    const changed = countChanged(original, lines);
    if (changed > edits.length * 4) {
      result.warnings = [
        `Edit changed ${changed} lines across ${edits.length} operations — verify no unintended reformatting.`,
      ];
    }
    if (noopEdits.length > 0) result.noopEdits = noopEdits;
    return result;
  }

  /** Checks every reference, and moves a stale one to the only line with its hash. */
  function resolve(parsed, lines) {
    const mismatches = [];
    const index = lazyIndex ? undefined : uniqueHashes(lines);
    let late;
    const hashAt = (line) => computeLineHash(line, lines[line - 1]);
    const find = (ref) => {
      if (ref.line < 1 || ref.line > lines.length) {
        throw new Error(`Line ${ref.line} does not exist (file has ${lines.length} lines)`);
      }
      const expected = ref.hash.toLowerCase();
      if (hashAt(ref.line) === expected) return ref.line;
      late ??= index ?? uniqueHashes(lines);
      const moved = late.get(expected);
      if (moved) return moved;
      report(ref);
      return undefined;
    };
    const report = ({ line, hash }) => {
      mismatches.push({ line, expected: hash, actual: hashAt(line) });
    };
    for (const edit of parsed) {
      const { kind, start, end, added } = edit;
      if (kind === "insert" && added.length === 0) {
        throw new Error('Insert-after edit (src "N:HH..") requires non-empty dst');
      }
      if (kind !== "range") {
        const line = find(start);
        if (line) edit.start = edit.end = { ...start, line };
        continue;
      }
      if (start.line > end.line) {
        throw new Error(`Range start line ${start.line} must be <= end line ${end.line}`);
      }
      const first = find(start);
      const last = find(end);
      if (!first || !last) continue;
      if (last - first === end.line - start.line) {
        edit.start = { ...start, line: first };
        edit.end = { ...end, line: last };
      } else {
        report(start);
        report(end);
      }
    }
    if (mismatches.length > 0) throw mismatchError(mismatches, lines);
  }

  /** Maps each hash that only one line has to that line's number. */
  function uniqueHashes(lines) {
    const found = new Map();
    const several = new Set();
    lines.forEach((text, i) => {
      const hash = computeLineHash(i + 1, text);
      if (several.has(hash)) return;
      if (found.delete(hash)) several.add(hash);
      else found.set(hash, i + 1);
    });
    return found;
  }

  function mismatchError(mismatches, lines) {
    const stale = new Set(mismatches.map(({ line }) => line));
    const shown = new Set();
    for (const line of stale) {
      const last = Math.min(lines.length, line + 2);
      for (let i = Math.max(1, line - 2); i <= last; i++) shown.add(i);
    }
    const verb = mismatches.length > 1 ? "s have" : " has";
    const message = [
      `${mismatches.length} line${verb} changed since last read. Use the updated LINE:HASH references shown below (>>> marks changed lines).`,
      "",
    ];
    let previous = Infinity;
    for (const line of [...shown].sort((a, b) => a - b)) {
      if (line > previous + 1) message.push("    ...");
      previous = line;
      const marker = stale.has(line) ? ">>>" : "   ";
      const text = lines[line - 1];
      message.push(`${marker} ${line}:${computeLineHash(line, text)}|${text}`);
    }
    const remaps = new Map();
    for (const { line, expected, actual } of mismatches) {
      remaps.set(`${line}:${expected}`, `${line}:${actual}`);
    }
    return new BaselineMismatchError(message.join("\n"), mismatches, remaps);
  }

  async function* streamHashLinesFromUtf8(source, options) {
    const chunks = new Chunks(computeLineHash, options);
    const decoder = new TextDecoder();
    let pending = "";
    for await (const bytes of source) {
      const lines = (pending + decoder.decode(bytes, { stream: true })).split("\n");
      pending = lines.pop();
      for (const line of lines) {
        chunks.add(line);
        while (chunks.full.length > 0) yield chunks.full.shift();
      }
    }
    chunks.add(pending + decoder.decode());
    yield* chunks.finish();
  }

  async function* streamHashLinesFromLines(lines, options) {
    const chunks = new Chunks(computeLineHash, options);
    let any = false;
    if (Symbol.asyncIterator in lines) {
      for await (const line of lines) {
        any = true;
        chunks.add(line);
        while (chunks.full.length > 0) yield chunks.full.shift();
      }
    } else {
      for (const line of lines) {
        any = true;
        chunks.add(line);
        while (chunks.full.length > 0) yield chunks.full.shift();
      }
    }
    if (!any) chunks.add("");
    yield* chunks.finish();
  }

  return {
    computeLineHash,
    formatHashLines,
    applyHashlineEdits,
    streamHashLinesFromUtf8,
    streamHashLinesFromLines,
  };
}

/** Collects listed lines into chunks of limited size. */
class Chunks {
  full = [];
  #lines = [];
  #bytes = 0;

  constructor(hash, { startLine = 1, maxChunkLines = 200, maxChunkBytes = 65_536 } = {}) {
    Object.assign(this, { hash, number: startLine, maxChunkLines, maxChunkBytes });
  }

  add(line) {
    const listed = `${this.number}:${this.hash(this.number, line)}|${line}`;
    this.number += 1;
    const bytes = Buffer.byteLength(listed);
    if (this.#lines.length > 0 && this.#bytes + 1 + bytes > this.maxChunkBytes) this.#flush();
    this.#bytes += bytes + (this.#lines.length > 0 ? 1 : 0);
    this.#lines.push(listed);
    if (this.#lines.length >= this.maxChunkLines || this.#bytes >= this.maxChunkBytes) this.#flush();
  }

  finish() {
    if (this.#lines.length > 0) this.#flush();
    return this.full;
  }

  #flush() {
    this.full.push(this.#lines.join("\n"));
    this.#lines = [];
    this.#bytes = 0;
  }
}

function parseEdit(edit) {
  if ("set_line" in edit) {
    const { anchor, new_text } = edit.set_line;
    const start = parseRef(anchor);
    return { kind: "line", start, end: start, added: newLines(new_text) };
  }
  if ("replace_lines" in edit) {
    const { start_anchor, end_anchor, new_text } = edit.replace_lines;
    const start = parseRef(start_anchor);
    const end = end_anchor ? parseRef(end_anchor) : start;
    const added = newLines(new_text ?? "");
    if (start.line === end.line) return { kind: "line", start, end: start, added };
    return { kind: "range", start, end, added };
  }
  if ("replace" in edit) {
    throw new Error("replace edits are applied separately; do not pass them to applyHashlineEdits");
  }
  const { anchor, text, content } = edit.insert_after;
  const start = parseRef(anchor);
  return { kind: "insert", start, end: start, added: newLines(text ?? content ?? "") };
}

function parseRef(ref) {
  const plain = ref
    .replace(/\|.*$/, "")
    .replace(/ {2}.*$/, "")
    .replace(/^>+\s*/, "")
    .trim()
    .replace(/\s*:\s*/, ":");
  const found = /^(\d+):([0-9a-zA-Z]{1,16})$/.exec(plain) ?? /^(\d+):([0-9a-zA-Z]{2})/.exec(plain);
  if (!found) {
    throw new Error(`Invalid line reference "${ref}". Expected format "LINE:HASH" (e.g. "5:aa").`);
  }
  const line = Number(found[1]);
  if (line < 1) throw new Error(`Line number must be >= 1, got ${line} in "${ref}".`);
  return { line, hash: found[2] };
}

/** The lines of a new text, without a prefix if at least half of the non-empty ones have it. */
function newLines(text) {
  if (text === "") return [];
  const lines = text.split("\n");
  const filled = lines.filter((line) => line.length > 0);
  for (const prefix of [HASH_PREFIX, PLUS_PREFIX]) {
    const prefixed = filled.filter((line) => prefix.test(line)).length;
    if (prefixed > 0 && prefixed * 2 >= filled.length) {
      return lines.map((line) => line.replace(prefix, ""));
    }
  }
  return lines;
}

function withoutDuplicates(parsed) {
  const seen = new Set();
  return parsed.filter(({ kind, start, end, added }) => {
    const key = `${kind} ${start.line} ${end.line} ${added.join("\n")}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Bottom-up; at one line, replacements before insertions. */
function inOrder(parsed) {
  const rank = ({ kind }) => (kind === "insert" ? 1 : 0);
  return parsed
    .map((edit, editIndex) => ({ ...edit, editIndex }))
    .sort((a, b) => b.end.line - a.end.line || rank(a) - rank(b));
}

/** If one new line joins two old lines, the number of the first of the two. */
function mergeStart(line, added, lines, touched) {
  if (added.length !== 1 || line > lines.length) return undefined;
  const merged = bare(added[0]);
  const own = bare(lines[line - 1]);
  if (!merged || !own) return undefined;
  const inOrder = (text, first, second) => {
    const a = text.indexOf(first);
    return a !== -1 && a < text.indexOf(second);
  };
  const fits = (other) => merged.length <= own.length + other.length + 32;
  if (CONTINUATION.test(own) && line < lines.length && !touched.has(line + 1)) {
    const next = bare(lines[line]);
    if (inOrder(merged, own.replace(CONTINUATION, ""), next) && fits(next)) return line;
  }
  if (line > 1 && !touched.has(line - 1)) {
    const previous = bare(lines[line - 2]);
    const plain = (text) => text.replace(/[|&?]/g, "");
    if (
      CONTINUATION.test(previous) &&
      inOrder(plain(merged), plain(previous.replace(CONTINUATION, "")), plain(own)) &&
      fits(previous)
    ) {
      return line - 1;
    }
  }
  return undefined;
}

function withoutEcho(original, start, end, added) {
  if (added.length <= 1 || added.length <= end - start + 1) return added;
  let kept = added;
  if (start > 1 && sameButForSpace(kept[0], original[start - 2])) kept = kept.slice(1);
  if (end < original.length && kept.length > 0 && sameButForSpace(kept.at(-1), original[end])) {
    kept = kept.slice(0, -1);
  }
  return kept;
}

function restoreIndent(old, added) {
  if (old.length !== added.length) return added;
  return added.map((line, i) => (line && !indentOf(line) ? indentOf(old[i]) + line : line));
}

/** Joins two to ten new lines again that were a single line in the old text. */
function restoreWrapped(old, added) {
  if (added.length < 2) return added;
  const whole = new Map();
  for (const line of old) {
    const key = bare(line);
    whole.set(key, whole.has(key) ? undefined : line);
  }
  const spans = new Map();
  for (let start = 0; start < added.length; start++) {
    const longest = Math.min(10, added.length - start);
    for (let count = 2; count <= longest; count++) {
      const key = bare(added.slice(start, start + count).join(""));
      if (key.length < 6 || whole.get(key) === undefined) continue;
      const same = spans.get(key) ?? [];
      spans.set(key, [...same, { start, count, line: whole.get(key) }]);
    }
  }
  const found = [...spans.values()].filter((same) => same.length === 1).flat();
  const out = [...added];
  found.sort((a, b) => b.start - a.start || a.count - b.count);
  for (const { start, count, line } of found) out.splice(start, count, line);
  return out;
}

function countChanged(before, after) {
  const shared = Math.min(before.length, after.length);
  let changed = Math.abs(before.length - after.length);
  for (let i = 0; i < shared; i++) if (before[i] !== after[i]) changed++;
  return changed;
}
