// The documents hold together: decisions are numbered and have a status, links lead somewhere, and the
// size of the downloads is the scripts' own.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { downloads as hostDownloads } from "../scripts/hosts.mjs";
import { textFiles } from "../scripts/name.mjs";
import { root } from "../scripts/run.mjs";
import { downloads as toolDownloads } from "../scripts/tools.mjs";

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
}

/** Links of Markdown, without those in code blocks, of the web, and within the page. */
function links(text) {
  const prose = text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, "");
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

test("README, CONTRIBUTING and docs/hosts.md say how much `npm test` fetches", {
  skip: process.platform === "darwin" && "npm has no Node for macOS, so less is fetched there",
}, () => {
  const sum = [...toolDownloads("20"), ...hostDownloads()].reduce(
    (total, { megabytes }) => total + megabytes,
    0,
  );
  const said = [
    /fetches ([\d.]+) GB/.exec(read("README.md")),
    /what it will fetch \(([\d.]+) GB/.exec(read("CONTRIBUTING.md")),
    /cache directory, or `HASHLINE_CACHE`: ([\d.]+) GB/.exec(read("docs/hosts.md")),
  ];
  for (const found of said) assert.equal(found?.[1], (sum / 1000).toFixed(1));
});
