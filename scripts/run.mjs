// Runs other programs for our scripts, and shows and returns their output.

import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** The name by which npm is started: on Windows it is a script. */
export const npm = process.platform === "win32" ? "npm.cmd" : "npm";

/** Where steps and the output of programs are shown: on the terminal, unless `showOn` changes that. */
let screen = {
  step: (text) => process.stdout.write(`\n== ${text}\n`),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
};

/** From now on passes steps and the output of programs to the functions `step`, `out` and `err` of `other`. */
export function showOn(other) {
  screen = other;
}

/**
 * Runs a program and shows its output. Returns the exit code `code`, the whole output `text`, and standard output
 * alone as `out`. With `quiet`, the output is shown only if the program fails, and not even then if it `mayFail`.
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
      // Standard output first, then standard error, so that no line is torn by one of the other.
      const text = out + (out === "" || out.endsWith("\n") ? "" : "\n") + err;
      if (quiet && !mayFail && code !== 0) screen.err(text);
      resolve({ code, text, out });
    });
  });
}

/** Runs a program that must succeed, and returns its output. */
export async function must(program, args, options) {
  return (await succeeded(program, args, options)).text;
}

/** Runs a program that must succeed, and returns its standard output, without progress and warnings. */
export async function outputOf(program, args) {
  return (await succeeded(program, args, { quiet: true })).out;
}

async function succeeded(program, args, options) {
  const ended = await run(program, args, options);
  if (ended.code !== 0) throw new Error(`${program} ${args.join(" ")} failed with exit code ${ended.code}`);
  return ended;
}

/** Throws if a program or system file is missing; CONTRIBUTING.md names the packages that contain them. */
export function needed(names) {
  const places = `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin`.split(":");
  const isThere = (name) => [...places, ""].some((place) => existsSync(`${place}/${name}`));
  const absent = names.filter((name) => !isThere(name));
  if (absent.length > 0) throw new Error(`not installed: ${absent.join(", ")} (see CONTRIBUTING.md)`);
}

/** Announces the next step. */
export function step(text) {
  screen.step(text);
}

/** Whether Node.js was started with this module, even through a link or by a path with spaces. */
export function isMain(url) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
}

/** Runs the main function of a script; prints only the message of an error, without its stack. */
export async function script(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}
