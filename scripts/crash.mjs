// `npm run test:crash`: a kill and three errors at every system call that touches the disk, while a
// patch is applied, taken back, and recovered. `npm test` tries one call in eleven.
//
// It needs strace, which is installed where that is possible: as root, on a system with apt.

import { spawnSync } from "node:child_process";
import { run, script, step } from "./run.mjs";

const has = (program) => spawnSync(program, ["-V"], { stdio: "ignore" }).status === 0;

await script(async () => {
  if (process.platform !== "linux") throw new Error("system calls can only be counted on Linux");
  if (!has("strace") && process.getuid() === 0) {
    step("Installing strace");
    await run("apt-get", ["install", "--yes", "--no-install-recommends", "strace"]);
  }
  if (!has("strace")) throw new Error("strace is not here: install it and try again");
  step("A kill and an error at every system call");
  const args = ["test", "--profile", "quick", "--test", "all", "--", "transaction_syscalls", "--nocapture"];
  const { code } = await run("cargo", args, { env: { HASHLINE_CRASH: "all" } });
  if (code !== 0) throw new Error("some calls leave a workspace that is not whole");
});
