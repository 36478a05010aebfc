// What others make of the files of a patch before the model hears of it: the user's `afterApply` command, and
// extensions that format files when a tool has written them.
//
// The model gets the lines that changed, with fresh anchors; the patch's receipt takes their work for its own, so
// that an undo takes both back.

import { spawn } from "node:child_process";
import type { Session } from "../index.js";
import { messageOf } from "./values.ts";

/** How long a command may take, in milliseconds. */
const TIMEOUT = 30_000;
/** How much of what it prints is repeated, in characters. */
const MAX_PRINTED = 500;
/** The most lines that are shown of each changed file. */
const MAX_LINES = 50;

/**
 * Runs `command` on some files, each an argument of its own in the place of `{files}`; no shell reads it. Answers with
 * what went wrong.
 */
export async function runAfterApply(
  command: string[],
  files: string[],
  cwd: string,
  timeout = TIMEOUT,
): Promise<string | undefined> {
  const [program = "", ...args] = command.flatMap((word) => (word === "{files}" ? files : [word]));
  // A process group of its own, so that what it has started ends with it.
  const child = spawn(program, args, { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  const hear = (data: Buffer) => {
    if (printed.length < MAX_PRINTED) printed += data.toString();
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // The command ended just now, or this system has no process groups.
      child.kill("SIGKILL");
    }
  }, timeout);
  const code = await new Promise<number | string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (status, signal) => resolve(status ?? String(signal)));
  });
  clearTimeout(timer);
  if (code === 0) return undefined;
  const why = late ? `took more than ${timeout / 1000} s and was ended` : `failed (${code})`;
  const said = printed.trim().slice(0, MAX_PRINTED);
  return `afterApply: \`${program}\` ${why}; the patch stays${said === "" ? "" : `\n${said}`}`;
}

/** Takes over what others have changed in the files of a patch, and answers with the lines for the model. */
export async function adoptChanges(session: Session, receipt: string): Promise<string | undefined> {
  try {
    const changed = await session.adopt(receipt);
    return changed.length === 0 ? undefined : await freshLines(session, changed);
  } catch (error) {
    // The patch is made, and its report is true.
    return `note: ${notAdopted(error)}`;
  }
}

/** Says that an undo leaves alone what others have made of the files of a patch. */
export function notAdopted(error: unknown): string {
  return `an undo of this patch does not undo what others have made of its files: ${messageOf(error)}`;
}

/** What changed in some files since the model was shown them, with anchors that count as shown. */
export async function freshLines(session: Session, paths: string[]): Promise<string | undefined> {
  const { text, files } = await session.read({ paths, changes: true, limit: MAX_LINES });
  const isKnown = files.every(({ sinceShown }) => sinceShown === "unchanged");
  return isKnown ? undefined : `Changed by another program after the patch:\n${text}`;
}
