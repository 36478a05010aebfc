// `/hashline undo` and `redo`: undo and redo patches, and tell the model about it in a note.

import type { ReviewOutcome, UndoOutcome } from "../../index.js";
import { type Context, choose, type Host, hasScreen } from "../host.ts";
import type { HostSession } from "../host-sessions.ts";
import type { CommandResult, Parts } from "./index.ts";
import { forPeople, shorten } from "./words.ts";

const OTHERS = "--others";
const UNDO = "Undo it";
const UNDO_OTHERS = "Undo the other files";
const SHOW = "Show what changed since";
const LEAVE = "Leave everything as it is";

type Review = Extract<ReviewOutcome, { kind: "reviewed" }>;

/**
 * Undoes the last patch, the patch with a given receipt, or, with `turn`, the rest of the agent's last turn. With
 * `--others` it leaves out files that another program has changed since.
 */
export async function undo(parts: Parts, args: string[], context: Context): Promise<CommandResult> {
  const hostSession = await parts.sessions.ready(context);
  const [what] = args.filter((word) => word !== OTHERS);
  const asked = { others: args.includes(OTHERS) };
  if (what === "turn") return undoTurn(parts, hostSession, asked, context);
  const review = await hostSession.session.review(null, what === undefined ? {} : { receipt: what });
  if (review.kind === "refused") return reviewFailure(review, what);
  const others = asked.others || (await consent(review, context));
  if (others === undefined) return { text: "nothing was changed", kind: "info" };
  if (typeof others === "string") return { text: others, kind: "info" };
  // The person agreed to undo this patch, even if another one has been applied since.
  const receipt = what ?? (hasScreen(context) ? review.receipt : undefined);
  const outcome = await hostSession.undo({ receipt, others });
  if (outcome.kind === "undone") hostSession.recordUndone([outcome]);
  return noteToModel(parts.host, "undo", outcome.kind === "undone", outcome.text);
}

/**
 * Asks whether to undo a patch. Returns `false` to undo all of it, `true` to leave out files that another program has
 * changed since, and undefined, or a text to show instead, to undo nothing. Without a screen nobody is asked.
 */
async function consent(review: Review, context: Context): Promise<boolean | string | undefined> {
  const { files, changed, undo = "", since = "" } = review;
  const conflicts = changed.map(({ path, what }) => `\`${path}\` ${what}`).join(", ");
  const rest = files.length - changed.length;
  if (changed.length === 0) {
    const choice = await choose(context, `This would change:\n${shorten(undo)}`, [UNDO, LEAVE]);
    return choice === undefined || choice === UNDO ? false : undefined;
  }
  const offers = [...(rest > 0 ? [UNDO_OTHERS] : []), SHOW, LEAVE];
  const title = rest > 0 ? `${conflicts}. Without that:\n${shorten(undo)}` : conflicts;
  const choice = await choose(context, title, offers);
  if (choice === UNDO_OTHERS) return true;
  if (choice === SHOW) return shorten(since);
  if (choice !== undefined) return undefined;
  const hint = rest > 0 ? `/hashline undo ${OTHERS} undoes the other ${rest}; ` : "";
  return `${conflicts}, so nothing was undone\n${hint}/hashline diff ${review.receipt} shows what changed since`;
}

async function undoTurn(
  parts: Parts,
  hostSession: HostSession,
  { others }: { others: boolean },
  context: Context,
): Promise<CommandResult> {
  const receipts = hostSession.turnReceipts;
  if (receipts.length === 0) return { text: "the last turn has no patch left to undo", kind: "error" };
  const reviews = await Promise.all(receipts.map((receipt) => hostSession.session.review(null, { receipt })));
  const diffs = reviews.map((one) => (one.kind === "reviewed" ? one.undo : undefined)).filter(Boolean);
  const choice = await choose(context, `This would change:\n${shorten(diffs.join(""))}`, [UNDO, LEAVE]);
  if (choice !== undefined && choice !== UNDO) return { text: "nothing was changed", kind: "info" };
  const undone: Extract<UndoOutcome, { kind: "undone" }>[] = [];
  const failed: string[] = [];
  // Undo the newest patch first, each patch whole or not at all, and stop at the first that cannot be undone. Skip
  // patches whose old contents are no longer kept.
  for (const receipt of receipts) {
    const outcome = await hostSession.undo({ receipt, others });
    if (outcome.kind === "undone") {
      undone.push(outcome);
      continue;
    }
    failed.push(outcome.text);
    if (outcome.refusals[0]?.code !== "nothing_to_undo") break;
  }
  hostSession.recordUndone(undone);
  const done = undone.map(({ text }) => text);
  const result = done.length > 0 && noteToModel(parts.host, "undo turn", true, done.join("\n"));
  if (result && failed.length === 0) return result;
  const count = `${done.length} of the turn's ${receipts.length} patches were undone`;
  return { text: [...done, ...failed.map(forPeople), count].join("\n"), kind: "error" };
}

/** Redoes what was undone last: a patch, or the patches of a turn that were undone together. */
export async function redo(parts: Parts, _args: string[], context: Context): Promise<CommandResult> {
  const hostSession = await parts.sessions.ready(context);
  const done: string[] = [];
  for (let left = hostSession.redoCount; left > 0; left--) {
    const outcome = await hostSession.redo();
    if (outcome.kind === "refused") {
      const text = [...done, forPeople(outcome.text)].join("\n");
      if (done.length > 0) noteToModel(parts.host, "redo", true, done.join("\n"));
      return { text, kind: "error" };
    }
    done.push(outcome.text);
  }
  return noteToModel(parts.host, "redo", true, done.join("\n"));
}

/** Why a patch cannot be shown or undone. */
export function reviewFailure(
  { text, refusals }: Extract<ReviewOutcome, { kind: "refused" }>,
  receipt: string | undefined,
): CommandResult {
  const isUnknown = receipt !== undefined && refusals[0]?.code === "nothing_to_undo";
  const unknown = `no patch ${receipt} is kept; /hashline history lists those that are`;
  return { text: isUnknown ? unknown : forPeople(text), kind: "error" };
}

/** The result of a command. If it changed files, the model gets a note, as it would otherwise rely on the old ones. */
function noteToModel(host: Host, command: string, done: boolean, text: string): CommandResult {
  if (!done) return { text: forPeople(text), kind: "error" };
  host.sendMessage(
    { customType: "hashline", content: `The user ran /hashline ${command}. ${text}`, display: false },
    { deliverAs: "nextTurn" },
  );
  return { text: forPeople(text), kind: "info" };
}
