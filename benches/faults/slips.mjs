// Edits of an unchanged file by an anchor that differs slightly from the one that was shown.

import { anchorsOf, joined } from "./bench.mjs";
import { randomLines } from "./corpus.mjs";

// The replacement for a line, with the same indentation.
const newText = (line) => `${line.match(/^[ \t]*/)[0]}edited by the bench`;

export const SLIPS = {
  "line number off by 1 to 10": (anchors, line, random, total) => {
    const by = random.between(1, 10) * (random.chance(0.5) ? 1 : -1);
    const number = Math.min(Math.max(1, line + by), total);
    return { anchor: anchors.get(line).replace(/^\d+/, String(number)), meant: line };
  },
  "one character of the tag wrong": (anchors, line, random) => {
    const anchor = anchors.get(line);
    const [, head, tag] = /^(\d+[:#])(.*)$/.exec(anchor);
    const at = random.between(0, tag.length - 1);
    const letters =
      /[0-9]/.test(tag) || /^[a-f]+$/.test(tag)
        ? "0123456789abcdef"
        : tag === tag.toUpperCase()
          ? "ZPMQVRWSNKTXJBYH"
          : "abcdefghijklmnopqrstuvwxyz";
    const other = random.pick([...letters].filter((letter) => letter !== tag[at]));
    return { anchor: head + tag.slice(0, at) + other + tag.slice(at + 1), meant: line };
  },
  "an anchor that was never shown": (anchors, _line, random, total, shown) => {
    const line = random.between(Math.min(shown + 1, total), total);
    const tag = /[:#](.*)$/.exec(anchors.get(random.between(1, shown)))[1];
    return { anchor: `${line}${/[:#]/.exec(anchors.get(1))[0]}${tag}`, meant: line };
  },
};

export async function runSlip(bench, texts, random, name, settings) {
  const lines = randomLines(texts, random);
  const before = joined(lines);
  bench.write(before);
  const session = bench.session(settings);
  const limit = name === "an anchor that was never shown" ? Math.ceil(lines.length / 2) : lines.length;
  const read = await session.read({ path: "file.txt", limit });
  const anchors = anchorsOf(read.text);
  const shown = Math.min(limit, anchors.size);
  const { anchor, meant } = SLIPS[name](anchors, random.between(1, shown), random, lines.length, shown);
  const outcome = await session.apply({
    patch: [{ op: "set_line", path: "file.txt", anchor, text: newText(lines[meant - 1]) }],
  });
  if (outcome.kind === "refused") return bench.text() === before ? "refused" : "wrong";
  const right = joined(lines.map((text, index) => (index + 1 === meant ? newText(text) : text)));
  return bench.text() === right ? "right" : "wrong";
}
