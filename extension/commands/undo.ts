// `/hashline undo`, `redo` and `history`: patches are taken back and made again, and the model gets a note.

import type { UndoOutcome } from "../../index.js";
import type { Context, Host } from "../host.ts";
import type { HostSession } from "../host-sessions.ts";
import type { Parts, Said } from "./index.ts";

/** Takes back the last patch, the one with a receipt, or with `turn` all of the agent's last turn. */
export async function undo(parts: Parts, [what]: string[], context: Context): Promise<Said> {
  const hostSession = await parts.sessions.ready(context);
  if (what !== "turn") {
    const outcome = await undoOne(hostSession, what);
    return told(parts.host, "undo", outcome.kind === "undone", outcome.text);
  }
  const receipts = hostSession.turn;
  if (receipts.length === 0) return { text: "the last turn changed no file", kind: "error" };
  const done: string[] = [];
  const failed: string[] = [];
  // The newest first; each is all or nothing, and the first that cannot be taken back ends it. One
  // that is not kept any more is in nobody's way.
  for (const receipt of receipts) {
    const outcome = await undoOne(hostSession, receipt);
    (outcome.kind === "undone" ? done : failed).push(outcome.text);
    if (outcome.kind === "refused" && outcome.refusals[0]?.code !== "nothing_to_undo") break;
  }
  const said = done.length > 0 && told(parts.host, "undo turn", true, done.join("\n"));
  if (said && failed.length === 0) return said;
  const count = `${done.length} of the turn's ${receipts.length} patches were taken back`;
  return { text: [...done, ...failed, count].join("\n"), kind: "error" };
}

/** Takes back one patch; the turn loses it only then. */
async function undoOne(hostSession: HostSession, receipt: string | undefined): Promise<UndoOutcome> {
  const outcome = await hostSession.session.undo(null, receipt === undefined ? {} : { receipt });
  if (outcome.kind === "undone") hostSession.undone(outcome.receipt);
  return outcome;
}

/** Makes the patch again that was taken back last. */
export async function redo(parts: Parts, _args: string[], context: Context): Promise<Said> {
  const hostSession = await parts.sessions.ready(context);
  const outcome = await hostSession.session.redo();
  if (outcome.kind === "redone") hostSession.redone(outcome.receipt);
  return told(parts.host, "redo", outcome.kind === "redone", outcome.text);
}

/** Lists the patches that are kept, the newest first, with the time where the person is. */
export async function history(parts: Parts, _args: string[], context: Context): Promise<Said> {
  const { session } = await parts.sessions.ready(context);
  const patches = await session.history();
  if (patches.length === 0) return { text: "no patch is kept", kind: "info" };
  const newer = new Set<string>();
  const rows = patches.map(({ receipt, time, files, size, restorable }) => {
    // The one locale that writes `2026-11-17 00:15:09`.
    const when = new Date(time).toLocaleString("sv-SE");
    const [first = "", ...others] = files;
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    const covered = files.some((file) => newer.has(file));
    for (const file of files) newer.add(file);
    const reason = covered
      ? "take back the newer patches of the same files first"
      : "changed since, so it cannot be taken back";
    const state = restorable ? "" : `; ${reason}`;
    return `${receipt}  ${when}  ${first}${more} (${(size / 1024).toFixed(1)} KB)${state}`;
  });
  return { text: [...rows, "/hashline undo RECEIPT takes one back"].join("\n"), kind: "info" };
}

/** What a command did; the model would otherwise go on from files that are no longer so. */
function told(host: Host, command: string, done: boolean, text: string): Said {
  if (!done) return { text, kind: "error" };
  host.sendMessage(
    { customType: "hashline", content: `The user ran /hashline ${command}. ${text}`, display: false },
    { deliverAs: "nextTurn" },
  );
  return { text, kind: "info" };
}
