// What our three tools have in common.

import type { JsonSchema } from "../../index.js";
import type { Tool, ToolResult } from "../host.ts";
import type { HostSessions } from "../host-sessions.ts";
import { inOneShape, type ToolName } from "../one-shape.ts";

/**
 * The schema of an outcome, which pi's codemode scripts get as data: the text, and the fields in index.d.ts. `read` has
 * no such schema, so that a script gets its text or image, as from pi's own `read`.
 */
export const OUTCOME_SCHEMA = {
  type: "object",
  properties: {
    kind: { type: "string" },
    text: { type: "string" },
  },
  required: ["kind", "text"],
};

/** A result that carries its outcome as data. */
export function withOutcome(result: ToolResult, outcome: { kind: string; text: string }): ToolResult {
  return { ...result, structuredContent: { ...outcome } };
}

/**
 * The same tool with a request to the provider that every call fits the schema. It is off by default: such a
 * call must spell out each unused field as `null`, at two to nine times the tokens (docs/hosts.md), and the
 * core understands calls that do not fit.
 */
export function withConstrainedSampling(tool: Tool): Tool {
  return { ...tool, constrainedSampling: { type: "json_schema", strict: "prefer" } };
}

/**
 * Fields that all our tools share: the host offers the tool from the start and passes it whatever arguments the model
 * wrote, in their one shape.
 */
export function commonFields(
  name: ToolName,
  schema: JsonSchema,
  sessions: HostSessions,
): Pick<Tool, "parameters" | "loadMode" | "lenientArgValidation"> & {
  prepareArguments(args: unknown): Record<string, unknown>;
} {
  return {
    parameters: schema,
    prepareArguments: (args) => inOneShape(sessions.latest, name, args, schema),
    loadMode: "essential",
    lenientArgValidation: true,
  };
}
