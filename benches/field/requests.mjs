// The edits of a situation as requests in words, for a real model.

import { linesOf } from "./text.mjs";

/** One message for each step of a situation that asks for edits; they do not mention changes by other programs. */
export function requests({ path = "file.txt", before, steps }) {
  let lines = linesOf(before);
  const asked = [];
  for (const { edits } of steps) {
    if (edits === undefined) continue;
    const wishes = edits.map((edit) => `- ${wish(edit, lines)}`);
    asked.push(
      `Read ${path}, then make these changes to it. Line numbers are those of the file as it is now.\n${wishes.join("\n")}`,
    );
    for (const { first, last, lines: made } of [...edits].sort((one, other) => other.first - one.first)) {
      lines = lines.toSpliced(first - 1, last - first + 1, ...made);
    }
  }
  return asked;
}

function wish({ first, last, lines: made, sub }, lines) {
  const text = made.map((line) => JSON.stringify(line)).join(", ");
  const numbers = first === last ? `line ${first}` : `lines ${first} to ${last}`;
  if (sub) return `In line ${first}, replace ${JSON.stringify(sub[0])} by ${JSON.stringify(sub[1])}.`;
  if (lines.length === 0)
    return `It is empty: write these lines into it, with no newline after the last: ${text}`;
  if (last < first) return `Insert after line ${last} (${JSON.stringify(lines[last - 1])}): ${text}`;
  const now = first === last ? ` (${JSON.stringify(lines[first - 1])})` : "";
  if (made.length === 0) return `Delete ${numbers}${now}.`;
  return `Replace ${numbers}${now} by: ${text}`;
}
