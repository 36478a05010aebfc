// Whether checks that need a nightly Rust can run here; if not, prints that they are skipped.

import { run } from "../run.mjs";

/** The target to build with sanitizers; with an explicit target, cargo does not sanitize macros and build scripts. */
export const SANITIZED = "x86_64-unknown-linux-gnu";

/** Whether nightly's cargo runs with these arguments; if not, prints that the check is skipped and why. */
export async function hasNightly(args, install) {
  const nightly = await run("cargo", ["+nightly", ...args], { quiet: true, mayFail: true }).catch(() => ({
    code: 1,
  }));
  if (nightly.code === 0) return true;
  process.stdout.write(`skipped: it needs a nightly Rust: ${install}\n`);
  return false;
}

/** The same for AddressSanitizer, which we use only on one kind of machine. */
export async function hasSanitizer() {
  if (process.platform === "linux" && process.arch === "x64")
    return hasNightly(["--version"], "rustup toolchain install nightly");
  process.stdout.write("skipped: AddressSanitizer is used on Linux with an x64 processor only\n");
  return false;
}
