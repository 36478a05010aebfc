// `/hashline history` and `diff`: list the patches that are kept, and show what one changed.

import type { PastPatch } from "../../index.js";
import { type Context, choose } from "../host.ts";
import type { HostSession } from "../host-sessions.ts";
import type { CommandResult, Parts } from "./index.ts";
import { reviewFailure, undo } from "./undo.ts";
import { shorten, sizesOf } from "./words.ts";

const [UNDO, DIFF] = ["Undo it", "Show its diff"];

/** Lists the patches that are kept, the newest first; at a screen one can be picked. */
export async function history(parts: Parts, _args: string[], context: Context): Promise<CommandResult> {
  const hostSession = await parts.sessions.ready(context);
  const patches = await hostSession.session.history();
  if (patches.length === 0) return { text: "no patch is kept", kind: "info" };
  const rows = await Promise.all(rowsOf(patches, hostSession));
  const picked = await choose(context, "Patches, the newest first", rows);
  const receipt = picked === undefined ? undefined : patches[rows.indexOf(picked)]?.receipt;
  if (receipt === undefined) {
    if (picked !== undefined) return { text: "nothing was changed", kind: "info" };
    return {
      text: [...rows, "/hashline undo RECEIPT undoes one, /hashline diff RECEIPT shows it"].join("\n"),
      kind: "info",
    };
  }
  const action = await choose(context, picked ?? "", [UNDO, DIFF]);
  if (action === UNDO) return undo(parts, [receipt], context);
  return action === DIFF ? diff(parts, [receipt], context) : { text: "nothing was changed", kind: "info" };
}

/** Shows what has changed since before the last patch, or since before the patch with the given receipt. */
export async function diff(parts: Parts, [receipt]: string[], context: Context): Promise<CommandResult> {
  const { session } = await parts.sessions.ready(context);
  const review = await session.review(null, receipt === undefined ? {} : { receipt });
  if (review.kind === "refused") return reviewFailure(review, receipt);
  const changed = review.changed.map(({ path, what }) => `\`${path}\` ${what}: the diff includes that`);
  return { text: [...changed, shorten(review.since ?? "the diff is too long")].join("\n"), kind: "info" };
}

/** A row for each patch: its receipt, its local time, its files, and how many lines were added and removed. */
function rowsOf(patches: PastPatch[], { session }: HostSession): Promise<string>[] {
  const newer = new Set<string>();
  return patches.map(async ({ receipt, time, files, restorable }) => {
    // The Swedish locale writes times as `2026-11-17 00:15:09`.
    const when = new Date(time).toLocaleString("sv-SE");
    const [first = "", ...others] = files;
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    const covered = files.some((file) => newer.has(file));
    for (const file of files) newer.add(file);
    // If a file changed again after the patch, only both changes together can be shown.
    const reason = covered
      ? "newer patches; undo those first"
      : "later changes; it cannot be undone as a whole";
    const state = restorable ? "" : ` with ${reason}`;
    const review = await session.review(null, { receipt });
    const sizes = review.kind === "reviewed" && review.since !== undefined ? ` ${sizesOf(review.since)}` : "";
    return `${receipt}  ${when}  ${first}${more}${sizes}${state}`;
  });
}
