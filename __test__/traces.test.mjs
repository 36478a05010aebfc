// Calls that real models sent: each does what the model meant, or nothing (see fixtures/traces/README.md).

import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Session } from "../index.js";
import "./own-state.mjs";

const FILE = join(dirname(fileURLToPath(import.meta.url)), "fixtures", "traces", "public.jsonl");
const CASES = readFileSync(FILE, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line));

/** At least this share of the calls that may be refused must be understood. */
const MIN_UNDERSTOOD = 0.75;

const base = realpathSync(mkdtempSync(join(tmpdir(), "hashline-traces-")));
after(() => rmSync(base, { recursive: true, maxRetries: 10, force: true }));

const outcomes = new Map();

for (const trace of CASES) {
  test(`${trace.id} is ${trace.acceptable}`, async () => {
    const { verdict, said, files } = await replay(trace);
    outcomes.set(trace.id, verdict);
    const allowed = { exact: ["exact"], refuse: ["refused"], "exact-or-refuse": ["exact", "refused"] };
    assert.ok(
      allowed[trace.acceptable].includes(verdict),
      `${verdict}: ${JSON.stringify(trace.call)}\nfiles: ${JSON.stringify(files)}\nsaid: ${said}`,
    );
  });
}

test("most calls that may be refused are understood", () => {
  const doubtful = CASES.filter(({ acceptable }) => acceptable === "exact-or-refuse");
  const understood = doubtful.filter(({ id }) => outcomes.get(id) === "exact");
  const refused = doubtful.filter(({ id }) => outcomes.get(id) !== "exact").map(({ id }) => id);
  assert.ok(
    understood.length >= MIN_UNDERSTOOD * doubtful.length,
    `${understood.length} of ${doubtful.length}; not: ${refused.join(", ")}`,
  );
});

/** Replays one trace in a workspace of its own. */
async function replay({ file, shown, before = [], then = {}, call, intended, also = {} }) {
  const root = mkdtempSync(join(base, "trace-"));
  writeAll(root, file);
  const session = new Session({ root });
  const views = new Map();
  for (const path of shown) views.set(path, (await session.read({ path })).text.split("\n"));
  const filled = (request) =>
    fill(request, (name, line, path) => placeholderText(views.get(path ?? shown[0]), name, line, root));
  for (const request of before) {
    const { kind, text } = await session.apply(filled(request));
    assert.equal(kind, "applied", text);
  }
  writeAll(root, then);
  const was = readAll(root);
  const { kind, text } = await session.apply(filled(call));
  const files = readAll(root);
  const names = new Set([...Object.keys(was), ...Object.keys(files), ...Object.keys(intended ?? {})]);
  const meant = (name) => [{ ...was, ...intended }[name], ...(also[name] ?? [])];
  const untouched = [...names].every((name) => was[name] === files[name]);
  const right = intended !== null && [...names].every((name) => meant(name).includes(files[name]));
  const verdict = kind === "refused" && untouched ? "refused" : right ? "exact" : "wrong";
  return { verdict, said: text, files };
}

/** The text that a placeholder stands for. */
function placeholderText(view, name, line, root) {
  if (name === "ROOT") return root;
  if (name === "H") return view[0];
  const row = view.find((row) => row.startsWith(`${line}:`));
  const [anchor] = row.split("|", 1);
  const tag = anchor.slice(anchor.indexOf(":") + 1);
  switch (name) {
    case "A":
      return anchor;
    case "T":
      return tag;
    case "R":
      return row;
    case "W":
      return `4${tag}`;
    case "X":
      return (tag.startsWith("e") ? "1" : "e") + tag.slice(1);
  }
}

/** A copy of a request with all its placeholders replaced. */
function fill(value, find) {
  if (typeof value === "string") {
    const placeholder = /\{\{(ROOT|H|[ATRXW])(?::(\d+))?(?:@([^}]+))?\}\}/g;
    return value.replace(placeholder, (_, name, line, path) => find(name, line, path));
  }
  if (Array.isArray(value)) return value.map((inner) => fill(inner, find));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, find)]));
}

function writeAll(root, files) {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

/** Every file below a directory, without those in hidden directories. */
function readAll(root) {
  const entries = readdirSync(root, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const names = paths.map((path) => path.slice(root.length + 1).replaceAll("\\", "/"));
  const seen = names.filter(
    (name) =>
      !name
        .split("/")
        .slice(0, -1)
        .some((part) => part.startsWith(".")),
  );
  return Object.fromEntries(seen.map((name) => [name, readFileSync(join(root, name), "utf8")]));
}
