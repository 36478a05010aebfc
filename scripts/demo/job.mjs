// One small job, once with our tools and once with the host's own: the model reads a file, edits two of its lines,
// another program changes the file, and the tool refuses an edit of the changed line.

import { Omp, Ours, Pi } from "../../benches/tokens/dialects.mjs";

const PATH = "src/cart.js";
const CART = [
  "// What a shopping cart costs.",
  'import { tax } from "./tax.js";',
  "",
  "export function total(items, country) {",
  "  let sum = 0;",
  "  for (const item of items) {",
  "    sum += item.price * item.count;",
  "  }",
  "  return tax(sum, country);",
  "}",
];
export const FILES = { [PATH]: `${CART.join("\n")}\n` };
/** The text to which another program changes the line that the model edits last. */
const MEANWHILE = "  return Math.round(tax(sum, country));";

const JOB = [
  { path: PATH, first: 5, last: 5, lines: ["  let sum = shipping(items);"] },
  {
    path: PATH,
    first: 7,
    last: 7,
    lines: ["    const { price, count } = item;", "    sum += price * count;"],
  },
];
const STALE = { path: PATH, first: 10, last: 10, lines: ["  return tax(sum, country, today());"] };

/** The dialect of a host's own tools. */
const OWN = { pi: Pi, omp: Omp };

/** The turns of the job, for our tools or the host's own, in the workbench `bench`. */
export function job(bench, { ours }) {
  const dialect = new (ours ? Ours : OWN[bench.host.family])(new Map([[PATH, [...CART]]]));
  const calls = ({ name, arguments: args }) => ({ calls: [{ name, arguments: args }] });
  return [
    () => calls(dialect.read(PATH)),
    ({ last }) => {
      dialect.learnRead(PATH, last);
      return calls(dialect.edit(JOB));
    },
    async ({ last }) => {
      dialect.learnEdit(JOB, last);
      const lines = dialect.files.get(PATH);
      for (const { first, last: end, lines: now } of [...JOB].reverse())
        lines.splice(first - 1, end - first + 1, ...now);
      const text = await bench.text(PATH);
      const call = calls(dialect.edit([STALE]));
      await bench.write({ [PATH]: text.replace("  return tax(sum, country);", MEANWHILE) });
      return call;
    },
    ...(ours ? [{ calls: [{ name: "bash", arguments: { command: `cat ${PATH}` } }] }] : []),
    { text: "All done." },
  ];
}
