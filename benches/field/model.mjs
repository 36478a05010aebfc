// npm run bench:model: plays the field's situations with a real model behind any OpenAI-compatible chat endpoint.
//
//   npm run bench:model -- --url http://127.0.0.1:8080/v1 --model NAME
//       [--arms ours,pi] [--scenarios crlf,stale] [--runs N] [--concurrency N] [--steps N] [--timeout S] [--out DIR]
//
// The model plays in the real host, with the real extension, prompt and tools. The key in FIELD_API_KEY is sent only
// to the endpoint. Transcripts and results are saved in the folder, where an interrupted run can be continued.

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isMain, script } from "../../scripts/run.mjs";
import { table } from "../faults/table.mjs";
import { ask } from "./agent.mjs";
import { arms } from "./arms.mjs";
import { EndpointError, probe } from "./endpoint.mjs";
import { SITUATIONS } from "./situations.mjs";

/** Plays the runs that have no result in `out` yet, and returns all results there. */
export async function runModel({
  endpoint,
  chosen,
  situations,
  runs,
  concurrency,
  out,
  onProgress = () => {},
}) {
  await probe(endpoint);
  mkdirSync(out, { recursive: true });
  const file = join(out, "results.jsonl");
  const identity = `${endpoint.url} ${endpoint.model}`;
  const known = existsSync(file) ? parsed(readFileSync(file, "utf8")) : [];
  const results = known.filter((result) => result.endpoint === identity);
  const isDone = (job) => results.some(({ arm, key, run }) => `${arm} ${key} ${run}` === nameOf(job));
  const jobs = [];
  for (let run = 1; run <= runs; run++)
    for (const situation of situations) for (const arm of chosen) jobs.push({ run, situation, arm });
  const left = jobs.filter((job) => !isDone(job));
  let done = jobs.length - left.length;
  onProgress(done, jobs.length);
  const work = async () => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) {
      const { transcript, ...result } = await played(job, endpoint);
      const row = { endpoint: identity, arm: job.arm.name, key: job.situation.key, run: job.run, ...result };
      const name = `${job.arm.name}-${job.situation.key}-${job.run}.json`.replaceAll(/[^\w.-]+/g, "-");
      writeFileSync(join(out, name), `${JSON.stringify({ ...row, transcript }, undefined, 2)}\n`);
      appendFileSync(file, `${JSON.stringify(row)}\n`);
      results.push(row);
      onProgress(++done, jobs.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results;
}

const nameOf = ({ arm, situation, run }) => `${arm.name} ${situation.key} ${run}`;

/** Parses the whole lines only: if a run was killed, the last line may be incomplete. */
function parsed(text) {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

async function played({ arm, situation }, endpoint) {
  try {
    return await ask(arm, situation, endpoint);
  } catch (error) {
    return { verdict: "failed", ended: error.message, refused: 0, calls: 0, tokens: 0, transcript: [] };
  }
}

/** The table of results, with one row for each arm. */
export function resultTable(results) {
  const names = [...new Set(results.map(({ arm }) => arm))];
  const rows = names.map((name) => {
    const own = results.filter(({ arm }) => arm === name);
    const count = (fits) => own.filter(fits).length;
    const mean = (field) => Math.round(own.reduce((sum, run) => sum + run[field], 0) / own.length);
    return [
      name,
      `${count(({ verdict }) => verdict === "pass")} / ${own.length}`,
      count(({ strict }) => strict),
      count(({ verdict }) => verdict.startsWith("wrong")),
      count(({ verdict }) => verdict === "rejected"),
      `${count(({ recovered }) => recovered)} / ${count(({ refused }) => refused > 0)}`,
      count(({ verdict, ended }) => verdict === "failed" || ended !== "done"),
      mean("calls"),
      mean("tokens"),
    ];
  });
  const head = [
    "arm",
    "pass",
    "strict",
    "wrong",
    "nothing done",
    "recovered / refused",
    "broken off",
    "steps",
    "tokens",
  ];
  return { head, rows };
}

function progress(done, all) {
  const width = 30;
  const full = all === 0 ? width : Math.round((done / all) * width);
  const bar = `[${"#".repeat(full)}${"-".repeat(width - full)}] ${done}/${all}`;
  process.stderr.write(process.stderr.isTTY ? `\r${bar}${done === all ? "\n" : ""}` : `${bar}\n`);
}

async function main() {
  const text = (value) => ({ type: "string", default: value });
  const { values } = parseArgs({
    options: {
      url: { type: "string" },
      model: { type: "string" },
      arms: text("ours in pi,pi's edit"),
      scenarios: { type: "string" },
      runs: text("1"),
      concurrency: text("1"),
      steps: text("20"),
      timeout: text("300"),
      pro: { type: "string" },
      out: text("field-runs"),
    },
  });
  if (!values.url || !values.model)
    throw new EndpointError("give --url and --model; the head of model.mjs has an example");
  const isChosen = (names, name) => !names || names.split(",").some((part) => name.includes(part));
  const chosen = arms(values.pro).filter(({ name, missing }) => !missing && isChosen(values.arms, name));
  const results = await runModel({
    endpoint: {
      url: values.url,
      model: values.model,
      key: process.env.FIELD_API_KEY,
      timeout: Number(values.timeout) * 1000,
      steps: Number(values.steps),
      patience: Number(values.timeout) * 3000,
    },
    chosen,
    situations: SITUATIONS.filter(({ key, group }) => isChosen(values.scenarios, `${group} ${key}`)),
    runs: Number(values.runs),
    concurrency: Number(values.concurrency),
    out: values.out,
    onProgress: progress,
  });
  const { head, rows } = resultTable(results);
  process.stdout.write(`${table(head, rows)}\n`);
}

if (isMain(import.meta.url)) await script(main);
