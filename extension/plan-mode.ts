// omp's plan mode, in which an agent plans and must change nothing. omp's own editors check the mode
// themselves; our tool has to check it, too.

import type { Context } from "./host.ts";

export const PLAN_MODE_REFUSAL =
  "plan mode is on, so files stay as they are\nhint: write the plan with write to its local:// address, and wait until it is approved";

/** Whether the session is in plan mode. */
export function isPlanning({ sessionManager }: Context): boolean {
  const last = sessionManager.getBranch?.().findLast(({ type }) => type === "mode_change");
  return last?.mode === "plan";
}
