// Words for people, where the core's are for a model.

/** The most rows of a diff in a dialog. */
const ROWS = 40;

/** An answer without the words that only a model needs: the first of a refusal, and the last about anchors. */
export function forPeople(text: string): string {
  return text
    .replace(/^REJECTED: nothing was written\n/, "nothing was changed: ")
    .replace(/\n(?:Anchors that the patch's report|Read the files again first).*/g, "");
}

/** A diff without the lines that only programs read, and its end if it is long. */
export function shortened(diff: string): string {
  const rows = diff
    .trimEnd()
    .split("\n")
    .filter((row) => !/^(?:diff --git|index) /.test(row));
  if (rows.length <= ROWS + 1) return rows.join("\n");
  return [...rows.slice(0, ROWS), `... ${rows.length - ROWS} more lines`].join("\n");
}

/** How many lines a unified diff adds and removes. */
export function sizesOf(diff: string): string {
  const count = (pattern: RegExp) => diff.match(pattern)?.length ?? 0;
  return `+${count(/^\+(?!\+\+ )/gm)} -${count(/^-(?!-- )/gm)}`;
}
