// The texts that the trials change: this project's own sources and documents.

import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDERS = ["src", "__test__", "benches", "docs", "extension", "scripts", "."];
const ENDINGS = new Set([".rs", ".mjs", ".js", ".ts", ".md", ".json", ".toml"]);
const SKIPPED = new Set(["node_modules", "target", "vectors", "npm", "cases"]);

// Every text of at least 30 lines, as a list of lines.
export function corpus() {
  const texts = FOLDERS.flatMap((folder) => collect(join(ROOT, folder), folder !== "."));
  return texts.map((text) => text.replace(/\n$/, "").split("\n")).filter((lines) => lines.length >= 30);
}

function collect(folder, deep) {
  let entries = [];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that does not exist yet has no texts.
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return deep && !SKIPPED.has(entry.name) && !entry.name.startsWith(".") ? collect(path, true) : [];
    }
    const wanted = ENDINGS.has(extname(entry.name)) && !entry.name.includes("-lock");
    return wanted ? [readFileSync(path, "utf8")] : [];
  });
}

// Random consecutive lines of a random text, few enough for one read.
export function randomLines(texts, random, max = 400) {
  const text = random.pick(texts);
  const length = Math.min(text.length, max);
  const start = random.between(0, text.length - length);
  return text.slice(start, start + length);
}
