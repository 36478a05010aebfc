// The checks that need a nightly Rust, and what they say where there is none.

import { run } from "../run.mjs";

/** The target that the sanitizers' libraries are there for; naming one keeps macros and build scripts out of it. */
export const SANITIZED = "x86_64-unknown-linux-gnu";

/** Whether nightly's cargo runs with these arguments; if not, prints that the check is skipped and why. */
export async function hasNightly(args, install) {
  const nightly = await run("cargo", ["+nightly", ...args], { quiet: true, mayFail: true }).catch(() => ({
    code: 1,
  }));
  if (nightly.code === 0) return true;
  process.stdout.write(`skipped: there is no nightly Rust for it: ${install}\n`);
  return false;
}

/** The same for AddressSanitizer, which is not there on every machine. */
export async function hasSanitizer() {
  if (process.platform === "linux" && process.arch === "x64")
    return hasNightly(["--version"], "rustup toolchain install nightly");
  process.stdout.write("skipped: AddressSanitizer is used on Linux with an x64 processor only\n");
  return false;
}
