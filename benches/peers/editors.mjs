// The editors that are compared: how each is loaded, and how a model words an edit after what the editor
// showed it. This module does not judge whether an edit is right.

import { existsSync } from "node:fs";
import { PACKAGE } from "../../__test__/hosts/bench.mjs";
import { calls } from "../../__test__/hosts/model.mjs";

/** The path of a checkout of pi-hashline-edit with its dependencies; it is not on the npm registry. */
const HASHLINE_EDIT = process.env.PI_HASHLINE_EDIT;

const lines = (text) => text.replace(/^\ufeff/, "").split(/\r?\n/);
const row = (shown, number, mark) =>
  new RegExp(`^[ +]?(${number}${mark}[0-9A-Za-z]+)[|:]`, "m").exec(shown)?.[1] ?? `${number}${mark}00`;

/** An anchor with a wrong number: the tag of the line that the model means, the number of another line. */
const slipped = (anchor, slip = 0) => anchor.replace(/^\d+/, (number) => String(Number(number) + slip));

/** A text with the prefixes of the rows that it replaces, as models echo them. */
const echoed = ({ at, echo, text }, prefix) =>
  echo
    ? text
        .split("\n")
        .map((line, i) => prefix(at + i) + line)
        .join("\n")
    : text;

function ourEdit(edit, shown) {
  const { path, at, to = at, after, slip } = edit;
  const anchor = (number) => slipped(row(shown[path], number, ":"), slip);
  const text = echoed(edit, (number) => `${row(shown[path], number, ":")}|`);
  if (after !== undefined) return { op: "insert_after", path, anchor: anchor(after), text };
  if (to === at) return { op: "set_line", path, anchor: anchor(at), text };
  return { op: "replace_range", path, start_anchor: anchor(at), end_anchor: anchor(to), text };
}

/**
 * Replaces old text that the model copies, so `slip` has no effect. If the text occurs more than once, the
 * model copies as many lines above it as make it unique.
 */
function piEdit({ path, at, to = at, after, text }, files) {
  const all = lines(files[path]);
  const [first, last] = after === undefined ? [at, to] : [after, after];
  const from = (start) => all.slice(start - 1, last).join("\n");
  const isUnique = (old) => all.join("\n").split(old).length === 2;
  let start = first;
  while (start > 1 && !isUnique(from(start))) start--;
  const above = all.slice(start - 1, after === undefined ? first - 1 : after);
  return { path, edits: [{ oldText: from(start), newText: [...above, text].join("\n") }] };
}

function ompEdit(edit, shown) {
  const { path, at, to = at, after, slip = 0 } = edit;
  const [header = `[${path}#0000]`] = /^\[.+#\w+\]$/m.exec(shown[path]) ?? [];
  const place = after === undefined ? `PUT ${at + slip}.=${to + slip}:` : `PUT >${after + slip}:`;
  const text = echoed(edit, (number) => `${number}:`);
  return [header, place, ...text.split("\n").map((line) => `+${line}`)].join("\n");
}

function hashlineEdit(edit, shown) {
  const { path, at, to = at, after, slip } = edit;
  const pos = (number) => slipped(row(shown[path], number, "#"), slip);
  const body = echoed(edit, (number) => `${row(shown[path], number, "#")}:`).split("\n");
  const place = after === undefined ? { op: "replace", pos: pos(at) } : { op: "append", pos: pos(after) };
  return { path, edits: [{ ...place, ...(to !== at && { end: pos(to) }), lines: body }] };
}

/** Each editor: its host, the extensions it needs, and the reply that asks for `edits` in one message. */
export const EDITORS = [
  ...["pi", "omp"].map((host) => ({
    name: `ours in ${host}`,
    host,
    extensions: [PACKAGE],
    undo: "/hashline undo",
    reply: (edits, { shown }) => calls(["apply_hash", { patch: edits.map((edit) => ourEdit(edit, shown)) }]),
  })),
  {
    name: "pi's edit",
    host: "pi",
    extensions: [],
    reply: (edits, { files }) => calls(...edits.map((edit) => ["edit", piEdit(edit, files)])),
  },
  {
    name: "pi-hashline-edit",
    host: "pi",
    extensions: [HASHLINE_EDIT],
    missing:
      HASHLINE_EDIT && existsSync(HASHLINE_EDIT)
        ? undefined
        : "it is not on the npm registry: set PI_HASHLINE_EDIT to a checkout with its dependencies",
    reply: (edits, { shown }) => calls(...edits.map((edit) => ["edit", hashlineEdit(edit, shown)])),
  },
  {
    name: "omp's edit",
    host: "omp",
    extensions: [],
    reply: (edits, { shown }) =>
      calls(["edit", { input: edits.map((edit) => ompEdit(edit, shown)).join("\n") }]),
  },
];
