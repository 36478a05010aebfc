// The ways in which models spoil a correct patch.
//
// Each function takes a task and the anchors that were shown, and returns the request as a model would send
// it, or `undefined` if this task cannot be spoiled that way. `disturb` changes the file between the read
// and the edit.

import { joined } from "./bench.mjs";

const PATH = "file";

// The lines as one text. A final newline only ends the last line, so a blank last line needs one more.
export function textOf(lines) {
  return lines.join("\n") + (lines.at(-1) === "" ? "\n" : "");
}

// The correct operation.
export function operation({ kind, first, last, lines }, anchors, text = textOf(lines)) {
  const [start, end] = [anchors.get(first + 1), anchors.get(last + 1)];
  if (kind === "insert") return { op: "insert_after", path: PATH, anchor: start, text };
  if (kind === "delete") return { op: "delete", path: PATH, anchor: start };
  if (first === last) return { op: "set_line", path: PATH, anchor: start, text };
  return { op: "replace_range", path: PATH, start_anchor: start, end_anchor: end, text };
}

const indentation = (line) => /^[ \t]*/.exec(line)[0];

function dedented(lines) {
  const filled = lines.filter((line) => line.trim() !== "");
  const least = filled.map(indentation).reduce((a, b) => (b.length < a.length ? b : a));
  return least === ""
    ? undefined
    : lines.map((line) => (line.startsWith(least) ? line.slice(least.length) : line));
}

const withText = (make) => (task, anchors) => {
  if (task.intent.lines.length === 0) return undefined;
  const text = make(task, anchors);
  return text === undefined ? undefined : { request: { patch: [operation(task.intent, anchors, text)] } };
};

const wrapAnchors = (op, wrap) =>
  Object.fromEntries(
    Object.entries(op).map(([key, value]) => [key, key.endsWith("anchor") ? wrap(value) : value]),
  );

// The same operation in the format of another tool.
function foreign(op, way) {
  const { path, text = null } = op;
  const start = op.anchor ?? op.start_anchor;
  const end = op.end_anchor;
  if (way === 0) {
    const edit = {
      set_line: { set_line: { anchor: start, new_text: text } },
      replace_range: { replace_lines: { start_anchor: start, end_anchor: end, new_text: text } },
      insert_after: { insert_after: { anchor: start, text } },
      delete: { set_line: { anchor: start, new_text: "" } },
    }[op.op];
    return { path, edits: [edit] };
  }
  if (way === 1) {
    const lines = text === null ? null : text.replace(/\n$/, "").split("\n");
    const edit =
      op.op === "insert_after"
        ? { op: "append", pos: start, lines }
        : { op: "replace", pos: start, end, lines };
    return { filePath: path, edits: [edit] };
  }
  const name = op.op === "insert_after" || op.op === "delete" ? op.op : "replace";
  return { path, operations: [{ op: name, start, end, content: text ?? undefined }] };
}

const tagOf = (anchor) => anchor.replace(/^\d+[:#]/, "");

// The number that a new line will have, or that the line it replaces has.
const numberOf = ({ kind, first }, at) => first + at + (kind === "insert" ? 2 : 1);

// The new lines, each after the prefix that `mark` makes.
const marked = (mark) =>
  withText(({ intent, before }, anchors) =>
    intent.lines
      .map((line, at) => {
        const number = numberOf(intent, at);
        const near = Math.min(
          intent.kind === "insert" ? intent.first + 1 : number,
          intent.last + 1,
          before.length,
        );
        return `${mark(number, anchors.get(near))}${line}`;
      })
      .join("\n"),
  );

// The same change as a `replace` operation, if the old text occurs once.
const asReplace = (make) => (task, anchors) => {
  const { intent, before } = task;
  if (intent.kind === "insert" || intent.lines.length === 0) return undefined;
  const old = before.slice(intent.first, intent.last + 1);
  if (joined(before).split(old.join("\n")).length !== 2 || old.join("").trim() === "") return undefined;
  const rows = old.map((line, at) => `${anchors.get(intent.first + at + 1)}|${line}`);
  return { request: { patch: [{ op: "replace", path: PATH, ...make(old, rows, intent.lines) }] } };
};

export const FAULTS = {
  "none (control)": (task, anchors) => ({ request: { patch: [operation(task.intent, anchors)] } }),
  "echoed prefixes": withText(({ intent, before }, anchors) =>
    intent.lines
      .map(
        (line, at) =>
          `${anchors.get(Math.min(intent.first + at + 1, before.length)).replace(/^\d+/, String(intent.first + at + 1))}|${line}`,
      )
      .join("\n"),
  ),
  "plus marks": withText(({ intent }) => intent.lines.map((line) => `+${line}`).join("\n")),
  "lost indentation": withText(({ intent }) => {
    const lines = dedented(intent.lines);
    return lines && textOf(lines);
  }),
  "anchors with content": (task, anchors) => {
    const content = (anchor) => `${anchor}|${task.before[Number.parseInt(anchor, 10) - 1]}`;
    return { request: { patch: [wrapAnchors(operation(task.intent, anchors), content)] } };
  },
  "stale by some lines": (task, anchors, random) => {
    const added = Array.from(
      { length: random.between(1, 9) },
      (_, at) => `// added ${at} ${random.between(100, 999)}`,
    );
    return {
      request: { patch: [operation(task.intent, anchors)] },
      disturb: (lines) => [...added, ...lines],
    };
  },
  "line number off": (task, anchors, random) => {
    const by = random.pick([-3, -2, -1, 1, 2, 3]);
    const shift = (anchor) => anchor.replace(/^\d+/, (number) => String(Math.max(1, Number(number) + by)));
    // If the result is the correct anchor of another line, nobody can notice the mistake. The table of slips
    // counts these cases.
    const start = shift(anchors.get(task.intent.first + 1));
    if (anchors.get(Number.parseInt(start, 10)) === start) return undefined;
    return { request: { patch: [wrapAnchors(operation(task.intent, anchors), shift)] } };
  },
  "tag misread": (task, anchors, random) => {
    const misread = (anchor) =>
      anchor.slice(0, -1) + random.pick([..."0123456789abcdef"].filter((c) => c !== anchor.at(-1)));
    return { request: { patch: [wrapAnchors(operation(task.intent, anchors), misread)] } };
  },
  "patch as a string": (task, anchors) => ({
    request: { patch: JSON.stringify([operation(task.intent, anchors)]) },
  }),
  "another tool's spelling": (task, anchors, random) => ({
    request: foreign(operation(task.intent, anchors), random.between(0, 2)),
  }),
  "closing line repeated": withText(({ intent, before }) => {
    const next = before[intent.last + 1];
    if (intent.kind !== "set" || next === undefined || next.trim() === "") return undefined;
    return textOf([...intent.lines, next]);
  }),
  "anchor line echoed": withText(({ intent, before }) => {
    const anchor = before[intent.first];
    if (intent.kind !== "insert" || anchor.trim() === "") return undefined;
    return textOf([anchor, ...intent.lines]);
  }),
  "bare tags": marked((_, anchor) => `${tagOf(anchor)}|`),
  "numbers before lines": marked((number) => `${number}|`),
  "numbers and colons": marked((number) => `${number}:`),
  "made-up tags": marked((number, anchor) => {
    const tag = tagOf(anchor);
    return `${number}:${tag.startsWith("e") ? "1" : "e"}${tag.slice(1)}|`;
  }),
  "pointers before rows": marked((number, anchor) => `>>> ${anchor.replace(/^\d+/, String(number))}|`),
  "a header above": withText(
    ({ intent, before }) => `${PATH} (lines 1-${before.length} of ${before.length})\n${textOf(intent.lines)}`,
  ),
  "rows of a report": withText(({ intent, before }) => {
    const old = intent.kind === "insert" ? [] : before.slice(intent.first, intent.last + 1);
    const lost = old.map((line, at) => `-${intent.first + at + 1}|${line}`);
    const fresh = intent.lines.map((line, at) => `+${numberOf(intent, at)}|${line}`);
    return [...lost, ...fresh].join("\n");
  }),
  "old text with tags": asReplace((_, rows, lines) => ({
    old_text: rows.join("\n"),
    new_text: lines.join("\n"),
  })),
  "both texts with tags": asReplace((_, rows, lines) => ({
    old_text: rows.join("\n"),
    new_text: lines
      .map((line, at) => `${rows[Math.min(at, rows.length - 1)].split("|", 1)[0]}|${line}`)
      .join("\n"),
  })),
  "replace, newline added": asReplace((old, _, lines) => ({
    old_text: old.join("\n"),
    new_text: `${lines.join("\n")}\n`,
  })),
  "replace, newline lost": asReplace((old, _, lines) => ({
    old_text: `${old.join("\n")}\n`,
    new_text: lines.join("\n"),
  })),
  "escaped twice": withText(({ intent }) => {
    const text = intent.lines.join("\n");
    const escaped = text.replaceAll("\n", "\\n").replaceAll("\t", "\\t");
    return escaped === text || text.includes("\\") ? undefined : escaped;
  }),
  "text with CRLF": withText(({ intent }) => intent.lines.map((line) => `${line}\r\n`).join("")),
  "newline at the end": withText(({ intent }) => `${intent.lines.join("\n")}\n`),
};
