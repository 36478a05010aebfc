// The tables of bench:field, and the goals that our editor must reach.

/** How many edits of the sloppy copier may end wrong with a warning that names the line. */
const MAX_WARNED = 4;

const sum = (runs, field) => runs.reduce((all, run) => all + run[field], 0);
const passed = (runs) => runs.filter(({ verdict }) => verdict === "pass");
const count = (runs, ...verdicts) => runs.filter(({ verdict }) => verdicts.includes(verdict)).length;
const WRONG = ["wrong line", "wrong content"];

/** The results of the perfect copier in each arm. */
export function perfectTable(played) {
  const head = [
    "perfect copier",
    ...["core", "stale", "strict", "wrong line", "wrong content", "rejected", "calls", "retries", "tokens"],
  ];
  const rows = played.map(({ name, perfect }) => {
    const of = (group) => perfect.filter(({ situation }) => situation.group === group);
    const score = (runs) => `${passed(runs).length} / ${runs.length}`;
    return [
      name,
      score(of("core")),
      score(of("stale")),
      `${perfect.filter(({ strict }) => strict).length} / ${perfect.length}`,
      count(perfect, "wrong line"),
      count(perfect, "wrong content", "wrong, said"),
      count(perfect, "rejected"),
      sum(perfect, "calls"),
      sum(perfect, "retries"),
      sum(withoutLarge(perfect), "tokens"),
    ];
  });
  return { head, rows };
}

/** The verdict on each situation in each arm. */
export function situationTable(played) {
  const head = ["situation", ...played.map(({ name }) => name)];
  const rows = (played[0]?.perfect ?? []).map(({ situation }, at) => [
    situation.key,
    ...played.map(({ perfect }) => {
      const { verdict, strict, calls, tokens } = perfect[at];
      return `${verdict}${verdict === "pass" && !strict ? ", unseen" : ""} (${calls}, ${tokens})`;
    }),
  ]);
  return { head, rows };
}

/** The results of each mistake: right immediately, right after retries, and the kinds of wrong ends. */
export function sloppyTable(played) {
  const faults = [...new Set(played.flatMap(({ sloppy }) => sloppy.map(({ fault }) => fault)))];
  const cell = (runs) => {
    if (runs.length === 0) return "-";
    const right = passed(runs);
    const parts = [`${right.filter(({ retries }) => retries === 0).length}/${right.length}/${runs.length}`];
    const [wrong, said, never] = [count(runs, ...WRONG), count(runs, "wrong, said"), count(runs, "rejected")];
    if (wrong > 0) parts.push(`${wrong} wrong`);
    if (said > 0) parts.push(`${said} wrong, said`);
    if (never > 0) parts.push(`${never} never`);
    return parts.join(", ");
  };
  const row = (name, fits) => [name, ...played.map(({ sloppy }) => cell(sloppy.filter(fits)))];
  const rows = faults.map((fault) => row(fault, (run) => run.fault === fault));
  rows.push(row("all", () => true));
  rows.push([
    "tokens a run",
    ...played.map(({ sloppy }) =>
      sloppy.length === 0 ? "-" : Math.round(sum(sloppy, "tokens") / sloppy.length),
    ),
  ]);
  return {
    head: ["one mistake: right at once / in the end / of runs", ...played.map(({ name }) => name)],
    rows,
  };
}

/** The figures of our first arm, which the README quotes. */
export function ourFigures(played) {
  const { perfect, sloppy } = played.find(({ name }) => name.startsWith("ours"));
  return {
    passed: `${passed(perfect).length} of ${perfect.length}`,
    sloppy: `${count(sloppy, ...WRONG)} of ${sloppy.length}`,
  };
}

/** The goals that one of our arms misses. */
export function missedGoals({ name, perfect, sloppy }) {
  if (!name.startsWith("ours")) return [];
  const failed = perfect.filter(({ verdict }) => verdict !== "pass").map(({ situation }) => situation.key);
  const unseen = perfect.filter(({ verdict, strict }) => verdict === "pass" && !strict);
  return [
    [failed.length, 0, `situations not passed: ${failed.join(", ")}`],
    [
      unseen.length,
      0,
      `changes written over unseen: ${unseen.map(({ situation }) => situation.key).join(", ")}`,
    ],
    [count(sloppy, ...WRONG), 0, "sloppy runs silently wrong"],
    [count(sloppy, "rejected"), 0, "sloppy runs never right"],
    [count(sloppy, "wrong, said"), MAX_WARNED, "sloppy runs wrong where the answer names the line"],
  ]
    .filter(([found, most]) => found > most)
    .map(([found, , what]) => `${name}: ${found} ${what}`);
}

/** The runs without the situation of 200 lines, which the field's totals do not count. */
function withoutLarge(runs) {
  return runs.filter(({ situation }) => situation.key !== "large-range-drift");
}
