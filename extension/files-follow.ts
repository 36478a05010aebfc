// Lets files go back together with the conversation: on `/tree`, a fork or a rewind, asks the person at a screen
// whether to undo the patches of the abandoned part of the conversation, too.

import { forPeople } from "./commands/words.ts";
import { type Context, choose, notify } from "./host.ts";
import type { HostSession } from "./host-sessions.ts";
import { receiptOf } from "./tools/apply.ts";
import { fields } from "./values.ts";

const UNDO = "Undo the files, too";
const LEAVE = "Leave the files as they are";
const GO_ON = "Go on";

/** The entries on the branch that ends at `old` but not on the branch that ends at `now`; the newest last. */
export function abandonedEntries(context: Context, old: string | null, now: string | null): unknown[] {
  const { getBranch } = context.sessionManager;
  if (getBranch === undefined || old === null) return [];
  const branch = (leaf: string) => context.sessionManager.getBranch?.(leaf) ?? [];
  const kept = new Set(now === null ? [] : branch(now).map(({ id }) => id));
  return branch(old).filter(({ id }) => !kept.has(id));
}

/** The entries of the current branch from `first` on. */
export function entriesFrom(context: Context, first: string): unknown[] {
  const branch = context.sessionManager.getBranch?.() ?? [];
  const at = branch.findIndex(({ id }) => id === first);
  return at === -1 ? [] : branch.slice(at);
}

/** Asks whether to undo the patches of some entries, and undoes them if the person agrees. */
export async function askForFiles(
  hostSession: HostSession,
  entries: unknown[],
  context: Context,
): Promise<void> {
  if (!hostSession.loaded.settings.filesFollow) return;
  const made = entries.flatMap(receiptIn);
  const kept = new Set((await hostSession.session.history()).map(({ receipt }) => receipt));
  const receipts = made.filter((receipt) => kept.has(receipt)).toReversed();
  if (receipts.length === 0) return;
  const count = `${receipts.length} ${receipts.length === 1 ? "patch was" : "patches were"}`;
  const title = `${count} made in the part of the conversation that is left`;
  if ((await choose(context, title, [UNDO, LEAVE])) !== UNDO) return;
  const reports: string[] = [];
  for (const receipt of receipts) {
    const { kind, text } = await hostSession.undo({ receipt });
    reports.push(forPeople(text));
    if (kind === "undone") continue;
    // pi redraws the conversation after this, so a notice would be gone before anyone has read it.
    await choose(context, reports.join("\n"), [GO_ON]);
    return;
  }
  notify(context, reports.join("\n"), "info");
}

/** The receipt in an entry, if the entry is the result of a patch. */
function receiptIn(entry: unknown): string | string[] {
  const { message } = fields(entry);
  const { toolName, details } = fields(message);
  return receiptOf(toolName, details) ?? [];
}
