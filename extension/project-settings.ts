// What a project's own settings may change: they come with the repository, so they may make the
// extension stricter than the user's settings do, never laxer.

import type { GuardOptions } from "../index.js";
import { guardMode, type Settings } from "./settings.ts";

/** The value to use, or why a project may not set it. */
export type Tightened = { value: unknown } | { reason: string };

/** Settings that allow more to be done or kept, or name programs that are run. */
const USERS_OWN = ["allowOutside", "allowGit", "roots", "afterApply", "stats"];

/** Settings that say whether old contents are kept for undo, and where. */
const UNDO = ["journalDir", "undo"];

const MODES = ["off", "nudge", "block"] as const;

/** The value that results if a project sets `key` to `value` and the user has these settings. */
export function tighten(key: string, value: unknown, user: Settings): Tightened {
  if (USERS_OWN.includes(key) || UNDO.includes(key)) {
    return value === false && !UNDO.includes(key)
      ? { value }
      : { reason: `\`${key}\` is for the user's own settings, not for a project's` };
  }
  switch (key) {
    case "hide":
      return { value: [...new Set([...user.hide, ...(value as string[])])] };
    case "durability":
      return value === "full"
        ? { value }
        : { reason: "`durability` may only be made `full` by a project's settings" };
    case "guard":
      return guard(value as Settings["guard"], user);
    default:
      return { value };
  }
}

function guard(wanted: Settings["guard"], user: Settings): Tightened {
  const { mode: _mode, allowedPaths, allowedPrograms, ...extra } = asOptions(wanted);
  if (allowedPaths !== undefined || allowedPrograms !== undefined) {
    const name = allowedPaths === undefined ? "allowedPrograms" : "allowedPaths";
    return { reason: `\`guard.${name}\` is for the user's own settings, not for a project's` };
  }
  const mode = guardMode({ ...user, guard: wanted });
  const usersMode = guardMode(user);
  if (MODES.indexOf(mode) < MODES.indexOf(usersMode)) {
    return {
      reason: `a project's settings may not make the guard \`${mode}\`: the user's is \`${usersMode}\``,
    };
  }
  const own = asOptions(user.guard);
  const both = (one: string[] = [], other: string[] = []) => [...new Set([...one, ...other])];
  return {
    value: {
      ...own,
      mode,
      extraReaders: both(own.extraReaders, extra.extraReaders),
      extraWriters: both(own.extraWriters, extra.extraWriters),
    },
  };
}

const asOptions = (guard: Settings["guard"]): GuardOptions => (typeof guard === "object" ? guard : {});
