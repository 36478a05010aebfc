// Changes that others make to the files of a patch after it: the user's `afterApply` command, and extensions that
// format files which a tool has written.
//
// The model gets the changed lines with fresh anchors. The patch adopts the changes, so that its undo also undoes them.

import { spawn } from "node:child_process";
import type { Session } from "../index.js";
import { messageOf } from "./values.ts";

/** How long the `afterApply` command may take, in milliseconds. */
const TIMEOUT = 30_000;
/** The most characters of the command's output that are reported. */
const MAX_PRINTED = 500;
/** The most lines that are shown of each changed file. */
const MAX_LINES = 50;

/**
 * Runs `command` without a shell; in place of `{files}`, each file is an argument of its own. Returns what went wrong,
 * undefined if nothing did.
 */
export async function runAfterApply(
  command: string[],
  files: string[],
  cwd: string,
  timeout = TIMEOUT,
): Promise<string | undefined> {
  const [program = "", ...args] = command.flatMap((word) => (word === "{files}" ? files : [word]));
  // Use a process group of its own, so that the programs which the command starts can be ended with it.
  const child = spawn(program, args, { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  const collect = (data: Buffer) => {
    if (printed.length < MAX_PRINTED) printed += data.toString();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
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
  const why = timedOut ? `took more than ${timeout / 1000} s and was ended` : `failed (${code})`;
  const output = printed.trim().slice(0, MAX_PRINTED);
  return `afterApply: \`${program}\` ${why}; the patch stays${output === "" ? "" : `\n${output}`}`;
}

/** Adds to a patch what others have changed in its files since, and returns the changed lines for the model. */
export async function adoptChanges(session: Session, receipt: string): Promise<string | undefined> {
  try {
    const changed = await session.adopt(receipt);
    return changed.length === 0 ? undefined : await changesSinceShown(session, changed);
  } catch (error) {
    // The patch is applied all the same, and its report is true.
    return `note: ${notAdoptedNote(error)}`;
  }
}

/** The note that an undo of a patch leaves what others have changed in its files. */
export function notAdoptedNote(error: unknown): string {
  return `an undo of this patch does not undo what others have made of its files: ${messageOf(error)}`;
}

/** The changes in some files since the model was shown them, with anchors; undefined if nothing changed. */
export async function changesSinceShown(session: Session, paths: string[]): Promise<string | undefined> {
  const { text, files } = await session.read({ paths, changes: true, limit: MAX_LINES });
  const isKnown = files.every(({ sinceShown }) => sinceShown === "unchanged");
  return isKnown ? undefined : `Changed by another program after the patch:\n${text}`;
}
