// omp's plan mode, in which an agent thinks and changes nothing. Its own editors see to that
// themselves; ours has to ask.

import type { Context } from "./host.ts";

export const PLANNING =
  "plan mode is on, so files stay as they are\nhint: write the plan with write to its local:// address, and wait until it is approved";

/** Whether the session is in plan mode. */
export function isPlanning({ sessionManager }: Context): boolean {
  const last = sessionManager.getBranch?.().findLast(({ type }) => type === "mode_change");
  return last?.mode === "plan";
}
