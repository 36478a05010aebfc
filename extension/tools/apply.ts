// The tool `apply_hash`: the one way in which the agent changes files.

import type { ApplyRequest, JsonSchema } from "../../index.js";
import { answer, type Tool } from "../host.ts";
import type { HostSessions } from "../host-sessions.ts";
import { carriedOut } from "../one-shape.ts";
import type { Previews } from "../previews.ts";
import type { Prompts } from "../prompts.ts";
import { applyRowsWith } from "../render/index.ts";
import { OUTCOME_SCHEMA, taking, withOutcome } from "./shared.ts";

export const APPLY = "apply_hash";

export function applyTool(
  prompts: Prompts,
  schema: JsonSchema,
  sessions: HostSessions,
  previews: Previews,
): Tool {
  const taken = taking(APPLY, schema, sessions);
  return {
    name: APPLY,
    label: APPLY,
    description: prompts.applyHash,
    promptSnippet: prompts.snippets.apply_hash,
    promptGuidelines: prompts.guidelines,
    ...taken,
    // A host that asks for consent shows what the patch would do.
    prepareArguments(args) {
      const shape = taken.prepareArguments(args);
      if (sessions.hasScreen) previews.look(sessions.latest, args, shape);
      return shape;
    },
    formatApprovalDetails: (args) => previews.lines(args),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    outputSchema: OUTCOME_SCHEMA,
    // Calls of one message follow each other, so that the second sees what the first did.
    executionMode: "sequential",
    concurrency: "exclusive",
    approval: "write",
    ...applyRowsWith((args) => previews.of(args)),
    async execute(_id, params, signal, _onUpdate, context) {
      const hostSession = await sessions.ready(context);
      const { session } = hostSession;
      const call = carriedOut(session, APPLY, params);
      const outcome =
        "refused" in call ? call.refused : await session.apply(call.request as ApplyRequest, signal);
      const { text, ...details } = outcome;
      const shown = hostSession.noted(text);
      switch (details.kind) {
        case "applied":
          hostSession.applied(details.receipt);
          return withOutcome(answer(shown, details), { text: shown, ...details });
        case "refused":
          return withOutcome(answer(shown, { ...details, failed: true }), { text: shown, ...details });
      }
    },
  };
}
