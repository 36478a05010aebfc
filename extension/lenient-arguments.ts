// Whether arguments are what a tool's schema says.
//
// Hosts refuse other arguments before the tool sees them, with an error that knows nothing of
// anchors. The core understands many more spellings and explains the rest, so arguments that do not
// fit travel past the host's check, in a field of their own.

import type { JsonSchema } from "../index.js";

/** Whether `value` fits `schema`. */
export function matchesSchema(value: unknown, schema: Partial<JsonSchema>): boolean {
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
      if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
      const fields = new Map(Object.entries(value));
      return (
        (schema.required ?? []).every((name) => fields.has(name)) &&
        Object.entries(schema.properties ?? {}).every(
          ([name, field]) => !fields.has(name) || matchesSchema(fields.get(name), field),
        )
      );
    }
  }
}

/** Arguments that the host accepts: `args` if they fit, else an empty call that carries them. */
export function wrapForHost(args: unknown, schema: JsonSchema): unknown {
  if (matchesSchema(args, schema)) return args;
  const empty = (name: string) => (schema.properties?.[name]?.type === "array" ? [] : "");
  return { ...Object.fromEntries((schema.required ?? []).map((name) => [name, empty(name)])), given: args };
}

/** What was really given. omp's interpreters add `i`, a word about the intent, to every nested call. */
export function unwrap(params: unknown): unknown {
  if (typeof params !== "object" || params === null || Array.isArray(params)) return params;
  if ("given" in params) return unwrap(params.given);
  if (!("i" in params)) return params;
  const { i: _intent, ...rest } = params;
  return rest;
}
