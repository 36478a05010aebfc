// The tool `apply_hash`, by which the agent changes files.

import type { ApplyOutcome, ApplyRequest, JsonSchema } from "../../index.js";
import { adoptChanges, runAfterApply } from "../after-apply.ts";
import { type Context, type Tool, textResult } from "../host.ts";
import type { HostSession, HostSessions } from "../host-sessions.ts";
import { requestOf } from "../one-shape.ts";
import type { Previews } from "../previews.ts";
import type { Prompts } from "../prompts.ts";
import { applyRowsWith } from "../render/index.ts";
import { fields, string } from "../values.ts";
import { commonFields, OUTCOME_SCHEMA, withOutcome } from "./shared.ts";

export const APPLY = "apply_hash";

export function applyTool(
  prompts: Prompts,
  schema: JsonSchema,
  sessions: HostSessions,
  previews: Previews,
): Tool {
  const common = commonFields(APPLY, schema, sessions);
  return {
    name: APPLY,
    label: APPLY,
    description: prompts.applyHash,
    promptSnippet: prompts.snippets.apply_hash,
    promptGuidelines: prompts.guidelines,
    ...common,
    // A host that asks for consent shows the preview of the patch.
    prepareArguments(args) {
      const shape = common.prepareArguments(args);
      if (sessions.hasScreen) previews.start(sessions.latest, args, shape);
      return shape;
    },
    formatApprovalDetails: (args) => previews.lines(args),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    outputSchema: OUTCOME_SCHEMA,
    // The calls of one message run one after the other, so that the second sees what the first changed.
    executionMode: "sequential",
    concurrency: "exclusive",
    approval: "write",
    ...applyRowsWith((args) => previews.of(args)),
    async execute(_id, params, signal, _onUpdate, context) {
      const hostSession = await sessions.ready(context);
      const { session } = hostSession;
      const call = requestOf(session, APPLY, params);
      const { outcome, after } =
        "refused" in call
          ? { outcome: call.refused, after: [] }
          : await hostSession.change(call.files, async () => {
              const outcome = await session.apply(call.request as ApplyRequest, signal);
              if (outcome.kind === "applied") hostSession.recordPatch(outcome.receipt);
              return { outcome, after: await afterApplied(hostSession, outcome, context) };
            });
      const { text, ...details } = outcome;
      const shown = await hostSession.withNotes([text, ...after].join("\n\n"));
      const failed = details.kind === "refused" ? { failed: true } : {};
      return withOutcome(textResult(shown, { ...details, ...failed }), { text: shown, ...details });
    },
  };
}

/** The receipt of a patch, if these are the details of its result. */
export function receiptOf(tool: unknown, details: unknown): string | undefined {
  return tool === APPLY ? string(fields(details).receipt) : undefined;
}

/** Runs the user's `afterApply` after a patch. Returns why it failed, if it did, and the lines that it changed. */
async function afterApplied(
  { session, loaded }: HostSession,
  outcome: ApplyOutcome,
  { cwd }: Context,
): Promise<string[]> {
  const { afterApply } = loaded.settings;
  if (afterApply === false || outcome.kind !== "applied" || outcome.receipt === undefined) return [];
  const existing = outcome.files.filter(({ kind }) => kind !== "deleted").map(({ path, to }) => to ?? path);
  const names = existing.flatMap((name) => {
    const call = session.prepare("read", { path: name });
    return call.kind === "prepared" ? call.path : [];
  });
  const failure = names.length === 0 ? undefined : await runAfterApply(afterApply, names, cwd);
  const lines = await adoptChanges(session, outcome.receipt);
  return [failure, lines].filter((part) => part !== undefined);
}
