// The cache of downloads, which are kept between runs.
//
// The cache is outside the clone: HASHLINE_CACHE, or a directory with the package's name in the user's cache
// directory. It has a directory for each package and version, which is filled under another name and then
// renamed, so an interrupted install is never mistaken for a finished one.

import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { name } from "../release/name.mjs";
import { npm, run, step } from "../run.mjs";

const TRIES = 3;

/** The directory that holds every download. */
export const cache = process.env.HASHLINE_CACHE || join(userCache(), name);

let serial = 0;

/** The directory `entry` of the cache; if it does not exist, calls `fill` with an empty directory to fill. */
export async function cached(entry, fill) {
  const home = join(cache, entry);
  if (existsSync(home)) return home;
  step(`installing ${entry}`);
  await removeLeftovers(entry);
  const scratch = `${home}.${process.pid}-${++serial}.part`;
  try {
    await retry(`install ${entry}`, async () => {
      await rm(scratch, { recursive: true, force: true });
      await mkdir(scratch, { recursive: true });
      await fill(scratch);
    });
    await rename(scratch, home);
  } catch (error) {
    await rm(scratch, { recursive: true, force: true });
    // Another run was quicker, and its directory is complete, so use that one.
    if (!existsSync(home)) throw error;
  }
  return home;
}

/** The downloads, each `{ name, entry, megabytes }`, that are not in the cache. */
export function missing(downloads) {
  return downloads.filter(({ entry }) => !existsSync(join(cache, entry)));
}

/** Installs npm packages, given as `name@version`, into a directory, without running their scripts. */
export async function npmInstall(directory, packages, options = []) {
  const flags = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", ...options];
  await npmIn(directory, ["install", "--prefix", directory, ...flags, ...packages]);
}

/** Runs npm in a directory and returns its output; the error of a failure has npm's own reason. */
export async function npmIn(directory, args) {
  const { code, text } = await run(npm, args, { cwd: directory, quiet: true });
  if (code === 0) return text;
  // The first line that is a sentence; the lines before it are codes and system calls.
  const reason = /^npm error (?!code |syscall |errno |path |dest )(\S.+)$/m.exec(text)?.[1];
  throw new Error(`npm ${args[0]}: ${reason ?? `exit code ${code}`}`);
}

async function retry(what, action) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action();
    } catch (error) {
      if (attempt === TRIES) throw new Error(`cannot ${what} after ${TRIES} tries: ${error.message}`);
    }
  }
}

/** Removes the directories of installs that were killed, but not those of living processes. */
async function removeLeftovers(entry) {
  if (!existsSync(cache)) return;
  for (const found of await readdir(cache)) {
    const pid = found.startsWith(entry) && /^\.(\d+)-\d+\.part$/.exec(found.slice(entry.length))?.[1];
    if (pid && !isAlive(Number(pid))) await rm(join(cache, found), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function userCache() {
  if (process.platform === "win32" && process.env.LOCALAPPDATA) return process.env.LOCALAPPDATA;
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches");
  return process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
}
