// Running other programs from our scripts, with their output shown and counted.

import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** npm, also where it is a script that only a shell can start. */
export const npm = process.platform === "win32" ? "npm.cmd" : "npm";

/** Where a step and what programs print is shown: on the terminal, unless a report takes it. */
let screen = {
  step: (text) => process.stdout.write(`\n== ${text}\n`),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
};

/** Shows all that follows on another screen: `step`, and `out` and `err` for what a program prints. */
export function showOn(other) {
  screen = other;
}

/**
 * Runs a program, shows what it prints, and returns the exit code, that text, and as `out` what of it was standard output.
 * With `quiet`, the text is shown only if the program fails, and not even then if it `mayFail`.
 */
export function run(program, args, { env = {}, cwd = root, quiet = false, mayFail = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // Windows starts a script such as npm.cmd only through a shell.
      shell: program.endsWith(".cmd"),
    });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (data) => {
      out += data;
      if (!quiet) screen.out(data);
    });
    child.stderr.setEncoding("utf8").on("data", (data) => {
      err += data;
      if (!quiet) screen.err(data);
    });
    child.on("error", (error) => {
      const reason = error.code === "ENOENT" ? "it is not installed" : error.message;
      reject(new Error(`cannot run ${program}: ${reason}`));
    });
    child.on("close", (code) => {
      // One after the other: a line of one must not end up within a line of the other.
      const text = out + (out === "" || out.endsWith("\n") ? "" : "\n") + err;
      if (quiet && !mayFail && code !== 0) screen.err(text);
      resolve({ code, text, out });
    });
  });
}

/** Runs a program that must succeed, and returns what it printed. */
export async function must(program, args, options) {
  return (await succeeded(program, args, options)).text;
}

/** What a program that must succeed printed on its standard output, without its progress and warnings. */
export async function outputOf(program, args) {
  return (await succeeded(program, args, { quiet: true })).out;
}

async function succeeded(program, args, options) {
  const ended = await run(program, args, options);
  if (ended.code !== 0) throw new Error(`${program} ${args.join(" ")} failed with exit code ${ended.code}`);
  return ended;
}

/** Fails where a program or a file of the system is missing; CONTRIBUTING.md has the packages that bring them. */
export function needed(names) {
  const places = `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin`.split(":");
  const isThere = (name) => [...places, ""].some((place) => existsSync(`${place}/${name}`));
  const absent = names.filter((name) => !isThere(name));
  if (absent.length > 0) throw new Error(`not installed: ${absent.join(", ")} (see CONTRIBUTING.md)`);
}

/** Announces what comes next. */
export function step(text) {
  screen.step(text);
}

/** Whether a module is the one that was started, also through a link or from a path with spaces. */
export function isMain(url) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
}

/** Runs the main function of a script; a failure is one line, not a stack. */
export async function script(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}
