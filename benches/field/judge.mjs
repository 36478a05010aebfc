// What came of a run, by the files alone: the judge sees neither the arm nor the model.

import { linesOf } from "./text.mjs";

/**
 * The verdict on one file.
 *
 * @param {object} run
 * @param {string} run.want the file as it was to be
 * @param {string} run.untouched the file as it would be without the model's calls
 * @param {string} run.end the present file
 * @param {string} run.said the last answers, in which a wrong edit may be named
 * @returns {"pass" | "rejected" | "wrong, said" | "wrong line" | "wrong content"}
 */
export function verdict({ want, untouched, end, said = "" }) {
  if (end === want) return "pass";
  if (end === untouched) return "rejected";
  const [wanted, left, found] = [want, untouched, end].map(linesOf);
  const wrong = found.find((line, at) => line !== wanted[at]);
  if (namesLine(said, found.indexOf(wrong) + 1)) return "wrong, said";
  return losesOthers(wanted, left, found) ? "wrong line" : "wrong content";
}

/** Whether a line that was to stay is gone: the edit landed on another than its own. */
function losesOthers(wanted, left, found) {
  const kept = left.filter((line) => wanted.includes(line) && line.trim() !== "");
  const bare = new Set(found.map((line) => line.trim()));
  return kept.some((line) => !bare.has(line.trim()));
}

/** Whether a warning or a repair in an answer names the line. */
function namesLine(said, line) {
  return said
    .split("\n")
    .some((row) => /^(?:Warning|Repaired|warning|note)/.test(row) && new RegExp(`\\b${line}\\b`).test(row));
}

/**
 * Whether everything that somebody else wrote, and that is gone in the end, stood in an answer before. A line
 * that only got another margin says nothing new.
 *
 * @param {object} run
 * @param {string} run.before the file as it was read
 * @param {string} run.untouched the file as somebody else left it
 * @param {string} run.end the present file
 * @param {string[]} run.answers what the model was told since
 */
export function wasShown({ before, untouched, end, answers }) {
  const [old, theirs, found] = [before, untouched, end].map(linesOf);
  const known = new Set(old.map((line) => line.trim()));
  const overwritten = theirs.filter((line) => !known.has(line.trim()) && !found.includes(line));
  return overwritten.every((line) => answers.some((answer) => answer.includes(line.trim())));
}
