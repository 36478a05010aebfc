// The tool `apply_hash`: the one way in which the agent changes files.

import type { ApplyOutcome, ApplyRequest, JsonSchema } from "../../index.js";
import { adoptChanges, runAfterApply } from "../after-apply.ts";
import { answer, type Context, type Tool } from "../host.ts";
import type { HostSession, HostSessions } from "../host-sessions.ts";
import { carriedOut } from "../one-shape.ts";
import type { Previews } from "../previews.ts";
import type { Prompts } from "../prompts.ts";
import { applyRowsWith } from "../render/index.ts";
import { fields, string } from "../values.ts";
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
    // The calls of one message run one after the other, so that the second sees what the first changed.
    executionMode: "sequential",
    concurrency: "exclusive",
    approval: "write",
    ...applyRowsWith((args) => previews.of(args)),
    async execute(_id, params, signal, _onUpdate, context) {
      const hostSession = await sessions.ready(context);
      const { session } = hostSession;
      const call = carriedOut(session, APPLY, params);
      const { outcome, after } =
        "refused" in call
          ? { outcome: call.refused, after: [] }
          : await hostSession.change(call.files, async () => {
              const outcome = await session.apply(call.request as ApplyRequest, signal);
              if (outcome.kind === "applied") hostSession.applied(outcome.receipt);
              return { outcome, after: await afterwards(hostSession, outcome, context) };
            });
      const { text, ...details } = outcome;
      const shown = await hostSession.noted([text, ...after].join("\n\n"));
      const failed = details.kind === "refused" ? { failed: true } : {};
      return withOutcome(answer(shown, { ...details, ...failed }), { text: shown, ...details });
    },
  };
}

/** The receipt of a patch, if these are the details of its result. */
export function receiptOf(tool: unknown, details: unknown): string | undefined {
  return tool === APPLY ? string(fields(details).receipt) : undefined;
}

/** The report of the user's `afterApply` about a patch, and the lines that it changed. */
async function afterwards(
  { session, loaded }: HostSession,
  outcome: ApplyOutcome,
  { cwd }: Context,
): Promise<string[]> {
  const { afterApply } = loaded.settings;
  if (afterApply === false || outcome.kind !== "applied" || outcome.receipt === undefined) return [];
  const there = outcome.files.filter(({ kind }) => kind !== "deleted").map(({ path, to }) => to ?? path);
  const names = there.flatMap((name) => {
    const call = session.prepare("read", { path: name });
    return call.kind === "prepared" ? call.path : [];
  });
  const failure = names.length === 0 ? undefined : await runAfterApply(afterApply, names, cwd);
  const lines = await adoptChanges(session, outcome.receipt);
  return [failure, lines].filter((part) => part !== undefined);
}
