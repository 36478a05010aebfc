// `npm run test:crash`: while a patch is applied, undone, and recovered, every system call that touches the disk is the
// point of a kill, of three single errors, and of six errors that persist; and writes are cut short. `npm test` tries
// one call in eleven.
//
// It needs strace. `npm run test:crash -- --write` saves the counts for the documents.

import { record } from "../../benches/shared/figures.mjs";
import { needed, run, script, step } from "../run.mjs";

await script(async () => {
  if (process.platform !== "linux") throw new Error("system calls can only be counted on Linux");
  needed(["strace"]);
  step("A kill and an error at every system call");
  const args = ["test", "-p", "hashline-core", "--test", "all", "--", "transaction_syscalls", "--nocapture"];
  const { code, text } = await run("cargo", args, { env: { HASHLINE_CRASH: "all" } });
  if (code !== 0) throw new Error("after a kill or an error at some calls, the workspace is not whole");
  if (process.argv.includes("--write"))
    record("crash", { command: "npm run test:crash", values: counts(text) });
});

/** How many kills and errors were tried, from rows of `| work | injection | tried | wrong |`. */
function counts(text) {
  const rows = [...text.matchAll(/^\| .+? \| (\S.*?) \| (\d+) \| \d+ \|$/gm)];
  const sum = (isWanted) =>
    rows.filter(([, how]) => isWanted(how)).reduce((all, [, , tried]) => all + Number(tried), 0);
  const isKill = (how) => how.startsWith("signal");
  return {
    kills: sum(isKill).toLocaleString("en"),
    errors: sum((how) => !isKill(how)).toLocaleString("en"),
  };
}
