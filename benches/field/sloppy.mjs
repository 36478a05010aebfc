// The mistakes of real models, each as a function that changes a correct call.
//
// The mistakes come from stored traces of real models (README of the traces, issue threads): tags in the text,
// numbers off by one, fields of other tools, lost indentation. A mistake is implemented for each kind of call in which
// it is possible; in other calls the function returns undefined, and the run does not count for that arm.

import { Random } from "../faults/random.mjs";

const copy = (call) => structuredClone(call);
const isOurs = ({ name }) => name === "apply_hash";
const isPi = (call) => call.name === "edit" && call.arguments.edits?.[0]?.oldText !== undefined;
const isOmp = (call) => call.name === "edit" && typeof call.arguments.input === "string";

/** Changes the operations of our patch; returns undefined if `change` fits none of them. */
const ops = (change) => (call) => {
  if (!isOurs(call)) return undefined;
  const made = copy(call);
  const changed = made.arguments.patch.map((op) => change(op) ?? op);
  if (changed.every((op, at) => op === made.arguments.patch[at])) return undefined;
  made.arguments.patch = changed;
  return made;
};

/** Changes the new text, in every arm. */
const texts = (change) => (call) => {
  const made = copy(call);
  if (isOurs(call)) for (const op of made.arguments.patch) if (op.text) op.text = change(op.text);
  if (isPi(call)) for (const edit of made.arguments.edits) edit.newText = change(edit.newText);
  if (isOmp(call)) {
    made.arguments.input = made.arguments.input.replaceAll(
      /(?:\n\+.*)+/g,
      (body) => `\n${change(body.slice(2).replaceAll("\n+", "\n")).replaceAll(/^/gm, "+")}`,
    );
  }
  return JSON.stringify(made) === JSON.stringify(call) ? undefined : made;
};

const anchors = (change) =>
  ops((op) => {
    const fields = ["anchor", "start_anchor", "end_anchor"].filter((field) => op[field] !== undefined);
    return { ...op, ...Object.fromEntries(fields.map((field) => [field, change(op[field])])) };
  });

const slipped = (by) => (anchor) =>
  anchor.replace(/^\d+/, (number) => String(Math.max(Number(number) + by, 1)));
const numbers = (by) => (call) => {
  if (!isOmp(call)) return anchors(slipped(by))(call);
  const made = copy(call);
  made.arguments.input = made.arguments.input.replaceAll(/^PUT .*:$/gm, (head) =>
    head.replaceAll(/\d+/g, (number) => String(Math.max(Number(number) + by, 1))),
  );
  return made;
};

/** Replaces the arguments of a call with a single operation. */
const reshaped = (change) => (call) => {
  if (!isOurs(call) || call.arguments.patch.length !== 1) return undefined;
  const [op] = call.arguments.patch;
  const made = change(op);
  return made && { name: call.name, arguments: made };
};
const onlyOp = (fits, change) => reshaped((op) => (fits(op) ? { patch: [change(op)] } : undefined));
const inserts = ({ op }) => op === "insert_after";
const renamed = (name) => (op) => ({ ...op, op: name });
const without = (op, ...fields) =>
  Object.fromEntries(Object.entries(op).filter(([key]) => !fields.includes(key)));

/** Turns the edit into a search for the old text, as in other tools. */
const asText = (make) => (call, edits, dialect) => {
  if (edits.length !== 1 || edits[0].last < edits[0].first) return undefined;
  const [{ path, first, last, lines }] = edits;
  const old = dialect.files
    .get(path)
    .slice(first - 1, last)
    .join("\n");
  if (old.trim() === "" || lines.length === 0 || call.name === "bash") return undefined;
  return { name: call.name, arguments: make(path, old, lines.join("\n")) };
};

/** Every mistake by its name. */
export const FAULTS = {
  "tags in all lines of the text": ops((op) =>
    op.text ? { ...op, text: op.text.replaceAll(/^/gm, `${op.anchor ?? op.start_anchor}|`) } : undefined,
  ),
  "a tag in the first line": ops((op) =>
    op.text ? { ...op, text: `${op.anchor ?? op.start_anchor}|${op.text}` } : undefined,
  ),
  "rows with a plus": ops((op) =>
    op.text ? { ...op, text: op.text.replaceAll(/^/gm, `+${op.anchor ?? op.start_anchor}|`) } : undefined,
  ),
  "plus signs in front": texts((text) => text.replaceAll(/^/gm, "+")),
  "number one too high": numbers(1),
  "number one too low": numbers(-1),
  "number alone": anchors((anchor) => anchor.split(":")[0]),
  "tag alone": anchors((anchor) => anchor.split(":")[1]),
  "the whole row as anchor": (call, edits, dialect) =>
    anchors((anchor) => `${anchor}|${dialect.files.get(edits[0].path)[Number.parseInt(anchor, 10) - 1]}`)(
      call,
    ),
  "range reversed": ops((op) =>
    op.start_anchor ? { ...op, start_anchor: op.end_anchor, end_anchor: op.start_anchor } : undefined,
  ),
  "anchor and end_anchor": ops((op) =>
    op.start_anchor ? { ...without(op, "start_anchor"), anchor: op.start_anchor } : undefined,
  ),
  "half a range": ops((op) => (op.start_anchor ? without(op, "end_anchor") : undefined)),
  "indentation lost": texts((text) => text.replaceAll(/^[ \t]+/gm, "")),
  "first line's indentation lost": texts((text) => text.replace(/^[ \t]+/, "")),
  "newline at the end": texts((text) => (text.includes("\n") ? text : `${text}\n`)),
  "newlines escaped twice": texts((text) => text.replaceAll("\n", "\\n")),
  "{path, edits: [{oldText, newText}]}": asText((path, oldText, newText) => ({
    path,
    edits: [{ oldText, newText }],
  })),
  "{file_path, old_string, new_string}": asText((file_path, old_string, new_string) => ({
    file_path,
    old_string,
    new_string,
  })),
  "{command: str_replace}": asText((path, old_str, new_str) => ({
    command: "str_replace",
    path,
    old_str,
    new_str,
  })),
  "text as a list": ops((op) => (op.text ? { ...op, text: op.text.split("\n") } : undefined)),
  "field content": ops((op) => (op.text ? { ...without(op, "text"), content: op.text } : undefined)),
  "field lines": ops((op) => (op.text ? { ...without(op, "text"), lines: op.text.split("\n") } : undefined)),
  "patch as a string": (call) =>
    isOurs(call) || isPi(call)
      ? {
          name: call.name,
          arguments: Object.fromEntries(
            Object.entries(call.arguments).map(([key, value]) => [
              key,
              typeof value === "string" ? value : JSON.stringify(value),
            ]),
          ),
        }
      : undefined,
  "one object": reshaped((op) => ({ patch: op })),
  "the operation at the top": reshaped((op) => op),
  "path beside the list": reshaped((op) => ({ path: op.path, patch: [without(op, "path")] })),
  "op insert": onlyOp(inserts, renamed("insert")),
  "op add": onlyOp(inserts, renamed("add")),
  "op insert_line": onlyOp(inserts, renamed("insert_line")),
  "op insert_below": onlyOp(inserts, renamed("insert_below")),
  "op append": onlyOp(inserts, renamed("append")),
  "insert with position": onlyOp(inserts, (op) => ({ ...op, op: "insert", position: "after" })),
  "insert with after": onlyOp(inserts, (op) => ({
    ...without(op, "anchor"),
    op: "insert",
    after: op.anchor,
  })),
  "command insert": reshaped((op) =>
    inserts(op)
      ? {
          command: "insert",
          path: op.path,
          insert_line: Number.parseInt(op.anchor, 10),
          new_str: op.text,
        }
      : undefined,
  ),
  "op edit": onlyOp((op) => op.op === "set_line", renamed("edit")),
  "op replace_line": onlyOp((op) => op.op === "set_line" && op.text !== "", renamed("replace_line")),
  "op remove": onlyOp(
    (op) => op.text === "",
    (op) => ({ ...without(op, "text"), op: "remove" }),
  ),
  "op missing": onlyOp(
    () => true,
    (op) => without(op, "op"),
  ),
  "a remark beside it": ops((op) => ({ ...op, explanation: "as asked" })),
};

/**
 * Runs of the sloppy copier: a task and a mistake each, the same for every arm.
 *
 * @param {number} seed
 * @param {number} runs how many; no mistake comes twice before all have come once
 * @param {object[]} tasks
 */
export function mixture(seed, runs, tasks) {
  const chance = new Random(seed);
  const rounds = Object.keys(FAULTS).map((fault) => {
    const order = tasks.map((task) => ({ fault, task, at: chance.next() })).sort((a, b) => a.at - b.at);
    return order.map((run, round) => ({ ...run, round }));
  });
  const all = rounds.flat().sort((one, other) => one.round - other.round || one.at - other.at);
  return all.slice(0, runs).map(({ fault, task }) => ({ fault, task, spoil: () => FAULTS[fault] }));
}
