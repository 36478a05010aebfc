// The fixed set of tasks: the steps of a model, the same for every system.
//
// A task gets a `Work`, which reads, edits and counts; it gives the lines to change by their numbers in the
// current file, and `Work` translates that for the system.

/** A block of the sample file; it has eight lines. */
function block(number) {
  return [
    `export function price${number}(items, options) {`,
    `  const total${number} = items.reduce((sum, item) => sum + item.price * ${number + 2}, 0);`,
    `  if (options.discount${number} > 0) {`,
    `    return total${number} - options.discount${number};`,
    "  }",
    `  return Math.round(total${number} * 100) / 100;`,
    "}",
    "",
  ];
}

/** A file of 304 lines of code, always the same. */
export const sample = () => Array.from({ length: 38 }, (_, at) => block(at)).flat();

/** New lines in the style of the sample. */
const fresh = (count, word) =>
  Array.from({ length: count }, (_, at) => `  const ${word}${at} = options.${word} + items.length * ${at};`);

/** Each task: its name in the table, how many files it works on, and its steps. */
export const TASKS = [
  {
    name: "read 304 lines",
    files: 1,
    *run(work) {
      yield* work.read(0);
    },
  },
  {
    name: "one line",
    files: 1,
    *run(work) {
      yield* work.unpaid(work.read(0));
      yield* work.edit([work.line(0, 98, "  const total12 = sumOf(items) * 14;")]);
    },
  },
  {
    name: "3 lines put in",
    files: 1,
    *run(work) {
      yield* work.unpaid(work.read(0));
      yield* work.edit([{ file: 0, first: 99, last: 98, lines: fresh(3, "tax") }]);
    },
  },
  {
    name: "60 lines for 60",
    files: 1,
    *run(work) {
      yield* work.unpaid(work.read(0));
      yield* work.edit([{ file: 0, first: 98, last: 157, lines: fresh(60, "part") }]);
    },
  },
  {
    name: "60 lines to 1",
    files: 1,
    *run(work) {
      yield* work.unpaid(work.read(0));
      yield* work.edit([{ file: 0, first: 98, last: 157, lines: ["  return sumOf(items);"] }]);
    },
  },
  {
    name: "ten lines in one call",
    files: 1,
    *run(work) {
      yield* work.unpaid(work.read(0));
      const at = (index) => 2 + 8 * (index + 3);
      yield* work.edit(
        Array.from({ length: 10 }, (_, index) =>
          work.line(0, at(index), `  const total${index + 3} = sumOf(items);`),
        ),
      );
    },
  },
  {
    name: "one line in each of 3 files",
    files: 3,
    *run(work) {
      for (const file of [0, 1, 2]) yield* work.unpaid(work.read(file));
      yield* work.edit([0, 1, 2].map((file) => work.line(file, 98, "  const total12 = sumOf(items);")));
    },
  },
  {
    name: "a new file of 30 lines",
    files: 0,
    *run(work) {
      yield* work.create("made.js", ["export default {", ...fresh(28, "rate"), "};"]);
    },
  },
  {
    name: "the line has moved by 3",
    files: 1,
    *run(work) {
      yield* work.unpaid(work.read(0));
      work.insertBehind(0, 10, ["// one", "// two", "// three"]);
      yield* work.edit([work.line(0, 98, "  const total12 = sumOf(items);")]);
    },
  },
  {
    name: "the line has changed: refusal",
    files: 1,
    *run(work) {
      yield* work.unpaid(work.read(0));
      work.rewriteBehind(0, 98, "  const total12 = sumUp(items);");
      yield* work.edit([work.line(0, 98, "  const total12 = sumOf(items);")], { refused: true });
    },
  },
  {
    name: "and its repair",
    files: 1,
    *run(work) {
      yield* work.unpaid(work.read(0));
      work.rewriteBehind(0, 98, "  const total12 = sumUp(items);");
      const edits = [work.line(0, 98, "  const total12 = sumOf(items);")];
      yield* work.unpaid(work.edit(edits, { refused: true }));
      yield* work.edit(edits);
    },
  },
  {
    name: "12 lines put in, then 6 of them edited",
    files: 1,
    followUps: true,
    *run(work) {
      yield* work.unpaid(work.read(0));
      yield* work.edit([{ file: 0, first: 99, last: 98, lines: fresh(12, "tax") }]);
      for (const at of [0, 2, 4, 6, 9, 11]) {
        yield* work.edit([work.line(0, 99 + at, `  const tax${at} = taxOf(options, ${at});`)]);
      }
    },
  },
  {
    name: "60 for 60, then 8 of them edited",
    files: 1,
    followUps: true,
    *run(work) {
      yield* work.unpaid(work.read(0));
      yield* work.edit([{ file: 0, first: 98, last: 157, lines: fresh(60, "part") }]);
      for (const at of [0, 7, 13, 22, 38, 44, 52, 59]) {
        yield* work.edit([work.line(0, 98 + at, `  const part${at} = partOf(options, ${at});`)]);
      }
    },
  },
  {
    name: "3 lines put in above, then 6 lines below edited",
    files: 1,
    followUps: true,
    *run(work) {
      yield* work.unpaid(work.read(0));
      yield* work.edit([{ file: 0, first: 11, last: 10, lines: fresh(3, "tax") }]);
      for (const block of [5, 9, 14, 20, 27, 33]) {
        yield* work.edit([work.line(0, 8 * block + 5, `  const total${block} = sumOf(items);`)]);
      }
    },
  },
  {
    name: "a range over new and old lines",
    files: 1,
    followUps: true,
    *run(work) {
      yield* work.unpaid(work.read(0));
      yield* work.edit([{ file: 0, first: 99, last: 98, lines: fresh(8, "tax") }]);
      yield* work.edit([{ file: 0, first: 104, last: 110, lines: fresh(2, "all") }]);
    },
  },
];
