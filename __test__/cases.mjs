// Reads the behaviour cases in `__test__/cases`; README.md there says how they are written.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { tagLines } from "../index.js";

const FOLDER = fileURLToPath(new URL("./cases/", import.meta.url));
const FLAGS = ["crlf", "open", "bom", "unread", "gone"];

export function loadCases() {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".md") && name !== "README.md");
  return files
    .sort()
    .flatMap((name) => parse(name.replace(/\.md$/, ""), readFileSync(FOLDER + name, "utf8")));
}

function parse(file, text) {
  const cases = [];
  let block;
  for (const line of text.split("\n")) {
    if (block !== undefined) {
      if (line !== "~~~") {
        block.lines.push(line);
      } else {
        add(cases.at(-1), block.info, block.lines);
        block = undefined;
      }
    } else if (line.startsWith("~~~")) {
      block = { info: line.slice(3), lines: [] };
    } else if (line.startsWith("## ")) {
      cases.push({
        name: `${file}: ${line.slice(3)}`,
        shown: {},
        before: {},
        after: {},
        unread: [],
        report: [],
        settings: {},
      });
    }
  }
  for (const one of cases) {
    one.patch = fillIn(one.patch, one);
    one.report = one.report.map((line) => fillIn(line, one));
  }
  return cases;
}

function add(one, info, lines) {
  const words = info.split(/\s+/).filter((word) => word !== "");
  const flags = new Set(words.filter((word) => FLAGS.includes(word)));
  const [kind, path = "file.txt"] = words.filter((word) => !FLAGS.includes(word));
  const ending = flags.has("crlf") ? "\r\n" : "\n";
  const closed = flags.has("open") || lines.length === 0 ? "" : ending;
  const text = (flags.has("bom") ? "\ufeff" : "") + lines.join(ending) + closed;
  if (kind === "before" && flags.has("unread")) one.unread.push(path);
  if (kind === "shown" || kind === "before") one[kind][path] = text;
  else if (kind === "after") one.after[path] = flags.has("gone") ? undefined : text;
  else if (kind === "patch") one.patch = lines.join("\n");
  else if (kind === "settings") one.settings = JSON.parse(lines.join("\n"));
  else if (kind === "refusal" || kind === "report") one[kind] = lines;
  else throw new Error(`${one.name}: unknown block ${kind}`);
}

// Replaces `{{2}}` and `{{other.txt 2}}` by the anchor that was shown for the line, and `{{#2}}` by its tag.
function fillIn(text, { shown, before }) {
  return text.replace(/\{\{(?:(\S+) )?(#?)(\d+)\}\}/g, (_, path = "file.txt", bare, line) => {
    const lines = (shown[path] ?? before[path]).replace(/^\ufeff/, "").split(/\r?\n/);
    const tag = tagLines(lines.join("\n"))[line - 1];
    return bare ? tag : `${line}:${tag}`;
  });
}
