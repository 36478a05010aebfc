// Files that go back together with the conversation: on `/tree`, a fork or a rewind the person at a screen is asked
// whether the patches of the part that is left shall be undone, too.

import { forPeople } from "./commands/words.ts";
import { type Context, chosen, tell } from "./host.ts";
import type { HostSession } from "./host-sessions.ts";
import { receiptOf } from "./tools/apply.ts";
import { fields } from "./values.ts";

const UNDO = "Undo the files, too";
const LEAVE = "Leave the files as they are";
const GO_ON = "Go on";

/** The entries on the branch that ends at `old` but not on the branch that ends at `now`; the newest last. */
export function leftEntries(context: Context, old: string | null, now: string | null): unknown[] {
  const { getBranch } = context.sessionManager;
  if (getBranch === undefined || old === null) return [];
  const branch = (leaf: string) => context.sessionManager.getBranch?.(leaf) ?? [];
  const kept = new Set(now === null ? [] : branch(now).map(({ id }) => id));
  return branch(old).filter(({ id }) => !kept.has(id));
}

/** The entries of the branch, beginning with `first`. */
export function entriesFrom(context: Context, first: string): unknown[] {
  const branch = context.sessionManager.getBranch?.() ?? [];
  const at = branch.findIndex(({ id }) => id === first);
  return at === -1 ? [] : branch.slice(at);
}

/** Asks whether the patches of some entries shall be undone, and does so. */
export async function askForFiles(
  hostSession: HostSession,
  entries: unknown[],
  context: Context,
): Promise<void> {
  if (!hostSession.loaded.settings.filesFollow) return;
  const made = entries.flatMap(receiptsOf);
  const kept = new Set((await hostSession.session.history()).map(({ receipt }) => receipt));
  const receipts = made.filter((receipt) => kept.has(receipt)).toReversed();
  if (receipts.length === 0) return;
  const count = `${receipts.length} ${receipts.length === 1 ? "patch was" : "patches were"}`;
  const title = `${count} made in the part of the conversation that is left`;
  if ((await chosen(context, title, [UNDO, LEAVE])) !== UNDO) return;
  const said: string[] = [];
  for (const receipt of receipts) {
    const { kind, text } = await hostSession.undo({ receipt });
    said.push(forPeople(text));
    if (kind === "undone") continue;
    // pi draws the conversation anew after this, so a notice would be gone before anyone has read it.
    await chosen(context, said.join("\n"), [GO_ON]);
    return;
  }
  tell(context, said.join("\n"), "info");
}

/** The receipt of an entry that is a result of a patch. */
function receiptsOf(entry: unknown): string | string[] {
  const { message } = fields(entry);
  const { toolName, details } = fields(message);
  return receiptOf(toolName, details) ?? [];
}
