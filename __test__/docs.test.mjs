// The documents hold together: decisions are numbered and have a status, links lead somewhere.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { textFiles } from "../scripts/name.mjs";
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
    assert.match(status, /^Status: (accepted|amended by|replaced by|rejected)/);
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
