// How much memory listing 100 MB takes besides the input and the output.
//
// The kernel reports the figures: the resident memory of this process before, and its peak after. Linux
// only; each kind of text is listed in a process of its own.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { formatHashLines } from "../../js/compat/hashline.js";
import { text } from "../shared/code.mjs";

const SIZE = 100_000_000;
const KINDS = ["ascii", "foreign"];

function status(field) {
  const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync("/proc/self/status", "utf8"));
  return Number(kilobytes) * 1024;
}

const kind = process.argv[2];
if (kind === undefined) {
  for (const kind of KINDS) {
    const { stdout, stderr, status } = spawnSync(process.execPath, [process.argv[1], kind], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
    process.stdout.write(stdout);
  }
} else {
  const part = `${text(1_000_000, { foreign: kind === "foreign" })}\n`;
  const content = Buffer.from(part.repeat(SIZE / 1_000_000), "utf16le").toString("utf16le");
  formatHashLines(part);
  globalThis.Bun?.gc(true);
  const before = status("VmRSS");
  writeFileSync("/proc/self/clear_refs", "5"); // forget the peak so far
  const listed = formatHashLines(content);
  const width = kind === "foreign" ? 2 : 1;
  process.stdout.write(
    `${JSON.stringify({ kind, above: (status("VmHWM") - before - listed.length * width) / 1e6 })}\n`,
  );
}
