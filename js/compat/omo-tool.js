// oh-my-opencode's engine as a tool: the arguments of a call in, a unified diff or the lines as they
// are out. The work is done by a Session, so that the journal, the memory and the limits of the
// workspace hold here too.

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { object, text } from "../arguments.js";
import { Session } from "../session.js";
import {
  canonicalizeFileText,
  HashlineMismatchError,
  normalizeHashlineEdits,
  normalizeLineRef,
  validateLineRefs,
} from "./omo-engine.js";
import { unifiedDiff } from "./unified-diff.js";

/** The name under which the tool is registered. */
export const HASHLINE_EDIT_TOOL_NAME = "hashline_edit";

/** The description of the tool for the model. */
export const HASHLINE_EDIT_DESCRIPTION = `Edit a file by the LINE#ID references that read shows before each line.
- replace: puts lines in the place of line pos, or of lines pos to end; lines [] deletes them.
- append: inserts lines after line pos, or at the end of the file.
- prepend: inserts lines before line pos, or at the start of the file.
All references are to the file as it was read; all edits are made together or none. Copy references exactly; write new lines without them. rename moves the file, delete removes it.`;

const PARAMETERS = {
  type: "object",
  properties: {
    filePath: { type: "string", description: "The file." },
    edits: {
      type: "array",
      description: "The edits. All references are to the file before this call.",
      items: {
        type: "object",
        properties: {
          op: { type: "string", enum: ["replace", "append", "prepend"], description: "What to do." },
          pos: { type: "string", description: "LINE#ID of the line, or of the first of several." },
          end: { type: "string", description: "LINE#ID of the last line. replace." },
          lines: { type: "array", items: { type: "string" }, description: "The new lines; none deletes." },
        },
        required: ["op", "lines"],
      },
    },
    delete: { type: "boolean", description: "Remove the file instead of editing it." },
    rename: { type: "string", description: "New path of the file, after the edits." },
  },
  required: ["filePath"],
};

/** @type {typeof import("./omo.js").createHashlineEditTool} */
export function createHashlineEditTool(options) {
  const {
    name = HASHLINE_EDIT_TOOL_NAME,
    description = HASHLINE_EDIT_DESCRIPTION,
    ...settings
  } = object(options, "options");
  const root = text(settings.root, "options.root");
  // Anchors must fit the file that was read, or the call fails: no line is looked for elsewhere.
  const session = new Session({ relocation: "off", ...settings, root, scheme: "cid" });
  return {
    name,
    description,
    parameters: structuredClone(PARAMETERS),
    session,
    async execute(args, signal) {
      const call = read(args);
      if (typeof call === "string") return refused("", call);
      const before = await contents(root, call.filePath);
      const { notes: made, ...plain } = call;
      const request = before === undefined ? (created(call) ?? plain) : plain;
      const outcome = await session.apply(/** @type {any} */ (request), signal);
      if (outcome.kind === "refused") return refused(call.filePath, stale(call, before) ?? outcome.text);
      const after = call.delete ? "" : ((await contents(root, call.rename ?? call.filePath)) ?? "");
      const diff = unifiedDiff(call.filePath, before ?? "", after, call.rename);
      const notes = [
        ...made,
        ...outcome.repairs.map(
          ({ line, name }) => `note: the new text at line ${line} was repaired (${name})`,
        ),
        ...outcome.warnings.map((warning) => `warning: ${warning.text}`),
      ];
      return {
        kind: "applied",
        path: call.rename ?? call.filePath,
        diff,
        text: [title(call, diff), diff, ...notes].filter(Boolean).join("\n"),
      };
    },
  };
}

/**
 * @typedef {{ filePath: string; edits: import("./omo.js").HashlineEdit[]; delete?: boolean; rename?: string;
 *   notes: string[] }} Call
 */

/**
 * The call in its plain form, or why there is none.
 *
 * @type {(args: unknown) => Call | string}
 */
function read(args) {
  const given = /** @type {Record<string, any>} */ (Object(args));
  const filePath = given.filePath ?? given.path;
  if (typeof filePath !== "string" || filePath === "") return "`filePath` is missing: name the file to edit";
  const raw = given.edits ?? [];
  if (!Array.isArray(raw)) return "`edits` must be an array of edits";
  if (given.delete === true && raw.length > 0) return "`delete` removes the file: give no `edits` with it";
  const rename = typeof given.rename === "string" && given.rename !== "" ? given.rename : undefined;
  if (raw.length === 0 && given.delete !== true && !rename)
    return "there is nothing to do: give `edits`, `rename` or `delete`";
  /** @type {string[]} */
  const notes = [];
  try {
    const edits = distinct(normalizeHashlineEdits(raw), notes);
    return {
      filePath,
      edits,
      notes,
      ...(given.delete === true && { delete: true }),
      ...(rename && { rename }),
    };
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}

/**
 * Each edit once.
 *
 * @type {(edits: import("./omo.js").HashlineEdit[], notes: string[]) => import("./omo.js").HashlineEdit[]}
 */
function distinct(edits, notes) {
  const known = new Set();
  return edits.filter((edit) => {
    const refs = references(edit).map(normalizeLineRef);
    const key = JSON.stringify([edit.op, refs, [edit.lines].flat().join("\n")]);
    if (known.has(key)) notes.push("note: an edit that was given twice was made once");
    return known.has(key) ? false : known.add(key);
  });
}

/** @type {(edit: import("./omo.js").HashlineEdit) => string[]} */
function references(edit) {
  return [edit.pos, edit.op === "replace" ? edit.end : undefined].filter((ref) => ref !== undefined);
}

/**
 * The request that makes a new file, if the edits name no line.
 *
 * @type {(call: Call) => object | undefined}
 */
function created({ filePath, edits, delete: remove, rename }) {
  if (remove || rename || edits.length === 0 || edits.some((edit) => references(edit).length > 0))
    return undefined;
  const lines = edits.flatMap((edit) =>
    typeof edit.lines === "string" ? edit.lines.split("\n") : edit.lines,
  );
  return { patch: [{ op: "add_file", path: filePath, content: `${lines.join("\n")}\n` }] };
}

/**
 * What to tell of references that do not fit: the lines as they are, those in question marked `>>>`.
 *
 * @type {(call: Call, before: string | undefined) => string | undefined}
 */
function stale({ edits }, before) {
  if (before === undefined) return undefined;
  try {
    validateLineRefs(before.split("\n"), edits.flatMap(references));
    return undefined;
  } catch (error) {
    return error instanceof HashlineMismatchError ? error.message : undefined;
  }
}

/** @type {(call: Call, diff: string) => string} */
function title({ filePath, delete: remove, rename }, diff) {
  if (remove) return `Deleted ${filePath}`;
  if (rename) return `Moved ${filePath} to ${rename}`;
  return diff === "" ? `Nothing changed in ${filePath}` : `Updated ${filePath}`;
}

/** @type {(path: string, reason: string) => import("./omo.js").HashlineEditRefused} */
function refused(path, reason) {
  return { kind: "refused", path, text: reason };
}

/**
 * A file's text with newlines only; nothing if it cannot be read. The session decides whether it may be.
 *
 * @type {(root: string, path: string) => Promise<string | undefined>}
 */
async function contents(root, path) {
  try {
    return canonicalizeFileText(await readFile(resolve(root, path), "utf8")).content;
  } catch {
    return undefined;
  }
}
