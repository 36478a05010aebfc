// oh-my-opencode's engine as a tool: it takes the arguments of a call and returns a unified diff or,
// if references are stale, the current lines. A Session does the work, so that the journal, the
// memory and the limits of the workspace apply here too.

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { object, text } from "../arguments.js";
import { Session } from "../session.js";
import {
  canonicalizeFileText,
  normalizeHashlineEdits,
  normalizeLineRef,
  parseLineRef,
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
  // If an anchor does not fit the file, the call fails; lines are not searched for elsewhere.
  const session = new Session({ relocation: "off", ...settings, root, scheme: "cid" });
  return {
    name,
    description,
    parameters: structuredClone(PARAMETERS),
    session,
    async execute(args, signal) {
      const call = read(args);
      if (typeof call === "string") return refused(namedFile(args), call);
      const before = await readText(root, call.filePath);
      const { notes: made, ...plain } = call;
      const request = before === undefined ? (creation(call) ?? plain) : plain;
      const outcome = await session.apply(/** @type {any} */ (request), signal);
      if (outcome.kind === "refused")
        return refused(call.filePath, staleMessage(call, before) ?? reworded(outcome, call));
      const after = call.delete ? "" : ((await readText(root, call.rename ?? call.filePath)) ?? "");
      const diff = unifiedDiff(call.filePath, before ?? "", after, call.rename);
      const notes = [
        ...made,
        ...mergeWarnings(call, before),
        ...outcome.repairs.map(
          ({ line, name }) => `note: the new text at line ${line} was repaired (${name})`,
        ),
        ...outcome.warnings.map((warning) => `warning: ${namingEdits(warning.text)}`),
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

/** The file that a call names; "" if it names none. @type {(args: unknown) => string} */
function namedFile(args) {
  const { filePath, path } = Object(args);
  const name = filePath ?? path;
  return typeof name === "string" ? name : "";
}

/**
 * The call, checked and normalized, or why it is refused.
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
    const edits = withoutDuplicates(normalizeHashlineEdits(raw), notes);
    notes.push(...raw.flatMap(unusedFieldNotes));
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

/** Notes about fields of an edit that have no effect. @type {(edit: any, at: number) => string[]} */
function unusedFieldNotes(edit, at) {
  const used = ["op", "pos", "lines", ...(edit.op === "replace" ? ["end"] : [])];
  const left = Object.keys(edit).filter((key) => !used.includes(key));
  return left.map((key) => `note: edit ${at}: \`${key}\` was not used`);
}

/**
 * The edits without duplicates; adds a note for each duplicate.
 *
 * @type {(edits: import("./omo.js").HashlineEdit[], notes: string[]) => import("./omo.js").HashlineEdit[]}
 */
function withoutDuplicates(edits, notes) {
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
 * The request that creates the file, if the edits name no line.
 *
 * @type {(call: Call) => object | undefined}
 */
function creation({ filePath, edits, delete: remove, rename }) {
  if (remove || rename || edits.length === 0 || edits.some((edit) => references(edit).length > 0))
    return undefined;
  const lines = edits.flatMap((edit) =>
    typeof edit.lines === "string" ? edit.lines.split("\n") : edit.lines,
  );
  return { patch: [{ op: "add_file", path: filePath, content: `${lines.join("\n")}\n` }] };
}

/**
 * The message about references that do not fit the file: the current lines, the affected ones marked `>>>`.
 *
 * @type {(call: Call, before: string | undefined) => string | undefined}
 */
function staleMessage({ edits }, before) {
  if (before === undefined) return undefined;
  try {
    validateLineRefs(linesOf(before), edits.flatMap(references));
    return undefined;
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}

/**
 * The lines of a text; a final newline starts no other line. @type {(text: string) => string[]}
 */
function linesOf(text) {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/**
 * The text of a session's refusal, with this tool's field names instead of those of `apply_hash`.
 *
 * @type {(outcome: Extract<import("../../index.js").ApplyOutcome, { kind: "refused" }>, call: Call) => string}
 */
function reworded({ text, refusals }, { filePath, edits, rename }) {
  const [, ...shown] = text.split("\n\n");
  const reasons = refusals.map(({ op, code, text: reason }) => {
    const edit = op === undefined || op >= edits.length ? "" : `Edit ${op}: `;
    switch (code) {
      case "file_missing":
        return `${filePath} does not exist${edit && ": append or prepend without pos makes it"}`;
      case "file_exists":
        return `${rename} exists already: give another name, or delete it first`;
      case "overlap":
        return `${edit}it changes the same lines as another edit: make them one`;
      case "bad_patch":
        return `${edit}there is nothing to insert: give at least one of \`lines\``;
      default:
        return `${edit}${namingEdits(reason).replaceAll("LINE:HASH", "LINE#ID")}`;
    }
  });
  return [["Nothing was changed", ...new Set(reasons)].join("\n"), ...shown].join("\n\n");
}

/**
 * A session's report, reworded to say `edit 2` instead of `patch[2]`. @type {(text: string) => string}
 */
function namingEdits(text) {
  return text.replaceAll(/patch\[(\d+)\]/g, "edit $1");
}

/**
 * Warns where several lines were replaced by one line that contains most of their text.
 *
 * @type {(call: Call, before: string | undefined) => string[]}
 */
function mergeWarnings({ edits }, before) {
  const old = linesOf(before ?? "").map(withoutSpace);
  return edits.flatMap((edit) => {
    const [line, ...more] = [edit.lines].flat();
    const [pos, end] = references(edit);
    if (edit.op !== "replace" || !pos || !end || !line || more.length > 0 || line.includes("\n")) return [];
    const [first, last] = [pos, end].map((ref) => parseLineRef(normalizeLineRef(ref)).line);
    let [rest, held] = [withoutSpace(line), 0];
    const range = old.slice(Math.min(first, last) - 1, Math.max(first, last));
    for (const part of range) {
      const at = rest.indexOf(part);
      if (part === "" || at < 0) continue;
      [rest, held] = [rest.slice(at + part.length), held + 1];
    }
    if (range.length < 2 || held * 2 <= range.length) return [];
    return [
      `warning: lines ${first} to ${last} became one line that holds ${held} of them: if that is not meant, send each as one of \`lines\``,
    ];
  });
}

/** @type {(line: string) => string} */
function withoutSpace(line) {
  return line.replace(/\s/g, "");
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
 * A file's text with LF endings only; `undefined` if it cannot be read. The session checks whether it may be.
 *
 * @type {(root: string, path: string) => Promise<string | undefined>}
 */
async function readText(root, path) {
  try {
    return canonicalizeFileText(await readFile(resolve(root, path), "utf8")).content;
  } catch {
    return undefined;
  }
}
