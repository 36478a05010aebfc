// The tool `grep`: tagged matches, with progress while a search is long.

import type { GrepRequest, JsonSchema } from "../../index.js";
import { type Tool, textResult, warn } from "../host.ts";
import type { HostSessions } from "../host-sessions.ts";
import { requestOf } from "../one-shape.ts";
import type { Prompts } from "../prompts.ts";
import { grepRows } from "../render/index.ts";
import { commonFields, OUTCOME_SCHEMA, withOutcome } from "./shared.ts";

export function grepTool(prompts: Prompts, schema: JsonSchema, sessions: HostSessions): Tool {
  return {
    name: "grep",
    label: "grep",
    description: prompts.grep,
    promptSnippet: prompts.snippets.grep,
    ...commonFields("grep", schema, sessions),
    outputSchema: OUTCOME_SCHEMA,
    annotations: { readOnlyHint: true },
    approval: "read",
    ...grepRows,
    async execute(_id, params, signal, onUpdate, context) {
      const hostSession = await sessions.ready(context);
      const call = requestOf(hostSession.session, "grep", params);
      const request = ("request" in call ? call.request : {}) as GrepRequest;
      const { text, ...details } = await hostSession.session.grep(
        request,
        signal,
        onUpdate &&
          ((progress) => {
            const { searched, matches } = progress;
            const files = searched === 1 ? "1 file" : `${searched} files`;
            const soFar = `${files} searched, ${matches === 1 ? "1 match" : `${matches} matches`}`;
            onUpdate(textResult(soFar, { kind: "progress", searched, matches }));
          }),
      );
      warn(context, details.warnings);
      const failed = details.kind === "refused";
      const shown = await hostSession.withNotes(text);
      const result = textResult(shown, { ...details, pattern: request?.pattern, failed });
      return withOutcome(result, { text: shown, ...details });
    },
  };
}
