// Brings calls into one shape, `{path, paths, ...}`, before other extensions see them.
//
// Other extensions decide by the arguments whether a call may be carried out, and most look only at `path`. So every
// spelling that the core understands is brought into one shape first: by `prepareArguments` in pi, by our handler of
// `tool_call` in omp. Files that other extensions could not see in a call are not touched.

import type { ApplyOutcome, JsonSchema, Session } from "../index.js";
import { strictestPath } from "./permission-system.ts";
import { type Fields, fields, isObject } from "./values.ts";

/** The names of our tools. */
export type ToolName = "read" | "grep" | "apply_hash";

const PATHS_CHANGED =
  "nothing was done: `path` or `paths` of this call no longer name the files that it is about\nhint: send the call again; if that happens again, another extension changes its arguments";

/**
 * The arguments in the one shape. Its field `given` keeps arguments that cannot be understood, and arguments of a read
 * or a search that do not fit the schema or name files in another way.
 */
export function inOneShape(session: Session, tool: ToolName, args: unknown, schema: JsonSchema): Fields {
  const given = unwrap(args);
  const { paths, ...rest } = fields(given);
  const isShapedPatch = tool === "apply_hash" && paths !== undefined;
  const call = session.prepare(tool, isShapedPatch ? rest : given);
  if (call.kind === "refused" || (isShapedPatch && !isSame(paths, call.paths))) {
    const empty = (name: string) => (schema.properties?.[name]?.type === "array" ? [] : "");
    const required = (schema.required ?? []).map((name) => [name, empty(name)]);
    return { ...Object.fromEntries(required), path: "", paths: [], given };
  }
  const { kind: _kind, ...fitting } = call;
  const shape = { ...fitting, path: strictestPath(tool, call.paths) ?? "" };
  if (tool === "apply_hash") return shape;
  return matchesSchema(given, schema) && isPlain(fields(given), shape.paths)
    ? { ...fields(given), ...shape }
    : { ...shape, given };
}

/** The core's request for a call in the one shape, and its files; or the refusal of a call that is not understood. */
export function requestOf(
  session: Session,
  tool: ToolName,
  params: unknown,
): { request: unknown; files: string[] } | { refused: ApplyOutcome } {
  const { path, paths, given, ...rest } = fields(params);
  // A program that embeds the host may call a tool by itself, without the fields that we add.
  const isShaped = path !== undefined && paths !== undefined;
  const request = isShaped && given === undefined && tool === "apply_hash" ? rest : unwrap(params);
  const call = session.prepare(tool, request);
  if (call.kind === "refused") {
    return call.refusals ? { refused: { ...call, refusals: call.refusals } } : { request, files: [] };
  }
  if (isShaped && !(call.paths.some((name) => name === path) && isSame(paths, call.paths))) {
    throw new Error(PATHS_CHANGED);
  }
  return { request, files: call.paths };
}

/** Whether `path` and `paths` of a request are exactly these names. */
function isPlain({ path, paths }: Fields, names: string[]): boolean {
  const given = [path, paths].flat().filter((name) => name !== undefined);
  return isSame(given.length === 0 ? ["."] : [...new Set(given)], names);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether `value` fits `schema`. */
function matchesSchema(value: unknown, schema: Partial<JsonSchema>): boolean {
  if (schema.enum && !schema.enum.some((allowed) => allowed === value)) return false;
  switch (schema.type) {
    case undefined:
      return true;
    case "string":
    case "boolean":
      return typeof value === schema.type;
    case "integer":
      return Number.isInteger(value) && (schema.minimum === undefined || Number(value) >= schema.minimum);
    case "array":
      return Array.isArray(value) && value.every((item) => matchesSchema(item, schema.items ?? {}));
    case "object": {
      return (
        isObject(value) &&
        (schema.required ?? []).every((name) => Object.hasOwn(value, name)) &&
        Object.entries(schema.properties ?? {}).every(
          ([name, field]) => !Object.hasOwn(value, name) || matchesSchema(value[name], field),
        )
      );
    }
  }
}

/**
 * The arguments as the model gave them, without the field `i` (the intent) that omp's interpreters add to
 * every nested call.
 */
function unwrap(args: unknown): unknown {
  if (!isObject(args)) return args;
  if ("given" in args) return unwrap(args.given);
  if (!("i" in args)) return args;
  const { i: _intent, ...rest } = args;
  return rest;
}
