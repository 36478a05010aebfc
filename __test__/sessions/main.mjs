// Long sessions: one read, then many patches by its anchors, while other programs pull, run sed, check out, stash, format
// and move blocks, and a second agent works. `npm run test:sessions [-- --sessions N --seed S --steps N --shared]`.
//
// The oracle gives every line an identity and follows it through each step, so it knows for which lines an anchor was
// shown. A session fails if
//   lost   an agent removes text by another program that no answer has shown to that agent;
//   wrong  a change lands on a line with another text than the intended one, or a refusal writes;
//   thrown a call throws.
// Known faults of the oracle are counted, but do not fail:
//   twin   the change lands on another line with the same text. A checkout and a stash restore the identities of lines,
//          and a moved block keeps them, but nobody could tell equal lines apart by their texts alone.
//   anew   a refusal or a report showed an anchor for another line than the first read did: the newest answer counts.
// With --shared both agents have one memory and every call is a process of its own, as with the program without
// HASHLINE_SESSION. Such a memory cannot always tell which agent an answer was for: these losses are counted (`theirs`)
// and do not fail, unless the anchors of the call were shown in two versions, which must be refused once.
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Session } from "../../index.js";

const { values: flags } = parseArgs({
  options: {
    sessions: { type: "string", default: "120" },
    seed: { type: "string", default: "1" },
    steps: { type: "string", default: "40" },
    shared: { type: "boolean", default: false },
    unseen: { type: "string", default: "refuse" },
    verbose: { type: "boolean", default: false },
  },
});

let state = Number(flags.seed) >>> 0;
const random = () => {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};
const below = (n) => Math.floor(random() * n);
const pick = (list) => list[below(list.length)];

let made = 0;
const line = (text) => ({ id: ++made, text });
/** A word that occurs once, so that its loss can be detected. */
const word = (who) => `${who}${++made}`;

/** Code with braces, blank lines and statements that many functions share. */
function program(functions) {
  const lines = ['import { run } from "./run.js";', ""];
  for (let at = 0; at < functions; at++) {
    const name = word("f");
    lines.push(`export function ${name}(items) {`, "  let total = 0;", "  for (const item of items) {");
    for (let inner = below(4); inner >= 0; inner--)
      lines.push(
        pick([
          `    total += item.${word("m")};`,
          "    if (!item) continue;",
          `    run(item, "${word("s")}");`,
        ]),
      );
    lines.push("  }", "", "  return total;", "}", "");
  }
  return lines.map(line);
}

/** How other programs change the file; each function returns the new lines. */
const others = {
  sed: (lines) => changed(lines, below(lines.length)),
  pull(lines) {
    let now = lines;
    for (let times = 1 + below(4); times > 0; times--)
      now = pick([added, changed, removed])(now, below(now.length));
    return now;
  },
  format(lines) {
    const wide = random() < 0.5;
    const indented = (text) =>
      text.replace(/^ +/, (blanks) =>
        wide ? blanks + blanks : blanks.slice(0, Math.ceil(blanks.length / 2)),
      );
    return lines.map(({ id, text }) => ({ id, text: indented(text) }));
  },
  move(lines) {
    const from = below(lines.length);
    const block = lines.slice(from, from + 1 + below(8));
    const rest = [...lines.slice(0, from), ...lines.slice(from + block.length)];
    const to = below(rest.length + 1);
    return [...rest.slice(0, to), ...block, ...rest.slice(to)];
  },
};
const changed = (lines, at) =>
  lines.map((one, index) => (index === at ? { id: ++made, text: `${indent(one)}${word("other")}();` } : one));
const added = (lines, at) => [
  ...lines.slice(0, at),
  ...Array.from({ length: 1 + below(5) }, () => line(`  ${word("other")}();`)),
  ...lines.slice(at),
];
const removed = (lines, at) => [...lines.slice(0, at), ...lines.slice(at + 1 + below(3))];
const indent = ({ text }) => /^ */.exec(text)[0];
const textOf = (lines) => lines.map(({ text }) => `${text}\n`).join("");
const words = (text) => text.match(/\b(?:other|mine)\d+\b/g) ?? [];

class Agent {
  shown = new Map(); // anchor -> the line for which it was last shown, with identity and text
  seen = new Set(); // words in answers, or written by this agent

  constructor(world, memory) {
    this.world = world;
    this.options = {
      root: world.root,
      stateDir: memory,
      durability: "fast",
      report: pick(["short", "full"]),
    };
    if (flags.unseen !== "refuse") this.options.unseen = flags.unseen;
    this.start();
  }
  start() {
    this.session = new Session(this.options);
  }
  /** Remembers which lines of the present file an answer showed. */
  hear(text) {
    for (const one of words(text)) this.seen.add(one);
    for (const row of text.split("\n")) {
      const found = /^[+ ]?(\d+):([0-9a-f]{2})\|/.exec(row);
      const now = found && this.world.lines[found[1] - 1];
      if (now) this.shown.set(`${found[1]}:${found[2]}`, now);
    }
  }
  async read(first, count) {
    this.hear((await this.session.read({ path: "a.js", offset: first, limit: count })).text);
  }
  async grep(pattern) {
    this.hear((await this.session.grep({ pattern, path: "a.js", context: below(3) })).text ?? "");
  }
}

const total = {
  patches: 0,
  right: 0,
  refused: 0,
  findable: 0,
  unseen: 0,
  twin: 0,
  anew: 0,
  theirs: 0,
  lost: 0,
  wrong: 0,
  thrown: 0,
};

class World {
  constructor() {
    this.root = mkdtempSync(join(tmpdir(), "sessions-"));
    this.file = join(this.root, "a.js");
    this.clock = 1e9;
    this.lines = program(3 + below(12));
    this.versions = [];
    this.write(this.lines);
    const memory = () => mkdtempSync(join(tmpdir(), "sessions-memory-"));
    const first = memory();
    this.memories = flags.shared ? [first] : [first, memory()];
    this.agents = [new Agent(this, first), new Agent(this, this.memories.at(-1))];
  }
  write(lines) {
    this.lines = lines;
    writeFileSync(this.file, textOf(lines));
    utimesSync(this.file, ++this.clock, this.clock);
  }
  end() {
    for (const dir of [this.root, ...this.memories])
      rmSync(dir, { recursive: true, maxRetries: 10, force: true });
  }

  async step() {
    const agent = random() < 0.8 ? this.agents[0] : this.agents[1];
    if (flags.shared || random() < 0.1) agent.start();
    const chance = random();
    if (chance < 0.2) this.outside();
    else if (chance < 0.3) await agent.read(1 + below(this.lines.length), 1 + below(30));
    else if (chance < 0.35) await agent.grep(pick(["return total", "other", "item"]));
    else await this.patch(agent);
  }
  outside() {
    const kept = this.versions.length > 0 && random() < 0.3;
    this.versions.push(this.lines);
    // A checkout or a stash restores an older version.
    this.write(kept ? pick(this.versions) : pick(Object.values(others))(this.lines));
    if (this.lines.length < 5) this.write(program(5));
  }

  /** Sends a patch by anchors that the agent was shown. */
  async patch(agent) {
    const anchors = [...agent.shown.keys()];
    if (anchors.length === 0) return agent.read();
    const number = (anchor) => Number(anchor.split(":")[0]);
    const start = pick(anchors);
    const near = anchors.filter(
      (other) => number(other) >= number(start) && number(other) < number(start) + 30,
    );
    const end = random() < 0.5 ? start : pick(near);
    const mark = word("mine");
    const kind = pick(["set", "delete", "insert", "set"]);
    const op =
      kind === "insert"
        ? { op: "insert_after", path: "a.js", anchor: start, text: mark }
        : kind === "delete"
          ? { op: "delete", path: "a.js", start_anchor: start, end_anchor: end }
          : { op: "replace_range", path: "a.js", start_anchor: start, end_anchor: end, text: mark };
    const meant = [agent.shown.get(start), agent.shown.get(kind === "insert" ? start : end)];
    const before = this.lines;
    const places = meant.map(({ id }) => before.findIndex((one) => one.id === id));
    await this.send(agent, op, kind, mark, meant, places);
  }

  async send(agent, op, kind, mark, meant, places) {
    const before = this.lines;
    total.patches++;
    let answer;
    try {
      answer = await agent.session.apply({ patch: [{ ...op, exact: true }] });
    } catch (error) {
      total.thrown++;
      return this.say("thrown", op, error.message);
    }
    const after = readFileSync(this.file, "utf8");
    if (answer.kind !== "applied") return this.refused(agent, answer, op, kind, meant, places, after);
    const found = landing(textOf(before), after, kind === "delete" ? "" : mark, kind, meant);
    if (!found) {
      total.wrong++;
      this.say("wrong", op, answer.text);
      return this.write(program(5));
    }
    const gone = before.slice(found.from, found.to);
    this.judge(agent, op, kind, meant, places, found, gone, answer);
    const own = kind === "delete" ? [] : [line(after.split("\n")[found.from])];
    agent.seen.add(mark);
    this.lines = [...before.slice(0, found.from), ...own, ...before.slice(found.to)];
    agent.hear(answer.text);
    if (this.lines.length < 5) this.write(program(5));
  }

  judge(agent, op, kind, meant, places, found, gone, answer) {
    const unseen = gone.flatMap(({ text }) => words(text)).filter((one) => !agent.seen.has(one));
    if (unseen.length > 0) {
      const kindOfLoss = flags.shared
        ? "theirs"
        : flags.unseen === "warn" && /never shown/.test(answer.text)
          ? "theirs"
          : "lost";
      total[kindOfLoss]++;
      if (kindOfLoss === "lost") this.say("lost", op, `${unseen}\n${answer.text}`);
    }
    const hit = kind === "insert" ? [this.lines[found.from - 1]] : [gone[0], gone.at(-1)];
    const asMeant = hit.every((one, at) => one?.id === meant[at].id);
    if (asMeant) total.right++;
    else if (hit.every((one, at) => one?.text.trim() === meant[at].text.trim()))
      total[places.includes(-1) ? "anew" : "twin"]++;
    else {
      total.wrong++;
      this.say("wrong", op, `meant ${JSON.stringify(meant)}, hit ${JSON.stringify(hit)}\n${answer.text}`);
    }
  }

  refused(agent, answer, op, kind, meant, places, after) {
    total.refused++;
    if (after !== textOf(this.lines)) {
      total.wrong++;
      this.say("wrong", op, "refused, and written");
    }
    const same =
      places[0] >= 0 &&
      places[1] >= places[0] &&
      meant.every((one, at) => this.lines[places[at]].text === one.text);
    const gone = same ? this.lines.slice(places[0], places[1] + 1) : [];
    if (
      same &&
      (kind === "insert" || gone.flatMap(({ text }) => words(text)).every((one) => agent.seen.has(one)))
    )
      total.findable++;
    if (answer.refusals.some(({ code }) => code === "unseen_lines")) total.unseen++;
    agent.hear(answer.text);
  }

  say(kind, op, text) {
    if (flags.verbose || kind === "lost")
      console.log(`${kind.toUpperCase()} ${JSON.stringify(op)}\n${String(text).slice(0, 1500)}\n`);
  }
}

/** The lines of `before` that the change replaced, `from` up to before `to`; undefined if it changed others, too. */
function landing(before, after, mark, kind, meant) {
  const [old, now] = [before, after].map((text) => text.replace(/\n$/, "").split("\n"));
  let from = 0;
  if (mark) {
    from = now.findIndex((text) => text.trim() === mark);
    const rest = now.length - from - 1;
    const to = old.length - rest;
    const kept =
      old.slice(0, from).join("\n") === now.slice(0, from).join("\n") &&
      old.slice(to).join("\n") === now.slice(from + 1).join("\n");
    return from >= 0 && to >= from && kept && (kind === "insert") === (to === from)
      ? { from, to }
      : undefined;
  }
  const count = old.length - now.length;
  while (from < now.length && old[from] === now[from]) from++;
  // If equal lines border the change, several ranges explain it; choose the intended one if it is among them.
  const fits = (at) =>
    old.slice(0, at).join("\n") === now.slice(0, at).join("\n") &&
    old.slice(at + count).join("\n") === now.slice(at).join("\n");
  const starts = Array.from({ length: from + 1 }, (_, at) => from - at).filter(fits);
  const isMeant = (at) => old[at] === meant[0].text && old[at + count - 1] === meant[1].text;
  const start = starts.find(isMeant) ?? starts[0];
  return count > 0 && start !== undefined ? { from: start, to: start + count } : undefined;
}

for (let session = 0; session < Number(flags.sessions); session++) {
  const world = new World();
  try {
    await world.agents[0].read();
    for (let step = 0; step < Number(flags.steps); step++) await world.step();
  } finally {
    world.end();
  }
}
console.log(
  Object.entries(total)
    .map(([name, count]) => `${name} ${count}`)
    .join(", "),
);
process.exitCode = total.lost + total.wrong + total.thrown > 0 ? 1 : 0;
