// How long judging a command takes: median and p99 of the labelled commands, and the inputs that are
// hardest to judge. `node benches/suites/guard.mjs`. The commands are judged, never run.

import { readFileSync } from "node:fs";

import { judgeCommand } from "../../index.js";

const place = { root: "/home/dev/app", cwd: "/home/dev/app", home: "/home/dev" };

function time(command, rounds) {
  const times = [];
  for (let i = 0; i < rounds; i++) {
    const start = process.hrtime.bigint();
    judgeCommand(command, place);
    times.push(Number(process.hrtime.bigint() - start) / 1000);
  }
  return times.sort((a, b) => a - b)[rounds >> 1];
}

const show = (micros) => `${micros.toFixed(1)} us`.padStart(12);

for (const name of ["commands.json", "extra.json"]) {
  const url = new URL(`../../crates/guard/tests/fixtures/${name}`, import.meta.url);
  const commands = JSON.parse(readFileSync(url, "utf8")).map((entry) => entry.command);
  for (const command of commands) judgeCommand(command, place);
  const medians = commands.map((command) => time(command, 21)).sort((a, b) => a - b);
  const at = (share) => show(medians[Math.floor((medians.length - 1) * share)]);
  console.log(`${name}: ${commands.length} commands`);
  console.log(`  median ${at(0.5)}   p99 ${at(0.99)}   worst ${at(1)}`);
}

const cap = 64 * 1024;
const fill = (piece) => piece.repeat(Math.floor((cap - 1) / piece.length));
const worst = {
  "one word": fill("a"),
  "3,990 words": `cat ${"f ".repeat(3_990)}`,
  "scratch paths": `cat ${"/tmp/f ".repeat(3_990)}`,
  lists: "a;".repeat(1_990),
  pipes: `${"a|".repeat(1_990)}a`,
  strings: fill('"$x"'),
  substitutions: "$(a)".repeat(11_000),
  "nested substitutions": `${"$(".repeat(39)}a${")".repeat(39)} `.repeat(400),
  arithmetic: fill("$((1))"),
  braces: `echo ${"{a,b}".repeat(10_000)}`,
  variables: Array.from({ length: 1_990 }, (_, i) => `v${i}=1;`).join(""),
  subshells: `${Array.from({ length: 400 }, (_, i) => `v${i}=1;`).join("")}${"(a);".repeat(500)}`,
  recursion: "f() { f; f; }; f",
  loops: `${"for a in {1..20};do ".repeat(12)}:${";done".repeat(12)}`,
  evals: `${"eval ".repeat(3_990)}a`,
  wrappers: `${"sudo ".repeat(3_990)}cat f`,
  "python code": `python3 -c '${"a=b;open(a)\n".repeat(5_000)}'`,
  "awk code": `awk '${'{print > "/tmp/x"}'.repeat(3_500)}'`,
  "sed code": `sed '${"s/a/b/;".repeat(9_000)}'`,
  "here-document": `cat <<E\n${"$x `a` ".repeat(5_000)}\nE`,
  "1 MB of words": "cats ".repeat(200_000),
};
console.log("worst inputs");
for (const [name, command] of Object.entries(worst)) {
  console.log(`  ${name.padEnd(22)} ${String(command.length).padStart(8)} bytes ${show(time(command, 5))}`);
}
