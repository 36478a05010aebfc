// The documents are consistent: decisions have numbers and a status, links, paths and names of tests exist, figures and
// settings equal the data, and the sizes of downloads equal those in the scripts.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { DOCUMENTS, generated } from "../scripts/docs.mjs";
import { downloads } from "../scripts/lab/hosts.mjs";
import { textFiles } from "../scripts/release/name.mjs";
import { root } from "../scripts/run.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");

const decisions = readdirSync(join(root, "docs/adr")).sort();

test("decisions are numbered from 1 without gaps", () => {
  const numbers = decisions.map((name) => Number(name.slice(0, 4)));
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => at + 1),
  );
});

for (const name of decisions) {
  test(`docs/adr/${name} has its number in the title, and a status`, () => {
    const [title, , status] = read(`docs/adr/${name}`).split("\n");
    assert.match(title, new RegExp(`^# ${Number(name.slice(0, 4))}\\. \\S`));
    assert.match(status, /^Status: (accepted|amended by|replaced by|rejected|withdrawn)/);
  });
  test(`docs/adr/${name} is at most a page`, () => {
    assert.ok(read(`docs/adr/${name}`).split("\n").length <= 50);
  });
}

test("lines of prose in documents have at most 120 columns, as .editorconfig says", () => {
  const documents = textFiles().filter((path) =>
    /^(?:docs\/|npm\/|__test__\/[^/]+\/README|[^/]+\.md$).*/.test(path),
  );
  const long = documents
    .filter((path) => path.endsWith(".md"))
    .flatMap((path) => {
      const prose = read(path).replaceAll(/^```[\s\S]*?^```|^ {4}.*|^\|.*|^<img .*/gm, (part) =>
        part.replaceAll(/[^\n]/g, ""),
      );
      return prose.split("\n").flatMap((line, at) => ([...line].length > 120 ? [`${path}:${at + 1}`] : []));
    });
  assert.deepEqual(long, []);
});

for (const path of DOCUMENTS) {
  test(`the figures and settings in ${path} are those of the data: npm run build:docs`, () => {
    assert.equal(read(path), generated(path));
  });
}

test("README has at most 130 lines, docs/benchmarks.md 150", () => {
  for (const [path, most] of [
    ["README.md", 130],
    ["docs/benchmarks.md", 150],
  ])
    assert.ok(read(path).split("\n").length <= most, path);
});

/** The links to files in a Markdown text, outside of code. */
function links(text) {
  const prose = text.replaceAll(/^(```|~~~)[\s\S]*?^\1|^ {4}.*/gm, "").replaceAll(/(`+)[^`\n].*?\1/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^(?:[a-z]+:|#)/.test(target));
}

for (const path of textFiles().filter((path) => path.endsWith(".md"))) {
  test(`the links of ${path} lead to files`, () => {
    for (const target of links(read(path))) {
      const file = join(root, dirname(path), target.replace(/#.*$/, ""));
      assert.ok(existsSync(file), `${target} is not there`);
    }
  });
}

/** Match names between backticks in documents: a path of ours, a Rust test, a script of package.json. */
const PATH = /^(?:crates|scripts|benches|extension|__test__|docs|js|packaging|fuzz)\/[\w./-]+$/;
const TEST = /^[a-z0-9]+(?:_[a-z0-9]+){4,}$/;
const SCRIPT = /^npm run ([\w:]+)/;
/** Files that only the build makes; they are not in the repository. */
const BUILT = ["extension/bundle.js"];

test("the paths, tests and scripts that documents name are there", () => {
  const sources = textFiles().filter((path) => path.endsWith(".rs"));
  const rust = sources.map(read).join("\n");
  const { scripts } = JSON.parse(read("package.json"));
  const documents = textFiles().filter((path) => /^(?:docs\/|[^/]+$).*\.md$/.test(path));
  const absent = documents.flatMap((path) => {
    const spans = [...read(path).matchAll(/`([^`\n]+)`/g)].map(([, span]) => span);
    const named = spans.filter((span) => {
      if (PATH.test(span)) return !existsSync(join(root, span)) && !BUILT.includes(span);
      if (TEST.test(span)) return !rust.includes(`fn ${span}(`);
      return SCRIPT.test(span) && !(SCRIPT.exec(span)[1] in scripts);
    });
    return named.map((span) => `${path}: ${span}`);
  });
  assert.deepEqual(absent, []);
});

test("README, CONTRIBUTING and docs/hosts.md say how much the tests fetch", {
  skip: process.platform === "darwin" && "npm has no Node for macOS, so less is fetched there",
}, () => {
  const sum = (all) => downloads({ all }, 20).reduce((total, { megabytes }) => total + megabytes, 0);
  const [usual, all] = [`${sum(false)} MB`, `${(sum(true) / 1000).toFixed(1)} GB`];
  for (const path of ["README.md", "CONTRIBUTING.md"]) {
    assert.ok(read(path).includes(usual) && read(path).includes(all), `${path}: ${usual}, ${all}`);
  }
  assert.match(read("docs/hosts.md"), new RegExp(`cache directory, or\\s\`HASHLINE_CACHE\`: ${all}`));
});

test("README, CONTRIBUTING and the scripts name the same minutes", () => {
  const [, usual, rest] = /MINUTES = \{ usual: (\d+), rest: (\d+) \}/.exec(read("scripts/test.mjs"));
  for (const path of ["README.md", "CONTRIBUTING.md"]) {
    assert.match(read(path), new RegExp(`npm test .*\\b${usual} minutes`), path);
    assert.match(
      read(path),
      new RegExp(`npm run test:all .*\\b${Number(usual) + Number(rest)} minutes`),
      path,
    );
  }
});
