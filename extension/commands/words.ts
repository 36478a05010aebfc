// Adapts the core's texts, which are for a model, to people.

/** The most rows of a diff in a dialog. */
const MAX_ROWS = 40;

/** A text of the core without what only a model needs: a refusal's first line, and advice about anchors at the end. */
export function forPeople(text: string): string {
  return text
    .replace(/^REJECTED: nothing was written\n/, "nothing was changed: ")
    .replace(/\n(?:Anchors that the patch's report|Read the files again first).*/g, "");
}

/** A diff without the lines that only programs read, cut if it is long. */
export function shorten(diff: string): string {
  const rows = diff
    .trimEnd()
    .split("\n")
    .filter((row) => !/^(?:diff --git|index) /.test(row));
  if (rows.length <= MAX_ROWS + 1) return rows.join("\n");
  return [...rows.slice(0, MAX_ROWS), `... ${rows.length - MAX_ROWS} more lines`].join("\n");
}

/** How many lines a unified diff adds and removes. */
export function sizesOf(diff: string): string {
  const count = (pattern: RegExp) => diff.match(pattern)?.length ?? 0;
  return `+${count(/^\+(?!\+\+ )/gm)} -${count(/^-(?!-- )/gm)}`;
}
