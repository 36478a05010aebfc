// How long the worst files take: similar lines, changes everywhere, and a stale anchor.

import { anchorsOf, joined } from "./bench.mjs";
import { Random } from "./random.mjs";
import { table } from "./table.mjs";

const WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"];

// Each function makes an old and a new version of `lines` lines.
const SHAPES = {
  "two words at random": (lines, random) => [0, 1].map(() => drawn(lines, WORDS.slice(0, 2), random)),
  "ten words at random": (lines, random) => [0, 1].map(() => drawn(lines, WORDS, random)),
  "every third line changed, braces and blanks between": (lines) =>
    ["old", "new"].map((name) =>
      Array.from({ length: lines }, (_, at) => [`${name} ${at}`, "}", ""][at % 3]),
    ),
  "1,990 repeats between lines that occur once": (lines, random) =>
    [0, 1].map(() =>
      drawn(lines, WORDS.slice(0, 2), random).map((word, at) => (at % 1991 === 0 ? `line ${at}` : word)),
    ),
  "half of the lines braces, one line inserted": (lines) => {
    const old = Array.from({ length: lines }, (_, at) => (at % 2 === 0 ? "}" : `line ${at}`));
    return [old, ["new", ...old]];
  },
};

function drawn(lines, words, random) {
  return Array.from({ length: lines }, () => random.pick(words));
}

// Milliseconds of processor time for one apply, by shape and number of lines.
export async function worstTable(bench, { seed, print, sizes = [10_000, 50_000, 200_000] }) {
  const rows = [];
  let slowest = 0;
  for (const [name, make] of Object.entries(SHAPES)) {
    const times = [];
    for (const size of sizes) {
      const [old, now] = make(size, new Random(seed));
      bench.write(joined(old));
      const session = bench.session();
      const middle = Math.floor(size / 2);
      const shown = await session.read({ path: "file.txt", offset: middle, limit: 20 });
      bench.write(joined(now));
      const anchor = anchorsOf(shown.text).get(middle + 2);
      const before = process.cpuUsage();
      await session.apply({ patch: [{ op: "set_line", path: "file.txt", anchor, text: "edited" }] });
      const { user, system } = process.cpuUsage(before);
      const time = (user + system) / 1000;
      if (size === 50_000) slowest = Math.max(slowest, time);
      times.push(`${time.toFixed(0)} ms`);
    }
    rows.push([name, ...times]);
  }
  print("\nFiles that are hard to compare, processor time of one apply\n");
  print(table(["file", ...sizes.map((size) => `${size.toLocaleString("en")} lines`)], rows));
  return { slowest };
}
