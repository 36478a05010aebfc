// What the tags of each scheme cost: how many tokens a line a read adds to the text itself.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { countTokens as cl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as o200k } from "gpt-tokenizer/encoding/o200k_base";
import { formatRange } from "../../index.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = ["crates", "extension", "benches", "docs"];
const SCHEMES = ["hex2", "compact", "cid", "base26"];
/** Enough lines for a figure with two decimals. */
const LINES = 20_000;

/** The table of the schemes, over this project's own files. */
export async function schemes() {
  const files = await sources();
  const count = files.reduce((sum, lines) => sum + lines.length, 0);
  const over = (encode, scheme) => {
    const cost = files.reduce((sum, lines) => {
      const printed = formatRange(lines.join("\n"), 1, lines.length, { scheme });
      return sum + encode(printed) - encode(lines.join("\n"));
    }, 0);
    return (cost / count).toFixed(2);
  };
  const rows = SCHEMES.map((scheme) => [scheme, over(o200k, scheme), over(cl100k, scheme)]);
  return { head: [`tokens a line over plain text (${count} lines)`, "o200k", "cl100k"], rows };
}

/** The lines of the first files of each folder, by name, until there are `LINES` of them. */
async function sources() {
  const files = [];
  let left = LINES;
  for (const folder of SOURCES) {
    const names = await readdir(join(ROOT, folder), { recursive: true });
    for (const name of names.filter((one) => /\.(?:rs|ts|mjs|md)$/.test(one)).sort()) {
      if (left <= 0) return files;
      const lines = (await readFile(join(ROOT, folder, name), "utf8")).split("\n").slice(0, -1);
      if (lines.length > 0) files.push(lines);
      left -= lines.length;
    }
  }
  return files;
}
