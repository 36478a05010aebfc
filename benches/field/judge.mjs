// Judges the result of a run by the files alone, without knowing the arm or the model.

import { linesOf } from "./text.mjs";

/**
 * The verdict on one file.
 *
 * @param {object} run
 * @param {string} run.want the right result
 * @param {string} run.untouched the file as it would be without the model's calls
 * @param {string} run.end the file after the run
 * @param {string} run.said the last answers, which may warn of a wrong edit
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

/** Whether a line that should have stayed is gone, so that the edit landed on the wrong line. */
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
 * Whether an answer showed every line that another program added and the agent then removed. A line whose
 * indentation alone changed does not count as added.
 *
 * @param {object} run
 * @param {string} run.before the file as it was read
 * @param {string} run.untouched the file as the other program left it
 * @param {string} run.end the file after the run
 * @param {string[]} run.answers the answers to the model after that
 */
export function wasShown({ before, untouched, end, answers }) {
  const [old, theirs, found] = [before, untouched, end].map(linesOf);
  const known = new Set(old.map((line) => line.trim()));
  const overwritten = theirs.filter((line) => !known.has(line.trim()) && !found.includes(line));
  return overwritten.every((line) => answers.some((answer) => answer.includes(line.trim())));
}
